"""What must hold for every rule and every pattern, against a reader that tries every day, and python-dateutil."""

from __future__ import annotations

import datetime as dt
from itertools import islice, takewhile
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from mailkit.errors import InvalidRecurrence
from mailkit.recurrence import Recurrence, from_graph, parse_recurrence, to_graph
from tests.recurrence.strategies import days, patterned, rules
from tests.support.dates import graph_days, rule_days

END = dt.date(2110, 12, 31)
CODES = {
    "dtstart_mismatch",
    "every_weekday_of_month",
    "fifth_weekday",
    "irregular_months",
    "month_filter",
    "multiple_month_days",
    "multiple_ordinals",
    "no_occurrence",
    "nth_from_end",
    "nth_of_year",
    "set_position",
    "short_month",
    "unmappable",
    "week_number",
    "weekday_and_monthday",
    "year_day",
}
ZONES = ("UTC", "Europe/Stockholm", "America/New_York", "Pacific/Kiritimati", "Etc/GMT+12", "Australia/Lord_Howe")


def _ours(recurrence: Recurrence, start: dt.date, end: dt.date) -> list[dt.date]:
    found = recurrence.between(start, None, end + dt.timedelta(days=1))
    return [day for day in found if not isinstance(day, dt.datetime)]


@settings(max_examples=150)
@given(rules(), days, st.integers(1, 30))
def test_expansion_agrees_with_trying_every_day(text: str, start: dt.date, years: int) -> None:
    end = start + dt.timedelta(days=365 * years)
    recurrence = parse_recurrence([text], start)
    wanted = list(rule_days(text, start, end))
    event("some dates" if wanted else "none")
    assert _ours(recurrence, start, end) == wanted
    late = start + dt.timedelta(days=200 * years)
    window = recurrence.between(start, late, end)
    assert list(window) == [day for day in wanted if late <= day < end]
    counted = parse_recurrence([f"{text};COUNT=5"], start)
    assert _ours(counted, start, end) == wanted[:5]


@settings(max_examples=100)
@given(rules(weeks=False), days)
def test_expansion_agrees_with_dateutil_where_that_is_right(text: str, start: dt.date) -> None:
    parts = dict(part.split("=") for part in text.split(";"))
    # It intersects plain and numbered weekdays, and counts positions in the first week from the start on.
    assume(len({code.isalpha() for code in parts.get("BYDAY", "MO").split(",")}) == 1)
    assume(not (parts["FREQ"] == "WEEKLY" and "BYSETPOS" in parts))
    first = dt.datetime.combine(start, dt.time(9))
    recurrence = parse_recurrence([text], start)
    wanted = list(islice(recurrence.between(start, None, dt.date(2060, 1, 1)), 60))
    assume(wanted)  # dateutil would look for the first one up to the year 9999
    theirs = takewhile(lambda moment: moment.year < 2060, islice(iter(rrulestr(text, dtstart=first)), len(wanted)))
    assert [moment.date() for moment in theirs] == wanted


@settings(max_examples=30)
@given(patterned(), st.sampled_from(ZONES), st.times(), st.booleans())
def test_every_pattern_has_an_exact_rule_that_maps_back(
    recurrence: dict[str, Any], zone: str, time: dt.time, all_day: bool
) -> None:
    day = dt.date.fromisoformat(recurrence["range"]["startDate"])
    wanted = list(graph_days(recurrence, END))
    start = day if all_day else dt.datetime.combine(day, time, ZoneInfo(zone))
    if not wanted:
        with pytest.raises(InvalidRecurrence) as caught:
            from_graph(recurrence, start)
        assert caught.value.code == "no_occurrence"
        return
    found = from_graph(recurrence, start)
    first = found.first(start)[0]
    text = "\n".join(found.to_lines(first))
    assert Recurrence.from_text(str(found)) == found
    days_of_rule = [_day(moment) for moment in parse_recurrence([text], first).between(first, None, END)]
    assert days_of_rule == [day for day in wanted if day < END]
    again = to_graph(found, first)
    assert list(graph_days({"pattern": again.pattern, "range": again.range}, END)) == wanted


def _day(moment: dt.date) -> dt.date:
    return moment.date() if isinstance(moment, dt.datetime) else moment


@settings(max_examples=60)
@given(rules(), days, st.one_of(st.none(), st.integers(1, 30), st.integers(1, 9000)), st.booleans())
def test_every_rule_maps_to_the_same_dates_or_is_refused(
    text: str, day: dt.date, end: int | None, counted: bool
) -> None:
    start = next(parse_recurrence([text], day).between(day, None, END), None)
    if start is None:
        start = day
    until = None if end is None else start + dt.timedelta(days=end)
    if end is not None:
        text += f";COUNT={end}" if counted else f";UNTIL={until:%Y%m%d}"
    wanted = [day for day in rule_days(text.partition(";UNTIL")[0], start, END) if counted or not until or day <= until]
    try:
        found = to_graph(parse_recurrence([text], start), start)
    except InvalidRecurrence as error:
        code = error.code
    else:
        code = None
    event(f"refused: {code}" if code else f"mapped: {found.pattern['type']}")
    assert code in {None, *CODES}
    assert (code == "no_occurrence") == (not wanted)
    if code is not None:
        return
    assert list(graph_days({"pattern": found.pattern, "range": found.range}, END)) == wanted


@settings(max_examples=100)
@given(rules(), days, st.sampled_from(ZONES), st.times(), st.integers(0, 3000))
def test_a_timed_series_keeps_its_wall_clock(text: str, day: dt.date, zone: str, time: dt.time, until: int) -> None:
    start = dt.datetime.combine(day, time.replace(microsecond=0, fold=0), ZoneInfo(zone))
    last = (start + dt.timedelta(days=until)).astimezone(dt.UTC)
    recurrence = parse_recurrence([f"{text};UNTIL={last:%Y%m%dT%H%M%SZ}"], start)
    found = list(islice(recurrence.between(start), 200))
    wanted = [
        dt.datetime.combine(day, start.time(), start.tzinfo)
        for day in rule_days(text, day, day + dt.timedelta(until + 1))
    ]
    kept = [moment.astimezone(dt.UTC) for moment in wanted if moment.astimezone(dt.UTC) <= last]
    assert [moment.astimezone(dt.UTC) for moment in found if isinstance(moment, dt.datetime)] == kept[:200]


@given(rules(), days, st.lists(days, max_size=4), st.lists(days, max_size=4))
def test_the_text_reads_back(text: str, start: dt.date, out: list[dt.date], added: list[dt.date]) -> None:
    read = parse_recurrence([text], start)
    recurrence = Recurrence(rule=read.rule, exdates=tuple(dict.fromkeys(out)), rdates=tuple(dict.fromkeys(added)))
    assert Recurrence.from_text(str(recurrence)) == recurrence
    assert recurrence.describe()
    assert recurrence.describe(start)
    found = list(recurrence.between(start, None, dt.date(2040, 1, 1)))
    assert found == sorted((set(rule_days(text, start, dt.date(2039, 12, 31))) | set(added)) - set(out))
