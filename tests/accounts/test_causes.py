"""Codes of the providers as causes, sentences and classes."""

from __future__ import annotations

import datetime as dt
import pickle
import re
from pathlib import Path

import pytest

from mailkit.accounts.causes import CONFIGURATION, SIGN_IN, refusal, sign_in_required
from mailkit.errors import ConfigurationError, MailkitError, SignInRequired, Unavailable
from mailkit.values import Provider
from tests.support.cases import Case, cases

ENTRA = {
    50173: "password_changed",
    700082: "expired",
    70000: "expired",
    70043: "expired",
    50058: "expired",
    65001: "consent_needed",
    90094: "admin_consent_needed",
    90008: "consent_needed",
    50076: "mfa_needed",
    50079: "mfa_needed",
    50158: "mfa_needed",
    50020: "wrong_account",
    65004: "declined",
    70020: "timed_out",
    53003: "way_blocked",
    53000: "way_blocked",
    530032: "way_blocked",
    700016: "app_not_in_tenant",
    7000112: "app_blocked",
    7000218: "public_client_off",
    7000215: "wrong_secret",
    7000222: "wrong_secret",
    50105: "admin_policy",
    50059: "unknown_tenant",
    900023: "unknown_tenant",
    90002: "unknown_tenant",
}
GOOGLE = {
    "invalid_grant": "revoked",
    "access_denied": "declined",
    "admin_policy_enforced": "admin_policy",
    "org_internal": "org_internal",
    "deleted_client": "app_blocked",
    "invalid_client": "wrong_secret",
    "SERVICE_DISABLED": "api_switched_off",
    "unverified_app": "app_unverified",
}


def test_the_page_on_signing_in_names_every_cause_and_no_other() -> None:
    page = (Path(__file__).parents[2] / "docs" / "signing-in.md").read_text(encoding="utf-8")
    _, sign_in, configuration = re.split(r"^\| `cause` \|.*$", page, flags=re.MULTILINE)
    for text, table in ((sign_in, SIGN_IN), (configuration, CONFIGURATION)):
        rows = text.strip().split("\n\n")[0].splitlines()[1:]
        assert sorted(re.findall(r"`(\w+)`", "".join(row.split("|")[1] for row in rows))) == sorted(table)


def test_the_causes_are_those_documented() -> None:
    assert set(SIGN_IN) == {
        "revoked",
        "expired",
        "password_changed",
        "consent_needed",
        "admin_consent_needed",
        "mfa_needed",
        "wrong_account",
        "testing_mode_7_days",
        "declined",
        "timed_out",
        "way_blocked",
    }
    assert set(CONFIGURATION) == {
        "app_not_in_tenant",
        "unknown_tenant",
        "public_client_off",
        "wrong_secret",
        "admin_policy",
        "org_internal",
        "app_blocked",
        "app_unverified",
        "api_switched_off",
    }


@pytest.mark.parametrize(
    ("provider", "code", "cause"),
    [("microsoft", str(code), cause) for code, cause in ENTRA.items()]
    + [("google", code, cause) for code, cause in GOOGLE.items()],
)
def test_a_code_has_its_cause_and_its_sentence(provider: Provider, code: str, cause: str) -> None:
    error = refusal(provider, [code, "invalid_grant"], account="work", detail="ann@contoso.example …", status=400)
    assert isinstance(error, SignInRequired if cause in SIGN_IN else ConfigurationError)
    assert (error.cause, error.code, error.account, error.status) == (cause, code, "work", 400)
    assert error.detail == "ann@contoso.example …"
    assert "ann@" not in str(error)
    assert f"({code})" in str(error)
    assert ('mailkit.sign_in("work"' in str(error)) is (cause in SIGN_IN)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_way_that_is_blocked_names_another() -> None:
    assert 'mailkit.sign_in("work", method="browser")' in str(refusal("microsoft", [53003], account="work"))


@pytest.mark.parametrize(
    ("age", "cause"),
    [
        (None, "revoked"),
        (dt.timedelta(days=3), "revoked"),
        (dt.timedelta(days=7, minutes=1), "testing_mode_7_days"),
        (dt.timedelta(days=6, hours=23), "testing_mode_7_days"),
        (dt.timedelta(days=60), "revoked"),
    ],
)
def test_a_google_grant_of_seven_days_was_in_testing(age: dt.timedelta | None, cause: str) -> None:
    error = refusal("google", ["invalid_grant"], account="home", grant_age=age)
    assert isinstance(error, SignInRequired)
    assert error.cause == cause
    assert ("Testing" in str(error)) is (cause != "revoked")


@pytest.mark.parametrize("code", ["temporarily_unavailable", "server_error", "90033"])
def test_passing_trouble_is_for_later(code: str) -> None:
    error = refusal("microsoft", [code], account="work")
    assert isinstance(error, Unavailable)
    assert error.retryable
    assert error.code == code


@pytest.mark.parametrize("code", ["invalid_scope", "redirect_uri_mismatch", "invalid_request"])
def test_a_request_that_cannot_be_right_is_no_reason_to_sign_in_again(code: str) -> None:
    error = refusal("google", [code], account="work")
    assert isinstance(error, ConfigurationError)
    assert (error.cause, error.code) == (None, code)


@pytest.mark.parametrize("code", ["forbidden", "timeout", "maintenance", "1234567"])
def test_a_code_nobody_knows_ends_no_sign_in(code: str) -> None:
    error = refusal("microsoft", [code], account="work", status=403)
    assert type(error) is Unavailable
    assert (error.code, error.status) == (code, 403)
    assert code not in str(error)


@pytest.mark.parametrize(
    "code", ["ann@example.com", "two words", "line\nbreak", "ends\n", "https://x.example/?y", "x" * 65, "", "tökén"]
)
def test_what_cannot_be_a_code_is_told_nowhere(code: str) -> None:
    error = refusal("google", [code], account="work")
    assert type(error) is Unavailable
    assert error.code is None
    assert refusal("google", [code, "invalid_grant"], account="work").code == "invalid_grant"
    assert refusal("microsoft", [], account="work").code is None


def test_numbers_are_told_before_words_and_as_entra_writes_them() -> None:
    assert refusal("microsoft", ["AADSTS700016", "unauthorized_client"], account="work").code == "700016"
    assert refusal("microsoft", [1234567, "invalid_grant"], account="work").code == "invalid_grant"


def test_an_entra_number_means_nothing_at_google() -> None:
    assert refusal("google", ["50173", "invalid_grant"], account="work").code == "invalid_grant"


def test_a_sentence_of_our_own_needs_no_code() -> None:
    error = sign_in_required("timed_out", account="work")
    assert (error.cause, error.code) == ("timed_out", None)
    assert str(error).endswith('mailkit.sign_in("work")')


@pytest.mark.parametrize("case", cases("faults.jsonl", lambda case: case["id"] == "C183"))
def test_entras_codes_as_the_case_wants_them(case: Case) -> None:
    kinds: dict[str, type[MailkitError]] = {"reauth": SignInRequired, "consent": SignInRequired}
    kinds |= {"configuration": ConfigurationError, "retry": Unavailable}
    told = case["input"]
    for code, word, wanted in zip(told["codes"], told["oauth_error"], case["expected"]["class"], strict=True):
        error = refusal("microsoft", [code, word], account="work")
        kind = next(kind for start, kind in kinds.items() if wanted.startswith(start))
        assert isinstance(error, kind), code
