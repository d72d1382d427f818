"""A provider in a few lines: a transport that answers from a script, a token source that counts, a small dialect."""

from __future__ import annotations

import copy
import json as json_text
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping

import attrs

from mailkit.errors import (
    MailkitError,
    NotFound,
    PermissionMissing,
    ProviderError,
    RateLimited,
    SignInRequired,
    Unavailable,
)
from mailkit.sandbox.clock import VirtualClock
from mailkit.transport import Answer, BatchRoute, Quota, Refusal, RetryPolicy, Session, Slots
from mailkit.values import AccessToken, Account, HttpRequest

BASE = "https://mail.example/v1"
ROOMY = Quota(units=1000, seconds=60)
GRAPH_BATCH = BatchRoute(style="json", path="/$batch", size=20, slots=4)
GMAIL_BATCH = BatchRoute(style="multipart", path="/batch/gmail/v1", size=25, parallel=4)


@attrs.define
class Reply:
    """One answer: ``cut`` raises that error after the content, ``closed`` says whether it was released."""

    status: int = 200
    headers: dict[str, str] = attrs.field(factory=dict)
    content: bytes = b""
    cut: MailkitError | None = None
    closed: bool = False

    async def stream(self) -> AsyncIterator[bytes]:
        for start in range(0, len(self.content), 10):
            yield self.content[start : start + 10]
        if self.cut:
            raise copy.copy(self.cut)

    async def aclose(self) -> None:
        self.closed = True


def reply(status: int = 200, json: object = None, **headers: str) -> Reply:
    """Give a JSON answer; ``retry_after="1"`` is the header Retry-After."""
    named = {"content-type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return Reply(status, named, json_text.dumps({} if json is None else json).encode())


# Errors are raised as copies: a script is used by many tests, and an error learns where it happened.
Script = Reply | MailkitError
Server = Callable[[HttpRequest], Script | Awaitable[Script]]


class ScriptedTransport:
    """Answers from a list, in order, or by a function; keeps the requests and what was open at once."""

    def __init__(self, script: Iterable[Script] | Server) -> None:
        self._script = script if callable(script) else iter(script)
        self.requests: list[HttpRequest] = []
        self.replies: list[Reply] = []
        self.closed = 0

    async def send(self, request: HttpRequest) -> Reply:
        self.requests.append(request)
        made = self._script(request) if callable(self._script) else next(self._script)
        answer = await made if isinstance(made, Awaitable) else made
        if isinstance(answer, MailkitError):
            raise copy.copy(answer)
        self.replies.append(answer)
        return answer

    async def aclose(self) -> None:
        self.closed += 1


class Tokens:
    """Gives ``token-1``, and after a refusal ``token-2``, or fails (``at_once``: from the start)."""

    def __init__(self, error: MailkitError | None = None, *, fixed: bool = False, at_once: bool = False) -> None:
        self.number = 1
        self.stale: list[str] = []
        self._error = error
        self._fixed = fixed
        self._at_once = at_once

    async def token(self, *, stale: str | None = None) -> AccessToken:
        if self._at_once and self._error:
            raise self._error
        if stale is not None:
            self.stale.append(stale)
            if self._error:
                raise self._error
            self.number += not self._fixed
        return AccessToken(value=f"token-{self.number}")


@attrs.frozen(kw_only=True)
class SmallDialect:
    """Enough of a provider: 401, 403 with a reason, 404, 429 and the 5xx."""

    base_url: str = BASE
    quota: Quota = ROOMY
    slots: int = 4
    batch: BatchRoute = GRAPH_BATCH
    request_id_headers: tuple[str, ...] = ("request-id",)
    client_request_id_header: str | None = "client-request-id"

    def refusal(self, answer: Answer) -> Refusal:
        match answer.status:
            case 401:
                return Refusal(error=SignInRequired, code="unauthorized")
            case 403 if b"insufficient" in answer.content:
                return Refusal(error=PermissionMissing, code="insufficient", scopes=("Mail.Read",), message="grant it")
            case 404 | 405:
                return Refusal(error=NotFound, code="missing")
            case 403 if b"rateLimitExceeded" in answer.content:
                return Refusal(error=RateLimited, code="rateLimitExceeded", repeat="any")
            case 429:
                return Refusal(error=RateLimited, code="throttled", repeat="any")
            case status if status >= 500:
                return Refusal(error=Unavailable, code="down", repeat="reads")
            case _:
                return Refusal(error=ProviderError, code="refused")


@attrs.define
class Bench:
    """A session on a scripted transport and a virtual clock, which starts at ``clock.monotonic() == 0``."""

    session: Session
    transport: ScriptedTransport
    clock: VirtualClock
    tokens: Tokens


def bench(
    script: Iterable[Script] | Server,
    *,
    dialect: SmallDialect | None = None,
    tokens: Tokens | None = None,
    clock: VirtualClock | None = None,
    retry: RetryPolicy | None = None,
    in_flight: Slots | None = None,
    user_agent: str = "",
    chance: float = 0.0,
    account: Mapping[str, str] | None = None,
) -> Bench:
    transport = ScriptedTransport(script)
    clock, tokens = clock or VirtualClock(), tokens or Tokens()
    ids = (f"id-{number}" for number in range(1, 100_000))
    session = Session(
        Account(name="work", provider="microsoft", token=tokens, transport=transport, **(account or {})),
        dialect=dialect or SmallDialect(),
        tokens=tokens,
        clock=clock,
        retry=retry,
        in_flight=in_flight,
        user_agent=user_agent,
        chance=lambda: chance,
        new_id=lambda: next(ids),
    )
    return Bench(session, transport, clock, tokens)
