"""Large HTML in portions: nothing between them is lost, and nothing that belongs together is cut."""

from __future__ import annotations

import pytest

from mailkit.mime.markdown import html_to_markdown
from mailkit.mime.portions import portions

_MANY = 20_000


def test_small_html_is_one_portion() -> None:
    assert [*portions("<p>a</p>" * 100)] == ["<p>a</p>" * 100]


@pytest.mark.parametrize("line", ["<p>a line</p>", "a line<br>", "<div>a <b>line</b></div>", "<p>unclosed</div>"])
def test_portions_together_are_the_html(line: str) -> None:
    cut = [*portions(f"<div class=x>{line * _MANY}</div>")]
    assert len(cut) > 1
    assert "".join(cut) == f"<div class=x>{line * _MANY}</div>"


def test_quotes_are_begun_again() -> None:
    html = "<blockquote>one" + "<div>words</div>" * _MANY + "</blockquote><p>end</p>"
    assert all(portion.startswith("<blockquote>") for portion in portions(html))
    lines = html_to_markdown(html).split("\n\n")
    assert lines.pop() == "end"
    assert {line.removeprefix(">\n") for text in lines for line in text.split("\n")} == {"> one", ">", "> words"}


@pytest.mark.parametrize("tag", ["table", "ul", "pre", "b", "font"])
def test_what_is_held_together_is_not_cut(tag: str) -> None:
    html = f"<{tag}>" + "<p>words<br></p>" * _MANY + "</table>" * (tag == "table")
    assert [portion for portion in portions(html) if portion] == [html]
