"""Graph's patterns read as rules: the texts, the ends, cancelled occurrences, and what means nothing."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mailkit.errors import InvalidRecurrence
from mailkit.recurrence import from_graph

PARIS = ZoneInfo("Europe/Paris")
NO_END = {"type": "noEnd", "startDate": "2026-01-05", "endDate": "0001-01-01", "numberOfOccurrences": 0}
MONDAY = {"type": "weekly", "interval": 1, "daysOfWeek": ["monday"]}


@pytest.mark.parametrize(
    ("pattern", "start", "rule"),
    [
        ({"type": "daily", "interval": 2, "daysOfWeek": [], "month": 0, "index": "first"}, "2026-01-05", "FREQ=DAILY;INTERVAL=2"),
        (MONDAY, "2026-01-05", "FREQ=WEEKLY;BYDAY=MO"),
        ({"type": "WEEKLY", "interval": 2, "daysOfWeek": ["Sunday", "tuesday"]}, "2026-01-06", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU"),
        ({"type": "weekly", "interval": 3, "daysOfWeek": ["friday"], "firstDayOfWeek": "Wednesday"}, "2026-01-09", "FREQ=WEEKLY;INTERVAL=3;BYDAY=FR;WKST=WE"),
        ({"type": "absoluteMonthly", "interval": 1, "dayOfMonth": 28}, "2026-01-28", "FREQ=MONTHLY;BYMONTHDAY=28"),
        ({"type": "absoluteMonthly", "interval": 1, "dayOfMonth": 30}, "2026-01-30", "FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1"),
        ({"type": "absoluteMonthly", "interval": 1, "dayOfMonth": 31}, "2026-01-31", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ({"type": "absoluteMonthly", "interval": 2, "dayOfMonth": 29}, "2026-01-29", "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=29"),
        ({"type": "absoluteMonthly", "interval": 2, "dayOfMonth": 31}, "2026-04-30", "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-1"),
        ({"type": "absoluteYearly", "interval": 1, "dayOfMonth": 29, "month": 2}, "2026-02-28", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"),
        ({"type": "absoluteYearly", "interval": 1, "dayOfMonth": 31, "month": 4}, "2026-04-30", "FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=-1"),
        ({"type": "relativeMonthly", "interval": 1, "daysOfWeek": ["monday"]}, "2026-01-05", "FREQ=MONTHLY;BYDAY=1MO"),
        ({"type": "relativeMonthly", "interval": 1, "daysOfWeek": ["sunday", "saturday"], "index": "Last"}, "2026-01-31", "FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=-1"),
        ({"type": "relativeYearly", "interval": 2, "daysOfWeek": ["thursday"], "index": "fourth", "month": 11}, "2026-11-26", "FREQ=YEARLY;INTERVAL=2;BYMONTH=11;BYDAY=4TH"),
    ],
)  # fmt: skip
def test_a_pattern_becomes_this_rule(pattern: dict[str, Any], start: str, rule: str) -> None:
    day = dt.date.fromisoformat(start)
    recurrence = from_graph({"pattern": pattern, "range": {**NO_END, "startDate": start}}, day)
    assert str(recurrence) == f"RRULE:{rule}"
    assert recurrence.first(day) == (day,)


def test_the_end_is_in_utc_for_a_timed_series_and_a_day_for_an_all_day_one() -> None:
    span = {"type": "endDate", "startDate": "2026-01-05", "endDate": "2026-04-06"}
    data = {"pattern": MONDAY, "range": span}
    timed = dt.datetime(2026, 1, 5, 9, tzinfo=PARIS)
    assert str(from_graph(data, timed)) == "RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260406T070000Z"
    assert str(from_graph(data, timed.date())) == "RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260406"
    numbered = {"pattern": MONDAY, "range": {"type": "Numbered", "startDate": "2026-01-05", "numberOfOccurrences": 3}}
    assert str(from_graph(numbered, timed)) == "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3"


def test_the_first_occurrence_may_come_after_the_start() -> None:
    friday = {"type": "weekly", "interval": 2, "daysOfWeek": ["sunday"], "firstDayOfWeek": "sunday"}
    data = {"pattern": friday, "range": {**NO_END, "startDate": "2026-01-07"}}
    first = dt.date(2026, 1, 18)
    for start in (dt.date(2026, 1, 7), first):
        assert from_graph(data, start).first(start, 2) == (first, dt.date(2026, 2, 1))
    with pytest.raises(InvalidRecurrence) as caught:
        from_graph(data, dt.date(2026, 1, 14))
    assert (caught.value.code, caught.value.suggestion) == ("start_mismatch", "2026-01-18")


def test_cancelled_occurrences_are_taken_out() -> None:
    start = dt.datetime(2026, 3, 23, 9, tzinfo=PARIS)
    data = {"pattern": {"type": "daily", "interval": 7}, "range": {**NO_END, "startDate": "2026-03-23"}}
    found = from_graph(data, start, cancelled=["OID.AAMkAD.x=.2026-03-30"])
    assert found.to_lines()[1:] == ("EXDATE;TZID=Europe/Paris:20260330T090000",)
    assert found.first(start, 2) == (start, dt.datetime(2026, 4, 6, 9, tzinfo=PARIS))
    with pytest.raises(InvalidRecurrence):
        from_graph(data, start, cancelled=["AAMkAD"])


@pytest.mark.parametrize(
    "change",
    [
        {"pattern": None},
        {"pattern": "daily"},
        {"range": []},
        {"pattern": {"type": "hourly", "interval": 1}},
        {"pattern": {"interval": 1}},
        {"pattern": {"type": "daily"}},
        {"pattern": {"type": "daily", "interval": 0}},
        {"pattern": {"type": "daily", "interval": "2"}},
        {"pattern": {"type": "daily", "interval": True}},
        {"pattern": {"type": "weekly", "interval": 1}},
        {"pattern": {"type": "weekly", "interval": 1, "daysOfWeek": []}},
        {"pattern": {"type": "weekly", "interval": 1, "daysOfWeek": "monday"}},
        {"pattern": {"type": "weekly", "interval": 1, "daysOfWeek": ["mon"]}},
        {"pattern": {**MONDAY, "firstDayOfWeek": "mon"}},
        {"pattern": {"type": "absoluteMonthly", "interval": 1, "dayOfMonth": 0}},
        {"pattern": {"type": "absoluteMonthly", "interval": 1, "dayOfMonth": 32}},
        {"pattern": {"type": "absoluteYearly", "interval": 1, "dayOfMonth": 1, "month": 0}},
        {"pattern": {"type": "relativeMonthly", "interval": 1, "daysOfWeek": ["monday"], "index": "fifth"}},
        {"range": {"type": "someday", "startDate": "2026-01-05"}},
        {"range": {"type": "noEnd"}},
        {"range": {"type": "noEnd", "startDate": "5 January"}},
        {"range": {"type": "endDate", "startDate": "2026-01-05"}},
        {"range": {"type": "numbered", "startDate": "2026-01-05"}},
        {"range": {"type": "numbered", "startDate": "2026-01-05", "numberOfOccurrences": 0}},
    ],
)
def test_what_means_nothing_is_invalid(change: dict[str, Any]) -> None:
    with pytest.raises(InvalidRecurrence) as caught:
        from_graph({"pattern": MONDAY, "range": NO_END, **change}, dt.date(2026, 1, 5))
    assert caught.value.code == "invalid"


def test_an_end_before_the_first_date_has_no_occurrence() -> None:
    friday = {"type": "weekly", "interval": 1, "daysOfWeek": ["friday"]}
    span = {"type": "endDate", "startDate": "2026-01-05", "endDate": "2026-01-08"}
    with pytest.raises(InvalidRecurrence) as caught:
        from_graph({"pattern": friday, "range": span}, dt.date(2026, 1, 5))
    assert caught.value.code == "no_occurrence"
