"""What a provider's sign-in codes mean, as one sentence each that says what to do.

Tables and one function: codes in, error out. Judges by code, never by text; the provider's own text goes into
``detail`` alone. ``SignInRequired`` where signing in again helps, ``ConfigurationError`` where it does not,
``Unavailable`` where waiting does, and for whatever is not known here: it may be a proxy's word, and no sign-in ends
for it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping

from mailkit.errors import ConfigurationError, MailkitError, SignInRequired, Unavailable
from mailkit.values import Provider

__all__ = ["CONFIGURATION", "SIGN_IN", "refusal", "sign_in_required"]

SIGN_IN: Mapping[str, str] = {
    "revoked": "the permission was taken back, or has lapsed; sign in again: {call}",
    "expired": "the sign-in has expired; sign in again: {call}",
    "password_changed": "the password was changed, which ends the sign-in; sign in again: {call}",
    "consent_needed": "this app has not been given the permissions it asks for; sign in again and agree: {call}",
    "admin_consent_needed": "an administrator must agree to this app first; ask for it, then sign in again: {call}",
    "mfa_needed": "a second factor is asked for; sign in again and give it: {call}",
    "wrong_account": "another account was signed in than the one meant; sign in again with the right one: {call}",
    "testing_mode_7_days": "Google ends the sign-ins of a project in Testing after seven days; set its publishing "
    "status to In production (Google Auth Platform, Audience), then sign in again: {call}",
    "declined": "the sign-in was declined; sign in again and agree: {call}",
    "timed_out": "nobody completed the sign-in in time; start it again: {call}",
    "way_blocked": "your organisation blocks this way of signing in; use the browser: {call}",
}
"""Each ``SignInRequired.cause`` and what to do; ``{call}`` is the call that does it."""

CONFIGURATION: Mapping[str, str] = {
    "app_not_in_tenant": "the organisation does not know this app; check client_id and tenant, or register it there",
    "unknown_tenant": "there is no such tenant; set tenant to the organisation's id or domain, or to 'common'",
    "public_client_off": "the app registration does not allow public client flows; set 'Allow public client flows' to "
    "Yes under Authentication",
    "wrong_secret": "the client id or its secret is wrong or has expired; put the current ones into the account",
    "admin_policy": "the organisation does not let this account use the app; an administrator must assign or allow it",
    "org_internal": "the Google project is for its own organisation only; sign in with an account of it, or set the "
    "user type to External (Google Auth Platform, Audience)",
    "app_blocked": "the app was deleted, switched off or blocked at the provider; use another client_id",
    "app_unverified": "Google has not verified this app for the permissions it asks for; add the account as a test "
    "user, or have the app verified",
    "api_switched_off": "the API is switched off in the Google Cloud project; switch it on at "
    "https://console.cloud.google.com/apis/library/gmail.googleapis.com, then wait a few minutes",
}
"""Each ``ConfigurationError.cause`` and what to do: signing in again would change nothing."""

# https://learn.microsoft.com/entra/identity-platform/reference-error-codes
_ENTRA = {
    "50173": "password_changed",
    "50132": "password_changed",
    "700082": "expired",
    "70000": "expired",
    "70008": "expired",
    "70043": "expired",
    "50058": "expired",
    "50078": "mfa_needed",
    "50076": "mfa_needed",
    "50079": "mfa_needed",
    "50158": "mfa_needed",
    "65001": "consent_needed",
    "90008": "consent_needed",
    "90094": "admin_consent_needed",
    "65004": "declined",
    "70020": "timed_out",
    "50020": "wrong_account",
    "700016": "app_not_in_tenant",
    "7000112": "app_blocked",
    "7000218": "public_client_off",
    "7000215": "wrong_secret",
    "7000222": "wrong_secret",
    "50105": "admin_policy",
    "50059": "unknown_tenant",
    "900023": "unknown_tenant",
    "90002": "unknown_tenant",
}
# 53000 to 53011 are conditional access, 530032 and 530035 security defaults and policies; all begin alike.
_WAY_BLOCKED = "530"

# https://developers.google.com/identity/protocols/oauth2/native-app, "authorization errors" and "refresh token expiry"
_GOOGLE = {
    "invalid_grant": "revoked",
    "invalid_rapt": "expired",  # session length of Google Workspace: https://support.google.com/a/answer/9368756
    "admin_policy_enforced": "admin_policy",
    "access_not_configured": "admin_policy",  # https://support.google.com/accounts/answer/16668185
    "unauthorized_client": "admin_policy",  # delegation is not granted: https://support.google.com/a/answer/162106
    "org_internal": "org_internal",
    "deleted_client": "app_blocked",
    "disabled_client": "app_blocked",
    "unverified_app": "app_unverified",
    "SERVICE_DISABLED": "api_switched_off",
    "accessNotConfigured": "api_switched_off",
}

# RFC 6749 4.1.2.1 and 5.2; RFC 8628 3.5; OpenID Connect Core 3.1.2.6; authorization_declined and code_expired are
# Microsoft's (https://learn.microsoft.com/entra/identity-platform/v2-oauth2-device-code).
_OAUTH = {
    "invalid_grant": "expired",
    "interaction_required": "expired",
    "login_required": "expired",
    "consent_required": "consent_needed",
    "access_denied": "declined",
    "authorization_declined": "declined",
    "expired_token": "timed_out",
    "code_expired": "timed_out",
    "invalid_client": "wrong_secret",
    "unauthorized_client": "app_not_in_tenant",
}
_MISCONFIGURED = frozenset({"unsupported_grant_type", "invalid_scope", "invalid_request", "redirect_uri_mismatch"})
_PASSING = frozenset({"temporarily_unavailable", "server_error", "slow_down", "90033"})

# A code is shown and kept, so it must not be able to carry an address or a line break.
_CODE = re.compile(r"[A-Za-z0-9_.:-]{1,64}")

# "a publishing status of Testing is issued a refresh token expiring in 7 days":
# https://developers.google.com/identity/protocols/oauth2#expiration
_TESTING_LIFE = (dt.timedelta(days=6, hours=12), dt.timedelta(days=8))


def refusal(
    provider: Provider,
    codes: Iterable[str | int],
    *,
    account: str,
    grant_age: dt.timedelta | None = None,
    detail: str | None = None,
    status: int | None = None,
) -> MailkitError:
    """Understand why a provider gives no token.

    ``codes`` are its words and numbers, the most telling first (Entra's ``error_codes``, then ``error``; Google's
    ``error_subtype``, then ``error``); the first that is known decides, and what cannot be a code is left out.
    ``grant_age`` is how long ago the person signed in, ``detail`` the provider's own text.
    """
    words = [word for code in codes if _CODE.fullmatch(word := str(code).removeprefix("AADSTS"))]
    known = next((word for word in words if word in _PASSING or word in _MISCONFIGURED or _cause(provider, word)), None)
    code = known or next(iter(words), None)
    if known is None or known in _PASSING:
        return Unavailable(
            "the sign-in service is not well just now; try again later"
            if known
            else "the sign-in service refuses for a reason that mailkit does not know; try again later, and if that "
            "does not help, check for a proxy on the way",
            account=account,
            status=status,
            code=code,
        )
    cause = _cause(provider, known)
    if known in _MISCONFIGURED or cause in CONFIGURATION:
        sentence = CONFIGURATION[cause] if cause else "the sign-in service refuses this app's request"
        hint = "" if cause else "; check its client id, tenant, scopes and redirect URI"
        return ConfigurationError(
            f"{sentence}{hint} ({code})",
            account=account,
            cause=cause,
            detail=detail,
            status=status,
            code=code,
        )
    if known == "invalid_grant" and provider == "google" and grant_age is not None:
        youngest, oldest = _TESTING_LIFE
        cause = "testing_mode_7_days" if youngest <= grant_age <= oldest else cause
    return sign_in_required(cause, account=account, known=known, detail=detail, status=status, code=code)


def sign_in_required(
    cause: str | None,
    *,
    account: str,
    known: str | None = None,
    detail: str | None = None,
    status: int | None = None,
    code: str | None = None,
) -> SignInRequired:
    """Make the error for a cause of ``SIGN_IN``; None: not known.

    ``known`` is a code that may be shown: one that is not known may be anything, so it is kept out of the text.
    """
    method = ', method="browser"' if cause == "way_blocked" else ""
    sentence = SIGN_IN[cause] if cause else "the sign-in is no longer valid; sign in again: {call}"
    return SignInRequired(
        sentence.format(call=f'mailkit.sign_in("{account}"{method})') + (f" ({known})" if known else ""),
        account=account,
        cause=cause,
        detail=detail,
        status=status,
        code=code,
    )


def _cause(provider: Provider, code: str) -> str | None:
    own = _GOOGLE if provider == "google" else _ENTRA
    if code in own:
        return own[code]
    if provider == "microsoft" and code.isdecimal() and code.startswith(_WAY_BLOCKED):
        return "way_blocked"
    return _OAUTH.get(code)
