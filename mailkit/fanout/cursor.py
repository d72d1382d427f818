"""Where a merged list stopped, as opaque text that continues it. Pure: no clock, no network, no account set.

The text holds, per account, the instant of the last row given out and the ids given out at that instant; what was
read but cut off is simply read again. So over an unchanged mailbox a cursor continues exactly, over a changing one
nothing that was there throughout is lost, and nothing comes twice as long as dates stay as they are. ``now`` and the
zone are kept too, so that ages and days mean the same on every page.

A cursor that comes back is untrusted: its size, check value, version, shape, operation, query and accounts are all
looked at before anything is sent. It holds ids and instants, and neither query nor token.
"""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

import attrs

from mailkit.errors import UsageError
from mailkit.models.mail import MessageSummary
from mailkit.providers.base import Position
from mailkit.query.ast import Expr, to_json

__all__ = ["Cursor", "State", "advanced", "fingerprint"]

_PREFIX = "mkc1."
_LONGEST = 4 * 1024 * 1024  # a cursor of ten thousand ids at one instant is shorter
_CHECK = 8
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND = dt.timedelta(microseconds=1)

State: TypeAlias = Position | Literal["start", "done"]


@attrs.frozen(kw_only=True)
class Cursor:
    """How far each account of one list has been read. ``tz`` is the zone's name; None: the machine's own."""

    operation: str
    query: str
    now: dt.datetime
    tz: str | None
    states: Mapping[str, State]

    def encode(self) -> str | None:
        """Give the cursor as one URL-safe word, or None when every account is done."""
        if all(state == "done" for state in self.states.values()):
            return None
        fields = {
            "o": self.operation,
            "q": self.query,
            "n": _ticks(self.now),
            "z": self.tz,
            "s": {name: _packed(state) for name, state in self.states.items()},
        }
        body = json.dumps(fields, separators=(",", ":"), sort_keys=True).encode()
        return _PREFIX + base64.urlsafe_b64encode(_check(body) + body).rstrip(b"=").decode()

    @classmethod
    def decode(cls, text: str) -> Cursor:
        """Read ``encode``'s text back.

        Raises:
            UsageError: it is no cursor of this version, or was changed on its way.
        """
        if not text.startswith(_PREFIX) or len(text) > _LONGEST:
            raise _refused("this is no cursor of this version of mailkit; pass results.cursor as it was given")
        try:
            word = text.removeprefix(_PREFIX)
            packed = base64.b64decode(word + "=" * (-len(word) % 4), altchars=b"-_", validate=True)
            check, body = packed[:_CHECK], packed[_CHECK:]
            if check != _check(body):
                raise ValueError("check value")
            match json.loads(body):
                case {
                    "o": str(operation),
                    "q": str(query),
                    "n": int(now),
                    "z": str() | None as tz,
                    "s": dict(states),
                } if states:
                    return cls(
                        operation=operation,
                        query=query,
                        now=_instant(now),
                        tz=tz,
                        states={str(name): _unpacked(state) for name, state in states.items()},
                    )
        except (ValueError, binascii.Error, OverflowError, RecursionError):
            pass
        raise _refused("this cursor was changed on its way; pass results.cursor exactly as it was given")

    def check(self, *, operation: str, query: str, accounts: Sequence[str] | None, tz: str | None) -> None:
        """Refuse to continue another list than the one this cursor comes from.

        Raises:
            UsageError: the call differs from the one that gave the cursor; the text says in what.
        """
        if self.operation != operation:
            raise _refused(f"this cursor continues {self.operation}, not {operation}")
        if self.query != query:
            raise _refused("this cursor continues another query; pass the query it came with, or start anew without it")
        if accounts is not None and set(accounts) != set(self.states):
            raise _refused(f"this cursor continues the accounts {', '.join(sorted(self.states))}; leave accounts= out")
        if tz is not None and tz != self.tz:
            raise _refused("this cursor continues a list in another zone; leave tz= out")


def fingerprint(expr: Expr) -> str:
    """Give a short text that tells one query from another without holding it."""
    return hashlib.blake2s(json.dumps(to_json(expr), sort_keys=True).encode(), digest_size=8).hexdigest()


def advanced(before: State, given: Iterable[MessageSummary], *, ended: bool) -> State:
    """Give an account's state after ``given`` rows of it were handed out; ``ended``: there are no others."""
    rows = list(given)
    if ended:
        return "done"
    if not rows:
        return before
    at = min(row.date for row in rows)
    seen = frozenset(row.ref.id for row in rows if row.date == at)
    if isinstance(before, Position) and before.at == at:
        seen |= before.seen
    return Position(at=at, seen=seen)


def _packed(state: State) -> object:
    return [_ticks(state.at), sorted(state.seen)] if isinstance(state, Position) else state


def _unpacked(data: object) -> State:
    match data:
        case "start" | "done":
            return data
        case [int(at), list(ids)] if all(isinstance(each, str) for each in ids):
            return Position(at=_instant(at), seen=frozenset(ids))
    raise ValueError("state")


def _ticks(instant: dt.datetime) -> int:
    return (instant - _EPOCH) // _MICROSECOND


def _instant(ticks: int) -> dt.datetime:
    return _EPOCH + ticks * _MICROSECOND


def _check(body: bytes) -> bytes:
    return hashlib.blake2s(body, digest_size=_CHECK).digest()


def _refused(message: str) -> UsageError:
    return UsageError(message, code="bad_cursor")
