"""What token services and the libraries in front of them say, as our errors: by code and class, never by text.

The sentences say what to do; a provider's own text is left to the traceback, since it may name people.
"""

from __future__ import annotations

from collections.abc import Mapping

from mailkit.errors import ConfigurationError, ConnectionFailed, MailkitError, SignInRequired, Unavailable

__all__ = ["google_refusal", "microsoft_refusal", "raised"]

# RFC 6749, 5.2, and OpenID Connect Core, 3.1.2.6: what only the owner of the application can mend.
_MISCONFIGURED = frozenset(
    {"invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope", "invalid_request"}
)
_PASSING = frozenset({"temporarily_unavailable", "server_error"})

# https://learn.microsoft.com/python/api/azure-core/azure.core.exceptions: no answer came.
_AZURE_PASSING = frozenset({"ServiceRequestError", "ServiceResponseError"})


def google_refusal(error: Exception, *, account: str) -> MailkitError:
    """Understand what ``Credentials.refresh`` raised."""
    # google.auth.exceptions.RefreshError(text, answer of the token service); GoogleAuthError.retryable.
    answer = error.args[1] if len(error.args) > 1 else None
    if isinstance(answer, Mapping) and isinstance(answer.get("error"), str):
        return _refused(str(answer["error"]), account=account)
    if getattr(error, "retryable", False) is True and not isinstance(error, MailkitError):
        return _passing(account)
    return raised(error, account=account, what="the Google credential")


def microsoft_refusal(answer: Mapping[str, object], *, account: str) -> MailkitError:
    """Understand an MSAL answer without a token."""
    return _refused(str(answer.get("error") or "unknown"), account=account)


def raised(error: BaseException, *, account: str | None, what: str) -> MailkitError:
    """Understand what somebody's token source raised."""
    if isinstance(error, MailkitError):
        error.account = error.account or account
        return error
    classes = {kind.__name__ for kind in type(error).__mro__}
    if isinstance(error, OSError) or classes & _AZURE_PASSING:
        return ConnectionFailed(
            f"{what} of this account could not reach its token service; check the network and try again",
            account=account,
        )
    return SignInRequired(
        f"{what} of this account gave no token but raised {type(error).__name__}; sign in again with it",
        account=account,
        code="unknown",
    )


def _refused(code: str, *, account: str) -> MailkitError:
    if code in _PASSING:
        return _passing(account)
    if code in _MISCONFIGURED:
        error = ConfigurationError(
            f"the token service refuses this account's application ({code}); check its client id, secret and tenant",
            account=account,
        )
        error.code = code
        return error
    return SignInRequired(
        f"the sign-in of this account is no longer valid ({code}); sign in again", account=account, code=code
    )


def _passing(account: str) -> Unavailable:
    return Unavailable("the token service is not well just now; try again later", account=account)
