"""The day-by-day reader of recurrence rules: the cases, dateutil where it is right, and what is no rule."""

from __future__ import annotations

import datetime as dt
from itertools import takewhile

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given
from hypothesis import strategies as st

from mailkit.sandbox.rule_days import Rule, RuleDays
from tests.support.cases import Case, cases

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_FAR = dt.date(2060, 1, 1)


def _due(text: str, start: dt.date, last: dt.date = _FAR) -> list[dt.date]:
    return RuleDays(Rule.read(text), start).between(start, last)


def _rule(case: Case) -> str:
    return str(case["lines"][0]).strip().removeprefix("RRULE:")


@pytest.mark.parametrize(
    "case", cases("rrules.jsonl", lambda case: len(case["lines"]) == 1 and bool(case["occurrences"]))
)
def test_the_days_of_the_cases(case: Case) -> None:
    start = dt.datetime.fromisoformat(case["dtstart"]).date()
    wanted = [dt.date.fromisoformat(day) for day in case["occurrences"]]
    found = _due(_rule(case), start, wanted[-1])
    # The start belongs to a series even where the rule does not name it (RFC 5545, 3.8.5.3).
    assert [day for day in found if day in wanted or day != start] == wanted


@pytest.mark.parametrize("case", cases("graph_recurrences.jsonl", lambda case: bool(case.get("rrule"))))
def test_the_days_of_the_patterns(case: Case) -> None:
    wanted = [dt.date.fromisoformat(day) for day in case["occurrences"]]
    assert _due(case["rrule"].removeprefix("RRULE:"), dt.date.fromisoformat(case["dtstart"][:10]), wanted[-1]) == wanted


_numbers = st.integers(1, 28)
_parts = st.one_of(
    st.builds("FREQ=DAILY;INTERVAL={}".format, st.integers(1, 40)),
    st.builds(
        "FREQ=WEEKLY;INTERVAL={};WKST={};BYDAY={}".format,
        st.integers(1, 5),
        st.sampled_from(_DAYS),
        st.lists(st.sampled_from(_DAYS), min_size=1, max_size=4, unique=True).map(",".join),
    ),
    st.builds("FREQ=MONTHLY;INTERVAL={};BYMONTHDAY={}".format, st.integers(1, 14), st.integers(-31, 31).filter(bool)),
    st.builds("FREQ=MONTHLY;BYDAY={}{}".format, st.integers(-5, 5).filter(bool), st.sampled_from(_DAYS)),
    st.builds(
        "FREQ=MONTHLY;BYDAY={};BYSETPOS={}".format,
        st.lists(st.sampled_from(_DAYS), min_size=1, unique=True).map(",".join),
        st.integers(-4, 4).filter(bool),
    ),
    st.builds("FREQ=YEARLY;BYMONTH={};BYMONTHDAY={}".format, st.integers(1, 12), st.integers(1, 31)),
    st.builds("FREQ=YEARLY;BYYEARDAY={}".format, st.integers(-366, 366).filter(bool)),
    st.builds("FREQ=YEARLY;BYWEEKNO={};BYDAY={}".format, st.integers(2, 52), st.sampled_from(_DAYS)),
    st.builds("FREQ=YEARLY;BYDAY={}{}".format, st.integers(-52, 52).filter(bool), st.sampled_from(_DAYS)),
)


@given(_parts, st.dates(dt.date(2020, 1, 1), dt.date(2030, 1, 1)))
def test_it_finds_what_dateutil_finds(text: str, start: dt.date) -> None:
    last = start + dt.timedelta(days=2000)
    days = rrulestr(text, dtstart=dt.datetime.combine(start, dt.time()))
    wanted = [day.date() for day in takewhile(lambda day: day.date() <= last, days)]
    assert [day for day in _due(text, start, last) if day != start] == [day for day in wanted if day != start]


def test_numbered_and_plain_weekdays_add_up() -> None:
    # dateutil finds none at all
    assert _due("FREQ=MONTHLY;BYDAY=2MO,TU", dt.date(2026, 1, 6), dt.date(2026, 1, 31)) == [
        dt.date(2026, 1, day) for day in (6, 12, 13, 20, 27)
    ]


def test_it_counts_the_start_and_stops() -> None:
    assert _due("FREQ=DAILY;COUNT=3", dt.date(2026, 1, 1)) == [dt.date(2026, 1, day) for day in (1, 2, 3)]
    assert _due("FREQ=WEEKLY;BYDAY=MO;COUNT=2", dt.date(2026, 1, 1)) == [dt.date(2026, 1, 1), dt.date(2026, 1, 5)]


def test_asking_again_for_less_gives_less() -> None:
    days = RuleDays(Rule.read("FREQ=DAILY"), dt.date(2026, 1, 1))
    assert len(days.between(dt.date(2026, 1, 1), dt.date(2026, 12, 31))) == 365
    assert days.between(dt.date(2026, 3, 1), dt.date(2026, 3, 2)) == [dt.date(2026, 3, 1), dt.date(2026, 3, 2)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "FREQ=HOURLY",
        "FREQ=DAILY;COUNT=0",
        "FREQ=DAILY;COUNT=2;UNTIL=20260101",
        "FREQ=DAILY;INTERVAL=x",
        "FREQ=DAILY;UNTIL=2026-01-01",
        "FREQ=DAILY;FREQ=DAILY",
        "FREQ=DAILY;X-FOO=1",
        "FREQ=WEEKLY;BYDAY=2MO",
        "FREQ=WEEKLY;BYMONTHDAY=1",
        "FREQ=WEEKLY;WKST=XX",
        "FREQ=MONTHLY;BYDAY=0MO",
        "FREQ=MONTHLY;BYMONTHDAY=32",
        "FREQ=MONTHLY;BYMONTHDAY=0",
        "FREQ=MONTHLY;BYSETPOS=1",
        "FREQ=MONTHLY;BYYEARDAY=3",
        "FREQ=YEARLY;BYMONTH=13",
        "FREQ=YEARLY;BYWEEKNO=2;BYDAY=1MO",
    ],
)
def test_what_is_no_rule(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Rule.read(text)
