"""Where a sign-in goes when the program does not say: the account's own store, and ``accounts.toml``. Blocks."""

from __future__ import annotations

import attrs

from mailkit.accounts.accounts import Accounts
from mailkit.accounts.accounts_keys import own_store
from mailkit.accounts.home import home
from mailkit.accounts.stores import TokenStore
from mailkit.errors import ConfigurationError
from mailkit.values import Account

__all__ = ["enter", "store_of"]


def store_of(name: str) -> TokenStore:
    """Give the store that ``accounts.toml`` names for the account, else the account's own file.

    Raises:
        ConfigurationError: the file cannot be read, or the account there needs no person to sign in.
    """
    accounts = Accounts.load()
    if name not in accounts:
        return own_store(name, folder=home())
    token = accounts[name].token
    if not isinstance(token, TokenStore):
        raise ConfigurationError(
            f"nobody signs in to this account, whose token is a {type(token).__name__}; choose another name",
            account=name,
            code="no_person",
        )
    return token


def enter(account: Account) -> Account:
    """Write a signed-in account into ``accounts.toml`` and give it, with what else is said of it there.

    Raises:
        ConfigurationError: the file cannot be read or written.
        Unavailable: another process has been changing it for a minute.
    """
    with Accounts.edit() as accounts:
        if account.name not in accounts:
            accounts.add(account)
            return account
        listed, default = accounts[account.name], accounts.default
        renewed = attrs.evolve(
            listed, provider=account.provider, address=listed.address or account.address, scopes=account.scopes
        )
        for each in [accounts.remove(name) for name in accounts.names]:  # all of them, so that the order stays
            accounts.add(renewed if each is listed else each)
        accounts.set_default(default)
    return renewed
