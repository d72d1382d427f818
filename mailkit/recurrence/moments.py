"""Dates and times of a series: how RFC 5545 writes them, and what a wall clock in a zone means.

All-day series have dates; timed ones aware datetimes with a ``ZoneInfo``. A naive datetime here is a wall clock whose
zone stands beside it. Nothing here knows a rule, and nothing reads a clock.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import TypeAlias
from zoneinfo import ZoneInfo

from mailkit.errors import InvalidRecurrence, UsageError

__all__ = [
    "UTC",
    "Moment",
    "absolute",
    "fitted",
    "in_zone",
    "on_clock",
    "read_moment",
    "wall_clock",
    "write_moment",
    "zone_of",
]

Moment: TypeAlias = dt.date | dt.datetime
"""A day of an all-day series, or an aware datetime of a timed one."""

UTC = ZoneInfo("UTC")

_MOMENT = re.compile(r"(?P<day>[0-9]{8})(?P<time>T[0-9]{6})?(?P<utc>Z)?")


def read_moment(text: str, zone: ZoneInfo | None = None) -> Moment:
    """Read ``20260301``, ``20260301T090000`` (naive, or the wall clock of ``zone``) or ``20260301T090000Z``.

    Raises:
        InvalidRecurrence: it is none of these, or no day of the calendar (``invalid``).
    """
    found = _MOMENT.fullmatch(text.strip().upper())
    try:
        if found is None or (found["utc"] and not found["time"]):
            raise ValueError
        naive = dt.datetime.fromisoformat(found["day"] + (found["time"] or ""))
    except ValueError:
        raise InvalidRecurrence(
            "write the dates of a recurrence as 20260301, 20260301T090000 or 20260301T090000Z", code="invalid"
        ) from None
    if not found["time"]:
        return naive.date()
    if found["utc"]:
        return naive.replace(tzinfo=UTC)
    return naive if zone is None else on_clock(naive, zone)


def write_moment(moment: Moment) -> str:
    """Write a date, a wall clock, or an instant in UTC, as RFC 5545 does."""
    if not isinstance(moment, dt.datetime):
        return moment.isoformat().replace("-", "")
    zulu = "" if moment.tzinfo is None else "Z"
    naive = moment if moment.tzinfo is None else in_zone(moment, dt.UTC).replace(tzinfo=None)
    return naive.replace(microsecond=0).isoformat().replace("-", "").replace(":", "") + zulu


def zone_of(start: Moment, day_zone: ZoneInfo | None = None) -> ZoneInfo:
    """Give the zone a series lives in: that of its start; for an all-day series ``day_zone``, else UTC.

    Raises:
        UsageError: the start is no date or datetime (``bad_start``), or a naive datetime (``naive_datetime``).
        InvalidRecurrence: the start has an offset instead of a zone (``no_zone``): it would shift when clocks change.
    """
    if not isinstance(start, dt.datetime):
        if not isinstance(start, dt.date):
            raise UsageError("a series starts at a date or an aware datetime", code="bad_start")
        return day_zone or UTC
    if start.tzinfo is None:
        raise UsageError(
            "give the start of a series a zone: datetime(…, tzinfo=ZoneInfo('Europe/Paris'))", code="naive_datetime"
        )
    if start.tzinfo is dt.UTC:
        return UTC
    if not isinstance(start.tzinfo, ZoneInfo):
        raise InvalidRecurrence(
            "a series needs a zone, since an offset is wrong after the next clock change; use a ZoneInfo",
            code="no_zone",
        )
    return start.tzinfo


def wall_clock(moment: Moment, zone: ZoneInfo) -> dt.datetime:
    """Give what the clocks of ``zone`` show at a moment, naive, in whole seconds; midnight for a date."""
    if not isinstance(moment, dt.datetime):
        return dt.datetime.combine(moment, dt.time())
    local = moment if moment.tzinfo in (None, zone) else in_zone(moment, zone)
    return local.replace(tzinfo=None, fold=0, microsecond=0)


def on_clock(wall: dt.datetime, zone: ZoneInfo) -> dt.datetime:
    """Give the moment when the clocks of ``zone`` show ``wall``.

    What they show twice is the first time; what they skip moves forward by the gap, as both providers do.
    """
    return in_zone(in_zone(wall.replace(tzinfo=zone), dt.UTC), zone)


def in_zone(moment: dt.datetime, zone: dt.tzinfo) -> dt.datetime:
    """Give an aware moment in another zone; the first or last there is, where the calendar does not reach."""
    try:
        return moment.astimezone(zone)
    except OverflowError:
        if moment.year == dt.MINYEAR:
            return dt.datetime.min.replace(tzinfo=zone)
        return dt.datetime.max.replace(tzinfo=zone)


def absolute(moment: Moment) -> Moment:
    """Give what compares rightly: a time in UTC, a day as it is.

    Of the hour that clocks show twice Python takes two times of one zone for the same, and no two of two zones.
    """
    return in_zone(moment, dt.UTC) if isinstance(moment, dt.datetime) else moment


def fitted(moment: Moment, start: Moment, zone: ZoneInfo) -> Moment:
    """Make a moment of the start's kind: its day in ``zone``, or on that day the start's time."""
    if not isinstance(start, dt.datetime):
        return wall_clock(moment, zone).date()
    if isinstance(moment, dt.datetime):
        return on_clock(moment, zone) if moment.tzinfo is None else in_zone(moment, zone)
    return on_clock(dt.datetime.combine(moment, wall_clock(start, zone).time()), zone)
