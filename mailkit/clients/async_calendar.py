"""The async calendar client: its verbs stand in the modules beside this one, on top of the fan-out."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from mailkit.accounts import Accounts, Settings
from mailkit.clients.async_agenda import AsyncAgenda
from mailkit.clients.async_calendars import AsyncCalendars
from mailkit.clients.async_client import AsyncClient
from mailkit.clients.async_event_writing import AsyncEventWriting
from mailkit.clients.async_free_time import AsyncFreeTime
from mailkit.clients.async_invitations import AsyncInvitations
from mailkit.clients.desk import Desk
from mailkit.values import Account, Clock

__all__ = ["AsyncCalendarClient"]


class AsyncCalendarClient(AsyncClient, AsyncAgenda, AsyncEventWriting, AsyncInvitations, AsyncFreeTime):
    """All calendars of all accounts as one.

    ``accounts`` is an ``Accounts`` set, shared by every client built on it, or simply the accounts, with ``settings``
    for all of them and a ``clock`` in the place of the machine's time. ``tz`` is the zone in which naive times are read
    and days begin (an IANA name, a ``ZoneInfo`` or ``datetime.UTC``); without it naive times are refused, and days are
    the machine's. Use it with ``async with``, or call ``aclose()``. The namespace ``calendars`` has ``list``.

    What comes out is an aware ``datetime`` with its event's zone, or a ``date`` for a whole day; ends are not part of
    what they end. ``deadline`` is in seconds and per account; None means that of the account set's settings, 30 s, and
    ``inf`` none at all. What cannot be right is refused with a ``UsageError`` before anything is sent.

    Raises:
        ConfigurationError: two accounts have one name, or something else was passed than is named here.
        UsageError: there is no such zone, or ``settings`` or ``clock`` beside an ``Accounts`` set, which has its own.

    Example:
        ```python
        import datetime as dt

        from mailkit import AsyncCalendarClient
        from mailkit.testing import demo_accounts

        async with AsyncCalendarClient(demo_accounts(), tz="Europe/Berlin") as calendar:
            for event in await calendar.events(dt.date(2026, 3, 16), dt.date(2026, 3, 17)):
                print(event.start, event.account, event.title)
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
        self.calendars: AsyncCalendars = AsyncCalendars(self._desk)
