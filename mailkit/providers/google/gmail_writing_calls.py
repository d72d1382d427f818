"""The requests of Gmail's REST interface that send mail, look for it and keep drafts. Pure: says what to send.

One function per method, each with its page below
https://developers.google.com/workspace/gmail/api/reference/rest and its cost in quota units. Those that bring a message
come without it: ``with_message`` and ``upload_start`` put it in.
"""

from __future__ import annotations

import base64

import attrs

from mailkit.mime.build import SEND_ID_HEADER
from mailkit.providers.google import limits
from mailkit.transport.call import Call
from mailkit.transport.url import segment

_ME = "/gmail/v1/users/me"
_ROW = ("fields", "id,threadId")
_DRAFT_ROW = ("fields", "id")

TRACE_HEADERS = ("Message-ID", SEND_ID_HEADER, "Subject", "To", "Cc")
"""What is asked of a sent mail to tell whether it is the one that is looked for."""


def messages_send() -> Call:
    """v1/users.messages/send."""
    return Call(
        operation="mail.send",
        method="POST",
        url=f"{_ME}/messages/send",
        query=(_ROW,),
        units=limits.MESSAGES_SEND_UNITS,
        repeat=False,
    )


def sent_list(*parameters: tuple[str, str], size: int) -> Call:
    """v1/users.messages/list: ids of sent mail, newest first."""
    return Call(
        operation="mail.reconcile",
        url=f"{_ME}/messages",
        query=(
            ("labelIds", "SENT"),
            *parameters,
            ("maxResults", str(size)),
            ("fields", "messages(id,threadId)"),
        ),
        units=limits.MESSAGES_LIST_UNITS,
    )


def sent_message(message_id: str) -> Call:
    """v1/users.messages/get in the metadata format."""
    return Call(
        operation="mail.reconcile",
        url=f"{_ME}/messages/{segment(message_id)}",
        query=(
            ("format", "metadata"),
            *(("metadataHeaders", name) for name in TRACE_HEADERS),
            ("fields", "id,threadId,internalDate,payload/headers"),
        ),
        units=limits.MESSAGES_GET_UNITS,
    )


def drafts_list(size: int, page_token: str) -> Call:
    """v1/users.drafts/list: ids only, newest first."""
    token = (("pageToken", page_token),) if page_token else ()
    return Call(
        operation="mail.drafts.list",
        url=f"{_ME}/drafts",
        query=(("maxResults", str(size)), *token, ("fields", "drafts/id,nextPageToken")),
        units=limits.DRAFTS_LIST_UNITS,
    )


def draft_get(operation: str, draft_id: str, *, raw: bool = False) -> Call:
    """v1/users.drafts/get: the draft with its message, parsed or as it would travel."""
    return Call(
        operation=operation,
        url=f"{_ME}/drafts/{segment(draft_id)}",
        query=(("format", "raw"), ("fields", "message/raw")) if raw else (("format", "full"),),
        units=limits.DRAFTS_GET_UNITS,
    )


def drafts_create() -> Call:
    """v1/users.drafts/create."""
    return Call(
        operation="mail.drafts.create",
        method="POST",
        url=f"{_ME}/drafts",
        query=(_DRAFT_ROW,),
        units=limits.DRAFTS_CREATE_UNITS,
        repeat=False,
    )


def draft_update(draft_id: str) -> Call:
    """v1/users.drafts/update: replaces the message; doing it twice leaves what doing it once does."""
    return Call(
        operation="mail.drafts.update",
        method="PUT",
        url=f"{_ME}/drafts/{segment(draft_id)}",
        query=(_DRAFT_ROW,),
        units=limits.DRAFTS_UPDATE_UNITS,
    )


def draft_delete(draft_id: str) -> Call:
    """v1/users.drafts/delete: for ever, not to the trash; the answer has no body."""
    return Call(
        operation="mail.drafts.delete",
        method="DELETE",
        url=f"{_ME}/drafts/{segment(draft_id)}",
        expects="bytes",
        units=limits.DRAFTS_DELETE_UNITS,
    )


def draft_send(draft_id: str) -> Call:
    """v1/users.drafts/send: as it is, which deletes the draft."""
    return Call(
        operation="mail.drafts.send",
        method="POST",
        url=f"{_ME}/drafts/send",
        query=(_ROW,),
        json={"id": draft_id},
        units=limits.DRAFTS_SEND_UNITS,
        repeat=False,
    )


def with_message(call: Call, raw: bytes, thread_id: str) -> Call:
    """Put a message into the JSON of a call."""
    return attrs.evolve(call, json=_body(call, {"raw": base64.urlsafe_b64encode(raw).decode(), **_thread(thread_id)}))


def upload_start(call: Call, size: int, thread_id: str) -> Call:
    """Begin an upload for a call; nothing comes of it before the last piece, so it may be repeated.

    https://developers.google.com/workspace/gmail/api/guides/uploads#resumable
    """
    return attrs.evolve(
        call,
        url=f"/upload{call.url}",
        query=(("uploadType", "resumable"), *call.query),
        headers=(("X-Upload-Content-Type", "message/rfc822"), ("X-Upload-Content-Length", str(size))),
        json=_body(call, _thread(thread_id)),
        expects="bytes",
        repeat=True,
    )


def _body(call: Call, message: dict[str, str]) -> dict[str, object]:
    """v1/users.messages/send takes the message itself, the methods of v1/users.drafts take one that holds it."""
    return {**message} if call.operation == "mail.send" else {"message": message}


def _thread(thread_id: str) -> dict[str, str]:
    return {"threadId": thread_id} if thread_id else {}
