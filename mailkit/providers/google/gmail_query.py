"""A search → the parameters of Gmail's list request. Pure.

What is sent is the tree written out anew, never the person's own text.
https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/list
"""

from __future__ import annotations

import math

from mailkit.providers.base import Position, Search
from mailkit.providers.google.limits import MESSAGES_GET_UNITS, MESSAGES_LIST_UNITS, PAGE_MOST
from mailkit.query.ast import All, Date, Expr, Field, In, Not, and_
from mailkit.query.context import QueryContext
from mailkit.query.formula import literals
from mailkit.query.gmail import to_gmail
from mailkit.query.people import is_me
from mailkit.query.scope import Hidden, admitted
from mailkit.transport.dialect import Quota

_HIDDEN: tuple[Hidden, ...] = ("trash", "spam")


def asks_who_i_am(expr: Expr) -> bool:
    """Say whether the account's own addresses are needed to send this query."""
    return any(isinstance(literal.term, Field) and is_me(literal.term) for literal in literals(expr))


def list_parameters(search: Search, me: tuple[str, ...], *, quota: Quota) -> tuple[tuple[str, str], ...]:
    """Give the parameters of the first list request, values not percent-encoded; no ``q`` when everything is wanted.

    A page lists no more messages than can be got within one window of the quota: more would only come later.
    """
    shown = admitted(search.expr)
    limits: list[Expr] = []
    if shown:
        # includeSpamTrash brings both; the one the query does not ask for is put out again.
        limits += [Not(In(place)) for place in _HIDDEN if place not in shown]
    if search.after is not None:
        limits.append(_not_newer(search.after))
    wanted = [] if isinstance(search.expr, All) else [search.expr]
    q = to_gmail(and_([*wanted, *limits]), QueryContext(now=search.now, tz=search.tz, me=me))
    affordable = (quota.units - MESSAGES_LIST_UNITS) // MESSAGES_GET_UNITS
    parameters = {
        "q": q,
        "maxResults": str(max(1, min(search.size + len(search.seen), PAGE_MOST, affordable))),
        "includeSpamTrash": "true" if shown else "",
    }
    return tuple((name, value) for name, value in parameters.items() if value)


def _not_newer(position: Position) -> Date:
    """Let through what is as old as the position or older; q counts whole seconds, so the rest is for the reader."""
    return Date("before", math.floor(position.at.timestamp()) + 1)
