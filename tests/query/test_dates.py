"""What dates and ages mean: zones, clocks put forward and back, months of different length, the calendar's ends."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from mailkit.errors import UsageError
from mailkit.query import QueryContext
from mailkit.query.ast import Age, Date, Unit
from mailkit.query.dates import instant


def context(zone: str, now: str = "2026-03-15T12:00:00+00:00") -> QueryContext:
    return QueryContext(now=dt.datetime.fromisoformat(now), tz=ZoneInfo(zone))


def utc(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text + "+00:00")


@pytest.mark.parametrize(
    ("zone", "day", "expected"),
    [
        ("UTC", "2026-03-01", "2026-03-01T00:00:00"),
        ("Europe/Stockholm", "2026-03-01", "2026-02-28T23:00:00"),
        ("Europe/Stockholm", "2026-07-01", "2026-06-30T22:00:00"),
        ("America/Los_Angeles", "2026-03-08", "2026-03-08T08:00:00"),  # the clocks change later that day
        ("America/Los_Angeles", "2026-03-09", "2026-03-09T07:00:00"),
        ("Asia/Kathmandu", "2026-03-01", "2026-02-28T18:15:00"),
        ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00"),  # midnight is skipped: the day begins at one
        ("Asia/Beirut", "2022-03-27", "2022-03-26T22:00:00"),  # the same, east of Greenwich
        ("America/Havana", "2025-11-02", "2025-11-02T04:00:00"),  # midnight comes twice: the first
        ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00"),  # a day that never was: the start of the next
    ],
)
def test_a_date_is_midnight_in_the_zone(zone: str, day: str, expected: str) -> None:
    assert instant(Date("after", dt.date.fromisoformat(day)), context(zone)) == utc(expected)


def test_epoch_seconds_need_no_zone() -> None:
    assert instant(Date("after", 1_772_323_200), context("Asia/Tokyo")) == utc("2026-03-01T00:00:00")


@pytest.mark.parametrize(
    ("zone", "now", "n", "unit", "expected"),
    [
        ("UTC", "2026-03-15T12:00:00+00:00", 2, "d", "2026-03-13T12:00:00"),
        ("UTC", "2026-03-31T12:00:00+00:00", 1, "m", "2026-02-28T12:00:00"),
        ("UTC", "2024-03-31T12:00:00+00:00", 1, "m", "2024-02-29T12:00:00"),
        ("UTC", "2024-02-29T12:00:00+00:00", 1, "y", "2023-02-28T12:00:00"),
        ("UTC", "2026-01-15T12:00:00+00:00", 1, "m", "2025-12-15T12:00:00"),
        ("UTC", "2026-01-15T12:00:00+00:00", 13, "m", "2024-12-15T12:00:00"),
        ("UTC", "2026-03-15T12:00:00.999999+00:00", 1, "d", "2026-03-14T12:00:00"),
        # the wall clock stays: noon in Los Angeles was 20:00Z before the clocks changed, 19:00Z after
        ("America/Los_Angeles", "2026-03-15T19:00:00+00:00", 7, "d", "2026-03-08T19:00:00"),
        ("America/Los_Angeles", "2026-03-15T19:00:00+00:00", 8, "d", "2026-03-07T20:00:00"),
        ("America/Los_Angeles", "2026-03-15T19:00:00+00:00", 1, "m", "2026-02-15T20:00:00"),
        # half past two does not exist on 8 March: the moment the clocks would have shown it
        ("America/Los_Angeles", "2026-03-09T09:30:00+00:00", 1, "d", "2026-03-08T10:30:00"),
        # 31 March 23:30Z is already 1 April in Stockholm
        ("Europe/Stockholm", "2026-03-31T23:30:00+00:00", 1, "m", "2026-03-01T00:30:00"),
        # half past one comes twice on 1 November; a day before the second one is a day before the wall clock
        ("America/New_York", "2026-11-01T06:30:00+00:00", 1, "d", "2026-10-31T05:30:00"),
    ],
)
def test_an_age_is_steps_on_the_calendar(zone: str, now: str, n: int, unit: Unit, expected: str) -> None:
    assert instant(Age("newer", n, unit), context(zone, now)) == utc(expected)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/Los_Angeles"])
def test_beyond_the_calendar_is_its_end(zone: str) -> None:
    first, last = dt.datetime.min.replace(tzinfo=dt.UTC), dt.datetime.max.replace(tzinfo=dt.UTC)
    day = dt.timedelta(days=2)
    assert instant(Age("older", 999_999, "y"), context(zone)) == first
    assert instant(Age("older", 999_999, "m"), context(zone)) == first
    assert instant(Age("older", 999_999, "d"), context(zone)) == first
    assert instant(Date("after", dt.date.min), context(zone)) - first < day
    assert last - instant(Date("after", dt.date.max), context(zone)) < day
    assert last - instant(Date("after", 10**15), context(zone)) < day
    assert instant(Date("after", -(10**15)), context(zone)) == first


def test_now_must_be_aware() -> None:
    with pytest.raises(UsageError):
        QueryContext(now=dt.datetime(2026, 3, 15), tz=ZoneInfo("UTC"))  # noqa: DTZ001  # that is the point
