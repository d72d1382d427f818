"""Accounts that need no person: how each gets its tokens, as plain values that name their secrets and hold none.

They are given as an account's token, pickle as they are, and stand in ``accounts.toml``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import attrs

from mailkit.accounts.scopes import DEFAULT_FEATURES
from mailkit.errors import ConfigurationError

__all__ = ["ClientCredentials", "EnvironmentToken", "ServiceAccount"]


def _absolute(path: str | Path) -> Path:
    return Path(path).expanduser().absolute()


def _set(values: Iterable[str]) -> frozenset[str]:
    return frozenset(values)


def _maybe_absolute(path: str | Path | None) -> Path | None:
    return None if path is None else _absolute(path)


@attrs.frozen(kw_only=True)
class ServiceAccount:
    """A Google service account that acts for one person of its domain (domain-wide delegation).

    ``key_file`` is the key as downloaded, ``subject`` the person's address, ``features`` what the administrator of the
    domain has delegated. https://developers.google.com/identity/protocols/oauth2/service-account
    """

    key_file: Path = attrs.field(converter=_absolute)
    subject: str = attrs.field(repr=False)
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
        ConfigurationError: not exactly one of ``secret_env`` and ``secret_file`` is given, or the tenant is none.
    """

    tenant: str = attrs.field()
    client_id: str
    secret_env: str | None = None
    secret_file: Path | None = attrs.field(default=None, converter=_maybe_absolute)

    @tenant.validator
    def _tenant_is_one(self, _attribute: object, value: str) -> None:
        if value in {"common", "organizations", "consumers", ""}:
            raise ConfigurationError(
                "an app signs in as itself in one organisation only; set tenant to its id or domain",
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
            text = self.secret_file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            text = ""
        if not text:
            raise ConfigurationError(
                f"there is no secret in {self.secret_file}; put the app's client secret there",
                file=str(self.secret_file),
                code="no_secret",
            )
        return text


@attrs.frozen(kw_only=True)
class EnvironmentToken:
    """An access token in an environment variable, read anew each time one is asked for."""

    variable: str

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
