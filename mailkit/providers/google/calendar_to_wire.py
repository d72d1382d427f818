"""The fields of an event → Google Calendar's JSON. Pure; guests stand in ``calendar_people``.

What Google lacks is left out, with a note that says so.
https://developers.google.com/workspace/calendar/api/v3/reference/events
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from mailkit.errors import UsageError
from mailkit.models.calendar import Event, Reminder, ShowAs
from mailkit.models.notes import Note
from mailkit.providers.calendar import EventFields, Unset
from mailkit.providers.google.calendar_text import text_to_wire
from mailkit.providers.google.calendar_time import time_to_wire
from mailkit.providers.series_changes import starts_on_rule
from mailkit.recurrence import Moment
from mailkit.recurrence.moments import zone_of

__all__ = ["event_to_wire", "for_insert", "note"]

_MOST_REMINDERS = 5  # reference/events, reminders.overrides
_COLOURS = frozenset(map(str, range(1, 12)))  # reference/colors, event
_SHOWN: Mapping[ShowAs, Mapping[str, str]] = {
    "free": {"transparency": "transparent", "status": "confirmed"},
    "tentative": {"transparency": "opaque", "status": "tentative"},
    "busy": {"transparency": "opaque", "status": "confirmed"},
}


def note(account: str, code: str, term: str, effect: str) -> Note:
    """Say what Google could not do as asked."""
    return Note(account=account, code=code, term=term, effect=effect)


def event_to_wire(
    fields: EventFields, *, account: str, request_id: str, current: Event | None = None
) -> tuple[dict[str, object], tuple[Note, ...]]:
    """Write what is named, as a patch of ``current``; ``request_id`` names the making of an online meeting.

    Raises:
        UsageError: Google has no such colour, or not so many reminders.
        InvalidRecurrence: a series starts at an offset instead of in a zone.
    """
    texts = {"summary": fields.title, "location": fields.location, "description": fields.html}
    body: dict[str, object] = {name: text for name, text in texts.items() if not isinstance(text, Unset)}
    notes: list[Note] = []
    if not isinstance(fields.text, Unset):
        body["description"] = text_to_wire(fields.text)
    body |= _times(fields, current)
    if _starts_beside(fields, current):
        effect = "the start is no date of its rule, and takes place all the same; Google counts it as one more"
        notes.append(note(account, "dtstart_mismatch", "recurrence", effect))
    if not isinstance(fields.visibility, Unset):
        body["visibility"] = fields.visibility
    if not isinstance(fields.show_as, Unset):
        body |= _SHOWN.get(fields.show_as, _SHOWN["busy"])
        if fields.show_as not in _SHOWN:
            # reference/events, eventType: being away is a kind of event of its own, which none becomes later
            notes.append(note(account, "approximate", "show_as", "Google shows this event as busy; it knows no more"))
    if not isinstance(fields.reminders, Unset):
        body["reminders"] = _reminders(fields.reminders)
    if not isinstance(fields.color, Unset):
        body["colorId"] = _colour(fields.color)
    if not isinstance(fields.online_meeting, Unset):
        body["conferenceData"] = _meet(request_id) if fields.online_meeting else None
    if not isinstance(fields.categories, Unset) and fields.categories:
        notes.append(note(account, "unsupported", "categories", "Google's events have no categories; none were set"))
    if fields.wants_responses is False:
        effect = "Google always asks guests for an answer; they were asked for one"
        notes.append(note(account, "unsupported", "wants_responses", effect))
    return body, tuple(notes)


def for_insert(body: Mapping[str, object]) -> dict[str, object]:
    """Leave out what only a patch needs: the members that it takes away."""
    return {
        name: for_insert(value) if isinstance(value, dict) else value
        for name, value in body.items()
        if value is not None
    }


def _times(fields: EventFields, current: Event | None) -> dict[str, object]:
    start, end = fields.start, fields.end
    body: dict[str, object] = {}
    if not isinstance(fields.recurrence, Unset):
        if fields.recurrence is None:
            body["recurrence"] = None
        else:
            if isinstance(start, Unset) and current is not None:
                # reference/events, start.timeZone: a series must say its zone, which a single event need not
                start = current.start
                end = current.end if isinstance(end, Unset) else end
            body["recurrence"] = list(fields.recurrence.to_lines(_needed(start)))
    elif not isinstance(start, Unset) and current is not None and current.kind == "series":
        zone_of(start)
    for name, moment in (("start", start), ("end", end)):
        if not isinstance(moment, Unset):
            body[name] = time_to_wire(moment)
    return body


def _starts_beside(fields: EventFields, current: Event | None) -> bool:
    start = current.start if isinstance(fields.start, Unset) and current is not None else fields.start
    if isinstance(fields.recurrence, Unset | None) or isinstance(start, Unset):
        return False
    return not starts_on_rule(fields.recurrence, start)


def _needed(start: Moment | Unset) -> Moment:
    if isinstance(start, Unset):
        raise UsageError("a new event needs its start and end", code="bad_start")
    if isinstance(start, dt.datetime):
        zone_of(start)
    return start


def _reminders(reminders: tuple[Reminder, ...] | None) -> dict[str, object]:
    """Write reminders; a patch has to take away those that were there before the usual ones apply."""
    named = reminders or ()
    if len(named) > _MOST_REMINDERS:
        raise UsageError(
            f"Google keeps at most {_MOST_REMINDERS} reminders for an event; name fewer", code="bad_reminders"
        )
    overrides = [{"method": each.method, "minutes": each.minutes} for each in named]
    return {"useDefault": reminders is None, "overrides": overrides}


def _colour(color: str | None) -> str | None:
    if color is not None and color not in _COLOURS:
        raise UsageError("Google's events have the colours '1' to '11'; pass one of them", code="bad_color")
    return color


def _meet(request_id: str) -> dict[str, object]:
    """Ask for a conference of Google Meet; the same request again makes no second one.

    https://developers.google.com/workspace/calendar/api/guides/create-events#conferencing
    """
    return {"createRequest": {"requestId": request_id, "conferenceSolutionKey": {"type": "hangoutsMeet"}}}
