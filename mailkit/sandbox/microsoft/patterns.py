"""Recurrence as Outlook means it: a pattern and a range, tried on one day after the other.

A judge's own reading of learn.microsoft.com/graph/api/resources/recurrencepattern and recurrencerange, in dates alone.
Slow and plain on purpose, and pure.
"""

from __future__ import annotations

import calendar
import datetime as dt
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, cast

import attrs

__all__ = ["DAYS", "INDEXES", "Pattern"]

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
INDEXES = ("first", "second", "third", "fourth", "last")
# The members of a pattern that its type needs, and the largest interval (Exchange's RelativeMonthlyRecurrence: 1 to 99,
# DailyRecurrence: 1 to 999).
_NEEDS: Mapping[str, tuple[str, ...]] = {
    "daily": (),
    "weekly": ("daysOfWeek",),
    "absoluteMonthly": ("dayOfMonth",),
    "relativeMonthly": ("daysOfWeek",),
    "absoluteYearly": ("dayOfMonth", "month"),
    "relativeYearly": ("daysOfWeek", "month"),
}
_NO_DATE = "0001-01-01"
_ONE = dt.timedelta(days=1)


@attrs.frozen(kw_only=True)
class Pattern:
    """A ``patternedRecurrence``; weekdays are 0 (Monday) to 6. Neither ``end`` nor ``count``: it goes on for ever."""

    kind: str
    interval: int = 1
    days: frozenset[int] = frozenset()
    day: int = 0
    month: int = 0
    index: str = "first"
    week_start: int = 6
    start: dt.date
    end: dt.date | None = None
    count: int | None = None

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Pattern:
        """Read the JSON of a request; raises ValueError for what is none, or can never take place."""
        pattern, range_ = (_object(data, name) for name in ("pattern", "range"))
        kind = _member(pattern, "type", tuple(_NEEDS))
        extent = _member(range_, "type", ("endDate", "noEnd", "numbered"))
        needed = {name: pattern.get(name) for name in _NEEDS[kind]}
        if not all(needed.values()):
            raise ValueError(f"the type {kind} needs {', '.join(needed)}")
        read = cls(
            kind=kind,
            interval=_number(pattern.get("interval"), "interval", 999 if kind == "daily" else 99),
            days=frozenset(_one_of(day, DAYS, "daysOfWeek") for day in needed.get("daysOfWeek") or ()),
            day=_number(needed["dayOfMonth"], "dayOfMonth", 31) if "dayOfMonth" in needed else 0,
            month=_number(needed["month"], "month", 12) if "month" in needed else 0,
            index=INDEXES[_one_of(pattern.get("index") or "first", INDEXES, "index")],
            # recurrencepattern says of firstDayOfWeek that sunday is the default.
            week_start=_one_of(pattern.get("firstDayOfWeek") or "sunday", DAYS, "firstDayOfWeek"),
            start=_date(range_.get("startDate"), "startDate"),
            end=_date(range_.get("endDate"), "endDate") if extent == "endDate" else None,
            count=_number(range_.get("numberOfOccurrences"), "their number", 999) if extent == "numbered" else None,
        )
        if read.end is not None and not any(map(read.falls_on, _days(read.start, read.end))):
            raise ValueError("the recurrence ends before its first occurrence")
        return read

    def written(self, zone: str) -> dict[str, object]:
        """Write it as Graph does: members that mean nothing have a value all the same."""
        extent = "numbered" if self.count else "noEnd" if self.end is None else "endDate"
        return {
            "pattern": {
                "type": self.kind,
                "interval": self.interval,
                "month": self.month,
                "dayOfMonth": self.day,
                "daysOfWeek": [DAYS[day] for day in sorted(self.days, key=lambda day: (day + 1) % 7)],
                "firstDayOfWeek": DAYS[self.week_start],
                "index": self.index,
            },
            "range": {
                "type": extent,
                "startDate": self.start.isoformat(),
                "endDate": _NO_DATE if self.end is None else self.end.isoformat(),
                "recurrenceTimeZone": zone,
                "numberOfOccurrences": self.count or 0,
            },
        }

    def between(self, first: dt.date, last: dt.date) -> list[dt.date]:
        """Give the days from ``first`` to ``last``, both included, in order."""
        return _found(self).between(first, last)

    def falls_on(self, day: dt.date) -> bool:
        """Say whether the pattern names a day that is not before the start; the range's end is not looked at."""
        months = (day.year - self.start.year) * 12 + day.month - self.start.month
        match self.kind:
            case "daily":
                return (day - self.start).days % self.interval == 0
            case "weekly":
                weeks = (_week(day, self.week_start) - _week(self.start, self.week_start)).days // 7
                return day.weekday() in self.days and weeks % self.interval == 0
            case "absoluteMonthly":
                return months % self.interval == 0 and self._is_the_day(day)
            case "relativeMonthly":
                return months % self.interval == 0 and self._is_the_weekday(day)
        if day.month != self.month or (day.year - self.start.year) % self.interval:
            return False
        return self._is_the_day(day) if self.kind == "absoluteYearly" else self._is_the_weekday(day)

    def _is_the_day(self, day: dt.date) -> bool:
        # EWS, DayOfMonth: beyond the end of the month "the last day of the month is assumed".
        return day.day == min(self.day, calendar.monthrange(day.year, day.month)[1])

    def _is_the_weekday(self, day: dt.date) -> bool:
        # recurrencepattern: the index is "counted from the first instance in the month", of all the days together.
        if day.weekday() not in self.days:
            return False
        length = calendar.monthrange(day.year, day.month)[1]
        named = [n for n in range(1, length + 1) if day.replace(day=n).weekday() in self.days]
        place = -1 if self.index == "last" else INDEXES.index(self.index)
        return named[place] == day.day


class _Found:
    """The days of a pattern as far as they have been looked for."""

    def __init__(self, pattern: Pattern) -> None:
        self._pattern = pattern
        self._days: list[dt.date] = []
        self._next = pattern.start

    def between(self, first: dt.date, last: dt.date) -> list[dt.date]:
        pattern = self._pattern
        last = last if pattern.end is None else min(last, pattern.end)
        last = min(last, dt.date.max - _ONE)  # there is no day to look at after the last one
        while self._next <= last and (pattern.count is None or len(self._days) < pattern.count):
            if pattern.falls_on(self._next):
                self._days.append(self._next)
            self._next += _ONE
        return self._days[bisect_left(self._days, first) : bisect_right(self._days, last)]


@lru_cache(maxsize=256)
def _found(pattern: Pattern) -> _Found:
    return _Found(pattern)


def _days(first: dt.date, last: dt.date) -> Iterator[dt.date]:
    return (first + days * _ONE for days in range((last - first).days + 1))


def _week(day: dt.date, week_start: int) -> dt.date:
    return day - (day.weekday() - week_start) % 7 * _ONE


def _object(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name)
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} is missing")  # noqa: TRY004  # every unreadable recurrence is a ValueError
    return value


def _member(data: Mapping[str, Any], name: str, known: tuple[str, ...]) -> str:
    return known[_one_of(data.get(name), known, name)]


def _one_of(value: object, known: tuple[str, ...], name: str) -> int:
    lowered = [each.lower() for each in known]
    if not isinstance(value, str) or value.lower() not in lowered:
        raise ValueError(f"{name} is none of {', '.join(known)}")
    return lowered.index(value.lower())


def _number(value: object, name: str, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise ValueError(f"{name} is out of range")
    return value


def _date(value: object, name: str) -> dt.date:
    try:
        day = dt.date.fromisoformat(cast(str, value))
    except (TypeError, ValueError):
        raise ValueError(f"{name} is no date") from None
    if day.year == 1:
        raise ValueError(f"{name} is missing")
    return day
