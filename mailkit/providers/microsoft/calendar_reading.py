"""Reading Outlook's calendars: which there are, and their events, series expanded by Graph.

Responsible for the requests; which events are in a window, and in which order, is said by ``event_windows``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Awaitable, Callable

from mailkit.errors import BadPayload
from mailkit.models.calendar import Calendar, Event
from mailkit.providers.calendar import EventPage, EventQuery
from mailkit.providers.microsoft.access import CALENDAR_READ, permitted
from mailkit.providers.microsoft.calendar_book import UTC, CalendarBook, in_utc
from mailkit.providers.microsoft.calendar_time import filter_text, instant_from_wire
from mailkit.providers.microsoft.calendar_wire import CALENDAR_MEMBERS, EVENT_MEMBERS, calendar_from_wire
from mailkit.providers.microsoft.event_windows import APART, FARTHEST, LONGEST, InOrder, is_wanted, windows
from mailkit.providers.microsoft.mail_base import members
from mailkit.providers.microsoft.requests import rows_of
from mailkit.providers.wire import read_each
from mailkit.scheduling import event_key, instant_of
from mailkit.transport.call import Answer, Call
from mailkit.transport.session import Session
from mailkit.values import Account

_SELECTED = ("$select", ",".join(EVENT_MEMBERS))
_BY_START = ("$orderby", "start/dateTime")
_MOST = 1000  # https://learn.microsoft.com/graph/api/user-list-events, at $top


class OutlookCalendarReading:
    """The verbs that read."""

    def __init__(self, session: Session) -> None:
        self._book = CalendarBook(session)

    @property
    def account(self) -> Account:
        """Whose calendars these are."""
        return self._book.account

    async def calendars(self) -> tuple[list[Calendar], list[BadPayload]]:
        """Give every calendar, the primary one first, and what could not be read."""
        call = Call(
            operation="calendar.calendars.list",
            url=f"{self._book.path}/calendars",
            query=(("$select", ",".join(CALENDAR_MEMBERS)), ("$top", "100")),
            headers=in_utc(),
        )
        name = self.account.name
        with permitted(self.account, call.operation, CALENDAR_READ):
            items = [row async for answer in self._book.session.pages(call) for row in rows_of(answer)]
        calendars, problems = read_each(items, "value", lambda item, path: calendar_from_wire(item, path, account=name))
        return sorted(calendars, key=lambda calendar: not calendar.is_primary), problems

    def events(self, query: EventQuery) -> AsyncIterator[EventPage]:
        """Give the events of one calendar page by page, by start."""
        return _Steps(_Expanded(self._book, query).step if query.expand else _Together(self._book, query).step)

    async def event(self, calendar_id: str, event_id: str) -> Event:
        """Give one event; a series with the dates that were taken out of it."""
        operation = "calendar.get"
        with permitted(self.account, operation, CALENDAR_READ):
            return await self._book.event(await self._book.item(operation, calendar_id, event_id), calendar_id)

    async def instances(self, calendar_id: str, event_id: str, start: dt.datetime, end: dt.datetime) -> list[Event]:
        """Give the occurrences of a series in a window, in order; days begin in the zone of ``start``.

        Raises:
            BadPayload: an occurrence cannot be read.
        """
        operation = "calendar.instances"
        url = f"{self._book.event_url(calendar_id, event_id)}/instances"
        query = EventQuery(calendar_id=calendar_id, start=start, end=end, tz=start.tzinfo or dt.UTC)
        found: dict[str, Event] = {}
        with permitted(self.account, operation, CALENDAR_READ):
            for window in windows(instant_of(start, dt.UTC) - APART, _until(end)):
                async for answer in _window(self._book, operation, url, window, _MOST):
                    events, problems = await self._book.events(rows_of(answer), calendar_id)
                    if problems:
                        raise problems[0]
                    found |= {event.ref.id: event for event in events if is_wanted(event, query)}
        return sorted(found.values(), key=lambda event: event_key(event, query.tz))


class _Steps(AsyncIterator[EventPage]):
    """Pages until there is none; no generator, so that nothing has to be closed when somebody stops reading early."""

    def __init__(self, step: Callable[[], Awaitable[EventPage | None]]) -> None:
        self._step = step

    async def __anext__(self) -> EventPage:
        page = await self._step()
        if page is None:
            raise StopAsyncIteration
        return page


class _Expanded:
    """The occurrences of one calendar, window after window."""

    def __init__(self, book: CalendarBook, query: EventQuery) -> None:
        self._book = book
        self._query = query
        self._order = InOrder(query)
        self._url = f"{book.calendar_url(query.calendar_id)}/calendarView"
        self._end = None if query.end is None else _until(query.end)
        self._start: dt.datetime | None = instant_of(query.start, dt.UTC) - APART
        self._pages: AsyncIterator[Answer] | None = None
        self._goes_on = False

    async def step(self) -> EventPage | None:
        with permitted(self._book.account, "calendar.events", CALENDAR_READ):
            while self._start is not None:
                until = self._start + LONGEST if self._end is None else min(self._start + LONGEST, self._end)
                if self._pages is None:
                    window = (self._start, until)
                    self._pages = _window(self._book, "calendar.events", self._url, window, self._query.size)
                answer = await anext(self._pages, None)
                if answer is None:
                    self._start = await self._next_start(until)
                    self._pages, self._goes_on = None, False
                    continue
                events, problems = await self._book.events(rows_of(answer), self._query.calendar_id)
                self._goes_on |= any(event.series for event in events)
                if (ready := self._order.add(events)) or problems:
                    return EventPage(events=ready, problems=tuple(problems))
        rest = self._order.rest()
        return EventPage(events=rest) if rest else None

    async def _next_start(self, until: dt.datetime) -> dt.datetime | None:
        """Give where the next window begins, if there is to be one.

        Without an end there is one as long as a window holds an occurrence of a series, or an event begins after it: a
        series that pauses for five years ends the list.
        """
        if self._end is not None:
            return until if until < self._end else None
        if until > FARTHEST:
            return None
        return until if self._goes_on else await self._first_start(until)

    async def _first_start(self, after: dt.datetime) -> dt.datetime | None:
        """Give when the next event begins that is not there yet."""
        call = Call(
            operation="calendar.events",
            url=f"{self._book.calendar_url(self._query.calendar_id)}/events",
            query=(
                # https://learn.microsoft.com/graph/api/calendar-list-events; in the zone that is asked for
                ("$filter", f"start/dateTime ge '{filter_text(after).removesuffix('Z')}'"),
                _BY_START,
                ("$top", "1"),
                ("$select", "id,start"),
            ),
            headers=in_utc(),
        )
        found = members(await self._book.session.request(call))
        if not found:
            return None
        start = instant_from_wire(found[0], "start", "value[0]", UTC)
        return max(after, start - APART)


class _Together:
    """The events of one calendar, each series as itself: Graph gives them in no order, so all are read."""

    def __init__(self, book: CalendarBook, query: EventQuery) -> None:
        self._book = book
        self._query = query
        self._done = False

    async def step(self) -> EventPage | None:
        if self._done:
            return None
        query = self._query
        call = Call(
            operation="calendar.events",
            url=f"{self._book.calendar_url(query.calendar_id)}/events",
            query=(_SELECTED, ("$top", str(_MOST))),
            headers=in_utc(),
        )
        with permitted(self._book.account, call.operation, CALENDAR_READ):
            items = [row async for answer in self._book.session.pages(call) for row in rows_of(answer)]
            events, problems = await self._book.events(items, query.calendar_id)
        self._done = True
        wanted = sorted(
            (event for event in events if is_wanted(event, query)), key=lambda event: event_key(event, query.tz)
        )
        return EventPage(events=tuple(wanted), problems=tuple(problems))


def _until(end: dt.datetime) -> dt.datetime:
    """Give until when to ask, in UTC, since a day by the clock may have 25 hours."""
    return min(instant_of(end, dt.UTC), FARTHEST) + APART


def _window(
    book: CalendarBook, operation: str, url: str, window: tuple[dt.datetime, dt.datetime], size: int
) -> AsyncIterator[Answer]:
    """Ask for the occurrences in one window: https://learn.microsoft.com/graph/api/event-list-instances."""
    start, end = window
    query = (
        ("startDateTime", filter_text(start)),
        ("endDateTime", filter_text(end)),
        _SELECTED,
        _BY_START,
        ("$top", str(min(size, _MOST))),
    )
    return book.session.pages(Call(operation=operation, url=url, query=query, headers=in_utc()))
