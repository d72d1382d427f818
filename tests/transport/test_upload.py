"""Large bodies in pieces: order, going on after failures, and never the last piece on a guess."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import attrs
import pytest

from mailkit.errors import BadPayload, ConnectionFailed, MailkitError, NotFound, UsageError
from mailkit.transport.upload import Upload
from mailkit.values import HttpRequest
from tests.support.wire import BASE, Bench, Reply, Script, bench, reply

pytestmark = pytest.mark.anyio

BODY = bytes(range(256)) * 4
GOOGLE = f"{BASE}/upload/session?id=1"
MICROSOFT = "https://outlook.office.example/session?authtoken=x"


def pieces(start: int) -> Iterator[bytes]:
    for place in range(start, len(BODY), 100):
        yield BODY[place : min(place + 100, len(BODY))]


def upload(style: str, **changes: object) -> Upload:
    plain = Upload(
        operation="mail.send",
        style="google" if style == "google" else "microsoft",
        url=GOOGLE if style == "google" else MICROSOFT,
        total=len(BODY),
        pieces=pieces,
        size=300,
    )
    return attrs.evolve(plain, **changes)  # type: ignore[arg-type]  # each by its name


@attrs.define
class Server:
    """Takes pieces as either provider does; ``faults`` are used up one per request for a piece, None is no fault.

    A fault with ``after`` happens when the piece was taken.
    """

    style: str
    faults: list[tuple[str, Script] | None] = attrs.field(factory=list)
    held: bytes = b""

    def __call__(self, request: HttpRequest) -> Script:
        headers = dict(request.headers)
        found = re.fullmatch(r"bytes (\d+)-(\d+)/(\d+)", headers.get("Content-Range", ""))
        if found is None:
            return self.state()
        fault = self.faults.pop(0) if self.faults else None
        if fault is not None and fault[0] == "before":
            return fault[1]
        start, end, total = map(int, found.groups())
        assert (start, end + 1 - start, total) == (len(self.held), len(request.content), len(BODY))
        self.held += request.content
        return fault[1] if fault is not None else self.state()

    def state(self) -> Script:
        if len(self.held) == len(BODY):
            return reply(201, {"id": "done"}) if self.style == "microsoft" else reply(200, {"id": "done"})
        if self.style == "microsoft":
            return reply(200, {"nextExpectedRanges": [f"{len(self.held)}-{len(BODY) - 1}"]})
        return Reply(308, {"range": f"bytes=0-{len(self.held) - 1}"} if self.held else {})


def served(style: str, *faults: tuple[str, Script] | None) -> tuple[Bench, Server]:
    server = Server(style, list(faults))
    return bench(server), server


@pytest.mark.parametrize("style", ["google", "microsoft"])
async def test_pieces_go_in_order_with_their_places_and_the_last_answer_comes_back(style: str) -> None:
    b, server = served(style)
    told: list[tuple[int, int | None]] = []
    before: list[int] = []
    answer = await b.session.upload(
        upload(style, progress=lambda *at: told.append(at), before_last=lambda: before.append(len(server.held)))
    )
    assert server.held == BODY
    assert json.loads(answer.content) == {"id": "done"}
    ranges = [dict(request.headers)["Content-Range"] for request in b.transport.requests]
    assert ranges == ["bytes 0-299/1024", "bytes 300-599/1024", "bytes 600-899/1024", "bytes 900-1023/1024"]
    assert told == [(300, 1024), (600, 1024), (900, 1024), (1024, 1024)]
    assert before == [900]


@pytest.mark.parametrize(("style", "expected"), [("google", True), ("microsoft", False)])
async def test_only_google_gets_the_token(style: str, expected: bool) -> None:
    b, _ = served(style)
    await b.session.upload(upload(style))
    for request in b.transport.requests:
        assert ("Authorization" in dict(request.headers)) is expected
        assert ("client-request-id" in dict(request.headers)) is expected


BROKEN = ConnectionFailed("broken", code="interrupted")
THROTTLED = reply(429, retry_after="1")


@pytest.mark.parametrize("style", ["google", "microsoft"])
@pytest.mark.parametrize(
    ("when", "fault"),
    [("before", BROKEN), ("after", BROKEN), ("before", reply(500)), ("after", reply(500)), ("before", THROTTLED)],
)
@pytest.mark.parametrize("place", range(4))
async def test_after_a_failure_it_goes_on_where_the_provider_stopped(
    style: str, when: str, fault: Script, place: int
) -> None:
    b, server = served(style, *[None] * place, (when, fault))
    answer = await b.session.upload(upload(style))
    assert server.held == BODY
    assert json.loads(answer.content) == {"id": "done"}
    sent = [r for r in b.transport.requests if "*" not in dict(r.headers).get("Content-Range", "*")]
    assert len(sent) == (4 if when == "after" else 5)  # no piece that was taken is sent again


async def test_what_a_provider_refuses_is_not_tried_again() -> None:
    b, server = served("google", None, ("before", reply(404)))
    with pytest.raises(NotFound) as caught:
        await b.session.upload(upload("google"))
    assert len(b.transport.requests) == 2
    assert caught.value.had_no_effect
    assert (caught.value.account, caught.value.operation) == ("work", "mail.send")
    assert len(server.held) == 300


@pytest.mark.parametrize("style", ["google", "microsoft"])
async def test_it_gives_up_on_a_provider_that_takes_nothing(style: str) -> None:
    b, server = served(style)
    stuck = bench(lambda _request: server.state())
    with pytest.raises(BadPayload) as caught:
        await stuck.session.upload(upload(style))
    assert caught.value.code == "stalled_upload"
    b, server = served(style, *[("before", BROKEN)] * 20)
    with pytest.raises(ConnectionFailed):
        await b.session.upload(upload(style))
    assert len(b.transport.requests) < 12


async def test_an_answer_that_says_nothing_of_the_place_is_a_bad_payload() -> None:
    b = bench([reply(200, {"nextExpectedRanges": [7]})])
    with pytest.raises(BadPayload):
        await b.session.upload(upload("microsoft"))


@pytest.mark.parametrize(
    "url", ["http://outlook.office.example/x", "ftp://a/b", "https://user@host/x", "/relative", "http://127.0.0.1/x"]
)
async def test_a_session_that_is_not_safe_to_write_to_is_refused(url: str) -> None:
    b, _ = served("microsoft")
    with pytest.raises(UsageError):
        await b.session.upload(upload("microsoft", url=url))
    assert not b.transport.requests


@pytest.mark.parametrize("url", ["https://elsewhere.example/upload/session", MICROSOFT])
async def test_the_token_goes_only_to_the_accounts_provider(url: str) -> None:
    b, _ = served("google")
    with pytest.raises(MailkitError):
        await b.session.upload(upload("google", url=url))
    assert not b.transport.requests
