"""Who an answer or a forward goes to, from which own address, and why. Pure.

The rules are one set for both providers, so an answer goes to the same people whichever account it is sent from:
RFC 5322 section 3.6.2 (Reply-To before From), RFC 2369 (List-Post is for posting, not for answers), and
https://cr.yp.to/proto/replyto.html (Mail-Followup-To, which mailing lists use).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import attrs

from mailkit.addressing.references import message_id_of, references_of
from mailkit.addressing.subject import forward_subject, reply_subject
from mailkit.errors import InvalidMessage
from mailkit.mime.address_key import address_key
from mailkit.mime.headers import read_addresses
from mailkit.mime.recipients import as_recipient
from mailkit.models.mail import Message
from mailkit.values import Address

__all__ = ["Addressed", "Reason", "Wish", "address"]

Wish: TypeAlias = Literal["reply", "reply_all", "forward"]
Why: TypeAlias = Literal[
    "reply_to",
    "from",
    "mail_followup_to",
    "original_to",
    "original_cc",
    "added",
    "own_address",
    "named_twice",
    "no_address",
    "note_to_oneself",
]
Placed: TypeAlias = tuple[Address, Literal["to", "cc", "bcc"], Why]
_NO_ONE = "nobody would get this; name somebody with to="


@attrs.frozen(kw_only=True)
class Reason:
    """Why an address is where it is: ``place`` is ``to``, ``cc``, ``bcc`` or None for one that was left out.

    ``no_address`` are those of the original that no mail can be sent to.
    """

    address: Address
    place: Literal["to", "cc", "bcc"] | None
    why: Why


@attrs.frozen(kw_only=True, repr=False)
class Addressed:
    """The head of an answer or a forward; ``reasons`` explains it address by address.

    ``from_`` is the own address the original was sent to, None where the account's main one is right.
    ``in_reply_to`` and ``references`` hold Message-IDs with their ``<>``.
    """

    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    bcc: tuple[Address, ...] = ()
    from_: Address | None = None
    subject: str
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()

    def __repr__(self) -> str:  # whom it names is not for a log; reasons has it
        return f"<Addressed to {len(self.to)}, cc {len(self.cc)}, bcc {len(self.bcc)}>"


def address(
    original: Message,
    wish: Wish,
    *,
    me: Sequence[str],
    to: Iterable[Address] = (),
    cc: Iterable[Address] = (),
    bcc: Iterable[Address] = (),
    own_spellings: bool = False,
) -> Addressed:
    """Address an answer to ``original``, or a forward of it.

    ``me`` are the own addresses, the main one first. ``to``, ``cc`` and ``bcc`` come beside what the rules give; an
    address stands once, in To before Cc before Bcc. Own addresses are left out, unless somebody adds one by hand or
    the original is a note to oneself; those that no mail can be sent to are left out, too. ``own_spellings`` also
    counts an own address with a ``+tag`` as own, and one of Gmail with other dots.

    Raises:
        InvalidMessage: nobody would get it.
    """
    rules = _Rules(original, me, own_spellings=own_spellings)
    added: tuple[Placed, ...] = (
        *((each, "to", "added") for each in to),
        *((each, "cc", "added") for each in cc),
        *((each, "bcc", "added") for each in bcc),
    )
    places, reasons = rules.placed((*(() if wish == "forward" else rules.answered(wish)), *added))
    if not any(places.values()):
        raise InvalidMessage(_NO_ONE, code="no_recipients")
    return Addressed(
        to=tuple(places["to"]),
        cc=tuple(places["cc"]),
        bcc=tuple(places["bcc"]),
        from_=rules.sender(),
        subject=(forward_subject if wish == "forward" else reply_subject)(original.subject),
        in_reply_to=message_id_of(original),
        references=references_of(original),
        reasons=tuple(reasons),
    )


class _Rules:
    def __init__(self, original: Message, me: Iterable[str], *, own_spellings: bool) -> None:
        self._original = original
        self._me = frozenset(map(_key, me))
        self._mailbox = _mailbox_of if own_spellings else str
        self._own = frozenset(map(self._mailbox, self._me))
        self._from = (original.from_,) if original.from_ is not None else ()

    def is_own(self, address: Address) -> bool:
        return self._mailbox(_key(address.address)) in self._own

    def _foreign(self, addresses: Iterable[Address]) -> list[Address]:
        return [each for each in addresses if each.address and not self.is_own(each)]

    def answered(self, wish: Wish) -> list[Placed]:
        """Give whom an answer would go to, own addresses among them."""
        original = self._original
        own_message = any(map(self.is_own, self._from)) and not self._foreign(original.reply_to)
        if wish == "reply_all" and (followup := self._foreign(self._followup())):
            return [(each, "to", "mail_followup_to") for each in followup]
        if own_message:  # going on with what one wrote oneself
            found: list[Placed] = [(each, "to", "original_to") for each in original.to]
        elif original.reply_to and (self._foreign(original.reply_to) or not self._foreign(self._from)):
            found = [(each, "to", "reply_to") for each in original.reply_to]
        else:
            found = [(each, "to", "from") for each in self._from]
        answers_oneself = bool(found) and not self._foreign(each for each, _, _ in found)
        if wish == "reply_all":
            found += [(each, "to", "original_to") for each in original.to]
        if wish == "reply_all" or (own_message and not self._foreign(original.to)):
            found += [(each, "cc", "original_cc") for each in original.cc]
        if answers_oneself and not self._foreign(each for each, _, _ in found):
            note = next((each for each, _, _ in found if each.address), None)
            return [(note, "to", "note_to_oneself")] if note else []
        return found

    def placed(self, wanted: Iterable[Placed]) -> tuple[dict[str, list[Address]], list[Reason]]:
        """Put each address into one place, and say why."""
        places: dict[str, list[Address]] = {"to": [], "cc": [], "bcc": []}
        reasons: list[Reason] = []
        seen: set[str] = set()
        for each, place, why in sorted(wanted, key=lambda one: ("to", "cc", "bcc").index(one[1])):
            key = _key(each.address)
            written = as_recipient(each)
            if written is None:
                reasons.append(Reason(address=each, place=None, why="no_address"))
            elif why not in ("added", "note_to_oneself") and self.is_own(each):
                reasons.append(Reason(address=each, place=None, why="own_address"))
            elif key in seen:
                reasons.append(Reason(address=each, place=None, why="named_twice"))
            else:
                seen.add(key)
                places[place].append(written)
                reasons.append(Reason(address=written, place=place, why=why))
        return places, reasons

    def sender(self) -> Address | None:
        """Give the own address the original was sent to, or from; it is the one its people know."""
        candidates = (*self._from, *self._original.to, *self._original.cc, *self._headers("Delivered-To"))
        return next((each for each in candidates if _key(each.address) in self._me), None)

    def _followup(self) -> tuple[Address, ...]:
        return self._headers("Mail-Followup-To")

    def _headers(self, name: str) -> tuple[Address, ...]:
        value = self._original.header(name)
        return read_addresses(value) if value else ()


def _key(text: str) -> str:
    return address_key(text.strip())


def _mailbox_of(key: str) -> str:
    """Give an address without what does not change the mailbox it reaches."""
    local, at, domain = key.rpartition("@")
    local = local.partition("+")[0]
    if domain in ("gmail.com", "googlemail.com"):  # https://support.google.com/mail/answer/7436150
        local, domain = local.replace(".", ""), "gmail.com"
    return f"{local}{at}{domain}"
