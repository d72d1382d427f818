"""The httpx transport of a sandbox: the same answers for sync and async clients, waits on the sandbox's clock.

A client's own read timeout holds: an answer later than that is ``httpx.ReadTimeout``. An answer that a fault had a
hand in carries the extension ``mailkit.scripted``. Nothing goes over a network.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from email.utils import format_datetime
from typing import Protocol

import httpx

from mailkit.sandbox.clock import VirtualClock
from mailkit.sandbox.wire import SandboxResponse
from mailkit.values import Clock


class Door(Protocol):
    """What the transport leads to: a ``Sandbox``."""

    @property
    def clock(self) -> Clock:
        """What waits are made on."""
        ...

    def arrival(
        self, method: str, url: str, headers: Mapping[str, str], content: bytes
    ) -> AbstractContextManager[SandboxResponse]:
        """Answer a request, which is under way until the block ends."""
        ...


class SandboxTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Takes requests into the sandbox instead of onto the network."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a sync client; a ``VirtualClock`` moves forward by what the answer takes."""
        with self._arrival(request, request.read()) as answer:
            wait, timeout = _wait(request, answer)
            if isinstance(self._door.clock, VirtualClock):
                self._door.clock.advance(wait)
            else:
                time.sleep(wait)
            return self._response(request, answer, timed_out=timeout)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer an async client."""
        with self._arrival(request, await request.aread()) as answer:
            wait, timeout = _wait(request, answer)
            await self._door.clock.sleep(wait)
            return self._response(request, answer, timed_out=timeout)

    def _arrival(self, request: httpx.Request, content: bytes) -> AbstractContextManager[SandboxResponse]:
        headers = {name.lower(): value for name, value in request.headers.items()}
        return self._door.arrival(request.method, str(request.url), headers, content)

    def _response(self, request: httpx.Request, answer: SandboxResponse, *, timed_out: bool) -> httpx.Response:
        if answer.broken == "connect":
            raise httpx.ConnectError("connection refused", request=request)
        if timed_out:
            raise httpx.ReadTimeout("the answer took too long", request=request)
        if answer.broken == "read":
            raise httpx.ReadError("connection reset by peer", request=request)
        return httpx.Response(
            answer.status,
            # RFC 9110, 6.6.1: an origin server with a clock says what time it is.
            headers=[("date", format_datetime(self._door.clock.now(), usegmt=True)), *answer.headers],
            content=answer.content,
            request=request,
            extensions={"mailkit.scripted": answer.scripted},
        )


def _wait(request: httpx.Request, answer: SandboxResponse) -> tuple[float, bool]:
    """Give how long to wait, and whether the client's patience ends before the answer."""
    patience = request.extensions.get("timeout", {}).get("read")
    patience = math.inf if patience is None else patience
    return min(answer.delay, patience), answer.delay > patience
