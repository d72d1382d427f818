"""The verbs that read events: over all calendars at once, or one event, or the occurrences of a series."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from mailkit.checks import asked
from mailkit.clients.desk import Desk
from mailkit.clients.windows import agenda, between
from mailkit.fanout import agenda as reading
from mailkit.fanout.agenda import AsyncEventUpdates
from mailkit.fanout.calendars import CalendarLike, EventLike
from mailkit.fanout.event_iteration import AsyncEventIterator
from mailkit.fanout.flow import in_account
from mailkit.fanout.resolve import item_ref
from mailkit.models import Event, Results

__all__ = ["AsyncAgenda"]

_YEAR = dt.timedelta(days=366)


class AsyncAgenda:
    """What a calendar client reads."""

    _desk: Desk

    async def events(
        self,
        start: dt.datetime | dt.date | None = None,
        end: dt.datetime | dt.date | None = None,
        *,
        calendars: CalendarLike | Iterable[CalendarLike] | None = None,
        accounts: str | Iterable[str] | None = None,
        text: str = "",
        limit: int = 1_000,
        expand: bool = True,
        cancelled: bool = False,
        dedupe: bool = False,
        tz: str | ZoneInfo | dt.timezone | None = None,
        deadline: float | None = None,
    ) -> Results[Event]:
        """Give the events of every calendar that touch a window, merged by their starts.

        The window is from ``start`` (now) up to, but without, ``end`` (a year after its start, since a series may never
        end). A date stands for its midnight in ``tz``, which is also the zone that all-day events are sorted in and
        that naive times are read in; it is the client's, else for all but naive times the machine's. ``calendars`` is
        ``"primary"`` for the main calendar of each account, or the calendars themselves; without it all are read.
        ``text`` is looked for in title, body, place and people. A series comes as its occurrences, with
        ``expand=False`` as itself. ``dedupe`` shows a meeting that stands in several own calendars once. ``limit`` is 1
        to 10,000; a note ``truncated`` says that there is more.

        Raises:
            UsageError: window, zone, calendar or account name cannot be right; nothing was sent.
            AllAccountsFailed: every account failed; the only account concerned raises its own error.

        Example:
            ```python
            import datetime as dt

            from mailkit import AsyncCalendarClient
            from mailkit.testing import demo_accounts

            async with AsyncCalendarClient(demo_accounts(), tz="Europe/Berlin") as calendar:
                for event in await calendar.events(dt.date(2026, 3, 16), dt.date(2026, 3, 23)):
                    print(event.start, event.account, event.title)
            ```
        """
        question = agenda(
            self._desk,
            "calendar.events",
            start,
            end,
            calendars=calendars,
            accounts=accounts,
            text=text,
            limit=limit,
            expand=expand,
            cancelled=cancelled,
            dedupe=dedupe,
            tz=tz,
            deadline=deadline,
            reach=_YEAR,
        )
        return await reading.events(self._desk, question)

    def events_as_completed(
        self,
        start: dt.datetime | dt.date | None = None,
        end: dt.datetime | dt.date | None = None,
        *,
        calendars: CalendarLike | Iterable[CalendarLike] | None = None,
        accounts: str | Iterable[str] | None = None,
        text: str = "",
        limit: int = 1_000,
        expand: bool = True,
        cancelled: bool = False,
        dedupe: bool = False,
        tz: str | ZoneInfo | dt.timezone | None = None,
        deadline: float | None = None,
    ) -> AsyncEventUpdates:
        """Read like ``events`` and give one update per account as it arrives, each with all results so far.

        Nothing is raised for an account that fails: its update has a ``failure``. Leaving the block cancels what is
        still under way, and so does ``updates.cancel()``.

        Raises:
            UsageError: window, zone, calendar or account name cannot be right; raised by the call itself.

        Example:
            ```python
            import datetime as dt

            from mailkit import AsyncCalendarClient
            from mailkit.testing import demo_accounts

            async with AsyncCalendarClient(demo_accounts(), tz="Europe/Berlin") as calendar:
                async with calendar.events_as_completed(dt.date(2026, 3, 16), dt.date(2026, 3, 23)) as updates:
                    async for update in updates:
                        print(update.account, len(update.results), "waiting for", update.waiting)
            ```
        """
        question = agenda(
            self._desk,
            "calendar.events",
            start,
            end,
            calendars=calendars,
            accounts=accounts,
            text=text,
            limit=limit,
            expand=expand,
            cancelled=cancelled,
            dedupe=dedupe,
            tz=tz,
            deadline=deadline,
            reach=_YEAR,
        )
        return AsyncEventUpdates(self._desk, question)

    def iter_events(
        self,
        start: dt.datetime | dt.date | None = None,
        end: dt.datetime | dt.date | None = None,
        *,
        calendars: CalendarLike | Iterable[CalendarLike] | None = None,
        accounts: str | Iterable[str] | None = None,
        text: str = "",
        expand: bool = True,
        cancelled: bool = False,
        tz: str | ZoneInfo | dt.timezone | None = None,
        deadline: float | None = None,
    ) -> AsyncEventIterator:
        """Go through the events of every calendar from ``start`` (now) on, by their starts.

        Everything is as in ``events``; without ``end`` a series that never ends goes on as long as somebody asks.
        ``deadline`` is for each wait. ``.failures``, ``.notes`` and ``.problems`` fill on the way.

        Raises:
            UsageError: window, zone, calendar or account name cannot be right; raised by the call itself.
            AllAccountsFailed: every account has failed; the only account concerned raises its own error.

        Example:
            ```python
            from mailkit import AsyncCalendarClient
            from mailkit.testing import demo_accounts

            async with AsyncCalendarClient(demo_accounts(), tz="Europe/Berlin") as calendar:
                async for event in calendar.iter_events():
                    print(event.start, event.title)
                    break
            ```
        """
        question = agenda(
            self._desk,
            "calendar.iter_events",
            start,
            end,
            calendars=calendars,
            accounts=accounts,
            text=text,
            limit=1,
            expand=expand,
            cancelled=cancelled,
            dedupe=False,
            tz=tz,
            deadline=deadline,
        )
        return AsyncEventIterator(self._desk, question)

    async def get(self, event: EventLike, *, account: str | None = None, deadline: float | None = None) -> Event:
        """Get one event as it stands now, by its record, its ref, or the text of that.

        Google still has events a while after they were deleted: they come as ``cancelled``.

        Raises:
            UsageError: the ref is no event's, or of another account; nothing was sent.
            NotFound: there is no such event (any more).

        Example:
            ```python
            from mailkit import AsyncCalendarClient
            from mailkit.testing import demo_accounts

            async with AsyncCalendarClient(demo_accounts(), tz="Europe/Berlin") as calendar:
                event = (await calendar.events(limit=1))[0]
                print((await calendar.get(event.ref)).title)
            ```
        """
        operation = "calendar.get"
        ref = item_ref(event, "event", account=account, known=self._desk.names, operation=operation)
        driver = self._desk.calendar(ref.account)
        return await in_account(
            self._desk,
            ref.account,
            lambda: driver.event(ref.part or "", ref.id),
            operation=operation,
            deadline=self._desk.deadline(deadline),
        )

    async def instances(
        self,
        event: EventLike,
        start: dt.datetime | dt.date,
        end: dt.datetime | dt.date,
        *,
        tz: str | ZoneInfo | dt.timezone | None = None,
        account: str | None = None,
        deadline: float | None = None,
    ) -> list[Event]:
        """Give the occurrences of a series in a window, by their starts; an occurrence stands for its series.

        Raises:
            UsageError: window or zone cannot be right, the ref is no event's, or the event is no part of a series.
            NotFound: there is no such series (any more).

        Example:
            ```python
            import datetime as dt

            from mailkit import AsyncCalendarClient, Recurrence
            from mailkit.testing import demo_accounts

            async with AsyncCalendarClient(demo_accounts(), tz="Europe/Berlin") as calendar:
                series = await calendar.create(
                    "Jog",
                    dt.datetime(2026, 3, 17, 7),
                    duration=dt.timedelta(minutes=30),
                    recurrence=Recurrence.every("week", on=["TU"]),
                    account="home",
                )
                for event in await calendar.instances(series, dt.date(2026, 3, 16), dt.date(2026, 4, 1)):
                    print(event.start)
            ```
        """
        operation = "calendar.instances"
        with asked(operation):
            window = between(self._desk, start, end, tz)
        return await reading.instances(
            self._desk,
            item_ref(event, "event", account=account, known=self._desk.names, operation=operation),
            window,
            known=event if isinstance(event, Event) else None,
            operation=operation,
            deadline=self._desk.deadline(deadline),
        )
