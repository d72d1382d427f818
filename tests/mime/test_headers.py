"""Header values: people, encoded words, ids, dates, as senders really write them."""

from __future__ import annotations

import datetime as dt
from email.header import Header
from email.utils import format_datetime, formataddr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.mime import headers
from mailkit.mime.headers import decode_words, read_addresses, read_date, read_message_ids, read_text


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("", []),
        ("   ", []),
        ("amy@example.com", [("", "amy@example.com")]),
        ("<amy@example.com>", [("", "amy@example.com")]),
        ("Amy Stone <amy@example.com>", [("Amy Stone", "amy@example.com")]),
        ('"Doe, Jane" <jane@example.com>', [("Doe, Jane", "jane@example.com")]),
        ("Doe, Jane <jane@example.com>", [("Doe, Jane", "jane@example.com")]),
        ("a@x.example, , b@x.example;", [("", "a@x.example"), ("", "b@x.example")]),
        ('"O\\"Brien" <o@x.example>', [('O"Brien', "o@x.example")]),
        ("=?iso-8859-1?Q?Last=DFName=2C_First?= <c@x.example>", [("LastßName, First", "c@x.example")]),
        (
            '=?utf-8?Q?John=20Green=2C=20NA?= <e@x.example>, plain@x.example, "Doe, Jane" <j@x.example>',
            [("John Green, NA", "e@x.example"), ("", "plain@x.example"), ("Doe, Jane", "j@x.example")],
        ),
        ('"=?utf-8?q?Caf=C3=A9?=" <c@x.example>', [("Café", "c@x.example")]),
        ("unlisted-recipients:; (no To-header on input)", []),
        ("undisclosed-recipients:;", []),
        ('Team: a@x.example, "B, B" <b@x.example>; c@x.example',
         [("", "a@x.example"), ("B, B", "b@x.example"), ("", "c@x.example")]),
        ("Mail Delivery <>", [("Mail Delivery", "")]),
        ("Mail Delivery Subsystem", [("Mail Delivery Subsystem", "")]),
        ("MAILER-DAEMON", [("", "MAILER-DAEMON")]),
        ("bob@x.example (Bob (the) Builder)", [("Bob (the) Builder", "bob@x.example")]),
        ("Bob bob@x.example", [("Bob", "bob@x.example")]),
        ("<@relay.example:u@x.example>", [("", "u@x.example")]),
        ("mailto:u@x.example", [("", "u@x.example")]),
        # RFC 5322 appendix A.5: comments and blanks within an address
        (r"Pete(A wonderful \) chap) <pete(his account)@silly.example(his host)>", [("Pete", "pete@silly.example")]),
        ("<c@(Chris's host.)x.example>, jdoe@x   . example", [("", "c@x.example"), ("", "jdoe@x.example")]),
        ('<"a(b"@x.example>', [("", '"a(b"@x.example')]),
        # a name that only repeats the address is none
        ('"u@x.example" <u@x.example>', [("", "u@x.example")]),
        ("=?utf-8?Q?u=40x.example?= <u@x.example>", [("", "u@x.example")]),
        ("U@x.example <u@x.example>", [("U@x.example", "u@x.example")]),
    ],
)  # fmt: skip
def test_people(text: str, people: list[tuple[str, str]]) -> None:
    assert [(person.name, person.address) for person in read_addresses(text)] == people


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("plain = text ?", "plain = text ?"),
        ("=?utf-8?B?w6k=?= =?UTF-8?b?w6k?=", "éé"),
        ("=?utf-8?B?w?= =?utf-8?B?6k=?=", "=?utf-8?B?w?= =?utf-8?B?6k=?="),
        ("=?utf-8?Q?=C3?= =?utf-8?Q?=A9?=", "é"),
        ("Re: =?iso-8859-8-i?Q?=F9=EC=E5=ED?= x", "Re: שלום x"),
        ("=?utf-8*en?Q?a_b?=", "a b"),
        ("=?x-unknown?Q?m=E9?=", "mé"),
        ("=?utf-8?Q?John Green?=", "John Green"),
        ("=?utf-8?X?no?=", "=?utf-8?X?no?="),
    ],
)
def test_encoded_words(text: str, said: str) -> None:
    assert decode_words(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("  Plan ", "Plan"),
        ("Plan\r\n\tfor  May", "Plan for May"),
        ("=?utf-8?Q?Plan=0D=0A?=\r\n =?utf-8?Q?=09for_May?=", "Plan for May"),
        ("会議\u3000室", "会議\u3000室"),
        ("", ""),
    ],
)
def test_text_on_one_line(text: str, said: str) -> None:
    assert read_text(text) == said


def test_message_ids() -> None:
    assert read_message_ids("<a@x> junk <b@x>\r\n\t<c@x>") == ("<a@x>", "<b@x>", "<c@x>")


@pytest.mark.parametrize(
    "text", ["", "yesterday", "Fri, 99 Foo 2019 99:99:99", "Fri, 31 Dec 9999 23:59:59 -1200", "x" * 500]
)
def test_a_date_that_is_none(text: str) -> None:
    assert read_date(text) is None


def test_dates() -> None:
    assert read_date("Fri, 5 Apr 2019 19:31:54 +0200 (CEST)") == dt.datetime(2019, 4, 5, 17, 31, 54, tzinfo=dt.UTC)
    assert read_date("5 Apr 2019 19:31:54 -0000") == dt.datetime(2019, 4, 5, 19, 31, 54, tzinfo=dt.UTC)


_NAMES = st.text(alphabet="abc Éß,;:@<>()\"'\\.日", max_size=12)


@given(st.lists(st.tuples(_NAMES, st.sampled_from(["a@x.example", "b.c+d@y.example"])), max_size=4))
def test_what_the_standard_library_writes_is_read_back(people: list[tuple[str, str]]) -> None:
    text = ", ".join(formataddr(person) for person in people)
    assert [(p.name, p.address) for p in read_addresses(text)] == [(" ".join(n.split()), a) for n, a in people]


@given(st.text(alphabet="abÉß日 ,=?_", max_size=80))
def test_encoded_text_is_read_back(text: str) -> None:
    assert decode_words(Header(text, "utf-8", maxlinelen=40).encode(linesep="\n")) == text or not text.strip()


@given(st.datetimes(min_value=dt.datetime(1970, 1, 1), timezones=st.just(dt.UTC)))  # noqa: DTZ001 - hypothesis adds the zone
def test_dates_are_read_back(date: dt.datetime) -> None:
    assert read_date(format_datetime(date)) == date.replace(microsecond=0)


_PIECES = [*'<>()@,;:"\\=?ab 1-+\x00\r\n', "=?utf-8?Q?", "=?=", "?=", "Mon", "Jan", "2020", "12:00", "\ud800"]


@given(st.lists(st.sampled_from(_PIECES)))
def test_never_raises(pieces: list[str]) -> None:
    text = "".join(pieces)
    read_addresses(text)
    decode_words(text)
    read_date(text)
    read_message_ids(text)


_MAILBOX_PIECES = [
    "Ann",
    " ",
    "Lee",
    '"',
    ",",
    ", ",
    "<",
    ">",
    "a@x.example",
    "<b@y.example>",
    "(",
    ")",
    "=?utf-8?q?=C3=A9?=",
]


@given(st.lists(st.sampled_from(_MAILBOX_PIECES), max_size=8))
def test_plain_addresses_are_read_as_any_other(pieces: list[str]) -> None:
    text = "".join(pieces)
    plain = headers._plain(text)
    assert plain is None or plain == tuple(headers._joined(headers._mailboxes(text)))


_DATE_PIECES = (
    st.sampled_from(["", "Sun, ", "sun, "]),
    st.sampled_from(["0 ", "1 ", "09 ", "30 ", "32 "]),
    st.sampled_from(["Jan ", "Feb ", "Dec ", "Foo ", "jan "]),
    st.sampled_from(["0019 ", "1999 ", "2026 "]),
    st.sampled_from(["00:00:00 ", "23:59:60 ", "24:00:00 ", "9:00:00 "]),
    st.sampled_from(["+0000", "-0000", "-0730", "+2459", "GMT", "+0100 (CET)"]),
)


@given(st.tuples(*_DATE_PIECES).map("".join))
def test_plain_dates_are_read_as_any_other(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(headers, "_plain_date", lambda _: None)
        careful = read_date(text)
    assert read_date(text) == careful


@pytest.mark.parametrize("piece", ["(", '"', "<", "\\", "=?a?q?", "=?utf-8?q?x?= ", ",", "a@b,", "@ ", " ", "=?"])
def test_long_headers_are_read_in_one_pass(piece: str) -> None:
    read_addresses(piece * 50_000)  # minutes, if the time grew with the square of the length
    decode_words(piece * 50_000)
