"""How text is cut into words, and label names are folded to keys."""

from __future__ import annotations

import re
import sys
import unicodedata

import pytest

from mailkit.query.keys import label_key
from mailkit.query.words import has_words, line, words

WORDS: dict[str, tuple[str, ...]] = {
    "": (),
    " -- & 🎉": (),
    "Dinner, then a Movie!": ("dinner", "then", "a", "movie"),
    "follow-up it's": ("follow", "up", "it", "s"),
    "bob@vendor.example": ("bob", "vendor", "example"),
    "john_smith _x_": ("john_smith", "_x_"),
    "3.14 10.0.0.1": ("3.14", "10.0.0.1"),
    "v1.2": ("v1", "2"),
    "1.2b": ("1", "2b"),
    "1.2.3b": ("1.2", "3b"),
    "3.14.": ("3.14",),
    "see...you": ("see", "you"),
    "1,234.50": ("1", "234.50"),
    "2026-031": ("2026", "031"),
    "CAFÉ cafe\u0301 Cafe": ("café", "café", "cafe"),
    "STRASSE straße": ("strasse", "strasse"),
    "ﬁle Ⅷ \uff12": ("file", "viii", "2"),
    "会议abc日本": ("会", "议", "abc", "日", "本"),
    "こんにちは カタ": ("こ", "ん", "に", "ち", "は", "カ", "タ"),
    "ｶﾞ": ("ガ",),
    "会3.14": ("会", "3.14"),
    "안녕 하세요": ("안녕", "하세요"),
    "हिन्दी": ("हिन्दी",),
    "a\u200bb a\u00adb": ("a", "b", "a", "b"),
    "a\x00b a\udc80b": ("a", "b", "a", "b"),
}


@pytest.mark.parametrize("text", WORDS)
def test_words(text: str) -> None:
    assert words(text) == WORDS[text]


def test_a_line_holds_phrases_as_substrings() -> None:
    assert line("Amy Stone") == " amy stone "
    assert line("y sto") not in line("Amy Stone")


def test_every_combining_mark_is_part_of_a_word() -> None:
    marks = [c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c).startswith("M")]
    split = [c for c in marks if len(words(f"a{c}b")) != 1]
    # A mark may be no mark in its compatibility form; one that still is must never split a word.
    assert [c for c in split if unicodedata.category(unicodedata.normalize("NFKC", c)[0]).startswith("M")] == []


def test_text_with_a_letter_or_digit_has_words() -> None:
    for char in map(chr, range(sys.maxunicode + 1)):
        assert not has_words(char) or words(char)


KEYS = {
    "work": "work",
    "Work/Clients": "work-clients",
    " Follow up ": "follow-up",
    "R&D": "r-d",
    "a  b": "a--b",
    'x"(y){z}|-': "x--y--z---",
    "2-Projets/R-EIGHTIES/P-H24": "2-projets-r-eighties-p-h24",
    "ＣＡＦÉ": "café",
    "“x”": "-x-",
    "a.b_c": "a.b_c",
    " ": "",
}


@pytest.mark.parametrize("name", KEYS)
def test_label_keys(name: str) -> None:
    assert label_key(name) == KEYS[name]


def test_a_key_is_its_own_key_and_can_stand_without_quotes() -> None:
    for char in map(chr, range(sys.maxunicode + 1)):
        key = label_key(f"a{char}b")
        assert label_key(key) == key
        assert not re.search(r"[\s(){}\"]", key)
