"""Reading the wire the plain way, to compare with: ``json.loads``, then one constructor call with what stands there.

Gives the same records as mailkit's drivers where everything is as documented, and checks nothing: a missing or foreign
member is a ``KeyError`` somewhere.
"""

from __future__ import annotations

import datetime as dt
import html
import json
from email.header import decode_header, make_header
from email.utils import getaddresses, parsedate_to_datetime
from typing import Any

from mailkit.models import Attachment, Body, Message, MessageSummary
from mailkit.values import Address, Ref

ACCOUNT = "bench"
LABELS = {"Label_7": "Figures"}


def gmail_summary(content: bytes) -> MessageSummary:
    """Read a message of the metadata format."""
    item = json.loads(content)
    headers = {header["name"].lower(): header["value"] for header in item["payload"]["headers"]}
    return MessageSummary(**_gmail(item, headers))


def gmail_whole(content: bytes) -> Message:
    """Read a message of the full format, its texts left as they are encoded."""
    item = json.loads(content)
    pairs = tuple((header["name"], header["value"]) for header in item["payload"]["headers"])
    headers = {name.lower(): value for name, value in reversed(pairs)}
    texts: dict[str, str] = {}
    files: list[dict[str, Any]] = []
    waiting = [item["payload"]]
    while waiting:
        part = waiting.pop()
        if "parts" in part:
            waiting.extend(reversed(part["parts"]))
        elif part["filename"]:
            files.append(part)
        else:
            texts[part["mimeType"]] = part["body"]["data"]
    return Message(
        **_gmail(item, headers),
        has_attachments=bool(files),
        reply_to=_people(headers.get("reply-to")),
        in_reply_to=headers.get("in-reply-to"),
        references=tuple(headers.get("references", "").split()),
        headers=pairs,
        body=Body(plain=texts["text/plain"], html=texts["text/html"], snippet=item["snippet"]),
        attachments=tuple(
            Attachment(
                ref=Ref(account=ACCOUNT, kind="attachment", id=item["id"], part=file["partId"]),
                name=file["filename"],
                content_type=file["mimeType"],
                size=file["body"]["size"],
            )
            for file in files
        ),
    )


def _gmail(item: dict[str, Any], headers: dict[str, str]) -> dict[str, Any]:
    labels = item["labelIds"]
    subject = headers.get("subject", "")
    return {
        "ref": Ref(account=ACCOUNT, kind="message", id=item["id"]),
        "thread": Ref(account=ACCOUNT, kind="thread", id=item["threadId"]),
        "message_id": headers.get("message-id"),
        "from_": _people(headers.get("from"))[0],
        "to": _people(headers.get("to")),
        "cc": _people(headers.get("cc")),
        "bcc": _people(headers.get("bcc")),
        "subject": str(make_header(decode_header(subject))) if "=?" in subject else subject,
        "snippet": html.unescape(item["snippet"]),
        "date": dt.datetime.fromtimestamp(int(item["internalDate"]) / 1000, dt.UTC),
        "sent_at": parsedate_to_datetime(headers["date"]).astimezone(dt.UTC),
        "folder": "inbox" if "INBOX" in labels else "archive",
        "labels": tuple(LABELS[label] for label in labels if label in LABELS),
        "is_read": "UNREAD" not in labels,
        "is_starred": "STARRED" in labels,
        "is_important": "IMPORTANT" in labels,
        "is_draft": "DRAFT" in labels,
        "size": item["sizeEstimate"],
    }


def _people(header: str | None) -> tuple[Address, ...]:
    return tuple(Address(name=name, address=address) for name, address in getaddresses([header])) if header else ()


def graph_page(content: bytes) -> list[MessageSummary]:
    """Read a page of a list."""
    return [
        MessageSummary(
            ref=Ref(account=ACCOUNT, kind="message", id=item["id"]),
            thread=Ref(account=ACCOUNT, kind="thread", id=item["conversationId"]),
            message_id=item["internetMessageId"],
            from_=_recipient(item["from"]),
            to=tuple(map(_recipient, item["toRecipients"])),
            cc=tuple(map(_recipient, item["ccRecipients"])),
            bcc=tuple(map(_recipient, item["bccRecipients"])),
            subject=item["subject"],
            snippet=item["bodyPreview"],
            date=dt.datetime.fromisoformat(item["receivedDateTime"]),
            sent_at=dt.datetime.fromisoformat(item["sentDateTime"]),
            folder="inbox",
            folder_id=item["parentFolderId"],
            labels=tuple(item["categories"]),
            is_read=item["isRead"],
            is_starred=item["flag"]["flagStatus"] == "flagged",
            is_important=item["importance"] == "high",
            is_draft=item["isDraft"],
            has_attachments=item["hasAttachments"],
        )
        for item in json.loads(content)["value"]
    ]


def _recipient(recipient: dict[str, Any]) -> Address:
    who = recipient["emailAddress"]
    return Address(name="" if who["name"] == who["address"] else who["name"], address=who["address"])
