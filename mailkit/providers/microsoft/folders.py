"""Graph's mail folders → a tree with paths, for plans, rows and label lists. Pure.

``mailFolder.wellKnownName`` exists in beta only, so the well-known folders are asked for by name and recognised by the
ids that come back: https://learn.microsoft.com/graph/api/resources/mailfolder
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from mailkit.models.mail import FolderRole, Label
from mailkit.providers.wire import Wire, get_flag, get_needed_text, get_number, get_text
from mailkit.query.graph_mailbox import GraphFolder
from mailkit.values import Ref

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


def folder_tree(found: Iterable[WireFolder], places: Mapping[str, FolderRole]) -> tuple[GraphFolder, ...]:
    """Give every folder its path and part; ``places`` says which id is which well-known folder."""
    wire = {folder.id: folder for folder in found}
    folders: list[GraphFolder] = []
    for folder in wire.values():
        names = [folder.name]
        passed = {folder.id}
        above = wire.get(folder.parent_id)
        while above is not None and above.id not in passed:  # a chain that bites its own tail ends there
            names.append(above.name)
            passed.add(above.id)
            above = wire.get(above.parent_id)
        folders.append(
            GraphFolder(
                id=folder.id,
                path="/".join(reversed(names)),
                role=places.get(folder.id, "other"),
                parent_id=folder.parent_id if folder.parent_id in wire else None,
            )
        )
    return tuple(sorted(folders, key=lambda f: f.path.casefold().split("/")))


def folder_labels(account: str, folders: Sequence[GraphFolder], found: Iterable[WireFolder]) -> list[Label]:
    """Show the folders as nodes of the account's label tree, parents before children."""
    wire = {folder.id: folder for folder in found}
    return [
        Label(
            ref=Ref(account=account, kind="label", id=folder.id),
            name=wire[folder.id].name,
            path=folder.path,
            kind="folder" if folder.role == "other" else "system",
            role=None if folder.role == "other" else folder.role,
            parent=Ref(account=account, kind="label", id=folder.parent_id) if folder.parent_id else None,
            total=wire[folder.id].total,
            unread=wire[folder.id].unread,
        )
        for folder in folders
    ]


def category_label(account: str, name: str) -> Label:
    """Show a master category as a label; messages name categories by display name, so that is its id."""
    return Label(
        ref=Ref(account=account, kind="label", id=name, part="category"), name=name, path=name, kind="category"
    )
