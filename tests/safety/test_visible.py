"""Hidden text of HTML: every way to hide it, what only looks hidden, and markup that is no tree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.mime.html import html_to_text
from mailkit.safety import clean_html, clean_text, visible_html

HIDING_STYLES = [
    "display:none",
    "DISPLAY : NONE !important",
    "display:/**/none",
    r"d\69splay:none",
    "visibility:hidden",
    "visibility:collapse",
    "opacity:0",
    "opacity:0.01",
    "opacity:0%",
    "font-size:0",
    "font-size:1px",
    "font-size:0.01em",
    "font-size:1%",
    "font:0/0 a",
    "color:#fff",
    "color:#fefefe",
    "color:white;",
    "color:rgb(255, 255, 255)",
    "color:transparent",
    "color:rgba(0,0,0,0)",
    "color:#00000000",
    "color:#000;background:#000",
    "color:#123456;background-color:#123456",
    "color:papayawhip;background:papayawhip",
    "background:#000",
    "position:absolute;left:-9999px",
    "position:fixed;top:-100em",
    "text-indent:-9999px",
    "margin-left:-1000px",
    "transform:scale(0)",
    "transform:translateX(-9999px)",
    "clip:rect(0,0,0,0);position:absolute",
    "clip:rect(1px, 1px, 1px, 1px)",
    "clip-path:inset(100%)",
    "height:0;overflow:hidden",
    "max-height:0px;overflow:hidden",
    "width:1px;overflow-x:hidden",
    "mso-hide:all",
    "font-size:16px;display:block;display:none",
    "opacity:1%",
    "filter:opacity(0)",
    "zoom:0",
    "scale:0",
    "content-visibility:hidden",
    "translate:-9999px",
    "position:absolute;right:9999px",
    "position:absolute;left:calc(-9999px)",
    "font-size:calc(0px)",
    "color:rgb(100%, 100%, 99%)",
    "color:rgb(255 255 255 / 100%)",
    "color:rgb(0 0 0 / 0)",
    "color:hsl(0, 0%, 100%)",
    "color:hsla(120,50%,50%,0%)",
    "color:#000;background:hsl(0deg 0% 2%)",
    "-webkit-text-fill-color:transparent",
    "color:#000;-webkit-text-fill-color:#fff",
    "line-height:0;overflow:hidden",
    "position:absolute;inset:0 0 0 -9999px",
    "letter-spacing:-1em",
    "mask:linear-gradient(transparent, transparent)",
    "-webkit-mask-image:linear-gradient(to right, #0000 0%, transparent 100%)",
    "transform:rotateY(90deg)",
    "font-size:max(0px, 0em)",
    "font-size:min(0px, 1em)",
    "width:clamp(0px, 0vw, 1px);overflow:hidden",
    "color:color(srgb 1 1 1)",
    "color:lab(100% 0 0)",
    "color:oklch(1 0 0)",
    "color:oklab(99% 0 0 / 1)",
    "color:hwb(0 100% 0%)",
    "color:hwb(120deg 0% 0% / 0)",
    "color:oklch(0.7 0.1 200 / 0%)",
    "color:#000;background:lab(0 0 0)",
    "color:oklch(0.6 0.1 200);background:oklch(0.6 0.1 200)",
    "position:absolute;left:-100%",
    "margin:-9999px",
    "margin:0 0 0 -9999px",
    "margin:-9999px 0",
    "margin:0 -9999px 0",
    "transform:matrix(0,0,0,0,0,0)",
    "transform:matrix(1, 0, 0, 1, -9999, 0)",
    "transform:scale3d(0, 0, 0)",
    "transform:translate3d(-9999px,0,0)",
    "transform:scale(.001)",
    "scale:0.01",
    "clip-path:polygon(0 0, 0px 0, 0 0%)",
    "clip-path:ellipse(0 0)",
    "clip-path:inset(0 0 100% 0)",
    "height:0;overflow:auto",
    "max-height:0;overflow-y:scroll",
    "filter:blur(50px)",
]


@pytest.mark.parametrize("style", HIDING_STYLES)
@pytest.mark.parametrize("tag", ["div", "span", "p", "td", "font", "b"])
def test_a_style_that_hides(style: str, tag: str) -> None:
    assert clean_html(f'a<{tag} style="{style}">secret</{tag}>b').split() in (["ab"], ["a", "b"])
    sheet = f"<style>.x, .other {{ {style} }}</style>"
    assert "secret" not in visible_html(f"{sheet}<{tag} class='y x'><i>secret</i></{tag}>b")


@pytest.mark.parametrize(
    "html",
    [
        "<p hidden>secret</p>",
        "<div hidden/>secret</div>",
        "<!-- secret -->",
        "<!--> --> <!-- secret",
        "<!--[if mso]><p>secret</p><![endif]-->",
        "<script>secret</script>",
        "<style>secret</style>",
        "<template>secret</template>",
        "<input type=hidden value=secret>",
        "<font color=white>secret</font>",
        "<font color='#FFFFFF'>secret</font>",
        "<table bgcolor=black><tr><td>secret</table>",
        "<table><tr><td bgcolor='#222222' style='color:#202020'>secret</table>",
        "<img width=1 height=1 alt=secret>",
        "<div style='color:white'><div><p>secret</div></div>",
        "<div style='display:none'><b style='display:block'>secret</b></div>",
        "<div style='display:none'><table><tr><td></div>secret</table>",
        "<p><font color=white></p>secret",
        "<p><font color=white><p>secret",
        "<span style='display:none' style='display:block'>secret</span>",
        "<template style='display:block'>secret</template>",
        "<style>.x{display:none!important}</style><p class=X style='display:block'>secret</p>",
        "<style>#top{opacity:0}</style><p id=top>secret</p>",
        "<style>p.x{font-size:0}</style><p class=x>secret</p>",
        "<style><!-- .x{display:none} --></style><p class=x>secret</p>",
        "<style>@media screen{.x{display:none}}</style><p class=x>secret</p>",
        "<style>@import 'a';@font-face{a:b}.x{display:none}</style><p class=x>secret</p>",
        "<body text=white>secret",
        "<style>p.a.b{display:none}</style><p class='c b a'>secret",
        "<style>#top.b{display:none}</style><p id=top class='c b'>secret",
        "<style>.x{display:none</style><p class=x>secret",
        "<canvas>secret</canvas>",
        "<noframes>secret</noframes>",
        "<dialog>secret</dialog>",
        "<progress>secret</progress>",
        "<a href=x title=secret>a</a>",
        "<svg><desc>secret</desc></svg>",
        "<p style='font:.5px a'>secret</p>",
        "<style>div p{display:none}</style><div><b><p>secret</p></b></div>",
        "<style>.a>.x{display:none}</style><p class=a><i class='y x'>secret",
        "<style>#top .a > p.x b{display:none}</style><div id=top class=a><p class=x><b>secret",
        "<style>.a *{font-size:0}</style><div class=a><p>secret",
        "<style>*{display:none}</style><p>secret",
        "<style>.b{display:block}.a{display:none}</style><p class='a b'>secret",
        "<style>p.b{display:block}p.a{display:none}</style><p class='a b'>secret",
        "<style>.b{display:none}.a{color:red}.a{opacity:1}</style><p class='a b'>secret",
        "<style>.a{display:block}.b{display:none}.a{color:red}</style><p class='a b'>secret",
        "<style>.b{display:none!important}.a{display:block}.b{display:block}</style><p class='b a'>secret",
        "<style>table td{color:#fff}td{color:#000}</style><table><tr><td>secret",
        "<style>.a p{display:none}</style><div class=a><b><div></b><p>secret</p>",
        "<p style='transform:translate(0, -500px)'>secret</p>",
    ],
)
def test_other_ways_to_hide(html: str) -> None:
    assert "secret" not in visible_html(html)


@pytest.mark.parametrize(
    "html",
    [
        "<p style='display:block;opacity:1;visibility:visible;font-size:11px'>seen</p>",
        "<div style='font-size:0'><span style='font-size:14px'>seen</span></div>",
        "<div style='visibility:hidden'><p style='visibility:visible'>seen</p></div>",
        "<div style='color:white'><p style='color:#333'>seen</p></div>",
        "<table bgcolor='#003366'><tr><td style='color:#fff'>seen</td></tr></table>",
        "<td style='background:url(x.png);color:#fff'>seen</td>",
        "<td background='x.png' style='color:#fff'>seen</td>",
        "<td style='background:linear-gradient(#000,#111);color:#fff'>seen</td>",
        "<td style='background:#036 none;color:white'>seen</td>",
        "<body bgcolor=black text=white><a href=x style='color:lime'>seen</a>",
        "<p style='display:block' style='display:none' hidden>seen</p>",
        "<p style='left:-9999px'>seen</p>",
        "<p style='opacity:60%;filter:opacity(0.9);zoom:1;scale:1;right:9999px'>seen</p>",
        "<p style='color:rgb(255 0 0);background:rgb(0,0,0)'>seen</p>",
        "<p style='color:hsl(210, 100%, 30%)'>seen</p>",
        "<p style='background:linear-gradient(red,blue);-webkit-text-fill-color:transparent'>seen</p>",
        "<p style='height:0'>seen</p>",
        "<p style='line-height:1;overflow:hidden;letter-spacing:-0.05em;inset:0'>seen</p>",
        "<p style='color:oklch(0.5 0.1 200);transform:rotateY(30deg);font-size:max(12px, 1em)'>seen</p>",
        "<p style='color:color(srgb 0.2 0.2 0.2);mask:linear-gradient(black, transparent)'>seen</p>",
        "<div style='background:oklch(0.2 0.1 200)'><p style='color:white'>seen</p></div>",
        "<style>p.a.b{display:none}.c.a{display:none}</style><p class='a'>seen",
        "<style>.x{display:none}.x</style><p class=y>seen",
        "<dialog open>seen</dialog>",
        "<details><summary>more</summary>seen</details>",
        "<td width=0 height=0>seen</td>",
        "<p style='text-indent:-20px;margin-left:-15px'>seen</p>",
        "<p style='width:100%;overflow:hidden;max-height:none'>seen</p>",
        "<p hidden>no<p>seen",
        "<ul><li hidden>no<li>seen</ul>",
        "<table><tr><td hidden>no<td>seen<tr hidden><td>no<tr><td>seen</table>",
        "<p hidden>no<div>seen</div>",
        "<div hidden>no</div>seen",
        "<div hidden><span>no</div>seen",
        "<p><b hidden>no</b></p>seen",
        "<style>@media (max-width:600px){.x{display:none}}</style><p class=x>seen</p>",
        "<style>@media print{.x{display:none}}</style><p class=x>seen</p>",
        "<style>.a .x{display:none}.x:hover{opacity:0}</style><p class=x>seen</p>",
        "<style>.a .x{display:none}</style><div class=a></div><p class=x>seen</p>",
        "<style>.a .x{display:none}</style><p class='a x'>seen</p>",
        "<style>.x .a{display:none}</style><div class=a><p class=x>seen</p></div>",
        "<style>.a + .x,.a ~ .x{display:none}</style><div class=a></div><p class=x>seen</p>",
        "<style>*{color:#333}td p{color:#333}.b{background:#333;color:#fff}</style><td><p class=b>seen</p></td>",
        "<style>.foot{background:#333}.foot a{color:#fff}</style><p class=foot><a href=x>seen</a>",
        "<p style='margin:0 auto -20px;transform:scale(0.5);left:-50%;position:relative'>seen</p>",
        "<p style='margin:0 -9999px 0 0;clip-path:polygon(0 0, 100% 0, 0 100%);filter:blur(0px)'>seen</p>",
        "<style>.x{display:none}.x{display:block}</style><p class=x>seen</p>",
        "<style>.a{display:none}.b{display:block}</style><p class='b a'>seen</p>",
        "<style>.a{color:red}.b{display:none}.a{display:block}</style><p class='a b'>seen</p>",
        "<!--[if mso]><style>.x{display:none}</style><![endif]--><p class=x>seen</p>",
        "<![if !mso]><p>seen</p><![endif]>",
        "<div hidden></div><img src=a.png alt=seen width=100>",
        "<a href='https://example.com'>seen</a>",
        "1 < 2 seen",
    ],
)
def test_what_is_seen_stays(html: str) -> None:
    assert "seen" in visible_html(html)
    assert "no" not in html_to_text(visible_html(html)).split()


def test_markup_and_references_stay() -> None:
    html = '<p class="a">R&amp;D <a href="x?a=1&amp;b=2">&lt;b&gt;</a><br>caf&eacute;</p>'
    assert visible_html(html) == '<p class="a">R&amp;D <a href="x?a=1&amp;b=2">&lt;b&gt;</a><br>café</p>'


def test_escaped_markup_is_cleaned_too() -> None:
    assert clean_html("<p>&lt;system&gt; &amp;lt;tool</p>") == "\\‹system> ‹tool"


@pytest.mark.parametrize("number", ["9" * 5_000, "0" * 5_000 + "65", "x" + "f" * 5_000])
def test_numbers_too_long_for_a_character(number: str) -> None:
    clean_html(f"a&#{number};<p title='&#{number};'>b")
    clean_text(f"a&#{number};")


def test_zeros_before_a_number_change_nothing() -> None:
    assert clean_html(f"<p>&#{'0' * 5_000}65;") == "A"
    assert clean_text(f"&#{'0' * 5_000}60;system") == "‹system"


PIECES = [
    *"<>/='\"& \n!-",
    *("<p>", "</p>", "<div hidden>", "<div>", "</div>", "<b style='color:white'>", "</b>", "<td>", "</td>", "<table>"),
    *(
        "</table>",
        "<li>",
        "<ul>",
        "<style>",
        "</style>",
        "<!--",
        "-->",
        ".x{display:none}",
        "@media{",
        "}",
        "<p class=x>",
    ),
    *("<script>", "</script>", "<![CDATA[", "<a href=", "&#", "style='color:rgb(", "font-size:1e9px", "word", "\x00"),
]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=25).map("".join))
def test_never_raises_and_adds_no_words(html: str) -> None:
    shown = html_to_text(visible_html(html))
    assert shown.count("word") <= html.count("word")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["p", "div", "b", "td", "li"]),
            st.sampled_from(["", *HIDING_STYLES]),
            st.text("abc", min_size=1),
        )
    )
)
def test_a_flat_mail_shows_what_has_no_hiding_style(parts: list[tuple[str, str, str]]) -> None:
    html = "".join(f'<{tag} style="{style}">{word}</{tag}> ' for tag, style, word in parts)
    assert html_to_text(visible_html(html)).split() == [word for _, style, word in parts if not style]


@pytest.mark.parametrize(
    "piece",
    [
        "<", "<p>", "<p hidden>", "<b style='color:red'>", "<b style='color:red'><p>", "<td><div>", "</div>", "</p>",
        "<!--", "<style>", "<style", "<style>.a{", ".a,", "<style>@media{", "</style", "&#", "&#1",
        "<i class='a a a a'>", "<![",
        "<p><td>", "<li><b style=color:red>",
    ],
)  # fmt: skip
@pytest.mark.parametrize("end", ["", ">", "</p>" * 10_000])
def test_the_time_grows_with_the_length_alone(piece: str, end: str) -> None:
    visible_html(piece * 10_000 + end)  # minutes, if it grew with the square


@pytest.mark.parametrize(
    "style",
    [
        "transform:" + "translate(" * 20_000,
        "font-size:" + "max(" * 50_000,
        "font-size:max(" + "1px," * 50_000,
        "mask:linear-gradient(" + "transparent " * 20_000,
        "mask:" + "gradient" * 20_000,
        "color:lab(" + "1 " * 50_000,
        "transform:translate(" + "-" * 100_000,
        "clip:rect(1" + " " * 100_000,
        "font:" + "1" * 100_000,
        "clip-path:polygon(" + "0 0," * 50_000,
        "clip-path:inset(" + "0 " * 50_000,
        "transform:scale(" + "0" * 100_000,
        "transform:" + "matrix(" * 20_000,
        "margin:" + "1px " * 50_000,
        "color:rgba(" + ",0" * 50_000,
        "color:rgb(1,2,3" + " " * 100_000,
        "width:" + "1" * 100_000,
        "/*" * 50_000,
        "\\" * 100_001,
    ],
)
def test_a_long_style_is_read_in_one_pass(style: str) -> None:
    visible_html(f"<p style='{style}'>x</p><style>.a{{{style}}}</style>")


def test_a_sheet_of_many_rules_over_many_elements() -> None:
    sheet = "".join(f".a{n}{{color:red}}" for n in range(10_000))
    visible_html(f"<style>{sheet}</style>" + "".join(f"<p class='a{n} b'>x" for n in range(10_000)))
    sheet = "".join(f".a{n}.b{{color:red}}" for n in range(10_000))
    visible_html(f"<style>{sheet}</style>" + "".join(f"<p class='a{n} b'>x" for n in range(10_000)))
    sheet = "".join(f".a{n} .b{n} .c{n} > p{{color:red}}" for n in range(10_000))
    opened = "".join(f"<div class='a{n} b{n} c{n}'>" for n in range(200))
    visible_html(f"<style>{sheet}</style>{opened}" + "<p>x" * 5_000)
    visible_html(f"<style>{sheet}</style>{opened}" + "<div class=a1>x" * 5_000)
    visible_html("<p style='" + "color:red;" * 50_000 + "'>" + "<div>" * 10_000 + "x")
