"""An Outlook calendar driver on a sandbox mailbox, or on answers written by the test."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable
from typing import Any, TypedDict, Unpack
from urllib.parse import parse_qs, unquote, urlsplit
from zoneinfo import ZoneInfo

import attrs

from mailkit.models.calendar import Event
from mailkit.models.notes import Note
from mailkit.providers.calendar import CalendarDriver, EventPage, EventQuery
from mailkit.providers.microsoft.calendar import OutlookCalendarDriver
from mailkit.providers.microsoft.dialect import GraphDialect
from mailkit.sandbox import MicrosoftMailbox, Sandbox
from mailkit.sandbox.clock import VirtualClock
from mailkit.transport import HttpxTransport, Session
from mailkit.values import Account, HttpRequest
from tests.support.drivers import FixedToken
from tests.support.wire import Reply, ScriptedTransport, reply

BERLIN = ZoneInfo("Europe/Berlin")
LOS_ANGELES = ZoneInfo("America/Los_Angeles")


class Options(TypedDict, total=False):
    """What may differ from a plain account."""

    scopes: frozenset[str] | None
    mailbox: str | None
    address: str | None


def outlook_calendar(sandbox: Sandbox, box: MicrosoftMailbox, **options: Unpack[Options]) -> OutlookCalendarDriver:
    account = Account(
        name="work",
        provider="microsoft",
        token=box.token,
        transport=HttpxTransport(httpx_transport=sandbox.transport()),
        address=options.get("address", box.address),
        scopes=options.get("scopes"),
        mailbox=options.get("mailbox"),
    )
    return OutlookCalendarDriver(
        Session(account, dialect=GraphDialect(), tokens=FixedToken(box.token), clock=sandbox.clock)
    )


@attrs.frozen
class Asked:
    """One request as the driver made it."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any  # JSON, each test knows what it reads


@attrs.define
class Graph:
    """A Graph of canned answers, each by method and path; parts of batches are answered alike."""

    answers: dict[str, Any]
    asked: list[Asked] = attrs.field(factory=list)

    def server(self, request: HttpRequest) -> Reply:
        path = unquote(urlsplit(request.url).path).removeprefix("/v1.0")
        body: Any = json.loads(request.content) if request.content else None
        if path == "/$batch":
            parts = [self._part(each) for each in body["requests"]]
            return reply(200, {"responses": parts})
        query = {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}
        headers = {name.lower(): value for name, value in request.headers}
        status, answer = self._answer(Asked(request.method, path, query, headers, body))
        return reply(status, answer)

    def _part(self, part: dict[str, Any]) -> dict[str, Any]:
        url = urlsplit(part["url"])
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        headers = {name.lower(): value for name, value in part.get("headers", {}).items()}
        status, answer = self._answer(Asked(part["method"], unquote(url.path), query, headers, part.get("body")))
        return {"id": part["id"], "status": status, "body": answer}

    def _answer(self, asked: Asked) -> tuple[int, Any]:
        self.asked.append(asked)
        answer = self.answers.get(f"{asked.method} {asked.path}", (404, {"error": {"code": "ErrorItemNotFound"}}))
        if callable(answer):
            answer = answer(asked)
        return answer if isinstance(answer, tuple) else (200, answer)

    def of(self, method: str) -> list[Asked]:
        return [asked for asked in self.asked if asked.method == method]


def canned(answers: dict[str, Any], **options: Unpack[Options]) -> tuple[Graph, OutlookCalendarDriver]:
    """Give a Graph of canned answers and a driver on it."""
    graph = Graph(answers)
    account = Account(
        name="work",
        provider="microsoft",
        token="t",
        transport=ScriptedTransport(graph.server),
        address=options.get("address", "mia@contoso.example"),
        scopes=options.get("scopes"),
        mailbox=options.get("mailbox"),
    )
    session = Session(account, dialect=GraphDialect(), tokens=FixedToken("t"), clock=VirtualClock())
    return graph, OutlookCalendarDriver(session)


async def pages(driver: CalendarDriver, query: EventQuery, *, most: int = 100) -> list[EventPage]:
    """Read a list to its end, or ``most`` pages far."""
    found: list[EventPage] = []
    async for page in driver.events(query):
        found.append(page)
        if len(found) == most:
            break
    return found


async def events(
    driver: CalendarDriver,
    start: dt.datetime,
    end: dt.datetime | None,
    *,
    calendar_id: str = "primary",
    **more: Any,
) -> list[Event]:
    """Give the events of a window; none may be unreadable."""
    query = EventQuery(calendar_id=calendar_id, start=start, end=end, **{"tz": dt.UTC, **more})
    found = await pages(driver, query)
    assert not [problem for page in found for problem in page.problems]
    return [event for page in found for event in page.events]


def codes(notes: Iterable[Note]) -> list[str]:
    return [note.code for note in notes]


def wire_event(**members: Any) -> dict[str, Any]:
    """Give an event as Graph does, a timed one by itself."""
    return {
        "id": "e1",
        "@odata.etag": 'W/"1"',
        "type": "singleInstance",
        "subject": "Plan",
        "isAllDay": False,
        "start": {"dateTime": "2026-03-16T08:00:00.0000000", "timeZone": "UTC"},
        "end": {"dateTime": "2026-03-16T09:00:00.0000000", "timeZone": "UTC"},
        "originalStartTimeZone": "W. Europe Standard Time",
        "originalEndTimeZone": "W. Europe Standard Time",
        "isOrganizer": True,
        **members,
    }
