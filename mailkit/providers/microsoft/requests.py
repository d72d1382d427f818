"""Pieces that Graph's requests and answers share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from mailkit.providers.wire import as_object, get_list
from mailkit.transport.call import Answer, Call
from mailkit.transport.url import segment
from mailkit.values import Account

ACCEPTED: Final = 202
"""How Graph answers what is sent to others, and nothing else: the page of each such action, at Response."""

Rows: TypeAlias = Sequence[object]
"""What a list holds, whatever it is."""

_IMMUTABLE_ID = 'IdType="ImmutableId"'


def prefer(*wishes: str) -> tuple[tuple[str, str], ...]:
    """Give the Prefer header: ids that survive a move, on every call, and what else is wished for.

    https://learn.microsoft.com/graph/outlook-immutable-id
    """
    return (("Prefer", ", ".join((_IMMUTABLE_ID, *wishes))),)


def deletion(operation: str, url: str, headers: tuple[tuple[str, str], ...]) -> Call:
    """Make the request that deletes: all pages of delete say 204, with no body."""
    return Call(operation=operation, method="DELETE", url=url, headers=headers, expects="bytes", done=204)


def rows_of(answer: Answer) -> Rows:
    """Give what a list holds: to be read one by one, so that none that cannot be keeps the others away."""
    return get_list(as_object(answer.json(), "$"), "value", "$")


def mailbox_path(account: Account) -> str:
    """Give the path all of a mailbox's requests start with: the signed-in person's, or that of the one named.

    https://learn.microsoft.com/graph/outlook-share-messages-folders
    """
    return "/me" if account.mailbox is None else f"/users/{segment(account.mailbox)}"
