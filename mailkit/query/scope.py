"""The default scope: trash and spam stay out unless a query asks for them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from mailkit.query.ast import And, Expr, In, Not, Or, bounded

__all__ = ["Hidden", "admitted"]

Hidden: TypeAlias = Literal["trash", "spam"]

_WIDENING: dict[str, frozenset[Hidden]] = {
    "trash": frozenset({"trash"}),
    "spam": frozenset({"spam"}),
    "anywhere": frozenset({"trash", "spam"}),  # support.google.com/mail/answer/7190, in:anywhere
}


def admitted(expr: Expr) -> frozenset[Hidden]:
    """Say which of trash and spam a query admits: those it mentions under an even number of negations.

    Raises:
        UsageError: the tree is too deep.
    """
    return _admitted(bounded(expr), positive=True)


def _admitted(expr: Expr, *, positive: bool) -> frozenset[Hidden]:
    match expr:
        case And(args) | Or(args):
            return frozenset().union(*(_admitted(arg, positive=positive) for arg in args))
        case Not(arg):
            return _admitted(arg, positive=not positive)
        case In(value) if positive:
            return _WIDENING.get(value, frozenset())
        case _:
            return frozenset()
