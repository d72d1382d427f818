"""Events made, changed, moved and deleted, and what guests and organisers hear of it.

Sources: developers.google.com/workspace/calendar/api/v3/reference/events, guides/version-resources, concepts/inviting-
attendees-to-events.
"""

from __future__ import annotations

import re

import attrs

from mailkit.sandbox.event import Event, Guest
from mailkit.sandbox.google.calendar.body import written
from mailkit.sandbox.google.calendar.call import Answers, CalendarCall
from mailkit.sandbox.google.calendar.reading import shown
from mailkit.sandbox.google.labels import Json
from mailkit.sandbox.google.refusals import Refusal
from mailkit.sandbox.invitations import Answer, CalendarPost
from mailkit.sandbox.kept import KeptEvent

__all__ = ["EventWriting"]

_ID = re.compile(r"[a-v0-9]{5,1024}")
_SHARED = ("title", "start", "end", "recurrence", "text", "html", "location", "visibility", "meeting_url")
"""What all copies of an event have in common; the rest is its owner's alone."""
_WHEN = ("start", "end", "recurrence")


class EventWriting:
    """Answers the methods that change events; ``post`` takes word of it to others."""

    def __init__(self, post: CalendarPost) -> None:
        self._post = post
        self.answers: Answers = {
            "events.insert": self._insert,
            "events.patch": self._save,
            "events.update": self._save,
            "events.delete": self._delete,
            "events.move": self._move,
        }

    def _insert(self, call: CalendarCall) -> Json:
        calendar = call.writable()
        id, uid = call.body.get("id"), call.body.get("iCalUID")  # noqa: A001  # the name of the thing
        if id is not None and not (isinstance(id, str) and _ID.fullmatch(id)):
            raise Refusal(400, "invalid", "Invalid resource id value.")
        # The id of a deleted event stays taken.
        if id is not None and call.calendars.event(id) is not None:
            raise Refusal(409, "duplicate", "The requested identifier already exists.")
        if uid is not None and (not isinstance(uid, str) or call.calendars.by_uid(uid) is not None):
            raise Refusal(409, "duplicate", "The requested identifier already exists.")
        event = attrs.evolve(written(call, calendar), id=id, uid=uid)
        kept = call.calendars.insert(event, calendar.id)
        self._invite(call, kept, kept.event.guests)
        return shown(call, calendar, kept)

    def _save(self, call: CalendarCall) -> Json:
        calendar = call.writable()
        kept = call.event(calendar)
        call.unchanged(kept)
        if call.body.get("status") == "cancelled":
            return shown(call, calendar, self._cancelled(call, kept))
        if kept.cancelled and call.body.get("status") not in ("confirmed", "tentative"):
            raise Refusal(410, "deleted", "Resource has been deleted")
        event = written(call, calendar, kept)
        if kept.copy:
            return shown(call, calendar, self._answered(call, kept, event))
        return shown(call, calendar, self._changed(call, kept, event))

    def _changed(self, call: CalendarCall, kept: KeptEvent, event: Event) -> KeptEvent:
        """Change what one organises, and tell the guests."""
        sequence = kept.sequence + _differ(kept.event, event, _WHEN)
        saved = call.calendars.save(kept, event, sequence=sequence)
        staying = {guest.key for guest in event.guests}
        leaving = [guest for guest in kept.event.guests if guest.key not in staying]
        self._call_off(call, saved, leaving)
        if kept.cancelled or leaving or event.guests != kept.event.guests or _differ(kept.event, event, _SHARED):
            self._invite(call, saved, event.guests)
        return saved

    def _answered(self, call: CalendarCall, kept: KeptEvent, event: Event) -> KeptEvent:
        """Change one's own copy of what somebody else organises, and give them one's answer."""
        if _differ(kept.event, event, _SHARED):
            raise Refusal(
                403,
                "forbiddenForNonOrganizer",
                "Shared properties can only be changed by the organizer of the event.",
            )
        saved = call.calendars.save(kept, event)
        own = next((guest for guest in event.guests if call.calendars.owns(guest.person.address)), None)
        if own is None or own in kept.event.guests:
            return saved
        self._answer(call, saved, own)
        return call.calendars.event(saved.id) or saved

    def _answer(self, call: CalendarCall, kept: KeptEvent, own: Guest) -> None:
        now = call.request.now
        answer = Answer(uid=kept.uid, guest=own, original=kept.original, at=now)
        # The answer to a series goes for its changed occurrences, too.
        call.calendars.take_answer(answer)
        if kept.event.organizer is not None:
            self._post.answer(call.calendars, kept.event.organizer, answer, call.notify)

    def _delete(self, call: CalendarCall) -> None:
        kept = call.event(call.writable())
        call.unchanged(kept)
        if kept.cancelled:
            raise Refusal(410, "deleted", "Resource has been deleted")
        self._cancelled(call, kept)

    def _cancelled(self, call: CalendarCall, kept: KeptEvent) -> KeptEvent:
        guests = kept.event.guests
        own = next((guest for guest in guests if call.calendars.owns(guest.person.address)), None)
        if kept.copy and own is not None:
            # Who deletes an invitation has declined it.
            self._answer(call, kept, attrs.evolve(own, response="declined", comment=""))
            kept = call.calendars.event(kept.id) or kept
        cancelled = call.calendars.cancel(attrs.evolve(kept, sequence=kept.sequence + (not kept.copy)))
        if not kept.copy:
            self._call_off(call, cancelled, guests)
        return cancelled

    def _move(self, call: CalendarCall) -> Json:
        calendar = call.writable()
        kept = call.event(calendar)
        destination = call.writable(call.one("destination"))
        if kept.series is not None:
            raise Refusal(400, "cannotChangeOrganizerOfInstance", "Cannot change the organizer of an instance.")
        if kept.copy:
            raise Refusal(403, "forbiddenForNonOrganizer", "Only the organizer of an event can move it.")
        moved = call.calendars.move(kept, destination.id)
        self._invite(call, moved, moved.event.guests)
        return shown(call, destination, moved)

    # -- word to others ------------------------------------------------------------------------------------------------

    def _invite(self, call: CalendarCall, kept: KeptEvent, guests: tuple[Guest, ...]) -> None:
        if guests:
            self._post.invite(call.calendars, call.calendars.invitation(kept), guests, call.notify)

    def _call_off(self, call: CalendarCall, kept: KeptEvent, guests: list[Guest] | tuple[Guest, ...]) -> None:
        if guests:
            self._post.cancel(call.calendars, call.calendars.invitation(kept), guests, call.notify)


def _differ(one: Event, other: Event, names: tuple[str, ...]) -> bool:
    return any(getattr(one, name) != getattr(other, name) for name in names)
