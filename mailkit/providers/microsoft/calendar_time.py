"""Graph's dates, times and zones ⇄ aware datetimes and dates. Pure.

Graph writes a wall clock and, beside it, the name of a zone (Windows' or IANA's):
https://learn.microsoft.com/graph/api/resources/datetimetimezone
"""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from zoneinfo import ZoneInfo

import attrs

from mailkit.errors import BadPayload
from mailkit.providers.wire import Wire, get_object, get_text
from mailkit.recurrence import FoundZone, Moment, first_known_zone, windows_name, zone_named
from mailkit.recurrence.moments import in_zone

__all__ = [
    "OWN_ZONES",
    "EventZones",
    "day_to_wire",
    "filter_text",
    "instant_from_wire",
    "is_second",
    "moment_from_wire",
    "time_to_wire",
    "zones_from_wire",
]

OWN_ZONES = ("recurrenceTimeZone", "originalStartTimeZone")
"""Where an event's own zone may stand, the most telling first; anywhere else it is only the next best."""


@attrs.frozen(kw_only=True)
class EventZones:
    """The zones an event starts and ends in, and in which its wall clocks are to be read where they name none."""

    start: FoundZone
    end: ZoneInfo

    @property
    def source(self) -> str | None:
        """Where the zone of the start is from, if not from the event itself."""
        return None if self.start.source in OWN_ZONES else self.start.source


def zones_from_wire(item: Wire, path: str, mailbox_zone: ZoneInfo | None) -> EventZones:
    """Find an event's zones: its own, else the mailbox's, else the one its times are written in, else UTC.

    A zone somebody made up in Outlook (``tzone://Microsoft/Custom``) is not defined anywhere in Graph; an attendee's
    series of whole days has an empty ``recurrenceTimeZone``.
    """
    recurrence = get_object(item, "recurrence", path)
    span = get_object(recurrence, "range", f"{path}.recurrence") if recurrence else recurrence
    return _zones(
        get_text(span, "recurrenceTimeZone", path),
        get_text(item, "originalStartTimeZone", path),
        get_text(item, "originalEndTimeZone", path),
        None if mailbox_zone is None else mailbox_zone.key,
        get_text(get_object(item, "start", path), "timeZone", path),
    )


@lru_cache(maxsize=256)  # nearly all events of a calendar are in one zone
def _zones(recurs: str, starts: str, ends: str, mailbox: str | None, written: str) -> EventZones:
    start = first_known_zone(
        {
            OWN_ZONES[0]: recurs,
            OWN_ZONES[1]: starts,
            "mailboxSettings.timeZone": mailbox,
            "start.timeZone": written,
        }
    )
    end = first_known_zone({"originalEndTimeZone": ends})
    # A series repeats in one zone, which says when it ends, too.
    own = start.source == OWN_ZONES[0] or not end.known
    return EventZones(start=start, end=start.zone if own else end.zone)


def moment_from_wire(item: Wire, name: str, path: str, zone: ZoneInfo, *, all_day: bool) -> Moment:
    """Read ``start`` or ``end`` of an event: a date of a whole day, else an instant in ``zone``.

    A day comes as its midnight whatever zone is asked for (github.com/microsoftgraph/microsoft-graph-docs/issues/1802).
    Where it comes as another time, that is the instant of its midnight in the event's own zone.

    Raises:
        BadPayload: it is missing, or no date and time.
    """
    wall, written = _wall(item, name, path)
    if all_day and wall.time() == dt.time():
        return wall.date()
    local = in_zone(_instant(wall, written or zone), zone)
    return local.date() if all_day else local


def instant_from_wire(item: Wire, name: str, path: str, zone: ZoneInfo) -> dt.datetime:
    """Read an instant in the zone that is written beside it, else in ``zone``; gives it as UTC.

    Raises:
        BadPayload: it is missing, or no date and time.
    """
    wall, written = _wall(item, name, path)
    return _instant(wall, written or zone).astimezone(dt.UTC)


def is_second(moment: dt.datetime) -> bool:
    """Whether the clocks show this time for the second time, which no wall clock of Graph's can say."""
    return moment.fold == 1 and moment.utcoffset() != moment.replace(fold=0).utcoffset()


def time_to_wire(moment: dt.datetime, *, repeats: bool = False) -> Wire:
    """Write an instant as the wall clock of its own zone, by Windows' name: Graph answers in that, too.

    The second of two times that are alike is written in UTC, unless it ``repeats``: a series keeps its clock.

    Raises:
        UsageError: Windows has no such zone.
    """
    zone = moment.tzinfo
    if not isinstance(zone, ZoneInfo) or (
        is_second(moment) and not repeats
    ):  # an offset is no zone: the instant is kept
        zone = ZoneInfo("Etc/UTC")
        moment = moment.astimezone(zone)
    return {"dateTime": moment.replace(tzinfo=None, fold=0).isoformat(), "timeZone": windows_name(zone)}


def day_to_wire(day: dt.date, zone: ZoneInfo) -> Wire:
    """Write a whole day's start or end: midnight, in the same zone on both sides.

    https://learn.microsoft.com/graph/api/resources/event, at isAllDay
    """
    return {"dateTime": f"{day.isoformat()}T00:00:00", "timeZone": windows_name(zone)}


def filter_text(moment: dt.datetime) -> str:
    """Write an instant as the bounds of a window want it."""
    return moment.astimezone(dt.UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _wall(item: Wire, name: str, path: str) -> tuple[dt.datetime, ZoneInfo | None]:
    here = f"{path}.{name}"
    written = get_object(item, name, path)
    text = get_text(written, "dateTime", here)
    try:
        wall = dt.datetime.fromisoformat(text)  # its seven digits of a second are cut to six
    except ValueError:
        raise BadPayload(f"expected a date and time at {here}.dateTime", path=f"{here}.dateTime") from None
    return wall, _zone(get_text(written, "timeZone", here))


@lru_cache(maxsize=256)
def _zone(name: str) -> ZoneInfo | None:
    return zone_named(name) if name else None


def _instant(wall: dt.datetime, zone: ZoneInfo) -> dt.datetime:
    """Give the instant at which the clocks of ``zone`` show ``wall``, in UTC, unless it says itself which it is."""
    return in_zone(wall.replace(tzinfo=zone), dt.UTC) if wall.tzinfo is None else wall
