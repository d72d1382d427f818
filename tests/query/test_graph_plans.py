"""Every shared case is planned as derived by hand, and the hand forgot none."""

from __future__ import annotations

import datetime as dt
import json
import os
from pathlib import Path
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given

from mailkit.query import QueryContext, parse
from mailkit.query.ast import Expr
from mailkit.query.graph_plan import GraphPlan, plan
from mailkit.values import HttpRequest
from tests.query import strategies as some
from tests.query.graph_plans import MAILBOX, ME, NOW, ROWS, Row
from tests.support import contract

SHARED = os.environ.get("MAILKIT_SHARED")


def planned(row: Row) -> GraphPlan:
    context = QueryContext(now=dt.datetime.fromisoformat(NOW), tz=ZoneInfo(row.tz), me=ME)
    return plan(parse(row.query), context, MAILBOX)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_case_is_planned_as_derived_by_hand(row: Row) -> None:
    found = planned(row)
    assert (found.strategy, found.folder, found.search or found.filter) == (row.strategy, row.folder, row.asks)
    assert (found.search is not None) is (row.strategy == "search+local")
    assert (found.residual is not None) is (row.strategy.endswith("+local"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_only_a_scan_has_a_reason_and_says_so(row: Row) -> None:
    assert (row.reason is not None) is (row.strategy == "scan+local")
    assert ("scan" in {note.code for note in planned(row).notes}) is (row.strategy == "scan+local")


@pytest.mark.skipif(not SHARED, reason="MAILKIT_SHARED is not set")
def test_the_table_holds_every_shared_case() -> None:
    lines = Path(SHARED or "", "cases", "queries.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [case for case in map(json.loads, lines) if "ast" in case]
    assert [(c["id"], c["query"], c["tz"]) for c in cases] == [(row.id, row.query, row.tz) for row in ROWS]
    assert {c["now"] for c in cases} == {NOW}


def request(made: GraphPlan) -> HttpRequest:
    """Write the plan's request as it would leave, with all that the check reads."""
    given_ = {
        **dict(made.parameters),
        "$select": ",".join(("id", *made.fields.select)),
        "$expand": ",".join(made.fields.expand),
        "$top": str(made.top(25)),
    }
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in given_.items() if value)
    prefer = [("Prefer", value) for value in made.fields.prefer]
    return HttpRequest(method="GET", url=f"https://graph.microsoft.com/v1.0/me{made.path}?{query}", headers=prefer)


def judge(config: pytest.Config, made: GraphPlan) -> None:
    """Have the request and its continuation judged; what is wrong fails the test at its end."""
    if made.strategy != "empty":
        checker = config.stash[contract._JUDGE]
        checker.request(request(made))
        checker.request(request(made.before(dt.datetime(2026, 3, 1, 8, 30, 15, 250_000, tzinfo=dt.UTC))))


@pytest.mark.skipif(not SHARED, reason="MAILKIT_SHARED is not set")
def test_every_planned_request_is_as_documented(pytestconfig: pytest.Config) -> None:
    for row in ROWS:
        judge(pytestconfig, planned(row))


@pytest.mark.skipif(not SHARED, reason="MAILKIT_SHARED is not set")
@given(some.canonical, some.contexts)
def test_every_plan_is_as_documented(pytestconfig: pytest.Config, expr: Expr, context: QueryContext) -> None:
    judge(pytestconfig, plan(expr, context, MAILBOX))
