"""Meetings as Google Calendar and Graph write them on the wire, made up by number: occurrences with guests."""

from __future__ import annotations

import datetime as dt
import json
from functools import cache
from zoneinfo import ZoneInfo

CALENDARS = tuple(f"calendar{number}" for number in range(4))
IN_EACH = 125
"""How many events of the window each calendar has: 500 in all."""

FIRST = dt.datetime(2026, 3, 2, 9, tzinfo=ZoneInfo("Europe/Berlin"))
LAST = FIRST + dt.timedelta(days=60)
_TEXT = "The second column is new; please look at the figures before Monday. " * 5
_PEOPLE = tuple((f"Guest {number}", f"guest{number}@example.net") for number in range(3))


def _times(number: int) -> tuple[dt.datetime, dt.datetime]:
    start = FIRST + dt.timedelta(hours=8 * number)
    return start, start + dt.timedelta(minutes=45)


@cache
def google_list() -> bytes:
    """Write the list of calendars."""
    items = [
        {"id": id_, "summary": id_, "accessRole": "owner", "timeZone": "Europe/Berlin", "primary": id_ == CALENDARS[0]}
        for id_ in CALENDARS
    ]
    return json.dumps({"items": items}).encode()


@cache
def google_events(calendar: str) -> bytes:
    """Write a page with all events of a calendar."""
    items = [_google(calendar, number) for number in range(IN_EACH)]
    return json.dumps({"timeZone": "Europe/Berlin", "items": items}).encode()


def _google(calendar: str, number: int) -> dict[str, object]:
    start, end = _times(number)
    zone = "Europe/Berlin"
    return {
        "id": f"{calendar}_{start:%Y%m%dT%H%M%SZ}",
        "status": "confirmed",
        "etag": f'"{number}"',
        "htmlLink": f"https://www.google.com/calendar/event?eid={calendar}{number}",
        "created": "2026-01-01T10:00:00.000Z",
        "updated": "2026-01-02T10:00:00.000Z",
        "summary": f"Figures {number}",
        "description": _TEXT,
        "location": "Room 1",
        "creator": {"email": "ann@example.com", "self": True},
        "organizer": {"email": "ann@example.com", "self": True},
        "start": {"dateTime": start.isoformat(), "timeZone": zone},
        "end": {"dateTime": end.isoformat(), "timeZone": zone},
        "recurringEventId": calendar,
        "originalStartTime": {"dateTime": start.isoformat(), "timeZone": zone},
        "iCalUID": f"{calendar}@google.com",
        "attendees": [
            {"email": address, "displayName": name, "responseStatus": "accepted"}
            for name, address in _PEOPLE[: number % 4]
        ],
        "reminders": {"useDefault": True},
        "eventType": "default",
    }


@cache
def graph_list() -> bytes:
    """Write the list of calendars."""
    value = [{"id": id_, "name": id_, "canEdit": True, "isDefaultCalendar": id_ == CALENDARS[0]} for id_ in CALENDARS]
    return json.dumps({"value": value}).encode()


@cache
def graph_events(calendar: str) -> bytes:
    """Write a page with all events of a calendar."""
    return json.dumps({"value": [_graph(calendar, number) for number in range(IN_EACH)]}).encode()


def _graph(calendar: str, number: int) -> dict[str, object]:
    start, end = (time.astimezone(dt.UTC).replace(tzinfo=None) for time in _times(number))
    return {
        "@odata.etag": f'W/"{number}"',
        "id": f"AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0A{calendar * 10}{number:010x}",
        "iCalUId": f"040000008200E00074C5B7101A82E00807EA0310{number:060x}",
        "type": "occurrence",
        "seriesMasterId": f"AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0A{calendar * 10}",
        "subject": f"Figures {number}",
        "body": {"contentType": "html", "content": f"<html><body><p>{_TEXT}</p></body></html>"},
        "location": {"displayName": "Room 1"},
        "start": {"dateTime": f"{start.isoformat()}.0000000", "timeZone": "UTC"},
        "end": {"dateTime": f"{end.isoformat()}.0000000", "timeZone": "UTC"},
        "originalStartTimeZone": "W. Europe Standard Time",
        "originalEndTimeZone": "W. Europe Standard Time",
        "isAllDay": False,
        "isCancelled": False,
        "isOrganizer": True,
        "showAs": "busy",
        "sensitivity": "normal",
        "responseStatus": {"response": "organizer", "time": "0001-01-01T00:00:00Z"},
        "organizer": {"emailAddress": {"name": "Ann Lee", "address": "ann@example.com"}},
        "attendees": [
            {
                "type": "required",
                "status": {"response": "accepted", "time": "2026-01-02T10:00:00Z"},
                "emailAddress": {"name": name, "address": address},
            }
            for name, address in _PEOPLE[: number % 4]
        ],
        "isReminderOn": True,
        "reminderMinutesBeforeStart": 15,
        "categories": [],
        "createdDateTime": "2026-01-01T10:00:00Z",
        "lastModifiedDateTime": "2026-01-02T10:00:00Z",
    }
