"""Asking a sign-in service again when it is not well, as often and as patiently as the settings say.

Knows nothing of what is asked; only that it may be asked again.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from mailkit.errors import MailkitError
from mailkit.transport import RetryPolicy
from mailkit.values import Clock

__all__ = ["patiently"]

T = TypeVar("T")


async def patiently(
    work: Callable[[], Awaitable[T]],
    *,
    retry: RetryPolicy,
    clock: Clock,
    chance: Callable[[], float] = random.random,
) -> T:
    """Do the work, again after trouble that may pass; ``chance`` gives random numbers of [0, 1).

    Raises:
        MailkitError: the work's own, once it cannot help to wait or there is no patience left.
    """
    failures = 0
    while True:
        try:
            return await work()
        except MailkitError as error:
            failures += 1
            wait = error.retryable and retry.wait(
                failures=failures, asked=None, remaining=clock.remaining(), chance=chance()
            )
            if not wait:
                raise
            await clock.sleep(wait)
