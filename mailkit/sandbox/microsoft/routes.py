"""Which of Graph's requests the sandbox knows, what each is called, and which query options it takes.

Responsible for the way from method and URL to an operation and its keys. Never looks into a mailbox.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import unquote

import attrs

from mailkit.sandbox.microsoft.refusals import Refusal, bad_parameter, unknown_route

__all__ = ["SESSIONS", "VERSION", "Route", "options", "route"]

VERSION = "/v1.0"
SESSIONS = "/api/v2.0"
"""Where upload sessions live, on a host of their own (learn.microsoft.com/graph/outlook-large-attachments)."""

# Below /me and /users/{id}; `*` is a key. Names in URLs are matched without regard to case, as Graph does. Operations
# are named by what they work on and, where Graph has a name for what is done, by that name.
_ROUTES: Mapping[str, Mapping[str, str]] = {
    "": {"GET": "me.get"},
    "sendmail": {"POST": "me.sendMail"},
    "mailfolders": {"GET": "folders.list", "POST": "folders.create"},
    "mailfolders/*": {"GET": "folders.get", "PATCH": "folders.update", "DELETE": "folders.delete"},
    "mailfolders/*/childfolders": {"GET": "folders.children", "POST": "folders.create"},
    "mailfolders/*/messages": {"GET": "messages.list", "POST": "messages.create"},
    "mailfolders/*/move": {"POST": "folders.move"},
    "mailfolders/*/permanentdelete": {"POST": "folders.permanentDelete"},
    "messages": {"GET": "messages.list", "POST": "messages.create"},
    "messages/*": {"GET": "messages.get", "PATCH": "messages.update", "DELETE": "messages.delete"},
    "messages/*/$value": {"GET": "messages.raw"},
    "messages/*/send": {"POST": "messages.send"},
    "messages/*/reply": {"POST": "messages.reply"},
    "messages/*/replyall": {"POST": "messages.replyAll"},
    "messages/*/forward": {"POST": "messages.forward"},
    "messages/*/createreply": {"POST": "messages.createReply"},
    "messages/*/createreplyall": {"POST": "messages.createReplyAll"},
    "messages/*/createforward": {"POST": "messages.createForward"},
    "messages/*/move": {"POST": "messages.move"},
    "messages/*/copy": {"POST": "messages.copy"},
    "messages/*/permanentdelete": {"POST": "messages.permanentDelete"},
    "messages/*/attachments": {"GET": "attachments.list", "POST": "attachments.create"},
    "messages/*/attachments/createuploadsession": {"POST": "attachments.createUploadSession"},
    "messages/*/attachments/*": {"GET": "attachments.get", "DELETE": "attachments.delete"},
    "messages/*/attachments/*/$value": {"GET": "attachments.raw"},
    "outlook/mastercategories": {"GET": "categories.list", "POST": "categories.create"},
    "outlook/mastercategories/*": {
        "GET": "categories.get",
        "PATCH": "categories.update",
        "DELETE": "categories.delete",
    },
    "mailboxsettings": {"GET": "settings.get"},
    "mailboxsettings/*": {"GET": "settings.get"},
    "calendargroups": {"GET": "calendarGroups.list"},
    "calendars": {"GET": "calendars.list", "POST": "calendars.create"},
    **{
        f"{calendar}{below}": operations
        for calendar in ("calendar", "calendars/*")
        for below, operations in (
            ("", {"GET": "calendars.get", "PATCH": "calendars.update", "DELETE": "calendars.delete"}),
            ("/events", {"GET": "events.list", "POST": "events.create"}),
            ("/calendarview", {"GET": "events.view"}),
            ("/getschedule", {"POST": "calendars.getSchedule"}),
        )
    },
    "calendarview": {"GET": "events.view"},
    "events": {"GET": "events.list", "POST": "events.create"},
    "events/*": {"GET": "events.get", "PATCH": "events.update", "DELETE": "events.delete"},
    "events/*/instances": {"GET": "events.instances"},
    "events/*/accept": {"POST": "events.accept"},
    "events/*/tentativelyaccept": {"POST": "events.tentativelyAccept"},
    "events/*/decline": {"POST": "events.decline"},
    "events/*/cancel": {"POST": "events.cancel"},
    "events/*/forward": {"POST": "events.forward"},
}
_UPLOADS = {"PUT": "uploads.put", "GET": "uploads.get", "DELETE": "uploads.delete"}
_PAGED = ("$count", "$select", "$skip", "$skiptoken", "$top")
_LISTED = (*_PAGED, "$expand", "$filter", "$orderby")
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
    "categories.get": ("$select",),
    "settings.get": ("$select",),
    "calendarGroups.list": _PAGED,
    "calendars.list": (*_PAGED, "$filter", "$orderby"),
    "calendars.get": ("$select",),
    "events.list": _LISTED,
    "events.view": (*_LISTED, "startDateTime", "endDateTime"),
    "events.instances": (*_LISTED, "startDateTime", "endDateTime"),
    "events.get": ("$select", "$expand"),
    "places.list": (*_PAGED, "$filter"),
    "uploads.put": ("authtoken",),
    "uploads.get": ("authtoken",),
    "uploads.delete": ("authtoken",),
}


@attrs.frozen(kw_only=True)
class Route:
    """What a request asks for: the operation, whose mailbox (None: ``/me``), the ids in the path in order."""

    operation: str
    user: str | None = None
    keys: tuple[str, ...] = ()


def route(method: str, path: str) -> Route:
    """Read a path, still percent-encoded.

    Raises:
        Refusal: there is no such path, or nothing there for the method.
    """
    uploads = path.startswith(f"{SESSIONS}/")
    if not uploads and not path.startswith(f"{VERSION}/"):
        raise Refusal(404, "ResourceNotFound", "Invalid version or path.")
    rest = path[len(SESSIONS if uploads else VERSION) + 1 :].removesuffix("/")
    segments = [unquote(segment) for raw in rest.split("/") for segment in _keyed(raw)]
    match [segment.lower() for segment in segments]:
        case ["users", _, "messages", _, "attachmentsessions", _] if uploads:
            return Route(operation=_named(_UPLOADS, method), user=segments[1], keys=(segments[3], segments[5]))
        case ["$batch"]:
            return Route(operation=_named({"POST": "batch"}, method))
        case ["places", "microsoft.graph.room" | "graph.room"]:
            return Route(operation=_named({"GET": "places.list"}, method))
        case ["me", *_]:
            return _below(method, None, segments[1:])
        case ["users", _, *_]:
            return _below(method, segments[1], segments[2:])
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


def _below(method: str, user: str | None, segments: list[str]) -> Route:
    segments = _direct(segments)
    for pattern, operations in _ROUTES.items():
        parts = pattern.split("/") if pattern else []
        if len(parts) == len(segments) and all(p in ("*", _plain(s)) for p, s in zip(parts, segments, strict=True)):
            keys = tuple(s for p, s in zip(parts, segments, strict=True) if p == "*")
            return Route(operation=_named(operations, method), user=user, keys=keys)
    raise unknown_route(segments[-1])


def _plain(name: str) -> str:
    """Give a name as the table has it; actions may stand with their namespace (OData 4.01 URL conventions, 4.5)."""
    return name.lower().removeprefix("microsoft.graph.")


def _direct(segments: list[str]) -> list[str]:
    """Leave out the folders and calendars a path goes through: ids are the mailbox's, whichever way leads there."""
    match [segment.lower() for segment in segments]:
        case ["mailfolders", _, "childfolders", _, *_]:
            return _direct(["mailFolders", *segments[3:]])
        case ["mailfolders", _, "messages", _, *_] | ["calendargroups", _, "calendars", *_]:
            return _direct(segments[2:])
        case ["calendars", _, "events", _, *_]:
            return segments[2:]
        case ["calendar", "events", _, *_]:
            return segments[1:]
    return segments


def _named(operations: Mapping[str, str], method: str) -> str:
    if method not in operations:
        raise Refusal(405, "Request_BadRequest", "Specified HTTP method is not allowed for the request target.")
    return operations[method]
