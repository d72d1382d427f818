"""Pieces that Graph mail requests share."""

from __future__ import annotations

_IMMUTABLE_ID = 'IdType="ImmutableId"'


def prefer(*wishes: str) -> tuple[tuple[str, str], ...]:
    """Give the Prefer header: ids that survive a move, on every mail call, and what else is wished for.

    https://learn.microsoft.com/graph/outlook-immutable-id
    """
    return (("Prefer", ", ".join((_IMMUTABLE_ID, *wishes))),)
