"""Answering invitations at Google: the own entry of the guest list alone is sent, so nobody else's answer is undone.

https://developers.google.com/workspace/calendar/api/v3/reference/events (attendeesOmitted)
"""

from __future__ import annotations

import datetime as dt

from mailkit.errors import UsageError
from mailkit.mime.address_key import address_key
from mailkit.models.calendar import Response
from mailkit.models.notes import Note
from mailkit.providers.calendar import Notify
from mailkit.providers.google.access import EVENTS_WRITE, permitted
from mailkit.providers.google.calendar_calls import event_patch
from mailkit.providers.google.calendar_changes import GoogleCalendarChanges
from mailkit.providers.google.calendar_people import RESPONSES
from mailkit.providers.google.calendar_to_wire import note
from mailkit.providers.wire import Wire, get_flag, get_object, get_objects


class GoogleCalendarAnswers(GoogleCalendarChanges):
    """The verb that answers."""

    async def respond(
        self,
        calendar_id: str,
        event_id: str,
        response: Response,
        *,
        comment: str,
        send: bool,
        proposed: tuple[dt.datetime, dt.datetime] | None,
    ) -> tuple[Note, ...]:
        """Answer an invitation; a comment given before stays where none is given now.

        Raises:
            UsageError: the account's owner is not invited (``not_invited``), or invites (``is_organizer``).
            NotFound: there is no such event.
        """
        operation = "calendar.respond"
        with permitted(self.account, operation, EVENTS_WRITE):
            item = await self._item(operation, calendar_id, event_id)
            if get_flag(get_object(item, "organizer", "$"), "self", "$.organizer"):
                raise UsageError(
                    "you invite to this event, so there is nothing to answer; update or cancel it",
                    account=self.account.name,
                    operation=operation,
                    code="is_organizer",
                )
            own = {**self._own(item, operation), "responseStatus": RESPONSES[response]}
            if comment:
                own["comment"] = comment
            body = {"attendeesOmitted": True, "attendees": [own]}
            notify: Notify = "all" if send else "none"
            await self._session.request(event_patch(operation, calendar_id, event_id, body, notify=notify))
        if proposed is None:
            return ()
        effect = "Google takes no other time with an answer, and sent none; write to the organiser"
        return (note(self.account.name, "unsupported", "proposed", effect),)

    def _own(self, item: Wire, operation: str) -> Wire:
        """Find the owner among the guests."""
        guests = get_objects(item, "attendees", "$")
        own = next((each for each in guests if each.get("self") is True), None)
        if own is None:  # in a calendar that was shared it is somebody else's self
            known = {address_key(each) for each in (self.account.address, *self.account.aliases) if each}
            own = next((each for each in guests if address_key(str(each.get("email", ""))) in known), None)
        if own is None:
            raise UsageError(
                "you are not among the guests of this event, so there is nothing to answer",
                account=self.account.name,
                operation=operation,
                code="not_invited",
            )
        return own
