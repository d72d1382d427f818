"""What a mail driver can do to write mail: send, keep drafts, and the records that go in and out.

A driver makes the provider's requests and no decisions: who gets the mail, whether it may go, whether it may go again
and what an unclear answer means is decided by ``addressing`` and ``sending``. It never repeats what may have been done.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Literal, Protocol, TypeAlias

import attrs

from mailkit.errors import BadPayload
from mailkit.mime.build import FilePart
from mailkit.mime.outgoing import OutgoingMessage
from mailkit.models.sending import Draft, Evidence
from mailkit.providers.organising import MailOrganiser

__all__ = [
    "Answers",
    "Attempt",
    "Letter",
    "MailWriter",
    "Progress",
    "Sent",
    "Trace",
]

Progress: TypeAlias = Callable[[int, int | None], None]
"""Told how many bytes have gone, and how many there are in all, None where nobody knows."""


@attrs.frozen(kw_only=True)
class Answers:
    """Which message a letter answers or hands on: the provider's ids of it and of its thread.

    ``keep`` are the parts of its attachments that go along without passing through here, where the provider can do that
    (``forwards_attachments``).
    """

    kind: Literal["reply", "reply_all", "forward"]
    id: str
    thread_id: str
    keep: tuple[str, ...] = ()


@attrs.frozen(kw_only=True, repr=False)
class Letter:
    """A message ready to go: recipients and From decided, files open, threading headers known.

    ``files`` are those of the message, read to the point where their size is known. ``message_id`` (with ``<>``) is
    the Message-ID it is to have, ``send_id`` the word by which it is found where the provider changes that; it travels
    as the header ``X-Mailkit-Send-Id``. ``date`` is aware.
    """

    message: OutgoingMessage
    files: tuple[FilePart, ...] = ()
    message_id: str
    send_id: str
    date: dt.datetime
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    answers: Answers | None = None


def _tell(attempt: Attempt, _field: attrs.Attribute[bool], committed: bool) -> bool:
    attempt.on_commit(committed)
    return committed


@attrs.define(kw_only=True)
class Attempt:
    """What is known while a letter is on its way, also when the call is cut off in the middle.

    The driver sets ``committed`` right before the one request that may send, and clears it when that had no effect;
    ``on_commit`` is told of either. ``message_id`` is the Message-ID the provider gave instead, ``draft_id`` the draft
    made on the way.
    """

    on_commit: Callable[[bool], None] = lambda _committed: None
    committed: bool = attrs.field(default=False, on_setattr=_tell)
    message_id: str | None = None
    draft_id: str | None = None


@attrs.frozen(kw_only=True)
class Sent:
    """A sent mail, as far as it is known; ``id`` and ``thread_id`` are the provider's."""

    message_id: str | None = None
    id: str | None = None
    thread_id: str | None = None
    evidence: Evidence = "answer"


@attrs.frozen(kw_only=True, repr=False)
class Trace:
    """By what a mail is looked for in the sent mail.

    ``recipients`` are lower-case addresses without those of Bcc; ``around`` is the instant it was handed over.
    """

    message_id: str
    send_id: str
    subject: str
    recipients: frozenset[str]
    around: dt.datetime
    draft_id: str | None = None


class MailWriter(MailOrganiser, Protocol):
    """One account's mail at one provider, as far as it is changed."""

    @property
    def forwards_attachments(self) -> bool:
        """Whether a forward can take along attachments that stay at the provider; see ``Answers.keep``."""
        ...

    async def send(self, letter: Letter, attempt: Attempt, *, progress: Progress | None = None) -> Sent:
        """Send a letter once, whatever number of requests that takes; ``attempt`` tells what is known on the way.

        A draft made on the way is deleted again when the letter did not go. Raises the error of the request that
        failed; with ``attempt.committed`` set it is unclear whether the letter went.
        """
        ...

    async def find_sent(self, trace: Trace) -> Sent | None:
        """Look once for a mail among the sent mail.

        Raises:
            PermissionMissing: nothing may be read here.
        """
        ...

    async def drafts(self, limit: int) -> tuple[list[Draft], list[BadPayload]]:
        """Give the newest drafts, and what could not be read of them."""
        ...

    async def draft(self, draft_id: str) -> Draft:
        """Give one draft."""
        ...

    async def create_draft(self, letter: Letter, *, progress: Progress | None = None) -> Draft:
        """Keep a letter as a draft."""
        ...

    async def update_draft(self, draft_id: str, letter: Letter, *, progress: Progress | None = None) -> Draft:
        """Replace what a draft holds; its id stays."""
        ...

    async def delete_draft(self, draft_id: str) -> None:
        """Delete a draft; one that is gone already is fine."""
        ...

    async def send_draft(self, draft_id: str, attempt: Attempt) -> Sent:
        """Send a draft as it is.

        Raises:
            NotFound: there is no such draft (any more); it may have been sent.
        """
        ...
