"""Holds a store's lock in async code: waiting for it can be given up at any time, and what was given up is let go.

Stores are blocking, and another process may keep one locked for long: a caller's deadline must not wait for that.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager

import anyio.to_thread
import attrs

from mailkit.accounts.stores import TokenStore

__all__ = ["holding"]


@asynccontextmanager
async def holding(store: TokenStore) -> AsyncIterator[None]:
    """Keep every other task, thread and process out of the store while the block runs.

    Raises:
        Unavailable: somebody else has kept it too long.
    """
    entry = _Entry(store.lock())
    try:
        await anyio.to_thread.run_sync(entry.enter, abandon_on_cancel=True)
        yield
    finally:
        entry.leave()


@attrs.define
class _Entry:
    """One lock, entered in a thread that may come through only after its caller has left."""

    _lock: AbstractContextManager[object]
    _turn: threading.Lock = attrs.field(factory=threading.Lock, init=False)
    _entered: bool = attrs.field(default=False, init=False)
    _left: bool = attrs.field(default=False, init=False)

    def enter(self) -> None:
        self._lock.__enter__()
        with self._turn:
            self._entered = True
            too_late = self._left
        if too_late:
            self._lock.__exit__(None, None, None)

    def leave(self) -> None:
        with self._turn:
            self._left = True
            entered = self._entered
        if entered:
            self._lock.__exit__(None, None, None)
