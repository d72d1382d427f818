"""An Outlook mailbox: the common one, with folders, master categories, Exchange's ids and the server's moods.

Responsible for what only Outlook has. It answers no request: see ``service``.
"""

from __future__ import annotations

import datetime as dt
from collections import deque
from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from mailkit.sandbox.mailbox import Entry, Mailbox
from mailkit.sandbox.microsoft.folders import Folder, FolderTree
from mailkit.sandbox.microsoft.ids import guid, opaque
from mailkit.sandbox.microsoft.loading import read_folder, read_message
from mailkit.sandbox.microsoft.searching import Indexed, SearchBehaviour

__all__ = ["MicrosoftMailbox"]


class MicrosoftMailbox(Mailbox):
    """One Outlook account.

    A seed's ``folder`` is where the message lies and its ``labels`` are its categories; what Outlook cannot hold
    (Gmail's category, star colours, muted, snoozed, chat, Delivered-To) is not shown. The id that ``add`` gives is the
    immutable one, which every request may use; without ``Prefer: IdType="ImmutableId"`` answers show another, which a
    move changes.

    ``search`` says how the server finds, ``concurrency`` how many requests may be in flight (None: any number),
    ``categories`` is the master list, ``unfocused`` holds the ids shown as ``other``. Each number in ``page_rows`` cuts
    one coming page of messages short, down to 0, and gives it a link to the next.
    """

    provider: ClassVar[str] = "microsoft"

    def __init__(
        self,
        address: str,
        *,
        token: str,
        now: Callable[[], dt.datetime],
        name: str = "",
        aliases: Collection[str] = (),
        scopes: Collection[str] | None = None,
    ) -> None:
        super().__init__(address, token=token, now=now, name=name, aliases=aliases, scopes=scopes)
        self.folders: FolderTree = FolderTree(address)
        self.categories: list[str] = []
        self.search: SearchBehaviour = SearchBehaviour()
        self.concurrency: int | None = 4  # learn.microsoft.com/graph/throttling-limits, Outlook service limits
        self.page_rows: deque[int] = deque()
        self.unfocused: set[str] = set()
        self.user_id: str = guid(address)
        # What has been worked out of a message; a changed message is a new Entry.
        self.shown: WeakKeyDictionary[Entry, dict[str, object]] = WeakKeyDictionary()
        self.index: WeakKeyDictionary[Entry, Indexed] = WeakKeyDictionary()
        self._moving_ids: tuple[int, dict[str, Entry]] = (-1, {})

    def load_graph(self, data: Mapping[str, Any]) -> list[str]:
        """Put in a mailbox written as Graph JSON: ``folders``, ``masterCategories`` and ``messages``; ids are kept.

        ``folders`` may carry ``wellKnownName``; parents come before their children. ``masterCategories`` are names and
        become the whole master list. ``messages`` may carry attachments, internetMessageHeaders and their size as an
        extended property. Gives the ids of the messages.
        """
        for folder in data.get("folders", ()):
            self.folders.replace(read_folder(folder))
        ids = []
        for message in data.get("messages", ()):
            if message.get("conversationId"):
                self._threads.setdefault(f"thread {message['conversationId']}", message["conversationId"])
            folder = self.folders.find(message.get("parentFolderId") or "inbox") or self.folders.root
            ids.append(self.add(read_message(message, self.folders.path(folder))))
            if message.get("inferenceClassification") == "other":
                self.unfocused.add(ids[-1])
        if "masterCategories" in data:
            self.categories = list(data["masterCategories"])
        return ids

    def add_folder(self, path: str, *, hidden: bool = False) -> str:
        """Make a folder, and what is missing above it; gives its id."""
        return self.folders.at(path, hidden=hidden).id

    def folder_of(self, entry: Entry) -> Folder:
        """Give the folder a message lies in."""
        return self.folders.at(entry.mail.folder)

    def in_folder(self, folder: Folder) -> list[Entry]:
        """Give the messages of one folder, newest first, without those of its children."""
        return [entry for entry in self if self.folder_of(entry) == folder]

    def moving_id(self, entry: Entry) -> str:
        """Give the id that changes when the message moves (learn.microsoft.com/graph/outlook-immutable-id)."""
        return opaque("AAMkAD", self.address, entry.id, self.folder_of(entry).id)

    def find(self, key: str) -> Entry | None:
        """Give a message by either of its ids."""
        found = self.get(key)
        if found is None:
            if self._moving_ids[0] != self.change:
                self._moving_ids = (self.change, {self.moving_id(entry): entry for entry in self})
            found = self._moving_ids[1].get(key)
        return found

    def _new_id(self) -> str:
        return opaque("AAkALgAA", self.address, str(self.change))

    def _new_thread_id(self, message_id: str) -> str:
        return opaque("AAQkAD", self.address, message_id)

    def _keep(self, entry: Entry) -> None:
        super()._keep(entry)
        self.folder_of(entry)
        for label in entry.mail.labels:
            if label.casefold() not in (name.casefold() for name in self.categories):
                self.categories.append(label)
