"""Logins that other programs already have, taken over: a person's Google login, the cache of an MSAL application.

Reads what is there and gives a grant; the file itself is left as it is.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from mailkit.accounts.google_client import read_authorized_user
from mailkit.accounts.grant import Grant
from mailkit.accounts.scopes import features_of, granted
from mailkit.checks import configured, file_path
from mailkit.errors import ConfigurationError
from mailkit.files import read_plain

__all__ = ["AuthorizedUserStore", "read_login", "read_msal_cache"]

# msal calls personal accounts by this tenant: https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference
_PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad"


def read_login(path: str | Path, *, address: str | None = None, client_id: str | None = None) -> Grant:
    """Read a login of either kind; ``address`` and ``client_id`` choose where an MSAL cache holds several.

    Raises:
        ConfigurationError: the file holds no login, or several to choose from.
    """
    with configured():
        file = file_path(path, "path")
    found = _json(file)
    if found is not None and ("RefreshToken" in found or "Account" in found):
        return read_msal_cache(file, address=address, client_id=client_id)
    return read_authorized_user(file)


def read_msal_cache(path: str | Path, *, address: str | None = None, client_id: str | None = None) -> Grant:
    """Read what ``msal.SerializableTokenCache.serialize()`` wrote, unencrypted, as a grant.

    Raises:
        ConfigurationError: it is no such cache, holds no such login, or several.
    """
    # The unified cache schema: https://github.com/AzureAD/microsoft-authentication-library-for-python (token_cache.py)
    with configured():
        file = file_path(path, "path")
    found = _json(file)
    if found is None:
        raise _wrong(file, "is no MSAL cache; pass the text of SerializableTokenCache.serialize() as a file")
    people = {str(person.get("home_account_id")): person for person in _members(found, "Account")}
    logins = [
        (login, people.get(str(login.get("home_account_id")), {}))
        for login in _members(found, "RefreshToken")
        if isinstance(login.get("secret"), str) and isinstance(login.get("client_id"), str)
    ]
    matching = [
        (login, person)
        for login, person in logins
        if client_id in (None, login["client_id"])
        and (address is None or address.lower() == str(person.get("username")).lower())
    ]
    if len(matching) != 1:
        what = (
            "holds several logins; choose one" if matching else "holds no such login; sign in anew, or choose another"
        )
        raise _wrong(file, f"{what} with address= and client_id= ({len(logins)} in all)")
    login, person = matching[0]
    scopes = granted("microsoft", str(login.get("target") or ""), asked=())
    tenant = str(login.get("home_account_id")).rpartition(".")[2]
    username = person.get("username")
    return Grant(
        provider="microsoft",
        client_id=str(login["client_id"]),
        tenant="consumers" if tenant == _PERSONAL else tenant or "common",
        refresh_token=str(login["secret"]),
        scopes=scopes,
        features=features_of("microsoft", scopes),
        address=username if isinstance(username, str) and "@" in username else None,
    )


class AuthorizedUserStore:
    """A person's Google login kept by another program: read from its file, never written to it.

    New access tokens stay in memory, which loses nothing: Google's refresh tokens do not change. Pickles as its path.
    """

    def __init__(self, path: str | Path) -> None:
        with configured():
            self.path: Path = file_path(path, "path")
        self._lock = threading.Lock()
        self._renewed: Grant | None = None

    def __repr__(self) -> str:
        return f"<AuthorizedUserStore {str(self.path)!r}>"

    def __reduce__(self) -> tuple[object, ...]:
        return (AuthorizedUserStore, (self.path,))

    @property
    def reference(self) -> str:
        """``google-login:`` and the path."""
        return f"google-login:{self.path}"

    def load(self) -> Grant:
        """Give the grant: what is in memory, unless the file holds another login by now.

        Raises:
            ConfigurationError: the file holds no login.
        """
        kept, renewed = read_authorized_user(self.path), self._renewed
        return renewed if renewed is not None and renewed.refresh_token == kept.refresh_token else kept

    def save(self, grant: Grant) -> None:
        """Keep the grant in memory."""
        self._renewed = grant

    def delete(self) -> None:
        """Forget what is in memory; the file belongs to another program."""
        self._renewed = None

    def lock(self) -> AbstractContextManager[object]:
        """Keep every other thread out while the block runs."""
        return self._lock


def _members(found: Mapping[str, object], name: str) -> Iterator[Mapping[str, object]]:
    members = found.get(name)
    for member in members.values() if isinstance(members, Mapping) else ():
        if isinstance(member, Mapping):
            yield member


def _json(file: Path) -> Mapping[str, object] | None:
    data = read_plain(file)
    if data is None:
        raise _wrong(file, "is not there; check the path")
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _wrong(file: Path, what: str) -> ConfigurationError:
    return ConfigurationError(f"{file} {what}", file=str(file), code="no_login")
