"""The requests of Google Calendar's REST interface. Pure: says what to send, sends nothing.

One function per method, each with its page below
https://developers.google.com/workspace/calendar/api/v3/reference; each costs one request of the quota.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from mailkit.providers.calendar import EventQuery, Notify
from mailkit.providers.google.calendar_time import instant_text, moment_text, next_second
from mailkit.providers.google.calendar_wire import CALENDAR_FIELDS, EVENT_FIELDS
from mailkit.recurrence import Moment
from mailkit.scheduling import instant_of
from mailkit.transport.call import Call
from mailkit.transport.url import segment

_ROOT = "/calendar/v3"
_PAGE = f"nextPageToken,timeZone,items({EVENT_FIELDS})"
_MOST_CALENDARS = 250  # calendarList/list, maxResults
_MOST_EVENTS = 2_500  # events/list, maxResults
_NOTIFY: Mapping[Notify, str] = {"all": "all", "external": "externalOnly", "none": "none"}

GONE = (404, 410)
"""The answers to a delete of what is not there, or not any more."""


def calendar_list(operation: str) -> Call:
    """calendarList/list."""
    return Call(
        operation=operation,
        url=f"{_ROOT}/users/me/calendarList",
        query=(("maxResults", str(_MOST_CALENDARS)), ("fields", f"nextPageToken,items({CALENDAR_FIELDS})")),
    )


def calendar_head(operation: str, calendar_id: str) -> Call:
    """events/list, of which only what it says of the calendar itself is wanted."""
    return Call(
        operation=operation,
        url=_events(calendar_id),
        query=(("maxResults", "1"), ("fields", "summary,timeZone,accessRole")),
    )


def events_list(operation: str, query: EventQuery, margin: dt.timedelta) -> Call:
    """events/list; the window is wider by ``margin`` on both sides.

    Only occurrences come in order: orderBy=startTime needs singleEvents=true.
    """
    pairs = [("timeMin", instant_text(instant_of(query.start, dt.UTC) - margin))]
    if query.end is not None:
        pairs.append(("timeMax", instant_text(next_second(query.end) + margin)))
    if query.expand:
        pairs += [("singleEvents", "true"), ("orderBy", "startTime")]
    if query.cancelled:
        pairs.append(("showDeleted", "true"))
    if query.text:
        pairs.append(("q", query.text))
    return Call(
        operation=operation,
        url=_events(query.calendar_id),
        query=(*pairs, ("maxResults", str(min(query.size, _MOST_EVENTS))), ("fields", _PAGE)),
    )


def series_list(operation: str, calendar_id: str, ical_uid: str) -> Call:
    """events/list of one series: itself and its changed and cancelled occurrences, whole."""
    return Call(
        operation=operation,
        url=_events(calendar_id),
        query=(("iCalUID", ical_uid), ("maxResults", str(_MOST_EVENTS))),
    )


def event_get(operation: str, calendar_id: str, event_id: str) -> Call:
    """events/get, whole."""
    return Call(operation=operation, url=_event(calendar_id, event_id))


def instances(operation: str, calendar_id: str, event_id: str, start: dt.datetime, end: dt.datetime) -> Call:
    """events/instances: the occurrences of a series in a window."""
    return Call(
        operation=operation,
        url=f"{_event(calendar_id, event_id)}/instances",
        query=(
            ("timeMin", instant_text(start)),
            ("timeMax", instant_text(next_second(end))),
            ("maxResults", str(_MOST_EVENTS)),
            ("fields", _PAGE),
        ),
    )


def instance_due(operation: str, calendar_id: str, event_id: str, original: Moment) -> Call:
    """events/instances: the one occurrence that is due at ``original``."""
    return Call(
        operation=operation,
        url=f"{_event(calendar_id, event_id)}/instances",
        query=(("originalStart", moment_text(original)), ("maxResults", "1"), ("fields", "items(id)")),
    )


def event_insert(operation: str, calendar_id: str, body: Mapping[str, object], notify: Notify) -> Call:
    """events/insert, under an id of our own: a repeat is refused as a duplicate (409), so it does no harm."""
    return Call(
        operation=operation, method="POST", url=_events(calendar_id), query=_writing(body, notify), json=dict(body)
    )


def event_patch(
    operation: str,
    calendar_id: str,
    event_id: str,
    body: Mapping[str, object],
    *,
    notify: Notify,
    etag: str | None = None,
    repeat: bool = True,
) -> Call:
    """events/patch: changes what is named, and with ``etag`` only what has not changed since (412)."""
    return Call(
        operation=operation,
        method="PATCH",
        url=_event(calendar_id, event_id),
        query=_writing(body, notify),
        headers=(("If-Match", etag),) if etag else (),
        json=dict(body),
        repeat=repeat,
    )


def event_delete(operation: str, calendar_id: str, event_id: str, notify: Notify) -> Call:
    """events/delete: what is gone already is fine, so a repeat does no harm."""
    return Call(
        operation=operation,
        method="DELETE",
        url=_event(calendar_id, event_id),
        query=_writing({}, notify),
        expects="bytes",
        answers=GONE,
    )


def free_busy(operation: str, who: Sequence[str], start: dt.datetime, end: dt.datetime) -> Call:
    """freebusy/query: asks, and changes nothing."""
    return Call(
        operation=operation,
        method="POST",
        url=f"{_ROOT}/freeBusy",
        query=(("fields", "calendars"),),
        json={"timeMin": instant_text(start), "timeMax": instant_text(end), "items": [{"id": each} for each in who]},
    )


def _writing(body: Mapping[str, object], notify: Notify) -> tuple[tuple[str, str], ...]:
    """Give the parameters without which parts of the body are ignored (events/insert)."""
    query = [("sendUpdates", _NOTIFY[notify])]
    if "conferenceData" in body:
        query.append(("conferenceDataVersion", "1"))
    if "attachments" in body:
        query.append(("supportsAttachments", "true"))
    return tuple(query)


def _events(calendar_id: str) -> str:
    return f"{_ROOT}/calendars/{segment(calendar_id)}/events"


def _event(calendar_id: str, event_id: str) -> str:
    return f"{_events(calendar_id)}/{segment(event_id)}"
