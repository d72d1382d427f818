"""Events at Google, made and deleted, and the single steps that changes are made of.

Each step may be repeated: an event is made under an id of our own, so that making it again is refused as a duplicate,
and deleting what is gone is fine.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from mailkit.errors import Conflict
from mailkit.models.calendar import Event
from mailkit.models.notes import Note
from mailkit.providers.calendar import EventFields, Notify
from mailkit.providers.google import calendar_calls
from mailkit.providers.google.access import EVENTS_WRITE, permitted
from mailkit.providers.google.calendar_people import attendees_to_wire
from mailkit.providers.google.calendar_reading import GoogleCalendarReading
from mailkit.providers.google.calendar_to_wire import event_to_wire, for_insert, note
from mailkit.providers.wire import Wire, get_text


@attrs.frozen
class Errand:
    """What all steps of one change have in common: the verb, the calendar, and who is told."""

    operation: str
    calendar_id: str
    notify: Notify

    @property
    def quietly(self) -> Errand:
        """The same, told to nobody."""
        return attrs.evolve(self, notify="none")


class GoogleCalendarWriting(GoogleCalendarReading):
    """The verb that makes events, and what the others share."""

    async def create(
        self, calendar_id: str, fields: EventFields, *, key: str, notify: Notify
    ) -> tuple[Event, tuple[Note, ...]]:
        """Create an event once, under ``key`` as its id: a repeat gives the event of the first time.

        Raises:
            Conflict: that event was deleted since; Google keeps its id for good.
            PermissionMissing: this account may not change events, or not those of this calendar.
            InvalidRecurrence: a series starts at an offset instead of in a zone.
            UsageError: there is no start and end, or Google has no such colour, or not so many reminders.
        """
        operation = "calendar.create"
        with permitted(self.account, operation, EVENTS_WRITE):
            body, notes = event_to_wire(fields, account=self.account.name, request_id=key)
            people = attendees_to_wire(fields, ())
            made = for_insert(body if people is None else {**body, "attendees": people})
            item = await self._inserted(Errand(operation, calendar_id, notify), key, made)
            return await self._event(operation, calendar_id, item), notes

    async def _inserted(self, errand: Errand, event_id: str, body: Mapping[str, object]) -> Wire:
        """Make an event, or give the one that has this id.

        Ids are of the letters of base32hex, among which are those of hexadecimal numbers (events/insert, id).
        """
        operation, calendar_id = errand.operation, errand.calendar_id
        try:
            return await self._object(
                calendar_calls.event_insert(operation, calendar_id, {"id": event_id, **body}, errand.notify)
            )
        except Conflict:
            item = await self._item(operation, calendar_id, event_id)
        if item.get("status") == "cancelled":
            raise Conflict(
                "the event that this key made was deleted; take another key to make it again",
                account=self.account.name,
                operation=operation,
                code="key_reused",
            )
        return item

    async def _deleted(self, errand: Errand, event_id: str) -> None:
        await self._session.request(
            calendar_calls.event_delete(errand.operation, errand.calendar_id, event_id, errand.notify)
        )


def comment_notes(account: str, comment: str | None) -> tuple[Note, ...]:
    """Say that nobody reads the comment on a cancellation: events/delete takes none."""
    effect = "Google tells the guests that the event is off, without the comment"
    return (note(account, "comment_lost", "comment", effect),) if comment else ()


def series_of(item: Wire) -> str:
    """Give the id of the series that an occurrence belongs to; empty for anything else."""
    return get_text(item, "recurringEventId", "$")
