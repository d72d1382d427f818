"""Answers what is asked about folders, categories and the mailbox's owner.

Responsible for learn.microsoft.com/graph/api/user-list-mailfolders, mailfolder-get, mailfolder-list-childfolders,
outlookuser-list-mastercategories and user-get. Never judges permissions: see ``service``.
"""

from __future__ import annotations

from collections.abc import Callable

from mailkit.sandbox.microsoft import rendering
from mailkit.sandbox.microsoft.answers import Asked, collection, entity
from mailkit.sandbox.microsoft.folders import Folder
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.matching import holds, sort
from mailkit.sandbox.microsoft.odata import parse_filter, parse_orderby
from mailkit.sandbox.microsoft.refusals import not_found
from mailkit.sandbox.microsoft.schema import CATEGORY, FOLDER, USER
from mailkit.sandbox.microsoft.selection import parse_expand, parse_select
from mailkit.sandbox.wire import SandboxResponse

__all__ = ["find_folder", "get_folder", "get_user", "list_categories", "list_folders"]

_PAGE = 10


def find_folder(box: MicrosoftMailbox, key: str) -> Folder:
    """Give the folder of that id or well-known name.

    Raises:
        Refusal: there is none.
    """
    folder = box.folders.find(key)
    if folder is None:
        raise not_found()
    return folder


def list_folders(box: MicrosoftMailbox, asked: Asked, parent: Folder) -> SandboxResponse:
    """Answer with the direct children of ``parent``."""
    options = asked.options
    rows = box.folders.children(parent, hidden=asked.flag("includeHiddenFolders"))
    if "$filter" in options:
        tree = parse_filter(options["$filter"], FOLDER)
        rows = [folder for folder in rows if holds(tree, rendering.folder(box, folder))]
    if "$orderby" in options:
        rows = sort(rows, parse_orderby(options["$orderby"], FOLDER), FOLDER, lambda row: rendering.folder(box, row))
    below = "" if parent is box.folders.root else f"('{parent.id}')/childFolders"
    return collection(
        asked, asked.context(box.address, f"/mailFolders{below}"), rows, _renderer(box, asked), size=_PAGE
    )


def get_folder(box: MicrosoftMailbox, asked: Asked, folder: Folder) -> SandboxResponse:
    """Answer with one folder."""
    return entity(asked, box.address, "/mailFolders", _renderer(box, asked)(folder))


def list_categories(box: MicrosoftMailbox, asked: Asked) -> SandboxResponse:
    """Answer with the master list, all of it unless ``$top`` says otherwise."""
    selection = parse_select(asked.options.get("$select"), CATEGORY)
    rows = rendering.categories(box)
    context = asked.context(box.address, "/outlook/masterCategories")
    return collection(asked, context, rows, selection.cut, size=len(rows))


def get_user(box: MicrosoftMailbox, asked: Asked) -> SandboxResponse:
    """Answer with the mailbox's owner."""
    selection = parse_select(asked.options.get("$select"), USER)
    return entity(asked, box.address, "", selection.cut(rendering.user(box)))


def _renderer(box: MicrosoftMailbox, asked: Asked) -> Callable[[Folder], dict[str, object]]:
    selection = parse_select(asked.options.get("$select"), FOLDER)
    expanded = parse_expand(asked.options.get("$expand"), FOLDER, ("$select",))
    below = parse_select(expanded.get("childFolders", {}).get("$select"), FOLDER)
    hidden = asked.flag("includeHiddenFolders")

    def render(folder: Folder) -> dict[str, object]:
        item = selection.cut(rendering.folder(box, folder))
        if expanded:
            children = box.folders.children(folder, hidden=hidden)
            item["childFolders"] = [below.cut(rendering.folder(box, child)) for child in children]
        return item

    return render
