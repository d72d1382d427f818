"""Polling for a device code: at the service's pace, on our clock, to the code's end and no further."""

from __future__ import annotations

import datetime as dt

import pytest

from mailkit.accounts.signin import SignInPrompt, sign_in_async
from mailkit.accounts.stores import MemoryStore
from mailkit.errors import ConfigurationError, ConnectionFailed, MailkitError, SignInRequired, Unavailable
from mailkit.sandbox import Sandbox, VirtualClock
from mailkit.transport import HttpxTransport
from tests.support.token_service import Scripted, TokenService

pytestmark = pytest.mark.anyio

DEVICE = {
    "device_code": "D",
    "user_code": "U-1",
    "verification_uri": "https://microsoft.com/devicelogin",
    "expires_in": 30,
    "interval": 5,
}
PENDING: Scripted = (400, {"error": "authorization_pending", "error_codes": [70016]})
DONE: Scripted = (200, {"access_token": "A", "refresh_token": "R", "expires_in": 3600, "scope": "Mail.Read Mail.Send"})


async def sign_in(answers: list[Scripted], *, device: dict[str, object] = DEVICE) -> tuple[TokenService, VirtualClock]:
    clock = VirtualClock()
    service = TokenService(script=[(200, device), *answers])
    prompts: list[SignInPrompt] = []
    try:
        await sign_in_async(
            "work",
            provider="microsoft",
            client="app",
            method="device",
            prompt=prompts.append,
            store=MemoryStore(),
            transport=service,
            clock=clock,
        )
    except MailkitError as error:
        error.polls = len(service.forms) - 1  # type: ignore[attr-defined]  # for the tests below
        error.took = clock.monotonic()  # type: ignore[attr-defined]
        raise
    finally:
        for prompt in prompts:
            assert (prompt.url, prompt.user_code) == ("https://microsoft.com/devicelogin", "U-1")
            assert str(prompt).endswith("open https://microsoft.com/devicelogin and enter the code U-1")
            assert "U-1" not in repr(prompt)
    return service, clock


async def test_it_waits_for_the_interval_before_each_question() -> None:
    service, clock = await sign_in([PENDING, PENDING, DONE])
    assert clock.monotonic() == 15
    assert [form["grant_type"].rpartition(":")[2] for form in service.forms[1:]] == ["device_code"] * 3
    assert "client_secret" not in service.forms[-1]


async def test_it_goes_slower_when_told_to() -> None:
    _, clock = await sign_in([(400, {"error": "slow_down"}), DONE])
    assert clock.monotonic() == 5 + 10


@pytest.mark.parametrize(
    "trouble", [(503, {}), (429, {}), (200, b"<html></html>"), ConnectionFailed("no connection")], ids=str
)
async def test_passing_trouble_only_makes_it_slower(trouble: Scripted) -> None:
    service, clock = await sign_in([trouble, DONE])
    assert clock.monotonic() == 5 + 10
    assert service.script == []


async def test_it_ends_with_the_code() -> None:
    with pytest.raises(SignInRequired) as caught:
        await sign_in([PENDING] * 10)
    assert caught.value.cause == "timed_out"
    assert caught.value.polls <= 6  # type: ignore[attr-defined]
    assert caught.value.took == pytest.approx(30)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        ({"error": "expired_token", "error_codes": [70020]}, "timed_out"),
        ({"error": "code_expired"}, "timed_out"),
        ({"error": "expired_token"}, "timed_out"),
        ({"error": "access_denied"}, "declined"),
        ({"error": "authorization_declined"}, "declined"),
        ({"error": "invalid_grant", "error_codes": [50076]}, "mfa_needed"),
        ({"error": "access_denied", "error_codes": [53003]}, "way_blocked"),
    ],
    ids=str,
)
async def test_a_refusal_ends_it_at_once(answer: object, cause: str) -> None:
    with pytest.raises(SignInRequired) as caught:
        await sign_in([PENDING, (400, answer), DONE])
    assert caught.value.cause == cause
    assert caught.value.took == 10  # type: ignore[attr-defined]


async def test_the_other_way_is_named_where_an_organisation_blocks_this_one() -> None:
    sandbox = Sandbox(clock=VirtualClock())
    sandbox.microsoft("ann@contoso.example")
    sandbox.identity.microsoft.app("app")
    sandbox.identity.microsoft.tenant("contoso.example").refuse(53003, "device")

    def prompt(shown: SignInPrompt) -> None:
        assert shown.user_code is not None
        assert shown.expires_at == sandbox.clock.now() + dt.timedelta(minutes=15)
        sandbox.identity.browser().enter(shown.user_code)

    with pytest.raises(SignInRequired) as caught:
        await sign_in_async(
            "work",
            provider="microsoft",
            client="app",
            method="device",
            prompt=prompt,
            store=MemoryStore(),
            transport=HttpxTransport(httpx_transport=sandbox.transport()),
            clock=sandbox.clock,
        )
    assert (caught.value.cause, "browser" in str(caught.value)) == ("way_blocked", True)


@pytest.mark.parametrize(
    ("answer", "kind", "cause"),
    [
        ({"error": "invalid_client", "error_codes": [7000218]}, ConfigurationError, "public_client_off"),
        ({"error": "unauthorized_client", "error_codes": [700016]}, ConfigurationError, "app_not_in_tenant"),
        ({"error": "invalid_scope"}, ConfigurationError, None),
        ({"error": "temporarily_unavailable", "error_codes": [90033]}, Unavailable, None),
    ],
    ids=str,
)
async def test_no_code_is_given(answer: dict[str, object], kind: type[MailkitError], cause: str | None) -> None:
    service = TokenService(script=[(400, answer)] * 4)
    with pytest.raises(kind) as caught:
        await sign_in_async(
            "work",
            provider="microsoft",
            client="app",
            method="device",
            prompt=print,
            store=MemoryStore(),
            transport=service,
            clock=VirtualClock(),
        )
    assert getattr(caught.value, "cause", None) == cause
    assert caught.value.account == "work"


async def test_a_tenant_that_does_not_exist_is_told() -> None:
    sandbox = Sandbox(clock=VirtualClock())
    with pytest.raises(ConfigurationError) as caught:
        await sign_in_async(
            "work",
            provider="microsoft",
            client="app",
            tenant="nowhere.example",
            method="device",
            prompt=print,
            store=MemoryStore(),
            transport=HttpxTransport(httpx_transport=sandbox.transport()),
            clock=sandbox.clock,
        )
    assert caught.value.cause == "unknown_tenant"


async def test_google_has_no_such_way_for_mail() -> None:
    with pytest.raises(ConfigurationError) as caught:
        await sign_in_async(
            "home", provider="google", client="a", client_secret="b", method="device", store=MemoryStore()
        )
    assert caught.value.code == "no_such_method"


async def test_a_code_nobody_could_see_is_not_asked_for() -> None:
    with pytest.raises(ConfigurationError) as caught:
        await sign_in_async("work", provider="microsoft", client="a", method="device", store=MemoryStore())
    assert caught.value.code == "no_prompt"


async def test_trouble_that_does_not_pass_ends_it() -> None:
    with pytest.raises(ConfigurationError, match="proxy"):
        await sign_in([PENDING, ConfigurationError("the proxy cannot be used")])
