"""Character references of HTML: what they stand for, however long their numbers are.

Python reads no number of more than some thousand digits and raises instead; a browser shows what it stands for without
its leading zeros, or a replacement character. Reads references and nothing else of HTML.
"""

from __future__ import annotations

import html
import re

# Seven digits name every character there is; eight, none. Hexadecimal numbers are read at any length.
_LONG_NUMBER = re.compile("&#(?=[0-9]{8})0*+([0-9]{0,8})[0-9]*+")


def with_short_numbers(markup: str) -> str:
    """Shorten numbers that only zeros or nonsense make long; what they stand for stays."""
    return _LONG_NUMBER.sub(lambda number: f"&#{number[1] or 0}", markup) if "&#" in markup else markup


def unescape(text: str) -> str:
    """Write out the character references in ``text``, as a browser would."""
    return html.unescape(with_short_numbers(text))
