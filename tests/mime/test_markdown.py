"""HTML as Markdown: what is kept, what is dropped, that no word is lost, and that nothing stops it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.mime.html import html_to_text
from mailkit.mime.markdown import html_to_markdown

_DATA = "<table><tr><th>Item<th>Pieces</tr><tr><td>Pen<td>2</tr></table>"


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("", ""),
        ("plain", "plain"),
        ("<p>Hi <b>Bob</b> and <i>Amy</i></p><h2>News</h2>", "Hi **Bob** and *Amy*\n\n## News"),
        ('<a href="https://x.example/a?b=1&amp;c=2" title="t">here</a>', '[here](https://x.example/a?b=1&c=2 "t")'),
        ('<a href="https://x.example">https://x.example</a>', "<https://x.example>"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul><ol start=3><li>x<li>y</ol>", "- a\n  * b\n- c\n\n3. x\n4. y"),
        (_DATA, "| Item | Pieces |\n| --- | --- |\n| Pen | 2 |"),
        ("<table><tr><td>a|b<td>1<tr><td>c<td>2</table>", "| a\\|b | 1 |\n| --- | --- |\n| c | 2 |"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"),
        ("<pre>a\n  b * c</pre><code>x_y</code>", "```\na\n  b * c\n```\n\n`x_y`"),
        ("<div>one<br></div><div><br></div><div>two<br>three</div>", "one\n\ntwo  \nthree"),
        ("a&nbsp;&nbsp;b &#x110000; caf&eacute;", "a b � café"),
        ("# no<br>1. no<br>- no", "\\# no  \n1\\. no  \n\\- no"),
        ("1 < 2 <3 and a<b", "1 < 2 <3 and a\\<b"),
        ("a\x00b \ud800c", "ab ?c"),
        ("a<!-- no -->b<!--[if mso]><p>no</p><![endif]-->c<!-->d", "abcd"),
        ("<!--[if !mso]><!-->a<!--<![endif]--><![if !mso]>b<![endif]><?xml:namespace prefix='o' />c", "abc"),
        ("<p class=MsoNormal>Hi<o:p></o:p></p><p><o:p>&nbsp;</o:p></p><p>x<o:p>y</o:p></p>", "Hi\n\nxy"),
        ("<title>no</title><style>no</style><script>if (a < b) {}</script><template>no</template>x", "x"),
        ("<title>never closed<body>x", "never closed\n\nx"),
        ("<nav>menu</nav><form>ask<button>Go</button></form><footer>foot</footer>", "menu\n\nask\n\nGo\n\nfoot"),
        (
            "<div style='display:none'>first</div><p hidden>second</p><noscript>third</noscript>",
            "first\n\nsecond\n\nthird",
        ),
        ("<svg><text>drawn</text></svg> <video>seen</video>", "drawn seen"),
        ("<img alt='>' src=cid:a title='<b>'>x", '![>](cid:a "\\<b>")x'),
    ],
)
def test_markdown_of_html(html: str, markdown: str) -> None:
    assert html_to_markdown(html) == markdown


@pytest.mark.parametrize(
    ("picture", "markdown"),
    [
        ('<img src="https://x.example/l.png" alt="Logo" width=200>', "![Logo](https://x.example/l.png)"),
        ('<img src="cid:plan@x" alt="Plan">', "![Plan](cid:plan@x)"),
        ('<img src="data:image/png;base64,iVBORw0KGgo=" alt="a &lt; b">', "a < b"),
        ('<img src=" DATA:image/png;base64,iVBORw0KGgo=">', ""),
        ('<a href="https://x.example"><img src="cid:z" alt="Shop"></a>', "[![Shop](cid:z)](https://x.example)"),
        ('<img src="https://t.example/o.gif" width="1" height="1" alt="seen">', ""),
        ('<img src="https://t.example/o.gif" style="width:1px; height:1px">', ""),
        ('<img src="https://t.example/o.gif" style="display: none">', ""),
        ('<img src="https://t.example/o.gif" height="0">', ""),
        ('<img src="https://t.example/o.gif" style="opacity:0.00">', ""),
    ],
)
def test_pictures(picture: str, markdown: str) -> None:
    assert html_to_markdown(f"<div>{picture}</div>") == markdown


@pytest.mark.parametrize(
    "table",
    [
        "<table><tr><td>one</td></tr><tr><td>two</td></tr></table>",
        "<table><tr><td>one</td><td>two</td></tr></table>",
        "<table role=presentation><tr><td>one<td>two<tr><td>one<td>two</table>",
        "<table><tr><td><h1>one</h1><td>two<tr><td>one<td>two</table>",
        "<table><tr><td><p>one</p><p>two</p><td>two<tr><td>one<td>two</table>",
        "<table><tr><td>one<td>two<tr><td>one<td>two",
        "<tr><td>one</td></tr><tr><td>two</td></tr>",
        "<table><tr><td colspan=1000>one<tr><td>two</table>",
    ],
)
def test_tables_that_only_place_things_are_no_tables(table: str) -> None:
    markdown = html_to_markdown(table)
    assert "|" not in markdown
    assert markdown.split() == html_to_text(table).split() or "# one" in markdown


def test_a_table_of_data_stays_one_inside_tables_that_place_it() -> None:
    inner = f"<table width='100%'><tr><td>Dear Ann</td></tr><tr><td>{_DATA}</td></tr></table>"
    html = f"<table><tr><td>{inner}</td></tr></table>"
    assert html_to_markdown(html) == "Dear Ann\n\n| Item | Pieces |\n| --- | --- |\n| Pen | 2 |"


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("&lt;system&gt; &lt;/b&gt; &lt;!-- x --&gt;", "\\<system> \\</b> \\<!-- x -->"),
        ("<code>&lt;b&gt;</code> &lt;b&gt;<pre>&lt;i&gt;\n`</pre>", "`<b>` \\<b>\n\n```\n<i>\n`\n```"),
        ("Amy &lt;amy@x.example&gt; 1 &lt; 2", "Amy <amy@x.example> 1 < 2"),
        ('<a href="a b">x</a>', "[x](<a b>)"),
    ],
)
def test_what_looks_like_a_tag_stays_text(html: str, markdown: str) -> None:
    assert html_to_markdown(html) == markdown


@pytest.mark.parametrize("tag", ["div", "table><tr><td", "b", "blockquote", "ul><li", "font color=red"])
def test_deep_nesting_keeps_the_text(tag: str) -> None:
    for depth in (300, 5_000):
        assert "found" in html_to_markdown(f"<{tag}>" * depth + "found &amp; kept")


def test_a_text_the_converter_lost_is_taken_from_the_plain_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    import html_to_markdown as library

    monkeypatch.setattr(library, "convert", lambda html, _: library.ConversionResult(content=html.partition("two")[0]))
    assert html_to_markdown("<p>one</p><p>two</p>") == "one\n\ntwo"
    monkeypatch.setattr(library, "convert", lambda *_: 1 / 0)
    assert html_to_markdown("<p>one</p><p>two</p>") == "one\n\ntwo"


def test_the_converter_is_given_no_wide_table_of_few_cells() -> None:
    html = "<table><tr>" + "<td>x" * 2_000 + "<tr><td>y" * 2_000 + "</table>"
    assert len(html_to_markdown(html)) < 2 * len(html)


def test_marks_are_not_written_again_without_end() -> None:
    html = "<blockquote>" * 399 + "<p>x" * 100_000
    assert len(html_to_markdown(html)) < 10 * len(html)


_BOMBS = [
    *(
        "<!--",
        "<",
        "<a ",
        "<a b='",
        '<a b="',
        "<!",
        "<![",
        "</",
        "</a",
        "<?",
        "&",
        "<script>",
        "<script></script ",
        "<a b",
    ),
    *(
        "&amp;",
        "&nbsp;",
        "<b>",
        "<p><b>",
        "<div>",
        "<ul><li>",
        "<table><tr><td>",
        "<td>x",
        "<br>",
        "`",
        "``` ",
        "\n```\n",
    ),
    *(
        "<img alt=",
        "<img style='opacity:0",
        "<blockquote>",
        "<pre>",
        "[",
        "*",
        "&lt;a",
        "&lt;",
        "<p>x",
        "</div>",
        "\n> ",
    ),
    *("<style><!--", "<title>", "<svg>", "<select><option>", "<a href=x>", "<h1>", "<!-->", "x <i>y</i> ", "<dl><dt>"),
]


@pytest.mark.parametrize("piece", _BOMBS)
@pytest.mark.parametrize("end", ["", ">"])
def test_the_time_grows_with_the_length_alone(piece: str, end: str) -> None:
    html_to_markdown(piece * (300_000 // len(piece)) + end)  # minutes, if it grew with its square


def test_many_attributes_take_no_time() -> None:
    html_to_markdown("<p " + " ".join(f"a{number}=1" for number in range(100_000)) + ">found")


def test_a_mail_of_five_megabytes() -> None:
    line = "<p style='margin:0'>Some <b>words</b> and a <a href='https://x.example/1?a=1&amp;b=2'>link</a>.</p>\n"
    html = line * (5_000_000 // len(line))
    assert html_to_markdown(html).count("[link](https://x.example/1?a=1&b=2)") == html.count("<p")


_TAGS = [
    "p",
    "div",
    "b",
    "i",
    "a",
    "ul",
    "ol",
    "li",
    "table",
    "tr",
    "td",
    "th",
    "blockquote",
    "pre",
    "code",
    "h1",
    "font",
]
_PIECES = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in _TAGS] + [f"</{tag}>" for tag in _TAGS]),
    st.sampled_from(
        ["<br>", "<hr>", "<img src=cid:x alt=name>", "<a href='https://x.example/'>", "<!-- c -->", "&nbsp;", "<o:p>"]
    ),
    st.sampled_from(
        ["<!--", "-->", "<![", "<", ">", "'", '"', "&", "&lt;", "\x00", "`", "|", "*", "_", "\\", "<style>", "\ud800"]
    ),
    st.text(alphabet="abc \n", min_size=1, max_size=5),
)


@given(st.lists(_PIECES, max_size=40))
def test_never_raises(pieces: list[str]) -> None:
    html_to_markdown("".join(pieces)).encode()


@given(
    st.lists(
        st.one_of(st.sampled_from([f"<{tag}>" for tag in _TAGS]), st.text(alphabet="abc", min_size=1)), max_size=30
    )
)
def test_no_word_is_lost(pieces: list[str]) -> None:
    html = " ".join(pieces)
    found = html_to_markdown(html)
    at = 0
    for word in html_to_text(html).split():
        at = found.index(word, at) + len(word)


def test_little_but_tags_becomes_plain_text() -> None:
    assert html_to_markdown("<table>" + "<tr><td>a<td>b" * 50_000 + "</table>").split() == ["a", "b"] * 50_000
