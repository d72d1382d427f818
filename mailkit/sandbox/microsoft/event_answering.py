"""Answers guests who accept, decline or are not sure, and forwards.

Responsible for learn.microsoft.com/graph/api/event-accept, event-tentativelyaccept, event-decline and event-forward.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

import attrs

from mailkit.sandbox.event import Guest, Response
from mailkit.sandbox.invitations import Answer, CalendarPost
from mailkit.sandbox.kept import KeptEvent
from mailkit.sandbox.microsoft.answers import Asked
from mailkit.sandbox.microsoft.drafting import people
from mailkit.sandbox.microsoft.event_drafting import moment
from mailkit.sandbox.microsoft.event_reading import find_event
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.refusals import Refusal, bad_body
from mailkit.sandbox.wire import SandboxResponse

__all__ = ["answer_event", "forward_event"]

_RESPONSES: Mapping[str, Response] = {"accept": "accepted", "tentativelyAccept": "tentative", "decline": "declined"}


def answer_event(box: MicrosoftMailbox, asked: Asked, key: str, verb: str, post: CalendarPost) -> SandboxResponse:
    """Note the owner's answer, and send it to the organiser unless that is not wanted; a declined event goes away."""
    names = ("comment", "sendResponse") if verb == "accept" else ("comment", "sendResponse", "proposedNewTime")
    given = asked.parameters(*names)
    kept = find_event(box, key)
    send = _send(given)
    if not kept.copy:
        raise _invalid("You can't respond to this meeting because you're the meeting organizer.")
    own = next((guest for guest in kept.event.guests if box.calendars.owns(guest.person.address)), None)
    if own is None:
        raise _invalid("You can't respond to this meeting because you're not invited to it.")
    if send and kept.event.properties.get("responseRequested") is False:
        raise _invalid("The meeting organizer hasn't requested a response.")
    proposal = _proposal(kept, given, send=send)
    answer = Answer(
        uid=kept.uid,
        guest=attrs.evolve(own, response=_RESPONSES[verb], comment=str(given.get("comment") or "")),
        original=kept.original,
        proposal=proposal,
        at=asked.request.now,
    )
    box.calendars.take_answer(answer)
    if send and kept.event.organizer is not None:
        post.answer(box.calendars, kept.event.organizer, answer)
    if verb == "decline" and not box.calendars.keeps_declined:
        box.calendars.leave(kept)  # event-decline: it goes to Deleted Items
    return SandboxResponse(status=202)


def forward_event(box: MicrosoftMailbox, asked: Asked, key: str, post: CalendarPost) -> SandboxResponse:
    """Invite others on behalf of the organiser, who hears of it."""
    given = asked.parameters("toRecipients", "comment")
    kept = find_event(box, key)
    guests = [Guest(person) for person in people(given.get("toRecipients"), "toRecipients")]
    if not guests:
        raise bad_body("toRecipients")
    invited = attrs.evolve(kept.event, guests=(*kept.event.guests, *guests))
    if not kept.copy:
        kept = box.calendars.save(kept, invited)
    invitation = box.calendars.invitation(attrs.evolve(kept, event=invited), str(given.get("comment") or ""))
    post.invite(box.calendars, invitation, guests)
    return SandboxResponse(status=202)


def _send(given: Mapping[str, Any]) -> bool:
    value = given.get("sendResponse")
    if value is not None and str(value).lower() not in ("true", "false"):  # outlook-calendar-meeting-proposals: "true"
        raise bad_body("sendResponse")
    return str(value).lower() != "false"


def _proposal(kept: KeptEvent, given: Mapping[str, Any], *, send: bool) -> tuple[dt.datetime, dt.datetime] | None:
    slot = given.get("proposedNewTime")
    if slot is None:
        return None
    # event-decline, "Response": 400 where a time is proposed that the organiser does not hear of, or does not want.
    if not send:
        raise Refusal(400, "ErrorInvalidParameter", "A new time can't be proposed when no response is sent.")
    if kept.event.properties.get("allowNewTimeProposals") is False:
        raise Refusal(400, "ErrorInvalidParameter", "The organizer does not allow new times to be proposed.")
    if not isinstance(slot, Mapping):
        raise bad_body("proposedNewTime")
    times = {name.lower(): value for name, value in slot.items()}
    (start, start_zone), (end, end_zone) = (moment(times.get(name), name) for name in ("start", "end"))
    return start.replace(tzinfo=start_zone), end.replace(tzinfo=end_zone)


def _invalid(detail: str) -> Refusal:
    return Refusal(400, "ErrorInvalidRequest", f"Your request can't be completed. {detail}")
