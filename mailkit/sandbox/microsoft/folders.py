"""The folder tree of an Outlook mailbox: well-known folders, folders of the person's own, their ids and paths.

Responsible for turning the paths of seeds (``inbox``, ``Projects/Alpha``, ``trash/Old Stuff``) into folders. Holds no
messages.
"""

from __future__ import annotations

import attrs

from mailkit.sandbox.microsoft.ids import opaque

__all__ = ["Folder", "FolderTree"]

# Seed name, well-known name (learn.microsoft.com/graph/api/resources/mailfolder), display name of an English mailbox.
_WELL_KNOWN = (
    ("inbox", "inbox", "Inbox"),
    ("sent", "sentitems", "Sent Items"),
    ("drafts", "drafts", "Drafts"),
    ("trash", "deleteditems", "Deleted Items"),
    ("spam", "junkemail", "Junk Email"),
    ("archive", "archive", "Archive"),
    ("outbox", "outbox", "Outbox"),
)
_ROOT = "msgfolderroot"


@attrs.frozen(kw_only=True)
class Folder:
    """One folder; ``well_known`` is its name in a path (``sentitems``), None for a folder of the person's own."""

    id: str
    name: str
    parent: str | None
    well_known: str | None = None
    hidden: bool = False


class FolderTree:
    """All folders of one mailbox; ``owner`` makes the ids its own."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._folders: dict[str, Folder] = {}
        self._paths: dict[str, Folder] = {}
        self._made = 0
        self.root: Folder = self._keep(
            Folder(id=self._id(_ROOT), name="Top of Information Store", parent=None, well_known=_ROOT)
        )
        for _, well_known, name in _WELL_KNOWN:
            self._keep(Folder(id=self._id(well_known), name=name, parent=self.root.id, well_known=well_known))

    def find(self, key: str) -> Folder | None:
        """Give a folder by id or well-known name."""
        found = self._folders.get(key)
        return found or next((f for f in self._folders.values() if f.well_known == key.lower()), None)

    def children(self, parent: Folder, *, hidden: bool = False) -> list[Folder]:
        """Give the direct children by name, those that are ``hidden`` only where asked for."""
        below = [f for f in self._folders.values() if f.parent == parent.id and (hidden or not f.hidden)]
        return sorted(below, key=lambda folder: folder.name.casefold())

    def at(self, path: str, *, hidden: bool = False) -> Folder:
        """Give the folder at a seed's path; what is missing on the way is made, the last one ``hidden`` if so.

        An id is a path, too.
        """
        if path in self._folders:
            return self._folders[path]
        if path in self._paths:
            return self._paths[path]
        first, *rest = path.split("/")
        folder = self._folders.get(first) or self._top(first)
        names = rest if folder else [first, *rest]
        folder = folder or self.root
        for depth, name in enumerate(names, 1):
            folder = self.named(folder, name) or self._keep(
                Folder(
                    id=self._id(f"{folder.id}/{name}"),
                    name=name,
                    parent=folder.id,
                    hidden=hidden and depth == len(names),
                )
            )
        self._paths[path] = folder
        return folder

    def path(self, folder: Folder) -> str:
        """Give the path a seed would write for ``folder``: its id where a seed could write none."""
        for seed, well_known, _ in _WELL_KNOWN:
            if folder.well_known == well_known:
                return seed
        parent = self._folders.get(folder.parent or "", self.root)
        path = folder.name if parent is self.root else f"{self.path(parent)}/{folder.name}"
        ambiguous = "/" in folder.name or (parent is self.root and self._top(folder.name) is not None)
        return folder.id if ambiguous or folder.id == self.root.id else path

    def named(self, parent: Folder, name: str) -> Folder | None:
        """Give the child of that name; case makes no difference."""
        return next((f for f in self.children(parent, hidden=True) if f.name.casefold() == name.casefold()), None)

    def make(self, parent: Folder, name: str, *, hidden: bool = False) -> Folder:
        """Make a child, whose id no folder has had."""
        self._made += 1
        id = self._id(f"{parent.id}/{name}/{self._made}")  # noqa: A001  # the name of the thing
        return self._keep(Folder(id=id, name=name, parent=parent.id, hidden=hidden))

    def is_within(self, folder: Folder, above: Folder) -> bool:
        """Say whether ``folder`` is ``above`` or lies somewhere below it."""
        if folder.id == above.id:
            return True
        parent = self._folders.get(folder.parent or "")
        return parent is not None and self.is_within(parent, above)

    def drop(self, folder: Folder) -> None:
        """Take out a folder without children."""
        del self._folders[folder.id]
        self._paths.clear()

    def replace(self, folder: Folder) -> None:
        """Put ``folder`` in, in place of the one with its id or well-known name where there is one.

        Where its parent is not known, it lies at the top.
        """
        old = self.find(folder.well_known) if folder.well_known else None
        if old is not None:
            del self._folders[old.id]
        known = folder.parent in self._folders
        self._keep(folder if known else attrs.evolve(folder, parent=self.root.id))

    def _top(self, name: str) -> Folder | None:
        for seed, well_known, shown in _WELL_KNOWN:
            if name.lower() in (seed, well_known, shown.lower()):
                return self.find(well_known)
        return None

    def _keep(self, folder: Folder) -> Folder:
        self._folders[folder.id] = folder
        self._paths.clear()
        return folder

    def _id(self, key: str) -> str:
        return opaque("AQMkAD", self._owner, key)
