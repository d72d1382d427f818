"""Whether the style of an element hides it, or the text in it. Knows styles, not markup."""

from __future__ import annotations

import re

import attrs

from mailkit.safety.styles import Colour, Declarations, colour, length, near

__all__ = ["LINK", "Look"]

LINK = "#0000ee"
"""The colour of a link that says nothing about its colour (HTML standard, 15.3.1)."""

_OFF_SCREEN = -200.0  # pixels
_FAR = 3_000.0  # pixels from an edge, which is beyond the opposite one
_UNREADABLE = 3.0  # pixels of font size
_NOTHING = 1.0  # pixels of width or height
_UPON_EACH_OTHER = -8.0  # pixels between letters
_TRANSPARENT = 0.05
_CLIPPED = re.compile(
    r"rect\(\s*+(?:[01](?:px)?[\s,]*+){4}\)|inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%.*|inset\([^()]*\b100%.*"
    r"|(?:circle|ellipse)\(\s*0.*|polygon\((?:\s*+0(?:px|%)?\s++0(?:px|%)?\s*+,?+)++\)"
)
_MOVED_AWAY = re.compile(
    r"scale(?:3d|[xy])?\(\s*+0*+(?:\.(?:0(?:[0-4]\d*+)?+)?+)?+\s*+[,)]|matrix(?:3d)?\((?:\s*+0\s*+,){4}"
    r"|(?:translate(?:3d|[xy])?|matrix(?:3d)?)\([^()]*-\s*+\d{3}|rotate[xy]\(\s*+[-+]?(?:90|270)(?:deg)"
)
_WHOLE_AWAY = re.compile(r"-\d{3,9}(?:\.\d{0,9})?%")
_FADED = re.compile(r"\bopacity\(\s*+0*+(?:\.0*+)?+%?+\s*+\)|\bblur\(\s*+\d{2}")
_SEEN_THROUGH = re.compile(
    r"transparent|#[0-9a-f]{6}00|#[0-9a-f]{3}0|(?:rgba?|hsla?|color|(?:ok)?l(?:ab|ch)|hwb)\((?:(?:[^(),/]++,){3}|[^(),/]++/)\s*+0*+(?:\.0*+)?+%?+\s*+\)"
)
_COMPUTED = ("rgb", "hsl", "color(", "lab(", "lch(", "oklab(", "oklch(", "hwb(")
_MASKED = re.compile(
    r"[a-z-]*gradient\(\s*+(?:(?:to [a-z ]+|[\d.]+deg)\s*+,\s*+)?+"
    r"(?:(?:transparent|#0000|rgba\(0,\s?0,\s?0,\s?0\))[\s\d.%]*+,?+\s*+)++\).*"
)
_FONT_SIZE = re.compile(r"(?:^|\s)((?:\d{1,6}(?:\.\d{0,6})?|\.\d{1,6})(?:px|pt|em|rem|%)?)(?:/|\s|$)")


@attrs.frozen
class Look:
    """How text looks at some place: in nothing but what may hide it. Elements inside inherit it."""

    gone: bool = False  # and nothing inside can bring it back
    veiled: bool = False
    size: float = 16.0
    ink: Colour | None = (0, 0, 0)
    paper: Colour | None = (255, 255, 255)

    @property
    def hidden(self) -> bool:
        """Whether nobody can read text here."""
        return (
            self.gone
            or self.veiled
            or self.size < _UNREADABLE
            or self.ink is None
            or (self.paper is not None and near(self.ink, self.paper))
        )

    def inside(self, style: Declarations) -> Look:
        """Give the look inside an element of that style."""
        if not style:
            return self
        values = {name: value for name, (value, _) in style.items()}
        visibility = values.get("visibility")
        return Look(
            gone=self.gone or _is_gone(values),
            veiled=self.veiled if visibility is None else visibility in ("hidden", "collapse"),
            size=_size(values, self.size),
            ink=_ink(values, self.ink),
            paper=_paper(values, self.paper),
        )


def _is_gone(values: dict[str, str]) -> bool:
    opacity = length(values.get("opacity", "1"))
    lengths = {name: length(value) for name, value in values.items()}

    def below(limit: float, *names: str) -> bool:
        return any((found := lengths.get(name)) is not None and found <= limit for name in names)

    def above(limit: float, *names: str) -> bool:
        return any((found := lengths.get(name)) is not None and found >= limit for name in names)

    positioned = values.get("position") in ("absolute", "fixed", "relative")
    clipping = any(
        values.get(name, "").startswith(("hidden", "clip", "auto", "scroll"))
        for name in ("overflow", "overflow-x", "overflow-y")
    )
    margins = values.get("margin", "").split()
    edges = [length(each) or 0 for each in (*margins[:1], *(margins[3:4] or margins[1:2]))]  # top and left
    beside = any(_WHOLE_AWAY.fullmatch(values.get(name, "")) for name in ("left", "top", "right"))
    inset = [found for each in values.get("inset", "").split() if (found := length(each)) is not None]
    return (
        values.get("display") == "none"
        or values.get("mso-hide") == "all"  # Outlook's own: Word shows no such text
        or (opacity is not None and opacity <= _TRANSPARENT * (16 if "%" in values.get("opacity", "") else 1))
        or (positioned and (below(_OFF_SCREEN, "left", "top", "right") or above(_FAR, "left", "right", "bottom")))
        or (positioned and beside)
        or (positioned and (min(inset, default=0) <= _OFF_SCREEN or max(inset, default=0) >= _FAR))
        or below(_UPON_EACH_OTHER, "letter-spacing")
        or below(_OFF_SCREEN, "text-indent", "margin-left", "margin-top", "translate")
        or min(edges, default=0) <= _OFF_SCREEN
        or below(_TRANSPARENT, "zoom", "scale")
        or values.get("content-visibility") == "hidden"
        or _FADED.search(values.get("filter", "")) is not None
        or (clipping and below(_NOTHING, "height", "max-height", "width", "max-width"))
        or (clipping and below(0, "line-height"))
        or any(
            _MASKED.match(values.get(f"{prefix}mask{end}", "")) for prefix in ("", "-webkit-") for end in ("", "-image")
        )
        or any(_CLIPPED.match(values.get(name, "")) for name in ("clip", "clip-path"))
        or _MOVED_AWAY.search(values.get("transform", "")) is not None
    )


def _size(values: dict[str, str], inherited: float) -> float:
    shorthand = _FONT_SIZE.search(values.get("font", ""))
    written = values.get("font-size") or (shorthand[1] if shorthand else "")
    size = length(written)
    if size is None:
        return 16.0 if written else inherited  # a word such as "small"
    return size * inherited / 16 if written.endswith(("em", "%")) and not written.endswith("rem") else size


def _ink(values: dict[str, str], inherited: Colour | None) -> Colour | None:
    written = values.get("color", "inherit")
    if filled := values.get("-webkit-text-fill-color"):  # goes before the colour, in the browsers of phones and Macs
        through_to_image = _SEEN_THROUGH.fullmatch(filled) and _has_image(values)  # letters cut out of a picture
        written = written if through_to_image else filled
    if _SEEN_THROUGH.fullmatch(written):
        return None
    return colour(written) or inherited


def _paper(values: dict[str, str], inherited: Colour | None) -> Colour | None:
    """None: an image, on which anything may be readable."""
    if _has_image(values):
        return None
    written = _background(values)
    words = written.split() if not written.startswith(_COMPUTED) else [written.partition(")")[0] + ")"]
    return next((found for word in words if (found := colour(word))), inherited)


def _background(values: dict[str, str]) -> str:
    return values.get("background-color") or values.get("background", "")


def _has_image(values: dict[str, str]) -> bool:
    written = _background(values)
    return "(" in values.get("background-image", "") or ("(" in written and not written.startswith(_COMPUTED))
