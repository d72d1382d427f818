"""The person and the browser of a sign-in: follows the provider's page to where it leads, over real sockets there."""

from __future__ import annotations

from urllib.parse import urlsplit

import anyio

__all__ = ["visit"]


async def visit(url: str, *, method: str = "GET") -> tuple[int, str]:
    """Ask for a plain http address of this machine; gives status and body."""
    parts = urlsplit(url)
    target = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    async with await anyio.connect_tcp("127.0.0.1", parts.port or 80) as stream:
        await stream.send(f"{method} {target} HTTP/1.1\r\nHost: {parts.netloc}\r\nAccept: */*\r\n\r\n".encode())
        data = b""
        try:
            while True:
                data += await stream.receive()
        except anyio.EndOfStream:
            pass
    head, _, body = data.decode().partition("\r\n\r\n")
    return int(head.split()[1]), body
