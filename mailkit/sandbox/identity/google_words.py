"""How Google's identity endpoints say no, and how they write scopes.

Responsible for the words, in one place. Never decides when to refuse.
Sources: developers.google.com/identity/protocols/oauth2/native-app and /web-server ("Errors"), /service-account ("JWT
error codes"); sentences marked "field" are as quoted in public issue threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from mailkit.sandbox.wire import SandboxResponse, json_response

__all__ = ["PAGE_STATUS", "Refusal", "known_scope", "long_scopes", "ordered", "refresh_refusal"]

# The number on the error page: "Error 403: org_internal".
PAGE_STATUS = {
    "invalid_client": 401,
    "deleted_client": 401,
    "disabled_client": 401,
    "org_internal": 403,
    "access_denied": 403,
}

_STATUS = {"invalid_client": 401, "unauthorized_client": 401, "access_denied": 403, "org_internal": 403}
_USERINFO = {
    "email": "https://www.googleapis.com/auth/userinfo.email",
    "profile": "https://www.googleapis.com/auth/userinfo.profile",
}
_SENTENCES = {
    "admin_policy_enforced": "The Google Account is unable to authorize one or more scopes requested due to the"
    " policies of their Google Workspace administrator.",
    "access_denied": "Account restricted",  # field: GAM-team/GAM#1766
    "org_internal": "This client is restricted to users within its organization.",
    "invalid_grant": "Token has been expired or revoked.",
}


@attrs.frozen
class Refusal(Exception):  # it carries an answer, it is no error of the sandbox
    """The token endpoint's no: ``{"error": …, "error_description": …}``."""

    error: str
    description: str
    more: Mapping[str, str] = attrs.field(factory=dict)

    @property
    def response(self) -> SandboxResponse:
        """The answer."""
        body = {"error": self.error, "error_description": self.description, **self.more}
        return json_response(body, _STATUS.get(self.error, 400))


def refresh_refusal(code: str) -> Refusal:
    """Word a rule that stands in the way of a refresh; ``invalid_rapt`` is a session the organisation has ended."""
    if code == "invalid_rapt":
        return Refusal("invalid_grant", "reauth related error (invalid_rapt)", {"error_subtype": "invalid_rapt"})
    return Refusal(code, _SENTENCES.get(code, "Bad Request"))


def known_scope(scope: str) -> bool:
    """Say whether this can be a scope of Google's."""
    fixed = ("openid", "email", "profile", "https://mail.google.com/")
    return scope in fixed or scope.startswith("https://www.googleapis.com/auth/")


def long_scopes(scopes: Iterable[str]) -> frozenset[str]:
    """Write scopes as they are granted: ``email`` and ``profile`` in their long forms, with ``openid`` beside them.

    So the answer's set differs from the request's. Source: developers.google.com/identity/openid-connect.
    """
    granted = {_USERINFO.get(scope, scope) for scope in scopes}
    return frozenset(granted | ({"openid"} if not granted.isdisjoint(_USERINFO.values()) else set()))


def ordered(scopes: Iterable[str]) -> tuple[str, ...]:
    """Put granted scopes in Google's order, which is not the request's: who the person is, then what may be done."""
    return tuple(sorted(scopes, key=lambda scope: (scope != "openid", "userinfo" not in scope, scope)))
