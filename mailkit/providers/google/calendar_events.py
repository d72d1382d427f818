"""The events of one calendar in a window, in the order of their starts, page by page.

Responsible for the order, which is the viewer's: Google counts a whole day from midnight in the calendar's zone, the
viewer from midnight in theirs. Where the two differ, the window that is asked for is wider, and what is read is held
back until nothing can come before it. A list without an end is one for as long as a series has more.
https://developers.google.com/workspace/calendar/api/v3/reference/events/list
"""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

import attrs

from mailkit.errors import BadPayload
from mailkit.models.calendar import Event
from mailkit.providers.calendar import EventPage, EventQuery
from mailkit.providers.google.calendar_calls import events_list
from mailkit.providers.google.calendar_pages import CalendarPages
from mailkit.providers.google.calendar_wire import Place, event_from_wire, is_remnant
from mailkit.providers.wire import Wire, as_object, get_list
from mailkit.recurrence import zone_named
from mailkit.scheduling import event_key, instant_of
from mailkit.transport.call import Call

__all__ = ["EventPages", "events_from_wire"]

_OPERATION = "calendar.events"
_FARTHEST = dt.datetime(9000, 1, 1, tzinfo=dt.UTC)
_FIVE_YEARS = dt.timedelta(days=1825)


def events_from_wire(page: Wire, place: Place) -> tuple[list[Event], list[BadPayload]]:
    """Read the events of a page; those that cannot be read are kept apart, what is left of deleted ones is left out."""
    events: list[Event] = []
    problems: list[BadPayload] = []
    for at, member in enumerate(get_list(page, "items", "$")):
        path = f"$.items[{at}]"
        try:
            item = as_object(member, path)
            if not is_remnant(item):
                events.append(event_from_wire(item, path, place))
        except BadPayload as problem:
            problem.account, problem.operation = place.account, _OPERATION
            problems.append(problem)
    return events, problems


class EventPages(AsyncIterator[EventPage]):
    """The answer to one question; ``ask`` sends a call, ``zone`` gives the name of the calendar's zone."""

    def __init__(
        self,
        query: EventQuery,
        *,
        account: str,
        ask: Callable[[Call], Awaitable[Wire]],
        zone: Callable[[], Awaitable[str]],
    ) -> None:
        self._query = query
        self._account = account
        self._ask = ask
        self._zone = zone
        self._place: Place | None = None
        self._pages = CalendarPages(ask, events_list(_OPERATION, query, dt.timedelta(0)))
        self._margin = dt.timedelta(0)
        self._held: list[Event] = []
        self._ended = False
        self._seen: set[str] = set()
        self._last: dt.datetime | None = None
        self._ahead = _FIVE_YEARS

    async def __anext__(self) -> EventPage:
        if self._place is None:
            zone = await self._zone()
            self._place = Place(account=self._account, calendar_id=self._query.calendar_id, zone=zone)
            self._margin = _between(zone_named(zone) or dt.UTC, self._query)
            self._pages = CalendarPages(self._ask, events_list(_OPERATION, self._query, self._margin))
        if self._ended:
            raise StopAsyncIteration
        return await (self._next(self._place) if self._query.expand else self._whole(self._place))

    async def _next(self, place: Place) -> EventPage:
        """Give what nothing later can come before."""
        page = await anext(self._pages, None)
        if page is None:
            if self._goes_on():
                return EventPage(events=())
            self._ended = True
            return EventPage(events=tuple(self._sorted(self._held)))
        events, problems = events_from_wire(page, place)
        if self._query.end is None:
            events = self._new(events)
        found = self._sorted([*self._held, *filter(self._is_wanted, events)])
        reached = max((self._start(event) for event in events), default=None)
        # What starts at the same moment may come on the next page, and a day of another zone somewhat later.
        ready = [event for event in found if reached is not None and self._start(event) < reached - 2 * self._margin]
        self._held = found[len(ready) :]
        return EventPage(events=tuple(ready), problems=tuple(problems))

    def _new(self, events: Iterable[Event]) -> list[Event]:
        """Leave out what an earlier list held, and keep in mind how far the series came."""
        new = [event for event in events if event.ref.id not in self._seen]
        self._seen.update(event.ref.id for event in new)
        starts = (self._start(event) for event in new if event.series is not None)
        self._last = max(filter(None, (self._last, *starts)), default=None)
        return new

    def _goes_on(self) -> bool:
        """Ask for the years behind a list without an end, which Google ends somewhere, whatever its series.

        Each time twice as many; years in which no series takes place are the end.
        """
        start, self._last = self._last, None
        if start is None or start >= _FARTHEST:
            return False
        end = start + min(self._ahead, _FARTHEST - start)
        self._ahead *= 2
        query = attrs.evolve(self._query, start=start, end=end)
        self._pages = CalendarPages(self._ask, events_list(_OPERATION, query, self._margin))
        return True

    async def _whole(self, place: Place) -> EventPage:
        """Give everything at once, since series come in no order; changed occurrences belong to their series."""
        self._ended = True
        events: list[Event] = []
        problems: list[BadPayload] = []
        async for page in self._pages:
            found, bad = events_from_wire(page, place)
            events += found
            problems += bad
        series = {event.ref for event in events if event.kind == "series"}
        shown = (event for event in events if event.series not in series and self._is_wanted(event))
        return EventPage(events=tuple(self._sorted(shown)), problems=tuple(problems))

    def _is_wanted(self, event: Event) -> bool:
        """Say whether an event touches the window as the viewer sees it; Google knows that of a series."""
        if event.status == "cancelled" and not self._query.cancelled:
            return False
        if event.kind == "series":
            return True
        start, end = self._start(event), instant_of(event.end, self._query.tz)
        is_before_end = self._query.end is None or start < self._query.end
        return is_before_end and (end > self._query.start or start >= self._query.start)

    def _start(self, event: Event) -> dt.datetime:
        return instant_of(event.start, self._query.tz)

    def _sorted(self, events: Iterable[Event]) -> list[Event]:
        return sorted(events, key=lambda event: event_key(event, self._query.tz))


def _between(zone: dt.tzinfo, query: EventQuery) -> dt.timedelta:
    """Give how far apart days begin in the calendar's zone and in the viewer's, at either end of the window."""
    ends = [query.start] if query.end is None else [query.start, query.end]
    return max(abs(_offset(end, zone) - _offset(end, query.tz)) for end in ends)


def _offset(instant: dt.datetime, zone: dt.tzinfo) -> dt.timedelta:
    return instant.astimezone(zone).utcoffset() or dt.timedelta(0)
