"""The events, the day and the zone that somebody wants to see, looked at before anything is shown. Pure."""

from __future__ import annotations

import datetime as dt

from mailkit.checks import instance, refuse, several
from mailkit.models.calendar import Event
from mailkit.recurrence import zone_named

__all__ = ["day_asked", "event_asked", "events_asked", "weekday_asked", "zone_asked"]


def event_asked(event: object) -> Event:
    """Give an event that is one.

    Raises:
        UsageError: something else was passed.
    """
    return instance(event, "event", Event, "an event, as calendar.events gives them")


def events_asked(events: object) -> tuple[Event, ...]:
    """Give events that are some.

    Raises:
        UsageError: something else was passed.
    """
    return several(events, "events", Event, "events, as calendar.events gives them")


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
    if isinstance(day, dt.datetime) or not isinstance(day, dt.date) or not dt.MINYEAR < day.year < dt.MAXYEAR:
        refuse(day, "day", f"a date of the years {dt.MINYEAR + 1} to {dt.MAXYEAR - 1}, as in dt.date(2026, 3, 16)")
    return day


def weekday_asked(weekday: object) -> int:
    """Give the number of a weekday.

    Raises:
        UsageError: it is none.
    """
    if isinstance(weekday, bool) or not isinstance(weekday, int) or not 0 <= weekday <= 6:
        refuse(weekday, "first_weekday", "a whole number from 0 for Monday to 6 for Sunday")
    return weekday
