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
from typing import Literal, Protocol

import attrs

from mailkit.mime.header_lines import addresses_line, ids_line, parameter, text_line
from mailkit.mime.outgoing import OutgoingMessage
from mailkit.mime.texts import texts_of

__all__ = ["Built", "BytesPayload", "FilePart", "Payload", "build"]

SEND_ID_HEADER = "X-Mailkit-Send-Id"

_LONGEST_LINE = 998
_RAW_LINE, _CODED_LINE = 57, 78  # 57 bytes are 76 characters of base64, and a line end
_AT_ONCE = _RAW_LINE * 1024
_LONG_LINE = re.compile(rb"[^\n]{999}")
_LINE_END = re.compile(r"\r\n|\r|\n")


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
    """A file that is ready to go: safe name, type, and its bytes. With a ``content_id`` the HTML shows it."""

    name: str
    content_type: str
    payload: Payload
    content_id: str | None = None


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

    ``message_id`` is written with its ``<>``. ``send_id`` is a word nobody else uses: it stands in a header of its own
    and in the lines between the parts. ``bcc`` False leaves the field out, as for a copy that others may see.
    """
    head = b"".join(
        [
            addresses_line("From", [message.from_]) if message.from_ else b"",
            *(
                addresses_line(name, people)
                for name, people in (
                    ("To", message.to),
                    ("Cc", message.cc),
                    ("Bcc", message.bcc if bcc else ()),
                    ("Reply-To", message.reply_to),
                )
                if people
            ),
            text_line("Subject", message.subject),
            f"Date: {format_datetime(date)}\r\nMessage-ID: {message_id}\r\n".encode("ascii"),
            ids_line("In-Reply-To", [in_reply_to]) if in_reply_to else b"",
            ids_line("References", references) if references else b"",
            *(text_line(name, value) for name, value in message.headers),
            f"{SEND_ID_HEADER}: {send_id}\r\nMIME-Version: 1.0\r\n".encode("ascii"),
        ]
    )
    return Built(tuple(_joined([BytesPayload(head), *_content(message, files, send_id)])))


def _content(message: OutgoingMessage, files: Sequence[FilePart], seed: str) -> list[Payload]:
    """Give the body: mixed( related( alternative( text, html ), pictures ), files ), as far as there are any."""
    texts = texts_of(message)
    shown = [file for file in files if file.content_id is not None and texts.html is not None]
    body = _text("plain", texts.text, seed)
    if texts.html is not None:
        html = _text("html", texts.html, seed)
        body = _multipart("alternative", [body, html], seed) if texts.text.strip() else html
    if shown:
        start = "multipart/alternative" if texts.text.strip() else "text/html"
        body = _multipart("related", [body, *map(_file, shown)], seed, parameter("type", start))
    hanging = [_file(file) for file in files if file not in shown]
    return _multipart("mixed", [body, *hanging], seed) if hanging else body


def _multipart(kind: str, parts: Sequence[list[Payload]], seed: str, extra: str = "") -> list[Payload]:
    # "=_" stands in no quoted-printable and no base64: RFC 2045 section 6.7.
    boundary = f"=_{kind}_{seed}"
    head = f'Content-Type: multipart/{kind}{extra};\r\n boundary="{boundary}"\r\n\r\n'
    made: list[Payload] = [BytesPayload(head.encode("ascii"))]
    for part in parts:
        made += [BytesPayload(f"--{boundary}\r\n".encode("ascii")), *part, BytesPayload(b"\r\n")]
    return [*made, BytesPayload(f"--{boundary}--\r\n".encode("ascii"))]


def _text(kind: Literal["plain", "html"], text: str, seed: str) -> list[Payload]:
    data = _LINE_END.sub("\r\n", text).encode()
    if data.isascii() and not _LONG_LINE.search(data) and seed.encode() not in data:
        how, coded = "7bit", data
    else:
        how, coded = "quoted-printable", binascii.b2a_qp(data, istext=True)
        if len(coded) > len(data) * 1.4:
            how, coded = "base64", _base64_lines(data)
    head = f"Content-Type: text/{kind}; charset=utf-8\r\nContent-Transfer-Encoding: {how}\r\n\r\n"
    return [BytesPayload(head.encode("ascii") + coded)]


def _file(file: FilePart) -> list[Payload]:
    content_type, how = file.content_type, "base64"
    if content_type.partition(";")[0].strip().lower() == "message/rfc822":
        # RFC 2046 section 5.2.1: an attached message is never encoded, so one that needs it goes as a plain file.
        how = _how_as_it_is(file.payload)
        content_type = "application/octet-stream" if how == "base64" else content_type
    is_shown = file.content_id is not None
    head = (
        f"Content-Type: {content_type}\r\nContent-Transfer-Encoding: {how}\r\n"
        f"Content-Disposition: {'inline' if is_shown else 'attachment'}{parameter('filename', file.name)}\r\n"
        + (f"Content-ID: <{file.content_id}>\r\n" if is_shown else "")
    )
    return [BytesPayload(f"{head}\r\n".encode("ascii")), file.payload if how != "base64" else _Coded(file.payload)]


def _how_as_it_is(payload: Payload) -> Literal["7bit", "8bit", "base64"]:
    """Say how bytes can go without encoding; base64 where their lines, or a NUL, do not allow it."""
    line, is_ascii, before = 0, True, b""
    for piece in payload.pieces():
        if b"\0" in piece or _bare_line_end(before + piece):
            return "base64"
        *whole, rest = piece.split(b"\n")
        longest = max((len(each) for each in whole[1:]), default=0)
        if max(longest, line + len(whole[0]) if whole else 0, len(rest)) > _LONGEST_LINE:
            return "base64"
        line = len(rest) if whole else line + len(rest)
        if line > _LONGEST_LINE:
            return "base64"
        is_ascii = is_ascii and piece.isascii()
        before = piece[-1:]
    return "7bit" if is_ascii else "8bit"


def _bare_line_end(data: bytes) -> bool:
    return data.count(b"\n") != data.count(b"\r\n")


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
