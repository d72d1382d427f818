"""Cuts text into the words a mail server's index holds.

Responsible for word breaking alone. Accents are kept apart, so that the server modelled here is never more generous
than the narrowest real one. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

__all__ = ["is_run", "words"]

# Han, Hiragana and Katakana (unicode.org/Public/UNIDATA/Scripts.txt).
_IDEOGRAPH = re.compile(
    "[\u3005\u3007\u3021-\u3029\u3038-\u303b\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def words(text: str) -> list[str]:
    """Give the words of ``text``, folded: letters, digits, marks and ``_`` in a row, each CJK character by itself.

    Digits joined by dots are one word.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
    found: list[str] = []
    last_end = 0
    for start, end in _spans(folded):
        word = folded[start:end]
        dotted = found and last_end == start - 1 and folded[last_end] == "."
        if dotted and word.isdecimal() and found[-1].replace(".", "").isdecimal():
            found[-1] += f".{word}"
        else:
            found.append(word)
        last_end = end
    return found


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for at, char in enumerate(text):
        alone = _IDEOGRAPH.match(char)
        if not alone and _is_part(char):
            continue
        if start < at:
            yield start, at
        if alone:
            yield at, at + 1
        start = at + 1
    if start < len(text):
        yield start, len(text)


def _is_part(char: str) -> bool:
    return char.isalnum() or char == "_" or unicodedata.category(char).startswith("M")


def is_run(wanted: Sequence[str], text: Sequence[str], *, prefix: bool, open_end: bool = False) -> bool:
    """Whether ``wanted`` stands in ``text`` as a run of consecutive words.

    With ``prefix`` every wanted word may be the beginning of a word, with ``open_end`` the last one may.
    """

    def fits(index: int, word: str) -> bool:
        begins = prefix or (open_end and index == len(wanted) - 1)
        return word.startswith(wanted[index]) if begins else word == wanted[index]

    starts = range(len(text) - len(wanted) + 1)
    return any(all(fits(i, text[s + i]) for i in range(len(wanted))) for s in starts)
