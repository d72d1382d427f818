"""HTML that can be shown: what runs, asks, loads or reports is taken out, what a letter looks like stays.

``nh3`` builds the tree and decides by lists of what is allowed; styles, addresses and pictures are judged here. The
result is sanitised again until nothing changes, so that no reading of it says more than the one that was judged. HTML
that would cost a tree too much is shown as its plain text. Keeps no state, loads nothing, and never raises for a mail.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import unquote

from mailkit.mime.entities import unescape
from mailkit.mime.html import html_to_text
from mailkit.mime.styles import safe_style
from mailkit.mime.tags import (
    attributes_of,
    each_tag,
    has_many_tags,
    hides,
    is_outsized,
    is_pixel,
    names_of,
    split_tags,
    written_tag,
)

if TYPE_CHECKING:
    from nh3 import Cleaner

_TAGS = {
    "a", "abbr", "address", "article", "aside", "b", "bdi", "bdo", "big", "blockquote", "br", "caption", "center",
    "cite", "code", "col", "colgroup", "dd", "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure",
    "font", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "i", "img", "ins", "kbd", "li", "main",
    "mark", "nav", "ol", "p", "pre", "q", "s", "samp", "section", "small", "span", "strike", "strong", "sub",
    "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "time", "tr", "tt", "u", "ul", "var", "wbr",
}  # fmt: skip
# Gone with all they hold: what is not text, and what a parser reads by rules of its own.
_GONE = {
    "applet", "audio", "canvas", "embed", "frame", "frameset", "iframe", "math", "noembed", "noframes", "noscript",
    "object", "script", "style", "svg", "template", "title", "video", "xmp",
}  # fmt: skip
_ATTRIBUTES = {
    "*": {"align", "bgcolor", "dir", "height", "lang", "style", "title", "valign", "width"},
    "a": {"href"},
    "col": {"span"},
    "colgroup": {"span"},
    "details": {"open"},
    "font": {"color", "face", "size"},
    "img": {"alt", "border", "src"},
    "li": {"value"},
    "ol": {"start", "type"},
    "table": {"border", "cellpadding", "cellspacing"},
    "td": {"colspan", "nowrap", "rowspan"},
    "th": {"colspan", "nowrap", "rowspan", "scope"},
    "ul": {"type"},
}
_LINKS = frozenset({"http", "https", "mailto", "tel"})
_PICTURE_DATA = re.compile(r"data:image/(?:png|jpeg|gif|webp)[;,]", re.IGNORECASE)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
# What browsers cut out of an address before they read it: https://url.spec.whatwg.org/#concept-basic-url-parser
_AROUND_ADDRESS = "".join(map(chr, range(0x21)))
_IN_ADDRESS = str.maketrans("", "", "\t\n\r")

_VOID = frozenset({"br", "col", "hr", "img", "wbr"})
_PREFORMATTED = '<pre style="white-space:pre-wrap;font-family:inherit">{}</pre>'

# Each of these costs the parser or the writer the length of the text it stands in, which tags need not end. What stands
# for a character beyond ASCII can be that character; the few that are part of the markup stay, and so does the blank
# that is written as a reference again.
_SOME_ENTITIES = 20_000
_MOST_FOR_ENTITIES = 400_000_000_000  # their number times the length: some seconds
_BEYOND_ASCII = re.compile(
    r"&(?:nbsp|zwnj|zwj|shy|#0{0,9}(?:1[3-9]\d|[2-9]\d\d|\d{4,7})|#x0{0,9}(?:[a-f][\da-f]|[\da-f]{3,6}));",
    re.IGNORECASE,
)
_ROUNDS = 5


def safe_html(html: str, *, images: Mapping[str, str] | None = None, remote_images: bool = False) -> str:
    """Give the part of ``html`` that can be shown inside a page: it runs nothing, asks nothing and loads nothing.

    Links lead to http, https, mailto and tel alone, and open elsewhere. Pictures that came within the HTML stay, and
    those that came with the mail, as ``cid:`` and their content id. Styles stay where they only style.

    Args:
        html: the HTML of a mail.
        images: addresses by content id, without angle brackets; they take the place of ``cid:``, and are trusted.
        remote_images: keep pictures that the sender's servers are asked for; never those that nobody can see.

    >>> safe_html('<p onclick="x()">See <img src="cid:plan"><img src="http://example.com/seen.gif"></p>',
    ...           images={"plan": "/files/7"})
    '<p>See <img src="/files/7"></p>'
    """
    cleaner = _cleaner(remote_images)
    shown = html.encode(errors="replace").decode()  # halves of surrogate pairs are no text
    for _ in range(_ROUNDS):
        cleaned = _sanitised(shown, cleaner)
        if cleaned is None:
            break
        if cleaned == shown:
            return _with_images(shown, images) if images else shown
        shown = cleaned
    return text_as_html(html_to_text(html))


def text_as_html(text: str) -> str:
    """Give plain text as HTML that can be shown: its lines as they are."""
    lines = re.sub(r"\r\n?", "\n", text).replace("\0", "").encode(errors="replace").decode()
    # The first line break after "<pre>" is not shown: https://html.spec.whatwg.org/multipage/grouping-content.html#the-pre-element
    return _PREFORMATTED.format("\n" * lines.startswith("\n") + escape(lines, quote=False))


def _sanitised(html: str, cleaner: Cleaner) -> str | None:
    """Sanitise once; nothing when that would take too long, or too much room."""
    if html.count("&") > _SOME_ENTITIES:
        html = _BEYOND_ASCII.sub(lambda entity: unescape(entity[0]), html)
    if (html.count("&") + html.count("\xa0")) * len(html) > _MOST_FOR_ENTITIES or has_many_tags(html):
        return None
    if is_outsized(((tag, name) for tag, name, _ in each_tag(html)), len(html)):
        return None
    return _without_pixels(cleaner.clean(html))


@cache
def _cleaner(remote_images: bool) -> Cleaner:
    from nh3 import Cleaner

    pictures = {"cid", "http", "https"} if remote_images else {"cid"}

    def judge(tag: str, attribute: str, value: str) -> str | None:
        """Give what an attribute may say."""
        if attribute == "style":
            return safe_style(value) or None
        if attribute not in {"href", "src"}:
            return value
        address = value.strip(_AROUND_ADDRESS).translate(_IN_ADDRESS)
        if attribute == "src" and _PICTURE_DATA.match(address):
            return address
        scheme = _SCHEME.match(address)  # without one it is relative to the page that shows the mail
        return address if scheme and scheme[1].lower() in (_LINKS if tag == "a" else pictures) else None

    return Cleaner(
        tags=_TAGS,
        clean_content_tags=_GONE,
        attributes=_ATTRIBUTES,
        attribute_filter=judge,
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
        url_schemes={*_LINKS, *pictures, "data"},
    )


def _without_pixels(html: str) -> str:
    """Take pictures out that nobody shall see, and what is left of one without address and name."""
    if "<img" not in html:
        return html
    pieces = split_tags(html)
    names = names_of(pieces[1::2])
    hiding = {tag for tag in set(pieces[1::2]) if "style" in tag and hides(attributes_of(tag).get("style", ""))}
    hidden: list[bool] = []  # of each element that is open
    for at, name in enumerate(names):
        tag = pieces[2 * at + 1]
        if name == "img":
            picture = attributes_of(tag)
            if True in hidden or is_pixel(picture) or not (picture.get("src") or picture.get("alt")):
                pieces[2 * at + 1] = ""
        elif name[0] == "/":
            hidden.pop()
        elif name not in _VOID:
            hidden.append(tag in hiding)
    return "".join(pieces)


def _with_images(html: str, images: Mapping[str, str]) -> str:
    pieces = split_tags(html)
    for at in range(1, len(pieces), 2):
        if pieces[at].startswith("<img "):
            picture = attributes_of(pieces[at])
            content_id = unquote(picture.get("src", "").partition(":")[2]).strip("<>")
            if picture.get("src", "")[:4].lower() == "cid:" and content_id in images:
                pieces[at] = written_tag("img", {**picture, "src": images[content_id]})
    return "".join(pieces)
