"""Every kind of token a program may have becomes a token source."""

from __future__ import annotations

import datetime as dt
import json
import threading
from collections.abc import AsyncIterator, Mapping
from importlib import import_module
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs

import attrs
import google.oauth2.credentials
import pytest

from mailkit.accounts.settings import Settings
from mailkit.accounts.tokens import token_source
from mailkit.errors import (
    ConfigurationError,
    ConnectionFailed,
    MailkitError,
    SignInRequired,
    Unavailable,
)
from mailkit.sandbox import VirtualClock
from mailkit.values import AccessToken, Account, HttpRequest, TokenSource

pytestmark = pytest.mark.anyio

CLOCK = VirtualClock()
HOUR = dt.timedelta(hours=1)


@attrs.define
class Answer:
    status: int
    content: bytes
    closed: bool = False

    @property
    def headers(self) -> Mapping[str, str]:
        return {"content-type": "application/json"}

    async def stream(self) -> AsyncIterator[bytes]:
        yield self.content

    async def aclose(self) -> None:
        self.closed = True


@attrs.define
class Wire:
    """A transport that gives one answer and keeps what was asked."""

    status: int = 200
    body: Mapping[str, object] = attrs.field(factory=dict)
    asked: list[HttpRequest] = attrs.field(factory=list)
    answers: list[Answer] = attrs.field(factory=list)

    async def send(self, request: HttpRequest) -> Answer:
        self.asked.append(request)
        self.answers.append(Answer(self.status, json.dumps(self.body).encode()))
        return self.answers[-1]

    async def aclose(self) -> None: ...


def source(token: object, *, wire: Wire | None = None, **account: Any) -> TokenSource:
    made = Account(name="work", provider=account.pop("provider", "microsoft"), token=token, **account)
    return token_source(made, transport=wire or Wire(), clock=CLOCK, settings=Settings())


async def test_text_is_used_until_it_is_refused() -> None:
    given = source("abc")
    assert (await given.token()).value == "abc"
    assert (await given.token(stale="other")).value == "abc"
    with pytest.raises(SignInRequired) as caught:
        await given.token(stale="abc")
    assert caught.value.account == "work"
    assert "abc" not in str(caught.value)


async def test_a_plain_callable_runs_in_a_worker_thread() -> None:
    threads = []

    def give() -> str:
        threads.append(threading.current_thread())
        return "abc"

    assert (await source(give).token()).value == "abc"
    assert threads != [threading.current_thread()]


async def test_an_async_callable_is_awaited() -> None:
    async def give() -> AccessToken:
        return AccessToken(value="abc", expires_at=CLOCK.now())

    class Giver:
        async def __call__(self) -> str:
            return "def"

    assert await source(give).token() == AccessToken(value="abc", expires_at=CLOCK.now())
    assert (await source(lambda: give()).token()).value == "abc"  # noqa: PLW0108  # a plain callable that gives a coroutine
    assert (await source(Giver()).token()).value == "def"


@pytest.mark.parametrize("nothing", ["", "  ", None, 7, AccessToken(value="")])
async def test_a_callable_that_gives_no_token_is_a_mistake_in_the_settings(nothing: object) -> None:
    with pytest.raises(ConfigurationError) as caught:
        await source(lambda: nothing).token()
    assert caught.value.account == "work"


@pytest.mark.parametrize("nothing", ["", "  "])
def test_an_empty_text_is_refused_at_once(nothing: str) -> None:
    with pytest.raises(ConfigurationError):
        source(nothing)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ValueError("tok-secret"), SignInRequired),
        (ZeroDivisionError("tok-secret"), ConfigurationError),
        (KeyError("tok-secret"), ConfigurationError),
        (TimeoutError(), ConnectionFailed),
        (Unavailable("x"), Unavailable),
    ],
)
async def test_what_a_callable_raises_becomes_ours_and_names_no_text(
    error: Exception, kind: type[MailkitError]
) -> None:
    def give() -> str:
        raise error

    with pytest.raises(kind) as caught:
        await source(give).token()
    assert type(caught.value) is kind
    assert caught.value.account == "work"
    assert "secret" not in str(caught.value)
    assert isinstance(error, OSError | MailkitError) or type(error).__name__ in str(caught.value)


async def test_a_token_source_is_taken_as_it_is() -> None:
    class Mine:
        async def token(self, *, stale: str | None = None) -> AccessToken:
            return AccessToken(value=f"not {stale}")

    mine = Mine()
    assert source(mine) is mine


@pytest.mark.parametrize("thing", [None, 7, object(), {"access_token": "x"}])
def test_anything_else_is_refused_with_what_would_do(thing: object) -> None:
    with pytest.raises(ConfigurationError, match="callable"):
        source(thing)


def google_credentials(**fields: Any) -> google.oauth2.credentials.Credentials:
    return google.oauth2.credentials.Credentials(
        token=fields.pop("token", None),
        refresh_token="r",
        token_uri="https://oauth2.example/token",
        client_id="id",
        client_secret="s",
        **fields,
    )


async def test_a_google_credential_is_refreshed_through_our_transport() -> None:
    wire = Wire(body={"access_token": "new", "expires_in": 3600, "scope": "a b"})
    token = await source(google_credentials(scopes=["a", "b"]), wire=wire, provider="google").token()
    assert token.value == "new"
    assert token.expires_at is not None
    assert token.expires_at.tzinfo is dt.UTC
    assert token.scopes == frozenset({"a", "b"})
    (asked,) = wire.asked
    assert (asked.method, asked.url) == ("POST", "https://oauth2.example/token")
    assert parse_qs(asked.content.decode())["grant_type"] == ["refresh_token"]
    assert wire.answers[0].closed


async def test_a_google_token_in_hand_is_used_until_it_is_near_its_end_or_refused() -> None:
    wire = Wire(body={"access_token": "new", "expires_in": 3600})

    def held(**left: float) -> google.oauth2.credentials.Credentials:
        return google_credentials(token="old", expiry=(CLOCK.now() + dt.timedelta(**left)).replace(tzinfo=None))

    assert (await source(held(minutes=3), wire=wire).token()).value == "old"
    assert (await source(google_credentials(token="old"), wire=wire).token()).value == "old"
    assert wire.asked == []
    assert (await source(held(seconds=119), wire=wire).token()).value == "new"
    assert (await source(held(minutes=30), wire=wire).token(stale="old")).value == "new"


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "invalid_grant", SignInRequired),
        (401, "invalid_client", ConfigurationError),
        (400, "admin_policy_enforced", ConfigurationError),
        (429, "rate", Unavailable),
        (503, "backend", Unavailable),
    ],
)
async def test_what_googles_token_service_refuses(status: int, code: str, kind: type[MailkitError]) -> None:
    wire = Wire(status=status, body={"error": code, "error_description": "about ann@example.com"})
    with pytest.raises(kind) as caught:
        await source(google_credentials(), wire=wire).token()
    assert type(caught.value) is kind
    assert caught.value.account == "work"
    assert "ann@" not in str(caught.value)
    assert len(wire.asked) == 1


async def test_passing_trouble_of_google_auth_is_worth_another_try() -> None:
    class Credentials:
        token = None
        expiry = None

        def refresh(self, request: object) -> None:
            error = RuntimeError("about ann@example.com")
            error.retryable = True  # type: ignore[attr-defined]  # as google.auth.exceptions.GoogleAuthError has it
            raise error

    with pytest.raises(Unavailable) as caught:
        await source(Credentials()).token()
    assert caught.value.retryable


async def test_an_msal_application_that_raises_is_ours() -> None:
    class Broken(Msal):
        def get_accounts(self, username: str | None = None) -> list[Mapping[str, object]]:
            raise ConnectionError

    with pytest.raises(ConnectionFailed):
        await source(Broken(None)).token()


async def test_azure_shaped_credentials_plain_and_async() -> None:
    ends = CLOCK.now().replace(microsecond=0) + HOUR
    asked: list[tuple[str, ...]] = []

    class Plain:
        def get_token(self, *scopes: str) -> object:
            asked.append(scopes)
            return SimpleNamespace(token="abc", expires_on=int(ends.timestamp()))

    class Async:
        async def get_token(self, *scopes: str) -> object:
            return Plain().get_token(*scopes)

    for credential in (Plain(), Async()):
        assert await source(credential).token() == AccessToken(value="abc", expires_at=ends)
    await source(Plain(), base_url="https://graph.microsoft.us/v1.0").token()
    assert asked == [
        ("https://graph.microsoft.com/.default",),
        ("https://graph.microsoft.com/.default",),
        ("https://graph.microsoft.us/.default",),
    ]


async def test_an_azure_token_without_an_end_has_none() -> None:
    class Credential:
        def get_token(self, *scopes: str) -> object:
            return SimpleNamespace(token="abc", expires_on=None)

    assert await source(Credential()).token() == AccessToken(value="abc", expires_at=None)


@pytest.mark.parametrize(
    ("name", "kind"), [("ClientAuthenticationError", SignInRequired), ("ServiceRequestError", ConnectionFailed)]
)
async def test_what_azure_raises_is_told_apart_by_class(name: str, kind: type[MailkitError]) -> None:
    class Credential:
        def get_token(self, *scopes: str) -> object:
            raise type(name, (Exception,), {})("AADSTS50173 about ann@example.com")

    with pytest.raises(kind) as caught:
        await source(Credential()).token()
    assert "AADSTS" not in str(caught.value)


@attrs.define
class Msal:
    """The shape of ``msal.ClientApplication``."""

    answer: Mapping[str, object] | None
    people: list[Mapping[str, object]] = attrs.field(factory=lambda: [{"username": "ann@contoso.example"}])
    calls: list[object] = attrs.field(factory=list)

    def get_accounts(self, username: str | None = None) -> list[Mapping[str, object]]:
        self.calls.append(username)
        return self.people

    def acquire_token_silent(
        self, scopes: list[str], account: Mapping[str, object], *, force_refresh: bool = False
    ) -> Mapping[str, object] | None:
        self.calls.append((scopes, account["username"], force_refresh))
        return self.answer


class ConfidentialMsal(Msal):
    def acquire_token_for_client(self, scopes: list[str]) -> Mapping[str, object] | None:
        self.calls.append(("client", scopes))
        return self.answer


GRANTED = {"access_token": "abc", "expires_in": 3600, "scope": "https://graph.microsoft.com/Mail.Read openid"}
DEFAULT = ["https://graph.microsoft.com/.default"]


async def test_an_msal_application_is_asked_silently() -> None:
    app = Msal(GRANTED)
    token = await source(app, address="ann@contoso.example").token()
    assert (token.value, token.scopes) == ("abc", frozenset({"Mail.Read", "openid"}))
    assert token.expires_at == CLOCK.now() + HOUR
    await source(app).token(stale="abc")
    person = "ann@contoso.example"
    assert app.calls == [person, (DEFAULT, person, False), None, (DEFAULT, person, True)]


@pytest.mark.parametrize("lifetime", ["soon", -1, 10**30, None, [3600]])
async def test_a_lifetime_that_makes_no_sense_is_none(lifetime: object) -> None:
    token = await source(Msal({**GRANTED, "expires_in": lifetime})).token()
    assert (token.value, token.expires_at) == ("abc", None)


async def test_a_confidential_application_without_people_acts_for_itself() -> None:
    app = ConfidentialMsal(GRANTED, people=[])
    await source(app).token()
    assert app.calls == [None, ("client", DEFAULT)]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (None, SignInRequired),
        ({"error": "invalid_grant", "error_description": "ann@contoso.example"}, SignInRequired),
        ({"error": "invalid_client"}, ConfigurationError),
        ({"error": "temporarily_unavailable"}, Unavailable),
        ({}, Unavailable),
    ],
)
async def test_an_msal_application_without_a_token(
    answer: Mapping[str, object] | None, kind: type[MailkitError]
) -> None:
    with pytest.raises(kind) as caught:
        await source(Msal(answer)).token()
    assert caught.value.account == "work"
    assert "ann@" not in str(caught.value)


async def test_an_msal_application_without_people_needs_a_sign_in() -> None:
    with pytest.raises(SignInRequired):
        await source(Msal(GRANTED, people=[])).token()


def test_the_real_libraries_have_the_shapes() -> None:
    msal = import_module("msal")

    for name in ("get_accounts", "acquire_token_silent", "acquire_token_for_client"):
        assert callable(getattr(msal.ConfidentialClientApplication, name))
    assert {"refresh", "expiry", "token"} <= set(dir(google_credentials()))
