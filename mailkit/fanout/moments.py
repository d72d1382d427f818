"""Times as a caller gives them → aware datetimes with a zone, or dates. Nothing naive goes further than here.

A clock time that the zone skips moves forward by the gap, as both providers do.
"""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from mailkit.checks import refuse
from mailkit.errors import UsageError
from mailkit.fanout.request import zone_of
from mailkit.recurrence import Moment
from mailkit.scheduling import instant_of

__all__ = ["instant", "moment", "window"]

_WANTED = "a datetime, or a date for a whole day"
_YEARS = (1601, 9000)  # Windows' calendar begins with the one; behind the other no zone can be reckoned with
_WIDEST = dt.timedelta(days=36_525)


def moment(value: object, name: str, tz: ZoneInfo | None) -> Moment:
    """Give a date as it is, and a time with its ``ZoneInfo``; a naive time is one of ``tz``.

    A time that has an offset and no zone keeps its instant, and gets ``tz``, or UTC.

    Raises:
        UsageError: it is neither, or naive where no zone is given, or centuries away.
    """
    if isinstance(value, dt.date) and not _YEARS[0] <= value.year < _YEARS[1]:
        raise UsageError(f"{name} must be of a year from {_YEARS[0]} on, before {_YEARS[1]}", code="bad_year")
    if isinstance(value, dt.datetime):
        return _zoned(value, name, tz)
    if not isinstance(value, dt.date):
        refuse(value, name, _WANTED)
    return value


def instant(value: object, name: str, tz: ZoneInfo | None, *, days: ZoneInfo) -> dt.datetime:
    """Give a time as ``moment`` does, and of a date its midnight in ``days``."""
    found = moment(value, name, tz)
    return found if isinstance(found, dt.datetime) else dt.datetime.combine(found, dt.time(), days)


def window(
    start: object, end: object, *, tz: ZoneInfo | None, days: ZoneInfo, now: dt.datetime
) -> tuple[dt.datetime, dt.datetime | None]:
    """Give a window of time: from now on where there is no start, without end where there is none.

    Raises:
        UsageError: it ends before it begins, is wider than a century, or a time cannot be read.
    """
    first = now if start is None else instant(start, "start", tz, days=days)
    last = None if end is None else instant(end, "end", tz, days=days)
    if last is not None and instant_of(last, dt.UTC) <= instant_of(first, dt.UTC):
        raise UsageError("end must be after start; the end of a window is not part of it", code="bad_window")
    if last is not None and last - first > _WIDEST:
        raise UsageError(
            f"the window is wider than {_WIDEST.days} days; choose a nearer end, or read in several calls",
            code="bad_window",
        )
    return first, last


def _zoned(value: dt.datetime, name: str, tz: ZoneInfo | None) -> dt.datetime:
    if isinstance(value.tzinfo, ZoneInfo):
        return _existing(value, value.tzinfo)
    if value.tzinfo is None:
        if tz is None:
            raise UsageError(
                f"{name} has no zone; pass tz= (an IANA name, as in 'Europe/Berlin') or a datetime with a ZoneInfo",
                code="naive_time",
            )
        return _existing(value.replace(tzinfo=tz), tz)
    return value.astimezone(tz or zone_of(dt.UTC))


def _existing(value: dt.datetime, tz: ZoneInfo) -> dt.datetime:
    return value.astimezone(dt.UTC).astimezone(tz)
