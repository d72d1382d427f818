"""What moving a series does to its dates. Pure.

Dates that are left out, and the last one, belong to days: they move along with the start, and take its time of day.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import TypedDict

import attrs

from mailkit.models.calendar import Event
from mailkit.providers.calendar import UNSET, EventFields
from mailkit.recurrence import Moment, Recurrence
from mailkit.recurrence.moments import on_clock, wall_clock, zone_of

__all__ = ["NamedTimes", "after_cut", "days_between", "moved", "on_series", "placed"]


class NamedTimes(TypedDict, total=False):
    """Start and end, as far as they are named."""

    start: Moment
    end: Moment


def on_series(fields: EventFields, occurrence: Event, series: Event) -> NamedTimes:
    """Give the times of a series for those named with one of its occurrences: moved by as many days, at that time."""
    named: NamedTimes = {}
    if fields.start is not UNSET:
        named["start"] = placed(fields.start, _day(fields.start) - _day(occurrence.start), _day(series.start))
    if fields.end is not UNSET:
        named["end"] = placed(fields.end, _day(fields.end) - _day(occurrence.start), _day(series.start))
    elif fields.start is not UNSET and isinstance(fields.start, dt.datetime) is not occurrence.is_all_day:
        # The end stays as far from the start of its occurrence as it is.
        named["end"] = placed(occurrence.end, _day(occurrence.end) - _day(occurrence.start), _day(series.start))
    return named


def placed(moment: Moment, days: dt.timedelta, base: dt.date) -> Moment:
    """Give the time of day of a moment on another day: so many days from ``base``."""
    day = base + days
    if not isinstance(moment, dt.datetime):
        return day
    wall = dt.datetime.combine(day, moment.replace(tzinfo=None).time())
    return on_clock(wall, zone_of(moment))


def moved(recurrence: Recurrence, start: Moment, *, days: dt.timedelta) -> Recurrence:
    """Give the recurrence of a series that starts at ``start`` with its days moved; times go with its new start."""
    rule = recurrence.rule
    if rule.until is not None:
        rule = attrs.evolve(rule, until=_local_day(rule.until, start) + days)
    return attrs.evolve(
        recurrence, rule=rule, exdates=tuple(_local_day(each, start) + days for each in recurrence.exdates)
    )


def days_between(old: Moment, new: Moment) -> dt.timedelta:
    """Give how far the day of one moment is from that of another, each by its own clocks."""
    return _day(new) - _day(old)


def after_cut(recurrence: Recurrence, start: Moment, cut: Moment) -> Recurrence:
    """Give what is left of a series from one of its occurrences on."""
    rule = recurrence.rule
    if rule.count is not None:
        whole = attrs.evolve(recurrence, exdates=())  # those that are left out count, too
        rule = attrs.evolve(rule, count=rule.count - _length(whole.between(start, before=cut)))
    first = _local_day(cut, start)
    kept = tuple(each for each in recurrence.exdates if _local_day(each, start) >= first)
    return attrs.evolve(recurrence, rule=rule, exdates=kept)


def _day(moment: Moment) -> dt.date:
    return moment.date() if isinstance(moment, dt.datetime) else moment


def _local_day(moment: Moment, start: Moment) -> dt.date:
    """Give the day of a moment by the clocks of the series that starts at ``start``."""
    return wall_clock(moment, zone_of(start)).date()


def _length(moments: Iterable[Moment]) -> int:
    return sum(1 for _ in moments)
