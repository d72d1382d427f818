"""HTML to Markdown: headings, emphasis, links, lists, tables and the names of pictures, as a person would write them.

A converter does the work, and this module sees to it that it can be trusted with mail. It is given plain tags alone:
no styles, comments, scripts, pictures that nobody shall see, or tables that only place things; never a tree that would
cost it too much; and every word of the mail must be found in what it makes of it. Otherwise the plain pass over the
HTML, which loses nothing, is the Markdown. Nothing is made harmless: hidden text is kept, and what comes out is as
untrusted as what went in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from mailkit.mime.entities import unescape
from mailkit.mime.html import html_to_text, terminated, without_comments
from mailkit.mime.layout import TABLE_TAGS, layout_tables
from mailkit.mime.portions import portions
from mailkit.mime.tags import attributes_of, has_many_tags, is_outsized, is_pixel, names_of, split_tags, written_tag

if TYPE_CHECKING:
    from html_to_markdown import ConversionOptions

_UNSHOWN = re.compile(r"<(script|style|template|title)\b", re.IGNORECASE)
_END_OF = {name: re.compile(rf"</{name}\b[^>]*+>?", re.IGNORECASE) for name in ("script", "style", "template", "title")}
_DECLARATION = re.compile(r"<(?:[!?]|/(?![a-zA-Z]))[^>]*>")  # "<!doctype>", Outlook's "<![if !mso]>" and "<?xml>"

_KEPT = frozenset({
    "b", "blockquote", "br", "caption", "code", "dd", "del", "div", "dl", "dt", "em", "h1", "h2", "h3", "h4", "h5",
    "h6", "hr", "i", "li", "p", "pre", "q", "s", "strike", "strong", "table", "tbody", "tfoot", "thead", "tr", "ul",
})  # fmt: skip
_KEPT_WITH = {
    "a": frozenset({"href", "title"}),
    "ol": frozenset({"start"}),
    "td": frozenset({"colspan"}),
    "th": frozenset({"colspan"}),
}
_OF_PICTURES = frozenset({"alt", "src", "title"})
_BLOCKS = frozenset({
    "address", "article", "aside", "body", "button", "center", "details", "dir", "fieldset", "figcaption", "figure",
    "footer", "form", "header", "legend", "main", "menu", "nav", "noscript", "option", "section", "select", "summary",
    "textarea",
})  # fmt: skip
_BREAK = "<div></div>"  # ends what was said before; an element around the block might never be closed
_BREAKS = re.compile(rf"{_BREAK}(?:\s*{_BREAK})+")  # nested tables make many, each a box for the converter to build
_PLACED = (
    dict.fromkeys(TABLE_TAGS, "") | dict.fromkeys(("table", "/table", "tr", "caption"), _BREAK) | {"td": " ", "th": " "}
)

_FEW_TAGS = 1_000  # whatever they are, the converter bears them
_WORD = re.compile(r"[^\W_]+")
_CODE = re.compile(r"(^[> \t]*```.*?^[> \t]*```|`[^`\n]+`|\]\(<)", re.DOTALL | re.MULTILINE)
# But addresses: those it takes for links, and shows.
_LOOKS_LIKE_TAG = re.compile(r"<(?=[a-zA-Z/!?])(?!(?:https?|mailto|tel):|[^\s<>@]+@)")


def html_to_markdown(html: str) -> str:
    r"""Write ``html`` as Markdown (CommonMark with tables); no word that it shows is missing.

    Pictures keep their names and addresses, those that came within the HTML only their names, those of a pixel nothing.
    Tables that only place things become paragraphs. Never raises; the time grows with the length alone.

    >>> html_to_markdown('<p>See <a href="https://example.com/plan">the <b>plan</b></a></p><ul><li>one<li>two</ul>')
    'See [the **plan**](https://example.com/plan)\n\n- one\n- two'
    """
    html = html.replace("\0", "").encode(errors="replace").decode()  # halves of surrogate pairs are no text
    html = _DECLARATION.sub("", terminated(_without_unshown(without_comments(html))))
    return "\n\n".join(filter(None, map(_portion_as_markdown, portions(html))))


def _portion_as_markdown(html: str) -> str:
    if has_many_tags(html):
        return _without_tags(html_to_text(html))
    pieces = split_tags(html.replace("&nbsp;", " "))  # as the converter reads it, too
    tags = pieces[1::2]
    names = names_of(tags)
    markdown = None
    if len(tags) < _FEW_TAGS or not is_outsized(zip(tags, names, strict=True), len(html)):
        plain_of = {tag: _plain(tag, name) for tag, name in dict(zip(tags, names, strict=True)).items()}
        pieces[1::2] = [plain_of[tag] for tag in tags]
        for at in layout_tables(names, tags) if not TABLE_TAGS.isdisjoint(names) else ():
            pieces[2 * at + 1] = _PLACED[names[at]]
        markdown = _converted(_BREAKS.sub(_BREAK, "".join(pieces)), pieces[::2])
    return _without_tags(html_to_text(html) if markdown is None else markdown)


def _without_unshown(html: str) -> str:
    """Cut out what no reader is shown; where one is never closed, what follows stays for the check to find."""
    kept: list[str] = []
    at = 0
    unclosed: set[str] = set()
    for start in _UNSHOWN.finditer(html):
        name = start[1].lower()
        if start.start() < at or name in unclosed:
            continue
        end = _END_OF[name].search(html, start.end())
        if end is None:
            unclosed.add(name)
        else:
            kept.append(html[at : start.start()])
            at = end.end()
    return "".join(kept) + html[at:]


def _plain(tag: str, name: str) -> str:
    """Write a tag as the converter likes it: without styles, which hide some text from it, and nothing it drops."""
    if tag[-1] != ">":  # not a tag after all
        return "&lt;" + tag[1:]
    if name == "img":
        return _picture(tag)
    kind = name.removeprefix("/")
    if kind in _KEPT or (name[0] == "/" and kind in _KEPT_WITH):
        return f"<{name}>"
    if name in _KEPT_WITH:
        return _with(attributes_of(tag), name, _KEPT_WITH[name])
    return _BREAK if kind in _BLOCKS else ""


def _picture(tag: str) -> str:
    attributes = attributes_of(tag)
    if is_pixel(attributes):
        return ""
    source = attributes.get("src", "").strip()
    if not source or source[:5].lower() == "data:":
        return escape(attributes.get("alt", ""))
    return _with(attributes, "img", _OF_PICTURES)


def _with(attributes: Mapping[str, str], name: str, kept: AbstractSet[str]) -> str:
    return written_tag(name, {key: value for key, value in attributes.items() if key in kept})


def _converted(html: str, texts: Sequence[str]) -> str | None:
    """Let the converter write ``html``; nothing when it fails, or when one of ``texts`` is not in its place."""
    from html_to_markdown import convert

    try:
        markdown = convert(html, _for_tables() if "<table>" in html else None).content or ""
    except Exception:  # noqa: BLE001 - there is nothing to learn from why a converter fails at a mail
        return None
    if not _holds(markdown, texts):
        return None
    return markdown.replace("  \n\n", "\n\n").strip("\n")


def _holds(markdown: str, texts: Iterable[str]) -> bool:
    """Say whether all words of ``texts`` stand in ``markdown``, in their order, with whatever between them."""
    at = 0
    for raw in filter(None, map(str.strip, texts)):
        text = unescape(raw) if "&" in raw else raw
        found = markdown.find(text, at)
        if found >= 0:  # most texts come through as they are
            at = found + len(text)
            continue
        for word in _WORD.findall(text):
            found = markdown.find(word, at)
            if found < 0:
                return False
            at = found + len(word)
    return True


@cache
def _for_tables() -> ConversionOptions:
    """Padded to its longest cell, a table could be many times as long as the mail."""
    from html_to_markdown import ConversionOptions

    return ConversionOptions(compact_tables=True, extract_metadata=False)


def _without_tags(markdown: str) -> str:
    """Escape what the mail shows and a Markdown reader would take for a tag, and not show: "<name>"."""
    if _LOOKS_LIKE_TAG.search(markdown) is None:
        return markdown
    parts = _CODE.split(markdown)
    parts[::2] = [_LOOKS_LIKE_TAG.sub(r"\\<", part) for part in parts[::2]]
    return "".join(parts)
