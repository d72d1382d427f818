"""An account's transport, as its token requests use it: with the timeouts of the settings, halved, and never for long.

A read timeout starts anew with every piece of an answer, so it alone does not end one that drips.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from urllib.parse import urlsplit

import attrs

from mailkit.accounts.settings import Settings
from mailkit.errors import TimedOut
from mailkit.values import Clock, HttpRequest, HttpResponse, Transport

__all__ = ["TimedTransport", "TokenTransport"]

# A renewal under way is waited for even when its caller gives up, so it gets less time than a call for mail.
_SHARE = 0.5


@attrs.frozen
class TokenTransport:
    """A ``Transport`` over another one, which stays the owner of its connections."""

    inner: Transport = attrs.field(repr=False)
    settings: Settings

    async def send(self, request: HttpRequest) -> HttpResponse:
        """Send the request with these timeouts."""
        return await self.inner.send(
            attrs.evolve(
                request,
                connect_timeout=self.settings.connect_timeout * _SHARE,
                read_timeout=self.settings.read_timeout * _SHARE,
            )
        )

    async def aclose(self) -> None:
        """Leave the inner transport open: it is the account's."""


@attrs.frozen
class TimedTransport:
    """A ``Transport`` over another one, whose requests and whole answers together are over at ``until`` (monotonic)."""

    inner: Transport = attrs.field(repr=False)
    clock: Clock = attrs.field(repr=False)
    until: float

    async def send(self, request: HttpRequest) -> HttpResponse:
        """Send the request and read all of the answer.

        Raises:
            TimedOut: it did not come in time.
        """
        answer: _Read | None = None
        with self.clock.deadline(max(0.0, self.until - self.clock.monotonic())):
            response = await self.inner.send(request)
            try:
                content = b"".join([piece async for piece in response.stream()])
            finally:
                await response.aclose()
            answer = _Read(response.status, response.headers, content)
        if answer is None:
            raise TimedOut(f"{urlsplit(request.url).hostname} took too long over its answer; try again later")
        return answer

    async def aclose(self) -> None:
        """Leave the inner transport open: it is the account's."""


@attrs.frozen
class _Read:
    """An answer that is there already."""

    status: int
    headers: Mapping[str, str]
    content: bytes = attrs.field(repr=False)

    async def stream(self) -> AsyncIterator[bytes]:
        yield self.content

    async def aclose(self) -> None:
        """Do nothing: its connection was released when it had been read."""
