"""How long a query takes to be read, written for Gmail and matched."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from pytest_benchmark.fixture import BenchmarkFixture

from mailkit.query import Candidate, QueryContext, matches, parse, to_gmail
from mailkit.values import Address

QUERY = 'from:(priya OR me) is:unread subject:"second draft" -{lunch dinner} newer_than:2m has:attachment larger:10K'
CONTEXT = QueryContext(
    now=dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC), tz=ZoneInfo("Europe/Berlin"), me=("ann@example.com",)
)
LETTER = Candidate(
    id="1",
    date=dt.datetime(2026, 3, 14, tzinfo=dt.UTC),
    from_=Address(name="Priya", address="priya@example.net"),
    subject="Budget, second draft",
    body="The second column is new. " * 50,
    read=False,
)


def test_parse(benchmark: BenchmarkFixture) -> None:
    assert benchmark(parse, QUERY)


def test_write_for_gmail(benchmark: BenchmarkFixture) -> None:
    assert "is:unread" in benchmark(to_gmail, parse(QUERY), CONTEXT)


def test_match_1000_messages(benchmark: BenchmarkFixture) -> None:
    expr = parse('from:priya subject:"second draft" column')
    assert all(benchmark(lambda: [matches(expr, LETTER, CONTEXT) for _ in range(1000)]))
