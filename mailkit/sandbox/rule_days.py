"""Recurrence rules, read by testing one day after the other: is this day one of the rule's?

A judge's own reading of RFC 5545, 3.3.10 (with erratum 1913), in dates alone; times, zones and exceptions are
``series.py``'s. Slow and plain on purpose, and pure.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from bisect import bisect_left, bisect_right
from typing import Literal

import attrs

__all__ = ["Rule", "RuleDays"]

_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
_BY_DAY = re.compile(rf"([+-]?\d{{1,2}})?({'|'.join(_WEEKDAYS)})")
_UNTIL = re.compile(r"(\d{8})(?:T(\d{6})(Z?))?")
_DAY = dt.timedelta(days=1)
# How far each list of numbers may reach, and whether it counts from the end as well.
_NUMBERS = {
    "BYMONTH": (12, False),
    "BYMONTHDAY": (31, True),
    "BYYEARDAY": (366, True),
    "BYWEEKNO": (53, True),
    "BYSETPOS": (366, True),
}
# Only the time of the start itself: services of days and no smaller frequencies know no other.
_TIMES = ("BYHOUR", "BYMINUTE", "BYSECOND")
_KNOWN = ("FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "WKST", *_NUMBERS, *_TIMES)


@attrs.frozen(kw_only=True)
class Rule:
    """One ``RRULE``. ``until`` is a date, a naive (local) or a UTC datetime; weekdays are 0 (Monday) to 6.

    ``times`` are hour, minute and second where the rule says them.
    """

    frequency: Literal["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
    interval: int = 1
    count: int | None = None
    until: dt.date | dt.datetime | None = None
    week_start: int = 0
    by_day: tuple[tuple[int | None, int], ...] = ()
    by_month: tuple[int, ...] = ()
    by_month_day: tuple[int, ...] = ()
    by_year_day: tuple[int, ...] = ()
    by_week: tuple[int, ...] = ()
    positions: tuple[int, ...] = ()
    times: tuple[int | None, ...] = (None, None, None)

    @classmethod
    def read(cls, text: str) -> Rule:
        """Read what stands behind ``RRULE:``; raises ValueError."""
        parts: dict[str, str] = {}
        for part in text.strip().upper().removesuffix(";").split(";"):
            name, equals, value = part.partition("=")
            if not (equals and value) or name in parts or name not in _KNOWN:
                raise ValueError(f"not a part of a rule: {name}")
            parts[name] = value
        if parts.get("FREQ") not in _FREQUENCIES:
            raise ValueError("FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY")
        if "COUNT" in parts and "UNTIL" in parts:
            raise ValueError("COUNT and UNTIL exclude each other")
        numbers = {name: _numbers(name, parts[name]) for name in _NUMBERS if name in parts}
        rule = cls(
            frequency=parts["FREQ"],  # type: ignore[arg-type]  # one of the four, see above
            interval=_positive(parts.get("INTERVAL", "1")),
            count=_positive(parts["COUNT"]) if "COUNT" in parts else None,
            until=_until(parts["UNTIL"]) if "UNTIL" in parts else None,
            week_start=_WEEKDAYS.index(parts.get("WKST", "MO")),
            by_day=_days(parts["BYDAY"]) if "BYDAY" in parts else (),
            by_month=numbers.get("BYMONTH", ()),
            by_month_day=numbers.get("BYMONTHDAY", ()),
            by_year_day=numbers.get("BYYEARDAY", ()),
            by_week=numbers.get("BYWEEKNO", ()),
            positions=numbers.get("BYSETPOS", ()),
            times=tuple(int(parts[name]) if name in parts else None for name in _TIMES),
        )
        rule._check()
        return rule

    def _check(self) -> None:
        """Refuse what the RFC forbids."""
        yearly = self.frequency == "YEARLY"
        if any(number for number, _ in self.by_day) and (self.frequency not in ("MONTHLY", "YEARLY") or self.by_week):
            raise ValueError("numbered weekdays belong to months and years")
        if self.frequency == "WEEKLY" and self.by_month_day:
            raise ValueError("BYMONTHDAY does not belong to weeks")
        if (self.by_year_day or self.by_week) and not yearly:
            raise ValueError("BYYEARDAY and BYWEEKNO belong to years")
        if self.positions and not (
            self.by_day or self.by_month or self.by_month_day or self.by_year_day or self.by_week
        ):
            raise ValueError("BYSETPOS chooses among the days of another part")


class RuleDays:
    """The days of a rule that starts on ``start``, which is one of them whatever the rule says."""

    def __init__(self, rule: Rule, start: dt.date) -> None:
        self._rule = rule
        self._start = start
        self._found = [start]
        self._tested = start
        self._listed: tuple[int, list[dt.date]] = -1, []

    def between(self, first: dt.date, last: dt.date) -> list[dt.date]:
        """Give the days from ``first`` to ``last``, in order; ``COUNT`` is kept, ``UNTIL`` is not looked at."""
        while self._tested < last and (self._rule.count is None or len(self._found) < self._rule.count):
            self._tested += _DAY
            if self._is_due(self._tested):
                self._found.append(self._tested)
        return self._found[bisect_left(self._found, first) : bisect_right(self._found, last)]

    def _is_due(self, day: dt.date) -> bool:
        if self._period(day) % self._rule.interval or not self._is_named(day):
            return False
        if not self._rule.positions:
            return True
        candidates = self._candidates(day)
        place = candidates.index(day)
        return place + 1 in self._rule.positions or place - len(candidates) in self._rule.positions

    def _period(self, day: dt.date) -> int:
        """Number the day, week, month or year a day lies in, the start's being 0."""
        start = self._start
        if self._rule.frequency == "YEARLY":
            return day.year - start.year
        if self._rule.frequency == "MONTHLY":
            return (day.year - start.year) * 12 + day.month - start.month
        if self._rule.frequency == "WEEKLY":
            return (day - _week_begin(start, self._rule.week_start)).days // 7
        return (day - start).days

    def _candidates(self, day: dt.date) -> list[dt.date]:
        """Give all days of the day's period that the rule names, also those before the start."""
        period = self._period(day)
        if period != self._listed[0]:
            first = day
            while first > dt.date.min and self._period(first - _DAY) == period:
                first -= _DAY
            days = (first + n * _DAY for n in range(366))
            self._listed = period, [one for one in days if self._period(one) == period and self._is_named(one)]
        return self._listed[1]

    def _is_named(self, day: dt.date) -> bool:
        """Say whether every part of the rule names this day; what no part says, the start says."""
        rule, start = self._rule, self._start
        if rule.by_month and day.month not in rule.by_month:
            return False
        month = calendar.monthrange(day.year, day.month)[1]
        if rule.by_month_day and not {day.day, day.day - month - 1} & set(rule.by_month_day):
            return False
        year_day, year = day.timetuple().tm_yday, 366 if calendar.isleap(day.year) else 365
        if rule.by_year_day and not {year_day, year_day - year - 1} & set(rule.by_year_day):
            return False
        if rule.by_week and not set(_weeks(day, rule.week_start)) & set(rule.by_week):
            return False
        if rule.by_day:
            return any(self._is_weekday(day, number, weekday) for number, weekday in rule.by_day)
        if rule.by_month_day or rule.by_year_day:
            return True
        if rule.frequency == "WEEKLY" or rule.by_week:
            return day.weekday() == start.weekday()
        if rule.frequency == "YEARLY" and not rule.by_month and day.month != start.month:
            return False
        return rule.frequency == "DAILY" or day.day == start.day

    def _is_weekday(self, day: dt.date, number: int | None, weekday: int) -> bool:
        if day.weekday() != weekday:
            return False
        if number is None:
            return True
        if self._rule.frequency == "MONTHLY" or self._rule.by_month:
            place, length = day.day, calendar.monthrange(day.year, day.month)[1]
        else:
            place, length = day.timetuple().tm_yday, 366 if calendar.isleap(day.year) else 365
        return number in ((place - 1) // 7 + 1, -((length - place) // 7 + 1))


def _week_begin(day: dt.date, week_start: int) -> dt.date:
    return day - ((day.weekday() - week_start) % 7) * _DAY


def _weeks(day: dt.date, week_start: int) -> tuple[int, int]:
    """Number the day's week from the front and from the end of its year.

    Week 1 is the first with four days of the year, so the week belongs to the year of its fourth day (RFC 5545).
    """
    middle = _week_begin(day, week_start) + 3 * _DAY
    number = (middle.timetuple().tm_yday - 1) // 7 + 1
    left = (dt.date(middle.year, 12, 31) - middle).days // 7
    return number, -(left + 1)


def _positive(text: str) -> int:
    if not re.fullmatch(r"0*[1-9]\d{0,5}", text):
        raise ValueError("INTERVAL and COUNT must be positive numbers")
    return int(text)


def _numbers(name: str, text: str) -> tuple[int, ...]:
    most, negative = _NUMBERS[name]
    numbers = tuple(int(number) for number in text.split(","))
    if any(not 1 <= (abs(number) if negative else number) <= most for number in numbers):
        raise ValueError(f"{name} is out of range")
    return numbers


def _days(text: str) -> tuple[tuple[int | None, int], ...]:
    days: list[tuple[int | None, int]] = []
    for part in text.split(","):
        found = _BY_DAY.fullmatch(part)
        number = int(found[1]) if found and found[1] else None
        if found is None or number == 0:
            raise ValueError("BYDAY must list weekdays")
        days.append((number, _WEEKDAYS.index(found[2])))
    return tuple(days)


def _until(text: str) -> dt.date | dt.datetime:
    found = _UNTIL.fullmatch(text)
    if found is None:
        raise ValueError("UNTIL must be a date, or a date with time")
    if found[2] is None:
        return dt.datetime.strptime(found[1], "%Y%m%d").date()  # noqa: DTZ007  # a date has no zone
    moment = dt.datetime.strptime(found[1] + found[2], "%Y%m%d%H%M%S")  # noqa: DTZ007  # local time, unless Z says UTC
    return moment.replace(tzinfo=dt.UTC) if found[3] else moment
