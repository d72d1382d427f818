"""Large files on their way through a client take less than 10 MB, measured against a server that keeps nothing."""

from __future__ import annotations

import io
import re
import tracemalloc
from pathlib import Path
from typing import Any

import httpx
import pytest

from mailkit import Account, AsyncMailClient, HttpxTransport, OutgoingFile
from mailkit.values import Provider
from tests.sending.post import ANN, BOB, PROVIDERS

pytestmark = pytest.mark.anyio

SIZES: dict[Provider, int] = {
    "google": 26_000_000,
    "microsoft": 30_000_000,
}  # 35 MB as it travels
MOST = 10_000_000


class Nowhere(httpx.AsyncBaseTransport):
    """Takes uploads of both providers and forgets them."""

    def __init__(self) -> None:
        self.taken = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        if request.method == "PUT":
            return self._piece(request)
        if path.startswith("/upload/"):
            return httpx.Response(200, headers={"location": f"{request.url}&upload_id=1"})
        if path.endswith("createUploadSession"):
            return httpx.Response(201, json={"uploadUrl": "https://outlook.office.com/up?authtoken=1"})
        if path.endswith("/send"):
            return httpx.Response(202 if "graph" in request.url.host else 200, json={"id": "1", "threadId": "1"})
        return httpx.Response(201, json={"id": "AAk=", "internetMessageId": "<1@x.example>"})

    def _piece(self, request: httpx.Request) -> httpx.Response:
        first, last, total = map(int, re.findall(r"\d+", request.headers["content-range"]))
        assert first == self.taken
        self.taken = last + 1
        if "google" in request.url.host:
            if self.taken == total:
                return httpx.Response(200, json={"id": "1", "threadId": "1"})
            return httpx.Response(308, headers={"range": f"bytes=0-{last}"})
        return (
            httpx.Response(201)
            if self.taken == total
            else httpx.Response(200, json={"nextExpectedRanges": [f"{last + 1}"]})
        )


class Zeros(io.RawIOBase):
    """A stream of nothing that holds nothing."""

    def __init__(self, size: int) -> None:
        self.left = size

    def read(self, size: int = -1) -> bytes:
        size = min(size, self.left)
        self.left -= size
        return bytes(size)


@pytest.mark.parametrize("source", ["path", "stream"])
@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_large_file_never_lies_in_memory(provider: Provider, source: str, tmp_path: Path) -> None:
    size = SIZES[provider]
    with (tmp_path / "big.bin").open("wb") as file:
        file.truncate(size)
    content: Any = tmp_path / "big.bin" if source == "path" else Zeros(size)
    server, told = Nowhere(), list[int]()
    transport = HttpxTransport(httpx_transport=server)
    async with AsyncMailClient(
        Account(name="ann", provider=provider, token="t", address=ANN, transport=transport)
    ) as mail:
        await mail.send(BOB, subject="Small", text="x", account="ann")
        tracemalloc.start()
        try:
            result = await mail.send(
                BOB,
                subject="Large",
                text="x",
                files=OutgoingFile(content=content, name="big.bin"),
                key="k",
                progress=lambda done, _total: told.append(done),
            )
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert (result.state, told[-1]) == ("sent", server.taken)
    assert server.taken >= size
    assert peak < MOST
