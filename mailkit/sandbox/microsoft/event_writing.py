"""Answers requests that make, change and delete events, and tells guests of it.

Responsible for learn.microsoft.com/graph/api/user-post-events, event-update, event-delete and event-cancel. Never
judges permissions of a method: see ``service``.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import attrs

from mailkit.sandbox.event import Event
from mailkit.sandbox.invitations import CalendarPost
from mailkit.sandbox.kept import Calendar, KeptEvent
from mailkit.sandbox.microsoft import event_rendering, zones
from mailkit.sandbox.microsoft.answers import Asked, entity
from mailkit.sandbox.microsoft.calendars import day_of
from mailkit.sandbox.microsoft.event_drafting import Home, edited, named_zones, started, unanswered
from mailkit.sandbox.microsoft.event_reading import find_calendar, find_event
from mailkit.sandbox.microsoft.event_schema import EVENT
from mailkit.sandbox.microsoft.ids import guid
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.refusals import Refusal, forbidden
from mailkit.sandbox.microsoft.selection import Selection
from mailkit.sandbox.wire import SandboxResponse

__all__ = ["cancel_event", "create_event", "delete_event", "update_event"]


def create_event(box: MicrosoftMailbox, asked: Asked, calendar: Calendar, post: CalendarPost) -> SandboxResponse:
    """Make an event and invite its guests.

    The same ``transactionId`` again gives the event that was made (resources/event); for another event it is refused.
    """
    _check_writable(calendar)
    body = asked.body()
    event = started(body, _home(box, calendar))
    key = str(event.properties.get("transactionId") or "")
    digest = hashlib.blake2s(json.dumps(body, sort_keys=True).encode()).hexdigest()
    if key in box.calendars.transactions:
        id, known = box.calendars.transactions[key]  # noqa: A001  # the name of the thing
        made = box.calendars.event(id)
        if known != digest or made is None:
            text = "The TransactionId specified in the request has already been used to create a different event."
            raise Refusal(400, "ErrorDuplicateTransactionId", f"Your request can't be completed. {text}")
        return _shown(box, asked, made, body, 201)
    kept = box.calendars.insert(event, calendar.id)
    if key:
        box.calendars.transactions[key] = kept.id, digest
    post.invite(box.calendars, box.calendars.invitation(kept), kept.event.guests)
    return _shown(box, asked, kept, body, 201)


def update_event(box: MicrosoftMailbox, asked: Asked, key: str, post: CalendarPost) -> SandboxResponse:
    """Change an event; an occurrence becomes an exception of its series. Guests change their own copy alone."""
    kept = find_event(box, key)
    calendar = find_calendar(box, kept.calendar)
    _check_writable(calendar)
    _check_match(asked, kept)
    body = asked.body()
    event = edited(kept.event, body, _home(box, calendar), occurrence=kept.series is not None)
    moved = (event.start, event.end, event.recurrence) != (kept.event.start, kept.event.end, kept.event.recurrence)
    if moved and not kept.copy:
        event = unanswered(event)
        box.calendars.ask_anew(kept)
    if moved and kept.series is not None:
        _check_order(box, kept, event)
    apart = box.calendars.exceptions(kept)
    saved = box.calendars.save(kept, event, sequence=kept.sequence + moved)
    if kept.cancelled:
        saved = box.calendars.cancel(saved)  # what its organiser called off stays so
    for exception in apart:
        if box.calendars.event(exception.id) is not None and not exception.cancelled and not moved:
            box.calendars.save(exception, _followed(exception.event, kept.event, event))
    if not kept.copy:
        invitation = box.calendars.invitation(saved)
        keys = {guest.key for guest in event.guests}
        gone = [guest for guest in kept.event.guests if guest.key not in keys]
        if gone:
            post.cancel(box.calendars, invitation, gone)
        if event.guests:
            post.invite(box.calendars, invitation, event.guests)
    return _shown(box, asked, saved, body)


def delete_event(box: MicrosoftMailbox, asked: Asked, key: str, post: CalendarPost) -> SandboxResponse:
    """Delete an event, a series or one occurrence; guests of an organiser get a cancellation (event-delete)."""
    kept = find_event(box, key)
    _check_writable(find_calendar(box, kept.calendar))
    _check_match(asked, kept)
    _take_out(box, kept, post, "")
    return SandboxResponse(status=204)


def cancel_event(box: MicrosoftMailbox, asked: Asked, key: str, post: CalendarPost) -> SandboxResponse:
    """Cancel a meeting with a word to its guests; only its organiser can (event-cancel)."""
    kept = find_event(box, key)
    comment = asked.parameters("comment", "sendResponse").get("comment")  # O365 writes the second one along
    if kept.copy:
        text = "You need to be an organizer to cancel a meeting."
        raise Refusal(400, "ErrorInvalidRequest", f"Your request can't be completed. {text}")
    if not kept.event.guests:
        # event-cancel: "Http 400: ... the event ... is not a meeting" in so many words of Exchange
        raise Refusal(400, "ErrorInvalidRequest", "Your request can't be completed. You can only cancel a meeting.")
    _take_out(box, kept, post, str(comment or ""))
    return SandboxResponse(status=202)


def _take_out(box: MicrosoftMailbox, kept: KeptEvent, post: CalendarPost, comment: str) -> None:
    invitation = box.calendars.invitation(kept, comment)
    box.calendars.leave(kept)
    if not kept.copy and kept.event.guests:
        post.cancel(box.calendars, invitation, kept.event.guests)


def _check_writable(calendar: Calendar) -> None:
    if calendar.role not in ("owner", "writer"):
        raise forbidden()


def _check_match(asked: Asked, kept: KeptEvent) -> None:
    wanted = asked.request.headers.get("if-match", "*")
    if wanted not in ("*", event_rendering.etag(kept)):
        raise Refusal(412, "ErrorIrresolvableConflict", "The change key does not match the item's current one.")


def _check_order(box: MicrosoftMailbox, kept: KeptEvent, event: Event) -> None:
    """Refuse an occurrence that would reach another one of its series (ErrorOccurrenceCrossingBoundary of EWS)."""
    series = box.calendars.event(kept.series or "")
    if series is None or kept.original is None:
        return
    due, day = day_of(kept.original), day_of(event.start)
    first, last = min(due, day), max(due, day)
    others = {day_of(start) for start in series.starts.starts(first, last)} - {due}
    others -= {day_of(one.original) for one in box.calendars.exceptions(series) if one.original is not None}
    others |= {
        day_of(one.event.start)
        for one in box.calendars.exceptions(series)
        if one.id != kept.id and not one.cancelled and first <= day_of(one.event.start) <= last
    }
    if others:
        text = "Modified occurrence is crossing or overlapping adjacent occurrence."
        raise Refusal(400, "ErrorOccurrenceCrossingBoundary", text)


def _followed(exception: Event, before: Event, after: Event) -> Event:
    """Give an exception what its series changed and it had not changed itself."""
    names = {field.name for field in attrs.fields(Event)} - {"start", "end", "recurrence", "exceptions"}
    follows = {name for name in names if getattr(exception, name) == getattr(before, name)}
    return attrs.evolve(exception, **{name: getattr(after, name) for name in follows})


def _home(box: MicrosoftMailbox, calendar: Calendar) -> Home:
    def meeting_url() -> str:
        name = guid(box.address, str(box.calendars.change))
        return f"https://teams.microsoft.com/l/meetup-join/19%3ameeting_{name}%40thread.v2/0"

    return Home(meetings=calendar.meetings, meeting_url=meeting_url)


def _shown(
    box: MicrosoftMailbox, asked: Asked, kept: KeptEvent, body: dict[str, Any], status: int = 200
) -> SandboxResponse:
    """Answer with an event in the zone it was written in, whatever the header prefers."""
    own = event_rendering.windows_of(box, kept.event)
    own = own if zones.named(own) else "UTC"  # the clock of a zone of somebody's own cannot be told
    named = {"start": own, "end": own} | named_zones(body)
    item = event_rendering.event(box, kept, asked.preferences, named)
    return entity(asked, box.address, "/events", Selection(entity=EVENT).cut(item), status)
