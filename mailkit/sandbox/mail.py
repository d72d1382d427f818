"""What a sandbox mailbox is filled with: people, files, mail, as plain records of the test's own words.

The records say what is true of a message; how Gmail or Outlook would show it is the services' business. No I/O.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Literal

import attrs

__all__ = ["File", "Mail", "Person"]

WELL_KNOWN = ("inbox", "sent", "drafts", "trash", "spam", "archive", "outbox")


@attrs.frozen
class Person:
    """A person as a header names them: display name (may be empty) and address."""

    name: str
    address: str


@attrs.frozen(kw_only=True)
class File:
    """One attachment.

    ``kind`` ``item`` is an attached message (``content`` holds its bytes); ``link`` a cloud file at ``url``, which only
    Outlook has: in Gmail a link is text of the message.
    """

    name: str
    content: bytes = attrs.field(default=b"", repr=False)
    content_type: str = "application/octet-stream"
    inline: bool = False
    content_id: str | None = None
    kind: Literal["file", "item", "link"] = "file"
    url: str | None = None


def _people(value: Person | Iterable[Person]) -> tuple[Person, ...]:
    return (value,) if isinstance(value, Person) else tuple(value)


def _texts(value: Iterable[str]) -> tuple[str, ...]:
    return tuple(value)


def _pairs(value: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(value)


def _files(value: Iterable[File]) -> tuple[File, ...]:
    return tuple(value)


def _aware(_mail: Mail, attribute: attrs.Attribute[dt.datetime | None], value: dt.datetime | None) -> None:
    if value is not None and value.tzinfo is None:
        raise ValueError(f"{attribute.name} must be an aware datetime")


@attrs.frozen(kw_only=True, repr=False)
class Mail:
    """One message of a mailbox.

    ``folder`` is ``inbox``, ``sent``, ``drafts``, ``trash``, ``spam``, ``archive``, ``outbox``, or a path of the
    person's own (``Projects/Alpha``, ``Inbox/Newsletters``, ``trash/Old Stuff``); ``labels`` are names, slashes nest.
    ``date`` is aware (None: the sandbox's now) and stands in the Date header; ``received`` is when the provider took
    the mail in, where that differs. ``size`` overrides the true size in bytes. ``headers`` are written first, in order,
    and replace those the other fields would give. Mail with the same ``thread`` is one conversation; without it message
    ids decide. ``id`` overrides the provider's id.
    """

    from_: Person | None = None
    to: tuple[Person, ...] = attrs.field(default=(), converter=_people)
    cc: tuple[Person, ...] = attrs.field(default=(), converter=_people)
    bcc: tuple[Person, ...] = attrs.field(default=(), converter=_people)
    reply_to: tuple[Person, ...] = attrs.field(default=(), converter=_people)
    subject: str = ""
    text: str | None = None
    html: str | None = None
    date: dt.datetime | None = attrs.field(default=None, validator=_aware)
    received: dt.datetime | None = attrs.field(default=None, validator=_aware)
    folder: str = "inbox"
    labels: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    category: str | None = None
    read: bool = False
    starred: bool = False
    star: str | None = None
    important: bool = False
    muted: bool = False
    snoozed: bool = False
    chat: bool = False
    flag_complete: bool = False
    size: int | None = None
    files: tuple[File, ...] = attrs.field(default=(), converter=_files)
    headers: tuple[tuple[str, str], ...] = attrs.field(default=(), converter=_pairs)
    list_id: str | None = None
    delivered_to: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    message_id: str | None = None
    in_reply_to: str | None = None
    references: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    thread: str | None = None
    id: str | None = None

    def __repr__(self) -> str:
        return f"<Mail {self.folder} {self.subject[:24]!r}>"

    @property
    def place(self) -> str:
        """The well-known folder the mail counts to: that of the path's first name, else ``archive``."""
        root = self.folder.split("/")[0].lower()
        return root if root in WELL_KNOWN and ("/" not in self.folder or root in ("trash", "spam")) else "archive"
