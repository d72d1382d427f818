"""Inline styles that only style: which properties may stand in shown mail, and with which values.

Nothing that loads (``url()``), runs (``expression()``), or leaves its place (``position``, negative margins) passes.
"""

from __future__ import annotations

import re

_PROPERTIES = frozenset({
    "background-color", "border-collapse", "border-radius", "border-spacing", "caption-side", "color", "direction",
    "display", "empty-cells", "float", "clear", "font", "font-family", "font-size", "font-style", "font-variant",
    "font-weight", "height", "letter-spacing", "line-height", "list-style", "list-style-position", "list-style-type",
    "max-height", "max-width", "min-height", "min-width", "opacity", "overflow", "overflow-wrap", "table-layout",
    "text-align", "text-decoration", "text-indent", "text-transform", "unicode-bidi", "vertical-align", "visibility",
    "white-space", "width", "word-break", "word-spacing", "word-wrap", "background",
})  # fmt: skip
_FAMILY = re.compile(r"(?:border|margin|padding)(?:-(?:top|right|bottom|left))?(?:-(?:color|style|width))?")
_COLOR = re.compile(r"(?:rgb|hsl)a?\([\d\s.,%/]{1,64}\)", re.IGNORECASE)
_PLAIN = re.compile(r"[\w\s#%.,'\"+!-]+")  # no parenthesis, so no function; no backslash, so no other spelling of one
_NEGATIVE = re.compile(r"(?:^|[\s,])-[\d.]")


def safe_style(style: str) -> str:
    """Give the declarations of ``style`` that may be shown, written alike: ``"color:red;width:20px"``."""
    kept: list[str] = []
    for declaration in style.split(";"):
        name, colon, value = declaration.partition(":")
        name, value = name.strip().lower(), value.strip()
        if not colon or not (name in _PROPERTIES or _FAMILY.fullmatch(name)):
            continue
        plain = _COLOR.sub("", value)
        # An empty rest is one colour; a quote without its other would reach into what comes after.
        if plain.strip() and (_PLAIN.fullmatch(plain) is None or _NEGATIVE.search(plain) or _open_quote(plain)):
            continue
        if value:
            kept.append(f"{name}:{value}")
    return ";".join(kept)


def _open_quote(value: str) -> bool:
    return value.count('"') % 2 == 1 or value.count("'") % 2 == 1
