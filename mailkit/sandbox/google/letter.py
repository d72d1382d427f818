"""One message as the search index holds it: words by field, addresses, flags. Built once per state of a message."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cached_property
from html.parser import HTMLParser

from mailkit.sandbox.google.labels import place_id, system_ids, user_names
from mailkit.sandbox.google.words import Words, fold, label_key, words
from mailkit.sandbox.mail import WELL_KNOWN, Mail, Person
from mailkit.sandbox.mailbox import Entry

_SILENT = ("script", "style", "head", "title")


class _Text(HTMLParser):
    """Collects what a page shows."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002  # HTMLParser's own
        self._silent += tag in _SILENT
        self.pieces.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in _SILENT and self._silent > 0
        self.pieces.append(" ")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.pieces.append(data)


def text_of_html(html: str) -> str:
    """Give the text an HTML body shows; tags become spaces."""
    reader = _Text()
    reader.feed(html)
    reader.close()
    return "".join(reader.pieces)


def same_address(address: str) -> str:
    """Give the form in which addresses compare: no case, international domains in ASCII."""
    local, at, domain = fold(address).rpartition("@")
    with suppress(UnicodeError):  # no host name anybody could register is compared as it is
        domain = domain.encode("idna").decode()
    return f"{local}{at}{domain}"


class Card:
    """A person of a header."""

    def __init__(self, person: Person) -> None:
        self.name: Words = words(person.name)
        self.address: Words = words(person.address)
        self.whole: str = same_address(person.address)


class Letter:
    """One message, ready to be searched."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.mail: Mail = entry.mail
        self.labels: frozenset[str] = frozenset(map(label_key, user_names(entry.mail)))
        self.marks: frozenset[str] = frozenset(system_ids(entry.mail))
        self.places: frozenset[str] = frozenset(
            place for place in WELL_KNOWN if place == entry.mail.place != "archive" or place_id(place) in self.marks
        )

    @cached_property
    def senders(self) -> tuple[Card, ...]:
        """The From person, or nobody."""
        return (Card(self.mail.from_),) if self.mail.from_ else ()

    @cached_property
    def to(self) -> tuple[Card, ...]:
        """The people of To."""
        return tuple(map(Card, self.mail.to))

    @cached_property
    def cc(self) -> tuple[Card, ...]:
        """The people of Cc."""
        return tuple(map(Card, self.mail.cc))

    @cached_property
    def bcc(self) -> tuple[Card, ...]:
        """The people of Bcc."""
        return tuple(map(Card, self.mail.bcc))

    @cached_property
    def delivered_to(self) -> tuple[Card, ...]:
        """The addresses of Delivered-To headers, as nameless people."""
        return tuple(Card(Person("", address)) for address in self.mail.delivered_to)

    @cached_property
    def subject(self) -> Words:
        """The subject's words."""
        return words(self.mail.subject)

    @cached_property
    def shown(self) -> str:
        """The text a reader sees: the plain body, else what the HTML shows."""
        return self.mail.text if self.mail.text is not None else text_of_html(self.mail.html or "")

    @cached_property
    def body(self) -> Words:
        """The body's words."""
        return words(self.shown)

    @cached_property
    def files(self) -> tuple[Words, ...]:
        """The words of each attachment's name."""
        return tuple(words(file.name) for file in self.mail.files)

    @cached_property
    def fields(self) -> tuple[Words, ...]:
        """Every field a bare word is looked for in."""
        cards = (*self.senders, *self.to, *self.cc, *self.bcc)
        people = (field for card in cards for field in (card.name, card.address))
        return (self.subject, self.body, *people, *self.files)

    def links_to(self, pattern: re.Pattern[str]) -> bool:
        """Say whether a link in a body fits."""
        return any(pattern.search(body) for body in (self.mail.text, self.mail.html) if body)
