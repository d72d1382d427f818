"""A search as the caller asked for it, checked and complete before anything is sent.

Here a query text is read, a zone name looked up, a limit checked and a cursor that came back examined. What comes out
holds nothing untrusted any more.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Protocol
from zoneinfo import ZoneInfo

import attrs

from mailkit.checks import asked, flag, instance, whole
from mailkit.errors import UsageError
from mailkit.fanout.cursor import Cursor, State, fingerprint
from mailkit.fanout.flow import Clocked
from mailkit.fanout.resolve import concerned
from mailkit.providers.base import MailDriver, Position, Search
from mailkit.query import Q, parse
from mailkit.query.ast import Expr, sound

__all__ = [
    "HIGHEST_LIMIT",
    "PAGE",
    "PATIENCE",
    "Mailboxes",
    "Question",
    "ask",
    "local_zone",
    "page_size",
    "read_query",
    "zone_of",
]

_START: State = "start"

HIGHEST_LIMIT = 10_000
PAGE = 500
"""How many rows an iteration asks an account for at a time; a driver whose quota gives fewer at once lists fewer."""
PATIENCE = 120.0
"""How many seconds an iteration waits for a page: an account's quota may take a minute to come back."""


class Mailboxes(Clocked, Protocol):
    """The accounts a client works on: their names in order, a driver for each, and the clock they share."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the accounts, in order."""
        ...

    def driver(self, name: str) -> MailDriver:
        """Give the driver of an account."""
        ...


@attrs.frozen(kw_only=True)
class Question:
    """One search: what is asked, of whom, and how far each account has been read.

    ``size`` is how many rows to ask an account for at a time. ``states`` holds all accounts of the list; those that
    are done are not asked again.
    """

    operation: str
    expr: Expr
    now: dt.datetime
    tz: ZoneInfo
    size: int
    deadline: float
    strict: bool = False
    include_raw: bool = False
    states: Mapping[str, State]

    @property
    def asked(self) -> tuple[str, ...]:
        """The accounts that are not done."""
        return tuple(name for name, state in self.states.items() if state != "done")

    def search(self, account: str) -> Search:
        """Give one account's share."""
        state = self.states[account]
        return Search(
            expr=self.expr,
            now=self.now,
            tz=self.tz,
            size=self.size,
            after=state if isinstance(state, Position) else None,
            include_raw=self.include_raw,
        )

    def cursor(self, states: Mapping[str, State]) -> str | None:
        """Give the text that continues this list from ``states``."""
        return Cursor(
            operation=self.operation,
            query=fingerprint(self.expr),
            now=self.now,
            tz=_zone_name(self.tz),
            states=states,
        ).encode()


def ask(
    mailboxes: Mailboxes,
    query: str | Q | Expr,
    *,
    operation: str,
    accounts: str | Iterable[str] | None,
    limit: int,
    tz: str | ZoneInfo | dt.timezone | None,
    default_tz: ZoneInfo | None,
    deadline: float,
    cursor: str | None = None,
    strict: bool = False,
    include_raw: bool = False,
) -> Question:
    """Check a call and make it a question.

    Raises:
        InvalidQuery: the query cannot be read.
        UsageError: query, limit, zone, accounts, cursor or a flag cannot be right; nothing was sent.
    """
    with asked(operation):
        expr = read_query(query)
        whole(limit, "limit", most=HIGHEST_LIMIT, hint="for everything use iter_search(limit=None)")
        flag(strict, "strict")
        flag(include_raw, "include_raw")
        names = concerned(accounts, mailboxes.names, operation=operation)
        zone = None if tz is None else zone_of(tz)
        now, states = mailboxes.clock.now(), dict.fromkeys(names, _START)
        if cursor is not None:
            back = Cursor.decode(instance(cursor, "cursor", str, "the cursor of earlier results as it was given"))
            back.check(
                operation=operation,
                query=fingerprint(expr),
                accounts=None if accounts is None else names,
                tz=None if zone is None else _zone_name(zone),
            )
            concerned(back.states, mailboxes.names, operation=operation)
            now, states = back.now, dict(back.states)
            zone = zone or (local_zone() if back.tz is None else zone_of(back.tz))
    return Question(
        operation=operation,
        expr=expr,
        now=now,
        tz=zone or default_tz or local_zone(),
        size=limit,
        deadline=deadline,
        strict=strict,
        include_raw=include_raw,
        states=states,
    )


def page_size(limit: int | None, *, operation: str) -> int:
    """Give how many rows an iteration asks an account for at a time; None: all that there are in the end.

    Raises:
        UsageError: the limit is no whole number above zero.
    """
    with asked(operation):
        return PAGE if limit is None else min(whole(limit, "limit", hint="None means all"), PAGE)


def read_query(query: str | Q | Expr) -> Expr:
    """Give the tree of a query in any of its forms.

    Raises:
        InvalidQuery: the text cannot be read.
        UsageError: it is none of those forms, or a tree made by hand that is too deep or not one.
    """
    if isinstance(query, str):
        return parse(query)
    return query.expr if isinstance(query, Q) else sound(query)


def local_zone() -> ZoneInfo:
    """Give the zone this machine is set to."""
    import tzlocal  # only who names no zone needs the machine's

    return tzlocal.get_localzone()


def zone_of(tz: str | ZoneInfo | dt.timezone) -> ZoneInfo:
    """Give the zone of that name; ``datetime.UTC`` is the zone UTC.

    Raises:
        UsageError: there is none, or another kind of zone was passed.
    """
    if isinstance(tz, ZoneInfo):
        return tz
    try:
        if isinstance(tz, str):
            return ZoneInfo(tz)
        if tz == dt.UTC:
            return ZoneInfo("UTC")
    except (ValueError, OSError, LookupError):
        pass
    raise UsageError(
        "tz must be an IANA name such as 'Europe/Berlin', a ZoneInfo, or datetime.UTC; this is none of them",
        code="bad_zone",
    )


def _zone_name(tz: ZoneInfo) -> str | None:
    """Give the name by which a cursor can find the zone again; a zone read from a file has none that helps."""
    try:
        return ZoneInfo(tz.key).key
    except (TypeError, ValueError, OSError, LookupError):  # TypeError: the key is None
        return None
