"""Cuts text into the words a mail server's index holds.

Responsible for word breaking alone, for the sandbox's own use. Accents are kept apart, so that the server modelled
here is never more generous than the narrowest real one.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["is_run", "words"]

_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_NUMBER = r"\d+(?:\.\d+)+(?!\w)"


def words(text: str) -> list[str]:
    """Give the words of ``text``, folded: letters, digits, marks and ``_`` in a row, each CJK character by itself.

    Digits joined by dots are one word.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
    found: list[str] = []
    current = ""
    at = 0
    while at < len(folded):
        number = None if current else re.match(_NUMBER, folded[at:])
        char = folded[at]
        if number is not None:
            found.append(number.group())
            at += number.end()
            continue
        if re.match(f"[{_IDEOGRAPHS}]", char):
            found += [current, char] if current else [char]
            current = ""
        elif char == "_" or unicodedata.category(char)[0] in "LNM":
            current += char
        elif current:
            found.append(current)
            current = ""
        at += 1
    return [*found, current] if current else found


def is_run(wanted: list[str], text: list[str], *, prefix: bool, last_prefix: bool = False) -> bool:
    """Whether ``wanted`` stands in ``text`` as a run of consecutive words.

    With ``prefix`` every wanted word may be the beginning of a word; with ``last_prefix`` only the last one may.
    """

    def fits(index: int, word: str) -> bool:
        open_ended = prefix or (last_prefix and index == len(wanted) - 1)
        return word.startswith(wanted[index]) if open_ended else word == wanted[index]

    starts = range(len(text) - len(wanted) + 1)
    return any(all(fits(i, text[s + i]) for i in range(len(wanted))) for s in starts)
