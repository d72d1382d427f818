"""Decide whether a message fits a query, from the message alone.

This is the meaning of the language in mailkit: what a provider cannot answer exactly is checked here. Whole words, no
stemming. It fetches nothing: what the candidate does not hold does not match.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import assert_never

from mailkit.mime.address_key import address_key
from mailkit.query.ast import (
    Age,
    All,
    And,
    Around,
    Category,
    Date,
    Expr,
    Field,
    Has,
    In,
    Is,
    Label,
    Not,
    Or,
    Size,
    Text,
    bounded,
)
from mailkit.query.candidate import Candidate
from mailkit.query.context import QueryContext
from mailkit.query.dates import instant
from mailkit.query.keys import label_key
from mailkit.query.people import is_me, whole_address
from mailkit.query.scope import admitted
from mailkit.query.words import line, words
from mailkit.values import Address

__all__ = ["matches"]


def _link(places: str) -> re.Pattern[str]:
    """A link to one of ``places`` or a host below it; a longer host that only ends or begins alike is another."""
    return re.compile(rf"(?<![\w-])(?:{places})(?![\w-]|\.\w)", re.IGNORECASE)


# support.google.com/mail/answer/7190, has: kinds of linked files.
_LINKS = {
    "drive": _link(r"(?:drive|docs)\.google\.com"),
    "document": _link(r"docs\.google\.com/document"),
    "spreadsheet": _link(r"docs\.google\.com/spreadsheets"),
    "presentation": _link(r"docs\.google\.com/presentation"),
    "youtube": _link(r"youtube\.com|youtu\.be"),
}
_NOT_ARCHIVED = frozenset({"inbox", "sent", "drafts", "outbox", "trash", "spam"})


def matches(expr: Expr, candidate: Candidate, context: QueryContext) -> bool:
    """Say whether ``candidate`` is in the query's scope and fits its expression.

    Raises:
        UsageError: the tree is too deep.
    """
    hidden = candidate.folder in ("trash", "spam") and candidate.folder not in admitted(expr)
    return not hidden and _Reading(candidate, context).fits(bounded(expr))


class _Reading:
    """One candidate under one context; its fields are cut into words once, and only those that are asked for."""

    def __init__(self, candidate: Candidate, context: QueryContext) -> None:
        self.mail = candidate
        self.context = context

    def fits(self, expr: Expr) -> bool:
        mail = self.mail
        match expr:
            case All():
                return True
            case And(args):
                return all(map(self.fits, args))
            case Or(args):
                return any(map(self.fits, args))
            case Not(arg):
                return not self.fits(arg)
            case Text(value):
                return _contains(self.everywhere, value)
            case Around():
                return _near(self.subject, expr) or (expr.field is None and _near(self.body, expr))
            case Field():
                return self.field(expr)
            case Label(value):
                return value in self.label_keys
            case Category(value):
                return mail.category is not None and mail.category.casefold() == value
            case Has(value):
                return self.has(value)
            case In(value):
                return self.place(value)
            case Is(value):
                return not mail.read if value == "unread" else bool(getattr(mail, value))
            case Date(rel):
                return (mail.date >= instant(expr, self.context)) == (rel == "after")
            case Age(rel):
                return (mail.date >= instant(expr, self.context)) == (rel == "newer")
            case Size(rel, size):
                return mail.size > size if rel == "larger" else mail.size < size
        assert_never(expr)

    @cached_property
    def subject(self) -> str:
        return line(self.mail.subject)

    @cached_property
    def body(self) -> str:
        return line(self.mail.body)

    @cached_property
    def everywhere(self) -> tuple[str, ...]:
        """What a bare word is looked for in, each field a line of words."""
        people = (*self.people("from"), *self.people("to"))
        texts = (*(text for person in people for text in (person.name, person.address)), *self.file_names)
        return (self.subject, self.body, *map(line, texts))

    @cached_property
    def label_keys(self) -> frozenset[str]:
        return frozenset(map(label_key, self.own_labels))

    @property
    def own_labels(self) -> tuple[str, ...]:
        """The person's own labels; a folder of their own is one too."""
        mail = self.mail
        return (*mail.labels, mail.folder_path) if mail.folder == "other" and mail.folder_path else mail.labels

    @property
    def file_names(self) -> tuple[str, ...]:
        return tuple(file.name for file in self.mail.attachments)

    def people(self, name: str) -> tuple[Address, ...]:
        mail = self.mail
        match name:
            case "from":
                return (mail.from_,) if mail.from_ else ()
            case "to":
                # developers.google.com/workspace/gmail/api/reference/rest/v1/users.settings.filters: to includes
                # the recipients in the to, cc and bcc header fields.
                return (*mail.to, *mail.cc, *mail.bcc)
            case "cc":
                return mail.cc
            case "bcc":
                return mail.bcc
            case _:
                return tuple(Address(address=address) for address in mail.delivered_to)

    def field(self, field: Field) -> bool:
        match field.name:
            case "subject":
                return _contains((self.subject,), field.value)
            case "filename":
                return _contains(map(line, self.file_names), field.value)
            case "list":
                return _contains((line((self.mail.list_id or "").replace("@", ".")),), field.value.replace("@", "."))
            case "rfc822msgid":
                return self.mail.message_id.strip().removeprefix("<").removesuffix(">") == field.value
            case _:
                return self.names(field)

    def names(self, field: Field) -> bool:
        people = self.people(field.name)
        if is_me(field):
            own = set(map(address_key, self.context.me))
            return any(address_key(person.address) in own for person in people)
        if whole := whole_address(field.value):
            return any(address_key(person.address) == whole for person in people)
        return _contains((line(text) for person in people for text in (person.name, person.address)), field.value)

    def has(self, value: str) -> bool:
        match value:
            case "attachment":
                # Pictures the body shows in place do not count, as in Outlook; Gmail's server may return more.
                return any(not file.inline for file in self.mail.attachments)
            case "userlabels":
                return bool(self.own_labels)
            case "nouserlabels":
                return not self.own_labels
            case _:
                link = _LINKS.get(value)
                return link.search(self.mail.body) is not None if link else self.mail.star == value

    def place(self, value: str) -> bool:
        mail = self.mail
        match value:
            case "anywhere" | "all":
                return True
            case "archive":
                return mail.folder not in _NOT_ARCHIVED and not mail.snoozed and not mail.chat
            case _:
                return mail.folder == value


def _contains(lines: Iterable[str], value: str) -> bool:
    """Say whether the words of ``value`` stand consecutive in one of ``lines``; no words stand nowhere."""
    wanted = line(value)
    return bool(wanted.strip()) and any(wanted in one for one in lines)


def _near(text: str, around: Around) -> bool:
    """Say whether both sides stand in ``text``, a line of words, with at most ``distance`` words between them."""
    found = text.split()
    left, right = _spans(found, words(around.left)), _spans(found, words(around.right))
    return _follows(left, right, around.distance) or (not around.ordered and _follows(right, left, around.distance))


def _spans(found: Sequence[str], phrase: Sequence[str]) -> list[tuple[int, int]]:
    """Where ``phrase`` begins and ends among the words ``found``, in order."""
    size, wanted = len(phrase), list(phrase)
    return [(at, at + size) for at in range(len(found) - size + 1) if found[at : at + size] == wanted] if size else []


def _follows(first: Sequence[tuple[int, int]], second: Sequence[tuple[int, int]], distance: int) -> bool:
    """Say whether a span of ``second`` begins at most ``distance`` words after one of ``first`` ends."""
    begins = [begin for begin, _ in second]
    nexts = ((end, bisect_left(begins, end)) for _, end in first)
    return any(at < len(begins) and begins[at] - end <= distance for end, at in nexts)
