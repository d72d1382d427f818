"""Google's sign-in page, token endpoint and revocation, as a program sees them over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from mailkit.sandbox import Fault, Sandbox
from mailkit.sandbox.identity import Visit
from tests.support.identity import (
    CHALLENGE,
    GMAIL_READ,
    GMAIL_SEND,
    GOOGLE_AUTH,
    GOOGLE_TOKEN,
    VERIFIER,
    Wire,
    claims_of,
    query_of,
    with_query,
)

_APP = {"client_id": "desk", "client_secret": "GOCSPX-sandbox"}
_LOOPBACK = "http://127.0.0.1:51234/"
_PROFILE = "https://gmail.googleapis.com/gmail/v1/users/me/profile"
_REVOKE = "https://oauth2.googleapis.com/revoke"


@pytest.fixture
def wire() -> Wire:
    sandbox = Sandbox()
    sandbox.google("ann@example.com", name="Ann")
    sandbox.identity.google.app("desk")
    return Wire(sandbox)


def _url(**changes: str) -> str:
    asked = {
        "client_id": "desk",
        "redirect_uri": _LOOPBACK,
        "response_type": "code",
        "scope": GMAIL_READ,
        "state": "abc",
        "access_type": "offline",
        "prompt": "consent",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
    }
    return with_query(GOOGLE_AUTH, **{name: value for name, value in (asked | changes).items() if value})


def _visit(wire: Wire, account: str | None = None, **changes: str) -> Visit:
    return wire.sandbox.identity.browser(account).visit(_url(**changes))


def _code(wire: Wire, **changes: str) -> str:
    return query_of(_visit(wire, **changes).redirect)["code"]


def _redeem(wire: Wire, code: str, /, **changes: str) -> httpx.Response:
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": _LOOPBACK, "code_verifier": VERIFIER}
    return wire.post(GOOGLE_TOKEN, **{name: value for name, value in (form | _APP | changes).items() if value})


def _signed_in(wire: Wire, **changes: str) -> dict[str, Any]:
    answer = _redeem(wire, _code(wire, **changes))
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def _refresh(wire: Wire, token: str, **changes: str) -> httpx.Response:
    return wire.post(GOOGLE_TOKEN, **{"grant_type": "refresh_token", "refresh_token": token} | _APP | changes)


def _no(answer: httpx.Response) -> tuple[int, str, str]:
    body = answer.json()
    return answer.status_code, body["error"], body["error_description"]


# -- the page --------------------------------------------------------------------------------------------------------


def test_a_person_who_agrees_is_sent_back_with_a_code_and_the_scopes(wire: Wire) -> None:
    visit = _visit(wire, scope=f"email {GMAIL_READ}")
    assert visit.redirect is not None
    assert visit.redirect.startswith(f"{_LOOPBACK}?state=abc&")
    answer = query_of(visit.redirect)
    assert answer["iss"] == "https://accounts.google.com"
    assert answer["scope"] == f"email openid https://www.googleapis.com/auth/userinfo.email {GMAIL_READ}"


def test_the_page_over_http_is_opened_by_a_person_who_agrees(wire: Wire) -> None:
    answer = wire.get(_url())
    assert answer.status_code == 302
    assert query_of(answer.headers["location"])["state"] == "abc"


def test_a_person_who_declines_says_so_to_the_program(wire: Wire) -> None:
    visit = wire.sandbox.identity.browser(agrees=False).visit(_url())
    assert visit.redirect == f"{_LOOPBACK}?error=access_denied&state=abc"


def test_a_person_may_untick_a_permission(wire: Wire) -> None:
    browser = wire.sandbox.identity.browser(scopes=[GMAIL_SEND])
    code = query_of(browser.visit(_url(scope=f"{GMAIL_READ} {GMAIL_SEND}")).redirect)["code"]
    assert _redeem(wire, code).json()["scope"] == GMAIL_SEND


def test_the_hint_suggests_a_person_and_another_may_be_chosen(wire: Wire) -> None:
    wire.sandbox.google("bob@example.com", token="bob")
    assert _visit(wire).redirect is None  # which of them?
    hinted = _signed_in(wire, login_hint="bob@example.com")["access_token"]
    assert wire.get(_PROFILE, hinted).json()["emailAddress"] == "bob@example.com"
    code = query_of(_visit(wire, "ann@example.com", login_hint="bob@example.com").redirect)["code"]
    chosen = _redeem(wire, code).json()["access_token"]
    assert wire.get(_PROFILE, chosen).json()["emailAddress"] == "ann@example.com"


@pytest.mark.parametrize(
    ("changes", "status", "error"),
    [
        ({"client_id": "nobody"}, 401, "invalid_client"),
        ({"redirect_uri": "https://evil.example/"}, 400, "redirect_uri_mismatch"),
        ({"redirect_uri": "urn:ietf:wg:oauth:2.0:oob"}, 400, "invalid_request"),
        ({"response_type": "token"}, 400, "invalid_request"),
        ({"scope": ""}, 400, "invalid_request"),
        ({"scope": "Mail.Read"}, 400, "invalid_scope"),
        ({"code_challenge_method": "S512"}, 400, "invalid_request"),
    ],
)
def test_what_is_wrong_with_the_request_stays_on_the_page(
    wire: Wire, changes: dict[str, str], status: int, error: str
) -> None:
    assert _visit(wire, **changes) == Visit(status=status, error=error)


def test_projects_and_administrators_keep_people_out(wire: Wire) -> None:
    google = wire.sandbox.identity.google
    google.app("inside", organisation="corp.example")
    google.app("trial", testers=["bob@example.com"])
    assert _visit(wire, client_id="inside") == Visit(status=403, error="org_internal")
    assert _visit(wire, client_id="trial") == Visit(status=403, error="access_denied")
    google.person("ann@example.com").refuse("admin_policy_enforced")
    assert _visit(wire) == Visit(status=400, error="admin_policy_enforced")
    google.person("ann@example.com").allow()
    assert _visit(wire).redirect is not None


def test_a_web_client_is_redirected_where_it_is_registered(wire: Wire) -> None:
    wire.sandbox.identity.google.app("site", kind="web", redirects=["https://site.example/back"])
    assert _visit(wire, client_id="site").error == "redirect_uri_mismatch"
    assert _visit(wire, client_id="site", redirect_uri="https://site.example/back").redirect is not None


# -- codes -----------------------------------------------------------------------------------------------------------


def test_a_code_becomes_tokens_that_open_the_mailbox_for_what_was_granted(wire: Wire) -> None:
    tokens = _signed_in(wire, scope=GMAIL_SEND)
    assert list(tokens) == ["access_token", "expires_in", "refresh_token", "scope", "token_type"]
    assert (tokens["expires_in"], tokens["scope"], tokens["token_type"]) == (3599, GMAIL_SEND, "Bearer")
    refused = wire.get(_PROFILE, tokens["access_token"])
    assert refused.json()["error"]["details"][0]["reason"] == "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
    assert wire.get(_PROFILE, _signed_in(wire)["access_token"]).status_code == 200
    assert wire.sandbox.requests[-1].mailbox == "ann@example.com"


def test_the_scopes_of_a_token_are_not_those_of_the_mailbox(wire: Wire) -> None:
    limited = _signed_in(wire, scope=GMAIL_SEND)["access_token"]
    assert wire.get(_PROFILE, limited).status_code == 403
    (box,) = wire.sandbox.identity.google._boxes()
    assert box.scopes is None
    assert wire.get(_PROFILE, box.token).status_code == 200


def test_who_the_person_is_comes_with_an_id_token(wire: Wire) -> None:
    tokens = _signed_in(wire, scope=f"email profile {GMAIL_READ}", nonce="n")
    assert tokens["scope"] == (
        "openid https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile"
        f" {GMAIL_READ}"
    )
    claims = claims_of(tokens["id_token"])
    assert (claims["email"], claims["name"], claims["aud"], claims["nonce"]) == ("ann@example.com", "Ann", "desk", "n")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"code": "4/wrong"}, (400, "invalid_grant", "Malformed auth code.")),
        ({"code_verifier": ""}, (400, "invalid_grant", "Missing code verifier.")),
        ({"code_verifier": CHALLENGE}, (400, "invalid_grant", "Invalid code verifier.")),
        ({"redirect_uri": "http://127.0.0.1:1/"}, (400, "redirect_uri_mismatch", "Bad Request")),
        ({"client_secret": "no"}, (401, "invalid_client", "The provided client secret is invalid.")),
        ({"client_secret": ""}, (400, "invalid_request", "client_secret is missing.")),
        ({"client_id": "no"}, (401, "invalid_client", "The OAuth client was not found.")),
        ({"client_id": ""}, (400, "invalid_request", "Could not determine client ID from request.")),
        ({"client_id": "other"}, (401, "unauthorized_client", "Unauthorized")),
        ({"grant_type": ""}, (400, "invalid_request", "Required parameter is missing: grant_type")),
        ({"grant_type": "password"}, (400, "unsupported_grant_type", "Invalid grant_type: password")),
    ],
)
def test_a_code_is_not_given_to_whoever_asks(
    wire: Wire, changes: dict[str, str], expected: tuple[int, str, str]
) -> None:
    wire.sandbox.identity.google.app("other")
    code = _code(wire)
    assert _no(_redeem(wire, code, **changes)) == expected
    assert _redeem(wire, code).status_code == 200


def test_a_code_is_good_once_and_for_ten_minutes(wire: Wire) -> None:
    used, late = _code(wire), _code(wire)
    assert _redeem(wire, used).status_code == 200
    assert _no(_redeem(wire, used)) == (400, "invalid_grant", "Bad Request")
    wire.later(minutes=10)
    assert _no(_redeem(wire, late)) == (400, "invalid_grant", "Bad Request")


def test_a_refresh_token_comes_when_it_is_asked_for_the_first_time_or_consent_is(wire: Wire) -> None:
    assert "refresh_token" not in _signed_in(wire, access_type="", prompt="")
    wire.sandbox.identity.google.person("ann@example.com").withdraw("desk")
    assert "refresh_token" in _signed_in(wire, prompt="")
    assert "refresh_token" not in _signed_in(wire, prompt="")
    assert "refresh_token" in _signed_in(wire, prompt="consent")


def test_earlier_permissions_are_added_on_request(wire: Wire) -> None:
    _signed_in(wire, scope=GMAIL_SEND)
    assert _signed_in(wire)["scope"] == GMAIL_READ
    assert _signed_in(wire, include_granted_scopes="true")["scope"] == f"{GMAIL_READ} {GMAIL_SEND}"


# -- refreshing and ends ---------------------------------------------------------------------------------------------


def test_an_access_token_ends_with_its_hour_and_a_refresh_brings_another(wire: Wire) -> None:
    tokens = _signed_in(wire)
    wire.later(seconds=3598)
    assert wire.get(_PROFILE, tokens["access_token"]).status_code == 200
    wire.later(seconds=1)
    late = wire.get(_PROFILE, tokens["access_token"])
    assert (late.status_code, late.json()["error"]["status"]) == (401, "UNAUTHENTICATED")
    again = _refresh(wire, tokens["refresh_token"]).json()
    assert list(again) == ["access_token", "expires_in", "scope", "token_type"]
    assert wire.get(_PROFILE, again["access_token"]).status_code == 200


def test_a_refresh_may_ask_for_less_but_not_for_more(wire: Wire) -> None:
    token = _signed_in(wire, scope=f"{GMAIL_READ} {GMAIL_SEND}")["refresh_token"]
    assert _refresh(wire, token, scope=GMAIL_SEND).json()["scope"] == GMAIL_SEND
    assert _no(_refresh(wire, token, scope="https://mail.google.com/")) == (400, "invalid_scope", "Bad Request")


def test_google_rotates_only_when_told(wire: Wire) -> None:
    wire.sandbox.identity.google.rotates = True
    first = _signed_in(wire)["refresh_token"]
    second = _refresh(wire, first).json()["refresh_token"]
    assert first != second
    assert _refresh(wire, second).status_code == _refresh(wire, first).status_code == 200


_OVER = (400, "invalid_grant", "Token has been expired or revoked.")


def test_a_project_in_testing_loses_its_grants_after_seven_days(wire: Wire) -> None:
    app = wire.sandbox.identity.google.app("desk", testers=["ANN@example.com"])
    tokens = _signed_in(wire)
    assert tokens["refresh_token_expires_in"] == 604800
    wire.later(days=6.99)
    assert _refresh(wire, tokens["refresh_token"]).status_code == 200
    wire.later(days=0.01)
    app.testers = None  # publishing does not save what was granted before
    assert _no(_refresh(wire, tokens["refresh_token"])) == _OVER


def test_a_grant_unused_for_six_months_is_over(wire: Wire) -> None:
    token = _signed_in(wire)["refresh_token"]
    for _ in range(2):
        wire.later(days=181)
        assert _refresh(wire, token).status_code == 200
    wire.later(days=182)
    assert _no(_refresh(wire, token)) == _OVER


def test_a_new_password_ends_what_reads_mail_only(wire: Wire) -> None:
    mail, calendar = (
        _signed_in(wire, scope=scope)["refresh_token"]
        for scope in (GMAIL_READ, "https://www.googleapis.com/auth/calendar")
    )
    wire.sandbox.identity.google.person("ann@example.com").change_password()
    assert _no(_refresh(wire, mail)) == _OVER
    assert _refresh(wire, calendar).status_code == 200
    assert _refresh(wire, _signed_in(wire)["refresh_token"]).status_code == 200


@pytest.mark.parametrize("withdrawn_first", [True, False])
def test_what_is_withdrawn_stays_so_whatever_the_password(wire: Wire, withdrawn_first: bool) -> None:
    tokens = _signed_in(wire, scope="https://www.googleapis.com/auth/calendar")
    ann = wire.sandbox.identity.google.person("ann@example.com")
    ends = [lambda: ann.withdraw("desk"), ann.change_password]
    for end in ends if withdrawn_first else reversed(ends):
        end()
    assert _no(_refresh(wire, tokens["refresh_token"])) == _OVER


@pytest.mark.parametrize("which", ["access_token", "refresh_token"])
def test_revoking_either_token_ends_the_whole_grant(wire: Wire, which: str) -> None:
    tokens = _signed_in(wire)
    assert wire.ok(_REVOKE, token=tokens[which]) == {}
    assert wire.get(_PROFILE, tokens["access_token"]).status_code == 401
    assert _no(_refresh(wire, tokens["refresh_token"])) == _OVER
    assert wire.post(_REVOKE, token=tokens[which]).json()["error"] == "invalid_token"


def test_a_refresh_token_belongs_to_its_client(wire: Wire) -> None:
    token = _signed_in(wire)["refresh_token"]
    wire.sandbox.identity.google.app("other")
    assert _no(_refresh(wire, token, client_id="other")) == (401, "unauthorized_client", "Unauthorized")
    assert _no(_refresh(wire, "1//nobody")) == (400, "invalid_grant", "Bad Request")


@pytest.mark.parametrize(
    ("rule", "status", "error", "subtype"),
    [
        ("admin_policy_enforced", 400, "admin_policy_enforced", None),
        ("access_denied", 403, "access_denied", None),
        ("invalid_rapt", 400, "invalid_grant", "invalid_rapt"),
    ],
)
def test_administrators_stop_a_refresh(wire: Wire, rule: str, status: int, error: str, subtype: str | None) -> None:
    token = _signed_in(wire)["refresh_token"]
    wire.sandbox.identity.google.person("ann@example.com").refuse(rule, "refresh")
    answer = _refresh(wire, token)
    assert (answer.status_code, answer.json()["error"], answer.json().get("error_subtype")) == (status, error, subtype)


def test_a_person_without_gmail_has_tokens_that_open_nothing(wire: Wire) -> None:
    wire.sandbox.identity.google.person("eve@example.com")
    code = query_of(_visit(wire, "eve@example.com").redirect)["code"]
    answer = wire.get(_PROFILE, _redeem(wire, code).json()["access_token"])
    assert (answer.status_code, answer.json()["error"]["errors"][0]["reason"]) == (400, "failedPrecondition")


# -- the rest --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scope", "error"), [(GMAIL_READ, "invalid_scope"), ("email", "invalid_client")])
def test_device_codes_are_not_for_mail(wire: Wire, scope: str, error: str) -> None:
    answer = wire.post("https://oauth2.googleapis.com/device/code", client_id="desk", scope=scope)
    assert answer.json()["error"] == error


def test_faults_meet_the_token_endpoint(wire: Wire) -> None:
    wire.sandbox.identity.google.script(
        Fault.rate_limited(3, operation="token"), Fault.server_error(500), Fault.html_page(), Fault.reset()
    )
    code = _code(wire)
    limited = _redeem(wire, code)
    assert (limited.status_code, limited.headers["retry-after"]) == (429, "3")
    assert _redeem(wire, code).status_code == 500
    assert _redeem(wire, code).headers["content-type"].startswith("text/html")
    with pytest.raises(httpx.ReadError):  # the answer is lost, the code is spent
        _redeem(wire, code)
    assert _no(_redeem(wire, code)) == (400, "invalid_grant", "Bad Request")
    assert [entry.operation for entry in wire.sandbox.requests] == ["token"] * 5
    assert [entry.scripted for entry in wire.sandbox.requests] == [True] * 4 + [False]


def test_only_posts_reach_the_token_endpoint(wire: Wire) -> None:
    assert wire.get(GOOGLE_TOKEN).status_code == 404
    assert wire.get("https://accounts.google.com/elsewhere").status_code == 404


def test_the_client_may_name_itself_in_a_header(wire: Wire) -> None:
    form = {"grant_type": "authorization_code", "code": _code(wire), "redirect_uri": _LOOPBACK}
    with wire.client() as client:
        answer = client.post(GOOGLE_TOKEN, data=form | {"code_verifier": VERIFIER}, auth=("desk", "GOCSPX-sandbox"))
    assert answer.status_code == 200


def test_the_client_file_is_as_downloaded(wire: Wire) -> None:
    google = wire.sandbox.identity.google
    assert list(google.app("desk").info) == ["installed"]
    assert google.app("w", kind="web", redirects=["https://x.example/"]).info["web"]
