"""Pieces that Graph requests share."""

from __future__ import annotations

from mailkit.transport.url import segment
from mailkit.values import Account

_IMMUTABLE_ID = 'IdType="ImmutableId"'


def prefer(*wishes: str) -> tuple[tuple[str, str], ...]:
    """Give the Prefer header: ids that survive a move, on every call, and what else is wished for.

    https://learn.microsoft.com/graph/outlook-immutable-id
    """
    return (("Prefer", ", ".join((_IMMUTABLE_ID, *wishes))),)


def mailbox_path(account: Account) -> str:
    """Give the path all of a mailbox's requests start with: the signed-in person's, or that of the one named.

    https://learn.microsoft.com/graph/outlook-share-messages-folders
    """
    return "/me" if account.mailbox is None else f"/users/{segment(account.mailbox)}"
