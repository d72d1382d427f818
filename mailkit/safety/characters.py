"""Text down to the characters a reader sees: references written out, invisible characters gone, plain line breaks."""

from __future__ import annotations

import re
import unicodedata

from mailkit.mime.entities import unescape
from mailkit.safety.folding import INVISIBLE, edit, fold

__all__ = ["shown_characters"]

_ROUNDS = 4  # a reference inside a reference inside ... is written out so often, then broken
# "lt" needs no semicolon in HTML; longer numbers than these are no characters.
_REFERENCE = re.compile(r"&(?:#0*+[0-9]{1,9}+;?|#x0*+[0-9a-f]{1,8}+;?|[a-z][a-z0-9]{1,31}+;|lt)")
_LINE_BREAK = re.compile("\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
# The zero-width joiners belong to the spelling of Persian and the Indic scripts, one between two letters.
_JOINED = "[\u0620-\u08ff\u0900-\u0dff\u1000-\u109f]"
_JOINERS = "\u200c\u200d"
_UNSEEN = re.compile(f"(?![{_JOINERS}])[{INVISIBLE}]+")
_STRAY_JOINER = re.compile(f"(?<!{_JOINED})[{_JOINERS}]|[{_JOINERS}](?!{_JOINED})")


def shown_characters(text: str) -> str:
    """Write out character references that stand for ASCII, and drop what nobody sees; twice is the same as once."""
    for _ in range(_ROUNDS):
        shown = _without_unseen(_written_out(text))
        if shown == text:
            return text
        text = shown
    return edit(text, _REFERENCE, _broken)


def _without_unseen(text: str) -> str:
    return _STRAY_JOINER.sub("", _UNSEEN.sub("", _LINE_BREAK.sub("\n", text)))


def _written_out(text: str) -> str:
    return edit(text, _REFERENCE, lambda _, written: _meant(written))


def _meant(written: str) -> str | None:
    """Give what a reference stands for; None for names of what is not ASCII, such as ``&copy;``, which may be no
    reference at all but a part of a link.
    """  # noqa: D205 - one sentence, and a line would not hold it
    reference = unicodedata.normalize("NFKC", written)
    meant = unescape(reference)
    return meant if meant != reference and (reference.startswith("&#") or fold(meant).isascii()) else None


def _broken(_: re.Match[str], written: str) -> str | None:
    return None if _meant(written) is None else f"{written[0]} {written[1:]}"
