"""The table of Calendar's methods says what Google's own description says, and scopes are kept."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from mailkit.sandbox import Fault, Sandbox
from mailkit.sandbox.google.calendar.methods import METHODS
from mailkit.sandbox.google.calendar.shapes import SHAPES
from tests.support.google_calendar import GoogleCalendar, timed

_AUTH = "https://www.googleapis.com/auth/"
_WEEK = {"timeMin": "2026-03-15T00:00:00Z", "timeMax": "2026-03-22T00:00:00Z"}


def _described(resource: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for method in resource.get("methods", {}).values():
        yield method["id"].removeprefix("calendar."), method
    for inner in resource.get("resources", {}).values():
        yield from _described(inner)


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    folder = os.environ.get("MAILKIT_SHARED")
    if folder is None:
        pytest.skip("MAILKIT_SHARED names no folder with the description")
    found: dict[str, Any] = json.loads((Path(folder) / "contract/google/calendar.v3.json").read_text(encoding="utf-8"))
    return found


def test_every_method_is_as_described(description: dict[str, Any]) -> None:
    described = dict(_described(description))
    for method in METHODS:
        wire = described[method.name]
        parameters = {name for name, one in wire.get("parameters", {}).items() if one["location"] == "query"}
        fields = description["schemas"][wire["request"]["$ref"]]["properties"] if "request" in wire else {}
        path = wire["path"].replace("{", "").replace("}", "")
        assert method.verb == wire["httpMethod"], method.name
        assert method.pattern.fullmatch(f"/calendar/v3/{path}"), method.name
        assert set(method.scopes) == {scope.removeprefix(_AUTH) for scope in wire["scopes"]}, method.name
        assert set(method.parameters) == parameters - ({"colorRgbFormat"} & parameters), method.name
        assert set(method.body or ()) == set(fields), method.name
        assert (method.body is None) == ("request" not in wire), method.name


def test_the_fields_of_answers_are_described(description: dict[str, Any]) -> None:
    described = dict(_described(description))
    for name, shape in SHAPES.items():
        schema = description["schemas"][described[name]["response"]["$ref"]]
        assert set(shape) <= set(schema["properties"]), name


@pytest.mark.parametrize(
    ("scope", "statuses"),
    [
        ("calendar", (200, 200, 200, 200)),
        ("calendar.readonly", (200, 403, 200, 200)),
        ("calendar.events", (200, 200, 403, 403)),
        ("calendar.events.readonly", (200, 403, 403, 403)),
        ("calendar.events.owned", (200, 200, 403, 403)),
        ("calendar.freebusy", (403, 403, 200, 403)),
        ("calendar.calendarlist.readonly", (403, 403, 403, 200)),
        ("calendar.app.created", (404, 404, 403, 403)),
        ("gmail.readonly", (403, 403, 403, 403)),
    ],
)
def test_scopes_are_kept(sandbox: Sandbox, scope: str, statuses: tuple[int, ...]) -> None:
    calendar = GoogleCalendar(sandbox, sandbox.google("ann@example.com", scopes=[_AUTH + scope]))
    body = timed("2026-03-16T09:00:00", "2026-03-16T10:00:00")
    answers = (
        calendar.ask("events"),
        calendar.ask("events", body, method="POST"),
        calendar.ask("/freeBusy", _WEEK | {"items": [{"id": "primary"}]}, method="POST"),
        calendar.ask("/users/me/calendarList"),
    )
    assert tuple(answer.status_code for answer in answers) == statuses


def test_a_missing_scope_is_said_in_googles_words(sandbox: Sandbox) -> None:
    calendar = GoogleCalendar(sandbox, sandbox.google("ann@example.com", scopes=[f"{_AUTH}calendar.freebusy"]))
    error = calendar.ask("events").json()["error"]
    assert (error["status"], error["errors"][0]["reason"]) == ("PERMISSION_DENIED", "insufficientPermissions")
    assert error["details"][0]["reason"] == "ACCESS_TOKEN_SCOPE_INSUFFICIENT"


def test_some_scopes_show_only_when_events_are_and_only_ones_own(sandbox: Sandbox) -> None:
    box = sandbox.google("ann@example.com", scopes=[f"{_AUTH}calendar.events.freebusy"])
    calendar = GoogleCalendar(sandbox, box)
    GoogleCalendar(sandbox, sandbox.google("bob@example.com"))
    with box.granting(None):
        calendar.insert(timed("2026-03-16T09:00:00", "2026-03-16T10:00:00"))
        shared = box.add_calendar("Team", role="writer").id
    (row,) = calendar.rows()
    assert "summary" not in row
    assert row["visibility"] == "private"
    box.scopes = frozenset(["calendar.events.owned"])
    assert calendar.ask(f"/calendars/{shared}/events").status_code == 404


def test_faults_meet_calendar_operations(ann: GoogleCalendar) -> None:
    ann.box.script(
        Fault.rate_limited(reason="rateLimitExceeded", status=403, operation="events.list"),
        Fault.server_error(502, operation="events.insert", takes_effect=True),
    )
    body = timed("2026-03-16T09:00:00", "2026-03-16T10:00:00", id="abcde12345")
    assert ann.ask("events", body, method="POST").status_code == 502
    assert ann.refused("events", body, method="POST") == (409, "duplicate")
    assert ann.refused("events") == (403, "rateLimitExceeded")
    assert [row["id"] for row in ann.rows()] == ["abcde12345"]
    assert [entry.operation for entry in ann.sandbox.requests] == ["events.insert"] * 2 + ["events.list"] * 2


def test_methods_stand_in_batches(ann: GoogleCalendar) -> None:
    part = "--mark\r\nContent-Type: application/http\r\n\r\nGET /calendar/v3/{} HTTP/1.1\r\n\r\n\r\n"
    content = "".join(part.format(path) for path in ("calendars/primary/events", "calendars/nobody")) + "--mark--\r\n"
    with httpx.Client(transport=ann.sandbox.transport()) as client:
        answer = client.post(
            "https://www.googleapis.com/batch/calendar/v3",
            content=content,
            headers={"authorization": f"Bearer {ann.box.token}", "content-type": "multipart/mixed; boundary=mark"},
        )
    assert answer.status_code == 200
    assert "HTTP/1.1 200 OK" in answer.text
    assert "HTTP/1.1 404 Not Found" in answer.text


def test_what_is_not_there(ann: GoogleCalendar) -> None:
    assert ann.ask("/nowhere").status_code == 404
    assert ann.refused("events", unheard="of") == (400, "badRequest")
    assert ann.ask("events", {"unheard": "of"}, method="POST").status_code == 400


def test_partial_answers(ann: GoogleCalendar) -> None:
    ann.insert(timed("2026-03-16T09:00:00", "2026-03-16T10:00:00"))
    assert ann.told("events", fields="items(summary,start/dateTime)") == {
        "items": [{"summary": "Plans", "start": {"dateTime": "2026-03-16T09:00:00+01:00"}}]
    }
    assert ann.refused("events", fields="items(nothing)") == (400, "invalidParameter")
