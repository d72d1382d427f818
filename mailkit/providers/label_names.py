"""Names of labels: what may be one, and those that are taken, told alike at both providers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mailkit.errors import Conflict, UsageError, reword

_TAKEN = "there is one of that name already, or above it one with other capitals; list the labels, or take another name"
_CODE = "label_exists"


def name_taken(account: str, operation: str) -> Conflict:
    """Give the error for a name that another label is known to have."""
    return Conflict(_TAKEN, account=account, operation=operation, code=_CODE)


@contextmanager
def naming() -> Iterator[None]:
    """Take a conflict in the block, which makes or renames a label, for a name that is taken."""
    try:
        yield
    except Conflict as refusal:
        reword(refusal, _TAKEN)
        refusal.code = _CODE
        raise


def check_path(name: str) -> None:
    """Refuse the path of a new label that no provider makes.

    Raises:
        UsageError: a part of it is empty, or has blanks around it.
    """
    if any(not part or part != part.strip() for part in name.split("/")):
        raise UsageError("each part of name, between '/', must be a text without blanks around it", code="bad_name")
