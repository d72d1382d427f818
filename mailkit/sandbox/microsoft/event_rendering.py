"""Shows events, calendars and rooms as Graph v1.0 JSON.

Responsible for each property's form (learn.microsoft.com/graph/api/resources/event and its neighbours). Whole items
come out; what was selected is cut out by ``selection``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from urllib.parse import quote

from mailkit.sandbox.event import Event, Guest, When, instant
from mailkit.sandbox.kept import Calendar, KeptEvent
from mailkit.sandbox.mail import Mail, Person
from mailkit.sandbox.microsoft import bodies, zones
from mailkit.sandbox.microsoft.calendars import MicrosoftCalendars, OutlookEvent, Room
from mailkit.sandbox.microsoft.ids import guid, opaque
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.prefer import Preferences

__all__ = [
    "SHOW_AS",
    "calendar",
    "calendar_group",
    "etag",
    "event",
    "room",
    "shown_as",
    "time",
    "windows_of",
    "working_hours",
]

SHOW_AS = {"busy": "busy", "free": "free", "tentative": "tentative", "away": "oof", "elsewhere": "workingElsewhere"}
_ANSWERS = {"accepted": "accepted", "tentative": "tentativelyAccepted", "declined": "declined"}
_NEVER = "0001-01-01T00:00:00Z"
_USUAL_REMINDER = 15  # minutes, what Outlook sets where nobody says


def event(
    box: MicrosoftMailbox,
    kept: KeptEvent,
    preferences: Preferences,
    named: Mapping[str, str] | None = None,
) -> dict[str, object]:
    """Give an event, whole; ``named`` gives the zones of ``start`` and ``end`` that a write was made in."""
    if named is not None:
        return _event(box, kept, preferences, named)
    key = kept.id, preferences, box.calendars.moves_all_day
    return box.calendars.remembered(key, lambda: _event(box, kept, preferences, {}))


def _event(
    box: MicrosoftMailbox, kept: KeptEvent, preferences: Preferences, named: Mapping[str, str]
) -> dict[str, object]:
    seen, calendars = kept.event, box.calendars
    off = kept.cancelled and kept.copy
    mail = Mail(text=seen.text, html=seen.html)
    zone = windows_of(box, seen)
    own = _own_guest(calendars, seen)
    series = None if kept.series is None else calendars.shown_id(kept.series, immutable=preferences.immutable)
    id = calendars.shown_id(kept.id, immutable=preferences.immutable)  # noqa: A001  # the name of the thing
    reminder = seen.reminders or ()
    item: dict[str, object] = {
        "@odata.etag": etag(kept),
        "id": id,
        "createdDateTime": _instant(kept.created),
        "lastModifiedDateTime": _instant(kept.updated),
        "changeKey": _change_key(kept),
        "categories": list(seen.categories),
        "transactionId": None,
        "originalStartTimeZone": zone,
        "originalEndTimeZone": zone,
        "iCalUId": calendars.uid_of(kept),
        "reminderMinutesBeforeStart": reminder[0] if reminder else _USUAL_REMINDER,
        "isReminderOn": seen.reminders != (),
        "hasAttachments": False,
        "subject": f"Canceled: {seen.title}" if off else seen.title,
        "bodyPreview": bodies.preview(mail),
        "importance": "normal",
        "sensitivity": "normal" if seen.visibility in ("default", "public") else seen.visibility,
        "isAllDay": seen.all_day,
        "isCancelled": off,
        "isOrganizer": not kept.copy,
        "responseRequested": True,
        "seriesMasterId": series,
        "showAs": shown_as(calendars, kept),
        "type": _kind(calendars, kept),
        "webLink": f"https://outlook.office365.com/owa/?itemid={quote(id, safe='')}&exvsurl=1&path=/calendar/item",
        "onlineMeetingUrl": None,
        "isOnlineMeeting": seen.meeting_url is not None,
        "onlineMeetingProvider": "unknown" if seen.meeting_url is None else "teamsForBusiness",
        "allowNewTimeProposals": True,
        "isDraft": False,
        "hideAttendees": False,
        "recurrence": _recurrence(kept, zone),
        "responseStatus": _response(kept, own),
        "body": bodies.body(mail, as_text=preferences.text),
        "start": time(box, seen, seen.start, preferences, named.get("start")),
        "end": time(box, seen, seen.end, preferences, named.get("end")),
        "location": _location(seen.location),
        "locations": [_location(seen.location)] if seen.location else [],
        "attendees": [_attendee(box, kept, guest, preferences) for guest in seen.guests],
        "organizer": _recipient(seen.organizer or calendars.owner),
        "onlineMeeting": None if seen.meeting_url is None else {"joinUrl": seen.meeting_url},
    }
    if kept.original is not None:
        # event.originalStart: an instant in UTC, whatever originalStartTimeZone says (davmail#481).
        item["originalStart"] = _instant(instant(kept.original, calendars.zone))
    if isinstance(kept, OutlookEvent) and kept.recurs:
        item["cancelledOccurrences"] = [f"OID.{id}.{day.isoformat()}" for day in calendars.gaps(kept)]
    item |= seen.properties
    if item["hideAttendees"] and kept.copy:
        item["attendees"] = [_attendee(box, kept, own, preferences)] if own else []
    return item


def etag(kept: KeptEvent) -> str:
    """Name the state an event is in."""
    return f'W/"{_change_key(kept)}"'


def windows_of(box: MicrosoftMailbox, seen: Event) -> str:
    """Give the name of the zone an event was made in."""
    own = seen.properties.get("originalStartTimeZone")
    if isinstance(own, str):
        return own
    return zones.windows(seen.start.tzinfo if isinstance(seen.start, dt.datetime) else box.calendars.zone)


def time(
    box: MicrosoftMailbox, seen: Event, when: When, preferences: Preferences, named: str | None = None
) -> dict[str, object]:
    """Give a ``dateTimeTimeZone``: in the zone a write ``named``, else in the preferred one, else in UTC."""
    name = named or preferences.timezone or "UTC"
    zone = zones.named(name) or zones.UTC
    if isinstance(when, dt.datetime):
        return {"dateTime": zones.local(zone, when), "timeZone": name}
    if box.calendars.moves_all_day and named is None:
        home = zones.named(windows_of(box, seen)) or box.calendars.zone
        return {"dateTime": zones.local(zone, instant(when, home)), "timeZone": name}
    return {"dateTime": f"{when.isoformat()}T00:00:00.0000000", "timeZone": name}


def calendar(box: MicrosoftMailbox, each: Calendar, *, immutable: bool) -> dict[str, object]:
    """Give a calendar, whole."""
    meetings = list(each.meetings)
    return {
        "id": box.calendars.shown_id(each.id, immutable=immutable),
        "name": each.name,
        "color": each.colour or "auto",
        "hexColor": "",
        "isDefaultCalendar": each.primary,
        "changeKey": opaque("", each.id, str(each.change))[:24],
        "canShare": each.role == "owner",
        "canViewPrivateItems": each.role == "owner",
        "canEdit": each.role in ("owner", "writer"),
        "allowedOnlineMeetingProviders": meetings,
        "defaultOnlineMeetingProvider": meetings[0] if meetings else "unknown",
        "isTallyingResponses": each.primary,
        "isRemovable": not each.primary and each.role == "owner",
        "owner": _recipient(each.owner)["emailAddress"],
        **each.properties,
    }


def calendar_group(box: MicrosoftMailbox) -> dict[str, object]:
    """Give the one group every mailbox has."""
    return {
        "id": opaque("AQMkAD", box.address, "My Calendars"),
        "name": "My Calendars",
        "classId": "0006f0b7-0000-0000-c000-000000000046",
        "changeKey": opaque("", box.address, "My Calendars")[:24],
    }


def room(each: Room) -> dict[str, object]:
    """Give a room of the directory."""
    return {
        "id": guid(each.address),
        "emailAddress": each.address,
        "displayName": each.name,
        "nickname": each.name,
        "capacity": each.capacity,
        "building": each.building,
        "floorNumber": each.floor,
        "bookingType": "standard",
        "isWheelChairAccessible": False,
        "tags": [],
    }


def working_hours(calendars: MicrosoftCalendars) -> dict[str, object]:
    """Give the hours Outlook takes for somebody's who has not said."""
    return {
        "daysOfWeek": ["monday", "tuesday", "wednesday", "thursday", "friday"],
        "startTime": "08:00:00.0000000",
        "endTime": "17:00:00.0000000",
        "timeZone": {"name": zones.windows(calendars.zone)},
    }


def _kind(calendars: MicrosoftCalendars, kept: KeptEvent) -> str:
    if kept.series is not None:
        return "exception" if calendars.is_apart(kept) else "occurrence"
    return "seriesMaster" if kept.recurs else "singleInstance"


def _recurrence(kept: KeptEvent, zone: str) -> dict[str, object] | None:
    if not isinstance(kept, OutlookEvent) or not kept.recurs:
        return None
    # Guests of all-day series find no zone there (graph-docs#7163).
    return kept.starts.pattern.written("" if kept.copy and kept.event.all_day else zone)


def _own_guest(calendars: MicrosoftCalendars, seen: Event) -> Guest | None:
    return next((guest for guest in seen.guests if calendars.owns(guest.person.address)), None)


def shown_as(calendars: MicrosoftCalendars, kept: KeptEvent) -> str:
    """Give ``showAs``: of a meeting one has not answered yet, tentative."""
    own = _own_guest(calendars, kept.event)
    if kept.copy and kept.cancelled:
        return "free"
    answer = own.response if kept.copy and own else "accepted"
    if answer == "declined":
        return "free"
    return SHOW_AS[kept.event.show_as] if answer == "accepted" or kept.event.show_as == "free" else "tentative"


def _response(kept: KeptEvent, own: Guest | None) -> dict[str, object]:
    if not kept.copy:
        return {"response": "organizer" if kept.event.guests else "none", "time": _NEVER}
    if own is None or own.response == "none":
        return {"response": "notResponded", "time": _NEVER}
    return {"response": _ANSWERS[own.response], "time": _instant(own.answered) if own.answered else _NEVER}


def _attendee(box: MicrosoftMailbox, kept: KeptEvent, guest: Guest, preferences: Preferences) -> dict[str, object]:
    item: dict[str, object] = {
        "type": "resource" if guest.kind == "room" else guest.kind,
        "status": {
            "response": _ANSWERS.get(guest.response, "none"),
            "time": _instant(guest.answered) if guest.answered else _NEVER,
        },
        **_recipient(guest.person),
    }
    proposal = box.calendars.proposals.get((kept.id, guest.key))
    if proposal is not None:
        start, end = (time(box, kept.event, when, preferences) for when in proposal)
        item["proposedNewTime"] = {"start": start, "end": end}
    return item


def _location(name: str) -> dict[str, object]:
    if not name:
        return {"displayName": "", "locationType": "default", "uniqueIdType": "unknown"}
    return {"displayName": name, "locationType": "default", "uniqueId": name, "uniqueIdType": "private"}


def _recipient(person: Person) -> dict[str, object]:
    return {"emailAddress": {"name": person.name or person.address, "address": person.address}}


def _change_key(kept: KeptEvent) -> str:
    return opaque("", kept.id, str(kept.change))[:24]


def _instant(moment: dt.datetime) -> str:
    return f"{moment.astimezone(dt.UTC):%Y-%m-%dT%H:%M:%S}Z"
