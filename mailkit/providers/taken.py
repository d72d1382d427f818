"""Names of labels that are taken: told alike at both providers, by whichever request that comes out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mailkit.errors import Conflict


def name_taken(account: str, operation: str, refusal: Conflict | None = None) -> Conflict:
    """Give the error for a name that another label has, as ``refusal`` said."""
    return Conflict(
        "there is one of that name already, whatever its capitals; list the labels, or take another name",
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
