"""Which error a Graph refusal becomes: by status and code, whatever the text says."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.errors import (
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
from mailkit.providers.microsoft.dialect import GraphDialect
from mailkit.transport import Answer

CASES: list[tuple[int, str, type[MailkitError], str]] = [
    (400, "ErrorInvalidUrlQueryFilter", ProviderError, "never"),
    (400, "ErrorInvalidIdMalformed", NotFound, "never"),
    (400, "ErrorOccurrenceCrossingBoundary", Unsupported, "never"),
    (400, "ErrorDuplicateTransactionId", Conflict, "never"),
    (401, "InvalidAuthenticationToken", SignInRequired, "never"),
    (403, "ErrorAccessDenied", PermissionMissing, "never"),
    (404, "ErrorItemNotFound", NotFound, "never"),
    (404, "MailboxNotEnabledForRESTAPI", Unsupported, "never"),
    (409, "ErrorIrresolvableConflict", Conflict, "never"),
    (410, "SyncStateNotFound", NotFound, "never"),
    (412, "ErrorIrresolvableConflict", Conflict, "never"),
    (429, "ApplicationThrottled", RateLimited, "any"),
    (500, "ErrorInternalServerError", Unavailable, "reads"),
    (502, "BadGateway", Unavailable, "reads"),
    (503, "ServiceUnavailable", Unavailable, "reads"),
    (504, "GatewayTimeout", Unavailable, "reads"),
    (509, "BandwidthLimitExceeded", RateLimited, "any"),
]


@pytest.mark.parametrize(("status", "code", "error", "repeat"), CASES)
def test_status_and_code_decide(status: int, code: str, error: type[MailkitError], repeat: str) -> None:
    body = {"error": {"code": code, "message": "Access is denied. Too many requests. Not found."}}
    refusal = GraphDialect().refusal(Answer(status=status, content=json.dumps(body).encode()))
    assert (refusal.error, refusal.code, refusal.repeat) == (error, code, repeat)


def test_a_missing_permission_names_what_would_do() -> None:
    assert "Mail.Read" in GraphDialect().refusal(Answer(status=403)).scopes


@given(
    st.integers(400, 599),
    st.binary()
    | st.recursive(
        st.none() | st.text() | st.integers(),
        lambda x: st.dictionaries(st.sampled_from(["error", "code", "innerError", "x"]), x),
    ).map(lambda v: json.dumps(v).encode()),
)
def test_any_body_is_understood_somehow(status: int, content: bytes) -> None:
    refusal = GraphDialect().refusal(Answer(status=status, content=content))
    assert issubclass(refusal.error, MailkitError)
