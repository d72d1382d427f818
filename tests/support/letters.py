"""Letters for a driver to send, and files whose bytes are made when they are asked for."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import attrs

from mailkit.mime.build import FilePart
from mailkit.mime.outgoing import OutgoingMessage
from mailkit.providers.writing import Answers, Letter, Trace

SEND_ID = "0123456789abcdef"
MESSAGE_ID = "<letter-1@mailkit.example>"


@attrs.frozen
class Zeros:
    """So many bytes of nothing, 64 KiB at a time."""

    size: int

    def pieces(self, start: int = 0) -> Iterator[bytes]:
        """Give them from ``start`` on."""
        for at in range(start, self.size, 65536):
            yield bytes(min(65536, self.size - at))


def a_file(size: int, name: str = "zeros.bin") -> FilePart:
    """Give a file of that size."""
    return FilePart(name=name, content_type="application/octet-stream", payload=Zeros(size))


def letter(
    date: dt.datetime, *, answers: Answers | None = None, files: tuple[FilePart, ...] = (), **more: Any
) -> Letter:
    """Give a letter to Bob; ``more`` are fields of the message, or of the letter where it has them."""
    own = {name: more.pop(name) for name in ("message_id", "send_id", "in_reply_to", "references") if name in more}
    message = OutgoingMessage(**{"to": "Bob <bob@example.com>", "subject": "Plans", "text": "Hello.", **more})
    return Letter(
        **{"message_id": MESSAGE_ID, "send_id": SEND_ID, **own},
        message=message,
        files=files,
        date=date,
        answers=answers,
    )


def trace(sent: Letter, **changed: Any) -> Trace:
    """Give what a letter is looked for by."""
    people = (*sent.message.to, *sent.message.cc)
    given = Trace(
        message_id=sent.message_id,
        send_id=sent.send_id,
        subject=sent.message.subject,
        recipients=frozenset(person.address.lower() for person in people),
        around=sent.date,
    )
    return attrs.evolve(given, **changed)
