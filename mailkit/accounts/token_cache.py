"""Keeps an account's token as long as it is good, and asks for a new one once, however many wait for it.

A token is used until 120 seconds before its end; one whose whole life is shorter keeps a quarter of it in reserve, so
that it is never asked for in a loop. Its age is measured from receipt on the monotonic clock, so a wall clock that is
set meanwhile does no harm. Waiters of one event loop share one request and its failure; a waiter that gives up takes
nobody with it. Holds the token in memory only.
"""

from __future__ import annotations

import copy
import datetime as dt
import math
import re

import anyio
import attrs

from mailkit.accounts.margin import margin
from mailkit.accounts.refusals import raised
from mailkit.errors import ConfigurationError, MailkitError
from mailkit.transport.per_loop import PerLoop
from mailkit.values import AccessToken, Clock, TokenSource

__all__ = ["TokenCache"]

_PRINTABLE = re.compile(r"[!-~]+")


class TokenCache:
    """A ``TokenSource`` in front of another."""

    def __init__(self, source: TokenSource, *, clock: Clock) -> None:
        self._source = source
        self._clock = clock
        self._held: AccessToken | None = None
        self._good_until = -math.inf
        self._turns: PerLoop[_Turn] = PerLoop(_Turn)

    async def token(self, *, stale: str | None = None) -> AccessToken:
        """Give the token in hand while it is good and not the ``stale`` one, else a new one.

        Raises:
            MailkitError: the source has none.
        """
        if self._held is not None and self._is_good(stale):
            return self._held
        turn = self._turns.get()
        asked = turn.rounds
        async with turn.lock:
            if self._held is not None and self._is_good(stale):
                return self._held
            if turn.rounds > asked and turn.failure is not None:
                raise copy.copy(turn.failure)
            turn.failure = None
            try:
                token = _usable(await self._asked(stale))
            except MailkitError as error:
                turn.rounds += 1
                turn.failure = error
                raise
            turn.rounds += 1
            self._hold(token)
            return token

    async def _asked(self, stale: str | None) -> object:
        """Ask the source, which may be anybody's code: whatever it raises concerns this account alone."""
        try:
            return await self._source.token(stale=stale)
        except MailkitError:
            raise
        except (Exception, SystemExit) as error:  # asyncio would end the loop for the latter
            raise raised(error, account=None, what="the token source") from error

    def _is_good(self, stale: str | None) -> bool:
        return self._held is not None and self._held.value != stale and self._clock.monotonic() < self._good_until

    def _hold(self, token: AccessToken) -> None:
        self._held = token
        if token.expires_at is None:
            self._good_until = math.inf
            return
        life = token.expires_at - self._clock.now()
        self._good_until = self._clock.monotonic() + (life - margin(life)).total_seconds()


def _usable(token: object) -> AccessToken:
    """Take a token as it may stand in a header (RFC 6750, 2.1), less the white space around it that files leave.

    Raises:
        ConfigurationError: it cannot be one.
    """
    if not isinstance(token, AccessToken):
        raise ConfigurationError("the token source of this account must give an AccessToken; make token() return one")
    given: object = token.value
    value = given.strip() if isinstance(given, str) else ""
    if not _PRINTABLE.fullmatch(value):
        raise ConfigurationError(
            "the token of this account cannot be one: it is empty, or holds a blank or a character beyond ASCII; "
            "pass the access token alone, as it was issued"
        )
    expires_at: object = token.expires_at
    if expires_at is not None and not (isinstance(expires_at, dt.datetime) and expires_at.utcoffset() is not None):
        raise ConfigurationError(
            "expires_at of this account's token must be an aware datetime, such as datetime.now(UTC) + lifetime"
        )
    return token if value == token.value else attrs.evolve(token, value=value)


class _Turn:
    """Who may ask the source, in one event loop, and how the last time went."""

    def __init__(self) -> None:
        self.lock = anyio.Lock()
        self.rounds = 0
        self.failure: MailkitError | None = None
