"""Words: how text is cut before anything is compared.

Whole words only: no stemming, no prefixes, accents kept apart. Query values and message fields are cut the same way, so
a value with punctuation (``follow-up``, ``bob@vendor.example``) is the phrase of its words.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

__all__ = ["has_words", "line", "words"]

_IDEOGRAPHS = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\U0001aff0-\U0001b16f"
_ONE_WORD_EACH = re.compile(f"[{_IDEOGRAPHS}{_KANA}]")


def words(text: str) -> tuple[str, ...]:
    """Cut ``text`` into words, compatibility forms and case folded away.

    A word is a run of letters, digits, combining marks and ``_``; each Han, Hiragana or Katakana character is a word of
    its own; digits joined by dots (``3.14``) are one word, since to Gmail a dot makes a decimal while a space or dash
    splits numbers (support.google.com/mail/answer/7190).
    """
    if text.isascii():
        return tuple(_ascii_word().findall(text.casefold()))
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
    return tuple(_any_word().findall(_ONE_WORD_EACH.sub(r" \g<0> ", folded)))


def line(text: str) -> str:
    """Give the words of ``text`` with one blank before, between and after, so that a phrase is a substring."""
    return f" {' '.join(words(text))} "


def has_words(text: str) -> bool:
    """Say whether ``text`` has a letter or digit; Gmail's search has no use for anything else."""
    return any(c.isalnum() for c in unicodedata.normalize("NFKC", text))


def _word_pattern(extra: str) -> re.Pattern[str]:
    inside = rf"[\w{extra}]"
    return re.compile(rf"\d++(?:\.\d++(?!{inside}))+(?!{inside})|{inside}+")


@cache
def _ascii_word() -> re.Pattern[str]:
    return _word_pattern("")


@cache
def _any_word() -> re.Pattern[str]:
    # ``\w`` lacks combining marks. They are collected once, on the first text that is not ASCII; Unicode has them all
    # in planes 0, 1 and at the start of 14.
    places = (*range(0x300, 0x20000), *range(0xE0000, 0xE0200))
    marks = (chr(n) for n in places if unicodedata.category(chr(n)).startswith("M"))
    return _word_pattern("".join(marks))
