"""Trying until it is done: a fresh token once, waits between attempts, and an end to patience.

Responsible for the order of attempts over one call or many. What an attempt is, and how several calls travel together,
is handed in; whether to wait and how long is ``retry``'s to say.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar

import attrs

from mailkit.errors import MailkitError
from mailkit.transport.call import Call
from mailkit.transport.outcome import Failure, place
from mailkit.transport.retry import RetryPolicy
from mailkit.values import AccessToken, Clock, TokenSource

__all__ = ["Attempt", "Persistence"]

T = TypeVar("T")

Attempt: TypeAlias = Callable[[Mapping[int, Call], str], Awaitable[Mapping[int, T | Failure]]]
"""One try at the calls still open, by their numbers, with a token: gives an outcome for each of them."""


@attrs.frozen(kw_only=True)
class Persistence:
    """For which account, with what tokens, by which clock and policy; ``chance`` gives random numbers of [0, 1)."""

    account: str
    tokens: TokenSource
    clock: Clock
    policy: RetryPolicy
    chance: Callable[[], float]

    async def persist(self, calls: Sequence[Call], attempt: Attempt[T]) -> list[T | MailkitError]:
        """Try the calls until each has its answer or its final error; gives these in order.

        Calls that have theirs are not tried again; those that are wait together, as long as the longest wait.

        Raises:
            MailkitError: there is no token to begin with.
        """
        results: dict[int, T | MailkitError] = {}
        earlier: dict[int, list[str]] = {number: [] for number in range(len(calls))}
        renewed = False
        token: AccessToken | None = None
        while still_open := {number: call for number, call in enumerate(calls) if number not in results}:
            try:
                token = token or await self._token(calls[0].operation)
            except MailkitError as error:
                error.had_no_effect = not results and not any(earlier.values())
                raise
            wait = 0.0
            for number, outcome in (await attempt(still_open, token.value)).items():
                if not isinstance(outcome, Failure):
                    results[number] = outcome
                    continue
                verdict = self._weigh(outcome, calls[number], earlier[number])
                if isinstance(verdict, MailkitError):
                    results[number] = verdict
                else:
                    wait = max(wait, verdict)
            turned_away = [number for number, result in results.items() if _is_stale_token(result)]
            if turned_away and not renewed:
                renewed = True
                fresh = await self._renewed(token, calls[0].operation)
                for number in turned_away:
                    if isinstance(fresh, MailkitError):
                        results[number] = fresh
                    elif fresh.value != token.value:
                        del results[number]
                token = token if isinstance(fresh, MailkitError) else fresh
            if wait:
                await self.clock.sleep(wait)
                token = None  # the one at hand may have run out meanwhile; the source knows
        return [results[number] for number in range(len(calls))]

    def pause(self, failures: int) -> float | None:
        """Give the seconds to wait after so many failures on end, or None to give up."""
        return self.policy.wait(failures=failures, asked=None, remaining=self.clock.remaining(), chance=self.chance())

    def _weigh(self, failure: Failure, call: Call, earlier: list[str]) -> float | MailkitError:
        """Give the seconds to wait before trying again, or the error to end with."""
        error = place(failure.error, account=self.account, operation=call.operation)
        error.attempts = tuple(earlier)
        error.had_no_effect = failure.had_no_effect
        if not failure.may_repeat(call):
            return error
        remaining = self.clock.remaining()
        if self.policy.is_too_long(failure.asked, remaining):
            return failure.as_rate_limit()
        wait = self.policy.wait(
            failures=len(earlier) + 1, asked=failure.asked, remaining=remaining, chance=self.chance()
        )
        if wait is None:
            return error
        what = " ".join(str(part) for part in (error.status or type(error).__name__, error.code) if part)
        earlier.append(f"{what}, waited {wait:.1f} s")
        return wait

    async def _token(self, operation: str, *, stale: str | None = None) -> AccessToken:
        try:
            return await self.tokens.token(stale=stale)
        except MailkitError as error:
            place(error, account=self.account, operation=operation)
            raise

    async def _renewed(self, refused: AccessToken, operation: str) -> AccessToken | MailkitError:
        try:
            return await self._token(operation, stale=refused.value)
        except MailkitError as error:
            error.had_no_effect = True  # it was turned away
            return error


def _is_stale_token(result: object) -> bool:
    return isinstance(result, MailkitError) and result.status == 401
