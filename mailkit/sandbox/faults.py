"""Faults a test scripts for a mailbox: what goes wrong, for which request, how often.

A fault without a body of its own is worded by the provider's service. This module chooses and shapes; it waits for
nothing and touches no mailbox.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, TypedDict, Unpack
from urllib.parse import urlsplit

import attrs

from mailkit.sandbox.wire import SandboxRequest, SandboxResponse, json_response

__all__ = ["Fault", "FaultScript"]

_HTML = b"<!DOCTYPE html><html><head><title>Error</title></head><body><h1>Service unavailable</h1></body></html>"


class Where(TypedDict, total=False):
    """Which requests a fault meets, and whether they are carried out; see ``Fault``."""

    times: int | None
    skip: int
    method: str | None
    path: str | None
    operation: str | None
    part: bool | None
    takes_effect: bool | None


@attrs.frozen(kw_only=True)
class Fault:
    """One thing that goes wrong, for the next ``times`` requests that fit (None: for all).

    The first ``skip`` requests that fit go through unharmed: ``skip=2`` meets the third chunk of an upload.
    A request fits by ``method``, by ``path`` as a substring of its path and query, by the service's ``operation`` name
    (``messages.get``), and by ``part``: True meets only parts of batches, False only whole requests, None either.

    With a ``status`` the request is refused: with ``json`` or ``body`` as given, else in the provider's own words for
    ``reason``. Without one it is answered truly, but late (``delay``, ``inf`` is never), cut short (``truncated``) or
    not at all (``broken``: the line breaks after the request went out, or before).

    ``takes_effect`` says whether the request is carried out all the same: None means not when it is refused, and
    otherwise it is. True lets a mail be sent and its answer be a 502, False lets the line break, or nothing ever come
    back, for a request that did nothing.
    """

    times: int | None = 1
    skip: int = 0
    method: str | None = None
    path: str | None = None
    operation: str | None = None
    part: bool | None = None
    takes_effect: bool | None = None
    status: int | None = None
    reason: str | None = None
    message: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    json: object | None = None
    body: bytes | None = None
    delay: float = 0.0
    truncate: bool = False
    broken: Literal["read", "connect"] | None = None

    @classmethod
    def unauthorized(cls, **where: Unpack[Where]) -> Fault:
        """Refuse the token: 401."""
        return cls(status=401, **where)

    @classmethod
    def forbidden(cls, reason: str | None = None, **where: Unpack[Where]) -> Fault:
        """Refuse with 403 and the provider's word for it (``insufficientPermissions``, ``ErrorAccessDenied`` …)."""
        return cls(status=403, reason=reason, **where)

    @classmethod
    def rate_limited(
        cls,
        retry_after: float | str | None = None,
        reason: str | None = None,
        status: int = 429,
        **where: Unpack[Where],
    ) -> Fault:
        """Throttle; ``retry_after`` goes into the header of that name as it is."""
        headers = () if retry_after is None else (("retry-after", str(retry_after)),)
        return cls(status=status, reason=reason, headers=headers, **where)

    @classmethod
    def server_error(cls, status: int = 503, retry_after: float | str | None = None, **where: Unpack[Where]) -> Fault:
        """Fail with a 5xx."""
        headers = () if retry_after is None else (("retry-after", str(retry_after)),)
        return cls(status=status, headers=headers, **where)

    @classmethod
    def slow(cls, seconds: float, **where: Unpack[Where]) -> Fault:
        """Answer truly, ``seconds`` later."""
        return cls(delay=seconds, **where)

    @classmethod
    def hang(cls, **where: Unpack[Where]) -> Fault:
        """Take the request and never answer."""
        return cls(delay=math.inf, **where)

    @classmethod
    def reset(cls, *, before: bool = False, **where: Unpack[Where]) -> Fault:
        """Break the connection after the request was carried out, or ``before`` it could be sent."""
        return cls(broken="connect" if before else "read", **where)

    @classmethod
    def truncated(cls, **where: Unpack[Where]) -> Fault:
        """Answer truly, but end the body half way."""
        return cls(truncate=True, **where)

    @classmethod
    def html_page(cls, status: int = 502, **where: Unpack[Where]) -> Fault:
        """Answer with a proxy's HTML page."""
        return cls(status=status, body=_HTML, headers=(("content-type", "text/html; charset=UTF-8"),), **where)

    def fits(self, request: SandboxRequest, operation: str | None) -> bool:
        """Say whether this fault is meant for ``request``."""
        pieces = urlsplit(request.url)
        return (
            self.method in (None, request.method)
            and (self.path is None or self.path in f"{pieces.path}?{pieces.query}")
            and self.operation in (None, operation)
            and self.part in (None, request.part)
        )

    def meet(
        self, refuse: Callable[[int, str | None, str | None], SandboxResponse], proceed: Callable[[], SandboxResponse]
    ) -> SandboxResponse:
        """Answer a request as scripted: ``proceed`` carries it out, ``refuse`` words what the script does not."""
        if self.broken == "connect":
            return SandboxResponse(broken="connect")
        carried_out = self.status is None if self.takes_effect is None else self.takes_effect
        answer = proceed() if carried_out else refuse(504, None, None)
        if self.status is not None:
            answer = self._refusal(self.status, refuse)
        content = answer.content[: len(answer.content) // 2] if self.truncate else answer.content
        return attrs.evolve(
            answer, content=content, delay=max(answer.delay, self.delay), broken=self.broken or answer.broken
        )

    def _refusal(
        self, status: int, refuse: Callable[[int, str | None, str | None], SandboxResponse]
    ) -> SandboxResponse:
        if self.json is not None:
            answer = json_response(self.json, status)
        elif self.body is not None:
            answer = SandboxResponse(status=status, content=self.body)
        else:
            answer = refuse(status, self.reason, self.message)
        return attrs.evolve(answer, headers=(*self.headers, *answer.headers))


@attrs.define
class _Left:
    """What is left of one scripted fault."""

    fault: Fault
    skip: int
    times: float


class FaultScript:
    """The faults of one mailbox, in the order they were scripted."""

    def __init__(self) -> None:
        self._left: list[_Left] = []

    def add(self, fault: Fault) -> None:
        """Append a fault."""
        self._left.append(_Left(fault, fault.skip, math.inf if fault.times is None else fault.times))

    def clear(self) -> None:
        """Forget what is left of the script."""
        self._left.clear()

    def take(self, request: SandboxRequest, operation: str | None) -> Fault | None:
        """Give the first fault that fits and has nothing left to skip, one time less of it left afterwards."""
        for left in self._left:
            if not left.fault.fits(request, operation):
                continue
            if left.skip:
                left.skip -= 1
                continue
            left.times -= 1
            if left.times <= 0:
                self._left.remove(left)
            return left.fault
        return None
