"""An independent reader of recurrence rules, which tries every day: slow, plain, and sharing nothing with mailkit.

It takes the text of a rule and gives its days; Graph's patterns likewise, as JSON. Tests hold mailkit's expansion and
its translations against it.
"""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

_CODES = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
_NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_ONE = dt.timedelta(days=1)


def rule_days(text: str, start: dt.date, end: dt.date) -> Iterator[dt.date]:
    """Give the days of a rule from ``start`` to ``end``, without UNTIL; times of day are not looked at."""
    parts = dict(part.split("=") for part in text.split(";"))
    positions = {int(at) for at in parts["BYSETPOS"].split(",")} if "BYSETPOS" in parts else None
    left = int(parts.get("COUNT", 10**9))
    for days in _periods(parts, start, end):
        if positions is not None:
            days = [day for at, day in enumerate(days, 1) if {at, at - len(days) - 1} & positions]  # noqa: PLW2901
        for day in days:
            if start <= day <= end and left:
                left -= 1
                yield day


def _periods(parts: Mapping[str, str], start: dt.date, end: dt.date) -> Iterator[list[dt.date]]:
    """Try every day; give those that fit, day by day, week by week … for every INTERVAL-th from the start's."""
    interval, freq = int(parts.get("INTERVAL", 1)), parts["FREQ"]
    first_day = _CODES.index(parts.get("WKST", "MO"))

    def number(day: dt.date) -> int:
        match freq:
            case "DAILY":
                return day.toordinal()
            case "WEEKLY":
                return (day.toordinal() - 1 - first_day) // 7
            case "MONTHLY":
                return day.year * 12 + day.month
            case _:
                return _week_year(day, first_day)[0] if "BYWEEKNO" in parts else day.year

    phase = start.year if freq == "YEARLY" else number(start)
    tests = list(_tests(parts, start))
    held: dict[int, list[dt.date]] = {}
    day = start - dt.timedelta(days=366)
    while day <= end + dt.timedelta(days=373):  # a period is chosen from whole
        key = number(day)
        if key >= phase and (key - phase) % interval == 0 and all(fits(day) for fits in tests):
            held.setdefault(key, []).append(day)
        day += _ONE
    for key in sorted(held):
        yield held[key]


def _tests(parts: Mapping[str, str], start: dt.date) -> Iterator[Callable[[dt.date], bool]]:
    """Give one test of a day for each part of the rule, and for what it leaves to the start."""
    lists = {
        part: {int(value) for value in parts[part].split(",")}
        for part in ("BYMONTH", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO")
        if part in parts
    }
    if "BYMONTH" in lists:
        yield lambda day: day.month in lists["BYMONTH"]
    if "BYMONTHDAY" in lists:
        yield lambda day: bool({day.day, day.day - _month_length(day) - 1} & lists["BYMONTHDAY"])
    if "BYYEARDAY" in lists:
        yield lambda day: bool({_year_day(day), _year_day(day) - _year_length(day) - 1} & lists["BYYEARDAY"])
    if "BYWEEKNO" in lists:
        yield lambda day: _in_weeks(day, _CODES.index(parts.get("WKST", "MO")), lists["BYWEEKNO"])
    if "BYDAY" in parts:
        by_month = parts["FREQ"] == "MONTHLY" or "BYMONTH" in parts
        yield lambda day: any(_is_nth(code, day, by_month=by_month) for code in parts["BYDAY"].split(","))
    if not {"BYDAY", "BYMONTHDAY", "BYYEARDAY"} & set(parts):
        if parts["FREQ"] == "WEEKLY" or "BYWEEKNO" in parts:
            yield lambda day: day.weekday() == start.weekday()
        elif parts["FREQ"] in {"MONTHLY", "YEARLY"}:
            yield lambda day: day.day == start.day
            if parts["FREQ"] == "YEARLY" and "BYMONTH" not in parts:
                yield lambda day: day.month == start.month


def _month_length(day: dt.date) -> int:
    return calendar.monthrange(day.year, day.month)[1]


def _year_day(day: dt.date) -> int:
    return day.timetuple().tm_yday


def _year_length(day: dt.date) -> int:
    return 366 if calendar.isleap(day.year) else 365


def _in_weeks(day: dt.date, first_day: int, weeks: set[int]) -> bool:
    year, week = _week_year(day, first_day)
    last = _week_year(dt.date(year, 12, 28), first_day)[1]
    return bool({week, week - last - 1} & weeks)


def _is_nth(code: str, day: dt.date, *, by_month: bool) -> bool:
    """Tell by how many whole weeks of the month or year come before and after the day."""
    if code[-2:] != _CODES[day.weekday()]:
        return False
    if by_month:
        before, after = day.day - 1, _month_length(day) - day.day
    else:
        before, after = _year_day(day) - 1, _year_length(day) - _year_day(day)
    return len(code) == 2 or int(code[:-2]) in {before // 7 + 1, -(after // 7 + 1)}


def _week_year(day: dt.date, first_day: int) -> tuple[int, int]:
    """Give the year a week belongs to, which is that of its fourth day, and the week's number there."""
    begin = day - dt.timedelta(days=(day.weekday() - first_day) % 7)
    fourth = begin + dt.timedelta(days=3)
    return fourth.year, (fourth.timetuple().tm_yday - 1) // 7 + 1


def graph_days(recurrence: Mapping[str, Any], end: dt.date) -> Iterator[dt.date]:
    """Give the days of Graph's patternedRecurrence up to ``end``."""
    pattern, span = recurrence["pattern"], recurrence["range"]
    start = dt.date.fromisoformat(span["startDate"])
    left = span["numberOfOccurrences"] if span["type"] == "numbered" else 10**9
    last = min(end, dt.date.fromisoformat(span["endDate"])) if span["type"] == "endDate" else end
    day = start
    while day <= last and left:
        if _of_pattern(pattern, day, start):
            left -= 1
            yield day
        day += _ONE


def _of_pattern(pattern: Mapping[str, Any], day: dt.date, start: dt.date) -> bool:
    kind, interval = pattern["type"], pattern["interval"]
    length = calendar.monthrange(day.year, day.month)[1]
    if kind == "daily":
        return bool((day - start).days % interval == 0)
    if kind == "weekly":
        first_day = _NAMES.index(pattern.get("firstDayOfWeek", "sunday"))
        weeks = [(each.toordinal() - 1 - first_day) // 7 for each in (start, day)]
        return (weeks[1] - weeks[0]) % interval == 0 and _NAMES[day.weekday()] in pattern["daysOfWeek"]
    if kind.endswith("Yearly"):
        if day.month != pattern["month"] or (day.year - start.year) % interval:
            return False
    elif ((day.year - start.year) * 12 + day.month - start.month) % interval:
        return False
    if kind.startswith("absolute"):
        return bool(day.day == min(pattern["dayOfMonth"], length))
    return day.day == _nth_of(pattern["daysOfWeek"], pattern.get("index", "first"), day.replace(day=1), length)


def _nth_of(names: Sequence[str], index: str, first: dt.date, length: int) -> int:
    fitting = [n + 1 for n in range(length) if _NAMES[(first.weekday() + n) % 7] in names]
    return fitting[["first", "second", "third", "fourth"].index(index)] if index != "last" else fitting[-1]
