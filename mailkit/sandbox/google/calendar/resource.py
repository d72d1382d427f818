"""Events as Google Calendar shows them. Source: developers.google.com/workspace/calendar/api/v3/reference/events."""

from __future__ import annotations

import base64
import datetime as dt

from mailkit.sandbox.calendars import Calendars
from mailkit.sandbox.event import Event, Guest
from mailkit.sandbox.google.calendar.call import etag
from mailkit.sandbox.google.calendar.meet import MEET, conference
from mailkit.sandbox.google.calendar.times import event_time, stamp
from mailkit.sandbox.google.labels import Json
from mailkit.sandbox.kept import Calendar, KeptEvent
from mailkit.sandbox.mail import Person

__all__ = ["RESPONSES", "attendee", "busy_resource", "event_resource", "writable_fields"]

RESPONSES = {"none": "needsAction", "accepted": "accepted", "tentative": "tentative", "declined": "declined"}


def event_resource(
    kept: KeptEvent, calendar: Calendar, calendars: Calendars, zone: dt.tzinfo, most_guests: int | None = None
) -> Json:
    """Give an event in full; its wall clocks are of ``zone``. Above ``most_guests`` only the owner is listed."""
    if kept.cancelled and kept.series is not None:
        # Of a cancelled occurrence no more than its place is sure to be there (reference/events, status).
        return {name: value for name, value in _head(kept).items() if name != "htmlLink"} | _place(kept, zone)
    event = kept.event
    organizer = _organizer(event, calendar, calendars)
    resource = _head(kept) | {
        "created": stamp(kept.created),
        "updated": stamp(kept.updated),
        "creator": {"email": organizer["email"] if kept.copy else calendars.owner.address},
        "organizer": organizer,
        **_place(kept, zone),
        "start": event_time(event.start, zone),
        "end": event_time(event.end, zone),
        "iCalUID": kept.uid,
        "sequence": kept.sequence,
        **writable_fields(event),
    }
    if not kept.copy:
        resource["creator"] = {"email": calendars.owner.address, "self": True}
    if event.meeting_url and event.meeting_url.startswith(MEET):
        resource["hangoutLink"] = event.meeting_url
    if event.guests:
        guests = [attendee(guest) | _relation(guest, organizer, calendars) for guest in event.guests]
        if most_guests is not None and len(guests) > most_guests:
            guests = [guest for guest in guests if "self" in guest]
            resource["attendeesOmitted"] = True
        resource["attendees"] = guests
    if kept.cancelled:
        resource["status"] = "cancelled"
    return resource


def busy_resource(kept: KeptEvent, zone: dt.tzinfo) -> Json:
    """Give what somebody sees of an event who may know only when it is."""
    return _head(kept) | {
        **_place(kept, zone),
        "start": event_time(kept.event.start, zone),
        "end": event_time(kept.event.end, zone),
        **({"recurrence": list(kept.event.recurrence)} if kept.recurs else {}),
        "iCalUID": kept.uid,
        "visibility": "private",
        "eventType": "default",
    }


def writable_fields(event: Event) -> Json:
    """Give the fields an event is written with, but for its times and guests."""
    description = event.text if event.html is None else event.html
    fields: Json = {"summary": event.title, "location": event.location, "description": description or ""}
    fields = {name: value for name, value in fields.items() if value}
    if event.recurrence:
        fields["recurrence"] = list(event.recurrence)
    if event.show_as == "free":
        fields["transparency"] = "transparent"
    if event.visibility != "default":
        fields["visibility"] = event.visibility
    reminders: Json = {"useDefault": event.reminders is None}
    if event.reminders:
        reminders["overrides"] = [{"method": "popup", "minutes": minutes} for minutes in event.reminders]
    if event.meeting_url and event.meeting_url.startswith(MEET):
        fields["conferenceData"] = conference(event.meeting_url)
    kind = "outOfOffice" if event.show_as == "away" else "default"
    return {"reminders": reminders, "eventType": kind} | fields | dict(event.properties)


def _head(kept: KeptEvent) -> Json:
    status = "cancelled" if kept.cancelled else "tentative" if kept.event.show_as == "tentative" else "confirmed"
    link = base64.urlsafe_b64encode(f"{kept.id} {kept.calendar}".encode()).decode().rstrip("=")
    return {
        "kind": "calendar#event",
        "etag": etag(kept),
        "id": kept.id,
        "status": status,
        "htmlLink": f"https://www.google.com/calendar/event?eid={link}",
    }


def _place(kept: KeptEvent, zone: dt.tzinfo) -> Json:
    """Give an occurrence's place in its series."""
    if kept.series is None or kept.original is None:
        return {}
    return {"recurringEventId": kept.series, "originalStartTime": event_time(kept.original, zone)}


def _organizer(event: Event, calendar: Calendar, calendars: Calendars) -> Json:
    if event.organizer is not None and not calendars.owns(event.organizer.address):
        return _person(event.organizer)
    if not calendar.primary:
        # A secondary calendar is the organiser of its events (guides/sharing).
        return {"email": calendar.id, "displayName": calendar.name, "self": True}
    return _person(calendars.owner) | {"self": True}


def attendee(guest: Guest) -> Json:
    """Give a guest as anybody sees them."""
    kind: Json = {} if guest.kind == "required" else {"resource" if guest.kind == "room" else "optional": True}
    comment: Json = {"comment": guest.comment} if guest.comment else {}
    return _person(guest.person) | kind | {"responseStatus": RESPONSES[guest.response]} | comment


def _relation(guest: Guest, organizer: Json, calendars: Calendars) -> Json:
    organizes = guest.key == str(organizer["email"]).casefold()
    is_self = calendars.owns(guest.person.address)
    return {name: True for name, true in (("organizer", organizes), ("self", is_self)) if true}


def _person(person: Person) -> Json:
    return {"email": person.address, **({"displayName": person.name} if person.name else {})}
