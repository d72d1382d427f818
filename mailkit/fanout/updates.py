"""A question to several accounts that tells of each as it answers, instead of once when all have.

Knows nothing of what is asked: who asks gives a share per account and says how shares are put together.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

import anyio
import attrs
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from mailkit.errors import MailkitError, UsageError
from mailkit.models.notes import Failure
from mailkit.models.records import Record
from mailkit.models.results import Results

__all__ = ["AccountUpdate", "Share", "UpdatesOfAccounts"]

T_co = TypeVar("T_co", bound=Record, covariant=True)


@attrs.frozen(kw_only=True)
class AccountUpdate(Generic[T_co]):
    """One account has answered or failed.

    ``rows`` are its own, in the order of the results; ``results`` is everything that has arrived so far, merged;
    ``waiting`` names the accounts still to come. One that failed midway has both rows and a ``failure``.
    """

    account: str
    rows: tuple[T_co, ...] = ()
    failure: Failure | None = None
    results: Results[T_co]
    waiting: tuple[str, ...] = ()


class Share(Protocol):
    """What one account gave."""

    @property
    def error(self) -> MailkitError | None:
        """Why it gave nothing, or nothing more."""


S = TypeVar("S", bound=Share)


class UpdatesOfAccounts(AsyncIterator[AccountUpdate[T_co]], Generic[S, T_co]):
    """One update per account as it answers: to be opened once, with ``async with``, and gone through in the block.

    Leaving the block cancels what is still under way.
    """

    def __init__(self, accounts: Sequence[str], verb: str) -> None:
        self._accounts = tuple(accounts)
        self._verb = verb
        self._shares: dict[str, S] = {}
        self._block = self._asking()
        self._arrivals: _Arrivals[S] | None = None
        self._over = False

    @abstractmethod
    async def _ask(self, account: str) -> S:
        """Ask one account; a failure is part of its share."""

    @abstractmethod
    def _rows(self, share: S) -> tuple[T_co, ...]:
        """Give the rows of one account."""

    @abstractmethod
    def _merged(self, shares: Mapping[str, S]) -> Results[T_co]:
        """Put together what has arrived so far."""

    async def __aenter__(self) -> Self:
        if self._arrivals is not None:
            name = self._verb.rpartition(".")[2]
            raise UsageError(f"these updates were opened before; call {name} again", code="opened_twice")
        await self._block.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._block.__aexit__(kind, error, trace)

    async def __anext__(self) -> AccountUpdate[T_co]:
        if self._arrivals is None:
            raise UsageError(f"open the updates first: with {self._verb}(...) as updates", code="not_opened")
        if self._over:
            raise StopAsyncIteration
        try:
            account, share = await self._arrivals.receive.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None
        self._shares[account] = share
        return AccountUpdate(
            account=account,
            rows=self._rows(share),
            failure=Failure(account=account, error=share.error) if share.error else None,
            results=self._merged({name: self._shares[name] for name in self._accounts if name in self._shares}),
            waiting=tuple(name for name in self._accounts if name not in self._shares),
        )

    def cancel(self) -> None:
        """Cancel the accounts that have not answered; whoever waits for an update learns at once that none will come.

        To be called in the event loop of the block, from any task. Harmless when repeated or when all is over.
        """
        self._over = True
        if self._arrivals is not None:
            self._arrivals.scope.cancel()
            self._arrivals.send.close()

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[None]:
        failed: Exception | None = None
        arrivals = self._arrivals = _Arrivals(len(self._accounts))
        with arrivals.send, arrivals.receive:
            async with anyio.create_task_group() as group:
                if not self._over:
                    group.start_soon(self._ask_all, arrivals)
                try:
                    yield
                except Exception as error:  # noqa: BLE001  # raised below, outside the group, which would wrap it
                    failed = error
                self.cancel()
        if failed is not None:
            raise failed

    async def _ask_all(self, arrivals: _Arrivals[S]) -> None:
        with arrivals.send, arrivals.scope:  # a scope of their own: to cancel them is not to cancel the block
            async with anyio.create_task_group() as group:
                for account in self._accounts:
                    group.start_soon(self._one, account, arrivals.send)

    async def _one(self, account: str, send: MemoryObjectSendStream[tuple[str, S]]) -> None:
        share = await self._ask(account)
        if not self._over:
            send.send_nowait((account, share))


class _Arrivals(Generic[S]):
    """Where the answers of an open question come in, and what cancels those that are still to come."""

    send: MemoryObjectSendStream[tuple[str, S]]
    receive: MemoryObjectReceiveStream[tuple[str, S]]

    def __init__(self, accounts: int) -> None:
        self.send, self.receive = anyio.create_memory_object_stream[tuple[str, S]](accounts)
        self.scope = anyio.CancelScope()
