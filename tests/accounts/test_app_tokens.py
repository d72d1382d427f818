"""Accounts that need no person get their tokens from the sandbox's identity providers."""

from __future__ import annotations

import datetime as dt
import json
import pickle
from pathlib import Path

import pytest

from mailkit.accounts.kinds import ClientCredentials, ServiceAccount
from mailkit.accounts.settings import Settings
from mailkit.accounts.tokens import token_source
from mailkit.errors import ConfigurationError, Unavailable
from mailkit.sandbox import Fault, Sandbox, VirtualClock
from mailkit.transport import HttpxTransport
from mailkit.values import Account, Provider, TokenSource

pytestmark = pytest.mark.anyio

SCOPES = [f"https://www.googleapis.com/auth/{name}" for name in ("gmail.readonly", "gmail.send", "calendar")]


def source(sandbox: Sandbox, provider: Provider, token: object) -> TokenSource:
    mailbox = "ann@contoso.example" if provider == "microsoft" else None
    account = Account(name="staff", provider=provider, token=token, mailbox=mailbox)
    transport = HttpxTransport(httpx_transport=sandbox.transport())
    return token_source(account, transport=transport, clock=sandbox.clock, settings=Settings())


@pytest.fixture(autouse=True)
def _google_signs_with_the_sandbox_s_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = VirtualClock().now().replace(tzinfo=None)
    monkeypatch.setattr("google.auth._helpers.utcnow", lambda: now)


def google(tmp_path: Path, *, scopes: list[str]) -> tuple[Sandbox, ServiceAccount]:
    sandbox = Sandbox(clock=VirtualClock())
    sandbox.google("ann@example.com")
    robot = sandbox.identity.google.service_account("robot@project.example", domain="example.com", scopes=scopes)
    key = tmp_path / "key.json"
    key.write_text(json.dumps(robot.info))
    return sandbox, ServiceAccount(key_file=key, subject="ann@example.com")


async def test_a_service_account_acts_for_a_person(tmp_path: Path) -> None:
    sandbox, kind = google(tmp_path, scopes=SCOPES)
    token = await source(sandbox, "google", kind).token()
    assert token.expires_at == sandbox.clock.now() + dt.timedelta(seconds=3599)
    assert token.scopes == frozenset(SCOPES)
    assert (await source(sandbox, "google", kind).token(stale=token.value)).value != token.value


async def test_what_was_not_delegated_is_for_the_administrator(tmp_path: Path) -> None:
    sandbox, kind = google(tmp_path, scopes=[])
    with pytest.raises(ConfigurationError) as caught:
        await source(sandbox, "google", kind).token()
    assert (caught.value.account, caught.value.cause) == ("staff", "admin_policy")


async def test_nobody_is_told_to_sign_in_for_a_service_account(tmp_path: Path) -> None:
    sandbox, kind = google(tmp_path, scopes=SCOPES)
    sandbox.identity.google.script(Fault(operation="token", status=400, json={"error": "invalid_grant"}))
    with pytest.raises(ConfigurationError) as caught:
        await source(sandbox, "google", kind).token()
    assert (caught.value.account, caught.value.code) == ("staff", "invalid_grant")


@pytest.mark.parametrize("text", [None, "{}", "no JSON", '{"type": "service_account", "private_key": "x"}'])
async def test_a_key_that_cannot_be_used(tmp_path: Path, text: str | None) -> None:
    sandbox, kind = google(tmp_path, scopes=SCOPES)
    kind.key_file.unlink()
    if text is not None:
        kind.key_file.write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        await source(sandbox, "google", kind).token()
    assert (caught.value.code, caught.value.file) == ("google_file", str(kind.key_file))


def microsoft(monkeypatch: pytest.MonkeyPatch, *, secret: str = "s3cret") -> tuple[Sandbox, ClientCredentials]:
    sandbox = Sandbox(clock=VirtualClock())
    sandbox.microsoft("ann@contoso.example")
    sandbox.identity.microsoft.app("robot", tenant="contoso.example", secret="s3cret", roles=["Mail.Read"])
    monkeypatch.setenv("ROBOT_SECRET", secret)
    return sandbox, ClientCredentials(tenant="contoso.example", client_id="robot", secret_env="ROBOT_SECRET")


async def test_an_app_acts_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox, kind = microsoft(monkeypatch)
    robot = source(sandbox, "microsoft", kind)
    token = await robot.token()
    assert token.scopes is None
    assert token.expires_at is not None
    assert (await robot.token(stale=token.value)).value != token.value


async def test_a_wrong_secret_is_a_mistake_in_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox, kind = microsoft(monkeypatch, secret="wrong")
    with pytest.raises(ConfigurationError) as caught:
        await source(sandbox, "microsoft", kind).token()
    assert (caught.value.account, caught.value.cause) == ("staff", "wrong_secret")


async def test_passing_trouble_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox, kind = microsoft(monkeypatch)
    robot = source(sandbox, "microsoft", kind)
    sandbox.identity.microsoft.script(Fault.server_error(503, operation="token"))
    with pytest.raises(Unavailable) as caught:
        await robot.token()
    assert caught.value.account == "staff"
    await robot.token()


async def test_such_accounts_pickle_without_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, kind = microsoft(monkeypatch)
    assert b"s3cret" not in pickle.dumps(kind)
    assert pickle.loads(pickle.dumps(kind)) == kind
