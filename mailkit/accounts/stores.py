"""Where an account's grant is kept between runs.

A store is small and blocking: the sources call it in a worker thread. It keeps exactly one grant and never shows it:
no store writes a token into a log, a repr or an error.
"""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager
from typing import NoReturn, Protocol, runtime_checkable

from mailkit.accounts.grant import Grant
from mailkit.errors import ConfigurationError

__all__ = ["MemoryStore", "TokenStore"]


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
        """Keep the grant in place of what was kept."""
        self._grant = grant

    def delete(self) -> None:
        """Forget the grant; harmless when there is none."""
        self._grant = None

    def lock(self) -> AbstractContextManager[object]:
        """Keep every other thread out while the block runs."""
        return self._lock
