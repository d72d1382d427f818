"""Message resources: the part tree, bodies, snippets, in each of Gmail's four formats.

Source: developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages. It reads entries, changes none.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection
from email.message import Message
from typing import Literal, TypeAlias

from mailkit.sandbox import eml
from mailkit.sandbox.google.labels import Json
from mailkit.sandbox.mailbox import Entry

Format: TypeAlias = Literal["minimal", "metadata", "full", "raw"]
FORMATS: tuple[Format, ...] = ("minimal", "metadata", "full", "raw")
AttachmentIds: TypeAlias = Callable[[str], str]
"""Makes an attachment id for a part id; a new one every time."""

# Texts above this stand behind an attachment id, as attachments do. Gmail names no number.
_LARGE_TEXT = 256 * 1024
_SNIPPET = 200
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def encoded(data: bytes) -> str:
    """Encode bytes as Gmail does: base64url. Its padding is left out, as the format allows."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def summary(entry: Entry, label_ids: list[str], shown: str, history_id: int) -> Json:
    """Give the part of a message resource every format has."""
    labels: Json = {"labelIds": label_ids} if label_ids else {}
    return {
        "id": entry.id,
        "threadId": entry.thread_id,
        **labels,
        "snippet": snippet(shown),
        "sizeEstimate": entry.size,
        "historyId": str(history_id),
        "internalDate": str(int(entry.received.timestamp() * 1000)),
    }


def snippet(shown: str) -> str:
    """Give the start of a text, white space closed up, HTML-escaped as Gmail's snippets are."""
    return " ".join(shown.split())[:_SNIPPET].translate(_ESCAPES)


def resource(
    entry: Entry,
    form: Format,
    *,
    base: Json,
    headers: Collection[str],
    attachment_id: AttachmentIds,
) -> Json:
    """Complete a summary in the format asked for; ``headers`` cuts the metadata format down to those names."""
    if form == "raw":
        return {**base, "raw": encoded(entry.raw)}
    if form == "full":
        return {**base, "payload": _part(entry.message, "", attachment_id)}
    if form == "metadata":
        wanted = {name.lower() for name in headers}
        shown = [header for header in _headers(entry.message) if not wanted or header["name"].lower() in wanted]
        kept: Json = {"headers": shown} if shown else {}
        return {**base, "payload": {"mimeType": entry.message.get_content_type(), **kept}}
    return base


def find_part(message: Message, part_id: str) -> Message | None:
    """Give the part with that id; the root's is empty."""
    for index in filter(None, part_id.split(".")):
        children = _children(message)
        if not index.isdigit() or int(index) >= len(children):
            return None
        message = children[int(index)]
    return message


def part_bytes(part: Message) -> bytes:
    """Give the bytes of a leaf. Text comes as UTF-8 whatever charset the headers go on naming."""
    return eml.text_of(part).encode() if _is_text(part) else eml.content_of(part)


def _part(message: Message, part_id: str, attachment_id: AttachmentIds) -> Json:
    children = _children(message)
    part: Json = {
        "partId": part_id,
        "mimeType": message.get_content_type(),
        "filename": eml.filename(message) or "",
        "headers": _headers(message),
        "body": _body(message, part_id, attachment_id),
    }
    if children:
        below = f"{part_id}." if part_id else ""
        part["parts"] = [_part(child, f"{below}{index}", attachment_id) for index, child in enumerate(children)]
    return part


def _body(message: Message, part_id: str, attachment_id: AttachmentIds) -> Json:
    if message.get_content_maintype() == "multipart" and _children(message):
        return {"size": 0}
    data = part_bytes(message)
    named = eml.filename(message) is not None or message.get_content_disposition() == "attachment"
    if data and (named or not _is_text(message) or len(data) > _LARGE_TEXT):
        return {"attachmentId": attachment_id(part_id), "size": len(data)}
    return {"size": len(data), "data": encoded(data)} if data else {"size": 0}


def _is_text(message: Message) -> bool:
    is_text = message.get_content_maintype() == "text" or eml.is_whole(message)
    return is_text and message.get_content_disposition() != "attachment"


def _children(message: Message) -> list[Message]:
    payload = message.get_payload()
    return [child for child in payload if isinstance(child, Message)] if isinstance(payload, list) else []


def _headers(message: Message) -> list[dict[str, str]]:
    return [{"name": name, "value": eml.shown(name, value)} for name, value in message.items()]
