"""A message → RFC 5322 bytes, piece by piece, so that large files never lie in memory as a whole. Pure.

Takes what was checked before (``outgoing``) and writes what Python's own parser and our reader agree on: lines of at
most 998 bytes that end in CRLF, headers in ASCII, texts in UTF-8.
https://www.rfc-editor.org/rfc/rfc5322 https://www.rfc-editor.org/rfc/rfc2046 https://www.rfc-editor.org/rfc/rfc2387
"""

from __future__ import annotations

import binascii
import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from email.utils import format_datetime
from typing import Literal, Protocol, TypeAlias

import attrs

from mailkit.errors import InvalidMessage
from mailkit.mime.header_lines import addresses_line, ids_line, parameter, text_line
from mailkit.mime.header_text import one_line_text
from mailkit.mime.outgoing import OutgoingMessage, read_content_id, read_content_type
from mailkit.mime.texts import texts_of

__all__ = ["Built", "BytesPayload", "FilePart", "Payload", "build"]

SEND_ID_HEADER = "X-Mailkit-Send-Id"

_LONGEST_LINE = 998  # bytes, without its end: RFC 5322 section 2.1.1
_RAW_LINE, _CODED_LINE = 57, 78  # 57 bytes are 76 characters of base64, and a line end
_AT_ONCE = _RAW_LINE * 1024
_BARE_LINE_END = re.compile(rb"(?<!\r)\n|\r(?!\n|\Z)")
_LINE_END = re.compile(r"\r\n|\r|\n")


_SEND_ID = re.compile(r"[A-Za-z0-9-]{1,50}")  # a boundary has at most 70 characters: RFC 2046 section 5.1.1

_Coding: TypeAlias = Literal["7bit", "8bit", "quoted-printable", "base64"]


class Payload(Protocol):
    """The bytes of a file, readable from any place on and more than once."""

    @property
    def size(self) -> int:
        """How many bytes there are."""
        ...

    def pieces(self, start: int = 0) -> Iterator[bytes]:
        """Give the bytes from ``start`` on, in pieces of moderate size."""
        ...


@attrs.frozen(repr=False)
class BytesPayload:
    """Bytes in memory as a payload."""

    content: bytes

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return len(self.content)

    def pieces(self, start: int = 0) -> Iterator[bytes]:
        """Give the bytes from ``start`` on."""
        view = memoryview(self.content)
        for place in range(start, len(view), _AT_ONCE):
            yield bytes(view[place : place + _AT_ONCE])


@attrs.frozen(kw_only=True, repr=False)
class FilePart:
    """A file that is ready to go: safe name, type, and its bytes. With a ``content_id`` the HTML shows it.

    Raises:
        InvalidMessage: a value cannot be written into a mail.
    """

    name: str
    content_type: str
    payload: Payload
    content_id: str | None = None

    def __attrs_post_init__(self) -> None:
        one_line_text(self.name, "the name of a file")
        if read_content_type(self.content_type) is None:
            raise InvalidMessage("the content type of a file must be one, as in application/pdf", code="bad_file")
        if self.content_id is not None and read_content_id(self.content_id) is None:
            raise InvalidMessage("the content id of a file must be one word without <>", code="bad_file")


@attrs.frozen(repr=False)
class _Coded:
    """A file in base64, lines of 76 characters."""

    payload: Payload

    @property
    def size(self) -> int:
        whole, rest = divmod(self.payload.size, _RAW_LINE)
        return whole * _CODED_LINE + (4 * -(-rest // 3) + 2 if rest else 0)

    def pieces(self, start: int = 0) -> Iterator[bytes]:
        line, skip = divmod(start, _CODED_LINE)
        waiting = b""
        for piece in self.payload.pieces(line * _RAW_LINE):
            waiting += piece
            ready = len(waiting) - len(waiting) % _RAW_LINE
            if ready:
                yield _base64_lines(waiting[:ready])[skip:]
                waiting, skip = waiting[ready:], 0
        if waiting:
            yield _base64_lines(waiting)[skip:]


def _base64_lines(data: bytes) -> bytes:
    coded = binascii.b2a_base64(data, newline=False)
    return b"".join(coded[at : at + 76] + b"\r\n" for at in range(0, len(coded), 76))


@attrs.frozen(repr=False)
class Built:
    """A message as bytes that are made when they are asked for, from any place on."""

    _segments: tuple[Payload, ...]

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return sum(segment.size for segment in self._segments)

    def pieces(self, start: int = 0) -> Iterator[bytes]:
        """Give the bytes from ``start`` on, in pieces of moderate size."""
        for segment in self._segments:
            if start < segment.size:
                yield from segment.pieces(start)
            start = max(start - segment.size, 0)

    def __bytes__(self) -> bytes:
        return b"".join(self.pieces())


def build(
    message: OutgoingMessage,
    *,
    files: Sequence[FilePart] = (),
    message_id: str,
    send_id: str,
    date: dt.datetime,
    in_reply_to: str | None = None,
    references: Sequence[str] = (),
    bcc: bool = True,
) -> Built:
    """Make the bytes of a message; ``files`` are those of ``message``, opened.

    ``message_id``, ``in_reply_to`` and ``references`` are written with their ``<>``. ``send_id`` is a word nobody else
    uses, of up to 50 letters, digits and hyphens: it stands in a header of its own and in the lines between the parts.
    ``bcc`` False leaves the field out, as for a copy that others may see.

    Raises:
        InvalidMessage: one of the ids cannot be written.
    """
    if not _SEND_ID.fullmatch(send_id):
        raise InvalidMessage("a send id has up to 50 letters, digits and hyphens", code="bad_header")
    people = {
        "From": (message.from_,) if message.from_ else (),
        "To": message.to,
        "Cc": message.cc,
        "Bcc": message.bcc if bcc else (),
        "Reply-To": message.reply_to,
    }
    ids = {"Message-ID": [message_id], "In-Reply-To": [in_reply_to] if in_reply_to else [], "References": references}
    head = [
        *(addresses_line(name, those) for name, those in people.items() if those),
        text_line("Subject", message.subject),
        text_line("Date", format_datetime(date)),
        *(ids_line(name, those) for name, those in ids.items() if those),
        *(text_line(name, value) for name, value in message.headers),
        text_line(SEND_ID_HEADER, send_id),
        text_line("MIME-Version", "1.0"),
    ]
    body = _content(message, files, send_id)
    return Built(tuple(_joined([BytesPayload(b"".join(head)), *body.segments()])))


@attrs.frozen(repr=False)
class _Part:
    """A part of a message: its own header fields, how it is coded, and what it holds."""

    fields: str
    coding: _Coding
    content: tuple[Payload, ...]

    def segments(self) -> tuple[Payload, ...]:
        head = f"{self.fields}Content-Transfer-Encoding: {self.coding}\r\n\r\n"
        return (BytesPayload(head.encode("ascii")), *self.content)


def _content(message: OutgoingMessage, files: Sequence[FilePart], seed: str) -> _Part:
    """Give the body: mixed( related( alternative( text, html ), pictures ), files ), as far as there are any."""
    texts = texts_of(message)
    shown = [file for file in files if file.content_id is not None and texts.html is not None]
    hanging = [file for file in files if file.content_id is None or texts.html is None]
    body, start = _text("plain", texts.text, seed), "text/plain"
    if texts.html is not None:
        html = _text("html", texts.html, seed)
        two = bool(texts.text.strip())
        body, start = (
            (_multipart("alternative", [body, html], seed), "multipart/alternative") if two else (html, "text/html")
        )
    if shown:
        pictures = [_file(file, file.content_id, seed) for file in shown]
        body = _multipart("related", [body, *pictures], seed, parameter("type", start))
    return _multipart("mixed", [body, *(_file(file, None, seed) for file in hanging)], seed) if hanging else body


def _multipart(kind: str, parts: Sequence[_Part], seed: str, extra: str = "") -> _Part:
    # "=_" stands in no quoted-printable and no base64: RFC 2045 section 6.7. What goes as it is holds no seed.
    boundary = f"=_{kind}_{seed}"
    content: list[Payload] = []
    for part in parts:
        content += [BytesPayload(f"--{boundary}\r\n".encode("ascii")), *part.segments(), BytesPayload(b"\r\n")]
    return _Part(
        f'Content-Type: multipart/{kind}{extra};\r\n boundary="{boundary}"\r\n',
        "8bit" if any(part.coding == "8bit" for part in parts) else "7bit",  # RFC 2045 section 6.4
        (*content, BytesPayload(f"--{boundary}--\r\n".encode("ascii"))),
    )


def _text(kind: Literal["plain", "html"], text: str, seed: str) -> _Part:
    data = _LINE_END.sub("\r\n", text).encode()
    coding: _Coding = "7bit"
    if not data.isascii() or _has_long_line(data) or seed.encode() in data:
        # What it breaks lines with is what the first line ends in, so there is one.
        quoted = binascii.b2a_qp(data + b"\r\n", istext=True)[:-2]
        if len(quoted) > len(data) * 1.4:
            coding, data = "base64", _base64_lines(data)
        else:
            coding, data = "quoted-printable", quoted
    return _Part(f"Content-Type: text/{kind}; charset=utf-8\r\n", coding, (BytesPayload(data),))


def _file(file: FilePart, content_id: str | None, seed: str) -> _Part:
    """Give a file; with a ``content_id`` it is shown in the HTML."""
    content_type = file.content_type
    coding: _Coding = "base64"
    kind = content_type.partition(";")[0].strip().lower()
    if kind.startswith(("message/", "multipart/")):
        # RFC 2045 section 6.4: neither is ever encoded. What needs that, or is no whole message, goes as any file.
        coding = _coding_as_it_is(file.payload, seed) if kind == "message/rfc822" else coding
        content_type = "application/octet-stream" if coding == "base64" else content_type
    fields = [f"Content-Type: {content_type}\r\n"]
    fields += [f"Content-Disposition: {'inline' if content_id else 'attachment'}{parameter('filename', file.name)}\r\n"]
    fields += [f"Content-ID: <{content_id}>\r\n"] if content_id else []
    return _Part("".join(fields), coding, (_Coded(file.payload) if coding == "base64" else file.payload,))


def _coding_as_it_is(payload: Payload, seed: str) -> Literal["7bit", "8bit", "base64"]:
    """Say how bytes can go without encoding; base64 where their lines, a NUL or a boundary do not allow it."""
    is_ascii, kept = True, b""
    for piece in payload.pieces():
        data = kept + piece
        # A CR at the end is judged with what comes next.
        if b"\0" in data or _BARE_LINE_END.search(data) or _has_long_line(data) or seed.encode() in data:
            return "base64"
        is_ascii = is_ascii and piece.isascii()
        kept = data[data.rfind(b"\n") + 1 :]
    if kept.endswith(b"\r"):
        return "base64"
    return "7bit" if is_ascii else "8bit"


def _has_long_line(data: bytes) -> bool:
    return any(len(line.removesuffix(b"\r")) > _LONGEST_LINE for line in data.split(b"\n"))


def _joined(segments: Iterable[Payload]) -> Iterator[Payload]:
    """Make one of neighbours in memory."""
    held: list[bytes] = []
    for segment in segments:
        if isinstance(segment, BytesPayload):
            held.append(segment.content)
            continue
        if held:
            yield BytesPayload(b"".join(held))
            held = []
        yield segment
    if held:
        yield BytesPayload(b"".join(held))
