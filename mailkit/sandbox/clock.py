"""A clock nobody has to wait for: time jumps to the next wake-up or deadline as soon as everything else is blocked.

It keeps the wake-ups of each event loop in a heap and moves its own time; it never sleeps, never reads the real clock
and knows nothing of mail. Real network traffic looks like a blocked task to it, so it belongs to in-process sandboxes.
"""

from __future__ import annotations

import asyncio
import contextvars
import datetime as dt
import heapq
import itertools
import math
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import anyio
import anyio.lowlevel
import anyio.to_thread
import attrs

__all__ = ["VirtualClock"]

_START = dt.datetime(2026, 3, 16, 9, tzinfo=dt.UTC)

# Quiet rounds of asyncio's loop before time moves: callbacks that call callbacks (nested gathers do) run in between.
_ROUNDS = 5

# The drivers of all virtual clocks: they are always runnable, so they must not keep each other waiting.
_drivers: weakref.WeakSet[asyncio.Task[None]] = weakref.WeakSet()


@attrs.define(order=False, eq=False)
class _Alarm:
    """Something to do at a time; switched off instead of being dug out of the heap."""

    at: float
    number: int
    ring: Callable[[], None]
    off: bool = False

    def __lt__(self, other: _Alarm) -> bool:
        return (self.at, self.number) < (other.at, other.number)


@attrs.define(eq=False)
class _Schedule:
    """The alarms of one event loop. ``driver`` also keeps the asyncio task alive while it runs."""

    alarms: list[_Alarm] = attrs.field(factory=list)
    driver: object | None = None

    def next(self) -> _Alarm | None:
        while self.alarms and self.alarms[0].off:
            heapq.heappop(self.alarms)
        return self.alarms[0] if self.alarms else None


@attrs.frozen
class _Deadline:
    """The answer of ``VirtualClock.deadline``; without a scope it never expires."""

    scope: anyio.CancelScope | None

    @property
    def expired(self) -> bool:
        """True when the block was cut off."""
        return self.scope is not None and self.scope.cancelled_caught


class VirtualClock:
    """A ``mailkit.values.Clock`` whose time moves only when every task of the event loop waits for something.

    Alarms ring one at a time, in the order of their time and then of their making, and what one sets in motion comes
    to rest before the next rings: a run is the same every time. ``sleep(math.inf)`` hangs until it is cancelled.
    Work in anyio's worker threads holds time still. It may be used from several event loops (a sync client's portal
    thread is one), which share its time.
    """

    def __init__(self, start: dt.datetime = _START) -> None:
        self._start = start.astimezone(dt.UTC)
        self._elapsed = 0.0
        self._numbers = itertools.count()
        self._schedule = anyio.lowlevel.RunVar[_Schedule](f"virtual clock {id(self)}")
        self._nearest = contextvars.ContextVar("nearest", default=math.inf)

    def now(self) -> dt.datetime:
        """Give the virtual wall clock, aware, UTC."""
        return self._start + dt.timedelta(seconds=self._elapsed)

    def monotonic(self) -> float:
        """Give the virtual seconds passed since the clock was made."""
        return self._elapsed

    def advance(self, seconds: float) -> None:
        """Move time forward by hand; what falls due rings as soon as its event loop is at rest."""
        self._elapsed += max(0.0, seconds)

    async def sleep(self, seconds: float) -> None:
        """Wait in virtual time."""
        if seconds <= 0:
            await anyio.lowlevel.checkpoint()
            return
        woken = anyio.Event()
        if math.isinf(seconds):
            await woken.wait()
            return
        alarm = self._set(self._elapsed + seconds, woken.set)
        try:
            await woken.wait()
        finally:
            alarm.off = True

    @contextmanager
    def deadline(self, seconds: float | None) -> Iterator[_Deadline]:
        """Cut the block off after ``seconds`` of virtual time (None: never). No error: ask ``expired`` afterwards."""
        if seconds is None or math.isinf(seconds):
            yield _Deadline(None)
            return
        at = self._elapsed + seconds
        token = self._nearest.set(min(at, self._nearest.get()))
        try:
            with anyio.CancelScope() as scope:
                alarm = self._set(at, scope.cancel)
                if seconds <= 0:
                    scope.cancel()
                try:
                    yield _Deadline(scope)
                finally:
                    alarm.off = True
        finally:
            self._nearest.reset(token)

    def remaining(self) -> float:
        """Give the virtual seconds left until the nearest enclosing deadline; ``inf`` where there is none."""
        return max(0.0, self._nearest.get() - self._elapsed)

    def _set(self, at: float, ring: Callable[[], None]) -> _Alarm:
        schedule = self._schedule.get(None)
        if schedule is None:
            schedule = _Schedule()
            self._schedule.set(schedule)
        alarm = _Alarm(at, next(self._numbers), ring)
        heapq.heappush(schedule.alarms, alarm)
        if schedule.driver is None:
            schedule.driver = self._start_driver(schedule)
        return alarm

    def _start_driver(self, schedule: _Schedule) -> object:
        if _on_asyncio():
            task = asyncio.get_running_loop().create_task(self._drive(schedule))
            _drivers.add(task)
            return task
        import trio  # here: the event loop that runs just now, and not installed for everybody

        return trio.lowlevel.spawn_system_task(self._drive, schedule)

    async def _drive(self, schedule: _Schedule) -> None:
        try:
            while schedule.next() is not None:
                await _everybody_blocked()
                alarm = schedule.next()
                if alarm is not None:
                    alarm.off = True
                    self._elapsed = max(self._elapsed, alarm.at)
                    alarm.ring()
        finally:
            schedule.driver = None


def _on_asyncio() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def _everybody_blocked() -> None:
    """Return when no other task can run and no worker thread is at work."""
    limiter = anyio.to_thread.current_default_thread_limiter()
    while True:
        if _on_asyncio():
            await _asyncio_blocked()
        else:
            await anyio.wait_all_tasks_blocked()
        if limiter.borrowed_tokens == 0:
            return
        await anyio.lowlevel.checkpoint()


async def _asyncio_blocked() -> None:
    quiet = 0
    while quiet < _ROUNDS:
        await asyncio.sleep(0)
        quiet = quiet + 1 if all(map(_waits, asyncio.all_tasks())) else 0


def _waits(task: asyncio.Task[object]) -> bool:
    if task in _drivers:
        return True
    # The future a task waits for: what anyio's own wait_all_tasks_blocked looks at, too.
    waiter: asyncio.Future[object] | None = task._fut_waiter  # type: ignore[attr-defined]  # noqa: SLF001
    return waiter is not None and not waiter.done()
