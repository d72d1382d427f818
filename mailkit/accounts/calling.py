"""Calls what a program handed in, whether it is plain or async, without holding up the event loop.

A plain callable runs in a worker thread and is left behind when the call is cancelled. Knows nothing of tokens.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import TypeVar, cast

import anyio.to_thread

__all__ = ["call"]

T = TypeVar("T")


async def call(work: Callable[..., T | Awaitable[T]], *args: object) -> T:
    """Give what the callable comes to in the end: a plain one may give a coroutine, too."""
    value: object
    if inspect.iscoroutinefunction(work) or inspect.iscoroutinefunction(getattr(work, "__call__", None)):  # noqa: B004
        value = work(*args)
    else:
        # Boxed, since trio refuses what looks like async code run by mistake: a callable that gives a coroutine.
        (value,) = await anyio.to_thread.run_sync(lambda: (_contained(work, *args),), abandon_on_cancel=True)
    while inspect.isawaitable(value):
        value = await value
    return cast("T", value)


def _contained(work: Callable[..., T], *args: object) -> T:
    """Run somebody's code; its wish to end the program must not end the event loop, which serves other accounts."""
    try:
        return work(*args)
    except (SystemExit, KeyboardInterrupt, GeneratorExit) as end:
        raise RuntimeError(f"{type(end).__name__} was raised") from end
