"""Which of Graph's paths the sandbox knows, what each is called, and which query options it takes.

Responsible for the way from a URL to an operation and its keys. Never looks into a mailbox.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import unquote

import attrs

from mailkit.sandbox.microsoft.refusals import Refusal, bad_parameter, unknown_route

__all__ = ["VERSION", "Route", "options", "route"]

VERSION = "/v1.0"

# Below /me and /users/{id}; `*` is a key. Names in URLs are matched without regard to case, as Graph does.
_ROUTES = {
    "": "me.get",
    "mailfolders": "folders.list",
    "mailfolders/*": "folders.get",
    "mailfolders/*/childfolders": "folders.children",
    "mailfolders/*/messages": "messages.list",
    "messages": "messages.list",
    "messages/*": "messages.get",
    "messages/*/$value": "messages.raw",
    "messages/*/attachments": "attachments.list",
    "messages/*/attachments/*": "attachments.get",
    "messages/*/attachments/*/$value": "attachments.raw",
    "outlook/mastercategories": "categories.list",
}
_PAGED = ("$count", "$select", "$skip", "$skiptoken", "$top")
_FOLDERS = (*_PAGED, "$expand", "$filter", "$orderby", "includeHiddenFolders")
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "me.get": ("$select",),
    "folders.list": _FOLDERS,
    "folders.get": ("$select", "$expand", "includeHiddenFolders"),
    "folders.children": _FOLDERS,
    "messages.list": (*_PAGED, "$expand", "$filter", "$orderby", "$search"),
    "messages.get": ("$select", "$expand"),
    "attachments.list": _PAGED,
    "attachments.get": ("$select",),
    # outlookuser-list-mastercategories names none; paging and $select work, $filter does not (graph-docs#12777).
    "categories.list": _PAGED,
}


@attrs.frozen(kw_only=True)
class Route:
    """What a path asks for: the operation, whose mailbox (None: ``/me``), the ids in the path in order."""

    operation: str
    user: str | None = None
    keys: tuple[str, ...] = ()


def route(path: str) -> Route:
    """Read a path, still percent-encoded.

    Raises:
        Refusal: there is no such path.
    """
    if not path.startswith(f"{VERSION}/"):
        raise Refusal(404, "ResourceNotFound", "Invalid version or path.")
    segments = [
        unquote(segment) for raw in path[len(VERSION) + 1 :].removesuffix("/").split("/") for segment in _keyed(raw)
    ]
    match segments:
        case ["$batch"]:
            return Route(operation="batch")
        case ["me", *below]:
            return _below(None, below)
        case ["users", user, *below]:
            return _below(user, below)
    raise unknown_route(segments[0])


def options(operation: str, query: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Give the query options.

    Raises:
        Refusal: one is not known for the operation, or stands twice.
    """
    found: dict[str, str] = {}
    for name, value in query:
        if name not in _OPTIONS.get(operation, ()):
            raise bad_parameter(f"The query parameter '{name}' is not supported.")
        if name in found:
            raise bad_parameter(
                f"Query option '{name}' was specified more than once, but it must be specified at most once."
            )
        found[name] = value
    return found


def _keyed(segment: str) -> list[str]:
    """Read ``messages('id')`` as ``messages/id``: Graph knows both, and writes the first."""
    found = re.fullmatch(r"([A-Za-z]+)\((?:'|%27)(.*)(?:'|%27)\)", segment)
    return [found.group(1), found.group(2)] if found else [segment]


def _below(user: str | None, segments: list[str]) -> Route:
    for pattern, operation in _ROUTES.items():
        parts = pattern.split("/") if pattern else []
        if len(parts) == len(segments) and all(p in ("*", s.lower()) for p, s in zip(parts, segments, strict=True)):
            keys = tuple(s for p, s in zip(parts, segments, strict=True) if p == "*")
            return Route(operation=operation, user=user, keys=keys)
    raise unknown_route(segments[-1])
