"""Bodies as Exchange hands them out: HTML unless text is preferred, each made from the other where only one is there.

Exchange keeps one body, the HTML one where a message has both, and derives the text from it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from html.parser import HTMLParser

from mailkit.sandbox.mail import Mail

__all__ = ["answered", "body", "framed", "preview", "text_of", "unique_body"]

_HEAD = '<html><head>\r\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8"></head>'
_BODY = re.compile(r"<body\b[^>]*>", re.IGNORECASE)
_HIDDEN = frozenset(("head", "script", "style", "title"))
_BLOCKS = frozenset(
    (
        "address",
        "blockquote",
        "div",
        "dl",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "li",
        "ol",
        "p",
        "pre",
        "table",
        "tr",
        "ul",
    )
)
# Where the earlier message begins: `>` lines, "On ... wrote:", Outlook's own separators.
_HISTORY = re.compile(
    r"^(?:>|On .{1,200} wrote:\s*$|-{2,}\s*Original Message\s*-{2,}|_{20,}\s*$|From: .*\r?\n(?:Sent|Date): )",
    re.MULTILINE,
)


def text_of(mail: Mail) -> str:
    """Give the body as text, lines ended by CRLF."""
    text = mail.text or "" if mail.html is None else _Text.of(mail.html)
    return re.sub(r"\r\n|\r|\n", "\r\n", text)


def body(mail: Mail, *, as_text: bool) -> dict[str, object]:
    """Give ``body`` in the type that was asked for."""
    if as_text:
        return {"contentType": "text", "content": text_of(mail)}
    return {
        "contentType": "html",
        "content": framed(mail.html) if mail.html is not None else _marked_up(text_of(mail)),
    }


def unique_body(mail: Mail, *, as_text: bool) -> dict[str, object]:
    """Give ``uniqueBody``: what is new against the earlier messages of the conversation."""
    text = text_of(mail)
    history = _HISTORY.search(text)
    if history is None:
        return body(mail, as_text=as_text)
    new = text[: history.start()].rstrip()
    return {"contentType": "text", "content": new} if as_text else {"contentType": "html", "content": _marked_up(new)}


def preview(mail: Mail) -> str:
    """Give ``bodyPreview``: the first 255 characters of the text (resources/message)."""
    return text_of(mail).strip()[:255]


def framed(markup: str) -> str:
    """Give markup as a whole page, which Exchange makes of what it is sent."""
    return (
        markup if re.match(r"\s*(?:<!doctype|<html)", markup, re.IGNORECASE) else f"{_HEAD}<body>{markup}</body></html>"
    )


def answered(mail: Mail, comment: str, headings: Sequence[tuple[str, str]]) -> tuple[str | None, str | None]:
    """Give the text or the HTML of an answer to ``mail``, or of a forward: the comment above the message as it was.

    It is HTML where the message is; ``headings`` are names and texts of the quoted head.
    """
    if mail.html is None:
        head = "".join(f"{name}: {text}\r\n" for name, text in headings)
        return f"{comment}\r\n{'_' * 32}\r\n{head}\r\n{text_of(mail)}", None
    above = html.escape(comment, quote=False).replace("\n", "<br>\n")
    head = "<br>\r\n".join(f"<b>{name}:</b> {html.escape(text, quote=False)}" for name, text in headings)
    page = framed(mail.html)
    start = _BODY.search(page)
    at = start.end() if start else 0
    rule = '<hr tabindex="-1" style="display:inline-block; width:98%">'
    quoted = f'<div id="divRplyFwdMsg" dir="ltr">{head}<div>&nbsp;</div></div>'
    return None, f"{page[:at]}<div>{above}</div>\r\n{rule}{quoted}{page[at:]}"


def _marked_up(text: str) -> str:
    lines = html.escape(text, quote=False).replace("\r\n", "<br>\r\n")
    return f'{_HEAD}<body><font size="2"><div class="PlainText">{lines}</div></font></body></html>'


class _Text(HTMLParser):
    """The text of a page, blocks on lines of their own."""

    @classmethod
    def of(cls, markup: str) -> str:
        parser = cls()
        parser.feed(markup)
        parser.close()
        lines = [re.sub(r"[ \t\r\f]+", " ", line).strip() for line in "".join(parser._pieces).split("\n")]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._pieces: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002  # the base class hands it in
        self._hidden += tag in _HIDDEN
        if tag == "br" or tag in _BLOCKS:
            self._pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in _HIDDEN and self._hidden > 0
        if tag in _BLOCKS:
            self._pieces.append("\n")
        elif tag in ("td", "th"):
            self._pieces.append(" ")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._pieces.append(data.replace("\r", "").replace("\n", " "))
