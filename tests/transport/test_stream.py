"""Bodies as they arrive: repeated only before the first byte, closed in every case."""

from __future__ import annotations

import attrs
import pytest

from mailkit.errors import ConnectionFailed, NotFound, Unavailable
from mailkit.transport import Call
from tests.support.wire import Reply, bench, reply

pytestmark = pytest.mark.anyio

RAW = Call(operation="mail.raw", url="/me/messages/1/$value", expects="bytes")
BROKEN = ConnectionFailed("broken", code="interrupted")


async def test_a_body_comes_in_pieces() -> None:
    b = bench([Reply(200, {}, b"0123456789abcdefghijKL")])
    async with b.session.stream(RAW) as body:
        pieces = [piece async for piece in body]
        closed = [r.closed for r in b.transport.replies]
    assert closed == [False]
    assert pieces == [b"0123456789", b"abcdefghij", b"KL"]
    assert b.transport.replies[0].closed
    assert ("Accept", "*/*") in b.transport.requests[0].headers


async def test_it_is_repeated_before_the_first_byte() -> None:
    b = bench([reply(503), reply(401), BROKEN, Reply(200, {}, b"", cut=BROKEN), Reply(200, {}, b"done")])
    async with b.session.stream(RAW) as body:
        assert [piece async for piece in body] == [b"done"]
    assert [r.closed for r in b.transport.replies] == [True] * 4


async def test_it_is_not_repeated_after_it() -> None:
    b = bench([Reply(200, {}, b"0123456789", cut=BROKEN)])
    async with b.session.stream(RAW) as body:
        assert await anext(body) == b"0123456789"
        with pytest.raises(ConnectionFailed) as caught:
            await anext(body)
    assert (caught.value.account, caught.value.operation) == ("work", "mail.raw")
    assert b.transport.replies[0].closed


async def test_an_empty_body_is_empty() -> None:
    b = bench([Reply(200)])
    async with b.session.stream(RAW) as body:
        assert b"".join([piece async for piece in body]) == b""


async def test_a_refusal_is_raised_on_entering() -> None:
    b = bench([reply(404)])
    with pytest.raises(NotFound):
        async with b.session.stream(RAW):
            raise AssertionError
    assert b.transport.replies[0].closed


async def test_a_page_for_people_is_no_json_body() -> None:
    b = bench([Reply(200, {"content-type": "text/html"}, b"<html>")])
    with pytest.raises(Unavailable):
        async with b.session.stream(attrs.evolve(RAW, expects="json")):
            raise AssertionError
    assert b.transport.replies[0].closed


async def test_whoever_stops_reading_gives_its_place_back() -> None:
    b = bench([Reply(200, {}, bytes(100))] * 9)
    for _ in range(9):
        async with b.session.stream(RAW) as body:
            await anext(body)
    assert all(r.closed for r in b.transport.replies)


async def test_a_page_is_a_file_only_with_the_provider_s_own_id_of_the_request() -> None:
    page = Reply(200, {"content-type": "text/html"}, b"<html>")
    theirs = Reply(200, {"content-type": "text/html", "request-id": "r"}, b"<html>")
    b = bench([theirs, theirs, page, page])
    async with b.session.stream(RAW) as body:
        assert [piece async for piece in body] == [b"<html>"]
    assert (await b.session.request(RAW)).content == b"<html>"
    with pytest.raises(Unavailable):
        async with b.session.stream(RAW):
            raise AssertionError
    with pytest.raises(Unavailable) as caught:
        await b.session.request(RAW)
    assert caught.value.code == "html_page"
