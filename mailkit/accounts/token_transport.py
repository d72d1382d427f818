"""An account's transport, as its token requests use it: with the timeouts of the settings, halved."""

from __future__ import annotations

import attrs

from mailkit.accounts.settings import Settings
from mailkit.values import HttpRequest, HttpResponse, Transport

__all__ = ["TokenTransport"]

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
