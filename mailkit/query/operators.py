"""The operators: their names, the values they take, and the node each becomes.

Knows one operator and one value at a time; how terms are joined is the parser's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import MappingProxyType
from typing import Literal

import attrs

from mailkit.query.ast import Age, Category, Date, Expr, Field, FieldName, Has, In, Is, Label, Not, Size
from mailkit.query.dates import read_age, read_date
from mailkit.query.keys import label_key
from mailkit.query.words import has_words

__all__ = ["BUILT_IN", "CATEGORIES", "HAS", "OPERATORS", "Refusal", "term"]

CATEGORIES = ("primary", "social", "promotions", "updates", "forums", "reservations", "purchases")
"""support.google.com/mail/answer/7190, the values of ``category:``."""

HAS = (
    *("attachment", "drive", "document", "spreadsheet", "presentation", "youtube", "userlabels", "nouserlabels"),
    *("yellow-star", "orange-star", "red-star", "purple-star", "blue-star", "green-star"),
    *("red-bang", "yellow-bang", "orange-guillemet", "green-check", "blue-info", "purple-question"),
)
"""support.google.com/mail/answer/7190, the values of ``has:``."""

BUILT_IN: MappingProxyType[str, Expr] = MappingProxyType(
    {
        "inbox": In("inbox"),
        "sent": In("sent"),
        "draft": In("drafts"),
        "drafts": In("drafts"),
        "bin": In("trash"),
        "trash": In("trash"),
        "junk": In("spam"),
        "spam": In("spam"),
        "anywhere": In("anywhere"),
        "archive": In("archive"),
        "outbox": In("outbox"),
        "all": In("all"),
        "unread": Is("unread"),
        "read": Not(Is("unread")),
        "starred": Is("starred"),
        "important": Is("important"),
        "muted": Is("muted"),
        "snoozed": Is("snoozed"),
        "chat": Is("chat"),
        "chats": Is("chat"),
    }
)
"""Names that are no user label. ``in:``, ``is:`` and ``label:`` share one name space, as Gmail's own box has it."""

# support.google.com/mail/answer/7190: bytes, or M for megabytes; 18 digits are more than any mailbox holds.
_SIZE = re.compile(r"([0-9]{1,18})([KMG]?)B?", re.IGNORECASE)
_POWER = {"": 0, "k": 1, "m": 2, "g": 3}


@attrs.frozen
class Refusal:
    """Why a value does not fit its operator: a stable code, and a sentence that says what to write instead."""

    code: str
    message: str


Reader = Callable[[str, bool], Expr | Refusal]
"""Makes the node of a value; the flag says whether the value stood in quotation marks."""

_MISSING = Refusal(
    "missing_value", "write a value after the colon, or put the operator in quotation marks to find it as text"
)


def term(operator: str, value: str, *, quoted: bool) -> Expr | Refusal:
    """Make the node of ``operator:value``, aliases resolved, or say why there is none."""
    return _READERS[operator](value, quoted) if value else _MISSING


def _field(name: FieldName) -> Reader:
    def read(value: str, quoted: bool) -> Expr | Refusal:
        return Field(name, value, phrase=quoted) if has_words(value) else _MISSING

    return read


def _message_id(value: str, quoted: bool) -> Expr | Refusal:
    bare = value.removeprefix("<").removesuffix(">")
    return Field("rfc822msgid", bare, phrase=quoted) if bare else _MISSING


def _name(value: str, _quoted: bool) -> Expr | Refusal:
    key = label_key(value)
    return BUILT_IN.get(key) or (Label(key) if key else _MISSING)


def _has(value: str, _quoted: bool) -> Expr | Refusal:
    if value.casefold() not in HAS:
        return Refusal("bad_has", f"has: takes one of {', '.join(HAS)}")
    return Has(value.casefold())


def _category(value: str, _quoted: bool) -> Expr | Refusal:
    if value.casefold() not in CATEGORIES:
        return Refusal("bad_category", f"category: takes one of {', '.join(CATEGORIES)}")
    return Category(value.casefold())


def _date(rel: Literal["after", "before"]) -> Reader:
    def read(value: str, _quoted: bool) -> Expr | Refusal:
        moment = read_date(value)
        if moment is None:
            return Refusal("bad_date", "write the date as 2026/03/31 or as seconds since 1970, and one that exists")
        return Date(rel, moment)

    return read


def _age(rel: Literal["newer", "older"]) -> Reader:
    def read(value: str, _quoted: bool) -> Expr | Refusal:
        age = read_age(value)
        if age is None:
            return Refusal("bad_age", "write the age as a number and d, m or y (days, months, years), for example 7d")
        return Age(rel, *age)

    return read


def _size(rel: Literal["larger", "smaller"]) -> Reader:
    def read(value: str, _quoted: bool) -> Expr | Refusal:
        found = _SIZE.fullmatch(value)
        if found is None:
            return Refusal("bad_size", "write the size as whole bytes or with K, M or G, for example 10M")
        return Size(rel, int(found[1]) * 1024 ** _POWER[found[2].lower()])

    return read


_READERS: dict[str, Reader] = {
    "from": _field("from"),
    "to": _field("to"),
    "cc": _field("cc"),
    "bcc": _field("bcc"),
    "subject": _field("subject"),
    "deliveredto": _field("deliveredto"),
    "list": _field("list"),
    "filename": _field("filename"),
    "rfc822msgid": _message_id,
    "label": _name,
    "in": _name,
    "is": _name,
    "has": _has,
    "category": _category,
    "after": _date("after"),
    "newer": _date("after"),
    "before": _date("before"),
    "older": _date("before"),
    "newer_than": _age("newer"),
    "older_than": _age("older"),
    "larger": _size("larger"),
    "size": _size("larger"),
    "smaller": _size("smaller"),
}

OPERATORS = frozenset(_READERS)
"""Every operator name, lower case. Another word with a colon is text."""
