"""Which events lie in a window of the viewer's time, in which order, and how a long window is cut. Pure.

Graph keeps whole days as instants of the zone they were made in
(github.com/microsoftgraph/microsoft-graph-docs-contrib/issues/471), so that they may lie outside the window their dates
are in, and come out of order: more is asked for than wanted, and rows are held back until nothing can come before them.
"""

from __future__ import annotations

import datetime as dt
import heapq
from collections.abc import Iterable, Iterator, Sequence

from mailkit.models.calendar import Event
from mailkit.providers.calendar import EventQuery
from mailkit.recurrence import Moment
from mailkit.scheduling import event_key, instant_of

__all__ = ["APART", "FARTHEST", "LONGEST", "InOrder", "is_wanted", "touches", "windows"]

LONGEST = dt.timedelta(days=1825)
"""A window of Graph's: https://learn.microsoft.com/graph/api/user-list-calendarview."""
APART = dt.timedelta(hours=26)
"""The most that the same day begins earlier in one zone than in another."""
FARTHEST = dt.datetime.max.replace(tzinfo=dt.UTC) - LONGEST - APART

_EASTERNMOST = dt.timedelta(hours=14)


class InOrder:
    """Events as they come from Graph, given on in the viewer's order, each once."""

    def __init__(self, query: EventQuery) -> None:
        self._query = query
        self._seen: set[str] = set()
        self._held: list[tuple[tuple[float, bool, str, str], Event]] = []
        self._at = instant_of(query.start, dt.UTC) - APART

    def add(self, events: Iterable[Event]) -> tuple[Event, ...]:
        """Take in a page; gives what nothing on a later page can come before."""
        for event in events:
            # Where Graph has it, at the earliest.
            at = instant_of(event.start, dt.UTC) - (_EASTERNMOST if event.is_all_day else dt.timedelta())
            self._at = max(self._at, at)
            if event.ref.id not in self._seen and is_wanted(event, self._query):
                heapq.heappush(self._held, (event_key(event, self._query.tz), event))
            self._seen.add(event.ref.id)
        return tuple(self._ready((self._at - APART).timestamp()))

    def rest(self) -> tuple[Event, ...]:
        """Give what is left when everything has come."""
        return tuple(self._ready(float("inf")))

    def _ready(self, until: float) -> Iterator[Event]:
        while self._held and self._held[0][0][0] < until:
            yield heapq.heappop(self._held)[1]


def windows(start: dt.datetime, end: dt.datetime) -> Iterator[tuple[dt.datetime, dt.datetime]]:
    """Cut a stretch of time, in UTC, into windows that Graph takes."""
    while start < end:
        until = min(end, start + LONGEST) if start < FARTHEST else end
        yield (start, until)
        start = until


def is_wanted(event: Event, query: EventQuery) -> bool:
    """Whether an event answers a question; of a series, whether one of its occurrences does."""
    if event.status == "cancelled" and not query.cancelled:
        return False
    if query.text and not _speaks_of(event, query.text.casefold().split()):
        return False
    if event.kind != "series" or event.recurrence is None:
        return touches(event.start, event.end, query)
    length = event.end - event.start
    after = query.start - length - dt.timedelta(days=1)
    starts = event.recurrence.between(event.start, after, query.end)
    return any(touches(start, start + length, query) for start in starts)


def touches(start: Moment, end: Moment, query: EventQuery) -> bool:
    """Whether something lies in the window; what has no length does where it begins."""
    first, last = instant_of(start, query.tz), instant_of(end, query.tz)
    return (query.end is None or first < query.end) and (last > query.start or first >= query.start)


def _speaks_of(event: Event, words: Sequence[str]) -> bool:
    """Whether each word stands in title, body, place or people, in any capitals."""
    people = [attendee.address for attendee in event.attendees] + ([event.organizer] if event.organizer else [])
    text = "\n".join((event.title, event.body.text, event.location, *map(str, people))).casefold()
    return all(word in text for word in words)
