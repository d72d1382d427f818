"""Q: each method's tree and text, what it makes of hostile values, what it refuses."""

from __future__ import annotations

import datetime as dt
import pickle
from collections.abc import Callable
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from mailkit.errors import UsageError
from mailkit.query import Q, parse
from mailkit.query.ast import And, Around, Date, Expr, Field, Is, Label, Not, Or, Text

BUILT: list[tuple[Q, str]] = [
    (Q.from_("me"), "from:me"),
    (Q.from_("Amy Stone"), 'from:"Amy Stone"'),
    (Q.to("foo+bar@example.com"), "to:foo+bar@example.com"),
    (Q.cc("amy"), "cc:amy"),
    (Q.bcc("amy"), "bcc:amy"),
    (Q.delivered_to("amy@example.com"), "deliveredto:amy@example.com"),
    (Q.subject("weekly report"), 'subject:"weekly report"'),
    (Q.filename("pdf"), "filename:pdf"),
    (Q.list_("dev.lists.example.com"), "list:dev.lists.example.com"),
    (Q.message_id(" <A+b=c@x> "), "rfc822msgid:A+b=c@x"),
    (Q.text("dinner"), "dinner"),
    (Q.text("dinner movie"), '"dinner movie"'),
    (Q.phrase("dinner"), '"dinner"'),
    (Q.exact("dinner"), "+dinner"),
    (Q.exact("dinner movie"), '+"dinner movie"'),
    (Q.exact("+x"), '+"+x"'),
    (Q.around("a", "b c", 3), 'a AROUND 3 "b c"'),
    (Q.around("a", "b c", 3, ordered=True), '"a AROUND 3 b c"'),
    (Q.around("a", "b", 3, field="subject"), "subject:(a AROUND 3 b)"),
    (Q.label("Work/Clients"), "label:work-clients"),
    (Q.label("Inbox"), "in:inbox"),
    (Q.in_("trash"), "in:trash"),
    (Q.is_("unread"), "is:unread"),
    (Q.is_("read"), "-is:unread"),
    (Q.has("attachment"), "has:attachment"),
    (Q.category("promotions"), "category:promotions"),
    (Q.after(dt.date(2026, 3, 1)), "after:2026/03/01"),
    (Q.before(dt.datetime(2026, 3, 1, tzinfo=ZoneInfo("Europe/Stockholm"))), "before:1772319600"),
    (Q.after(dt.datetime(1970, 1, 1, 0, 0, 7, 999_999, tzinfo=dt.UTC)), "after:000000007"),
    (Q.newer_than(7), "newer_than:7d"),
    (Q.older_than(2, "m"), "older_than:2m"),
    (Q.larger(1024), "larger:1024"),
    (Q.smaller(0), "smaller:0"),
    (Q.text("a") & Q.text("b") & Q.text("c"), "a b c"),
    (Q.text("a") & (Q.text("b") | Q.text("c")), "a (b OR c)"),
    (~(Q.text("a") & Q.text("b")), "-(a b)"),
    (~~Q.text("a"), "a"),
    (~Q.is_("read"), "is:unread"),
    (Q.any_of(Q.text("a"), Q.text("b"), Q.text("c") & Q.text("d")), "a OR b OR (c d)"),
    (Q.all_of(Q.text("a")), "a"),
]


@pytest.mark.parametrize(("query", "text"), BUILT, ids=[text for _, text in BUILT])
def test_the_text_of_what_is_built(query: Q, text: str) -> None:
    assert str(query) == text
    assert parse(text) == query.expr


HOSTILE: list[tuple[Callable[[str], Q], str, Expr]] = [
    (Q.from_, 'amy" OR in:trash "', Field("from", "amy  OR in:trash", phrase=True)),
    (Q.from_, "amy) OR (in:trash", Field("from", "amy) OR (in:trash", phrase=True)),
    (Q.from_, "to:bob", Field("from", "to:bob")),
    (Q.text, "from:amy", Text("from:amy", phrase=True)),
    (Q.text, "-dinner", Text("-dinner", phrase=True)),
    (Q.text, "+dinner", Text("+dinner", phrase=True)),
    (Q.text, "OR", Text("OR", phrase=True)),
    (Q.text, "unknown:x", Text("unknown:x")),
    (Q.text, "“dinner”", Text("dinner")),
    (Q.text, "a\nb\x00c\ud800", Text("a b c", phrase=True)),
    (Q.text, "a AROUND 5 b", Text("a around 5 b", phrase=True)),
    (Q.subject, "a AROUND(5) b", Field("subject", "a around(5) b", phrase=True)),
    (Q.text, "a AROUND b", Text("a AROUND b", phrase=True)),
    (Q.label, 'x" OR in:trash', Label("x--or-in:trash")),
    (lambda value: Q.around(value, "b", 2, ordered=True), "a AROUND 5 c", Around("a around 5 c", "b", 2, ordered=True)),
]


@pytest.mark.parametrize(("build", "value", "expr"), HOSTILE, ids=[value for _, value, _ in HOSTILE])
def test_a_value_never_acts_as_syntax(build: Callable[[str], Q], value: str, expr: Expr) -> None:
    query = build(value)
    assert query.expr == expr
    assert parse(str(query)) == expr


wrong = cast("Any", Q)  # what types forbid is refused at run time too
REFUSED: list[tuple[str, Callable[[], Q], str]] = [
    ("empty", lambda: Q.from_(""), "missing_value"),
    ("blank", lambda: Q.text(" \t"), "missing_value"),
    ("no letter", lambda: Q.subject('"--"'), "missing_value"),
    ("emoji", lambda: Q.text("🎉"), "missing_value"),
    ("label", lambda: Q.label(' " '), "missing_value"),
    ("message id", lambda: Q.message_id("<>"), "missing_value"),
    ("quotes in a message id", lambda: Q.message_id('"a b"@x'), "bad_value"),
    ("a side", lambda: Q.around("a", "", 3), "missing_value"),
    ("distance", lambda: Q.around("a", "b", -1), "bad_value"),
    ("all of none", Q.all_of, "missing_value"),
    ("any of none", Q.any_of, "missing_value"),
    ("has", lambda: Q.has("wings"), "bad_has"),
    ("has nothing", lambda: Q.has(""), "missing_value"),
    ("category", lambda: Q.category("junk"), "bad_category"),
    ("place", lambda: wrong.in_("finance"), "bad_value"),
    ("state", lambda: wrong.is_("sent"), "bad_value"),
    ("unit", lambda: wrong.newer_than(3, "w"), "bad_age"),
    ("no time at all", lambda: Q.newer_than(0), "bad_value"),
    ("not whole", lambda: wrong.older_than(1.5), "bad_value"),
    ("true", lambda: Q.larger(True), "bad_value"),
    ("negative", lambda: Q.smaller(-1), "bad_value"),
    ("naive", lambda: Q.after(dt.datetime(2026, 3, 1)), "naive_datetime"),  # noqa: DTZ001  # that is the point
    ("before 1970", lambda: Q.before(dt.datetime(1969, 12, 31, tzinfo=dt.UTC)), "bad_value"),
    ("bytes", lambda: wrong.from_(b"amy"), "bad_value"),
    ("none", lambda: wrong.text(None), "bad_value"),
    ("no date", lambda: wrong.after("2026/03/01"), "bad_date"),
]


@pytest.mark.parametrize(("build", "code"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_cannot_be_asked_is_refused(build: Callable[[], Q], code: str) -> None:
    with pytest.raises(UsageError) as caught:
        build()
    assert caught.value.code == code
    assert "amy" not in str(caught.value)


def test_trees_join_canonically() -> None:
    a, b, c = Q.text("a"), Q.text("b"), Q.text("c")
    assert (a & b & c).expr == And((Text("a"), Text("b"), Text("c")))
    assert (a | (b | c)).expr == Or((Text("a"), Text("b"), Text("c")))
    assert (~Q.is_("unread")).expr == Not(Is("unread"))


def test_only_queries_can_be_joined() -> None:
    for other in ("dinner", None, Text("a")):
        with pytest.raises(TypeError):
            Q.text("a") & other  # type: ignore[operator]  # that is the point
        with pytest.raises(TypeError):
            Q.text("a") | other  # type: ignore[operator]  # that is the point


def test_a_query_nested_beyond_reason_is_refused_when_built() -> None:
    query = Q.text("a")
    for _ in range(25):
        query = (query & Q.text("b")) | Q.text("c")
    assert parse(str(query)) == query.expr
    deeper: list[Callable[[], Q]] = [lambda: ~query, lambda: query & Q.text("b"), lambda: Q.all_of(query, query)]
    for build in deeper:
        with pytest.raises(UsageError) as caught:
            build()
        assert caught.value.code == "too_deep"
    assert (query | Q.text("d")) != query  # no deeper than it was


def test_a_query_is_a_value() -> None:
    query = Q.from_("amy@example.com") & Q.after(dt.date(2026, 3, 1))
    assert pickle.loads(pickle.dumps(query)) == query
    assert hash(query) == hash(Q.from_("amy@example.com") & Q.after(dt.date(2026, 3, 1)))
    assert "amy" not in repr(query)


def test_a_datetime_is_an_instant_and_a_date_a_day() -> None:
    assert Q.after(dt.datetime(2026, 3, 1, tzinfo=dt.UTC)).expr == Date("after", 1_772_323_200)
    assert Q.after(dt.date(2026, 3, 1)).expr == Date("after", dt.date(2026, 3, 1))
