"""Large HTML in portions that can be read one after another, since trees take many times the room of what they are of.

A cut is made where a line ends anyway and nothing is open but boxes and quotes; quotes are begun again in the next
portion. What is held together by a table, a list or emphasis stays so, however long it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from mailkit.mime.tags import UNCOUNTED, each_tag

_PORTION = 100_000
_BOXES = frozenset({"article", "center", "div", "main", "o:p", "section", "span"})
_LINE_ENDS = frozenset({"/blockquote", "/div", "/p", "/table", "br", "hr", "p"})


def portions(html: str) -> Iterator[str]:
    """Give ``html`` in portions, and whole when it is not large."""
    if len(html) <= 2 * _PORTION:
        yield html
        return
    opened: dict[str, int] = {}
    held = start = quotes = 0  # ``quotes``: that were open at ``start``
    for _, name, end in each_tag(html):
        if name[0] == "/":
            if opened.get(name[1:]):
                opened[name[1:]] -= 1
                held -= _holds(name[1:])
        elif name not in UNCOUNTED:
            opened[name] = opened.get(name, 0) + 1
            held += _holds(name)
        if not held and end - start > _PORTION and name in _LINE_ENDS:
            yield "<blockquote>" * quotes + html[start:end]
            start, quotes = end, opened.get("blockquote", 0)
    yield "<blockquote>" * quotes + html[start:]


def _holds(name: str) -> bool:
    return name not in _BOXES and name != "blockquote"
