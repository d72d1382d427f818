"""Formulas over a provider's clauses: a query with its negations pushed to the leaves, in the provider's words.

Such a formula is monotone: put something wider in the place of a clause, or true, and the result is wider. All of a
plan's soundness rests on that. Responsible for shape alone (building, simplifying, measuring, cutting, writing); what a
clause says is for ``graph_filter`` and ``graph_search``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import attrs

from mailkit.query.ast import All, And, Expr, Leaf, Not, Or

__all__ = [
    "FALSE",
    "TRUE",
    "AllOf",
    "AnyOf",
    "Clause",
    "Formula",
    "Literal",
    "all_of",
    "any_of",
    "conjuncts",
    "fitted",
    "is_exact",
    "is_selective",
    "literals",
    "size",
    "translated",
    "written",
]


@attrs.frozen
class Literal:
    """A leaf of a query, or the negation of one."""

    term: Leaf
    positive: bool = True


@attrs.frozen
class Clause:
    """One restriction in the provider's words.

    ``exact``: it selects just what its literal selects, else possibly more. ``selective``: few mails pass, so that
    paging through them stays short. ``dated``: it bounds the received instant.
    """

    text: str
    exact: bool = True
    selective: bool = False
    dated: bool = False


@attrs.frozen
class AllOf:
    """Every part; without parts it is true."""

    parts: tuple[Formula, ...]


@attrs.frozen
class AnyOf:
    """At least one part; without parts it is false."""

    parts: tuple[Formula, ...]


Formula: TypeAlias = Clause | AllOf | AnyOf
TRUE = AllOf(())
FALSE = AnyOf(())


def literals(expr: Expr, *, positive: bool = True) -> Iterator[Literal]:
    """Give the literals of the query's negation normal form, in the order they are written."""
    match expr:
        case All():
            return
        case Not(arg):
            yield from literals(arg, positive=not positive)
        case And(args) | Or(args):
            for arg in args:
                yield from literals(arg, positive=positive)
        case _:
            yield Literal(expr, positive)


def translated(expr: Expr, clause: Callable[[Literal], Formula], *, positive: bool = True) -> Formula:
    """Put ``clause(literal)`` in the place of every literal of the query's negation normal form."""
    match expr:
        case All():
            return TRUE if positive else FALSE
        case Not(arg):
            return translated(arg, clause, positive=not positive)
        case And(args) | Or(args):
            parts = [translated(arg, clause, positive=positive) for arg in args]
            return all_of(parts) if isinstance(expr, And) is positive else any_of(parts)
        case _:
            return clause(Literal(expr, positive))


def all_of(parts: Iterable[Formula]) -> Formula:
    """Join by and: true, doubles and nesting vanish, false wins."""
    flat = list(_flat(AllOf, parts))
    if FALSE in flat:
        return FALSE
    return flat[0] if len(flat) == 1 else AllOf(tuple(flat))


def any_of(parts: Iterable[Formula]) -> Formula:
    """Join by or: false, doubles and nesting vanish, true wins."""
    flat = list(_flat(AnyOf, parts))
    if TRUE in flat:
        return TRUE
    return flat[0] if len(flat) == 1 else AnyOf(tuple(flat))


def _flat(kind: type[AllOf | AnyOf], parts: Iterable[Formula]) -> Iterable[Formula]:
    found: dict[Formula, None] = {}
    for part in parts:
        found.update(dict.fromkeys(part.parts if isinstance(part, kind) else (part,)))
    return found


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    """Give the parts that must all hold."""
    return formula.parts if isinstance(formula, AllOf) else (formula,)


def size(formula: Formula) -> int:
    """Count the clauses."""
    return 1 if isinstance(formula, Clause) else sum(map(size, formula.parts))


def is_exact(formula: Formula) -> bool:
    """Whether every clause is exact."""
    return formula.exact if isinstance(formula, Clause) else all(map(is_exact, formula.parts))


def is_selective(formula: Formula) -> bool:
    """Whether a selective clause holds in every or-branch."""
    match formula:
        case Clause():
            return formula.selective
        case AllOf(parts):
            return any(map(is_selective, parts))
        case AnyOf(parts):
            return all(map(is_selective, parts))


def fitted(formula: Formula, most: int) -> Formula:
    """Widen to at most ``most`` clauses: the largest or-groups become true, of equal ones the last, then conjuncts.

    The largest or-group is always a conjunct of its own, since a group inside another is smaller.
    """
    parts = conjuncts(formula)
    excess = size(formula) - most
    dropped = set[int]()
    for at in sorted(range(len(parts)), key=lambda i: (size(parts[i]), i), reverse=True):
        if excess > 0 and isinstance(parts[at], AnyOf):
            dropped.add(at)
            excess -= size(parts[at])
    return all_of([part for at, part in enumerate(parts) if at not in dropped][:most])


def written(formula: Formula, both: str, either: str) -> str:
    """Write it out with the provider's two operators; every nested group stands in parentheses."""

    def inner(part: Formula) -> str:
        text = written(part, both, either)
        return text if isinstance(part, Clause) else f"({text})"

    if isinstance(formula, Clause):
        return formula.text
    return f" {both if isinstance(formula, AllOf) else either} ".join(map(inner, formula.parts))
