"""The sync mail client: the verbs of the async one, run through the portal.

Generated from ``async_mail.py`` by ``tools/make_sync.py``; do not edit. Works in any thread, also where an event loop
is running; Ctrl-C cancels a call and returns at once; a client that nobody closed never keeps a program alive.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from types import TracebackType
from typing import Self
from zoneinfo import ZoneInfo

from mailkit import portal
from mailkit.accounts import Accounts, Settings
from mailkit.clients.async_mail import AsyncAttachments, AsyncLabels, AsyncMailClient
from mailkit.clients.bridge import MessageIterator, Updates, opened
from mailkit.models import Attachment, Label, Message, MessageSummary, Outcome, Results, Thread
from mailkit.query import Q
from mailkit.query.ast import Expr
from mailkit.query.explanation import Explanation
from mailkit.values import Account, Clock, Ref

__all__ = ["Attachments", "Labels", "MailClient"]


class Labels:
    """The labels, folders and categories of every account."""

    def __init__(self, namespace: AsyncLabels) -> None:
        self._async = namespace

    def list(self, *, accounts: str | Iterable[str] | None = None, deadline: float | None = None) -> Results[Label]:
        """List every place and mark, account by account, parents before children.

        Raises:
            UnknownAccount: a name in ``accounts`` is not known.
            AllAccountsFailed: every account failed; the only account concerned raises its own error.

        Example:
            ```python
            from mailkit import MailClient
            from mailkit.testing import demo_accounts

            with MailClient(demo_accounts()) as mail:
                for label in mail.labels.list():
                    print(label.account, label.kind, label.path)
            ```
        """
        return portal.run(partial(self._async.list, accounts=accounts, deadline=deadline))


class Attachments:
    """What hangs on messages."""

    def __init__(self, namespace: AsyncAttachments) -> None:
        self._async = namespace

    def list(
        self, message: Ref | str | MessageSummary, *, account: str | None = None, deadline: float | None = None
    ) -> Results[Attachment]:
        """List what hangs on one message; ``message`` is a row, a ref, its text, or a bare id.

        Raises:
            UsageError: the ref is no message's, or of another account.
            NotFound: there is no such message.

        Example:
            ```python
            from mailkit import MailClient
            from mailkit.testing import demo_accounts

            with MailClient(demo_accounts()) as mail:
                row = mail.search("has:attachment")[0]
                for attachment in mail.attachments.list(row):
                    print(attachment.name, attachment.size)
            ```
        """
        return portal.run(partial(self._async.list, message, account=account, deadline=deadline))

    def read(self, attachment: Ref | str | Attachment, *, deadline: float | None = None) -> bytes:
        """Read all bytes of one attachment, decoded; ``deadline`` is for all of them.

        Raises:
            UsageError: the ref is no attachment's.
            NotDownloadable: it is a link, or another thing without bytes.
            NotFound: there is no such attachment.

        Example:
            ```python
            from mailkit import MailClient
            from mailkit.testing import demo_accounts

            with MailClient(demo_accounts()) as mail:
                row = mail.search("has:attachment")[0]
                attachment = mail.attachments.list(row)[0]
                print(len(mail.attachments.read(attachment)))
            ```
        """
        return portal.run(partial(self._async.read, attachment, deadline=deadline))

    def iter_bytes(
        self, attachment: Ref | str | Attachment, *, deadline: float | None = None
    ) -> AbstractContextManager[Iterator[bytes]]:
        """Open one attachment for the block and give its bytes, decoded, as they arrive.

        ``deadline`` is for the beginning; after it only each wait for more is limited. Leaving the block closes the
        connection.

        Raises:
            UsageError: the ref is no attachment's.
            NotDownloadable: it is a link, or another thing without bytes.
            NotFound: there is no such attachment.

        Example:
            ```python
            from mailkit import MailClient
            from mailkit.testing import demo_accounts

            with MailClient(demo_accounts()) as mail:
                row = mail.search("has:attachment")[0]
                attachment = mail.attachments.list(row)[0]
                with mail.attachments.iter_bytes(attachment) as pieces:
                    for piece in pieces:
                        print(len(piece))
            ```
        """
        return opened(self._async.iter_bytes(attachment, deadline=deadline))


class MailClient:
    """All mailboxes of all accounts, asked at once.

    ``accounts`` is an ``Accounts`` set, shared by every client built on it, or simply the accounts, with ``settings``
    for all of them and a ``clock`` in the place of the machine's time. ``tz`` is the zone of dates in queries (an IANA
    name, a ``ZoneInfo`` or ``datetime.UTC``); without it the machine's. Use it with ``with``, or call
    ``close()``. Two namespaces have verbs of their own: ``labels`` (``list`` gives the labels, folders and categories)
    and ``attachments`` (``list`` those of a message, ``read`` one, ``iter_bytes`` for one piece by piece).

    Wherever a message is meant, a row, its ``ref``, the text of that, or the provider's bare id will do. ``deadline``
    is in seconds and per account; None means that of the account set's settings, 30 s, and ``inf`` none at all. What
    cannot be right is refused with a ``UsageError`` before anything is sent.

    Raises:
        ConfigurationError: two accounts have one name, or something else was passed than is named here.
        UsageError: there is no such zone, or ``settings`` or ``clock`` beside an ``Accounts`` set, which has its own.

    Example:
        ```python
        from mailkit import MailClient
        from mailkit.testing import demo_accounts

        with MailClient(demo_accounts(), tz="Europe/Berlin") as mail:
            for row in mail.search("is:unread from:priya"):
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
        self._async = AsyncMailClient(accounts, tz=tz, settings=settings, clock=clock)
        self.labels: Labels = Labels(self._async.labels)
        self.attachments: Attachments = Attachments(self._async.attachments)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {', '.join(self._async.accounts.names)}>"

    @property
    def accounts(self) -> Accounts:
        """The account set this client works on."""
        return self._async.accounts

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections that no other client on the same accounts uses; harmless when repeated.

        A closed client can still be used: the next call opens connections again, and they want closing again.
        """
        portal.run(self._async.aclose)

    def search(
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
            from mailkit import MailClient
            from mailkit.testing import demo_accounts

            with MailClient(demo_accounts()) as mail:
                results = mail.search("from:priya newer_than:30d", limit=10)
                for row in results:
                    print(row.account, row.subject)
                for failure in results.failures:
                    print(failure.account, failure.error)
            ```
        """
        return portal.run(
            partial(
                self._async.search,
                query,
                accounts=accounts,
                limit=limit,
                cursor=cursor,
                tz=tz,
                strict=strict,
                include_raw=include_raw,
                deadline=deadline,
            )
        )

    def recent(
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
            from mailkit import MailClient
            from mailkit.testing import demo_accounts

            with MailClient(demo_accounts()) as mail:
                for row in mail.recent(limit=5):
                    print(row.date, row.account, row.subject)
            ```
        """
        return portal.run(
            partial(
                self._async.recent,
                accounts=accounts,
                limit=limit,
                cursor=cursor,
                include_raw=include_raw,
                deadline=deadline,
            )
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
    ) -> MessageIterator:
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
            from mailkit import MailClient
            from mailkit.testing import demo_accounts

            with MailClient(demo_accounts()) as mail:
                rows = mail.iter_search("has:attachment")
                for row in rows:
                    print(row.account, row.subject)
                print(rows.failures)
            ```
        """
        return MessageIterator(
            self._async.iter_search(
                query, accounts=accounts, limit=limit, tz=tz, strict=strict, include_raw=include_raw, deadline=deadline
            )
        )

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
    ) -> Updates:
        """Search like ``search`` and give one update per account as it arrives, each with all results so far.

        Nothing is raised for an account that fails: its update has a ``failure``. Leaving the block cancels what is
        still under way, and so does ``updates.cancel()`` while somebody waits in the block for an update: the updates
        end at once.

        Raises:
            InvalidQuery: the query cannot be read; raised by the call itself, as are all ``UsageError``.
            UsageError: limit, zone, account name or cursor cannot be right.

        Example:
            ```python
            from mailkit import MailClient
            from mailkit.testing import demo_accounts

            with MailClient(demo_accounts()) as mail:
                with mail.search_as_completed("is:unread") as updates:
                    for update in updates:
                        print(update.account, len(update.results), "waiting for", update.waiting)
            ```
        """
        return Updates(
            self._async.search_as_completed(
                query,
                accounts=accounts,
                limit=limit,
                cursor=cursor,
                tz=tz,
                strict=strict,
                include_raw=include_raw,
                deadline=deadline,
            )
        )

    def explain(
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
            from mailkit import MailClient
            from mailkit.testing import demo_accounts

            with MailClient(demo_accounts()) as mail:
                print(mail.explain("category:promotions larger:5M"))
            ```
        """
        return portal.run(partial(self._async.explain, query, accounts=accounts, tz=tz, deadline=deadline))

    def get(
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
            from mailkit import MailClient
            from mailkit.testing import demo_accounts

            with MailClient(demo_accounts()) as mail:
                row = mail.recent()[0]
                print(mail.get(row).body.text)
            ```
        """
        return portal.run(
            partial(self._async.get, message, account=account, include_raw=include_raw, deadline=deadline)
        )

    def get_many(
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
            from mailkit import MailClient
            from mailkit.testing import demo_accounts

            with MailClient(demo_accounts()) as mail:
                for outcome in mail.get_many(mail.recent()):
                    print(outcome.ref.account, outcome.value.subject if outcome.value else outcome.error)
            ```
        """
        return portal.run(
            partial(self._async.get_many, messages, account=account, include_raw=include_raw, deadline=deadline)
        )

    def thread(
        self, thread: Ref | str | MessageSummary | Thread, *, account: str | None = None, deadline: float | None = None
    ) -> Thread:
        """Get a whole conversation, oldest message first; a row or message stands for the thread it lies in.

        Raises:
            AmbiguousAccount: a bare id, several accounts, and no ``account``.
            UsageError: the ref is no thread's, or of another account; nothing was sent.
            NotFound: there is no such thread.

        Example:
            ```python
            from mailkit import MailClient
            from mailkit.testing import demo_accounts

            with MailClient(demo_accounts()) as mail:
                row = mail.recent()[0]
                for message in mail.thread(row).messages:
                    print(message.from_, message.body.text)
            ```
        """
        return portal.run(partial(self._async.thread, thread, account=account, deadline=deadline))

    def raw(
        self, message: Ref | str | MessageSummary, *, account: str | None = None, deadline: float | None = None
    ) -> bytes:
        """Get one message as RFC 5322 bytes, the content of an ``.eml`` file.

        Raises:
            AmbiguousAccount: a bare id, several accounts, and no ``account``.
            UsageError: the ref is no message's, or of another account; nothing was sent.
            NotFound: there is no such message.

        Example:
            ```python
            from mailkit import MailClient
            from mailkit.testing import demo_accounts

            with MailClient(demo_accounts()) as mail:
                row = mail.recent()[0]
                print(len(mail.raw(row)))
            ```
        """
        return portal.run(partial(self._async.raw, message, account=account, deadline=deadline))
