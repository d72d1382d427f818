"""Messages that were built, read back by three readers: Python's two parsers and our own. Knows nothing of building."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from email import message_from_bytes, policy
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.headerregistry import Address as StandardAddress
from email.message import EmailMessage
from email.utils import getaddresses
from typing import Any, TypeAlias

import attrs

from mailkit import parse_message
from mailkit.mime.build import Built, FilePart, build
from mailkit.mime.outgoing import OutgoingMessage

NOON = dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC)
SEND_ID = "5e4d1d0123456789abcdef0123456789"
MESSAGE_ID = "<b1@mail.example.com>"
BREAKS = re.compile("[\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029]")

People: TypeAlias = list[tuple[str, str]]


@attrs.frozen(kw_only=True)
class File:
    """A file as a reader found it."""

    name: str
    content_type: str
    content: bytes
    content_id: str | None = None


@attrs.frozen(kw_only=True)
class Read:
    """What a reader found; texts with ``\\n``, header names in order."""

    names: list[str]
    people: Mapping[str, People]
    subject: str
    text: str
    html: str
    files: list[File]
    values: list[str]


def made(message: OutgoingMessage, *, files: Sequence[FilePart] = (), **more: Any) -> Built:
    """Build a message with ids and a date of the tests' own."""
    return build(message, **{"files": files, "message_id": MESSAGE_ID, "send_id": SEND_ID, "date": NOON, **more})


def by_python(data: bytes) -> Read:
    """Read with the parser of today (``policy.default``)."""
    message = message_from_bytes(data, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return _read(message, _people, str, EmailMessage.get_filename)


def defects(data: bytes) -> list[object]:
    """Give what Python's parser has to say against a message and its parts."""
    return _defects(message_from_bytes(data, policy=policy.default))


def by_old_python(data: bytes) -> Read:
    """Read with the parser that most programs use, and decode by hand as they do (``compat32``)."""

    def people(value: str) -> People:
        return [(_decoded(name), address) for name, address in getaddresses([value])]

    message = message_from_bytes(data, policy=policy.compat32)
    return _read(message, people, _decoded, lambda part: part.get_filename())


def by_mailkit(data: bytes) -> Read:
    """Read with our own reader."""
    found = parse_message(data)
    senders = (found.from_,) if found.from_ else ()
    people = {"From": senders, "To": found.to, "Cc": found.cc, "Bcc": found.bcc, "Reply-To": found.reply_to}
    return Read(
        names=[name for name, _ in found.headers],
        people={name: [(one.name, one.address) for one in those] for name, those in people.items() if those},
        subject=found.subject,
        text=_lines(found.body.plain or ""),
        html=_lines(found.body.html or ""),
        files=[
            File(name=each.name, content_type=each.content_type, content=each.content, content_id=each.content_id)
            for each in found.attachments
        ],
        values=[value for _, value in found.headers],
    )


READERS = (by_python, by_old_python, by_mailkit)


def fields(data: bytes) -> dict[str, list[bytes]]:
    """Give the header fields as they are written, by name: each with its folds."""
    head = data.partition(b"\r\n\r\n")[0]
    found: dict[str, list[bytes]] = {}
    for field in re.split(rb"\r\n(?![ \t])", head):
        name, _, value = field.partition(b":")
        found.setdefault(name.decode(), []).append(value)
    return found


def _read(
    message: Any,
    people: Callable[[Any], People],
    said: Callable[[Any], str],
    name_of: Callable[[Any], str | None],
) -> Read:
    texts, files = {"text/plain": "", "text/html": ""}, []
    for part in _leaves(message):
        name = name_of(part)
        if name is None:
            texts[part.get_content_type()] = _lines(_bytes(part).decode())
            continue
        content_id = part["Content-ID"]
        files.append(
            File(
                name=name,
                content_type=part.get_content_type(),
                content=_bytes(part),
                content_id=str(content_id).strip("<>") if content_id else None,
            )
        )
    return Read(
        names=list(message.keys()),
        people={
            name: people(message[name]) for name in ("From", "To", "Cc", "Bcc", "Reply-To") if message[name] is not None
        },
        subject=said(message["Subject"]),
        text=texts["text/plain"],
        html=texts["text/html"],
        files=files,
        values=[said(value) for value in message.values()],
    )


def _leaves(message: Any) -> list[Any]:
    if message.get_content_maintype() == "multipart":
        return [leaf for part in message.get_payload() for leaf in _leaves(part)]
    return [message]


def _bytes(part: Any) -> bytes:
    if part.get_content_maintype() != "message":
        data = part.get_payload(decode=True)
        assert isinstance(data, bytes)
        return data
    (inner,) = part.get_payload()
    return bytes(inner.as_bytes(policy=policy.compat32.clone(linesep="\r\n", max_line_length=0)))


def _people(value: Any) -> People:
    people: Sequence[StandardAddress] = value.addresses
    return [(one.display_name, one.addr_spec) for one in people]


def _defects(message: Any) -> list[object]:
    own = [*message.defects, *(defect for value in message.values() for defect in value.defects)]
    parts = message.get_payload() if message.is_multipart() else []
    return own + [defect for part in parts for defect in _defects(part)]


def _decoded(value: str | None) -> str:
    # Folded, as this parser leaves it: the line ends go, and what they stood before stays.
    line = re.sub(r"\r?\n(?=[ \t])", "", value or "")
    try:
        return str(make_header(decode_header(line)))
    except HeaderParseError:  # its way to say that there is no word
        return line


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n")
