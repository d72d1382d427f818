"""What Microsoft Graph tells the transport: limits, batches, and how its errors are to be understood.

Errors are judged by status and ``error.code``: https://learn.microsoft.com/graph/errors
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from mailkit.errors import (
    BadPayload,
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
from mailkit.providers.microsoft.access import UNSURE
from mailkit.transport.call import Answer
from mailkit.transport.dialect import BatchRoute, Quota, Refusal

# An account without an Exchange mailbox: https://learn.microsoft.com/graph/resolve-auth-errors#mailbox-not-found
_NO_MAILBOX = (Unsupported, "this Microsoft account has no Exchange Online mailbox; ask its administrator for one")

# An id of another kind or mailbox is refused as malformed, with 400: for the caller there is no such thing. Nor is
# there a draft that was sent already (ResponseCodeType of Exchange Web Services, whose codes Outlook's are).
_NO_SUCH_ID = frozenset({"ErrorInvalidIdMalformed", "ErrorInvalidId", "ErrorInvalidItemForOperationSendItem"})

# What Exchange refuses by a code that says more than the status: ResponseCodeType of Exchange Web Services.
_SAID: Mapping[str, tuple[type[MailkitError], str]] = {
    **dict.fromkeys(
        ("MailboxNotEnabledForRESTAPI", "MailboxNotSupportedForRESTAPI", "MailboxNotHostedInExchangeOnline"),
        _NO_MAILBOX,
    ),
    "ErrorSendAsDenied": (
        PermissionMissing,
        "this account may not write from that address; use one of its own, or have it allowed",
    ),
    "ErrorOccurrenceCrossingBoundary": (
        Unsupported,
        "Outlook lets no occurrence pass another of its series, or share its day; delete it and create a single event",
    ),
    # Exchange remembers the transactionId of an event that is gone: https://learn.microsoft.com/graph/api/resources/event
    "ErrorDuplicateTransactionId": (
        Conflict,
        "another event was made with this key, or it was deleted since; pass another key to make one more",
    ),
}

# 509 is "bandwidth limit exceeded", and like 429 comes with Retry-After: https://learn.microsoft.com/graph/throttling
_BY_STATUS: Mapping[int, type[MailkitError]] = {
    401: SignInRequired,
    403: PermissionMissing,
    404: NotFound,
    409: Conflict,
    410: NotFound,
    412: Conflict,
    429: RateLimited,
    509: RateLimited,
}


# Per app and mailbox: https://learn.microsoft.com/graph/throttling-limits#outlook-service-limits
_QUOTA = Quota(units=10_000, seconds=600)
IN_FLIGHT = 4
# https://learn.microsoft.com/graph/json-batching: at most 20; Outlook works on four of them at once
_BATCH = BatchRoute(style="json", path="/$batch", size=20, parallel=1, slots=4)


@attrs.frozen(kw_only=True)
class GraphDialect:
    """Graph v1.0. ``slots`` is how many requests one mailbox has in flight at most."""

    base_url: str = "https://graph.microsoft.com/v1.0"
    quota: Quota = _QUOTA
    slots: int = IN_FLIGHT
    batch: BatchRoute = _BATCH
    request_id_headers: tuple[str, ...] = ("request-id", "client-request-id")
    client_request_id_header: str | None = "client-request-id"

    def refusal(self, answer: Answer) -> Refusal:
        """Understand a refusal; for an unknown code the status decides."""
        code = _code(answer)
        if said := _SAID.get(code or ""):
            return Refusal(error=said[0], code=code, message=said[1])
        if code in _NO_SUCH_ID:
            return Refusal(error=NotFound, code=code)
        error = _BY_STATUS.get(answer.status) or (Unavailable if answer.status >= 500 else ProviderError)
        if error is PermissionMissing:
            return Refusal(error=error, code=code, scopes=UNSURE)
        if error is RateLimited:
            # Throttled requests were not carried out: https://learn.microsoft.com/graph/throttling
            return Refusal(error=error, code=code, repeat="any")
        return Refusal(error=error, code=code, repeat="reads" if error is Unavailable else "never")


def _code(answer: Answer) -> str | None:
    try:
        body = answer.json()
    except BadPayload:
        return None
    error = body.get("error") if isinstance(body, Mapping) else None
    code = error.get("code") if isinstance(error, Mapping) else None
    return code if isinstance(code, str) else None
