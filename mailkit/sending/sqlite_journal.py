"""Keys in a file: they count over restarts, and for every process that uses the file.

The file holds subjects and recipients of sends whose outcome is unknown, so only its owner may read it.
"""

from __future__ import annotations

import datetime as dt
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import get_args

from mailkit.checks import configured, file_path
from mailkit.errors import ConfigurationError
from mailkit.sending.journal import BAD_JOURNAL, KEPT, EntryState, JournalEntry, is_over

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
_VERSION = 1  # of the table; stands in the file's user_version: https://www.sqlite.org/pragma.html#pragma_user_version

_WHY = {  # https://www.sqlite.org/rescode.html
    sqlite3.SQLITE_BUSY: "another program holds it; call again when that one is done",
    sqlite3.SQLITE_NOTADB: "it is no journal; name another file",
    sqlite3.SQLITE_ERROR: "it is no journal; name another file",
    sqlite3.SQLITE_READONLY: "it may only be read; let this program write it",
    sqlite3.SQLITE_FULL: "its disk is full; make room",
}


class SqliteJournal:
    """Keys in an SQLite file at ``path``, which is made where there is none, readable by its owner alone.

    Raises:
        ConfigurationError: the file cannot be opened, is no journal, or one of a later version of mailkit.
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
            (version,) = table.execute("PRAGMA user_version").fetchone()
            if version > _VERSION:
                raise ConfigurationError(
                    "the journal was made by a later version of mailkit; use that version, or name another file",
                    file=str(self._path),
                )
            table.execute(_TABLE)
            table.execute(_FIND, ("",))  # somebody else's table of that name has other columns
            table.execute(f"PRAGMA user_version = {_VERSION}")

    def __repr__(self) -> str:
        return f"<SqliteJournal {self._path}>"

    def begin(self, entry: JournalEntry) -> JournalEntry | None:
        """Keep ``entry`` unless its scope is taken."""
        with self._table() as table:
            row = table.execute(_FIND, (entry.scope,)).fetchone()
            there = self._entry(row) if row else None
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
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_IOERR) & 0xFF  # without what it extends
            why = _WHY.get(code, f"it failed with {type(error).__name__}; check the file and its disk")
            raise ConfigurationError(
                f"nothing was sent, since the journal cannot be used: {why}", file=str(self._path)
            ) from None

    def _entry(self, row: tuple[str, str, str, EntryState, float, float, str]) -> JournalEntry:
        scope, run, fingerprint, state, created, until, data = row
        try:
            if state not in get_args(EntryState):
                raise ValueError(state)
            instants = [dt.datetime.fromtimestamp(instant, dt.UTC) for instant in (created, until)]
        except (TypeError, ValueError, OverflowError, OSError):
            raise ConfigurationError(BAD_JOURNAL, cause="bad_journal", file=str(self._path)) from None
        return JournalEntry(
            scope=scope,
            run=run,
            fingerprint=fingerprint,
            state=state,
            created=instants[0],
            until=instants[1],
            data=data,
        )


def _row(entry: JournalEntry) -> tuple[object, ...]:
    instants = (entry.created.timestamp(), entry.until.timestamp())
    return (entry.scope, entry.run, entry.fingerprint, entry.state, *instants, entry.data)
