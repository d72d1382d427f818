"""Microsoft's sign-in service through msal: one application, every way to a token it is used for.

Each method blocks and belongs in a worker thread. msal is given our transport, remembers no answer between two uses
(it would replay refusals for a minute), asks no other host who the authority is, and writes no log while at work.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Protocol, cast

import attrs

from mailkit.accounts.token_answer import refused
from mailkit.accounts.token_http import MsalHttp
from mailkit.errors import MailkitError, Unavailable
from mailkit.values import Transport

__all__ = ["APP_SCOPE", "MicrosoftIdentity"]

_HOST = "https://login.microsoftonline.com"
_RESERVED = frozenset({"openid", "profile", "offline_access"})  # msal adds them itself, and refuses to be told

# https://learn.microsoft.com/entra/identity-platform/scopes-oidc#the-default-scope
APP_SCOPE = "https://graph.microsoft.com/.default"


class _Application(Protocol):
    """The part of msal's applications that is used."""

    def acquire_token_by_refresh_token(self, refresh_token: str, scopes: list[str]) -> dict[str, object]: ...

    def initiate_device_flow(self, scopes: list[str]) -> dict[str, object]: ...

    def acquire_token_by_device_flow(self, flow: dict[str, object], *, exit_condition: object) -> dict[str, object]: ...

    def initiate_auth_code_flow(
        self, scopes: list[str], *, redirect_uri: str, login_hint: str | None, prompt: str, response_mode: str
    ) -> dict[str, object]: ...

    def acquire_token_by_auth_code_flow(
        self, flow: dict[str, object], answer: Mapping[str, str]
    ) -> dict[str, object]: ...

    def acquire_token_for_client(self, scopes: list[str]) -> dict[str, object]: ...


@attrs.define(kw_only=True)
class MicrosoftIdentity:
    """An app registration at Microsoft, for the time of one flow or one refresh: msal's own cache lives as long.

    A ``client_secret`` (or a certificate, as msal takes it) makes it confidential. Answers come as msal gives them, a
    refusal as one with ``error``. Every method raises ``MailkitError`` where there is no answer to read.
    """

    client_id: str
    tenant: str | None
    transport: Transport = attrs.field(repr=False)
    account: str
    client_secret: str | Mapping[str, str] | None = attrs.field(default=None, repr=False)
    _made: _Application | None = attrs.field(default=None, init=False, repr=False)
    _http: MsalHttp | None = attrs.field(default=None, init=False, repr=False)
    _http_cache: dict[object, object] = attrs.field(factory=dict, init=False, repr=False)

    def refresh(self, refresh_token: str, scopes: frozenset[str]) -> Mapping[str, object]:
        """Renew: asks for exactly these scopes."""
        with self._application() as application:
            return application.acquire_token_by_refresh_token(refresh_token, _asked(scopes))

    def start_device(self, scopes: frozenset[str]) -> dict[str, object]:
        """Ask for a code to be typed in: ``user_code``, ``verification_uri``, ``expires_in``, ``interval``."""
        with self._application() as application:
            flow = application.initiate_device_flow(_asked(scopes))
        if "user_code" not in flow:
            raise refused("microsoft", flow, account=self.account)
        return flow

    def poll_device(self, flow: dict[str, object]) -> Mapping[str, object]:
        """Ask once whether the code was typed in; ``authorization_pending`` is an answer, too."""
        flow.pop("latest_attempt_at", None)  # msal would compare it with the machine's clock, and warn
        with self._application() as application:
            return application.acquire_token_by_device_flow(flow, exit_condition=lambda _flow: True)

    def start_browser(self, scopes: frozenset[str], *, redirect_uri: str, login_hint: str | None) -> dict[str, object]:
        """Make the address to open (``auth_uri``) with state, nonce and PKCE; the rest is msal's own."""
        with self._application() as application:
            flow = application.initiate_auth_code_flow(
                _asked(scopes),
                redirect_uri=redirect_uri,
                login_hint=login_hint,
                prompt="select_account",
                response_mode="form_post",
            )
        # A form cannot be pasted, and msal warns of every other mode: so the mode is changed behind its back.
        return flow | {"auth_uri": str(flow["auth_uri"]).replace("response_mode=form_post", "response_mode=query")}

    def finish_browser(self, flow: dict[str, object], answer: Mapping[str, str]) -> Mapping[str, object]:
        """Exchange the code of the redirect for tokens."""
        with self._application() as application:
            return application.acquire_token_by_auth_code_flow(flow, answer)

    def app_only(self) -> Mapping[str, object]:
        """Get a token for the app itself."""
        with self._application() as application:
            return application.acquire_token_for_client([APP_SCOPE])

    @contextmanager
    def _application(self) -> Iterator[_Application]:
        http = self._http = self._http or MsalHttp(self.transport)
        self._http_cache.clear()
        with _quietly():
            try:
                self._made = self._made or self._make(http)
                yield self._made
            except MailkitError as error:
                error.account = error.account or self.account
                raise
            except Exception as error:  # noqa: BLE001  # an answer that is nonsense makes msal fail anyhow
                # What msal says itself may quote the answer, so it goes no further.
                if http.last is not None and http.last.status >= 400:
                    raise refused("microsoft", http.last.json(), account=self.account) from None
                raise Unavailable(
                    f"the answers of Microsoft's sign-in make no sense ({type(error).__name__}); try again later",
                    account=self.account,
                ) from None

    def _make(self, http: MsalHttp) -> _Application:
        import msal  # type: ignore[import-untyped]  # it brings no types

        _silence()
        make = msal.PublicClientApplication if self.client_secret is None else msal.ConfidentialClientApplication
        return cast(
            "_Application",
            make(
                self.client_id,
                authority=f"{_HOST}/{self.tenant or 'common'}",
                client_credential=self.client_secret,
                http_client=http,
                http_cache=self._http_cache,
                instance_discovery=False,
            ),
        )


def _asked(scopes: frozenset[str]) -> list[str]:
    return sorted(scopes - _RESERVED)


# msal logs whole answers that it cannot read: only what is done for us is silenced.
_at_work: ContextVar[bool] = ContextVar("mailkit_msal_at_work", default=False)


@contextmanager
def _quietly() -> Iterator[None]:
    token = _at_work.set(True)
    try:
        yield
    finally:
        _at_work.reset(token)


@cache
def _silence() -> None:
    names = {name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "msal"}
    for name in names | {"msal.oauth2cli.oauth2"}:  # made with the first application
        logging.getLogger(name).addFilter(lambda _record: not _at_work.get())
