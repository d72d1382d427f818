"""The requests of Gmail's REST interface that reading mail needs. Pure: says what to send, sends nothing.

One function per method, each with its page below
https://developers.google.com/workspace/gmail/api/reference/rest and its cost in quota units.
"""

from __future__ import annotations

from mailkit.providers.google import limits
from mailkit.providers.google.gmail_wire import SUMMARY_FIELDS, SUMMARY_HEADERS
from mailkit.transport.call import Call
from mailkit.transport.url import segment

_ME = "/gmail/v1/users/me"  # "me" is whoever the token belongs to
_TRIMMED = (*(("metadataHeaders", name) for name in SUMMARY_HEADERS), ("fields", SUMMARY_FIELDS))


def messages_list(parameters: tuple[tuple[str, str], ...], page_token: str | None = None) -> Call:
    """v1/users.messages/list: ids only, newest first."""
    if page_token is not None:
        parameters = (*parameters, ("pageToken", page_token))
    return Call(
        operation="mail.search",
        url=f"{_ME}/messages",
        query=(*parameters, ("fields", "messages/id,nextPageToken")),
        units=limits.MESSAGES_LIST_UNITS,
    )


def message_summary(message_id: str, *, whole: bool) -> Call:
    """v1/users.messages/get in the metadata format; ``whole``: all fields and headers, for the raw JSON."""
    return _message("mail.search", message_id, "metadata", () if whole else _TRIMMED)


def message_full(operation: str, message_id: str, *, fields: str | None = None) -> Call:
    """v1/users.messages/get in the full format."""
    return _message(operation, message_id, "full", (("fields", fields),) if fields else ())


def message_raw(operation: str, message_id: str) -> Call:
    """v1/users.messages/get in the raw format: the message as it travelled."""
    return _message(operation, message_id, "raw", (("fields", "raw"),))


def _message(operation: str, message_id: str, form: str, query: tuple[tuple[str, str], ...]) -> Call:
    return Call(
        operation=operation,
        url=f"{_ME}/messages/{segment(message_id)}",
        query=(("format", form), *query),
        units=limits.MESSAGES_GET_UNITS,
    )


def thread(thread_id: str) -> Call:
    """v1/users.threads/get, whole messages."""
    return Call(
        operation="mail.thread",
        url=f"{_ME}/threads/{segment(thread_id)}",
        query=(("format", "full"),),
        units=limits.THREADS_GET_UNITS,
    )


def attachment(operation: str, message_id: str, attachment_id: str) -> Call:
    """v1/users.messages.attachments/get: the data alone; name and type stand in the message."""
    return Call(
        operation=operation,
        url=f"{_ME}/messages/{segment(message_id)}/attachments/{segment(attachment_id)}",
        query=(("fields", "data"),),
        units=limits.ATTACHMENTS_GET_UNITS,
    )


def labels_list(operation: str) -> Call:
    """v1/users.labels/list; counts would cost a request for every label."""
    return Call(
        operation=operation,
        url=f"{_ME}/labels",
        query=(("fields", "labels(id,name,type)"),),
        units=limits.LABELS_LIST_UNITS,
    )


def profile(operation: str) -> Call:
    """v1/users/getProfile: the account's own address."""
    return Call(
        operation=operation, url=f"{_ME}/profile", query=(("fields", "emailAddress"),), units=limits.PROFILE_UNITS
    )
