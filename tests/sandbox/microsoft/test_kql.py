from __future__ import annotations

import datetime as dt
from contextlib import suppress
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.sandbox.microsoft import SearchBehaviour
from mailkit.sandbox.microsoft.kql import AllOf, AnyOf, Days, Except, Near, Number, Term, Word, parse_search
from mailkit.sandbox.microsoft.refusals import Refusal
from mailkit.sandbox.microsoft.searching import Indexed, found

Breaking = Literal["whole", "prefix"]


def quoted(kql: str) -> str:
    return '"' + kql.replace("\\", "\\\\").replace('"', '\\"') + '"'


MESSAGE = Indexed(
    people={
        "from": ("Amy Stone", "amy.stone@contoso.example"),
        "to": ("David Li", "david@example.com"),
        "cc": ("Zoë Zimmer", "zoe@example.com"),
        "bcc": ("Hidden Harry", "harry@example.com"),
    },
    subject="Movie, dinner or both",
    body="Dinner first, then a movie at the Odeon: 3.14 or 会议. follow-up tomorrow",
    files=("Invoice-2026.pdf", "logo.png"),
    has_attachments=True,
    importance="normal",
    received=dt.datetime(2026, 3, 1, 20, tzinfo=dt.UTC),
    sent=dt.datetime(2026, 2, 28, 20, tzinfo=dt.UTC),
    measure=lambda: 5000,
)


def finds(kql: str, **behaviour: object) -> bool:
    return found(parse_search(quoted(kql)), MESSAGE, SearchBehaviour(**behaviour))  # type: ignore[arg-type]  # each test its own


@pytest.mark.parametrize(
    ("kql", "expected"),
    [
        # no property: from, subject and body alone
        ("dinner", True),
        ("DINNER", True),
        ("dinn", False),
        ("dinn*", True),
        ("david", False),
        ("zimmer", False),
        ("invoice", False),
        ("amy", True),
        ("odeon", True),
        ("3.14", True),
        ("会", True),
        ("会议", True),
        ("follow-up", True),
        ("zoe", False),
        # properties
        ("from:amy", True),
        ('from:"Amy Stone"', True),
        ('from:"Stone Amy"', False),
        ('from:"amy.stone@contoso.example"', True),
        ("from:amy.stone@contoso.example", True),
        ("from:contoso", True),
        ("from:david", False),
        ("to:david", True),
        ("to:zimmer", False),
        ("cc:zimmer", True),
        ("recipients:david", True),
        ("recipients:zimmer", True),
        ("recipients:amy", False),
        ("participants:amy", True),
        ("bcc:harry", False),
        ("recipients:harry", False),
        ("participants:harry", False),
        ("subject:dinner", True),
        ("subject:odeon", False),
        ("SUBJECT:movie", True),
        ('subject:"movie dinner"', True),
        ('subject:"dinner movie"', False),
        ('subject:"movie: dinner"', True),
        ('subject="movie dinner or both"', True),
        ("subject=movie", False),
        ("subject<>odeon", True),
        ("body:odeon", True),
        ("body:both", False),
        ("attachment:invoice", True),
        ('attachment:"invoice 2026 pdf"', True),
        ("attachment:inv", False),
        ("attachment:inv*", True),
        ("hasAttachments:true", True),
        ("hasAttachment:false", False),
        ("importance:medium", True),
        ("importance:normal", True),
        ("importance:high", False),
        ("kind:email", True),
        ("kind:contacts", False),
        ("size>4999", True),
        ("size>5000", False),
        ("size<5001", True),
        ("size<=4999", False),
        ("size>=5000", True),
        ("size:5000", True),
        ("size<>5000", False),
        ("size:1..5000", True),
        ("size:1..4999", False),
        ("received:2026-03-01", True),
        ("received=03/01/2026", True),
        ("received:3/1/2026", True),
        ("received<>2026-03-01", False),
        ("received>2026-03-01", False),
        ("received>=2026-03-01", True),
        ("received<2026-03-01", False),
        ("received<=2026-03-01", True),
        ("received:2026-02-27..2026-03-01", True),
        ("received:2026-03-02..2026-03-05", False),
        ("received>=2026-03-01T23:00:00Z", True),
        ("sent:2026-02-28", True),
        ("sent:2026-03-01", False),
        # operators
        ("dinner AND odeon", True),
        ("dinner AND paris", False),
        ("dinner OR paris", True),
        ("paris OR dinner AND rome", False),
        ("dinner OR paris AND rome", True),
        ("(dinner OR paris) AND rome", False),
        ("NOT paris", True),
        ("NOT dinner", False),
        ("dinner NOT paris", True),
        ("dinner NOT odeon", False),
        ("dinner AND NOT (paris OR rome)", True),
        ("dinner -odeon", False),
        ("+dinner", True),
        ("dinner odeon", True),
        ("dinner paris", False),
        ("dinner and odeon", False),  # lower case: a word, which is not there
        ("dinner or odeon", True),  # lower case: a word, which is
        ("subject:paris subject:dinner", True),  # side by side on one property: either
        ("subject:dinner from:david", False),  # on different ones: both
        ("subject:(movie dinner)", True),
        ("subject:(movie AND paris)", False),
        ("subject:(paris OR dinner)", True),
        ("first NEAR(2) movie", True),
        ("first NEAR(1) movie", False),
        ("movie NEAR first", True),
        ("movie ONEAR(2) first", False),
        ("first ONEAR movie", True),
        ('"dinner first" NEAR(3) movie', True),
        ('"&"', False),
    ],
)
def test_what_a_search_finds(kql: str, expected: bool) -> None:
    assert finds(kql) is expected


@pytest.mark.parametrize(
    "value",
    [
        "dinner",
        "Backup Config 0",
        '"dinner',
        'dinner"',
        "'dinner'",
        '""',
        '" "',
        '"from:"Acme Corp""',
        '"a\\b"',
        '"a\\"',
        "\u201cdinner\u201d",
    ],
)
def test_a_value_that_is_not_quoted_right_is_refused(value: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse_search(value)
    assert (refused.value.status, refused.value.code) == (400, "BadRequest")


@pytest.mark.parametrize(
    "kql",
    [
        "subject:",
        'subject:""',
        "subject: dinner",
        "flavour:sweet",
        "isread:true",
        "category:Work",
        "Re: dinner",
        "http://example.com",
        "10:30",
        "a=b",
        "*dinner",
        "din*ner",
        "*",
        "“dinner”",
        "(dinner",
        "dinner)",
        "()",
        '"dinner',
        "dinner AND",
        "AND dinner",
        "OR",
        "dinner OR OR movie",
        "NOT",
        "from:amy NEAR movie",
        "dinner NEAR",
        "subject:(from:amy)",
        "subject>movie",
        "importance:urgent",
        "importance>low",
        "hasattachments:maybe",
        "received:yesterdayish",
        "received:2026-02-30",
        "received>2026-01-01..2026-02-01",
        "received:2026-01-01..",
        "size:big",
        "size:1..big",
        "size>1..2",
        "from:(amy",
        "kind:(email)",
    ],
)
def test_a_query_that_cannot_be_read_is_refused(kql: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse_search(quoted(kql))
    assert (refused.value.status, refused.value.code) == (400, "BadRequest")


def test_quotes_and_backslashes_are_read_through_their_escapes() -> None:
    assert parse_search(r'"from:\"Acme Corp\""') == Term("from", "Acme Corp")
    assert parse_search(r'"a\\b"') == Term(None, r"a\b")


def test_trees() -> None:
    day = dt.date(2026, 3, 1)
    assert parse_search('"a b OR NOT c"') == AnyOf((AllOf((Term(None, "a"), Term(None, "b"))), Except(Term(None, "c"))))
    assert parse_search('"received>2026-02-28 size<10"') == AllOf((Days("received", day, None), Number(None, 9)))
    assert parse_search('"hasattachments:yes a ONEAR(3) b"') == AllOf(
        (Word("hasattachment", "true"), Near(Term(None, "a"), Term(None, "b"), 3, ordered=True))
    )


@pytest.mark.parametrize(
    ("hours", "day"), [(-12, "2026-03-01"), (0, "2026-03-01"), (14, "2026-03-02"), (-24, "2026-02-28")]
)
def test_days_are_the_servers(hours: int, day: str) -> None:
    assert finds(f"received:{day}", day_shift=dt.timedelta(hours=hours))


@pytest.mark.parametrize(
    "kql",
    ["bcc:harry", "recipients:harry", "participants:harry", "bcc:harry@example.com", 'to:david bcc:"Hidden Harry"'],
)
def test_bcc_is_found_only_where_it_is_indexed(kql: str) -> None:
    assert not finds(kql)
    assert finds(kql, bcc_indexed=True)


@pytest.mark.parametrize(
    ("kql", "expected"),
    [
        ("dinn", True),
        ('subject:"mov din"', True),
        ('subject:"din mov"', False),
        ("from:sto", True),
        ('from:"Amy Winehouse"', True),  # expanded into everybody called Amy
        ("to:exam", True),
        ("attachment:inv", True),
        ("odeons", False),
        ("mov NEAR din", True),
        ('"&"', True),
    ],
)
def test_the_widest_server_takes_words_for_beginnings(kql: str, expected: bool) -> None:
    assert finds(kql, words="prefix") is expected


_WORD = st.sampled_from(["dinner", "movie", "amy", "amy stone", "david", "odeon", "dinn", "zo", "paris", "3.14"])
_FIELD = st.sampled_from(
    ["", "from:", "to:", "cc:", "recipients:", "participants:", "subject:", "body:", "attachment:"]
)
_POSITIVE = st.recursive(
    st.builds(lambda field, word: f'{field}"{word}"', _FIELD, _WORD),
    lambda inner: st.builds(lambda a, op, b: f"({a} {op} {b})", inner, st.sampled_from(["AND", "OR"]), inner),
    max_leaves=6,
)


@given(_POSITIVE)
def test_the_widest_server_finds_all_the_narrowest_does(kql: str) -> None:
    assert finds(kql, words="prefix") >= finds(kql)


@given(st.text(alphabet='dinerfrom:subjectreceived>=2026-03-01..ANDORNOTNEAR(8) ()"*\\-+', max_size=40))
def test_any_text_is_read_or_refused(kql: str) -> None:
    with suppress(Refusal):
        tree = parse_search(quoted(kql))
        for words in ("whole", "prefix"):
            assert found(tree, MESSAGE, SearchBehaviour(words=words)) in (True, False)


@given(st.text())
def test_any_value_is_read_or_refused(value: str) -> None:
    with suppress(Refusal):
        parse_search(value)
