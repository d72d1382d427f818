"""What a mail driver can do for one account to read it, and the small records it answers in; ``writing`` has the rest.

A driver knows one provider's requests and answers and nothing of other accounts: no merging, no deadlines, no retries.
It raises the errors of ``mailkit.errors``. Lists come as ``Listing`` steps, so that the caller decides how far to read
and can ask for the next step while the rows of this one are still on their way.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol
from zoneinfo import ZoneInfo

import attrs

from mailkit.errors import BadPayload, MailkitError
from mailkit.models.mail import Attachment, Label, Message, MessageSummary, Thread
from mailkit.models.notes import Note
from mailkit.providers.writing import MailWriter
from mailkit.query.ast import Expr
from mailkit.query.explanation import ProviderPlan
from mailkit.values import Account


@attrs.frozen(kw_only=True)
class Position:
    """How far an account has been read: next come rows at ``at`` whose ids are not in ``seen``, then older ones."""

    at: dt.datetime
    seen: frozenset[str] = frozenset()


@attrs.frozen(kw_only=True)
class Search:
    """One account's share of a search. ``size`` is how many rows the caller wants at a time."""

    expr: Expr
    now: dt.datetime
    tz: ZoneInfo
    size: int
    after: Position | None = None
    include_raw: bool = False

    @property
    def seen(self) -> frozenset[str]:
        """The ids at the position's instant that were given already: they come again and are dropped."""
        return self.after.seen if self.after else frozenset()


@attrs.frozen(kw_only=True)
class Page:
    """Rows newest first, and what of them could not be understood; with ``error`` the list breaks off after them."""

    rows: tuple[MessageSummary, ...] = ()
    problems: tuple[BadPayload, ...] = ()
    error: MailkitError | None = None


@attrs.frozen(kw_only=True)
class Listing:
    """One step of a list: ``fetch`` gives its rows; ``next`` gives the step after it, or is None at the end.

    ``next`` may be called before ``fetch`` is done; each is called at most once. A step without rows may have a next.
    ``pause``: what comes next costs far more, so a list with a limit ends here, and only an iterator goes on.
    """

    fetch: Callable[[], Awaitable[Page]]
    next: Callable[[], Awaitable[Listing]] | None = None
    notes: tuple[Note, ...] = ()
    pause: bool = False


@attrs.frozen(kw_only=True)
class Capabilities:
    """What an account can do, as data: provider limits and granted permissions together."""

    read_mail: bool = True
    send_mail: bool = True
    drafts: bool = True
    organise: bool = True
    categories: bool = False
    gmail_categories: bool = False
    star_colours: bool = False
    link_attachments: bool = False


class MailDriver(MailWriter, Protocol):
    """One account's mail at one provider."""

    @property
    def account(self) -> Account:
        """Whose mail this is."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What can be done here."""
        ...

    async def own_addresses(self) -> tuple[str, ...]:
        """Give the addresses of the mailbox's owner, the main one first; mail may be sent from any of them."""
        ...

    async def search(self, search: Search) -> Listing:
        """Start a list, newest first; the first request is made before this returns."""
        ...

    async def plan(self, search: Search) -> ProviderPlan:
        """Say what ``search`` would do: terms, requests, notes.

        Asks the provider only for labels, folders and own addresses.
        """
        ...

    async def get(self, ids: Sequence[str], *, include_raw: bool = False) -> list[Message | MailkitError]:
        """Give whole messages, in the order of ``ids``, each with an outcome of its own."""
        ...

    async def thread(self, thread_id: str) -> Thread:
        """Give the whole conversation, oldest message first."""
        ...

    async def raw(self, message_id: str) -> bytes:
        """Give the message as RFC 5322 bytes."""
        ...

    async def labels(self) -> tuple[list[Label], list[BadPayload]]:
        """Give every folder, label and category, parents before children, and what could not be read."""
        ...

    async def attachments(self, message_id: str) -> tuple[list[Attachment], list[BadPayload]]:
        """Give what hangs on a message, and what of it could not be read."""
        ...

    def read_attachment(self, message_id: str, part: str) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Stream the decoded bytes of one attachment."""
        ...
