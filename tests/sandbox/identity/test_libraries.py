"""The real libraries, msal and google-auth, against the sandbox: it must be what they take for the real thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs
import httpx
import pytest

from mailkit.sandbox import Mail, Sandbox, VirtualClock
from tests.support.identity import GMAIL_READ, GOOGLE_AUTH, GOOGLE_TOKEN, MICROSOFT, Wire, query_of, with_query

# msal would have a code posted; for a listener on the person's own machine the query is the documented way.
pytestmark = [
    pytest.mark.filterwarnings("ignore:response_mode='form_post' is recommended"),
    pytest.mark.others_leak,  # msal logs what it puts into its cache
]

_APP = "11111111-2222-3333-4444-555555555555"
_LOOPBACK = "http://localhost:51234"
_ME = "https://graph.microsoft.com/v1.0/me/messages"
_PROFILE = "https://gmail.googleapis.com/gmail/v1/users/me/profile"


@attrs.frozen
class _MsalHttp:
    """What msal asks of an HTTP client."""

    client: httpx.Client

    def get(self, url: str, *, params: Any = None, headers: Any = None, **_: object) -> httpx.Response:
        return self.client.get(url, params=params, headers=headers)

    def post(
        self, url: str, *, params: Any = None, data: Any = None, headers: Any = None, **_: object
    ) -> httpx.Response:
        return self.client.post(url, params=params, data=data, headers=headers)

    def close(self) -> None:
        self.client.close()


@pytest.fixture
def wire() -> Wire:
    sandbox = Sandbox()
    sandbox.microsoft("ann@contoso.example", name="Ann").add(Mail(subject="hello"))
    sandbox.google("ann@example.com")
    sandbox.identity.microsoft.app(_APP)
    sandbox.identity.google.app("desk")
    return Wire(sandbox)


@pytest.fixture
def client(wire: Wire) -> Iterator[httpx.Client]:
    with wire.client() as client:
        yield client


def _public(client: httpx.Client, authority: str = f"{MICROSOFT}/common") -> Any:
    import msal  # type: ignore[import-untyped]  # it brings no types

    return msal.PublicClientApplication(_APP, authority=authority, http_client=_MsalHttp(client))


# -- msal ------------------------------------------------------------------------------------------------------------


def test_msal_signs_in_by_device_code(wire: Wire, client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    _msal_sees(wire, monkeypatch)
    app = _public(client)
    flow = app.initiate_device_flow(["Mail.Read"])

    def poll() -> dict[str, Any]:
        return dict(app.acquire_token_by_device_flow(flow, exit_condition=lambda _: True))

    pending = poll()
    assert (pending["error"], pending["error_codes"]) == ("authorization_pending", [70016])
    wire.sandbox.identity.browser("ann@contoso.example").enter(flow["user_code"])
    wire.later(seconds=5)
    tokens = poll()
    assert tokens["id_token_claims"]["preferred_username"] == "ann@contoso.example"
    assert wire.get(_ME, tokens["access_token"]).json()["value"][0]["subject"] == "hello"


def _msal_sees(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let msal tell the sandbox's time."""
    monkeypatch.setattr("time.time", lambda: wire.sandbox.clock.now().timestamp())


@pytest.mark.parametrize(
    "authority",
    [f"{MICROSOFT}/common", f"{MICROSOFT}/contoso.example", "https://login.microsoftonline.us/organizations"],
)
def test_msal_signs_in_by_browser_and_refreshes_silently(
    wire: Wire, client: httpx.Client, monkeypatch: pytest.MonkeyPatch, authority: str
) -> None:
    _msal_sees(wire, monkeypatch)
    app = _public(client, authority)
    flow = app.initiate_auth_code_flow(["Mail.Read"], redirect_uri=_LOOPBACK)
    visit = wire.sandbox.identity.browser("ann@contoso.example").visit(flow["auth_uri"])
    tokens = app.acquire_token_by_auth_code_flow(flow, query_of(visit.redirect))
    assert tokens["scope"] == "Mail.Read profile openid"
    (account,) = app.get_accounts()
    assert account["username"] == "ann@contoso.example"
    assert app.acquire_token_silent(["Mail.Read"], account)["access_token"] == tokens["access_token"]
    wire.later(seconds=4500)
    assert wire.get(_ME, tokens["access_token"]).status_code == 401
    renewed = app.acquire_token_silent(["Mail.Read"], account)
    assert wire.get(_ME, renewed["access_token"]).status_code == 200
    held = [entry.content for entry in wire.sandbox.requests if b"refresh_token=" in entry.content]
    wire.later(seconds=4500)
    assert app.acquire_token_silent(["Mail.Read"], account)["access_token"] != renewed["access_token"]
    (before,) = held
    assert wire.sandbox.requests[-1].content != before  # msal took the rotated token over


def test_msal_is_told_why_a_silent_refresh_fails(
    wire: Wire, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    _msal_sees(wire, monkeypatch)
    app = _public(client)
    flow = app.initiate_auth_code_flow(["Mail.Read"], redirect_uri=_LOOPBACK)
    visit = wire.sandbox.identity.browser("ann@contoso.example").visit(flow["auth_uri"])
    app.acquire_token_by_auth_code_flow(flow, query_of(visit.redirect))
    wire.sandbox.identity.microsoft.person("ann@contoso.example").change_password()
    wire.later(seconds=4500)
    answer = app.acquire_token_silent_with_error(["Mail.Read"], app.get_accounts()[0])
    assert (answer["error"], answer["error_codes"], answer["suberror"]) == ("invalid_grant", [50173], "bad_token")


def test_msal_sees_a_person_decline(wire: Wire, client: httpx.Client) -> None:
    app = _public(client)
    flow = app.initiate_auth_code_flow(["Mail.Read"], redirect_uri=_LOOPBACK)
    visit = wire.sandbox.identity.browser("ann@contoso.example", agrees=False).visit(flow["auth_uri"])
    answer = app.acquire_token_by_auth_code_flow(flow, query_of(visit.redirect))
    assert answer["error"] == "access_denied"


def test_msal_refuses_an_unknown_tenant(client: httpx.Client) -> None:
    with pytest.raises(ValueError, match="Unable to get authority configuration"):
        _public(client, f"{MICROSOFT}/no.example")


def test_msal_lets_an_app_act_for_itself(wire: Wire, client: httpx.Client) -> None:
    import msal

    wire.sandbox.identity.microsoft.app("daemon", secret="s", roles=["Mail.Read"])

    def acquire(secret: str) -> dict[str, Any]:
        app = msal.ConfidentialClientApplication(
            "daemon",
            authority=f"{MICROSOFT}/contoso.example",
            client_credential=secret,
            http_client=_MsalHttp(client),
        )
        return dict(app.acquire_token_for_client(["https://graph.microsoft.com/.default"]))

    url = "https://graph.microsoft.com/v1.0/users/ann@contoso.example/messages"
    assert wire.get(url, acquire("s")["access_token"]).status_code == 200
    assert acquire("x")["error_codes"] == [7000215]


# -- google-auth -----------------------------------------------------------------------------------------------------


@attrs.frozen
class _GoogleHttp:
    """What google-auth asks of an HTTP client."""

    client: httpx.Client

    def __call__(
        self,
        url: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        **_: object,
    ) -> _GoogleAnswer:
        answer = self.client.request(method, url, content=body, headers=dict(headers or {}))
        return _GoogleAnswer(answer.status_code, answer.headers, answer.content)


@attrs.frozen
class _GoogleAnswer:
    status: int
    headers: Mapping[str, str]
    data: bytes


@pytest.fixture
def google_clock(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> VirtualClock:
    """Let google-auth tell the sandbox's time, naive as it wants it."""
    clock = wire.sandbox.clock
    assert isinstance(clock, VirtualClock)
    monkeypatch.setattr("google.auth._helpers.utcnow", lambda: clock.now().replace(tzinfo=None))
    return clock


def _google_grant(wire: Wire) -> dict[str, Any]:
    asked = {"client_id": "desk", "redirect_uri": "http://127.0.0.1:1/", "response_type": "code", "scope": GMAIL_READ}
    browser = wire.sandbox.identity.browser("ann@example.com")
    code = query_of(browser.visit(with_query(GOOGLE_AUTH, **asked, access_type="offline")).redirect)["code"]
    form = {"grant_type": "authorization_code", "client_id": "desk", "client_secret": "GOCSPX-sandbox"}
    return wire.ok(GOOGLE_TOKEN, **form, code=code, redirect_uri="http://127.0.0.1:1/")


def test_google_auth_refreshes(wire: Wire, client: httpx.Client, google_clock: VirtualClock) -> None:
    from google.auth.exceptions import RefreshError
    from google.oauth2.credentials import Credentials

    refresh_token = _google_grant(wire)["refresh_token"]
    held: Any = Credentials(
        None,
        refresh_token=refresh_token,
        token_uri=GOOGLE_TOKEN,
        client_id="desk",
        client_secret="GOCSPX-sandbox",
        scopes=[GMAIL_READ],
    )
    held.refresh(_GoogleHttp(client))
    assert held.refresh_token == refresh_token
    assert (held.expiry - google_clock.now().replace(tzinfo=None)).total_seconds() == 3599
    assert wire.get(_PROFILE, held.token).status_code == 200
    google_clock.advance(3599)
    assert held.expired
    assert wire.get(_PROFILE, held.token).status_code == 401
    wire.sandbox.identity.google.person("ann@example.com").withdraw("desk")
    with pytest.raises(RefreshError, match="Token has been expired or revoked"):
        held.refresh(_GoogleHttp(client))


def _delegated(wire: Wire, subject: str | None, *scopes: str, **changes: str) -> Any:
    from google.oauth2.service_account import Credentials

    account = wire.sandbox.identity.google.service_account(
        "bot@sandbox.iam.gserviceaccount.com", domain="example.com", scopes=[GMAIL_READ]
    )
    return Credentials.from_service_account_info(
        account.info | changes, scopes=list(scopes or (GMAIL_READ,)), subject=subject
    )


@pytest.mark.usefixtures("google_clock")
def test_google_auth_acts_for_a_person_of_the_domain(wire: Wire, client: httpx.Client) -> None:
    credentials = _delegated(wire, "ann@example.com")
    credentials.refresh(_GoogleHttp(client))
    assert wire.get(_PROFILE, credentials.token).json()["emailAddress"] == "ann@example.com"


@pytest.mark.usefixtures("google_clock")
@pytest.mark.parametrize(
    ("subject", "scope", "error"),
    [
        ("ann@elsewhere.example", GMAIL_READ, "unauthorized_client"),
        ("ann@example.com", "https://mail.google.com/", "unauthorized_client"),
        ("nobody@example.com", GMAIL_READ, "Invalid email or User ID"),
    ],
)
def test_delegation_has_bounds(wire: Wire, client: httpx.Client, subject: str, scope: str, error: str) -> None:
    from google.auth.exceptions import RefreshError

    with pytest.raises(RefreshError, match=error):
        _delegated(wire, subject, scope).refresh(_GoogleHttp(client))


@pytest.mark.usefixtures("google_clock")
def test_a_foreign_key_proves_nothing(wire: Wire, client: httpx.Client) -> None:
    from google.auth.exceptions import RefreshError

    old = _delegated(wire, "ann@example.com")
    _delegated(wire, "ann@example.com")  # the account has a new key now
    with pytest.raises(RefreshError, match=r"Invalid JWT Signature\."):
        old.refresh(_GoogleHttp(client))


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"iss": "nobody@sandbox.iam.gserviceaccount.com"}, "Invalid grant: account not found"),
        ({"aud": "https://evil.example/token"}, "Invalid JWT: Failed audience check"),
        ({"exp": "tomorrow"}, "Invalid JWT: Token must be a short-lived token"),
        ({"exp": 3601}, "Invalid JWT: Token must be a short-lived token"),
        ({"scope": ""}, "Empty or missing scope not allowed."),
    ],
)
def test_a_claim_is_judged_whole(wire: Wire, google_clock: VirtualClock, changes: dict[str, Any], error: str) -> None:
    from google.auth import crypt, jwt

    account = wire.sandbox.identity.google.service_account("bot@sandbox.iam.gserviceaccount.com")
    now = int(google_clock.now().timestamp())
    claims = {"iss": account.address, "aud": GOOGLE_TOKEN, "iat": now, "exp": now + 60, "scope": GMAIL_READ} | changes
    if isinstance(changes.get("exp"), int):
        claims["exp"] = now + changes["exp"]
    signer = crypt.RSASigner.from_service_account_info(account.info)  # type: ignore[no-untyped-call]  # half typed
    assertion = jwt.encode(signer, claims).decode()  # type: ignore[no-untyped-call]  # half typed
    answer = wire.post(GOOGLE_TOKEN, grant_type="urn:ietf:params:oauth:grant-type:jwt-bearer", assertion=assertion)
    assert answer.status_code == 400
    assert answer.json()["error_description"].startswith(error)


@pytest.mark.parametrize("assertion", ["", "a.b", "a.bm8.c", "a.W10.c"])
def test_what_is_no_claim_is_refused(wire: Wire, assertion: str) -> None:
    answer = wire.post(GOOGLE_TOKEN, grant_type="urn:ietf:params:oauth:grant-type:jwt-bearer", assertion=assertion)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")


def test_a_wrong_clock_is_told(
    wire: Wire, client: httpx.Client, google_clock: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    from google.auth.exceptions import RefreshError

    credentials = _delegated(wire, "ann@example.com")
    fast = VirtualClock(google_clock.now())
    fast.advance(3600)
    monkeypatch.setattr("google.auth._helpers.utcnow", lambda: fast.now().replace(tzinfo=None))
    with pytest.raises(RefreshError, match="short-lived token"):
        credentials.refresh(_GoogleHttp(client))


@pytest.mark.usefixtures("google_clock")
def test_a_service_account_for_itself_has_no_mailbox(wire: Wire, client: httpx.Client) -> None:
    credentials = _delegated(wire, None)
    credentials.refresh(_GoogleHttp(client))
    assert wire.get(_PROFILE, credentials.token).json()["error"]["errors"][0]["reason"] == "failedPrecondition"
