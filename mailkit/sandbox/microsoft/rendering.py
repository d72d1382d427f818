"""Shows messages, folders, attachments, categories and the person as Graph v1.0 JSON.

Responsible for each property's form (learn.microsoft.com/graph/api/resources/message and its neighbours) and for what
Outlook holds of a seed. Whole items come out; what was selected is cut out by ``selection``.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
from urllib.parse import quote

from mailkit.sandbox import eml
from mailkit.sandbox.mail import File, Mail, Person
from mailkit.sandbox.mailbox import Entry
from mailkit.sandbox.microsoft import bodies
from mailkit.sandbox.microsoft.drafting import DELIVERY_RECEIPT, READ_RECEIPT
from mailkit.sandbox.microsoft.folders import Folder
from mailkit.sandbox.microsoft.ids import guid, opaque
from mailkit.sandbox.microsoft.loading import SIZE
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.prefer import Preferences
from mailkit.sandbox.microsoft.searching import Indexed
from mailkit.sandbox.microsoft.selection import Selection

__all__ = [
    "attachment_ids",
    "attachments",
    "categories",
    "folder",
    "indexed",
    "message",
    "message_id",
    "mime",
    "properties",
    "summary",
    "user",
]

_WRITTEN = ("drafts", "outbox", "sentitems")


def summary(box: MicrosoftMailbox, entry: Entry) -> dict[str, object]:
    """Give a message's cheap properties: all but its id, bodies and headers."""
    known = box.shown.get(entry)
    if known is None:
        known = box.shown[entry] = _summary(box, entry)
    return known


def etag(entry: Entry) -> str:
    """Name the state a message is in."""
    return f'W/"{_change_key(entry)}"'


def _change_key(entry: Entry) -> str:
    return opaque("", entry.id, str(entry.change))[:24]


def _summary(box: MicrosoftMailbox, entry: Entry) -> dict[str, object]:
    mail = entry.mail
    place = box.folder_of(entry)
    written = {name for name, _ in mail.headers}
    change_key = _change_key(entry)
    # A draft nobody has sent yet has neither.
    author = {"sender": _recipient(mail.from_), "from": _recipient(mail.from_)} if mail.from_ else {}
    return author | {
        "@odata.etag": etag(entry),
        "createdDateTime": _instant(entry.received),
        "lastModifiedDateTime": _instant(entry.received),
        "changeKey": change_key,
        "categories": list(mail.labels),
        "receivedDateTime": _instant(entry.received),
        "sentDateTime": _instant(mail.date or entry.received),
        "hasAttachments": any(not file.inline for file in mail.files),
        "internetMessageId": message_id(entry),
        "subject": mail.subject,
        "bodyPreview": bodies.preview(mail),
        "importance": _importance(mail),
        "parentFolderId": place.id,
        "conversationId": entry.thread_id,
        "conversationIndex": base64.b64encode(_digest(entry.thread_id, 22)).decode(),
        "isDeliveryReceiptRequested": DELIVERY_RECEIPT in written,
        "isReadReceiptRequested": READ_RECEIPT in written,
        "isRead": mail.read,
        "isDraft": entry.id in box.drafts,
        "webLink": f"https://outlook.office365.com/owa/?ItemID={quote(entry.id, safe='')}&viewmodel=ReadMessageItem",
        "inferenceClassification": "other" if entry.id in box.unfocused else "focused",
        "toRecipients": [_recipient(person) for person in mail.to],
        "ccRecipients": [_recipient(person) for person in mail.cc],
        "bccRecipients": [_recipient(person) for person in _bcc(box, entry)],
        "replyTo": [_recipient(person) for person in mail.reply_to],
        "flag": {"flagStatus": "flagged" if mail.starred else "complete" if mail.flag_complete else "notFlagged"},
    }


def message(box: MicrosoftMailbox, entry: Entry, selection: Selection, preferences: Preferences) -> dict[str, object]:
    """Give what is selected of a message."""
    item = {**summary(box, entry), "id": entry.id if preferences.immutable else box.moving_id(entry)}
    if selection.shows("body"):
        item["body"] = bodies.body(entry.mail, as_text=preferences.text)
    if selection.shows("uniqueBody"):
        item["uniqueBody"] = bodies.unique_body(entry.mail, as_text=preferences.text)
    without_headers = item["isDraft"] or (entry.id in box.outgoing and not box.shows_sent_headers)
    if selection.shows("internetMessageHeaders") and not without_headers:
        item["internetMessageHeaders"] = [
            {"name": name, "value": eml.decoded(value)} for name, value in eml.parse(mime(box, entry)).items()
        ]
    return selection.cut(item)


def message_id(entry: Entry) -> str:
    """Give the Message-ID; Exchange gives one to what came without."""
    return entry.mail.message_id or f"<{guid(entry.id)}@outlook.example>"


def properties(entry: Entry) -> list[dict[str, str]]:
    """Give the extended properties that can be filtered by and expanded; the size is one."""
    return [
        {"id": SIZE, "value": str(entry.size)},
        *({"id": name, "value": value} for name, value in entry.mail.properties),
    ]


def mime(box: MicrosoftMailbox, entry: Entry) -> bytes:
    """Give the whole message as bytes, without a Bcc header its owner must not see."""
    if entry.mail.bcc and not _bcc(box, entry):
        return eml.without(entry.raw, "bcc")
    return entry.raw


def indexed(box: MicrosoftMailbox, entry: Entry) -> Indexed:
    """Give a message as the search index holds it."""
    known = box.index.get(entry)
    if known is None:
        known = box.index[entry] = _indexed(box, entry)
    return known


def _indexed(box: MicrosoftMailbox, entry: Entry) -> Indexed:
    mail = entry.mail
    people = {"from": (mail.from_,) if mail.from_ else (), "to": mail.to, "cc": mail.cc, "bcc": _bcc(box, entry)}
    return Indexed(
        people={field: tuple(text for p in many for text in (p.name, p.address)) for field, many in people.items()},
        subject=mail.subject,
        body=bodies.text_of(mail),
        files=tuple(file.name for file in mail.files),
        has_attachments=any(not file.inline for file in mail.files),
        importance=_importance(mail),
        received=entry.received,
        sent=mail.date or entry.received,
        measure=lambda: entry.size,
    )


def attachments(box: MicrosoftMailbox, entry: Entry) -> list[dict[str, object]]:
    """Give the attachments, whole."""
    return [
        _attachment(entry, key, file) for key, file in zip(attachment_ids(box, entry), entry.mail.files, strict=True)
    ]


def _attachment(entry: Entry, key: str, file: File) -> dict[str, object]:
    item: dict[str, object] = {
        "@odata.type": f"#microsoft.graph.{file.kind.replace('link', 'reference')}Attachment",
        "@odata.mediaContentType": file.content_type,
        "id": key,
        "lastModifiedDateTime": _instant(entry.received),
        "name": file.name,
        "contentType": None if file.kind == "item" else file.content_type,
        "size": len(file.content),
        "isInline": file.inline,
    }
    return item | _file_members(file) if file.kind == "file" else item


def attachment_ids(box: MicrosoftMailbox, entry: Entry) -> list[str]:
    """Give the ids of a message's attachments; they stay when others of the message go."""
    return [opaque("AAMkADAAAA", entry.id, name) for name in box.file_names(entry)]


def _file_members(file: File) -> dict[str, object]:
    return {
        "contentId": file.content_id,
        "contentLocation": None,
        "contentBytes": base64.b64encode(file.content).decode(),
    }


def folder(box: MicrosoftMailbox, shown: Folder) -> dict[str, object]:
    """Give one folder, whole."""
    entries = box.in_folder(shown)
    return {
        "id": shown.id,
        "displayName": shown.name,
        "parentFolderId": shown.parent or opaque("AQMkAD", box.address, "root"),
        "childFolderCount": len(box.folders.children(shown)),
        "unreadItemCount": sum(not entry.mail.read for entry in entries),
        "totalItemCount": len(entries),
        "isHidden": shown.hidden,
    }


def categories(box: MicrosoftMailbox) -> list[dict[str, str]]:
    """Give the master list."""
    return [
        {"id": guid(box.address, name), "displayName": name, "color": box.colours.get(name, f"preset{number % 25}")}
        for number, name in enumerate(box.categories)
    ]


def user(box: MicrosoftMailbox) -> dict[str, object]:
    """Give the mailbox's owner."""
    given, _, surname = box.name.partition(" ")
    return {
        "id": box.user_id,
        "businessPhones": [],
        "displayName": box.name or box.address,
        "givenName": given or None,
        "jobTitle": None,
        "mail": box.address,
        "mobilePhone": None,
        "officeLocation": None,
        "preferredLanguage": None,
        "surname": surname or None,
        "userPrincipalName": box.address,
        "mailNickname": box.address.partition("@")[0],
        "proxyAddresses": [f"SMTP:{box.address}", *(f"smtp:{alias}" for alias in box.aliases)],
        "otherMails": [],
    }


def _bcc(box: MicrosoftMailbox, entry: Entry) -> tuple[Person, ...]:
    """Give the Bcc recipients the owner sees: on what the owner wrote, never on what came in."""
    author = entry.mail.from_.address.casefold() if entry.mail.from_ else None
    own = author in {address.casefold() for address in box.own_addresses}
    return entry.mail.bcc if own or box.folder_of(entry).well_known in _WRITTEN else ()


def _recipient(person: Person) -> dict[str, object]:
    # Exchange shows the address for a name where there is none.
    return {"emailAddress": {"name": person.name or person.address, "address": person.address}}


def _importance(mail: Mail) -> str:
    written = {value.strip().lower() for name, value in mail.headers if name.lower() == "importance"}
    return "high" if mail.important or "high" in written else "low" if "low" in written else "normal"


def _instant(moment: dt.datetime) -> str:
    """Write an instant as mail properties are: whole seconds, Z."""
    return moment.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _digest(text: str, size: int) -> bytes:
    return hashlib.blake2s(text.encode(), digest_size=size).digest()
