"""The room's pure pieces: links and quoting, Retry-After, the retry policy, multipart batches."""

from __future__ import annotations

import datetime as dt
import json
import re
from email.utils import format_datetime
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.errors import BadPayload, UsageError
from mailkit.transport import Answer, Call, RetryPolicy, multipart_batch, url
from mailkit.transport.multipart_batch import Part
from mailkit.transport.retry_after import retry_after

NOW = dt.datetime(2025, 10, 21, 7, 27, 30, tzinfo=dt.UTC)
TEXT = st.text(st.characters(exclude_categories=["Cs"]))


# url


@given(st.lists(st.tuples(TEXT, TEXT)))
def test_a_query_reads_back_and_has_no_plus_sign(pairs: list[tuple[str, str]]) -> None:
    text = url.encode(tuple(pairs))
    assert "+" not in text
    assert [tuple(map(unquote, pair.split("=", 1))) for pair in text.split("&") if pair or pairs] == pairs


@given(TEXT.filter(lambda text: text not in {"", ".", ".."}))
def test_an_id_is_one_segment_and_reads_back(text: str) -> None:
    quoted = url.segment(text)
    assert unquote(quoted) == text
    link = url.read(url.join("https://h.example/v1", f"/me/{quoted}/x"))
    assert link is not None
    assert link.path == f"/v1/me/{quoted}/x" == link.target


@pytest.mark.parametrize("text", ["", ".", "..", "\ud800"])
def test_what_would_be_another_path_is_no_id(text: str) -> None:
    with pytest.raises(UsageError):
        url.segment(text)


@given(st.text())
def test_reading_a_link_is_total_and_agrees_with_the_standard(text: str) -> None:
    for candidate in (text, f"https://{text}", f"https://h.example{text}"):
        link = url.read(candidate)
        if link is not None:
            parts = urlsplit(candidate)
            assert (parts.scheme, parts.hostname, parts.username) == (link.scheme, link.host, None)
            assert (parts.port or link.port) == link.port
            assert candidate.endswith(link.target) or link.target.startswith("/")


def test_an_origin_has_a_port_even_when_the_link_has_none() -> None:
    read = {
        text: url.read(text)
        for text in ("https://H.example", "http://h.example?a", "https://[::1]:8443/x?y#z", "http://h:65536")
    }
    assert [link and (link.origin, link.target) for link in read.values()] == [
        (("https", "h.example", 443), "/"),
        (("http", "h.example", 80), "/?a"),
        None,
        None,
    ]


def test_a_query_is_added_to_one_that_is_there() -> None:
    assert url.join("https://h", "https://h/x?a=1", (("b", "2"),)) == "https://h/x?a=1&b=2"


# Retry-After


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120),
        (" 2.128 ", 2.128),
        ("0", 0),
        ("Tue, 21 Oct 2025 07:28:00 GMT", 30),
        ("Tuesday, 21-Oct-25 07:28:00 GMT", 30),
        ("Tue, 21 Oct 2025 07:28:00 -0000", 30),
        ("Tue, 21 Oct 2025 09:28:00 +0200", 30),
        ("Tue, 21 Oct 2025 07:00:00 GMT", 0),
        *((text, None) for text in (None, "", "-1", "nan", "inf", "1e3", "soon", "٣", "12 s", "Tue, 99 Oct 2025")),
    ],
)
def test_retry_after(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, NOW) == seconds


@given(st.text() | st.from_regex(r"[A-Z][a-z]{2}, \d{1,3} [A-Z][a-z]{2} \d{1,9} \d+:\d+:\d+ [-+A-Z0-9]{0,6}"))
def test_retry_after_is_total(header: str) -> None:
    seconds = retry_after(header, NOW)
    assert seconds is None or seconds >= 0


@given(st.datetimes(min_value=dt.datetime(2025, 10, 22), max_value=dt.datetime(2100, 1, 1)))  # noqa: DTZ001
def test_retry_after_reads_dates(date: dt.datetime) -> None:
    date = date.replace(microsecond=0, tzinfo=dt.UTC)
    assert retry_after(format_datetime(date, usegmt=True), NOW) == (date - NOW).total_seconds()


# The policy


@given(
    st.integers(1, 12),
    st.none() | st.floats(0, 400),
    st.floats(0, 400) | st.just(float("inf")),
    st.floats(0, 1, exclude_max=True),
)
def test_a_wait_is_never_shorter_than_asked_nor_longer_than_there_is_time(
    failures: int, asked: float | None, remaining: float, chance: float
) -> None:
    policy = RetryPolicy(attempts=10)
    wait = policy.wait(failures=failures, asked=asked, remaining=remaining, chance=chance)
    if wait is not None:
        assert failures < policy.attempts
        assert (asked or 0) <= wait < remaining
        assert wait <= policy.longest
    if policy.is_too_long(asked, remaining):
        assert wait is None


@given(st.lists(st.floats(0, 0.999), min_size=3, max_size=3))
def test_backoff_grows_and_begins_between_half_a_second_and_two(chances: list[float]) -> None:
    waits = [
        RetryPolicy().wait(failures=n, asked=1, remaining=100, chance=chance) or 0
        for n, chance in enumerate(chances, 1)
    ]
    assert 0.5 <= waits[0] <= 2
    assert waits[0] < waits[1] < waits[2]


def test_backoff_stops_growing() -> None:
    assert RetryPolicy(attempts=20).wait(failures=15, asked=None, remaining=100, chance=0.5) == 30


# Calls


def test_a_header_cannot_bring_another() -> None:
    with pytest.raises(UsageError, match="one line"):
        Call(operation="x", url="/", headers=(("Prefer", "a\r\nAuthorization: b"),))


def test_a_call_shows_nothing_of_the_mail() -> None:
    call = Call(operation="mail.search", url="/me", query=(("q", "secret"),), json={"subject": "secret"})
    assert "secret" not in repr(call)


# Multipart batches

BOUNDARY = "b-1"
HEADERS = st.dictionaries(
    st.from_regex(r"[a-z][a-z-]{0,9}", fullmatch=True).filter(lambda name: name != "content-length"),
    st.from_regex(r"[!-~]([ -~]{0,9}[!-~])?", fullmatch=True),
    max_size=3,
)
PARTS = st.dictionaries(
    st.integers(0, 10_000),
    st.builds(
        Part,
        start=st.from_regex(r"(GET|POST) /[!-~]{0,20} HTTP/1\.1|HTTP/1\.1 [0-9]{3} [A-Za-z ]{0,9}", fullmatch=True),
        headers=HEADERS,
        body=st.binary(max_size=30) | st.sampled_from([b"{}", b"\r\n--b-1x\r\n", b"\r\n\r\n--b-\r\n"]),
    ).filter(lambda part: not re.search(rb"--b-1(--|\s)", part.body)),
    max_size=4,
)


def with_length(part: Part) -> Part:
    headers = {**part.headers, "content-length": str(len(part.body))} if part.body else part.headers
    return Part(start=part.start, headers=headers, body=part.body)


@given(PARTS)
def test_a_batch_reads_back(parts: dict[int, Part]) -> None:
    decoded = multipart_batch.decode(*multipart_batch.encode(parts, BOUNDARY))
    assert decoded == {number: with_length(part) for number, part in parts.items()}


@given(PARTS, st.data())
def test_a_cut_batch_gives_no_half_part(parts: dict[int, Part], data: st.DataObject) -> None:
    content_type, content = multipart_batch.encode(parts, BOUNDARY)
    cut = content[: data.draw(st.integers(0, len(content)))]
    whole = {number: with_length(part) for number, part in parts.items()}
    assert multipart_batch.decode(content_type, cut).items() <= whole.items()


@given(st.binary())
def test_reading_a_batch_is_total(content: bytes) -> None:
    for text in (content, b"--b-1\r\n" + content + b"\r\n--b-1--"):
        multipart_batch.decode('multipart/mixed; boundary="b-1"', text)


def test_a_batch_as_google_sends_it() -> None:
    content = (
        b"\r\n--batch_x\r\nContent-Type: application/http\r\nContent-ID: <response-1>\r\n\r\n"
        b'HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=UTF-8\r\nETag: "a"\r\n\r\n{"id": "1"}\r\n\r\n'
        b"--batch_x\nContent-Type: application/http\nContent-ID: response-0\n\nHTTP/1.1 404 Not Found\n\n"
        b"--batch_x\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 200 OK\r\n\r\nnumberless\r\n--batch_x--\r\n"
    )
    parts = multipart_batch.decode('multipart/mixed; boundary="batch_x"; charset=UTF-8', content)
    assert {number: part.status for number, part in parts.items()} == {1: 200, 0: 404}
    assert parts[1].body.strip() == b'{"id": "1"}'
    assert parts[1].headers["etag"] == '"a"'


def test_what_is_no_batch_is_refused() -> None:
    with pytest.raises(BadPayload):
        multipart_batch.decode("text/html", b"<html>")


# answers


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (b'{"a": "x\\ud800", "\\uDFFF": ["\\ud83d\\ude00 \\udbff"]}', {"a": "x\ufffd", "\ufffd": ["😀 \ufffd"]}),
        (b'["\xed\xa0\x80", 1, null]', ["\ufffd", 1, None]),
        (b'["\\\\ud800"]', ["\\ud800"]),
        (b'\xef\xbb\xbf["a"]', ["a"]),
    ],
)
def test_half_a_surrogate_pair_is_no_text(content: bytes, value: object) -> None:
    assert Answer(status=200, content=content).json() == value


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_every_text_of_an_answer_can_be_encoded(value: object) -> None:
    read = Answer(status=200, content=json.dumps(value).encode()).json()
    json.dumps(read, ensure_ascii=False).encode()
    read = Answer(status=200, content=json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass")).json()
    json.dumps(read, ensure_ascii=False).encode()


@pytest.mark.parametrize("content", [b'["\xff"]', b"[", b"", b"[" * 100_000])
def test_what_is_no_json(content: bytes) -> None:
    with pytest.raises(BadPayload):
        Answer(status=200, content=content).json()
