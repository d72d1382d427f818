"""What holds for every tree, every text and every value."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailkit.errors import InvalidQuery, UsageError
from mailkit.query import Candidate, Q, QueryContext, matches, parse, render, to_gmail
from mailkit.query.ast import All, Expr, and_, depth, not_, or_, to_json
from tests.query import strategies as some

CONTEXT = QueryContext(now=some.NOW, tz=ZoneInfo("UTC"), me=some.ME)

moderate = settings(max_examples=200, deadline=None)


@moderate
@given(some.canonical)
def test_the_canonical_text_parses_back(expr: Expr) -> None:
    assert parse(render(expr)) == expr


@moderate
@given(some.any_text)
def test_any_text_is_read_or_refused_and_what_is_read_is_canonical(text: str) -> None:
    outcome = _parsed(text)
    if isinstance(outcome, InvalidQuery):
        assert 0 <= outcome.position <= len(text)
        assert outcome.code
    else:
        assert parse(render(outcome)) == outcome
        render(outcome).encode()


def _parsed(text: str) -> Expr | InvalidQuery:
    try:
        return parse(text)
    except InvalidQuery as error:
        return error


@moderate
@given(some.canonical, some.candidates, some.contexts)
def test_gmails_text_means_the_same_here(expr: Expr, mail: Candidate, context: QueryContext) -> None:
    assert matches(parse(to_gmail(expr, context)), mail, context) == matches(expr, mail, context)


@moderate
@given(some.canonical, some.contexts)
def test_gmails_text_is_the_same_whichever_of_and_and_or_binds_tighter(expr: Expr, context: QueryContext) -> None:
    for group in _groups(to_gmail(expr, context)):
        if "AROUND" in group:
            assert len(group) == 4
        elif "OR" in group:
            assert set(group[1::2]) == {"OR"}


def _groups(sent: str) -> Iterator[list[str]]:
    """The terms and joining words of each pair of parentheses, a group inside counting as one term."""
    open_groups: list[list[str]] = [[]]
    for token in re.findall(r'[^\s()"]*\(|\)|(?:[^\s()"]|"[^"]*")+', sent):
        if token.endswith("("):
            open_groups.append([])
        elif token == ")":
            yield open_groups.pop()
            open_groups[-1].append("(...)")
        else:
            open_groups[-1].append(token)
    yield from open_groups


@moderate
@given(some.canonical, some.candidates, some.contexts)
def test_not_is_the_complement_within_a_scope(expr: Expr, mail: Candidate, context: QueryContext) -> None:
    widened = parse("in:anywhere")
    inside = matches(and_((widened, expr)), mail, context)
    assert matches(and_((widened, not_(expr))), mail, context) is not inside


@moderate
@given(some.canonical, some.canonical, some.candidates, some.contexts)
def test_and_or_are_intersection_and_union(one: Expr, two: Expr, mail: Candidate, context: QueryContext) -> None:
    widened = parse("in:anywhere")
    first, second = (matches(and_((widened, expr)), mail, context) for expr in (one, two))
    assert matches(and_((widened, one, two)), mail, context) == (first and second)
    assert matches(and_((widened, or_((one, two)))), mail, context) == (first or second)


@moderate
@given(some.canonical)
def test_a_tree_has_one_json_form_per_tree(expr: Expr) -> None:
    assert to_json(parse(render(expr))) == to_json(expr)
    assert depth(expr) < 50


VALUES: dict[str, Callable[[str], Q]] = {
    "from_": Q.from_,
    "to": Q.to,
    "cc": Q.cc,
    "bcc": Q.bcc,
    "delivered_to": Q.delivered_to,
    "subject": Q.subject,
    "filename": Q.filename,
    "list_": Q.list_,
    "label": Q.label,
    "message_id": Q.message_id,
    "text": Q.text,
    "phrase": Q.phrase,
    "exact": Q.exact,
    "around": lambda value: Q.around(value, "b", 3),
    "around, right": lambda value: Q.around("a", value, 3),
    "around, ordered": lambda value: Q.around(value, value, 3, ordered=True),
    "around, subject": lambda value: Q.around(value, "b", 3, field="subject"),
    "around, ordered, subject": lambda value: Q.around("a", value, 3, ordered=True, field="subject"),
}


@pytest.mark.parametrize("build", VALUES.values(), ids=VALUES.keys())
@settings(max_examples=120, deadline=None)
@given(value=some.any_text)
def test_what_q_builds_parses_back_to_exactly_its_tree(build: Callable[[str], Q], value: str) -> None:
    query = _built(build, value)
    if query is None:
        return
    neighbours = Q.text("left") & query & ~query | Q.text("right") & ~Q.label("x")
    for built in (query, ~query, neighbours):
        assert parse(str(built)) == built.expr
        assert parse(to_gmail(built.expr, CONTEXT)) != All()
        str(built).encode()


def _built(build: Callable[[str], Q], value: str) -> Q | None:
    """Give what is built of ``value``, or None where it is refused: nothing to find in it, or no way to say it."""
    try:
        return build(value)
    except UsageError as error:
        if error.code not in ("missing_value", "bad_value"):
            raise
        return None


@pytest.fixture(scope="module")
def contract() -> ModuleType:
    shared = os.environ.get("MAILKIT_SHARED")
    if not shared:
        pytest.skip("MAILKIT_SHARED is not set")
    spec = importlib.util.spec_from_file_location("contract_check", Path(shared, "contract", "contract_check.py"))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@moderate
@given(expr=some.canonical, context=some.contexts)
def test_gmails_text_keeps_the_contract(contract: ModuleType, expr: Expr, context: QueryContext) -> None:
    assert contract.check_gmail_query(to_gmail(expr, context)) == []


@moderate
@given(value=some.any_text, build=st.sampled_from(list(VALUES.values())))
def test_the_text_of_any_value_keeps_the_contract(contract: ModuleType, value: str, build: Callable[[str], Q]) -> None:
    query = _built(build, value)
    assert query is None or contract.check_gmail_query(to_gmail(query.expr, CONTEXT)) == []
