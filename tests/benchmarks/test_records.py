"""How long records take on their way through JSON, and HTML mail on its way to text."""

from __future__ import annotations

import datetime as dt

from pytest_benchmark.fixture import BenchmarkFixture

from mailkit.mime.html import html_to_text
from mailkit.models import MessageSummary
from mailkit.values import Address, Ref

ROWS = [
    MessageSummary(
        ref=Ref(account="work", kind="message", id=f"m{number}"),
        thread=Ref(account="work", kind="thread", id=f"t{number}"),
        from_=Address(name="Priya", address="priya@example.net"),
        to=(Address(address="ann@example.com"), Address(address="bob@example.com")),
        subject=f"Figures, draft {number}",
        snippet="The second column is new.",
        date=dt.datetime(2026, 3, 1, tzinfo=dt.UTC) + dt.timedelta(minutes=number),
        labels=("Budget",),
    )
    for number in range(100)
]
HTML = "<table>" + "<tr><td>Item</td><td><b>12</b> pieces &amp; more</td></tr>" * 400 + "</table>"


def test_100_summaries_to_json(benchmark: BenchmarkFixture) -> None:
    data = benchmark(lambda: [row.to_dict() for row in ROWS])
    assert len(data) == len(ROWS)


def test_100_summaries_from_json(benchmark: BenchmarkFixture) -> None:
    data = [row.to_dict() for row in ROWS]
    assert benchmark(lambda: [MessageSummary.from_dict(item) for item in data]) == ROWS


def test_20_kilobytes_of_html_to_text(benchmark: BenchmarkFixture) -> None:
    assert "12 pieces & more" in benchmark(html_to_text, HTML)
