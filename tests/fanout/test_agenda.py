"""Events of many calendars merged: whatever the pages are like, the order and the cut are those of one sorted list."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

import anyio
import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailkit.errors import BadPayload, MailkitError, Unavailable, UsageError
from mailkit.fanout import agenda as reading
from mailkit.fanout.agenda import Agenda, AsyncEventUpdates
from mailkit.fanout.event_iteration import AsyncEventIterator
from mailkit.models import Calendar, Event, Note
from mailkit.providers.calendar import EventPage, EventQuery
from mailkit.sandbox import VirtualClock
from mailkit.scheduling import event_key
from mailkit.values import Account, Ref

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = dt.datetime(2026, 3, 16, tzinfo=BERLIN)


def event(account: str, calendar: str, number: int, tick: int, *, uid: str | None = None) -> Event:
    """Make an event at a tick; every fifth is a whole day."""
    start = MONDAY + tick * dt.timedelta(hours=6)
    return Event(
        ref=Ref(account=account, kind="event", id=f"{calendar}{number:03}", part=calendar),
        calendar=Ref(account=account, kind="calendar", id=calendar),
        ical_uid=uid,
        start=start.date() if tick % 5 == 0 else start,
        end=(start + dt.timedelta(days=1)).date() if tick % 5 == 0 else start + dt.timedelta(hours=1),
    )


@attrs.define(kw_only=True)
class FakeCalendars:
    """One account: ``rows`` by calendar, in pages of ``page``; ``fails`` says after how many a calendar fails."""

    name: str
    rows: Mapping[str, Sequence[Event]]
    page: int = 2
    fails: Mapping[str, int] = attrs.field(factory=dict)
    problems: Sequence[BadPayload] = ()
    asked: list[str] = attrs.field(factory=list)

    @property
    def account(self) -> Account:
        return Account(name=self.name, provider="google", token="t")

    async def calendars(self) -> tuple[list[Calendar], list[BadPayload]]:
        return [Calendar(ref=Ref(account=self.name, kind="calendar", id=id_), name=id_) for id_ in self.rows], [
            *self.problems
        ]

    def events(self, query: EventQuery) -> AsyncIterator[EventPage]:
        return Pages(self, query.calendar_id)


class Pages(AsyncIterator[EventPage]):
    """One calendar's pages; like those of the drivers nothing that must be closed when somebody stops early."""

    def __init__(self, driver: FakeCalendars, calendar: str) -> None:
        self._driver = driver
        self._calendar = calendar
        self._read = 0

    async def __anext__(self) -> EventPage:
        driver, number = self._driver, self._read
        rows = driver.rows[self._calendar][number * driver.page : (number + 1) * driver.page]
        if number == driver.fails.get(self._calendar):
            raise Unavailable("down")
        if number and not rows:
            raise StopAsyncIteration
        driver.asked.append(self._calendar)
        await anyio.lowlevel.checkpoint()
        self._read += 1
        return EventPage(events=tuple(rows), notes=(Note(code="seen", effect=self._calendar),))


@attrs.define(kw_only=True)
class Book:
    """The fan-out's view of an account set."""

    drivers: Mapping[str, FakeCalendars]
    clock: VirtualClock = attrs.field(factory=VirtualClock)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.drivers)

    def calendar(self, name: str) -> Any:  # a fake knows what is asked of it here
        return self.drivers[name]


def question(book: Book, *, limit: int = 1, dedupe: bool = False) -> Agenda:
    return Agenda(
        operation="calendar.events",
        calendars=dict.fromkeys(book.names, None),
        start=MONDAY,
        end=None,
        tz=BERLIN,
        limit=limit,
        dedupe=dedupe,
        deadline=30,
    )


@st.composite
def books(draw: st.DrawFn) -> Book:
    drivers = {}
    for name in ("a", "b"):
        rows = {}
        for calendar in ("x", "y", "z")[: draw(st.integers(0, 3))]:
            ticks = draw(st.lists(st.integers(0, 12), max_size=7))
            made = [event(name, calendar, number, tick) for number, tick in enumerate(ticks)]
            rows[calendar] = sorted(made, key=lambda each: event_key(each, BERLIN))
        drivers[name] = FakeCalendars(name=name, rows=rows, page=draw(st.integers(1, 4)))
    return Book(drivers=drivers)


def everything(book: Book) -> list[Event]:
    rows = [row for driver in book.drivers.values() for calendar in driver.rows.values() for row in calendar]
    return sorted(rows, key=lambda row: event_key(row, BERLIN))


@settings(max_examples=60)
@given(book=books(), limit=st.integers(1, 12))
def test_the_first_of_all_in_order(book: Book, limit: int) -> None:
    found = anyio.run(lambda: reading.events(book, question(book, limit=limit)))
    wanted = everything(book)
    assert list(found) == wanted[:limit]
    assert ("truncated" in {note.code for note in found.notes}) == (len(wanted) > limit)
    for driver in book.drivers.values():
        for calendar, rows in driver.rows.items():  # no more pages than it takes to know that there is more
            assert driver.asked.count(calendar) <= min(len(rows), limit) // driver.page + 1


@settings(max_examples=60)
@given(book=books(), count=st.integers(0, 40))
def test_an_iteration_gives_the_same_and_reads_no_further_than_it_must(book: Book, count: int) -> None:
    async def taken() -> list[Event]:
        events = AsyncEventIterator(book, question(book))
        found: list[Event] = []
        async for row in events:
            if len(found) == count:
                break
            found.append(row)
        return found

    wanted = everything(book)
    assert anyio.run(taken) == wanted[:count]
    for driver in book.drivers.values():
        for calendar in driver.rows:
            given_out = sum(row.calendar.id == calendar and row.account == driver.name for row in wanted[: count + 1])
            assert driver.asked.count(calendar) <= given_out // driver.page + 1 + (given_out % driver.page == 0)


@pytest.mark.anyio
@pytest.mark.parametrize("after", [0, 1])
async def test_a_calendar_that_fails_leaves_what_it_gave_and_the_others(after: int) -> None:
    names = ("x@example.com", "y")
    rows = {name: [event("a", name, number, 3 * number + 1) for number in range(5)] for name in names}
    book = Book(drivers={"a": FakeCalendars(name="a", rows=rows, fails={"x@example.com": after})})
    found = await reading.events(book, question(book, limit=100))
    assert [row.calendar.id for row in found].count("x@example.com") == 2 * after
    assert [row.calendar.id for row in found].count("y") == 5
    assert [type(failure.error) for failure in found.failures] == [Unavailable]
    assert found.failures[0].error.operation == "calendar.events"
    events = AsyncEventIterator(book, question(book))
    assert [row async for row in events] == list(found)
    assert events.failures == found.failures
    (failure,) = found.failures
    assert (failure.account, failure.calendar) == ("a", Ref(account="a", kind="calendar", id="x@example.com"))
    assert "x@example.com" not in f"{failure!r} {failure} {failure.error!r}"  # somebody's address


@pytest.mark.anyio
async def test_the_only_calendar_that_fails_later_leaves_what_it_gave() -> None:
    rows = {"x": [event("a", "x", number, 3 * number + 1) for number in range(5)]}
    book = Book(drivers={"a": FakeCalendars(name="a", rows=rows, fails={"x": 1})})
    found = await reading.events(book, question(book, limit=100))
    assert (len(found), len(found.failures)) == (2, 1)
    events = AsyncEventIterator(book, question(book))
    assert [await anext(events) for _ in range(2)] == list(found)
    with pytest.raises(Unavailable):
        await anext(events)


@pytest.mark.anyio
async def test_a_calendar_that_cannot_be_read_is_a_problem() -> None:
    rows = {"x": [event("a", "x", 1, 1)]}
    unread = BadPayload("expected something", path="items[1].id")
    book = Book(drivers={"a": FakeCalendars(name="a", rows=rows, problems=[unread])})
    assert (await reading.events(book, question(book, limit=5))).problems == (unread,)
    events = AsyncEventIterator(book, question(book))
    assert len([row async for row in events]) == 1
    assert events.problems == (unread,)


@pytest.mark.anyio
async def test_when_every_calendar_has_failed_that_is_the_error() -> None:
    rows = {"x": [event("a", "x", 1, 1)], "y": []}
    book = Book(drivers={"a": FakeCalendars(name="a", rows=rows, fails={"x": 0, "y": 0})})
    with pytest.raises(Unavailable):
        await reading.events(book, question(book, limit=5))
    with pytest.raises(MailkitError):
        await anext(AsyncEventIterator(book, question(book)))


@pytest.mark.anyio
async def test_a_meeting_of_two_calendars_counts_once_before_the_cut() -> None:
    rows = {
        name: [event("a", name, number, 5 * number + 1, uid=f"u{number}") for number in range(8)] for name in ("x", "y")
    }
    book = Book(drivers={"a": FakeCalendars(name="a", rows=rows)})
    found = await reading.events(book, question(book, limit=4, dedupe=True))
    assert [row.ical_uid for row in found] == ["u0", "u1", "u2", "u3"]
    assert all(len(row.also) == 1 for row in found)
    assert "truncated" in {note.code for note in found.notes}


@pytest.mark.anyio
async def test_updates_tell_of_each_account_and_of_all_so_far() -> None:
    book = Book(
        drivers={
            "a": FakeCalendars(name="a", rows={"x": [event("a", "x", 1, 3)], "y": [event("a", "y", 1, 1)]}),
            "b": FakeCalendars(name="b", rows={"x": [event("b", "x", 1, 2)]}),
            "c": FakeCalendars(name="c", rows={"x": []}, fails={"x": 0}),
        }
    )
    asked = question(book, limit=5)
    async with AsyncEventUpdates(book, asked) as updates:
        seen = {update.account: update async for update in updates}
    assert sorted(seen) == ["a", "b", "c"]
    last = list(seen.values())[-1]
    assert (last.waiting, last.results) == ((), await reading.events(book, asked))
    assert [(row.calendar.id, row.account) for row in seen["a"].rows] == [("y", "a"), ("x", "a")]
    failure = seen["c"].failure
    assert failure is not None
    assert (type(failure.error), failure.error.operation) == (Unavailable, "calendar.events")
    assert seen["a"].failure is None
    with pytest.raises(UsageError, match=r"call events_as_completed again"):
        await updates.__aenter__()
    with pytest.raises(UsageError, match=r"with calendar\.events_as_completed"):
        await anext(AsyncEventUpdates(book, asked))
