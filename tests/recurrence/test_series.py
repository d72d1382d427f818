"""Series on real clocks: gaps and doubled hours, windows, days taken out and added, rules that never occur."""

from __future__ import annotations

import datetime as dt
from itertools import islice
from zoneinfo import ZoneInfo

import pytest

from mailkit.errors import InvalidRecurrence, UsageError
from mailkit.recurrence import Moment, Recurrence, parse_recurrence, to_graph

PARIS = ZoneInfo("Europe/Paris")
NEW_YORK = ZoneInfo("America/New_York")


def _shown(moments: list[Moment] | tuple[Moment, ...]) -> list[str]:
    return [moment.isoformat() for moment in moments]


def _utc(moments: tuple[Moment, ...]) -> list[str]:
    return [f"{moment.astimezone(dt.UTC):%m-%dT%H:%M}" for moment in moments if isinstance(moment, dt.datetime)]


def test_a_time_that_clocks_skip_moves_forward_by_the_gap() -> None:
    start = dt.datetime(2026, 3, 28, 2, 30, tzinfo=PARIS)
    assert _shown(parse_recurrence(["FREQ=DAILY;COUNT=3"], start).first(start, 5)) == [
        "2026-03-28T02:30:00+01:00",
        "2026-03-29T03:30:00+02:00",
        "2026-03-30T02:30:00+02:00",
    ]


def test_a_time_that_clocks_show_twice_is_the_first_unless_the_start_is_the_second() -> None:
    rule = ["FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU"]
    start = dt.datetime(2026, 10, 25, 2, 30, tzinfo=PARIS, fold=1)
    assert _utc(parse_recurrence(rule, start).first(start, 2)) == ["10-25T01:30", "10-31T00:30"]
    first = start.replace(fold=0)
    assert _utc(parse_recurrence(rule, first).first(first)) == ["10-25T00:30"]


def test_a_day_that_a_zone_skipped_is_still_in_the_series() -> None:
    apia = ZoneInfo("Pacific/Apia")  # went from 29 to 31 December 2011
    start = dt.datetime(2011, 12, 29, 9, tzinfo=apia)
    assert _utc(parse_recurrence(["FREQ=DAILY;COUNT=3"], start).first(start, 3)) == ["12-29T19:00", "12-30T19:00"]


@pytest.mark.parametrize("offset", range(-12, 15))
def test_all_day_series_are_the_same_everywhere(offset: int) -> None:
    zone = ZoneInfo(f"Etc/GMT{-offset:+d}")
    start = dt.date(2026, 3, 27)
    recurrence = parse_recurrence(["FREQ=DAILY;UNTIL=20260330"], start, day_zone=zone)
    assert _shown(recurrence.first(start, 9)) == ["2026-03-27", "2026-03-28", "2026-03-29", "2026-03-30"]
    midnight = dt.datetime(2026, 3, 29, tzinfo=zone)
    assert _shown(list(recurrence.between(start, midnight, midnight + dt.timedelta(days=1)))) == ["2026-03-29"]
    timed = midnight.replace(day=27)
    found = parse_recurrence(["FREQ=DAILY;COUNT=4"], timed).first(timed, 9)
    assert [moment.day for moment in found] == [27, 28, 29, 30]


def test_a_window_late_in_a_long_series_is_reached_at_once() -> None:
    start = dt.datetime(1970, 1, 1, 9, tzinfo=NEW_YORK)
    for rule in ("FREQ=DAILY;INTERVAL=3", "FREQ=HOURLY;INTERVAL=72", "FREQ=SECONDLY;INTERVAL=259200"):
        window = parse_recurrence([rule], start).between(start, dt.date(2970, 1, 1), dt.date(2970, 1, 8))
        assert [moment.day for moment in window] == [2, 5]


def test_bounds_are_inclusive_and_exclusive() -> None:
    start = dt.datetime(2026, 5, 4, 9, tzinfo=PARIS)
    weekly = parse_recurrence(["FREQ=WEEKLY"], start)
    at = [start + dt.timedelta(weeks=week) for week in range(5)]
    assert list(weekly.between(start, at[1], at[3])) == at[1:3]
    assert list(weekly.between(start, at[1].astimezone(dt.UTC), at[1].astimezone(dt.UTC))) == []
    assert list(weekly.between(start, None, dt.date(2026, 5, 11))) == at[:1]


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31;BYMONTH=2,4",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;INTERVAL=7;BYDAY=WE",
        "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2",
        "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=HOURLY;INTERVAL=24;BYHOUR=8",
        "FREQ=MINUTELY;INTERVAL=1440;BYMINUTE=1",
        "FREQ=SECONDLY;INTERVAL=2;BYSECOND=1",
        "FREQ=DAILY;BYSECOND=60",
        f"FREQ=YEARLY;INTERVAL={10**9 - 1};BYMONTH=2;BYMONTHDAY=29",
        f"FREQ=SECONDLY;INTERVAL={10**9 - 1};BYSECOND=60",
        "FREQ=DAILY;UNTIL=20200101T000000Z",
    ],
)
def test_a_rule_that_never_occurs_ends(rule: str) -> None:
    start = dt.datetime(2026, 1, 1, 9, tzinfo=PARIS)
    assert parse_recurrence([rule], start).first(start) == ()


def test_a_rule_that_seldom_occurs_is_waited_for() -> None:
    start = dt.date(2026, 1, 1)
    for rule in ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SA", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SA"):
        found = parse_recurrence([rule], start).first(start, 4)
        assert [day.year for day in found] == [2048, 2076, 2116, 2144]


def test_the_calendar_ends() -> None:
    start = dt.datetime(9998, 12, 31, 9, tzinfo=PARIS)
    for rule in ("FREQ=YEARLY", "FREQ=MONTHLY", "FREQ=WEEKLY", "FREQ=DAILY;INTERVAL=100", "FREQ=HOURLY;INTERVAL=2400"):
        found = parse_recurrence([rule], start).first(start, 1000)
        assert found[0] == start
        assert found[-1].year == 9999
    assert parse_recurrence(["FREQ=YEARLY;BYWEEKNO=1,53"], dt.date(9998, 1, 1)).first(dt.date(9998, 1, 1), 9)


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York"])
def test_bounds_and_ends_may_be_those_of_the_calendar(zone: str) -> None:
    start = dt.datetime(9999, 12, 30, 9, tzinfo=ZoneInfo(zone))
    first, last = dt.datetime.min.replace(tzinfo=dt.UTC), dt.datetime.max.replace(tzinfo=dt.UTC)
    for bounds in ((first, last), (dt.date.min, dt.date.max), (None, None)):
        assert start in list(Recurrence.every("day", until=last).between(start, *bounds))
    day = start.date()
    assert len(Recurrence.every("day", until=dt.date.max).first(day, 9)) == 2
    assert to_graph(Recurrence.every("day"), day).range["startDate"] == "9999-12-30"


@pytest.mark.parametrize(
    ("rule", "times"),
    [
        ("FREQ=HOURLY;INTERVAL=6", ["05T09:00", "05T15:00", "05T21:00", "06T03:00"]),
        ("FREQ=HOURLY;BYHOUR=9,10;BYMINUTE=0,30", ["05T09:00", "05T09:30", "05T10:00", "05T10:30", "06T09:00"]),
        ("FREQ=HOURLY;BYMINUTE=0,30;BYSETPOS=-1", ["05T09:30", "05T10:30", "05T11:30"]),
        ("FREQ=MINUTELY;INTERVAL=30;BYHOUR=9;BYDAY=MO,WE", ["05T09:00", "05T09:30", "07T09:00", "07T09:30"]),
        ("FREQ=SECONDLY;INTERVAL=1800", ["05T09:00", "05T09:30", "05T10:00"]),
        ("FREQ=DAILY;BYHOUR=9,17;BYMINUTE=15", ["05T09:15", "05T17:15", "06T09:15"]),
        ("FREQ=WEEKLY;BYDAY=MO,TU;BYHOUR=10,12;BYSETPOS=1,-1", ["05T10:00", "06T12:00", "12T10:00"]),
    ],
)
def test_times_within_a_day(rule: str, times: list[str]) -> None:
    start = dt.datetime(2026, 1, 5, 9, tzinfo=PARIS)
    found = parse_recurrence([rule], start).first(start, len(times))
    assert [f"{moment:%dT%H:%M}" for moment in found] == times


def test_what_python_dateutil_gets_wrong() -> None:
    start = dt.date(2026, 1, 6)
    union = parse_recurrence(["FREQ=MONTHLY;BYDAY=2MO,TU"], start)
    assert [day.day for day in islice(union.between(start), 5)] == [6, 12, 13, 20, 27]
    weeks = parse_recurrence(["FREQ=YEARLY;BYWEEKNO=2,20"], start)
    assert _shown(weeks.first(start, 3)) == ["2026-01-06", "2026-05-12", "2027-01-12"]


def test_days_are_taken_out_and_added() -> None:
    start = dt.datetime(2026, 1, 5, 9, tzinfo=PARIS)
    recurrence = parse_recurrence(
        [
            "EXDATE;VALUE=DATE:20260106",
            "RRULE:FREQ=DAILY;COUNT=5",
            "EXDATE;TZID=Europe/London:20260107T080000",
            'EXDATE;TZID="W. Europe Standard Time":20260108T090000,20260108T100000',
            "RDATE:20260107T170000Z,20260105T120000",
            "RDATE;VALUE=DATE:20260112",
        ],
        start,
    )
    assert _shown(recurrence.first(start, 9)) == [
        "2026-01-05T09:00:00+01:00",
        "2026-01-05T12:00:00+01:00",
        "2026-01-07T18:00:00+01:00",
        "2026-01-09T09:00:00+01:00",
        "2026-01-12T09:00:00+01:00",
    ]
    again = Recurrence.from_text(str(recurrence))
    assert again == recurrence
    written = parse_recurrence(recurrence.to_lines(start), start)
    assert written.first(start, 9) == recurrence.first(start, 9)


def test_lines_for_a_start_are_of_its_kind() -> None:
    start = dt.datetime(2026, 1, 5, 19, tzinfo=NEW_YORK)
    recurrence = Recurrence.from_text("RRULE:FREQ=DAILY;UNTIL=20260110\nEXDATE;VALUE=DATE:20260107")
    assert recurrence.to_lines() == ("RRULE:FREQ=DAILY;UNTIL=20260110", "EXDATE;VALUE=DATE:20260107")
    assert recurrence.to_lines(start) == (
        "RRULE:FREQ=DAILY;UNTIL=20260111T000000Z",
        "EXDATE;TZID=America/New_York:20260107T190000",
    )
    day = dt.date(2026, 1, 5)
    instants = parse_recurrence(
        ["RRULE:FREQ=DAILY;UNTIL=20260110T230000Z", "RDATE:20260120T233000Z"], day, day_zone=PARIS
    )
    assert instants.to_lines(day) == ("RRULE:FREQ=DAILY;UNTIL=20260111", "RDATE;VALUE=DATE:20260121")


@pytest.mark.parametrize(
    ("start", "error", "code"),
    [
        (dt.datetime(2026, 1, 1, 9), UsageError, "naive_datetime"),  # noqa: DTZ001 -- naive on purpose
        (dt.datetime(2026, 1, 1, 9, tzinfo=dt.timezone(dt.timedelta(hours=1))), InvalidRecurrence, "no_zone"),
        ("2026-01-01", UsageError, "bad_start"),
    ],
)
def test_a_start_without_a_zone_is_refused(start: Moment, error: type[UsageError], code: str) -> None:
    recurrence = Recurrence.every("day")
    for refused in (lambda: recurrence.between(start), lambda: parse_recurrence(["FREQ=DAILY"], start)):
        with pytest.raises(error) as caught:
            refused()
        assert caught.value.code == code


def test_naive_times_are_refused_everywhere() -> None:
    naive = dt.datetime(2026, 1, 1, 9)  # noqa: DTZ001 -- naive on purpose
    start = naive.replace(tzinfo=dt.UTC)
    for refused in (
        lambda: Recurrence.every("day").between(start, naive),
        lambda: Recurrence(rule=Recurrence.every("day").rule, exdates=(naive,)),
        lambda: Recurrence.every("day", until=naive),
    ):
        with pytest.raises(UsageError) as caught:
            refused()
        assert caught.value.code == "naive_datetime"
