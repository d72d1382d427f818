"""How Entra ID says no: a number, an OAuth error word, a sentence, an envelope.

Responsible for the words of each number, in one place. Never decides when to refuse.
Sources: learn.microsoft.com/entra/identity-platform/reference-error-codes (numbers, sentences),
/v2-oauth2-auth-code-flow and /v2-oauth2-device-code (words, envelope). Word and suberror of the entries marked "field"
are as quoted in public issue threads and logs.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

import attrs

from mailkit.sandbox.wire import SandboxResponse, json_response

__all__ = ["WORDS", "Refusal", "Word"]

_GRAPH = "00000003-0000-0000-c000-000000000000"


@attrs.frozen
class Word:
    """What goes with a number: the OAuth error, the sentence (with ``{names}``), status and suberror."""

    error: str
    sentence: str
    status: int = 400
    suberror: str | None = None


WORDS: Mapping[int, Word] = {
    # -- who and where
    50011: Word(
        "invalid_request",
        "The redirect URI '{redirect_uri}' specified in the request does not match the redirect URIs configured for the"
        " application '{client_id}'. Make sure the redirect URI sent in the request matches one added to your"
        " application in the Azure portal.",
    ),
    50020: Word(
        "invalid_grant",
        "User account '{{EUII Hidden}}' from identity provider '{issuer}' does not exist in tenant '{tenant}' and"
        " cannot access the application '{client_id}' in that tenant. The account needs to be added as an external user"
        " in the tenant first. Sign out and sign in again with a different Azure Active Directory user account.",
    ),
    50034: Word("invalid_grant", "The user account {{EUII Hidden}} does not exist in the {tenant} directory."),
    50049: Word("invalid_instance", "Unknown or invalid instance."),
    50058: Word(
        "login_required",
        "A silent sign-in request was sent but no user is signed in.",
    ),
    50059: Word(
        "invalid_request",
        "No tenant-identifying information found in either the request or implied by any provided credentials.",
    ),
    50194: Word(
        "invalid_request",
        "Application '{client_id}' is not configured as a multi-tenant application. Usage of the /common endpoint is"
        " not supported for such apps created after '10/15/2018'. Use a tenant-specific endpoint or configure the"
        " application to be multi-tenant.",
    ),
    90002: Word(
        "invalid_request",  # field
        "Tenant '{tenant}' not found. Check to make sure you have the correct tenant ID and are signing into the"
        " correct cloud. Check with your subscription administrator, this may happen if there are no active"
        " subscriptions for the tenant.",
    ),
    900023: Word(
        "invalid_request",
        "Specified tenant identifier '{tenant}' is neither a valid DNS name, nor a valid external domain.",
    ),
    700016: Word(
        "unauthorized_client",  # field
        "Application with identifier '{client_id}' was not found in the directory '{tenant}'. This can happen if the"
        " application has not been installed by the administrator of the tenant or consented to by any user in the"
        " tenant. You may have sent your authentication request to the wrong tenant.",
    ),
    # -- the app's own credentials
    700025: Word(
        "invalid_client",
        "Client is public so neither 'client_assertion' nor 'client_secret' should be presented.",
        401,
    ),
    7000215: Word(
        "invalid_client",
        "Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not"
        " the client secret ID, for a secret added to app '{client_id}'.",
        401,
    ),
    7000218: Word(
        "invalid_client",
        "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
        401,
    ),
    7000222: Word(
        "invalid_client",
        "The provided client secret keys for app '{client_id}' are expired. Visit the Azure portal to create new keys"
        " for your app: https://aka.ms/NewClientSecret, or consider using certificate credentials for added security:"
        " https://aka.ms/certCreds.",
        401,
    ),
    # -- what people and organisations demand
    50076: Word(
        "invalid_grant",  # field
        "Due to a configuration change made by your administrator, or because you moved to a new location, you must use"
        f" multi-factor authentication to access '{_GRAPH}'.",
        suberror="basic_action",
    ),
    50079: Word(
        "invalid_grant",
        "Due to a configuration change made by your administrator, or because you moved to a new location, you must"
        f" enroll in multi-factor authentication to access '{_GRAPH}'.",
        suberror="basic_action",
    ),
    50105: Word(
        "invalid_grant",
        "Your administrator has configured the application '{client_id}' to block users unless they are specifically"
        " granted ('assigned') access to the application. The signed in user '{{EUII Hidden}}' is blocked because they"
        " are not a direct member of a group with access, nor had access directly assigned by an administrator. Please"
        " contact your administrator to assign access to this application.",
    ),
    50158: Word("invalid_grant", "External security challenge not satisfied.", suberror="basic_action"),
    53000: Word(
        "invalid_grant",
        "Device is not in required device state: compliant. Conditional Access policy requires a compliant device, and"
        " the device is not compliant.",
        suberror="message_only",
    ),
    53003: Word(
        "invalid_grant",  # field
        "Access has been blocked by Conditional Access policies. The access policy does not allow token issuance.",
        suberror="message_only",
    ),
    530032: Word("invalid_grant", "Blocked by security policy.", suberror="message_only"),
    530035: Word("invalid_grant", "Access has been blocked by security defaults.", suberror="message_only"),
    65001: Word(
        "invalid_grant",
        "The user or administrator has not consented to use the application with ID '{client_id}'. Send an interactive"
        " authorization request for this user and resource.",
        suberror="consent_required",
    ),
    65004: Word("access_denied", "User declined to consent to access the app."),
    90008: Word(
        "invalid_grant",
        "The user or administrator has not consented to use the application. The application must be configured to"
        " access at least Azure Active Directory.",
        suberror="consent_required",
    ),
    90094: Word("access_denied", "The grant requires admin permission."),
    # -- codes and tokens that are over
    50173: Word(
        "invalid_grant",  # field
        "The provided grant has expired due to it being revoked, a fresh auth token is needed. The user might have"
        " changed or reset their password. The grant was issued on '{issued}' and the TokensValidFrom date (before"
        " which tokens are not valid) for this user is '{valid_from}'.",
        suberror="bad_token",
    ),
    501481: Word(
        "invalid_grant",  # field
        "The Code_Verifier does not match the code_challenge supplied in the authorization request.",
    ),
    54005: Word(
        "invalid_grant",
        "OAuth2 Authorization code was already redeemed, please retry with a new valid code or use an existing refresh"
        " token.",
    ),
    70000: Word("invalid_grant", "Provided grant is invalid or malformed."),
    70008: Word(
        "invalid_grant",
        "The provided authorization code or refresh token has expired due to inactivity. Send a new interactive"
        " authorization request for this user and resource.",
    ),
    700082: Word(
        "invalid_grant",
        "The refresh token has expired due to inactivity. The token was issued on {issued} and was inactive for"
        " 90.00:00:00.",
        suberror="token_expired",
    ),
    70043: Word(
        "invalid_grant",  # field
        "The refresh token has expired or is invalid due to sign-in frequency checks by conditional access. The token"
        " was issued on {issued} and the maximum allowed lifetime for this request is 36000.",
        suberror="token_expired",
    ),
    # -- device codes
    70015: Word("authorization_declined", "The end user has denied the authorization request."),
    70016: Word(
        "authorization_pending",  # field
        "OAuth 2.0 device flow error. Authorization is pending. Continue polling.",
    ),
    70018: Word(
        "bad_verification_code",
        "Invalid verification code due to User typing in wrong user code for device code flow. Authorization is not"
        " approved.",
    ),
    70019: Word("code_expired", "Verification code expired. Have the user retry the sign-in."),
    70020: Word(
        "expired_token",
        "The provided value for the input parameter 'device_code' is not valid. This device code has expired.",
    ),
    # -- the request itself
    1002012: Word(
        "invalid_scope",
        "The provided value for scope {scope} is not valid. Client credential flows must have a scope value with"
        " /.default suffixed to the resource identifier (application ID URI).",
    ),
    70003: Word("unsupported_grant_type", "The app requested an unsupported grant type '{grant_type}'."),
    70011: Word(
        "invalid_scope",
        "The provided request must include a 'scope' input parameter. The provided value for the input parameter"
        " 'scope' is not valid. The scope {scope} is not valid.",
    ),
    900144: Word("invalid_request", "The request body must contain the following parameter: '{parameter}'."),
    # -- it is not well
    90033: Word("temporarily_unavailable", "A transient error has occurred. Please try again.", 503),
}


@attrs.frozen
class Refusal(Exception):  # it carries an answer, it is no error of the sandbox
    """A no with its number; ``names`` fill the sentence, ``error`` replaces the usual word."""

    code: int
    names: Mapping[str, str] = attrs.field(factory=dict)
    error: str | None = None

    @property
    def word(self) -> str:
        """The OAuth error."""
        return self.error or WORDS[self.code].error

    def described(self, *, trace: str, correlation: str, now: dt.datetime) -> str:
        """Give ``error_description``."""
        sentence = WORDS[self.code].sentence.format_map(_Named(self.names))
        return (
            f"AADSTS{self.code}: {sentence}\r\nTrace ID: {trace}\r\nCorrelation ID: {correlation}\r\n"
            f"Timestamp: {now:%Y-%m-%d %H:%M:%SZ}"
        )

    def response(self, *, trace: str, correlation: str, now: dt.datetime, origin: str) -> SandboxResponse:
        """Give the token endpoint's answer."""
        word = WORDS[self.code]
        body: dict[str, object] = {
            "error": self.word,
            "error_description": self.described(trace=trace, correlation=correlation, now=now),
            "error_codes": [self.code],
            "timestamp": f"{now:%Y-%m-%d %H:%M:%SZ}",
            "trace_id": trace,
            "correlation_id": correlation,
            "error_uri": f"{origin}/error?code={self.code}",
        }
        if word.suberror is not None:
            body["suberror"] = word.suberror
        return json_response(body, word.status, (("x-ms-request-id", trace),))


class _Named(dict[str, str]):
    """Names for a sentence; a rule scripted by number knows none of them."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"
