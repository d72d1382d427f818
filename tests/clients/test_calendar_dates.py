"""Dates go through both providers and come back as they were: single ones of every kind, and series over years."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailkit import CalendarClient, Event, InvalidRecurrence, Settings, UsageError
from mailkit.recurrence import Moment, from_graph
from mailkit.sandbox import Sandbox
from mailkit.testing import sandbox_accounts
from tests.recurrence.strategies import patterned

# From twelve hours behind UTC to fourteen ahead, where clocks change by an hour, by half of one, and never.
ZONES = (
    *("Etc/GMT+12", "America/St_Johns", "America/New_York", "UTC", "Europe/Berlin", "Africa/Cairo"),
    *("Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Chatham", "Pacific/Kiritimati"),
)
YEARS = dt.timedelta(days=3 * 365)
DAY = dt.timedelta(days=1)


@pytest.fixture(scope="module")
def calendar() -> Iterator[CalendarClient]:
    sandbox = Sandbox()
    home = sandbox.google("ann@example.com", zone="America/Denver")
    work = sandbox.microsoft("ann@contoso.example", zone="Asia/Tokyo")
    with CalendarClient(sandbox_accounts(sandbox, home=home, work=work, settings=Settings(deadline=600))) as client:
        yield client


def shown(calendar: CalendarClient, event: Event, start: dt.date, end: dt.date, tz: str) -> list[tuple[Moment, Moment]]:
    rows = calendar.events(start, end, accounts=event.account, tz=tz, limit=10_000)
    rows.raise_for_failures()
    assert rows.problems == ()
    return [(row.start, row.end) for row in rows]


def day_of(moment: Moment) -> dt.date:
    return moment.date() if isinstance(moment, dt.datetime) else moment


clocks = st.datetimes(dt.datetime(2025, 1, 1), dt.datetime(2035, 1, 1)).map(  # noqa: DTZ001  # hypothesis wants it so
    lambda clock: clock.replace(second=0, microsecond=0)
)
# Nights in which clocks change somewhere: the gap, what is repeated, and midnight.
changes = st.sampled_from(
    [
        dt.datetime(2026, month, day, hour, minute)  # noqa: DTZ001  # the zone is drawn
        for month, day in ((3, 8), (3, 29), (4, 5), (4, 24), (9, 27), (10, 4), (10, 25), (10, 30), (11, 1))
        for hour, minute in ((0, 0), (1, 30), (2, 15), (2, 45), (23, 30))
    ]
)


@settings(max_examples=40)
@given(
    account=st.sampled_from(["home", "work"]),
    clock=clocks | changes,
    zone=st.sampled_from(ZONES),
    viewer=st.sampled_from(ZONES),
    length=st.sampled_from([15, 60, 8 * 60, 30 * 60, 3 * 24 * 60]),
)
def test_a_time_comes_back_as_the_same_instant_on_the_same_clock(
    calendar: CalendarClient, *, account: str, clock: dt.datetime, zone: str, viewer: str, length: int
) -> None:
    event = calendar.create("x", clock, duration=dt.timedelta(minutes=length), tz=zone, account=account)
    try:
        existing = clock.replace(tzinfo=ZoneInfo(zone)).astimezone(dt.UTC).astimezone(ZoneInfo(zone))
        assert isinstance(event.start, dt.datetime)
        assert event.start.timestamp() == existing.timestamp()
        assert event.start.replace(tzinfo=None) == existing.replace(tzinfo=None)
        assert isinstance(event.end, dt.datetime)
        assert event.end.timestamp() - event.start.timestamp() == 60 * length
        again = calendar.get(event)
        assert (again.start, again.end) == (event.start, event.end)
        assert again.start.replace(tzinfo=None) == event.start.replace(tzinfo=None)  # type: ignore[call-arg]  # a time
        near = day_of(event.start)
        assert shown(calendar, event, near - 2 * DAY, near + 3 * DAY, viewer) == [(event.start, event.end)]
    finally:
        calendar.delete(event)


@pytest.mark.parametrize("account", ["home", "work"])
def test_an_end_whose_clock_is_before_the_start_s(calendar: CalendarClient, account: str) -> None:
    berlin = ZoneInfo("Europe/Berlin")  # where 3:00 is 2:00 again that night
    start, end = (dt.datetime(2026, 10, 25, 2, minute, tzinfo=berlin, fold=minute == 0) for minute in (45, 0))
    event = calendar.create("x", start, end, account=account)
    try:
        assert isinstance(event.start, dt.datetime)
        assert isinstance(event.end, dt.datetime)
        assert (event.start.timestamp(), event.end.timestamp()) == (start.timestamp(), end.timestamp())
        for first, last in ((start, end), (start - DAY, end), (start, end + DAY)):
            rows = calendar.events(first, last, accounts=account, tz=berlin)
            assert [row.ref for row in rows] == [event.ref]
        with pytest.raises(UsageError, match="end must be after start"):
            calendar.create("x", end, start, account=account)
    finally:
        calendar.delete(event)


@settings(max_examples=40)
@given(
    account=st.sampled_from(["home", "work"]),
    day=st.dates(dt.date(2025, 1, 1), dt.date(2035, 1, 1)) | changes.map(dt.datetime.date),
    viewer=st.sampled_from(ZONES),
    days=st.integers(1, 9),
)
def test_a_whole_day_is_the_same_day_in_every_zone(
    calendar: CalendarClient, account: str, day: dt.date, viewer: str, days: int
) -> None:
    event = calendar.create("x", day, day + days * DAY, tz=viewer, account=account)
    try:
        assert (event.start, event.end) == (day, day + days * DAY)
        assert (calendar.get(event).start, calendar.get(event).end) == (day, day + days * DAY)
        for first, last in ((day, day + DAY), (day + (days - 1) * DAY, day + days * DAY), (day - DAY, day + 99 * DAY)):
            assert shown(calendar, event, first, last, viewer) == [(event.start, event.end)]
        assert shown(calendar, event, day - DAY, day, viewer) == []
        assert shown(calendar, event, day + days * DAY, day + (days + 1) * DAY, viewer) == []
    finally:
        calendar.delete(event)


@settings(max_examples=25)
@given(
    account=st.sampled_from(["home", "work"]),
    recurrence=patterned(),
    zone=st.sampled_from(ZONES),
    time=st.none() | st.times().map(lambda time: time.replace(second=0, microsecond=0, fold=0)),
    viewer=st.sampled_from(ZONES),
)
def test_a_series_keeps_every_date(
    calendar: CalendarClient,
    *,
    account: str,
    recurrence: dict[str, Any],
    zone: str,
    time: dt.time | None,
    viewer: str,
) -> None:
    day = dt.date.fromisoformat(recurrence["range"]["startDate"])
    start: Moment = day if time is None else dt.datetime.combine(day, time, ZoneInfo(zone))
    try:
        rule = from_graph(recurrence, start)
    except InvalidRecurrence:
        return
    first = rule.first(start)[0]
    if isinstance(first, dt.datetime):  # what the clocks skip is moved on, and is another rule
        first = first.astimezone(dt.UTC).astimezone(ZoneInfo(zone))
    event = calendar.create(
        "x", first, duration=DAY if time is None else dt.timedelta(minutes=45), recurrence=rule, account=account
    )
    try:
        until = day_of(first) + YEARS
        found = [start for start, _ in shown(calendar, event, day_of(first) - DAY, until, viewer)]
        edge = dt.datetime.combine(until, dt.time(), ZoneInfo(viewer))
        wanted = [
            moment
            for moment in rule.between(first, None, until + 2 * DAY)
            if (moment < edge if isinstance(moment, dt.datetime) else moment < until)
        ]
        assert found == wanted
        if time is not None:
            clocks = [moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None) for moment in found]  # type: ignore[attr-defined]  # times
            assert clocks == [moment.replace(tzinfo=None) for moment in wanted]  # type: ignore[call-arg]  # as above
    finally:
        calendar.delete(event)
