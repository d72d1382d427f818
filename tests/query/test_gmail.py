"""The very text Gmail is sent, and which of trash and spam a query asks for."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from mailkit.errors import UsageError
from mailkit.query import QueryContext, admitted, parse, render, to_gmail
from mailkit.query.ast import All, And, Date, Expr, Field, Label, Not, Size, Text

ME = ("me@example.com", "me+x@example.org")


def context(zone: str = "UTC", me: tuple[str, ...] = ME) -> QueryContext:
    return QueryContext(now=dt.datetime(2026, 3, 15, 12, 0, 0, 5, tzinfo=dt.UTC), tz=ZoneInfo(zone), me=me)


SENT = {
    "": "",
    "dinner movie": "dinner movie",
    "dinner AND movie": "dinner movie",
    "a OR b": "a OR b",
    "a OR b c": "(a OR b) c",
    "{(a b) c}": "(a b) OR c",
    "-(a b)": "-(a b)",
    "-(a OR b) {c d}": "-(a OR b) (c OR d)",
    "--a": "a",
    "+a": "+a",
    '+"a b"': '+"a b"',
    # whatever another reader might take apart is quoted
    "follow-up": '"follow-up"',
    "foo+bar": '"foo+bar"',
    "Re:": '"Re:"',
    "10:30": '"10:30"',
    "it's": '"it\'s"',
    "or": '"or"',
    "+OR": '+"OR"',
    "“dinner movie”": '"dinner movie"',
    "bob@vendor.example": "bob@vendor.example",
    "3.14": "3.14",
    "会议": "会议",
    "from:amy": "from:amy",
    "from:foo+bar@example.com": 'from:"foo+bar@example.com"',
    "from:john_smith@example.com": "from:john_smith@example.com",
    "from:mary-ann@example.com": "from:mary-ann@example.com",
    "from:-amy": 'from:"-amy"',
    "from:to:amy": 'from:"to:amy"',
    "subject:OR": 'subject:"OR"',
    "subject:(a b)": "subject:a subject:b",
    # the account's own addresses
    "from:me": 'from:me@example.com OR from:"me+x@example.org"',
    "FROM:ME dinner": '(from:me@example.com OR from:"me+x@example.org") dinner',
    "-to:me": '-(to:me@example.com OR to:"me+x@example.org")',
    "bcc:me -bcc:amy": '(bcc:me@example.com OR bcc:"me+x@example.org") -bcc:amy',
    "{from:me from:amy}": 'from:me@example.com OR from:"me+x@example.org" OR from:amy',
    'from:"me"': 'from:"me"',
    "subject:me": "subject:me",
    # labels, places, states
    "label:Work/Clients": "label:work-clients",
    'label:"R&D"': "label:r-d",
    'label:"C#"': 'label:"c#"',
    "label:-x": 'label:"-x"',
    "in:bin": "in:trash",
    "is:read": "-is:unread",
    "-is:read": "is:unread",
    "in:chats": "is:chat",
    "category:Social has:Attachment": "category:social has:attachment",
    # bytes
    "larger:10M": "larger:10485760",
    "size:7": "larger:7",
    "smaller:1k": "smaller:1024",
    # a Message-ID goes as it is
    "rfc822msgid:<CA+b=$c-d@mail.gmail.com>": "rfc822msgid:CA+b=$c-d@mail.gmail.com",
    'rfc822msgid:"a b@x"': 'rfc822msgid:"a b@x"',
    # AROUND
    "a AROUND(5) b": "a AROUND 5 b",
    "x (a AROUND 5 b)": "x (a AROUND 5 b)",
    "-(a AROUND 5 b)": "-(a AROUND 5 b)",
    '"a b" AROUND 5 c-d': '"a b" AROUND 5 "c-d"',
    '"a AROUND 5 b"': '"a AROUND 5 b"',
    "subject:(a AROUND 5 b) c": "subject:(a AROUND 5 b) c",
}


@pytest.mark.parametrize("text", SENT)
def test_what_is_sent(text: str) -> None:
    assert to_gmail(parse(text), context()) == SENT[text]


@pytest.mark.parametrize(
    ("text", "zone", "sent"),
    [
        ("after:2026/03/01", "UTC", "after:1772323200"),
        ("after:2026/03/01", "America/Los_Angeles", "after:1772352000"),
        ("before:2026/03/09", "America/Los_Angeles", "before:1773039600"),
        ("after:1772323200", "Asia/Tokyo", "after:1772323200"),
        ("newer_than:1d", "UTC", "after:1773489600"),
        ("older_than:1m", "America/Los_Angeles", "before:1771160400"),
        ("-newer_than:1y", "UTC", "-after:1742040000"),
        # seconds are 9 to 11 digits whatever the day
        ("after:1970/01/01", "UTC", "after:000000000"),
        ("after:1970/01/02", "UTC", "after:000086400"),
        ("before:0001/01/01", "Asia/Tokyo", "before:000000000"),
        ("before:9999/12/31", "America/Los_Angeles", "before:99999999999"),
        ("older_than:999999y", "UTC", "before:000000000"),
    ],
)
def test_days_and_ages_are_sent_as_seconds(text: str, zone: str, sent: str) -> None:
    assert to_gmail(parse(text), context(zone)) == sent


def test_me_stays_me_where_no_address_is_known() -> None:
    assert to_gmail(parse("from:me"), context(me=())) == "from:me"


@pytest.mark.parametrize(
    ("made", "canonical", "sent"),
    [
        (And((All(), Text("a"))), "in:all a", "in:all a"),
        (Not(Not(Text("a"))), "--a", "a"),
        (Text("two words"), '"two words"', '"two words"'),
        (Text('say "hi" AROUND 5 me', phrase=True), '"say  hi  around 5 me"', '"say  hi  around 5 me"'),
        (Text("a\x00b\udc80"), '"a b"', '"a b"'),
        (Text("from:amy"), '"from:amy"', '"from:amy"'),
        (Text("OR"), '"OR"', '"OR"'),
        (Field("subject", "a AROUND 5 b", phrase=True), 'subject:"a around 5 b"', 'subject:"a around 5 b"'),
        (Field("from", 'a" OR in:trash'), 'from:"a  OR in:trash"', 'from:"a  OR in:trash"'),
        (Label('x" OR in:trash'), 'label:"x  OR in:trash"', 'label:"x  OR in:trash"'),
        (Date("after", -5), "after:000000000", "after:000000000"),
        (Size("larger", 0), "larger:0", "larger:0"),
    ],
)
def test_a_tree_made_by_hand_cannot_smuggle_syntax(made: Expr, canonical: str, sent: str) -> None:
    assert render(made) == canonical
    assert to_gmail(made, context()) == sent


def test_a_tree_too_deep_is_refused() -> None:
    deep: Expr = Text("a")
    for _ in range(10_000):
        deep = Not(deep)
    with pytest.raises(UsageError) as caught:
        to_gmail(deep, context())
    assert caught.value.code == "too_deep"
    with pytest.raises(UsageError):
        admitted(deep)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("", set()),
        ("dinner", set()),
        ("in:inbox", set()),
        ("in:all", set()),
        ("in:trash", {"trash"}),
        ("label:bin", {"trash"}),
        ("is:spam", {"spam"}),
        ("in:anywhere", {"trash", "spam"}),
        ("in:trash OR subject:lunch", {"trash"}),
        ("a (b OR (c in:spam))", {"spam"}),
        ("-in:trash", set()),
        ("-in:anywhere", set()),
        ("-(a -in:trash)", {"trash"}),
        ("-(a (b -(c in:trash)))", {"trash"}),
        ("-in:trash in:spam", {"spam"}),
        ("-in:trash in:trash", {"trash"}),
    ],
)
def test_trash_and_spam_are_admitted_by_a_positive_mention(text: str, hidden: set[str]) -> None:
    assert admitted(parse(text)) == hidden
