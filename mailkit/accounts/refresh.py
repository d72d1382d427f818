"""Access tokens of a signed-in account, renewed ahead of their end from what its store keeps.

One renewal at a time over tasks, threads and processes: whoever holds the store's lock reads again what is kept,
since somebody may have renewed meanwhile, and saves what the provider gave before anybody uses it. A renewal under way
is waited for even when its caller gives up, or a rotated refresh token would be lost; but it has 20 seconds in all,
however its answer drips, so nobody is kept longer than that beyond their own deadline, nor the lock from others. What
only the person can mend is remembered in the store, so that the next call fails at once; what is not known to be that
leaves the store as it is. ``TokenCache`` stands in front and keeps the token in memory.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Mapping
from contextlib import suppress

import anyio
import anyio.to_thread
import attrs

from mailkit.accounts import google_identity
from mailkit.accounts.calling import call
from mailkit.accounts.causes import sign_in_required
from mailkit.accounts.grant import DeadGrant, Grant
from mailkit.accounts.holding import holding
from mailkit.accounts.margin import MARGIN, margin
from mailkit.accounts.microsoft_identity import MicrosoftIdentity
from mailkit.accounts.patience import patiently
from mailkit.accounts.scopes import features_of
from mailkit.accounts.stores import TokenStore
from mailkit.accounts.token_answer import read_tokens
from mailkit.accounts.token_transport import TimedTransport
from mailkit.errors import ConfigurationError, MailkitError, SignInRequired
from mailkit.transport import RetryPolicy
from mailkit.values import AccessToken, Clock, Provider, Transport

__all__ = ["RefreshingSource"]

_RENEWAL_SECONDS = 20.0

# What a person answers, or fails to answer, in a flow. A renewal asks nobody: there it is some proxy's word.
_ANSWERS = frozenset({"declined", "timed_out"})


@attrs.define(kw_only=True)
class RefreshingSource:
    """A ``TokenSource`` over a ``TokenStore``.

    ``retry`` says how often and how patiently a token service that is not well is asked again; ``chance`` gives random
    numbers of [0, 1).
    """

    account: str
    provider: Provider
    store: TokenStore
    transport: Transport = attrs.field(repr=False)
    clock: Clock = attrs.field(repr=False)
    retry: RetryPolicy = attrs.field(factory=RetryPolicy, repr=False)
    chance: Callable[[], float] = attrs.field(default=random.random, repr=False)
    _unsaved: tuple[Grant, Grant] | None = attrs.field(default=None, init=False, repr=False)

    async def token(self, *, stale: str | None = None) -> AccessToken:
        """Give the token that is kept while it is good and not the ``stale`` one, else a new one.

        Raises:
            SignInRequired: nobody has signed in, or the provider renews the grant no more.
            ConfigurationError: the store cannot be read or written, or holds a sign-in of the other provider, or the
                app's registration is wrong.
            Unavailable: the token service is not well, or its answer cannot be used.
            TransportError: no answer came, or not in 20 seconds.
        """
        return await patiently(lambda: self._token(stale), retry=self.retry, clock=self.clock, chance=self.chance)

    async def _token(self, stale: str | None) -> AccessToken:
        grant = await call(self._load)
        if not self._is_good(grant, stale):
            async with holding(self.store):
                with anyio.CancelScope(shield=True):
                    grant = await anyio.to_thread.run_sync(self._renewed_unless_good, stale)
        return AccessToken(value=grant.access_token or "", expires_at=grant.expires_at, scopes=grant.scopes)

    def _renewed_unless_good(self, stale: str | None) -> Grant:
        grant = self._settled(self._load())
        return grant if self._is_good(grant, stale) else self._renewed(grant)

    def _load(self) -> Grant:
        grant = self.store.load()
        if grant is None:
            raise SignInRequired(
                f'nobody has signed in to this account yet; sign in: mailkit.sign_in("{self.account}")',
                account=self.account,
                code="no_grant",
            )
        if grant.provider != self.provider:
            raise ConfigurationError(
                f"the token store of this account holds a sign-in of {grant.provider}, and the account is of "
                f"{self.provider}; give it a store of its own, or correct its provider",
                account=self.account,
                code="other_provider",
            )
        if grant.dead is not None:
            raise sign_in_required(grant.dead.cause, account=self.account, code=grant.dead.code)
        return grant

    def _is_good(self, grant: Grant, stale: str | None) -> bool:
        if not grant.access_token or grant.access_token == stale or grant.expires_at is None:
            return False
        reserve = margin(grant.expires_at - grant.renewed_at) if grant.renewed_at else MARGIN
        return grant.expires_at - self.clock.now() >= reserve

    def _settled(self, kept: Grant) -> Grant:
        """Save first what could not be saved the last time, if it still follows from what is kept."""
        before, unsaved = self._unsaved or (None, kept)
        if kept == before:
            self.store.save(unsaved)
            kept = unsaved
        self._unsaved = None
        return kept

    def _renewed(self, grant: Grant) -> Grant:
        if grant.provider == "microsoft":
            # Its refresh token is spent by using it: a store that cannot take the next one says so before that.
            self.store.save(grant)
        asked = self.clock.now()
        try:
            tokens = read_tokens(grant.provider, self._ask(grant, asked), asked=grant.scopes, account=self.account)
        except SignInRequired as error:
            if error.cause not in _ANSWERS:
                self._bury(grant, error)
            raise
        renewed = attrs.evolve(
            grant,
            access_token=tokens.access_token,
            # Google sends none, and the old one stays good; Microsoft's takes the place of the old one.
            refresh_token=tokens.refresh_token or grant.refresh_token,
            renewed_at=asked,
            expires_at=asked + tokens.life,
            scopes=tokens.scopes,
            features=features_of(grant.provider, tokens.scopes),
        )
        self._unsaved = (grant, renewed)
        self.store.save(renewed)
        self._unsaved = None
        return renewed

    def _ask(self, grant: Grant, now: dt.datetime) -> Mapping[str, object]:
        transport = TimedTransport(self.transport, self.clock, self.clock.monotonic() + _RENEWAL_SECONDS)
        if grant.provider == "google":
            return google_identity.refresh(grant, transport=transport, account=self.account, now=now)
        identity = MicrosoftIdentity(
            client_id=grant.client_id, tenant=grant.tenant, transport=transport, account=self.account
        )
        return identity.refresh(grant.refresh_token, grant.scopes)

    def _bury(self, grant: Grant, error: SignInRequired) -> None:
        dead = DeadGrant(cause=error.cause, code=error.code)
        with suppress(MailkitError):  # why there is no token matters more than that it cannot be remembered
            self.store.save(attrs.evolve(grant, access_token=None, expires_at=None, dead=dead))
