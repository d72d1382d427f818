"""Times as Google Calendar writes and reads them: RFC 3339, dates, names of zones. Pure."""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo

from mailkit.sandbox.event import When
from mailkit.sandbox.google.labels import Json
from mailkit.sandbox.google.refusals import Refusal

__all__ = ["event_time", "moment", "read_event_time", "read_moment", "read_zone", "stamp"]

_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?)([Zz]|[+-]\d\d:\d\d)?")


def moment(value: dt.datetime, zone: dt.tzinfo) -> str:
    """Write an instant as a wall clock of ``zone``: ``2026-03-15T12:00:00+01:00``."""
    text = value.astimezone(zone).isoformat(timespec="seconds")
    return text.replace("+00:00", "Z")


def stamp(value: dt.datetime) -> str:
    """Write when something was made or changed: UTC, with milliseconds."""
    return value.astimezone(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def event_time(when: When, zone: dt.tzinfo) -> Json:
    """Write the start or end of an event; its own zone stands beside it, the wall clock is one of ``zone``."""
    if not isinstance(when, dt.datetime):
        return {"date": when.isoformat()}
    return {"dateTime": moment(when, zone), "timeZone": getattr(when.tzinfo, "key", "UTC")}


def read_zone(name: object) -> ZoneInfo:
    """Read the name of a zone."""
    try:
        if isinstance(name, str) and name:
            return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        pass
    raise Refusal(400, "invalid", "Invalid time zone definition.")


def read_moment(text: str) -> dt.datetime:
    """Read an instant; without an offset it is none (reference/events/list, timeMin)."""
    read = _read(text)
    if read is None or read.tzinfo is None:
        raise Refusal(400, "badRequest", "Bad Request")
    return read


def read_event_time(value: object, which: str, zone: ZoneInfo, *, recurs: bool) -> When:
    """Read the ``start`` or ``end`` of an event; ``zone`` is the calendar's."""
    if not isinstance(value, dict) or not value:
        raise Refusal(400, "required", f"Missing {which} time.")
    date, time, named = (value.get(name) for name in ("date", "dateTime", "timeZone"))
    # Setting one of them on an event that has the other leaves both: it has to be set to null.
    if (date is None) == (time is None):
        raise Refusal(400, "invalid", f"Invalid {which} time.")
    own = None if named is None else read_zone(named)
    if date is not None:
        try:
            return dt.date.fromisoformat(str(date))
        except ValueError:
            raise Refusal(400, "invalid", f"Invalid {which} time.") from None
    if recurs and own is None:
        # reference/events: for recurring events the zone is required, and the one they are expanded in
        raise Refusal(400, "required", f"Missing time zone definition for {which} time.")
    read = _read(str(time))
    if read is None:
        raise Refusal(400, "invalid", f"Invalid {which} time.")
    if read.tzinfo is not None:
        return read.astimezone(own or zone)
    if own is None:
        raise Refusal(400, "required", f"Missing time zone definition for {which} time.")
    # A time the clocks leave out is as much later as they are put forward.
    return read.replace(tzinfo=own).astimezone(dt.UTC).astimezone(own)


def _read(text: str) -> dt.datetime | None:
    found = _MOMENT.fullmatch(text)
    try:
        # Seconds are the smallest unit a calendar keeps.
        return dt.datetime.fromisoformat(found[1][:19].upper() + (found[2] or "").upper()) if found else None
    except ValueError:
        return None
