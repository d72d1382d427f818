"""As much CSS as it takes to hide text: declarations, simple selectors, lengths and colours. Loads and renders nothing.

Selectors by name, class and id are understood, also of an element inside others (``#top.small p``, ``td > .note``,
``.box *``). Rules inside a media query with a condition are not taken, since a phone and a desktop would see different
mail; other selectors match nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from colorsys import hls_to_rgb
from functools import lru_cache
from typing import TypeAlias

__all__ = [
    "Colour",
    "Declarations",
    "Element",
    "Selector",
    "Sheet",
    "colour",
    "declarations",
    "length",
    "merged",
    "near",
    "rules",
]

Declarations: TypeAlias = Mapping[str, tuple[str, bool]]
"""Property to value and whether it is ``!important``; lower case, and only what can hide text."""

Element: TypeAlias = frozenset[str]
"""All that an element has to be: ``p``, ``.note``, ``#top``; empty: any element."""

Selector: TypeAlias = tuple[Element, ...]
"""An element, after those it has to be inside of; in which order these stand, and how far away, is not asked."""

Sheet: TypeAlias = dict[Selector, dict[str, tuple[bool, int, str]]]
"""To each selector what it sets: property to whether it is ``!important``, which rule of the sheet says so, value."""

Colour: TypeAlias = tuple[int, int, int] | str
"""Red, green and blue; or the word that was written, where that is not known here."""

_HIDING = frozenset({
    "-webkit-mask", "-webkit-mask-image", "-webkit-text-fill-color", "background", "background-color",
    "background-image", "bottom", "clip", "clip-path", "color", "content-visibility", "display", "filter", "font",
    "font-size", "height", "inset", "left", "letter-spacing", "line-height", "margin", "margin-left", "margin-top",
    "mask", "mask-image", "max-height", "max-width", "mso-hide", "opacity", "overflow", "overflow-x", "overflow-y",
    "position", "right", "scale", "text-indent", "top", "transform", "translate", "visibility", "width", "zoom",
})  # fmt: skip
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_BRACE = re.compile("[{}]")
_EVERYWHERE = re.compile(r"@media\s+(?:only\s+)?(?:screen|all)(?:\s*,\s*\w+)*")  # no condition
_ELEMENT = r"(?=[*.#a-z])(?:\*|[a-z][a-z0-9]*+)?+(?:[.#][\w-]++)*+"
_SELECTOR = re.compile(rf"{_ELEMENT}(?:(?:\s*+>\s*+|\s++){_ELEMENT}){{0,4}}+")
_COMBINATOR = re.compile(r"[\s>]+")
_SELECTOR_PART = re.compile(r"[.#]?[^.#]+")
_NUMBER = re.compile(r"[-+]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})")
_CHOICE = re.compile(r"(calc|min|max|clamp)\(([^()]*+)\)")
_CHANNEL = r"(\d{1,3}(?:\.\d{0,6})?%?)"
_CHANNELS = re.compile(rf"(rgb|hsl)a?\(\s*+{_CHANNEL}(?:deg)?[\s,]+{_CHANNEL}[\s,]+{_CHANNEL}(?:[\s,/]+[\d.%]+)?\s*+\)")
_EACH = r"(-?(?:\d{1,3}(?:\.\d{0,9})?|\.\d{1,9})%?)(?:deg)?"
_LIGHTNESS = re.compile(
    r"(color|lab|lch|oklab|oklch|hwb)\(\s*+(?:(srgb|srgb-linear|display-p3)\s++)?"
    rf"{_EACH}\s++{_EACH}\s++{_EACH}(?:\s*+/[\s\d.%]+)?\s*+\)"
)
_ALMOST = 0.95
_PIXELS = {
    "": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "em": 16.0, "rem": 16.0, "ex": 8.0, "%": 0.16,
    "in": 96.0, "cm": 38.0, "mm": 3.8, "ch": 8.0, "vw": 8.0, "vh": 6.0, "vmin": 6.0, "vmax": 8.0,
}  # fmt: skip
_COLOURS: dict[str, Colour] = {
    "white": (255, 255, 255), "black": (0, 0, 0), "snow": (255, 250, 250), "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255), "floralwhite": (255, 250, 240), "whitesmoke": (245, 245, 245),
    "mintcream": (245, 255, 250), "azure": (240, 255, 255), "aliceblue": (240, 248, 255), "seashell": (255, 245, 238),
}  # fmt: skip


def declarations(css: str) -> Declarations:
    """Read the inside of a style attribute or of one rule."""
    return _remembered(css) if len(css) <= 400 else _read(css)


def _read(css: str) -> Declarations:
    found: list[Declarations] = []
    for each in _plain(css).lower().split(";"):
        name, _, value = each.partition(":")
        if name.strip() in _HIDING:
            value, _, important = value.partition("!")
            found.append({name.strip(): (value.strip(), important.strip() == "important")})
    return merged(found)


_remembered = lru_cache(maxsize=512)(_read)  # mail repeats its styles; nobody changes what is given


def merged(layers: Iterable[Declarations]) -> dict[str, tuple[str, bool]]:
    """Let later declarations win, important ones over all others."""
    result: dict[str, tuple[str, bool]] = {}
    for layer in layers:
        for name, (value, important) in layer.items():
            if important or not result.get(name, ("", False))[1]:
                result[name] = (value, important)
    return result


def rules(css: str) -> Sheet:
    """Read a style sheet."""
    found: Sheet = {}
    css = _COMMENT.sub(" ", css).replace("<!--", " ").replace("-->", " ")
    selectors = ""  # of the rule whose end comes next
    skipped = 0  # open braces, from the block on that is not taken
    at = 0
    css += "}"  # the end of the sheet ends a rule
    for brace in _BRACE.finditer(css):
        before, at = css[at : brace.start()], brace.end()
        if brace[0] == "{":
            selectors = before.rpartition(";")[2].strip().lower()
            skipped += skipped > 0 or (selectors.startswith("@") and not _EVERYWHERE.fullmatch(selectors))
        else:
            if selectors and not skipped:
                read = declarations(before)
                for selector in map(str.strip, selectors.split(",")):
                    if _SELECTOR.fullmatch(selector):
                        path = tuple(map(_element, _COMBINATOR.split(selector)))
                        for name, (value, important) in read.items():
                            known = found.setdefault(path, {})
                            known[name] = max(known.get(name, (False, -1, "")), (important, at, value))
            selectors = ""
            skipped = max(skipped - 1, 0)
    return found


def _element(written: str) -> Element:
    return frozenset(_SELECTOR_PART.findall(written.removeprefix("*")))


def length(value: str) -> float | None:
    """Read a length as pixels, a relative one of common text; None: not a length."""
    if choice := _CHOICE.fullmatch(value):
        return _chosen(choice[1], [length(each.strip()) for each in choice[2].split(",")])
    number = _NUMBER.match(value)
    factor = _PIXELS.get(value[number.end() :].strip()) if number else None
    return float(number[0]) * factor if number and factor is not None else None


def _chosen(function: str, lengths: list[float | None]) -> float | None:
    """Give the length that is chosen, or one that it does not exceed; None: not known."""
    known = [each for each in lengths if each is not None]
    if function == "min":
        return min(known, default=None)
    if len(known) < len(lengths):
        return None
    if function == "clamp":
        return max(known[0], min(known[1:])) if len(known) == 3 else None
    return max(known)


def colour(value: str) -> Colour | None:
    """Read a colour; None: seen through altogether, or none at all."""
    value = value.strip().lower()
    if value in ("", "transparent", "inherit", "initial", "unset", "currentcolor", "none"):
        return None
    if re.fullmatch("#?(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", value):
        digits = value.lstrip("#")
        wide = digits if len(digits) > 4 else "".join(2 * digit for digit in digits)
        return (int(wide[0:2], 16), int(wide[2:4], 16), int(wide[4:6], 16))
    if channels := _CHANNELS.fullmatch(value):
        kind, *written = channels.groups()
        if kind == "rgb":
            red, green, blue = (_part(each, 255) * 255 for each in written)
        else:
            hue, saturation, lightness = written
            red, green, blue = (
                255 * each for each in hls_to_rgb(_part(hue, 360), _part(lightness, 100), _part(saturation, 100))
            )
        return (round(red), round(green), round(blue))
    return _COLOURS.get(value) or _almost_white_or_black(value) or value


def _almost_white_or_black(value: str) -> Colour | None:
    """Read the functions that say how light a colour is, as far as it takes to see white on white."""
    if not (written := _LIGHTNESS.fullmatch(value)):
        return None
    function, space, *channels = written.groups()
    if function == "color":
        if not space:
            return None
        red, green, blue = (round(255 * _part(each, 1)) for each in channels)
        return (red, green, blue)
    if function == "hwb":  # https://www.w3.org/TR/css-color-4/#the-hwb-notation
        white, black = (_part(each, 100) for each in channels[1:])
        light = 1.0 if white >= _ALMOST else 0.0 if black >= _ALMOST else 0.5
    else:
        light = _part(channels[0], 1 if function.startswith("ok") else 100)
    return (255, 255, 255) if light >= _ALMOST else (0, 0, 0) if light <= 1 - _ALMOST else None


def _part(channel: str, whole: int) -> float:
    """Read a channel as a part of one: a percentage, or a number up to ``whole``."""
    return float(channel.rstrip("%")) / (100 if channel.endswith("%") else whole)


def near(one: Colour, other: Colour) -> bool:
    """Tell whether nobody could read the one upon the other."""
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return all(abs(a - b) < 24 for a, b in zip(one, other, strict=True))


def _plain(css: str) -> str:
    return _ESCAPE.sub(_escaped, _COMMENT.sub("", css))


def _escaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] and int(match[1], 16) < 0x110000 else match[2] or ""
