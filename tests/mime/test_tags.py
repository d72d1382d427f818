"""Where tags begin and end, as browsers see it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.mime.tags import (
    attributes_of,
    each_tag,
    has_many_tags,
    is_outsized,
    names_of,
    split_tags,
    written_tag,
)


@pytest.mark.parametrize(
    ("html", "tags"),
    [
        ("a<b>c</b>d", ["<b>", "</b>"]),
        ("<p a=\"x>y\" b='>' c=q>t", ["<p a=\"x>y\" b='>' c=q>"]),
        ("<a title=it's>x", ["<a title=it's>"]),
        ('<a">x<a/=">b"c>', ['<a">', '<a/=">']),
        ("1 < 2 <3 </ x> <!-- <b> --> <?c>", ["<b>"]),
        ('<a b="', ['<a b="']),
        ("<o:p>x</o:p >", ["<o:p>", "</o:p >"]),
    ],
)
def test_tags_are_found(html: str, tags: list[str]) -> None:
    assert split_tags(html)[1::2] == tags


@pytest.mark.parametrize(
    ("tag", "attributes"),
    [
        ("<img SRC=a src=b alt='c \"d\"' hidden>", {"src": "a", "alt": 'c "d"', "hidden": ""}),
        ("<img/src=a/b alt = \"c\"title='d'>", {"src": "a/b", "alt": "c", "title": "d"}),
        ("<a href='?a=1&amp;b=2'>", {"href": "?a=1&b=2"}),
        ("<a>", {}),
        ('<a b="c', {"b": "c"}),
    ],
)
def test_attributes_are_read(tag: str, attributes: dict[str, str]) -> None:
    assert attributes_of(tag) == attributes


@given(st.text(alphabet="<>/ab='\" \n!-&;"))
def test_nothing_is_lost_between_tags(html: str) -> None:
    pieces = split_tags(html)
    assert "".join(pieces) == html
    assert all(name.strip("/") for name in names_of(pieces[1::2]))


@given(st.dictionaries(st.sampled_from(["src", "alt", "title"]), st.text(max_size=20)))
def test_a_written_tag_says_the_same(attributes: dict[str, str]) -> None:
    tag = written_tag("img", attributes)
    assert split_tags(f"x{tag}x") == ["x", tag, "x"]
    assert attributes_of(tag) == attributes


@pytest.mark.parametrize(
    ("html", "outsized"),
    [
        ("<div>" * 401, True),
        ("<div>" * 399, False),
        ("<div></x>" * 401, True),
        ("<div></div>" * 10_000, False),
        ("<p>" * 10_000 + "<br>" * 10_000 + "<li>" * 10_000, False),
        ("<p><b>" * 390, False),
        ("<b>" * 390 + "<p>x" * 100_000, True),
        ("<blockquote>" * 60 + "<div>x</div>" * 5_000, False),
        ("<p " + "a=1 " * 1_000 + ">", True),
        (f"<img src='data:image/png;base64,{'A' * 100_000}'><p a=1 b=2>", False),
    ],
)
def test_what_a_tree_cannot_bear_is_told(html: str, outsized: bool) -> None:
    tags = split_tags(html)[1::2]
    named = [*zip(tags, names_of(tags), strict=True)]
    assert is_outsized(named, len(html)) is outsized
    assert [(tag, name) for tag, name, _ in each_tag(html)] == named


def test_little_but_tags() -> None:
    assert has_many_tags("<p>a</p>" * 20_000)
    assert not has_many_tags("<p>a</p>" * 9_000)
    assert not has_many_tags("<p>Some words that <b>tell</b> something.</p>" * 100_000)
