"""What every way of signing in is given, and how it waits while a program shows its prompt."""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
import attrs

from mailkit.accounts.calling import call
from mailkit.accounts.causes import sign_in_required
from mailkit.accounts.patience import patiently
from mailkit.accounts.settings import Settings
from mailkit.accounts.signin.prompt import Prompt, SignInPrompt
from mailkit.values import Clock, Provider, Transport

__all__ = ["Flow"]

T = TypeVar("T")


@attrs.frozen(kw_only=True)
class Flow:
    """One sign-in under way. ``port`` 0: any; ``timeout`` in seconds, None: as long as the provider waits."""

    account: str
    provider: Provider
    client_id: str
    client_secret: str | None = attrs.field(default=None, repr=False)
    tenant: str | None = None
    scopes: frozenset[str]
    login_hint: str | None = attrs.field(default=None, repr=False)
    prompt: Prompt
    port: int = 0
    timeout: float | None = None
    transport: Transport = attrs.field(repr=False)
    clock: Clock = attrs.field(repr=False)
    settings: Settings = attrs.field(repr=False)

    async def asked(self, work: Callable[[], Awaitable[T]]) -> T:
        """Ask the provider, again after trouble that may pass."""
        return await patiently(work, retry=self.settings.retry, clock=self.clock)

    async def within(self, seconds: float, work: Callable[[dt.datetime], Awaitable[T]]) -> T:
        """Do the work, which is told when it must be done, in at most so many seconds.

        Raises:
            SignInRequired: the time is over (cause ``timed_out``).
        """
        seconds = min(seconds, self.timeout or seconds, self.clock.remaining())
        with self.clock.deadline(seconds):
            return await work(self.clock.now() + dt.timedelta(seconds=seconds))
        raise sign_in_required("timed_out", account=self.account)

    async def shown(self, prompt: SignInPrompt, work: Callable[[], Awaitable[T]]) -> T:
        """Do the work while the prompt is shown: it may stay open, and what it raises ends the sign-in."""
        failed: list[Exception] = []
        done: list[T] = []

        async def show() -> None:
            try:
                await call(self.prompt, prompt)
            except Exception as error:  # noqa: BLE001  # raised below, outside the group that would wrap it
                failed.append(error)
                group.cancel_scope.cancel()

        async def do() -> None:
            try:
                done.append(await work())
            except Exception as error:  # noqa: BLE001  # as above
                failed.append(error)
            group.cancel_scope.cancel()

        async with anyio.create_task_group() as group:
            group.start_soon(show)
            group.start_soon(do)
        if done:  # what a prompt raises when it is closed after the fact does not matter
            return done[0]
        raise failed[0]
