"""When everybody is free: arithmetic that is checked minute by minute by something that knows none."""

from __future__ import annotations

import datetime as dt
import itertools
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailkit.errors import UsageError
from mailkit.models.calendar import Busy, BusyStatus, FreeBusy
from mailkit.scheduling import WorkingHours, check_lengths, coalesced, free_slots, gaps, overlap

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = dt.datetime(2026, 3, 16, tzinfo=BERLIN)
HOUR = dt.timedelta(hours=1)


def person(*hours: tuple[float, float], status: BusyStatus = "busy", known: bool = True) -> FreeBusy:
    busy = tuple(Busy(start=MONDAY + a * HOUR, end=MONDAY + b * HOUR, status=status) for a, b in hours)
    return FreeBusy(who="amy@x", account="work", busy=busy, known=known)


def hours(*people: FreeBusy, duration: float = 1, until: float = 24, **options: object) -> list[tuple[float, float]]:
    found = free_slots(people, duration * HOUR, start=MONDAY, end=MONDAY + until * HOUR, tz=BERLIN, **options)  # type: ignore[arg-type]
    return [((slot.start - MONDAY) / HOUR, (slot.end - MONDAY) / HOUR) for slot in found]


def test_what_is_left_between_the_meetings_of_everybody() -> None:
    assert hours(person((9, 10), (12, 13)), person((10, 11), (12.5, 14))) == [(0, 9), (11, 12), (14, 24)]


def test_stretches_that_touch_leave_nothing_between_them_and_those_without_length_do_not_count() -> None:
    assert hours(person((9, 10), (10, 11), (15, 15)), until=16) == [(0, 9), (11, 16)]


def test_only_stretches_long_enough_are_given() -> None:
    assert hours(person((1, 2), (2.5, 3), (5, 6)), duration=1.5, until=7) == [(3, 5)]


def test_who_works_elsewhere_can_be_met_and_who_is_away_cannot() -> None:
    assert hours(person((0, 2), status="elsewhere"), person((2, 3), status="away"), until=4) == [(0, 2), (3, 4)]
    assert hours(person((0, 2), status="tentative"), until=4, blocking=frozenset({"busy"})) == [(0, 4)]


def test_somebody_unknown_is_never_free() -> None:
    assert hours(person(), person(known=False)) == []


def test_nobody_asked_is_always_free() -> None:
    assert hours(until=3) == [(0, 3)]


def test_slots_of_one_length_begin_on_the_clock() -> None:
    step = dt.timedelta(minutes=30)
    assert hours(person((0, 9.2), (11, 24)), step=step) == [(9.5, 10.5), (10, 11)]


def test_slots_lie_within_working_hours() -> None:
    work = WorkingHours(start="09:00", end="17:00", days=["mo", "TU"])
    found = hours(person((10, 11)), until=24 * 7, working_hours=work)
    assert found == [(9, 10), (11, 17), (33, 41)]


def test_a_night_shift_ends_on_the_next_day() -> None:
    work = WorkingHours(start=dt.time(22), end=dt.time(6), days="MO")
    assert hours(until=48, working_hours=work) == [(22, 30)]


def test_the_clocks_change_in_the_middle() -> None:
    sunday = dt.datetime(2026, 3, 29, tzinfo=BERLIN)  # at two it is three
    work = WorkingHours(start="01:00", end="04:00", days=["SU"])
    (slot,) = free_slots([], HOUR, start=sunday, end=sunday + dt.timedelta(days=1), tz=BERLIN, working_hours=work)
    assert (slot.start.isoformat(), slot.end.isoformat()) == ("2026-03-29T01:00:00+01:00", "2026-03-29T04:00:00+02:00")
    assert slot.end.timestamp() - slot.start.timestamp() == 7200
    starts = free_slots([], HOUR, start=slot.start, end=slot.end, tz=BERLIN, step=dt.timedelta(minutes=30))
    assert [each.start.strftime("%H:%M") for each in starts] == ["01:00", "01:30", "03:00"]


@pytest.mark.parametrize("wrong", [dt.timedelta(0), dt.timedelta(minutes=-1), 30])
def test_a_length_must_be_one(wrong: object) -> None:
    with pytest.raises(UsageError):
        free_slots([], wrong, start=MONDAY, end=MONDAY + HOUR, tz=BERLIN)  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        free_slots([], HOUR, start=MONDAY, end=MONDAY + HOUR, tz=BERLIN, step=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("step", "days"),
    [
        (dt.timedelta(microseconds=1), 1),  # would keep the program busy for ever
        (dt.timedelta(milliseconds=100), 0.001),  # a float never meets it
        (dt.timedelta(seconds=1), 2),
        (dt.timedelta(minutes=1), 365),
        (dt.timedelta(hours=25), 7),
    ],
)
def test_a_step_must_fit_into_a_day_and_the_window(step: dt.timedelta, days: float) -> None:
    with pytest.raises(UsageError) as caught:
        free_slots([], HOUR, start=MONDAY, end=MONDAY + dt.timedelta(days=days), tz=BERLIN, step=step)
    assert caught.value.code == "bad_step"


def test_a_step_may_be_a_whole_day() -> None:
    assert hours(until=49, step=dt.timedelta(days=1)) == [(0, 1), (24, 25), (48, 49)]


def test_a_window_may_hold_a_hundred_thousand_steps() -> None:
    second = dt.timedelta(seconds=1)
    check_lengths(HOUR, second, 100_000 * second)
    with pytest.raises(UsageError, match="more than 100000"):
        check_lengths(HOUR, second, 100_001 * second)


@pytest.mark.parametrize(
    "wrong",
    [
        {"start": "09:00+02:00"},
        {"end": dt.time(17, tzinfo=dt.UTC)},
        {"start": "nine"},
        {"end": 17},
        {"days": []},
        {"days": "Monday"},
        {"days": 3},
    ],
)
def test_working_hours_must_be_some(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        WorkingHours(**wrong)  # type: ignore[arg-type]


STRETCHES = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=8)


@given(STRETCHES)
def test_coalesced_stretches_cover_the_same_and_keep_apart(stretches: list[tuple[int, int]]) -> None:
    joined = coalesced(stretches)
    assert {n for a, b in joined for n in range(int(a), int(b))} == {n for a, b in stretches for n in range(a, b)}
    assert all(a < b for a, b in joined)
    assert all(b < c for (_, b), (c, _) in itertools.pairwise(joined))


@given(STRETCHES, STRETCHES)
def test_gaps_and_overlaps_minute_by_minute(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> None:
    def minutes(stretches: list[tuple[float, float]]) -> set[int]:
        return {n for a, b in stretches for n in range(int(a), int(b))}

    one, two = coalesced(first), coalesced(second)
    assert minutes(list(gaps(one, (5, 30)))) == set(range(5, 30)) - minutes(one)
    assert minutes(list(overlap(one, two))) == minutes(one) & minutes(two)


@settings(max_examples=50)
@given(
    st.lists(st.lists(st.tuples(st.integers(0, 96), st.integers(0, 96)), max_size=4), max_size=4),
    st.integers(1, 8),
    st.sampled_from(["UTC", "Europe/Berlin", "Pacific/Kiritimati", "Etc/GMT+12", "America/St_Johns"]),
)
def test_a_slot_is_free_for_everybody_and_none_is_missed(
    people: list[list[tuple[int, int]]], quarters: int, zone: str
) -> None:
    tz = ZoneInfo(zone)
    start = dt.datetime(2026, 10, 24, 12, tzinfo=tz)  # clocks change in the night after it in Europe
    first = start.timestamp()

    def at(quarter: int) -> dt.datetime:
        return dt.datetime.fromtimestamp(first + quarter * 900, tz)

    asked = [
        FreeBusy(who="x", account="a", busy=tuple(Busy(start=at(a), end=at(b)) for a, b in busy if a < b))
        for busy in people
    ]
    taken = {n for busy in people for a, b in busy for n in range(a, b)}
    found = free_slots(asked, dt.timedelta(minutes=15 * quarters), start=start, end=at(96), tz=tz)
    covered = {
        n
        for slot in found
        for n in range(round((slot.start.timestamp() - first) / 900), round((slot.end.timestamp() - first) / 900))
    }
    assert not covered & taken
    for n in range(96 - quarters + 1):
        if not taken & set(range(n, n + quarters)):
            assert set(range(n, n + quarters)) <= covered
