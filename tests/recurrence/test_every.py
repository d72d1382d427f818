"""The builder and the sentence: what people say, as rules, and rules as people say them."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mailkit.errors import InvalidRecurrence, UsageError
from mailkit.recurrence import Recurrence, parse_recurrence

START = dt.datetime(2026, 1, 5, 9, tzinfo=ZoneInfo("Europe/Paris"))


@pytest.mark.parametrize(
    ("built", "rule", "said"),
    [
        (Recurrence.every("day"), "FREQ=DAILY", "every day"),
        (Recurrence.every("day", 3, count=5), "FREQ=DAILY;INTERVAL=3;COUNT=5", "every 3 days, 5 times"),
        (Recurrence.every("day", on=["SA", "SU"]), "FREQ=DAILY;BYDAY=SA,SU", "every week on Saturday and Sunday"),
        (Recurrence.every("day", 3, on=["SA", "SU"]), "FREQ=DAILY;INTERVAL=3;BYDAY=SA,SU", "every 3 days if that is a Saturday or Sunday"),
        (Recurrence.every("day", 2, on=["MO", "TU", "WE", "TH", "FR", "SA", "SU"]), "FREQ=DAILY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR,SA,SU", "every 2 days"),
        (Recurrence.every("week"), "FREQ=WEEKLY", "every week"),
        (
            Recurrence.every("week", 2, on=["MO", "TH"], until=dt.date(2027, 3, 3)),
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;UNTIL=20270303",
            "every 2 weeks on Monday and Thursday until 3 March 2027",
        ),
        (
            Recurrence.every("week", on=["friday", "Mon", "we"], week_start="SU"),
            "FREQ=WEEKLY;BYDAY=FR,MO,WE;WKST=SU",
            "every week on Monday, Wednesday and Friday",
        ),
        (Recurrence.every("week", on=["MO", "TU", "WE", "TH", "FR"]), "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
        (Recurrence.every("week", on="MO", count=1), "FREQ=WEEKLY;BYDAY=MO;COUNT=1", "every week on Monday, once"),
        (Recurrence.every("month"), "FREQ=MONTHLY", "every month"),
        (Recurrence.every("month", month_day=15), "FREQ=MONTHLY;BYMONTHDAY=15", "every month on day 15"),
        (Recurrence.every("month", 2, month_day=-1), "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-1", "every 2 months on the last day"),
        (Recurrence.every("month", on="TU", nth=2), "FREQ=MONTHLY;BYDAY=2TU", "every month on the second Tuesday"),
        (
            Recurrence.every("month", on=["MO", "TU", "WE", "TH", "FR"], nth=-1),
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            "every month on the last weekday",
        ),
        (
            Recurrence.every("month", on=["SA", "SU"], nth=1),
            "FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1",
            "every month on the first Saturday or Sunday",
        ),
        (
            Recurrence.every("month", on=["MO", "TU", "WE", "TH", "FR", "SA", "SU"], nth=3),
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=3",
            "every month on the third day",
        ),
        (Recurrence.every("year"), "FREQ=YEARLY", "every year"),
        (Recurrence.every("year", month=12, month_day=25), "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25", "every year on 25 December"),
        (Recurrence.every("year", month=2, month_day=-1), "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1", "every year on the last day of February"),
        (Recurrence.every("year", 2, month=11), "FREQ=YEARLY;INTERVAL=2;BYMONTH=11", "every 2 years in November"),
        (
            Recurrence.every("year", month=11, on="TH", nth=4),
            "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH",
            "every year on the fourth Thursday of November",
        ),
    ],
)  # fmt: skip
def test_the_builder_and_the_sentence(built: Recurrence, rule: str, said: str) -> None:
    assert str(built) == f"RRULE:{rule}"
    assert Recurrence.from_text(str(built)) == built
    assert built.describe() == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("FREQ=MONTHLY", "every month on day 5"),
        ("FREQ=YEARLY", "every year on 5 January"),
        ("FREQ=YEARLY;BYMONTH=1", "every year on 5 January"),
        ("FREQ=WEEKLY", "every week on Monday"),
        ("FREQ=DAILY;UNTIL=20260201T230000Z", "every day until 1 February 2026"),  # midnight is before nine
        ("FREQ=DAILY;UNTIL=20260202T080000Z", "every day until 2 February 2026"),
        ("FREQ=DAILY\nEXDATE:20260106T080000Z,20260107T080000Z", "every day, except on 6 January 2026 and 7 January 2026"),
        ("FREQ=DAILY\nEXDATE;VALUE=DATE:20260106,20260107,20260108,20260109", "every day, except on 4 dates"),
        ("FREQ=WEEKLY;COUNT=2\nRDATE:20260107T080000Z", "every week on Monday, 2 times, and also on 7 January 2026"),
    ],
)  # fmt: skip
def test_the_start_completes_the_sentence(text: str, said: str) -> None:
    assert Recurrence.from_text(text, START).describe(START) == said


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=HOURLY;INTERVAL=6",
        "FREQ=DAILY;BYHOUR=9,17",
        "FREQ=DAILY;BYMONTH=6",
        "FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=1",
        "FREQ=MONTHLY;BYMONTHDAY=1,15",
        "FREQ=MONTHLY;BYMONTHDAY=-2",
        "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR",
        "FREQ=MONTHLY;BYDAY=MO",
        "FREQ=MONTHLY;BYDAY=1MO,3MO",
        "FREQ=MONTHLY;BYMONTH=1,2;BYMONTHDAY=5",
        "FREQ=YEARLY;BYMONTH=1,7;BYMONTHDAY=1",
        "FREQ=YEARLY;BYMONTH=1;BYSETPOS=1",
        "FREQ=YEARLY;BYDAY=20MO",
        "FREQ=YEARLY;BYWEEKNO=20",
        "FREQ=YEARLY;BYYEARDAY=100",
    ],
)
def test_what_no_sentence_fits_is_shown_as_written(rule: str) -> None:
    recurrence = parse_recurrence([f"{rule};COUNT=3"], START)
    assert recurrence.describe() == f"by the rule {rule}, 3 times"
    assert recurrence.describe(START) == f"by the rule {rule}, 3 times"


@pytest.mark.parametrize("zone", ["Etc/GMT+12", "America/New_York", "Europe/Paris", "Pacific/Kiritimati"])
@pytest.mark.parametrize("hour", [0, 9, 23])
def test_a_sentence_names_the_last_day_that_takes_place(zone: str, hour: int) -> None:
    start = dt.datetime(2026, 3, 20, hour, tzinfo=ZoneInfo(zone))
    for until in ("20260404", "20260403T235959Z", "20260404T000000Z", "20260404T093000Z"):
        recurrence = Recurrence.from_text(f"FREQ=DAILY;UNTIL={until}", start)
        last = list(recurrence.between(start))[-1]
        assert recurrence.describe(start) == f"every day until {last.day} April 2026"


@pytest.mark.parametrize(
    ("unit", "options", "code"),
    [
        ("fortnight", {}, "bad_unit"),
        ("day", {"interval": 0}, "bad_interval"),
        ("day", {"interval": 1.5}, "bad_interval"),
        ("day", {"count": 0}, "bad_count"),
        ("day", {"until": "2027-01-01"}, "bad_until"),
        ("day", {"count": 2, "until": dt.date(2027, 1, 1)}, "invalid"),
        ("week", {"on": "someday"}, "bad_on"),
        ("week", {"on": [1]}, "bad_on"),
        ("week", {"on": 7}, "bad_on"),
        ("week", {"week_start": "first"}, "bad_week_start"),
        ("week", {"nth": 2, "on": "MO"}, "invalid"),
        ("week", {"month_day": 2}, "invalid"),
        ("month", {"on": "MO"}, "invalid"),
        ("month", {"nth": 2}, "invalid"),
        ("month", {"nth": 5, "on": "MO"}, "bad_nth"),
        ("month", {"nth": True, "on": "MO"}, "bad_nth"),
        ("month", {"month_day": 0}, "bad_month_day"),
        ("month", {"month_day": 32}, "bad_month_day"),
        ("month", {"month_day": 1, "on": "MO", "nth": 1}, "invalid"),
        ("month", {"month": 2}, "invalid"),
        ("year", {"month": 13}, "bad_month"),
        ("year", {"on": "MO", "nth": 1}, "invalid"),
        ("year", {"month_day": 3}, "invalid"),
    ],
)
def test_what_cannot_be_built_says_what_to_pass(unit: Any, options: dict[str, Any], code: str) -> None:
    with pytest.raises(UsageError) as caught:
        Recurrence.every(unit, **options)
    assert caught.value.code == code
    assert isinstance(caught.value, InvalidRecurrence) == (code == "invalid")


def test_a_number_asked_for_is_whole() -> None:
    with pytest.raises(UsageError):
        Recurrence.every("day").first(START, 0)
