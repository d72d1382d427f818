"""What a call asks the sending room to do, and with what: plain values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal, Protocol, TypeAlias

import attrs

from mailkit.fanout.request import Mailboxes
from mailkit.mime.outgoing import OutgoingFile, OutgoingMessage
from mailkit.models.drafts import Draft
from mailkit.models.notes import Note
from mailkit.providers.writing import Answers, Progress
from mailkit.sending.journal import Journal
from mailkit.sending.policy import SendPolicy

__all__ = ["Idempotency", "OnUnknown", "Order", "Outbox", "Ready"]

Idempotency: TypeAlias = Literal["explicit", "derive"]
"""Whether only keys that the caller gives count, or each message's content is its key."""

OnUnknown: TypeAlias = Literal["raise", "return"]
"""What a send does whose outcome stays unclear."""


class Outbox(Mailboxes, Protocol):
    """The accounts a client sends from, and the rules it sends by."""

    @property
    def default(self) -> str | None:
        """The account that new mail is sent from."""
        ...

    @property
    def policy(self) -> SendPolicy:
        """What may go."""
        ...

    @property
    def journal(self) -> Journal:
        """Where keys are kept."""
        ...

    @property
    def idempotency(self) -> Idempotency:
        """What counts as a key."""
        ...


@attrs.frozen(kw_only=True, repr=False)
class Ready:
    """A message as it is to go, once what it answers, or the draft that it is, was read.

    ``message`` names every file that its recipients get, for the policy to see; ``along`` are those of them that have
    to be opened beside the caller's own. ``draft`` is the one that is to be sent as it is.
    """

    message: OutgoingMessage
    along: tuple[OutgoingFile, ...] = ()
    draft: Draft | None = None
    answers: Answers | None = None
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()


@attrs.frozen(kw_only=True, repr=False)
class Order:
    """One message to be sent: from which account, how, and what to do if things go wrong.

    ``message`` is what the caller wrote and ``about`` what it refers to: by both together the same order is known
    again, whatever has happened in the mailbox meanwhile. ``prepare`` makes of it what is to go, where that takes
    reading. ``deadline`` is in seconds and for everything until the provider's answer; looking for a mail whose fate is
    unclear comes on top.
    """

    operation: str
    account: str
    message: OutgoingMessage
    deadline: float
    about: tuple[str, ...] = ()
    prepare: Callable[[], Awaitable[Ready]] | None = None
    key: str | None = None
    on_unknown: OnUnknown = "raise"
    as_draft: bool = False
    progress: Progress | None = None
