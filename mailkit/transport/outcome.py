"""What an attempt came to: an answer to hand over, or a failure with what may be done about it.

Responsible for turning statuses, cut bodies and lost connections into the errors of ``mailkit.errors``. Pure; decides
by status and code, never by the text of an answer, and lets nothing of a body into an error.
"""

from __future__ import annotations

import attrs

from mailkit.errors import (
    AccessError,
    BadPayload,
    ConfigurationError,
    Conflict,
    MailkitError,
    NotFound,
    PermissionMissing,
    RateLimited,
    SignInRequired,
    TransportError,
    Unavailable,
)
from mailkit.transport.call import Answer, Call
from mailkit.transport.dialect import Refusal, Repeat

__all__ = ["NOT_SENT", "Failure", "failed", "foreign", "place", "refused", "understood"]

NOT_SENT = "not_sent"
"""The code of a ``TransportError`` when not a byte of the request went out, so that repeating even a send is safe."""

_ADVICE: tuple[tuple[type[MailkitError], str], ...] = (
    (SignInRequired, "sign in to this account again"),
    (PermissionMissing, "sign in again and grant the permission this needs"),
    (AccessError, "this account has no such thing"),
    (NotFound, "it is not there, or not any more; list again"),
    (Conflict, "it changed in between; read it again, then decide"),
    (RateLimited, "this account was asked too often; wait, then try again"),
    (Unavailable, "the provider is not well just now; try again later"),
)
# No body is the right answer here: accepted, done with nothing to say.
_EMPTY = frozenset({202, 204, 205})


@attrs.frozen(kw_only=True)
class Failure:
    """An attempt that failed; ``asked`` is the provider's ``Retry-After`` in seconds."""

    error: MailkitError
    repeat: Repeat = "never"
    asked: float | None = None

    def may_repeat(self, call: Call) -> bool:
        """Tell whether sending the same call again can help and does no harm."""
        return self.repeat == "any" or (self.repeat == "reads" and call.repeat)

    @property
    def had_no_effect(self) -> bool:
        """Whether it is certain that the provider did nothing: it was not asked, said "not now", or refused."""
        if self.repeat == "any" or isinstance(
            self.error, RateLimited
        ):  # also by our own pace, before anything was sent
            return True
        return 400 <= (self.error.status or 0) < 500 and self.error.status != 408  # 408: RFC 9110 section 15.5.9

    def as_rate_limit(self) -> MailkitError:
        """Give the error for a wait that is longer than the call may take."""
        error = place(
            RateLimited(
                f"the provider asks to wait {self.asked:.0f} seconds, longer than this call may take; try again then",
                retry_after=self.asked,
                request_id=self.error.request_id,
                status=self.error.status,
                code=self.error.code,
                attempts=self.error.attempts,
            ),
            account=self.error.account,
            operation=self.error.operation,
        )
        error.had_no_effect = self.had_no_effect
        return error


def place(error: MailkitError, *, account: str | None, operation: str | None) -> MailkitError:
    """Name account and operation in an error that does not say them yet."""
    error.account = error.account or account
    error.operation = error.operation or operation
    return error


def failed(error: MailkitError) -> Failure:
    """Weigh an error that came instead of an answer."""
    if not isinstance(error, TransportError):
        return Failure(error=error)
    return Failure(error=error, repeat="any" if error.code == NOT_SENT else "reads")


def understood(call: Call, answer: Answer) -> Answer | Failure:
    """Accept an answer of 2xx, its JSON read; a cut or foreign one is a failure, never an empty result or done."""
    if call.done is not None and answer.status != call.done:
        return foreign(call, answer) or Failure(error=_not_done(answer), repeat="reads")
    if answer.status in _EMPTY:
        return answer
    page = foreign(call, answer)
    if page or call.expects == "bytes":
        return page or answer
    try:
        # Written out, for evolve takes three times as long, and this is done for every part of every batch.
        return Answer(
            status=answer.status,
            headers=answer.headers,
            content=answer.content,
            request_id=answer.request_id,
            value=answer.json(),
        )
    except BadPayload as error:
        return Failure(error=error, repeat="reads")


def _not_done(answer: Answer) -> BadPayload:
    return BadPayload(
        "this is not how the provider says that it was done; check for a proxy, or a network that wants a sign-in",
        path="$",
        code="not_accepted",
        status=answer.status,
        request_id=answer.request_id,
    )


def foreign(call: Call, answer: Answer) -> Failure | None:
    """Refuse a page for people where data was to come: a proxy's, or the sign-in page of a network.

    Only a file may be a page itself, and then it bears the provider's own id of the request.
    """
    may_be_page = call.expects == "bytes" and answer.request_id is not None
    if may_be_page or "html" not in answer.headers.get("content-type", ""):
        return None
    return Failure(
        error=Unavailable(
            "a page for people came instead of the provider's answer; sign in to the network, or check the proxy",
            status=answer.status,
            code="html_page",
            request_id=answer.request_id,
        )
    )


def refused(answer: Answer, refusal: Refusal | None, *, asked: float | None) -> Failure:
    """Make the failure for any other answer; ``refusal`` is the dialect's reading, None for a redirect."""
    if refusal is None:
        refusal = Refusal(
            error=Unavailable,
            code="redirected",
            message="the answer was a redirect, which is never followed with a token; check base_url and any proxy",
        )
    advice = next((text for kind, text in _ADVICE if issubclass(refusal.error, kind)), "check the request")
    message = refusal.message or f"the provider answered {answer.status} {refusal.code or ''}".rstrip() + f"; {advice}"
    if issubclass(refusal.error, RateLimited):
        error: MailkitError = refusal.error(message, retry_after=asked)
    elif issubclass(refusal.error, PermissionMissing):
        error = refusal.error(message, scopes=refusal.scopes)
    elif issubclass(refusal.error, ConfigurationError):
        error = refusal.error(message, cause=refusal.cause)
    else:
        error = refusal.error(message)
    error.status, error.code, error.request_id = answer.status, refusal.code, answer.request_id
    # RFC 9110 section 15.6.4: with Retry-After, a server that is too busy to act says when to come again.
    repeat = "any" if answer.status == 503 and asked is not None else refusal.repeat
    return Failure(error=error, repeat=repeat, asked=asked)
