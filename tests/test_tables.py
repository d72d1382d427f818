"""Tables of untrusted text."""

from __future__ import annotations

import html
from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from mailkit.tables import Table, clean, screen_width, shorten

few = settings(max_examples=60, deadline=None)
cells = st.text(max_size=30)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)


@few
@given(st.lists(st.tuples(cells, cells), max_size=4), cells)
def test_no_cell_adds_a_tag(rows: list[tuple[str, str]], remark: str) -> None:
    page = Table(columns=("<a>", "b"), rows=tuple(rows), remarks=(remark,)).to_html()
    reader = Tags()
    reader.feed(page)
    assert reader.tags == ["table", "thead", "tr", "th", "th", "tbody", *["tr", "td", "td"] * len(rows), "p"]


@few
@given(st.lists(st.tuples(cells, cells), max_size=4), st.integers(20, 100))
def test_every_row_is_one_line_within_the_width(rows: list[tuple[str, str]], width: int) -> None:
    lines = Table(columns=("a", "b"), rows=tuple(rows)).to_text(width=width).split("\n")
    assert len(lines) == 2 + len(rows)
    assert all(screen_width(line) <= width for line in lines)


@few
@given(st.text(), st.integers(1, 20))
def test_shortened_text_fits_and_is_a_beginning(text: str, width: int) -> None:
    short = shorten(text, width)
    assert screen_width(short) <= width
    assert short == text or text.startswith(short.removesuffix("…"))


def test_what_controls_a_screen_is_made_visible() -> None:
    assert clean("a\x1b[31mb\r\nc\u202ed\u2066e\x00") == "a\ufffd[31mb  c\ufffdd\ufffde\ufffd"
    assert clean("\ud800") == "\ufffd"


def test_width_counts_screen_cells() -> None:
    assert screen_width("日本") == 4
    assert screen_width("e\u0301") == 1
    assert screen_width("a\u200bb") == 2


def test_columns_line_up_beside_wide_characters() -> None:
    table = Table(columns=("name", "n"), rows=(("日本", "1"), ("abcd", "2")))
    assert table.to_text() == "name  n\n────  ─\n日本  1\nabcd  2"


def test_the_widest_column_gives_way() -> None:
    table = Table(columns=("id", "text"), rows=(("1234", "x" * 50),))
    assert table.to_text(width=20).splitlines()[-1] == "1234  " + "x" * 13 + "…"


def test_html_says_the_same_text() -> None:
    assert html.escape("a & b") in Table(columns=("x",), rows=(("a & b",),)).to_html()
