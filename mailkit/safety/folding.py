"""How text looks, letter by letter: the plain form in which disguises are recognised, and edits made through it.

Disguises are full-width, small and mathematical letters, accents, letters of other scripts that look Latin, and
characters that nobody sees. The plain form is only ever searched; what is given back is the text itself, edited.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate

__all__ = ["INVISIBLE", "OVERLAY", "edit", "fold"]

INVISIBLE = (
    # Unicode, DerivedCoreProperties.txt: Default_Ignorable_Code_Point. Soft hyphen, joiners, directions, fillers,
    # variation selectors, and the tag characters that spell ASCII without a glyph. ...
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    # ... and what is no text at all: annotation marks, controls, lone surrogates, noncharacters.
    "\ufff9-\ufffb\ufffe\uffff\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff"
)
"""The characters nobody sees, as the inside of a character class; line breaks are not among them."""

OVERLAY = "\u0338"
"""The accent that stays: the stroke that makes another character of a bracket, so that a closing one closes nothing."""

_IS_INVISIBLE = re.compile(f"[{INVISIBLE}]")

# What has no compatibility decomposition to the ASCII character it looks like (Unicode UTS #39, confusables.txt);
# only the letters of the words looked for, in lower case. Brackets that look like "<" stay a kind of their own.
_LOOKS_LIKE = str.maketrans(
    "аеорсухѕіјһԁӏмтнпвк" "αειορτυνμκ" "ıɩոօսᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ" "ǀ∣│❘⏐⎮" "⁄∕⧸╱" "ː꞉∶։׃" "【〔⟦】〕⟧"  # noqa: RUF001
    "〈❮❰❬⧼≪⦑ᐸ˂≺",  # noqa: RUF001
    "aeopcyxsijhdlmthnbk" "aeioptuvmk" "iinouabcdefghijklmnoprstuvwyz" "||||||" "////" ":::::" "[[[]]]"
    "⟨⟨⟨⟨⟨⟨⟨⟨⟨⟨",
) | {first + n: chr(ord("a") + n) for first in (0x1F150, 0x1F170, 0x1F1E6) for n in range(26)}  # fmt: skip  # 🅐 🅰 🇦

# Capitals whose small letter looks like another or like none: Greek, Lisu, Cherokee.
_CAPITALS = str.maketrans(
    "ΗΝΥꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴᎠᎢᎥᎪᎫᎬᎳᎷᎻᏀᏃᏙᏚᏞᏟᏢᏦ",  # noqa: RUF001
    "hnybpddtgkjczfmnlsrvhwxyaeioudtiajewmhgzvslcpk",
)


@lru_cache(maxsize=4096)
def _fold_one(char: str) -> str:
    if _IS_INVISIBLE.match(char):
        return ""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).translate(_CAPITALS).lower())
    kept = (c for c in plain if c == OVERLAY or unicodedata.category(c) not in ("Mn", "Me"))
    return "".join(kept).translate(_LOOKS_LIKE)


def fold(text: str) -> str:
    """Give the plain form: lower case, no accents, every disguise as what it looks like, nothing invisible."""
    return "".join(map(_fold_one, text))


def edit(text: str, pattern: re.Pattern[str], replace: Callable[[re.Match[str], str], str | None]) -> str:
    """Replace, in ``text``, what ``pattern`` finds in its plain form.

    ``replace`` is given the match and what stands there in ``text``; None leaves it as it is.
    """
    folds = [*text.lower()] if text.isascii() else [*map(_fold_one, text)]
    plain = "".join(folds)
    if not pattern.search(plain):
        return text
    starts = [0, *accumulate(map(len, folds))][:-1]
    pieces: list[str] = []
    done = 0
    for match in pattern.finditer(plain):
        begin = bisect_right(starts, match.start()) - 1
        end = bisect_right(starts, match.end() - 1) if match[0] else begin
        new = replace(match, text[begin:end]) if begin >= done else None
        if new is not None:
            pieces += text[done:begin], new
            done = end
    return "".join(pieces) + text[done:]
