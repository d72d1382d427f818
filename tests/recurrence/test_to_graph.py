"""Rules written for Microsoft Graph: the patterns chosen, the ends, and each reason for a refusal."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import datetime as dt
from itertools import islice
from zoneinfo import ZoneInfo

import pytest

from mailkit.errors import InvalidRecurrence, UsageError
from mailkit.recurrence import Recurrence, parse_recurrence, to_graph
from tests.support.dates import graph_days, rule_days

WORKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday"]
ALL_DAYS = [*WORKDAYS, "saturday", "sunday"]
MON = "2026-01-05"


def _weekly(interval: int, days: list[str], first: str = "monday") -> dict[str, object]:
    return {"type": "weekly", "interval": interval, "daysOfWeek": days, "firstDayOfWeek": first}


def _monthly(interval: int, **members: object) -> dict[str, object]:
    kind = "absoluteMonthly" if "dayOfMonth" in members else "relativeMonthly"
    return {"type": kind, "interval": interval, **members}


def _yearly(interval: int, month: int, **members: object) -> dict[str, object]:
    kind = "absoluteYearly" if "dayOfMonth" in members else "relativeYearly"
    return {"type": kind, "interval": interval, "month": month, **members}


@pytest.mark.parametrize(
    ("rule", "start", "pattern"),
    [
        ("FREQ=DAILY;INTERVAL=3", MON, {"type": "daily", "interval": 3}),
        ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", MON, _weekly(1, WORKDAYS)),
        ("FREQ=DAILY;INTERVAL=14;BYDAY=MO", MON, _weekly(2, ["monday"])),
        ("FREQ=DAILY;INTERVAL=2;BYDAY=SU,TU;WKST=SU", "2026-01-04", _weekly(2, ["tuesday", "sunday"], "sunday")),
        ("FREQ=DAILY;BYMONTHDAY=15", "2026-01-15", _monthly(1, dayOfMonth=15)),
        ("FREQ=WEEKLY", MON, _weekly(1, ["monday"])),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;WKST=SU", MON, _weekly(2, ["monday"], "sunday")),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE;BYSETPOS=1", MON, _weekly(1, ["monday"])),
        ("FREQ=MONTHLY", MON, _monthly(1, dayOfMonth=5)),
        ("FREQ=MONTHLY;INTERVAL=24", MON, _yearly(2, 1, dayOfMonth=5)),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "2026-01-31", _monthly(1, daysOfWeek=ALL_DAYS, index="last")),
        ("FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1", "2026-02-28", _monthly(1, dayOfMonth=30)),
        ("FREQ=MONTHLY;BYDAY=2TU", "2026-01-13", _monthly(1, daysOfWeek=["tuesday"], index="second")),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-01-30", _monthly(1, daysOfWeek=WORKDAYS, index="last")),
        ("FREQ=MONTHLY;BYDAY=1SA,1SU;BYSETPOS=1", "2026-01-03", _monthly(1, daysOfWeek=ALL_DAYS[5:], index="first")),
        ("FREQ=MONTHLY;BYDAY=MO;BYMONTHDAY=8,9,10,11,12,13,14", "2026-01-12", _monthly(1, daysOfWeek=["monday"], index="second")),
        ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=-7,-6,-5,-4,-3,-2,-1", "2026-01-30", _monthly(1, daysOfWeek=["friday"], index="last")),
        ("FREQ=MONTHLY;BYDAY=MO,WE", MON, _weekly(1, ["monday", "wednesday"])),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU", MON, {"type": "daily", "interval": 1}),
        ("FREQ=YEARLY", MON, _yearly(1, 1, dayOfMonth=5)),
        ("FREQ=YEARLY;BYMONTHDAY=5", MON, _monthly(1, dayOfMonth=5)),
        ("FREQ=YEARLY;BYMONTH=1,4,7,10", MON, _monthly(3, dayOfMonth=5)),
        ("FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "2026-11-26", _yearly(1, 11, daysOfWeek=["thursday"], index="fourth")),
        ("FREQ=YEARLY;BYDAY=-1FR", "2026-12-25", _yearly(1, 12, daysOfWeek=["friday"], index="last")),
        ("FREQ=YEARLY;BYYEARDAY=-306", "2026-03-01", _yearly(1, 3, dayOfMonth=1)),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1", "2026-02-28", _yearly(1, 2, daysOfWeek=ALL_DAYS, index="last")),
        ("FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=1,3,5", "2026-01-31", None),
        ("FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=31;COUNT=4", "2026-01-31", _monthly(2, dayOfMonth=31)),
    ],
)  # fmt: skip
def test_a_rule_becomes_this_pattern(rule: str, start: str, pattern: dict[str, object] | None) -> None:
    day = dt.date.fromisoformat(start)
    recurrence = parse_recurrence([rule], day)
    if pattern is None:
        with pytest.raises(InvalidRecurrence):
            to_graph(recurrence, day)
        return
    found = to_graph(recurrence, day)
    assert found.pattern == pattern
    end = dt.date(2040, 12, 31)
    assert list(graph_days({"pattern": found.pattern, "range": found.range}, end)) == list(rule_days(rule, day, end))


@pytest.mark.parametrize(
    ("rule", "start", "code"),
    [
        ("FREQ=HOURLY", MON, "sub_daily"),
        ("FREQ=SECONDLY;COUNT=1", MON, "sub_daily"),
        ("FREQ=DAILY;BYHOUR=9,10", MON, "by_time"),
        ("FREQ=DAILY;BYMINUTE=5", MON, "by_time"),
        ("FREQ=DAILY;BYMONTH=1", MON, "month_filter"),
        ("FREQ=WEEKLY;BYMONTH=1", MON, "month_filter"),
        ("FREQ=DAILY;INTERVAL=2;BYMONTHDAY=5", MON, "month_filter"),
        ("FREQ=DAILY;BYMONTHDAY=1,5", MON, "multiple_month_days"),
        ("FREQ=DAILY;BYMONTHDAY=30", "2026-01-30", "short_month"),
        ("FREQ=DAILY;BYMONTHDAY=5;BYDAY=MO", MON, "weekday_and_monthday"),
        ("FREQ=DAILY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR", MON, "unmappable"),
        ("FREQ=WEEKLY;BYDAY=MO,TU;BYHOUR=9;BYMONTH=1;BYSETPOS=1", MON, "set_position"),
        ("FREQ=MONTHLY;BYMONTHDAY=30", "2026-01-30", "short_month"),
        ("FREQ=MONTHLY", "2026-01-29", "short_month"),
        ("FREQ=YEARLY", "2024-02-29", "short_month"),
        ("FREQ=YEARLY;INTERVAL=4", "2024-02-29", "short_month"),
        ("FREQ=YEARLY;INTERVAL=4", "2104-02-29", "short_month"),
        ("FREQ=MONTHLY;BYMONTHDAY=-2", "2026-01-30", "nth_from_end"),
        ("FREQ=MONTHLY;BYMONTHDAY=5,20", MON, "multiple_month_days"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,5,9;BYSETPOS=2,3", MON, "set_position"),
        ("FREQ=MONTHLY;BYMONTH=1,2;BYMONTHDAY=5", MON, "irregular_months"),
        ("FREQ=MONTHLY;BYDAY=5TH", "2026-01-29", "fifth_weekday"),
        ("FREQ=MONTHLY;BYDAY=TH;BYSETPOS=5", "2026-01-29", "fifth_weekday"),
        ("FREQ=MONTHLY;BYDAY=-2TH", "2026-01-22", "nth_from_end"),
        ("FREQ=MONTHLY;BYDAY=MO,TH;BYSETPOS=-2", "2026-01-26", "nth_from_end"),
        ("FREQ=MONTHLY;BYDAY=MO,TH;BYSETPOS=5", "2026-01-15", "set_position"),
        ("FREQ=MONTHLY;BYDAY=1MO,3MO", MON, "multiple_ordinals"),
        ("FREQ=MONTHLY;BYDAY=1MO,TU", MON, "multiple_ordinals"),
        ("FREQ=MONTHLY;INTERVAL=2;BYDAY=MO", MON, "every_weekday_of_month"),
        ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "2026-02-13", "weekday_and_monthday"),
        ("FREQ=YEARLY;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "2026-11-03", "weekday_and_monthday"),
        ("FREQ=YEARLY;BYDAY=20MO", "2026-05-18", "nth_of_year"),
        ("FREQ=YEARLY;BYWEEKNO=20", "2026-05-11", "week_number"),
        ("FREQ=YEARLY;BYYEARDAY=100", "2026-04-10", "year_day"),
        ("FREQ=YEARLY;INTERVAL=2;BYMONTHDAY=5", MON, "irregular_months"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", MON, "no_occurrence"),
        ("FREQ=DAILY;UNTIL=20260104", MON, "no_occurrence"),
        ("FREQ=DAILY;INTERVAL=1000", MON, "interval_too_large"),
        ("FREQ=WEEKLY;INTERVAL=100", MON, "interval_too_large"),
    ],
)
def test_what_graph_cannot_hold_is_refused_by_its_code(rule: str, start: str, code: str) -> None:
    moment = dt.datetime.combine(dt.date.fromisoformat(start), dt.time(9), ZoneInfo("Europe/Paris"))
    with pytest.raises(InvalidRecurrence) as caught:
        to_graph(parse_recurrence([rule], moment), moment)
    assert caught.value.code == code
    assert caught.value.message


@pytest.mark.parametrize(
    ("rule", "start", "suggestion"),
    [
        ("FREQ=WEEKLY;BYDAY=MO", "2026-01-01", "2026-01-05"),
        ("FREQ=MONTHLY;BYDAY=2TU;COUNT=3", "2026-01-01", "2026-01-13"),
        ("FREQ=MONTHLY;BYMONTHDAY=31", "2026-01-31", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("FREQ=MONTHLY;COUNT=9", "2026-01-30", "FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1;COUNT=9"),
        ("FREQ=DAILY;BYMONTHDAY=29", "2026-01-29", "FREQ=MONTHLY;BYMONTHDAY=28,29;BYSETPOS=-1"),
        ("FREQ=YEARLY", "2024-02-29", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"),
        ("FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=31;UNTIL=20300101", "2026-01-31", "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-1;UNTIL=20300101"),
    ],
)  # fmt: skip
def test_a_suggestion_can_be_held(rule: str, start: str, suggestion: str) -> None:
    day = dt.date.fromisoformat(start)
    with pytest.raises(InvalidRecurrence) as caught:
        to_graph(parse_recurrence([rule], day), day)
    assert caught.value.suggestion == suggestion
    if suggestion.startswith("FREQ"):
        rule = suggestion
    else:
        day = dt.date.fromisoformat(suggestion)
    assert to_graph(parse_recurrence([rule], day), day).range["startDate"] == day.isoformat()


@pytest.mark.parametrize(
    ("until", "zone", "time", "last"),
    [
        ("20260110T080000Z", "Europe/Stockholm", "09:00", "2026-01-10"),
        ("20260110T075959Z", "Europe/Stockholm", "09:00", "2026-01-09"),
        ("20260110", "Europe/Stockholm", "09:00", "2026-01-10"),
        ("20260110T085959", "Europe/Stockholm", "09:00", "2026-01-09"),
        ("20260111T035959Z", "America/New_York", "22:30", "2026-01-10"),
        ("20260110T213000Z", "Asia/Tokyo", "06:30", "2026-01-11"),
        ("20260329T010000Z", "Europe/Stockholm", "02:30", "2026-03-28"),  # that day 02:30 is 03:30, 01:30Z
        ("20260329T013000Z", "Europe/Stockholm", "02:30", "2026-03-29"),
    ],
)
def test_until_is_the_last_day_in_the_events_zone(until: str, zone: str, time: str, last: str) -> None:
    start = dt.datetime.combine(dt.date(2026, 1, 5), dt.time.fromisoformat(time), ZoneInfo(zone))
    recurrence = parse_recurrence([f"FREQ=DAILY;UNTIL={until}"], start)
    assert to_graph(recurrence, start).range["endDate"] == last
    assert list(recurrence.between(start))[-1].isoformat()[:10] == last


def test_the_range_names_the_windows_zone_and_the_local_date() -> None:
    start = dt.datetime(2026, 1, 5, 19, tzinfo=ZoneInfo("America/Los_Angeles"))  # 6 January in UTC
    assert to_graph(Recurrence.every("day", count=3), start).range == {
        "type": "numbered",
        "startDate": "2026-01-05",
        "numberOfOccurrences": 3,
        "recurrenceTimeZone": "Pacific Standard Time",
    }
    day = to_graph(Recurrence.every("day"), dt.date(2026, 1, 5), day_zone=ZoneInfo("Asia/Tokyo"))
    assert day.range == {"type": "noEnd", "startDate": "2026-01-05", "recurrenceTimeZone": "Tokyo Standard Time"}
    with pytest.raises(UsageError) as caught:
        to_graph(Recurrence.every("day"), start.astimezone(ZoneInfo("Antarctica/Troll")))
    assert caught.value.code == "no_windows_zone"


def test_days_taken_out_are_deletions_and_added_days_are_refused() -> None:
    start = dt.datetime(2026, 1, 5, 9, tzinfo=ZoneInfo("Europe/Paris"))
    lines = ["RRULE:FREQ=DAILY", "EXDATE:20260106T080000Z", "EXDATE;VALUE=DATE:20260701"]
    found = to_graph(parse_recurrence(lines, start), start)
    assert found.deletions == (start.replace(day=6), start.replace(month=7, day=1))
    day = to_graph(parse_recurrence(lines, start.date()), start.date())
    assert day.deletions == (dt.date(2026, 1, 6), dt.date(2026, 7, 1))
    skipped = start.replace(month=3, day=1, hour=2, minute=30)
    lost = to_graph(parse_recurrence(["FREQ=DAILY", "EXDATE;VALUE=DATE:20260329"], skipped), skipped)
    assert [str(moment) for moment in lost.deletions] == ["2026-03-29 03:30:00+02:00"]
    with pytest.raises(InvalidRecurrence) as caught:
        to_graph(parse_recurrence(["RRULE:FREQ=DAILY", "RDATE:20260107T170000Z"], start), start)
    assert caught.value.code == "rdate"


def test_the_times_of_the_start_may_be_repeated_in_the_rule() -> None:
    start = dt.datetime(2026, 1, 5, 9, 30, tzinfo=ZoneInfo("Europe/Paris"))
    recurrence = parse_recurrence(["FREQ=DAILY;BYHOUR=9;BYMINUTE=30;BYSECOND=0"], start)
    assert to_graph(recurrence, start).pattern == {"type": "daily", "interval": 1}
    assert len(list(islice(recurrence.between(start), 3))) == 3


def test_a_count_that_exchange_cannot_hold_is_written_as_the_day_it_ends() -> None:
    start = dt.date(2026, 1, 5)
    for count in (1_000, 2_500):
        rule = Recurrence.every("week", on=["MO", "TH"], count=count)
        made = to_graph(rule, start)
        assert (made.range["type"], made.range["endDate"]) == ("endDate", rule.first(start, count)[-1].isoformat())
    assert to_graph(Recurrence.every("week", count=999), start).range["numberOfOccurrences"] == 999
