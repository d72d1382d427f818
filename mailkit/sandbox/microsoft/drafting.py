"""Reads the message JSON of requests into mail: what may be written, when, and in which form.

Responsible for learn.microsoft.com/graph/api/user-post-messages and message-update. Touches no mailbox.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar

import attrs

from mailkit.sandbox import eml
from mailkit.sandbox.mail import File, Mail, Person
from mailkit.sandbox.microsoft import bodies
from mailkit.sandbox.microsoft.matching import property_id
from mailkit.sandbox.microsoft.refusals import Refusal, bad_body, not_writable
from mailkit.sandbox.microsoft.schema import MESSAGE

__all__ = ["DELIVERY_RECEIPT", "READ_RECEIPT", "edited", "file_of", "mime_of", "people", "started"]

MadeT = TypeVar("MadeT")

READ_RECEIPT = "Disposition-Notification-To"
DELIVERY_RECEIPT = "Return-Receipt-To"
# resources/message has them all; these two are relationships nothing here reads.
_PASSED_OVER = frozenset(("extensions", "multiValueExtendedProperties"))
# message-update: "Updatable only if isDraft = true".
_DRAFTS_ONLY = frozenset(
    (
        "bccRecipients",
        "body",
        "ccRecipients",
        "from",
        "internetMessageId",
        "isDeliveryReceiptRequested",
        "isReadReceiptRequested",
        "replyTo",
        "sender",
        "subject",
        "toRecipients",
    )
)
_ALWAYS = frozenset(
    ("categories", "flag", "importance", "inferenceClassification", "isRead", "singleValueExtendedProperties")
)
_MOST_HEADERS = 5


def started(body: Mapping[str, Any], mail: Mail | None = None) -> Mail:
    """Give the draft that a request describes, upon ``mail`` where an answer or a forward is begun.

    What can only be read is passed over, as Graph does on creation.

    Raises:
        Refusal: a property is not known, or not in a form Graph takes.
    """
    mail = mail or Mail(folder="drafts", read=True)
    writable = {name: value for name, value in _known(body).items() if name in (*_ALWAYS, *_DRAFTS_ONLY)}
    if "sender" in writable:  # who really sends, which Exchange puts right; a draft with it alone is from there
        writable.setdefault("from", writable.pop("sender"))
    mail = _written(mail, writable)
    if "internetMessageHeaders" in body:
        mail = _made(attrs.evolve, mail, headers=(*mail.headers, *_own_headers(body["internetMessageHeaders"])))
    if body.get("attachments"):
        mail = attrs.evolve(mail, files=(*mail.files, *map(file_of, _list(body["attachments"], "attachments"))))
    return mail


def edited(mail: Mail, body: Mapping[str, Any], *, draft: bool) -> Mail:
    """Give ``mail`` with the changes of a PATCH.

    Raises:
        Refusal: a property is not known, may not be changed (any more), or is not in a form Graph takes.
    """
    changes = _known(body)
    for name in changes:
        if name not in _ALWAYS and not (draft and name in _DRAFTS_ONLY):
            raise not_writable(name)
    return _written(mail, {name: value for name, value in changes.items() if name != "sender"})


def mime_of(content: bytes) -> bytes:
    """Decode a MIME body (learn.microsoft.com/graph/outlook-send-mime-message: base64, text/plain).

    Raises:
        Refusal: it is no base64.
    """
    try:
        return base64.b64decode(b"".join(content.split()), validate=True)
    except binascii.Error:
        raise Refusal(400, "ErrorMimeContentInvalidBase64String", "Invalid base64 string for MIME content.") from None


def people(value: object, name: str) -> tuple[Person, ...]:
    """Read a list of recipients.

    Raises:
        Refusal: it is none.
    """
    return tuple(_person(each, name) for each in _list(value, name))


def file_of(data: object) -> File:
    """Read an attachment (message-post-attachments).

    Raises:
        Refusal: it is none that can be made.
    """
    if not isinstance(data, dict):
        raise bad_body("attachments")
    kind = str(data.get("@odata.type", "")).removeprefix("#").removeprefix("microsoft.graph.")
    name = data.get("name")
    if not isinstance(name, str):
        raise Refusal(400, "ErrorInvalidRequest", "The attachment has no name.")
    match kind:
        case "fileAttachment":
            content = data.get("contentBytes")
            if not isinstance(content, str):
                raise Refusal(400, "ErrorInvalidRequest", "The attachment has no content.")
            return _made(
                File,
                name=name,
                content=_bytes(content),
                content_type=data.get("contentType") or "application/octet-stream",
                inline=bool(data.get("isInline")),
                content_id=data.get("contentId") or None,
            )
        case "itemAttachment" if isinstance(item := data.get("item"), dict):
            return _made(File, name=name, content=eml.build(_item(item)), content_type="message/rfc822", kind="item")
        case "referenceAttachment":
            return _made(File, name=name, kind="link")
    raise Refusal(400, "RequestBodyRead", f"An attachment of type '{kind}' cannot be made.")


def _item(data: Mapping[str, Any]) -> Mail:
    """Read the item of an itemAttachment; of an event or a contact, what it shares with a message."""
    return started({name: value for name, value in data.items() if name in MESSAGE.properties})


def _known(body: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: value for name, value in body.items() if "@" not in name}
    for name in found:
        if name not in MESSAGE.properties | MESSAGE.navigation | _PASSED_OVER:
            raise Refusal(
                400,
                "RequestBodyRead",
                f"The property '{name}' does not exist on type '{MESSAGE.name}'. Make sure to only use property names "
                "that are defined by the type.",
            )
    return found


def _written(mail: Mail, changes: Mapping[str, Any]) -> Mail:
    for name, value in changes.items():
        if name in _READERS:
            mail = _made(attrs.evolve, mail, **_READERS[name](mail, value))
    return mail


def _made(make: Callable[..., MadeT], *args: object, **fields: object) -> MadeT:
    try:
        return make(*args, **fields)
    except ValueError as error:
        raise Refusal(400, "ErrorInvalidArgument", f"The request holds what no message can say: {error}.") from None


def _person(value: object, name: str) -> Person:
    address = value.get("emailAddress") if isinstance(value, dict) else None
    if not isinstance(address, dict):
        raise bad_body(name)
    shown, written = address.get("name") or "", address.get("address") or ""
    if not isinstance(shown, str) or not isinstance(written, str):
        raise bad_body(name)
    # Exchange shows the address for a name where there is none, and takes it back as that.
    return _made(Person, "" if shown == written else shown, written)


def _list(value: object, name: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise bad_body(name)
    return value


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise bad_body(name)
    return value


def _truth(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise bad_body(name)
    return value


def _choice(value: object, name: str, choices: Mapping[str, str]) -> str:
    """Read a member of an enumeration; case makes no difference (user-post-messages: ``Low``, ``HTML``)."""
    if not isinstance(value, str) or value.lower() not in choices:
        raise bad_body(name)
    return choices[value.lower()]


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        raise bad_body("contentBytes") from None


def _own_headers(value: object) -> list[tuple[str, str]]:
    headers = _list(value, "internetMessageHeaders")
    if not 1 <= len(headers) <= _MOST_HEADERS:  # msgraph-sdk-dotnet#2208: an empty list, too
        raise Refusal(
            400,
            "InvalidInternetMessageHeaderCollection",
            f"Maximum number of headers in one message should be less than or equal to {_MOST_HEADERS}.",
        )
    pairs = [(str(header.get("name")), str(header.get("value"))) for header in headers if isinstance(header, dict)]
    for name, text in pairs:
        if not name.lower().startswith("x-"):
            raise Refusal(
                400,
                "InvalidInternetMessageHeader",
                f"The internet message header name '{name}' should start with 'x-' or 'X-'.",
            )
        if re.search(r"[\r\n\0]", text) or not re.fullmatch(r"[!-9;-~]+", name):
            raise Refusal(400, "InvalidInternetMessageHeader", "The internet message header is not valid.")
    return pairs


def _body(_mail: Mail, value: Any) -> dict[str, object]:
    if value is None:
        return {"text": "", "html": None}
    if not isinstance(value, dict):
        raise bad_body("body")
    content = _text(value.get("content") or "", "body")
    kind = _choice(value.get("contentType") or "text", "body", {"text": "text", "html": "html"})
    return {"text": None, "html": bodies.framed(content)} if kind == "html" else {"text": content, "html": None}


def _flag(_mail: Mail, value: Any) -> dict[str, object]:
    choices = {"notflagged": "notFlagged", "flagged": "flagged", "complete": "complete"}
    status = value.get("flagStatus") if isinstance(value, dict) else None
    chosen = "notFlagged" if value is None else _choice(status, "flag", choices)
    return {"starred": chosen == "flagged", "flag_complete": chosen == "complete"}


def _importance(mail: Mail, value: Any) -> dict[str, object]:
    level = _choice(value or "normal", "importance", {"low": "low", "normal": "normal", "high": "high"})
    headers = tuple((name, text) for name, text in mail.headers if name.lower() != "importance")
    return {
        "important": level == "high",
        "headers": headers if level == "normal" else (*headers, ("Importance", level)),
    }


def _receipt(name: str, header: str) -> Callable[[Mail, Any], dict[str, object]]:
    def read(mail: Mail, value: Any) -> dict[str, object]:
        others = tuple((known, text) for known, text in mail.headers if known != header)
        return {"headers": (*others, (header, "")) if value is not None and _truth(value, name) else others}

    return read


def _properties(mail: Mail, value: Any) -> dict[str, object]:
    found = {property_id(name): (name, text) for name, text in mail.properties}
    for each in _list(value, "singleValueExtendedProperties"):
        if not isinstance(each, dict):
            raise bad_body("singleValueExtendedProperties")
        name = _text(each.get("id"), "singleValueExtendedProperties")
        # singlevaluelegacyextendedproperty: "{type} {guid} Name {name}", "... Id {id}" or "{type} {proptag}".
        if not re.fullmatch(r"(?i)[a-z]+ (?:0x[0-9a-f]+|\{[0-9a-f-]{36}\} (?:name .+|id 0x[0-9a-f]+))", name):
            raise Refusal(400, "ErrorInvalidProperty", "The property id is not valid.")
        found[property_id(name)] = (name, _text(each.get("value"), "singleValueExtendedProperties"))
    return {"properties": tuple(found.values())}


def _recipients(field: Literal["to", "cc", "bcc", "reply_to"], name: str) -> Callable[[Mail, Any], dict[str, object]]:
    return lambda _mail, value: {field: people(value, name)}


_READERS: Mapping[str, Callable[[Mail, Any], dict[str, object]]] = {
    "toRecipients": _recipients("to", "toRecipients"),
    "ccRecipients": _recipients("cc", "ccRecipients"),
    "bccRecipients": _recipients("bcc", "bccRecipients"),
    "replyTo": _recipients("reply_to", "replyTo"),
    "from": lambda _mail, value: {"from_": None if value is None else _person(value, "from")},
    "subject": lambda _mail, value: {"subject": "" if value is None else _text(value, "subject")},
    "body": _body,
    "internetMessageId": lambda mail, value: {"message_id": mail.message_id if value is None else _text(value, "id")},
    "isRead": lambda _mail, value: {"read": _truth(value, "isRead")},
    "categories": lambda _mail, value: {
        "labels": tuple(_text(name, "categories") for name in _list(value, "categories"))
    },
    "flag": _flag,
    "importance": _importance,
    "isReadReceiptRequested": _receipt("isReadReceiptRequested", READ_RECEIPT),
    "isDeliveryReceiptRequested": _receipt("isDeliveryReceiptRequested", DELIVERY_RECEIPT),
    "singleValueExtendedProperties": _properties,
}
