"""The async mail client: the verbs, as methods, on top of the fan-out.

Hands over what it is called with and does no more: accounts, order and deadlines are the fan-out's concern. A client
may be used from several event loops one after another, on asyncio and on trio. Its verbs stand in the modules beside
this one. Every ``sync_*.py`` is generated from its ``async_*.py`` by ``tools/make_sync.py``; change this and run that.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from mailkit.accounts import Accounts, Settings
from mailkit.clients.async_attachments import AsyncAttachments
from mailkit.clients.async_client import AsyncClient
from mailkit.clients.async_drafts import AsyncDrafts
from mailkit.clients.async_labels import AsyncLabels
from mailkit.clients.async_lists import AsyncLists
from mailkit.clients.async_marking import AsyncMarking
from mailkit.clients.async_moving import AsyncMoving
from mailkit.clients.async_reading import AsyncReading
from mailkit.clients.async_sending import AsyncSending
from mailkit.clients.desk import Desk
from mailkit.sending import Idempotency, Journal, SendPolicy
from mailkit.values import Account, Clock

__all__ = ["AsyncMailClient"]


class AsyncMailClient(AsyncClient, AsyncReading, AsyncSending, AsyncMarking, AsyncMoving, AsyncLists):
    """All mailboxes of all accounts, asked at once.

    ``accounts`` is an ``Accounts`` set, shared by every client built on it, or simply the accounts, with ``settings``
    for all of them and a ``clock`` in the place of the machine's time. ``tz`` is the zone of dates in queries (an IANA
    name, a ``ZoneInfo`` or ``datetime.UTC``); without it the machine's. Use it with ``async with``, or call
    ``aclose()``. Three namespaces have verbs of their own: ``labels`` (``list``, ``create``, ``rename``, ``delete``),
    ``drafts`` (``list``, ``get``, ``create``, ``update``, ``send``, ``delete``) and ``attachments`` (``list`` those of
    a message, ``read`` or ``save`` one, ``iter_bytes`` for one piece by piece).

    Wherever a message is meant, a row, its ``ref``, the text of that, or the provider's bare id will do. ``deadline``
    is in seconds and per account; None means that of the account set's settings, 30 s, and ``inf`` none at all. What
    cannot be right is refused with a ``UsageError`` before anything is sent.

    ``policy`` says what this client may send by itself (everything), ``journal`` where the keys of sends are kept (in
    this client's memory; a ``SqliteJournal`` keeps them over restarts), and ``idempotency="derive"`` makes each
    message's content its key, so that the same mail to the same people goes once in seven days.

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
        policy: SendPolicy | None = None,
        journal: Journal | None = None,
        idempotency: Idempotency = "explicit",
    ) -> None:
        self._desk = Desk(
            accounts,
            tz=tz,
            settings=settings,
            clock=clock,
            policy=policy,
            journal=journal,
            idempotency=idempotency,
        )
        self.labels: AsyncLabels = AsyncLabels(self._desk)
        self.attachments: AsyncAttachments = AsyncAttachments(self._desk)
        self.drafts: AsyncDrafts = AsyncDrafts(self._desk)
