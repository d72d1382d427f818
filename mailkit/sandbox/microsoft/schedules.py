"""Answers who is free when, which rooms there are, and how a mailbox is set.

Responsible for learn.microsoft.com/graph/api/calendar-getschedule, place-list and user-get-mailboxsettings.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import attrs

from mailkit.sandbox.event import instant
from mailkit.sandbox.invitations import CalendarPost
from mailkit.sandbox.kept import KeptEvent
from mailkit.sandbox.microsoft import event_rendering, zones
from mailkit.sandbox.microsoft.answers import Asked, collection
from mailkit.sandbox.microsoft.calendars import MicrosoftCalendars
from mailkit.sandbox.microsoft.event_drafting import moment
from mailkit.sandbox.microsoft.event_schema import ROOM
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.matching import holds
from mailkit.sandbox.microsoft.odata import parse_filter
from mailkit.sandbox.microsoft.refusals import Refusal, bad_body, forbidden, null_comparison, unknown_route
from mailkit.sandbox.microsoft.routes import VERSION
from mailkit.sandbox.microsoft.selection import parse_select
from mailkit.sandbox.wire import SandboxResponse, json_response

__all__ = ["get_schedule", "get_settings", "list_rooms"]

_MOST = 20  # outlook-get-free-busy-schedule: "up to 20 entities at once"
_LONGEST = dt.timedelta(days=62)  # microsoft-graph-docs-contrib#19703
_PAGE = 100  # place-list: the default page size
# calendar-getschedule, availabilityView; where things overlap, the first of these that holds.
_DIGITS = {"oof": "3", "busy": "2", "tentative": "1", "workingElsewhere": "4", "free": "0"}


def get_schedule(box: MicrosoftMailbox, asked: Asked, post: CalendarPost) -> SandboxResponse:
    """Answer with what takes each person's time, or with why that cannot be said, one by one."""
    if box.calendars.personal:
        raise forbidden()  # calendar-getschedule: "Delegated (personal Microsoft account): Not supported."
    given = asked.parameters("schedules", "startTime", "endTime", "availabilityViewInterval")
    addresses = given.get("schedules")
    if not isinstance(addresses, list) or not all(isinstance(each, str) for each in addresses) or not addresses:
        raise bad_body("schedules")
    if len(addresses) > _MOST:
        text = f"There are too many target users in the EmailAddress array. The allowed size = {_MOST}."
        raise Refusal(400, "ErrorMailboxDataArrayTooBig", text)
    start, end = (_instant(given.get(name), name) for name in ("startTime", "endTime"))
    step = _step(given, start, end)
    rows = [_schedule(box, asked, post, address, (start, end, step)) for address in addresses]
    context = f"{asked.request.origin}{VERSION}/$metadata#Collection(microsoft.graph.scheduleInformation)"
    return json_response({"@odata.context": context, "value": rows})


def list_rooms(box: MicrosoftMailbox, asked: Asked) -> SandboxResponse:
    """Answer with the rooms of the organisation."""
    if box.calendars.personal:
        raise forbidden()
    selection = parse_select(asked.options.get("$select"), ROOM)
    rows = [event_rendering.room(each) for each in box.calendars.rooms]
    if "$filter" in asked.options:
        tree = parse_filter(asked.options["$filter"], ROOM)
        rows = [row for row in rows if holds(tree, row)]
    context = f"{asked.request.origin}{VERSION}/$metadata#places/microsoft.graph.room"
    return collection(asked, context, rows, selection.cut, size=_PAGE)


def get_settings(box: MicrosoftMailbox, asked: Asked, name: str | None) -> SandboxResponse:
    """Answer with the settings of the mailbox, or with one of them."""
    zone = zones.windows(box.calendars.zone)
    hours = event_rendering.working_hours(box.calendars)
    if name == "timeZone":
        return json_response({"@odata.context": asked.context(box.address, "/mailboxSettings/timeZone"), "value": zone})
    if name not in (None, "workingHours"):
        raise unknown_route(name)
    if name == "workingHours":
        return json_response({"@odata.context": asked.context(box.address, "/mailboxSettings/workingHours"), **hours})
    item = {
        "timeZone": zone,
        "language": {"locale": "en-US", "displayName": "English (United States)"},
        "workingHours": hours,
        "dateFormat": "MM/dd/yyyy",
        "timeFormat": "hh:mm tt",
    }
    if "$select" in asked.options:
        item = {each: item[each] for each in asked.options["$select"].split(",") if each in item}
    return json_response({"@odata.context": asked.context(box.address, "/mailboxSettings"), **item})


def _instant(value: object, name: str) -> dt.datetime:
    clock, zone = moment(value, name)
    return clock.replace(tzinfo=zone).astimezone(dt.UTC)


def _step(given: dict[str, Any], start: dt.datetime, end: dt.datetime) -> dt.timedelta:
    if end <= start:
        text = "The time duration specified for FreeBusyViewOptions.TimeWindow is invalid."
        raise Refusal(400, "ErrorInvalidTimeInterval", text)
    if end - start >= _LONGEST:
        text = "The requested time duration specified for FreeBusyViewOptions.TimeWindow is too long."
        raise Refusal(400, "ErrorTimeIntervalTooBig", text)
    minutes = given.get("availabilityViewInterval", 30)
    if minutes is None:
        raise null_comparison()  # microsoft-graph-docs#4494: null is an internal error
    if not str(minutes).isdigit():  # outlook-get-free-busy-schedule writes it as text
        raise bad_body("availabilityViewInterval")
    step = dt.timedelta(minutes=int(minutes))
    if not dt.timedelta(minutes=5) <= step <= min(dt.timedelta(minutes=1440), end - start):
        # microsoft-graph-docs#6450; PlaceOS/office365#29: no longer than the window itself
        text = "The specified merged free/busy interval is not valid. It lies between 5 and 1440 minutes."
        raise Refusal(400, "ErrorInvalidMergedFreeBusyInterval", text)
    return step


@attrs.frozen
class _Taken:
    """What takes somebody's time, in instants."""

    kept: KeptEvent
    status: str
    start: dt.datetime
    end: dt.datetime


def _schedule(
    box: MicrosoftMailbox,
    asked: Asked,
    post: CalendarPost,
    address: str,
    window: tuple[dt.datetime, dt.datetime, dt.timedelta],
) -> dict[str, object]:
    calendars = post.of(address, box.calendars)
    if not isinstance(calendars, MicrosoftCalendars) or calendars.personal:
        return _unknown(address, "ErrorMailRecipientNotFound", "The address is not one of the directory.")
    if calendars is not box.calendars and not calendars.shows_busy_to(box.address):
        return _unknown(address, "ErrorNoFreeBusyAccess", "The caller does not have access to free/busy data.")
    start, end, step = window
    taken = list(_taken(calendars, start, end))
    digits = []
    while start < end:
        until = min(start + step, end)
        held = {one.status for one in taken if one.start < until and one.end > start}
        digits.append(next((digit for status, digit in _DIGITS.items() if status in held), "0"))
        start = until
    return {
        "scheduleId": address,
        "availabilityView": "".join(digits),
        "scheduleItems": [_item(asked, one, detailed=calendars is box.calendars) for one in taken],
        "workingHours": event_rendering.working_hours(calendars),
    }


def _taken(calendars: MicrosoftCalendars, start: dt.datetime, end: dt.datetime) -> Iterator[_Taken]:
    """Give what stands in the default calendar and takes time; free events are among it, with that status."""
    primary = calendars.named("")
    for kept in calendars.expand(primary.id, start, end):
        begins, ends = (instant(when, primary.zone) for when in (kept.event.start, kept.event.end))
        if begins < ends and not calendars.is_gone(kept):
            yield _Taken(kept, event_rendering.shown_as(calendars, kept), begins, ends)


def _item(asked: Asked, taken: _Taken, *, detailed: bool) -> dict[str, object]:
    name = asked.preferences.timezone or "UTC"
    zone = zones.named(name) or zones.UTC
    item: dict[str, object] = {
        "status": taken.status,
        "start": {"dateTime": zones.local(zone, taken.start), "timeZone": name},
        "end": {"dateTime": zones.local(zone, taken.end), "timeZone": name},
    }
    if detailed:
        event = taken.kept.event
        private = event.visibility in ("private", "confidential")
        item |= {"isPrivate": private, "subject": event.title, "location": event.location}
    return item


def _unknown(address: str, code: str, message: str) -> dict[str, object]:
    return {"scheduleId": address, "error": {"message": message, "responseCode": code}}
