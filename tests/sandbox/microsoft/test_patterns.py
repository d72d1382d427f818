"""Outlook's recurrence patterns: what they mean, what is refused, and that every one has a rule with the same dates."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import attrs
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from mailkit.sandbox.microsoft.patterns import DAYS, INDEXES, Pattern
from mailkit.sandbox.microsoft.rules import lines_of, pattern_of
from mailkit.sandbox.series import series_of
from tests.support.cases import cases

FAR = dt.date(2110, 1, 1)
BERLIN = ZoneInfo("Europe/Berlin")


def recurrence(
    kind: str, *, start: str = "2026-01-05", extent: dict[str, Any] | None = None, **pattern: Any
) -> dict[str, Any]:
    return {
        "pattern": {"type": kind, "interval": 1, **pattern},
        "range": {"type": "noEnd", "startDate": start, **(extent or {})},
    }


def first(data: dict[str, Any], count: int = 4) -> list[str]:
    return [day.isoformat() for day in Pattern.read(data).between(dt.date(2000, 1, 1), FAR)[:count]]


@pytest.mark.parametrize("case", cases("graph_recurrences.jsonl"))
def test_the_dates_of_known_patterns(case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(ValueError):  # each says in words of its own what is wrong
            Pattern.read(case["recurrence"])
    else:
        assert first(case["recurrence"], len(case["occurrences"])) == case["occurrences"]


@pytest.mark.parametrize(
    ("data", "dates"),
    [
        (recurrence("daily", interval=3), ["2026-01-05", "2026-01-08", "2026-01-11", "2026-01-14"]),
        # Weeks begin on Sunday by default: Sunday the 11th lies in the week after Monday the 5th.
        (
            recurrence("weekly", interval=2, daysOfWeek=["monday", "sunday"]),
            ["2026-01-05", "2026-01-18", "2026-01-19", "2026-02-01"],
        ),
        (
            recurrence("weekly", interval=2, daysOfWeek=["monday", "sunday"], firstDayOfWeek="monday"),
            ["2026-01-05", "2026-01-11", "2026-01-19", "2026-01-25"],
        ),
        # Beyond the end of a month the last day is meant.
        (
            recurrence("absoluteMonthly", start="2026-01-31", dayOfMonth=31),
            ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"],
        ),
        (
            recurrence("absoluteYearly", start="2024-02-29", dayOfMonth=29, month=2),
            ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28"],
        ),
        # All the weekdays together are counted: the first of Monday and Tuesday is one day.
        (
            recurrence("relativeMonthly", daysOfWeek=["monday", "tuesday"], index="first"),
            ["2026-01-05", "2026-02-02", "2026-03-02", "2026-04-06"],
        ),
        (
            recurrence("relativeMonthly", daysOfWeek=list(DAYS), index="last"),
            ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"],
        ),
        (
            recurrence("relativeYearly", daysOfWeek=["thursday"], index="fourth", month=11),
            ["2026-11-26", "2027-11-25", "2028-11-23", "2029-11-22"],
        ),
        (
            recurrence("Daily", extent={"type": "Numbered", "numberOfOccurrences": 2, "endDate": "0001-01-01"}),
            ["2026-01-05", "2026-01-06"],
        ),
        (recurrence("daily", extent={"type": "endDate", "endDate": "2026-01-06"}), ["2026-01-05", "2026-01-06"]),
        # The first occurrence may be later than the start, and is the first of those that are numbered.
        (
            recurrence(
                "weekly",
                start="2026-01-06",
                daysOfWeek=["monday"],
                extent={"type": "numbered", "numberOfOccurrences": 1},
            ),
            ["2026-01-12"],
        ),
    ],
)
def test_what_a_pattern_means(data: dict[str, Any], dates: list[str]) -> None:
    assert first(data) == dates


@pytest.mark.parametrize(
    "data",
    [
        recurrence("hourly"),
        recurrence("daily", interval=0),
        recurrence("weekly"),
        recurrence("weekly", daysOfWeek=["someday"]),
        recurrence("relativeMonthly", daysOfWeek=["monday"], index="fifth"),
        recurrence("relativeMonthly", daysOfWeek=["monday"], interval=100),
        recurrence("absoluteMonthly", dayOfMonth=0),
        recurrence("absoluteMonthly", dayOfMonth=32),
        recurrence("absoluteYearly", dayOfMonth=1),
        recurrence("daily", extent={"type": "numbered"}),
        recurrence("daily", extent={"type": "endDate", "endDate": "2026-01-04"}),
        recurrence("daily", extent={"startDate": None}),
        {"pattern": {"type": "daily", "interval": 1}},
    ],
)
def test_what_is_no_pattern(data: dict[str, Any]) -> None:
    with pytest.raises(ValueError):  # each says in words of its own what is wrong
        Pattern.read(data)


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    kind = draw(
        st.sampled_from(("daily", "weekly", "absoluteMonthly", "relativeMonthly", "absoluteYearly", "relativeYearly"))
    )
    yearly = kind.endswith("Yearly")
    return Pattern(
        kind=kind,
        interval=draw(st.integers(1, 5)),
        days=frozenset()
        if kind in ("daily", "absoluteMonthly", "absoluteYearly")
        else draw(st.frozensets(st.integers(0, 6), min_size=1)),
        day=draw(st.integers(1, 31)) if kind.startswith("absolute") else 0,
        month=draw(st.integers(1, 12)) if yearly else 0,
        index=draw(st.sampled_from(INDEXES)) if kind.startswith("relative") else "first",
        week_start=draw(st.integers(0, 6)) if kind == "weekly" else 6,
        start=draw(st.dates(dt.date(2020, 1, 1), dt.date(2028, 12, 31))),
        count=draw(st.none() | st.integers(1, 20)),
    )


@settings(max_examples=60)
@given(pattern=patterns(), hour=st.integers(0, 23), all_day=st.booleans())
def test_every_pattern_has_a_rule_and_comes_back(pattern: Pattern, hour: int, *, all_day: bool) -> None:
    days = pattern.between(pattern.start, pattern.start + dt.timedelta(days=4000))
    assume(days)
    if days[0] != pattern.start:  # an event starts on its first occurrence
        pattern = attrs.evolve(pattern, start=days[0])
        days = pattern.between(pattern.start, days[-1])
    start: dt.date = pattern.start if all_day else dt.datetime.combine(pattern.start, dt.time(hour, 30), BERLIN)
    lines = lines_of(pattern, start)
    assert pattern_of(lines, start) == pattern
    starts = series_of(lines, start).starts(pattern.start, days[-1])
    assert [each.date() if isinstance(each, dt.datetime) else each for each in starts] == days
    assert Pattern.read(pattern.written("UTC")) == pattern


@example(day=dt.date(2026, 3, 7), time=dt.time(2, 0, fold=1), length=22)  # the clocks leave that time out on the last
@given(day=st.dates(dt.date(2026, 1, 1), dt.date(2026, 12, 31)), time=st.times(), length=st.integers(0, 40))
def test_the_last_date_of_a_rule(day: dt.date, time: dt.time, length: int) -> None:
    begins = dt.datetime.combine(day, time, BERLIN)
    pattern = Pattern(kind="daily", start=day, end=day + dt.timedelta(days=length))
    assert pattern_of(lines_of(pattern, begins), begins) == pattern


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=MONTHLY;BYMONTHDAY=31",
        "FREQ=MONTHLY;BYMONTHDAY=1,15",
        "FREQ=MONTHLY;BYDAY=5MO",
        "FREQ=MONTHLY;BYDAY=1MO,2TU",
        "FREQ=MONTHLY;BYDAY=MO",
        "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
        "FREQ=MONTHLY;BYMONTH=3",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=YEARLY;BYDAY=20MO",
        "FREQ=YEARLY;BYMONTHDAY=3",
        "FREQ=YEARLY;BYWEEKNO=3",
        "FREQ=DAILY;INTERVAL=2;BYDAY=MO",
        "FREQ=WEEKLY;BYMONTH=1",
    ],
)
def test_rules_outlook_has_no_pattern_for(rule: str) -> None:
    with pytest.raises(ValueError, match="Outlook has no pattern"):
        pattern_of((f"RRULE:{rule}",), dt.date(2026, 1, 5))


def test_outlook_has_one_rule_and_no_added_dates() -> None:
    for lines in (
        ("RDATE:20260107",),
        ("RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"),
        ("RRULE:FREQ=DAILY", "RDATE:20260107"),
    ):
        with pytest.raises(ValueError, match="one RRULE"):
            pattern_of(lines, dt.date(2026, 1, 5))
