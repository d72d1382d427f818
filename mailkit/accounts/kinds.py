"""Accounts that need no person: how each gets its tokens, as plain values that name their secrets and hold none.

They are given as an account's token, pickle as they are, and stand in ``accounts.toml``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

import attrs

from mailkit.accounts.scopes import DEFAULT_FEATURES
from mailkit.checks import configured, file_path, instance, setting, several, text
from mailkit.errors import ConfigurationError
from mailkit.files import read_plain

__all__ = ["ClientCredentials", "EnvironmentToken", "ServiceAccount"]


def _key_file(value: str | Path) -> Path:
    with configured():
        return file_path(value, "key_file")


def _secret_file(value: str | Path | None) -> Path | None:
    with configured():
        return None if value is None else file_path(value, "secret_file")


def _set(values: Iterable[str]) -> frozenset[str]:
    with configured():
        return frozenset(several(values, "features", str, "names of features, as in ['read']"))


def _maybe_text(value: object, name: str) -> None:
    if value is not None:
        text(value, name)


@attrs.frozen(kw_only=True)
class ServiceAccount:
    """A Google service account that acts for one person of its domain (domain-wide delegation).

    ``key_file`` is the key as downloaded, ``subject`` the person's address, ``features`` what the administrator of the
    domain has delegated. https://developers.google.com/identity/protocols/oauth2/service-account

    Raises:
        ConfigurationError: a value is not what it must be.
    """

    key_file: Path = attrs.field(converter=_key_file)
    subject: str = attrs.field(repr=False, validator=setting(text))
    features: frozenset[str] = attrs.field(converter=_set, default=DEFAULT_FEATURES)

    @property
    def reference(self) -> str:
        """``service-account:`` and the key's path."""
        return f"service-account:{self.key_file}"


@attrs.frozen(kw_only=True)
class ClientCredentials:
    """A Microsoft app that signs in as itself; its account names the ``mailbox`` it works in.

    The secret stands in the environment variable ``secret_env`` or in the file ``secret_file``, and is read when a
    token is asked for. https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow

    Raises:
        ConfigurationError: not exactly one of ``secret_env`` and ``secret_file`` is given, the tenant is none, or
            another value is not what it must be.
    """

    needs_mailbox: ClassVar[bool] = True  # an app has none of its own; its Account looks here

    tenant: str = attrs.field(validator=setting(text))
    client_id: str = attrs.field(validator=setting(text))
    secret_env: str | None = attrs.field(default=None, validator=setting(_maybe_text))
    secret_file: Path | None = attrs.field(default=None, converter=_secret_file)

    @tenant.validator
    def _tenant_is_one(self, _attribute: object, value: str) -> None:
        if value in {"common", "organizations", "consumers"}:
            raise ConfigurationError(
                "tenant must be one organisation's, since an app signs in as itself there; set tenant to its id or "
                "domain",
                cause="unknown_tenant",
            )

    def __attrs_post_init__(self) -> None:
        if (self.secret_env is None) == (self.secret_file is None):
            raise ConfigurationError("give the app's secret in secret_env or in secret_file, one of them")

    @property
    def reference(self) -> str:
        """``client-credentials:``, tenant and client id."""
        return f"client-credentials:{self.tenant}/{self.client_id}"

    def secret(self) -> str:
        """Read the secret.

        Raises:
            ConfigurationError: it is not there.
        """
        if self.secret_env is not None:
            return _from_environment(self.secret_env)
        assert self.secret_file is not None  # noqa: S101  # checked when it was made
        try:
            secret = (read_plain(self.secret_file) or b"").decode().strip()
        except (ConfigurationError, UnicodeDecodeError):
            secret = ""
        if not secret:
            raise ConfigurationError(
                f"there is no secret in {self.secret_file}; put the app's client secret there",
                file=str(self.secret_file),
                code="no_secret",
            )
        return secret


@attrs.frozen(kw_only=True)
class EnvironmentToken:
    """An access token in an environment variable, read anew each time one is asked for."""

    variable: str = attrs.field(validator=setting(instance, kind=str, wanted="the name of an environment variable"))

    @property
    def reference(self) -> str:
        """``environment:`` and the variable's name."""
        return f"environment:{self.variable}"

    def __call__(self) -> str:
        """Read it.

        Raises:
            ConfigurationError: the variable is not set.
        """
        return _from_environment(self.variable)


def _from_environment(variable: str) -> str:
    text = os.environ.get(variable, "").strip()
    if not text:
        raise ConfigurationError(f"the environment variable {variable} is not set; set it", code="no_secret")
    return text
