"""Character references: what browsers show, and numbers of any length."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit import Body
from mailkit.mime.entities import unescape, with_short_numbers
from mailkit.mime.markdown import html_to_markdown


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("&#65;&#0000000065;&#" + "0" * 5_000 + "65;", "AAA"),
        ("&#" + "9" * 5_000 + ";!", "\ufffd!"),
        ("&#" + "9" * 5_000, "\ufffd"),
        ("&#" + "0" * 5_000 + ";!", "\ufffd!"),
        ("&#00000000128512;&#000000001114112;", "😀\ufffd"),
        ("&#x" + "0" * 5_000 + "41;&#x" + "f" * 5_000 + ";", "A\ufffd"),
        ("&amp;#65; &# 12345678 &copy;", "&#65; &# 12345678 ©"),
    ],
)
def test_a_reference_of_any_length(written: str, shown: str) -> None:
    assert unescape(written) == shown


@given(st.from_regex(r"(?:a|&#0{0,12}[0-9]{1,9}[;x]|&lt;?){0,6}", fullmatch=True))
def test_shortening_changes_nothing_that_is_shown(written: str) -> None:
    assert html.unescape(with_short_numbers(written)) == html.unescape(written)


@pytest.mark.parametrize("number", ["9" * 5_000, "0" * 5_000 + "65"])
@pytest.mark.parametrize(
    "markup",
    [
        "<p>Hi &#{};</p>",
        "<a href='&#{};'>Hi</a>",
        "<div class='&#{};' style='&#{};'>Hi</div>",
        "<img alt='&#{};' src='cid:a'>Hi",
        "<pre>Hi &#{}</pre>",
        "<title>&#{};</title>Hi",
    ],
)
def test_no_body_fails_at_a_number(markup: str, number: str) -> None:
    body = Body(html=markup.replace("{}", number))
    for read in (body.text, body.new, body.markdown, body.safe_html(), html_to_markdown(body.html or "")):
        assert "Hi" in read
