"""What Google tells the transport: limits, batches, and how its errors are to be understood.

Errors are judged by status and reason, never by their text:
https://developers.google.com/workspace/gmail/api/guides/handle-errors
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar

import attrs

from mailkit.errors import (
    BadPayload,
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
from mailkit.providers.google.limits import BATCH_MOST, BATCH_SIZE, BATCHES_AT_ONCE, QUOTA, REQUESTS_AT_ONCE
from mailkit.transport.call import Answer
from mailkit.transport.dialect import BatchRoute, Quota, Refusal

_SWITCH_ON = (
    "the Google Cloud project of this sign-in has the API switched off; switch it on at "
    "https://console.cloud.google.com/apis/library/gmail.googleapis.com, then wait a few minutes"
)
_DAY_USED_UP = (
    "this Google Cloud project has used up its quota of the day; wait until midnight Pacific time, or raise it"
)
_NO_MAILBOX = (
    "this Google account has no Gmail, or the service account acts for nobody; ask the administrator to switch Gmail "
    "on, or name the user to act for"
)
_ADMINISTRATOR = "the administrator of this domain does not allow this app; ask for it to be allowed"

# The page named above for the words in lower case; for those in capitals
# https://cloud.google.com/apis/design/errors and google.rpc.ErrorInfo. The first reason found here decides.
BY_REASON: Mapping[str, Refusal] = {
    # Refused before anything was done, so even a send may be repeated.
    "rateLimitExceeded": Refusal(error=RateLimited, repeat="any"),
    "userRateLimitExceeded": Refusal(error=RateLimited, repeat="any"),
    "quotaExceeded": Refusal(error=RateLimited, repeat="any"),
    "RATE_LIMIT_EXCEEDED": Refusal(error=RateLimited, repeat="any"),
    # No pause within a call is long enough.
    "dailyLimitExceeded": Refusal(error=RateLimited, message=_DAY_USED_UP),
    # Signing in again changes nothing: only a person with rights over the project can help.
    "accessNotConfigured": Refusal(error=ConfigurationError, message=_SWITCH_ON, cause="api_switched_off"),
    "SERVICE_DISABLED": Refusal(error=ConfigurationError, message=_SWITCH_ON, cause="api_switched_off"),
    "domainPolicy": Refusal(error=PermissionMissing, message=_ADMINISTRATOR),
    "insufficientPermissions": Refusal(error=PermissionMissing, scopes=READ),
    "ACCESS_TOKEN_SCOPE_INSUFFICIENT": Refusal(error=PermissionMissing, scopes=READ),
    "failedPrecondition": Refusal(error=Unsupported, message=_NO_MAILBOX),
    "authError": Refusal(error=SignInRequired),
}

_BY_STATUS: Mapping[int, type[MailkitError]] = {
    401: SignInRequired,
    403: PermissionMissing,
    404: NotFound,
    409: Conflict,
    410: NotFound,
    412: Conflict,
    429: RateLimited,
}

_BATCH = BatchRoute(
    style="multipart", path="/batch/gmail/v1", size=BATCH_SIZE, most=BATCH_MOST, parallel=BATCHES_AT_ONCE
)

# RFC 6750 §3.1: which scopes would do, where the answer says so
_WANTED_SCOPES = re.compile(r'\bscope="([^"]+)"')


@attrs.frozen(kw_only=True)
class GoogleDialect:
    """Gmail v1. ``quota`` is what one user may spend: raise it for a project that has more."""

    base_url: str = "https://gmail.googleapis.com"
    quota: Quota = QUOTA
    slots: int = REQUESTS_AT_ONCE
    batch: BatchRoute = _BATCH
    # Google sends no id of the request, and takes none.
    request_id_headers: tuple[str, ...] = ()
    client_request_id_header: str | None = None
    reasons: ClassVar[Mapping[str, Refusal]] = BY_REASON

    def refusal(self, answer: Answer) -> Refusal:
        """Understand a refusal; without a known reason the status decides."""
        reasons = list(_reasons(answer))
        for reason in reasons:
            known = self.reasons.get(reason)
            if known is not None:
                scopes = known.scopes and _wanted_scopes(answer)
                return attrs.evolve(known, code=reason, scopes=scopes or known.scopes)
        code = reasons[0] if reasons else None
        error = _BY_STATUS.get(answer.status) or (Unavailable if answer.status >= 500 else ProviderError)
        if error is RateLimited:
            return Refusal(error=error, code=code, repeat="any")
        return Refusal(error=error, code=code, repeat="reads" if error is Unavailable else "never")


def _reasons(answer: Answer) -> Iterator[str]:
    """Give the words that say why, the most telling first: ErrorInfo, the older ``errors``, the status word."""
    try:
        body = answer.json()
    except BadPayload:
        return
    error = body.get("error") if isinstance(body, Mapping) else None
    if not isinstance(error, Mapping):
        return
    for name in ("details", "errors"):
        members = error.get(name)
        for member in members if isinstance(members, list) else ():
            reason = member.get("reason") if isinstance(member, Mapping) else None
            if isinstance(reason, str):
                yield reason
    status = error.get("status")
    if isinstance(status, str):
        yield status


def _wanted_scopes(answer: Answer) -> tuple[str, ...]:
    found = _WANTED_SCOPES.search(answer.headers.get("www-authenticate", ""))
    return tuple(found[1].split()) if found else ()
