"""The builder's rules: what a caller names in words becomes a ``Rule``, or is refused by the name of the parameter."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Literal, TypeAlias

from mailkit.checks import refuse, several, whole
from mailkit.errors import UsageError
from mailkit.recurrence.moments import Moment
from mailkit.recurrence.rule import WEEKDAYS, Frequency, NthDay, Rule, invalid

__all__ = ["DAY_NAMES", "MONTH_NAMES", "Unit", "rule_every"]

Unit: TypeAlias = Literal["day", "week", "month", "year"]

# English, whatever the machine's locale is.
DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTH_NAMES = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

_FREQUENCIES: dict[Unit, Frequency] = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY"}
_SPELLED = {
    spelling: number
    for number, (code, name) in enumerate(zip(WEEKDAYS, DAY_NAMES, strict=True))
    for spelling in (code.casefold(), name[:3].casefold(), name.casefold())
}


def rule_every(
    unit: Unit,
    interval: int,
    *,
    on: str | Sequence[str],
    nth: int | None,
    month_day: int | None,
    month: int | None,
    count: int | None,
    until: Moment | None,
    week_start: str | None,
) -> Rule:
    """Make the rule of ``Recurrence.every``."""
    if unit not in _FREQUENCIES:
        refuse(unit, "unit", "'day', 'week', 'month' or 'year'")
    days = tuple(dict.fromkeys(_weekday(day, "on") for day in several(on, "on", str, "weekdays, such as 'MO'")))
    long = unit in {"month", "year"}
    if (nth is not None or month_day is not None) and not long:
        raise invalid("nth and month_day go with 'month' or 'year'")
    if month is not None and unit != "year":
        raise invalid("month goes with 'year'")
    if (nth is None) != (not days) and long:
        raise invalid("in a month or year, on and nth go together: on='TU', nth=2 is the second Tuesday")
    if nth is not None and (not _is_whole(nth) or nth not in {1, 2, 3, 4, -1}):
        refuse(nth, "nth", "1, 2, 3, 4, or -1 for the last")
    if month_day is not None:
        if days:
            raise invalid("name a day of the month, or weekdays with nth, not both")
        if not _is_whole(month_day) or not 1 <= abs(month_day) <= 31:
            refuse(month_day, "month_day", "a day of the month from 1 to 31, or -1 for the last")
    if unit == "year" and month is None and (nth is not None or month_day is not None):
        raise invalid("say which month: every('year', month=11, on='TH', nth=4)")
    one = len(days) == 1
    return Rule(
        freq=_FREQUENCIES[unit],
        interval=whole(interval, "interval"),
        by_month=() if month is None else (whole(month, "month", most=12),),
        by_month_day=() if month_day is None else (month_day,),
        by_day=tuple(NthDay(day, nth if one else None) for day in days),
        by_position=() if nth is None or one else (nth,),
        week_start=None if week_start is None else _weekday(week_start, "week_start"),
        count=None if count is None else whole(count, "count"),
        until=None if until is None else _end(until),
    )


def _weekday(day: object, name: str) -> int:
    number = _SPELLED.get(day.strip().casefold()) if isinstance(day, str) else None
    if number is None:
        refuse(day, name, "a weekday: MO, TU, WE, TH, FR, SA, SU, or its English name")
    return number


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _end(until: object) -> Moment:
    if not isinstance(until, dt.date):
        refuse(until, "until", "a date, which is the last day, or an aware datetime")
    if isinstance(until, dt.datetime) and until.tzinfo is None:
        raise UsageError("until is a date, or a datetime with a zone", code="naive_datetime")
    return until
