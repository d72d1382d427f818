"""What a service account signs to act for a person, and whether it may.

Responsible for judging the claim; the tokens are handed out elsewhere.
Source: developers.google.com/identity/protocols/oauth2/service-account, "JWT error codes".
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

import attrs

from mailkit.sandbox.identity.forms import words
from mailkit.sandbox.identity.google_apps import ServiceAccount
from mailkit.sandbox.identity.google_words import Refusal
from mailkit.sandbox.identity.jwt import claims_of, is_signed_by

__all__ = ["Claim", "judged"]

_AUDIENCES = ("https://oauth2.googleapis.com/token", "https://accounts.google.com/o/oauth2/token")
_SKEW = dt.timedelta(minutes=5)


@attrs.frozen(kw_only=True)
class Claim:
    """A claim that holds: ``subject`` is whom the account acts for, None: itself."""

    account: ServiceAccount
    subject: str | None
    scopes: frozenset[str]


def judged(assertion: str, accounts: Mapping[str, ServiceAccount], now: dt.datetime) -> Claim:
    """Judge an assertion; raises Refusal."""
    try:
        claims = claims_of(assertion)
    except ValueError:
        raise Refusal("invalid_grant", "Bad Request") from None
    account = accounts.get(str(claims.get("iss")))
    if account is None:
        raise Refusal("invalid_grant", "Invalid grant: account not found")
    if not is_signed_by(assertion, account.public_key):
        raise Refusal("invalid_grant", "Invalid JWT Signature.")
    if claims.get("aud") not in _AUDIENCES:
        raise Refusal("invalid_grant", f"Invalid JWT: Failed audience check. The right audience is {_AUDIENCES[0]}")
    if not _is_timely(claims.get("iat"), claims.get("exp"), now):
        raise Refusal(
            "invalid_grant",
            "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe."
            " Check your iat and exp values in the JWT claim.",
        )
    scopes = frozenset(words(str(claims.get("scope", ""))))
    if not scopes:
        raise Refusal("invalid_scope", "Empty or missing scope not allowed.")
    subject = claims.get("sub")
    if subject is not None and not _may_act_for(account, str(subject), scopes):
        raise Refusal(
            "unauthorized_client",
            "Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of"
            " the scopes requested.",
        )
    return Claim(account=account, subject=None if subject is None else str(subject), scopes=scopes)


def _is_timely(issued: object, expires: object, now: dt.datetime) -> bool:
    if not isinstance(issued, int) or not isinstance(expires, int):
        return False
    return 0 < expires - issued <= 3600 and issued - _SKEW.total_seconds() <= now.timestamp() < expires


def _may_act_for(account: ServiceAccount, address: str, scopes: frozenset[str]) -> bool:
    domain = address.rpartition("@")[2].lower()
    return account.domain is not None and domain == account.domain.lower() and scopes <= account.scopes
