"""What Gmail is sent means what was asked: its own reader selects what the local match selects.

Gmail here is the sandbox, which reads ``q`` with a reader of its own: dates in Pacific time, ``me`` as one address.
"""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailkit.query import Candidate, QueryContext, matches, parse, render
from mailkit.query.ast import Expr
from mailkit.sandbox import Sandbox
from tests.query.strategies import ME, candidates, canonical, contexts
from tests.support.cases import Case, cases, shared_json
from tests.support.corpus import seed_of
from tests.support.drivers import found, gmail
from tests.support.seeds import seed

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """What Gmail finds does not depend on the event loop, and the law takes long."""
    return "asyncio"


@pytest.mark.parametrize("case", cases("queries.jsonl", lambda case: "ast" in case))
async def test_every_case_finds_what_gmail_holds(case: Case) -> None:
    now, tz, expr = dt.datetime.fromisoformat(case["now"]), ZoneInfo(case["tz"]), parse(case["query"])
    data = shared_json("corpus.json")
    sandbox = Sandbox()
    box = sandbox.google(data["me"][0], aliases=data["me"][1:])
    for message in data["messages"]:
        box.add(seed_of(message))
    rows, _ = await found(gmail(sandbox, box), expr, now=now, tz=tz)
    assert [row.ref.id for row in rows] == case["ids"]


def as_gmail_holds(candidate: Candidate) -> Candidate:
    """The same message in Gmail, which has no folders of one's own and no outbox."""
    folder = "archive" if candidate.folder in ("other", "outbox") else candidate.folder
    return attrs.evolve(candidate, folder=folder)


# At Gmail a coloured star is a star.
_gmails = candidates.map(lambda mail: attrs.evolve(mail, starred=mail.starred or mail.star is not None))


@settings(max_examples=150)
@given(canonical, contexts, st.lists(_gmails, max_size=8, unique_by=lambda c: c.id))
async def test_the_rendered_query_finds_what_matches(
    expr: Expr, context: QueryContext, mailbox: list[Candidate]
) -> None:
    context = attrs.evolve(context, me=ME)
    held = [as_gmail_holds(candidate) for candidate in mailbox]
    sandbox = Sandbox()
    box = sandbox.google(ME[0], aliases=ME[1:])
    for candidate in held:
        box.add(seed(candidate))
    rows, _ = await found(gmail(sandbox, box), expr, now=context.now, tz=context.tz, size=3)
    wanted = {candidate.id for candidate in held if matches(expr, candidate, context)}
    assert {row.ref.id for row in rows} == wanted, render(expr)
    assert len(rows) == len(wanted)
    assert [row.date for row in rows] == sorted((row.date for row in rows), reverse=True)
