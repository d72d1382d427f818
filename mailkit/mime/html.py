"""HTML to readable text: the safe, plain pass that always gives an answer.

Keeps the words and the line breaks of the block elements, nothing else: no links, no emphasis, no tables. Built on the
standard ``HTMLParser``, which keeps no tree, so neither deep nesting nor broken markup can stop it. It never raises,
follows no link, loads nothing, and does not make text harmless: what comes out is as untrusted as what went in.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from io import StringIO

from mailkit.mime.entities import with_short_numbers

_HIDDEN = frozenset({"script", "style", "title", "template"})
_PARAGRAPHS = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "ul", "ol", "dl", "table", "hr"})
_LINES = frozenset({
    "address", "article", "aside", "body", "caption", "center", "dd", "details", "div", "dt", "fieldset", "figcaption",
    "figure", "footer", "form", "header", "legend", "li", "main", "nav", "option", "section", "summary", "tr",
})  # fmt: skip
_CELLS = frozenset({"td", "th"})

_SPACE = re.compile(r"\s+")
_LINE_END = re.compile(r"\r\n?")
# Breaks asked for by markup while the text is gathered, and blanks that stay: the mail's own white space holds none.
_LINE, _PARAGRAPH, _KEPT = "\v", "\f", "\x1f"
_VERBATIM = str.maketrans({_LINE: _KEPT, _PARAGRAPH: _KEPT, "\t": _KEPT * 4, " ": _KEPT})
_RUN = re.compile(r"(?<![ \x1f])[ \x1f]*+[\n\v\f](?:[ \x1f]*+[\n\v\f])*+ *+|  ++")
# The last of them is "<div><br></div>", how web mail writes an empty line.
_BLANK_LINE = re.compile(r"\f|\n[ \x1f]*\n|\v[ \x1f]*\n")


def html_to_text(html: str) -> str:
    """Give the readable text of ``html``: lines where blocks were, a blank line between paragraphs, no markup.

    Scripts, styles, comments and the title are left out, entities decoded, runs of white space made one space, but
    where it is set as it is (``<pre>``).
    """
    parser = _TextParser()
    parser.feed(terminated(without_comments(with_short_numbers(html))))
    parser.close()
    return parser.text()


def without_comments(html: str) -> str:
    """Cut comments out in one pass, since the parser looks for the end of an unclosed one again and again."""
    kept: list[str] = []
    at = 0
    while (start := html.find("<!--", at)) >= 0:
        kept.append(html[at:start])
        end = html.find("-->", start + 2)  # "<!-->" is a comment, too
        if end < 0:  # never closed: the text after it is shown rather than lost
            return "".join(kept) + html[start:].replace("<!--", "")
        at = end + 3
    return "".join(kept) + html[at:]


def terminated(html: str) -> str:
    """Make what follows the last ``>`` plain text, since the parser looks for the end of every tag begun there."""
    end = html.rfind(">") + 1
    return html[:end] + html[end:].replace("<", "&lt;")


class _TextParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._said = StringIO()  # a list of small pieces would take many times the room
        self._hidden: str | None = None
        self._verbatim = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - the parser's signature
        if self._hidden is not None:
            if tag == "body":  # a title nobody closed must not swallow the mail
                self._hidden = None
        elif tag in _HIDDEN:
            self._hidden = tag
        self._break_at(tag)
        if tag == "br":
            self._said.write("\n")
        self._verbatim = self._verbatim or tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        if tag == self._hidden:
            self._hidden = None
        self._break_at(tag)
        self._verbatim = self._verbatim and tag != "pre"

    def handle_data(self, data: str) -> None:
        if self._hidden is None:
            as_written = _LINE_END.sub("\n", data).translate(_VERBATIM) if self._verbatim else _SPACE.sub(" ", data)
            self._said.write(as_written)

    def parse_marked_section(self, i: int, report: int = 1) -> int:  # noqa: ARG002 - the parser's signature
        # Outlook writes "<![if !mso]>"; the base class fails on keywords it does not know, a browser skips them.
        return self.parse_bogus_comment(i)

    def _break_at(self, tag: str) -> None:
        if tag in _PARAGRAPHS:
            self._said.write(_PARAGRAPH)
        elif tag in _LINES:
            self._said.write(_LINE)
        elif tag in _CELLS:
            self._said.write(" ")

    def text(self) -> str:
        """Everything said so far, tidied."""
        said, tidied = self._said.getvalue(), StringIO()
        at = 0
        for run in _RUN.finditer(said):
            tidied.write(said[at : run.start()])
            tidied.write(_gap(run[0]))
            at = run.end()
        tidied.write(said[at:])
        return tidied.getvalue().strip().replace(_KEPT, " ")


def _gap(run: str) -> str:
    """Give the blank line, the line break or the blank that a run of them comes to."""
    if _BLANK_LINE.search(run):
        return "\n\n"
    return "\n" if run.strip(f" {_KEPT}") else " "
