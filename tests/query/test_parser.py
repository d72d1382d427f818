"""The grammar, operator by operator, and every way a query can be wrong."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable

import pytest

from mailkit.errors import InvalidQuery, UsageError
from mailkit.query import parse, render
from mailkit.query.ast import (
    MAX_DEPTH,
    Age,
    All,
    And,
    Around,
    Category,
    Date,
    Expr,
    Field,
    FieldName,
    Has,
    In,
    Is,
    Label,
    Not,
    Or,
    Size,
    Text,
    to_json,
)
from mailkit.query.operators import CATEGORIES, HAS

A, B, C, D = Text("a"), Text("b"), Text("c"), Text("d")


def phrase(value: str) -> Text:
    return Text(value, phrase=True)


GRAMMAR: dict[str, Expr] = {
    # nothing
    "": All(),
    " \t\n": All(),
    "\x1f\u3000": All(),
    "a 🎉 - *": A,
    # and, or, not
    "a b": And((A, B)),
    "a AND b": And((A, B)),
    "a and b": And((A, Text("and"), B)),
    "a OR b": Or((A, B)),
    "a or b": And((A, Text("or"), B)),
    "a OR b c": And((Or((A, B)), C)),
    "a b OR c": And((A, Or((B, C)))),
    "a AND b OR c AND d": And((A, Or((B, C)), D)),
    "a (b (c d))": And((A, B, C, D)),
    "a OR (b OR c)": Or((A, B, C)),
    "a OR (b c)": Or((A, And((B, C)))),
    "((a))": A,
    "{a}": A,
    "{a b}": Or((A, B)),
    "{a OR b c}": Or((A, B, C)),
    "{a AND b c}": Or((And((A, B)), C)),
    "{(a b) c}": Or((And((A, B)), C)),
    "-a": Not(A),
    "NOT a": Not(A),
    "not a": And((Text("not"), A)),
    "--a": A,
    "-NOT a": A,
    "NOT NOT NOT a": Not(A),
    "- a": A,
    "a - b": And((A, B)),
    "a-b": Text("a-b"),
    "-{a b}": Not(Or((A, B))),
    "-(a b)": Not(And((A, B))),
    "--(a b)": And((A, B)),
    '-"a b"': Not(phrase("a b")),
    # text
    "+a": Text("a", exact=True),
    "-+a": Not(Text("a", exact=True)),
    '+"a b"': Text("a b", phrase=True, exact=True),
    "+OR": Text("OR", exact=True),
    "+from:amy": Text("from:amy", exact=True),
    "+ a": A,
    "C++": Text("C++"),
    "foo+bar": Text("foo+bar"),
    "Re:": Text("Re:"),
    "http://example.com/x": Text("http://example.com/x"),
    "10:30": Text("10:30"),
    "unknown:x": Text("unknown:x"),
    "a(b)": And((A, B)),
    'a"b c"d': And((A, phrase("b c"), D)),
    '"b c"': phrase("b c"),
    "“b c”": phrase("b c"),
    "„b c“": phrase("b c"),
    "«b c»": phrase("b c"),
    '“b c"': phrase("b c"),
    '" b  c "': phrase("b  c"),
    '"OR"': phrase("OR"),
    '"from:amy"': phrase("from:amy"),
    "a\x00b": And((A, B)),
    "a\udc80b": And((A, B)),
    '"a\x00b"': phrase("a b"),
    "\u202ea": Text("\u202ea"),
    # around
    "a AROUND 5 b": Around("a", "b", 5),
    "a AROUND (5) b": Around("a", "b", 5),
    "a AROUND(5) b": Around("a", "b", 5),
    "a AROUND 0 b": Around("a", "b", 0),
    '"a b" AROUND 5 "c d"': Around("a b", "c d", 5),
    '"a AROUND 5 b"': Around("a", "b", 5, ordered=True),
    '"a b AROUND(5) c d"': Around("a b", "c d", 5, ordered=True),
    "subject:(a AROUND 5 b)": Around("a", "b", 5, field="subject"),
    'subject:"a AROUND 5 b"': Around("a", "b", 5, ordered=True, field="subject"),
    'subject:("a AROUND 5 b")': Around("a", "b", 5, ordered=True, field="subject"),
    "-(a AROUND 5 b)": Not(Around("a", "b", 5)),
    "a AROUND 5 b OR c": Or((Around("a", "b", 5), C)),
    "a around 5": And((A, Text("around"), Text("5"))),
    'from:"a AROUND 5 b"': Field("from", "a AROUND 5 b", phrase=True),
    # values
    "from:amy": Field("from", "amy"),
    "FROM:Amy": Field("from", "Amy"),
    "from: amy": Field("from", "amy"),
    "from:\tamy": Field("from", "amy"),
    'from:"Amy Stone"': Field("from", "Amy Stone", phrase=True),
    'from: "Amy Stone"': Field("from", "Amy Stone", phrase=True),
    "from:-amy": Field("from", "-amy"),
    "from:to:amy": Field("from", "to:amy"),
    "subject:OR": Field("subject", "OR"),
    "-from:amy": Not(Field("from", "amy")),
    "from:(a b)": And((Field("from", "a"), Field("from", "b"))),
    "from: (a b)": And((Field("from", "a"), Field("from", "b"))),
    "from:{a b}": Or((Field("from", "a"), Field("from", "b"))),
    "from:(a to:b)": And((Field("from", "a"), Field("to", "b"))),
    "from:(a (b OR -c))": And((Field("from", "a"), Or((Field("from", "b"), Not(Field("from", "c")))))),
    "from:(a to:(b c))": And((Field("from", "a"), Field("to", "b"), Field("to", "c"))),
    'subject:(+a "b c")': And((Field("subject", "a"), Field("subject", "b c", phrase=True))),
    "has:{drive document}": Or((Has("drive"), Has("document"))),
    "label:(work OR inbox)": Or((Label("work"), In("inbox"))),
    "list:<dev.example>": Field("list", "<dev.example>"),
    "rfc822msgid:<A+b=c@x>": Field("rfc822msgid", "A+b=c@x"),
    "rfc822msgid:A+b=c@x": Field("rfc822msgid", "A+b=c@x"),
    # labels and places
    "label:Work/Clients": Label("work-clients"),
    'label:"Work Clients"': Label("work-clients"),
    'label:"R&D (old)"': Label("r-d--old-"),
    "label:^x": Label("^x"),
    "in:finance": Label("finance"),
    "is:finance": Label("finance"),
    "in:draft": In("drafts"),
    "in:bin": In("trash"),
    "in:junk": In("spam"),
    "label:SPAM": In("spam"),
    "is:sent": In("sent"),
    "in:starred": Is("starred"),
    "in:chats": Is("chat"),
    "in:snoozed": Is("snoozed"),
    "is:read": Not(Is("unread")),
    "-is:read": Is("unread"),
    "HAS:Attachment": Has("attachment"),
    "category:Social": Category("social"),
    # dates, ages, sizes
    "after:2026/03/01": Date("after", dt.date(2026, 3, 1)),
    "after: 2026/3/1": Date("after", dt.date(2026, 3, 1)),
    "after:2026-03-01": Date("after", dt.date(2026, 3, 1)),
    "after:2026.03.01": Date("after", dt.date(2026, 3, 1)),
    "after:03/01/2026": Date("after", dt.date(2026, 3, 1)),
    "after:03-01-2026": Date("after", dt.date(2026, 3, 1)),
    'after:"2026/03/01"': Date("after", dt.date(2026, 3, 1)),
    "newer:2026/03/01": Date("after", dt.date(2026, 3, 1)),
    "older:2024/02/29": Date("before", dt.date(2024, 2, 29)),
    "before:1772323200": Date("before", 1_772_323_200),
    "before:000000007": Date("before", 7),
    "before:99999999999": Date("before", 99_999_999_999),
    "newer_than:7d": Age("newer", 7, "d"),
    "older_than:2M": Age("older", 2, "m"),
    "older_than:1y": Age("older", 1, "y"),
    "larger:10M": Size("larger", 10 * 1024**2),
    "larger:10mb": Size("larger", 10 * 1024**2),
    "size:1K": Size("larger", 1024),
    "smaller:1G": Size("smaller", 1024**3),
    "smaller:7b": Size("smaller", 7),
}
GRAMMAR |= {f"category:{name}": Category(name) for name in CATEGORIES}
GRAMMAR |= {f"has:{thing}": Has(thing) for thing in HAS}
_FIELDS: tuple[FieldName, ...] = (
    *("from", "to", "cc", "bcc", "subject"),
    *("deliveredto", "list", "filename", "rfc822msgid"),
)
GRAMMAR |= {f"{name}:x.y": Field(name, "x.y") for name in _FIELDS}

ERRORS: dict[str, tuple[str, int]] = {
    # not blank, and nothing to look for
    "🎉": ("no_words", 0),
    '""': ("no_words", 0),
    '  "!" ': ("no_words", 2),
    "!!!": ("no_words", 0),
    "*": ("no_words", 0),
    "\x00": ("no_words", 0),
    "\u200b": ("no_words", 0),
    " - ": ("no_words", 1),
    "?! & --": ("no_words", 0),
    "-🎉": ("no_words", 0),
    "from:": ("missing_value", 0),
    "a from: ": ("missing_value", 2),
    "from: to:b": ("missing_value", 0),
    "from: OR b": ("missing_value", 0),
    "from: -b": ("missing_value", 0),
    "(from:)": ("missing_value", 1),
    'from:""': ("missing_value", 0),
    "from:-": ("missing_value", 0),
    "from:🎉": ("missing_value", 0),
    'label:" "': ("missing_value", 0),
    "rfc822msgid:<>": ("missing_value", 0),
    "has: ": ("missing_value", 0),
    "after:": ("missing_value", 0),
    "(a": ("unbalanced_group", 0),
    "(": ("unbalanced_group", 0),
    "a (b {c": ("unbalanced_group", 5),
    "a)": ("unbalanced_group", 1),
    ")": ("unbalanced_group", 0),
    "(a}": ("unbalanced_group", 2),
    "{a)": ("unbalanced_group", 2),
    "from:(a": ("unbalanced_group", 5),
    'a "b': ("unbalanced_quote", 2),
    '5"': ("unbalanced_quote", 1),
    'from:"b': ("unbalanced_quote", 5),
    "a ()": ("empty_group", 2),
    "{}": ("empty_group", 0),
    "(-)": ("empty_group", 0),
    "from:()": ("empty_group", 5),
    "OR a": ("dangling_or", 0),
    "a OR": ("dangling_or", 2),
    "a OR OR b": ("dangling_or", 2),
    "a OR AND b": ("dangling_or", 2),
    "(OR a)": ("dangling_or", 1),
    "{a OR}": ("dangling_or", 3),
    "{OR a}": ("dangling_or", 1),
    "AND a": ("dangling_and", 0),
    "a AND": ("dangling_and", 2),
    "(a AND)": ("dangling_and", 3),
    "{a AND}": ("dangling_and", 3),
    "a AND OR b": ("dangling_and", 2),
    "a NOT": ("dangling_operator", 2),
    "NOT -": ("dangling_operator", 0),
    "-OR a": ("dangling_operator", 0),
    "AROUND 5 a": ("dangling_operator", 0),
    "a AROUND 5": ("dangling_operator", 2),
    "(a AROUND 5)": ("dangling_operator", 3),
    "a AROUND": ("bad_around", 2),
    "a AROUND x b": ("bad_around", 2),
    "a AROUND -5 b": ("bad_around", 2),
    "a AROUND (5 b": ("bad_around", 2),
    "a AROUND \u0663 b": ("bad_around", 2),
    "a AROUND 9999999 b": ("bad_around", 2),
    "a AROUND 5 (b c)": ("bad_around", 2),
    "a AROUND 5 from:b": ("bad_around", 2),
    "a AROUND 5 -b": ("bad_around", 2),
    "a AROUND 5 +b": ("bad_around", 2),
    "-a AROUND 5 b": ("bad_around", 3),
    "subject:a AROUND 5 b": ("bad_around", 10),
    "(a b) AROUND 5 c": ("bad_around", 6),
    "a AROUND 5 b AROUND 5 c": ("bad_around", 2),
    "from:(a AROUND 5 b)": ("bad_around", 8),
    '"AROUND 5 b"': ("bad_around", 0),
    '"a AROUND 5 b AROUND 5 c"': ("bad_around", 0),
    '+"a AROUND 5 b"': ("bad_around", 1),
    "after:2026/13/01": ("bad_date", 6),
    "after:2026/02/30": ("bad_date", 6),
    "after:0000/01/01": ("bad_date", 6),
    "after:31.03.2026": ("bad_date", 6),
    "after:2026/03-01": ("bad_date", 6),
    "after:yesterday": ("bad_date", 6),
    "after:1772323200000": ("bad_date", 6),
    "after:12345678": ("bad_date", 6),
    "after:\u0662026/03/01": ("bad_date", 6),
    "before: 2026": ("bad_date", 8),
    "newer_than:7": ("bad_age", 11),
    "newer_than:7w": ("bad_age", 11),
    "newer_than:7h": ("bad_age", 11),
    "newer_than:0d": ("bad_age", 11),
    "newer_than:-1d": ("bad_age", 11),
    "older_than:1.5y": ("bad_age", 11),
    "older_than:9999999d": ("bad_age", 11),
    "larger:big": ("bad_size", 7),
    "larger:1.5M": ("bad_size", 7),
    "larger:10T": ("bad_size", 7),
    "smaller:-5": ("bad_size", 8),
    f"smaller:{'9' * 5000}": ("bad_size", 8),
    "has:wings": ("bad_has", 4),
    "has:(drive wings)": ("bad_has", 11),
    "category:junk": ("bad_category", 9),
    "category:": ("missing_value", 0),
}


@pytest.mark.parametrize("text", GRAMMAR)
def test_the_tree_of_a_query(text: str) -> None:
    assert parse(text) == GRAMMAR[text]


@pytest.mark.parametrize("text", GRAMMAR)
def test_the_text_of_a_tree_parses_back(text: str) -> None:
    assert parse(render(GRAMMAR[text])) == GRAMMAR[text]


@pytest.mark.parametrize("text", ERRORS)
def test_a_bad_query_is_refused_with_its_place(text: str) -> None:
    code, position = ERRORS[text]
    with pytest.raises(InvalidQuery) as caught:
        parse(text)
    assert (caught.value.code, caught.value.position) == (code, position)
    assert caught.value.caret.splitlines()[1] == "  " + " " * position + "^"


@pytest.mark.parametrize("code", sorted({code for code, _ in ERRORS.values()}))
def test_the_error_says_what_to_do_and_not_what_was_asked(code: str) -> None:
    query = next(text for text, (of, _) in ERRORS.items() if of == code)
    secret = f"confidential ({query}"
    with pytest.raises(InvalidQuery) as caught:
        parse(secret)
    assert "confidential" not in str(caught.value)
    assert "confidential" in caught.value.caret
    assert caught.value.query == secret


def test_the_text_after_a_quote_that_never_closes_is_not_in_the_error() -> None:
    with pytest.raises(InvalidQuery) as caught:
        parse('from:"amy@example.com')
    assert "amy" not in str(caught.value)


DEEP: dict[str, Callable[[int], str]] = {
    "parentheses": lambda n: "(" * n + "a" + ")" * n,
    "never closed": lambda n: "(" * n,
    "braces": lambda n: "{a " * n + "b" + "}" * n,
    "operators": lambda n: "from:(a OR " * n + "b" + ")" * n,
    "negations": lambda n: "a -(b OR " * n + "c" + ")" * n,
}


@pytest.mark.parametrize("nest", DEEP.values(), ids=DEEP.keys())
def test_nesting_beyond_reason_is_refused(nest: Callable[[int], str]) -> None:
    with pytest.raises(InvalidQuery) as caught:
        parse(nest(10_000))
    assert caught.value.code == "too_deep"
    assert len(caught.value.caret) < 300


def test_nesting_to_the_limit_is_read() -> None:
    nested = "a" + " (b OR (c" * (MAX_DEPTH // 2) + "))" * (MAX_DEPTH // 2)
    assert parse(render(parse(nested))) == parse(nested)
    assert parse("(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH) == A
    with pytest.raises(InvalidQuery):
        parse("(" * (MAX_DEPTH + 1) + "a" + ")" * (MAX_DEPTH + 1))


def test_groups_side_by_side_are_not_deep() -> None:
    expr = parse("(a OR b) from:{c d} " * (2 * MAX_DEPTH))
    assert isinstance(expr, And)
    assert len(expr.args) == 4 * MAX_DEPTH


def test_a_tree_deeper_than_its_groups_is_refused_at_the_deepest() -> None:
    # One group can hold several changes of and, or, not: the tree counts, since it is the tree that is walked.
    nested = "a -(b OR " * 30 + "c" + ")" * 30
    with pytest.raises(InvalidQuery) as caught:
        parse(nested)
    assert (caught.value.code, caught.value.position) == ("too_deep", nested.rindex("("))


def test_a_deep_tree_made_by_hand_is_refused() -> None:
    deep: Expr = A
    for _ in range(10_000):
        deep = Not(deep)
    for walk in (render, to_json):
        with pytest.raises(UsageError) as caught:
            walk(deep)
        assert caught.value.code == "too_deep"


HUGE = {
    "words": "a " * 50_000,
    "one word": "a" * 100_000,
    "minuses": "-" * 100_000 + "a",
    "pluses": "+" * 100_000 + "a",
    "nots": "NOT " * 25_000 + "a",
    "ors": "a OR " * 20_000 + "b",
    "phrases": '"a b" ' * 17_000,
    "operators": "from:a " * 14_000,
    "colons": "a:" * 50_000,
    "numbers": "1." * 50_000,
    "quotes": '"' * 100_000 + "a",
    "noise": "\x00-" * 50_000 + "a",
}


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE.keys())
def test_a_huge_query_is_read_in_one_pass(text: str) -> None:
    started = time.process_time()
    expr = parse(text)
    assert parse(render(expr)) == expr
    assert time.process_time() - started < 10  # quadratic work would take minutes


def test_reading_takes_time_in_proportion_to_the_text() -> None:
    """Counted in calls, not seconds: twice the text, about twice the tokens touched."""
    from mailkit.query.lexer import tokens

    assert len(tokens("a -b " * 2000)) - 1 == 2 * (len(tokens("a -b " * 1000)) - 1)
