"""Mistakes with recurrences that were reported of other libraries, as cases kept elsewhere describe them.

What they teach stands in ``tests/recurrence/test_reported.py``, too.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mailkit import AsyncCalendarClient
from mailkit.errors import InvalidRecurrence
from mailkit.recurrence import GraphRecurrence, Moment, Recurrence, from_graph, parse_recurrence, to_graph, zone_named
from mailkit.sandbox import Sandbox
from mailkit.testing import sandbox_accounts
from tests.support.cases import Case, cases
from tests.support.dates import graph_days

END = dt.date(2110, 12, 31)


def only(*ids: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases("faults.jsonl", lambda case: case["id"] in ids))


def start_of(text: str, zone: str | None = None) -> Moment:
    """Read a start as the cases write it: a day, a clock time of a zone, or one in UTC."""
    if len(text) == 10:
        return dt.date.fromisoformat(text)
    read = dt.datetime.fromisoformat(text)
    return read.replace(tzinfo=ZoneInfo(zone or "UTC"))


def days(recurrence: Recurrence, start: Moment, count: int) -> list[str]:
    return [moment.isoformat()[:10] for moment in recurrence.first(start, count)]


def graph(rule: str, start: Moment) -> GraphRecurrence:
    return to_graph(parse_recurrence([rule], start), start, day_zone=ZoneInfo("UTC"))


def has_the_same_dates(found: GraphRecurrence, dates: list[str]) -> bool:
    shown = graph_days({"pattern": found.pattern, "range": found.range}, END)
    return [day.isoformat() for day, _ in zip(shown, dates, strict=False)] == dates


def is_refused_or_has(rule: str, start: Moment, dates: list[str]) -> bool:
    try:
        found = graph(rule, start)
    except InvalidRecurrence:
        return True
    return has_the_same_dates(found, dates)


def fits(pattern: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return wanted.items() <= pattern.items()


@only("C138", "C139", "C143", "C145")
def test_a_rule_has_its_dates_and_its_pattern(case: Case) -> None:
    rule, start, expected = case["input"]["rrule"], start_of(case["input"]["dtstart"]), case["expected"]
    dates = expected["dates"]
    assert days(parse_recurrence([rule], start), start, len(dates)) == dates
    found = graph(rule, start)
    assert has_the_same_dates(found, dates)
    assert fits(found.pattern, expected.get("pattern", {})) or "also_accepted" in expected


@only("C141")
def test_a_position_counts_in_all_the_weekdays_together(case: Case) -> None:
    (together, each), start = case["input"]["rrules"], start_of(case["input"]["dtstart"])
    first = case["expected"]["first"]
    assert days(parse_recurrence([together], start), start, 3) == first["dates"]
    assert fits(graph(together, start).pattern, first["pattern"])
    with pytest.raises(InvalidRecurrence):
        graph(each, start)


@only("C142")
def test_the_first_of_all_seven_weekdays_is_day_one(case: Case) -> None:
    data = case["input"]["graph"]
    day = dt.date.fromisoformat(data["range"]["startDate"])
    zone = zone_named(data["range"]["recurrenceTimeZone"])
    assert days(from_graph(data, day), day, 4) == case["expected"]["dates"]
    assert zone == ZoneInfo("America/New_York")


@only("C146")
def test_leap_days_and_every_nine_months(case: Case) -> None:
    for (rule, at), dates in zip(case["input"]["rrules"], case["expected"]["dates"], strict=True):
        start = start_of(at)
        assert days(parse_recurrence([rule], start), start, 9) == dates
        assert is_refused_or_has(rule, start, dates)


@only("C148")
def test_until_may_be_a_date_for_a_timed_series(case: Case) -> None:
    given = case["input"]
    start = start_of(given["dtstart"], given["tz"])
    assert days(parse_recurrence([given["rrule"]], start), start, 9) == case["expected"]["dates"]
    longer = given["rrule"].replace("20180819", "20180820")
    assert days(parse_recurrence([longer], start), start, 9) == [*case["expected"]["dates"], "2018-08-20"]


@only("C152")
def test_until_in_utc_is_a_local_day(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    start = start_of(given["dtstart"], given["tz"])
    found = to_graph(parse_recurrence([given["rrule"]], start), start)
    assert fits(found.range, {name: expected[name] for name in ("endDate", "startDate", "recurrenceTimeZone")})
    assert len(days(parse_recurrence([given["rrule"]], start), start, 9)) == expected["occurrences"]


@only("C153")
def test_every_second_thursday_depends_on_the_first_day_of_the_week(case: Case) -> None:
    start = start_of(case["input"]["dtstart"])
    for rule, dates in zip(case["input"]["rrules"], case["expected"]["dates"], strict=True):
        recurrence = parse_recurrence([rule], start)
        assert days(recurrence, start, 3) == dates
        with pytest.raises(InvalidRecurrence) as caught:
            to_graph(recurrence, start)
        assert caught.value.suggestion == dates[0]


@only("C158")
def test_loose_spelling(case: Case) -> None:
    start, dates = start_of(case["input"]["dtstart"]), case["expected"]["dates_each"]
    for rule in case["input"]["rrules"]:
        assert days(parse_recurrence([rule], start), start, len(dates)) == dates


@pytest.mark.anyio
@only("C160")
async def test_the_range_starts_on_the_local_date(case: Case) -> None:
    given, expected = case["input"]["create"], case["expected"]
    sandbox = Sandbox()
    box = sandbox.microsoft("ann@contoso.example")
    start = dt.datetime.fromisoformat(given["start"]).astimezone(ZoneInfo(given["tz"]))
    async with AsyncCalendarClient(sandbox_accounts(sandbox, work=box)) as calendar:
        made = await calendar.create("x", start, duration=dt.timedelta(hours=1), recurrence=given["rrule"])
        assert made.recurrence is not None
        found = to_graph(made.recurrence, made.start)
        shown = await calendar.instances(made, start, start + dt.timedelta(days=60))
    assert fits(found.range, expected["range"])
    assert made.start.isoformat()[:19] == expected["start"]["dateTime"]
    assert len(shown) == expected["range"]["numberOfOccurrences"]


@only("C162")
def test_daily_with_weekdays(case: Case) -> None:
    (plain, third), start, expected = case["input"]["rrules"], start_of(case["input"]["dtstart"]), case["expected"]
    assert fits(graph(plain, start).pattern, expected["first"]["pattern"])
    dates = expected["second"]["dates"]
    assert days(parse_recurrence([third], start), start, 3) == dates
    assert is_refused_or_has(third, start, dates)


@only("C164")
def test_exchange_writes_instants_into_an_all_day_series(case: Case) -> None:
    given = case["input"]
    start = dt.date.fromisoformat(given["dtstart"][:10])
    zone = ZoneInfo(given["local_tz"])
    assert days(parse_recurrence(given["recurrence"], start, day_zone=zone), start, 9) == case["expected"]["dates"]
