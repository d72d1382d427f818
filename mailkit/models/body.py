"""What a message says: the texts as they came, and what can be made of them.

Pure and lazy: nothing is decoded or converted before it is asked for, and nothing twice.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import attrs

from mailkit.mime.html import html_to_text
from mailkit.mime.late_text import MaybeText, read_text
from mailkit.models.records import Record

__all__ = ["Body"]


@attrs.frozen(kw_only=True, repr=False)
class Body(Record):
    """What a message says: the plain text and the HTML as they came, either may be missing.

    Texts may still be encoded: they are decoded when they are first asked for, and compare and travel as what they say.
    """

    _plain: MaybeText = attrs.field(default=None, eq=read_text)
    _html: MaybeText = attrs.field(default=None, eq=read_text)
    _unique: MaybeText = attrs.field(default=None, eq=read_text)  # Outlook's own idea of what is new, as HTML
    snippet: str = ""

    @cached_property
    def plain(self) -> str | None:
        """The plain text."""
        return read_text(self._plain)

    @cached_property
    def html(self) -> str | None:
        """The HTML."""
        return read_text(self._html)

    @cached_property
    def source(self) -> Literal["plain", "html", "snippet"]:
        """Where ``text`` comes from."""
        if (self.plain or "").strip():
            return "plain"
        return "html" if (self.html or "").strip() else "snippet"

    @cached_property
    def text(self) -> str:
        """Readable text: the plain part, else the text of the HTML, else the snippet."""
        match self.source:
            case "plain":
                return self.plain or ""
            case "html":
                return html_to_text(self.html or "")
            case _:
                return self.snippet

    def __repr__(self) -> str:
        return f"<Body {self.source}>"
