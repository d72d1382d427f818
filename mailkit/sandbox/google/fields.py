"""Partial responses: what ``fields=`` keeps of an answer.

Source: developers.google.com/workspace/gmail/api/guides/performance#partial-response. Every resource's known fields
stand in ``SHAPES``; a selection of anything else is refused, as Google does.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from mailkit.sandbox.google.refusals import Refusal

Shape: TypeAlias = "dict[str, Shape]"


def leaves(*names: str) -> Shape:
    """Give fields with nothing below them."""
    return {name: {} for name in names}


_BODY = leaves("attachmentId", "size", "data")
_PART: Shape = {**leaves("partId", "mimeType", "filename"), "headers": leaves("name", "value"), "body": _BODY}
_PART["parts"] = _PART
_MESSAGE: Shape = {
    **leaves("id", "threadId", "snippet", "historyId", "internalDate", "sizeEstimate", "raw", "labelIds"),
    "payload": _PART,
}
_LABEL: Shape = {
    **leaves("id", "name", "messageListVisibility", "labelListVisibility", "type"),
    **leaves("messagesTotal", "messagesUnread", "threadsTotal", "threadsUnread"),
    "color": leaves("textColor", "backgroundColor"),
}
_THREAD: Shape = {**leaves("id", "snippet", "historyId"), "messages": _MESSAGE}
_DRAFT: Shape = {"id": {}, "message": _MESSAGE}
_ADDRESS: Shape = {
    **leaves("sendAsEmail", "displayName", "replyToAddress", "signature", "isPrimary", "isDefault", "treatAsAlias"),
    "verificationStatus": {},
}
_PAGE = leaves("nextPageToken", "resultSizeEstimate")
SHAPES: dict[str, Shape] = {
    "getProfile": leaves("emailAddress", "messagesTotal", "threadsTotal", "historyId"),
    "messages.list": {"messages": _MESSAGE, **_PAGE},
    "messages.get": _MESSAGE,
    "threads.list": {"threads": _THREAD, **_PAGE},
    "threads.get": _THREAD,
    "labels.list": {"labels": _LABEL},
    "labels.get": _LABEL,
    "labels.create": _LABEL,
    "labels.patch": _LABEL,
    "labels.update": _LABEL,
    "attachments.get": _BODY,
    "drafts.list": {"drafts": _DRAFT, **_PAGE},
    **dict.fromkeys(("drafts.get", "drafts.create", "drafts.update"), _DRAFT),
    **dict.fromkeys(("messages.send", "drafts.send"), _MESSAGE),
    **dict.fromkeys(("messages.modify", "messages.trash", "messages.untrash"), _MESSAGE),
    **dict.fromkeys(("threads.modify", "threads.trash", "threads.untrash"), _THREAD),
    "settings.sendAs.list": {"sendAs": _ADDRESS},
    "settings.sendAs.get": _ADDRESS,
}


def select(value: object, selection: str, shape: Shape) -> object:
    """Keep what a selection names: ``a,b(c,d),e/f,*``.

    Raises:
        Refusal: the selection is malformed or names what is not there.
    """
    tokens = re.findall(r"[A-Za-z0-9_]+|\S", selection)
    tree, rest = _list(tokens, shape)
    if rest or not tokens:
        raise Refusal(400, "invalidParameter", "Invalid field selection")
    return _keep(value, tree)


def _list(tokens: list[str], shape: Shape) -> tuple[Shape, list[str]]:
    tree: Shape = {}
    while True:
        branch, tokens = _path(tokens, shape)
        tree = _merge(tree, branch)
        if tokens[:1] != [","]:
            return tree, tokens
        tokens = tokens[1:]


def _path(tokens: list[str], shape: Shape) -> tuple[Shape, list[str]]:
    name, *tokens = tokens or [""]
    if name != "*" and name not in shape:
        raise Refusal(400, "invalidParameter", f"Invalid field selection {name}")
    inner: Shape = {}
    below = shape.get(name, {})
    if tokens[:1] == ["/"]:
        inner, tokens = _path(tokens[1:], below)
    elif tokens[:1] == ["("]:
        inner, tokens = _list(tokens[1:], below)
        if tokens[:1] != [")"]:
            raise Refusal(400, "invalidParameter", "Invalid field selection")
        tokens = tokens[1:]
    return {name: inner}, tokens


def _merge(one: Shape, other: Shape) -> Shape:
    # A name without a selection below it keeps everything, whatever else is said of it.
    both = {
        name: _merge(one[name], other[name]) if one[name] and other[name] else {} for name in one.keys() & other.keys()
    }
    return {**one, **other, **both}


def _keep(value: object, tree: Shape) -> object:
    if not tree:
        return value
    if isinstance(value, list):
        return [_keep(item, tree) for item in value]
    if not isinstance(value, dict):
        return value
    wanted = {name: tree[name] if name in tree else tree["*"] for name in value if name in tree or "*" in tree}
    return {name: _keep(value[name], inner) for name, inner in wanted.items()}
