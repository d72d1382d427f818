"""What a token service answered, read once for both providers and every flow (RFC 6749, 5.1 and 5.2).

Pure: an answer becomes a ``TokenAnswer``, a refusal its codes. Says nothing of what a code means: ``causes`` does.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import TypeGuard

import attrs

from mailkit.accounts.causes import refusal
from mailkit.accounts.scopes import granted
from mailkit.errors import MailkitError, Unavailable
from mailkit.values import Provider

__all__ = ["TokenAnswer", "life_of", "read_tokens", "refused"]

_LEADING_CODE = re.compile(r"\AAADSTS(\d{1,9})")
_TOKEN = re.compile(r"[!-~]+")  # RFC 6749, appendix A.12 and A.17, less the blank, which a header would not carry
_SECONDS = re.compile(r"[0-9]{1,9}")


@attrs.frozen(kw_only=True)
class TokenAnswer:
    """New tokens; ``life`` is how long the access token is good, counted from when it was asked for.

    ``username`` is whom Microsoft says has signed in.
    """

    access_token: str = attrs.field(repr=False)
    refresh_token: str | None = attrs.field(default=None, repr=False)
    life: dt.timedelta
    scopes: frozenset[str]
    username: str | None = attrs.field(default=None, repr=False)


def read_tokens(
    provider: Provider, answer: Mapping[str, object], *, asked: frozenset[str], account: str
) -> TokenAnswer:
    """Read the service's answer, msal's form of it included; ``asked`` are the scopes of the request.

    Raises:
        Unavailable: it holds no token, or anything in it is not what it must be: nothing of it may be kept then.
        MailkitError: it is a refusal.
    """
    if "error" in answer:
        raise refused(provider, answer, account=account)
    token, renewed = answer.get("access_token"), answer.get("refresh_token") or None
    life, scope, claims = life_of(answer.get("expires_in", 3600)), answer.get("scope"), answer.get("id_token_claims")
    if not _is_token(token) or not (renewed is None or _is_token(renewed)):
        raise _unusable("without a token", account)
    if life is None or not (scope is None or isinstance(scope, str)):
        raise _unusable("with a token whose lifetime or scope makes no sense", account)
    username = claims.get("preferred_username") if isinstance(claims, Mapping) else None
    return TokenAnswer(
        access_token=token,
        refresh_token=renewed,
        life=life,
        scopes=granted(provider, scope, asked=asked),
        username=username if isinstance(username, str) else None,
    )


def life_of(seconds: object) -> dt.timedelta | None:
    """Read ``expires_in``, a number or its digits; None: it makes no sense."""
    text = str(seconds) if isinstance(seconds, int | str) else ""
    return dt.timedelta(seconds=int(text)) if _SECONDS.fullmatch(text) else None


def _is_token(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and _TOKEN.fullmatch(value) is not None


def _unusable(how: str, account: str) -> Unavailable:
    return Unavailable(f"the token service answered {how}; try again later", account=account, code="no_token")


def refused(
    provider: Provider,
    answer: Mapping[str, object],
    *,
    account: str,
    grant_age: dt.timedelta | None = None,
    status: int | None = None,
) -> MailkitError:
    """Understand an answer without tokens: by its numbers first, then by its words."""
    # https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow#error-response-1
    detail, numbers = answer.get("error_description"), answer.get("error_codes")
    words = (answer.get("error_subtype"), answer.get("suberror"), answer.get("error"))
    codes = [str(number) for number in numbers] if isinstance(numbers, list) else []
    if provider == "microsoft" and not codes:
        codes = _LEADING_CODE.findall(str(detail))  # a redirect has no error_codes: the number leads the description
    return refusal(
        provider,
        [*codes, *(word for word in words if isinstance(word, str))],
        account=account,
        grant_age=grant_age,
        detail=detail if isinstance(detail, str) else None,
        status=status,
    )
