"""Random trees, contexts and messages for the query room's properties, drawn from one small world so that they meet.

``canonical`` trees are those the parser can give; ``candidates`` hold the same few words, people, labels and days that
the trees ask for, in the spellings that are easily misread.
"""

from __future__ import annotations

import datetime as dt
from typing import get_args
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from mailkit.query.ast import (
    Age,
    Around,
    Category,
    Date,
    Expr,
    Field,
    Has,
    In,
    Is,
    Label,
    Place,
    Size,
    State,
    Text,
    Unit,
    and_,
    not_,
    or_,
)
from mailkit.query.candidate import Candidate, CandidateFile, CandidateFolder
from mailkit.query.context import QueryContext
from mailkit.query.operators import CATEGORIES, HAS
from mailkit.values import Address

ME = ("me@example.com", "me.alias@example.org")
NOW = dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC)

WORDS = ("dinner", "movie", "Movie", "invoice", "café", "3.14", "v1.2", "john_smith", "会议", "follow-up", "it's", "or")
SENTENCES = (
    "",
    "Dinner, then a movie",
    "movie dinner",
    "Invoice 3.14 for v1.2",
    "CAFÉ follow up",
    "会议 it's on",
    "dinner and the movie or john_smith",
    "https://docs.google.com/document/d/1 and https://youtu.be/x",
)
PEOPLE = (
    Address(name="Amy Stone", address="amy@example.com"),
    Address(name="Amyx", address="amyx@example.com"),
    Address(name="", address="foo+bar@corp.example"),
    Address(name="Mia Example", address="Me@Example.com"),
    Address(name="Mia", address="me.alias@example.org"),
    Address(name="Jörg", address="j@bücher.example"),
)
PERSON_VALUES = ("me", "ME", "amy", "Amy", "stone", "example.com", "@example.com", "amy@", "foo+bar", "foo", "nobody")
FILES = ("Invoice-2026.pdf", "costs alpha.xlsx", "photo.PNG")
LABELS = ("Work/Clients", "Follow up", "R&D", "work", "Café")
LABEL_KEYS = ("work-clients", "follow-up", "r-d", "work", "café", "none-such")
LISTS = ("<dev.lists.example.com>", "news.example.community")
MESSAGE_IDS = ("m1@mail.example.com", "CA+b=$c@mail.gmail.com", "M1@mail.example.com")
SIZES = (0, 999, 1000, 10485760)
DAYS = (*(dt.date(2026, 3, day) for day in (1, 8, 9, 14, 15)), dt.date(2025, 3, 15), dt.date(2024, 2, 29))
ZONES = ("UTC", "America/Los_Angeles", "Europe/Stockholm", "Asia/Tokyo", "Asia/Kathmandu")

contexts = st.builds(
    QueryContext, now=st.just(NOW), tz=st.sampled_from(ZONES).map(ZoneInfo), me=st.sampled_from([ME, ME[:1]])
)


def _pick(values: tuple[str, ...]) -> st.SearchStrategy[str]:
    return st.sampled_from(values)


_phrases = st.lists(_pick(WORDS), min_size=1, max_size=3).map(" ".join)
_bare_words = _pick(tuple(word for word in WORDS if word != "or"))

texts = (
    st.builds(Text, _bare_words, exact=st.booleans())
    | st.just(Text("or"))
    | st.builds(Text, _phrases, phrase=st.just(True), exact=st.booleans())
)
arounds = st.builds(
    Around, _phrases, _phrases, st.integers(0, 6), st.booleans(), st.sampled_from((None, None, "subject"))
)
_person_values = _pick((*PERSON_VALUES, *(person.address for person in PEOPLE)))
_person_fields = st.sampled_from(("from", "to", "cc", "bcc", "deliveredto"))
people = st.builds(Field, _person_fields, _person_values) | st.builds(
    Field, _person_fields, _person_values | st.just("Amy Stone"), phrase=st.just(True)
)
contents = (
    st.builds(Field, st.just("subject"), _bare_words)
    | st.builds(Field, st.just("subject"), _phrases, phrase=st.just(True))
    | st.builds(Field, st.just("filename"), _pick(("pdf", "PNG", "invoice", "costs")))
    | st.builds(Field, st.just("filename"), st.just("costs alpha"), phrase=st.just(True))
    | st.builds(Field, st.just("list"), _pick(("dev.lists.example.com", "dev@lists.example.com", "<news.example>")))
    | st.builds(Field, st.just("rfc822msgid"), _pick(MESSAGE_IDS))
)
times = st.builds(
    Date,
    st.sampled_from(("after", "before")),
    st.sampled_from(DAYS) | st.sampled_from((1_772_323_200, 1_772_352_000, 1_773_576_000)),
) | st.builds(Age, st.sampled_from(("newer", "older")), st.integers(1, 13), st.sampled_from(get_args(Unit)))
states = (
    st.builds(Label, _pick(LABEL_KEYS))
    | st.builds(Category, _pick(CATEGORIES))
    | st.builds(Has, _pick(HAS))
    | st.builds(In, st.sampled_from(get_args(Place)))
    | st.builds(Is, st.sampled_from(get_args(State)))
    | st.builds(Size, st.sampled_from(("larger", "smaller")), st.sampled_from(SIZES))
)
leaves: st.SearchStrategy[Expr] = texts | arounds | people | contents | times | states


def trees(of: st.SearchStrategy[Expr], *, max_leaves: int = 8) -> st.SearchStrategy[Expr]:
    """Canonical trees over the leaves ``of``."""

    def grown(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        several = st.lists(inner, min_size=2, max_size=4)
        return several.map(and_) | several.map(or_) | inner.map(not_)

    return st.recursive(of, grown, max_leaves=max_leaves)


canonical = trees(leaves)

# Values from anywhere: whatever a program may hand to Q.
_odd = st.sampled_from('"“”«»(){}-+: \t\n\x00\udc80\u202e')
_syntax = st.sampled_from((" AROUND 5 ", " OR ", "AND", "NOT ", "from:", "in:trash", "-", "+", "a", "b c"))
any_text = st.text(max_size=12) | st.lists(_syntax | _odd | st.characters(), max_size=8).map("".join)

_instants = st.builds(
    lambda day, minute: dt.datetime(day.year, day.month, day.day, tzinfo=dt.UTC) + dt.timedelta(minutes=minute),
    st.sampled_from(DAYS),
    st.integers(-14 * 60, 24 * 60),
)
_some_people = st.lists(st.sampled_from(PEOPLE), max_size=2).map(tuple)

candidates = st.builds(
    Candidate,
    id=st.uuids().map(str),
    date=_instants,
    message_id=_pick(MESSAGE_IDS).map("<{}>".format),
    from_=st.none() | st.sampled_from(PEOPLE),
    to=_some_people,
    cc=_some_people,
    bcc=_some_people,
    delivered_to=st.lists(_pick(ME), max_size=1).map(tuple),
    subject=_pick(SENTENCES),
    body=_pick(SENTENCES),
    size=st.sampled_from(SIZES).flatmap(lambda size: st.integers(max(0, size - 1), size + 1)),
    folder=st.sampled_from(get_args(CandidateFolder)),
    labels=st.lists(_pick(LABELS), max_size=2, unique=True).map(tuple),
    category=st.none() | _pick(CATEGORIES),
    read=st.booleans(),
    starred=st.booleans(),
    important=st.booleans(),
    muted=st.booleans(),
    snoozed=st.booleans(),
    chat=st.booleans(),
    star=st.none() | _pick(tuple(value for value in HAS if "-" in value)),
    attachments=st.lists(st.builds(CandidateFile, name=_pick(FILES), inline=st.booleans()), max_size=2).map(tuple),
    list_id=st.none() | _pick(LISTS),
)
