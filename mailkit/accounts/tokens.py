"""Whatever an account was given as its token becomes a ``TokenSource``.

A string, a callable (plain or async), a ``google.auth`` credential, an ``azure.identity``-shaped credential, an MSAL
application, a ``TokenStore`` that somebody signed in to, one of ``kinds``, or a ``TokenSource`` already. Callers' own
are told apart by shape, so none of those libraries is imported here; what blocks runs in a worker thread and is left
behind when the call is cancelled. What they raise becomes ``SignInRequired`` (a person must act),
``ConfigurationError`` (settings are wrong) or ``Unavailable`` (try later). Keeps nothing: ``TokenCache`` does.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol, cast

import attrs

from mailkit.accounts.app_tokens import ClientCredentialsSource, ServiceAccountSource
from mailkit.accounts.calling import call
from mailkit.accounts.kinds import ClientCredentials, ServiceAccount
from mailkit.accounts.margin import MARGIN
from mailkit.accounts.refresh import RefreshingSource
from mailkit.accounts.refusals import google_refusal, microsoft_refusal, raised
from mailkit.accounts.settings import Settings
from mailkit.accounts.stores import TokenStore
from mailkit.accounts.token_answer import life_of
from mailkit.accounts.token_http import GoogleHttp
from mailkit.accounts.token_transport import TokenTransport
from mailkit.errors import ConfigurationError, SignInRequired
from mailkit.values import AccessToken, Account, Clock, TokenSource, Transport

__all__ = ["token_source"]


class GoogleCredentials(Protocol):
    """The part of ``google.auth.credentials.Credentials`` that is used; ``expiry`` is naive UTC."""

    token: str | None
    expiry: dt.datetime | None

    def refresh(self, request: object) -> None:
        """Get a new token through ``request``."""
        ...


class AzureToken(Protocol):
    """``azure.core.credentials.AccessToken``; ``expires_on`` is in epoch seconds, None where no end is known."""

    token: str
    expires_on: int | None


class AzureCredential(Protocol):
    """``azure.core.credentials.TokenCredential`` or its async twin."""

    def get_token(self, *scopes: str) -> AzureToken | Awaitable[AzureToken]:
        """Get a token for these scopes."""
        ...


class MsalApplication(Protocol):
    """The part of ``msal.ClientApplication`` that is used."""

    def get_accounts(self, username: str | None = None) -> Sequence[Mapping[str, object]]:
        """Give the accounts in its cache."""
        ...

    def acquire_token_silent(
        self, scopes: list[str], account: Mapping[str, object], *, force_refresh: bool = False
    ) -> Mapping[str, object] | None:
        """Get a token from the cache or by refreshing."""
        ...


def token_source(account: Account, *, transport: Transport, clock: Clock, settings: Settings) -> TokenSource:
    """Make the source of an account's tokens; what it asks for itself travels by ``transport``, as ``settings`` say.

    Raises:
        ConfigurationError: the token is none of the kinds that are understood.
    """
    token = account.token
    transport = TokenTransport(transport, settings)
    if isinstance(token, str):
        return _Given(account=account.name, value=_text(token, account.name))
    if hasattr(token, "refresh") and hasattr(token, "expiry"):
        return _Google(
            account=account.name, credentials=cast("GoogleCredentials", token), transport=transport, clock=clock
        )
    if callable(getattr(token, "token", None)):
        return cast("TokenSource", token)
    if isinstance(token, ServiceAccount):
        return ServiceAccountSource(account=account.name, kind=token, transport=transport, clock=clock)
    if isinstance(token, ClientCredentials):
        return ClientCredentialsSource(account=account.name, kind=token, transport=transport, clock=clock)
    if isinstance(token, TokenStore):
        return RefreshingSource(
            account=account.name,
            provider=account.provider,
            store=token,
            transport=transport,
            clock=clock,
            retry=settings.retry,
        )
    if hasattr(token, "get_token"):
        return _Azure(account=account.name, credential=cast("AzureCredential", token), scopes=_graph_scopes(account))
    if hasattr(token, "acquire_token_silent"):
        application = cast("MsalApplication", token)
        return _Msal(account=account, application=application, scopes=_graph_scopes(account), clock=clock)
    if callable(token):
        return _Called(account=account.name, give=token)
    raise ConfigurationError(
        f"token= of account {account.name!r} is a {type(token).__name__}; pass a string, a callable, a google.auth or "
        "azure.identity credential, an MSAL application, or a TokenSource",
        account=account.name,
    )


@attrs.frozen(kw_only=True)
class _Given:
    account: str
    value: str = attrs.field(repr=False)

    async def token(self, *, stale: str | None = None) -> AccessToken:
        if stale == self.value:
            raise SignInRequired(
                "the token given for this account is refused; pass a fresh one, or a callable that gives fresh ones",
                account=self.account,
                code="expired",
            )
        return AccessToken(value=self.value)


@attrs.frozen(kw_only=True)
class _Called:
    account: str
    give: Callable[[], object]

    async def token(self, *, stale: str | None = None) -> AccessToken:  # noqa: ARG002  # it keeps its own tokens
        try:
            given = await call(self.give)
        except (Exception, SystemExit) as error:  # asyncio would end the loop for the latter
            raise raised(error, account=self.account, what="the token callable") from error
        if isinstance(given, AccessToken):
            _text(given.value, self.account)
            return given
        return AccessToken(value=_text(given, self.account))


@attrs.frozen(kw_only=True)
class _Google:
    account: str
    credentials: GoogleCredentials = attrs.field(repr=False)
    transport: Transport = attrs.field(repr=False)
    clock: Clock = attrs.field(repr=False)

    async def token(self, *, stale: str | None = None) -> AccessToken:
        if not self._usable(stale):
            try:
                await call(self.credentials.refresh, GoogleHttp(self.transport))
            except Exception as error:
                raise google_refusal(error, account=self.account) from error
        scopes = getattr(self.credentials, "granted_scopes", None)
        return AccessToken(
            value=_text(self.credentials.token, self.account),
            expires_at=self._expires_at,
            scopes=None if scopes is None else frozenset(scopes),
        )

    @property
    def _expires_at(self) -> dt.datetime | None:
        # google-auth keeps expiry as naive UTC: https://googleapis.dev/python/google-auth/latest/reference/google.auth.credentials.html
        expiry = self.credentials.expiry
        return None if expiry is None else expiry.replace(tzinfo=dt.UTC)

    def _usable(self, stale: str | None) -> bool:
        held, ends = self.credentials.token, self._expires_at
        return bool(held) and held != stale and (ends is None or ends - self.clock.now() > MARGIN)


@attrs.frozen(kw_only=True)
class _Azure:
    account: str
    credential: AzureCredential
    scopes: list[str]

    async def token(self, *, stale: str | None = None) -> AccessToken:  # noqa: ARG002  # it keeps its own tokens
        try:
            given = await call(self.credential.get_token, *self.scopes)
        except Exception as error:
            raise raised(error, account=self.account, what="the credential") from error
        ends = given.expires_on
        return AccessToken(
            value=_text(given.token, self.account),
            expires_at=None if ends is None else dt.datetime.fromtimestamp(ends, dt.UTC),
        )


@attrs.frozen(kw_only=True)
class _Msal:
    account: Account
    application: MsalApplication
    scopes: list[str]
    clock: Clock

    async def token(self, *, stale: str | None = None) -> AccessToken:
        asked = self.clock.now()
        try:
            given = await call(lambda: self._acquire(force=stale is not None))
        except Exception as error:
            raise raised(error, account=self.account.name, what="the MSAL application") from error
        if given is None:
            raise SignInRequired(
                "the MSAL application has no sign-in for this account in its cache; sign in with it again",
                account=self.account.name,
                code="expired",
            )
        if "access_token" not in given:
            raise microsoft_refusal(given, account=self.account.name)
        life, scope = life_of(given.get("expires_in")), given.get("scope")
        return AccessToken(
            value=_text(given["access_token"], self.account.name),
            expires_at=None if life is None else asked + life,
            scopes=frozenset(each.rpartition("/")[2] for each in scope.split()) if isinstance(scope, str) else None,
        )

    def _acquire(self, *, force: bool) -> Mapping[str, object] | None:
        # https://learn.microsoft.com/python/api/msal/msal.application.clientapplication
        people = self.application.get_accounts(username=self.account.address)
        if people:
            return self.application.acquire_token_silent(self.scopes, people[0], force_refresh=force)
        for_client = getattr(self.application, "acquire_token_for_client", None)
        return for_client(scopes=self.scopes) if for_client else None


def _graph_scopes(account: Account) -> list[str]:
    """Ask for what was granted before: ``.default`` of the host that is called (national clouds have their own)."""
    # https://learn.microsoft.com/entra/identity-platform/scopes-oidc#the-default-scope
    scheme, _, rest = (account.base_url or "https://graph.microsoft.com").partition("://")
    return [f"{scheme}://{rest.partition('/')[0]}/.default"]


def _text(value: object, account: str) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise ConfigurationError(
        f"the token source of account {account!r} gave no token (nothing, or no text); make it return the access token",
        account=account,
    )
