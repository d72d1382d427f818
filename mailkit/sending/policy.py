"""Whether a message may go, or is kept as a draft for a person to look at. Pure.

Looks at recipients and hands the message to a check of the caller's own; sends nothing and keeps nothing.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias

import attrs

from mailkit.checks import configured, plain_function, refuse, setting, several, whole
from mailkit.mime.address_key import address_key
from mailkit.mime.outgoing import OutgoingMessage
from mailkit.mime.texts import texts_of
from mailkit.values import Address

__all__ = ["PolicyCheck", "SendPolicy", "Verdict"]

PolicyCheck: TypeAlias = Callable[[OutgoingMessage], str | bool | None]
"""Looks at a message: None or True lets it go, False or a text (which becomes the hint) holds it."""

_ALLOWED = re.compile(r"(?:[^@\s<>,;*]+@|\*\.|@)?[^@\s<>,;*]+\.[^@\s<>,;*]+")


@attrs.frozen(kw_only=True)
class Verdict:
    """What the policy says: ``state`` None lets the message go."""

    state: Literal["draft", "held"] | None = None
    blocked: tuple[Address, ...] = ()
    too_many_recipients: bool = False
    hint: str | None = None


def _allowed(values: str | Iterable[str] | None) -> frozenset[str] | None:
    if values is None:
        return None
    with configured():
        named = several(values, "allow", str, "addresses and domains, as in ['amy@example.com', 'example.org']")
        for each in named:
            if not _ALLOWED.fullmatch(each):
                refuse(each, "each of allow", "an address, a domain (example.org) or its subdomains (*.example.org)")
    return frozenset(address_key(each.removeprefix("@")) for each in named)


@attrs.frozen(kw_only=True)
class SendPolicy:
    """What a client may send by itself; what it may not is kept as a draft and comes back as ``held``.

    ``mode`` ``"draft"`` keeps everything as a draft. ``allow`` are the only recipients, and the only ones in Reply-To:
    addresses, domains (``example.org``) and what lies below one (``*.example.org``); None: everybody.
    ``max_recipients`` counts To, Cc and Bcc. ``check`` looks at each message as it goes: with ``text`` and ``html``
    whatever it was written in, what is quoted included, its recipients and its files. It holds one with False or a
    hint; what it raises ends the call, and nothing is sent. Replies, forwards and drafts that are sent are looked at
    like new mail.

    Raises:
        ConfigurationError: a value is not what it must be.

    Example:
        ```python
        from mailkit import SendPolicy

        policy = SendPolicy(allow=["example.com"], max_recipients=5)
        ```
    """

    mode: Literal["send", "draft"] = attrs.field(default="send")
    allow: frozenset[str] | None = attrs.field(default=None, converter=_allowed, repr=False)
    max_recipients: int | None = attrs.field(default=None, validator=attrs.validators.optional(setting(whole)))
    check: PolicyCheck | None = attrs.field(default=None, repr=False)

    @mode.validator
    def _mode_is_known(self, _field: object, value: object) -> None:
        if value not in ("send", "draft"):
            with configured():
                refuse(value, "mode", "'send' or 'draft'")

    @check.validator
    def _check_can_be_called(self, _field: object, value: object) -> None:
        with configured():
            plain_function(value, "check", "the message")

    def verdict(self, message: OutgoingMessage) -> Verdict:
        """Say whether a message may go."""
        if self.mode == "draft":
            return Verdict(state="draft", hint="the policy keeps everything as a draft; a person sends it")
        # Where answers go counts, too: else a mail could be made to hand the conversation to a stranger.
        people = (*message.recipients, *message.reply_to)
        blocked = tuple(dict.fromkeys(each for each in people if not self._allows(each)))
        too_many = self.max_recipients is not None and len(message.recipients) > self.max_recipients
        hint = _hint(blocked=bool(blocked), too_many=too_many)
        if hint is None and self.check is not None:
            # As it goes: a check that reads the text must not be passed by what is written as Markdown.
            texts = texts_of(message)
            hint = _said(self.check(attrs.evolve(message, text=texts.text, html=texts.html, markdown=None)))
        return Verdict(state="held" if hint else None, blocked=blocked, too_many_recipients=too_many, hint=hint)

    def _allows(self, recipient: Address) -> bool:
        if self.allow is None:
            return True
        key = address_key(recipient.address)
        domain = key.rpartition("@")[2]
        parents = (f"*.{domain[at + 1 :]}" for at, mark in enumerate(domain) if mark == ".")
        return key in self.allow or domain in self.allow or any(parent in self.allow for parent in parents)


def _said(answer: object) -> str | None:
    """Read what a check said; what is no answer lets nothing go."""
    if inspect.iscoroutine(answer):
        answer.close()  # what is never awaited is warned of
    if not (answer is None or isinstance(answer, bool | str)):
        with configured():
            refuse(answer, "what a policy's check returns", "None or True (it may go), False or a text (it may not)")
    if answer is None or answer is True:
        return None
    return answer or "the check of this client does not let this message go; it is kept as a draft"


def _hint(*, blocked: bool, too_many: bool) -> str | None:
    why = [
        *(["some recipients are not allowed"] if blocked else []),
        *(["there are more recipients than allowed"] if too_many else []),
    ]
    return f"{' and '.join(why)}; it is kept as a draft, for a person to send" if why else None
