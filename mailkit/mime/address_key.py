"""When two addresses are the same: the form in which they are compared. Pure."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

__all__ = ["address_key"]


# Small letters of which case folding makes others, and the domains of somebody else: UTS #46 section 7, "deviations".
_AS_THEY_ARE = "\u00df\u03c2"


@lru_cache(maxsize=1024)  # the same few people are in nearly all events of a calendar
def address_key(address: str) -> str:
    """Fold an address for comparing: no case, an international domain in its written form."""
    local, at, domain = unicodedata.normalize("NFKC", address).rpartition("@")
    return f"{local.casefold()}{at}{'.'.join(map(_written, _folded(domain).split('.')))}"


def _folded(domain: str) -> str:
    return "".join([char if char in _AS_THEY_ARE else char.casefold() for char in domain])


def _written(part: str) -> str:
    """Give a part of a domain in its written form (RFC 3492); one that is no valid code stays as it is."""
    if not part.startswith("xn--"):
        return part
    try:
        return part.removeprefix("xn--").encode("ascii").decode("punycode")
    except UnicodeError:
        return part
