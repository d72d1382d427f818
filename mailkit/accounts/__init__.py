"""The account set, where tokens come from and are kept, and which driver serves which provider."""

from __future__ import annotations

from mailkit.accounts.accounts import Accounts
from mailkit.accounts.encrypted_store import EncryptedFileStore
from mailkit.accounts.grant import Grant
from mailkit.accounts.keyring_store import KeyringStore
from mailkit.accounts.kinds import ClientCredentials, EnvironmentToken, ServiceAccount
from mailkit.accounts.settings import Settings
from mailkit.accounts.stores import FileStore, MemoryStore, TokenStore

__all__ = [
    "Accounts",
    "ClientCredentials",
    "EncryptedFileStore",
    "EnvironmentToken",
    "FileStore",
    "Grant",
    "KeyringStore",
    "MemoryStore",
    "ServiceAccount",
    "Settings",
    "TokenStore",
]
