"""Logins of other programs, Google's files, and what the environment names."""

from __future__ import annotations

import base64
import json
import pickle
from pathlib import Path

import attrs
import msal  # type: ignore[import-untyped]  # it brings no types
import pytest

from mailkit.accounts import Accounts
from mailkit.accounts.adopt import AuthorizedUserStore, read_login, read_msal_cache
from mailkit.accounts.google_client import GoogleClient, read_authorized_user, read_google_client
from mailkit.accounts.kinds import ClientCredentials, EnvironmentToken, ServiceAccount
from mailkit.accounts.stores import FileStore, MemoryStore, TokenStore
from mailkit.errors import ConfigurationError

AUTH = "https://www.googleapis.com/auth/"
CLIENT = {"client_id": "id.apps.googleusercontent.com", "client_secret": "client-secret"}
LOGIN = {"type": "authorized_user", **CLIENT, "refresh_token": "1//refresh-secret"}
KEY = {"type": "service_account", "client_email": "robot@x", "private_key": "key-secret"}
TENANT = "11111111-2222-3333-4444-555555555555"


def written(path: Path, found: object) -> Path:
    path.write_text(found if isinstance(found, str) else json.dumps(found))
    return path


def msal_cache(*people: tuple[str, str], tenant: str = TENANT) -> str:
    cache = msal.SerializableTokenCache()
    for number, (address, client_id) in enumerate(people):
        uid = f"user{number}"
        claims = {
            "preferred_username": address,
            "oid": uid,
            "tid": tenant,
            "sub": uid,
            "aud": client_id,
            "exp": 4_102_444_800,
        }
        cache.add(
            {
                "client_id": client_id,
                "scope": ["Mail.Read", "User.Read"],
                "token_endpoint": f"https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token",
                "response": {
                    "access_token": "access-secret",
                    "refresh_token": f"refresh-secret-{address}",
                    "expires_in": 3600,
                    "token_type": "Bearer",
                    "scope": "https://graph.microsoft.com/Mail.Read https://graph.microsoft.com/User.Read",
                    "client_info": _base64({"uid": uid, "utid": tenant}),
                    "id_token": f"e30.{_base64(claims)}.",
                },
            }
        )
    return str(cache.serialize())


def _base64(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def test_a_desktop_client_is_read_as_it_is_downloaded(tmp_path: Path) -> None:
    file = {"installed": {**CLIENT, "project_id": "p", "redirect_uris": ["http://localhost"]}}
    client = read_google_client(written(tmp_path / "client_secret_1.json", file))
    assert client == GoogleClient(client_id=CLIENT["client_id"], client_secret="client-secret")
    assert "client-secret" not in repr(client)


@pytest.mark.parametrize(
    ("found", "says"),
    [
        ({"web": CLIENT}, "Web application client.*create a Desktop client instead"),
        (LOGIN, "a person's login, not a client_secret"),
        (KEY, "the key of a service account"),
        ({"a": 1}, "something else"),
        ({"installed": {"client_id": "x"}}, "lacks 'client_secret'"),
        ("[1]", "no JSON of Google's"),
        ("{", "no JSON of Google's"),
    ],
)
def test_another_file_is_refused_with_the_reason(found: object, says: str, tmp_path: Path) -> None:
    path = written(tmp_path / "client.json", found)
    with pytest.raises(ConfigurationError, match=says) as caught:
        read_google_client(path)
    assert caught.value.file == str(path)
    assert "secret-" not in str(caught.value)
    assert "-secret" not in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    for read in (read_google_client, read_authorized_user, read_login, read_msal_cache):
        with pytest.raises(ConfigurationError, match="is not there; check the path"):
            read(tmp_path / "none.json")


@pytest.mark.parametrize(
    "scopes", [[f"{AUTH}gmail.readonly", "openid"], f"{AUTH}gmail.readonly openid"], ids=["list", "text"]
)
def test_a_google_login_is_read_as_a_grant(scopes: object, tmp_path: Path) -> None:
    grant = read_login(written(tmp_path / "login.json", {**LOGIN, "scopes": scopes, "account": "ann@example.com"}))
    assert (grant.provider, grant.refresh_token) == ("google", "1//refresh-secret")
    assert (grant.client_id, grant.client_secret) == tuple(CLIENT.values())
    assert grant.scopes == {f"{AUTH}gmail.readonly", "openid"}
    assert (set(grant.features), grant.address) == ({"read"}, "ann@example.com")


def test_what_google_auth_writes_is_read(tmp_path: Path) -> None:
    from google.oauth2.credentials import Credentials

    credentials = Credentials("ya29", refresh_token="1//r", scopes=[f"{AUTH}gmail.send"], **CLIENT)
    grant = read_login(written(tmp_path / "token.json", credentials.to_json()))
    assert (grant.refresh_token, set(grant.features)) == ("1//r", {"send"})


def test_a_login_without_scopes_allows_what_google_allows(tmp_path: Path) -> None:
    grant = read_authorized_user(written(tmp_path / "login.json", LOGIN))
    assert (grant.scopes, grant.features) == (frozenset(), frozenset())


def test_an_msal_cache_is_read_as_a_grant(tmp_path: Path) -> None:
    grant = read_login(written(tmp_path / "cache.bin", msal_cache(("ann@contoso.example", "app"))))
    assert (grant.provider, grant.client_id, grant.tenant) == ("microsoft", "app", TENANT)
    assert grant.refresh_token == "refresh-secret-ann@contoso.example"
    assert grant.scopes == {"Mail.Read", "User.Read"}
    assert (set(grant.features), grant.address) == ({"read"}, "ann@contoso.example")


def test_a_personal_account_is_one(tmp_path: Path) -> None:
    text = msal_cache(("ann@outlook.example", "app"), tenant="9188040d-6c67-4c5b-b112-36a304b66dad")
    assert read_login(written(tmp_path / "cache.bin", text)).tenant == "consumers"


def test_of_several_logins_one_is_chosen(tmp_path: Path) -> None:
    people = ("ann@contoso.example", "app"), ("bob@contoso.example", "app"), ("bob@contoso.example", "other")
    path = written(tmp_path / "cache.bin", msal_cache(*people))
    with pytest.raises(ConfigurationError, match=r"several logins; choose one with .* \(3 in all\)"):
        read_login(path)
    assert read_login(path, address="Ann@contoso.example").refresh_token.endswith("ann@contoso.example")
    assert read_login(path, address="bob@contoso.example", client_id="other").client_id == "other"
    with pytest.raises(ConfigurationError, match="no such login") as caught:
        read_login(path, address="eve@contoso.example")
    assert "contoso" not in str(caught.value)


@pytest.mark.parametrize("found", ["{", "[]", '{"RefreshToken": 7}', '{"RefreshToken": {"a": {"secret": 1}, "b": 2}}'])
def test_what_is_no_cache_is_told(found: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"no MSAL cache|no such login"):
        read_msal_cache(written(tmp_path / "cache.bin", found))


def test_a_set_adopts_a_login_and_leaves_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAILKIT_HOME", str(tmp_path / "home"))
    path = written(tmp_path / "cache.bin", msal_cache(("ann@contoso.example", "app")))
    before = path.read_bytes()
    accounts = Accounts.load()
    account = accounts.adopt("work", path)
    accounts.save()
    assert (account.provider, account.address) == ("microsoft", "ann@contoso.example")
    assert path.read_bytes() == before
    loaded = Accounts.load(strict=True)["work"]
    assert isinstance(loaded.token, FileStore)
    assert loaded.token.path == tmp_path / "home" / "tokens" / "work.json"
    assert loaded.token.load() == read_login(path)
    assert "secret" not in (tmp_path / "home" / "accounts.toml").read_text()
    loaded.token.delete()
    with pytest.raises(ConfigurationError, match="two accounts"):
        accounts.adopt("work", path)
    assert loaded.token.load() is None
    store = MemoryStore()
    accounts.adopt("other", path, store=store)
    assert store.load() == read_login(path)


def test_a_login_of_another_program_is_read_only(tmp_path: Path) -> None:
    path = written(tmp_path / "login.json", LOGIN)
    store = AuthorizedUserStore(path)
    assert isinstance(store, TokenStore)
    renewed = attrs.evolve(store.load(), access_token="access-secret")
    with store.lock():
        store.save(renewed)
    assert store.load() == renewed
    assert json.loads(path.read_text()) == LOGIN
    assert b"secret" not in pickle.dumps(store)
    assert pickle.loads(pickle.dumps(store)).load().access_token is None
    written(path, {**LOGIN, "refresh_token": "1//another"})
    assert store.load().refresh_token == "1//another"
    store.delete()
    assert path.exists()
    assert "secret" not in f"{store!r}{store.reference}"


@pytest.fixture
def env(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    names = "GOOGLE_APPLICATION_CREDENTIALS", "AZURE_TENANT_ID", "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET"
    for name in names:
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_tokens_in_the_environment(env: pytest.MonkeyPatch) -> None:
    env.setenv("MAILKIT_GOOGLE_TOKEN", "one")
    env.setenv("MAILKIT_MICROSOFT_TOKEN", "two")
    env.setenv("MAILKIT_MICROSOFT_MAILBOX", "team@contoso.example")
    accounts = Accounts.from_env()
    assert list(accounts) == ["google", "microsoft"]
    token = accounts["google"].token
    assert isinstance(token, EnvironmentToken)
    assert token() == "one"
    env.setenv("MAILKIT_GOOGLE_TOKEN", "newer")
    assert token() == "newer"
    assert accounts["microsoft"].mailbox == "team@contoso.example"
    assert b"newer" not in pickle.dumps(accounts)
    assert list(pickle.loads(pickle.dumps(accounts))) == ["google", "microsoft"]


def test_logins_in_the_environment(env: pytest.MonkeyPatch, tmp_path: Path) -> None:
    env.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(written(tmp_path / "adc.json", LOGIN)))
    for name, value in (("TENANT_ID", TENANT), ("CLIENT_ID", "app"), ("CLIENT_SECRET", "s"), ("MAILBOX", "")):
        env.setenv(f"AZURE_{name}", value)
    accounts = Accounts.from_env()
    assert list(accounts) == ["google"]  # an app without a mailbox is for something else
    assert isinstance(accounts["google"].token, AuthorizedUserStore)
    env.setenv("MAILKIT_MICROSOFT_MAILBOX", "team@contoso.example")
    microsoft = Accounts.from_env()["microsoft"]
    assert microsoft.token == ClientCredentials(tenant=TENANT, client_id="app", secret_env="AZURE_CLIENT_SECRET")


def test_a_service_account_in_the_environment_needs_a_subject(env: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = written(tmp_path / "key.json", KEY)
    env.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))
    with pytest.raises(ConfigurationError, match="MAILKIT_GOOGLE_SUBJECT"):
        Accounts.from_env()
    env.setenv("MAILKIT_GOOGLE_SUBJECT", "ann@example.com")
    account = Accounts.from_env()["google"]
    assert account.token == ServiceAccount(key_file=path, subject="ann@example.com")
    assert account.address == "ann@example.com"


def test_an_environment_without_accounts_says_what_to_set(env: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigurationError, match="set MAILKIT_GOOGLE_TOKEN or MAILKIT_MICROSOFT_TOKEN"):
        Accounts.from_env()
