"""The properties Graph v1.0 knows on messages, folders, attachments and categories, and what each can be used for.

Responsible for names and kinds alone (learn.microsoft.com/graph/api/resources/message and its neighbours). Never looks
at a mailbox.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import attrs

__all__ = ["ATTACHMENT", "CATEGORY", "FOLDER", "MESSAGE", "USER", "Entity", "Kind"]

Kind = Literal["string", "boolean", "datetime", "moment", "number", "enum"]


@attrs.frozen(kw_only=True)
class Entity:
    """One entity type.

    ``properties`` are all its structural properties; of these ``on_request`` come only when selected by name.
    ``navigation`` can be expanded, ``derived`` is the members of its derived types (``$select=microsoft.graph.x/y``).
    ``comparable`` maps each path that ``$filter`` and ``$orderby`` take to its kind; ``enums`` gives the members of the
    enumerated ones, ``collections`` the paths that ``any`` takes. A moment is a date and time written as text, in UTC
    where it has no offset.
    """

    name: str
    properties: frozenset[str]
    on_request: frozenset[str] = frozenset()
    navigation: frozenset[str] = frozenset()
    derived: Mapping[str, frozenset[str]] = attrs.field(factory=dict)
    comparable: Mapping[str, Kind] = attrs.field(factory=dict)
    enums: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    collections: frozenset[str] = frozenset()


_OUTLOOK_ITEM = ("id", "categories", "changeKey", "createdDateTime", "lastModifiedDateTime")

MESSAGE = Entity(
    name="microsoft.graph.message",
    properties=frozenset(
        (
            *_OUTLOOK_ITEM,
            "bccRecipients",
            "body",
            "bodyPreview",
            "ccRecipients",
            "conversationId",
            "conversationIndex",
            "flag",
            "from",
            "hasAttachments",
            "importance",
            "inferenceClassification",
            "internetMessageHeaders",
            "internetMessageId",
            "isDeliveryReceiptRequested",
            "isDraft",
            "isRead",
            "isReadReceiptRequested",
            "parentFolderId",
            "receivedDateTime",
            "replyTo",
            "sender",
            "sentDateTime",
            "subject",
            "toRecipients",
            "uniqueBody",
            "webLink",
        )
    ),
    # resources/message: "Returned only on applying a $select query option" stands at these two.
    on_request=frozenset(("internetMessageHeaders", "uniqueBody")),
    navigation=frozenset(("attachments", "singleValueExtendedProperties")),
    comparable={
        "subject": "string",
        "bodyPreview": "string",
        "body/content": "string",
        "isRead": "boolean",
        "isDraft": "boolean",
        "hasAttachments": "boolean",
        "receivedDateTime": "datetime",
        "sentDateTime": "datetime",
        "createdDateTime": "datetime",
        "lastModifiedDateTime": "datetime",
        "importance": "enum",
        "inferenceClassification": "enum",
        "flag/flagStatus": "enum",
        "from/emailAddress/address": "string",
        "from/emailAddress/name": "string",
        "sender/emailAddress/address": "string",
        "sender/emailAddress/name": "string",
        "parentFolderId": "string",
        "internetMessageId": "string",
        "conversationId": "string",
    },
    enums={
        "importance": ("low", "normal", "high"),
        "inferenceClassification": ("focused", "other"),
        "flag/flagStatus": ("notFlagged", "complete", "flagged"),
    },
    collections=frozenset(("categories", "singleValueExtendedProperties")),
)

FOLDER = Entity(
    name="microsoft.graph.mailFolder",
    # wellKnownName exists in beta alone, so selecting it fails the whole request.
    properties=frozenset(
        ("id", "displayName", "parentFolderId", "childFolderCount", "unreadItemCount", "totalItemCount", "isHidden")
    ),
    navigation=frozenset(("childFolders",)),
    comparable={
        "displayName": "string",
        "parentFolderId": "string",
        "childFolderCount": "number",
        "unreadItemCount": "number",
        "totalItemCount": "number",
    },
)

ATTACHMENT = Entity(
    name="microsoft.graph.attachment",
    properties=frozenset(("id", "contentType", "isInline", "lastModifiedDateTime", "name", "size")),
    derived={
        "microsoft.graph.fileAttachment": frozenset(("contentBytes", "contentId", "contentLocation")),
        "microsoft.graph.itemAttachment": frozenset(),
        "microsoft.graph.referenceAttachment": frozenset(),
    },
)

CATEGORY = Entity(name="microsoft.graph.outlookCategory", properties=frozenset(("id", "displayName", "color")))

USER = Entity(
    name="microsoft.graph.user",
    properties=frozenset(
        (
            "id",
            "businessPhones",
            "displayName",
            "givenName",
            "jobTitle",
            "mail",
            "mobilePhone",
            "officeLocation",
            "preferredLanguage",
            "surname",
            "userPrincipalName",
            "mailNickname",
            "proxyAddresses",
            "otherMails",
        )
    ),
    on_request=frozenset(("mailNickname", "proxyAddresses", "otherMails")),
)
