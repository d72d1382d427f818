"""What an event says: Google's ``description``, which may be plain or HTML and does not tell, ⇄ a body. Pure.

https://developers.google.com/workspace/calendar/api/v3/reference/events (description: "Can contain HTML")
"""

from __future__ import annotations

import re
from html import escape

from mailkit.models.body import Body

__all__ = ["body_from_wire", "text_to_wire"]

# What Google's editor and Outlook's invitations write, and what would be shown as another character. An address in
# angle brackets is neither.
_HTML = re.compile(
    r"</?(?:a|b|big|blockquote|body|br|center|code|div|em|font|h[1-6]|head|hr|html|html-blob|i|img|li|meta|ol|p|pre|s|"
    r"small|span|strong|style|sub|sup|table|tbody|td|th|thead|title|tr|u|ul)(?:\s[^<>]*)?/?>"
    r"|&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]+|#x[0-9a-f]+);",
    re.IGNORECASE,
)


def body_from_wire(description: str) -> Body:
    """Read a description."""
    return Body(html=description) if _is_html(description) else Body(plain=description or None)


def text_to_wire(text: str) -> str:
    """Write plain text so that it is read as what it says."""
    return escape(text, quote=False).replace("\n", "<br>") if _is_html(text) else text


def _is_html(text: str) -> bool:
    # Most texts have neither character, and to look for that alone takes a thirtieth of the time.
    return ("<" in text or "&" in text) and _HTML.search(text) is not None
