"""A store's lock is waited for without being bound to wait, and never kept by somebody who has left."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import anyio
import anyio.to_thread
import pytest

from mailkit.accounts.holding import holding
from mailkit.accounts.stores import MemoryStore

pytestmark = pytest.mark.anyio


class Busy(MemoryStore):
    """Somebody else has it until ``free`` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.waited_for, self.free, self.left = threading.Event(), threading.Event(), threading.Event()

    def lock(self) -> AbstractContextManager[object]:
        return self._locked()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self.waited_for.set()
        self.free.wait()
        try:
            yield
        finally:
            self.left.set()


async def test_it_is_held_while_the_block_runs() -> None:
    store = Busy()
    store.free.set()
    async with holding(store):
        assert not store.left.is_set()
    assert store.left.is_set()


async def test_who_stops_waiting_is_gone_at_once_and_keeps_nothing() -> None:
    store = Busy()

    async def wait() -> None:
        async with holding(store):
            pytest.fail("it was never free")

    async with anyio.create_task_group() as group:
        group.start_soon(wait)
        await anyio.to_thread.run_sync(store.waited_for.wait)
        group.cancel_scope.cancel()
    assert not store.left.is_set()  # gone, while the lock is still somebody else's
    store.free.set()
    assert await anyio.to_thread.run_sync(store.left.wait, 10)


async def test_it_is_let_go_when_the_block_fails() -> None:
    store = Busy()
    store.free.set()
    with pytest.raises(ZeroDivisionError):
        async with holding(store):
            raise ZeroDivisionError
    assert store.left.is_set()
