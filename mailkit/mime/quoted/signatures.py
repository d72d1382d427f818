"""Where the signature of what somebody wrote begins.

Looks at one stretch of written lines at a time. A greeting and a name typed below it stay with what was written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mailkit.mime.quoted import signs
from mailkit.mime.quoted.lines import is_rule

# A signature is short; a longer rest after a rule or two dashes is a new section of the text.
_LONGEST_SIGNATURE = 30
_LONGEST_CARD = 12
_LONGEST_DISCLAIMER = 60
_LONGEST_LINE = 300
_LONGEST_PARAGRAPH = 20_000  # in one line, below which no signature is that of the text
_SENTENCE_END = re.compile(r"[:?!,]$|[a-z]\.$")  # "Ann Lee, Ph.D." is a name


def signature_lines(lines: Sequence[str]) -> set[int]:
    """Give the numbers of the lines (as ``bare`` gives them) that are signature rather than written."""
    if any(len(line) > _LONGEST_PARAGRAPH for line in lines[-_LONGEST_DISCLAIMER:]):
        return set()
    start = min(
        (found for find in (_after_dashes, _disclaimer, _below_rule, _card) if (found := find(lines)) is not None),
        default=len(lines),
    )
    taglines = {at for at in range(max(0, start - _LONGEST_SIGNATURE), start) if _is_tagline(lines[at])}
    return taglines | set(range(start, len(lines)))


def _is_tagline(line: str) -> bool:
    return 5 < len(line) <= _LONGEST_LINE and signs.TAGLINE.fullmatch(line.casefold()) is not None


def _after_dashes(lines: Sequence[str]) -> int | None:
    """Find the two dashes that part the signature (RFC 3676 §4.3), its blank lost or not."""
    for at in range(max(0, len(lines) - _LONGEST_SIGNATURE), len(lines)):
        if lines[at] in {"--", "\u2014"}:
            return at
    return None


def _disclaimer(lines: Sequence[str]) -> int | None:
    first = max(0, len(lines) - _LONGEST_DISCLAIMER)
    for at in range(first, len(lines)):
        if at and lines[at - 1] and not is_rule(lines[at - 1]):
            continue  # inside a paragraph
        if signs.DISCLAIMER.match(lines[at][:_LONGEST_LINE].casefold()):
            paragraph = " ".join(lines[at : _paragraph_end(lines, at)])[:4_000].casefold()
            if len(set(signs.DISCLAIMER_TERM.findall(paragraph))) >= 2:
                return at - 1 if at and is_rule(lines[at - 1]) else at
    return None


def _paragraph_end(lines: Sequence[str], start: int) -> int:
    return next((at for at in range(start, len(lines)) if not lines[at]), len(lines))


def _below_rule(lines: Sequence[str]) -> int | None:
    """Find a drawn line with nothing below but short lines that say how to reach somebody, or a list's footer."""
    for at in range(max(0, len(lines) - _LONGEST_SIGNATURE), len(lines)):
        if is_rule(lines[at]):
            below = [line for line in lines[at + 1 :] if line]
            is_short = len(below) <= _LONGEST_CARD and all(len(line) <= 80 for line in below)
            is_footer = any(signs.LIST_FOOTER.search(line[:_LONGEST_LINE].casefold()) for line in below[:3])
            if (is_short and any(map(_is_contact, below))) or (is_footer and len(below) <= 8):
                return at
    return None


def _card(lines: Sequence[str]) -> int | None:
    """Find a last paragraph that is a name and at least two ways to reach it, like a business card."""
    end = next((at + 1 for at in range(len(lines) - 1, -1, -1) if lines[at]), 0)
    start = next((at + 1 for at in range(end - 1, max(-1, end - _LONGEST_CARD - 1), -1) if not lines[at]), None)
    if start is None or not any(lines[:start]):
        return None
    name, *others = lines[start:end]
    is_name = not _is_contact(name) and len(name.split()) <= 6 and _SENTENCE_END.search(name) is None
    is_short = all(len(line) <= 80 and not is_rule(line) for line in others)
    return start if is_name and is_short and sum(map(_is_contact, others)) >= 2 else None


def _is_contact(line: str) -> bool:
    return len(line) <= _LONGEST_LINE and signs.CONTACT.fullmatch(line.casefold()) is not None
