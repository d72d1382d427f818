"""Names of labels: what may be one, and those that are taken, told alike at both providers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mailkit.errors import Conflict, UsageError


def name_taken(account: str, operation: str, refusal: Conflict | None = None) -> Conflict:
    """Give the error for a name that another label has, as ``refusal`` said."""
    return Conflict(
        "there is one of that name already, or above it one with other capitals; list the labels, or take another name",
        account=account,
        operation=operation,
        code="label_exists",
        status=refusal.status if refusal else None,
        request_id=refusal.request_id if refusal else None,
    )


@contextmanager
def naming(account: str, operation: str) -> Iterator[None]:
    """Take a conflict in the block, which makes or renames a label, for a name that is taken."""
    try:
        yield
    except Conflict as refusal:
        raise name_taken(account, operation, refusal) from None


def check_path(name: str) -> None:
    """Refuse the path of a new label that no provider makes.

    Raises:
        UsageError: a part of it is empty, or has blanks around it.
    """
    if any(not part or part != part.strip() for part in name.split("/")):
        raise UsageError("each part of name, between '/', must be a text without blanks around it", code="bad_name")
