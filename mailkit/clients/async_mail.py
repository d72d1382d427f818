"""The async mail client: the verbs, as methods, on top of the fan-out.

Hands over what it is called with and does no more: accounts, order and deadlines are the fan-out's concern. A client
may be used from several event loops one after another, on asyncio and on trio.
``sync_mail.py`` is generated from this module by ``tools/make_sync.py``; change this one and run that.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Self
from zoneinfo import ZoneInfo

from mailkit import fanout
from mailkit.accounts import Accounts, Settings
from mailkit.clients.desk import Desk
from mailkit.fanout import AsyncMessageIterator, AsyncUpdates
from mailkit.models import Attachment, Label, Message, MessageSummary, Outcome, Results, Thread
from mailkit.query import Q
from mailkit.query.ast import Expr
from mailkit.query.explanation import Explanation
from mailkit.values import Account, Clock, Ref

__all__ = ["AsyncAttachments", "AsyncLabels", "AsyncMailClient"]


class AsyncLabels:
    """The labels, folders and categories of every account."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def list(
        self, *, accounts: str | Iterable[str] | None = None, deadline: float | None = None
    ) -> Results[Label]:
        """List every place and mark, account by account, parents before children.

        Raises:
            UnknownAccount: a name in ``accounts`` is not known.
            AllAccountsFailed: every account failed; the only account concerned raises its own error.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                for label in await mail.labels.list():
                    print(label.account, label.kind, label.path)
            ```
        """
        return await fanout.labels(self._desk, accounts, deadline=self._desk.deadline(deadline))


class AsyncAttachments:
    """What hangs on messages."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def list(
        self, message: Ref | str | MessageSummary, *, account: str | None = None, deadline: float | None = None
    ) -> Results[Attachment]:
        """List what hangs on one message; ``message`` is a row, a ref, its text, or a bare id.

        Raises:
            UsageError: the ref is no message's, or of another account.
            NotFound: there is no such message.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.search("has:attachment"))[0]
                for attachment in await mail.attachments.list(row):
                    print(attachment.name, attachment.size)
            ```
        """
        ref = fanout.item_ref(
            message, "message", account=account, known=self._desk.names, operation="mail.attachments.list"
        )
        return await fanout.list_attachments(self._desk, ref, deadline=self._desk.deadline(deadline))

    async def read(self, attachment: Ref | str | Attachment, *, deadline: float | None = None) -> bytes:
        """Read all bytes of one attachment, decoded; ``deadline`` is for all of them.

        Raises:
            UsageError: the ref is no attachment's.
            NotDownloadable: it is a link, or another thing without bytes.
            NotFound: there is no such attachment.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.search("has:attachment"))[0]
                attachment = (await mail.attachments.list(row))[0]
                print(len(await mail.attachments.read(attachment)))
            ```
        """
        ref = fanout.item_ref(
            attachment, "attachment", account=None, known=self._desk.names, operation="mail.attachments.read"
        )
        return await fanout.read_attachment(self._desk, ref, deadline=self._desk.deadline(deadline))

    def iter_bytes(
        self, attachment: Ref | str | Attachment, *, deadline: float | None = None
    ) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Open one attachment for the block and give its bytes, decoded, as they arrive.

        ``deadline`` is for the beginning; after it only each wait for more is limited. Leaving the block closes the
        connection.

        Raises:
            UsageError: the ref is no attachment's.
            NotDownloadable: it is a link, or another thing without bytes.
            NotFound: there is no such attachment.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.search("has:attachment"))[0]
                attachment = (await mail.attachments.list(row))[0]
                async with mail.attachments.iter_bytes(attachment) as pieces:
                    async for piece in pieces:
                        print(len(piece))
            ```
        """
        ref = fanout.item_ref(
            attachment, "attachment", account=None, known=self._desk.names, operation="mail.attachments.iter_bytes"
        )
        return fanout.open_attachment(self._desk, ref, deadline=self._desk.deadline(deadline))


class AsyncMailClient:
    """All mailboxes of all accounts, asked at once.

    ``accounts`` is an ``Accounts`` set, shared by every client built on it, or simply the accounts, with ``settings``
    for all of them and a ``clock`` in the place of the machine's time. ``tz`` is the zone of dates in queries (an IANA
    name, a ``ZoneInfo`` or ``datetime.UTC``); without it the machine's. Use it with ``async with``, or call
    ``aclose()``. Two namespaces have verbs of their own: ``labels`` (``list`` gives the labels, folders and categories)
    and ``attachments`` (``list`` those of a message, ``read`` one, ``iter_bytes`` for one piece by piece).

    Wherever a message is meant, a row, its ``ref``, the text of that, or the provider's bare id will do. ``deadline``
    is in seconds and per account; None means that of the account set's settings, 30 s, and ``inf`` none at all. What
    cannot be right is refused with a ``UsageError`` before anything is sent.

    Raises:
        ConfigurationError: two accounts have one name, or something else was passed than is named here.
        UsageError: there is no such zone, or ``settings`` or ``clock`` beside an ``Accounts`` set, which has its own.

    Example:
        ```python
        from mailkit import AsyncMailClient
        from mailkit.testing import demo_accounts

        async with AsyncMailClient(demo_accounts(), tz="Europe/Berlin") as mail:
            for row in await mail.search("is:unread from:priya"):
                print(row.date, row.account, row.subject)
        ```
    """

    def __init__(
        self,
        accounts: Accounts | Account | Iterable[Account],
        *,
        tz: str | ZoneInfo | dt.timezone | None = None,
        settings: Settings | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._desk = Desk(accounts, tz=tz, settings=settings, clock=clock)
        self.labels: AsyncLabels = AsyncLabels(self._desk)
        self.attachments: AsyncAttachments = AsyncAttachments(self._desk)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {', '.join(self._desk.names)}>"

    @property
    def accounts(self) -> Accounts:
        """The account set this client works on."""
        return self._desk.accounts

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections that no other client on the same accounts uses; harmless when repeated.

        A closed client can still be used: the next call opens connections again, and they want closing again.
        """
        await self._desk.aclose()

    async def search(
        self,
        query: str | Q | Expr = "",
        *,
        accounts: str | Iterable[str] | None = None,
        limit: int = 25,
        cursor: str | None = None,
        tz: str | ZoneInfo | dt.timezone | None = None,
        strict: bool = False,
        include_raw: bool = False,
        deadline: float | None = None,
    ) -> Results[MessageSummary]:
        """Search every mailbox at once and give the newest ``limit`` rows of all, merged.

        ``query`` is Gmail's search syntax, for every provider, or a ``Q``. ``accounts`` names some of the accounts.
        ``cursor`` is that of earlier results and continues where they end; what it was made with must stay the same.
        ``strict`` makes an account fail rather than answer a term inexactly. ``include_raw`` keeps the provider's
        own JSON in each row. An account that fails stands in ``.failures`` beside the others' rows; rows it gave before
        that are kept, and the cursor goes on behind them.

        Raises:
            InvalidQuery: the query cannot be read; raised before anything is sent, as are all ``UsageError``.
            UsageError: limit (1 to 10,000), zone, account name or cursor cannot be right.
            AllAccountsFailed: every account failed; the only account concerned raises its own error.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                results = await mail.search("from:priya newer_than:30d", limit=10)
                for row in results:
                    print(row.account, row.subject)
                for failure in results.failures:
                    print(failure.account, failure.error)
            ```
        """
        return await fanout.search(
            self._desk,
            fanout.ask(
                self._desk,
                query,
                operation="mail.search",
                accounts=accounts,
                limit=limit,
                cursor=cursor,
                tz=tz,
                default_tz=self._desk.tz,
                strict=strict,
                include_raw=include_raw,
                deadline=self._desk.deadline(deadline),
            ),
        )

    async def recent(
        self,
        *,
        accounts: str | Iterable[str] | None = None,
        limit: int = 25,
        cursor: str | None = None,
        include_raw: bool = False,
        deadline: float | None = None,
    ) -> Results[MessageSummary]:
        """Give the newest messages of all inboxes, merged.

        Raises:
            UsageError: limit, account name or cursor cannot be right.
            AllAccountsFailed: every account failed; the only account concerned raises its own error.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                for row in await mail.recent(limit=5):
                    print(row.date, row.account, row.subject)
            ```
        """
        return await fanout.search(
            self._desk,
            fanout.ask(
                self._desk,
                "in:inbox",
                operation="mail.recent",
                accounts=accounts,
                limit=limit,
                cursor=cursor,
                tz=None,
                default_tz=self._desk.tz,
                include_raw=include_raw,
                deadline=self._desk.deadline(deadline),
            ),
        )

    def iter_search(
        self,
        query: str | Q | Expr = "",
        *,
        accounts: str | Iterable[str] | None = None,
        limit: int | None = None,
        tz: str | ZoneInfo | dt.timezone | None = None,
        strict: bool = False,
        include_raw: bool = False,
        deadline: float | None = None,
    ) -> AsyncMessageIterator:
        """Go through everything that matches, newest first over all accounts, none twice.

        Lazy: each account is read a page at a time, at most one page ahead. ``limit=None`` means all. ``deadline`` is
        for each wait, not for the whole, and 120 s where the settings say less: Gmail gives an account 300 messages a
        minute, so long iterations pause. ``.failures``, ``.notes`` and ``.problems`` fill on the way; an account
        that fails is left out from there on, and when all have failed that is raised.

        Raises:
            InvalidQuery: the query cannot be read; raised by the call itself, as are all ``UsageError``.
            UsageError: limit, zone or account name cannot be right.
            AllAccountsFailed: every account has failed; the only account concerned raises its own error.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                rows = mail.iter_search("has:attachment")
                async for row in rows:
                    print(row.account, row.subject)
                print(rows.failures)
            ```
        """
        question = fanout.ask(
            self._desk,
            query,
            operation="mail.iter_search",
            accounts=accounts,
            limit=fanout.page_size(limit, operation="mail.iter_search"),
            tz=tz,
            default_tz=self._desk.tz,
            strict=strict,
            include_raw=include_raw,
            deadline=self._desk.deadline(deadline, at_least=fanout.PATIENCE),
        )
        return AsyncMessageIterator(self._desk, question, limit)

    def search_as_completed(
        self,
        query: str | Q | Expr = "",
        *,
        accounts: str | Iterable[str] | None = None,
        limit: int = 25,
        cursor: str | None = None,
        tz: str | ZoneInfo | dt.timezone | None = None,
        strict: bool = False,
        include_raw: bool = False,
        deadline: float | None = None,
    ) -> AsyncUpdates:
        """Search like ``search`` and give one update per account as it arrives, each with all results so far.

        Nothing is raised for an account that fails: its update has a ``failure``. Leaving the block cancels what is
        still under way, and so does ``updates.cancel()`` while somebody waits in the block for an update: the updates
        end at once.

        Raises:
            InvalidQuery: the query cannot be read; raised by the call itself, as are all ``UsageError``.
            UsageError: limit, zone, account name or cursor cannot be right.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                async with mail.search_as_completed("is:unread") as updates:
                    async for update in updates:
                        print(update.account, len(update.results), "waiting for", update.waiting)
            ```
        """
        question = fanout.ask(
            self._desk,
            query,
            operation="mail.search",
            accounts=accounts,
            limit=limit,
            cursor=cursor,
            tz=tz,
            default_tz=self._desk.tz,
            strict=strict,
            include_raw=include_raw,
            deadline=self._desk.deadline(deadline),
        )
        return AsyncUpdates(self._desk, question)

    async def explain(
        self,
        query: str | Q | Expr,
        *,
        accounts: str | Iterable[str] | None = None,
        tz: str | ZoneInfo | dt.timezone | None = None,
        deadline: float | None = None,
    ) -> Explanation:
        """Say what ``search`` would do with a query at each account, term by term, without searching.

        Only labels, folders and own addresses are asked of the providers.

        Raises:
            InvalidQuery: the query cannot be read.
            AccountsFailed: several accounts could not say; a single one raises its own error.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                print(await mail.explain("category:promotions larger:5M"))
            ```
        """
        question = fanout.ask(
            self._desk,
            query,
            operation="mail.explain",
            accounts=accounts,
            limit=25,
            tz=tz,
            default_tz=self._desk.tz,
            deadline=self._desk.deadline(deadline),
        )
        return await fanout.explain(self._desk, question)

    async def get(
        self,
        message: Ref | str | MessageSummary,
        *,
        account: str | None = None,
        include_raw: bool = False,
        deadline: float | None = None,
    ) -> Message:
        """Get one whole message.

        Raises:
            AmbiguousAccount: a bare id, several accounts, and no ``account``.
            UsageError: the ref is no message's, or of another account; nothing was sent.
            NotFound: there is no such message.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.recent())[0]
                print((await mail.get(row)).body.text)
            ```
        """
        ref = fanout.item_ref(message, "message", account=account, known=self._desk.names, operation="mail.get")
        return await fanout.get(self._desk, ref, include_raw=include_raw, deadline=self._desk.deadline(deadline))

    async def get_many(
        self,
        messages: Iterable[Ref | str | MessageSummary],
        *,
        account: str | None = None,
        include_raw: bool = False,
        deadline: float | None = None,
    ) -> list[Outcome[Message]]:
        """Get many whole messages, of any accounts, in the order asked for, each with an outcome of its own.

        Raises:
            UsageError: a ref cannot be right; nothing was sent.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                for outcome in await mail.get_many(await mail.recent()):
                    print(outcome.ref.account, outcome.value.subject if outcome.value else outcome.error)
            ```
        """
        return await fanout.get_many(
            self._desk, messages, account=account, include_raw=include_raw, deadline=self._desk.deadline(deadline)
        )

    async def thread(
        self,
        thread: Ref | str | MessageSummary | Thread,
        *,
        account: str | None = None,
        deadline: float | None = None,
    ) -> Thread:
        """Get a whole conversation, oldest message first; a row or message stands for the thread it lies in.

        Raises:
            AmbiguousAccount: a bare id, several accounts, and no ``account``.
            UsageError: the ref is no thread's, or of another account; nothing was sent.
            NotFound: there is no such thread.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.recent())[0]
                for message in (await mail.thread(row)).messages:
                    print(message.from_, message.body.text)
            ```
        """
        ref = fanout.thread_ref(thread, account=account, known=self._desk.names, operation="mail.thread")
        return await fanout.thread(self._desk, ref, deadline=self._desk.deadline(deadline))

    async def raw(
        self, message: Ref | str | MessageSummary, *, account: str | None = None, deadline: float | None = None
    ) -> bytes:
        """Get one message as RFC 5322 bytes, the content of an ``.eml`` file.

        Raises:
            AmbiguousAccount: a bare id, several accounts, and no ``account``.
            UsageError: the ref is no message's, or of another account; nothing was sent.
            NotFound: there is no such message.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.recent())[0]
                print(len(await mail.raw(row)))
            ```
        """
        ref = fanout.item_ref(message, "message", account=account, known=self._desk.names, operation="mail.raw")
        return await fanout.raw(self._desk, ref, deadline=self._desk.deadline(deadline))
