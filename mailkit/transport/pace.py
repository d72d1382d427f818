"""Keeping within what a provider allows: so many units in any window, so many requests in flight.

Responsible for waiting before a request, on the clock that is handed in. Never repeats anything, and never knows what
a request is about.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from mailkit.errors import RateLimited
from mailkit.transport.dialect import Quota
from mailkit.transport.per_loop import PerLoop
from mailkit.values import Clock

__all__ = ["Pace", "Slots", "Window"]

# Sums of floats may fall a hair short of the end of a window: a wait below this would not move the clock at all.
_SHORTEST_WAIT = 0.001


class Window:
    """A quota over a sliding window: whatever window is looked at, it never holds more than the quota."""

    def __init__(self, quota: Quota) -> None:
        self._quota = quota
        self._spent: deque[tuple[float, int]] = deque()
        self._total = 0
        self._lock = threading.Lock()  # shared by all event loops of the account, each in a thread of its own

    def take(self, units: int, now: float) -> float:
        """Spend ``units`` and give 0, or spend nothing and give the seconds after which to ask again.

        More than the whole quota counts as the whole quota: waiting would not make it smaller.
        """
        units = min(units, self._quota.units)
        with self._lock:
            while self._spent and now - self._spent[0][0] >= self._quota.seconds:
                self._total -= self._spent.popleft()[1]
            if self._total + units <= self._quota.units:
                self._spent.append((now, units))
                self._total += units
                return 0.0
            left = self._total
            for at, spent in self._spent:
                left -= spent
                if left + units <= self._quota.units:
                    return max(at + self._quota.seconds - now, _SHORTEST_WAIT)
            raise AssertionError("an empty window holds any request")  # pragma: no cover


class Slots:
    """A number of places, counted for each event loop; who asks first is served first, also when asking for several."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._here = PerLoop(lambda: (anyio.Lock(fast_acquire=True), anyio.Semaphore(count, fast_acquire=True)))

    @asynccontextmanager
    async def hold(self, places: int = 1) -> AsyncIterator[None]:
        """Wait for that many places (at most all of them) and keep them for the block."""
        queue, free = self._here.get()
        held = 0
        try:
            async with queue:  # one collects at a time: two that held half each would wait for ever
                while held < min(places, self._count):
                    await free.acquire()
                    held += 1
            yield
        finally:
            for _ in range(held):
                free.release()


class Pace:
    """One account's turn: its places first, then one of all accounts' places, then its quota.

    In that order, because an account that waits must not keep others from their turn, and because units count from
    the moment of sending.
    """

    def __init__(self, *, quota: Quota, slots: int, in_flight: Slots, clock: Clock) -> None:
        self._window = Window(quota)
        self._slots = Slots(slots)
        self._in_flight = in_flight
        self._clock = clock

    @asynccontextmanager
    async def turn(self, *, units: int, places: int = 1) -> AsyncIterator[None]:
        """Wait until a request of that cost may go out, and count it as in flight for the block.

        Raises:
            RateLimited: the quota will not be free before the deadline.
        """
        async with self._slots.hold(places):
            while True:
                async with self._in_flight.hold():
                    wait = self._window.take(units, self._clock.monotonic())
                    if not wait:
                        yield
                        return
                if wait >= self._clock.remaining():
                    raise RateLimited(
                        f"mailkit's own pace for this account allows no more for {wait:.0f} seconds; try again then or "
                        "ask for less (where Google grants a project more, say so by gmail_quota or calendar_quota of "
                        "Settings)",
                        retry_after=wait,
                        code="quota_used_up",
                    )
                await self._clock.sleep(wait)
