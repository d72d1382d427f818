"""Which registered app asks: by its id, by Google's downloaded file, or as it was the last time."""

from __future__ import annotations

import os
from collections.abc import Mapping

import attrs

from mailkit.accounts.google_client import read_google_client
from mailkit.accounts.grant import Grant
from mailkit.errors import ConfigurationError
from mailkit.values import Provider

__all__ = ["App", "check_provider", "which_app"]

_NO_APP: Mapping[Provider | None, str] = {
    None: "pass provider= and client= (the app's id, or Google's client_secret….json)",
    "google": "no earlier sign-in says which app asks; pass client= (the path of Google's client_secret….json, or the "
    "app's id with client_secret=)",
    "microsoft": "no earlier sign-in says which app asks; pass client= (the app's id; and tenant=, where it is not for "
    "everybody)",
}


@attrs.frozen(kw_only=True)
class App:
    """A program as the provider knows it."""

    provider: Provider
    client_id: str
    client_secret: str | None = attrs.field(default=None, repr=False)
    tenant: str | None = None


def which_app(
    *,
    provider: Provider | None,
    client: str | os.PathLike[str] | None,
    client_secret: str | None,
    tenant: str | None,
    previous: Grant | None,
    listed: Provider | None,
    account: str,
) -> App:
    """Put together what is said and what there was; blocks while it reads Google's file.

    ``previous`` is the grant there was, ``listed`` the provider ``accounts.toml`` knows the account by.

    Raises:
        ConfigurationError: something is missing, or does not go together.
    """
    check_provider(provider, listed, account=account)
    if client is None:
        known = provider or listed
        if previous is None or known not in (None, previous.provider):
            raise _wrong(_NO_APP[known], account)
        provider, client = previous.provider, previous.client_id
        client_secret, tenant = client_secret or previous.client_secret, tenant or previous.tenant
    elif isinstance(client, os.PathLike) or client.endswith(".json"):
        if provider == "microsoft":
            raise _wrong("a client file is Google's; for Microsoft pass client= the app's (client) id", account)
        file = read_google_client(client)
        provider, client, client_secret = "google", file.client_id, file.client_secret
        check_provider(provider, listed, account=account)
    provider = provider or listed
    if provider is None:
        raise _wrong("pass provider= 'google' or 'microsoft'", account)
    if provider == "google" and not client_secret:
        raise _wrong("Google gives desktop apps a secret, too; pass client_secret=, or the downloaded file", account)
    if provider == "microsoft" and client_secret:
        # A secret after a device code fails with AADSTS7000215, and one on a person's machine is none.
        raise _wrong("an app that people sign in to at Microsoft has no secret; leave client_secret= out", account)
    return App(
        provider=provider,
        client_id=client,
        client_secret=client_secret,
        tenant=(tenant or "common") if provider == "microsoft" else None,
    )


def check_provider(provider: Provider | None, listed: Provider | None, *, account: str) -> None:
    """Make sure that the account is not listed at another provider, whose mail, store and settings it stands for.

    Raises:
        ConfigurationError: it is (code ``other_provider``).
    """
    if None not in (provider, listed) and provider != listed:
        raise ConfigurationError(
            f"accounts.toml lists this account at {listed}, not {provider}; remove it there first, "
            "or choose another name",
            account=account,
            code="other_provider",
        )


def _wrong(sentence: str, account: str) -> ConfigurationError:
    return ConfigurationError(sentence, account=account, code="client")
