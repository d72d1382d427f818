"""The shared cases, where they are at hand: dates of rules and patterns, and what is refused."""

from __future__ import annotations

import datetime as dt
from itertools import islice
from zoneinfo import ZoneInfo

import pytest

from mailkit.errors import InvalidRecurrence
from mailkit.recurrence import Moment, from_graph, parse_recurrence, to_graph
from tests.support.cases import Case, cases
from tests.support.dates import graph_days

END = dt.date(2110, 12, 31)


def _start(case: Case) -> Moment:
    naive = dt.datetime.fromisoformat(case["dtstart"])
    return naive.date() if case["all_day"] else naive.replace(tzinfo=ZoneInfo(case["tz"]))


def _days(moments: list[Moment]) -> list[str]:
    return [(moment.date() if isinstance(moment, dt.datetime) else moment).isoformat() for moment in moments]


@pytest.mark.parametrize("case", cases("rrules.jsonl", lambda case: bool(case["occurrences"])))
def test_a_rule_has_its_dates(case: Case) -> None:
    rules = [line for line in case["lines"] if "EXDATE" not in line and "RDATE" not in line and "EXRULE" not in line]
    start, wanted = _start(case), case["occurrences"]
    found = list(islice(parse_recurrence(rules, start).between(start), len(wanted)))
    if case["expected"].get("refused") == "dtstart_mismatch":  # the cases count the start in, as RFC 5545 leaves open
        assert _days(found)[:-1] == [day for day in wanted if day != case["dtstart"][:10]][: len(found) - 1]
    else:
        assert _days(found) == wanted


@pytest.mark.parametrize("case", cases("rrules.jsonl"))
def test_a_rule_maps_or_is_refused(case: Case) -> None:
    start, expected = _start(case), case["expected"]
    if case["level"] == "refuse":
        with pytest.raises(InvalidRecurrence) as caught:
            to_graph(parse_recurrence(case["lines"], start), start)
        assert caught.value.code == expected["refused"]
        assert expected["suggestion"] in {None, caught.value.suggestion}
        return
    found = to_graph(parse_recurrence(case["lines"], start), start, day_zone=ZoneInfo(case["tz"]))
    assert found.range == expected["range"]
    assert found.pattern in [expected["pattern"], *expected["alternatives"]]
    days = graph_days({"pattern": found.pattern, "range": found.range}, END)
    assert [day.isoformat() for day in islice(days, len(case["occurrences"]))] == case["occurrences"]
    assert len(found.deletions) == len(expected["exdates"])


@pytest.mark.parametrize("case", cases("graph_recurrences.jsonl"))
def test_a_pattern_has_an_exact_rule(case: Case) -> None:
    day = dt.date.fromisoformat(case["recurrence"]["range"]["startDate"])
    zone = ZoneInfo(case["tz"])
    start = day if case["all_day"] else dt.datetime.combine(day, dt.time.fromisoformat(case["start_time"]), zone)
    if "error" in case:
        with pytest.raises(InvalidRecurrence):
            from_graph(case["recurrence"], start)
        return
    recurrence = from_graph(case["recurrence"], start)
    first = recurrence.first(start)[0]
    assert first == _start(case)
    wanted = case["occurrences"]
    for begin in (start, first):
        assert _days(list(islice(recurrence.between(begin), len(wanted)))) == wanted
    (line,) = recurrence.to_lines(first)
    ours, theirs = (parse_recurrence([text], first) for text in (line, case["rrule"]))
    assert list(islice(ours.between(first), 500)) == list(islice(theirs.between(first), 500))
    assert from_graph(case["recurrence"], first) == recurrence
    again = to_graph(recurrence, first)
    assert list(graph_days({"pattern": again.pattern, "range": again.range}, dt.date(2060, 1, 1))) == list(
        graph_days(case["recurrence"], dt.date(2060, 1, 1))
    )
