"""What a sandbox mailbox is filled with: people, files, mail, as plain records of the test's own words.

The records say what is true of a message; how Gmail or Outlook would show it is the services' business. No I/O.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import attrs

__all__ = ["File", "Mail", "Person"]

WELL_KNOWN = ("inbox", "sent", "drafts", "trash", "spam", "archive", "outbox")


_HALF = re.compile("[\ud800-\udfff]")
# Bytes that are no UTF-8 may stand in a header, as surrogates of theirs; a line may go on after a blank.
_NO_HEADER = re.compile("[\ud800-\udc7f\udd00-\udfff]|\r?\n(?![ \t])|\r(?!\n)")


def _text(_seed: object, field: attrs.Attribute[Any], value: object) -> None:
    """Refuse what no message can say, here and not when it is written."""
    for each in value if isinstance(value, tuple) else (value,):
        if each is None and field.default is None:
            continue
        if not isinstance(each, str) or _HALF.search(each):
            raise ValueError(f"{field.name} must be text without lone surrogates")


def _line(seed: object, field: attrs.Attribute[Any], value: object) -> None:
    _text(seed, field, value)
    if any(each and each.splitlines() != [each] for each in (value if isinstance(value, tuple) else (value,))):
        raise ValueError(f"{field.name} must be text on one line")


def _headers(_mail: object, _field: object, value: tuple[tuple[str, str], ...]) -> None:
    if any(_NO_HEADER.search(part) for pair in value for part in pair):
        raise ValueError("a line of headers goes on only after a line break and a blank, and without lone surrogates")


@attrs.frozen
class Person:
    """A person as a header names them: display name (may be empty) and address, each on one line.

    Raises:
        ValueError: a line break or a lone surrogate stands in one of them.
    """

    name: str = attrs.field(validator=_line)
    address: str = attrs.field(validator=_line)


@attrs.frozen(kw_only=True)
class File:
    """One attachment.

    ``kind`` ``item`` is an attached message (``content`` holds its bytes); ``link`` a cloud file at ``url``, which only
    Outlook has: in Gmail a link is text of the message.

    Raises:
        ValueError: a line break or a lone surrogate stands in a text.
    """

    name: str = attrs.field(validator=_line)
    content: bytes = attrs.field(default=b"", repr=False)
    content_type: str = attrs.field(default="application/octet-stream", validator=_line)
    inline: bool = False
    content_id: str | None = attrs.field(default=None, validator=_line)
    kind: Literal["file", "item", "link"] = "file"
    url: str | None = attrs.field(default=None, validator=_line)


def _people(value: Person | Iterable[Person]) -> tuple[Person, ...]:
    return (value,) if isinstance(value, Person) else tuple(value)


def _are_people(_mail: object, field: attrs.Attribute[Any], value: Person | tuple[Person, ...] | None) -> None:
    people = value if isinstance(value, tuple) else () if value is None else (value,)
    if not all(isinstance(each, Person) for each in people):
        raise ValueError(f"{field.name} must be of Persons, as in Person('Amy', 'amy@example.net')")


def _are_files(_mail: object, field: attrs.Attribute[Any], value: tuple[File, ...]) -> None:
    if not all(isinstance(each, File) for each in value):
        raise ValueError(f"{field.name} must be Files, as in File(name='plan.txt', content=b'at ten')")


def _texts(value: str | Iterable[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)  # a single one is not cut into letters


def _pairs(value: Mapping[str, str] | Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, text) for name, text in (value.items() if isinstance(value, Mapping) else value))


def _files(value: Iterable[File]) -> tuple[File, ...]:
    return tuple(value)


def _instant(_mail: object, field: attrs.Attribute[Any], value: dt.datetime | None) -> None:
    # RFC 5322 section 3.3: years before 1900 cannot be written.
    if value is not None and (value.tzinfo is None or value.year < 1900):
        raise ValueError(f"{field.name} must be an aware datetime of 1900 or later")


@attrs.frozen(kw_only=True, repr=False)
class Mail:
    """One message of a mailbox.

    ``folder`` is ``inbox``, ``sent``, ``drafts``, ``trash``, ``spam``, ``archive``, ``outbox``, or a path of the
    person's own (``Projects/Alpha``, ``Inbox/Newsletters``, ``trash/Old Stuff``); ``labels`` are names, slashes nest.
    ``date`` is aware (None: the sandbox's now) and stands in the Date header; ``received`` is when the provider took
    the mail in, where that differs. ``size`` overrides the true size in bytes. ``headers`` are written first, in order,
    and replace those the other fields would give. Mail with the same ``thread`` is one conversation; without it message
    ids decide. ``id`` overrides the provider's id. ``properties`` are pairs of id and value that lie beside the message
    in Outlook alone (single-value extended properties).

    Raises:
        ValueError: a text holds what no message can: lone surrogates, or line breaks where there is one line; a date is
            naive or before 1900; or people are no Persons, files no Files.
    """

    from_: Person | None = attrs.field(default=None, validator=_are_people)
    to: tuple[Person, ...] = attrs.field(default=(), converter=_people, validator=_are_people)
    cc: tuple[Person, ...] = attrs.field(default=(), converter=_people, validator=_are_people)
    bcc: tuple[Person, ...] = attrs.field(default=(), converter=_people, validator=_are_people)
    reply_to: tuple[Person, ...] = attrs.field(default=(), converter=_people, validator=_are_people)
    subject: str = attrs.field(default="", validator=_line)
    text: str | None = attrs.field(default=None, validator=_text)
    html: str | None = attrs.field(default=None, validator=_text)
    date: dt.datetime | None = attrs.field(default=None, validator=_instant)
    received: dt.datetime | None = attrs.field(default=None, validator=_instant)
    folder: str = attrs.field(default="inbox", validator=_line)
    labels: tuple[str, ...] = attrs.field(default=(), converter=_texts, validator=_line)
    category: str | None = attrs.field(default=None, validator=_line)
    read: bool = False
    starred: bool = False
    star: str | None = attrs.field(default=None, validator=_line)
    important: bool = False
    muted: bool = False
    snoozed: bool = False
    chat: bool = False
    flag_complete: bool = False
    size: int | None = None
    files: tuple[File, ...] = attrs.field(default=(), converter=_files, validator=_are_files)
    headers: tuple[tuple[str, str], ...] = attrs.field(default=(), converter=_pairs, validator=_headers)
    properties: tuple[tuple[str, str], ...] = attrs.field(default=(), converter=_pairs)
    list_id: str | None = attrs.field(default=None, validator=_line)
    delivered_to: tuple[str, ...] = attrs.field(default=(), converter=_texts, validator=_line)
    message_id: str | None = attrs.field(default=None, validator=_line)
    in_reply_to: str | None = attrs.field(default=None, validator=_line)
    references: tuple[str, ...] = attrs.field(default=(), converter=_texts, validator=_line)
    thread: str | None = attrs.field(default=None, validator=_line)
    id: str | None = attrs.field(default=None, validator=_line)

    def __repr__(self) -> str:
        return f"<Mail {self.folder} {self.subject[:24]!r}>"

    @property
    def place(self) -> str:
        """The well-known folder the mail counts to: that of the path's first name, else ``archive``."""
        root = self.folder.split("/")[0].lower()
        return root if root in WELL_KNOWN and ("/" not in self.folder or root in ("trash", "spam")) else "archive"
