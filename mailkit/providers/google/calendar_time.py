"""Google's dates, times and zones ⇄ dates and aware datetimes. Pure.

A whole day is a ``date`` and has no zone; a time is RFC 3339 with an offset and, beside it, the IANA name of a zone:
https://developers.google.com/workspace/calendar/api/v3/reference/events (start, end)
"""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from zoneinfo import ZoneInfo

from mailkit.errors import BadPayload
from mailkit.providers.wire import Wire, get_text
from mailkit.recurrence import FoundZone, Moment, first_known_zone
from mailkit.recurrence.moments import in_zone, on_clock

__all__ = [
    "OWN_ZONE",
    "instant_text",
    "moment_from_wire",
    "moment_text",
    "next_second",
    "time_to_wire",
    "zone_from_wire",
]

OWN_ZONE = "own"
"""Says that a zone is a time's own."""

OTHER_ZONE = "calendar"
"""Says that a zone is the calendar's, since the time's own is unknown."""


def zone_from_wire(when: Wire, path: str, other: str | None) -> FoundZone:
    """Find the zone of a time: its own, else the ``other`` one, where either is known."""
    return _zone(get_text(when, "timeZone", path), other)


@lru_cache(maxsize=256)  # the events of a calendar are in a few zones
def _zone(own: str, other: str | None) -> FoundZone:
    return first_known_zone({OWN_ZONE: own, OTHER_ZONE: other})


def moment_from_wire(when: Wire, path: str, zone: ZoneInfo) -> Moment | None:
    """Read a date, or an instant as clocks of ``zone`` show it; None where there is neither.

    Raises:
        BadPayload: it is neither a date nor a time.
    """
    time = get_text(when, "dateTime", path)
    day = "" if time else get_text(when, "date", path)
    try:
        if day:
            return dt.date.fromisoformat(day)
        if not time:
            return None
        read = dt.datetime.fromisoformat(time)
    except ValueError:
        raise BadPayload(f"expected a date or an RFC 3339 time at {path}", path=path) from None
    return on_clock(read, zone) if read.tzinfo is None else in_zone(read, zone)


def time_to_wire(moment: Moment) -> dict[str, str | None]:
    """Write ``start`` or ``end``; None stands for what a patch has to take away, so that a day can become a time.

    https://developers.google.com/workspace/calendar/api/guides/performance#patch
    """
    if not isinstance(moment, dt.datetime):
        return {"date": moment.isoformat(), "dateTime": None, "timeZone": None}
    zone = moment.tzinfo
    name = zone.key if isinstance(zone, ZoneInfo) else "UTC" if zone is dt.UTC else None
    return {"date": None, "dateTime": instant_text(moment), "timeZone": name}


def instant_text(instant: dt.datetime) -> str:
    """Write an aware instant as RFC 3339, in whole seconds."""
    offset = instant.utcoffset() or dt.timedelta(0)
    if offset % dt.timedelta(minutes=1):  # of a time before there were zones; RFC 3339 has no such offset
        instant = in_zone(instant, dt.UTC)
    return instant.isoformat(timespec="seconds").replace("+00:00", "Z")


def moment_text(moment: Moment) -> str:
    """Write a moment by itself, as ``originalStart`` of events/instances takes it."""
    return instant_text(moment) if isinstance(moment, dt.datetime) else moment.isoformat()


def next_second(instant: dt.datetime) -> dt.datetime:
    """Give the first whole second that is not before an instant, since fractions are ignored (events/list, timeMax)."""
    exact = in_zone(instant, dt.UTC)
    whole = exact.replace(microsecond=0)
    return whole if whole == exact else whole + dt.timedelta(seconds=1)
