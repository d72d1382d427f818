"""Formulas: simplified without changing their meaning, only ever widened when cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mailkit.query.ast import Expr
from mailkit.query.formula import (
    FALSE,
    TRUE,
    AllOf,
    AnyOf,
    Clause,
    Formula,
    all_of,
    any_of,
    fitted,
    is_selective,
    literals,
    size,
    translated,
    written,
)
from tests.query import strategies as some

NAMES = "abcdef"
clauses = st.builds(Clause, st.sampled_from(NAMES), selective=st.booleans())
raw: st.SearchStrategy[Formula] = st.recursive(
    clauses | st.sampled_from((TRUE, FALSE)),
    lambda inner: (
        st.lists(inner, max_size=4).map(lambda parts: AllOf(tuple(parts)))
        | st.lists(inner, max_size=4).map(lambda parts: AnyOf(tuple(parts)))
    ),
    max_leaves=20,
)
worlds = st.sets(st.sampled_from(NAMES)).map(frozenset)


def holds(formula: Formula, world: frozenset[str]) -> bool:
    match formula:
        case Clause(text):
            return text in world
        case AllOf(parts):
            return all(holds(part, world) for part in parts)
        case AnyOf(parts):
            return any(holds(part, world) for part in parts)


def simplified(formula: Formula) -> Formula:
    match formula:
        case Clause():
            return formula
        case AllOf(parts):
            return all_of(map(simplified, parts))
        case AnyOf(parts):
            return any_of(map(simplified, parts))


def python(formula: Formula, world: frozenset[str]) -> bool:
    """Let Python read what was written: its and/or bind as the providers' do."""
    text = written(formula, "and", "or") or ("True" if formula == TRUE else "False")
    return bool(eval(text, {name: name in world for name in NAMES}))


@given(raw, worlds)
def test_simplifying_keeps_the_meaning(formula: Formula, world: frozenset[str]) -> None:
    simple = simplified(formula)
    assert holds(simple, world) is holds(formula, world)
    assert size(simple) <= size(formula)
    assert python(simple, world) is holds(simple, world)


@given(raw, worlds, st.integers(1, 10))
def test_cutting_only_widens(formula: Formula, world: frozenset[str], most: int) -> None:
    whole = simplified(formula)
    cut = fitted(whole, most)
    assert size(cut) <= most
    assert holds(cut, world) or not holds(whole, world)
    if size(whole) <= most:
        assert cut == whole


@given(raw, worlds, worlds)
def test_formulas_are_monotone(formula: Formula, world: frozenset[str], more: frozenset[str]) -> None:
    assert holds(formula, world | more) or not holds(formula, world)


@given(raw)
def test_selective_means_in_every_branch(formula: Formula) -> None:
    """Where every selective clause is false, a selective formula lets nothing through."""

    def others(inner: Formula) -> Formula:
        match inner:
            case Clause():
                return FALSE if inner.selective else TRUE
            case AllOf(parts):
                return all_of(map(others, parts))
            case AnyOf(parts):
                return any_of(map(others, parts))

    assert is_selective(formula) is (others(formula) == FALSE)


@given(some.canonical)
def test_every_literal_of_a_query_is_translated_once(expr: Expr) -> None:
    seen = []

    def clause(literal: object) -> Formula:
        seen.append(literal)
        return Clause(str(len(seen)))

    formula = translated(expr, clause)
    assert seen == list(literals(expr))
    assert size(formula) == len(seen)
