"""Series: wall clocks over the changes of the clocks, ends, exceptions and extra dates."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from mailkit.sandbox.event import When
from mailkit.sandbox.series import series_of

_BERLIN = ZoneInfo("Europe/Berlin")
_FIRST, _LAST = dt.date(2026, 1, 1), dt.date(2027, 1, 1)


def _starts(*lines: str, start: When) -> list[str]:
    return [when.isoformat()[:16] for when in series_of(lines, start).starts(_FIRST, _LAST)]


def test_the_wall_clock_stays_when_the_clocks_change() -> None:
    starts = series_of(("RRULE:FREQ=DAILY;COUNT=3",), dt.datetime(2026, 3, 28, 9, tzinfo=_BERLIN)).starts(_FIRST, _LAST)
    assert [start.isoformat() for start in starts] == [
        "2026-03-28T09:00:00+01:00",
        "2026-03-29T09:00:00+02:00",
        "2026-03-30T09:00:00+02:00",
    ]


def test_a_time_the_clocks_leave_out_is_an_hour_later() -> None:
    starts = _starts("RRULE:FREQ=DAILY;COUNT=3", start=dt.datetime(2026, 3, 28, 2, 30, tzinfo=_BERLIN))
    assert starts == ["2026-03-28T02:30", "2026-03-29T03:30", "2026-03-30T02:30"]


def test_a_start_in_the_hour_shown_twice_does_not_move_the_others() -> None:
    rule = "RRULE:FREQ=YEARLY;BYMONTH=10,3;BYDAY=-1SU"
    starts = _starts(rule, start=dt.datetime(2025, 10, 26, 2, 30, fold=1, tzinfo=_BERLIN))
    assert starts == ["2026-03-29T03:30", "2026-10-25T02:30"]


@pytest.mark.parametrize(
    ("until", "last"),
    [
        ("20260104", "2026-01-04T09:00"),
        ("20260104T080000Z", "2026-01-04T09:00"),
        ("20260104T075959Z", "2026-01-03T09:00"),
        ("20260104T090000", "2026-01-04T09:00"),
        ("20260104T085959", "2026-01-03T09:00"),
    ],
)
def test_until_is_kept_to_the_second(until: str, last: str) -> None:
    assert _starts(f"RRULE:FREQ=DAILY;UNTIL={until}", start=dt.datetime(2026, 1, 1, 9, tzinfo=_BERLIN))[-1] == last


def test_dates_are_left_out_and_added() -> None:
    start = dt.datetime(2026, 1, 5, 9, tzinfo=_BERLIN)
    lines = (
        "RRULE:FREQ=WEEKLY;COUNT=4",
        "EXDATE;TZID=Europe/Berlin:20260112T090000",
        "EXDATE:20260119T080000Z",
        "EXDATE:20260126T090001",
        "RDATE;TZID=Europe/London:20260114T110000",
    )
    assert _starts(*lines, start=start) == ["2026-01-05T09:00", "2026-01-14T12:00", "2026-01-26T09:00"]


def test_days_are_left_out_and_added() -> None:
    lines = ("RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE;VALUE=DATE:20260112", "RDATE;VALUE=DATE:20260113,20260114")
    assert _starts(*lines, start=dt.date(2026, 1, 5)) == ["2026-01-05", "2026-01-13", "2026-01-14", "2026-01-19"]


def test_several_rules_are_one_series_and_exrule_takes_away() -> None:
    lines = ("RRULE:FREQ=WEEKLY;COUNT=3", "RRULE:FREQ=DAILY;COUNT=2", "EXRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=2")
    assert _starts(*lines, start=dt.date(2026, 1, 5)) == ["2026-01-06", "2026-01-12"]


def test_equal_instants_of_two_zones_are_two_series() -> None:
    lines = ("RRULE:FREQ=DAILY;COUNT=2",)
    berlin = dt.datetime(2026, 3, 28, 9, tzinfo=_BERLIN)
    utc = berlin.astimezone(dt.UTC)
    assert series_of(lines, berlin).starts(_FIRST, _LAST)[1] != series_of(lines, utc).starts(_FIRST, _LAST)[1]


def test_it_knows_its_own_starts() -> None:
    series = series_of(("RRULE:FREQ=DAILY;COUNT=3",), dt.datetime(2026, 3, 28, 0, 30, tzinfo=_BERLIN))
    assert series.has(dt.datetime(2026, 3, 29, 22, 30, tzinfo=dt.UTC))
    assert not series.has(dt.datetime(2026, 3, 29, 23, 30, tzinfo=dt.UTC))
    assert not series.has(dt.date(2026, 3, 29))


@pytest.mark.parametrize(
    "line",
    ["DTSTART:20260101T090000Z", "FREQ=DAILY", "RRULE:FREQ=DAILY;BYHOUR=10", "EXDATE:2026-01-01", "EXDATE:20260101"],
)
def test_what_is_no_series(line: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        series_of((line,), dt.datetime(2026, 1, 1, 9, tzinfo=_BERLIN))
