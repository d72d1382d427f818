"""HTML for showing: what stays, what goes, and that nothing gets past."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.mime.html import html_to_text
from mailkit.mime.safe_html import safe_html, text_as_html

_LINK = 'target="_blank" rel="noopener noreferrer nofollow"'
_STYLE = re.compile(r"url|expression|image|@|javascript|behavior|binding|position|\\|/\*", re.IGNORECASE)


class _Judge(HTMLParser):
    """Reads what is shown as a browser's tokenizer would, and knows nothing of how it was made."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def _tags(html: str) -> list[tuple[str, dict[str, str | None]]]:
    judge = _Judge()
    judge.feed(html)
    judge.close()
    return judge.tags


def _wrong(html: str, *, remote: bool = False) -> Iterator[str]:
    """Say what of ``html`` runs, asks or loads."""
    sources = r"cid:|data:image/(png|jpeg|gif|webp)[;,]" + (r"|https?:" if remote else "")
    for tag, attributes in _tags(html):
        if tag in {
            "script",
            "style",
            "form",
            "input",
            "button",
            "iframe",
            "object",
            "embed",
            "link",
            "meta",
            "base",
            "svg",
        }:
            yield tag
        for name, value in attributes.items():
            said = value or ""
            if name.startswith("on") or name in {"srcset", "background", "action", "formaction", "class", "id", "name"}:
                yield name
            if name == "href" and not re.match(r"(https?|mailto|tel):", said, re.IGNORECASE):
                yield f"href {said}"
            if name == "src" and not (tag == "img" and re.match(sources, said, re.IGNORECASE)):
                yield f"src {said}"
            if name == "style" and _STYLE.search(said):
                yield f"style {said}"
        if tag == "a" and (attributes.get("target"), attributes.get("rel")) != (
            "_blank",
            "noopener noreferrer nofollow",
        ):
            yield "a link without its marks"


def _checked(html: str) -> str:
    for remote in (True, False):
        shown = safe_html(html, remote_images=remote)
        assert [*_wrong(shown, remote=remote)] == []
        assert safe_html(shown, remote_images=remote) == shown
    return shown


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("", ""),
        ("a &lt;b&gt; &amp; \xa0", "a &lt;b&gt; &amp; &nbsp;"),
        ("<p align=center>Hi <b>Bob", '<p align="center">Hi <b>Bob</b></p>'),
        ("<table><tr><td bgcolor=red>x", '<table><tbody><tr><td bgcolor="red">x</td></tr></tbody></table>'),
        ("a\x00b \ud800", "ab ?"),
        ('<a href="https://x.example/?a=1&amp;b=2">x</a>', f'<a href="https://x.example/?a=1&amp;b=2" {_LINK}>x</a>'),
        ("<a href=mailto:a@b.example>x</a>", f'<a href="mailto:a@b.example" {_LINK}>x</a>'),
        ("<a href=' TEL:+1\t2'>x</a>", f'<a href="TEL:+12" {_LINK}>x</a>'),
        ("<a href='#top'>x</a>", f"<a {_LINK}>x</a>"),
        ("<form action=https://x.example>a<input value=b><button>c</button></form>", "ac"),
        ("<title>a</title><style>b</style><script>c</script><noscript>d</noscript>e", "e"),
        ("<!--[if mso]>a<![endif]--><![if !mso]>b<![endif]><o:p>c</o:p>", "bc"),
        ("<body background=https://x.example/a.png class=b id=c><p name=d>e", "<p>e</p>"),
    ],
)
def test_html_that_is_shown(html: str, shown: str) -> None:
    assert _checked(html) == shown


@pytest.mark.parametrize(
    ("style", "shown"),
    [
        ("color: red; FONT-SIZE :12px;", "color:red;font-size:12px"),
        ("font-family:'Segoe UI', \"Arial\", sans-serif", "font-family:'Segoe UI', &quot;Arial&quot;, sans-serif"),
        ("background:#fff url(https://x.example/a.png);border:1px solid rgb(1, 2, 3)", "border:1px solid rgb(1, 2, 3)"),
        ("background-image:url(https://x.example/a.png)", ""),
        ("position:fixed;top:0;z-index:9;margin:0 -900px;text-indent:-9px", ""),
        ("width:expression(alert(1));color:e\\78pression(1)", ""),
        ("color:u\\72l(https://x.example);background:image-set('https://x.example/a.png' 1x)", ""),
        ("color:red/*;*/;behavior:url(x);-moz-binding:url(x)", ""),
        ("font-family:'a;position:fixed;color:red'", ""),
        (
            "margin-top:3px!important;padding:calc(1px + 2px);border-left-color:blue",
            "margin-top:3px!important;border-left-color:blue",
        ),
        ("display:none", "display:none"),
    ],
)
def test_styles_only_style(style: str, shown: str) -> None:
    quoted = style.replace('"', "&quot;")
    assert _checked(f'<p style="{quoted}">x</p>') == (f'<p style="{shown}">x</p>' if shown else "<p>x</p>")


_SEEN = "https://x.example/a.png"


@pytest.mark.parametrize(
    ("picture", "alone", "with_remote"),
    [
        (
            f"<img src={_SEEN} alt=Logo width=90>",
            '<img alt="Logo" width="90">',
            f'<img src="{_SEEN}" alt="Logo" width="90">',
        ),
        (f"<img src={_SEEN} srcset='{_SEEN} 2x' loading=lazy>", "", f'<img src="{_SEEN}">'),
        (f"<img src={_SEEN} width=1 height=1 alt=x>", "", ""),
        (f"<img src={_SEEN} style='width:0'>", "", ""),
        (f"<img src={_SEEN} style='max-height:1px;max-width:1px'>", "", ""),
        (f"<img src={_SEEN} style='visibility : hidden'>", "", ""),
        (f"<div style='display:none'><b><img src={_SEEN}></b></div>", *['<div style="display:none"><b></b></div>'] * 2),
        ("<img src='//x.example/a.png'><img src=a.png><img src=file:///a.png>", "", ""),
        ("<img src='data:image/png;base64,AA=='>", *['<img src="data:image/png;base64,AA==">'] * 2),
        ("<img src='data:image/svg+xml;base64,AA=='><img src='data:text/html,x'>", "", ""),
        ("<img src='CID:a%40b'>", *['<img src="CID:a%40b">'] * 2),
        (f"<picture><source srcset={_SEEN}><img src=cid:a></picture>", *['<img src="cid:a">'] * 2),
        (
            f"<video src={_SEEN} poster={_SEEN}>a</video><audio src={_SEEN}>b</audio><iframe src={_SEEN}></iframe>",
            "",
            "",
        ),
        (
            f"<table background={_SEEN}></table><input type=image src={_SEEN}><link rel=icon href={_SEEN}>",
            *["<table></table>"] * 2,
        ),
        (
            f"<object data={_SEEN}>a</object><embed src={_SEEN}><meta http-equiv=refresh content='0;url={_SEEN}'>",
            "",
            "",
        ),
    ],
)
def test_pictures(picture: str, alone: str, with_remote: str) -> None:
    assert _tags(_checked(picture)) == _tags(alone)
    assert _tags(safe_html(picture, remote_images=True)) == _tags(with_remote)


def test_pictures_that_came_with_the_mail_are_found_by_their_content_id() -> None:
    images = {"a@b": 'app://files/"7"?x=1&y=2', "c": "data:image/png;base64,AA=="}
    html = "<img src=cid:a%40b alt='1 > 0'><img src='CID:<c>'><img src=cid:d><p>cid:c</p>"
    assert _tags(safe_html(html, images=images)) == _tags(
        '<img src="app://files/&quot;7&quot;?x=1&amp;y=2" alt="1 > 0"><img src="data:image/png;base64,AA==">'
        '<img src="cid:d"><p>cid:c</p>'
    )


_ATTACKS = [
    "<script>alert(1)</script>",
    "<scr<script>ipt>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<img/src=x/onerror=alert(1)//",
    "<img src='x'onerror='alert(1)'>",
    '<img """><script>alert(1)</script>">',
    "<body onload=alert(1)><details open ontoggle=alert(1)>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href=' \x01jAvA\tscr\nipt:alert(1)'>x</a>",
    "<a href='&#106;ava&Tab;script&colon;alert(1)'>x</a>",
    "<a href='vbscript:x'>x</a><a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "<a href='https://x.example' target=_self rel=opener onclick=alert(1)>x</a>",
    "<svg onload=alert(1)><a xlink:href=javascript:alert(1)><text>x</text></a></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<math><annotation-xml encoding=text/html><script>alert(1)</script></annotation-xml></math>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script><img src=x onerror=alert(1)></template>",
    "<style>@import 'https://x.example/a.css';</style><style><!--</style><img src=x onerror=alert(1)>-->",
    "<xmp><p title='</xmp><img src=x onerror=alert(1)>'>",
    "<textarea><p title='</textarea><img src=x onerror=alert(1)>'>",
    "<title><p title='</title><img src=x onerror=alert(1)>'>",
    "<select><option><style></option></select><img src=x onerror=alert(1)></style>",
    "<plaintext><img src=x onerror=alert(1)>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<!-- --!><img src=x onerror=alert(1)>",
    "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<?x <img src=x onerror=alert(1)>?>",
    "<p title='&quot;><img src=x onerror=alert(1)>'>x",
    "<p style='x:expression(alert(1))'>x",
    "<p style='background:url(&#39;javascript:alert(1)&#39;)'>x",
    "<base href=https://x.example/><a href=a>x</a>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<img src=cid:x usemap=#m><map name=m><area href=javascript:alert(1)></map>",
    "<img alt='`' src='`onerror=alert(1)'>",
    "<table><tr><td><b><table><a href=https://x.example>1<a href=https://x.example>2</table></b></table>",
    "<p><b><i>1</p><div>2</b></i><table>3<tr>4<td>5",
    "<pre>\n\n\nx</pre><pre><b>\n\ny",
    "&lt;script&gt;alert(1)&lt;/script&gt;&amp;lt;img src=x&amp;gt;",
]


@pytest.mark.parametrize("attack", _ATTACKS)
@pytest.mark.parametrize(
    "around", ["{}", "<div>{}</div>", "<table><tr>{}", "<b><p>{}", "<svg>{}", "<math><mtext>{}", "<!--{}"]
)
def test_nothing_gets_past(attack: str, around: str) -> None:
    _checked(around.format(attack))


_TAGS = [
    "a",
    "b",
    "p",
    "div",
    "span",
    "font",
    "table",
    "tr",
    "td",
    "th",
    "ul",
    "li",
    "pre",
    "h1",
    "i",
    "form",
    "svg",
    "math",
    "mtext",
    "mglyph",
    "style",
    "script",
    "noscript",
    "template",
    "title",
    "select",
    "option",
    "textarea",
    "img",
    "br",
    "details",
    "summary",
    "center",
    "nobr",
    "blockquote",
    "annotation-xml",
    "foreignObject",
    "desc",
    "xmp",
]
_PIECES = st.one_of(
    st.builds(
        "<{}{}>".format, st.sampled_from(_TAGS), st.sampled_from(["", " style='color:red'", " href=https://x.example"])
    ),
    st.builds("</{}>".format, st.sampled_from(_TAGS)),
    st.sampled_from(
        [*_ATTACKS, "<!--", "-->", "<![CDATA[", "]]>", "<", ">", '"', "'", "&lt;", "&quot;", "\n", "\x00", "`"]
    ),
    st.text(alphabet="ab ", min_size=1, max_size=3),
)


@given(st.lists(_PIECES, max_size=30))
def test_nothing_gets_past_in_any_nesting(pieces: list[str]) -> None:
    _checked("".join(pieces))


_BOMBS = [
    *(
        "<!--",
        "<",
        "<a ",
        "<a b='",
        '<a b="',
        "<!",
        "</",
        "</a",
        "<?",
        "&",
        "<script>",
        "<script></script ",
        "&amp;",
        "&nbsp;",
    ),
    *(
        "&#160;",
        "&lt;",
        "<b>",
        "<p><b>",
        "<p><font size=1>",
        "<div>",
        "<ul><li>",
        "<table><tr><td>",
        "<td>x",
        "<br>",
        "<pre>",
    ),
    *(
        "<blockquote>",
        "<select><option>",
        "<svg>",
        "<a href=x>",
        "<p style='opacity:0000",
        "<p style=a:b;>",
        "<p>x",
        "</div>",
    ),
    *(
        "<b>x</b>",
        "<table>x",
        "<form>",
        "<math><mi>",
        "<img src=cid:x>",
        "\r",
        "\0",
        "<p>" + " " * 99,
        "<img src='" + " " * 99,
    ),
]


@pytest.mark.parametrize("piece", _BOMBS)
@pytest.mark.parametrize("end", ["", ">"])
def test_the_time_grows_with_the_length_alone(piece: str, end: str) -> None:
    safe_html(piece * (300_000 // len(piece)) + end)  # minutes, if it grew with its square


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 5_000 + "found",
        "<p " + " ".join(f"a{number}=1" for number in range(100_000)) + ">found",
        "".join(f"<p><font face='{'x' * 500}{number}'>" for number in range(300)) + "found",
        "&amp;" * 400_000 + " found",
        ("&amp;" + "x" * 94) * 80_000 + " found",
        "\xa0" * 1_000_000 + " found",
        "&nbsp;</x>" * 400_000 + " found",
    ],
)
def test_what_costs_too_much_is_shown_as_text(html: str) -> None:
    shown = _checked(html)
    assert shown.startswith("<pre ")
    assert "found" in shown
    assert len(shown) < 2 * len(html) + 100


def test_a_mail_of_five_megabytes() -> None:
    line = "<p style='margin:0'>Some <b>words</b>&nbsp;and a <a href='https://x.example/1?a=1'>link</a>.</p>\n"
    html = line * (5_000_000 // len(line))
    assert safe_html(html).count("</a>") == html.count("<p")


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a <b>\r\n  c & 'd'\re", "a &lt;b&gt;\n  c &amp; 'd'\ne"), ("\n\na\x00", "\n\n\na"), ("\ud800", "?"), ("", "")],
)
def test_plain_text_keeps_its_lines(text: str, shown: str) -> None:
    html = text_as_html(text)
    assert html == f'<pre style="white-space:pre-wrap;font-family:inherit">{shown}</pre>'
    assert [*_wrong(html)] == []


def test_little_but_tags_is_shown_as_text() -> None:
    html = "<p>a</p>" * 50_000
    assert safe_html(html) == text_as_html(html_to_text(html))
