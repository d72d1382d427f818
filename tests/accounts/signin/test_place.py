"""Without a store of its own a sign-in goes to the account's file and into accounts.toml, by either twin."""

from __future__ import annotations

import inspect
import sys
import webbrowser
from collections.abc import Mapping
from pathlib import Path

import pytest

from mailkit.accounts import Accounts
from mailkit.accounts.kinds import EnvironmentToken
from mailkit.accounts.signin import sign_in, sign_in_async
from mailkit.accounts.signin.way import choose
from mailkit.accounts.stores import FileStore
from mailkit.errors import ConfigurationError, SignInRequired
from mailkit.files import MailkitWarning
from mailkit.sandbox import Sandbox, VirtualClock
from mailkit.transport import HttpxTransport, SystemClock
from mailkit.values import Account, Provider


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MAILKIT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def sandbox() -> Sandbox:
    sandbox = Sandbox(clock=VirtualClock())
    sandbox.google("ann@example.com")
    sandbox.identity.google.app("app")
    return sandbox


def signed_in(sandbox: Sandbox, options: Mapping[str, object] = {}, **more: object) -> Account:  # only read
    settings: dict[str, object] = {
        "name": "work",
        "prompt": lambda shown: sandbox.identity.browser().visit(shown.url).redirect,
        **options,
        **more,
    }
    return sign_in(
        method="paste",
        transport=HttpxTransport(httpx_transport=sandbox.transport()),
        clock=sandbox.clock,
        **settings,  # type: ignore[arg-type]  # the tests' own
    )


PROVIDERS: list[Provider] = ["google", "microsoft"]
FIRST: dict[str, object] = {"provider": "google", "client": "app", "client_secret": "GOCSPX-sandbox"}


def test_the_first_time_makes_the_account(home: Path, sandbox: Sandbox) -> None:
    account = signed_in(sandbox, FIRST)
    assert isinstance(account.token, FileStore)
    assert account.token.path == home / "tokens" / "work.json"
    accounts = Accounts.load()
    assert accounts["work"].address == "ann@example.com"
    assert accounts["work"].scopes == account.scopes
    text = (home / "accounts.toml").read_text()
    assert "GOCSPX" not in text
    assert "refresh" not in text


def test_the_second_time_changes_what_is_granted_and_nothing_else(home: Path, sandbox: Sandbox) -> None:
    signed_in(sandbox, FIRST, features=["read"])
    signed_in(sandbox, FIRST, name="zoo")
    file = home / "accounts.toml"
    file.write_text(
        'default = "work"\n\n' + file.read_text().replace('name = "work"', 'name = "work"\naliases = ["a@b.example"]')
    )
    before = file.read_text()
    signed_in(sandbox)
    assert file.read_text() == before
    account = signed_in(sandbox, features=["read", "draft"])
    assert account.aliases == ("a@b.example",)
    accounts = Accounts.load()
    assert accounts.names == ("work", "zoo")
    assert accounts.default == "work"
    assert accounts["work"].scopes is not None
    assert any(scope.endswith("gmail.compose") for scope in accounts["work"].scopes)


def test_the_store_that_is_named_for_it_is_used(home: Path, sandbox: Sandbox, tmp_path: Path) -> None:
    home.mkdir()
    (home / "accounts.toml").write_text(
        f'[[account]]\nname = "work"\nprovider = "google"\nstore = "file:{(tmp_path / "else.json").as_posix()}"\n'
    )
    signed_in(sandbox, FIRST)
    assert FileStore(tmp_path / "else.json").load() is not None


def test_an_account_without_a_person_is_left_alone(home: Path, sandbox: Sandbox) -> None:
    accounts = Accounts([Account(name="work", provider="google", token=EnvironmentToken(variable="TOKEN"))])
    accounts.save()
    with pytest.raises(ConfigurationError) as caught:
        signed_in(sandbox, FIRST)
    assert caught.value.code == "no_person"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"provider": "google"},
        {"client": "app"},
        {"provider": "google", "client": "app"},
        {"provider": "microsoft", "client": "app", "client_secret": "x"},
        {"provider": "microsoft", "client": "file.json"},
        {"provider": "google", "client": "nowhere.json"},
        {**FIRST, "features": ["fly"]},
        {**FIRST, "features": ["rooms"]},
    ],
    ids=str,
)
def test_what_does_not_go_together_is_told_before_anybody_is_asked(
    home: Path, sandbox: Sandbox, options: dict[str, object]
) -> None:
    with pytest.raises(ConfigurationError):
        signed_in(sandbox, options)
    assert not home.exists() or not list(home.glob("*.toml"))


def test_a_name_that_cannot_be_one(home: Path, sandbox: Sandbox) -> None:
    with pytest.raises(ConfigurationError, match="name of an account"):
        signed_in(sandbox, FIRST, name="../evil")


def test_the_twins_are_alike() -> None:
    assert inspect.signature(sign_in) == inspect.signature(sign_in_async)
    assert sign_in.__doc__ == sign_in_async.__doc__


@pytest.mark.parametrize(
    ("platform", "environ", "browsers", "way"),
    [
        ("linux", {"DISPLAY": ":0"}, True, "browser"),
        ("linux", {"WAYLAND_DISPLAY": "w"}, True, "browser"),
        ("linux", {}, True, "none"),
        ("linux", {"DISPLAY": ":0", "SSH_CONNECTION": "1.2.3.4"}, True, "none"),
        ("linux", {"DISPLAY": ":0"}, False, "none"),
        ("darwin", {}, True, "browser"),
        ("win32", {}, True, "browser"),
    ],
)
def test_auto_takes_the_browser_where_the_person_sees_one(
    monkeypatch: pytest.MonkeyPatch, platform: str, environ: dict[str, str], browsers: bool, way: str
) -> None:
    def get() -> object:
        if browsers:
            return object()
        raise webbrowser.Error

    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr("os.environ", environ)
    monkeypatch.setattr("webbrowser.get", get)
    without = {"google": "paste", "microsoft": "device"}
    for provider in PROVIDERS:
        expected = without[provider] if way == "none" else way
        assert choose("auto", provider, account="work") == expected
        assert choose("paste", provider, account="work") == "paste"


def test_without_a_prompt_the_browser_is_opened(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    sandbox = Sandbox(clock=SystemClock())
    sandbox.google("ann@example.com")
    sandbox.identity.google.app("app")
    monkeypatch.setattr("webbrowser.open", lambda url: sandbox.identity.browser().open(url))
    transport = HttpxTransport(httpx_transport=sandbox.transport())
    account = sign_in("work", method="browser", transport=transport, **FIRST)  # type: ignore[arg-type]
    assert account.address == "ann@example.com"


def test_an_account_of_another_provider_is_not_overwritten(home: Path, sandbox: Sandbox) -> None:
    Accounts([Account(name="work", provider="microsoft", token=FileStore(home / "tokens" / "work.json"))]).save()
    with pytest.raises(ConfigurationError, match="remove it there first") as caught:
        signed_in(sandbox, FIRST)
    assert caught.value.code == "other_provider"
    assert not (home / "tokens" / "work.json").exists()


def test_another_address_is_written_where_it_is_asked_for(home: Path, sandbox: Sandbox) -> None:
    signed_in(sandbox, FIRST)
    sandbox.google("bob@example.com")
    bob = {"prompt": lambda shown: sandbox.identity.browser(account="bob@example.com").visit(shown.url).redirect}
    with pytest.raises(SignInRequired):
        signed_in(sandbox, bob)
    assert Accounts.load()["work"].address == "ann@example.com"
    signed_in(sandbox, bob, address=" bob@example.com ")
    assert Accounts.load()["work"].address == "bob@example.com"


def test_a_store_that_is_gone_or_damaged_is_signed_in_to_anew(home: Path, sandbox: Sandbox) -> None:
    signed_in(sandbox, FIRST, features=["read"])
    kept = home / "tokens" / "work.json"
    kept.unlink()
    with pytest.raises(ConfigurationError, match="pass client="):
        signed_in(sandbox)
    kept.write_text("broken")
    with pytest.warns(MailkitWarning):
        account = signed_in(sandbox, client="app", client_secret="GOCSPX-sandbox")
    assert account.scopes == frozenset({"https://www.googleapis.com/auth/gmail.readonly"})
    assert list(kept.parent.glob("*corrupt*"))


def test_a_browser_that_does_not_open_is_told_at_once(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setattr("webbrowser.open", lambda _url: False)
    with pytest.raises(ConfigurationError) as caught:
        sign_in("work", method="browser", timeout=20, **FIRST)  # type: ignore[arg-type]
    assert caught.value.code == "no_browser"
