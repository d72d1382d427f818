"""Message bytes: built from a seed, and read into one, both with the standard library's email package.

Reading takes what comes: a header or part it cannot make sense of is left out or kept as it is, never an error.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Iterator, Sequence
from email import message_from_bytes, policy, utils
from email.charset import QP, Charset
from email.encoders import encode_base64
from email.header import Header, decode_header
from email.message import Message
from email.mime.base import MIMEBase
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.utils import format_datetime, formataddr, parsedate_to_datetime

from mailkit.sandbox.mail import File, Mail, Person

__all__ = [
    "build",
    "content_of",
    "decoded",
    "filename",
    "head",
    "headers",
    "is_whole",
    "leaves",
    "parse",
    "read",
    "shown",
    "text_of",
    "without",
]

_WIRE = policy.compat32.clone(linesep="\r\n", max_line_length=None)
_UTF8 = Charset("utf-8")
_UTF8.body_encoding = QP


class _Reading(policy.Compat32):
    """The lenient policy, its headers always text: bytes beyond ASCII are UTF-8 (RFC 6532), or U+FFFD."""

    def header_fetch_parse(self, name: str, value: str) -> str:  # noqa: ARG002  # Policy's own
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


_READING = _Reading()
_WORD = r"=\?[^?\s]+\?[bqBQ]\?[^?]*\?="
_WORDS = re.compile(rf"{_WORD}(?:\s+{_WORD})*")
_HALF = re.compile("[\ud800-\udfff]")
_BLANK_LINE = re.compile(rb"^\r?\n", re.MULTILINE)


def parse(raw: bytes) -> Message:
    """Parse message bytes; defects are the parser's to note."""
    return message_from_bytes(raw, policy=_READING)


def without(raw: bytes, header: str) -> bytes:
    """Cut the headers of that name out of message bytes and leave all else as it is."""
    folded = rb"(?im)^" + re.escape(header.encode()) + rb"[ \t]*:.*\n(?:[ \t].*\n)*"
    top = head(raw)
    return re.sub(folded, b"", top) + raw[len(top) :]


def headers(raw: bytes) -> Message:
    """Parse the headers of message bytes alone."""
    return parse(head(raw))


def head(raw: bytes) -> bytes:
    """Give the headers of message bytes."""
    end = _BLANK_LINE.search(raw)
    return raw[: end.start()] if end else raw


# -- building --------------------------------------------------------------------------------------------------------


def build(mail: Mail) -> bytes:
    """Write a seed as RFC 5322 bytes; links, which only Outlook knows, are left out."""
    message = _content(mail, iter(_boundaries(mail)))
    structure = [("MIME-Version", "1.0"), *message.items()]
    for name, _ in structure:
        del message[name]
    given = {name.lower() for name, _ in mail.headers}
    for name, value in (*mail.headers, *(h for h in _headers(mail) if h[0].lower() not in given), *structure):
        message[name] = value
    return message.as_bytes(policy=_WIRE)


def _headers(mail: Mail) -> Iterator[tuple[str, str]]:
    for address in mail.delivered_to:
        yield "Delivered-To", address
    named = ("From", (mail.from_,) if mail.from_ else ()), ("To", mail.to), ("Cc", mail.cc), ("Bcc", mail.bcc)
    for name, people in (*named, ("Reply-To", mail.reply_to)):
        if people:
            yield name, ",\r\n ".join(_address(person) for person in people)
    yield "Subject", _words(mail.subject)
    if mail.date is not None:
        yield "Date", format_datetime(mail.date)
    singles = ("Message-ID", mail.message_id), ("In-Reply-To", mail.in_reply_to), ("List-ID", mail.list_id)
    for single, value in singles:
        if value:
            yield single, value
    if mail.references:
        yield "References", "\r\n ".join(mail.references)


def _address(person: Person) -> str:
    try:
        return formataddr((person.name, person.address))
    except UnicodeEncodeError:  # an internationalised address: bytes of UTF-8, as RFC 6532 has it
        address = person.address.encode().decode("ascii", "surrogateescape")
        return f"{_words(person.name)} <{address}>" if person.name else address


def _words(text: str) -> str:
    return text if text.isascii() else Header(text, "utf-8", maxlinelen=200).encode(linesep="\r\n")


def _boundaries(mail: Mail) -> Iterator[str]:
    # Of the message's own, so that the same seed gives the same bytes.
    seed = hashlib.blake2s((mail.message_id or mail.subject).encode(), digest_size=8).hexdigest()
    return (f"=_{level}_{seed}" for level in range(3))


def _content(mail: Mail, boundaries: Iterator[str]) -> Message:
    files = [file for file in mail.files if file.kind != "link"]
    inline = [file for file in files if file.inline and mail.html is not None]
    bodies: list[Message] = [] if mail.text is None and mail.html is not None else [_text(mail.text or "", "plain")]
    if mail.html is not None:
        html = _text(mail.html, "html")
        bodies.append(_multipart("related", [html, *map(_attachment, inline)], boundaries) if inline else html)
    body = bodies[0] if len(bodies) == 1 else _multipart("alternative", bodies, boundaries)
    rest = [file for file in files if file not in inline]
    return _multipart("mixed", [body, *map(_attachment, rest)], boundaries) if rest else body


def _part(part: Message) -> Message:
    del part["MIME-Version"]  # the whole message has one; its parts need none
    return part


def _text(text: str, subtype: str) -> Message:
    charset = "us-ascii" if text.isascii() else _UTF8
    return _part(MIMEText(text, subtype, charset))  # type: ignore[arg-type]  # takes a Charset, too


def _multipart(subtype: str, parts: Sequence[Message], boundaries: Iterator[str]) -> Message:
    return _part(MIMEMultipart(subtype, next(boundaries), parts))


def _attachment(file: File) -> Message:
    part: Message
    if file.kind == "item" or file.content_type == "message/rfc822":  # never in base64: RFC 2046, 5.2.1
        part = MIMEMessage(parse(file.content))
    else:
        main, _, sub = file.content_type.partition("/")
        if main in ("message", "multipart"):  # what is in base64 cannot be called so: RFC 2045, 6.4
            main, sub = "application", "octet-stream"
        part = MIMEBase(main, sub or "octet-stream")
        part.set_payload(file.content)
        encode_base64(part)
    name = file.name if file.name.isascii() else ("utf-8", "", file.name)
    part.add_header("Content-Disposition", "inline" if file.inline else "attachment", filename=name)
    if file.content_id:
        part["Content-ID"] = f"<{file.content_id.strip('<>')}>"
    return _part(part)


# -- reading ---------------------------------------------------------------------------------------------------------

_LISTS = frozenset(("from", "sender", "to", "cc", "bcc", "reply-to"))
# The headers a Mail has fields for, and those that describe the parts.
# fmt: off
_KNOWN = frozenset(
    (
        "delivered-to",
        "from",
        "to",
        "cc",
        "bcc",
        "reply-to",
        "subject",
        "date",
        "message-id",
        "in-reply-to",
        "references",
        "list-id",
        "mime-version",
        "content-type",
        "content-transfer-encoding",
        "content-disposition",
        "content-id",
        "content-description",
    )
)
# fmt: on


def read(raw: bytes) -> Mail:
    """Read message bytes into a seed: the first text and HTML bodies, every other leaf as a file."""
    message = parse(raw)
    text: str | None = None
    html: str | None = None
    files: list[File] = []
    for part in leaves(message):
        plain = part.get_content_disposition() != "attachment" and filename(part) is None
        if plain and (part.get_content_type() == "text/plain" or is_whole(part)) and text is None:
            text = text_of(part)
        elif plain and part.get_content_type() == "text/html" and html is None:
            html = text_of(part)
        else:
            files.append(_file(part))
    return Mail(
        from_=next(iter(_people(message, "from")), None),
        to=_people(message, "to"),
        cc=_people(message, "cc"),
        bcc=_people(message, "bcc"),
        reply_to=_people(message, "reply-to"),
        subject=_line(decoded(_first(message, "subject") or "")),
        text=text,
        html=html,
        date=_date(_first(message, "date")),
        files=files,
        headers=[(name, _line(decoded(value))) for name, value in message.items() if name.lower() not in _KNOWN],
        list_id=_first(message, "list-id"),
        delivered_to=tuple(_line(value) for value in message.get_all("delivered-to", [])),
        message_id=_first(message, "message-id"),
        in_reply_to=_first(message, "in-reply-to"),
        references=tuple((_first(message, "references") or "").split()),
    )


def _line(text: str) -> str:
    """Put on one line what encoded words and folds may have broken."""
    return " ".join(_whole(text).splitlines()).strip()


def _whole(text: str) -> str:
    """Make lone surrogates, which a few charsets can say, U+FFFD as anything else that is no text."""
    return _HALF.sub("\ufffd", text)


def leaves(message: Message) -> Iterator[Message]:
    """Give the parts that hold something; an attached message is one of them, not opened."""
    if message.get_content_maintype() == "multipart" and isinstance(parts := message.get_payload(), list):
        for part in parts:
            if isinstance(part, Message):
                yield from leaves(part)
    else:
        yield message


def is_whole(part: Message) -> bool:
    """Say whether a leaf calls itself a multipart, but could not be taken apart: mail programs show it as text."""
    return part.get_content_maintype() == "multipart" and not part.is_multipart()


def content_of(part: Message) -> bytes:
    """Give the bytes of a leaf, transfer encoding removed."""
    payload = part.get_payload()
    if isinstance(payload, list):  # message/rfc822 and its like
        # Mail travels with CRLF (RFC 5322 §2.3), the mail inside mail too; and nothing folds its headers anew.
        return b"".join(inner.as_bytes(policy=_WIRE) for inner in payload if isinstance(inner, Message))
    body = part.get_payload(decode=True)
    return body if isinstance(body, bytes) else b""


def text_of(part: Message) -> str:
    """Give the text of a leaf; bytes its charset cannot hold become U+FFFD."""
    body = content_of(part)
    try:
        return _whole(body.decode(str(part.get_content_charset() or "utf-8"), "replace"))
    except LookupError:
        return body.decode("utf-8", "replace")


def filename(part: Message) -> str | None:
    """Give the name of a part, decoded; None where it has none."""
    try:
        name = part.get_filename()
    except (LookupError, ValueError, TypeError):  # an RFC 2231 name in an unknown charset
        return None
    return decoded(name) if name else None


def decoded(value: object) -> str:
    """Unfold a header and decode its RFC 2047 words; what cannot be decoded stays as it is."""
    return _WORDS.sub(_said, _flat(value))


def _said(words: re.Match[str]) -> str:
    pieces: list[tuple[str | bytes, str | None]] = decode_header(words[0])
    try:
        return "".join(piece if isinstance(piece, str) else piece.decode(name or "ascii") for piece, name in pieces)
    except (LookupError, ValueError):
        return words[0]


def shown(name: str, value: object) -> str:
    """Decode a header for reading; a decoded name keeps its quotes where an address list needs them."""
    if name.lower() not in _LISTS or "=?" not in str(value):
        return decoded(value)
    return ", ".join(_named(decoded(person), address) for person, address in _addresses([_flat(value)]))


def _named(person: str, address: str) -> str:
    if not person:
        return address
    # RFC 5322 3.2.3: what is no atom stands in quotes.
    needs_quotes = any(char in person for char in '()<>[]:;@\\,."')
    escaped = person.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}" <{address}>' if needs_quotes else f"{person} <{address}>"


def _flat(value: object) -> str:
    return str(value).replace("\r\n", "").replace("\n", "").strip()


def _first(message: Message, name: str) -> str | None:
    value = message.get(name)
    return None if value is None else _line(_flat(value)) or None


def _people(message: Message, name: str) -> tuple[Person, ...]:
    values = message.get_all(name, [])
    return tuple(Person(_line(decoded(shown)), _line(address)) for shown, address in _addresses(values) if address)


def _addresses(values: Sequence[str]) -> list[tuple[str, str]]:
    """Read address lists, also such as are not quite right; the strict reading of newer Pythons gives nothing then."""
    if getattr(utils, "supports_strict_parsing", False):
        return utils.getaddresses(values, strict=False)
    return utils.getaddresses(values)


def _date(value: str | None) -> dt.datetime | None:
    try:
        date = parsedate_to_datetime(value) if value else None
    except (ValueError, OverflowError):
        return None
    if date is None or date.year < 1900:  # RFC 5322 section 3.3: such a year is no date
        return None
    return date.replace(tzinfo=dt.UTC) if date.tzinfo is None else date


def _file(part: Message) -> File:
    item = part.get_content_type() == "message/rfc822"
    return File(
        name=_line(filename(part) or ""),
        content=content_of(part),
        content_type=_line(part.get_content_type()),
        inline=part.get_content_disposition() == "inline"
        or ("content-id" in part and "content-disposition" not in part),
        content_id=(_first(part, "content-id") or "").strip("<>") or None,
        kind="item" if item else "file",
    )
