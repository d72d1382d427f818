"""The law of translation: running the plan gives exactly the messages that match, newest first, on every server.

The server here is the sandbox, which reads the filters and searches with readers of its own.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Literal
from zoneinfo import ZoneInfo

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailkit.query import Candidate, QueryContext, matches, parse, render
from mailkit.query.ast import And, Expr, Field, Not, Or, Text
from mailkit.sandbox import Mail, MicrosoftMailbox, Person, Sandbox, SearchBehaviour
from tests.query.strategies import ME, NOW, candidates, canonical, contexts
from tests.support.cases import Case, cases, shared_json
from tests.support.drivers import found, outlook
from tests.support.seeds import OWN_FOLDER, seed

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """What a plan finds does not depend on the event loop, and the law takes long."""
    return "asyncio"


_WORDS: tuple[Literal["whole", "prefix"], ...] = ("whole", "prefix")
SERVERS = [
    SearchBehaviour(words=words, day_shift=dt.timedelta(hours=hours), bcc_indexed=True)
    for words, hours in product(_WORDS, (-12, 0, 14))
]


@pytest.mark.parametrize("case", cases("queries.jsonl", lambda case: "ast" in case))
async def test_every_case_finds_what_outlook_holds(case: Case) -> None:
    now, tz, expr = dt.datetime.fromisoformat(case["now"]), ZoneInfo(case["tz"]), parse(case["query"])
    for sandbox, box in loaded():
        rows, _ = await found(outlook(sandbox, box), expr, now=now, tz=tz)
        assert [row.ref.id.removeprefix("G-") for row in rows] == case["ids_graph"]


@cache  # to read changes nothing, and to fill them takes longer
def loaded() -> list[tuple[Sandbox, MicrosoftMailbox]]:
    """Give a mailbox of the cases' corpus on every server."""
    data = shared_json("corpus_graph.json")
    servers = []
    for behaviour in SERVERS:
        sandbox = Sandbox()
        box = sandbox.microsoft(data["me"][0], aliases=data["me"][1:])
        box.load_graph(data)
        box.search = behaviour
        servers.append((sandbox, box))
    return servers


def as_outlook_holds(candidate: Candidate) -> Candidate:
    """What is left of a message in Outlook: no Gmail marks, Bcc only in one's own mail, no headers in a draft."""
    own_folder = OWN_FOLDER if candidate.folder == "other" else None
    written_here = candidate.folder in ("sent", "drafts", "outbox") or (
        candidate.from_ is not None and candidate.from_.address.casefold() in ME
    )
    return attrs.evolve(
        candidate,
        folder_path=own_folder,
        labels=(*candidate.labels, own_folder) if own_folder else candidate.labels,
        bcc=candidate.bcc if written_here else (),
        delivered_to=(),
        list_id=None if candidate.folder == "drafts" else candidate.list_id,
        category=None,
        star=None,
        muted=False,
        snoozed=False,
        chat=False,
    )


def filled(mailbox: Sequence[Candidate], behaviour: SearchBehaviour) -> tuple[Sandbox, MicrosoftMailbox]:
    sandbox = Sandbox()
    box = sandbox.microsoft(ME[0], aliases=ME[1:])
    box.search = behaviour
    box.categories = ["Work/Clients", "Follow up", "R&D", "work", "Café"]
    for candidate in mailbox:
        box.add(seed(candidate))
    return sandbox, box


mailboxes = st.lists(candidates, max_size=8, unique_by=lambda c: c.id)


@settings(max_examples=150)
@given(canonical, contexts, mailboxes, st.sampled_from(SERVERS))
async def test_a_plan_finds_what_matches_on_every_server(
    expr: Expr, context: QueryContext, mailbox: list[Candidate], behaviour: SearchBehaviour
) -> None:
    context = attrs.evolve(context, me=ME)
    sandbox, box = filled(mailbox, behaviour)
    rows, _ = await found(outlook(sandbox, box), expr, now=context.now, tz=context.tz, size=3)
    wanted = {c.id for c in map(as_outlook_holds, mailbox) if matches(expr, c, context)}
    assert {row.ref.id for row in rows} == wanted, render(expr)
    assert len(rows) == len(wanted)
    assert [row.date for row in rows] == sorted((row.date for row in rows), reverse=True)


def asks_for_bcc_in_passing(expr: Expr, *, positive: bool = True) -> bool:
    """Whether a positive ``to:`` or word term stands anywhere: only such may miss mail that matches by Bcc alone."""
    match expr:
        case And(args) | Or(args):
            return any(asks_for_bcc_in_passing(arg, positive=positive) for arg in args)
        case Not(arg):
            return asks_for_bcc_in_passing(arg, positive=not positive)
        case Text() | Field("to"):
            return positive
        case _:
            return False


@settings(max_examples=150)
@given(canonical, contexts, mailboxes, st.sampled_from(SERVERS))
async def test_without_bcc_in_the_index_only_what_matches_by_bcc_alone_is_missed_and_a_note_says_so(
    expr: Expr, context: QueryContext, mailbox: list[Candidate], behaviour: SearchBehaviour
) -> None:
    context = attrs.evolve(context, me=ME)
    sandbox, box = filled(mailbox, attrs.evolve(behaviour, bcc_indexed=False))
    rows, notes = await found(outlook(sandbox, box), expr, now=context.now, tz=context.tz)
    held = {c.id: c for c in map(as_outlook_holds, mailbox)}
    wanted = {id_ for id_, c in held.items() if matches(expr, c, context)}
    got = {row.ref.id for row in rows}
    assert got <= wanted
    for missed in wanted - got:
        assert asks_for_bcc_in_passing(expr)
        assert "bcc_not_indexed" in {note.code for note in notes}
        assert not matches(expr, attrs.evolve(held[missed], bcc=()), context), "it matches without its Bcc too"


BCC_MAIL = [
    Mail(id="sent", from_=Person("Mia", ME[0]), bcc=[Person("Amy", "amy@example.com")], folder="sent", date=NOW),
    Mail(id="draft", from_=Person("Mia", ME[1]), bcc=[Person("Amy", "amy@example.com")], folder="drafts", date=NOW),
    Mail(id="going", bcc=[Person("Amy", "amy@example.com")], folder="outbox", date=NOW),
    Mail(id="open", from_=Person("Mia", ME[0]), to=[Person("Amy", "amy@example.com")], folder="sent", date=NOW),
    Mail(id="got", from_=Person("Amy", "amy@example.com"), to=[Person("Mia", ME[0])], date=NOW),
]


@pytest.mark.parametrize("indexed", [True, False])
@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("bcc:amy", {"sent", "draft", "going"}),
        ("bcc:amy in:sent", {"sent"}),
        ("-bcc:amy", {"open", "got"}),
        ("bcc:amy -in:drafts", {"sent", "going"}),
        ("bcc:me", set()),
    ],
)
async def test_bcc_is_looked_for_in_ones_own_mail(query: str, ids: set[str], indexed: bool) -> None:
    sandbox = Sandbox()
    box = sandbox.microsoft(ME[0], aliases=ME[1:])
    box.search = SearchBehaviour(bcc_indexed=indexed)
    for mail in BCC_MAIL:
        box.add(mail)
    rows, notes = await found(outlook(sandbox, box), parse(query), now=NOW)
    assert {row.ref.id for row in rows} == ids
    assert notes


async def test_a_sent_mail_with_bcc_is_still_found_after_a_move() -> None:
    sandbox = Sandbox()
    box = sandbox.microsoft(ME[0], aliases=ME[1:])
    for mail in BCC_MAIL:
        box.add(mail)
    box.move("sent", "Projects/Alpha")
    rows, _ = await found(outlook(sandbox, box), parse("bcc:amy"), now=NOW)
    assert {row.ref.id for row in rows} >= {"draft"}
