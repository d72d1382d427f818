"""What is named of an event → Graph's JSON, and notes on what Outlook does not have. Pure.

Nothing that is not named is written. Who is invited is merged in ``event_people``.
Members: https://learn.microsoft.com/graph/api/event-update
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

import attrs

from mailkit.errors import UsageError
from mailkit.models.calendar import Attendee, AttendeeKind, Reminder, ShowAs
from mailkit.models.notes import Note
from mailkit.providers.calendar import UNSET, EventFields
from mailkit.providers.microsoft.calendar_time import day_to_wire, is_second, time_to_wire
from mailkit.providers.wire import Wire
from mailkit.recurrence import Moment, Recurrence, to_graph
from mailkit.scheduling import instant_of

__all__ = [
    "Times",
    "Written",
    "attendee_to_wire",
    "clock_notes",
    "event_to_wire",
    "recurrence_to_wire",
    "times_to_wire",
]

_SHOWN: Mapping[ShowAs, str] = {
    "free": "free",
    "tentative": "tentative",
    "busy": "busy",
    "away": "oof",
    "elsewhere": "workingElsewhere",
}
_ATTENDEE_TYPES: Mapping[AttendeeKind, str] = {"required": "required", "optional": "optional", "room": "resource"}


@attrs.frozen(kw_only=True)
class Times:
    """When an event is, and the zone that its whole days are written in."""

    start: Moment
    end: Moment
    day_zone: ZoneInfo

    def __attrs_post_init__(self) -> None:
        if isinstance(self.start, dt.datetime) is not isinstance(self.end, dt.datetime):
            raise UsageError("start and end are both dates, or both datetimes; name the other, too", code="bad_times")
        length = instant_of(self.end, dt.UTC) - instant_of(self.start, dt.UTC)
        if length < dt.timedelta() or (not length and not isinstance(self.start, dt.datetime)):
            raise UsageError(
                "the event ends before it starts; the end of a whole day is the next one", code="bad_times"
            )


@attrs.frozen(kw_only=True)
class Written:
    """A body, what is to be taken out of the series once it is there, and what could not be written."""

    body: Mapping[str, object]
    deletions: tuple[Moment, ...] = ()
    notes: tuple[Note, ...] = ()


def event_to_wire(fields: EventFields) -> Written:
    """Write what is named, times and recurrence, attendees and online meeting apart: those depend on more."""
    body: dict[str, object] = {}
    notes: list[Note] = []
    if fields.title is not UNSET:
        body["subject"] = fields.title
    if fields.html is not UNSET:
        body["body"] = {"contentType": "html", "content": fields.html}
    elif fields.text is not UNSET:
        body["body"] = {"contentType": "text", "content": fields.text}
    if fields.location is not UNSET:
        body["location"] = {"displayName": fields.location}
    if fields.visibility is not UNSET:
        body["sensitivity"] = "private" if fields.visibility == "private" else "normal"
        if fields.visibility == "public":
            notes.append(Note(code="no_public", effect="Outlook has no public events; it is as the calendar is shared"))
    if fields.show_as is not UNSET:
        body["showAs"] = _SHOWN[fields.show_as]
    if fields.categories is not UNSET:
        body["categories"] = list(fields.categories)
    if fields.wants_responses is not UNSET:
        body["responseRequested"] = fields.wants_responses
    if fields.color is not UNSET:
        notes.append(Note(code="no_color", effect="Outlook colours events by their categories; color= was left out"))
    if fields.reminders is not UNSET:
        reminder, said = _reminder(fields.reminders)
        body |= reminder
        notes += said
    return Written(body=body, notes=tuple(notes))


def times_to_wire(times: Times, *, repeats: bool = False) -> Wire:
    """Write both sides and of which kind they are; those of a series (``repeats``) by the clock of their zone.

    Raises:
        UsageError: Windows has no such zone.
    """
    start, end = times.start, times.end
    if isinstance(start, dt.datetime) and isinstance(end, dt.datetime):
        sides = {"start": time_to_wire(start, repeats=repeats), "end": time_to_wire(end, repeats=repeats)}
        return {**sides, "isAllDay": False}
    zone = times.day_zone
    return {"start": day_to_wire(start, zone), "end": day_to_wire(end, zone), "isAllDay": True}


def clock_notes(times: Times, *, repeats: bool = False) -> tuple[Note, ...]:
    """Say what becomes of a time that the clocks show twice, where the second is meant."""
    if not any(isinstance(each, dt.datetime) and is_second(each) for each in (times.start, times.end)):
        return ()
    effect = (
        "Outlook has a series by the clock alone; of a time that is shown twice it takes the first"
        if repeats
        else "Outlook knows only the first of two times that the clocks show alike; the second was written in UTC"
    )
    return (Note(code="shown_twice", effect=effect),)


def recurrence_to_wire(recurrence: Recurrence, times: Times) -> Written:
    """Write a recurrence that begins with ``times``; its excluded dates are to be deleted.

    Raises:
        InvalidRecurrence: Outlook cannot hold it.
    """
    made = to_graph(recurrence, times.start, day_zone=times.day_zone)
    return Written(body={"recurrence": {"pattern": made.pattern, "range": made.range}}, deletions=made.deletions)


def attendee_to_wire(attendee: Attendee) -> Wire:
    """Write somebody who is to be invited: https://learn.microsoft.com/graph/api/resources/attendee."""
    address = attendee.address
    who = {"address": address.address, **({"name": address.name} if address.name else {})}
    return {"emailAddress": who, "type": _ATTENDEE_TYPES[attendee.kind]}


def _reminder(reminders: Sequence[Reminder] | None) -> tuple[dict[str, object], list[Note]]:
    """Outlook has one reminder, and it pops up: of several the earliest is kept."""
    if reminders is None:
        return {}, []  # what Outlook does by itself
    if not reminders:
        return {"isReminderOn": False}, []
    minutes = max(reminder.minutes for reminder in reminders)
    notes = []
    if len(reminders) > 1 or any(reminder.method != "popup" for reminder in reminders):
        notes.append(Note(code="one_reminder", effect="Outlook has one reminder that pops up; the earliest was set"))
    return {"isReminderOn": True, "reminderMinutesBeforeStart": minutes}, notes
