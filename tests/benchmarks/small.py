"""What is done often and must stay cheap: queries, records in and out of JSON, HTML to text, a token that is good.

Figures without bounds, but for the last: a signed-in account adds no tenth to a request, which takes some 500 µs.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from zoneinfo import ZoneInfo

import anyio

from mailkit.accounts.grant import Grant
from mailkit.accounts.settings import Settings
from mailkit.accounts.stores import MemoryStore
from mailkit.accounts.token_cache import TokenCache
from mailkit.accounts.tokens import token_source
from mailkit.mime.html import html_to_text
from mailkit.models import MessageSummary
from mailkit.query import Candidate, QueryContext, matches, parse, to_gmail
from mailkit.transport import HttpxTransport, SystemClock
from mailkit.values import Account, Address, Ref
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
    took = least_cpu({"token": _tokens}, rounds=5)["token"]
    yield ["a signed-in account's token while it is good", f"{took / _TOKENS * 1e6:,.1f}"]


def _repeated(work: Work, times: int) -> Work:
    return lambda: [work() for _ in range(times)]


_TOKENS = 2_000


def _tokens() -> str:
    """Ask for a good token many times, so that starting the event loop does not count."""
    clock = SystemClock()
    now = clock.now()
    grant = Grant(
        provider="microsoft",
        client_id="app",
        refresh_token="refresh",
        access_token="access",
        renewed_at=now,
        expires_at=now + dt.timedelta(hours=1),
        scopes=frozenset({"Mail.Read"}),
        features=frozenset({"read"}),
    )
    account = Account(name="work", provider="microsoft", token=MemoryStore(grant))
    cache = TokenCache(token_source(account, transport=HttpxTransport(), clock=clock, settings=Settings()), clock=clock)

    async def calls() -> str:
        for _ in range(_TOKENS):
            token = await cache.token()
        return token.value

    return anyio.run(calls)
