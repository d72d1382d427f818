"""One task and one deadline per account: whatever one of them does, the others are not held up.

A failure of one account is a value here, not an exception; what is no ``MailkitError`` (a bug, a cancellation) goes
through and cancels the rest.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol, TypeVar

import anyio

from mailkit.errors import AllAccountsFailed, ConnectionFailed, MailkitError, TimedOut
from mailkit.models.notes import Failure
from mailkit.values import Clock

__all__ = ["Work", "attempt", "both", "fan_out", "in_account", "in_time", "named", "raise_if_all_failed"]

T = TypeVar("T")
U = TypeVar("U")
Work = Callable[[], Awaitable[T]]


async def attempt(work: Work[T]) -> T | MailkitError:
    """Give the value, or the error as a value."""
    try:
        return await work()
    except MailkitError as error:
        return error


async def in_time(work: Work[T], *, account: str, operation: str, clock: Clock, deadline: float) -> T | MailkitError:
    """Give the value, the error as a value, or ``TimedOut`` when ``deadline`` seconds were not enough."""
    outcome: T | MailkitError = TimedOut(
        f"no complete answer within {deadline:g} seconds; try again, or allow more with deadline=",
        account=account,
        operation=operation,
    )
    with clock.deadline(deadline):
        outcome = await attempt(work)
    if isinstance(outcome, MailkitError):
        named(outcome, account=account, operation=operation)
    return outcome


def named(error: MailkitError, *, account: str, operation: str) -> None:
    """Name the account and, whatever request it was that failed, the verb that was called."""
    error.account = error.account or account
    error.operation = operation


class Clocked(Protocol):
    """The accounts a client works on, as far as time goes."""

    @property
    def clock(self) -> Clock:
        """Where the time comes from."""
        ...


async def in_account(desk: Clocked, account: str, work: Work[T], *, operation: str, deadline: float) -> T:
    """Do the work of one account under its deadline.

    Raises:
        MailkitError: whatever went wrong, with account and operation.
    """
    outcome = await in_time(work, account=account, operation=operation, clock=desk.clock, deadline=deadline)
    if isinstance(outcome, MailkitError):
        raise outcome
    return outcome


async def both(first: Work[T], second: Work[U]) -> tuple[T | MailkitError, U | MailkitError]:
    """Run two works at once and give both values or errors."""
    values: list[U | MailkitError] = []

    async def aside() -> None:
        values.append(await attempt(second))

    async with anyio.create_task_group() as group:
        group.start_soon(aside)
        value = await attempt(first)
    return value, values[0]


async def fan_out(
    works: Mapping[str, Work[T]], *, operation: str, clock: Clock, deadline: float
) -> dict[str, T | MailkitError]:
    """Run the work of every account at once, each under its own deadline; give the outcomes by account, in order."""
    # Somebody's token source or transport may raise a cancellation of its own: then this is what stays.
    outcomes: dict[str, T | MailkitError] = {
        account: ConnectionFailed("this account's work was cut off from within; try again", account=account)
        for account in works
    }

    async def one(account: str, work: Work[T]) -> None:
        outcomes[account] = await in_time(work, account=account, operation=operation, clock=clock, deadline=deadline)

    async with anyio.create_task_group() as group:
        for account, work in works.items():
            group.start_soon(one, account, work)
    return outcomes


def raise_if_all_failed(outcomes: Mapping[str, object], *, operation: str) -> tuple[Failure, ...]:
    """Give the failures among the outcomes; when nothing else is there, raise.

    Raises:
        MailkitError: the only account concerned failed: its own error.
        AllAccountsFailed: every one of several accounts failed.
    """
    failures = tuple(
        Failure(account=account, error=outcome)
        for account, outcome in outcomes.items()
        if isinstance(outcome, MailkitError)
    )
    if failures and len(failures) == len(outcomes):
        if len(failures) == 1:
            raise failures[0].error
        raise AllAccountsFailed("no account answered", [f.error for f in failures], operation=operation)
    return failures
