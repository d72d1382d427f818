"""Graph's mail folders → a tree with well-known places and paths. Pure.

``mailFolder.wellKnownName`` exists in beta only, so the well-known folders are asked for by name and recognised by the
ids that come back: https://learn.microsoft.com/graph/api/resources/mailfolder
Whatever lies below Deleted Items or Junk Email counts as trash or spam.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

from mailkit.models.mail import FolderRole
from mailkit.providers.wire import Wire, get_flag, get_needed_text, get_number, get_text

WELL_KNOWN: Mapping[FolderRole, str] = {
    "inbox": "inbox",
    "sent": "sentitems",
    "drafts": "drafts",
    "trash": "deleteditems",
    "spam": "junkemail",
    "archive": "archive",
    "outbox": "outbox",
}
FOLDER_MEMBERS = (
    "id",
    "displayName",
    "parentFolderId",
    "childFolderCount",
    "totalItemCount",
    "unreadItemCount",
    "isHidden",
)


@attrs.frozen(kw_only=True)
class WireFolder:
    """One folder as Graph gives it."""

    id: str
    name: str
    parent_id: str
    children: int
    total: int | None
    unread: int | None
    hidden: bool


def folder_from_wire(item: Wire, path: str) -> WireFolder:
    """Read one folder.

    Raises:
        BadPayload: it has no id, or a member of another type than documented.
    """
    return WireFolder(
        id=get_needed_text(item, "id", path),
        name=get_text(item, "displayName", path),
        parent_id=get_text(item, "parentFolderId", path),
        children=get_number(item, "childFolderCount", path) or 0,
        total=get_number(item, "totalItemCount", path),
        unread=get_number(item, "unreadItemCount", path),
        hidden=get_flag(item, "isHidden", path),
    )


@attrs.frozen(kw_only=True)
class Folder:
    """One folder in the tree.

    ``path`` is the name from the root, parts joined by ``/``. ``is_well_known`` is true for the place itself, false for
    the folders below it. ``is_own`` is true for a folder the person made outside trash and spam.
    """

    id: str
    name: str
    path: str
    role: FolderRole
    parent_id: str | None
    is_well_known: bool
    total: int | None
    unread: int | None

    @property
    def is_own(self) -> bool:
        """Whether the folder says something about the mail in it, as a label would."""
        return self.role == "other"


class Folders:
    """The folders known of one mailbox, parents before children."""

    def __init__(self, found: Sequence[WireFolder] = (), places: Mapping[FolderRole, str] | None = None) -> None:
        """Build the tree from what Graph gave and the ids of the well-known places."""
        self._role_of = {folder_id: role for role, folder_id in (places or {}).items()}
        self._wire = {folder.id: folder for folder in found}
        built: dict[str, Folder] = {}
        for folder_id in self._wire:
            self._build(folder_id, built)
        self._by_id = dict(sorted(built.items(), key=lambda pair: pair[1].path.casefold().split("/")))

    def _build(self, folder_id: str, built: dict[str, Folder]) -> Folder:
        """Add one folder after its ancestors; a chain that bites its own tail ends where it began."""
        chain: list[WireFolder] = []
        here: str | None = folder_id
        while here in self._wire and here not in built and all(w.id != here for w in chain):
            chain.append(self._wire[here])
            here = self._wire[here].parent_id
        for wire in reversed(chain):
            parent = built.get(wire.parent_id)
            own_role = self._role_of.get(wire.id)
            inherited: FolderRole = parent.role if parent and parent.role in ("trash", "spam") else "other"
            built[wire.id] = Folder(
                id=wire.id,
                name=wire.name,
                path=f"{parent.path}/{wire.name}" if parent else wire.name,
                role=own_role or inherited,
                parent_id=parent.id if parent else None,
                is_well_known=own_role is not None,
                total=wire.total,
                unread=wire.unread,
            )
        return built[folder_id]

    def get(self, folder_id: str | None) -> Folder | None:
        """Give the folder with that id, or None where it is not known."""
        return self._by_id.get(folder_id or "")

    def __contains__(self, folder_id: object) -> bool:
        return folder_id in self._by_id

    def __iter__(self) -> Iterator[Folder]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)
