"""Write a tree as text: one form that parses back to it, one that every reader of the syntax takes the same way.

Every and/or inside another term stands in parentheses, so that no reader's idea of precedence matters.
"""

from __future__ import annotations

import datetime as dt
from typing import Literal, TypeAlias

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
from mailkit.query.operators import OPERATORS
from mailkit.query.spelling import bare_exact, bare_value, bare_word, plain_value, plain_word, quotable, unordered

__all__ = ["render", "write"]

Style: TypeAlias = Literal["canonical", "plain"]

_EARLIEST, _LATEST = 0, 99_999_999_999  # what epoch seconds of 9 to 11 digits can say


def render(expr: Expr) -> str:
    """Give the canonical text of a tree: ``parse(render(expr)) == expr`` for every tree that ``parse`` or ``Q`` made.

    In a tree made by hand, what quotation marks cannot hold is replaced by something with the same words.

    Raises:
        UsageError: the tree is too deep.
    """
    return write(expr, "canonical")


def write(expr: Expr, style: Style) -> str:
    """Write a tree; the ``plain`` style puts everything but the plainest words in quotation marks.

    Raises:
        UsageError: the tree is too deep.
    """
    return "" if isinstance(expr, All) else _Writer(style).top(bounded(expr))


class _Writer:
    def __init__(self, style: Style) -> None:
        self.style = style

    def top(self, expr: Expr) -> str:
        match expr:
            case All():
                return "in:all"  # beside other terms: restricts nothing, and does not widen the scope either
            case And(args):
                return " ".join(map(self.nested, args))
            case Or(args):
                return " OR ".join(map(self.nested, args))
            case Not(arg):
                return f"-{self.nested(arg)}"
            case Text(value, phrase, True):
                return f"+{self.text(value, phrase=phrase, exact=True)}"
            case Text(value, phrase):
                return self.text(value, phrase=phrase)
            case Around():
                return self.around(expr)
            case Field("subject", value, phrase):
                return f"subject:{self.value(unordered(value), phrase=phrase)}"
            case Field(name, value, phrase):
                return f"{name}:{self.value(value, phrase=phrase, verbatim=name == 'rfc822msgid')}"
            case Label(value):
                return f"label:{self.value(value)}"
            case Category(value) | Has(value) | In(value) | Is(value):
                return f"{type(expr).__name__.lower()}:{value}"
            case Date(rel, value):
                return f"{rel}:{_date(value)}"
            case Age(rel, n, unit):
                return f"{rel}_than:{n}{unit}"
            case Size(rel, size):
                return f"{rel}:{size}"

    def nested(self, expr: Expr) -> str:
        loose = isinstance(expr, And | Or) or (isinstance(expr, Around) and not expr.ordered and expr.field is None)
        return f"({self.top(expr)})" if loose else self.top(expr)

    def around(self, expr: Around) -> str:
        if expr.ordered:
            left, right = (unordered(quotable(side)) for side in (expr.left, expr.right))
            body = f'"{left} AROUND {expr.distance} {right}"'
            return f"{expr.field}:{body}" if expr.field else body
        body = f"{self.text(expr.left)} AROUND {expr.distance} {self.text(expr.right)}"
        return f"{expr.field}:({body})" if expr.field else body

    def text(self, value: str, *, phrase: bool = False, exact: bool = False) -> str:
        if self.style == "plain":
            bare = plain_word(value)
        else:
            bare = bare_exact(value) if exact else bare_word(value, OPERATORS)
        return value if bare and not phrase else f'"{unordered(quotable(value))}"'

    def value(self, value: str, *, phrase: bool = False, verbatim: bool = False) -> str:
        # A Message-ID is no text: it goes as it is wherever it can, since its punctuation is part of it.
        bare = bare_value(value) if self.style == "canonical" or verbatim else plain_value(value)
        return value if bare and not phrase else f'"{quotable(value)}"'


def _date(value: dt.date | int) -> str:
    if isinstance(value, int):
        return f"{min(max(value, _EARLIEST), _LATEST):09d}"
    return f"{value.year:04d}/{value.month:02d}/{value.day:02d}"
