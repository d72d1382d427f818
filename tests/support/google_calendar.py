"""A plain HTTP client of one sandbox Google Calendar: what a test of the sandbox itself asks with."""

from __future__ import annotations

from typing import Any, cast

import attrs
import httpx

from mailkit.sandbox import GoogleMailbox, Sandbox

Json = dict[str, Any]
_BASE = "https://www.googleapis.com/calendar/v3"


@attrs.frozen
class GoogleCalendar:
    """Asks as the account's owner; paths stand below the calendar unless they begin with a slash."""

    sandbox: Sandbox
    box: GoogleMailbox
    id: str = "primary"

    def ask(
        self, path: str, body: object = None, *, method: str = "GET", etag: str = "", **query: Any
    ) -> httpx.Response:
        """Send one request; a list asks for a parameter several times."""
        headers = {"authorization": f"Bearer {self.box.token}"} | ({"if-match": etag} if etag else {})
        where = path if path.startswith("/") else f"/calendars/{self.id}/{path}"
        with httpx.Client(transport=self.sandbox.transport(), headers=headers) as client:
            return client.request(method, _BASE + where, params=query, json=body)

    def told(self, path: str, body: object = None, *, method: str = "GET", **query: Any) -> Json:
        """Give the JSON of an answer that must be fine."""
        answer = self.ask(path, body, method=method, **query)
        assert answer.status_code == 200, answer.text
        return cast(Json, answer.json())

    def refused(self, path: str, body: object = None, *, method: str = "GET", **query: Any) -> tuple[int, str]:
        """Give status and reason of an answer that must be an error."""
        answer = self.ask(path, body, method=method, **query)
        return answer.status_code, answer.json()["error"]["errors"][0]["reason"]

    def rows(self, **query: Any) -> list[Json]:
        """Give the events of one page."""
        return cast(list[Json], self.told("events", **query)["items"])

    def expanded(self, **query: Any) -> list[Json]:
        """Give events and occurrences in order."""
        return self.rows(singleEvents="true", orderBy="startTime", **query)

    def get(self, id: str) -> Json:  # noqa: A002  # the name of the thing
        """Give one event."""
        return self.told(f"events/{id}")

    def insert(self, body: Json, **query: Any) -> Json:
        """Make an event."""
        return self.told("events", body, method="POST", **query)

    def patch(self, id: str, body: Json, **query: Any) -> Json:  # noqa: A002  # see above
        """Change what is named of an event."""
        return self.told(f"events/{id}", body, method="PATCH", **query)

    def update(self, id: str, body: Json, **query: Any) -> Json:  # noqa: A002  # see above
        """Replace an event."""
        return self.told(f"events/{id}", body, method="PUT", **query)

    def delete(self, id: str, **query: Any) -> int:  # noqa: A002  # see above
        """Delete an event; gives the status."""
        return self.ask(f"events/{id}", method="DELETE", **query).status_code


def timed(start: str, end: str, zone: str | None = "Europe/Berlin", **more: Any) -> Json:
    """Give an event of two times, wall clocks of ``zone``."""
    named = {} if zone is None else {"timeZone": zone}
    return {"summary": "Plans", "start": {"dateTime": start, **named}, "end": {"dateTime": end, **named}, **more}


def days(start: str, end: str, **more: Any) -> Json:
    """Give an event of whole days."""
    return {"summary": "Away", "start": {"date": start}, "end": {"date": end}, **more}
