"""From a rule to the wall clocks it names: RFC 5545's expansion, lazily, and bounded.

Works on naive wall clocks alone; zones, exceptions and windows are ``series``'s. python-dateutil is not used: it
intersects numbered and plain weekdays where RFC 5545 joins them, takes BYWEEKNO alone for all seven days, and searches
for a date that never comes up to the year 9999. The tests hold this against it where it is right, and against a reader
that tries every day.
"""

from __future__ import annotations

import datetime as dt
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator
from itertools import count, product
from typing import TypeAlias

import attrs

from mailkit.recurrence.rule import NthDay, Rule

__all__ = ["completed", "expand", "weekdays_between"]

_UNITS = {"HOURLY": 3600, "MINUTELY": 60, "SECONDLY": 1}

# The calendar repeats after 400 years, which are whole weeks: a rule that had nothing for so many periods in a row is
# where it has been before, so it never has anything again. For rules below a day the figure is a plain limit.
_BARREN = {"YEARLY": 400, "MONTHLY": 4_800, "WEEKLY": 20_871, "DAILY": 146_097}
_BARREN_TICKS = 250_000

_LAST_DAY = dt.date.max.toordinal()


def expand(
    rule: Rule, start: dt.datetime, *, after: dt.datetime | None = None, last: dt.datetime | None = None
) -> Iterator[dt.datetime]:
    """Give the wall clocks a rule names from ``start`` on, in order; COUNT is kept, UNTIL is the caller's.

    ``start`` is an occurrence only if the rule says so. Nothing is left out from ``after`` on, but what lies before may
    be, so that a window late in a long series is cheap; periods that begin after ``last`` are not looked at.
    """
    barren = given = 0
    limit = _BARREN.get(rule.freq, _BARREN_TICKS)
    skip_to = max(after, start) if after is not None and rule.count is None else start
    for first_day, moments in _periods(completed(rule, start), start, skip_to):
        if last is not None and first_day > last.toordinal():
            return
        hits = [moment for moment in _positioned(moments, rule.by_position) if moment >= start]
        barren = 0 if hits else barren + 1
        if barren > limit:
            return
        for moment in hits:
            yield moment
            given += 1
            if given == rule.count:
                return


def completed(rule: Rule, start: dt.datetime) -> Rule:
    """Fill in what a rule leaves to its start: the day, and the time of day (RFC 5545 3.3.10)."""
    some_day = rule.by_day or rule.by_month_day or rule.by_year_day
    if (rule.freq == "WEEKLY" or rule.by_week) and not some_day:
        rule = attrs.evolve(rule, by_day=(NthDay(start.weekday()),))
    elif rule.freq in {"MONTHLY", "YEARLY"} and not some_day:
        rule = attrs.evolve(rule, by_month_day=(start.day,))
        if rule.freq == "YEARLY":
            rule = attrs.evolve(rule, by_month=rule.by_month or (start.month,))
    unit = _UNITS.get(rule.freq, 86_400)
    return attrs.evolve(
        rule,
        by_hour=rule.by_hour or ((start.hour,) if unit > 3600 else ()),
        by_minute=rule.by_minute or ((start.minute,) if unit > 60 else ()),
        by_second=rule.by_second or ((start.second,) if unit > 1 else ()),
    )


def _positioned(moments: list[dt.datetime], positions: tuple[int, ...]) -> list[dt.datetime]:
    wanted = {at - 1 if at > 0 else len(moments) + at for at in positions}
    return [moment for index, moment in enumerate(moments) if index in wanted] if positions else moments


_Days: TypeAlias = Iterator[tuple[int, set[int]]]


def _periods(rule: Rule, start: dt.datetime, skip_to: dt.datetime) -> Iterator[tuple[int, list[dt.datetime]]]:
    """Go through the years, months … that the rule visits: each with its first day and the wall clocks it holds."""
    if rule.freq in _UNITS:
        yield from _ticks(rule, start, skip_to)
        return
    times = sorted(dt.time(*clock) for clock in product(rule.by_hour, rule.by_minute, _seconds(rule)))
    for first_day, days in _DAYS[rule.freq](rule, start, skip_to):
        dates = map(dt.date.fromordinal, sorted(days))
        yield first_day, [dt.datetime.combine(date, time) for date in dates for time in times]


def _seconds(rule: Rule) -> list[int]:
    return [second for second in rule.by_second if second < 60]  # no clock here ever shows a leap second


def _steps(first: int, interval: int, wanted: int) -> Iterator[int]:
    """Count periods up from ``first``, beginning a little before ``wanted``."""
    return count(first + max(0, (wanted - first) // interval - 1) * interval, interval)


def _years(rule: Rule, start: dt.datetime, skip_to: dt.datetime) -> _Days:
    days_of_year = _days_of_weeks if rule.by_week else _days_of_year
    for year in _steps(start.year, rule.interval, skip_to.year):
        if year > dt.MAXYEAR:
            return
        yield dt.date(year, 1, 1).toordinal() - 6, days_of_year(rule, year)  # week 1 may begin in December


def _months(rule: Rule, start: dt.datetime, skip_to: dt.datetime) -> _Days:
    for index in _steps(_month_index(start), rule.interval, _month_index(skip_to)):
        year, month = index // 12, index % 12 + 1
        if year > dt.MAXYEAR:
            return
        bounds = _month(year, month)
        visited = not rule.by_month or month in rule.by_month
        yield bounds[0], _chosen(rule, [bounds], [bounds]) if visited else set()


def _weeks(rule: Rule, start: dt.datetime, skip_to: dt.datetime) -> _Days:
    fits = _day_test(rule)
    first = start.toordinal()
    first -= (start.weekday() - (rule.week_start or 0)) % 7
    for week in _steps(first, 7 * rule.interval, skip_to.toordinal()):
        if week > _LAST_DAY:
            return
        yield week, {day for day in range(max(week, 1), min(week + 7, _LAST_DAY + 1)) if fits(day)}


def _days(rule: Rule, start: dt.datetime, skip_to: dt.datetime) -> _Days:
    fits = _day_test(rule)
    for day in _steps(start.toordinal(), rule.interval, skip_to.toordinal()):
        if day > _LAST_DAY:
            return
        yield day, {day} if fits(day) else set()


_DAYS: dict[str, Callable[[Rule, dt.datetime, dt.datetime], _Days]] = {
    "YEARLY": _years,
    "MONTHLY": _months,
    "WEEKLY": _weeks,
    "DAILY": _days,
}


def _ticks(rule: Rule, start: dt.datetime, skip_to: dt.datetime) -> Iterator[tuple[int, list[dt.datetime]]]:
    """Go through the hours, minutes or seconds that a rule visits, over days that do not fit in one step."""
    unit = _UNITS[rule.freq]
    origin = start.replace(minute=start.minute if unit < 3600 else 0, second=start.second if unit < 60 else 0)
    fits = _day_test(rule)
    try:
        step = dt.timedelta(seconds=unit * rule.interval)
        tick = origin + max(0, (skip_to - origin) // step - 1) * step
        while True:
            day = tick.toordinal()
            if fits(day):
                yield day, _moments_of_tick(rule, tick, unit)
                tick += step
            else:
                yield day, []
                midnight = dt.datetime.combine(dt.date.fromordinal(day + 1), dt.time())
                tick = origin - (origin - midnight) // step * step  # the first one visited from midnight on
    except (OverflowError, ValueError):  # the end of the calendar
        return


def _moments_of_tick(rule: Rule, tick: dt.datetime, unit: int) -> list[dt.datetime]:
    if (
        (rule.by_hour and tick.hour not in rule.by_hour)
        or (unit <= 60 and rule.by_minute and tick.minute not in rule.by_minute)
        or (unit == 1 and rule.by_second and tick.second not in rule.by_second)
    ):
        return []
    minutes = rule.by_minute if unit > 60 else (tick.minute,)
    seconds = _seconds(rule) if unit > 1 else (tick.second,)
    return sorted(tick.replace(minute=minute, second=second) for minute, second in product(minutes, seconds))


def _day_test(rule: Rule) -> Callable[[int], bool]:
    """Tell whether a day (its ordinal) is in all of a rule's lists, for rules whose weekdays have no numbers."""
    weekdays = {day.day for day in rule.by_day}

    def fits(day: int) -> bool:
        if weekdays and (day - 1) % 7 not in weekdays:  # ordinal 1 is a Monday
            return False
        if not (rule.by_month or rule.by_month_day or rule.by_year_day):
            return True
        date = dt.date.fromordinal(day)
        if rule.by_month and date.month not in rule.by_month:
            return False
        if rule.by_month_day and day not in _numbered(rule.by_month_day, *_month(date.year, date.month)):
            return False
        return not rule.by_year_day or day in _numbered(rule.by_year_day, *_year(date.year))

    return fits


def weekdays_between(days: Iterable[NthDay], first: int, last: int) -> set[int]:
    """Give the days (ordinals) from ``first`` to ``last`` that are one of these weekdays, or the nth of their kind."""
    found: set[int] = set()
    for day in days:
        of_kind = range(first + (day.day + 1 - first) % 7, last + 1, 7)
        if day.nth is None:
            found.update(of_kind)
        elif abs(day.nth) <= len(of_kind):
            found.add(of_kind[day.nth - 1 if day.nth > 0 else day.nth])
    return found


def _numbered(numbers: Iterable[int], first: int, last: int) -> set[int]:
    """Give the days from ``first`` to ``last`` that have these numbers, counted from 1, or from the end if negative."""
    days = (first + number - 1 if number > 0 else last + 1 + number for number in numbers)
    return {day for day in days if first <= day <= last}


def _month_index(moment: dt.datetime) -> int:
    return moment.year * 12 + moment.month - 1


def _month(year: int, month: int) -> tuple[int, int]:
    first = dt.date(year, month, 1).toordinal()
    return first, first + monthrange(year, month)[1] - 1


def _year(year: int) -> tuple[int, int]:
    return dt.date(year, 1, 1).toordinal(), dt.date(year, 12, 31).toordinal()


def _days_of_year(rule: Rule, year: int) -> set[int]:
    months = [_month(year, month) for month in rule.by_month or range(1, 13)]
    # RFC 5545 3.3.10, note 2: numbered weekdays count in the months of BYMONTH, else in the year.
    days = _chosen(rule, months, months if rule.by_month else [_year(year)])
    return days & _numbered(rule.by_year_day, *_year(year)) if rule.by_year_day else days


def _chosen(rule: Rule, months: list[tuple[int, int]], spans: list[tuple[int, int]]) -> set[int]:
    """Give the days of ``months`` with the month days and weekdays asked for; the latter count in ``spans``."""
    if rule.by_month_day:
        days = set[int]().union(*(_numbered(rule.by_month_day, *month) for month in months))
    else:
        days = set[int]().union(*(range(first, last + 1) for first, last in months))
    if rule.by_day:
        days &= set[int]().union(*(weekdays_between(rule.by_day, *span) for span in spans))
    return days


def _days_of_weeks(rule: Rule, year: int) -> set[int]:
    """Week 1 is the first with four days in the year (RFC 5545 3.3.10, BYWEEKNO), so it may begin in December."""
    fits = _day_test(rule)
    first, after_last = _week_one(rule, year), _week_one(rule, year + 1)
    weeks = _numbered(rule.by_week, 0, (after_last - first) // 7 - 1)
    return {
        day
        for week in weeks
        for day in range(first + 7 * week, first + 7 * week + 7)
        if 0 < day <= _LAST_DAY and fits(day)
    }


def _week_one(rule: Rule, year: int) -> int:
    fourth = dt.date(year, 1, 4).toordinal() if year <= dt.MAXYEAR else _LAST_DAY + 4
    return fourth - (fourth - 1 - (rule.week_start or 0)) % 7
