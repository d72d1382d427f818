"""What the sender of a message newly wrote, told apart from what is quoted and from the signature.

``split_text`` reads plain text, ``split_html`` HTML by the containers mail programs put round quotes. Pure, in time
that grows with the text alone; neither raises. What a message says is sorted, never changed or lost.
"""

from __future__ import annotations

from mailkit.mime.quoted.markup import said_in_html, split_html
from mailkit.mime.quoted.text import SplitText, split_text

__all__ = ["SplitText", "said_in_html", "split_html", "split_text"]
