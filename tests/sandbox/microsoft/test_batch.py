from __future__ import annotations

import base64
import datetime as dt
import json
from typing import Any

import pytest

from mailkit.sandbox import Fault, Mail, Sandbox
from mailkit.sandbox.microsoft import MicrosoftMailbox
from tests.support.graph import Graph

JSON = {"Content-Type": "application/json"}


def answers(graph: Graph, *parts: dict[str, Any]) -> dict[str, dict[str, Any]]:
    whole = graph.batch(*parts)
    assert whole.status_code == 200, whole.text
    return {part["id"]: part for part in whole.json()["responses"]}


def test_parts_are_answered_one_by_one_in_another_order(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(Mail(subject="hello"))
    whole = graph.batch(
        {"id": "a", "url": f"/me/messages/{key}?$select=subject", "headers": {"Prefer": 'IdType="ImmutableId"'}},
        {"id": "b", "url": "me/mailFolders/inbox"},
        {"id": "c", "url": "/me/messages/none"},
        {"id": "d", "url": "/me/messages?$select=flavour"},
    )
    assert [part["id"] for part in whole.json()["responses"]] == ["d", "c", "b", "a"]
    found = {part["id"]: part for part in whole.json()["responses"]}
    assert {key: part["status"] for key, part in found.items()} == {"a": 200, "b": 200, "c": 404, "d": 400}
    assert found["a"]["body"]["id"] == key
    assert found["a"]["headers"]["Preference-Applied"] == 'IdType="ImmutableId"'
    assert found["a"]["headers"]["Content-Type"].startswith("application/json")
    assert found["c"]["body"]["error"]["code"] == "ErrorItemNotFound"


def test_the_batchs_own_headers_are_not_the_parts(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(Mail())
    body = {"requests": [{"id": "1", "method": "GET", "url": f"/me/messages/{key}"}]}
    whole = graph.http.post("/$batch", json=body, headers={"prefer": 'IdType="ImmutableId"'})
    assert whole.json()["responses"][0]["body"]["id"] != key


def test_bytes_in_a_part_are_base64(box: MicrosoftMailbox, graph: Graph) -> None:
    raw = b"Subject: x\r\n\r\n\xff"
    part = answers(graph, {"id": "1", "url": f"/me/messages/{box.load_eml(raw)}/$value"})["1"]
    assert base64.b64decode(part["body"]) == raw


def test_a_part_that_depends_on_a_failed_one_fails(graph: Graph) -> None:
    found = answers(
        graph,
        {"id": "1", "url": "/me/messages/none"},
        {"id": "2", "url": "/me", "dependsOn": ["1"]},
        {"id": "3", "url": "/me", "dependsOn": ["2"]},
        {"id": "4", "url": "/me"},
        {"id": "5", "url": "/me", "dependsOn": ["4"]},
    )
    assert {key: part["status"] for key, part in found.items()} == {"1": 404, "2": 424, "3": 424, "4": 200, "5": 200}
    assert found["2"]["body"]["error"]["code"] == "FailedDependency"


def test_a_part_may_be_throttled_alone(box: MicrosoftMailbox, graph: Graph, sandbox: Sandbox) -> None:
    box.script(Fault.rate_limited(2.128, path="/me/messages", part=True))
    parts = [{"id": "1", "url": "/me/messages"}, {"id": "2", "url": "/me/mailFolders"}]
    found = answers(graph, *parts)
    assert (found["1"]["status"], found["2"]["status"]) == (429, 200)
    assert found["1"]["headers"]["Retry-After"] == "2.128"
    assert found["1"]["body"]["error"]["code"] == "ApplicationThrottled"
    assert answers(graph, *parts)["1"]["status"] == 200
    logged = sandbox.requests[0]
    assert (logged.operation, logged.scripted) == ("batch", True)
    assert [(part.operation, part.status) for part in logged.parts] == [("messages.list", 429), ("folders.list", 200)]


def test_a_part_that_breaks_or_delays_does_so_to_the_whole(
    box: MicrosoftMailbox, graph: Graph, sandbox: Sandbox
) -> None:
    box.script(Fault.slow(5, part=True))
    before = sandbox.clock.now()
    answers(graph, {"id": "1", "url": "/me"}, {"id": "2", "url": "/me"})
    assert sandbox.clock.now() - before == dt.timedelta(seconds=5)
    box.script(Fault.html_page(502, part=True))
    part = answers(graph, {"id": "1", "url": "/me"})["1"]
    assert part["status"] == 502
    assert base64.b64decode(part["body"]).startswith(b"<!DOCTYPE html>")


def test_a_batch_counts_for_the_parts_it_runs_at_once(box: MicrosoftMailbox, graph: Graph, sandbox: Sandbox) -> None:
    box.add(Mail())
    parts = [{"id": str(number), "method": "GET", "url": "/me"} for number in range(6)]
    content = json.dumps({"requests": parts}).encode()
    headers = {"authorization": f"Bearer {box.token}"}
    url = "https://graph.microsoft.com/v1.0/"
    with sandbox.arrival("POST", f"{url}$batch", headers, content) as alone:
        assert {part["status"] for part in json.loads(alone.content)["responses"]} == {200}
        assert sandbox.requests[-1].in_flight == 4
        with sandbox.arrival("GET", f"{url}me", headers, b"") as beside:
            assert beside.status == 429
    with (
        sandbox.arrival("GET", f"{url}me", headers, b""),
        sandbox.arrival("POST", f"{url}$batch", headers, content) as late,
    ):
        statuses = {part["id"]: part["status"] for part in json.loads(late.content)["responses"]}
        assert statuses == {"0": 200, "1": 200, "2": 200, "3": 429, "4": 200, "5": 200}
    with sandbox.arrival("POST", f"{url}$batch", headers, b"no json") as broken:
        assert (broken.status, sandbox.requests[-1].in_flight) == (400, 1)


@pytest.mark.parametrize(
    "body",
    [
        b"no json",
        b"[]",
        b"{}",
        b'{"requests": []}',
        b'{"requests": [1]}',
        b'{"requests": [{"method": "GET", "url": "/me"}]}',
        b'{"requests": [{"id": 1, "method": "GET", "url": "/me"}]}',
        b'{"requests": [{"id": "1", "url": "/me"}]}',
        b'{"requests": [{"id": "1", "method": "GET"}]}',
        b'{"requests": [{"id": "1", "method": "GET", "url": "https://graph.microsoft.com/v1.0/me"}]}',
        b'{"requests": [{"id": "1", "method": "GET", "url": "/v1.0/me"}]}',
        b'{"requests": [{"id": "a", "method": "GET", "url": "/me"}, {"id": "A", "method": "GET", "url": "/me"}]}',
        b'{"requests": [{"id": "1", "method": "GET", "url": "/me", "dependsOn": ["2"]}]}',
    ],
)
def test_what_is_no_batch_is_refused_as_a_whole(graph: Graph, body: bytes) -> None:
    answer = graph.http.post("/$batch", content=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "BadRequest")


def test_twenty_parts_at_most_and_no_batch_within(graph: Graph) -> None:
    parts = [{"id": str(number), "url": "/me"} for number in range(21)]
    assert graph.batch(*parts[:20]).status_code == 200
    assert graph.batch(*parts).status_code == 400
    inner = {"id": "1", "method": "POST", "url": "/$batch", "headers": JSON, "body": {}}
    assert answers(graph, inner)["1"]["status"] == 405
    assert graph.http.get("/$batch").status_code == 405
