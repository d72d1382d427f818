"""Reads a mailbox written as Graph JSON into folders and seeds.

Responsible for the way from the wire's words back to a seed's. Tolerates what is left out, since such files are
written by hand. Touches no mailbox.
"""

from __future__ import annotations

import base64
import datetime as dt
from collections.abc import Mapping
from typing import Any, Literal

from mailkit.sandbox.mail import File, Mail, Person
from mailkit.sandbox.microsoft.folders import Folder
from mailkit.sandbox.microsoft.matching import property_id, value_at

__all__ = ["SIZE", "read_folder", "read_message"]

SIZE = "Integer 0x0E08"
"""PidTagMessageSize as an extended property."""

_KINDS: Mapping[str, Literal["file", "item", "link"]] = {"itemAttachment": "item", "referenceAttachment": "link"}
# Headers that a seed has fields for.
_FIELDS = frozenset(("message-id", "list-id", "in-reply-to", "references", "delivered-to"))


def read_folder(data: Mapping[str, Any]) -> Folder:
    """Read one mailFolder; ``wellKnownName`` is taken where it stands."""
    return Folder(
        id=data["id"],
        name=data["displayName"],
        parent=data.get("parentFolderId"),
        well_known=data.get("wellKnownName"),
        hidden=data.get("isHidden", False),
    )


def read_message(data: Mapping[str, Any], folder: str) -> Mail:
    """Read one message that lies in the seed folder ``folder``."""
    headers = [(h["name"], h["value"]) for h in data.get("internetMessageHeaders") or ()]
    named = {name.lower(): value for name, value in reversed(headers)}
    if data.get("importance") == "low":
        headers.append(("Importance", "low"))
    body = data.get("body") or {}
    flag = value_at(data, "flag/flagStatus")
    return Mail(
        id=data["id"],
        thread=data.get("conversationId"),
        message_id=data.get("internetMessageId"),
        subject=data.get("subject") or "",
        from_=next(iter(_people([data["from"]] if data.get("from") else [])), None),
        to=_people(data.get("toRecipients")),
        cc=_people(data.get("ccRecipients")),
        bcc=_people(data.get("bccRecipients")),
        reply_to=_people(data.get("replyTo")),
        date=_date(data.get("sentDateTime")),
        received=_date(data.get("receivedDateTime")),
        text=None if body.get("contentType") == "html" else body.get("content"),
        html=body.get("content") if body.get("contentType") == "html" else None,
        folder=folder,
        labels=data.get("categories") or (),
        read=data.get("isRead", False),
        starred=flag == "flagged",
        flag_complete=flag == "complete",
        important=data.get("importance") == "high",
        size=_size(data),
        files=[_file(attachment) for attachment in data.get("attachments") or ()],
        headers=[(name, value) for name, value in headers if name.lower() not in _FIELDS],
        list_id=named.get("list-id"),
        in_reply_to=named.get("in-reply-to"),
        references=named.get("references", "").split(),
    )


def _people(recipients: list[Mapping[str, Any]] | None) -> tuple[Person, ...]:
    addresses = [recipient["emailAddress"] for recipient in recipients or ()]
    return tuple(Person(a.get("name") or "", a.get("address") or "") for a in addresses)


def _date(text: str | None) -> dt.datetime | None:
    return dt.datetime.fromisoformat(text) if text else None


def _size(data: Mapping[str, Any]) -> int | None:
    properties = data.get("singleValueExtendedProperties") or ()
    return next((int(p["value"]) for p in properties if property_id(p["id"]) == property_id(SIZE)), None)


def _file(data: Mapping[str, Any]) -> File:
    kind = data.get("@odata.type", "").rpartition(".")[2]
    return File(
        name=data.get("name") or "",
        content=base64.b64decode(data.get("contentBytes") or ""),
        content_type=data.get("contentType") or "application/octet-stream",
        inline=data.get("isInline", False),
        content_id=data.get("contentId"),
        kind=_KINDS.get(kind, "file"),
        url=data.get("sourceUrl"),
    )
