"""The sandbox as a whole: routing, tokens, scripted faults, waits, the log."""

from __future__ import annotations

import math

import anyio
import httpx
import pytest

from mailkit.sandbox import Fault, Mail, Sandbox, VirtualClock
from mailkit.sandbox.faults import FaultScript
from mailkit.sandbox.google import GoogleMailbox
from tests.support.gmail import Gmail

_PROFILE = "https://gmail.googleapis.com/gmail/v1/users/me/profile"


@pytest.fixture
def gmail() -> Gmail:
    sandbox = Sandbox()
    return Gmail(sandbox, sandbox.google("ann@example.com"))


def _async_client(sandbox: Sandbox, box: GoogleMailbox, *, read: float | None = None) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=sandbox.transport(),
        headers={"authorization": f"Bearer {box.token}"},
        timeout=httpx.Timeout(None, read=read),
    )


# -- routing ---------------------------------------------------------------------------------------------------------


def test_each_token_reaches_its_mailbox(gmail: Gmail) -> None:
    other = Gmail(gmail.sandbox, gmail.sandbox.google("bob@example.com", token="theirs"))
    assert gmail.get("/profile")["emailAddress"] == "ann@example.com"
    assert other.get("/profile")["emailAddress"] == "bob@example.com"
    assert [entry.mailbox for entry in gmail.sandbox.requests] == ["ann@example.com", "bob@example.com"]


def test_a_mailbox_is_opened_once(gmail: Gmail) -> None:
    with pytest.raises(ValueError, match="token of its own"):
        gmail.sandbox.google("ann@example.com")
    assert gmail.sandbox.google("ann@example.com", token="second").token == "second"


def test_an_unknown_token_is_refused_in_the_providers_words(gmail: Gmail) -> None:
    answer = Gmail(gmail.sandbox, gmail.box, token="stale").ask("/profile")
    assert answer.status_code == 401
    assert answer.json()["error"]["status"] == "UNAUTHENTICATED"
    assert gmail.sandbox.requests[-1].mailbox is None


def test_a_token_of_the_other_provider_is_unknown(gmail: Gmail) -> None:
    outlook = gmail.sandbox.microsoft("ann@contoso.example")
    assert Gmail(gmail.sandbox, gmail.box, token=outlook.token).ask("/profile").status_code == 401


def test_any_host_is_routed_by_path_and_others_cannot_be_reached(gmail: Gmail) -> None:
    assert Gmail(gmail.sandbox, gmail.box, host="http://127.0.0.1:8080").get("/profile")
    with pytest.raises(httpx.ConnectError), httpx.Client(transport=gmail.sandbox.transport()) as client:
        client.get("https://elsewhere.example/")


# -- faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "status", "reason"),
    [
        (Fault.unauthorized(), 401, "authError"),
        (Fault.forbidden(), 403, "insufficientPermissions"),
        (Fault.forbidden("domainPolicy"), 403, "domainPolicy"),
        (Fault.rate_limited(), 429, "rateLimitExceeded"),
        (Fault.rate_limited(reason="userRateLimitExceeded", status=403), 403, "userRateLimitExceeded"),
        (Fault.server_error(), 503, "backendError"),
        (Fault(status=404), 404, "notFound"),
    ],
)
def test_a_refusal_is_worded_by_the_provider_and_happens_once(
    gmail: Gmail, fault: Fault, status: int, reason: str
) -> None:
    gmail.box.script(fault)
    assert gmail.refused("/profile") == (status, reason)
    assert gmail.get("/profile")


def test_retry_after_is_sent_as_it_is_given(gmail: Gmail) -> None:
    gmail.box.script(Fault.rate_limited(2.5), Fault.server_error(500, retry_after="Wed, 21 Oct 2026 07:28:00 GMT"))
    assert gmail.ask("/profile").headers["retry-after"] == "2.5"
    assert gmail.ask("/profile").headers["retry-after"].startswith("Wed")


def test_bodies_can_be_scripted(gmail: Gmail) -> None:
    gmail.box.script(Fault(status=200, json={"odd": True}), Fault(status=418, body=b"?"), Fault.html_page())
    assert gmail.ask("/profile").json() == {"odd": True}
    assert gmail.ask("/profile").content == b"?"
    page = gmail.ask("/profile")
    assert (page.status_code, page.headers["content-type"][:9]) == (502, "text/html")


def test_a_truncated_answer_is_half_of_the_true_one(gmail: Gmail) -> None:
    whole = gmail.ask("/profile").content
    gmail.box.script(Fault.truncated())
    half = gmail.ask("/profile")
    assert (half.status_code, half.content) == (200, whole[: len(whole) // 2])


@pytest.mark.parametrize(("before", "error"), [(False, httpx.ReadError), (True, httpx.ConnectError)])
def test_the_line_breaks(gmail: Gmail, before: bool, error: type[httpx.TransportError]) -> None:
    gmail.box.script(Fault.reset(before=before))
    with pytest.raises(error):
        gmail.ask("/profile")
    assert gmail.sandbox.requests[-1].status is None


def test_faults_wait_for_the_request_they_are_meant_for(gmail: Gmail) -> None:
    gmail.box.script(
        Fault.server_error(501, operation="labels.list"),
        Fault.server_error(502, path="maxResults=7", times=2),
        Fault.server_error(503, method="POST"),
        Fault.server_error(504, part=True),
    )
    assert gmail.get("/profile")
    assert gmail.ask("/labels").status_code == 501
    assert gmail.ask("/labels").status_code == 200
    assert [gmail.ask("/messages", ("maxResults", 7)).status_code for _ in range(3)] == [502, 502, 200]
    assert gmail.ask("/messages", method="POST").status_code == 503


def test_a_fault_may_stay_until_the_script_is_cleared(gmail: Gmail) -> None:
    gmail.box.script(Fault.server_error(times=None))
    assert {gmail.ask("/profile").status_code for _ in range(5)} == {503}
    gmail.box.faults.clear()
    assert gmail.get("/profile")


def test_a_fault_may_let_some_go_through_first(gmail: Gmail) -> None:
    gmail.box.script(Fault.server_error(501, path="/profile", skip=2), Fault.server_error(502, path="/profile"))
    assert [gmail.ask("/profile").status_code for _ in range(4)] == [502, 200, 501, 200]


@pytest.mark.parametrize(
    ("fault", "starred"),
    [
        (Fault.server_error(502), False),
        (Fault.server_error(502, takes_effect=True), True),
        (Fault(status=200, json={}, takes_effect=True), True),
        (Fault.slow(3), True),
        (Fault.slow(3, takes_effect=False), False),
    ],
)
def test_a_fault_says_whether_the_request_is_carried_out(gmail: Gmail, fault: Fault, starred: bool) -> None:
    message = gmail.box.add(Mail())
    gmail.box.script(fault)
    answer = gmail.tell(f"/messages/{message}/modify", {"addLabelIds": ["STARRED"]})
    assert answer.status_code == (fault.status or (200 if starred else 504))
    assert gmail.find("is:starred") == ([message] if starred else [])


@pytest.mark.parametrize("takes_effect", [None, False, True])
@pytest.mark.parametrize("broken", ["read", "connect"])
def test_a_broken_line_may_or_may_not_have_done_it(gmail: Gmail, broken: str, takes_effect: bool | None) -> None:
    message = gmail.box.add(Mail())
    gmail.box.script(Fault.reset(before=broken == "connect", takes_effect=takes_effect))
    with pytest.raises(httpx.TransportError):
        gmail.tell(f"/messages/{message}/modify", {"addLabelIds": ["STARRED"]})
    done = broken == "read" and takes_effect is not False  # what never went out has no effect
    assert gmail.find("is:starred") == ([message] if done else [])


# -- waits -----------------------------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_answers_come_late_on_the_sandboxs_clock() -> None:
    clock = VirtualClock()
    sandbox = Sandbox(clock, latency=0.04)
    box = sandbox.google("ann@example.com")
    box.script(Fault.slow(5))
    async with _async_client(sandbox, box) as client:
        assert (await client.get(_PROFILE)).status_code == 200
        assert clock.monotonic() == pytest.approx(5.04)
        await client.get(_PROFILE)
        assert clock.monotonic() == pytest.approx(5.08)


@pytest.mark.anyio
async def test_a_hanging_answer_ends_at_the_callers_deadline() -> None:
    clock = VirtualClock()
    sandbox = Sandbox(clock)
    box = sandbox.google("ann@example.com")
    box.script(Fault.hang())
    async with _async_client(sandbox, box) as client:
        with clock.deadline(30) as deadline:
            await client.get(_PROFILE)
    assert deadline.expired
    assert clock.monotonic() == 30


@pytest.mark.anyio
@pytest.mark.parametrize("seconds", [20, math.inf])
async def test_the_clients_read_timeout_holds(seconds: float) -> None:
    clock = VirtualClock()
    sandbox = Sandbox(clock)
    box = sandbox.google("ann@example.com")
    box.script(Fault.slow(seconds))
    async with _async_client(sandbox, box, read=10) as client:
        with pytest.raises(httpx.ReadTimeout):
            await client.get(_PROFILE)
    assert clock.monotonic() == 10


def test_a_sync_client_moves_time_itself() -> None:
    clock = VirtualClock()
    sandbox = Sandbox(clock, latency=1)
    gmail = Gmail(sandbox, sandbox.google("ann@example.com"))
    gmail.box.script(Fault.hang())
    with pytest.raises(httpx.ReadTimeout):
        gmail.ask("/profile")
    assert clock.monotonic() == 5  # httpx's own default
    gmail.get("/profile")
    assert clock.monotonic() == 6


def test_a_sync_client_really_waits_on_another_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("mailkit.sandbox.transport.time.sleep", waits.append)
    monkeypatch.setattr("mailkit.sandbox.transport.VirtualClock", type("Nobody", (), {}))
    sandbox = Sandbox(latency=0.25)
    Gmail(sandbox, sandbox.google("ann@example.com")).get("/profile")
    assert waits == [0.25]


# -- the log ---------------------------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_the_log_knows_how_many_requests_were_under_way() -> None:
    sandbox = Sandbox(latency=1)
    one, other = sandbox.google("ann@example.com"), sandbox.google("bob@example.com")
    async with _async_client(sandbox, one) as a, _async_client(sandbox, other) as b, anyio.create_task_group() as tasks:
        for client in (a, a, a, b):
            tasks.start_soon(client.get, _PROFILE)
    counts = sorted((entry.mailbox, entry.in_flight) for entry in sandbox.requests)
    assert counts == [("ann@example.com", 1), ("ann@example.com", 2), ("ann@example.com", 3), ("bob@example.com", 1)]
    async with _async_client(sandbox, one) as client:
        await client.get(_PROFILE)
    assert sandbox.requests[-1].in_flight == 1


def test_a_request_that_a_test_breaks_is_not_under_way_for_ever(gmail: Gmail, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(FaultScript, "take", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            gmail.get("/profile")
    gmail.get("/profile")
    assert gmail.sandbox.requests[-1].in_flight == 1


def test_the_log_says_what_was_asked_and_hides_it_in_its_repr(gmail: Gmail) -> None:
    gmail.box.add(Mail(subject="secret"))
    gmail.find("from:secret")
    entry = gmail.sandbox.requests[-1]
    assert (entry.method, entry.operation, entry.status, entry.path) == (
        "GET",
        "messages.list",
        200,
        "/gmail/v1/users/me/messages",
    )
    assert entry.headers["authorization"].endswith(gmail.box.token)
    assert "secret" not in repr(entry)
    assert gmail.box.token not in repr(entry)
    assert "ann" not in repr(gmail.box)
