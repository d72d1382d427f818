"""The hours in which people work, as wall-clock times of a zone. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator

import attrs

from mailkit.checks import refuse, several
from mailkit.scheduling.stretches import Stretch

__all__ = ["WorkingHours"]

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def _days(value: str | Iterable[str]) -> tuple[str, ...]:
    named = several(value, "days", str, "weekdays as MO, TU, WE, TH, FR, SA, SU")
    days = tuple(day.upper() for day in named)
    if not days or not set(days) <= set(_DAYS):
        refuse(value, "days", "one or several of MO, TU, WE, TH, FR, SA, SU")
    return days


def _time(value: dt.time | str) -> dt.time:
    try:
        time = dt.time.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        time = None
    if not isinstance(time, dt.time) or time.tzinfo is not None:
        refuse(value, "a working hour", "a time of day without a zone, as in '09:00'", code="bad_working_hours")
    return time


@attrs.frozen(kw_only=True)
class WorkingHours:
    """From when to when people work, on which days (RFC 5545 weekdays); an end not after the start is on the next day.

    Raises:
        UsageError: a time or a day cannot be one.

    Example:
        ```python
        from mailkit import WorkingHours

        hours = WorkingHours(start="08:30", end="16:00", days=["MO", "TU", "TH"])
        ```
    """

    start: dt.time = attrs.field(default=dt.time(9), converter=_time)
    end: dt.time = attrs.field(default=dt.time(17), converter=_time)
    days: tuple[str, ...] = attrs.field(default=("MO", "TU", "WE", "TH", "FR"), converter=_days)

    def stretches(self, within: Stretch, tz: dt.tzinfo) -> Iterator[Stretch]:
        """Give the working time in ``within``, day by day of ``tz``; where clocks change, a day has other hours."""
        first = dt.datetime.fromtimestamp(within[0], tz).date() - dt.timedelta(days=1)
        last = dt.datetime.fromtimestamp(within[1], tz).date()
        days = 0 if self.end > self.start else 1
        for number in range((last - first).days + 1):
            day = first + dt.timedelta(days=number)
            if _DAYS[day.weekday()] in self.days:
                start = dt.datetime.combine(day, self.start, tz).timestamp()
                end = dt.datetime.combine(day + dt.timedelta(days=days), self.end, tz).timestamp()
                left, right = max(start, within[0]), min(end, within[1])
                if left < right:
                    yield (left, right)
