"""Answers requests that make, rename, move and delete folders and categories.

Responsible for learn.microsoft.com/graph/api/user-post-mailfolders, mailfolder-post-childfolders, -update, -move and
-delete, outlookuser-post-mastercategories, outlookcategory-update and -delete. Never judges permissions.
"""

from __future__ import annotations

import re
from typing import Any

import attrs

from mailkit.sandbox.microsoft import rendering
from mailkit.sandbox.microsoft.answers import Asked, entity
from mailkit.sandbox.microsoft.directory import find_folder
from mailkit.sandbox.microsoft.folders import Folder
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.refusals import Refusal, bad_body, exists, not_found, not_writable
from mailkit.sandbox.microsoft.schema import CATEGORY
from mailkit.sandbox.microsoft.selection import parse_select
from mailkit.sandbox.microsoft.writing import destination
from mailkit.sandbox.wire import SandboxResponse

__all__ = [
    "create_category",
    "create_folder",
    "delete_category",
    "delete_folder",
    "drop_folder",
    "get_category",
    "move_folder",
    "recolour_category",
    "rename_folder",
]

_COLOUR = re.compile(r"none|preset(?:1?[0-9]|2[0-4])")


# -- folders ---------------------------------------------------------------------------------------------------------


def create_folder(box: MicrosoftMailbox, asked: Asked, parent: Folder) -> SandboxResponse:
    """Make a folder below ``parent``."""
    body = asked.body()
    name, hidden = _name(body), body.get("isHidden", False)
    if not isinstance(hidden, bool):
        raise bad_body("isHidden")
    _check_free(box, parent, name)
    return _folder(box, asked, box.folders.make(parent, name, hidden=hidden), 201)


def rename_folder(box: MicrosoftMailbox, asked: Asked, key: str) -> SandboxResponse:
    """Give a folder another name."""
    folder = _own(box, key, "ErrorInvalidRequest")
    body = asked.body()
    for other in body.keys() - {"displayName"}:
        if "@" not in other:
            raise not_writable(other)
    renamed = attrs.evolve(folder, name=_name(body))
    parent = box.folders.find(folder.parent or "") or box.folders.root
    _check_free(box, parent, renamed.name, besides=folder)
    box.refolder(renamed)
    return _folder(box, asked, renamed)


def move_folder(box: MicrosoftMailbox, asked: Asked, key: str) -> SandboxResponse:
    """Move a folder with all that is in it; its id stays."""
    folder = _own(box, key, "ErrorMoveDistinguishedFolder")
    parent = destination(box, asked)
    if box.folders.is_within(parent, folder):
        raise Refusal(400, "ErrorMoveCopyFailed", "A folder cannot be moved into itself.")
    return _folder(box, asked, _moved(box, folder, parent), 201)


def delete_folder(box: MicrosoftMailbox, key: str) -> SandboxResponse:
    """Delete a folder, which goes to Deleted Items, and from there altogether.

    Where Deleted Items hold one of the same name it cannot (msgraph-sdk-powershell#2743).
    """
    folder = _own(box, key, "ErrorDeleteDistinguishedFolder")
    bin_ = find_folder(box, "deleteditems")
    if box.folders.is_within(folder, bin_):
        box.drop_folder(folder)
    else:
        _moved(box, folder, bin_)
    return SandboxResponse(status=204)


def drop_folder(box: MicrosoftMailbox, key: str) -> SandboxResponse:
    """Delete a folder for good (mailfolder-permanentdelete)."""
    box.drop_folder(_own(box, key, "ErrorDeleteDistinguishedFolder"))
    return SandboxResponse(status=204)


def _moved(box: MicrosoftMailbox, folder: Folder, parent: Folder) -> Folder:
    _check_free(box, parent, folder.name, besides=folder)
    moved = attrs.evolve(folder, parent=parent.id)
    box.refolder(moved)
    return moved


def _folder(box: MicrosoftMailbox, asked: Asked, folder: Folder, status: int = 200) -> SandboxResponse:
    return entity(asked, box.address, "/mailFolders", rendering.folder(box, folder), status)


def _own(box: MicrosoftMailbox, key: str, code: str) -> Folder:
    """Give a folder of the person's own; those every mailbox has stay as they are."""
    folder = find_folder(box, key)
    if folder.well_known is not None:
        raise Refusal(400, code, "Distinguished folders cannot be changed.")
    return folder


def _check_free(box: MicrosoftMailbox, parent: Folder, name: str, besides: Folder | None = None) -> None:
    there = box.folders.named(parent, name)
    if there is not None and (besides is None or there.id != besides.id):
        raise exists("ErrorFolderExists", "A folder")


# -- categories ------------------------------------------------------------------------------------------------------


def get_category(box: MicrosoftMailbox, asked: Asked, key: str) -> SandboxResponse:
    """Answer with one category."""
    return _category(box, asked, _category_name(box, key))


def create_category(box: MicrosoftMailbox, asked: Asked) -> SandboxResponse:
    """Put a category on the master list."""
    body = asked.body()
    name = _name(body)
    if name.casefold() in map(str.casefold, box.categories):
        raise exists("ErrorCategoryAlreadyExists", "A category")
    box.colours[name] = _colour(body)
    box.categories.append(name)
    return _category(box, asked, name, 201)


def recolour_category(box: MicrosoftMailbox, asked: Asked, key: str) -> SandboxResponse:
    """Give a category another colour; its name stays as it is for good (outlookcategory-update)."""
    name = _category_name(box, key)
    body = asked.body()
    for other in body.keys() - {"color"}:
        if "@" not in other:
            raise not_writable(other)
    box.colours[name] = _colour(body)
    return _category(box, asked, name)


def delete_category(box: MicrosoftMailbox, key: str) -> SandboxResponse:
    """Take a category off the master list; messages that carry it keep it."""
    name = _category_name(box, key)
    box.colours = {row["displayName"]: row["color"] for row in rendering.categories(box) if row["displayName"] != name}
    box.categories.remove(name)
    return SandboxResponse(status=204)


def _category(box: MicrosoftMailbox, asked: Asked, name: str, status: int = 200) -> SandboxResponse:
    item = next(row for row in rendering.categories(box) if row["displayName"] == name)
    cut = parse_select(asked.options.get("$select"), CATEGORY).cut(item)
    return entity(asked, box.address, "/outlook/masterCategories", cut, status)


def _category_name(box: MicrosoftMailbox, key: str) -> str:
    for row in rendering.categories(box):
        if row["id"] == key:
            return row["displayName"]
    raise not_found()


def _name(body: dict[str, Any]) -> str:
    name = body.get("displayName")
    if not isinstance(name, str) or not name.strip() or len(name) > 255 or name.splitlines() != [name]:
        raise bad_body("displayName")
    return name


def _colour(body: dict[str, Any]) -> str:
    colour = body.get("color") or "none"
    if not isinstance(colour, str) or not _COLOUR.fullmatch(colour.lower()):
        raise bad_body("color")
    return colour.lower()
