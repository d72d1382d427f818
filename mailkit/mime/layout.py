"""Which tables of a mail hold data, and which only place things beside or below each other.

Looks at the names and attributes of tags, in one pass; the text between them has no say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from mailkit.mime.tags import attributes_of

_PARTS = frozenset({"table", "thead", "tbody", "tfoot", "caption", "tr", "td", "th"})
TABLE_TAGS = _PARTS | {f"/{name}" for name in _PARTS}
"""The names of the tags that make a table."""

# What does not fit into one line. One paragraph does.
_BLOCKS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "blockquote", "pre", "hr", "p"})
_PLACING_ROLE = re.compile(r"\brole\s*=\s*[\"']?(?:presentation|none)\b", re.IGNORECASE)
_WIDEST_CELL = 1_000


@attrs.define
class _Table:
    tags: list[int]  # where its own tags are
    places: bool  # said by the table itself, or seen inside
    heads: int = 0
    rows: int = 0
    cells: int = 0
    width: int = 0
    widest: int = 0
    paragraphs: int = 0  # in the cell that is open

    def holds_data(self) -> bool:
        """Two rows and two columns, filled for the most part: a few long rows would make many empty cells."""
        several = self.rows >= 2 and self.widest >= 2
        return several and not self.places and self.rows * self.widest <= 4 * self.cells + 100


def layout_tables(names: Sequence[str], tags: Sequence[str]) -> list[int]:
    """Give the places of the tags of all tables that hold no data, and of those that belong to no table."""
    found: list[int] = []
    opened: list[_Table] = []
    table: _Table | None = None
    for at, name in enumerate(names):
        if name == "table":
            if table is not None:
                table.places = True
            table = _Table(tags=[at], places=_PLACING_ROLE.search(tags[at]) is not None)
            opened.append(table)
        elif table is None:
            if name in TABLE_TAGS:
                found.append(at)
        elif name == "/table":
            opened.pop()
            found += () if table.holds_data() else [*table.tags, at]
            table = opened[-1] if opened else None
        elif name in TABLE_TAGS:
            table.tags.append(at)
            if name == "tr":
                table.rows += 1
                table.width = 0
            elif name in {"td", "th"}:
                table.heads += name == "th"
                table.cells += 1
                table.paragraphs = 0
                table.width += _columns(tags[at])
                table.widest = max(table.widest, table.width)
        elif name in _BLOCKS:
            table.paragraphs += 2 if name != "p" else 1
            # With column heads it is data whatever its cells hold.
            table.places |= table.paragraphs > 1 and not table.heads
    for table in opened:  # never closed
        found += table.tags
    return found


def _columns(tag: str) -> int:
    if "span" not in tag.lower():
        return 1
    span = attributes_of(tag).get("colspan", "").strip()
    return max(1, min(int(span), _WIDEST_CELL)) if span.isdecimal() and len(span) < 9 else 1
