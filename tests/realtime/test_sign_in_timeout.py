"""A sign-in ends when its caller's time is over, also while a thread of its own waits for a service that is silent."""

from __future__ import annotations

import time

import anyio
import pytest

from mailkit import HttpxTransport, SignInRequired, sign_in_async
from mailkit.accounts.stores import MemoryStore
from mailkit.sandbox import Sandbox
from mailkit.transport import SystemClock
from mailkit.values import HttpRequest, HttpResponse

pytestmark = [pytest.mark.anyio, pytest.mark.realtime]


class SilentAboutCodes:
    """Answers everything but the request for a device code."""

    def __init__(self, inner: HttpxTransport) -> None:
        self._inner = inner

    async def send(self, request: HttpRequest) -> HttpResponse:
        if "devicecode" in request.url:
            await anyio.sleep(60)
        return await self._inner.send(request)

    async def aclose(self) -> None:
        await self._inner.aclose()


async def test_no_code_comes_in_time() -> None:
    sandbox = Sandbox(clock=SystemClock())
    sandbox.microsoft("ann@contoso.example")
    sandbox.identity.microsoft.app("app", tenant="contoso.example")
    transport = SilentAboutCodes(HttpxTransport(httpx_transport=sandbox.transport()))
    began = time.monotonic()
    with pytest.raises(SignInRequired) as caught:
        await sign_in_async(
            "work",
            provider="microsoft",
            client="app",
            method="device",
            timeout=0.5,
            prompt=lambda _prompt: None,
            store=MemoryStore(),
            transport=transport,
        )
    assert caught.value.cause == "timed_out"
    assert time.monotonic() - began < 5
    await transport.aclose()
