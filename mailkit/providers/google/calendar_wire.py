"""Google Calendar's JSON → records. Pure: what came in decides what comes out.

Tolerant of members Google leaves out; what cannot be an event at all (no id, no times) is a ``BadPayload`` with its
JSON path, a rule that cannot be read is kept as text. How records become JSON stands in ``calendar_to_wire``.
https://developers.google.com/workspace/calendar/api/v3/reference/events
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from functools import cached_property

import attrs

from mailkit.errors import BadPayload, InvalidRecurrence
from mailkit.mime.headers import one_line
from mailkit.models.calendar import (
    Attendee,
    Calendar,
    Event,
    EventKind,
    OnlineMeeting,
    Reminder,
    Response,
    ShowAs,
    Visibility,
)
from mailkit.providers.google.calendar_people import attendees_from_wire, person_from_wire
from mailkit.providers.google.calendar_text import body_from_wire
from mailkit.providers.google.calendar_time import OWN_ZONE, moment_from_wire, zone_from_wire
from mailkit.providers.occurrences import occurrence_kind
from mailkit.providers.wire import (
    Wire,
    get_flag,
    get_instant,
    get_list,
    get_needed_text,
    get_number,
    get_object,
    get_objects,
    get_text,
)
from mailkit.recurrence import Moment, Recurrence, parse_recurrence, zone_named
from mailkit.values import Address, Ref

__all__ = ["CALENDAR_FIELDS", "EVENT_FIELDS", "Place", "calendar_from_wire", "event_from_wire", "is_remnant"]

CALENDAR_FIELDS = (
    "id,summary,summaryOverride,primary,accessRole,dataOwner,timeZone,backgroundColor,"
    "conferenceProperties/allowedConferenceSolutionTypes"
)
EVENT_FIELDS = (
    "id,etag,status,htmlLink,created,updated,summary,description,location,colorId,organizer,start,end,recurrence,"
    "recurringEventId,originalStartTime,transparency,visibility,iCalUID,attendees,hangoutLink,"
    "conferenceData(entryPoints(entryPointType,uri),conferenceSolution(key,name)),reminders,eventType"
)

_VISIBILITIES: Mapping[str, Visibility] = {"public": "public", "private": "private", "confidential": "private"}
_MEETINGS: Mapping[str, str] = {
    "hangoutsMeet": "meet",
    "eventHangout": "hangouts",
    "eventNamedHangout": "hangouts",
}


@attrs.frozen(kw_only=True)
class Place:
    """The account and calendar that an event stands in; ``zone`` is the name of the calendar's zone where known."""

    account: str
    calendar_id: str
    zone: str | None = None

    @cached_property
    def calendar(self) -> Ref:
        """The calendar."""
        return Ref(account=self.account, kind="calendar", id=self.calendar_id)

    def event(self, event_id: str) -> Ref:
        """Give the ref of an event."""
        return Ref(account=self.account, kind="event", id=event_id, part=self.calendar_id)


def calendar_from_wire(item: Wire, path: str, *, account: str) -> Calendar:
    """Read one entry of the list of calendars.

    Raises:
        BadPayload: it has no id.
    """
    calendar_id = get_needed_text(item, "id", path)
    zone = zone_named(get_text(item, "timeZone", path))
    is_primary = get_flag(item, "primary", path)
    # calendarList: the primary calendar's id is its owner's address; of the others the owner is named
    owner = calendar_id if is_primary else get_text(item, "dataOwner", path)
    conferences = get_object(item, "conferenceProperties", path)
    types = get_list(conferences, "allowedConferenceSolutionTypes", f"{path}.conferenceProperties")
    return Calendar(
        ref=Ref(account=account, kind="calendar", id=calendar_id),
        name=one_line(get_text(item, "summaryOverride", path) or get_text(item, "summary", path)),
        is_primary=is_primary,
        can_edit=get_text(item, "accessRole", path) in {"owner", "writer"},
        owner=Address(address=owner) if owner else None,
        tz=None if zone is None else zone.key,
        color=get_text(item, "backgroundColor", path) or None,
        online_meetings=tuple(dict.fromkeys(_MEETINGS[str(each)] for each in types if str(each) in _MEETINGS)),
    )


def is_remnant(item: Wire) -> bool:
    """Say whether this is what is left of a deleted event: no times, nothing to show (events, status)."""
    return item.get("status") == "cancelled" and not item.get("start") and not item.get("originalStartTime")


def event_from_wire(item: Wire, path: str, place: Place) -> Event:
    """Read one event.

    A cancelled occurrence may come with no more than the time it was due at, and takes no time then.

    Raises:
        BadPayload: no id or times, or a member of another type than documented.
    """
    event_id = get_needed_text(item, "id", path)
    start, end, original, source = _times(item, path, place.zone)
    lines = tuple(str(line) for line in get_list(item, "recurrence", path))
    recurrence = _recurrence(lines, start, place)
    series = get_text(item, "recurringEventId", path)
    organizer = get_object(item, "organizer", path)
    is_organizer = get_flag(organizer, "self", f"{path}.organizer")
    attendees = attendees_from_wire(item, path)
    status = get_text(item, "status", path)
    return Event(
        ref=place.event(event_id),
        calendar=place.calendar,
        ical_uid=get_text(item, "iCalUID", path) or None,
        kind=_kind(lines, series) or occurrence_kind(start, original, is_off=status == "cancelled"),
        title=one_line(get_text(item, "summary", path)),
        body=body_from_wire(get_text(item, "description", path)),
        location=get_text(item, "location", path),
        start=start,
        end=end,
        recurrence=recurrence,
        recurrence_text=lines if recurrence is None else (),
        series=place.event(series) if series else None,
        original_start=original,
        status="cancelled" if status == "cancelled" else "tentative" if status == "tentative" else "confirmed",
        show_as=_show_as(item, path, status),
        visibility=_VISIBILITIES.get(get_text(item, "visibility", path), "default"),
        organizer=person_from_wire(organizer, f"{path}.organizer"),
        is_organizer=is_organizer,
        attendees=attendees,
        my_response=_my_response(attendees, is_organizer=is_organizer),
        online_meeting=_meeting(item, path),
        reminders=_reminders(item, path),
        color=get_text(item, "colorId", path) or None,
        link=get_text(item, "htmlLink", path) or None,
        etag=get_text(item, "etag", path) or None,
        created=get_instant(item, "created", path),
        updated=get_instant(item, "updated", path),
        zone_source=source,
    )


def _times(item: Wire, path: str, zone: str | None) -> tuple[Moment, Moment, Moment | None, str | None]:
    """Give start and end, when an occurrence was due, and where the zone is from if not from the event itself."""
    begin, due = get_object(item, "start", path), get_object(item, "originalStartTime", path)
    begin = begin or due
    found = zone_from_wire(begin, f"{path}.start", zone)
    start = moment_from_wire(begin, f"{path}.start", found.zone)
    if start is None:
        raise BadPayload(f"expected a date or a time at {path}.start", path=f"{path}.start")
    here = f"{path}.end"
    finish = get_object(item, "end", path)
    end = moment_from_wire(finish, here, zone_from_wire(finish, here, found.zone.key).zone) or _without_end(start)
    if isinstance(start, dt.datetime) is not isinstance(end, dt.datetime):
        raise BadPayload(f"expected both or neither of start and end to be a day at {here}", path=here)
    here = f"{path}.originalStartTime"
    # Nearly every occurrence is where its rule puts it.
    original = start if due == begin else moment_from_wire(due, here, zone_from_wire(due, here, found.zone.key).zone)
    is_own = found.source == OWN_ZONE or not isinstance(start, dt.datetime)
    return start, end, original, None if is_own else found.source


def _without_end(start: Moment) -> Moment:
    """Give the end of an event that has none (events, endTimeUnspecified): a moment, or the one day."""
    return start if isinstance(start, dt.datetime) else start + dt.timedelta(days=1)


def _recurrence(lines: tuple[str, ...], start: Moment, place: Place) -> Recurrence | None:
    try:
        return parse_recurrence(lines, start, day_zone=zone_named(place.zone or "")) if lines else None
    except InvalidRecurrence:
        return None


def _kind(lines: tuple[str, ...], series: str) -> EventKind | None:
    """Tell what an event is that is no occurrence."""
    if lines:
        return "series"
    return None if series else "single"


def _show_as(item: Wire, path: str, status: str) -> ShowAs:
    if get_text(item, "transparency", path) == "transparent":
        return "free"
    match get_text(item, "eventType", path):
        case "outOfOffice":
            return "away"
        case "workingLocation":
            return "elsewhere"
    return "tentative" if status == "tentative" else "busy"


def _my_response(attendees: tuple[Attendee, ...], *, is_organizer: bool) -> Response:
    own = next((each.response for each in attendees if each.is_self), None)
    return own or ("accepted" if is_organizer else "none")


def _meeting(item: Wire, path: str) -> OnlineMeeting | None:
    data = get_object(item, "conferenceData", path)
    if not data and "hangoutLink" not in item:
        return None
    here = f"{path}.conferenceData"
    points = enumerate(get_objects(data, "entryPoints", here))
    video = next(
        (
            get_text(point, "uri", f"{here}.entryPoints[{at}]")
            for at, point in points
            if point.get("entryPointType") == "video"
        ),
        "",
    )
    solution = get_object(data, "conferenceSolution", here)
    kind = get_text(get_object(solution, "key", f"{here}.conferenceSolution"), "type", f"{here}.conferenceSolution.key")
    url = video or get_text(item, "hangoutLink", path)
    if not url and not solution:
        return None
    if kind == "addOn":  # of another company, which is known by its name alone
        kind = one_line(get_text(solution, "name", f"{here}.conferenceSolution")).casefold()
    return OnlineMeeting(kind=_MEETINGS.get(kind, kind) or "meet", url=url or None)


def _reminders(item: Wire, path: str) -> tuple[Reminder, ...] | None:
    reminders, here = get_object(item, "reminders", path), f"{path}.reminders"
    if not reminders or get_flag(reminders, "useDefault", here):
        return None
    overrides = enumerate(get_objects(reminders, "overrides", here))
    return tuple(
        Reminder(
            minutes=get_number(each, "minutes", f"{here}.overrides[{at}]") or 0,
            method="email" if each.get("method") == "email" else "popup",
        )
        for at, each in overrides
    )
