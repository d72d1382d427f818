"""Graph's calendar JSON → records. Pure: what came in decides what comes out.

Tolerant of members Graph leaves out; an event without an id or times is a ``BadPayload`` with its JSON path, a
recurrence that cannot be read is kept as text. How records become JSON stands in ``event_to_wire``.
Members: https://learn.microsoft.com/graph/api/resources/event
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Mapping
from functools import lru_cache
from zoneinfo import ZoneInfo

from mailkit.errors import MailkitError
from mailkit.mime.address_key import address_key
from mailkit.mime.headers import one_line
from mailkit.models.body import Body
from mailkit.models.calendar import (
    Attendee,
    AttendeeKind,
    Calendar,
    Event,
    EventKind,
    OnlineMeeting,
    Reminder,
    Response,
    Room,
    ShowAs,
    Visibility,
)
from mailkit.providers.microsoft.calendar_time import EventZones, moment_from_wire, zones_from_wire
from mailkit.providers.occurrences import occurrence_kind
from mailkit.providers.wire import (
    Wire,
    as_object,
    get_flag,
    get_instant,
    get_list,
    get_needed_text,
    get_number,
    get_object,
    get_objects,
    get_text,
)
from mailkit.recurrence import Moment, Recurrence, from_graph
from mailkit.recurrence.moments import in_zone, on_clock
from mailkit.values import Address, Ref

__all__ = [
    "CALENDAR_MEMBERS",
    "EVENT_MEMBERS",
    "ROOM_MEMBERS",
    "address_of",
    "attendee_from_wire",
    "calendar_from_wire",
    "event_from_wire",
    "needs_mailbox_zone",
    "room_from_wire",
]

CALENDAR_MEMBERS = (
    "id",
    "name",
    "color",
    "hexColor",
    "isDefaultCalendar",
    "canEdit",
    "owner",
    "allowedOnlineMeetingProviders",
)
EVENT_MEMBERS = (
    "id",
    "iCalUId",
    "type",
    "subject",
    "body",
    "location",
    "start",
    "end",
    "isAllDay",
    "originalStart",
    "originalStartTimeZone",
    "originalEndTimeZone",
    "recurrence",
    "seriesMasterId",
    "isCancelled",
    "showAs",
    "sensitivity",
    "organizer",
    "isOrganizer",
    "attendees",
    "responseStatus",
    "responseRequested",
    "isOnlineMeeting",
    "onlineMeeting",
    "onlineMeetingProvider",
    "onlineMeetingUrl",
    "isReminderOn",
    "reminderMinutesBeforeStart",
    "categories",
    "webLink",
    "createdDateTime",
    "lastModifiedDateTime",
)
ROOM_MEMBERS = ("displayName", "emailAddress", "capacity", "building")

# The values of https://learn.microsoft.com/graph/api/resources/event; names compare without case.
_OCCURRENCES = frozenset({"occurrence", "exception"})
_SHOWN: Mapping[str, ShowAs] = {
    "free": "free",
    "tentative": "tentative",
    "oof": "away",
    "workingelsewhere": "elsewhere",
}
_SENSITIVITIES: Mapping[str, Visibility] = {"personal": "private", "private": "private", "confidential": "private"}
_RESPONSES: Mapping[str, Response] = {
    "organizer": "accepted",
    "accepted": "accepted",
    "tentativelyaccepted": "tentative",
    "declined": "declined",
}
_ATTENDEE_KINDS: Mapping[str, AttendeeKind] = {"optional": "optional", "resource": "room"}
_MEETINGS: Mapping[str, str] = {
    "teamsforbusiness": "teams",
    "skypeforbusiness": "skype",
    "skypeforconsumer": "skype",
}
# How a global object id begins; the four bytes after these sixteen are the date of an occurrence:
# learn.microsoft.com/openspecs/exchange_server_protocols/ms-oxocal, PidLidGlobalObjectId and PidLidCleanGlobalObjectId
_OBJECT_ID = "040000008200E00074C5B7101A82E008"


def calendar_from_wire(item: Wire, path: str, *, account: str) -> Calendar:
    """Read one calendar.

    Raises:
        BadPayload: it has no id.
    """
    providers = [str(each).casefold() for each in get_list(item, "allowedOnlineMeetingProviders", path)]
    return Calendar(
        ref=Ref(account=account, kind="calendar", id=get_needed_text(item, "id", path)),
        name=one_line(get_text(item, "name", path)),
        is_primary=get_flag(item, "isDefaultCalendar", path),
        can_edit=get_flag(item, "canEdit", path),
        owner=address_of(get_object(item, "owner", path), f"{path}.owner"),
        color=get_text(item, "hexColor", path) or get_text(item, "color", path) or None,
        online_meetings=tuple(dict.fromkeys(_MEETINGS[each] for each in providers if each in _MEETINGS)),
    )


def event_from_wire(
    item: Wire,
    path: str,
    *,
    account: str,
    calendar_id: str,
    me: Collection[str] = (),
    mailbox_zone: ZoneInfo | None = None,
) -> Event:
    """Read one event; ``me`` are the owner's addresses as ``address_key`` gives them.

    Raises:
        BadPayload: no id or times, or a member of another type than documented.
    """
    event_id = get_needed_text(item, "id", path)
    type_ = get_text(item, "type", path).casefold()
    all_day = get_flag(item, "isAllDay", path)
    zones = zones_from_wire(item, path, mailbox_zone)
    start = moment_from_wire(item, "start", path, zones.start.zone, all_day=all_day)
    end = moment_from_wire(item, "end", path, zones.end, all_day=all_day)
    recurrence, recurrence_text = _recurrence(item, path, start, zones)
    series = get_text(item, "seriesMasterId", path)
    cancelled = get_flag(item, "isCancelled", path)
    original_start = _original_start(item, path, type_, start, zones)
    kind: EventKind = "series" if type_ == "seriesmaster" else "single"
    if type_ in _OCCURRENCES:
        kind = occurrence_kind(start, original_start, is_off=cancelled)
    return Event(
        ref=Ref(account=account, kind="event", id=event_id, part=calendar_id),
        calendar=_calendar(account, calendar_id),
        ical_uid=_uid(get_text(item, "iCalUId", path)),
        kind=kind,
        title=one_line(get_text(item, "subject", path)),
        body=_body(item, path),
        location=get_text(get_object(item, "location", path), "displayName", f"{path}.location"),
        start=start,
        end=max(end, start + dt.timedelta(days=1)) if all_day else end,
        recurrence=recurrence,
        recurrence_text=recurrence_text,
        series=_series(account, calendar_id, series) if series else None,
        original_start=original_start,
        status="cancelled" if cancelled else "confirmed",
        show_as=_SHOWN.get(get_text(item, "showAs", path).casefold(), "busy"),
        visibility=_SENSITIVITIES.get(get_text(item, "sensitivity", path).casefold(), "default"),
        organizer=_person(item, "organizer", path),
        is_organizer=get_flag(item, "isOrganizer", path),
        attendees=_attendees(item, path, me),
        my_response=_response(item, "responseStatus", path),
        wants_responses=item.get("responseRequested") is not False,
        online_meeting=_meeting(item, path),
        reminders=_reminders(item, path),
        categories=tuple(str(each) for each in get_list(item, "categories", path)),
        link=get_text(item, "webLink", path) or None,
        etag=get_text(item, "@odata.etag", path) or None,
        created=get_instant(item, "createdDateTime", path),
        updated=get_instant(item, "lastModifiedDateTime", path),
        zone_source=None if all_day else zones.source,
    )


def needs_mailbox_zone(item: object) -> bool:
    """Whether an event's own zone means nothing, so that the mailbox's is wanted; False where nothing can be read."""
    try:
        return zones_from_wire(as_object(item, "$"), "$", None).source is not None
    except MailkitError:
        return False


_NOBODY = Address(address="")


def _attendees(item: Wire, path: str, me: Collection[str]) -> tuple[Attendee, ...]:
    listed = enumerate(get_objects(item, "attendees", path))
    found = [attendee_from_wire(each, f"{path}.attendees[{at}]", me=me) for at, each in listed]
    return tuple([attendee for attendee in found if attendee.address != _NOBODY])


def attendee_from_wire(item: Wire, path: str, *, me: Collection[str] = ()) -> Attendee:
    """Read one attendee.

    Raises:
        BadPayload: a member is of another type than documented.
    """
    address = address_of(get_object(item, "emailAddress", path), path) or _NOBODY
    return Attendee(
        address=address,
        kind=_ATTENDEE_KINDS.get(get_text(item, "type", path).casefold(), "required"),
        response=_response(item, "status", path),
        is_self=bool(me) and address_key(address.address) in me,
    )


def room_from_wire(item: Wire, path: str, *, account: str) -> Room:
    """Read one room of the directory: https://learn.microsoft.com/graph/api/resources/room.

    Raises:
        BadPayload: it has no address.
    """
    address = get_needed_text(item, "emailAddress", path)
    return Room(
        account=account,
        address=Address(name=get_text(item, "displayName", path), address=address),
        capacity=get_number(item, "capacity", path),
        building=get_text(item, "building", path) or None,
    )


def address_of(item: Wire, path: str) -> Address | None:
    """Read an emailAddress, whose name repeats the address where there is none."""
    name, address = get_text(item, "name", path), get_text(item, "address", path)
    return _address("" if name == address else name, address) if name or address else None


@lru_cache(maxsize=1024)  # the same few people are in nearly all events of a calendar
def _address(name: str, address: str) -> Address:
    return Address(name=name, address=address)


@lru_cache(maxsize=256)  # it is the same for all events of a calendar
def _calendar(account: str, calendar_id: str) -> Ref:
    return Ref(account=account, kind="calendar", id=calendar_id)


@lru_cache(maxsize=256)  # it is the same for all occurrences
def _series(account: str, calendar_id: str, event_id: str) -> Ref:
    return Ref(account=account, kind="event", id=event_id, part=calendar_id)


def _person(item: Wire, name: str, path: str) -> Address | None:
    return address_of(get_object(get_object(item, name, path), "emailAddress", f"{path}.{name}"), f"{path}.{name}")


def _response(item: Wire, name: str, path: str) -> Response:
    said = get_text(get_object(item, name, path), "response", f"{path}.{name}")
    return _RESPONSES.get(said.casefold(), "none")


def _body(item: Wire, path: str) -> Body:
    body = get_object(item, "body", path)
    content = get_text(body, "content", f"{path}.body") or None
    is_html = get_text(body, "contentType", f"{path}.body").casefold() == "html"
    return Body(html=content) if is_html else Body(plain=content)


def _original_start(item: Wire, path: str, type_: str, start: Moment, zones: EventZones) -> Moment | None:
    """Give where the rule puts an occurrence.

    It comes as an instant in UTC, of a whole day too (github.com/microsoftgraph/microsoft-graph-docs/issues/2804):
    one that did not move is where it is. A day now may have been a time, if no day begins with that instant.
    """
    if type_ not in _OCCURRENCES:
        return None
    instant = get_instant(item, "originalStart", path)
    if type_ == "occurrence" or instant is None:
        return start
    local = in_zone(instant, zones.start.zone)
    if isinstance(start, dt.datetime):
        return local
    midnight = on_clock(dt.datetime.combine(local, dt.time()), zones.start.zone)
    return local.date() if local == midnight or instant.time() == dt.time() else local


def _recurrence(item: Wire, path: str, start: Moment, zones: EventZones) -> tuple[Recurrence | None, tuple[str, ...]]:
    """Read the recurrence of a series; one that means nothing, or in a zone nobody knows, stays text."""
    recurrence = get_object(item, "recurrence", path)
    if not recurrence:
        return None, ()
    if zones.source is None or not isinstance(start, dt.datetime):
        cancelled = [str(each) for each in get_list(item, "cancelledOccurrences", path)]
        try:
            return from_graph(recurrence, start, cancelled=cancelled), ()
        except MailkitError:
            pass  # whatever is wrong with it, the event is there
    return None, (json.dumps(recurrence, separators=(",", ":"), sort_keys=True),)


def _uid(text: str) -> str | None:
    """Give the uid of the meeting: Graph's is another one for each occurrence of a series."""
    if text[:32].upper() == _OBJECT_ID:
        return f"{text[:32]}00000000{text[40:]}"
    return text or None


def _meeting(item: Wire, path: str) -> OnlineMeeting | None:
    url = get_text(get_object(item, "onlineMeeting", path), "joinUrl", path) or get_text(item, "onlineMeetingUrl", path)
    provider = get_text(item, "onlineMeetingProvider", path)
    if not url and not get_flag(item, "isOnlineMeeting", path):
        return None
    return OnlineMeeting(kind=_MEETINGS.get(provider.casefold(), provider or "unknown"), url=url or None)


def _reminders(item: Wire, path: str) -> tuple[Reminder, ...] | None:
    if "isReminderOn" not in item:
        return None
    if not get_flag(item, "isReminderOn", path):
        return ()
    return (Reminder(minutes=get_number(item, "reminderMinutesBeforeStart", path) or 0),)
