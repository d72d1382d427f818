"""Writes events as Graph takes them, and asks a calendar of the sandbox what takes place."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import httpx

from mailkit.sandbox import GoogleMailbox, Sandbox
from tests.support.graph import Graph

_HOURS = (("start", "09"), ("end", "10"))


def at(clock: str, zone: str = "UTC") -> dict[str, str]:
    """Write a ``dateTimeTimeZone``."""
    return {"dateTime": clock, "timeZone": zone}


def event(subject: str, start: str, end: str, zone: str = "UTC", **fields: Any) -> dict[str, Any]:
    """Write an event."""
    return {"subject": subject, "start": at(start, zone), "end": at(end, zone), **fields}


def guests(*addresses: str, kind: str = "required") -> list[dict[str, Any]]:
    """Write attendees."""
    return [{"emailAddress": {"address": address}, "type": kind} for address in addresses]


def every(
    kind: str, start: str, *, count: int | None = None, until: str | None = None, **pattern: Any
) -> dict[str, Any]:
    """Write a ``patternedRecurrence``."""
    extent: dict[str, Any] = {"type": "noEnd", "startDate": start}
    if count is not None:
        extent |= {"type": "numbered", "numberOfOccurrences": count}
    if until is not None:
        extent |= {"type": "endDate", "endDate": until}
    return {"pattern": {"type": kind, "interval": 1, **pattern}, "range": extent}


def view(
    graph: Graph, start: str, end: str, path: str = "/me/calendarView", *, prefer: str = "", more: str = ""
) -> list[dict[str, Any]]:
    """Give what takes place between two instants, by when it starts."""
    answer = graph.http.get(
        f"{path}?startDateTime={quote(start)}&endDateTime={quote(end)}&$top=1000{more}",
        headers={"prefer": prefer} if prefer else {},
    )
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json()["value"]
    return sorted(rows, key=lambda row: str(row["start"]["dateTime"]))


def google_event(sandbox: Sandbox, box: GoogleMailbox, guest: str, **fields: Any) -> str:
    """Let a Gmail account invite somebody for the second of March 2026 at nine; gives the event's id."""
    url = f"https://www.googleapis.com/calendar/v3/calendars/{box.address}/events?sendUpdates=all"
    moments = {side: {"dateTime": f"2026-03-02T{hour}:00:00Z", "timeZone": "UTC"} for side, hour in _HOURS}
    with httpx.Client(transport=sandbox.transport(), headers={"authorization": f"Bearer {box.token}"}) as client:
        answer = client.post(url, json={"summary": "From Google", "attendees": [{"email": guest}], **moments, **fields})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["id"])
