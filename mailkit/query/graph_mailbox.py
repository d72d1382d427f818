"""What a Graph plan must know of the mailbox: its folders and its categories.

Responsible for turning places and label keys into folder ids and category names. A plain value filled in by the driver;
it asks nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import attrs

from mailkit.models.mail import FolderRole
from mailkit.query.ast import Place
from mailkit.query.keys import label_key

__all__ = ["WELL_KNOWN", "GraphFolder", "GraphMailbox"]

WELL_KNOWN: Mapping[str, str] = {
    "inbox": "inbox",
    "sent": "sentitems",
    "drafts": "drafts",
    "trash": "deleteditems",
    "spam": "junkemail",
    "archive": "archive",
    "outbox": "outbox",
}
"""The name by which a path reaches each built-in folder (learn.microsoft.com/graph/api/resources/mailfolder)."""

_DEEP: tuple[FolderRole, ...] = ("trash", "spam")
"""The places that reach into their sub-folders: what was deleted or junked with its folder lies there."""


@attrs.frozen(kw_only=True)
class GraphFolder:
    """One mail folder: its id, its path from the root (``Projects/Alpha``), the part it plays, the folder it is in."""

    id: str
    path: str = attrs.field(repr=False)
    role: FolderRole = "other"
    parent_id: str | None = None


@attrs.frozen(kw_only=True)
class GraphMailbox:
    """All folders and categories of one mailbox.

    ``categories`` is None where the permission to read the master list (MailboxSettings.Read) was not granted;
    ``seen_categories`` are then spellings known from rows. ``same_tenant`` asks for the work-around where
    ``from/emailAddress/address eq`` misses senders of the mailbox's own tenant (microsoft-graph-docs#121, #18871).
    """

    folders: tuple[GraphFolder, ...] = attrs.field(repr=False)
    categories: tuple[str, ...] | None = attrs.field(repr=False)
    seen_categories: frozenset[str] = attrs.field(default=frozenset(), repr=False)
    same_tenant: bool = False

    @cached_property
    def _places(self) -> Mapping[str, FolderRole]:
        """The place of every folder id; what lies inside trash or spam is in the trash or the spam."""
        by_id = {folder.id: folder for folder in self.folders}
        places: dict[str, FolderRole] = {}
        for folder in self.folders:
            above: GraphFolder | None = folder
            passed = set[str]()
            while above is not None and above.role not in _DEEP and above.id not in passed:
                passed.add(above.id)
                above = by_id.get(above.parent_id or "")
            places[folder.id] = above.role if above is not None and above.role in _DEEP else folder.role
        return places

    def place(self, folder_id: str) -> FolderRole:
        """Say which place a folder is or lies in; an unknown folder is the person's own."""
        return self._places.get(folder_id, "other")

    def own_path(self, folder_id: str) -> str | None:
        """Give the path that labels the mails of a folder, or None: built-in folders, trash and spam label nothing."""
        return self._own_paths.get(folder_id)

    @cached_property
    def _own_paths(self) -> Mapping[str, str]:
        return {folder.id: folder.path for folder in self.folders if self.place(folder.id) == "other"}

    def folder_ids(self, place: Place | FolderRole) -> tuple[str, ...]:
        """Give the ids of all folders that make up a place, in the order the mailbox lists them."""
        return tuple(folder.id for folder in self.folders if self.place(folder.id) == place)

    def labelled_folders(self, key: str) -> tuple[str, ...]:
        """Give the ids of the person's own folders whose path has that label key."""
        return tuple(id_ for id_, path in self._own_paths.items() if label_key(path) == key)

    def categories_like(self, key: str) -> tuple[str, ...]:
        """Give the category names that have that label key.

        Without the master list these are guesses: the key itself, its usual spellings, and those seen on rows.
        """
        if self.categories is not None:
            return tuple(name for name in self.categories if label_key(name) == key)
        seen = (name for name in sorted(self.seen_categories) if label_key(name) == key)
        guesses = (key, key.replace("-", " "), key.replace("-", "/"), *seen)
        return tuple({guess.casefold(): guess for guess in guesses}.values())
