"""Mail made fit to be shown to a language model: cleaned text, marked fields, fenced blocks. Opt-in.

Whoever can send mail can write instructions into it. ``clean_text`` and ``clean_html`` take away what a reader would
not see and what a model could take for its own markup; ``untrusted`` gives records in which the fields of other people
are marked; ``fenced`` and ``for_model`` put text between random marks. None of it makes a model ignore what a mail
says: what a model may do must be decided elsewhere. Pure: reads no clock and no randomness, loads nothing.
"""

from __future__ import annotations

from mailkit.safety.fence import fenced, for_model
from mailkit.safety.fields import Untrusted, untrusted
from mailkit.safety.text import clean_html, clean_text
from mailkit.safety.visible import visible_html

__all__ = ["Untrusted", "clean_html", "clean_text", "fenced", "for_model", "untrusted", "visible_html"]
