"""The system's keyring (Keychain, Credential Manager, Secret Service) through the optional package ``keyring``.

That package is imported when it is used. What it raises becomes ``ConfigurationError``: no keyring, or a locked one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from typing import Protocol, cast

from mailkit.accounts.grant import Grant
from mailkit.accounts.grant_format import Damaged, checked_grant, grant_from_text, grant_to_text
from mailkit.accounts.home import home
from mailkit.checks import configured, text
from mailkit.errors import ConfigurationError
from mailkit.files import locked

__all__ = ["KeyringStore", "read_secret", "write_secret"]

# Credential Manager holds 2,560 bytes (CRED_MAX_CREDENTIAL_BLOB_SIZE of wincred.h), keyring writes two per character.
_PIECE = 1200


class _Keyring(Protocol):
    """The part of the package ``keyring`` that is used."""

    def get_password(self, service: str, name: str) -> str | None: ...

    def set_password(self, service: str, name: str, password: str) -> None: ...

    def delete_password(self, service: str, name: str) -> None: ...


def read_secret(service: str, name: str) -> str | None:
    """Give what an entry holds; None where there is none.

    Raises:
        ConfigurationError: there is no keyring, or it does not open.
    """
    with _using() as keyring:
        return keyring.get_password(service, name)


def write_secret(service: str, name: str, text: str) -> None:
    """Put text into an entry.

    Raises:
        ConfigurationError: there is no keyring, it does not open, or the text is too long for it.
    """
    with _using() as keyring:
        keyring.set_password(service, name, text)


def _delete_secret(service: str, name: str) -> None:
    with _using() as keyring:
        if keyring.get_password(service, name) is not None:
            keyring.delete_password(service, name)


class KeyringStore:
    """Keeps the grant in the system's keyring; needs ``pip install mailkit-sdk[keyring]``.

    Since some keyrings hold short entries only, the grant lies in several: ``name`` says which, and is written last,
    so that what was kept counts until all of the new is there.

    Raises:
        ConfigurationError: ``service`` or ``name`` is no text.
    """

    def __init__(self, service: str, name: str) -> None:
        with configured():
            self.service: str = text(service, "service")
            self.name: str = text(name, "name")

    def __repr__(self) -> str:
        return f"<KeyringStore {self.service}/{self.name}>"

    @property
    def reference(self) -> str:
        """``keyring:``, service and name."""
        return f"keyring:{self.service}/{self.name}"

    def load(self) -> Grant | None:
        """Give the grant; None where nothing is kept.

        Raises:
            ConfigurationError: the entry holds something else, or the keyring does not open.
        """
        index = read_secret(self.service, self.name)
        while index is not None:
            pieces = [read_secret(self.service, name) for name in self._names(index)]
            try:
                return grant_from_text("".join(filter(None, pieces)), where=self.reference)
            except Damaged:
                before, index = index, read_secret(self.service, self.name)
            if index == before:  # else somebody has saved meanwhile, and taken these pieces away
                raise ConfigurationError(
                    f"the keyring's entry {self.service}/{self.name} holds no sign-in of mailkit; remove it, "
                    "then sign in again",
                    code="corrupt",
                )
        return None

    def save(self, grant: Grant) -> None:
        """Keep the grant in place of what was kept.

        Raises:
            ConfigurationError: the keyring does not open or has no room, or the entry holds something else; or
                ``grant`` is none.
        """
        checked_grant(grant)
        self.load()
        before = read_secret(self.service, self.name) or ""
        text = grant_to_text(grant)
        pieces = [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]
        round_ = "b" if before.startswith("a") else "a"
        index = f"{round_}{len(pieces)}"
        try:
            for name, piece in zip(self._names(index), pieces, strict=True):
                write_secret(self.service, name, piece)
            write_secret(self.service, self.name, index)
        except ConfigurationError:
            for name in self._names(index):
                _delete_secret(self.service, name)
            raise
        for name in self._names(before):
            _delete_secret(self.service, name)

    def delete(self) -> None:
        """Remove the entries; harmless when there are none."""
        index = read_secret(self.service, self.name) or ""
        _delete_secret(self.service, self.name)
        for name in self._names(index):
            _delete_secret(self.service, name)

    def lock(self) -> AbstractContextManager[object]:
        """Keep every other thread and process of this user that uses this entry out while the block runs.

        Raises:
            Unavailable: somebody has kept it for a minute.
        """
        # The keyring has no locks of its own, and its names may hold what no file name may.
        return locked(home() / "locks" / hashlib.blake2s(self.reference.encode(), digest_size=12).hexdigest())

    def _names(self, index: str) -> list[str]:
        """Name the entries an index speaks of: ``a3`` is three pieces of round a."""
        if index[:1] not in {"a", "b"} or not index[1:].isdecimal() or len(index) > 3:
            return []
        return [f"{self.name}.{index[0]}{number}" for number in range(int(index[1:]))]


@contextmanager
def _using() -> Iterator[_Keyring]:
    try:
        keyring = cast("_Keyring", import_module("keyring"))
    except ImportError:
        raise ConfigurationError(
            "keeping sign-ins in the system's keyring needs the package keyring; pip install 'mailkit-sdk[keyring]'",
            code="no_keyring",
        ) from None
    try:
        yield keyring
    except ConfigurationError:
        raise
    except Exception as error:
        # Each backend raises classes of its own besides keyring.errors.KeyringError.
        raise ConfigurationError(
            f"the system's keyring gave {type(error).__name__}; unlock it, or keep the sign-in in a file",
            code="no_keyring",
        ) from error
