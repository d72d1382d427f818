"""What a plan asks for is never too little: random queries against the sandbox's own readers, played by six servers.

The readers of ``$filter`` and KQL share no code with the planner. A plan without a residual selects exactly what
``matches`` does; one with a residual selects at least that, and may miss only what matches by its Bcc alone.
"""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections.abc import Sequence
from itertools import product
from typing import Literal, get_args
from zoneinfo import ZoneInfo

import attrs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mailkit.query import Candidate, CandidateFolder, QueryContext, matches, parse
from mailkit.query.ast import And, Expr, Field, Or, Place, Text, and_
from mailkit.query.graph_mailbox import GraphMailbox
from mailkit.query.graph_plan import GraphPlan, plan
from mailkit.sandbox.microsoft.kql import parse_search
from mailkit.sandbox.microsoft.matching import holds
from mailkit.sandbox.microsoft.odata import check_order, parse_filter, parse_orderby
from mailkit.sandbox.microsoft.schema import MESSAGE
from mailkit.sandbox.microsoft.searching import Indexed, SearchBehaviour, found
from mailkit.values import Address
from tests.query import strategies as some
from tests.query.graph_plans import ALPHA, ARCHIVE, DRAFTS, INBOX, MAILBOX, ME, OLD_STUFF, OUTBOX, SENT, SPAM, TRASH

PATHS = {
    "inbox": INBOX,
    "sentitems": SENT,
    "drafts": DRAFTS,
    "deleteditems": TRASH,
    "junkemail": SPAM,
    "outbox": OUTBOX,
}
IDS: dict[CandidateFolder, tuple[str, ...]] = {
    "inbox": (INBOX,),
    "sent": (SENT,),
    "drafts": (DRAFTS,),
    "trash": (TRASH, OLD_STUFF),
    "spam": (SPAM,),
    "archive": (ARCHIVE,),
    "outbox": (OUTBOX,),
    "other": (ALPHA, "AQ-Inbox.Newsletters=="),
}
BOX = attrs.evolve(MAILBOX, categories=some.LABELS)
FLAT_TRASH = attrs.evolve(BOX, folders=tuple(folder for folder in BOX.folders if folder.id != OLD_STUFF))
SAME_TENANT = attrs.evolve(BOX, same_tenant=True)
KINDS: tuple[Literal["whole"], Literal["prefix"]] = ("whole", "prefix")
SERVERS = [
    SearchBehaviour(words=words, day_shift=dt.timedelta(hours=hours)) for words in KINDS for hours in (-12, 0, 14)
]


@attrs.frozen
class Mail:
    """A message as Outlook holds it, with the folder it lies in."""

    candidate: Candidate
    folder_id: str

    @classmethod
    def of(cls, candidate: Candidate, deep: bool) -> Mail:
        """Lay a message into the place's last folder, where ``deep``, and take away what Outlook cannot hold."""
        folder_id = IDS[candidate.folder][-1 if deep else 0]
        own = candidate.from_ is not None and candidate.from_.address.casefold() == ME[0]
        keeps_bcc = own or candidate.folder in ("sent", "drafts")  # a sent mail may have been moved
        held = attrs.evolve(
            candidate,
            folder_path=BOX.own_path(folder_id),
            bcc=candidate.bcc if keeps_bcc else (),
            delivered_to=(),
            category=None,
            star=None,
            muted=False,
            snoozed=False,
            chat=False,
        )
        return cls(held, folder_id)

    @property
    def item(self) -> dict[str, object]:
        mail = self.candidate
        return {
            "from": {"emailAddress": {"name": mail.from_.name, "address": mail.from_.address}} if mail.from_ else None,
            "subject": mail.subject,
            "receivedDateTime": mail.date.isoformat(),
            "isRead": mail.read,
            "isDraft": mail.folder == "drafts",
            "hasAttachments": self.has_attachments,
            "importance": "high" if mail.important else "normal",
            "flag": {"flagStatus": "flagged" if mail.starred else "complete"},
            "parentFolderId": self.folder_id,
            "internetMessageId": mail.message_id,
            "categories": list(mail.labels),
            "singleValueExtendedProperties": [{"id": "Integer 0x0E08", "value": str(mail.size)}],
        }

    @property
    def has_attachments(self) -> bool:
        return any(not file.inline for file in self.candidate.attachments)

    @property
    def indexed(self) -> Indexed:
        mail = self.candidate
        return Indexed(
            people={
                "from": _texts([mail.from_] if mail.from_ else []),
                "to": _texts(mail.to),
                "cc": _texts(mail.cc),
                "bcc": _texts(mail.bcc),
            },
            subject=mail.subject,
            body=mail.body,
            files=tuple(file.name for file in mail.attachments),
            has_attachments=self.has_attachments,
            importance="high" if mail.important else "normal",
            received=mail.date,
            sent=mail.date,
            measure=lambda: mail.size,
        )


def _texts(people: Sequence[Address]) -> tuple[str, ...]:
    return tuple(text for person in people for text in (person.name, person.address))


mails = st.builds(Mail.of, some.candidates, st.booleans())


def reached(made: GraphPlan, mail: Mail, server: SearchBehaviour) -> bool:
    """Whether the plan's request has the mail in its answer."""
    if made.strategy == "empty" or (made.folder and PATHS[made.folder] != mail.folder_id):
        return False
    asked = dict(made.parameters)
    if "$search" in asked:
        return found(parse_search(asked["$search"]), mail.indexed, server)
    tree = parse_filter(asked["$filter"], MESSAGE)
    check_order(tree, parse_orderby(asked["$orderby"], MESSAGE))
    return holds(tree, mail.item)


def check(made: GraphPlan, expr: Expr, context: QueryContext, mail: Mail) -> None:
    fits = matches(expr, mail.candidate, context)
    if made.residual is None:
        assert reached(made, mail, SERVERS[0]) is fits
    elif fits:
        without_bcc = matches(expr, attrs.evolve(mail.candidate, bcc=()), context)
        may_miss = not without_bcc and "bcc_not_indexed" in {note.code for note in made.notes}
        for server in SERVERS if made.search else SERVERS[:1]:
            assert may_miss or reached(made, mail, server)


@given(some.canonical, some.contexts, st.sampled_from((BOX, FLAT_TRASH, SAME_TENANT)), st.lists(mails, max_size=4))
def test_a_plan_selects_what_matches(
    expr: Expr, context: QueryContext, mailbox: GraphMailbox, some_mails: list[Mail]
) -> None:
    made = plan(expr, context, mailbox)
    for mail in some_mails:
        if mailbox is not FLAT_TRASH or mail.folder_id != OLD_STUFF:
            check(made, expr, context, mail)


@given(some.trees(some.texts | some.people | some.contents, max_leaves=3), some.contexts, mails)
def test_a_plan_for_words_selects_what_matches(expr: Expr, context: QueryContext, mail: Mail) -> None:
    check(plan(expr, context, BOX), expr, context, mail)


@given(some.trees(some.states | some.times, max_leaves=2), some.contexts, st.lists(mails, min_size=4, max_size=8))
def test_a_plan_for_states_and_times_selects_what_matches(
    expr: Expr, context: QueryContext, some_mails: list[Mail]
) -> None:
    made = plan(expr, context, BOX)
    for mail in some_mails:
        check(made, expr, context, mail)


@given(some.trees(some.times, max_leaves=2), some.contexts, st.lists(mails, min_size=4, max_size=8))
def test_days_lose_nothing_in_any_zone(expr: Expr, context: QueryContext, some_mails: list[Mail]) -> None:
    dinner = and_([Text("dinner"), expr])
    made = plan(dinner, context, BOX)
    for mail in some_mails:
        check(made, dinner, context, Mail(attrs.evolve(mail.candidate, subject="dinner"), mail.folder_id))


@given(some.canonical, some.contexts, mails, st.datetimes(timezones=st.just(dt.UTC)))
@example(parse("subject:dinner"), QueryContext(now=some.NOW, tz=ZoneInfo("UTC"), me=ME), None, some.NOW)
def test_a_position_loses_no_older_row(expr: Expr, context: QueryContext, mail: Mail | None, at: dt.datetime) -> None:
    made = plan(expr, context, BOX)
    later = made.before(at)
    assert attrs.evolve(later, filter=made.filter, search=made.search) == made
    if mail is None or not reached(made, mail, SERVERS[0]):
        return
    for server in SERVERS if made.search else SERVERS[:1]:
        if mail.candidate.date <= at:
            assert reached(later, mail, server) is reached(made, mail, server)
        elif made.filter is not None:
            assert not reached(later, mail, server)


@given(some.canonical, some.contexts)
def test_an_exact_plan_has_no_term_that_is_checked(expr: Expr, context: QueryContext) -> None:
    made = plan(expr, context, BOX)
    if made.strategy == "filter":
        assert "checked locally" not in {report.exactness for report in made.terms}
    assert made.exactness in ("exact", "approximate", "unsupported")


CONTEXT = QueryContext(now=some.NOW, tz=ZoneInfo("UTC"), me=ME)
PLAIN = Candidate(id="1", date=some.NOW, subject="dinner", size=1000)


@pytest.mark.parametrize("place", get_args(Place))
@pytest.mark.parametrize("query", ["in:{}", "-in:{}", "in:anywhere in:{}", "in:anywhere -in:{}", "dinner -in:{}"])
def test_every_place_is_told_from_every_other(place: str, query: str) -> None:
    expr = parse(query.format(place))
    for folder, deep in product(IDS, (False, True)):
        check(plan(expr, CONTEXT, BOX), expr, CONTEXT, Mail.of(attrs.evolve(PLAIN, folder=folder), deep))


@pytest.mark.parametrize(
    "query", ["larger:1000", "-larger:1000", "smaller:1000", "-smaller:1000", "dinner larger:1000"]
)
def test_sizes_are_told_to_the_byte(query: str) -> None:
    expr = parse(query)
    for size in (999, 1000, 1001):
        check(plan(expr, CONTEXT, BOX), expr, CONTEXT, Mail(attrs.evolve(PLAIN, size=size), INBOX))


@pytest.mark.parametrize("query", ["after:{}", "before:{}", "dinner after:{}", "dinner before:{}", "dinner -after:{}"])
@pytest.mark.parametrize("hour", range(24))
def test_instants_are_told_to_the_second(query: str, hour: int) -> None:
    at = dt.datetime(2025, 6, 10, hour, 30, tzinfo=dt.UTC)
    expr = parse(query.format(int(at.timestamp())))
    for seconds in (-1, 0, 1):
        mail = Mail(attrs.evolve(PLAIN, date=at + dt.timedelta(seconds=seconds)), INBOX)
        check(plan(expr, CONTEXT, BOX), expr, CONTEXT, mail)


# What a word is also written as: each folds to what is asked for, but not on a server that only ignores case.
SPELLED = {
    "strasse": ("Stra\u00dfe", "STRASSE"),
    "stra\u00dfe": ("Stra\u00dfe", "STRASSE"),
    "message": ("Message", "MESSAGE"),
    "\u03bb\u03cc\u03b3\u03bf\u03c2": ("\u03bb\u03cc\u03b3\u03bf\u03c2", "\u039b\u038c\u0393\u039f\u03a3"),
    "caf\u00e9": ("CAF\u00c9", "cafe\u0301"),
}


@pytest.mark.parametrize("field", ["subject", "text"])
@pytest.mark.parametrize("word", SPELLED)
def test_every_spelling_is_asked_for(word: str, field: str) -> None:
    expr: Expr = Field("subject", word) if field == "subject" else Text(word)
    context = QueryContext(now=some.NOW, tz=ZoneInfo("UTC"))
    made = plan(expr, context, BOX)
    asked = (made.search or made.filter or "").lower()
    for spelling in SPELLED[word]:
        assert matches(expr, Candidate(id="1", date=some.NOW, subject=spelling), context)
        plain = unicodedata.normalize("NFC", spelling).lower()
        assert f'"{plain}"' in asked or f"(subject,'{plain}')" in asked


@pytest.mark.parametrize("word", ["\u0130zmir", "会", "\u3042", "possessiveness"])
def test_what_no_server_is_sure_to_fold_is_not_asked_for(word: str) -> None:
    made = plan(Text(word), QueryContext(now=some.NOW, tz=ZoneInfo("UTC")), BOX)
    assert made.strategy == "scan+local"


def test_a_plan_grows_no_faster_than_its_query() -> None:
    context = QueryContext(now=some.NOW, tz=ZoneInfo("UTC"), me=ME)

    def length(pairs: int) -> int:
        made = plan(
            And(tuple(Or((Field("from", f"a{n:04}"), Field("subject", f"b{n:04}"))) for n in range(pairs))),
            context,
            BOX,
        )
        return len(made.filter or "")

    assert length(16) < 2 * length(8)
    assert length(2000) == length(20)  # beyond the limit nothing more is asked for
