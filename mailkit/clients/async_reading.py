"""The verbs that read mail: over all accounts at once, or one message, or one conversation."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from mailkit import fanout
from mailkit.clients.desk import Desk
from mailkit.fanout import AsyncMessageIterator, AsyncUpdates
from mailkit.models import Message, MessageSummary, Outcome, Results, Thread
from mailkit.query import Q
from mailkit.query.ast import Expr
from mailkit.query.explanation import Explanation
from mailkit.values import Ref

__all__ = ["AsyncReading"]


class AsyncReading:
    """What a mail client reads."""

    _desk: Desk

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
