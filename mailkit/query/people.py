"""Who a value names: the account's own person, one whole address, or somebody by words.

Compares only; it knows no mailbox and looks nobody up.
"""

from __future__ import annotations

import re

from mailkit.mime.address_key import address_key
from mailkit.query.ast import Field

__all__ = ["PEOPLE", "is_me", "whole_address"]

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
