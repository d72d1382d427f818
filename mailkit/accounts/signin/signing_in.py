"""``mailkit.sign_in`` and its async twin: what is asked for, by which way, and where it goes.

Fills in what is not said from the sign-in there was before. How each way goes stands in ``code`` and ``device``, what
is kept in ``keep``. Prints nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

import anyio.to_thread

from mailkit import portal
from mailkit.accounts.grant import Grant
from mailkit.accounts.scopes import DEFAULT_FEATURES, features_of, scopes_for
from mailkit.accounts.settings import Settings
from mailkit.accounts.signin.app import check_provider, which_app
from mailkit.accounts.signin.arguments import Arguments
from mailkit.accounts.signin.code import by_browser, by_paste
from mailkit.accounts.signin.device import by_device
from mailkit.accounts.signin.flow import Flow
from mailkit.accounts.signin.keep import TELL_ADDRESS, Expected, keep
from mailkit.accounts.signin.place import Place, enter, place_of, previous_in
from mailkit.accounts.signin.prompt import Prompt, open_browser
from mailkit.accounts.signin.way import Method, Way, choose
from mailkit.accounts.stores import TokenStore
from mailkit.accounts.token_transport import TokenTransport
from mailkit.checks import configured
from mailkit.errors import ConfigurationError
from mailkit.transport import HttpxTransport, SystemClock
from mailkit.values import Account, Clock, Provider, Transport

__all__ = ["sign_in", "sign_in_async"]

_WAYS = {"browser": by_browser, "device": by_device, "paste": by_paste}
_PROMPTS = {"device": "print", "paste": "input"}


def sign_in(
    name: str,
    *,
    provider: Provider | None = None,
    client: str | os.PathLike[str] | None = None,
    client_secret: str | None = None,
    tenant: str | None = None,
    features: Iterable[str] | None = None,
    method: Method = "auto",
    prompt: Prompt | None = None,
    address: str | None = None,
    login_hint: str | None = None,
    store: TokenStore | None = None,
    port: int = 0,
    timeout: float | None = None,
    settings: Settings | None = None,
    transport: Transport | None = None,
    clock: Clock | None = None,
) -> Account:
    """Sign a person in and keep what they granted; gives the account, ready for a client.

    ``sign_in("work")`` repeats the sign-in there was. The first one says ``provider`` and ``client``: the app's id
    (Google's with ``client_secret``), or the path of Google's ``client_secret….json``. ``tenant`` is Microsoft's
    (``common`` unless given). ``features`` are what the program wants to do: ``read``, ``send`` and ``calendar``
    unless given, also ``draft``, ``organise``, ``calendar_read``, and at Microsoft ``settings_read``, ``settings``,
    ``rooms`` and ``shared``.

    ``method`` is ``browser`` (on this machine), ``device`` (a code typed in elsewhere; Microsoft only), ``paste`` (a
    browser elsewhere, whose last address is pasted), or ``auto``: the browser where there is one, else what works
    without. ``prompt`` shows a ``SignInPrompt`` to the person; without it the browser is opened, which is all that
    ``browser`` needs. ``address`` is the one that must sign in (without it the one known from before, as far as the
    features let the mailbox tell its own), ``login_hint`` only proposes one. ``port`` is where
    the browser comes back to (0: any that is free), ``timeout`` the seconds the person has (120, or a device code's
    own life). ``settings`` say how patiently the provider is asked: retries and timeouts.

    The grant goes to ``store``; without one it goes to the account's own file, and the account into ``accounts.toml``.

    Raises:
        SignInRequired: the person declined, was too slow, used another account (``wrong_account``), or somebody must
            agree first; ``cause`` says which.
        ConfigurationError: something is missing here, or wrong in the app's registration (``cause``).
        Unavailable: the provider is not well.
        TransportError: the provider cannot be reached.
    """
    return portal.run(
        lambda: sign_in_async(
            name,
            provider=provider,
            client=client,
            client_secret=client_secret,
            tenant=tenant,
            features=features,
            method=method,
            prompt=prompt,
            address=address,
            login_hint=login_hint,
            store=store,
            port=port,
            timeout=timeout,
            settings=settings,
            transport=transport,
            clock=clock,
        )
    )


async def sign_in_async(
    name: str,
    *,
    provider: Provider | None = None,
    client: str | os.PathLike[str] | None = None,
    client_secret: str | None = None,
    tenant: str | None = None,
    features: Iterable[str] | None = None,
    method: Method = "auto",
    prompt: Prompt | None = None,
    address: str | None = None,
    login_hint: str | None = None,
    store: TokenStore | None = None,
    port: int = 0,
    timeout: float | None = None,  # noqa: ASYNC109  # the person's time, which the prompt tells
    settings: Settings | None = None,
    transport: Transport | None = None,
    clock: Clock | None = None,
) -> Account:
    """Sign a person in and keep what they granted; gives the account, ready for a client.

    ``sign_in("work")`` repeats the sign-in there was. The first one says ``provider`` and ``client``: the app's id
    (Google's with ``client_secret``), or the path of Google's ``client_secret….json``. ``tenant`` is Microsoft's
    (``common`` unless given). ``features`` are what the program wants to do: ``read``, ``send`` and ``calendar``
    unless given, also ``draft``, ``organise``, ``calendar_read``, and at Microsoft ``settings_read``, ``settings``,
    ``rooms`` and ``shared``.

    ``method`` is ``browser`` (on this machine), ``device`` (a code typed in elsewhere; Microsoft only), ``paste`` (a
    browser elsewhere, whose last address is pasted), or ``auto``: the browser where there is one, else what works
    without. ``prompt`` shows a ``SignInPrompt`` to the person; without it the browser is opened, which is all that
    ``browser`` needs. ``address`` is the one that must sign in (without it the one known from before, as far as the
    features let the mailbox tell its own), ``login_hint`` only proposes one. ``port`` is where
    the browser comes back to (0: any that is free), ``timeout`` the seconds the person has (120, or a device code's
    own life). ``settings`` say how patiently the provider is asked: retries and timeouts.

    The grant goes to ``store``; without one it goes to the account's own file, and the account into ``accounts.toml``.

    Raises:
        SignInRequired: the person declined, was too slow, used another account (``wrong_account``), or somebody must
            agree first; ``cause`` says which.
        ConfigurationError: something is missing here, or wrong in the app's registration (``cause``).
        Unavailable: the provider is not well.
        TransportError: the provider cannot be reached.
    """
    Account(name=name, provider="google", token="")  # a name that cannot be one is told before all else
    with configured(name):
        said = Arguments(
            provider=provider,
            client=client,
            client_secret=client_secret,
            tenant=tenant,
            features=features,
            method=method,
            prompt=prompt,
            address=address,
            login_hint=login_hint,
            store=store,
            port=port,
            timeout=timeout,
            settings=settings,
            transport=transport,
            clock=clock,
        )
    return await _signed_in(name, said)


async def _signed_in(name: str, said: Arguments) -> Account:
    place = await anyio.to_thread.run_sync(place_of, name) if said.store is None else Place(store=said.store)
    listed = place.listed
    check_provider(said.provider, listed.provider if listed else None, account=name)
    previous = await anyio.to_thread.run_sync(previous_in, place.store)
    app = await anyio.to_thread.run_sync(
        lambda: which_app(
            provider=said.provider,
            client=said.client,
            client_secret=said.client_secret,
            tenant=said.tenant,
            previous=previous,
            listed=listed.provider if listed else None,
            account=name,
        )
    )
    if previous is not None and previous.provider != app.provider:
        previous = None  # of another account altogether
    wanted = frozenset(said.features or _features(previous, listed) or DEFAULT_FEATURES)
    _check_address_can_be_asked(app.provider, wanted, said.address, account=name)
    expected = Expected.of(said.address, listed=listed, previous=previous)
    way = choose(said.method, app.provider, account=name)
    way_out = said.transport or HttpxTransport()
    settings = said.settings or Settings()
    flow = Flow(
        account=name,
        provider=app.provider,
        client_id=app.client_id,
        client_secret=app.client_secret,
        tenant=app.tenant,
        scopes=scopes_for(app.provider, wanted),
        login_hint=said.login_hint or said.address or (previous.address if previous else None),
        prompt=said.prompt or _own_prompt(way, account=name),
        port=said.port,
        timeout=said.timeout,
        transport=TokenTransport(way_out, settings),
        clock=said.clock or SystemClock(),
        settings=settings,
    )
    try:
        answer = await _WAYS[way](flow)
        grant = await keep(flow, answer, store=place.store, previous=previous, expected=expected)
    finally:
        if said.transport is None:
            await way_out.aclose()
    account = Account(name=name, provider=app.provider, token=place.store, address=grant.address, scopes=grant.scopes)
    if said.store is not None:
        return account
    return await anyio.to_thread.run_sync(lambda: enter(account, another=expected.said))


def _features(previous: Grant | None, listed: Account | None) -> frozenset[str]:
    """Give what was granted before: by the grant, else by what ``accounts.toml`` says of it."""
    if previous is not None:
        return previous.features
    return features_of(listed.provider, listed.scopes or ()) if listed is not None else frozenset()


def _own_prompt(way: Way, *, account: str) -> Prompt:
    if way == "browser":
        return open_browser
    raise ConfigurationError(
        f'signing in by "{way}" needs somebody who shows what to do: pass prompt=, {_PROMPTS[way]} for one',
        account=account,
        code="no_prompt",
    )


def _check_address_can_be_asked(
    provider: Provider, features: frozenset[str], address: str | None, *, account: str
) -> None:
    if address is not None and provider == "google" and not features & TELL_ADDRESS:
        raise ConfigurationError(
            "Gmail does not tell whose mailbox it is to these features, so address= cannot be checked; "
            "add 'read', or pass login_hint= instead",
            account=account,
            code="address",
        )
