"""Gmail's methods: where each lives, who may call it, what it costs and takes. A table; it answers nothing.

Sources: the discovery document of gmail v1 (paths, scopes, parameters, uploads) and reference/quota (units). The scopes
of Workspace add-ons are left out: no program outside of Gmail can hold them.
"""

from __future__ import annotations

import re
from functools import cached_property
from urllib.parse import unquote

import attrs

from mailkit.sandbox.wire import SandboxRequest

__all__ = ["METADATA", "METHODS", "UPLOAD", "Method", "matching"]

METADATA = "gmail.metadata"
_DELETE = ("https://mail.google.com/",)
_MODIFY = (*_DELETE, "gmail.modify")
_READ = (*_MODIFY, "gmail.readonly")
_META = (*_READ, METADATA)
_COMPOSE = (*_MODIFY, "gmail.compose")
_LABELS = (*_MODIFY, "gmail.labels")

_PAGE = ("q", "maxResults", "pageToken", "includeSpamTrash")
_LIST = (*_PAGE, "labelIds")
_FORM = ("format", "metadataHeaders")
_MESSAGE = (
    *("id", "threadId", "labelIds", "snippet", "historyId", "internalDate", "payload", "sizeEstimate", "raw"),
    "classificationLabelValues",
)
_DRAFT = ("id", "message")
_CHANGE = ("addLabelIds", "removeLabelIds")
_LABEL = (
    *("id", "name", "type", "color", "messageListVisibility", "labelListVisibility"),
    *("messagesTotal", "messagesUnread", "threadsTotal", "threadsUnread"),
)

UPLOAD = re.compile(r"/(?:resumable/)?upload(?=/gmail/v1/)")
"""What stands before the path of a method when it is called with a file (guides/uploads)."""


@attrs.frozen
class Method:
    """One method; ``body`` names the fields its JSON may have, None: it takes none. ``upload``: it takes a file."""

    name: str
    verb: str
    path: str
    scopes: tuple[str, ...]
    units: int
    parameters: tuple[str, ...] = ()
    body: tuple[str, ...] | None = None
    upload: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What its paths look like, whatever stands before them for an upload."""
        below = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.path)
        before = f"(?:{UPLOAD.pattern})?" if self.upload else ""
        return re.compile(f"{before}/gmail/v1/users/(?P<user>[^/]+){below}")


# fmt: off
METHODS = (
    Method("getProfile", "GET", "/profile", (*_META, "gmail.compose"), 1),
    Method("settings.sendAs.list", "GET", "/settings/sendAs", (*_READ, "gmail.settings.basic"), 1),
    Method("settings.sendAs.get", "GET", "/settings/sendAs/{email}", (*_READ, "gmail.settings.basic"), 1),

    Method("messages.list", "GET", "/messages", _META, 5, _LIST),
    Method("messages.get", "GET", "/messages/{id}", _META, 5, _FORM),
    Method("attachments.get", "GET", "/messages/{message}/attachments/{id}", _READ, 5),
    Method("messages.send", "POST", "/messages/send", (*_COMPOSE, "gmail.send"), 100, body=_MESSAGE, upload=True),
    Method("messages.modify", "POST", "/messages/{id}/modify", _MODIFY, 5, body=_CHANGE),
    Method("messages.batchModify", "POST", "/messages/batchModify", _MODIFY, 50, body=("ids", *_CHANGE)),
    Method("messages.trash", "POST", "/messages/{id}/trash", _MODIFY, 5),
    Method("messages.untrash", "POST", "/messages/{id}/untrash", _MODIFY, 5),
    Method("messages.delete", "DELETE", "/messages/{id}", _DELETE, 10),
    Method("messages.batchDelete", "POST", "/messages/batchDelete", _DELETE, 50, body=("ids",)),

    Method("threads.list", "GET", "/threads", _META, 10, _LIST),
    Method("threads.get", "GET", "/threads/{id}", _META, 10, _FORM),
    Method("threads.modify", "POST", "/threads/{id}/modify", _MODIFY, 10, body=_CHANGE),
    Method("threads.trash", "POST", "/threads/{id}/trash", _MODIFY, 10),
    Method("threads.untrash", "POST", "/threads/{id}/untrash", _MODIFY, 10),
    Method("threads.delete", "DELETE", "/threads/{id}", _DELETE, 20),

    Method("drafts.list", "GET", "/drafts", (*_COMPOSE, "gmail.readonly"), 5, _PAGE),
    Method("drafts.get", "GET", "/drafts/{id}", (*_COMPOSE, "gmail.readonly"), 5, ("format",)),
    Method("drafts.create", "POST", "/drafts", _COMPOSE, 10, body=_DRAFT, upload=True),
    Method("drafts.update", "PUT", "/drafts/{id}", _COMPOSE, 15, body=_DRAFT, upload=True),
    Method("drafts.send", "POST", "/drafts/send", _COMPOSE, 100, body=_DRAFT, upload=True),
    Method("drafts.delete", "DELETE", "/drafts/{id}", _COMPOSE, 10),

    Method("labels.list", "GET", "/labels", (*_META, "gmail.labels"), 1),
    Method("labels.get", "GET", "/labels/{id}", (*_META, "gmail.labels"), 1),
    Method("labels.create", "POST", "/labels", _LABELS, 5, body=_LABEL),
    Method("labels.patch", "PATCH", "/labels/{id}", _LABELS, 5, body=_LABEL),
    Method("labels.update", "PUT", "/labels/{id}", _LABELS, 5, body=_LABEL),
    Method("labels.delete", "DELETE", "/labels/{id}", _LABELS, 5),
)
# fmt: on


def matching(request: SandboxRequest) -> tuple[Method, dict[str, str]] | None:
    """Find the method a request means, with the pieces of its path."""
    for method in METHODS:
        if method.verb == request.method and (found := method.pattern.fullmatch(request.path)):
            return method, {name: unquote(value) for name, value in found.groupdict().items()}
    return None
