"""One send's place in the journal, from its beginning to its end.

Says what an entry that is already there means for the call; sends nothing itself.
"""

from __future__ import annotations

import datetime as dt
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import anyio.to_thread
import attrs

from mailkit.errors import ConfigurationError, Conflict, UsageError
from mailkit.models.sending import SendResult
from mailkit.providers.writing import Trace
from mailkit.sending.journal import BAD_JOURNAL, EntryState, Journal, JournalEntry
from mailkit.sending.traces import trace_from_dict, trace_to_dict

__all__ = ["Earlier", "Ticket", "take_ticket"]

T = TypeVar("T")


@attrs.frozen(kw_only=True, repr=False)
class Ticket:
    """The right to send under a key.

    A journal that fails before the mail is sent stops the call. Where it fails later the entry stays as it was, which
    errs on the side of care: it is taken for being sent, or for a send whose fate is unclear, and nothing goes twice.
    """

    journal: Journal
    entry: JournalEntry

    def commit(self, trace: Trace) -> None:
        """Note that the mail is being sent right now, so that whoever comes after a crash looks for it first.

        Raises:
            Conflict: this call took so long that another took the key for itself; nothing was sent.
        """
        if not self._keep("committed", trace_to_dict(trace)):
            raise Conflict(
                "this call stood still for so long that another took its key; wait for that one to end",
                code="in_flight",
            )

    def take_back(self) -> None:
        """Note that nothing has gone after all."""
        with suppress(Exception):
            self._keep("running", {})

    def unclear(self, trace: Trace) -> None:
        """Note that the mail may have gone or not."""
        with suppress(Exception):
            self._keep("unknown", trace_to_dict(trace))

    def done(self, result: SendResult) -> None:
        """Note what came of it."""
        self._keep("done", result.to_dict())

    def give_back(self) -> None:
        """Let the key be used again, since nothing has gone."""
        with suppress(Exception):
            self.journal.forget(self.entry)

    def _keep(self, state: EntryState, data: dict[str, object]) -> bool:
        return self.journal.update(attrs.evolve(self.entry, state=state, data=json.dumps(data)))


@attrs.frozen(kw_only=True, repr=False)
class Earlier:
    """What the same key came to before: a result, or what to look for since its fate is unclear."""

    outcome: SendResult | Trace
    ticket: Ticket


async def take_ticket(
    journal: Journal, *, scope: str, fingerprint: str, now: dt.datetime, seconds: float
) -> Ticket | Earlier:
    """Take the right to send under a key for so many seconds, or give what the key came to before.

    Raises:
        Conflict: the key was used for another message (``key_reused``), or is being used right now (``in_flight``).
    """
    until = now + dt.timedelta(seconds=min(seconds, 86_400))
    entry = JournalEntry(
        scope=scope, run=secrets.token_hex(16), fingerprint=fingerprint, state="running", created=now, until=until
    )
    there = await anyio.to_thread.run_sync(journal.begin, entry)
    if there is None:
        return Ticket(journal=journal, entry=entry)
    if there.fingerprint != fingerprint:
        raise Conflict("this key was used for another message; take another key for this one", code="key_reused")
    ticket = Ticket(journal=journal, entry=there)
    if there.state == "done":
        return Earlier(outcome=_read(there, SendResult.from_dict), ticket=ticket)
    if there.state == "unknown" or (there.state == "committed" and there.until <= now):
        return Earlier(outcome=_read(there, trace_from_dict), ticket=ticket)
    raise Conflict("this key is being sent right now; wait for that call to end", code="in_flight")


def _read(entry: JournalEntry, read: Callable[[dict[str, object]], T]) -> T:
    try:
        data: object = json.loads(entry.data)
        if isinstance(data, dict):
            return read(data)
    except (ValueError, UsageError):
        pass
    raise ConfigurationError(BAD_JOURNAL, cause="bad_journal")
