"""The two texts a message is sent with: plain text for every reader, HTML for those that show it. Pure."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import attrs

from mailkit.mime.markdown import html_to_markdown
from mailkit.mime.outgoing import OutgoingMessage

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

__all__ = ["Texts", "texts_of"]


@attrs.frozen(kw_only=True, repr=False)
class Texts:
    """What the message says; ``html`` is None where it has none."""

    text: str
    html: str | None


def texts_of(message: OutgoingMessage) -> Texts:
    """Give both texts: of Markdown its source and its HTML, of HTML alone a readable form of it as text.

    HTML that holds nothing is none: readers would show it in place of the text.
    """
    if message.markdown is not None:
        return Texts(text=message.markdown, html=str(_renderer().render(message.markdown)) or None)
    html = message.html if message.html and not message.html.isspace() else None
    text = html_to_markdown(html) if message.text is None and html is not None else message.text
    return Texts(text=text or "", html=html)


@cache
def _renderer() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # Markup in Markdown is shown, not obeyed: the text may be put together from what others wrote.
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
