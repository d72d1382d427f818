"""What goes wrong while signing in and renewing, as cases kept elsewhere describe it."""

from __future__ import annotations

import datetime as dt
from typing import Any

import anyio
import pytest

from mailkit.accounts.grant import Grant
from mailkit.accounts.refresh import RefreshingSource
from mailkit.accounts.signin import SignInPrompt, sign_in_async
from mailkit.accounts.stores import MemoryStore
from mailkit.accounts.token_cache import TokenCache
from mailkit.errors import SignInRequired
from mailkit.sandbox import VirtualClock
from tests.support.cases import Case, cases
from tests.support.token_service import TokenService

pytestmark = pytest.mark.anyio

GMAIL = "https://www.googleapis.com/auth/gmail.readonly"
DEVICE = {
    "device_code": "D",
    "user_code": "U",
    "expires_in": 30,
    "interval": 5,
    "verification_uri": "https://x.example",
}


def only(*ids: str) -> list[Any]:
    return cases("faults.jsonl", lambda case: case["id"] in ids)


def grant(clock: VirtualClock, **changes: Any) -> Grant:
    fields: dict[str, Any] = {
        "provider": "google",
        "client_id": "app",
        "client_secret": "secret",
        "refresh_token": "refresh-0",
        "access_token": "access-0",
        "renewed_at": clock.now() - dt.timedelta(hours=1),
        "expires_at": clock.now(),
        "scopes": frozenset({GMAIL}),
        "features": frozenset({"read"}),
    }
    return Grant(**fields | changes)


def source(store: MemoryStore, service: TokenService, clock: VirtualClock) -> RefreshingSource:
    return RefreshingSource(account="work", provider="google", store=store, transport=service, clock=clock)


@pytest.mark.parametrize("case", only("C174"))
async def test_a_refused_grant_is_asked_about_once(case: Case) -> None:
    clock = VirtualClock()
    service = TokenService(script=[(each["status"], each["json"]) for each in case["input"]["responses"]])
    with pytest.raises(SignInRequired) as caught:
        await source(MemoryStore(grant(clock)), service, clock).token()
    assert len(service.forms) == case["expected"]["http_calls"]
    assert (caught.value.account, caught.value.retryable) == ("work", False)


async def consent(answer: object, store: MemoryStore) -> list[str]:
    urls: list[str] = []

    def prompt(shown: SignInPrompt) -> str:
        urls.append(shown.url)
        state = shown.url.partition("&state=")[2].partition("&")[0]
        return f"http://127.0.0.1/?code=c&state={state}"

    await sign_in_async(
        "work",
        provider="google",
        client="app",
        client_secret="secret",
        method="paste",
        prompt=prompt,
        store=store,
        transport=TokenService(script=[(200, answer)]),
        clock=VirtualClock(),
    )
    return urls


@pytest.mark.parametrize("case", only("C175"))
async def test_a_second_consent_keeps_what_there_was(case: Case) -> None:
    store = MemoryStore(grant(VirtualClock(), **case["input"]["stored"]))
    urls = await consent(case["input"]["authorize_again_response"], store)
    kept = store.load()
    assert kept is not None
    assert {name: getattr(kept, name) for name in case["expected"]["stored_after"]} == case["expected"]["stored_after"]
    assert all(part in urls[0] for part in case["expected"]["authorize_url_has"])


@pytest.mark.parametrize("case", only("C176"))
async def test_a_first_consent_that_cannot_be_renewed(case: Case) -> None:
    store = MemoryStore()
    with pytest.raises(SignInRequired, match="sign in again"):
        await consent(case["input"]["token_response"], store)
    assert store.load() is None


@pytest.mark.parametrize("case", only("C184", "C186"))
async def test_polling_ends_when_it_should(case: Case) -> None:
    device = DEVICE | case["input"].get("device", {})
    polls = [
        (400, {"error": each}) if isinstance(each, str) else (each["status"], each["json"])
        for each in case["input"]["poll_answers"]
    ]
    service, clock = TokenService(script=[(200, device), *polls]), VirtualClock()
    with pytest.raises(SignInRequired) as caught:
        await sign_in_async(
            "work",
            provider="microsoft",
            client="app",
            method="device",
            prompt=lambda _shown: None,
            store=MemoryStore(),
            transport=service,
            clock=clock,
        )
    assert caught.value.cause == "timed_out"
    assert len(service.forms) - 1 <= case["expected"].get("polls_at_most", len(polls))
    assert clock.monotonic() <= 30


@pytest.mark.parametrize("case", only("C187"))
async def test_tokens_are_renewed_a_little_early(case: Case) -> None:
    for seconds, renewed in zip((20, 120), case["expected"]["needs_refresh"], strict=True):
        clock, service = VirtualClock(), TokenService()
        ends = clock.now() + dt.timedelta(seconds=seconds)
        await source(MemoryStore(grant(clock, expires_at=ends)), service, clock).token()
        assert bool(service.forms) == renewed


@pytest.mark.parametrize("case", only("C195"))
async def test_many_at_once_renew_once(case: Case) -> None:
    clock, service = VirtualClock(), TokenService()
    cache = TokenCache(source(MemoryStore(grant(clock)), service, clock), clock=clock)
    values: list[str] = []

    async def ask() -> None:
        values.append((await cache.token()).value)

    async with anyio.create_task_group() as group:
        for _ in range(case["input"]["threads"]):
            group.start_soon(ask)
    assert len(service.forms) == case["expected"]["token_requests"]
    assert len(set(values)) == 1
