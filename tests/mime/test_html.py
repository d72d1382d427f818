"""The plain text pass over HTML: what is kept, what is dropped, and that nothing stops it."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.mime.html import html_to_text

_PIECES = [
    *"<>![]-/&#; x'\"\x00",
    "<p>",
    "<!--",
    "-->",
    "<style>",
    "</style>",
    "<![CDATA[",
    "<pre>",
    "</",
    "<?",
    "&#x110000;",
]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("", ""),
        ("plain", "plain"),
        ("<p>Hi &amp; <b>bye</b></p>", "Hi & bye"),
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<div>one</div><div>two<br>three</div>", "one\ntwo\nthree"),
        ("<div>one<br></div><div><br></div> <div>two</div>", "one\n\ntwo"),
        ("one<br> <br>two", "one\n\ntwo"),
        ("a<br/>b<br>c</br>d", "a\nb\ncd"),
        ("<ul><li>x<li>y</ul>z", "x\ny\n\nz"),
        ("<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>", "1 2\n3"),
        ("  a \n\t b&nbsp;&nbsp;c  ", "a b c"),
        ("<pre>a\nb</pre>", "a\nb"),
        ("<head><title>t</title><style>p{}</style></head><body>x<script>if (a < b) {}</script>y</body>", "xy"),
        ("<title>never closed<body>x", "x"),
        ("a<!-- no -->b<!--[if mso]><p>no</p><![endif]-->c", "abc"),
        ("a <!-- never closed <b>b</b>", "a never closed b"),
        ("<![if !mso]>ok<![endif]><![wrong[x]]>", "ok"),
        ("1 < 2 <3 and a<b", "1 < 2 <3 and a<b"),
        ("caf&eacute; &#128512; &unknown; &", "café 😀 &unknown; &"),
    ],
)
def test_text_of_html(html: str, text: str) -> None:
    assert html_to_text(html) == text


def test_deep_nesting_keeps_the_text() -> None:
    assert html_to_text("<div>" * 5_000 + "found" + "</div>" * 5_000) == "found"
    assert html_to_text("<table><tr><td>" * 5_000 + "found") == "found"


@pytest.mark.parametrize(
    "piece", ["<!--", "<", "<a ", "<a b='", '<a b="', "<!", "<![", "</", "</a", "<?", "&", "<script>"]
)
@pytest.mark.parametrize("end", ["", ">"])
def test_a_mail_of_unfinished_markup_is_read_in_one_pass(piece: str, end: str) -> None:
    html_to_text(piece * 100_000 + end)  # minutes, if the time grew with the square of the length


@given(st.lists(st.sampled_from(_PIECES)))
def test_never_raises(pieces: list[str]) -> None:
    html_to_text("".join(pieces))


@given(st.lists(st.text(alphabet="abc ", min_size=1), min_size=1))
def test_no_word_is_lost(words: list[str]) -> None:
    html = "".join(f"<div><p>{word}</p></div>" for word in words)
    assert html_to_text(html).split() == " ".join(words).split()


@pytest.mark.parametrize("piece", ["<p>ab</p>", "<br>ab", "<td>ab</td>", "<div>ab ", "<p>"])
def test_the_room_it_takes_is_bounded(piece: str) -> None:
    html = piece * (1_000_000 // len(piece))
    tracemalloc.start()
    try:
        html_to_text(html)
        assert tracemalloc.get_traced_memory()[1] < 5 * len(html)
    finally:
        tracemalloc.stop()


def test_lines_that_are_set_as_they_are_keep_their_blanks() -> None:
    html = (
        "<p>a   b</p><pre>def f():\r\n    if x:\n\treturn  1  \n   \n\n    y</pre>c   d<pre>   </pre><pre>\n \n</pre> e"
    )
    assert html_to_text(html) == "a b\n\ndef f():\n    if x:\n    return  1\n\n    y\n\nc d\n\ne"
    html_to_text("<pre>" + " " * 400_000 + "x" + " \n" * 200_000)  # minutes, if it grew with the square
