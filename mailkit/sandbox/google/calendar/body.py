"""Events as Google Calendar takes them: the JSON of insert, patch and update, judged and read.

A patch is the event as it is with the body laid over it (guides/performance, patch semantics), read like an update.
Source: developers.google.com/workspace/calendar/api/v3/reference/events.
"""

from __future__ import annotations

import datetime as dt
import re

import attrs

from mailkit.sandbox.event import Event, Guest, ShowAs, When, instant
from mailkit.sandbox.google.calendar.call import CalendarCall
from mailkit.sandbox.google.calendar.meet import MEET, made, video
from mailkit.sandbox.google.calendar.resource import RESPONSES, attendee, writable_fields
from mailkit.sandbox.google.calendar.times import event_time, read_event_time
from mailkit.sandbox.google.labels import Json
from mailkit.sandbox.google.refusals import Refusal
from mailkit.sandbox.kept import Calendar, KeptEvent
from mailkit.sandbox.mail import Person
from mailkit.sandbox.series import series_of

__all__ = ["written"]

_ANSWERS = {theirs: ours for ours, theirs in RESPONSES.items()}
_ADDRESS = re.compile(r"[^@\s<>,;]+@[^@\s<>,;]+\.[^@\s<>,;]+")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_VISIBILITIES = ("default", "public", "private", "confidential")
_TYPES = ("default", "outOfOffice", "focusTime", "workingLocation", "birthday")
_COLOURS = tuple(str(number) for number in range(1, 12))
_MOST_REMINDERS, _EARLIEST_REMINDER = 5, 40_320
_MOST_ATTACHMENTS = 25
# What is kept in Google's own words; everything else of an event is told in the sandbox's.
_AS_WRITTEN = (
    *("anyoneCanAddSelf", "attachments", "birthdayProperties", "colorId", "conferenceData", "endTimeUnspecified"),
    *("eventType", "extendedProperties", "focusTimeProperties", "gadget", "guestsCanInviteOthers", "guestsCanModify"),
    *("guestsCanSeeOtherGuests", "outOfOfficeProperties", "privateCopy", "reminders", "source"),
    "workingLocationProperties",
)


def written(call: CalendarCall, calendar: Calendar, kept: KeptEvent | None = None) -> Event:
    """Read the event a call writes; ``kept`` is the one it changes.

    Raises:
        Refusal: the body says what no event can be.
    """
    before = None if kept is None else kept.event
    body = call.body
    if kept is not None and call.method.verb == "PATCH":
        body = _laid_over(_as_is(kept.event), body)
    body = {name: value for name, value in body.items() if value is not None}
    _check(body)
    _kept_aside(call, calendar, before, body)
    recurrence = _recurrence(body, kept)
    start, end = (
        read_event_time(body.get(one), one, calendar.zone, recurs=bool(recurrence)) for one in ("start", "end")
    )
    _check_times(start, end, recurrence)
    tentative, free = body.get("status") == "tentative", body.get("transparency") == "transparent"
    usual: ShowAs = "elsewhere" if before and before.show_as == "elsewhere" else "busy"
    show_as: ShowAs = "free" if free else "tentative" if tentative else usual
    properties = {name: body[name] for name in _AS_WRITTEN if name in body}
    if tentative and free:
        properties["status"] = "tentative"
    text, html = _description(_text(body, "description"), before)
    return Event(
        title=_text(body, "summary"),
        start=start,
        end=end,
        recurrence=recurrence,
        organizer=before.organizer if before else None,
        guests=_guests(call, body, kept),
        text=text,
        html=html,
        location=_text(body, "location"),
        show_as="away" if body.get("eventType") == "outOfOffice" else show_as,
        visibility=body.get("visibility", "default"),  # type: ignore[arg-type]  # one of them, see _check
        reminders=_reminders(body),
        categories=before.categories if before else (),
        meeting_url=_meeting(body, before),
        properties=properties,
    )


def _as_is(event: Event) -> Json:
    zones = (moment.tzinfo if isinstance(moment, dt.datetime) else None for moment in (event.start, event.end))
    start_zone, end_zone = (zone or dt.UTC for zone in zones)
    return (
        writable_fields(event)
        | {
            "start": event_time(event.start, start_zone),
            "end": event_time(event.end, end_zone),
            "status": "tentative" if event.show_as == "tentative" else "confirmed",
            "attendees": [attendee(guest) for guest in event.guests],
        }
        | ({"status": event.properties["status"]} if "status" in event.properties else {})
    )


def _laid_over(value: Json, patch: Json) -> Json:
    """Lay a patch over a value: objects are merged, null takes away, all else (lists, too) is replaced."""
    merged = dict(value)
    for name, new in patch.items():
        old = merged.get(name)
        merged[name] = _laid_over(old, new) if isinstance(old, dict) and isinstance(new, dict) else new
        if merged[name] is None:
            del merged[name]
    return {name: one for name, one in merged.items() if one is not None}


# -- single fields -----------------------------------------------------------------------------------------------------


def _check(body: Json) -> None:
    if body.get("visibility", "default") not in _VISIBILITIES:
        raise _bad("visibility")
    if body.get("transparency", "opaque") not in ("opaque", "transparent"):
        raise _bad("transparency")
    if body.get("status", "confirmed") not in ("confirmed", "tentative", "cancelled"):
        raise _bad("status")
    if body.get("eventType", "default") not in _TYPES:
        raise _bad("eventType")
    if body.get("colorId", "1") not in _COLOURS:
        raise _bad("colorId")
    attachments = body.get("attachments", [])
    if not isinstance(attachments, list) or len(attachments) > _MOST_ATTACHMENTS:
        raise _bad("attachments")


def _kept_aside(call: CalendarCall, calendar: Calendar, before: Event | None, body: Json) -> None:
    """Put into the body what a call does not touch unless it says that it knows of it, and make its conference."""
    was = {} if before is None else writable_fields(before)
    aware = {
        # reference/events/insert: 0, which is usual, ignores the conference of the body
        "conferenceData": call.choice("conferenceDataVersion", {"0": False, "1": True}, usual=False),
        "attachments": call.flag("supportsAttachments"),
    }
    for name, known in aware.items():
        if not known:
            body.pop(name, None)
            if name in was:
                body[name] = was[name]
    if "conferenceData" in body:
        body["conferenceData"] = made(body["conferenceData"], calendar)


def _text(body: Json, name: str) -> str:
    value = body.get(name, "")
    if not isinstance(value, str):
        raise _bad(name)
    return value


def _description(said: str, before: Event | None) -> tuple[str | None, str | None]:
    """Tell plain text from HTML, which a description may be; what is not changed stays what it was."""
    if before is not None and said == writable_fields(before).get("description", ""):
        return before.text, before.html
    return (None, said) if _TAG.search(said) else (said or None, None)


def _recurrence(body: Json, kept: KeptEvent | None) -> tuple[str, ...]:
    lines = body.get("recurrence", [])
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise _bad("recurrence")
    if lines and kept is not None and kept.series is not None:
        raise Refusal(400, "invalid", "Invalid recurrence rule.")
    return tuple(map(str, lines))


def _check_times(start: When, end: When, recurrence: tuple[str, ...]) -> None:
    timed = isinstance(start, dt.datetime)
    if timed != isinstance(end, dt.datetime):
        raise Refusal(400, "invalid", "Start and end times must either both be date or both be dateTime.")
    # The end is exclusive: a day that ends on itself is none, a moment is an event without length.
    length = instant(end, dt.UTC) - instant(start, dt.UTC)
    if length < dt.timedelta() or (not length and not timed):
        raise Refusal(400, "timeRangeEmpty", "The specified time range is empty.")
    try:
        if recurrence:
            series_of(recurrence, start)
    except (ValueError, KeyError):
        raise Refusal(400, "invalid", "Invalid recurrence rule.") from None


def _reminders(body: Json) -> tuple[int, ...] | None:
    value = body.get("reminders", {"useDefault": True})
    overrides = value.get("overrides", []) if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(overrides, list) or len(overrides) > _MOST_REMINDERS:
        raise _bad("reminders")
    if value.get("useDefault") and overrides:
        raise Refusal(
            400,
            "cannotUseDefaultRemindersAndSpecifyOverride",
            "Cannot specify both default reminders and overrides at the same time.",
        )
    minutes: list[int] = []
    for override in overrides:
        before = override.get("minutes") if isinstance(override, dict) else None
        if not isinstance(before, int) or not 0 <= before <= _EARLIEST_REMINDER:
            raise _bad("reminders.overrides.minutes")
        if override.get("method") not in ("email", "popup"):
            raise _bad("reminders.overrides.method")
        minutes.append(before)
    return None if value.get("useDefault") else tuple(minutes)


def _meeting(body: Json, before: Event | None) -> str | None:
    if "conferenceData" in body:
        return video(body["conferenceData"])
    # A meeting of another provider is not in the conference data, and no call takes it away.
    was = before.meeting_url if before else None
    return None if was is None or was.startswith(MEET) else was


# -- guests ------------------------------------------------------------------------------------------------------------


def _guests(call: CalendarCall, body: Json, kept: KeptEvent | None) -> tuple[Guest, ...]:
    value = body.get("attendees", [])
    if not isinstance(value, list):
        raise _bad("attendees")
    before = {} if kept is None else {guest.key: guest for guest in kept.event.guests}
    guests = {guest.key: guest for guest in (_guest(one, before) for one in value)}
    if kept is None or not (kept.copy or body.get("attendeesOmitted")):
        return tuple(guests.values())
    # A guest answers for nobody else, and neither does who sees only the own entry (attendeesOmitted).
    own = {key: guest for key, guest in guests.items() if call.calendars.owns(guest.person.address)}
    return tuple(own.get(key, guest) for key, guest in before.items())


def _guest(value: object, before: dict[str, Guest]) -> Guest:
    email = value.get("email") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not email:
        raise Refusal(400, "required", "Missing attendee email.")
    if not isinstance(email, str) or not _ADDRESS.fullmatch(email):
        raise Refusal(400, "invalid", "Invalid attendee email.")
    response = _ANSWERS.get(value.get("responseStatus", "needsAction"))
    if response is None:
        raise _bad("attendees.responseStatus")
    was = before.get(email.casefold())
    guest = Guest(
        Person(_text(value, "displayName") or (was.person.name if was else ""), email),
        kind="room" if value.get("resource") else "optional" if value.get("optional") else "required",
        response=response,  # type: ignore[arg-type]  # one of ours
        comment=_text(value, "comment"),
    )
    same = was is not None and (was.response, was.comment) == (guest.response, guest.comment)
    return attrs.evolve(guest, answered=was.answered) if was is not None and same else guest


def _bad(name: str) -> Refusal:
    return Refusal(400, "invalid", f"Invalid value for: {name}")
