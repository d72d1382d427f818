"""Where the tags of a mail's HTML begin and end, what they say, and whether there is too much of them.

Reads as the tokenizer of the HTML standard does (https://html.spec.whatwg.org/multipage/parsing.html#tokenization), in
one pass whatever it meets. It knows tags, not trees: whoever needs a tree asks ``is_outsized`` first, since every
library that builds one takes time or space by the square for some HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mailkit.mime.entities import unescape

# A quote nobody closes goes on to the end of the mail: a tag that has begun always matches, so none is read twice.
_SPACE = r"[ \t\n\r\f]"
_NAMED = r"[^ \t\n\r\f/>][^ \t\n\r\f/>=]*+"
_VALUE = r""""[^"]*+"?+|'[^']*+'?+|[^ \t\n\r\f>]*+"""
_TAG = re.compile(
    rf"(</?[a-zA-Z][^ \t\n\r\f/>]*+(?:[ \t\n\r\f/]++|{_NAMED}(?:{_SPACE}*+={_SPACE}*+(?:{_VALUE}))?+)*+>?)"
)
_EACH_ATTRIBUTE = re.compile(
    rf"""({_NAMED})(?:{_SPACE}*+={_SPACE}*+(?:"([^"]*+)"?+|'([^']*+)'?+|([^ \t\n\r\f>]*+)))?+"""
)
_NAME = re.compile(r"</?([^ \t\n\r\f/>]+)")

# They have no end, or one that may be left out: the next of the kind ends them, and none nests without another that is
# counted.
UNCOUNTED = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    "body", "dd", "dt", "head", "html", "li", "option", "p", "tbody", "td", "tfoot", "th", "thead", "tr",
})  # fmt: skip
"""The names of elements that do not count for how deep a tree is."""
# Their mark begins each line inside them, in Markdown.
_MARKED = frozenset({"blockquote", "dl", "ol", "ul"})
# Begun again in each paragraph until they end: https://html.spec.whatwg.org/multipage/parsing.html#reconstruct-the-active-formatting-elements
_RESUMED = frozenset({
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
})  # fmt: skip

_DEEPEST = 400
_MOST_ATTRIBUTES = 200
_LONG_TAG = 1_024
_SOME_TAGS = 20_000
_LENGTH_OF_EACH = 10  # with the text after it; less is no ordinary mail


def split_tags(html: str) -> list[str]:
    """Cut ``html`` into text and tags, in turn, text first and last: joined again they are ``html``."""
    return _TAG.split(html)


def each_tag(html: str) -> Iterator[tuple[str, str, int]]:
    """Give each tag, its name as ``names_of`` does, and where it ends, without a list of them all in memory."""
    names: dict[str, str] = {}  # a mail repeats itself
    for found in _TAG.finditer(html):
        tag = found[0]
        if tag not in names:
            names[tag] = _name(tag)
        yield tag, names[tag], found.end()


def names_of(tags: Sequence[str]) -> list[str]:
    """Give the name of each tag, in small letters, with a slash before it where it is an end: ``"/div"``."""
    names = {tag: _name(tag) for tag in set(tags)}  # a mail repeats itself
    return [names[tag] for tag in tags]


def _name(tag: str) -> str:
    name = _NAME.match(tag)
    return ("/" if tag[1] == "/" else "") + (name[1].lower() if name else "")


def attributes_of(tag: str) -> dict[str, str]:
    """Give what a tag says: names in small letters, the first of each, entities decoded."""
    start = _NAME.match(tag)
    each = _EACH_ATTRIBUTE.findall(tag, start.end() if start else 0)
    said = [(name.lower(), double or single or bare) for name, double, single, bare in each]
    found = dict(said)
    if len(found) < len(said):
        found = dict(reversed(said))
    return {name: unescape(value) for name, value in found.items()} if "&" in tag else found


def written_tag(name: str, attributes: Mapping[str, str]) -> str:
    """Write a tag that says ``attributes``."""
    said = "".join([f' {key}="{_quoted(value)}"' for key, value in attributes.items()])
    return f"<{name}{said}>"


def _quoted(value: str) -> str:
    return value.replace("&", "&amp;").replace('"', "&quot;")


def is_outsized(tags: Iterable[tuple[str, str]], length: int) -> bool:
    """Say whether ``tags``, each with its name, nest deeper or say more, at once or again and again, than a tree bears.

    ``length`` is that of the HTML they are from: what is written again may be some times as long, not its square.
    """
    most = 8 * length + 1_000_000
    opened: dict[str, list[int]] = {}
    depth = again = written = 0
    for tag, name in tags:
        if len(tag) > _LONG_TAG and len(_EACH_ATTRIBUTE.findall(tag)) > _MOST_ATTRIBUTES:
            return True  # each would be compared with each
        written += again
        if name[0] == "/":
            if begun := opened.get(name[1:]):
                again -= begun.pop()
                depth -= 1
        elif name not in UNCOUNTED:
            weight = len(tag) if name in _RESUMED else 2 * (name in _MARKED)
            opened.setdefault(name, []).append(weight)
            again += weight
            depth += 1
            if depth > _DEEPEST:
                return True
    return written > most


def has_many_tags(html: str) -> bool:
    """Say whether ``html`` is little but tags: a tree takes 200 to 400 bytes for each, however short it is."""
    return html.count("<") > _SOME_TAGS + len(html) // _LENGTH_OF_EACH


def is_pixel(image: dict[str, str]) -> bool:
    """Say whether the attributes are of an image that nobody shall see: a spacer, or one that reports the reading."""
    style = image.get("style", "")
    sizes = [size[1] for name in ("width", "height") if (size := _PLAIN_SIZE.match(image.get(name, "")))]
    if style:
        sizes += _STYLED_SIZE.findall(style)
    seen = [float(size) for size in sizes]
    return (bool(seen) and (max(seen) <= 3 or min(seen) == 0)) or hides(style)


def hides(style: str) -> bool:
    """Say whether an inline style takes the element out of sight."""
    return _HIDING.search(style) is not None


_HIDING = re.compile(
    r"display\s*+:\s*+none|visibility\s*+:\s*+hidden|opacity\s*+:\s*+0*+(?:\.0*+)?+\s*+(?:;|!|$)", re.IGNORECASE
)
_STYLED_SIZE = re.compile(
    r"(?:^|[;\s])(?:max-)?(?:width|height)\s*+:\s*+(\d{1,6}(?:\.\d{1,6})?)\s*+(?:px|;|!|$)", re.IGNORECASE
)
_PLAIN_SIZE = re.compile(r"\s*+(\d{1,6}(?:\.\d{1,6})?)\s*+(?:px)?\s*+$", re.IGNORECASE)
