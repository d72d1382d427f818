"""Write a tree for Gmail's own search: what is sent is always this, never what the user typed.

Dates and ages become epoch seconds and ``me`` the account's own addresses, so that Gmail reads the query in the same
zone and for the same person as every other provider.
"""

from __future__ import annotations

import attrs

from mailkit.query.ast import Age, And, Date, Expr, Field, Not, Or, and_, bounded, not_, or_
from mailkit.query.context import QueryContext
from mailkit.query.dates import instant
from mailkit.query.people import is_me
from mailkit.query.render import write

__all__ = ["to_gmail"]


def to_gmail(expr: Expr, context: QueryContext) -> str:
    """Give the ``q`` parameter that selects in Gmail what ``matches`` selects; empty for the empty query.

    Calendar dates would be read as midnight Pacific time, and aliases of the account would not be looked up
    (developers.google.com/workspace/gmail/api/guides/filtering), hence seconds and all own addresses. ``me`` stays
    ``me`` where the context holds no address.

    Raises:
        UsageError: the tree is too deep.
    """
    return write(_settled(bounded(expr), context), "plain")


def _settled(expr: Expr, context: QueryContext) -> Expr:
    """Replace what depends on the context by what does not."""
    match expr:
        case And(args):
            return and_(_settled(arg, context) for arg in args)
        case Or(args):
            return or_(_settled(arg, context) for arg in args)
        case Not(arg):
            return not_(_settled(arg, context))
        case Date():
            return Date(expr.rel, int(instant(expr, context).timestamp()))
        case Age():
            return Date("after" if expr.rel == "newer" else "before", int(instant(expr, context).timestamp()))
        case Field() if is_me(expr) and context.me:
            return or_(attrs.evolve(expr, value=address) for address in context.me)
        case _:
            return expr
