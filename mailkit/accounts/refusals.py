"""What token services and the libraries in front of them say, as our errors: by code and class, never by text.

Responsible for finding the codes; what they mean stands in ``causes``. A provider's own text goes into ``detail``.
"""

from __future__ import annotations

from collections.abc import Mapping

from mailkit.accounts.causes import refusal
from mailkit.errors import ConfigurationError, ConnectionFailed, MailkitError, SignInRequired, Unavailable

__all__ = ["google_refusal", "microsoft_refusal", "raised"]

# https://learn.microsoft.com/python/api/azure-core/azure.core.exceptions: no answer came.
_AZURE_PASSING = frozenset({"ServiceRequestError", "ServiceResponseError"})

# What Python raises of itself where code is wrong; nobody says with it that a sign-in has ended.
_MISTAKES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    NameError,
    NotImplementedError,
    RecursionError,
    TypeError,
)


def google_refusal(error: Exception, *, account: str) -> MailkitError:
    """Understand what ``Credentials.refresh`` raised."""
    # google.auth.exceptions.RefreshError(text, answer of the token service); GoogleAuthError.retryable.
    answer = error.args[1] if len(error.args) > 1 else None
    if isinstance(answer, Mapping) and isinstance(answer.get("error"), str):
        codes = [answer[name] for name in ("error_subtype", "error") if isinstance(answer.get(name), str)]
        return refusal("google", codes, account=account, detail=_detail(answer))
    if getattr(error, "retryable", False) is True and not isinstance(error, MailkitError):
        return Unavailable("the token service is not well just now; try again later", account=account)
    return raised(error, account=account, what="the Google credential")


def microsoft_refusal(answer: Mapping[str, object], *, account: str) -> MailkitError:
    """Understand an answer of Entra, or of MSAL, without a token."""
    numbers = answer.get("error_codes")
    codes = [*(numbers if isinstance(numbers, list) else ()), str(answer.get("error") or "unknown")]
    return refusal("microsoft", codes, account=account, detail=_detail(answer))


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
    if isinstance(error, _MISTAKES):
        return ConfigurationError(
            f"{what} of this account gave no token but raised {type(error).__name__}, as code that is wrong does; mend "
            "it (the error's __cause__ shows where)",
            account=account,
            code="unknown",
        )
    return SignInRequired(
        f"{what} of this account gave no token but raised {type(error).__name__}; sign in again with it",
        account=account,
        code="unknown",
    )


def _detail(answer: Mapping[str, object]) -> str | None:
    text = answer.get("error_description")
    return text if isinstance(text, str) else None
