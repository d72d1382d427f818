"""The requests of Gmail's REST interface that put mail in order. Pure: says what to send, sends nothing.

One function per method, each with its page below
https://developers.google.com/workspace/gmail/api/reference/rest and its cost in quota units. All of them may be sent
again: putting on a label that is on changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from mailkit.providers.google import limits
from mailkit.transport.call import Call
from mailkit.transport.url import segment

_ME = "/gmail/v1/users/me"
_STATE = ("fields", "id,labelIds")


@attrs.frozen
class Labels:
    """Ids of labels to put on and to take off."""

    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()

    def body(self) -> dict[str, object]:
        """Give them as a request names them."""
        named = {"addLabelIds": list(self.add), "removeLabelIds": list(self.remove)}
        return {name: ids for name, ids in named.items() if ids}


def batch_modify(operation: str, ids: Sequence[str], labels: Labels) -> Call:
    """v1/users.messages/batchModify: answers nothing, also of messages that are not there."""
    return Call(
        operation=operation,
        method="POST",
        url=f"{_ME}/messages/batchModify",
        json={"ids": [*ids], **labels.body()},
        expects="bytes",
        units=limits.MESSAGES_BATCH_MODIFY_UNITS,
    )


def message_modify(operation: str, message_id: str, labels: Labels) -> Call:
    """v1/users.messages/modify: answers with the message as it is then."""
    return Call(
        operation=operation,
        method="POST",
        url=f"{_ME}/messages/{segment(message_id)}/modify",
        query=(_STATE,),
        json=labels.body(),
        units=limits.MESSAGES_MODIFY_UNITS,
    )


def message_state(operation: str, message_id: str) -> Call:
    """v1/users.messages/get in the minimal format: the labels alone."""
    return Call(
        operation=operation,
        url=f"{_ME}/messages/{segment(message_id)}",
        query=(("format", "minimal"), _STATE),
        units=limits.MESSAGES_GET_UNITS,
    )


def thread_state(operation: str, thread_id: str) -> Call:
    """v1/users.threads/get in the minimal format: each message's labels alone."""
    return Call(
        operation=operation,
        url=f"{_ME}/threads/{segment(thread_id)}",
        query=(("format", "minimal"), ("fields", "messages(id,labelIds)")),
        units=limits.THREADS_GET_UNITS,
    )


def label_create(operation: str, name: str) -> Call:
    """v1/users.labels/create: shown, as one made by hand is."""
    return Call(
        operation=operation,
        method="POST",
        url=f"{_ME}/labels",
        query=(("fields", "id"),),
        json={"name": name, "labelListVisibility": "labelShow", "messageListVisibility": "show"},
        units=limits.LABELS_WRITE_UNITS,
        repeat=False,
    )


def label_rename(operation: str, label_id: str, name: str) -> Call:
    """v1/users.labels/patch."""
    return Call(
        operation=operation,
        method="PATCH",
        url=f"{_ME}/labels/{segment(label_id)}",
        query=(("fields", "id"),),
        json={"name": name},
        units=limits.LABELS_WRITE_UNITS,
    )


def label_delete(operation: str, label_id: str) -> Call:
    """v1/users.labels/delete: takes it off all messages, which stay where they are."""
    return Call(
        operation=operation,
        method="DELETE",
        url=f"{_ME}/labels/{segment(label_id)}",
        expects="bytes",
        units=limits.LABELS_WRITE_UNITS,
        repeat=False,
    )
