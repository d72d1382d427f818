"""What every client has: its account set, and an end."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from mailkit.accounts import Accounts
from mailkit.clients.desk import Desk

__all__ = ["AsyncClient"]


class AsyncClient:
    """A client on an account set."""

    _desk: Desk

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {', '.join(self._desk.names)}>"

    @property
    def accounts(self) -> Accounts:
        """The account set this client works on."""
        return self._desk.accounts

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections that no other client on the same accounts uses; harmless when repeated.

        A closed client can still be used: the next call opens connections again, and they want closing again.
        """
        await self._desk.aclose()
