"""Graph's mail JSON → records. Pure: what came in decides what comes out.

Tolerant of members Graph leaves out; an item that cannot be a message at all (no id, no conversation, no date) is a
``BadPayload`` with its JSON path. Nothing here asks Graph for anything.
Members: https://learn.microsoft.com/graph/api/resources/message
"""

from __future__ import annotations

from mailkit.errors import BadPayload
from mailkit.mime.headers import one_line, read_message_ids
from mailkit.mime.structure import ATTACHED_MESSAGE
from mailkit.models.body import Body
from mailkit.models.mail import Attachment, AttachmentKind, Message, MessageSummary
from mailkit.providers.wire import (
    Wire,
    as_object,
    get_flag,
    get_instant,
    get_list,
    get_needed_text,
    get_number,
    get_object,
    get_objects,
    get_text,
)
from mailkit.query.candidate import Candidate, CandidateFile
from mailkit.query.graph_mailbox import GraphMailbox
from mailkit.values import Address, Ref

SUMMARY_MEMBERS = (
    "id",
    "conversationId",
    "internetMessageId",
    "subject",
    "bodyPreview",
    "from",
    "toRecipients",
    "ccRecipients",
    "bccRecipients",
    "receivedDateTime",
    "sentDateTime",
    "hasAttachments",
    "importance",
    "isRead",
    "isDraft",
    "flag",
    "categories",
    "parentFolderId",
)
# uniqueBody, what is new against the rest of the conversation, comes only where it is selected:
# https://learn.microsoft.com/graph/api/resources/message
MESSAGE_MEMBERS = (*SUMMARY_MEMBERS, "replyTo", "body", "uniqueBody", "internetMessageHeaders")
# contentId exists on fileAttachment alone, hence the cast: https://learn.microsoft.com/graph/api/resources/fileattachment
ATTACHMENT_MEMBERS = ("id", "name", "contentType", "size", "isInline", "microsoft.graph.fileAttachment/contentId")

# PidTagMessageSize: https://learn.microsoft.com/openspecs/exchange_server_protocols/ms-oxprops
_SIZE_TAG = 0x0E08


def summary_from_wire(
    item: Wire, path: str, *, account: str, mailbox: GraphMailbox, include_raw: bool = False
) -> MessageSummary:
    """Read one row of a list.

    Raises:
        BadPayload: no id, conversation or date, or a member of another type than documented.
    """
    return MessageSummary(**_summary_fields(item, path, account, mailbox, include_raw))  # type: ignore[arg-type]


def message_from_wire(
    item: Wire, path: str, *, account: str, mailbox: GraphMailbox, include_raw: bool = False
) -> Message:
    """Read a whole message, asked for with ``MESSAGE_MEMBERS`` and its attachments expanded.

    Raises:
        BadPayload: as ``summary_from_wire``.
    """
    fields = _summary_fields(item, path, account, mailbox, include_raw)
    headers = tuple(
        (get_text(h, "name", f"{path}.internetMessageHeaders"), get_text(h, "value", f"{path}.internetMessageHeaders"))
        for h in get_objects(item, "internetMessageHeaders", path)
    )
    first = {name.lower(): value for name, value in reversed(headers)}
    message_id = str(fields["message_id"] or "")
    text, html = _texts(item, "body", path)
    _, unique = _texts(item, "uniqueBody", path)
    return Message(
        **fields,  # type: ignore[arg-type]
        reply_to=_people(item, "replyTo", path),
        in_reply_to=next(iter(read_message_ids(first.get("in-reply-to", ""))), None),
        references=read_message_ids(first.get("references", "")),
        headers=headers or ((("Message-ID", message_id),) if message_id else ()),
        body=Body(
            plain=text,
            html=html,
            unique=None if unique == html else unique,
            snippet=str(fields["snippet"]),
        ),
        attachments=tuple(
            attachment_from_wire(a, f"{path}.attachments[{i}]", account=account, message_id=get_text(item, "id", path))
            for i, a in enumerate(get_objects(item, "attachments", path))
        ),
    )


def _texts(item: Wire, name: str, path: str) -> tuple[str | None, str | None]:
    """Give a body as plain text or as HTML, whichever it is."""
    body = get_object(item, name, path)
    content = get_text(body, "content", f"{path}.{name}") if body else None
    is_html = get_text(body, "contentType", f"{path}.{name}").lower() == "html"
    return (None, content) if is_html else (content, None)


def attachment_from_wire(item: Wire, path: str, *, account: str, message_id: str) -> Attachment:
    """Read one attachment of any kind.

    Raises:
        BadPayload: it has no id.
    """
    content_id = get_text(item, "contentId", path).strip("<>")
    kind = _ATTACHMENT_KINDS.get(get_text(item, "@odata.type", path).rpartition(".")[2], "file")
    return Attachment(
        ref=Ref(account=account, kind="attachment", id=message_id, part=get_needed_text(item, "id", path)),
        name=get_text(item, "name", path) or (ATTACHED_MESSAGE if kind == "item" else ""),
        # Of items Graph leaves the type out; nearly all are messages, and only their bytes tell.
        content_type=get_text(item, "contentType", path)
        or ("message/rfc822" if kind == "item" else "application/octet-stream"),
        size=get_number(item, "size", path),
        inline=get_flag(item, "isInline", path),
        content_id=content_id or None,
        kind=kind,
        url=get_text(item, "sourceUrl", path) or None,
    )


# https://learn.microsoft.com/graph/api/resources/attachment: file, item and reference are the three kinds there are
_ATTACHMENT_KINDS: dict[str, AttachmentKind] = {
    "fileAttachment": "file",
    "itemAttachment": "item",
    "referenceAttachment": "link",
}


def candidate_from_wire(item: Wire, row: MessageSummary, path: str) -> Candidate:
    """Show a row to a query: the summary, and whatever more of the item the query asked for.

    What Outlook cannot hold (categories of Gmail's, star colours, muted, snoozed, chat, Delivered-To) stays empty.

    Raises:
        BadPayload: a member is of another type than documented.
    """
    headers = {
        get_text(h, "name", path).lower(): get_text(h, "value", path)
        for h in get_objects(item, "internetMessageHeaders", path)
    }
    return Candidate(
        id=row.ref.id,
        date=row.date,
        thread_id=row.thread.id,
        message_id=row.message_id or "",
        from_=row.from_,
        to=row.to,
        cc=row.cc,
        bcc=row.bcc,
        subject=row.subject,
        body=get_text(get_object(item, "body", path), "content", f"{path}.body"),
        size=_size(item, path),
        folder=row.folder,
        folder_path=row.folder_path,
        labels=row.labels,
        read=row.is_read,
        starred=row.is_starred,
        important=row.is_important,
        attachments=_files(item, path),
        list_id=headers.get("list-id"),
    )


def _files(item: Wire, path: str) -> tuple[CandidateFile, ...]:
    """Give the attachments where they were expanded; else one without a name, if there are any."""
    if "attachments" not in item:
        return (CandidateFile(name=""),) if get_flag(item, "hasAttachments", path) else ()
    return tuple(
        CandidateFile(name=get_text(a, "name", path), inline=get_flag(a, "isInline", path))
        for a in get_objects(item, "attachments", path)
    )


def _size(item: Wire, path: str) -> int:
    """Give the extended property that holds the size; Graph may write its id as ``Integer 0xe08``."""
    for extended in get_objects(item, "singleValueExtendedProperties", path):
        tag, value = get_text(extended, "id", path).rpartition(" ")[2], get_text(extended, "value", path)
        if tag.lower().startswith("0x") and tag.lower().lstrip("0x") == f"{_SIZE_TAG:x}" and value.isdecimal():
            return int(value)
    return 0


def _summary_fields(item: Wire, path: str, account: str, mailbox: GraphMailbox, include_raw: bool) -> dict[str, object]:
    folder_id = get_text(item, "parentFolderId", path) or None
    folder_path = mailbox.own_path(folder_id) if folder_id else None
    received = get_instant(item, "receivedDateTime", path)
    sent = get_instant(item, "sentDateTime", path)
    date = received or sent
    if date is None:
        raise BadPayload(f"a message without a date at {path}.receivedDateTime", path=f"{path}.receivedDateTime")
    categories = tuple([c for c in get_list(item, "categories", path) if isinstance(c, str)])
    return {
        "ref": Ref(account=account, kind="message", id=get_needed_text(item, "id", path)),
        "thread": Ref(account=account, kind="thread", id=get_needed_text(item, "conversationId", path)),
        "message_id": get_text(item, "internetMessageId", path) or None,
        "from_": _person(get_object(item, "from", path), f"{path}.from"),
        "to": _people(item, "toRecipients", path),
        "cc": _people(item, "ccRecipients", path),
        "bcc": _people(item, "bccRecipients", path),
        "subject": one_line(get_text(item, "subject", path)),
        "snippet": get_text(item, "bodyPreview", path),
        "date": date,
        "sent_at": sent,
        "folder": mailbox.place(folder_id) if folder_id else "other",
        "folder_path": folder_path,
        "folder_id": folder_id,
        "labels": (*categories, folder_path) if folder_path else categories,
        "is_read": get_flag(item, "isRead", path),
        # "complete" is a task done, not a star: https://learn.microsoft.com/graph/api/resources/followupflag
        "is_starred": get_text(get_object(item, "flag", path), "flagStatus", f"{path}.flag").lower() == "flagged",
        "is_important": get_text(item, "importance", path).lower() == "high",
        "is_draft": get_flag(item, "isDraft", path),
        "has_attachments": get_flag(item, "hasAttachments", path) if "hasAttachments" in item else None,
        "raw": item if include_raw else None,
    }


def _people(item: Wire, name: str, path: str) -> tuple[Address, ...]:
    recipients = get_list(item, name, path)
    if not recipients:
        return ()
    return tuple(filter(None, [_person(r, f"{path}.{name}[{at}]") for at, r in enumerate(recipients)]))


def _person(recipient: object, path: str) -> Address | None:
    who = get_object(as_object(recipient, path), "emailAddress", path)
    name, address = get_text(who, "name", path), get_text(who, "address", path)
    if not (name or address):
        return None
    # Graph repeats the address as the name where a sender gave none.
    return Address(name="" if name == address else name, address=address)
