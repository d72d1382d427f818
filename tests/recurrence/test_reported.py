"""Mistakes that people reported of other libraries' recurrences, each with what is right."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from mailkit.errors import InvalidRecurrence
from mailkit.recurrence import Moment, from_graph, parse_recurrence, to_graph

NEW_YORK = ZoneInfo("America/New_York")
ALL_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


def _dates(rule: str, start: Moment, n: int = 9) -> list[str]:
    found = parse_recurrence([rule], start).first(start, n)
    return [moment.isoformat()[:10] for moment in found]


def test_the_fourth_monday_is_not_the_last() -> None:
    rule, start = "FREQ=MONTHLY;BYSETPOS=4;BYDAY=MO", dt.date(2015, 10, 26)
    assert _dates(rule, start, 3) == ["2015-10-26", "2015-11-23", "2015-12-28"]
    pattern = to_graph(parse_recurrence([rule], start), start).pattern
    assert pattern == {"type": "relativeMonthly", "interval": 1, "daysOfWeek": ["monday"], "index": "fourth"}


def test_the_last_working_day_of_the_month() -> None:
    rule, start = "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", dt.date(2004, 5, 31)
    assert _dates(rule, start, 4) == ["2004-05-31", "2004-06-30", "2004-07-30", "2004-08-31"]
    pattern = to_graph(parse_recurrence([rule], start), start).pattern
    assert pattern == {"type": "relativeMonthly", "interval": 1, "daysOfWeek": ALL_DAYS[:5], "index": "last"}


def test_a_position_counts_in_all_the_weekdays_together() -> None:
    rule, start = "FREQ=MONTHLY;BYDAY=MO,WE;BYSETPOS=3", dt.date(2024, 1, 8)
    assert _dates(rule, start, 3) == ["2024-01-08", "2024-02-12", "2024-03-11"]
    pattern = to_graph(parse_recurrence([rule], start), start).pattern
    assert (pattern["index"], pattern["daysOfWeek"]) == ("third", ["monday", "wednesday"])
    both = dt.date(2024, 1, 15)
    with pytest.raises(InvalidRecurrence) as caught:
        to_graph(parse_recurrence(["FREQ=MONTHLY;BYDAY=3MO,3WE"], both), both)
    assert caught.value.code == "multiple_ordinals"


def test_the_first_of_all_seven_weekdays_is_day_one() -> None:
    data = {
        "pattern": {
            "type": "relativeMonthly",
            "interval": 1,
            "daysOfWeek": ALL_DAYS,
            "firstDayOfWeek": "sunday",
            "index": "first",
            "month": 0,
            "dayOfMonth": 0,
        },
        "range": {
            "type": "numbered",
            "startDate": "2019-05-01",
            "numberOfOccurrences": 48,
            "endDate": "0001-01-01",
            "recurrenceTimeZone": "Eastern Standard Time",
        },
    }
    start = dt.datetime(2019, 5, 1, 9, tzinfo=NEW_YORK)
    recurrence = from_graph(data, start)
    assert str(recurrence) == "RRULE:FREQ=MONTHLY;BYMONTHDAY=1;COUNT=48"
    assert _dates(str(recurrence), start, 4) == ["2019-05-01", "2019-06-01", "2019-07-01", "2019-08-01"]


def test_the_last_day_of_the_month() -> None:
    start = dt.date(2019, 12, 31)
    rule = "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=4"
    assert _dates(rule, start) == ["2019-12-31", "2020-01-31", "2020-02-29", "2020-03-31"]
    pattern = to_graph(parse_recurrence([rule], start), start).pattern
    assert pattern == {"type": "relativeMonthly", "interval": 1, "daysOfWeek": ALL_DAYS, "index": "last"}


def test_leap_days_and_every_nine_months() -> None:
    assert _dates("FREQ=YEARLY;COUNT=3", dt.date(2020, 2, 29)) == ["2020-02-29", "2024-02-29", "2028-02-29"]
    rule, start = "FREQ=MONTHLY;INTERVAL=9;BYMONTHDAY=28,29;BYSETPOS=-1;COUNT=3", dt.date(2017, 5, 29)
    assert _dates(rule, start) == ["2017-05-29", "2018-02-28", "2018-11-29"]
    pattern = to_graph(parse_recurrence([rule], start), start).pattern
    assert pattern == {"type": "absoluteMonthly", "interval": 9, "dayOfMonth": 29}


def test_until_may_be_a_date_for_a_timed_series() -> None:
    start = dt.datetime(2017, 8, 21, 9, tzinfo=NEW_YORK)
    rule = "FREQ=MONTHLY;UNTIL=2018{};INTERVAL=12;BYDAY=3MO"
    assert _dates(rule.format("0819"), start) == ["2017-08-21"]
    assert _dates(rule.format("0820"), start) == ["2017-08-21", "2018-08-20"]


def test_until_in_utc_is_a_local_day() -> None:
    start = dt.datetime(2024, 1, 1, 19, tzinfo=ZoneInfo("America/Los_Angeles"))
    rule = "FREQ=DAILY;UNTIL=20240104T030000Z"
    assert to_graph(parse_recurrence([rule], start), start).range == {
        "type": "endDate",
        "startDate": "2024-01-01",
        "endDate": "2024-01-03",
        "recurrenceTimeZone": "Pacific Standard Time",
    }
    assert len(_dates(rule, start)) == 3


@pytest.mark.parametrize(
    ("week_start", "dates"),
    [("", ["2023-09-14", "2023-09-28", "2023-10-12"]), (";WKST=SU", ["2023-09-07", "2023-09-21", "2023-10-05"])],
)
def test_every_second_thursday_depends_on_the_first_day_of_the_week(week_start: str, dates: list[str]) -> None:
    start = dt.datetime(2023, 9, 3, 15, tzinfo=dt.UTC)
    rule = f"FREQ=WEEKLY;BYDAY=TH;INTERVAL=2{week_start};COUNT=3"
    assert _dates(rule, start) == dates
    with pytest.raises(InvalidRecurrence) as caught:
        to_graph(parse_recurrence([rule], start), start)
    assert (caught.value.code, caught.value.suggestion) == ("dtstart_mismatch", dates[0])


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU;",
        "RRULE:freq=weekly;interval=2;byday=mo,tu",
        " RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU",
    ],
)
def test_loose_spelling(rule: str) -> None:
    dates = ["2014-02-10", "2014-02-11", "2014-02-24", "2014-02-25", "2014-03-10"]
    assert _dates(rule, dt.date(2014, 2, 10), 5) == dates


def test_the_range_starts_on_the_local_date() -> None:
    start = dt.datetime(2022, 4, 21, 1, tzinfo=dt.UTC).astimezone(NEW_YORK)
    found = to_graph(parse_recurrence(["FREQ=WEEKLY;BYDAY=WE;COUNT=2"], start), start)
    assert found.range == {
        "type": "numbered",
        "startDate": "2022-04-20",
        "numberOfOccurrences": 2,
        "recurrenceTimeZone": "Eastern Standard Time",
    }


def test_daily_with_weekdays() -> None:
    start = dt.date(2013, 2, 4)
    every = to_graph(parse_recurrence(["FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR"], start), start).pattern
    assert (every["type"], every["interval"], every["daysOfWeek"]) == ("weekly", 1, ALL_DAYS[:5])
    third = "FREQ=DAILY;BYDAY=MO;INTERVAL=3"
    assert _dates(third, start, 3) == ["2013-02-04", "2013-02-25", "2013-03-18"]
    assert to_graph(parse_recurrence([third], start), start).pattern["interval"] == 3
    assert to_graph(parse_recurrence([third], start), start).pattern["type"] == "weekly"


def test_exchange_writes_instants_into_an_all_day_series() -> None:
    start = dt.date(2023, 3, 1)
    lines = ["RRULE:FREQ=DAILY;UNTIL=20230303T230000Z;INTERVAL=1", "EXDATE:20230302T000000"]
    recurrence = parse_recurrence(lines, start, day_zone=ZoneInfo("Europe/Berlin"))
    assert [day.isoformat() for day in recurrence.first(start, 9)] == ["2023-03-01", "2023-03-03", "2023-03-04"]


def test_a_weekly_meeting_keeps_its_hour() -> None:
    start = dt.datetime(2024, 3, 4, 9, tzinfo=NEW_YORK)
    found = parse_recurrence(["FREQ=WEEKLY;COUNT=3"], start).first(start, 9)
    hours = [moment.astimezone(dt.UTC).hour for moment in found if isinstance(moment, dt.datetime)]
    assert hours == [14, 13, 13]


def test_an_evening_occurrence_is_known_by_its_instant() -> None:
    start = dt.datetime(2009, 4, 3, 19, tzinfo=ZoneInfo("America/Los_Angeles"))
    window = parse_recurrence(["FREQ=WEEKLY"], start).between(start, dt.date(2009, 11, 27), dt.date(2009, 11, 28))
    assert [moment.astimezone(dt.UTC).isoformat() for moment in window if isinstance(moment, dt.datetime)] == [
        "2009-11-28T03:00:00+00:00"
    ]
