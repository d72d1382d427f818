"""Who a value names: the account's own person, one whole address, or somebody by words.

Compares only; it knows no mailbox and looks nobody up.
"""

from __future__ import annotations

import re
import unicodedata

from mailkit.query.ast import Field

__all__ = ["PEOPLE", "address_key", "is_me", "whole_address"]

PEOPLE = frozenset({"from", "to", "cc", "bcc", "deliveredto"})
"""The fields that hold people."""

_WHOLE = re.compile(r"<?([^\s@<>]+@[^\s@<>]+)>?")


def is_me(field: Field) -> bool:
    """Say whether the field's value is the bare word ``me``: any of the account's own addresses."""
    return field.name in PEOPLE and not field.phrase and field.value.casefold() == "me"


def whole_address(value: str) -> str | None:
    """Give the key of the address that ``value`` is, or None where it is only words (``amy``, ``@example.com``)."""
    found = _WHOLE.fullmatch(value.strip())
    return address_key(found[1]) if found else None


def address_key(address: str) -> str:
    """Fold an address for comparing: no case, an international domain in its written form."""
    local, at, domain = unicodedata.normalize("NFKC", address).casefold().rpartition("@")
    return f"{local}{at}{'.'.join(map(_written, domain.split('.')))}"


def _written(part: str) -> str:
    """Give a part of a domain in its written form (RFC 3492); one that is no valid code stays as it is."""
    if not part.startswith("xn--"):
        return part
    try:
        return part.removeprefix("xn--").encode("ascii").decode("punycode").casefold()
    except UnicodeError:
        return part
