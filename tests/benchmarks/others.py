"""The same reading through google-api-python-client and O365, as their documentation shows it.

Import it only where ``missing`` says that both are there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.peers.gmail_peer import GmailPeer
from tests.peers.o365_peer import O365Peer

_METADATA = {"format": "metadata", "metadataHeaders": ["From", "To", "Cc", "Subject", "Date"]}


class Google:
    """One Gmail mailbox; its http client is not made for several threads."""

    def __init__(self, url: str) -> None:
        self._peer = GmailPeer(url, "token")

    def newest(self, count: int) -> list[Any]:
        """Give the newest summaries: a list, then batches of 100."""
        listed = self._peer.users.messages().list(userId="me", maxResults=count).execute()["messages"]
        return self._peer.many([row["id"] for row in listed], **_METADATA)

    def everything(self) -> list[Any]:
        """Give all summaries."""
        return self._peer.many(self._peer.ids(), **_METADATA)

    def whole(self, ids: list[str]) -> list[Any]:
        """Give whole messages."""
        return self._peer.many(ids, format="full")


class Outlook:
    """One Outlook mailbox."""

    def __init__(self, url: str) -> None:
        self._peer = O365Peer(f"{url}/", "token")

    def newest(self, count: int) -> list[Any]:
        """Give the newest messages, which come whole: it has no other way to whole messages but one by one."""
        return list(self._peer.mailbox.get_messages(limit=count))


def newest_of_all(reads: Sequence[Callable[[int], list[Any]]], count: int) -> list[Any]:
    """Read several mailboxes, each in a thread of its own, as their callers must."""
    with ThreadPoolExecutor(len(reads)) as threads:
        return list(threads.map(lambda read: read(count), reads))
