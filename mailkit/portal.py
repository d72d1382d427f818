"""The one bridge from sync to async: an event loop of its own in one daemon thread, started when first used.

Everything that does I/O is written once, async, and runs here for sync callers: from any thread, also while the
caller's thread runs an event loop itself (a notebook). Ctrl-C and ``timeout`` cancel the work and return at once, a
forked child starts a loop of its own, and since the thread is a daemon a client nobody closed never keeps a program
alive. One thing cannot be interrupted: a name lookup the operating system does not answer.

Callbacks a caller hands in run in this thread or in its worker threads; async code that calls back into here from
the thread itself is refused, since it would wait for itself.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import CancelledError, Future, wait
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TypeVar

import anyio
from anyio.from_thread import BlockingPortal

from mailkit.errors import TimedOut, UsageError

__all__ = ["entered", "iterate", "run"]

T = TypeVar("T")

# On Windows a thread that waits for a lock does not notice Ctrl-C, so there the wait is cut into slices.
# https://docs.python.org/3/library/threading.html#threading.Lock.acquire
_SLICE = 0.1 if sys.platform == "win32" else threading.TIMEOUT_MAX


class _Loop:
    """An event loop in a daemon thread, ready to be given work when made."""

    def __init__(self) -> None:
        self._ready: Future[BlockingPortal] = Future()
        self.thread = threading.Thread(target=anyio.run, args=(self._serve,), name="mailkit-portal", daemon=True)
        self.thread.start()
        self.portal = self._ready.result()

    async def _serve(self) -> None:
        async with BlockingPortal() as portal:
            self._ready.set_result(portal)
            await portal.sleep_until_stopped()


_lock = threading.Lock()
_loop: _Loop | None = None


def _forget() -> None:
    """Start anew in a forked child: it has neither the thread nor whoever held the lock."""
    global _lock, _loop  # one loop per process is the point of this module
    _lock, _loop = threading.Lock(), None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _portal() -> BlockingPortal:
    global _loop  # noqa: PLW0603  # see above
    with _lock:
        if _loop is None or not _loop.thread.is_alive():
            _loop = _Loop()
        if _loop.thread is threading.current_thread():
            raise UsageError("a sync client cannot be used inside mailkit's own event loop; use the async client there")
        return _loop.portal


class _Ended(Exception):
    """Brings what would end the loop, and everybody's work in it, to the one caller whose callback raised it."""

    def __init__(self, by: BaseException) -> None:
        super().__init__()
        self.by = by


def run(work: Callable[[], Awaitable[T]], *, timeout: float | None = None) -> T:
    """Run async work to its end and give its result.

    Raises:
        TimedOut: ``timeout`` seconds passed; the work was cancelled.
    """

    async def alone() -> T:
        try:
            return await work()
        except (Exception, anyio.get_cancelled_exc_class()):
            raise
        except BaseException as error:  # noqa: BLE001  # it is raised again, by whoever waits
            raise _Ended(error) from None

    task: Future[T] = _portal().start_task_soon(alone)
    try:
        return _wait(task, task, timeout)
    except _Ended as ended:
        raise ended.by from None


def iterate(items: AsyncIterator[T]) -> Iterator[T]:
    """Go through an async iterator; each step may run in a task of its own."""
    while True:
        try:
            yield run(items.__anext__)
        except StopAsyncIteration:
            return


@contextmanager
def entered(manager: AbstractAsyncContextManager[T]) -> Iterator[T]:
    """Hold an async context manager open for the block, entered and left in one task as cancel scopes demand."""
    portal = _portal()
    ready: Future[tuple[T, anyio.Event]] = Future()

    async def hold() -> None:
        async with manager as value:
            leave = anyio.Event()
            ready.set_result((value, leave))
            await leave.wait()

    def failed(task: Future[None]) -> None:
        if not ready.done():
            ready.set_exception(CancelledError() if task.cancelled() else task.exception())

    task = portal.start_task_soon(hold)
    task.add_done_callback(failed)
    value, leave = _wait(ready, task)
    try:
        yield value
    except GeneratorExit:
        # Nobody left the block, it is thrown away: perhaps at the end of the program, when no thread answers any more.
        task.cancel()
        raise
    except BaseException:
        _leave(portal, leave, task)
        raise
    _leave(portal, leave, task)


def _leave(portal: BlockingPortal, leave: anyio.Event, task: Future[None]) -> None:
    portal.start_task_soon(leave.set)
    _wait(task, task)


def _wait(result: Future[T], work: Future[T] | Future[None], timeout: float | None = None) -> T:
    """Wait for ``result``; whatever ends the wait early (Ctrl-C, the timeout) cancels ``work`` and is raised."""
    left = threading.TIMEOUT_MAX if timeout is None else timeout
    try:
        while not wait((result,), min(left, _SLICE)).done:
            left -= _SLICE
            if left <= 0:
                raise TimedOut(f"not done within {timeout:g} seconds")
    except BaseException:
        work.cancel()
        raise
    return result.result()
