"""Where an account's grant is kept between runs.

A store is small and blocking: the sources call it in a worker thread. It keeps exactly one grant and never shows it:
no store writes a token into a log, a repr, an error or a pickle.
"""

from __future__ import annotations

import threading
import warnings
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NoReturn, Protocol, runtime_checkable

from mailkit.accounts.foreign_file import foreign_kind
from mailkit.accounts.grant import Grant
from mailkit.accounts.grant_format import GRANT_FORMAT, Damaged, checked_grant, grant_from_text, grant_to_text
from mailkit.checks import configured, file_path
from mailkit.errors import ConfigurationError
from mailkit.files import MailkitWarning, locked, read_private, remove_private, set_aside, write_private

__all__ = ["FileStore", "MemoryStore", "TokenStore"]


@runtime_checkable
class TokenStore(Protocol):
    """Keeps one account's grant. Bring your own to keep it in a vault or a database."""

    @property
    def reference(self) -> str:
        """What names the store without telling what it holds, as in ``file:/home/ann/tokens/work.json``."""
        ...

    def load(self) -> Grant | None:
        """Give the grant; None where nothing is kept.

        Raises:
            ConfigurationError: what is kept there is no grant, or cannot be read.
        """
        ...

    def save(self, grant: Grant) -> None:
        """Keep the grant in place of what was kept; when this fails, what was kept is still there.

        Raises:
            ConfigurationError: it cannot be written.
        """
        ...

    def delete(self) -> None:
        """Forget the grant; harmless when there is none."""
        ...

    def lock(self) -> AbstractContextManager[object]:
        """Keep every other thread and process that may write to the store out while the block runs.

        Not reentrant, and not bound to a thread: it may be left in another thread than it was entered in.

        Raises:
            Unavailable: somebody else has kept it too long.
        """
        ...


class MemoryStore:
    """Keeps the grant as long as the process lives; for tests, and for programs that keep it elsewhere."""

    reference = "memory"

    def __init__(self, grant: Grant | None = None) -> None:
        self._grant = grant
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return "<MemoryStore>"

    def __reduce__(self) -> NoReturn:
        raise ConfigurationError(
            "a MemoryStore holds its tokens in memory and is never pickled; use a FileStore or a KeyringStore"
        )

    def load(self) -> Grant | None:
        """Give the grant; None where nothing is kept."""
        return self._grant

    def save(self, grant: Grant) -> None:
        """Keep the grant in place of what was kept.

        Raises:
            ConfigurationError: ``grant`` is none.
        """
        self._grant = checked_grant(grant)

    def delete(self) -> None:
        """Forget the grant; harmless when there is none."""
        self._grant = None

    def lock(self) -> AbstractContextManager[object]:
        """Keep every other thread out while the block runs."""
        return self._lock


class FileStore:
    """Keeps the grant as JSON in a file only this user can read.

    A damaged file is renamed to ``<name>.corrupt-<n>`` and reported, never overwritten. A file that is whole and of
    another kind is left alone: it is neither read, nor written, nor removed.

    Raises:
        ConfigurationError: ``path`` is none.
    """

    _kind, _format = "file", GRANT_FORMAT

    def __init__(self, path: str | Path) -> None:
        with configured():
            self.path: Path = file_path(path, "path")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {str(self.path)!r}>"

    @property
    def reference(self) -> str:
        """``file:`` and the path."""
        return f"{self._kind}:{self.path}"

    def load(self) -> Grant | None:
        """Give the grant; None where there is no file.

        Raises:
            ConfigurationError: the file is damaged (and was renamed), is of another kind or of a newer mailkit, or
                cannot be read.
        """
        data = self._own_data()
        try:
            return None if data is None else self._read(data)
        except Damaged:
            aside = set_aside(self.path)
        raise ConfigurationError(
            f"{self.path} holds no sign-in of mailkit; it is now {aside.name if aside else 'gone'}: sign in again, "
            "or put the right file back",
            file=str(self.path),
            code="corrupt",
        )

    def save(self, grant: Grant) -> None:
        """Keep the grant in place of what was kept, which is still there when this fails.

        Raises:
            ConfigurationError: the file cannot be written, is of another kind, or what it holds can be read with
                another key or a newer mailkit only; or ``grant`` is none.
        """
        checked_grant(grant)
        try:
            self.load()
        except ConfigurationError as error:
            if error.code != "corrupt":
                raise
            write_private(self.path, self._write(grant))
            warnings.warn(error.message, MailkitWarning, stacklevel=2)
        else:
            write_private(self.path, self._write(grant))

    def delete(self) -> None:
        """Remove the file; harmless when there is none.

        Raises:
            ConfigurationError: the file is of another kind, or cannot be removed.
        """
        self._own_data()
        remove_private(self.path)

    def lock(self) -> AbstractContextManager[object]:
        """Keep every other thread and process that uses this file out while the block runs.

        Raises:
            Unavailable: somebody has kept it for a minute.
        """
        return locked(self.path)

    def _own_data(self) -> bytes | None:
        data = read_private(self.path)
        kind = None if data is None else foreign_kind(data, format_=self._format)
        if kind:
            raise ConfigurationError(
                f"{self.path} is no store of this kind and was left as it is: it seems to be {kind}; or name another "
                "file for the store",
                file=str(self.path),
                code="foreign_file",
            )
        return data

    def _read(self, data: bytes) -> Grant:
        return grant_from_text(data, where=str(self.path))

    def _write(self, grant: Grant) -> bytes:
        return grant_to_text(grant).encode()
