"""Letters → Graph's mail JSON, and the filters by which they are found again. Pure.

What JSON cannot say: In-Reply-To and References (a header given there must start with ``x-``; Exchange writes both
itself into what it begins as an answer), and a text beside the HTML (Exchange makes one of it). MIME says all of it.
Members: https://learn.microsoft.com/graph/api/resources/message
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from mailkit.errors import InvalidMessage, TooLarge
from mailkit.mime.build import SEND_ID_HEADER, Built, FilePart, build
from mailkit.mime.texts import texts_of
from mailkit.providers.writing import Letter
from mailkit.values import Address

MOST_JSON = 4_000_000
"""Bytes of one request: https://learn.microsoft.com/graph/outlook-large-attachments"""

MOST_BYTES = 150 * 1024 * 1024
"""Bytes of a message with all its files (the same page)."""

# A name of mailkit's own, which $filter can look for, unlike a header:
# https://learn.microsoft.com/graph/api/resources/singlevaluelegacyextendedproperty
SEND_ID_PROPERTY = "String {5b4ac1f6-2f5c-4a3e-9d0b-7c1f0e6a8d42} Name mailkit-send-id"

_MOST_HEADERS = 5  # InvalidInternetMessageHeaderCollection, the answer to more of them, names the limit


def message_to_wire(letter: Letter) -> dict[str, object]:
    """Write what a draft can be changed to: all that the letter says but for its files and ``marks_to_wire``.

    https://learn.microsoft.com/graph/api/message-update
    """
    message = letter.message
    texts = texts_of(message)
    wire: dict[str, object] = {
        "subject": message.subject,
        "body": {"contentType": "text", "content": texts.text}
        if texts.html is None
        else {"contentType": "html", "content": texts.html},
        "toRecipients": _people(message.to),
        "ccRecipients": _people(message.cc),
        "bccRecipients": _people(message.bcc),
        "replyTo": _people(message.reply_to),
        "internetMessageId": letter.message_id,
    }
    if message.from_ is not None:
        wire["from"] = _person(message.from_)
    return wire


def marks_to_wire(letter: Letter) -> dict[str, object]:
    """Write the headers of the letter's own, which can be given only when a message is made, and its send id."""
    headers = [*letter.message.headers, (SEND_ID_HEADER, letter.send_id)]
    return {
        "internetMessageHeaders": [{"name": name, "value": value} for name, value in headers],
        **send_id_to_wire(letter),
    }


def send_id_to_wire(letter: Letter) -> dict[str, object]:
    """Write the send id as the property it is found by."""
    return {"singleValueExtendedProperties": [{"id": SEND_ID_PROPERTY, "value": letter.send_id}]}


def mime_of(letter: Letter) -> Built:
    """Make the bytes of a whole message.

    https://learn.microsoft.com/graph/outlook-send-mime-message
    """
    return build(
        letter.message,
        files=letter.files,
        message_id=letter.message_id,
        send_id=letter.send_id,
        date=letter.date,
        in_reply_to=letter.in_reply_to,
        references=letter.references,
    )


def file_to_wire(letter: Letter, file: FilePart) -> dict[str, object]:
    """Write a file without its bytes; shown in the HTML where that is what it is for.

    https://learn.microsoft.com/graph/api/resources/fileattachment
    """
    wire: dict[str, object] = {"name": file.name, "contentType": file.content_type}
    if file.content_id is not None and texts_of(letter.message).html is not None:
        wire |= {"isInline": True, "contentId": file.content_id}
    return wire


def has_message_id(message_id: str) -> str:
    """Write the filter for a Message-ID."""
    return f"internetMessageId eq {_quoted(message_id)}"


def has_send_id(send_id: str) -> str:
    """Write the filter for a send id."""
    name, value = _quoted(SEND_ID_PROPERTY), _quoted(send_id)
    return f"singleValueExtendedProperties/any(ep: ep/id eq {name} and ep/value eq {value})"


def check(letter: Letter, *, account: str, operation: str) -> None:
    """Refuse what Graph cannot take in any way.

    Raises:
        InvalidMessage: more headers than it keeps.
        TooLarge: longer texts, or more bytes in files.
    """
    if len(letter.message.headers) >= _MOST_HEADERS:
        raise InvalidMessage(
            f"Outlook keeps {_MOST_HEADERS - 1} headers of one's own beside mailkit's; leave some out",
            code="bad_header",
            account=account,
            operation=operation,
        )
    if size_of(message_to_wire(letter)) > MOST_JSON - 10_000:  # what is said besides, headers above all
        raise TooLarge(
            "the text is longer than Outlook takes; send it as a file",
            limit=MOST_JSON,
            account=account,
            operation=operation,
        )
    if sum(file.payload.size for file in letter.files) > MOST_BYTES:
        raise TooLarge(
            "the files are larger than Outlook takes (150 MB); send a link to them",
            limit=MOST_BYTES,
            account=account,
            operation=operation,
        )


def size_of(wire: Mapping[str, object]) -> int:
    """Give how many bytes an object has as JSON."""
    return len(json.dumps(wire, separators=(",", ":")))


def _people(people: Iterable[Address]) -> list[dict[str, object]]:
    return [_person(each) for each in people]


def _person(who: Address) -> dict[str, object]:
    named = {"name": who.name} if who.name else {}
    return {"emailAddress": {"address": who.address, **named}}


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
