"""Answering invitations at Outlook.

Responsible for what can be said to whom, before it is sent. The event is not read again afterwards: one that was
declined may be gone from the calendar.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from mailkit.errors import Unsupported, UsageError
from mailkit.mime.address_key import address_key
from mailkit.models.calendar import Event, Response
from mailkit.models.notes import Note
from mailkit.providers.microsoft.access import CALENDAR_WRITE, permitted
from mailkit.providers.microsoft.calendar_book import WHOLE_EVENT, in_utc
from mailkit.providers.microsoft.calendar_making import OutlookCalendarMaking
from mailkit.providers.microsoft.calendar_time import time_to_wire
from mailkit.providers.microsoft.requests import ACCEPTED
from mailkit.providers.wire import Wire
from mailkit.transport.call import Call

__all__ = ["OutlookCalendarAnswering"]

# https://learn.microsoft.com/graph/api/event-accept, event-decline and event-tentativelyaccept
_ACTIONS: Mapping[Response, str] = {"accepted": "accept", "declined": "decline", "tentative": "tentativelyAccept"}
_WITH_PROPOSALS = (("$select", f"{WHOLE_EVENT[0][1]},allowNewTimeProposals"),)


class OutlookCalendarAnswering(OutlookCalendarMaking):
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
        """Answer an invitation.

        Raises:
            UsageError: the account's owner is not invited (``not_invited``), or invites (``is_organizer``).
            Unsupported: the organiser takes no proposals.
        """
        operation = "calendar.respond"
        book = self._book
        with permitted(self.account, operation, CALENDAR_WRITE):
            url = book.event_url(calendar_id, event_id)
            item = await book.object(Call(operation=operation, url=url, query=_WITH_PROPOSALS, headers=in_utc()))
            event = await book.event(item, calendar_id)
            self._check_invited(event, item, await book.own_addresses(operation))
            if proposed is not None and item.get("allowNewTimeProposals") is False:
                raise Unsupported(
                    "the organiser takes no other times; answer without one, or write a mail",
                    account=self.account.name,
                    operation=operation,
                    code="no_proposals",
                )
            # Where no answer is asked for, sending one is refused: the page of event-accept, at Response.
            goes = send and event.wants_responses
            body: dict[str, object] = {"sendResponse": goes}
            if comment and goes:
                body["comment"] = comment
            if proposed is not None and goes:
                start, end = proposed
                body["proposedNewTime"] = {"start": time_to_wire(start), "end": time_to_wire(end)}
            call = Call(
                operation=operation,
                method="POST",
                url=f"{url}/{_ACTIONS[response]}",
                json=body,
                headers=in_utc(),
                expects="bytes",
                done=ACCEPTED,
                repeat=not goes,  # else the organiser might hear it twice
            )
            await book.session.request(call)
        return book.notes(*_notes(comment, asked_to_send=send, goes=goes, proposed=proposed is not None))

    def _check_invited(self, event: Event, item: Wire, me: frozenset[str]) -> None:
        if event.is_organizer:
            raise UsageError(
                "you invite to this event, so there is nothing to answer; update or cancel it", code="is_organizer"
            )
        # A group may be invited instead of oneself: then Graph says all the same that an answer is wanted.
        asked = str(_said(item)).casefold() not in {"none", ""}
        invited = any(address_key(attendee.address.address) in me for attendee in event.attendees)
        if not asked and me and not invited:
            raise UsageError(
                "you are not among the guests of this event, so there is nothing to answer", code="not_invited"
            )


def _said(item: Wire) -> object:
    status = item.get("responseStatus")
    return status.get("response") if isinstance(status, Mapping) else ""


def _notes(comment: str, *, asked_to_send: bool, goes: bool, proposed: bool) -> tuple[Note, ...]:
    if goes:
        return ()
    if asked_to_send:
        more = " and proposal" if proposed else ""
        effect = f"the organiser asked for no answers, so yours{more} stands in your own calendar only"
        return (Note(code="no_responses_wanted", effect=effect),)
    return (Note(code="comment_lost", effect="no answer was sent, so nobody reads the comment"),) if comment else ()
