"""One request from call to answer: headers, retries, refusals, deadlines, the log."""

from __future__ import annotations

import logging
import pickle
import re

import attrs
import pytest

from mailkit.errors import (
    BadPayload,
    ConfigurationError,
    ConnectionFailed,
    MailkitError,
    NotFound,
    PermissionMissing,
    ProviderError,
    RateLimited,
    SignInRequired,
    TimedOut,
    Unavailable,
    UsageError,
)
from mailkit.models.errors_json import error_from_dict, error_to_dict
from mailkit.sandbox.clock import VirtualClock
from mailkit.transport import Call, Quota, RetryPolicy
from tests.support.wire import BASE, Reply, Script, SmallDialect, Tokens, bench, reply

pytestmark = pytest.mark.anyio

READ = Call(operation="mail.get", url="/me/messages/1", query=(("$select", "id,subject"), ("$filter", "a eq 'b c'")))
SEND = Call(operation="mail.send", method="POST", url="/me/sendMail", json={"x": 1}, expects="bytes", repeat=False)
BROKEN = ConnectionFailed("broken", code="interrupted")
UNREACHED = ConnectionFailed("unreached", code="not_sent")


async def test_a_request_carries_token_names_and_a_query_without_plus_signs() -> None:
    b = bench([reply(json={"id": "1"}, request_id="r-9")], user_agent="host/2")
    answer = await b.session.request(attrs.evolve(READ, headers=(("Prefer", "x"),)))
    (request,) = b.transport.requests
    assert request.url == f"{BASE}/me/messages/1?$select=id%2Csubject&$filter=a%20eq%20%27b%20c%27"
    headers = dict(request.headers)
    assert re.fullmatch(r"mailkit-sdk/\S+ \(gzip\) host/2", headers.pop("User-Agent"))
    assert headers == {
        "Authorization": "Bearer token-1",
        "Accept": "application/json",
        "client-request-id": "id-1",
        "Prefer": "x",
    }
    assert (request.connect_timeout, request.read_timeout) == (10, 30)
    assert answer.json() == {"id": "1"}
    assert (answer.status, answer.request_id) == (200, "r-9")
    assert b.transport.replies[0].closed


async def test_a_json_body_says_so() -> None:
    b = bench([Reply(202)])
    await b.session.request(SEND)
    (request,) = b.transport.requests
    assert (request.method, request.content) == ("POST", b'{"x":1}')
    assert ("Content-Type", "application/json") in request.headers


async def test_each_attempt_has_an_id_of_its_own() -> None:
    b = bench([reply(503), reply()])
    await b.session.request(READ)
    assert [dict(r.headers)["client-request-id"] for r in b.transport.requests] == ["id-1", "id-2"]


async def test_an_account_may_name_another_base() -> None:
    b = bench([reply()], account={"base_url": "http://127.0.0.1:4000/graph/"})
    await b.session.request(attrs.evolve(READ, query=()))
    assert b.transport.requests[0].url == "http://127.0.0.1:4000/graph/me/messages/1"
    with pytest.raises(ConfigurationError):
        bench([], account={"base_url": "https://grüße.example"})


@pytest.mark.parametrize("url", ["https://evil.example/v1/me", "http://mail.example/v1/me", "me/messages"])
async def test_no_token_goes_anywhere_else(url: str) -> None:
    b = bench([])
    with pytest.raises(UsageError):
        await b.session.request(Call(operation="mail.search", url=url))
    assert not b.transport.requests


# Refused tokens


async def test_a_refused_token_is_renewed_once_and_at_once() -> None:
    b = bench([reply(401), reply(json=1)])
    await b.session.request(SEND)
    assert [dict(r.headers)["Authorization"] for r in b.transport.requests] == ["Bearer token-1", "Bearer token-2"]
    assert b.tokens.stale == ["token-1"]
    assert b.clock.monotonic() == 0


async def test_a_second_refusal_is_final() -> None:
    b = bench([reply(401), reply(401, request_id="r")])
    with pytest.raises(SignInRequired) as caught:
        await b.session.request(READ)
    assert (caught.value.account, caught.value.operation, caught.value.status) == ("work", "mail.get", 401)
    assert caught.value.request_id == "r"
    assert b.tokens.stale == ["token-1"]


async def test_the_same_token_again_is_not_sent_again() -> None:
    b = bench([reply(401)], tokens=Tokens(fixed=True))
    with pytest.raises(SignInRequired):
        await b.session.request(READ)


async def test_a_grant_that_is_gone_says_so() -> None:
    gone = SignInRequired("sign in again", code="invalid_grant")
    b = bench([reply(401)], tokens=Tokens(gone))
    with pytest.raises(SignInRequired) as caught:
        await b.session.request(READ)
    assert (caught.value.code, caught.value.account, caught.value.operation) == ("invalid_grant", "work", "mail.get")


async def test_a_token_is_asked_for_again_after_a_wait() -> None:
    b = bench([reply(429), reply()])
    b.tokens.number = 7
    original = b.clock.sleep

    async def sleep(seconds: float) -> None:
        await original(seconds)
        b.tokens.number = 8

    b.clock.sleep = sleep  # type: ignore[method-assign]
    await b.session.request(READ)
    assert [dict(r.headers)["Authorization"] for r in b.transport.requests] == ["Bearer token-7", "Bearer token-8"]


# Waits


@pytest.mark.parametrize(
    ("header", "waited"),
    [("Mon, 16 Mar 2026 09:00:30 GMT", 30), ("2.128", 2.128), ("3", 3), ("soon", 0.75), ("0", 0.75), (None, 0.75)],
)
@pytest.mark.parametrize("status", [429, 503])
async def test_retry_after_is_honoured(status: int, header: str | None, waited: float) -> None:
    refused = reply(status, **({"retry_after": header} if header else {}))
    b = bench([refused, reply()])
    await b.session.request(READ)
    assert len(b.transport.requests) == 2
    assert b.clock.monotonic() == pytest.approx(waited)


@pytest.mark.parametrize("chance", [0.0, 0.999])
async def test_waits_grow_though_the_server_repeats_itself_and_they_end(chance: float) -> None:
    b = bench([reply(429, retry_after="1", request_id="r")] * 10, chance=chance)
    waits: list[float] = []
    original = b.clock.sleep

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        await original(seconds)

    b.clock.sleep = sleep  # type: ignore[method-assign]
    with pytest.raises(RateLimited) as caught:
        await b.session.request(READ)
    assert len(b.transport.requests) == 4
    assert len(waits) == 3
    assert all(wait >= 1 for wait in waits)
    assert waits == sorted(set(waits))
    error = caught.value
    assert (error.retry_after, error.status, error.code, error.request_id) == (1, 429, "throttled", "r")
    assert (error.account, error.operation) == ("work", "mail.get")
    assert [line.split(",")[0] for line in error.attempts] == ["429 throttled"] * 3
    assert pickle.loads(pickle.dumps(error)).attempts == error.attempts


async def test_a_rate_limit_without_a_header_waits_by_itself() -> None:
    b = bench([reply(429), reply(403, json={"reason": "rateLimitExceeded"}), reply(json={"id": "m"})], chance=0.5)
    assert (await b.session.request(READ)).json() == {"id": "m"}
    assert b.clock.monotonic() == pytest.approx(0.75 * 1.5 + 0.75 * 2 * 1.5)


@pytest.mark.parametrize("status", [429, 503])
async def test_a_wait_longer_than_the_deadline_ends_at_once(status: int) -> None:
    b = bench([reply(status, retry_after="40", request_id="r")])
    with b.clock.deadline(30) as deadline, pytest.raises(RateLimited) as caught:
        await b.session.request(READ)
    assert not deadline.expired
    assert b.clock.monotonic() == 0
    assert (caught.value.retry_after, caught.value.status, caught.value.request_id) == (40, status, "r")
    assert (caught.value.account, caught.value.operation) == ("work", "mail.get")


async def test_nobody_waits_for_a_day() -> None:
    b = bench([reply(429, retry_after="86400")])
    with pytest.raises(RateLimited):
        await b.session.request(READ)
    assert b.clock.monotonic() == 0


async def test_a_backoff_beyond_the_deadline_is_not_begun() -> None:
    b = bench([reply(503)] * 4)
    with b.clock.deadline(2), pytest.raises(Unavailable) as caught:
        await b.session.request(READ)
    assert b.clock.monotonic() == 0.75
    assert len(caught.value.attempts) == 1


async def test_the_account_s_own_quota_beyond_the_deadline_ends_at_once() -> None:
    b = bench([reply()], dialect=SmallDialect(quota=Quota(units=1, seconds=60)))
    await b.session.request(READ)
    with b.clock.deadline(30), pytest.raises(RateLimited) as caught:
        await b.session.request(READ)
    assert (caught.value.code, caught.value.retry_after) == ("quota_used_up", 60)
    assert (caught.value.account, caught.value.operation) == ("work", "mail.get")
    assert caught.value.had_no_effect


# What may be repeated


@pytest.mark.parametrize(
    "first",
    [TimedOut("slow", code="no_answer"), BROKEN, Reply(202, {}, b"", cut=BROKEN), *map(reply, (500, 502, 503, 504))],
)
async def test_a_send_that_may_have_happened_is_not_repeated(first: Script) -> None:
    b = bench([first])
    with pytest.raises((TimedOut, ConnectionFailed, Unavailable)) as caught:
        await b.session.request(SEND)
    assert (caught.value.operation, caught.value.code == "not_sent") == ("mail.send", False)
    assert not caught.value.had_no_effect


@pytest.mark.parametrize("refusal", [reply(400), reply(403), reply(404), reply(429, retry_after="9999"), reply(401)])
async def test_what_was_refused_had_no_effect(refusal: Script) -> None:
    b = bench([refusal] * 2)
    with pytest.raises(MailkitError) as caught:
        await b.session.request(SEND)
    assert caught.value.had_no_effect
    assert error_from_dict(error_to_dict(caught.value)).had_no_effect


@pytest.mark.parametrize("asked", [0, 1])
async def test_without_a_token_nothing_has_an_effect(asked: int) -> None:
    """There is none to begin with, or none after a refusal."""
    b = bench([reply(401)], tokens=Tokens(SignInRequired("sign in"), at_once=not asked))
    with pytest.raises(SignInRequired) as caught:
        await b.session.request(SEND)
    assert (len(b.transport.requests), caught.value.had_no_effect) == (asked, True)


@pytest.mark.parametrize(
    "first", [reply(429), reply(503, retry_after="1"), UNREACHED, TimedOut("no connection", code="not_sent")]
)
async def test_a_send_that_did_nothing_is_repeated(first: Script) -> None:
    b = bench([first, Reply(202)])
    await b.session.request(SEND)
    assert len(b.transport.requests) == 2


@pytest.mark.parametrize("first", [BROKEN, UNREACHED, TimedOut("slow"), reply(500), reply(502), reply(504)])
async def test_a_read_is_repeated(first: Script) -> None:
    b = bench([first, reply(json=1)])
    assert (await b.session.request(READ)).json() == 1


async def test_what_will_not_change_is_not_repeated() -> None:
    b = bench([reply(404, request_id="r")])
    with pytest.raises(NotFound) as caught:
        await b.session.request(READ)
    assert (caught.value.status, caught.value.code, caught.value.request_id) == (404, "missing", "r")
    assert "list again" in str(caught.value)
    assert caught.value.attempts == ()


async def test_a_missing_permission_names_what_would_do() -> None:
    b = bench([reply(403, json={"reason": "insufficient"})])
    with pytest.raises(PermissionMissing, match="grant it") as caught:
        await b.session.request(READ)
    assert (caught.value.scopes, caught.value.code) == (("Mail.Read",), "insufficient")


async def test_a_refusal_nobody_foresaw_is_told_with_its_status() -> None:
    b = bench([reply(400)])
    with pytest.raises(ProviderError, match="400 refused"):
        await b.session.request(READ)


async def test_attempts_are_a_parameter() -> None:
    b = bench([reply(503)] * 2, retry=RetryPolicy(attempts=2))
    with pytest.raises(Unavailable):
        await b.session.request(READ)
    assert len(b.transport.requests) == 2


# Answers that are none


async def test_a_cut_answer_is_asked_for_again() -> None:
    cut = Reply(200, {"content-type": "application/json"}, b'{"value":[{"id":"a"}')
    b = bench([cut, reply(json={"value": []})])
    assert (await b.session.request(READ)).json() == {"value": []}


@pytest.mark.parametrize("content", [b'{"value":[{"id":"a"}', b"", b"\xff\xfe{", b"[" * 100_000, b"9" * 5000])
async def test_a_body_that_is_no_json_is_never_an_empty_result(content: bytes) -> None:
    b = bench([Reply(200, {"content-type": "application/json", "request-id": "r"}, content)] * 4)
    with pytest.raises(BadPayload) as caught:
        await b.session.request(READ)
    error = caught.value
    assert (error.path, error.status, error.request_id, error.operation) == ("$", 200, "r", "mail.get")
    assert error.__context__ is None or error.__suppress_context__


async def test_a_page_for_people_is_no_answer() -> None:
    b = bench([Reply(200, {"content-type": "text/html; charset=utf-8"}, b"<html>Sign in to Wi-Fi</html>")])
    with pytest.raises(Unavailable) as caught:
        await b.session.request(READ)
    assert caught.value.code == "html_page"
    assert "Wi-Fi" not in str(caught.value)


@pytest.mark.parametrize("status", [301, 302, 304, 307, 308])
async def test_a_redirect_is_an_error(status: int) -> None:
    b = bench([Reply(status, {"location": "https://mail.example/v1/other"})])
    with pytest.raises(Unavailable) as caught:
        await b.session.request(READ)
    assert (caught.value.code, caught.value.status) == ("redirected", status)
    assert len(b.transport.requests) == 1


async def test_a_read_that_breaks_within_the_body_is_repeated() -> None:
    b = bench([Reply(200, {}, b'{"value":', cut=BROKEN), reply(json=2)])
    assert (await b.session.request(READ)).json() == 2
    assert b.transport.replies[0].closed


# Log and life


async def test_the_log_has_method_path_status_and_no_more(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    b = bench([reply(404, json={"secret": "body"}), BROKEN], clock=VirtualClock())
    for call in (READ, attrs.evolve(READ, url="/calendars/ann@x.example/events", repeat=False)):
        with pytest.raises(MailkitError):
            await b.session.request(call)
    lines = [record.getMessage() for record in caplog.records]
    assert lines == [
        "GET /v1/me/messages/1 404 0 ms",
        "GET /v1/calendars/…/events ConnectionFailed 0 ms",
    ]
    assert {record.name for record in caplog.records} == {"mailkit"}


async def test_a_closed_session_opens_again() -> None:
    b = bench([reply(), reply()])
    await b.session.request(READ)
    await b.session.aclose()
    await b.session.aclose()
    await b.session.request(READ)
    assert b.transport.closed == 2
    assert repr(b.session) == "<Session work>"
