"""Where a series is to be, out of the times that are named with one of its occurrences. Pure."""

from __future__ import annotations

import datetime as dt
from typing import TypedDict

from mailkit.models.calendar import Event
from mailkit.providers.calendar import UNSET, EventFields
from mailkit.recurrence import Moment
from mailkit.recurrence.moments import on_clock, zone_of

__all__ = ["NamedTimes", "on_series"]


class NamedTimes(TypedDict, total=False):
    """Start and end, as far as they are named."""

    start: Moment
    end: Moment


def on_series(fields: EventFields, occurrence: Event, series: Event) -> NamedTimes:
    """Give the times of a series for those named with one of its occurrences: moved by as many days, at that time."""
    named: NamedTimes = {}
    if fields.start is not UNSET:
        named["start"] = _placed(fields.start, _day(fields.start) - _day(occurrence.start), _day(series.start))
    if fields.end is not UNSET:
        named["end"] = _placed(fields.end, _day(fields.end) - _day(occurrence.start), _day(series.start))
    elif fields.start is not UNSET and isinstance(fields.start, dt.datetime) is not occurrence.is_all_day:
        # The end stays as far from the start of its occurrence as it is.
        named["end"] = _placed(occurrence.end, _day(occurrence.end) - _day(occurrence.start), _day(series.start))
    return named


def _placed(moment: Moment, days: dt.timedelta, base: dt.date) -> Moment:
    """Give the time of day of a moment on another day: so many days from ``base``."""
    day = base + days
    if not isinstance(moment, dt.datetime):
        return day
    wall = dt.datetime.combine(day, moment.replace(tzinfo=None).time())
    return on_clock(wall, zone_of(moment))


def _day(moment: Moment) -> dt.date:
    return moment.date() if isinstance(moment, dt.datetime) else moment
