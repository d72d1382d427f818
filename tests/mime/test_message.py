"""Raw messages to fields, texts and what hangs on them: well written, badly written, hostile."""

from __future__ import annotations

import email
from email.message import Message

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.mime import transfer, tree
from mailkit.mime.late_text import read_text
from mailkit.mime.message import read_message
from mailkit.mime.tree import Node, read_tree


def mixed(*parts: bytes, kind: bytes = b"mixed", end: bytes = b"\r\n") -> bytes:
    lines = [b"Content-Type: multipart/" + kind + b'; boundary="B"', b"", b"to be skipped"]
    for part in parts:
        lines += [b"--B", part]
    return end.join([*lines, b"--B--", b"to be skipped"])


PLAIN = b"Content-Type: text/plain; charset=utf-8\r\n\r\nplain"
HTML = b"Content-Type: text/html\r\n\r\n<p>html</p>"
PDF = (
    b"Content-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment\r\n"
    b"Content-Transfer-Encoding: base64\r\n\r\nJVBERg=="
)
MAIL = b"Content-Type: message/rfc822\r\n\r\nSubject: in\r\n\r\nText"

Read = tuple[str | None, str | None, list[tuple[str, bytes]]]


def read(data: bytes) -> Read:
    found = read_message(data)
    hanging = [(leaf.name, leaf.content.read()) for leaf in found.hanging]
    return read_text(found.plain), read_text(found.html), hanging


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", ("", None, [])),
        (b"\r\n", ("", None, [])),
        (b"\r\ntext", ("text", None, [])),
        (b"no header at all", ("no header at all", None, [])),
        (b"Subject: x", ("", None, [])),
        (b"Subject: x\n\ntext\n", ("text\n", None, [])),
        (b"Subject: x\r\rtext\r", ("text\n", None, [])),  # as old Macs end lines
        (b"From ann Mon Jan 1 00:00:00 2020\nSubject: x\n\ntext", ("text", None, [])),
        (b"\xef\xbb\xbfSubject: x\r\n\r\ntext", ("text", None, [])),
        (b"Subject: x\nthis is no field\n\ntext", ("this is no field\n\ntext", None, [])),
        (HTML, (None, "<p>html</p>", [])),
        (mixed(PLAIN), ("plain", None, [])),
        (mixed(PLAIN, HTML, kind=b"alternative"), ("plain", "<p>html</p>", [])),
        (mixed(mixed(PLAIN, HTML, kind=b"alternative").replace(b"B", b"C"), PDF),
         ("plain", "<p>html</p>", [("a.pdf", b"%PDF")])),
        (mixed(PLAIN, MAIL), ("plain", None, [("attachment.eml", b"Subject: in\r\n\r\nText")])),
        (mixed(b"\r\nSubject: in\r\n\r\nText", kind=b"digest"),
         (None, None, [("attachment.eml", b"Subject: in\r\n\r\nText")])),
        (mixed(b"Content-Type: text/plain; name=a.txt\r\n\r\nx"), (None, None, [("a.txt", b"x")])),
        (mixed(b"Content-Disposition: attachment\r\n\r\nx"), (None, None, [("", b"x")])),
        # an attachment of no byte has none, and not the line end before the boundary
        (mixed(PLAIN, b"Content-Disposition: attachment; filename=e.bin\r\n"), ("plain", None, [("e.bin", b"")])),
        (PDF, (None, None, [("a.pdf", b"%PDF")])),
        # of several Content-Type fields the first counts
        (b"Content-Type: text/html\nContent-Type: text/plain\n\n<p>", (None, "<p>", [])),
        (b"Content-Type: text/plain\nContent-Type: text/html\n\n<p>", ("<p>", None, [])),
        # boundaries: within a line, with blanks behind, at the end of the file, never, not named
        (mixed(b"\r\nx --B y\r\n--Bx\r\n --B"), ("x --B y\r\n--Bx\r\n --B", None, [])),
        (mixed(PLAIN).replace(b"--B\r\n", b"--B \t\r\n"), ("plain", None, [])),
        (mixed(PLAIN).partition(b"\r\n--B--")[0], ("plain", None, [])),
        (mixed(PLAIN).partition(b"\r\nto be")[0] + b"\r\n--B", ("", None, [])),
        (b"Content-Type: multipart/mixed; boundary=never\n\ntext\n--B\n", ("text\n--B\n", None, [])),
        (b"Content-Type: multipart/mixed\n\n--B\n\ntext", ("--B\n\ntext", None, [])),
        (b"Content-Type: multipart/mixed; boundary=B\n\ntext\n--B--\nnothing", ("text", None, [])),
        # an inner multipart nobody closes ends with the outer one
        (mixed(mixed(PLAIN).replace(b"B", b"C").partition(b"\r\n--C--")[0], PDF),
         ("plain", None, [("a.pdf", b"%PDF")])),
        # one that has the boundary of the outer one
        (mixed(mixed(PLAIN)), ("to be skipped\nplain", None, [])),
        # an invitation is never the text
        (mixed(PLAIN, b"Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR", kind=b"alternative"),
         ("plain", None, [("", b"BEGIN:VCALENDAR")])),
        (mixed(PLAIN, b"Content-Type: application/ms-tnef; name=winmail.dat\r\n\r\n\x78\x9f\x3e\x22"),
         ("plain", None, [("winmail.dat", b"\x78\x9f\x3e\x22")])),
        (b"\nsee\nbegin 644 cat.txt\n#0V%T\n`\nend\nbye\n", ("see\nbye\n", None, [("cat.txt", b"Cat")])),
        (b"Content-Type: text/plain; format=flowed; delsp=yes\n\nto \ngether\n", ("together\n", None, [])),
        (b"Content-Type: text/html\n\n<meta charset=koi8-r>\xf0", (None, "<meta charset=koi8-r>П", [])),
        (b"Content-Type: TEXT/PLAIN; charset=X-UNKNOWN\nContent-Transfer-Encoding: QUOTED-PRINTABLE\n\nm=E9",
         ("mé", None, [])),
        (b"\nNUL \x00 and \xe2\x80\xae back", ("NUL \x00 and \u202e back", None, [])),
    ],
)  # fmt: skip
def test_reading(data: bytes, said: Read) -> None:
    assert read(data) == said


def test_an_invitation_says_what_it_asks_for() -> None:
    (leaf,) = read_message(b"Content-Type: text/calendar; method=REPLY\n\nBEGIN:VCALENDAR").hanging
    assert (leaf.method, leaf.name) == ("REPLY", "")


@pytest.mark.parametrize(
    ("header", "fields"),
    [
        (b"A: b\r\n", [("A", "b")]),
        (b"A : b \r\nC:d", [("A", "b"), ("C", "d")]),
        (b"A: one\r\n  two\r\n\tthree\r\n", [("A", "one  two\tthree")]),
        (b"A: b\r\n \r\n c\r\n", [("A", "b  c")]),
        (b": nameless\r\nA: b\r\n", [("A", "b")]),
        (b"A:\r\n", [("A", "")]),
        (b"A: caf\xc3\xa9\r\nB: caf\xe9", [("A", "café"), ("B", "café")]),
        (b"A: \xf0\xd2\xc9\r\nContent-Type: text/plain; charset=koi8-r",
         [("A", "При"), ("Content-Type", "text/plain; charset=koi8-r")]),
        (b"A: =?utf-8?q?x?=\r\n", [("A", "=?utf-8?q?x?=")]),
    ],
)  # fmt: skip
def test_fields(header: bytes, fields: list[tuple[str, str]]) -> None:
    assert list(read_tree(header).fields) == fields


def nested(depth: int, end: bytes = b"\n") -> bytes:
    levels = range(depth)
    return end.join(
        [b"Content-Type: multipart/mixed; boundary=b%d%s%s--b%d" % (i, end, end, i) for i in levels] + [end + b"deep"]
    )


@pytest.mark.parametrize("depth", [1, 100, 5_000])
def test_depth_is_no_matter(depth: int) -> None:
    assert read(nested(depth)) == ("deep", None, [])


def test_no_mail_has_more_parts_than_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "_MOST", 3)
    plain, _, _ = read(mixed(b"\r\none", b"\r\ntwo", b"\r\nthree"))
    assert plain == "one\ntwo\r\n--B\r\n\r\nthree\r\n--B--\r\nto be skipped"


class Counted(bytes):
    """Bytes that count how many of them were looked at."""

    looked_at = 0

    def find(self, *args: object) -> int:
        start = int(str(args[1]))
        found = super().find(*args)  # type: ignore[arg-type]
        Counted.looked_at += (len(self) if found < 0 else found) - start
        return found


@pytest.mark.parametrize(
    "piece",
    [
        b"--B\n",
        b"--B\n\nx\n",
        b"--\n",
        b"--Bx\n",
        b"a: b\n",
        b"a: b\n c\n",
        b"--C\nContent-Type: multipart/mixed; boundary=C\n\n",
        b"--B\nContent-Type: multipart/mixed; boundary=B\n\n",
    ],
)
def test_the_work_grows_with_the_length(piece: bytes) -> None:
    def looked_at(count: int) -> int:
        Counted.looked_at = 0
        read_tree(Counted(b"Content-Type: multipart/mixed; boundary=B\n\n" + piece * count))
        return Counted.looked_at

    assert looked_at(2_000) <= 2.5 * looked_at(1_000) + 100


_PIECES = [
    b"Content-Type: multipart/mixed; boundary=B\n",
    b"Content-Type: multipart/alternative; boundary=C\r\n",
    b"Content-Type: text/html; charset=utf-16\n",
    b"Content-Type: text/plain; format=flowed; name*0*=x''%\n",
    b"Content-Type: message/rfc822\n",
    b"Content-Type: text/calendar\n",
    b"Content-Transfer-Encoding: base64\n",
    b"Content-Transfer-Encoding: quoted-printable\n",
    b'Content-Disposition: attachment; filename="\n',
    b"Content-ID: <\x00>\n",
    b"From: undisclosed:; (c\n",
    b"Subject: =?utf-8?q?=C3?=\n =?x?b?=?=\n",
    *(b"--B\n", b"--B--\n", b"--C\r\n", b"--C--", b"\n", b"\r\n", b"\r", b"text \n", b"PGI+\n", b"=C3=\n", b"\xff\x00"),
    b"begin 644 x\n#0V%T\nend\n",
]  # fmt: skip


@given(st.lists(st.sampled_from(_PIECES), max_size=20).map(b"".join))
def test_never_raises_and_loses_no_part(data: bytes) -> None:
    plain, html, hanging = read(data)
    assert isinstance(plain or html or "", str)
    assert all(isinstance(content, bytes) for _, content in hanging)


@given(st.binary())
def test_any_bytes_are_a_message(data: bytes) -> None:
    read(data)
    read(b"Content-Type: multipart/mixed; boundary=B\n\n--B\n" + data)


@st.composite
def trees(draw: st.DrawFn, depth: int = 3) -> tuple[bytes, list[bytes]]:
    """Well-formed part trees, and the contents of their leaves in order."""
    if depth == 0 or draw(st.booleans()):
        content = draw(st.binary(max_size=20)).replace(b"\r", b"").replace(b"\n", b"")
        return b"Content-Type: application/x-leaf\r\n\r\n" + content, [content]
    children = draw(st.lists(trees(depth=depth - 1), min_size=1, max_size=3))
    mark = b"=_%d_%d" % (depth, draw(st.integers(0, 99)))
    body = b"".join(b"--" + mark + b"\r\n" + part + b"\r\n" for part, _ in children)
    whole = b"Content-Type: multipart/mixed; boundary=" + b'"' + mark + b'"\r\n\r\n' + body + b"--" + mark + b"--"
    return whole, [content for _, contents in children for content in contents]


@given(trees())
def test_part_trees_are_read_as_they_were_written(written: tuple[bytes, list[bytes]]) -> None:
    data, contents = written
    assert [content for _, content in read(data)[2]] == contents


def _shape(node: Node) -> object:
    return [_shape(child) for child in node.children] or node.content_type


def _shape_there(message: Message) -> object:
    payload = message.get_payload()
    if message.get_content_maintype() == "multipart" and isinstance(payload, list) and payload:
        return [_shape_there(child) for child in payload if isinstance(child, Message)]
    return message.get_content_type()


@given(trees())
def test_part_trees_are_read_as_the_standard_library_does(written: tuple[bytes, list[bytes]]) -> None:
    assert _shape(read_tree(written[0])) == _shape_there(email.message_from_bytes(written[0]))


def test_nothing_is_decoded_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> bytes:
        raise AssertionError("decoded too early")

    monkeypatch.setattr(transfer.EncodedBytes, "read", refuse)
    (leaf,) = read_message(PDF).hanging
    assert leaf.content.size == 4
