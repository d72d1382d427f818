"""Entra ID's pages, device codes, token endpoint and documents, as a program sees them over HTTP."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest

from mailkit.sandbox import Fault, Mail, Sandbox
from mailkit.sandbox.identity import Visit
from tests.support.identity import CHALLENGE, MICROSOFT, VERIFIER, Wire, claims_of, query_of, with_query

_APP = "11111111-2222-3333-4444-555555555555"
_LOOPBACK = "http://localhost:51234/"
_SCOPES = "Mail.Read offline_access openid profile"
_ME = "https://graph.microsoft.com/v1.0/me/messages"
_DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
_TENANTS = ("common", "organizations", "contoso.example")


@pytest.fixture
def wire() -> Wire:
    sandbox = Sandbox()
    sandbox.microsoft("ann@contoso.example", name="Ann").add(Mail(subject="hello"))
    sandbox.identity.microsoft.app(_APP)
    return Wire(sandbox)


def _at(endpoint: str, tenant: str = "common", host: str = MICROSOFT) -> str:
    return f"{host}/{tenant}/oauth2/v2.0/{endpoint}"


def _url(tenant: str = "common", **changes: str) -> str:
    asked = {
        "client_id": _APP,
        "redirect_uri": _LOOPBACK,
        "response_type": "code",
        "scope": _SCOPES,
        "state": "abc",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
    }
    return with_query(_at("authorize", tenant), **{name: value for name, value in (asked | changes).items() if value})


def _visit(wire: Wire, tenant: str = "common", **changes: str) -> Visit:
    return wire.sandbox.identity.browser().visit(_url(tenant, **changes))


def _code(wire: Wire, **changes: str) -> str:
    return query_of(_visit(wire, **changes).redirect)["code"]


def _redeem(wire: Wire, code: str, /, **changes: str) -> httpx.Response:
    form = {
        "grant_type": "authorization_code",
        "client_id": _APP,
        "code": code,
        "redirect_uri": _LOOPBACK,
        "code_verifier": VERIFIER,
        "scope": _SCOPES,
    }
    return wire.post(_at("token"), **{name: value for name, value in (form | changes).items() if value})


def _signed_in(wire: Wire, **changes: str) -> dict[str, Any]:
    answer = _redeem(wire, _code(wire, **changes), **changes)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def _refresh(wire: Wire, token: str, tenant: str = "common", **changes: str) -> httpx.Response:
    form = {"grant_type": "refresh_token", "client_id": _APP, "refresh_token": token, "scope": _SCOPES}
    return wire.post(_at("token", tenant), **(form | changes))


def _start(wire: Wire, tenant: str = "common") -> dict[str, Any]:
    return wire.ok(_at("devicecode", tenant), client_id=_APP, scope=_SCOPES)


def _poll(wire: Wire, flow: dict[str, Any], **more: str) -> httpx.Response:
    form = {"grant_type": _DEVICE, "client_id": _APP, "device_code": flow["device_code"]}
    return wire.post(_at("token"), **(form | more))


def _no(answer: httpx.Response) -> tuple[int, str, int]:
    """Give status, word and number of an answer that must be a no with all that belongs to it."""
    body = answer.json()
    (code,) = body["error_codes"]
    assert list(body)[:7] == [
        "error",
        "error_description",
        "error_codes",
        "timestamp",
        "trace_id",
        "correlation_id",
        "error_uri",
    ]
    sentence, trace, correlation, stamp = body["error_description"].split("\r\n")
    assert re.fullmatch(rf"AADSTS{code}: .+", sentence)
    assert (trace, correlation) == (f"Trace ID: {body['trace_id']}", f"Correlation ID: {body['correlation_id']}")
    assert re.fullmatch(r"Timestamp: 20\d\d-\d\d-\d\d \d\d:\d\d:\d\dZ", stamp)
    assert stamp.endswith(body["timestamp"])
    return answer.status_code, body["error"], code


# -- the page --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tenant", _TENANTS)
def test_a_person_who_agrees_is_sent_back_with_a_code(wire: Wire, tenant: str) -> None:
    answer = query_of(_visit(wire, tenant, client_info="1").redirect)
    assert list(answer) == ["code", "client_info", "state", "session_state"]
    assert answer["state"] == "abc"


@pytest.mark.parametrize("redirect", ["http://localhost", "http://localhost:1/", "http://localhost:65000"])
def test_localhost_is_any_port(wire: Wire, redirect: str) -> None:
    assert _visit(wire, redirect_uri=redirect).redirect is not None


@pytest.mark.parametrize("redirect", ["http://127.0.0.1:1/", "https://localhost", "http://localhost/deep", "x://y"])
def test_other_redirects_must_be_registered(wire: Wire, redirect: str) -> None:
    assert _visit(wire, redirect_uri=redirect) == Visit(status=400, error="AADSTS50011")


@pytest.mark.parametrize(
    ("tenant", "changes", "error"),
    [
        ("elsewhere.example", {}, "AADSTS90002"),
        ("elsewhere", {}, "AADSTS900023"),
        ("common", {"client_id": "nobody"}, "AADSTS700016"),
        ("common", {"scope": ""}, "AADSTS900144"),
    ],
)
def test_what_is_wrong_with_the_app_stays_on_the_page(
    wire: Wire, tenant: str, changes: dict[str, str], error: str
) -> None:
    assert _visit(wire, tenant, **changes) == Visit(status=400, error=error)


def test_a_person_who_declines_says_so_to_the_program(wire: Wire) -> None:
    visit = wire.sandbox.identity.browser(agrees=False).visit(_url())
    answer = query_of(visit.redirect)
    assert (answer["error"], answer["error_subcode"], answer["state"]) == ("access_denied", "cancel", "abc")
    assert answer["error_description"].startswith("AADSTS65004: ")


@pytest.mark.parametrize(
    ("rule", "word"),
    [
        (50105, "interaction_required"),
        (53003, "interaction_required"),
        (65001, "consent_required"),
        (90094, "access_denied"),
    ],
)
def test_rules_turn_people_away(wire: Wire, rule: int, word: str) -> None:
    wire.sandbox.identity.microsoft.tenant("contoso.example").refuse(rule, "sign_in")
    answer = query_of(_visit(wire).redirect)
    assert (answer["error"], answer["error_description"].partition(":")[0]) == (word, f"AADSTS{rule}")
    closed = wire.sandbox.identity.browser(returns=False).visit(_url())
    assert closed == Visit(status=400, error=f"AADSTS{rule}")


def test_people_of_another_organisation_are_strangers(wire: Wire) -> None:
    wire.sandbox.identity.microsoft.person("bob@fabrikam.example")
    strange = wire.sandbox.identity.browser("bob@fabrikam.example").visit(_url("contoso.example"))
    assert strange.error == "AADSTS50020"
    assert _visit(wire, login_hint="bob@fabrikam.example").error is None


def test_personal_accounts_sign_in_where_they_may(wire: Wire) -> None:
    microsoft = wire.sandbox.identity.microsoft
    microsoft.person("eve@outlook.com")
    browser = wire.sandbox.identity.browser("eve@outlook.com")
    assert browser.visit(_url("common")).redirect is not None
    assert browser.visit(_url("consumers")).error is None
    assert browser.visit(_url("organizations")).error == "AADSTS50020"
    microsoft.app(_APP, audience="organizations")
    assert browser.visit(_url("common")).error == "AADSTS50020"
    microsoft.app(_APP, audience="personal")
    assert browser.visit(_url("common")).error is None
    assert wire.sandbox.identity.browser("ann@contoso.example").visit(_url()).error == "AADSTS50020"


def test_an_app_of_one_organisation_is_known_there_only(wire: Wire) -> None:
    wire.sandbox.identity.microsoft.tenant("fabrikam.example")
    wire.sandbox.identity.microsoft.app(_APP, tenant="contoso.example", audience="tenant")
    assert _visit(wire, "contoso.example").error is None
    assert _visit(wire, "fabrikam.example").error == "AADSTS700016"
    assert _visit(wire, "common").error == "AADSTS50194"


# -- codes -----------------------------------------------------------------------------------------------------------


def test_a_code_becomes_tokens_that_open_the_mailbox_for_what_was_granted(wire: Wire) -> None:
    tokens = _signed_in(wire, nonce="n", client_info="1")
    assert tokens["scope"] == "Mail.Read profile openid"
    assert (tokens["token_type"], tokens["expires_in"], tokens["ext_expires_in"]) == ("Bearer", 4500, 4500)
    claims = claims_of(tokens["id_token"])
    assert (claims["preferred_username"], claims["aud"], claims["nonce"]) == ("ann@contoso.example", _APP, "n")
    info = claims_of(f".{tokens['client_info']}.")
    assert info == {"uid": claims["oid"], "utid": claims["tid"]}
    found = wire.get(_ME, tokens["access_token"])
    assert [message["subject"] for message in found.json()["value"]] == ["hello"]
    sending = _signed_in(wire, client_id=_other(wire), scope="Mail.Send")
    assert wire.get(_ME, sending["access_token"]).json()["error"]["code"] == "ErrorAccessDenied"
    assert "refresh_token" not in sending  # offline_access was not asked for


def _other(wire: Wire) -> str:
    return wire.sandbox.identity.microsoft.app("other").client_id


def test_long_names_of_permissions_come_back_long(wire: Wire) -> None:
    scope = "https://graph.microsoft.com/Mail.Read openid"
    assert _signed_in(wire, scope=scope)["scope"] == scope


def test_a_token_carries_all_that_was_ever_agreed_to(wire: Wire) -> None:
    _signed_in(wire, scope="Mail.Send offline_access")
    assert _signed_in(wire)["scope"] == "Mail.Read Mail.Send profile openid"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"code": "no"}, (400, "invalid_grant", 70000)),
        ({"client_id": "other"}, (400, "invalid_grant", 70000)),
        ({"client_id": "nobody"}, (400, "unauthorized_client", 700016)),
        ({"client_id": ""}, (400, "invalid_request", 900144)),
        ({"grant_type": ""}, (400, "invalid_request", 900144)),
        ({"grant_type": "magic"}, (400, "unsupported_grant_type", 70003)),
        ({"redirect_uri": "http://localhost:1/"}, (400, "invalid_grant", 50011)),
        ({"code_verifier": ""}, (400, "invalid_grant", 501481)),
        ({"code_verifier": CHALLENGE}, (400, "invalid_grant", 501481)),
        ({"client_secret": "s"}, (401, "invalid_client", 700025)),
    ],
)
def test_a_code_is_not_given_to_whoever_asks(
    wire: Wire, changes: dict[str, str], expected: tuple[int, str, int]
) -> None:
    _other(wire)
    code = _code(wire)
    assert _no(_redeem(wire, code, **changes)) == expected
    assert _redeem(wire, code).status_code == 200


def test_a_code_is_good_once_and_for_ten_minutes(wire: Wire) -> None:
    used, late = _code(wire), _code(wire)
    assert _redeem(wire, used).status_code == 200
    assert _no(_redeem(wire, used)) == (400, "invalid_grant", 54005)
    wire.later(minutes=10)
    assert _no(_redeem(wire, late)) == (400, "invalid_grant", 70008)


def test_a_web_redirect_needs_the_secret(wire: Wire) -> None:
    site = "https://site.example/back"
    app = wire.sandbox.identity.microsoft.app(_APP, secret="s", web_redirects=[site])
    code = _code(wire, redirect_uri=site)
    assert _no(_redeem(wire, code, redirect_uri=site)) == (401, "invalid_client", 7000218)
    assert _no(_redeem(wire, code, redirect_uri=site, client_secret="x")) == (401, "invalid_client", 7000215)
    app.secret_expired = True
    assert _no(_redeem(wire, code, redirect_uri=site, client_secret="s")) == (401, "invalid_client", 7000222)
    app.secret_expired = False
    assert _redeem(wire, code, redirect_uri=site, client_secret="s").status_code == 200


# -- device codes ----------------------------------------------------------------------------------------------------


def test_a_device_code_waits_for_the_person(wire: Wire) -> None:
    flow = _start(wire)
    assert set(flow) == {"user_code", "device_code", "verification_uri", "expires_in", "interval", "message"}
    assert (flow["expires_in"], flow["interval"]) == (900, 5)
    assert re.fullmatch("[A-Z0-9]{9}", flow["user_code"])
    assert _no(_poll(wire, flow)) == (400, "authorization_pending", 70016)
    assert wire.sandbox.identity.browser().enter(f" {flow['user_code'].lower()} ") == Visit()
    wire.later(seconds=5)
    tokens = _poll(wire, flow).json()
    assert wire.get(_ME, tokens["access_token"]).status_code == 200
    wire.later(seconds=5)
    assert _no(_poll(wire, flow)) == (400, "bad_verification_code", 70018)


def test_polling_too_fast_makes_the_interval_longer(wire: Wire) -> None:
    flow = _start(wire)
    _poll(wire, flow)
    wire.later(seconds=4)
    assert _no(_poll(wire, flow)) == (400, "slow_down", 70016)
    wire.later(seconds=6)
    assert _no(_poll(wire, flow)) == (400, "slow_down", 70016)
    wire.later(seconds=15)
    assert _no(_poll(wire, flow)) == (400, "authorization_pending", 70016)


@pytest.mark.parametrize(("number", "word"), [(70020, "expired_token"), (70019, "code_expired")])
def test_a_device_code_ends_in_either_spelling(wire: Wire, number: int, word: str) -> None:
    wire.sandbox.identity.microsoft.device_expired = number
    flow = _start(wire)
    wire.later(seconds=900)
    assert wire.sandbox.identity.browser().enter(flow["user_code"]).error == "AADSTS70018"
    assert _no(_poll(wire, flow)) == (400, word, number)


def test_a_person_may_decline_at_the_other_screen(wire: Wire) -> None:
    flow = _start(wire)
    assert wire.sandbox.identity.browser(agrees=False).enter(flow["user_code"]).error == "AADSTS65004"
    assert _no(_poll(wire, flow)) == (400, "authorization_declined", 70015)


def test_organisations_block_device_codes(wire: Wire) -> None:
    wire.sandbox.identity.microsoft.tenant("contoso.example").refuse(53003, "device")
    flow = _start(wire)
    assert wire.sandbox.identity.browser().enter(flow["user_code"]).error == "AADSTS53003"
    answer = _poll(wire, flow)
    assert (_no(answer), answer.json()["suberror"]) == ((400, "invalid_grant", 53003), "message_only")
    assert _visit(wire).error is None  # the browser's way stays open


def test_device_codes_need_public_flows_and_no_secret(wire: Wire) -> None:
    flow = _start(wire)
    assert _no(_poll(wire, flow, client_secret="s")) == (401, "invalid_client", 7000215)
    wire.sandbox.identity.microsoft.app(_APP, public_flows=False)
    assert _no(_poll(wire, _start(wire))) == (401, "invalid_client", 7000218)


def test_a_device_request_must_be_whole(wire: Wire) -> None:
    assert _no(wire.post(_at("devicecode"), client_id=_APP)) == (400, "invalid_request", 900144)
    assert _no(wire.post(_at("devicecode"), client_id="x", scope="openid")) == (400, "unauthorized_client", 700016)
    assert _no(wire.post(_at("devicecode", "no.example"), client_id=_APP)) == (400, "invalid_request", 90002)


# -- refreshing and ends ---------------------------------------------------------------------------------------------


def test_an_access_token_ends_and_a_refresh_brings_both_tokens_anew(wire: Wire) -> None:
    tokens = _signed_in(wire)
    wire.later(seconds=4499)
    assert wire.get(_ME, tokens["access_token"]).status_code == 200
    wire.later(seconds=1)
    late = wire.get(_ME, tokens["access_token"])
    assert late.status_code == 401
    assert late.json()["error"]["message"] == "Access token has expired or is not yet valid."
    again = _refresh(wire, tokens["refresh_token"]).json()
    assert again["refresh_token"] != tokens["refresh_token"]
    assert wire.get(_ME, again["access_token"]).status_code == 200
    assert _refresh(wire, tokens["refresh_token"]).status_code == 200  # the old one is the client's to forget


def test_used_refresh_tokens_end_when_told(wire: Wire) -> None:
    wire.sandbox.identity.microsoft.single_use = True
    first = _signed_in(wire)["refresh_token"]
    second = _refresh(wire, first).json()["refresh_token"]
    assert _no(_refresh(wire, first)) == (400, "invalid_grant", 70000)
    assert _refresh(wire, second).status_code == 200


def test_an_unused_refresh_token_is_over_after_ninety_days(wire: Wire) -> None:
    token = _signed_in(wire)["refresh_token"]
    wire.later(days=89)
    newer = _refresh(wire, token).json()["refresh_token"]
    wire.later(days=1)
    assert _no(_refresh(wire, token)) == (400, "invalid_grant", 700082)
    assert _refresh(wire, newer).status_code == 200


def test_a_new_password_ends_every_refresh_token(wire: Wire) -> None:
    tokens = _signed_in(wire)
    wire.later(days=1)
    wire.sandbox.identity.microsoft.person("ann@contoso.example").change_password()
    answer = _refresh(wire, tokens["refresh_token"])
    assert (_no(answer), answer.json()["suberror"]) == ((400, "invalid_grant", 50173), "bad_token")
    assert "issued on '2026-03-16T09:00:00.0000000Z'" in answer.json()["error_description"]
    assert "user is '2026-03-17T09:00:00.0000000Z'" in answer.json()["error_description"]
    assert _refresh(wire, _signed_in(wire)["refresh_token"]).status_code == 200


def test_a_refresh_that_asks_for_more_needs_consent(wire: Wire) -> None:
    token = _signed_in(wire)["refresh_token"]
    answer = _refresh(wire, token, scope=f"{_SCOPES} Mail.Send")
    assert (_no(answer), answer.json()["suberror"]) == ((400, "invalid_grant", 65001), "consent_required")
    assert _refresh(wire, token, scope="https://graph.microsoft.com/.default").status_code == 200
    wire.sandbox.identity.microsoft.person("ann@contoso.example").withdraw(_APP)
    assert _no(_refresh(wire, token)) == (400, "invalid_grant", 65001)


@pytest.mark.parametrize(
    ("number", "suberror"),
    [
        (50076, "basic_action"),
        (50079, "basic_action"),
        (53003, "message_only"),
        (70043, "token_expired"),
        (50105, None),
    ],
)
def test_rules_stop_a_refresh(wire: Wire, number: int, suberror: str | None) -> None:
    token = _signed_in(wire)["refresh_token"]
    person = wire.sandbox.identity.microsoft.person("ann@contoso.example")
    person.refuse(number, "refresh")
    answer = _refresh(wire, token)
    assert (_no(answer), answer.json().get("suberror")) == ((400, "invalid_grant", number), suberror)
    person.allow()
    assert _refresh(wire, token).status_code == 200


def test_a_refresh_must_come_from_its_app_in_its_organisation(wire: Wire) -> None:
    wire.sandbox.identity.microsoft.tenant("fabrikam.example")
    token = _signed_in(wire)["refresh_token"]
    assert _no(_refresh(wire, token, client_id=_other(wire))) == (400, "invalid_grant", 70000)
    assert _no(_refresh(wire, token, client_secret="s")) == (401, "invalid_client", 700025)
    assert _no(_refresh(wire, token, "fabrikam.example")) == (400, "invalid_grant", 50020)
    wire.sandbox.identity.microsoft.app(_APP, public_flows=False)
    assert _no(_refresh(wire, token)) == (401, "invalid_client", 7000218)


# -- apps for themselves, shared mailboxes -----------------------------------------------------------------------------


def _alone(wire: Wire, tenant: str = "contoso.example", **changes: str) -> httpx.Response:
    form = {"grant_type": "client_credentials", "client_id": "daemon", "client_secret": "s"}
    form["scope"] = "https://graph.microsoft.com/.default"
    return wire.post(_at("token", tenant), **{name: value for name, value in (form | changes).items() if value})


@pytest.mark.parametrize(
    ("tenant", "changes", "expected"),
    [
        ("common", {}, (400, "invalid_request", 50059)),
        ("contoso.example", {"client_secret": ""}, (401, "invalid_client", 7000218)),
        ("contoso.example", {"client_secret": "x"}, (401, "invalid_client", 7000215)),
        ("contoso.example", {"scope": "Mail.Read"}, (400, "invalid_scope", 1002012)),
    ],
)
def test_an_app_proves_itself(wire: Wire, tenant: str, changes: dict[str, str], expected: tuple[int, str, int]) -> None:
    wire.sandbox.identity.microsoft.app("daemon", secret="s")
    assert _no(_alone(wire, tenant, **changes)) == expected


def test_an_app_opens_any_mailbox_a_path_names(wire: Wire) -> None:
    wire.sandbox.microsoft("bob@contoso.example").add(Mail(subject="for Bob"))
    wire.sandbox.identity.microsoft.app("daemon", secret="s", roles=["Mail.Read"])
    tokens = _alone(wire).json()
    assert set(tokens) == {"token_type", "expires_in", "ext_expires_in", "access_token"}
    users = "https://graph.microsoft.com/v1.0/users"
    for name, subject in (("ann@contoso.example", "hello"), ("BOB%40contoso.example", "for Bob")):
        answer = wire.get(f"{users}/{name}/messages", tokens["access_token"])
        assert [message["subject"] for message in answer.json()["value"]] == [subject]
    assert wire.get(f"{users}/no@contoso.example/messages", tokens["access_token"]).status_code == 404
    me = wire.get(_ME, tokens["access_token"])
    assert (me.status_code, me.json()["error"]["code"]) == (400, "BadRequest")


def test_an_app_names_the_mailbox_inside_a_batch(wire: Wire) -> None:
    wire.sandbox.identity.microsoft.app("daemon", secret="s", roles=["Mail.Read"])
    parts = [{"id": "1", "method": "GET", "url": "/users/ann@contoso.example/messages"}]
    with wire.client() as client:
        answer = client.post(
            "https://graph.microsoft.com/v1.0/$batch",
            json={"requests": parts},
            headers={"authorization": f"Bearer {_alone(wire).json()['access_token']}"},
        )
    assert answer.json()["responses"][0]["status"] == 200


def test_an_app_without_roles_reads_nothing(wire: Wire) -> None:
    wire.sandbox.identity.microsoft.app("daemon", secret="s")
    url = "https://graph.microsoft.com/v1.0/users/ann@contoso.example/messages"
    assert wire.get(url, _alone(wire).json()["access_token"]).status_code == 403


def test_a_shared_mailbox_opens_to_those_who_may_with_the_permission_for_it(wire: Wire) -> None:
    wire.sandbox.microsoft("team@contoso.example").add(Mail(subject="for all"))
    browser = wire.sandbox.identity.browser("ann@contoso.example")
    url = "https://graph.microsoft.com/v1.0/users/team@contoso.example/messages"

    def ask(scope: str) -> httpx.Response:
        code = query_of(browser.visit(_url(scope=scope)).redirect)["code"]
        return wire.get(url, _redeem(wire, code, scope=scope).json()["access_token"])

    assert ask("Mail.Read Mail.Read.Shared").json()["error"]["code"] == "ErrorAccessDenied"
    wire.sandbox.identity.microsoft.person("ann@contoso.example").opens.add("Team@contoso.example")
    assert [message["subject"] for message in ask("Mail.Read.Shared").json()["value"]] == ["for all"]
    wire.sandbox.identity.microsoft.person("ann@contoso.example").withdraw(_APP)
    assert ask("Mail.Read").status_code == 403


def test_a_person_without_a_mailbox_is_told_so(wire: Wire) -> None:
    wire.sandbox.identity.microsoft.person("eve@contoso.example")
    code = query_of(wire.sandbox.identity.browser("eve@contoso.example").visit(_url()).redirect)["code"]
    answer = wire.get(_ME, _redeem(wire, code).json()["access_token"])
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "MailboxNotEnabledForRESTAPI")


# -- documents and faults --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", [MICROSOFT, "https://login.microsoftonline.us", "https://login.partner.microsoftonline.cn"]
)
def test_the_configuration_names_endpoints_of_its_own_cloud(wire: Wire, host: str) -> None:
    config = wire.get(f"{host}/common/v2.0/.well-known/openid-configuration").json()
    assert config["token_endpoint"] == f"{host}/common/oauth2/v2.0/token"
    assert config["device_authorization_endpoint"] == f"{host}/common/oauth2/v2.0/devicecode"
    assert config["issuer"] == f"{host}/{{tenantid}}/v2.0"
    tenant = wire.sandbox.identity.microsoft.tenant("contoso.example")
    named = wire.get(f"{host}/contoso.example/v2.0/.well-known/openid-configuration").json()
    assert named["authorization_endpoint"] == f"{host}/{tenant.id}/oauth2/v2.0/authorize"


def test_the_configuration_of_an_unknown_tenant_is_refused(wire: Wire) -> None:
    answer = wire.get(f"{MICROSOFT}/no.example/v2.0/.well-known/openid-configuration")
    assert _no(answer) == (400, "invalid_request", 90002)


def test_behind_a_loopback_server_the_endpoints_are_still_microsofts(wire: Wire) -> None:
    config = wire.get("http://127.0.0.1:8080/common/v2.0/.well-known/openid-configuration").json()
    assert config["token_endpoint"] == f"{MICROSOFT}/common/oauth2/v2.0/token"


def test_instances_are_known_or_not(wire: Wire) -> None:
    url = f"{MICROSOFT}/common/discovery/instance"
    endpoint = "https://login.microsoftonline.us/common/oauth2/v2.0/authorize"
    document = wire.get(with_query(url, authorization_endpoint=endpoint)).json()
    assert document["tenant_discovery_endpoint"].startswith("https://login.microsoftonline.us/common/v2.0/")
    refused = wire.get(with_query(url, authorization_endpoint="https://evil.example/common"))
    assert _no(refused) == (400, "invalid_instance", 50049)


def test_faults_meet_the_token_endpoint(wire: Wire) -> None:
    wire.sandbox.identity.microsoft.script(
        Fault.rate_limited(3, operation="token"),
        Fault(status=503, reason="90033"),
        Fault.html_page(),
        Fault.slow(4),
        Fault.reset(before=True),
    )
    code = _code(wire)
    assert _redeem(wire, code).headers["retry-after"] == "3"
    assert _no(_redeem(wire, code)) == (503, "temporarily_unavailable", 90033)
    assert _redeem(wire, code).headers["content-type"].startswith("text/html")
    before = wire.sandbox.clock.monotonic()
    assert _redeem(wire, code).status_code == 200
    assert wire.sandbox.clock.monotonic() - before == 4
    with pytest.raises(httpx.ConnectError):
        _redeem(wire, code)


def test_only_the_right_method_reaches_an_endpoint(wire: Wire) -> None:
    assert wire.get(_at("token")).status_code == 404
    assert wire.get(f"{MICROSOFT}/elsewhere").status_code == 404


def test_without_a_person_the_page_asks_for_one(wire: Wire) -> None:
    assert wire.sandbox.identity.browser("nobody@contoso.example").visit(_url()) == Visit()
    flow = _start(wire)
    assert wire.sandbox.identity.browser("nobody@contoso.example").enter(flow["user_code"]) == Visit()
    assert _no(_poll(wire, flow))[1] == "authorization_pending"


def test_the_sandbox_posts_no_form_from_its_pages(wire: Wire) -> None:
    assert _visit(wire, response_mode="form_post").error == "unsupported_response_mode"


def test_the_page_over_http_is_opened_by_a_person_who_agrees(wire: Wire) -> None:
    assert query_of(wire.get(_url()).headers["location"])["state"] == "abc"
    page = wire.get(_url(client_id="nobody"))
    assert (page.status_code, "AADSTS700016" in page.text) == (400, True)


def test_requests_keep_their_correlation_id(wire: Wire) -> None:
    with wire.client() as client:
        answer = client.post(_at("token"), data={}, headers={"client-request-id": "mine"})
    assert answer.json()["correlation_id"] == "mine"


def test_every_number_has_words(wire: Wire) -> None:
    from mailkit.sandbox.identity.microsoft_words import WORDS

    microsoft = wire.sandbox.identity.microsoft
    for number, word in WORDS.items():
        answer = microsoft.refuse(400, str(number))
        assert answer.status == word.status
        assert f"AADSTS{number}: ".encode() in answer.content
