"""Whatever an account was given as its token becomes a ``TokenSource``.

A string, a callable (plain or async), a ``google.auth`` credential, an ``azure.identity``-shaped credential, an MSAL
application, or a ``TokenSource`` already. They are told apart by shape, so none of those libraries is imported here;
what blocks runs in a worker thread and is left behind when the call is cancelled. What they raise becomes
``SignInRequired`` (a person must act), ``ConfigurationError`` (settings are wrong) or ``Unavailable`` (try later).
Keeps nothing: ``TokenCache`` does.
"""

from __future__ import annotations

import datetime as dt
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol, TypeVar, cast

import anyio.from_thread
import anyio.to_thread
import attrs

from mailkit.accounts.refusals import google_refusal, microsoft_refusal, raised
from mailkit.errors import ConfigurationError, SignInRequired, Unavailable
from mailkit.values import AccessToken, Account, Clock, HttpRequest, TokenSource, Transport

__all__ = ["MARGIN", "token_source"]

MARGIN = dt.timedelta(seconds=120)
"""How long before its end a token is given up for a new one."""

T = TypeVar("T")


class GoogleCredentials(Protocol):
    """The part of ``google.auth.credentials.Credentials`` that is used; ``expiry`` is naive UTC."""

    token: str | None
    expiry: dt.datetime | None

    def refresh(self, request: object) -> None:
        """Get a new token through ``request``."""
        ...


class AzureToken(Protocol):
    """``azure.core.credentials.AccessToken``; ``expires_on`` is in epoch seconds."""

    token: str
    expires_on: int


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


def token_source(account: Account, *, transport: Transport, clock: Clock) -> TokenSource:
    """Make the source of an account's tokens; ``transport`` carries what a Google credential asks for.

    Raises:
        ConfigurationError: the token is none of the kinds that are understood.
    """
    token = account.token
    if isinstance(token, str):
        return _Given(account=account.name, value=_text(token, account.name))
    if hasattr(token, "refresh") and hasattr(token, "expiry"):
        return _Google(
            account=account.name, credentials=cast("GoogleCredentials", token), transport=transport, clock=clock
        )
    if callable(getattr(token, "token", None)):
        return cast("TokenSource", token)
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
        call = self.give if _is_async(self.give) else _in_thread(self.give)
        try:
            given = await _awaited(call())
        except (Exception, SystemExit) as error:  # asyncio would end the loop for the latter
            raise raised(error, account=self.account, what="the token callable") from error
        if isinstance(given, AccessToken):
            _text(given.value, self.account)
            return given
        return AccessToken(value=_text(given, self.account))


@attrs.frozen(kw_only=True)
class _Google:
    account: str
    credentials: GoogleCredentials
    transport: Transport
    clock: Clock

    async def token(self, *, stale: str | None = None) -> AccessToken:
        if not self._usable(stale):
            try:
                await _in_thread(lambda: self.credentials.refresh(self._request))()
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

    def _request(
        self,
        url: str,
        method: str = "GET",
        body: bytes | str | None = None,
        headers: Mapping[str, str] | None = None,
        **_options: object,
    ) -> _GoogleAnswer:
        """Carry one request of google-auth (``google.auth.transport.Request``); runs in the worker thread."""
        content = body.encode() if isinstance(body, str) else body or b""
        request = HttpRequest(method=method, url=url, headers=tuple((headers or {}).items()), content=content)
        return anyio.from_thread.run(self._send, request)

    async def _send(self, request: HttpRequest) -> _GoogleAnswer:
        response = await self.transport.send(request)
        try:
            data = b"".join([piece async for piece in response.stream()])
        finally:
            await response.aclose()
        if response.status == 429 or response.status >= 500:
            # google-auth would sleep and repeat by itself, out of reach of any deadline.
            raise Unavailable("Google's token service is not well; try again later", status=response.status)
        return _GoogleAnswer(status=response.status, headers=response.headers, data=data)


@attrs.frozen(kw_only=True)
class _GoogleAnswer:
    """``google.auth.transport.Response``."""

    status: int
    headers: Mapping[str, str]
    data: bytes = attrs.field(repr=False)


@attrs.frozen(kw_only=True)
class _Azure:
    account: str
    credential: AzureCredential
    scopes: list[str]

    async def token(self, *, stale: str | None = None) -> AccessToken:  # noqa: ARG002  # it keeps its own tokens
        get = self.credential.get_token
        call = get if _is_async(get) else _in_thread(get)
        try:
            given = cast("AzureToken", await _awaited(call(*self.scopes)))
        except Exception as error:
            raise raised(error, account=self.account, what="the credential") from error
        return AccessToken(
            value=_text(given.token, self.account), expires_at=dt.datetime.fromtimestamp(given.expires_on, dt.UTC)
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
            given = await _in_thread(lambda: self._acquire(force=stale is not None))()
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
        lifetime, scope = given.get("expires_in"), given.get("scope")
        return AccessToken(
            value=_text(given["access_token"], self.account.name),
            expires_at=asked + dt.timedelta(seconds=float(str(lifetime))) if lifetime is not None else None,
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


def _in_thread(work: Callable[..., T]) -> Callable[..., Awaitable[T]]:
    async def call(*args: object) -> T:
        # Boxed, since trio refuses what looks like async code run by mistake: a callable that gives a coroutine.
        (value,) = await anyio.to_thread.run_sync(lambda: (_contained(work, *args),), abandon_on_cancel=True)
        return value

    return call


def _contained(work: Callable[..., T], *args: object) -> T:
    """Run somebody's code; its wish to end the program must not end the event loop, which serves other accounts."""
    try:
        return work(*args)
    except (SystemExit, KeyboardInterrupt, GeneratorExit) as end:
        raise RuntimeError(f"{type(end).__name__} was raised") from end


def _is_async(work: Callable[..., object]) -> bool:
    return inspect.iscoroutinefunction(work) or inspect.iscoroutinefunction(getattr(work, "__call__", None))  # noqa: B004


async def _awaited(value: object) -> object:
    """Wait until there is something that cannot be waited for: a plain callable may give a coroutine."""
    while inspect.isawaitable(value):
        value = await value
    return value
