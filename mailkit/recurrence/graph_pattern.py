"""Microsoft Graph's recurrence pattern as a record: what it may hold, how it is written, and the dates it means.

learn.microsoft.com/graph/api/resources/recurrencepattern. Where that page leaves the meaning open: a day past the
month's end falls on its last day (learn.microsoft.com/exchange/client-developer/web-service-reference/dayofmonth), and
an index counts in the union of the days ([MS-OXCICAL] 2.1.3.2.2.5 writes BYDAY=list;BYSETPOS=n for it).
"""

from __future__ import annotations

import datetime as dt
from calendar import monthrange
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Literal, TypeAlias, get_args

import attrs

from mailkit.recurrence.rule import invalid

__all__ = ["GRAPH_DAYS", "GRAPH_INDEXES", "GraphPattern", "PatternType", "member"]

PatternType: TypeAlias = Literal[
    "daily", "weekly", "absoluteMonthly", "relativeMonthly", "absoluteYearly", "relativeYearly"
]

GRAPH_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
"""Graph's weekdays in the order of ``date.weekday()``."""

GRAPH_INDEXES = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}

_TYPES: dict[str, PatternType] = {name.casefold(): name for name in get_args(PatternType)}


def member(data: Mapping[str, object], name: str, kind: type) -> object:
    """Take a member of Graph's JSON, None where it is missing.

    Raises:
        InvalidRecurrence: it is of another kind.
    """
    value = data.get(name)
    if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
        raise invalid(f"{name} of this recurrence is not what Microsoft Graph documents")
    return value


@attrs.frozen(kw_only=True)
class GraphPattern:
    """A recurrencePattern with the members its type uses; weekdays are 0 (Monday) to 6, ``index`` 1 to 4 or -1."""

    type: PatternType
    interval: int = 1
    days: tuple[int, ...] = ()
    first_day: int = 6
    index: int = 1
    day_of_month: int = 0
    month: int = 0

    @classmethod
    def read(cls, data: Mapping[str, object]) -> GraphPattern:
        """Read Graph's JSON; members that the type does not use are passed over, for Graph fills them with zeros.

        Raises:
            InvalidRecurrence: the pattern means nothing (``invalid``).
        """
        kind = _TYPES.get(str(data.get("type")).casefold())
        if kind is None:
            raise invalid("the type of this pattern is none that Microsoft Graph documents")
        return cls(
            type=kind,
            interval=_number(data, "interval", 1, 10**6),
            days=_weekdays(data) if kind == "weekly" or kind.startswith("relative") else (),
            first_day=_weekday(data.get("firstDayOfWeek") or "sunday") if kind == "weekly" else 6,
            index=_index(data) if kind.startswith("relative") else 1,
            day_of_month=_number(data, "dayOfMonth", 1, 31) if kind.startswith("absolute") else 0,
            month=_number(data, "month", 1, 12) if kind.endswith("Yearly") else 0,
        )

    def to_dict(self) -> dict[str, object]:
        """Write Graph's JSON, with the members that the type uses."""
        data: dict[str, object] = {"type": self.type, "interval": self.interval}
        if self.days:
            data["daysOfWeek"] = [GRAPH_DAYS[day] for day in self.days]
        if self.type == "weekly":
            data["firstDayOfWeek"] = GRAPH_DAYS[self.first_day]
        if self.type.startswith("relative"):
            data["index"] = next(name for name, index in GRAPH_INDEXES.items() if index == self.index)
        if self.type.startswith("absolute"):
            data["dayOfMonth"] = self.day_of_month
        if self.type.endswith("Yearly"):
            data["month"] = self.month
        return data

    def dates(self, start: dt.date) -> Iterator[dt.date]:
        """Give the dates from ``start`` on, up to the end of the calendar; ``start`` itself need not be one."""
        try:
            for date in self._dates(start):
                if date >= start:
                    yield date
        except (OverflowError, ValueError):  # the end of the calendar
            return

    def _dates(self, start: dt.date) -> Iterator[dt.date]:
        match self.type:
            case "daily":
                for days in count(0, self.interval):
                    yield start + dt.timedelta(days=days)
            case "weekly":
                offsets = sorted((day - self.first_day) % 7 for day in self.days)
                before = (start.weekday() - self.first_day) % 7
                for weeks in count(0, self.interval):
                    for offset in offsets:
                        if (days := 7 * weeks + offset - before) >= 0:
                            yield start + dt.timedelta(days=days)
            case _:
                first, step = start.year * 12 + start.month - 1, self.interval
                if self.type.endswith("Yearly"):
                    first, step = start.year * 12 + self.month - 1, 12 * self.interval
                for month in count(first, step):
                    yield self._day_of(month // 12, month % 12 + 1)

    def _day_of(self, year: int, month: int) -> dt.date:
        weekday, length = monthrange(year, month)
        if self.type.startswith("absolute"):
            return dt.date(year, month, min(self.day_of_month, length))
        fitting = [day for day in range(1, length + 1) if (weekday + day - 1) % 7 in self.days]
        return dt.date(year, month, fitting[self.index - 1 if self.index > 0 else -1])


def _number(data: Mapping[str, object], name: str, least: int, most: int) -> int:
    value = member(data, name, int)
    if not isinstance(value, int) or not least <= value <= most:
        raise invalid(f"{name} of this pattern must be from {least} to {most}")
    return value


def _weekdays(data: Mapping[str, object]) -> tuple[int, ...]:
    days = member(data, "daysOfWeek", list)
    if not isinstance(days, list) or not days:
        raise invalid("a pattern of this type needs daysOfWeek")
    return tuple(sorted({_weekday(day) for day in days}))


def _weekday(name: object) -> int:
    lowered = str(name).casefold()
    if lowered not in GRAPH_DAYS:
        raise invalid("a weekday of this pattern is none")
    return GRAPH_DAYS.index(lowered)


def _index(data: Mapping[str, object]) -> int:
    index = GRAPH_INDEXES.get(str(data.get("index") or "first").casefold())  # first is Graph's default
    if index is None:
        raise invalid("index of this pattern is first, second, third, fourth or last")
    return index
