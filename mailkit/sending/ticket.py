"""One send's place in the journal, from its beginning to its end.

Says what an entry that is already there means for the call; sends nothing itself.
"""

from __future__ import annotations

import datetime as dt
import json

import anyio.to_thread
import attrs

from mailkit.errors import Conflict
from mailkit.models.sending import SendResult
from mailkit.providers.writing import Trace
from mailkit.sending.journal import Entry, Journal
from mailkit.sending.traces import trace_from_dict, trace_to_dict

__all__ = ["Earlier", "Ticket", "take_ticket"]


@attrs.frozen(repr=False)
class Earlier:
    """What the same key came to before: a result, or what to look for since its fate is unclear."""

    outcome: SendResult | Trace


@attrs.frozen(kw_only=True)
class Ticket:
    """The right to send under a key. Its methods are quick and never wait for the network."""

    journal: Journal
    scope: str

    def commit(self, trace: Trace) -> None:
        """Note that the mail is being sent right now, so that whoever comes after a crash looks for it first."""
        self.journal.update(self.scope, "committed", json.dumps(trace_to_dict(trace)))

    def take_back(self) -> None:
        """Note that nothing has gone after all."""
        self.journal.update(self.scope, "running", "")

    def unclear(self, trace: Trace) -> None:
        """Note that the mail may have gone or not."""
        self.journal.update(self.scope, "unknown", json.dumps(trace_to_dict(trace)))

    def done(self, result: SendResult) -> None:
        """Note what came of it."""
        self.journal.update(self.scope, "done", json.dumps(result.to_dict()))

    def give_back(self) -> None:
        """Let the key be used again, since nothing has gone."""
        self.journal.forget(self.scope)


async def take_ticket(
    journal: Journal, *, scope: str, fingerprint: str, now: dt.datetime, seconds: float
) -> Ticket | Earlier:
    """Take the right to send under a key for so many seconds, or give what the key came to before.

    Raises:
        Conflict: the key was used for another message (``key_reused``), or is being used right now (``in_flight``).
    """
    until = now + dt.timedelta(seconds=min(seconds, 86_400))
    entry = Entry(scope=scope, fingerprint=fingerprint, state="running", created=now, until=until)
    there = await anyio.to_thread.run_sync(journal.begin, entry)
    if there is None:
        return Ticket(journal=journal, scope=scope)
    if there.fingerprint != fingerprint:
        raise Conflict("this key was used for another message; take another key for this one", code="key_reused")
    if there.state == "done":
        return Earlier(SendResult.from_dict(json.loads(there.data)))
    if there.state == "unknown" or (there.state == "committed" and there.until <= now):
        return Earlier(trace_from_dict(json.loads(there.data)))
    raise Conflict("this key is being sent right now; wait for that call to end", code="in_flight")
