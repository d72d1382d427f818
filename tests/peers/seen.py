"""What one client says of a message, in words that all clients share, so that two of them can be compared."""

from __future__ import annotations

import datetime as dt

import attrs

from mailkit.models.mail import MessageSummary
from mailkit.values import Address

Person = tuple[str, str]
"""Display name and address."""


@attrs.frozen(kw_only=True)
class Seen:
    """One row of a list; ``place`` is the well-known folder, ``marks`` names labels, categories and the own folder."""

    id: str
    thread: str
    subject: str
    sender: Person
    to: tuple[Person, ...]
    cc: tuple[Person, ...]
    date: dt.datetime
    read: bool
    starred: bool
    place: str
    marks: frozenset[str]


def row_of(message: MessageSummary) -> Seen:
    """Say what mailkit says."""
    assert message.from_ is not None
    return Seen(
        id=message.ref.id,
        thread=message.thread.id,
        subject=message.subject,
        sender=_person(message.from_),
        to=tuple(map(_person, message.to)),
        cc=tuple(map(_person, message.cc)),
        date=message.date,
        read=message.is_read,
        starred=message.is_starred,
        place=message.folder,
        marks=frozenset(message.labels),
    )


def _person(address: Address) -> Person:
    return (address.name, address.address)
