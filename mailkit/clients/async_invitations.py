"""The verb that answers invitations."""

from __future__ import annotations

import datetime as dt
from typing import Literal
from zoneinfo import ZoneInfo

from mailkit.checks import asked, flag, instance, refuse
from mailkit.clients.desk import Desk
from mailkit.clients.windows import zone
from mailkit.errors import UsageError
from mailkit.fanout.calendars import EventLike
from mailkit.fanout.event_fields import proposed_times
from mailkit.fanout.flow import in_account
from mailkit.fanout.resolve import item_ref
from mailkit.models import Note

__all__ = ["AsyncInvitations"]


class AsyncInvitations:
    """What a calendar client answers."""

    _desk: Desk

    async def respond(
        self,
        event: EventLike,
        response: Literal["accepted", "declined", "tentative"],
        comment: str = "",
        *,
        send_response: bool = True,
        propose_start: dt.datetime | None = None,
        propose_end: dt.datetime | None = None,
        tz: str | ZoneInfo | dt.timezone | None = None,
        account: str | None = None,
        deadline: float | None = None,
    ) -> tuple[Note, ...]:
        """Answer an invitation; a declined event may leave the calendar.

        ``send_response=False`` tells the organiser nothing. Another time can be proposed at Outlook, with a tentative
        answer or a no; Google has no such thing, and a note says so.

        Raises:
            UsageError: the account's owner is not invited, or invites; or a value cannot be right.
            NotFound: there is no such event (any more).

        Example:
            ```python
            from mailkit import AsyncCalendarClient
            from mailkit.testing import demo_accounts

            async with AsyncCalendarClient(demo_accounts(), tz="Europe/Berlin") as calendar:
                for event in await calendar.events(limit=50):
                    if event.my_response == "none" and not event.is_organizer and event.attendees:
                        print(event.title, await calendar.respond(event, "accepted", "See you there"))
            ```
        """
        operation = "calendar.respond"
        with asked(operation):
            if response not in ("accepted", "declined", "tentative"):
                refuse(response, "response", "'accepted', 'declined' or 'tentative'")
            instance(comment, "comment", str, "text")
            flag(send_response, "send_response")
            proposed = proposed_times(propose_start, propose_end, zone(self._desk, tz))
            if proposed is not None and (response == "accepted" or not send_response):
                raise UsageError(
                    "another time is proposed by an answer that is sent, and is tentative or a no", code="bad_proposal"
                )
        ref = item_ref(event, "event", account=account, known=self._desk.names, operation=operation)
        driver = self._desk.calendar(ref.account)
        return await in_account(
            self._desk,
            ref.account,
            lambda: driver.respond(
                ref.part or "", ref.id, response, comment=comment, send=send_response, proposed=proposed
            ),
            operation=operation,
            deadline=self._desk.deadline(deadline),
        )
