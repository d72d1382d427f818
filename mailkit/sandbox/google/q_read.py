"""Gmail's search text, read into one test for messages. The judge's own reader: it shares nothing with mailkit's.

Source: support.google.com/mail/answer/7190. Like Gmail it never complains: a value that makes no sense matches
nothing, a group left open ends with the text. OR binds tighter than AND.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from mailkit.sandbox.google.q_tests import OPERATORS, Setting, Test, around, nothing, operator, place, text
from mailkit.sandbox.google.words import fold, words

_WORD = r'[^\s(){}"]+'
_TOKEN = re.compile(
    rf'\s*(?:(?P<open>[({{])|\+?"(?P<quoted>[^"]*)"?|(?P<minus>-(?=[^\s)}}]))'
    rf"|(?P<name>[A-Za-z][A-Za-z0-9_]*):|(?P<word>{_WORD}))"
)
_VALUE = re.compile(rf'\s*(?:(?P<open>[({{])|"(?P<quoted>[^"]*)"?|(?P<word>{_WORD}))')
_AROUND = re.compile(r'\s*AROUND\s*\(?\s*(\d+)\s*\)?(?=[\s({"]|$)')
_QUOTED_AROUND = re.compile(r"(.+?)\sAROUND\s*\(?\s*(\d+)\s*\)?\s(.+)")
_QUOTES = str.maketrans(dict.fromkeys("“”„‟\uff02", '"'))
_CLOSING = {"(": ")", "{": "}"}


@attrs.frozen
class Query:
    """A search that was read: the test, and whether trash and spam are mentioned positively, which lets them in."""

    test: Test
    trash: bool
    spam: bool


@attrs.frozen
class _Term:
    """Something read. ``text`` is its text where it is a bare one, for AROUND to take up."""

    test: Test
    text: str | None = None


def read(query: str, setting: Setting) -> Query:
    """Read search text for one account and moment."""
    reader = _Reader(query, setting)
    term = reader.everything("")
    return Query(term.test, trash="trash" in reader.let_in, spam="spam" in reader.let_in)


class _Reader:
    """Reads from left to right, from the loosest binding to the tightest.

    ``name`` is the operator whose group is being read (None: none; bare terms are texts), ``positive`` says whether an
    even number of negations stands above. Methods give None for what is no term: punctuation alone, or the end.
    """

    def __init__(self, query: str, setting: Setting) -> None:
        self._text = query.translate(_QUOTES)
        self._at = 0
        self._setting = setting
        self.let_in: set[str] = set()

    def everything(self, closing: str, name: str | None = None, *, positive: bool = True) -> _Term:
        """Read terms of which all must hold, up to the closing bracket."""
        terms: list[_Term | None] = []
        while not self._ends(closing):
            if not self._takes("AND"):
                terms.append(self._either(name, positive=positive))
        return _all(terms)

    def _either(self, name: str | None, *, positive: bool) -> _Term | None:
        terms = [self._near(name, positive=positive)]
        while self._takes("OR"):
            terms.append(self._near(name, positive=positive))
        return _any(terms)

    def _braces(self, name: str | None, *, positive: bool) -> _Term:
        items: list[_Term | None] = []
        while not self._ends("}"):
            if self._takes("OR"):
                continue
            item = [self._near(name, positive=positive)]
            while self._takes("AND"):
                item.append(self._near(name, positive=positive))
            items.append(_all(item) if any(item) else None)
        return _any(items) or _Term(nothing)

    def _near(self, name: str | None, *, positive: bool) -> _Term | None:
        term = left = self._one(name, positive=positive)
        while left is not None and left.text is not None and (found := self._match(_AROUND)):
            right = self._one(name, positive=positive)
            if right is None or right.text is None:
                return _all([term, right])
            close = _Term(self._around(left.text, right.text, int(found[1]), name, ordered=False))
            term, left = close if term is left else _all([term, close]), right
        return term

    def _one(self, name: str | None, *, positive: bool) -> _Term | None:
        if self._takes("NOT"):
            return _not(self._one(name, positive=not positive))
        start = self._at
        found = self._match(_TOKEN)
        if found is None:
            return None
        if found["minus"]:
            return _not(self._one(name, positive=not positive))
        if found["open"]:
            return self._group(found["open"], name, positive=positive)
        if found["name"] and (operator_name := fold(found["name"])) in OPERATORS:
            return self._value(operator_name, positive=positive)
        if found["name"]:  # no operator, so a word like any other: "Re:", "http://x"
            self._at = start
            found = self._match(_VALUE) or found
        quoted = found["quoted"] is not None
        return self._bare(name, found["quoted"] if quoted else found["word"], quoted=quoted, positive=positive)

    def _group(self, opening: str, name: str | None, *, positive: bool) -> _Term:
        if opening == "{":
            return self._braces(name, positive=positive)
        return self.everything(_CLOSING[opening], name, positive=positive)

    def _value(self, name: str, *, positive: bool) -> _Term:
        found = self._match(_VALUE)
        if found is None:
            return _Term(nothing)
        if found["open"]:
            return self._group(found["open"], name, positive=positive)
        quoted = found["quoted"] is not None
        value = found["quoted"] if quoted else found["word"]
        return self._bare(name, value, quoted=quoted, positive=positive) or _Term(nothing)

    def _bare(self, name: str | None, value: str, *, quoted: bool, positive: bool) -> _Term | None:
        if quoted and name in (None, "subject") and (found := _QUOTED_AROUND.fullmatch(value)):
            return _Term(self._around(found[1], found[3], int(found[2]), name, ordered=True))
        if not words(value):
            return None
        if name is None:
            return _Term(text(value), value)
        if name in ("in", "is", "label") and positive:
            self.let_in |= {"anywhere": {"trash", "spam"}}.get(place(value), {place(value)})
        return _Term(operator(name, value, self._setting, quoted=quoted), value)

    def _around(self, left: str, right: str, distance: int, name: str | None, *, ordered: bool) -> Test:
        if name not in (None, "subject"):
            return nothing
        return around(left, right, distance, ordered=ordered, subject=name == "subject")

    # -- the text ------------------------------------------------------------------------------------------------------

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self._text, self._at)
        if found:
            self._at = found.end()
        return found

    def _takes(self, word: str) -> bool:
        return self._match(re.compile(rf'\s*{word}(?=[\s(){{}}"]|$)')) is not None

    def _ends(self, closing: str) -> bool:
        while self._at < len(self._text) and (char := self._text[self._at]) in ")} \t\r\n":
            self._at += 1
            if char == closing:
                return True
        return self._match(re.compile(r"\s*$")) is not None


def _all(terms: Sequence[_Term | None]) -> _Term:
    real = [term for term in terms if term]
    if len(real) == 1:
        return real[0]
    tests = [term.test for term in real]
    return _Term(lambda letter: all(test(letter) for test in tests))


def _any(terms: Sequence[_Term | None]) -> _Term | None:
    real = [term for term in terms if term]
    if len(real) < 2:
        return real[0] if real else None
    tests = [term.test for term in real]
    return _Term(lambda letter: any(test(letter) for test in tests))


def _not(term: _Term | None) -> _Term | None:
    if term is None:
        return None
    test = term.test
    return _Term(lambda letter: not test(letter))
