"""Batches of both forms through a session: each part judged by itself, none lost, one round trip for many."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable

import anyio
import attrs
import pytest

from mailkit.errors import BadPayload, MailkitError, NotFound, RateLimited, SignInRequired, Unavailable
from mailkit.sandbox.clock import VirtualClock
from mailkit.transport import Answer, BatchRoute, Call, multipart_batch
from mailkit.values import HttpRequest
from tests.support.wire import BASE, GMAIL_BATCH, Reply, SmallDialect, Tokens, bench, reply

pytestmark = pytest.mark.anyio

GOOGLE = SmallDialect(
    base_url="https://gmail.example", batch=GMAIL_BATCH, slots=10, client_request_id_header=None, request_id_headers=()
)
GRAPH = SmallDialect()


def reads(count: int) -> list[Call]:
    return [Call(operation="mail.get", url=f"/me/messages/{n}", units=5) for n in range(count)]


def number_of(target: str) -> int:
    return int(re.findall(r"messages/(\d+)", target)[0])


Judge = Callable[[int], tuple[int, dict[str, str], object]]
"""What a message's number is answered with: status, headers, JSON."""


def found(number: int) -> tuple[int, dict[str, str], object]:
    return 200, {}, {"id": str(number)}


class FakeBatches:
    """A server of one batch form that answers in reverse order and keeps what it was asked for, batch by batch."""

    def __init__(self, style: str, judge: Judge = found) -> None:
        self.style = style
        self.judge = judge
        self.batches: list[list[int]] = []
        self.singles: list[int] = []
        self.at_once = self.most_at_once = 0
        self.clock: VirtualClock | None = None

    async def __call__(self, request: HttpRequest) -> Reply:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        if self.clock:
            await self.clock.sleep(0.04)
        self.at_once -= 1
        if request.method == "GET":
            number = number_of(request.url)
            self.singles.append(number)
            status, headers, body = self.judge(number)
            return reply(status, body, **headers)
        return self._json(request) if self.style == "json" else self._multipart(request)

    def _json(self, request: HttpRequest) -> Reply:
        asked = json.loads(request.content)["requests"]
        self.batches.append([number_of(item["url"]) for item in asked])
        answers = []
        for item in reversed(asked):
            status, headers, body = self.judge(number_of(item["url"]))
            answers.append({"id": item["id"], "status": status, "headers": headers, "body": body})
        return reply(json={"responses": answers}, request_id="outer")

    def _multipart(self, request: HttpRequest) -> Reply:
        asked = multipart_batch.decode(dict(request.headers)["Content-Type"], request.content)
        self.batches.append([number_of(part.start) for part in asked.values()])
        answers = {}
        for number, part in reversed(asked.items()):
            status, headers, body = self.judge(number_of(part.start))
            named = {"content-type": "application/json", **headers}
            answers[number] = multipart_batch.Part(
                start=f"HTTP/1.1 {status} X", headers=named, body=json.dumps(body).encode()
            )
        content_type, content = multipart_batch.encode(answers, "answer")
        return Reply(200, {"content-type": content_type}, content.replace(b"Content-ID: <", b"Content-ID: <response-"))


def dialect_of(style: str) -> SmallDialect:
    return GRAPH if style == "json" else GOOGLE


def ids(outcomes: list[Answer | MailkitError]) -> list[object]:
    return [outcome.json() if isinstance(outcome, Answer) else type(outcome) for outcome in outcomes]


@pytest.mark.parametrize(("style", "sizes"), [("json", [20, 20, 5]), ("multipart", [25, 20])])
async def test_batches_are_cut_and_answers_come_back_in_order(style: str, sizes: list[int]) -> None:
    server = FakeBatches(style)
    b = bench(server, dialect=dialect_of(style))
    outcomes = await b.session.batch(reads(45))
    assert ids(outcomes) == [{"id": str(n)} for n in range(45)]
    assert sorted(map(len, server.batches), reverse=True) == sizes
    assert not server.singles


async def test_graph_batches_are_one_at_a_time_and_in_order() -> None:
    server = FakeBatches("json")
    server.clock = clock = VirtualClock()
    b = bench(server, clock=clock)
    async with anyio.create_task_group() as group:
        group.start_soon(b.session.batch, reads(60))
        group.start_soon(b.session.request, reads(1)[0])
        group.start_soon(b.session.batch, reads(60))
    assert server.most_at_once == 1
    assert len(server.batches) == 6


async def test_gmail_batches_go_in_parallel() -> None:
    server = FakeBatches("multipart")
    server.clock = clock = VirtualClock()
    b = bench(server, dialect=GOOGLE, clock=clock)
    await b.session.batch(reads(200))
    assert server.most_at_once == 4
    assert len(server.batches) == 8


@pytest.mark.parametrize("style", ["json", "multipart"])
async def test_only_a_throttled_part_is_repeated_after_its_own_wait(style: str) -> None:
    seen: list[int] = []

    def judge(number: int) -> tuple[int, dict[str, str], object]:
        seen.append(number)
        throttled = number == 7 and seen.count(7) == 1
        return (429, {"Retry-After": "2"}, {}) if throttled else found(number)

    server = FakeBatches(style, judge)
    b = bench(server, dialect=dialect_of(style))
    outcomes = await b.session.batch(reads(45))
    assert ids(outcomes) == [{"id": str(n)} for n in range(45)]
    assert server.singles == [7]
    assert b.clock.monotonic() == 2


@pytest.mark.parametrize("style", ["json", "multipart"])
async def test_each_part_has_an_outcome_of_its_own(style: str) -> None:
    def judge(number: int) -> tuple[int, dict[str, str], object]:
        verdicts: dict[int, tuple[int, dict[str, str], object]] = {
            1: (404, {"request-id": "part"}, {}),
            2: (429, {}, {}),
            3: (503, {}, {}),
        }
        return verdicts.get(number) or found(number)

    b = bench(FakeBatches(style, judge), dialect=dialect_of(style))
    outcomes = await b.session.batch(reads(5))
    assert ids(outcomes) == [{"id": "0"}, NotFound, RateLimited, Unavailable, {"id": "4"}]
    missing, limited = outcomes[1], outcomes[2]
    assert isinstance(missing, NotFound)
    assert (missing.account, missing.operation, missing.request_id) == (
        "work",
        "mail.get",
        "part" if style == "json" else None,
    )
    assert isinstance(limited, RateLimited)
    assert len(limited.attempts) == 3


async def test_a_part_that_asks_for_too_much_patience_does_not_hold_the_others() -> None:
    def judge(number: int) -> tuple[int, dict[str, str], object]:
        return (429, {"Retry-After": "100"}, {}) if number == 1 else found(number)

    b = bench(FakeBatches("json", judge))
    with b.clock.deadline(30):
        outcomes = await b.session.batch(reads(3))
    assert ids(outcomes) == [{"id": "0"}, RateLimited, {"id": "2"}]
    assert b.clock.monotonic() == 0


@pytest.mark.parametrize("style", ["json", "multipart"])
async def test_a_batch_that_fails_whole_is_repeated_whole(style: str) -> None:
    server = FakeBatches(style)
    failures = [reply(503), reply(429, retry_after="5")]

    async def sometimes(request: HttpRequest) -> Reply:
        return failures.pop() if failures else await server(request)

    b = bench(sometimes, dialect=dialect_of(style))
    assert ids(await b.session.batch(reads(3))) == [{"id": str(n)} for n in range(3)]
    assert b.clock.monotonic() == 5 + 1.5


async def test_errors_of_one_failed_batch_are_not_one_object() -> None:
    b = bench([reply(500)])
    calls = [attrs.evolve(call, operation=f"op.{n}", repeat=False) for n, call in enumerate(reads(2))]
    outcomes = await b.session.batch(calls)
    assert [o.operation for o in outcomes if isinstance(o, Unavailable)] == ["op.0", "op.1"]
    assert len(b.transport.requests) == 1


@pytest.mark.parametrize("style", ["json", "multipart"])
@pytest.mark.parametrize("status", [404, 405])
async def test_a_missing_batch_route_means_single_gets_from_then_on(style: str, status: int) -> None:
    server = FakeBatches(style)

    async def without_route(request: HttpRequest) -> Reply:
        return reply(status) if request.method == "POST" else await server(request)

    server.clock = clock = VirtualClock()
    b = bench(without_route, dialect=dialect_of(style), clock=clock)
    for _ in range(2):
        assert ids(await b.session.batch(reads(15))) == [{"id": str(n)} for n in range(15)]
    assert sum(r.method == "POST" for r in b.transport.requests) == 1
    assert server.most_at_once == dialect_of(style).slots


async def test_one_call_needs_no_batch_and_none_needs_nothing() -> None:
    server = FakeBatches("json")
    b = bench(server)
    assert ids(await b.session.batch(reads(1))) == [{"id": "0"}]
    assert await b.session.batch([]) == []
    assert (server.batches, server.singles) == ([], [0])


@pytest.mark.parametrize("style", ["json", "multipart"])
async def test_a_part_s_refused_token_is_renewed_for_the_parts_concerned(style: str) -> None:
    server = FakeBatches(style)
    b = bench(server, dialect=dialect_of(style))
    server.judge = lambda number: found(number) if number == 0 or b.tokens.number == 2 else (401, {}, {})
    assert ids(await b.session.batch(reads(3))) == [{"id": str(n)} for n in range(3)]
    assert server.batches == [[0, 1, 2], [1, 2]]


async def test_parts_that_were_answered_outlive_a_lost_grant() -> None:
    server = FakeBatches("json", lambda number: found(number) if number == 0 else (401, {}, {}))
    b = bench(server, tokens=Tokens(SignInRequired("gone", code="invalid_grant")))
    outcomes = await b.session.batch(reads(2))
    assert ids(outcomes) == [{"id": "0"}, SignInRequired]


async def test_a_missing_json_part_is_asked_for_again_and_then_an_error() -> None:
    def answer(request: HttpRequest) -> Reply:
        asked = json.loads(request.content)["requests"]
        kept = [item for item in asked if number_of(item["url"]) not in {1, 3}]
        answers: list[object] = [{"id": item["id"], "status": 200, "body": number_of(item["url"])} for item in kept]
        return reply(json={"responses": ["?", {"id": "3", "status": "x"}, *answers]}, request_id="outer")

    b = bench(answer)
    outcomes = await b.session.batch(reads(4))
    assert ids(outcomes) == [0, BadPayload, 2, BadPayload]
    assert isinstance(outcomes[1], BadPayload)
    assert (outcomes[1].code, outcomes[1].request_id) == ("part_missing", "outer")
    assert len(b.transport.requests) == 4


async def test_a_multipart_answer_that_was_cut_gives_the_whole_parts_and_asks_for_the_rest() -> None:
    server = FakeBatches("multipart")
    cut = True

    async def once_cut(request: HttpRequest) -> Reply:
        nonlocal cut
        answer = await server(request)
        if cut:
            cut = False
            answer.content = answer.content[: answer.content.rindex(b'"id"')]
        return answer

    b = bench(once_cut, dialect=GOOGLE)
    assert ids(await b.session.batch(reads(4))) == [{"id": str(n)} for n in range(4)]
    assert server.batches == [[0, 1, 2, 3]]
    assert server.singles == [0]  # answered last, since the answers come in reverse


@pytest.mark.parametrize("answer", [reply(json=[]), reply(json={"responses": {}})])
async def test_an_answer_that_is_no_batch_is_an_error_for_each(answer: Reply) -> None:
    for dialect in (GRAPH, GOOGLE):
        b = bench([answer] * 4, dialect=dialect)
        outcomes = await b.session.batch(reads(2))
        assert ids(outcomes) == [BadPayload, BadPayload]


async def test_what_a_graph_batch_looks_like() -> None:
    b = bench([reply(json={"responses": []})])
    calls = [
        Call(operation="a", url="/me/messages/1", query=(("$select", "id"),), headers=(("Prefer", "x"),), repeat=False),
        Call(operation="a", url=f"{BASE}/me/messages?$skip=%2b", method="POST", json={"a": 1}, repeat=False),
    ]
    await b.session.batch(calls)
    (request,) = b.transport.requests
    assert (request.method, request.url) == ("POST", f"{BASE}/$batch")
    assert json.loads(request.content) == {
        "requests": [
            {"id": "0", "method": "GET", "url": "/me/messages/1?$select=id", "headers": {"Prefer": "x"}},
            {
                "id": "1",
                "method": "POST",
                "url": "/me/messages?$skip=%2b",
                "headers": {"Content-Type": "application/json"},
                "body": {"a": 1},
            },
        ]
    }


async def test_what_a_gmail_batch_looks_like() -> None:
    b = bench([reply(500)], dialect=GOOGLE)
    calls = [
        Call(operation="a", url="/gmail/v1/users/me/messages/1", query=(("format", "raw"),), repeat=False),
        Call(operation="a", url="/gmail/v1/x", method="POST", json={"a": 1}, headers=(("X-A", "b"),), repeat=False),
    ]
    await b.session.batch(calls)
    (request,) = b.transport.requests
    assert (request.method, request.url) == ("POST", "https://gmail.example/batch/gmail/v1")
    assert ("Content-Type", "multipart/mixed; boundary=id-1") in request.headers
    assert request.content.decode().split("\r\n") == [
        "--id-1",
        "Content-Type: application/http",
        "Content-ID: <0>",
        "",
        "GET /gmail/v1/users/me/messages/1?format=raw HTTP/1.1",
        "",
        "",
        "--id-1",
        "Content-Type: application/http",
        "Content-ID: <1>",
        "",
        "POST /gmail/v1/x HTTP/1.1",
        "content-type: application/json",
        "x-a: b",
        "content-length: 7",
        "",
        '{"a":1}',
        "--id-1--",
        "",
    ]


async def test_bytes_in_a_graph_batch_come_as_base64() -> None:
    def answer(request: HttpRequest) -> Reply:
        mime = {"content-type": "text/plain"}
        parts = [
            {"id": "0", "status": 200, "headers": mime, "body": base64.b64encode(b"Subject: \xff").decode()},
            {"id": "1", "status": 200, "headers": mime, "body": "no base64!"},
            {"id": "2", "status": 204},
        ]
        return reply(json={"responses": parts})

    b = bench(answer)
    outcomes = await b.session.batch([attrs.evolve(call, expects="bytes") for call in reads(3)])
    assert [o.content for o in outcomes if isinstance(o, Answer)] == [b"Subject: \xff", b"no base64!", b""]


async def test_n_calls_count_as_n() -> None:
    server = FakeBatches("multipart")
    b = bench(server, dialect=attrs.evolve(GOOGLE, quota=attrs.evolve(GOOGLE.quota, units=125, seconds=60)))
    await b.session.batch(reads(50))
    assert b.clock.monotonic() == 60


@pytest.mark.parametrize(("calls", "parts"), [(2, 20), (100, 20), (200, 20), (201, 21), (500, 50), (501, 50)])
def test_batches_grow_where_that_saves_a_round(calls: int, parts: int) -> None:
    route = BatchRoute(style="multipart", path="/batch", size=20, most=50, parallel=10)
    assert route.parts(calls) == parts
    assert attrs.evolve(route, most=20).parts(calls) == 20
