"""What the sync client needs beyond the portal: async iterators and context managers in their sync shape."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager
from types import TracebackType
from typing import Self, TypeVar

from mailkit import portal
from mailkit.errors import BadPayload
from mailkit.fanout import AccountUpdate, AsyncMessageIterator
from mailkit.fanout.event_iteration import AsyncEventIterator
from mailkit.fanout.updates import Share, UpdatesOfAccounts
from mailkit.models import Event, Failure, MessageSummary, Note
from mailkit.models.records import Record

__all__ = ["EventIterator", "EventUpdates", "MessageIterator", "Updates", "opened"]

T = TypeVar("T")
R = TypeVar("R", bound=Record)
S = TypeVar("S", bound=Share)


class MessageIterator(Iterator[MessageSummary]):
    """Rows of every account, newest first, none twice; what went otherwise gathers in ``failures`` and ``notes``.

    An account that fails is left out from there on. When all have failed, the iteration raises: the one error itself,
    or ``AllAccountsFailed``.
    """

    def __init__(self, rows: AsyncMessageIterator) -> None:
        self._rows = rows

    def __next__(self) -> MessageSummary:
        row = self._rows.in_hand()  # a way through the portal costs more than the row itself
        if row is not None:
            return row
        try:
            return portal.run(self._rows.__anext__)
        except StopAsyncIteration:
            raise StopIteration from None

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The accounts that have failed so far."""
        return self._rows.failures

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a provider could not do exactly, so far."""
        return self._rows.notes

    @property
    def problems(self) -> tuple[BadPayload, ...]:
        """The items that could not be understood so far, and were left out."""
        return self._rows.problems


class EventIterator(Iterator[Event]):
    """Events of every calendar by their starts; what went otherwise gathers in ``failures`` and ``notes``.

    A calendar that fails is left out from there on. When every calendar of every account has failed, the iteration
    raises: the one error itself, or ``AllAccountsFailed``.
    """

    def __init__(self, events: AsyncEventIterator) -> None:
        self._events = events

    def __next__(self) -> Event:
        event = self._events.in_hand()
        if event is not None:
            return event
        try:
            return portal.run(self._events.__anext__)
        except StopAsyncIteration:
            raise StopIteration from None

    @property
    def failures(self) -> tuple[Failure, ...]:
        """What has failed so far."""
        return self._events.failures

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a provider could not do exactly, so far."""
        return self._events.notes

    @property
    def problems(self) -> tuple[BadPayload, ...]:
        """The events that could not be understood so far, and were left out."""
        return self._events.problems


class _UpdatesOfAccounts(Iterator[AccountUpdate[R]]):
    def __init__(self, updates: UpdatesOfAccounts[S, R]) -> None:
        self._updates: AsyncIterator[AccountUpdate[R]] = updates
        self._opened: AbstractAsyncContextManager[object] = updates
        self._cancel = updates.cancel
        self._block: AbstractContextManager[object] | None = None

    def __enter__(self) -> Self:
        block = portal.entered(self._opened)
        block.__enter__()
        self._block = block
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return self._block.__exit__(kind, error, trace) if self._block else None

    def __next__(self) -> AccountUpdate[R]:
        try:
            return portal.run(self._updates.__anext__)
        except StopAsyncIteration:
            raise StopIteration from None

    def cancel(self) -> None:
        """Cancel the accounts that have not answered; whoever waits for an update learns at once that none will come.

        To be called from any thread. Harmless when repeated or when all is over.
        """

        async def cancel() -> None:
            self._cancel()

        portal.run(cancel)


class Updates(_UpdatesOfAccounts[MessageSummary]):
    """One update per account as it answers: to be opened once, with ``with``, and gone through in the block.

    Leaving the block cancels what is still under way.
    """


class EventUpdates(_UpdatesOfAccounts[Event]):
    """One update per account as it answers: to be opened once, with ``with``, and gone through in the block.

    Leaving the block cancels what is still under way.
    """


@contextmanager
def opened(manager: AbstractAsyncContextManager[AsyncIterator[T]]) -> Iterator[Iterator[T]]:
    """Hold an async stream open for the block and go through it."""
    with portal.entered(manager) as items:
        yield portal.iterate(items)
