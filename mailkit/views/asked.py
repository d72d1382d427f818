"""The day and the zone that somebody wants to see, looked at before anything is shown. Pure."""

from __future__ import annotations

import datetime as dt

from mailkit.checks import refuse
from mailkit.recurrence import zone_named

__all__ = ["day_asked", "zone_asked"]


def zone_asked(tz: object) -> dt.tzinfo:
    """Give the zone of that name, or the zone itself.

    Raises:
        UsageError: there is none, or another kind of thing was passed.
    """
    found = zone_named(tz) if isinstance(tz, str) else tz
    if not isinstance(found, dt.tzinfo):
        refuse(tz, "tz", "an IANA name such as 'Europe/Berlin', a ZoneInfo, or datetime.UTC", code="bad_zone")
    return found


def day_asked(day: object) -> dt.date:
    """Give a day that is one, and no time on it.

    Raises:
        UsageError: something else was passed.
    """
    if isinstance(day, dt.datetime) or not isinstance(day, dt.date):
        refuse(day, "day", "a date, as in dt.date(2026, 3, 16)")
    return day
