"""Signing in through a browser: a code comes back by redirect, or is pasted, and is exchanged for tokens.

The steps are the same at both providers: make an address and open it, take what comes back, exchange the code. How
each provider makes and exchanges stands in a class of its own.
"""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Mapping
from typing import Protocol

import attrs

from mailkit.accounts.calling import call
from mailkit.accounts.google_identity import authorise_url, exchange_request
from mailkit.accounts.microsoft_identity import MicrosoftIdentity
from mailkit.accounts.signin.flow import Flow
from mailkit.accounts.signin.listener import listening
from mailkit.accounts.signin.prompt import SignInPrompt
from mailkit.accounts.signin.redirect import Pkce, check_redirect, read_redirect
from mailkit.accounts.token_answer import refused
from mailkit.accounts.token_http import send
from mailkit.errors import SignInRequired

__all__ = ["by_browser", "by_paste"]

_SECONDS = 120.0
_PASTE_PORT = 8400  # nobody listens there: the browser says so, and its address line holds the answer


async def by_browser(flow: Flow) -> Mapping[str, object]:
    """Open the page and wait for the browser's return; gives the token service's answer.

    Raises:
        SignInRequired: declined, or not done in time.
        ConfigurationError: the port is taken, there is no browser to open, or the provider refuses the app.
    """

    async def work(expires_at: dt.datetime) -> Mapping[str, object]:
        async with listening(flow.port, account=flow.account) as listener:
            way = await _way(flow, listener.port)
            prompt = SignInPrompt(account=flow.account, kind="browser", url=way.url, expires_at=expires_at)
            return await _finish(flow, way, await flow.shown(prompt, lambda: listener.redirect(way.state)))

    return await flow.within(_SECONDS, work)


async def by_paste(flow: Flow) -> Mapping[str, object]:
    """Have the page opened anywhere and the address pasted where it ends; gives the token service's answer.

    Raises:
        SignInRequired: declined, not done in time, no such address, or the answer to another sign-in.
        ConfigurationError: the provider refuses the app.
    """

    async def work(expires_at: dt.datetime) -> Mapping[str, object]:
        way = await _way(flow, flow.port or _PASTE_PORT)
        prompt = SignInPrompt(account=flow.account, kind="paste", url=way.url, expires_at=expires_at)
        pasted = await call(flow.prompt, prompt)
        fields = read_redirect(pasted) if isinstance(pasted, str) else None
        if fields is None:
            raise SignInRequired(
                "what was pasted is not the address the browser ended at (it holds code= and state=); start again: "
                f'mailkit.sign_in("{flow.account}")',
                account=flow.account,
                code="bad_redirect",
            )
        return await _finish(flow, way, fields)

    return await flow.within(_SECONDS, work)


class _Way(Protocol):
    """One try: where the person goes, what ties the answer to it, and what is done with the answer."""

    @property
    def url(self) -> str: ...

    @property
    def state(self) -> str: ...

    async def exchange(self, fields: Mapping[str, str]) -> Mapping[str, object]: ...


async def _way(flow: Flow, port: int) -> _Way:
    if flow.provider == "google":
        return _Google(flow=flow, redirect_uri=f"http://127.0.0.1:{port}")
    identity = MicrosoftIdentity(
        client_id=flow.client_id, tenant=flow.tenant, transport=flow.transport, account=flow.account
    )
    # Registered as http://localhost, which Entra matches on any port:
    # https://learn.microsoft.com/entra/identity-platform/reply-url#localhost-exceptions
    redirect_uri = f"http://localhost:{port}"

    def start() -> dict[str, object]:
        return identity.start_browser(flow.scopes, redirect_uri=redirect_uri, login_hint=flow.login_hint)

    started = await flow.asked(lambda: call(start))
    return _Microsoft(flow=flow, identity=identity, started=started)


async def _finish(flow: Flow, way: _Way, fields: Mapping[str, str]) -> Mapping[str, object]:
    check_redirect(fields, state=way.state, provider=flow.provider, account=flow.account)
    return await way.exchange(fields)


@attrs.frozen(kw_only=True)
class _Google:
    flow: Flow
    redirect_uri: str
    state: str = attrs.field(factory=lambda: secrets.token_urlsafe(24), repr=False)
    pkce: Pkce = attrs.field(factory=Pkce)

    @property
    def url(self) -> str:
        return authorise_url(
            client_id=self.flow.client_id,
            scopes=self.flow.scopes,
            redirect_uri=self.redirect_uri,
            state=self.state,
            challenge=self.pkce.challenge,
            login_hint=self.flow.login_hint,
        )

    async def exchange(self, fields: Mapping[str, str]) -> Mapping[str, object]:
        request = exchange_request(
            client_id=self.flow.client_id,
            client_secret=self.flow.client_secret,
            code=fields["code"],
            verifier=self.pkce.verifier,
            redirect_uri=self.redirect_uri,
        )
        reply = await self.flow.asked(lambda: send(self.flow.transport, request))
        if reply.status >= 400:
            raise refused("google", reply.json(), account=self.flow.account, status=reply.status)
        return reply.json()


@attrs.frozen(kw_only=True)
class _Microsoft:
    """What msal started, with its own state, nonce and PKCE, and finishes."""

    flow: Flow
    identity: MicrosoftIdentity
    started: dict[str, object] = attrs.field(repr=False)

    @property
    def url(self) -> str:
        return str(self.started["auth_uri"])

    @property
    def state(self) -> str:
        return str(self.started["state"])

    async def exchange(self, fields: Mapping[str, str]) -> Mapping[str, object]:
        return await self.flow.asked(lambda: call(self.identity.finish_browser, self.started, dict(fields)))
