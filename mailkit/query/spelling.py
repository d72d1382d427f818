"""What the text of a query can hold: quotation marks, blanks, keywords, and which values need quotes.

Gmail's syntax has no escapes, so what text cannot carry is replaced by something with the same words.
"""

from __future__ import annotations

import re

from mailkit.query.words import has_words

__all__ = [
    "KEYWORDS",
    "MARKS",
    "NEAR",
    "bare_exact",
    "bare_value",
    "bare_word",
    "plain_value",
    "plain_word",
    "printable",
    "quotable",
    "unordered",
]

KEYWORDS = frozenset({"AND", "OR", "NOT", "AROUND"})
"""Operators only in capitals; in lower case they are words."""

MARKS = '"\u00ab\u00bb\u201c\u201d\u201e\u201f\uff02'
"""Quotation marks. Any of them opens, any of them closes: keyboards mix them."""

NEAR = re.compile(r"(?<!\S)AROUND(?:\s+([0-9]+)|\s*\(\s*([0-9]+)\s*\))(?!\S)")
"""The operator inside quotation marks, where it asks for the order too (support.google.com/mail/answer/7190)."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_MARK = re.compile(f"[{MARKS}]")
_OPERATOR = re.compile(r"([A-Za-z0-9_]+):")
_UNBROKEN = re.compile(rf"[^\s(){{}}{MARKS}]+")
_PLAIN_WORD = re.compile(r"[^\W_][\w.@]*")
_PLAIN_VALUE = re.compile(r"[^\W_][\w.@-]*")


def printable(text: str) -> str:
    """Make control characters and lone surrogates blanks, one for one: no server takes them, no word has them."""
    return _CONTROL.sub(" ", text)


def quotable(text: str) -> str:
    """Give ``text`` with the same words and without what quotation marks cannot hold: marks and control characters."""
    return _MARK.sub(" ", printable(text)).strip()


def unordered(text: str) -> str:
    """Give ``text`` with the same words and without ``AROUND n``, which acts as an operator even in quotation marks."""
    return NEAR.sub(lambda near: near[0].lower(), text)


def bare_value(value: str) -> bool:
    """Say whether ``value`` can follow ``name:`` without quotes."""
    return _UNBROKEN.fullmatch(value) is not None and printable(value) == value


def bare_exact(value: str) -> bool:
    """Say whether ``value`` can stand without quotes after a plus, where no operator and no keyword is looked for."""
    return bare_value(value) and has_words(value) and value[0] != "+"


def bare_word(value: str, operators: frozenset[str]) -> bool:
    """Say whether ``value`` can stand alone without quotes and still be read as that word."""
    operator = _OPERATOR.match(value)
    return (
        bare_exact(value)
        and value[0] != "-"
        and value not in KEYWORDS
        and not (operator and operator[1].lower() in operators)
    )


def plain_word(value: str) -> bool:
    """Say whether every reader of this syntax takes ``value`` for one word, so that quotes add nothing."""
    return _PLAIN_WORD.fullmatch(value) is not None and value.upper() not in KEYWORDS


def plain_value(value: str) -> bool:
    """Say whether every reader takes ``value`` after ``name:`` for one value; a dash is then no sign."""
    return _PLAIN_VALUE.fullmatch(value) is not None and value.upper() not in KEYWORDS
