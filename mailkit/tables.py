"""Cells of plain text become a table: as HTML for a notebook, as lines for a terminal.

Every cell is untrusted: control and direction-changing characters are made visible as U+FFFD, HTML is escaped, and a
text table counts what a character takes on the screen. Knows no record and reads nothing of the surroundings: the
width comes in as an argument.
"""

from __future__ import annotations

import html
import unicodedata
from itertools import accumulate

import attrs

__all__ = ["Table", "clean", "screen_width", "shorten"]

_GAP = "  "
_NARROWEST = 8  # a column is not squeezed below this many screen cells


@attrs.frozen(kw_only=True)
class Table:
    """Columns, rows of as many cells each, and remarks that stand below."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = ()
    remarks: tuple[str, ...] = ()

    def to_html(self) -> str:
        """Give one ``<table>`` and a paragraph per remark, all text escaped."""
        head = "".join(f"<th>{_escape(column)}</th>" for column in self.columns)
        body = "".join(
            "<tr>" + "".join(f'<td dir="auto">{_escape(cell)}</td>' for cell in row) + "</tr>" for row in self.rows
        )
        notes = "".join(f'<p dir="auto">{_escape(remark)}</p>' for remark in self.remarks)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"

    def to_text(self, *, width: int = 120) -> str:
        """Give aligned lines no wider than ``width`` screen cells where that is possible; long cells end in ``…``."""
        grid = [[clean(cell) for cell in row] for row in (self.columns, *self.rows)]
        widths = _fit([max(map(screen_width, column)) for column in zip(*grid, strict=True)], width)
        lines = [_GAP.join(map(_pad, row, widths)).rstrip() for row in grid]
        lines.insert(1, _GAP.join("─" * each for each in widths))
        return "\n".join([*lines, *map(clean, self.remarks)])


def clean(text: str) -> str:
    """Make text safe to show on one line: white space becomes a space, what controls the screen becomes U+FFFD."""
    return "".join(" " if c.isspace() else "\ufffd" if _controls(c) else c for c in text)


def screen_width(text: str) -> int:
    """Count the screen cells of text: wide characters take two, combining and zero-width ones none."""
    return sum(map(_cells, text))


def shorten(text: str, width: int) -> str:
    """Cut text to ``width`` screen cells; what was cut ends in ``…``."""
    if screen_width(text) <= width:
        return text
    used = accumulate(map(_cells, text))
    return "".join(char for char, cells in zip(text, used, strict=True) if cells < width) + "…"  # which takes one


def _controls(char: str) -> bool:
    # Unicode Bidirectional Algorithm (UAX #9), 2: the explicit embeddings, overrides, isolates and marks.
    return (
        unicodedata.category(char) in ("Cc", "Cs")
        or char in "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
        or ("\u2066" <= char <= "\u2069")
    )


def _cells(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1  # Unicode UAX #11


def _escape(text: str) -> str:
    return html.escape(clean(text))


def _fit(widths: list[int], total: int) -> list[int]:
    """Take from the widest column, one cell after another, until the row fits or nothing can be given."""
    room = total - len(_GAP) * (len(widths) - 1)
    while sum(widths) > room and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    return widths


def _pad(text: str, width: int) -> str:
    shown = shorten(text, width)
    return shown + " " * (width - screen_width(shown))
