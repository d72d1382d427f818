"""Message files and what they say, as the standard library's ``compat32`` parser has it: no code of mailkit's.

The folder is found through ``MAILKIT_SHARED``; without it there are no files. Never writes, never judges.
"""

from __future__ import annotations

import datetime as dt
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from email import header, message_from_bytes, policy, utils
from email.message import Message
from html import unescape
from pathlib import Path

import attrs

# Message files beside those that end in .eml or .msg; what else lies there are parts, expected results and licences.
_OTHERS = {
    "cpython-test_email": "data/msg_*.txt",
    "mime4j": "mbox/src/test/resources/test-1/mbox.rlug-*",
    "talon": "tests/fixtures/signature/emails/P/102682_R_S",
}
MBOX = "mime4j/mbox/src/test/resources/test-1/mbox.rlug"

Person = tuple[str, str]

_UNSEEN = re.compile(r"<!--.*?-->|<(style|script|title)\b.*?</\1>|<[^>]*>", re.DOTALL | re.IGNORECASE)


def folder() -> Path | None:
    """Give the folder of the corpora, or None where there is none."""
    shared = os.environ.get("MAILKIT_SHARED")
    return Path(shared) / "corpora" if shared else None


def message_files(root: Path) -> Mapping[str, bytes]:
    """Read every message file, by its path below ``root``."""
    paths = {path for kind in ("*.eml", "*.msg") for path in root.rglob(kind)}
    paths |= {path for corpus, pattern in _OTHERS.items() for path in (root / corpus).glob(pattern)}
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(paths)}


@attrs.frozen(kw_only=True, eq=False)
class Leaf:
    """One part that holds something: ``is_body`` says that it is text without a name, not called an attachment."""

    name: str
    content_type: str
    is_body: bool
    content: bytes


@attrs.frozen(kw_only=True)
class Letter:
    """What a message file says."""

    size: int
    headers: tuple[tuple[str, str], ...]
    subject: str
    people: Mapping[str, tuple[Person, ...]]
    date: dt.datetime | None
    message_id: str | None
    in_reply_to: str | None
    references: tuple[str, ...]
    leaves: tuple[Leaf, ...]


def said_by(texts: Iterable[Leaf]) -> str:
    """Give what texts say that a reader would see."""
    joined = " ".join(leaf.content.decode("latin-1") for leaf in texts)
    return squeezed(unescape(_UNSEEN.sub("", joined)))


def read(raw: bytes) -> Letter:
    """Read a message file."""
    message = message_from_bytes(raw, policy=policy.compat32)
    headers = [(name, _unfolded(value)) for name, value in message.raw_items()]
    first = {name.lower(): value for name, value in reversed(headers)}
    lists = {
        name: [value for key, value in headers if key.lower() == name] for name in ("from", "to", "cc", "reply-to")
    }
    return Letter(
        size=len(raw),
        headers=tuple((name.lower(), squeezed(_decoded(value))) for name, value in headers),
        subject=squeezed(_decoded(first.get("subject", ""))),
        people={name: tuple(_people(values)) for name, values in lists.items()},
        date=_date(first.get("date", "")),
        message_id=first.get("message-id", "").strip() or None,
        in_reply_to=first.get("in-reply-to", "").strip() or None,
        references=tuple(first.get("references", "").split()),
        leaves=tuple(_leaves(message)),
    )


def squeezed(text: str) -> str:
    """Make runs of white space one space."""
    return " ".join(text.split())


def _unfolded(value: str) -> str:
    """Give a header's text; bytes beyond ASCII are UTF-8, or U+FFFD."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace").replace("\r", "").replace("\n", "")


def _decoded(text: str) -> str:
    if "=?" not in text:
        return text
    pieces: list[tuple[str | bytes, str | None]] = header.decode_header(text)
    try:
        return "".join(p if isinstance(p, str) else p.decode(name or "raw-unicode-escape") for p, name in pieces)
    except (LookupError, ValueError):
        return text


def _people(values: list[str]) -> Iterator[Person]:
    lenient = {"strict": False} if getattr(utils, "supports_strict_parsing", False) else {}
    for name, address in utils.getaddresses(values, **lenient):
        if name or address:
            said = squeezed(_decoded(name))
            yield ("" if said == address else said), address


def _date(text: str) -> dt.datetime | None:
    try:
        date = utils.parsedate_to_datetime(text)
        return (date if date.tzinfo else date.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)
    except (ValueError, TypeError, OverflowError):
        return None


def _leaves(part: Message) -> Iterator[Leaf]:
    payload = part.get_payload()
    if part.get_content_maintype() == "multipart" and isinstance(payload, list):
        for child in payload:
            if isinstance(child, Message):
                yield from _leaves(child)
        return
    name = squeezed(_decoded(part.get_filename() or ""))
    content = part.get_payload(decode=True)
    is_text = part.get_content_type() in {"text/plain", "text/html"} or part.get_content_maintype() == "multipart"
    yield Leaf(
        name=name,
        content_type=part.get_content_type(),
        is_body=is_text and not name and part.get_content_disposition() != "attachment",
        content=content if isinstance(content, bytes) else b"",
    )
