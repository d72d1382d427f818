"""Reads the event JSON of requests into events: what may be written, and in which form.

Responsible for learn.microsoft.com/graph/api/user-post-events and event-update. Touches no mailbox.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal
from zoneinfo import ZoneInfo

import attrs

from mailkit.sandbox.event import Event, Guest, When
from mailkit.sandbox.mail import Person
from mailkit.sandbox.microsoft import zones
from mailkit.sandbox.microsoft.event_rendering import SHOW_AS
from mailkit.sandbox.microsoft.event_schema import EVENT
from mailkit.sandbox.microsoft.patterns import Pattern
from mailkit.sandbox.microsoft.refusals import Refusal, bad_body, not_writable, unknown_zone
from mailkit.sandbox.microsoft.rules import lines_of, pattern_of

__all__ = ["Home", "edited", "moment", "named_zones", "started", "unanswered"]

_MIDNIGHT = dt.time()
_WALL_CLOCK = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,7})?)?")
# Written by these, in no order that matters; the rest of resources/event can only be read.
_TIMES = ("start", "end", "isAllDay", "recurrence")
_MEETING = ("isOnlineMeeting", "onlineMeetingProvider")
_SWITCHES = ("allowNewTimeProposals", "hideAttendees", "responseRequested")
_OWN = (
    "attendees",
    "body",
    "categories",
    "importance",
    "isReminderOn",
    "location",
    "locations",
    "reminderMinutesBeforeStart",
    "sensitivity",
    "showAs",
    "subject",
)
_WRITABLE = frozenset((*_TIMES, *_MEETING, *_SWITCHES, *_OWN))
# Relationships nothing here reads; O365 writes the first with a capital.
_PASSED_OVER = frozenset(("singleValueExtendedProperties", "multiValueExtendedProperties", "extensions"))
_KINDS: Mapping[str, Literal["required", "optional", "room"]] = {
    "required": "required",
    "optional": "optional",
    "resource": "room",
}
_PROVIDERS = ("unknown", "skypeForBusiness", "skypeForConsumer", "teamsForBusiness")


@attrs.frozen(kw_only=True)
class Home:
    """Where an event is written: the kinds of online meeting its calendar allows, and how a new one is reached."""

    meetings: tuple[str, ...]
    meeting_url: Callable[[], str]


def started(body: Mapping[str, Any], home: Home) -> Event:
    """Give the event that a request describes; what can only be read is passed over, as Graph does on creation.

    Raises:
        Refusal: a property is not known, is missing, or not in a form Graph takes.
    """
    given = _known(body)
    for name in ("start", "end"):
        if not given.get(name):
            raise Refusal(400, "ErrorPropertyRequired", f"Required property '{name}' is missing.")
    own = {} if given.get("transactionId") is None else {"transactionId": _text(given, "transactionId")}
    return _written(Event(properties={**own, **_zones(given)}, **_times(given, None)), given, home)


def edited(event: Event, body: Mapping[str, Any], home: Home, *, occurrence: bool) -> Event:
    """Give ``event`` with the changes of a PATCH.

    Raises:
        Refusal: a property is not known, may not be changed, or is not in a form Graph takes.
    """
    given = _known(body)
    for name in given:
        if name not in _WRITABLE or (occurrence and name == "recurrence"):
            raise not_writable(name)
    if any(name in given for name in _TIMES):
        properties = {**event.properties, **_zones(given)}
        event = attrs.evolve(event, properties=properties, **_times(given, event))
    return _written(event, given, home)


def unanswered(event: Event) -> Event:
    """Give an event of which nobody has answered yet: its guests are asked anew when it is at another time."""
    return attrs.evolve(event, guests=[Guest(guest.person, kind=guest.kind) for guest in event.guests])


def named_zones(body: Mapping[str, Any]) -> dict[str, str]:
    """Give the zones a write was made in, by ``start`` and ``end``; answers to it use them."""
    times = ((name, body.get(name)) for name in ("start", "end"))
    return {name: value["timeZone"] for name, value in times if isinstance(value, dict)}


def moment(value: object, name: str) -> tuple[dt.datetime, ZoneInfo]:
    """Read a ``dateTimeTimeZone`` into a wall clock and its zone.

    Raises:
        Refusal: it is none, or in no zone that is known.
    """
    if not isinstance(value, Mapping):
        raise bad_body(name)
    fields = {key[:1].lower() + key[1:]: each for key, each in value.items()}
    text, zone_name = fields.get("dateTime"), fields.get("timeZone")
    if not isinstance(text, str) or not _WALL_CLOCK.fullmatch(text):
        raise bad_body(f"{name}.dateTime")
    zone = zones.named(zone_name) if isinstance(zone_name, str) else None
    if zone is None:
        raise unknown_zone(zone_name)
    try:
        clock = dt.datetime.fromisoformat(text[:26])
    except ValueError:
        raise bad_body(f"{name}.dateTime") from None
    if not zones.FIRST_YEAR <= clock.year <= zones.LAST_YEAR:
        raise bad_body(f"{name}.dateTime")
    return clock, zone


def _known(body: Mapping[str, Any]) -> dict[str, Any]:
    given = {name[:1].lower() + name[1:]: value for name, value in body.items() if "@" not in name}
    for name in given:
        if name not in EVENT.properties | _PASSED_OVER:
            if name == "attachments":
                raise Refusal(400, "BadRequest", "Events of this sandbox have no attachments.")
            raise Refusal(400, "RequestBodyRead", f"The property '{name}' does not exist on type '{EVENT.name}'.")
    return {name: value for name, value in given.items() if name not in _PASSED_OVER}


# -- times -------------------------------------------------------------------------------------------------------------


def _times(given: Mapping[str, Any], event: Event | None) -> dict[str, Any]:
    """Read start, end and recurrence; what is not given stays."""
    all_day = _switch(given, "isAllDay", default=event is not None and event.all_day)
    start, end = (_clock(given, name, event) for name in ("start", "end"))
    if all_day:
        times = _days(start, end)
    else:
        times = {name: clock.replace(tzinfo=zone) for name, (clock, zone) in (("start", start), ("end", end))}
    if _compared(times["end"]) < _compared(times["start"]):
        raise Refusal(
            400, "ErrorCalendarEndDateIsEarlierThanStartDate", "The end of the event is before its beginning."
        )
    recurrence = given.get("recurrence") if "recurrence" in given else _kept_pattern(event, times["start"])
    return {**times, "recurrence": () if recurrence is None else _lines(recurrence, times["start"], start[1])}


def _clock(given: Mapping[str, Any], name: str, event: Event | None) -> tuple[dt.datetime, ZoneInfo]:
    if name in given:
        return moment(given[name], name)
    assert event is not None  # noqa: S101  # on creation both are there
    when: When = getattr(event, name)
    zone = zones.named(str(event.properties.get("originalStartTimeZone"))) or zones.UTC
    if isinstance(when, dt.datetime):
        own = when.tzinfo if isinstance(when.tzinfo, ZoneInfo) else zone
        return when.astimezone(own).replace(tzinfo=None), own
    return dt.datetime.combine(when, _MIDNIGHT), zone


def _days(start: tuple[dt.datetime, ZoneInfo], end: tuple[dt.datetime, ZoneInfo]) -> dict[str, dt.date]:
    # event.isAllDay: "regardless of whether it's a single-day or multi-day event, start, and endtime must be set to
    # midnight and be in the same time zone".
    for name, (clock, _) in (("Start", start), ("End", end)):
        if clock.time() != _MIDNIGHT:
            raise _incomplete(f"The Event.{name} property for an all-day event needs to be set to midnight.")
    if start[1].key != end[1].key:
        raise _incomplete("The Event.Start and Event.End of an all-day event need to be in the same time zone.")
    if start[0].date() == end[0].date():
        raise _incomplete("The duration of an event marked as All day must be at least 24 hours.")
    return {"start": start[0].date(), "end": end[0].date()}


def _compared(when: When) -> dt.datetime:
    return when.astimezone(dt.UTC) if isinstance(when, dt.datetime) else dt.datetime.combine(when, _MIDNIGHT, dt.UTC)


def _kept_pattern(event: Event | None, start: When) -> Mapping[str, Any] | None:
    """Give the recurrence an event has, from its start on, which may be a new one."""
    if event is None or not event.recurrence:
        return None
    day = start.date() if isinstance(start, dt.datetime) else start
    return attrs.evolve(pattern_of(event.recurrence, event.start), start=day).written("")


def _lines(recurrence: object, start: When, zone: ZoneInfo) -> tuple[str, ...]:
    if not isinstance(recurrence, Mapping):
        raise bad_body("recurrence")
    try:
        pattern = Pattern.read(recurrence)
    except ValueError as invalid:
        raise _incomplete(f"The recurrence is not valid: {invalid}.") from None
    named = str(recurrence["range"].get("recurrenceTimeZone") or "")
    if named and not _same_clock(zones.named(named), zone, pattern.start):
        raise _incomplete("The recurrence needs to be in the time zone of the event.")
    # recurrenceRange says of startDate that it "must be the same value as the start property of the recurring event".
    if pattern.start != (start.date() if isinstance(start, dt.datetime) else start):
        raise _incomplete("The start date of the recurrence needs to be that of the event.")
    return lines_of(pattern, start)


def _same_clock(one: ZoneInfo | None, other: ZoneInfo, day: dt.date) -> bool:
    """Say whether two zones agree in winter and in summer: a Windows zone stands for many of the IANA's."""
    noons = [dt.datetime.combine(day + dt.timedelta(days=days), dt.time(12)) for days in (0, 182)]
    return one is not None and all(one.utcoffset(noon) == other.utcoffset(noon) for noon in noons)


def _zones(given: Mapping[str, Any]) -> dict[str, object]:
    """Give the original zones of what was written, by the names Outlook keeps."""
    names = {"start": "originalStartTimeZone", "end": "originalEndTimeZone"}
    read = {name: moment(given[name], name)[1] for name in names if name in given}
    return {names[name]: zones.windows(zone) for name, zone in read.items()}


# -- the rest ----------------------------------------------------------------------------------------------------------


def _written(event: Event, given: Mapping[str, Any], home: Home) -> Event:
    fields: dict[str, Any] = {}
    own: dict[str, object] = dict(event.properties)
    if "subject" in given:
        fields["title"] = _text(given, "subject")
    if "body" in given:
        fields |= _body(given["body"])
    if "location" in given or "locations" in given:
        fields["location"] = _place(given, own)
    if "attendees" in given:
        fields["guests"] = _guests(given["attendees"], event)
    if "categories" in given:
        fields["categories"] = _names(given["categories"])
    if "showAs" in given:
        shown = {shown: name for name, shown in SHOW_AS.items()} | {"unknown": "busy"}
        fields["show_as"] = shown[_choice(given, "showAs", EVENT.enums["showAs"])]
    if "sensitivity" in given:
        choice = _choice(given, "sensitivity", EVENT.enums["sensitivity"])
        fields["visibility"] = choice if choice in ("private", "confidential") else "default"
        own["sensitivity"] = choice
    if "importance" in given:
        own["importance"] = _choice(given, "importance", ("normal", "low", "high"))
    own |= {name: _switch(given, name) for name in _SWITCHES if name in given}
    if "isReminderOn" in given or "reminderMinutesBeforeStart" in given:
        fields["reminders"] = _reminders(given, event)
    if _switch(given, "isOnlineMeeting") and event.meeting_url is None:
        # outlook-calendar-online-meetings: what the calendar does not allow is passed over; once a meeting is online,
        # "Outlook ignores any further changes to isOnlineMeeting".
        wanted = _choice(given, "onlineMeetingProvider", _PROVIDERS)
        if wanted in home.meetings or (wanted == "unknown" and home.meetings):
            fields["meeting_url"] = home.meeting_url()
            own["onlineMeetingProvider"] = home.meetings[0] if wanted == "unknown" else wanted
    return attrs.evolve(event, properties=own, **fields)


def _body(value: object) -> dict[str, str | None]:
    if value is None:
        return {"text": None, "html": None}
    if not isinstance(value, Mapping) or not isinstance(value.get("content", ""), str):
        raise bad_body("body")
    html = str(value.get("contentType", "text")).lower() == "html"
    return {"html": value.get("content", "") if html else None, "text": None if html else value.get("content", "")}


def _place(given: Mapping[str, Any], own: dict[str, object]) -> str:
    places = given["locations"] if given.get("locations") else [given.get("location")]
    for place in places:
        if place is not None and not isinstance(place, Mapping):
            raise bad_body("location")
    first: Mapping[str, Any] = places[0] or {}
    own.pop("location", None)
    own.pop("locations", None)
    if len(first) > 1 or len(places) > 1:  # more than a name is kept as it was written
        own |= {"location": dict(first), "locations": [dict(place or {}) for place in places]}
    return str(first.get("displayName") or "")


def _guests(value: object, event: Event) -> tuple[Guest, ...]:
    if not isinstance(value, list):
        raise bad_body("attendees")
    known = {guest.key: guest for guest in event.guests}
    guests: dict[str, Guest] = {}
    for each in value:
        address = each.get("emailAddress") if isinstance(each, Mapping) else None
        if not isinstance(address, Mapping) or not isinstance(address.get("address"), str):
            raise bad_body("attendees")
        kind = _KINDS[_choice(each, "type", tuple(_KINDS))]
        try:
            guest = Guest(Person(address.get("name") or "", address["address"]), kind=kind)
        except ValueError:
            raise bad_body("attendees") from None
        before = known.get(guest.key)
        if before is not None:
            guest = attrs.evolve(before, kind=guest.kind, person=guest.person if guest.person.name else before.person)
        guests.setdefault(guest.key, guest)
    return tuple(guests.values())


def _reminders(given: Mapping[str, Any], event: Event) -> tuple[int, ...] | None:
    on = _switch(given, "isReminderOn", default=event.reminders != ())
    minutes = given.get("reminderMinutesBeforeStart")
    if minutes is not None and (not isinstance(minutes, int) or isinstance(minutes, bool)):
        raise bad_body("reminderMinutesBeforeStart")
    if not on:
        return ()
    return event.reminders or None if minutes is None else (minutes,)


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise bad_body("categories")
    return tuple(value)


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given[name]
    if value is not None and not isinstance(value, str):
        raise bad_body(name)
    return value or ""


def _switch(given: Mapping[str, Any], name: str, *, default: bool = False) -> bool:
    value = given.get(name)
    # outlook-calendar-meeting-proposals writes a truth value as text, and so does O365.
    text = str(value).lower()
    if value is not None and text not in ("true", "false"):
        raise bad_body(name)
    return default if value is None else text == "true"


def _choice(given: Mapping[str, Any], name: str, known: tuple[str, ...]) -> str:
    """Read a member of an enumeration, the first where nothing is said."""
    value = given.get(name)
    found = next((each for each in known if isinstance(value, str) and each.lower() == value.lower()), None)
    if value is not None and found is None:
        raise bad_body(name)
    return found or known[0]


def _incomplete(detail: str) -> Refusal:
    return Refusal(400, "ErrorInvalidRequest", f"Your request can't be completed. {detail}")
