"""One account's way to its provider (signatures; the life of a request follows)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager

from mailkit.errors import MailkitError
from mailkit.transport.call import Answer, Call
from mailkit.transport.dialect import Dialect
from mailkit.values import Account, Clock, TokenSource

__all__ = ["Session"]


class Session:
    """One account's way to its provider."""

    def __init__(
        self,
        account: Account,  # account.transport, else an HttpxTransport of its own; account.base_url before the dialect's
        *,
        dialect: Dialect,
        tokens: TokenSource,
        clock: Clock,
        user_agent: str = "",  # what the host program appends to mailkit-sdk/<version>
    ) -> None:
        self.account = account
        self.clock = clock

    async def request(self, call: Call) -> Answer: ...

    def stream(self, call: Call) -> AbstractAsyncContextManager[AsyncIterator[bytes]]: ...

    async def batch(self, calls: Sequence[Call]) -> list[Answer | MailkitError]: ...

    def pages(self, call: Call) -> AsyncIterator[Answer]: ...

    async def aclose(self) -> None: ...
