"""Which error a refusal of Google becomes: by status and reason, whatever the text says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.errors import (
    ConfigurationError,
    Conflict,
    MailkitError,
    NotFound,
    PermissionMissing,
    ProviderError,
    RateLimited,
    SignInRequired,
    Unavailable,
    Unsupported,
)
from mailkit.providers.google.access import READ
from mailkit.providers.google.dialect import GoogleDialect
from mailkit.transport import Answer, Quota
from tests.providers.google.samples import sample

EXPECTED: dict[str, tuple[type[MailkitError], str, str]] = {
    "per user rate": (RateLimited, "RATE_LIMIT_EXCEEDED", "any"),
    "user rate": (RateLimited, "userRateLimitExceeded", "any"),
    "too many at once": (RateLimited, "rateLimitExceeded", "any"),
    "day": (RateLimited, "dailyLimitExceeded", "never"),
    "scope": (PermissionMissing, "ACCESS_TOKEN_SCOPE_INSUFFICIENT", "never"),
    "switched off": (ConfigurationError, "SERVICE_DISABLED", "never"),
    "domain policy": (PermissionMissing, "domainPolicy", "never"),
    "delegation": (PermissionMissing, "forbidden", "never"),
    "expired token": (SignInRequired, "authError", "never"),
    "no such message": (NotFound, "notFound", "never"),
    "no mailbox": (Unsupported, "failedPrecondition", "never"),
    "bad argument": (ProviderError, "invalidArgument", "never"),
    "history gone": (NotFound, "deleted", "never"),
    "changed": (Conflict, "conditionNotMet", "never"),
    "backend": (Unavailable, "backendError", "reads"),
    "unavailable": (Unavailable, "backendError", "reads"),
}


def answer(case: dict[str, Any]) -> Answer:
    return Answer(status=case["status"], headers=case["headers"], content=json.dumps(case["json"]).encode())


@pytest.mark.parametrize("case", sample("refusals"), ids=lambda case: str(case["name"]))
def test_refusals(case: dict[str, Any]) -> None:
    refusal = GoogleDialect().refusal(answer(case))
    assert (refusal.error, refusal.code, refusal.repeat) == EXPECTED[case["name"]]
    assert "ben@example.org" not in (refusal.message or "")


def test_every_sample_is_expected() -> None:
    assert {case["name"] for case in sample("refusals")} == set(EXPECTED)


def test_a_missing_permission_says_which_would_do() -> None:
    case = next(case for case in sample("refusals") if case["name"] == "scope")
    wanted = ("https://www.googleapis.com/auth/gmail.modify", "https://mail.google.com/")
    assert GoogleDialect().refusal(answer(case)).scopes == wanted
    assert GoogleDialect().refusal(answer({**case, "headers": {}})).scopes == READ


def test_a_switched_off_interface_says_what_to_do() -> None:
    case = next(case for case in sample("refusals") if case["name"] == "switched off")
    refusal = GoogleDialect().refusal(answer(case))
    assert refusal.message is not None
    assert "switch it on" in refusal.message
    assert refusal.scopes == ()


@pytest.mark.parametrize("status", [400, 401, 403, 404, 408, 409, 410, 412, 413, 418, 429, 500, 502, 503, 504])
@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"<html>", b'{"error":"x"}', b'{"error":{"errors":[3]}}'])
def test_without_a_reason_the_status_decides(status: int, content: bytes) -> None:
    refusal = GoogleDialect().refusal(Answer(status=status, content=content))
    assert refusal.code is None
    assert refusal.error is {
        401: SignInRequired, 403: PermissionMissing, 404: NotFound, 409: Conflict, 410: NotFound, 412: Conflict,
        429: RateLimited,
    }.get(status, Unavailable if status >= 500 else ProviderError)  # fmt: skip


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["error", "errors", "details", "reason", "status"]), inner, max_size=4)
    ),
)


@given(st.integers(400, 599), _JSON)
def test_any_body_is_understood_somehow(status: int, body: object) -> None:
    assert issubclass(
        GoogleDialect().refusal(Answer(status=status, content=json.dumps({"error": body}).encode())).error, MailkitError
    )


def test_the_quota_is_a_parameter() -> None:
    assert GoogleDialect().quota == Quota(units=6_000, seconds=60)
    assert GoogleDialect(quota=Quota(units=60_000, seconds=60)).quota.units == 60_000
