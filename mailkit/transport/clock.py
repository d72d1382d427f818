"""The real clock.

Responsible for time as the machine has it. Nothing else in mailkit asks the machine what time it is, or waits.
"""

from __future__ import annotations

import datetime as dt
import time
from types import TracebackType
from typing import Self

import anyio

__all__ = ["SystemClock"]


class _Deadline:
    """A cancel scope that remembers whether it had to cut its block off."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._scope: anyio.CancelScope | None = None

    @property
    def expired(self) -> bool:
        return self._scope is not None and self._scope.cancelled_caught

    def __enter__(self) -> Self:
        self._scope = anyio.move_on_after(self._seconds)
        self._scope.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        assert self._scope is not None  # noqa: S101  # __enter__ made it
        return bool(self._scope.__exit__(kind, error, trace))


class SystemClock:
    """The machine's own time, on asyncio and trio alike."""

    def now(self) -> dt.datetime:
        """Give the wall clock, aware, UTC."""
        return dt.datetime.now(dt.UTC)

    def monotonic(self) -> float:
        """Give seconds that never run backwards, the same in every event loop."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await anyio.sleep(seconds)

    def deadline(self, seconds: float | None) -> _Deadline:
        """Cut the block off after ``seconds`` (None: never); ask the value's ``expired`` afterwards."""
        return _Deadline(seconds)

    def remaining(self) -> float:
        """Give the seconds until the nearest enclosing deadline; ``inf`` where there is none."""
        return anyio.current_effective_deadline() - anyio.current_time()
