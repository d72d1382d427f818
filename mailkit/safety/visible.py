"""The part of HTML that a reader sees: one pass that follows what hides text, and leaves that out.

Built on the standard ``HTMLParser`` and a stack of what is open, closed as browsers close it; it renders and loads
nothing. A stack of bounded reach keeps the time linear: what was opened hundreds of elements ago cannot be closed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from html.parser import HTMLParser
from itertools import islice

import attrs

from mailkit.checks import instance
from mailkit.mime.entities import with_short_numbers
from mailkit.mime.html import terminated
from mailkit.mime.tags import written_tag
from mailkit.safety.hiding import LINK, Look
from mailkit.safety.styles import Declarations, Element, Selector, Sheet, declarations, merged, rules

__all__ = ["visible_html"]

_VOID = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
})  # fmt: skip
_NEVER_SHOWN = frozenset({
    "script", "style", "template", "datalist", "audio", "video", "iframe", "object", "noembed", "noframes", "canvas",
    "progress", "meter", "desc", "metadata",
})  # fmt: skip
# HTML standard, 13.2: an open paragraph ends before these, formatting is opened again after what closed around it, and
# nothing but a part of the table is closed from inside a cell.
_ENDS_PARAGRAPH = frozenset({
    "address", "article", "aside", "blockquote", "center", "details", "dir", "div", "dl", "fieldset", "figure",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "menu", "nav", "ol", "p", "pre",
    "section", "table", "ul", "dd", "dt",
})  # fmt: skip
_FORMATTING = frozenset({
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
})  # fmt: skip
_TABLE = frozenset({"table", "caption", "tbody", "thead", "tfoot", "tr", "td", "th"})
_CELLS = frozenset({"td", "th", "caption", "table"})
_TABLE_ONLY = frozenset({"table"})
_NOTHING: frozenset[str] = frozenset()
_NOWHERE: frozenset[Element] = frozenset()
_IMPLIED_ENDS = {
    "li": (frozenset({"li"}), frozenset({"ul", "ol", "menu", *_CELLS})),
    "dd": (frozenset({"dd", "dt"}), frozenset({"dl", *_CELLS})),
    "dt": (frozenset({"dd", "dt"}), frozenset({"dl", *_CELLS})),
    "option": (frozenset({"option"}), frozenset({"select"})),
    "td": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "th": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "tr": (frozenset({"tr"}), frozenset({"table"})),
    "tbody": (frozenset({"tbody", "thead", "tfoot"}), frozenset({"table"})),
}
_REACH = 400  # open elements looked at for the one that an end tag means
_NARROW = 200  # selectors of several classes that are taken
_REOPENED = 8  # formatting elements opened again after what closed around them

_ASIDE = re.compile(r"<!--|<style\b[^<>]*>", re.IGNORECASE)
_STYLE_END = re.compile("</style", re.IGNORECASE)


def visible_html(html: str) -> str:
    """Leave out what a reader of the HTML does not see: comments, scripts, styles, hidden elements and hidden text.

    Hidden is what has no display, visibility, opacity, size or place on the screen, and text in the colour of its
    background, by attributes, inline styles and simple rules of the mail's own style sheets.
    """
    markup, sheet = _apart(instance(html, "html", str, "HTML as text"))
    parser = _VisibleParser(rules(sheet))
    parser.feed(terminated(with_short_numbers(markup)))
    parser.close()
    return "".join(parser.kept)


def _apart(html: str) -> tuple[str, str]:
    """Give the markup without comments and style sheets, and the style sheets."""
    kept: list[str] = []
    sheets: list[str] = []
    at = 0
    while found := _ASIDE.search(html, at):
        kept.append(html[at : found.start()])
        if found[0] == "<!--":
            end = html.find("-->", found.start() + 2)
            at = end + 3 if end >= 0 else len(html)  # a comment that never ends hides the rest, as in a browser
        else:
            closing = _STYLE_END.search(html, found.end())
            at = closing.start() if closing else len(html)
            sheets.append(html[found.end() : at])
    return "".join(kept) + html[at:], "\n".join(sheets)


@attrs.frozen
class _Open:
    tag: str
    style: Declarations
    look: Look
    is_: frozenset[Element]  # of the elements that rules ask what they stand in, those that this one is
    inside: frozenset[Element]  # ... and those that this one, or one around it, is


class _VisibleParser(HTMLParser):
    def __init__(self, sheet: Sheet) -> None:
        super().__init__(convert_charrefs=True)
        self.kept: list[str] = []
        self._sheet = sheet
        # Those that cannot be looked up; each is asked of each element.
        self._narrow = [*islice((path for path in sheet if not _is_looked_up(path)), _NARROW)]
        self._asked = frozenset(each for path in self._narrow for each in path[:-1])
        self._by_sheet = lru_cache(maxsize=1_000)(self._look_up)  # mail repeats itself
        self._open: list[_Open] = []
        self._counts: Counter[str] = Counter()  # of the open elements, by tag

    @property
    def _inside(self) -> frozenset[Element]:
        return self._open[-1].inside if self._open else _NOWHERE

    @property
    def _look(self) -> Look:
        return self._open[-1].look if self._open else Look()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _ENDS_PARAGRAPH:
            self._close(frozenset({"p"}), _CELLS)
        if tag in _IMPLIED_ENDS:
            self._close(*_IMPLIED_ENDS[tag])
        # Of two attributes of one name the first counts.
        attributes = {name: value or "" for name, value in reversed(attrs)}
        style, is_ = self._style(tag, attributes)
        if tag in _VOID:
            look = self._look.inside(style)
            shown = not (look.hidden if tag == "img" else look.gone)
        else:
            self._push(tag, style, is_)
            shown = not self._look.gone
        if shown:
            attributes.pop("title", None)  # a tooltip, which converters would write out
            self.kept.append(written_tag(tag, attributes))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)  # "<div/>" opens a div in HTML

    def handle_endtag(self, tag: str) -> None:
        shown = not self._look.gone
        self._close(frozenset({tag}), _NOTHING if tag == "table" else _TABLE_ONLY if tag in _TABLE else _CELLS)
        if shown and not self._look.gone:
            self.kept.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self._look.hidden:
            self.kept.append(escape(data, quote=False))
        elif data[:1].isspace():
            self.kept.append(" ")

    def parse_marked_section(self, i: int, report: int = 1) -> int:  # noqa: ARG002 - the parser's signature
        # Outlook writes "<![if !mso]>"; the base class fails on keywords it does not know, a browser skips them.
        return self.parse_bogus_comment(i)

    def _push(self, tag: str, style: Declarations, is_: frozenset[Element]) -> None:
        inside = self._inside if is_ <= self._inside else self._inside | is_
        self._open.append(_Open(tag, style, self._look.inside(style), is_, inside))
        self._counts[tag] += 1

    def _close(self, tags: frozenset[str], barriers: frozenset[str]) -> None:
        """Close the nearest of these, with what is open inside it, unless a barrier stands between."""
        if not any(self._counts[tag] for tag in tags):
            return
        for back, element in enumerate(islice(reversed(self._open), _REACH), start=1):
            if element.tag in tags:
                closed = self._open[-back:]
                del self._open[-back:]
                self._counts.subtract(each.tag for each in closed)
                if not tags & _TABLE:
                    again = [each for each in closed[1:] if each.tag in _FORMATTING and each.style]
                    for each in again[-_REOPENED:]:
                        self._push(each.tag, each.style, each.is_)
                return
            if element.tag in barriers:
                return

    def _style(self, tag: str, attributes: Mapping[str, str]) -> tuple[Declarations, frozenset[Element]]:
        """Give the style of an element here, and which of the elements that rules ask for it is."""
        layers = [_by_attributes(tag, attributes)]
        is_ = _NOWHERE
        if self._sheet:
            classes = [f".{name}" for name in attributes.get("class", "").lower().split()]
            by_sheet, is_ = self._by_sheet(self._inside, tag, f"#{attributes.get('id', '').lower()}", *classes)
            layers.append(by_sheet)
        if "style" in attributes:
            layers.append(declarations(attributes["style"]))
        return merged(layers), is_

    def _look_up(
        self, inside: frozenset[Element], tag: str, top: str, *classes: str
    ) -> tuple[Declarations, frozenset[Element]]:
        """Give what the style sheets say of an element, and which of the elements that they ask for it is."""
        keys = [{tag}, *({each} for each in classes), *({tag, each} for each in classes), {top}]
        met: list[Selector] = [path for key in keys if (path := (frozenset(key),)) in self._sheet]
        every = {tag, top, *classes}
        met += [path for path in self._narrow if path[-1] <= every and inside.issuperset(path[:-1])]
        best: dict[str, tuple[bool, tuple[int, int, int], int, str]] = {}
        for selector in met:
            weight = _specificity(selector)
            for name, (important, place, value) in self._sheet[selector].items():
                best[name] = max(best.get(name, (False, weight, -1, "")), (important, weight, place, value))
        style = {name: (value, important) for name, (important, _, _, value) in best.items()}
        return style, frozenset(each for each in self._asked if each <= every)


def _is_looked_up(path: Selector) -> bool:
    kinds = sorted(part[0] if part[0] in ".#" else "" for part in path[-1])
    return len(path) == 1 and (len(kinds) == 1 or kinds == ["", "."])


def _specificity(path: Selector) -> tuple[int, int, int]:
    """Tell which of two rules counts: https://www.w3.org/TR/selectors-4/#specificity-rules."""
    kinds = [part[0] for each in path for part in each]
    ids, classes = kinds.count("#"), kinds.count(".")
    return ids, classes, len(kinds) - ids - classes


def _by_attributes(tag: str, attributes: Mapping[str, str]) -> Declarations:
    """Say in CSS what a tag and its attributes say."""
    if tag in _NEVER_SHOWN or (tag == "input" and attributes.get("type", "").lower() == "hidden"):
        return {"display": ("none", True)}
    if tag == "img" and {attributes.get("width"), attributes.get("height")} & {"0", "1"}:
        return {"display": ("none", True)}  # a tracking pixel; its text is for nobody
    said: dict[str, str] = {}
    if "hidden" in attributes or (tag == "dialog" and "open" not in attributes):
        said["display"] = "none"
    if tag == "a" and "href" in attributes:
        said["color"] = LINK
    if tag in ("body", "table", "tr", "td", "th"):
        if "background" in attributes:
            said["background"] = f"url({attributes['background']})"
        elif "bgcolor" in attributes:
            said["background"] = attributes["bgcolor"].lower()
    if tag == "font" and "color" in attributes:
        said["color"] = attributes["color"].lower()
    if tag == "body" and "text" in attributes:
        said["color"] = attributes["text"].lower()
    return {name: (value, False) for name, value in said.items()}
