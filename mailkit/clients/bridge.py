"""What the sync client needs beyond the portal: async iterators and context managers in their sync shape."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TypeVar

from mailkit import portal
from mailkit.errors import BadPayload
from mailkit.fanout import AsyncMessageIterator
from mailkit.models import Failure, MessageSummary, Note

__all__ = ["MessageIterator", "opened"]

T = TypeVar("T")


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


@contextmanager
def opened(manager: AbstractAsyncContextManager[AsyncIterator[T]]) -> Iterator[Iterator[T]]:
    """Hold an async stream open for the block and go through it."""
    with portal.entered(manager) as items:
        yield portal.iterate(items)
