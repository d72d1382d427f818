"""Gmail's message JSON → records. Pure: what came in decides what comes out.

Tolerant of members Gmail leaves out; an item that cannot be a message at all (no id, no thread, no date) is a
``BadPayload`` with its JSON path. Nothing here asks Gmail for anything.
https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import TypedDict, cast

from mailkit.errors import BadPayload
from mailkit.mime.entities import unescape
from mailkit.mime.fields import by_name, first
from mailkit.mime.headers import read_addresses, read_date, read_message_ids, read_text
from mailkit.models.mail import FolderRole, Message, MessageSummary
from mailkit.providers.google.gmail_parts import Part, attachments_of, body_of, leaves, read_headers
from mailkit.providers.wire import Wire, get_list, get_needed_text, get_number, get_object, get_text
from mailkit.values import Address, Ref

SUMMARY_HEADERS = ("From", "To", "Cc", "Bcc", "Subject", "Date", "Message-ID")
SUMMARY_FIELDS = "id,threadId,labelIds,snippet,internalDate,sizeEstimate,payload/headers"

# https://developers.google.com/workspace/gmail/api/guides/labels. A message to oneself is in INBOX and SENT, one in the
# trash keeps its other labels: the first of these that it has is where people look for it.
_PLACES: tuple[tuple[str, FolderRole], ...] = (
    ("TRASH", "trash"),
    ("SPAM", "spam"),
    ("DRAFT", "drafts"),
    ("INBOX", "inbox"),
    ("SENT", "sent"),
    ("CHAT", "other"),
)
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


class _SummaryFields(TypedDict):
    ref: Ref
    thread: Ref
    message_id: str | None
    from_: Address | None
    to: tuple[Address, ...]
    cc: tuple[Address, ...]
    bcc: tuple[Address, ...]
    subject: str
    snippet: str
    date: dt.datetime
    sent_at: dt.datetime | None
    folder: FolderRole
    labels: tuple[str, ...]
    is_read: bool
    is_starred: bool
    is_important: bool
    is_draft: bool
    size: int | None
    raw: Mapping[str, object] | None


def summary_from_wire(
    item: Wire, path: str, *, account: str, label_names: Mapping[str, str], include_raw: bool = False
) -> MessageSummary:
    """Read one row of a list, asked for in the metadata format; ``label_names`` are the user's labels by id.

    Raises:
        BadPayload: no id, thread or date, or a member of another type than documented.
    """
    headers = by_name(read_headers(get_object(item, "payload", path), f"{path}.payload"))
    fields = _summary_fields(
        item, path, headers=headers, account=account, label_names=label_names, include_raw=include_raw
    )
    return MessageSummary(**fields)


def parts_from_wire(item: Wire, path: str) -> list[Part]:
    """Read the leaves of a whole message, asked for in the full format.

    Raises:
        BadPayload: a member has another type than documented.
    """
    return list(leaves(get_object(item, "payload", path), f"{path}.payload"))


def message_from_wire(
    item: Wire,
    path: str,
    *,
    account: str,
    label_names: Mapping[str, str],
    parts: Sequence[Part],
    fetched: Mapping[str, bytes],
    include_raw: bool = False,
) -> Message:
    """Read a whole message; ``parts`` are its leaves, ``fetched`` its texts that were detached, by part id.

    Raises:
        BadPayload: as ``summary_from_wire``; also a text that is no base64url.
    """
    pairs = read_headers(get_object(item, "payload", path), f"{path}.payload")
    headers = by_name(pairs)
    fields = _summary_fields(
        item, path, headers=headers, account=account, label_names=label_names, include_raw=include_raw
    )
    body = body_of(parts, fields["snippet"], fetched)
    attachments = attachments_of(parts, body, account=account, message_id=fields["ref"].id)
    return Message(
        **fields,
        has_attachments=any(not attachment.inline for attachment in attachments),
        reply_to=_people(headers, "reply-to"),
        in_reply_to=next(iter(read_message_ids(first(headers, "in-reply-to"))), None),
        references=read_message_ids(first(headers, "references")),
        headers=pairs,
        body=body,
        attachments=attachments,
    )


def label_ids(item: Wire, path: str) -> Sequence[str]:
    """Give the ids of a message's labels.

    Raises:
        BadPayload: one is no text.
    """
    ids = get_list(item, "labelIds", path)
    for at, value in enumerate(ids):
        if not isinstance(value, str):
            raise BadPayload(f"expected text at {path}.labelIds[{at}]", path=f"{path}.labelIds[{at}]")
    return cast("Sequence[str]", ids)


def place_of(labels: Sequence[str]) -> FolderRole:
    """Say where people look for a message that carries these labels."""
    for label, role in _PLACES:
        if label in labels:
            return role
    return "archive"


def _summary_fields(
    item: Wire,
    path: str,
    *,
    headers: Mapping[str, Sequence[str]],
    account: str,
    label_names: Mapping[str, str],
    include_raw: bool,
) -> _SummaryFields:
    labels = label_ids(item, path)
    return _SummaryFields(
        ref=Ref(account=account, kind="message", id=get_needed_text(item, "id", path)),
        thread=Ref(account=account, kind="thread", id=get_needed_text(item, "threadId", path)),
        message_id=first(headers, "message-id").strip() or None,
        from_=next(iter(_people(headers, "from")), None),
        to=_people(headers, "to"),
        cc=_people(headers, "cc"),
        bcc=_people(headers, "bcc"),
        subject=read_text(first(headers, "subject")),
        snippet=unescape(get_text(item, "snippet", path)),  # Gmail's snippets are HTML-escaped
        date=internal_date(item, path),
        sent_at=read_date(first(headers, "date")),
        folder=place_of(labels),
        labels=tuple([label_names[label] for label in labels if label in label_names]),
        is_read="UNREAD" not in labels,
        is_starred="STARRED" in labels,
        is_important="IMPORTANT" in labels,
        is_draft="DRAFT" in labels,
        size=get_number(item, "sizeEstimate", path),
        raw=item if include_raw else None,
    )


def _people(headers: Mapping[str, Sequence[str]], name: str) -> tuple[Address, ...]:
    """Read all headers of that name: a list broken into several is one list."""
    return tuple([person for value in headers.get(name, ()) for person in read_addresses(value)])


def internal_date(item: Wire, path: str) -> dt.datetime:
    """Read milliseconds since 1970, which come as text (int64 in Google's JSON)."""
    text = get_needed_text(item, "internalDate", path)
    try:
        return _EPOCH + dt.timedelta(milliseconds=int(text))
    except (ValueError, OverflowError):
        here = f"{path}.internalDate"
        raise BadPayload(f"expected milliseconds since 1970 at {here}", path=here) from None
