"""Things that belong to one event loop: connections, semaphores.

Responsible for giving each running loop its own. An account outlives loops: ``asyncio.run`` twice, or a sync client's
thread beside a program's own loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar, cast
from weakref import WeakKeyDictionary

from anyio.lowlevel import RunVar

__all__ = ["PerLoop"]

T = TypeVar("T")

# Weak keys: a client that nobody closed must not live as long as its loop.
_things: RunVar[WeakKeyDictionary[object, object]] = RunVar("mailkit_things_of_this_loop")


class PerLoop(Generic[T]):
    """One ``T`` for each event loop, made when first asked for and forgotten with its loop."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make

    def get(self) -> T:
        """Give the running loop's own."""
        things = self._here()
        if self not in things:
            things[self] = self._make()
        return cast(T, things[self])

    def pop(self) -> T | None:
        """Forget the running loop's own and give it, if there is one."""
        return cast("T | None", self._here().pop(self, None))

    @staticmethod
    def _here() -> WeakKeyDictionary[object, object]:
        things = _things.get(None)
        if things is None:
            things = WeakKeyDictionary()
            _things.set(things)
        return things
