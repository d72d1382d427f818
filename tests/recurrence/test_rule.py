"""The text of rules and lines: what is tolerated, what is refused and with which code."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mailkit.errors import InvalidRecurrence, UsageError
from mailkit.recurrence import Recurrence, Rule, parse_recurrence

START = dt.datetime(2026, 1, 1, 9, tzinfo=ZoneInfo("Europe/Paris"))


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU;", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU"),
        ("rrule:freq=weekly;byday=mo,tu", "FREQ=WEEKLY;BYDAY=MO,TU"),
        ("  FREQ=DAILY ; COUNT = 3 ", "FREQ=DAILY;COUNT=3"),
        ("FREQ=MONTHLY;BYDAY=+3WE,3WE,-1FR", "FREQ=MONTHLY;BYDAY=3WE,-1FR"),
        ("FREQ=DAILY;INTERVAL=1;WKST=SU", "FREQ=DAILY;WKST=SU"),
        ("FREQ=DAILY;UNTIL=20260301", "FREQ=DAILY;UNTIL=20260301"),
        ("FREQ=DAILY;UNTIL=20260301T090000", "FREQ=DAILY;UNTIL=20260301T080000Z"),
        ("FREQ=DAILY;UNTIL=20260301T090000Z", "FREQ=DAILY;UNTIL=20260301T090000Z"),
        ("BYHOUR=0,23;FREQ=DAILY;BYMINUTE=59", "FREQ=DAILY;BYHOUR=0,23;BYMINUTE=59"),
        (
            "FREQ=YEARLY;BYSETPOS=-1;BYMONTH=2;BYMONTHDAY=-1,28;BYWEEKNO=-1;BYYEARDAY=-366",
            "FREQ=YEARLY;BYMONTH=2;BYWEEKNO=-1;BYYEARDAY=-366;BYMONTHDAY=-1,28;BYSETPOS=-1",
        ),
    ],
)
def test_a_rule_is_read_and_written_canonically(line: str, text: str) -> None:
    recurrence = parse_recurrence([line, "  "], START)
    assert recurrence.to_lines() == (f"RRULE:{text}",)
    assert str(Rule.parse(text)) == text


@pytest.mark.parametrize(
    "rule",
    [
        "",
        "FREQ",
        "DAILY",
        "COUNT=3",
        "FREQ=FORTNIGHTLY",
        "FREQ=DAILY;FREQ=DAILY",
        "FREQ=DAILY;COUNT=0",
        "FREQ=DAILY;COUNT=-1",
        "FREQ=DAILY;COUNT=x",
        "FREQ=DAILY;COUNT=",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;INTERVAL=1.5",
        "FREQ=DAILY;COUNT=3;UNTIL=20260301",
        "FREQ=DAILY;UNTIL=2026-03-01",
        "FREQ=DAILY;UNTIL=20260230",
        "FREQ=DAILY;UNTIL=20260301Z",
        "FREQ=DAILY;UNTIL=20260301T250000",
        "FREQ=DAILY;X-FOO=1",
        "FREQ=DAILY;;COUNT=2",
        "FREQ=DAILY;BYYEARDAY=1",
        "FREQ=DAILY;BYWEEKNO=1",
        "FREQ=DAILY;BYDAY=1MO",
        "FREQ=DAILY;BYHOUR=24",
        "FREQ=DAILY;BYHOUR=-1",
        "FREQ=DAILY;BYSECOND=61",
        "FREQ=WEEKLY;BYDAY=2MO",
        "FREQ=WEEKLY;BYDAY=MO,",
        "FREQ=WEEKLY;BYMONTHDAY=1",
        "FREQ=WEEKLY;WKST=2MO",
        "FREQ=MONTHLY;BYSETPOS=1",
        "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0",
        "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367",
        "FREQ=MONTHLY;BYDAY=XX",
        "FREQ=MONTHLY;BYDAY=0MO",
        "FREQ=MONTHLY;BYDAY=54MO",
        "FREQ=MONTHLY;BYMONTHDAY=32",
        "FREQ=MONTHLY;BYMONTHDAY=0",
        "FREQ=MONTHLY;BYMONTH=13",
        "FREQ=MONTHLY;BYMONTH=-1",
        "FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO",
        "FREQ=YEARLY;BYWEEKNO=54",
        "FREQ=YEARLY;BYYEARDAY=367",
    ],
)
def test_what_rfc_5545_does_not_allow_is_invalid(rule: str) -> None:
    with pytest.raises(InvalidRecurrence) as caught:
        Recurrence.from_text(f"RRULE:{rule}", START)
    assert caught.value.code == "invalid"


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ([], "invalid"),
        (["EXDATE:20260101T090000Z"], "invalid"),
        (["DTSTART:20260101T090000Z", "RRULE:FREQ=DAILY"], "invalid"),
        (["FREQ=DAILY", "RRULE:FREQ=WEEKLY"], "multiple_rules"),
        (["FREQ=DAILY", "EXRULE:FREQ=WEEKLY"], "exrule"),
        (["FREQ=DAILY", "EXDATE:2026-01-01"], "invalid"),
        (["FREQ=DAILY", "EXDATE;TZID=Mars/Olympus:20260101T090000"], "unknown_zone"),
        (["FREQ=DAILY", "RDATE;VALUE=PERIOD:20260101T090000Z/PT1H"], "rdate_period"),
    ],
)
def test_lines_that_cannot_be_kept_whole_are_refused(lines: list[str], code: str) -> None:
    with pytest.raises(InvalidRecurrence) as caught:
        parse_recurrence(lines, START)
    assert caught.value.code == code


def test_times_without_a_zone_need_the_start() -> None:
    text = "RRULE:FREQ=DAILY\nEXDATE:20260102T090000"
    with pytest.raises(InvalidRecurrence) as caught:
        Recurrence.from_text(text)
    assert caught.value.code == "no_start"
    assert Recurrence.from_text(text, START).exdates == (dt.datetime(2026, 1, 2, 9, tzinfo=START.tzinfo),)


def test_a_start_among_the_lines_is_the_events() -> None:
    with pytest.raises(InvalidRecurrence, match="DTSTART"):
        parse_recurrence(["DTSTART;TZID=Europe/Paris:20260101T090000", "RRULE:FREQ=DAILY"])


@pytest.mark.parametrize("wrong", [None, 5, ["RRULE:FREQ=DAILY"]])
def test_what_is_no_text_is_refused(wrong: Any) -> None:
    with pytest.raises(UsageError, match="lines of RFC 5545"):
        Recurrence.from_text(wrong)


@pytest.mark.parametrize("number", [10**9, 10**30])
def test_what_could_not_be_read_back_is_refused(number: int) -> None:
    cases: list[dict[str, Any]] = [{"interval": number}, {"count": number}]
    for options in cases:
        with pytest.raises(InvalidRecurrence, match="999999999"):
            Recurrence.every("day", **options)
        (name,) = options
        with pytest.raises(InvalidRecurrence, match="nine digits"):
            Recurrence.from_text(f"FREQ=DAILY;{name.upper()}={number}")
    most = Recurrence.every("day", 10**9 - 1)
    assert Recurrence.from_text(str(most)) == most
