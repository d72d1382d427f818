"""Where a sign-in goes when the program does not say: the account's own store, and ``accounts.toml``. Blocks."""

from __future__ import annotations

import warnings

import attrs

from mailkit.accounts.accounts import Accounts
from mailkit.accounts.accounts_keys import own_store
from mailkit.accounts.grant import Grant
from mailkit.accounts.home import home
from mailkit.accounts.signin.app import check_provider
from mailkit.accounts.stores import TokenStore
from mailkit.errors import ConfigurationError
from mailkit.files import MailkitWarning
from mailkit.values import Account

__all__ = ["Place", "enter", "place_of", "previous_in"]


@attrs.frozen(kw_only=True)
class Place:
    """Where a sign-in goes, and what ``accounts.toml`` says of the account (None: it is not listed, or not asked)."""

    store: TokenStore
    listed: Account | None = None


def place_of(name: str) -> Place:
    """Give the store that ``accounts.toml`` names for the account, else the account's own file.

    Raises:
        ConfigurationError: the file cannot be read, or the account there needs no person to sign in.
    """
    accounts = Accounts.load()
    if name not in accounts:
        return Place(store=own_store(name, folder=home()))
    token = accounts[name].token
    if not isinstance(token, TokenStore):
        raise ConfigurationError(
            f"nobody signs in to this account, whose token is a {type(token).__name__}; choose another name",
            account=name,
            code="no_person",
        )
    return Place(store=token, listed=accounts[name])


def previous_in(store: TokenStore) -> Grant | None:
    """Give the grant there was; one that is damaged is none, once the store has put it aside.

    Raises:
        ConfigurationError: the store cannot be read, or will not be written while it holds what it does.
    """
    try:
        return store.load()
    except ConfigurationError as error:
        if error.code != "corrupt":
            raise
        previous = store.load()
        warnings.warn(error.message, MailkitWarning, stacklevel=2)
        return previous


def enter(account: Account, *, another: bool) -> Account:
    """Write a signed-in account into ``accounts.toml`` and give it, with what else is said of it there.

    ``another``: its address may be another than the one that stands there, and takes its place.

    Raises:
        ConfigurationError: the file cannot be read or written, or lists the account at another provider.
        Unavailable: another process has been changing it for a minute.
    """
    with Accounts.edit() as accounts:
        if account.name not in accounts:
            accounts.add(account)
            return account
        listed, default = accounts[account.name], accounts.default
        check_provider(account.provider, listed.provider, account=account.name)
        renewed = attrs.evolve(listed, address=listed.address or account.address, scopes=account.scopes)
        # The address of a shared mailbox is nobody's who signs in; another person's aliases are not this one's.
        if another and listed.mailbox is None and not _same(listed.address, account.address):
            renewed = attrs.evolve(renewed, address=account.address, aliases=())
        for each in [accounts.remove(name) for name in accounts.names]:  # all of them, so that the order stays
            accounts.add(renewed if each is listed else each)
        accounts.set_default(default)
    return renewed


def _same(one: str | None, other: str | None) -> bool:
    return (one or "").lower() == (other or "").lower()
