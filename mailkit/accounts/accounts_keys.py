"""What an ``[[account]]`` of ``accounts.toml`` says, as an ``Account``, and the way back. Pure: opens no file.

::

    name, provider           always
    address, aliases         who ``me`` is
    scopes, base_url         as in Account
    mailbox                  a shared, delegated or app-accessed Outlook mailbox
    store, store_key         a person's sign-in: file | encrypted | keyring, with ":" and where, if not in its own place
    service_account, subject, features                             a Google service account with delegation
    tenant, client_id, client_secret_env | client_secret_file      a Microsoft app that signs in as itself
    token_env                                                      a token in an environment variable

Secrets are named, never held.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias, cast

from mailkit.accounts.encrypted_store import EncryptedFileStore
from mailkit.accounts.home import tokens_path
from mailkit.accounts.keyring_store import KeyringStore
from mailkit.accounts.kinds import ClientCredentials, EnvironmentToken, ServiceAccount
from mailkit.accounts.scopes import DEFAULT_FEATURES, scopes_for
from mailkit.accounts.stores import FileStore, TokenStore
from mailkit.checks import configured, file_path
from mailkit.errors import ConfigurationError
from mailkit.values import Account, Provider

__all__ = ["Fields", "account_of", "check_types", "fields_of", "own_store"]

Fields: TypeAlias = Mapping[str, str | Sequence[str]]

_LISTS = frozenset({"aliases", "scopes", "features"})
_PLAIN = ("name", "provider", "address", "aliases", "scopes", "base_url", "mailbox")
_KINDS: Mapping[str, tuple[str, ...]] = {
    "store": ("store", "store_key"),
    "service_account": ("service_account", "subject", "features"),
    "client_id": ("tenant", "client_id", "client_secret_env", "client_secret_file"),
    "token_env": ("token_env",),
}
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "service_account": ("service_account", "subject"),
    "client_id": ("tenant", "client_id", "mailbox"),
}
_PROVIDER: Mapping[str, Provider] = {"service_account": "google", "client_id": "microsoft"}
_PARAMETERS: Mapping[str, str] = {
    "key": "store_key",
    "service": "store",
    "secret_env": "client_secret_env",
    "variable": "token_env",
}
_KEYS = (*_PLAIN, *(key for keys in _KINDS.values() for key in keys))


def check_types(found: Mapping[str, object], refuse: Callable[[str | None, str], ConfigurationError]) -> Fields:
    """Give what an account says, if every key is known and holds what it must; ``refuse`` makes the error.

    Raises:
        ConfigurationError: a key is unknown or missing, or holds something else.
    """
    for key, value in found.items():
        if key not in _KEYS:
            raise refuse(key, f"there is no key {key!r}; the keys are: {', '.join(_KEYS)}")
        if key in _LISTS and not (isinstance(value, list) and all(isinstance(each, str) and each for each in value)):
            raise refuse(key, f'{key} must be a list of texts, as in {key} = ["…"]')
        if key not in _LISTS and not (isinstance(value, str) and value):
            raise refuse(key, f'{key} must be a text, as in {key} = "…"')
    for key in ("name", "provider"):
        if key not in found:
            raise refuse(None, f'this account lacks {key}; add {key} = "…"')
    return cast("Fields", found)


def account_of(fields: Fields, *, folder: Path, refuse: Callable[[str | None, str], ConfigurationError]) -> Account:
    """Make the account; paths are below ``folder``, where ``accounts.toml`` lies, unless absolute.

    Raises:
        ConfigurationError: keys do not go together, or one cannot be what it says.
    """
    kinds = [kind for kind, keys in _KINDS.items() if any(key in fields for key in keys)]
    if len(kinds) > 1:
        first, second = (next(key for key in _KINDS[kind] if key in fields) for kind in kinds[:2])
        raise refuse(second, f"{second} and {first} do not go together; an account gets its tokens in one way")
    kind = kinds[0] if kinds else "store"
    for key in _NEEDED.get(kind, ()):
        if key not in fields:
            raise refuse(None, f'this account lacks {key}; add {key} = "…"')
    if _PROVIDER.get(kind, fields["provider"]) != fields["provider"]:
        raise refuse("provider", f'{kind} is for {_PROVIDER[kind]}; set provider = "{_PROVIDER[kind]}"')
    texts = {key: value for key, value in fields.items() if isinstance(value, str)}
    try:
        scopes = fields.get("scopes")
        return Account(
            name=texts["name"],
            provider=cast("Provider", texts["provider"]),
            token=_TOKENS[kind](fields, folder),
            address=texts.get("address"),
            aliases=tuple(fields.get("aliases", ())),
            scopes=None if scopes is None else frozenset(scopes),
            base_url=texts.get("base_url"),
            mailbox=texts.get("mailbox"),
        )
    except ConfigurationError as error:
        # What is refused is named first; what checks its own parameters calls it by the parameter's name.
        named = error.message.removeprefix("the ").split()[0]
        at = _PARAMETERS.get(named, named)
        raise refuse(at if at in fields else None, error.message) from None


def fields_of(account: Account, *, folder: Path) -> Fields:
    """Give what stands in ``accounts.toml`` for an account.

    Raises:
        ConfigurationError: its token is held in memory, or is of a kind that a file cannot name.
    """
    plain: dict[str, str | Sequence[str] | None] = {
        "name": account.name,
        "provider": account.provider,
        "address": account.address,
        "aliases": list(account.aliases) or None,
        "scopes": None if account.scopes is None else sorted(account.scopes),
        "base_url": account.base_url,
        "mailbox": account.mailbox,
        **_token_fields(account, folder),
    }
    return {key: value for key, value in plain.items() if value is not None}


def own_store(account: str, *, folder: Path) -> TokenStore:
    """Give the store an account has when nothing else is said."""
    return FileStore(tokens_path(folder, account))


def _store(fields: Fields, folder: Path) -> TokenStore:
    name = str(fields["name"])
    kind, _, where = str(fields.get("store", "file")).partition(":")
    path = _path(where, "store", folder) if where and kind != "keyring" else tokens_path(folder, name)
    if kind != "encrypted" and "store_key" in fields:
        raise ConfigurationError('store_key is for an encrypted store; set store = "encrypted"')
    match kind:
        case "file":
            return FileStore(path)
        case "encrypted":
            return EncryptedFileStore(path, key=str(fields.get("store_key", _key_entry(name))))
        case "keyring":
            service, _, entry = where.partition("/")
            if where and not (service.strip() and entry.strip() and where.isprintable()):
                raise ConfigurationError('store of a keyring names service and entry, as in "keyring:mailkit/work"')
            return KeyringStore(service or "mailkit", entry or name)
    raise ConfigurationError('store must be "file", "encrypted" or "keyring", each with ":" and where, if need be')


def _service_account(fields: Fields, folder: Path) -> ServiceAccount:
    features = frozenset(fields.get("features", DEFAULT_FEATURES))
    try:
        scopes_for("google", features)  # refuses what there is not
    except ConfigurationError as error:
        raise ConfigurationError(f"features names something else: {error.message}") from None
    return ServiceAccount(
        key_file=_path(str(fields["service_account"]), "service_account", folder),
        subject=str(fields["subject"]),
        features=features,
    )


def _client_credentials(fields: Fields, folder: Path) -> ClientCredentials:
    file = fields.get("client_secret_file")
    variable = fields.get("client_secret_env")
    if (variable is None) == (file is None):
        raise ConfigurationError("client_secret_env or client_secret_file must name the app's secret, one of them")
    return ClientCredentials(
        tenant=str(fields["tenant"]),
        client_id=str(fields["client_id"]),
        secret_env=None if variable is None else str(variable),
        secret_file=None if file is None else _path(str(file), "client_secret_file", folder),
    )


_TOKENS: Mapping[str, Callable[[Fields, Path], object]] = {
    "store": _store,
    "service_account": _service_account,
    "client_id": _client_credentials,
    "token_env": lambda fields, _folder: EnvironmentToken(variable=str(fields["token_env"])),
}


def _token_fields(account: Account, folder: Path) -> Mapping[str, str | Sequence[str] | None]:
    match account.token:
        case EncryptedFileStore(path=path, key=str() as key):
            own = path == tokens_path(folder, account.name)
            return {
                "store": "encrypted" if own else f"encrypted:{_shown(path, folder)}",
                "store_key": None if key == _key_entry(account.name) else key,
            }
        case FileStore(path=path) if type(account.token) is FileStore:
            return {"store": None if path == tokens_path(folder, account.name) else f"file:{_shown(path, folder)}"}
        case KeyringStore(service=service, name=name):
            return {"store": "keyring" if (service, name) == ("mailkit", account.name) else f"keyring:{service}/{name}"}
        case ServiceAccount(key_file=file, subject=subject, features=features):
            return {
                "service_account": _shown(file, folder),
                "subject": subject,
                "features": None if features == DEFAULT_FEATURES else sorted(features),
            }
        case ClientCredentials(tenant=tenant, client_id=client_id, secret_env=variable, secret_file=secret_file):
            return {
                "tenant": tenant,
                "client_id": client_id,
                "client_secret_env": variable,
                "client_secret_file": None if secret_file is None else _shown(secret_file, folder),
            }
        case EnvironmentToken(variable=variable):
            return {"token_env": variable}
    raise ConfigurationError(
        f"account {account.name!r} cannot stand in a file, since its token is a {type(account.token).__name__}; "
        "sign in to it (mailkit.sign_in), or use a FileStore, KeyringStore, ServiceAccount, ClientCredentials or "
        "EnvironmentToken",
        account=account.name,
        code="held_in_memory",
    )


def _key_entry(account: str) -> str:
    return f"mailkit/{account}.key"


def _path(text: str, key: str, folder: Path) -> Path:
    with configured():
        return file_path(text, key, below=folder)


def _shown(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else str(path)
