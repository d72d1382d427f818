"""What is done often and must stay cheap: queries, records in and out of JSON, HTML to text. Figures without bounds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from zoneinfo import ZoneInfo

from mailkit.mime.html import html_to_text
from mailkit.models import MessageSummary
from mailkit.query import Candidate, QueryContext, matches, parse, to_gmail
from mailkit.values import Address, Ref
from tests.benchmarks.measure import Work, least_cpu

COLUMNS = ("what", "µs")

_QUERY = 'from:(priya OR me) is:unread subject:"second draft" -{lunch dinner} newer_than:2m has:attachment larger:10K'
_CONTEXT = QueryContext(
    now=dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC), tz=ZoneInfo("Europe/Berlin"), me=("ann@example.com",)
)
_LETTER = Candidate(
    id="1",
    date=dt.datetime(2026, 3, 14, tzinfo=dt.UTC),
    from_=Address(name="Priya", address="priya@example.net"),
    subject="Budget, second draft",
    body="The second column is new. " * 50,
    read=False,
)
_ROW = MessageSummary(
    ref=Ref(account="work", kind="message", id="m1"),
    thread=Ref(account="work", kind="thread", id="t1"),
    from_=Address(name="Priya", address="priya@example.net"),
    to=(Address(address="ann@example.com"), Address(address="bob@example.com")),
    subject="Figures, second draft",
    snippet="The second column is new.",
    date=dt.datetime(2026, 3, 1, tzinfo=dt.UTC),
    labels=("Budget",),
)
_HTML = "<table>" + "<tr><td>Item</td><td><b>12</b> pieces &amp; more</td></tr>" * 400 + "</table>"


def rows() -> Iterator[list[str]]:
    """Measure each."""
    tree, simple, data = parse(_QUERY), parse('from:priya subject:"second draft" column'), _ROW.to_dict()
    works: dict[str, tuple[Work, int]] = {
        "a query of eight terms read": (lambda: parse(_QUERY), 50),
        "the same written for Gmail": (lambda: to_gmail(tree, _CONTEXT), 50),
        "a message matched with a query of three terms": (lambda: matches(simple, _LETTER, _CONTEXT), 200),
        "a summary to JSON values": (_ROW.to_dict, 200),
        "a summary from JSON values": (lambda: MessageSummary.from_dict(data), 200),
        "20 KB of HTML to text": (lambda: html_to_text(_HTML), 2),
    }
    for what, (work, times) in works.items():
        took = least_cpu({what: _repeated(work, times)}, rounds=25)[what]
        yield [what, f"{took / times * 1e6:,.1f}"]


def _repeated(work: Work, times: int) -> Work:
    return lambda: [work() for _ in range(times)]
