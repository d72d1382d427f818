"""Which parts of a text value can be put to Outlook without losing a message that has its words.

Responsible for spellings: what folds to the same word here must be found there too, whatever the server folds. What is
not sure to be found is left out, which makes the answer wider, never wrong.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import product

from mailkit.query.spelling import MARKS, printable
from mailkit.query.words import has_words, words

__all__ = ["ascii_words", "phrases"]

_SIGMA, _FINAL_SIGMA = "\u03c3", "\u03c2"
_SPELLED_TWICE = re.compile(rf"(ss|{_SIGMA}(?!\w))")
_SPELLINGS = {"ss": ("ss", "ß"), _SIGMA: (_SIGMA, _FINAL_SIGMA)}
_MOST_TWICE = 2
"""Each place doubles the spellings, so a word with more of them is left out."""

# KQL ends a phrase at a quotation mark and reads a trailing ``*`` as a prefix; typographic marks are not supported
# (learn.microsoft.com/sharepoint/dev/general-development/keyword-query-language-kql-syntax-reference).
_NOT_IN_A_PHRASE = re.compile(rf"[{MARKS}\\*]")
_EDGES = " !#$%&'()+,-./:;<=>?@[]^`{|}~"
_DOTTED_I = "i\u0307"  # İ in lower case; no server is known to take the two for one


def ascii_words(value: str) -> Iterator[tuple[str, ...]]:
    """Give each word of plain ASCII as the spellings of which a text with that word has one as a substring."""
    for word in words(value):
        if word.isascii() and (found := _spellings(word)):
            yield found


def phrases(value: str) -> Iterator[tuple[str, ...]]:
    """Give the phrases to search for, each as its spellings: a text with the value has one of them, of each.

    Punctuation stays, so that the server breaks value and text at the same places. A Han, Hiragana or Katakana
    character is a word here, but part of a longer one to a server with a dictionary; those are left out.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", printable(value)).casefold())
    cut = "".join('"' if _is_word_alone(char) else char for char in folded)
    for part in _NOT_IN_A_PHRASE.split(cut):
        phrase = " ".join(part.split())
        whole = len(_SPELLED_TWICE.findall(phrase)) <= _MOST_TWICE
        for piece in (phrase,) if whole else phrase.split():
            text = piece.strip(_EDGES)
            if has_words(text) and _DOTTED_I not in text and (found := _spellings(text)):
                yield found


def _is_word_alone(char: str) -> bool:
    return not char.isascii() and len(words(f"x{char}x")) == 3


def _spellings(text: str) -> tuple[str, ...]:
    """Give ``text`` in every spelling that folds to it: ``straße`` for ``strasse``, and the final sigma."""
    parts = _SPELLED_TWICE.split(text)
    if len(parts) // 2 > _MOST_TWICE:
        return ()
    return tuple(map("".join, product(*(_SPELLINGS.get(part, (part,)) for part in parts))))
