"""What holds for every text: nothing raises, nothing is lost or made up, and time grows with the text alone."""

from __future__ import annotations

import re
import time
import tracemalloc
import unicodedata
from collections import Counter
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.mime.quoted import SplitText, split_html, split_text
from mailkit.mime.quoted import markup as quoted_markup
from mailkit.mime.quoted import text as quoted_text
from mailkit.models.body import Body

_LINES = [
    "",
    "Hello",
    "At ten.",
    "> quoted",
    ">",
    ">From here",
    "On 2 Apr 2012, Ann <ann@example.com> wrote:",
    "On 2 Apr 2012, Ann",
    "<ann@example.com> wrote:",
    "wrote:",
    "From: Ann <ann@example.com>",
    "Sent: Monday",
    "To: Bob",
    "Subject: Lunch",
    "-----Original Message-----",
    "---------- Forwarded message ----------",
    "________________",
    "-- ",
    "Sent from my iPhone",
    "bob@example.com",
    "+1 555 010-0199",
    "This email is confidential; if you are not the intended recipient, delete it.",
    "\u200b\ufeff",
]
_texts = st.lists(st.sampled_from(_LINES), max_size=25).map("\n".join) | st.text(max_size=80)
_NONE = set("\ufdd0\ufdd1\ufdd2\ufdd3")
_TAGS = [
    "<div>",
    "</div>",
    "<div class=gmail_quote>",
    "<blockquote>",
    "</blockquote>",
    "<div id=Signature>",
    "<hr>",
    "<br>",
]
_TAGS += [
    "<hr id=stopSpelling>",
    "<div id=divRplyFwdMsg>",
    "<p>",
    "</p>",
    "<span class=yahoo_quoted>",
    "</span>",
    "<!--",
    "-->",
]
_htmls = st.lists(
    st.sampled_from([*_TAGS, *_LINES]) | st.text(max_size=3).filter(lambda text: not _NONE & set(text)), max_size=25
).map("".join)


def _said(text: str) -> Counter[str]:
    return Counter(line for line in re.split(r"\r\n|\r|\n", text) if any(map(_is_seen, line)))


def _is_seen(char: str) -> bool:
    return not char.isspace() and unicodedata.category(char) != "Cf"


def _parts(split: SplitText) -> Counter[str]:
    return _said(split.new) + _said(split.quoted) + _said(split.signature)


@given(_texts)
def test_every_line_is_in_one_part(text: str) -> None:
    split = split_text(text)
    if split.new == text:  # where nothing is new, all of it is
        assert not _said(split.quoted) - _said(text)
        assert not _said(split.signature) - _said(text)
    else:
        assert _parts(split) == _said(text)


@given(_texts, _texts)
def test_no_line_beyond_those_looked_at_is_lost(text: str, said: str) -> None:
    with mock.patch.object(quoted_text, "LOOKED_AT", 3):
        for split in (split_text(text), split_text(text, said=said)):
            assert split.new == text or _parts(split) == _said(text)


@given(_htmls)
def test_html_of_more_lines_than_are_looked_at_loses_no_word(html: str) -> None:
    with mock.patch.object(quoted_markup, "LOOKED_AT", 3):
        split = split_html(html)
    whole = _letters(Body(html=html).text)
    assert whole in (_letters(split.new + split.quoted + split.signature), _letters(split.new))


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("> a\n" * 30_000 + "b", "b"),  # what is beyond counts as new unless all of it is marked
        ("a\n" + "> a\n" * 30_000, "a"),
        ("a\n" * 25_000 + "> b\n" * 5 + "-- \nAnn", ("a\n" * 25_000 + "> b\n" * 5 + "-- \nAnn")),
        ("a\nFrom: Ann <a@x.example>\nTo: b\nSubject: c\n\n" + "d\n" * 30_000, "a"),
    ],
)
def test_lines_beyond_those_looked_at(text: str, new: str) -> None:
    split = split_text(text)
    assert split.new.endswith(new)
    assert split.signature == ""
    assert _parts(split) == _said(text) or split.new == text


@pytest.mark.parametrize("unit", ["a\n", "ab\r\n", "> ab\n", "ab\n\n"])
def test_room_for_many_lines_is_bounded(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    tracemalloc.start()
    try:
        split_text(text)
        assert tracemalloc.get_traced_memory()[1] < 7 * len(text)
    finally:
        tracemalloc.stop()


@given(_texts)
def test_new_is_never_empty_where_there_is_text(text: str) -> None:
    assert bool(split_text(text).new.strip()) is bool(text.strip())


@given(_texts, _texts)
def test_a_hint_loses_nothing_either(text: str, said: str) -> None:
    split = split_text(text, said=said)
    assert split.new == text or _parts(split) == _said(text)


@given(st.lists(st.sampled_from(_LINES[:9]), max_size=25).map("\n".join))
def test_what_is_new_stays_new(text: str) -> None:
    new = split_text(text).new
    assert split_text(new).new == new


def _letters(text: str) -> Counter[str]:
    return Counter(filter(_is_seen, text))


@given(_htmls)
def test_html_raises_nothing_and_loses_no_word(html: str) -> None:
    split = split_html(html)
    whole = _letters(Body(html=html).text)
    assert bool(_letters(split.new)) is bool(whole)
    parts = _letters(split.new + split.quoted + split.signature)
    assert whole in (parts, _letters(split.new))
    assert not _NONE & set(parts)


@pytest.mark.parametrize(
    "unit",
    [
        "a word\n",
        "> a\n",
        "-- \n",
        "-----\n",
        "From: a\n",
        "wrote:\n",
        "On 2 Apr 2012, Ann wrote:\n> x\nyes\n",
        ">" * 80,
        " " * 80,
        "<blockquote>From: a<br>Sent: b<br>Subject: c</blockquote>x",
        "<div class=gmail_quote>",
        "<blockquote>",
        "<!--",
        '<div class="',
    ],
)
def test_time_grows_with_the_text(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        begun = time.process_time()
        split_text(text)
        split_html(text)
        return time.process_time() - begun

    assert min(seconds(80_000) for _ in range(2)) < 10 * max(min(seconds(20_000) for _ in range(2)), 0.01)
