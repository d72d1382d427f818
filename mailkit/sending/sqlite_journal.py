"""Keys in a file: they count over restarts, and for every process that uses the file.

The file holds subjects and recipients of sends whose outcome is unknown, so only its owner may read it.
"""

from __future__ import annotations

import datetime as dt
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from mailkit.checks import configured, file_path
from mailkit.errors import ConfigurationError
from mailkit.sending.journal import KEPT, EntryState, JournalEntry, is_over

__all__ = ["SqliteJournal"]

_TABLE = (
    "CREATE TABLE IF NOT EXISTS sends (scope TEXT PRIMARY KEY, run TEXT NOT NULL, fingerprint TEXT NOT NULL, "
    "state TEXT NOT NULL, created REAL NOT NULL, until REAL NOT NULL, data TEXT NOT NULL)"
)
_FIND = "SELECT scope, run, fingerprint, state, created, until, data FROM sends WHERE scope = ?"
_PUT = (
    "INSERT OR REPLACE INTO sends (scope, run, fingerprint, state, created, until, data) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_PATIENCE = 10.0  # seconds: how long another process may hold the file


class SqliteJournal:
    """Keys in an SQLite file at ``path``, which is made where there is none, readable by its owner alone.

    Raises:
        ConfigurationError: the file cannot be opened, or is no journal.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        with configured():
            self._path = file_path(path, "path")
        try:
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
            self._path.chmod(0o600)  # one that is there already may be open to others
        except OSError as error:
            raise ConfigurationError(
                f"the journal cannot be opened ({error.strerror}); pass a path in a folder that exists",
                file=str(self._path),
            ) from None
        with self._table() as table:
            table.execute(_TABLE)

    def __repr__(self) -> str:
        return f"<SqliteJournal {self._path}>"

    def begin(self, entry: JournalEntry) -> JournalEntry | None:
        """Keep ``entry`` unless its scope is taken."""
        with self._table() as table:
            row = table.execute(_FIND, (entry.scope,)).fetchone()
            there = _entry(row) if row else None
            if there is not None and not is_over(there, entry.created):
                return there
            table.execute("DELETE FROM sends WHERE created <= ?", ((entry.created - KEPT).timestamp(),))
            table.execute(_PUT, _row(entry))
            return None

    def update(self, entry: JournalEntry) -> bool:
        """Put ``entry`` in the place of the one with its scope and run."""
        with self._table() as table:
            change = "UPDATE sends SET state = ?, data = ? WHERE scope = ? AND run = ?"
            changed = table.execute(change, (entry.state, entry.data, entry.scope, entry.run))
            return changed.rowcount == 1

    def forget(self, entry: JournalEntry) -> None:
        """Drop the entry with the scope and run of this one."""
        with self._table() as table:
            table.execute("DELETE FROM sends WHERE scope = ? AND run = ?", (entry.scope, entry.run))

    @contextmanager
    def _table(self) -> Iterator[sqlite3.Connection]:
        """Hold the table alone for the block; a connection of its own each time, safe over threads and forks."""
        try:
            with closing(sqlite3.connect(self._path, timeout=_PATIENCE, isolation_level=None)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                except BaseException:
                    connection.execute("ROLLBACK")
                    raise
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise ConfigurationError(
                f"the journal cannot be used ({type(error).__name__}); check the file and its disk, nothing was sent",
                file=str(self._path),
            ) from None


def _row(entry: JournalEntry) -> tuple[object, ...]:
    instants = (entry.created.timestamp(), entry.until.timestamp())
    return (entry.scope, entry.run, entry.fingerprint, entry.state, *instants, entry.data)


def _entry(row: tuple[str, str, str, EntryState, float, float, str]) -> JournalEntry:
    scope, run, fingerprint, state, created, until, data = row
    return JournalEntry(
        scope=scope,
        run=run,
        fingerprint=fingerprint,
        state=state,
        created=dt.datetime.fromtimestamp(created, dt.UTC),
        until=dt.datetime.fromtimestamp(until, dt.UTC),
        data=data,
    )
