"""Series at both providers: what their occurrences are, and what becomes of changed ones when a series is cut."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator
from typing import Any

import pytest

from mailkit import AsyncCalendarClient, Event, EventChange, InvalidRecurrence, UsageError
from mailkit.providers.calendar import Scope
from tests.clients.calendar_world import HOUR, MONDAY, NEXT_MONDAY, PROVIDERS, at, make_world

pytestmark = pytest.mark.anyio

DAY = dt.timedelta(days=1)


@pytest.fixture
async def calendar() -> AsyncIterator[AsyncCalendarClient]:
    async with make_world().client() as client:
        yield client


@pytest.mark.parametrize("name", PROVIDERS)
async def test_an_exception_is_one_that_does_not_start_when_its_rule_says(
    calendar: AsyncCalendarClient, name: str
) -> None:
    series = await calendar.create(
        "Drill", at(16, 9), duration=HOUR, recurrence="RRULE:FREQ=DAILY;COUNT=5", account=name
    )
    days = await calendar.instances(series, MONDAY, NEXT_MONDAY)
    changes: list[tuple[dict[str, Any], str]] = [
        ({"title": "March", "location": "Hall"}, "occurrence"),
        ({"start": at(17, 9), "duration": 3 * HOUR}, "occurrence"),
        ({"start": at(18, 10)}, "exception"),
        ({"start": dt.date(2026, 3, 19), "end": dt.date(2026, 3, 20)}, "exception"),
    ]
    kinds = []
    for day, (named, kind) in zip(days, changes, strict=False):
        change = await calendar.update(day, **named)
        assert (change.event.kind, change.event.original_start) == (kind, day.start)
        kinds.append(kind)
    read = await calendar.instances(series, MONDAY, NEXT_MONDAY)
    found = {event.original_start: event.kind for event in read}
    assert found == dict(zip((day.start for day in days), (*kinds, "occurrence"), strict=True))
    whole = await calendar.events(MONDAY, NEXT_MONDAY, accounts=name, calendars="primary")
    assert {event.original_start: event.kind for event in whole if event.series} == found


def codes(change: EventChange) -> list[str]:
    return [note.code for note in change.notes]


async def drill(calendar: AsyncCalendarClient, name: str, rule: str = "RRULE:FREQ=DAILY;COUNT=10") -> list[Event]:
    """Make a series from Monday the 16th on, at nine, and give what takes place."""
    series = await calendar.create("Drill", at(16, 9), duration=HOUR, recurrence=rule, account=name)
    return list(await calendar.instances(series, MONDAY, MONDAY + 60 * DAY))


async def shown(calendar: AsyncCalendarClient, name: str) -> list[tuple[object, object, str]]:
    found = await calendar.events(MONDAY, MONDAY + 60 * DAY, text="Drill", accounts=name, calendars="primary")
    return [(event.start, event.end, event.title) for event in found]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_what_was_changed_survives_a_cut_with_new_times(calendar: AsyncCalendarClient, name: str) -> None:
    days = await drill(calendar, name)  # the 16th to the 25th
    await calendar.update(days[3], title="Drill, new")
    await calendar.update(days[4], start=at(20, 14))  # moved
    await calendar.update(days[5], start=at(21, 9), duration=3 * HOUR)  # longer
    await calendar.update(days[6], start=at(22, 15), duration=2 * HOUR, title="Drill, both")
    await calendar.delete(days[7])
    change = await calendar.update(days[2], start=at(18, 11), duration=HOUR / 2, scope="following")
    assert (len(change.carried), change.lost, codes(change)) == (4, (), [])
    half = HOUR / 2
    assert await shown(calendar, name) == [
        (at(16, 9), at(16, 10), "Drill"),
        (at(17, 9), at(17, 10), "Drill"),
        (at(18, 11), at(18, 11) + half, "Drill"),
        (at(19, 11), at(19, 11) + half, "Drill, new"),
        (at(20, 14), at(20, 14) + half, "Drill"),
        (at(21, 11), at(21, 14), "Drill"),
        (at(22, 15), at(22, 17), "Drill, both"),
        (at(24, 11), at(24, 11) + half, "Drill"),
        (at(25, 11), at(25, 11) + half, "Drill"),
    ]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_the_occurrence_that_is_named_goes_where_it_is_told(calendar: AsyncCalendarClient, name: str) -> None:
    days = await drill(calendar, name, "RRULE:FREQ=WEEKLY;COUNT=4")
    await calendar.update(days[1], start=at(25, 14), title="Drill, new")
    change = await calendar.update(days[1], start=at(24, 11), scope="following")
    assert (len(change.carried), change.lost) == (1, ())
    assert [(start, title) for start, _, title in await shown(calendar, name)] == [
        (at(16, 9), "Drill"),
        (at(24, 11), "Drill, new"),
        (at(31, 11), "Drill"),
        (at(38, 11), "Drill"),
    ]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_without_new_times_a_moved_occurrence_that_is_cut_at_stays(
    calendar: AsyncCalendarClient, name: str
) -> None:
    days = await drill(calendar, name, "RRULE:FREQ=WEEKLY;COUNT=3")
    await calendar.update(days[1], start=at(25, 14))
    change = await calendar.update(days[1], location="Hall", scope="following")
    assert (len(change.carried), change.lost, change.event.start) == (1, (), at(23, 9))
    assert [start for start, *_ in await shown(calendar, name)] == [at(16, 9), at(25, 14), at(30, 9)]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_cut_onto_another_day_takes_what_was_changed_along(calendar: AsyncCalendarClient, name: str) -> None:
    days = await drill(calendar, name, "RRULE:FREQ=WEEKLY;BYDAY=MO,TH;COUNT=8")
    await calendar.update(days[3], title="Drill, new")  # Thursday the 26th
    await calendar.delete(days[4])  # Monday the 30th
    with pytest.raises(InvalidRecurrence) as caught:
        await calendar.update(days[2], start=at(24, 9), scope="following")
    assert caught.value.code == "dtstart_mismatch"
    rule = "RRULE:FREQ=WEEKLY;BYDAY=TU,FR;COUNT=6"
    change = await calendar.update(days[2], start=at(24, 9), recurrence=rule, scope="following")
    assert (len(change.carried), change.lost) == (1, ())
    assert [(start, title) for start, _, title in await shown(calendar, name)] == [
        (at(16, 9), "Drill"),
        (at(19, 9), "Drill"),
        (at(24, 9), "Drill"),
        (at(27, 9), "Drill, new"),
        *((at(day, 9), "Drill") for day in (34, 38, 41)),
    ]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_what_another_rule_has_no_place_for_is_told(calendar: AsyncCalendarClient, name: str) -> None:
    days = await drill(calendar, name)
    for n, title in ((4, "Drill, kept"), (5, "Drill, lost")):
        await calendar.update(days[n], title=title)
    for n in (6, 7):
        await calendar.delete(days[n])
    rule = "RRULE:FREQ=DAILY;INTERVAL=2;COUNT=4"
    change = await calendar.update(days[2], recurrence=rule, scope="following")
    assert (len(change.carried), change.lost) == (1, (days[5].start, days[7].start))
    assert [(start, title) for start, _, title in await shown(calendar, name)] == [
        (at(16, 9), "Drill"),
        (at(17, 9), "Drill"),
        (at(18, 9), "Drill"),
        (at(20, 9), "Drill, kept"),
        (at(24, 9), "Drill"),
    ]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_where_a_series_becomes_one_event_what_was_changed_is_told(
    calendar: AsyncCalendarClient, name: str
) -> None:
    days = await drill(calendar, name)
    await calendar.update(days[4], title="Drill, lost")
    await calendar.delete(days[5])
    change = await calendar.update(days[2], recurrence=[], scope="following")
    assert (change.event.kind, change.carried, change.lost) == ("single", (), (days[4].start,))
    assert [start for start, *_ in await shown(calendar, name)] == [at(16, 9), at(17, 9), at(18, 9)]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_guests_are_named_to_the_list_that_an_occurrence_has(calendar: AsyncCalendarClient, name: str) -> None:
    series = await calendar.create(
        "Drill",
        at(16, 9),
        duration=HOUR,
        recurrence="RRULE:FREQ=DAILY;COUNT=4",
        attendees="bo@example.org, cy@example.org",
        account=name,
    )
    days = await calendar.instances(series, MONDAY, NEXT_MONDAY)
    await calendar.update(days[2], remove_attendees="bo@example.org")
    change = await calendar.update(days[1], add_attendees="di@example.org", scope="following")
    assert (len(change.carried), change.lost) == (1, ())
    found = await calendar.instances(change.event, MONDAY, NEXT_MONDAY)
    guests = [sorted(each.address.address[:2] for each in event.attendees) for event in found]
    assert guests == [["bo", "cy", "di"], ["cy", "di"], ["bo", "cy", "di"]]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_whole_days_and_times_of_a_cut_series(calendar: AsyncCalendarClient, name: str) -> None:
    days = await drill(calendar, name, "RRULE:FREQ=WEEKLY;COUNT=4")
    await calendar.update(days[2], start=at(31, 14))
    await calendar.update(days[3], title="Drill, new")
    day = dt.date(2026, 3, 24)
    change = await calendar.update(days[1], start=day, end=day + DAY, scope="following")
    assert (len(change.carried), change.lost) == (2, ())
    april = dt.date(2026, 4, 7)
    assert await shown(calendar, name) == [
        (at(16, 9), at(16, 10), "Drill"),
        (day, day + DAY, "Drill"),
        (at(31, 14), at(31, 15), "Drill"),
        (april, april + DAY, "Drill, new"),
    ]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_where_all_before_was_called_off_the_series_goes_on_as_itself(
    calendar: AsyncCalendarClient, name: str
) -> None:
    start = at(16, 9)
    rule = f"RRULE:FREQ=DAILY;COUNT=4\nEXDATE:{start.astimezone(dt.UTC):%Y%m%dT%H%M%SZ}"
    days = await drill(calendar, name, rule)
    change = await calendar.update(days[0], title="Drill, new", scope="following")
    assert (change.old, change.event.ref) == (None, days[0].series)
    assert [title for *_, title in await shown(calendar, name)] == ["Drill, new"] * 3


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize("scope", ["series", "following"])
@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=WEEKLY;BYDAY=MO;COUNT=3",
        "FREQ=WEEKLY;INTERVAL=2;COUNT=3",
        "FREQ=MONTHLY;BYMONTHDAY=16;UNTIL=20260516T070000Z",
        "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=16;COUNT=3",
    ],
)
async def test_a_series_of_one_day_goes_to_another(
    calendar: AsyncCalendarClient, name: str, scope: Scope, rule: str
) -> None:
    series = await calendar.create("Drill", at(16, 9), duration=HOUR, recurrence=rule, account=name)
    last = dt.date(2029, 1, 1)
    days = await calendar.instances(series, MONDAY, last)
    start = days[1].start + DAY + HOUR
    change = await calendar.update(days[1], start=start, scope=scope)
    found = await calendar.instances(change.event, MONDAY, last)
    moved = days if scope == "series" else days[1:]
    assert [event.start for event in found] == [event.start + DAY + HOUR for event in moved]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_outlook_takes_no_occurrence_past_another_and_the_rest_of_it_goes_along(
    calendar: AsyncCalendarClient, name: str
) -> None:
    days = await drill(calendar, name, "RRULE:FREQ=WEEKLY;COUNT=3")
    await calendar.update(days[2], start=at(33, 14), title="Drill, new")
    rule = "RRULE:FREQ=DAILY;COUNT=10"
    change = await calendar.update(days[1], recurrence=rule, scope="following")
    (changed,) = [(start, title) for start, _, title in await shown(calendar, name) if title != "Drill"]
    if name == "home":
        assert (changed, len(change.carried), change.lost) == ((at(33, 14), "Drill, new"), 1, ())
    else:
        assert (changed, change.carried, change.lost) == ((at(30, 9), "Drill, new"), (), (days[2].start,))


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_whole_series_at_another_time_tells_what_it_forgets_and_keeps_cancelled_days(
    calendar: AsyncCalendarClient, name: str
) -> None:
    days = await drill(calendar, name, "RRULE:FREQ=DAILY;COUNT=5")
    await calendar.update(days[1], title="Drill, lost")
    await calendar.delete(days[3])
    change = await calendar.update(days[2], start=at(18, 11), scope="series")
    assert (change.carried, change.lost) == ((), (days[1].start,))
    left = [(at(day, 11), at(day, 12), "Drill") for day in (16, 17, 18, 20)]
    assert await shown(calendar, name) == left
    change = await calendar.update(change.event, location="Hall")
    assert (change.lost, await shown(calendar, name)) == ((), left)


@pytest.mark.parametrize("name", PROVIDERS)
async def test_the_time_named_with_a_moved_occurrence_is_that_of_the_series(
    calendar: AsyncCalendarClient, name: str
) -> None:
    days = await drill(calendar, name, "RRULE:FREQ=WEEKLY;COUNT=3")
    await calendar.update(days[1], start=at(25, 14))  # from Monday to Wednesday
    change = await calendar.update(days[1], start=at(25, 15), scope="series")
    assert (change.event.start, change.lost) == (at(16, 15), (days[1].start,))
    assert [start for start, *_ in await shown(calendar, name)] == [at(16, 15), at(23, 15), at(30, 15)]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_days_of_a_series_that_were_made_times_are_told_as_days(calendar: AsyncCalendarClient, name: str) -> None:
    series = await calendar.create(
        "Drill", MONDAY, MONDAY + DAY, recurrence="RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=4", account=name
    )
    days = await calendar.instances(series, MONDAY, MONDAY + 60 * DAY)
    await calendar.update(days[2], start=at(30, 14), duration=HOUR)
    await calendar.delete(days[3])
    rule = "RRULE:FREQ=MONTHLY;COUNT=2"
    change = await calendar.update(days[1], recurrence=rule, scope="following")
    assert (change.carried, change.lost) == ((), (days[2].start, days[3].start))


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_series_of_others_is_not_cut(name: str) -> None:
    world = make_world()
    maker = "work" if name == "home" else "home"
    async with world.client() as calendar:
        mine = world.box(name).address
        await calendar.create(
            "Drill", at(16, 9), duration=HOUR, recurrence="RRULE:FREQ=DAILY;COUNT=4", attendees=mine, account=maker
        )
        days = await calendar.events(MONDAY, NEXT_MONDAY, text="Drill", accounts=name)
        sent = len(world.asked(method="PATCH") + world.asked(method="POST"))
        for call in (
            calendar.update(days[2], title="Mine", scope="following"),
            calendar.delete(days[2], scope="following"),
        ):
            with pytest.raises(UsageError) as caught:
                await call
            assert caught.value.code == "not_organizer"
        assert len(world.asked(method="PATCH") + world.asked(method="POST")) == sent


@pytest.mark.parametrize("name", PROVIDERS)
async def test_an_end_that_is_named_alone_says_how_long_each_is(calendar: AsyncCalendarClient, name: str) -> None:
    days = await drill(calendar, name, "RRULE:FREQ=WEEKLY;COUNT=4")
    await calendar.update(days[1], start=at(25, 14))  # from Monday to Wednesday
    change = await calendar.update(days[1], end=at(25, 16), scope="following")
    assert (len(change.carried), change.lost) == (1, ())
    assert [(start, end) for start, end, _ in await shown(calendar, name)] == [
        (at(16, 9), at(16, 10)),
        (at(25, 14), at(25, 16)),
        (at(30, 9), at(30, 11)),
        (at(37, 9), at(37, 11)),
    ]
    moved = (await calendar.instances(change.event, MONDAY, MONDAY + 60 * DAY))[0]
    change = await calendar.update(moved, end=at(25, 17), scope="series")
    assert (change.event.start, change.event.end) == (at(23, 9), at(23, 12))
