"""Whether an account could get a token as things stand; asked by ``Accounts.load(strict=True)``, without network."""

from __future__ import annotations

import copy

from mailkit.accounts.google_client import google_kind, read_google_file
from mailkit.accounts.kinds import ClientCredentials, EnvironmentToken, ServiceAccount
from mailkit.accounts.stores import TokenStore
from mailkit.errors import ConfigurationError, MailkitError, SignInRequired
from mailkit.values import Account

__all__ = ["why_not_ready"]


def why_not_ready(account: Account) -> MailkitError | None:
    """Give what keeps the account from getting a token, and what to do about it; None: nothing that can be seen."""
    try:
        match account.token:
            case TokenStore() as store if store.load() is None:
                return SignInRequired(
                    f'nobody has signed in to this account yet; sign in: mailkit.sign_in("{account.name}")',
                    account=account.name,
                    code="no_grant",
                )
            case ServiceAccount(key_file=file) if google_kind(read_google_file(file)) != "service_account":
                raise ConfigurationError(
                    f"{file} is no key of a service account; download one in the Google Cloud console",
                    file=str(file),
                    code="google_file",
                )
            case ClientCredentials() as app:
                app.secret()
            case EnvironmentToken() as give:
                give()
    except MailkitError as error:
        named = copy.copy(error)
        named.account = account.name
        return named
    return None
