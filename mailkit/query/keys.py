"""Label keys: the one form in which label names are compared.

The search box takes a label ``Work/Clients`` as ``work-clients``; a label and what a person types fold to the same key.
"""

from __future__ import annotations

import re
import unicodedata

from mailkit.query.spelling import MARKS, printable

__all__ = ["label_key"]

# Typographic quotation marks fold like the straight one, because in a query either ends a quoted value.
_SEPARATOR = re.compile(rf"[\s/&(){{}}|{MARKS}-]")


def label_key(name: str) -> str:
    """Fold a label's name to its key: compatibility forms and case removed, each separator a ``-``, one for one.

    Gmail's own labels are searched this way (``2-Projets/R-EIGHTIES`` as ``2-projets-r-eighties``); a parent's key does
    not stand for its children.
    """
    folded = printable(name)
    for _ in range(2):  # folding case can undo the compatibility form; twice is stable
        folded = unicodedata.normalize("NFKC", folded).casefold()
    return _SEPARATOR.sub("-", unicodedata.normalize("NFKC", folded).strip())
