"""A message read from its own bytes: an ``.eml`` file, what ``mail.raw`` gives, an attached message.

The names are those of ``Message``, as far as bytes can tell: they know no folder, no state, no account. Pure: no I/O.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from itertools import chain

import attrs

from mailkit.checks import asked, instance
from mailkit.mime.fields import by_name, first
from mailkit.mime.headers import decode_list, decode_words, read_addresses, read_date, read_message_ids, read_text
from mailkit.mime.late_bytes import MaybeBytes, read_bytes
from mailkit.mime.lists import is_bulk
from mailkit.mime.message import RawLeaf, read_message
from mailkit.mime.structure import shown_in
from mailkit.models.body import Body
from mailkit.models.mail import AttachmentKind
from mailkit.models.mailing_list import ListUnsubscribe, list_unsubscribe_of
from mailkit.models.records import Record
from mailkit.values import Address

__all__ = ["ParsedAttachment", "ParsedMessage", "parse_message"]

_LISTS = frozenset({"from", "sender", "to", "cc", "bcc", "reply-to"})


@attrs.frozen(kw_only=True, repr=False)
class ParsedAttachment(Record):
    """What hangs on a message that was read from its bytes: a file, or another message (kind ``item``).

    ``size`` is in bytes as they are once decoded. ``inline`` parts belong to the HTML body, which names them by
    ``content_id`` (without ``<>``). ``method`` is what an invitation asks for (``REQUEST``, ``REPLY`` …), None for all
    else. ``name`` comes from the sender: never use it as a path as it is.
    """

    name: str = ""
    content_type: str = "application/octet-stream"
    size: int
    inline: bool = False
    content_id: str | None = None
    kind: AttachmentKind = "file"
    method: str | None = None
    _content: MaybeBytes = attrs.field(eq=read_bytes)

    @property
    def content(self) -> bytes:
        """The bytes, decoded each time they are asked for; ``parse_message`` reads those of a message."""
        return read_bytes(self._content)

    def __repr__(self) -> str:
        return f"<ParsedAttachment {self.kind} {self.content_type} {self.size} bytes>"


@attrs.frozen(kw_only=True, repr=False)
class ParsedMessage(Record):
    """A message read from its bytes: all headers in order, the people, the body and what hangs on it.

    ``date`` is the sender's claim in UTC, None where there is none that can be read. Header values are unfolded and
    decoded. What the bytes leave out is None or empty; everything is as the sender wrote it and must be treated as
    untrusted.
    """

    message_id: str | None = None
    from_: Address | None = None
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    bcc: tuple[Address, ...] = ()
    reply_to: tuple[Address, ...] = ()
    subject: str = ""
    date: dt.datetime | None = None
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    body: Body = attrs.field(factory=Body)
    attachments: tuple[ParsedAttachment, ...] = ()

    def header(self, name: str) -> str | None:
        """Give the first header of that name (any case), or None."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    @property
    def is_bulk(self) -> bool:
        """Whether it says of itself that it went to many: a list, a newsletter, a mailing."""
        return is_bulk(self.headers)

    @property
    def list_unsubscribe(self) -> ListUnsubscribe | None:
        """The ways off the list it came over, None where it names none."""
        return list_unsubscribe_of(self.headers)

    def __repr__(self) -> str:
        return f"<ParsedMessage {len(self.headers)} headers, {len(self.attachments)} attachments>"


def parse_message(data: bytes) -> ParsedMessage:
    r"""Read the bytes of a message (RFC 5322): a file, what ``mail.raw`` gave, an attached message.

    There is a message in any bytes: what is broken is read as far as it goes, what cannot be a part is text. Texts and
    attachments are decoded when they are first asked for.

    >>> parse_message(b"Subject: Plan\r\nFrom: Ann <ann@example.com>\r\n\r\nFriday?\r\n").body.text
    'Friday?\r\n'

    Raises:
        UsageError: ``data`` is not bytes.
    """
    with asked("parse_message"):
        instance(data, "data", bytes, "the bytes of a message", hint="open its file in binary mode")
    raw = read_message(data)
    values = by_name(raw.fields)
    body = Body(plain=raw.plain, html=raw.html)
    shown = shown_in(body.html) if any(leaf.content_id for leaf in raw.hanging) else ""
    return ParsedMessage(
        message_id=first(values, "message-id").strip() or None,
        from_=next(iter(_people(values, "from")), None),
        to=_people(values, "to"),
        cc=_people(values, "cc"),
        bcc=_people(values, "bcc"),
        reply_to=_people(values, "reply-to"),
        subject=read_text(first(values, "subject")),
        date=read_date(first(values, "date")),
        in_reply_to=next(iter(read_message_ids(first(values, "in-reply-to"))), None),
        references=read_message_ids(first(values, "references")),
        headers=tuple([(name, _shown(name, value)) for name, value in raw.fields]),
        body=body,
        attachments=tuple([_attachment(leaf, shown) for leaf in raw.hanging]),
    )


def _people(values: Mapping[str, Sequence[str]], name: str) -> tuple[Address, ...]:
    """Read all headers of that name: a list broken into several is one list."""
    return tuple(chain.from_iterable(map(read_addresses, values.get(name, ()))))


def _shown(name: str, value: str) -> str:
    if "=?" not in value:
        return value
    return decode_list(value) if name.lower() in _LISTS else decode_words(value)


def _attachment(leaf: RawLeaf, shown: str) -> ParsedAttachment:
    return ParsedAttachment(
        name=leaf.name,
        content_type=leaf.content_type,
        size=leaf.content.size,
        inline=leaf.is_inline(shown),
        content_id=leaf.content_id or None,
        kind="item" if leaf.is_message else "file",
        method=leaf.method,
        content=leaf.content,
    )
