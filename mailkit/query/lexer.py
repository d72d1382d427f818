"""Cut a query into tokens: brackets, operators, values, words and the marks before them.

One pass, linear in the text. Runs without a letter or digit vanish here; nothing else does. Joins nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NoReturn, TypeAlias

import attrs

from mailkit.errors import InvalidQuery
from mailkit.query.operators import OPERATORS
from mailkit.query.spelling import KEYWORDS, MARKS
from mailkit.query.words import has_words

__all__ = ["Token", "refuse", "tokens"]

Kind: TypeAlias = Literal["open", "close", "operator", "value", "word", "keyword", "minus", "end"]

_BLANK = re.compile(r"\s*")
_MARK = re.compile(f"[{MARKS}]")
_CHUNK = re.compile(rf"[^\s(){{}}{MARKS}]+")
_SIGNED = re.compile(r"(-*)(\+*)(.*)", re.DOTALL)
_OPERATOR = re.compile(r"([A-Za-z0-9_]+):(.*)", re.DOTALL)


@attrs.frozen
class Token:
    """A piece of the query. ``quoted``: it stood in quotation marks; ``exact``: a plus stood before it."""

    kind: Kind
    text: str
    position: int
    quoted: bool = False
    exact: bool = False


def refuse(query: str, position: int, code: str, message: str) -> NoReturn:
    """Raise the error of a query that cannot be read."""
    raise InvalidQuery(message, code=code, query=query, position=position)


def tokens(query: str) -> list[Token]:
    """Cut ``query``, printable text, into tokens; the last is always of kind ``end``.

    Raises:
        InvalidQuery: ``unbalanced_quote``, or ``missing_value`` after an operator.
    """
    return list(_Lexer(query).run())


class _Lexer:
    def __init__(self, query: str) -> None:
        self.query = query
        self.at = 0

    def run(self) -> Iterator[Token]:
        while self._skip_blanks():
            start, head = self.at, self.query[self.at]
            if head in "({":
                yield self._bracket("open")
            elif head in ")}":
                yield self._bracket("close")
            elif head in MARKS:
                value = self._quoted()
                if has_words(value):
                    yield Token("word", value, start, quoted=True)
            else:
                yield from self._chunk()
        yield Token("end", "", self.at)

    def _skip_blanks(self) -> bool:
        blanks = _BLANK.match(self.query, self.at)
        self.at = blanks.end() if blanks else self.at
        return self.at < len(self.query)

    def _next(self) -> str:
        return self.query[self.at : self.at + 1]

    def _bracket(self, kind: Literal["open", "close"]) -> Token:
        self.at += 1
        return Token(kind, self.query[self.at - 1], self.at - 1)

    def _quoted(self) -> str:
        start = self.at
        closing = _MARK.search(self.query, start + 1)
        if closing is None:
            refuse(self.query, start, "unbalanced_quote", "close the quotation mark, or leave it out")
        self.at = closing.end()
        return self.query[start + 1 : closing.start()].strip()

    def _unbroken(self) -> str:
        """Take the characters up to the next blank, bracket or quotation mark."""
        chunk = _CHUNK.match(self.query, self.at)
        self.at = chunk.end() if chunk else self.at
        return chunk[0] if chunk else ""

    def _chunk(self) -> Iterator[Token]:
        """Read signs, then an operator with its value, a keyword, or a word."""
        start = self.at
        chunk = self._unbroken()
        signs = _SIGNED.fullmatch(chunk)
        minuses, pluses, rest = signs.groups() if signs else ("", "", chunk)
        here = start + len(chunk) - len(rest)
        minus = [Token("minus", "-", start + n) for n in range(len(minuses))]
        if not rest and self._next() and self._next() in MARKS:
            value = self._quoted()
            if has_words(value):
                yield from minus
                yield Token("word", value, here, quoted=True, exact=bool(pluses))
        elif not rest and self._next() in ("(", "{"):
            yield from minus
        elif not has_words(rest):
            return
        elif pluses:
            yield from minus
            yield Token("word", rest, here, exact=True)
        elif rest in KEYWORDS:
            yield from minus
            yield Token("keyword", rest, here)
        elif (found := _OPERATOR.fullmatch(rest)) and found[1].lower() in OPERATORS:
            yield from minus
            yield Token("operator", found[1].lower(), here)
            yield from self._value(here, here + len(found[1]) + 1, found[2])
        else:
            yield from minus
            yield Token("word", rest, here)

    def _value(self, operator: int, start: int, touching: str) -> Iterator[Token]:
        """Read what follows an operator's colon, unless it is a group: that is the parser's business."""
        if touching:
            yield Token("value", touching, start)
            return
        self._skip_blanks()
        start = self.at
        if self._next() in ("(", "{"):
            return
        if self._next() and self._next() in MARKS:
            yield Token("value", self._quoted(), start, quoted=True)
            return
        value = self._unbroken()
        named = _OPERATOR.fullmatch(value)
        if not value or value[0] == "-" or value in KEYWORDS or (named and named[1].lower() in OPERATORS):
            refuse(
                self.query,
                operator,
                "missing_value",
                "write a value after the colon, or quote the word to find it as text",
            )
        yield Token("value", value, start)
