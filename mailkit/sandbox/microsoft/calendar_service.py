"""Finds who answers what is asked about calendars, events, rooms and settings.

Responsible for the way from an operation to its module. Never judges permissions: see ``service``.
"""

from __future__ import annotations

from mailkit.sandbox.invitations import CalendarPost
from mailkit.sandbox.microsoft import (
    calendar_listing,
    event_answering,
    event_reading,
    event_writing,
    schedules,
    zones,
)
from mailkit.sandbox.microsoft.answers import Asked
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.refusals import unknown_zone
from mailkit.sandbox.wire import SandboxResponse

__all__ = ["AREAS", "respond"]

AREAS = ("calendarGroups", "calendars", "events", "places", "settings")


def respond(box: MicrosoftMailbox, asked: Asked, post: CalendarPost) -> SandboxResponse:
    """Answer a request for one of ``AREAS``.

    Raises:
        Refusal: it cannot be done.
    """
    preferred = asked.preferences.timezone
    if preferred is not None and zones.named(preferred) is None:
        raise unknown_zone(preferred)
    area, _, verb = asked.route.operation.partition(".")
    key = asked.route.keys[0] if asked.route.keys else None
    match area:
        case "calendars":
            return _respond_calendars(box, asked, verb, key, post)
        case "events" if verb in ("list", "view", "create"):
            return _respond_within(box, asked, verb, key, post)
        case "events" if key is not None:
            return _respond_event(box, asked, verb, key, post)
        case "settings":
            return schedules.get_settings(box, asked, key)
        case "places":
            return schedules.list_rooms(box, asked)
    return calendar_listing.list_groups(box, asked)


def _respond_calendars(
    box: MicrosoftMailbox, asked: Asked, verb: str, key: str | None, post: CalendarPost
) -> SandboxResponse:
    match verb:
        case "list":
            return calendar_listing.list_calendars(box, asked)
        case "get":
            return calendar_listing.get_calendar(box, asked, key)
        case "create":
            return calendar_listing.create_calendar(box, asked)
        case "update":
            return calendar_listing.update_calendar(box, asked, key)
        case "delete":
            return calendar_listing.delete_calendar(box, key)
    assert verb == "getSchedule"  # noqa: S101  # routes.py names no other
    return schedules.get_schedule(box, asked, post)


def _respond_within(
    box: MicrosoftMailbox, asked: Asked, verb: str, key: str | None, post: CalendarPost
) -> SandboxResponse:
    calendar = event_reading.find_calendar(box, key)
    match verb:
        case "list":
            return event_reading.list_events(box, asked, calendar)
        case "view":
            return event_reading.view(box, asked, calendar)
    return event_writing.create_event(box, asked, calendar, post)


def _respond_event(box: MicrosoftMailbox, asked: Asked, verb: str, key: str, post: CalendarPost) -> SandboxResponse:
    match verb:
        case "get":
            return event_reading.get_event(box, asked, key)
        case "instances":
            return event_reading.list_instances(box, asked, key)
        case "update":
            return event_writing.update_event(box, asked, key, post)
        case "delete":
            return event_writing.delete_event(box, asked, key, post)
        case "cancel":
            return event_writing.cancel_event(box, asked, key, post)
        case "forward":
            return event_answering.forward_event(box, asked, key, post)
    return event_answering.answer_event(box, asked, key, verb, post)
