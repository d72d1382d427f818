"""What a built message looks like: its structure, its codings, its files, and how little memory it takes."""

from __future__ import annotations

import base64
import datetime as dt
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import attrs
import pytest

from mailkit import parse_message
from mailkit.errors import InvalidMessage
from mailkit.mime.build import BytesPayload, FilePart, build
from mailkit.mime.outgoing import OutgoingMessage
from tests.support.written import READERS, SEND_ID, Read, by_mailkit, defects, fields, made

EML = b"Subject: x\r\nMIME-Version: 1.0\r\n\r\nhi\r\n"


def part(name: str, content: bytes, content_type: str, content_id: str | None = None) -> FilePart:
    return FilePart(name=name, content_type=content_type, payload=BytesPayload(content), content_id=content_id)


PDF = part("report.pdf", b"%PDF", "application/pdf")
LOGO = part("logo.png", b"\x89PNG", "image/png", "logo")


def letter(**given: Any) -> OutgoingMessage:
    return OutgoingMessage(**{"to": "bob@example.com", "subject": "Plan", **given})


def shape(message: OutgoingMessage, files: Sequence[FilePart] = ()) -> str:
    return _shape(message_from_bytes(bytes(made(message, files=files)), policy=policy.default))


def _shape(part: EmailMessage) -> str:
    kind = part.get_content_type().removeprefix("multipart/")
    if not part.is_multipart() or kind.startswith("message/"):
        return kind
    return f"{kind}({', '.join(map(_shape, part.get_payload()))})"


@pytest.mark.parametrize(
    ("message", "files", "wanted"),
    [
        ({}, [], "text/plain"),
        ({"text": "Hi."}, [], "text/plain"),
        ({"html": "<p>Hi.</p>"}, [], "alternative(text/plain, text/html)"),
        ({"text": "Hi.", "html": "<p>Hi.</p>"}, [], "alternative(text/plain, text/html)"),
        ({"text": "", "html": "<p>Hi.</p>"}, [], "text/html"),
        ({"text": "Hi.", "html": " \n"}, [], "text/plain"),
        ({"text": "", "html": "<img src='cid:logo'>"}, [LOGO], "related(text/html, image/png)"),
        ({"markdown": "**Hi.**"}, [], "alternative(text/plain, text/html)"),
        ({"markdown": ""}, [], "text/plain"),
        ({"text": "Hi."}, [PDF], "mixed(text/plain, application/pdf)"),
        ({"text": "Hi."}, [LOGO], "mixed(text/plain, image/png)"),
        ({"html": "<p>Hi.</p>"}, [LOGO], "related(alternative(text/plain, text/html), image/png)"),
        (
            {"html": "<p>Hi.</p>"},
            [PDF, LOGO],
            "mixed(related(alternative(text/plain, text/html), image/png), application/pdf)",
        ),
        ({"text": "Hi."}, [part("a.eml", EML, "message/rfc822")], "mixed(text/plain, message/rfc822)"),
    ],
)
def test_structure(message: dict[str, str], files: list[FilePart], wanted: str) -> None:
    assert shape(letter(**message), files) == wanted


def test_an_inline_picture_says_what_it_is_and_a_hanging_one_does_not() -> None:
    shown = bytes(made(letter(text="", html="<img src='cid:logo'>"), files=[LOGO]))
    assert b'multipart/related;\r\n type="text/html"' in shown
    assert b'Content-Disposition: inline;\r\n filename="logo.png"\r\nContent-ID: <logo>' in shown
    (picture,) = parse_message(shown).attachments
    assert (picture.inline, picture.content_id) == (True, "logo")
    hanging = bytes(made(letter(text="Hi."), files=[LOGO]))
    assert b"Content-ID" not in hanging
    assert b"Content-Disposition: attachment" in hanging


def test_the_fields() -> None:
    message = letter(
        from_="Ann <ann@example.com>",
        cc="cy@example.com",
        bcc="di@example.com",
        reply_to="desk@example.com",
        text="Hi.",
        headers={"X-Ticket": "7"},
    )
    berlin = dt.timezone(dt.timedelta(hours=1))
    more: dict[str, Any] = {
        "in_reply_to": "<a@x>",
        "references": ("<r@x>", "<a@x>"),
        "date": dt.datetime(2026, 3, 1, 9, tzinfo=berlin),
    }
    assert fields(bytes(made(message, **more))) == {
        "From": [b" Ann <ann@example.com>"],
        "To": [b" bob@example.com"],
        "Cc": [b" cy@example.com"],
        "Bcc": [b" di@example.com"],
        "Reply-To": [b" desk@example.com"],
        "Subject": [b" Plan"],
        "Date": [b" Sun, 01 Mar 2026 09:00:00 +0100"],
        "Message-ID": [b" <b1@mail.example.com>"],
        "In-Reply-To": [b" <a@x>"],
        "References": [b" <r@x> <a@x>"],
        "X-Ticket": [b" 7"],
        "X-Mailkit-Send-Id": [f" {SEND_ID}".encode()],
        "MIME-Version": [b" 1.0"],
        "Content-Type": [b" text/plain; charset=utf-8"],
        "Content-Transfer-Encoding": [b" 7bit"],
    }
    assert "Bcc" not in fields(bytes(made(message, bcc=False)))
    assert b"di@example.com" not in bytes(made(message, bcc=False))


def test_only_blind_recipients() -> None:
    found = by_mailkit(bytes(made(OutgoingMessage(bcc="di@example.com, ed@example.com", text="Hi."))))
    assert found.people == {"Bcc": [("", "di@example.com"), ("", "ed@example.com")]}


TEXTS = {
    "nothing": "",
    "lines": "one\ntwo\n",
    "no line end": "one",
    "blank lines": "\n\none\n\n\n",
    "trailing blanks": "one  \ntwo\t\n-- \n \nthree ",
    "dots": ".\n..\n.x\nend\n.",
    "From": "From here\n>From there",
    "quoted lines": "> quoted line\nFrom here\n  indented code\nlong line",
    "a long line": "x" * 5000,
    "a long line with blanks at its ends": f"{' ' * 1200}é{' ' * 1200}",
    "998": "y" * 998,
    "999": "y" * 999,
    "equals signs": "a=b\n=41 =\n=",
    "accents": "Žluťoučký kůň\núpěl ďábelské ódy",
    "Chinese": "王小明\n" * 50,
    "emoji": "👩‍👩‍👧‍👦 hi 🎉",
    "control characters": "a\x0cb\x0bc\x1bd\x7f",
    "the line between parts": f"a\n--=_mixed_{SEND_ID}\n--=_alternative_{SEND_ID}--\nb",
    "a header": "Subject: x\n\nbody",
    "a byte order mark": "\ufeffx",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("read", READERS)
def test_texts_arrive_as_they_are(read: Callable[[bytes], Read], text: str) -> None:
    alone = read(bytes(made(letter(text=text))))
    assert alone.text == (text if read is not by_mailkit else text.removeprefix("\ufeff"))
    html = f"<pre>{text}</pre>"
    both = read(bytes(made(letter(text=f"-{text}", html=html), files=[PDF])))
    assert (both.text, both.html) == (f"-{text}", html)


def test_line_ends_are_those_of_mail() -> None:
    data = bytes(made(letter(text="a\r\nb\rc\nd\n\re")))
    assert data.partition(b"\r\n\r\n")[2] == b"a\r\nb\r\nc\r\nd\r\n\r\ne"
    assert b"format=flowed" not in data


@pytest.mark.parametrize(
    ("text", "coding"),
    [
        ("plain", b"7bit"),
        ("café au lait", b"quoted-printable"),
        ("x" * 1000, b"quoted-printable"),
        ("王" * 9, b"base64"),
    ],
)
def test_a_text_is_coded_no_more_than_needed(text: str, coding: bytes) -> None:
    assert fields(bytes(made(letter(text=text))))["Content-Transfer-Encoding"] == [b" " + coding]


def test_markdown_says_the_same_twice() -> None:
    message = letter(markdown="**Hi** <b>you</b>\n\n| a |\n|---|\n| ~~1~~ |\n\n[x](javascript:alert)\n")
    found = by_mailkit(bytes(made(message)))
    assert found.text == message.markdown
    assert "<strong>Hi</strong> &lt;b&gt;you&lt;/b&gt;" in found.html
    assert "<td><s>1</s></td>" in found.html
    assert 'href="javascript' not in found.html


FILES = {
    "none": b"",
    "one byte": b"\0",
    "57": b"a" * 57,
    "58": b"a" * 58,
    "all": bytes(range(256)) * 3,
    "lines": b"a\nb\r\nc\rd",
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
@pytest.mark.parametrize("read", READERS)
def test_files_arrive_byte_for_byte(read: Callable[[bytes], Read], content: bytes) -> None:
    names = [
        "a.tar.gz",
        "Résumé, final.pdf",
        f"{'長' * 60}.txt",
        'a "b" \\c;d.pdf',
        f"{'n' * 150}.pdf",
        "100%.pdf",
        "it's.txt",
    ]
    files = [part(name, content, "application/gzip") for name in names]
    data = bytes(made(letter(text="Hi."), files=files))
    assert not defects(data)
    assert [(file.name, file.content) for file in read(data).files] == [(name, content) for name in names]


def test_what_a_type_says_besides_is_kept() -> None:
    ics = b"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n"
    data = bytes(
        made(letter(text="Hi."), files=[part("invite.ics", ics, "text/calendar; method=REQUEST; charset=UTF-8")])
    )
    assert b"Content-Type: text/calendar; method=REQUEST; charset=UTF-8\r\n" in data
    (invitation,) = parse_message(data).attachments
    assert (invitation.method, invitation.content) == ("REQUEST", ics)


@pytest.mark.parametrize(
    ("content", "coding"),
    [
        (EML, "7bit"),
        (b"", "7bit"),
        (EML + "é\r\n".encode(), "8bit"),
        (EML + b"y" * 998 + b"\r\n", "7bit"),
        (EML + b"y" * 998, "7bit"),
        (EML + b"y" * 999 + b"\r\n", "base64"),
        (EML.replace(b"\r\n", b"\n"), "base64"),
        (EML + b"a\rb\r\n", "base64"),
        (EML + b"a\r", "base64"),
        (EML + b"\0\r\n", "base64"),
        (EML + f"--=_mixed_{SEND_ID}\r\n".encode(), "base64"),
    ],
)
@pytest.mark.parametrize("piece", [1, 7, 1 << 16])
def test_an_attached_message_is_never_encoded(content: bytes, coding: str, piece: int) -> None:
    file = FilePart(name="mail.eml", content_type="message/rfc822", payload=Pieces(content, piece))
    data = bytes(made(letter(text="Hi."), files=[file]))
    kind = "application/octet-stream" if coding == "base64" else "message/rfc822"
    assert f"Content-Type: {kind}\r\nContent-Disposition: attachment".encode() in data
    assert f"Content-Transfer-Encoding: {coding}\r\n".encode() in data
    # RFC 2045 section 6.4: what holds 8bit is 8bit.
    assert fields(data)["Content-Transfer-Encoding"] == [b" 8bit" if coding == "8bit" else b" 7bit"]
    (found,) = parse_message(data).attachments
    assert (found.name, found.content) == ("mail.eml", content)


@pytest.mark.parametrize(
    "kind", ["multipart/mixed", "message/partial", "message/external-body", "Multipart/Mixed; boundary=x"]
)
def test_what_would_be_taken_apart_goes_as_a_plain_file(kind: str) -> None:
    data = bytes(made(letter(text="Hi."), files=[part("x", b"--x\r\n\r\nhi\r\n--x--\r\n", kind)]))
    assert [file.content_type for file in by_mailkit(data).files] == ["application/octet-stream"]


@pytest.mark.parametrize("name", ["message_id", "in_reply_to", "send_id"])
@pytest.mark.parametrize("value", ["no id", "<a@x", "<>", "<a b@x>", "<a@x><b@x>", f"<{'a' * 901}>", "<é@x>", "a" * 51])
def test_ids_that_are_none(name: str, value: str) -> None:
    with pytest.raises(InvalidMessage) as caught:
        made(letter(text="Hi."), files=(), **{name: value})
    assert value not in str(caught.value)


@attrs.frozen
class Pieces:
    """Bytes in pieces of some size."""

    content: bytes
    step: int

    @property
    def size(self) -> int:
        return len(self.content)

    def pieces(self, start: int = 0) -> Iterator[bytes]:
        for at in range(start, len(self.content), self.step):
            yield self.content[at : at + self.step]


@attrs.frozen
class Nothing:
    """So many bytes that are made when they are asked for."""

    size: int

    def pieces(self, start: int = 0) -> Iterator[bytes]:
        for at in range(start, self.size, 1 << 18):
            yield bytes(min(1 << 18, self.size - at))


@pytest.mark.parametrize("content_type", ["application/zip", "message/rfc822"])
def test_a_large_file_is_never_in_memory_as_a_whole(content_type: str) -> None:
    size = 30_000_000
    file = FilePart(name="big.zip", content_type=content_type, payload=Nothing(size))
    message = letter(text="Hi.")
    made(message)  # what is loaded once
    tracemalloc.start()
    built = build(
        message, files=[file], message_id="<a@x>", send_id=SEND_ID, date=dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    )
    length = sum(map(len, built.pieces()))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert length == built.size > size * 4 / 3
    assert most < 3_000_000


def test_a_piece_anywhere_reads_only_what_is_needed() -> None:
    content = bytes(range(256)) * 2_000
    read: list[int] = []

    class Watched(Pieces):
        def pieces(self, start: int = 0) -> Iterator[bytes]:
            read.append(start)
            return super().pieces(start)

    file = FilePart(name="a.bin", content_type="image/png", payload=Watched(content, 999))
    built = made(letter(text="Hi."), files=[file])
    whole = bytes(built)
    read.clear()
    start = built.size - 50_000
    assert b"".join(built.pieces(start)) == whole[start:]
    assert all(at > 400_000 for at in read)
    coded = whole[whole.index(b"\r\n\r\n", whole.index(b"a.bin")) + 4 :].partition(b"\r\n\r\n--")[0]
    assert base64.b64decode(coded) == content
