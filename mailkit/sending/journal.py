"""What became of sends that have a key: kept so that the same key never sends twice. In memory, for one process.

Responsible for one small table; what its states mean for a call is ``ticket``'s to say. A journal is asked from several
threads, ``begin`` in a worker thread and the rest in the event loop, which waits meanwhile.
"""

from __future__ import annotations

import datetime as dt
import threading
from typing import Literal, Protocol, TypeAlias, runtime_checkable

import attrs

__all__ = ["BAD_JOURNAL", "KEPT", "EntryState", "Journal", "JournalEntry", "MemoryJournal", "is_over"]

EntryState: TypeAlias = Literal["running", "committed", "done", "unknown"]
"""``running``: nothing can have gone yet; ``committed``: it is being sent right now; ``done``; ``unknown``."""

KEPT = dt.timedelta(days=7)
"""How long a key counts."""

BAD_JOURNAL = (
    "the journal holds something else than was written; nothing was sent. Use another key once you know what "
    "became of the mail"
)
"""What is said of an entry that cannot be read."""


@attrs.frozen(kw_only=True, repr=False)
class JournalEntry:
    """One send. ``scope`` is account, operation and key; ``fingerprint`` stands for its content.

    ``run`` tells one try to send it from another, ``until`` is when whoever runs it should have ended. ``data`` is
    JSON: the result, or what to look for.
    """

    scope: str
    run: str
    fingerprint: str
    state: EntryState
    created: dt.datetime
    until: dt.datetime
    data: str = ""


@runtime_checkable
class Journal(Protocol):
    """Where keys are kept; bring your own to keep them in a database of yours."""

    def begin(self, entry: JournalEntry) -> JournalEntry | None:
        """Keep ``entry`` unless its scope is taken; give the entry that is there, None where there was none.

        One that ``is_over`` at ``entry.created`` counts as none. Must be atomic over all that share the journal.
        """
        ...

    def update(self, entry: JournalEntry) -> bool:
        """Put ``entry`` in the place of the one with its scope and run; False: there is none. Must be atomic, too."""
        ...

    def forget(self, entry: JournalEntry) -> None:
        """Drop the entry with the scope and run of this one, if it is there."""
        ...


def is_over(entry: JournalEntry, now: dt.datetime) -> bool:
    """Whether an entry no longer counts: too old, or left behind by somebody who ended before anything was sent."""
    return entry.created + KEPT <= now or (entry.state == "running" and entry.until <= now)


class MemoryJournal:
    """Keys in memory: they count for the clients that share it, and are gone when the process ends."""

    def __init__(self) -> None:
        self._entries: dict[str, JournalEntry] = {}
        self._lock = threading.Lock()

    def begin(self, entry: JournalEntry) -> JournalEntry | None:
        """Keep ``entry`` unless its scope is taken."""
        with self._lock:
            there = self._entries.get(entry.scope)
            if there is not None and not is_over(there, entry.created):
                return there
            self._entries = {key: kept for key, kept in self._entries.items() if not is_over(kept, entry.created)}
            self._entries[entry.scope] = entry
            return None

    def update(self, entry: JournalEntry) -> bool:
        """Put ``entry`` in the place of the one with its scope and run."""
        with self._lock:
            found = self._has(entry)
            if found:
                self._entries[entry.scope] = entry
            return found

    def forget(self, entry: JournalEntry) -> None:
        """Drop the entry with the scope and run of this one."""
        with self._lock:
            if self._has(entry):
                del self._entries[entry.scope]

    def _has(self, entry: JournalEntry) -> bool:
        there = self._entries.get(entry.scope)
        return there is not None and there.run == entry.run
