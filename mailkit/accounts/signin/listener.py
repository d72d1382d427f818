"""Waits on 127.0.0.1 for the browser to come back from the provider.

Answers every request with a plain page and takes the first that is the answer to this very sign-in. Browsers also ask
for an icon, open connections they do not use, and come twice, and any page may send them here: none of that counts.
Listens on no other address, and nothing
of what was brought is shown or logged.
"""

from __future__ import annotations

import errno
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import anyio
import attrs
from anyio.abc import Listener as SocketListener
from anyio.abc import SocketAttribute, SocketStream

from mailkit.accounts.signin.redirect import is_answer_to, read_redirect
from mailkit.errors import ConfigurationError

__all__ = ["Listener", "listening"]

_LONGEST = 64 * 1024
_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Signing in</title></head>
<body><p>{text}</p></body></html>
"""
_DONE = "That was all here. You can close this page and go back to the program."
_NOTHING = "There is nothing here."


@attrs.define
class Listener:
    """One waiting place; ``port`` is the one it has."""

    port: int
    _socket: SocketListener[SocketStream]
    _came: anyio.Event = attrs.field(factory=anyio.Event, init=False)
    _fields: Mapping[str, str] | None = attrs.field(default=None, init=False, repr=False)

    async def redirect(self, state: str) -> Mapping[str, str]:
        """Wait for the answer to the sign-in that has this state, and give its fields."""

        async def answer(stream: SocketStream) -> None:
            await self._answer(stream, state)

        async with anyio.create_task_group() as group:
            group.start_soon(self._socket.serve, answer)
            await self._came.wait()
            group.cancel_scope.cancel()
        return self._fields or {}

    async def _answer(self, stream: SocketStream, state: str) -> None:
        async with stream:
            try:
                head = await _head(stream)
                method, _, rest = head.partition(" ")
                fields = read_redirect(rest.partition(" ")[0]) if method == "GET" else None
                if fields is not None and not is_answer_to(state, fields):
                    fields = None
                await stream.send(_page(fields is not None))
            except (anyio.BrokenResourceError, anyio.EndOfStream):
                return
        if fields is not None and self._fields is None:
            self._fields = fields
            self._came.set()


@asynccontextmanager
async def listening(port: int, *, account: str) -> AsyncIterator[Listener]:
    """Open a listener for the block; ``port`` 0 takes one that is free.

    Raises:
        ConfigurationError: the port is taken (code ``port_taken``), or may not be used.
    """
    try:
        socket = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=port)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        raise ConfigurationError(
            f"port {port} of this machine {'is taken' if taken else 'cannot be used'}; "
            "pass another port=, or none for one that is free",
            account=account,
            code="port_taken" if taken else "bad_port",
        ) from None
    async with socket:
        yield Listener(socket.extra(SocketAttribute.local_port), socket)  # noqa: S610  # anyio's, no database's


async def _head(stream: SocketStream) -> str:
    data = b""
    while b"\r\n\r\n" not in data and len(data) < _LONGEST:
        data += await stream.receive()
    return data.decode("latin-1").partition("\r\n")[0]


def _page(done: bool) -> bytes:
    body = _PAGE.format(text=_DONE if done else _NOTHING).encode()
    head = (
        f"HTTP/1.1 {'200 OK' if done else '404 Not Found'}",
        "Content-Type: text/html; charset=utf-8",
        f"Content-Length: {len(body)}",
        # The address holds the code: no other site may learn it, nothing may keep it.
        "Referrer-Policy: no-referrer",
        "Cache-Control: no-store",
        "Connection: close",
    )
    return "\r\n".join((*head, "", "")).encode() + body
