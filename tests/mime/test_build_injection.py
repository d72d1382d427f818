"""No field can end its line: not with control characters, not with line breaks of Unicode, not with encoded forms."""

from __future__ import annotations

import base64
import quopri
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailkit.errors import InvalidMessage
from mailkit.mime.build import BytesPayload, FilePart
from mailkit.mime.file_names import safe_file_name
from mailkit.mime.header_text import is_one_line
from mailkit.mime.outgoing import OutgoingFile, OutgoingMessage
from mailkit.values import Address
from tests.support.written import BREAKS, MESSAGE_ID, READERS, made

pytestmark = pytest.mark.matrix

few = settings(max_examples=50, deadline=None)
SECRET = "Geheim"


def word(text: str, charset: str = "utf-8", how: str = "q") -> str:
    data = text.encode(charset)
    said = base64.b64encode(data).decode() if how == "b" else "".join(f"={byte:02X}" for byte in data)
    return f"=?{charset}?{how}?{said}?="


BCC = "\r\nBcc: eve@evil.example"
RAW = [
    f"{mark}Bcc: eve@evil.example"
    for mark in (
        "\r\n",
        "\r",
        "\n",
        "\r\n ",
        "\0",
        "\x0b",
        "\x0c",
        "\x1c",
        "\x1d",
        "\x1e",
        "\x85",
        "\u2028",
        "\u2029",
        "\x7f",
        "\x08",
    )
]
ENCODED = [
    word(BCC),
    word(BCC, how="b"),
    word("\n"),
    word("\x85", "latin-1"),
    word("\u2028"),
    word("\0"),
    word("\r", "utf-16-le"),
    word(BCC, "cp037"),
    word(BCC, "utf-32"),
    word(word(BCC)),
    word(word(word(BCC, how="b"), how="b")),
    "=?utf-7?q?+AA0ACg-Bcc:_eve?=",
    "=?UTF-7*en?Q?+AA0ACg-Bcc:_eve?=",
    "=?unicode_escape?q?\\r\\nBcc:_eve?=",
    "=?raw-unicode-escape?q?\\u000a?=",
    "=?x-nobody-knows?q?=0D=0ABcc:?=",
    "=?x y?q?=0D=0ABcc:?=",
    "=?utf-8?q?a?b=0D=0ABcc:?=",
    "=?x =?utf-8?q?=0D=0ABcc:?=",
    "=?utf-8?q?=0D?= =?utf-8?q?=0A?=",
    "=?utf-8?q?caf?==?utf-8?q?=0a?=",
]
HARMLESS = [
    "%0D%0ABcc: eve",
    "utf-8''%0d%0aBcc:%20eve",
    "\\r\\nBcc: eve",
    "&#10;Bcc: eve",
    "=0D=0ABcc: eve",
    "=?utf-8?q?caf=C3=A9?=",
    "=?iso-2022-jp?b?GyRCRnxLXBsoQg==?=",
]
"""What no reader of mail takes for the end of a line: it may go, and arrives as it is."""

Make = Callable[[str], bytes]


def letter(**fields: object) -> OutgoingMessage:
    return OutgoingMessage(**{"to": "bob@example.com", "subject": "Plan", "text": "Hello.", **fields})  # type: ignore[arg-type]


def part(**fields: object) -> FilePart:
    given = {"name": "a.pdf", "content_type": "application/pdf", "payload": BytesPayload(b"x"), **fields}
    return FilePart(**given)  # type: ignore[arg-type]


def with_file(**fields: object) -> bytes:
    return bytes(made(letter(html="<p>x</p>"), files=[part(**fields)]))


FIELDS: dict[str, Make] = {
    "address": lambda bad: bytes(made(letter(to=Address(address=f"{SECRET}{bad}@example.com")))),
    "domain": lambda bad: bytes(made(letter(cc=Address(address=f"{SECRET}@example{bad}.com")))),
    "quoted address": lambda bad: bytes(made(letter(to=Address(address=f'"{SECRET}{bad}"@example.com')))),
    "name": lambda bad: bytes(made(letter(bcc=Address(name=f"{SECRET}{bad}", address="bob@example.com")))),
    "text of recipients": lambda bad: bytes(made(letter(to=f"{SECRET}{bad} <bob@example.com>"))),
    "quoted text of recipients": lambda bad: bytes(made(letter(to=f'"{SECRET}{bad}" <bob@example.com>'))),
    "sender": lambda bad: bytes(made(letter(from_=Address(name=f"{SECRET}{bad}", address="me@example.com")))),
    "reply_to": lambda bad: bytes(made(letter(reply_to=[Address(name=f"{SECRET}{bad}", address="me@example.com")]))),
    "subject": lambda bad: bytes(made(letter(subject=f"{SECRET} {bad}"))),
    "header name": lambda bad: bytes(made(letter(headers={f"X-{SECRET}{bad}": "1"}))),
    "header value": lambda bad: bytes(made(letter(headers=[("X-Note", f"{SECRET} {bad} x")]))),
    "file name": lambda bad: with_file(name=f"{SECRET}{bad}.pdf"),
    "content type": lambda bad: with_file(content_type=f"application/{SECRET}{bad}"),
    "parameter of a content type": lambda bad: with_file(content_type=f'text/plain; x="{SECRET}{bad}"'),
    "content id": lambda bad: with_file(content_id=f"{SECRET}{bad}"),
    "message_id": lambda bad: bytes(made(letter(), message_id=f"<{SECRET}{bad}@example.com>")),
    "in_reply_to": lambda bad: bytes(made(letter(), in_reply_to=f"<{SECRET}{bad}@example.com>")),
    "references": lambda bad: bytes(made(letter(), references=[MESSAGE_ID, f"<{SECRET}{bad}@example.com>"])),
    "send_id": lambda bad: bytes(made(letter(), send_id=f"{SECRET}{bad}")),
}
OUTGOING_FILE: dict[str, Callable[[str], OutgoingFile]] = {
    "name": lambda bad: OutgoingFile(content=b"x", name=f"{SECRET}{bad}.pdf"),
    "content_type": lambda bad: OutgoingFile(content=b"x", content_type=f"application/{SECRET}{bad}"),
    "content_id": lambda bad: OutgoingFile(content=b"x", content_id=f"{SECRET}{bad}"),
}
KNOWN = {
    "From", "To", "Cc", "Bcc", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "X-Note",
    "X-Mailkit-Send-Id", "MIME-Version", "Content-Type", "Content-Transfer-Encoding",
}  # fmt: skip


@pytest.mark.parametrize("bad", [*RAW, *ENCODED])
@pytest.mark.parametrize("field", FIELDS)
def test_what_ends_a_line_is_refused(field: str, bad: str) -> None:
    with pytest.raises(InvalidMessage) as caught:
        FIELDS[field](bad)
    assert SECRET not in f"{caught.value!r} {caught.value}"
    assert "eve" not in str(caught.value)


@pytest.mark.parametrize("bad", [*RAW, *ENCODED])
@pytest.mark.parametrize("field", OUTGOING_FILE)
def test_what_ends_a_line_is_refused_of_a_file(field: str, bad: str) -> None:
    with pytest.raises(InvalidMessage) as caught:
        OUTGOING_FILE[field](bad)
    assert SECRET not in f"{caught.value!r} {caught.value}"


@pytest.mark.parametrize("bad", HARMLESS)
@pytest.mark.parametrize("field", FIELDS)
def test_what_only_looks_like_it_arrives_as_it_is_or_not_at_all(field: str, bad: str) -> None:
    try:
        data = FIELDS[field](bad)
    except InvalidMessage:
        return  # an address, an id or a type cannot be like that
    assert_as_meant(data)


@pytest.mark.parametrize("bad", HARMLESS)
def test_a_subject_may_look_like_anything(bad: str) -> None:
    data = bytes(made(letter(subject=f"{SECRET} {bad}")))
    assert {read(data).subject for read in READERS} == {f"{SECRET} {bad}"}


def assert_as_meant(data: bytes, *, in_to: bool = False) -> None:
    for read in READERS:
        found = read(data)
        assert {name for name in found.names if not name.startswith(f"X-{SECRET}")} <= KNOWN
        assert len(found.names) == len(set(found.names))
        assert not any(map(BREAKS.search, found.values))
        places = {name for name, those in found.people.items() for _, address in those if address == "eve@evil.example"}
        assert {name.lower() for name in places} <= ({"to"} if in_to else set())


PIECES = st.sampled_from([
    "\r", "\n", "\r\n", "\r\n ", "\0", "\x0b", "\x1e", "\x85", "\u2028", "=?", "?=", "?q?", "?b?", "utf-8",
    "utf-7", "cp037", "+AA0ACg-", "=0D", "=0A", "=3D=3F", "=3F", "DQo=", "Cg==", "=?utf-8?q?", "=?utf-8?b?",
    "Bcc: eve@evil.example", "%0D%0A",
    "''", "*0*=", ";", ",", ":", '"', "\\", "<", ">", "(", ")", "@", " ", "\t", "a", "é", "x" * 80,
])  # fmt: skip
SOUP = st.lists(PIECES, min_size=1, max_size=9).map("".join)


@pytest.mark.parametrize("field", FIELDS)
@few
@given(bad=SOUP)
def test_any_soup_is_refused_or_harmless(field: str, bad: str) -> None:
    try:
        data = FIELDS[field](bad)
    except InvalidMessage:
        return
    # A list may name groups (RFC 5322 section 3.4): what is in one is meant as a recipient, and seen by everybody.
    assert_as_meant(data, in_to=field == "text of recipients" and "Bcc: eve@evil.example" in bad)


@few
@given(SOUP)
def test_the_names_of_received_files_can_go_on(bad: str) -> None:
    name = safe_file_name(bad, "application/pdf")
    for read in READERS:
        (file,) = read(with_file(name=name)).files
        assert file.name == name


@few
@given(
    st.text(max_size=40),
    st.sampled_from(["q", "b"]),
    st.sampled_from(["utf-8", "utf-16", "latin-1", "cp1252", "gb18030", "iso-2022-jp"]),
)
def test_what_decodes_into_a_line_break_is_known(text: str, how: str, charset: str) -> None:
    data = text.encode(charset, "ignore")
    said = (
        base64.b64encode(data).decode()
        if how == "b"
        else quopri.encodestring(data, header=True).decode().replace("=\n", "").replace("?", "=3F")
    )
    if BREAKS.search(data.decode(charset, "ignore")):
        assert not is_one_line(f"a =?{charset}?{how}?{said}?= b")


def test_many_words_are_read_in_one_pass() -> None:
    assert is_one_line("=?utf-8?q?" * 20_000)
    assert is_one_line("=?utf-8?q?a?= " * 20_000)
    assert not is_one_line("=?" * 20_000 + word("\n"))
