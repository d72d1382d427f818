"""Reads ``$search``: the quoted value, then the Keyword Query Language inside it, into a tree.

Responsible for the grammar (learn.microsoft.com/graph/search-query-parameter and learn.microsoft.com/sharepoint/dev/
general-development/keyword-query-language-kql-syntax-reference). Never evaluates: see ``searching``.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import Literal, cast

import attrs

from mailkit.sandbox.microsoft.refusals import Refusal, bad_search

__all__ = ["AllOf", "AnyOf", "Days", "Except", "Near", "Number", "Search", "Term", "Word", "parse_search"]

Relation = Literal[":", "=", "<", ">", "<=", ">=", "<>"]


@attrs.frozen
class Term:
    """Words to find: in ``field``, or in the default fields where that is None. ``open`` is a trailing ``*``."""

    field: str | None
    text: str
    open: bool = False
    whole: bool = False


@attrs.frozen
class Word:
    """A property with a fixed set of values: ``hasattachments``, ``importance``, ``kind``."""

    field: str
    value: str


@attrs.frozen
class Days:
    """``received`` or ``sent``: from the first to the last day, both included; None is open."""

    field: str
    first: dt.date | None
    last: dt.date | None


@attrs.frozen
class Number:
    """``size`` in bytes: from the least to the most, both included; None is open."""

    least: int | None
    most: int | None


@attrs.frozen
class Near:
    """Both terms with at most ``distance`` words between them; ``ordered``: the left one first."""

    left: Term
    right: Term
    distance: int
    ordered: bool


@attrs.frozen
class Except:
    """``NOT inner``."""

    inner: Search


@attrs.frozen
class AllOf:
    """All of them."""

    parts: tuple[Search, ...]


@attrs.frozen
class AnyOf:
    """At least one of them."""

    parts: tuple[Search, ...]


Search = Term | Word | Days | Number | Near | Except | AllOf | AnyOf

_TEXT_FIELDS = ("from", "to", "cc", "bcc", "recipients", "participants", "subject", "body", "attachment")
_FLAGS = {"true": "true", "yes": "true", "1": "true", "false": "false", "no": "false", "0": "false"}
_IMPORTANCE = {"low": "low", "medium": "normal", "normal": "normal", "high": "high"}
_KINDS = (
    "contacts",
    "docs",
    "email",
    "faxes",
    "im",
    "journals",
    "meetings",
    "notes",
    "posts",
    "rssfeeds",
    "tasks",
    "voicemail",
)
# The two words for attachments: the table of search-query-parameter has the one, its example the other.
_VALUES = {
    "hasattachment": _FLAGS,
    "hasattachments": _FLAGS,
    "importance": _IMPORTANCE,
    "kind": {kind: kind for kind in _KINDS},
}
_TOKENS = re.compile(
    r"""(?P<space>\s+)
      | (?P<phrase>"[^"]*")
      | (?P<property>[A-Za-z]+)(?P<relation><=|>=|<>|[:=<>])
      | (?P<mark>[()])
      | (?P<near>O?NEAR(?:\(\d+\))?)(?![^\s()])
      | (?P<word>[^\s()"]+)""",
    re.VERBOSE,
)
_DATES = (
    re.compile(r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?:T[\d:.]+Z?)?"),
    re.compile(r"(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d{4})"),
)


@attrs.frozen
class _Token:
    kind: str
    text: str
    at: int
    relation: Relation = ":"


def parse_search(value: str) -> Search:
    r"""Read the whole value of ``$search``: double quotes around it, ``\"`` and ``\\`` inside.

    Raises:
        Refusal: it is not quoted, or the query inside cannot be read.
    """
    parser = _Parser(_unquote(value.strip()))
    tree = parser.either()
    parser.end()
    return tree


def _unquote(value: str) -> str:
    quoted = re.fullmatch(r'"((?:[^"\\]|\\["\\])*)"', value)
    if quoted is None:
        # Unquoted text happens to work for plain letters alone (msgraph-sdk-powershell#402); nobody should rely on it.
        at = next((i for i, char in enumerate(value) if not char.isalpha() and char != " "), 0)
        raise bad_search(f"character '{value[at : at + 1]}' is not valid at position {at} in '{value}'.")
    inner = re.sub(r"\\(.)", r"\1", quoted.group(1))
    if not inner.strip():
        raise bad_search("the search clause is empty.")
    return inner


class _Parser:
    """A recursive descent; one method per level of precedence (NOT > NEAR > AND and nothing > OR)."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(self._lex())
        self._next = 0
        self._field: str | None = None  # the property a parenthesis belongs to: subject:(a b)

    def _lex(self) -> Iterator[_Token]:
        at = 0
        while at < len(self._text):
            found = _TOKENS.match(self._text, at)
            if found is None:
                raise self._unexpected(at)
            kind = cast(str, found.lastgroup)
            if kind == "relation":
                yield _Token("property", found["property"].lower(), at, cast(Relation, found["relation"]))
            else:
                yield _Token(kind, found.group(), at)
            at = found.end()
        yield _Token("end", "", at)

    def _unexpected(self, at: int) -> Refusal:
        return bad_search(f"character '{self._text[at : at + 1]}' is not valid at position {at} in '{self._text}'.")

    @property
    def _here(self) -> _Token:
        return self._tokens[self._next]

    def _skip(self) -> None:
        if self._here.kind == "space":
            self._next += 1

    def _meets(self, kind: str, text: str) -> bool:
        if (self._here.kind, self._here.text) != (kind, text):
            return False
        self._next += 1
        return True

    def _take(self) -> _Token:
        token = self._here
        self._next += 1
        return token

    def end(self) -> None:
        if self._here.kind != "end":
            raise self._unexpected(self._here.at)

    def either(self) -> Search:
        parts = [self._all()]
        while self._meets("word", "OR"):
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def _all(self) -> Search:
        groups: list[Search] = [self._beside()]
        while True:
            if self._meets("word", "AND") or (self._here.kind, self._here.text) == ("word", "NOT"):
                groups.append(self._beside())
            else:
                return groups[0] if len(groups) == 1 else AllOf(tuple(groups))

    def _beside(self) -> Search:
        """Read terms that stand side by side: OR within one property, AND else (KQL syntax reference)."""
        runs: dict[object, list[Search]] = {}
        while True:
            self._skip()
            if self._here.kind == "word" and self._here.text == "NOT" and runs:
                break  # `a NOT b`: the level above reads on
            start = self._here
            name = start.text if start.kind == "property" else len(runs)
            runs.setdefault(name, []).append(self._near())
            self._skip()
            here = self._here
            if here.kind == "end" or here.text == ")" or (here.kind == "word" and here.text in ("AND", "OR")):
                break
        parts = tuple(run[0] if len(run) == 1 else AnyOf(tuple(run)) for run in runs.values())
        return parts[0] if len(parts) == 1 else AllOf(parts)

    def _near(self) -> Search:
        left = self._one()
        self._skip()
        while self._here.kind == "near":
            token = self._take()
            self._skip()
            right = self._one()
            self._skip()
            if not (isinstance(left, Term) and isinstance(right, Term) and left.field is None and right.field is None):
                raise self._unexpected(token.at)
            distance = re.search(r"\d+", token.text)
            left = Near(left, right, int(distance.group()) if distance else 8, ordered=token.text.startswith("O"))
        return left

    def _one(self) -> Search:
        token = self._take()
        if token.kind == "mark" and token.text == "(":
            tree = self.either()
            self._close()
            return tree
        if token.kind == "property":
            return self._restriction(token)
        if token.kind == "phrase":
            return self._term(self._field, token.text[1:-1], token, phrase=True)
        if token.kind == "word" and token.text == "NOT":
            self._skip()
            return Except(self._one())
        if token.kind == "word" and token.text not in ("AND", "OR"):
            if token.text[0] in "+-" and len(token.text) > 1:
                term = self._term(self._field, token.text[1:], token)
                return Except(term) if token.text[0] == "-" else term
            return self._term(self._field, token.text, token)
        raise self._unexpected(token.at)

    def _close(self) -> None:
        if not self._meets("mark", ")"):
            raise self._unexpected(self._here.at)

    def _term(self, field: str | None, text: str, token: _Token, *, phrase: bool = False, whole: bool = False) -> Term:
        if not text.strip():
            raise self._unexpected(token.at)  # empty values cannot be searched
        if phrase:
            return Term(field, text, whole=whole)
        # A colon or operator inside a bare word fails (graph-docs#15288), and so do typographic quotes and a `*` that
        # does not trail.
        bare = text.removesuffix("*")
        if re.search(r"[:=<>*\u201c\u201d\u201e\u00ab\u00bb]", bare) or not bare:
            raise self._unexpected(token.at)
        return Term(field, bare, open=text.endswith("*"), whole=whole)

    def _restriction(self, token: _Token) -> Search:
        field = token.text
        if self._field is not None or (
            field not in _TEXT_FIELDS and field not in (*_VALUES, "received", "sent", "size")
        ):
            raise self._unexpected(token.at)
        value = self._take()
        if value.kind == "mark" and value.text == "(" and field in _TEXT_FIELDS and token.relation == ":":
            self._field = field
            tree = self.either()
            self._field = None
            self._close()
            return tree
        if value.kind not in ("phrase", "word"):
            raise self._unexpected(value.at)
        text = value.text.strip('"')
        if field in ("received", "sent"):
            return self._days(field, token.relation, text, value)
        if field == "size":
            return self._size(token.relation, text, value)
        if token.relation not in (":", "=", "<>"):
            raise self._unexpected(token.at)
        found: Search
        if field in _TEXT_FIELDS:
            found = self._term(field, text, value, phrase=value.kind == "phrase", whole=token.relation == "=")
        elif text.lower() in _VALUES[field]:
            found = Word(field.removesuffix("s") if field == "hasattachments" else field, _VALUES[field][text.lower()])
        else:
            raise self._unexpected(value.at)
        return Except(found) if token.relation == "<>" else found

    def _days(self, field: str, relation: Relation, text: str, value: _Token) -> Search:
        first, dots, last = text.partition("..")
        day = self._day(first, value)
        if dots:
            if relation not in (":", "="):
                raise self._unexpected(value.at)
            return Days(field, day, self._day(last, value))
        one = dt.timedelta(days=1)
        match relation:
            case ":" | "=":
                return Days(field, day, day)
            case "<>":
                return Except(Days(field, day, day))
            case "<":
                return Days(field, None, day - one)
            case "<=":
                return Days(field, None, day)
            case ">":
                return Days(field, day + one, None)
            case ">=":
                return Days(field, day, None)

    def _day(self, text: str, value: _Token) -> dt.date:
        for form in _DATES:
            found = form.fullmatch(text)
            if found is not None:
                # A time of day is ignored (graph-docs-contrib#6951).
                try:
                    return dt.date(int(found["y"]), int(found["m"]), int(found["d"]))
                except ValueError:
                    break
        raise self._unexpected(value.at)

    def _size(self, relation: Relation, text: str, value: _Token) -> Search:
        least, dots, most = text.partition("..")
        if not least.isdecimal() or (dots and not (most.isdecimal() and relation in (":", "="))):
            raise self._unexpected(value.at)
        number = int(least)
        if dots:
            return Number(number, int(most))
        match relation:
            case ":" | "=":
                return Number(number, number)
            case "<>":
                return Except(Number(number, number))
            case "<":
                return Number(None, number - 1)
            case "<=":
                return Number(None, number)
            case ">":
                return Number(number + 1, None)
            case ">=":
                return Number(number, None)
