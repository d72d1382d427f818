"""Tokens of accounts that need no person: google-auth signs for service accounts, msal for apps of their own.

Keeps nothing between two tokens: ``TokenCache`` stands in front. What blocks runs in a worker thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from mailkit.accounts import google_identity
from mailkit.accounts.calling import call
from mailkit.accounts.kinds import ClientCredentials, ServiceAccount
from mailkit.accounts.microsoft_identity import APP_SCOPE, MicrosoftIdentity
from mailkit.accounts.scopes import scopes_for
from mailkit.accounts.token_answer import read_tokens
from mailkit.errors import ConfigurationError, SignInRequired
from mailkit.values import AccessToken, Clock, Transport

__all__ = ["ClientCredentialsSource", "ServiceAccountSource"]


@attrs.frozen(kw_only=True)
class ServiceAccountSource:
    """A ``TokenSource`` of a Google service account that acts for one person."""

    account: str
    kind: ServiceAccount
    transport: Transport = attrs.field(repr=False)
    clock: Clock = attrs.field(repr=False)

    async def token(self, *, stale: str | None = None) -> AccessToken:  # noqa: ARG002  # each one is new
        """Have a new token made.

        Raises:
            ConfigurationError: the key cannot be read or is refused, or nothing was delegated to it.
            Unavailable: the token service is not well.
            TransportError: no answer came.
        """
        asked_at, scopes = self.clock.now(), scopes_for("google", self.kind.features)
        with _nobody_to_sign_in():
            answer = await call(
                lambda: google_identity.delegated(
                    self.kind.key_file,
                    subject=self.kind.subject,
                    scopes=scopes,
                    transport=self.transport,
                    account=self.account,
                )
            )
        tokens = read_tokens("google", answer, asked=scopes, account=self.account)
        return AccessToken(value=tokens.access_token, expires_at=asked_at + tokens.life, scopes=scopes)


@attrs.frozen(kw_only=True)
class ClientCredentialsSource:
    """A ``TokenSource`` of a Microsoft app that acts for itself."""

    account: str
    kind: ClientCredentials
    transport: Transport = attrs.field(repr=False)
    clock: Clock = attrs.field(repr=False)

    async def token(self, *, stale: str | None = None) -> AccessToken:  # noqa: ARG002  # each one is new
        """Ask for a new token; what it allows is the app's roles, which the answer does not tell.

        Raises:
            ConfigurationError: the secret is missing or wrong, or the organisation does not know the app.
            Unavailable: the token service is not well.
            TransportError: no answer came.
        """
        asked_at = self.clock.now()
        identity = MicrosoftIdentity(
            client_id=self.kind.client_id,
            tenant=self.kind.tenant,
            transport=self.transport,
            account=self.account,
            client_secret=await call(self.kind.secret),
        )
        answer = await call(identity.app_only)
        with _nobody_to_sign_in():
            tokens = read_tokens("microsoft", answer, asked=frozenset({APP_SCOPE}), account=self.account)
        return AccessToken(value=tokens.access_token, expires_at=asked_at + tokens.life)


@contextmanager
def _nobody_to_sign_in() -> Iterator[None]:
    try:
        yield
    except SignInRequired as error:
        raise ConfigurationError(
            f"the provider refuses this account's app ({error.code}); check its key or secret, whom it acts for, what "
            "an administrator has granted it, and this machine's clock",
            account=error.account,
            code=error.code,
            status=error.status,
            detail=error.detail,
        ) from None
