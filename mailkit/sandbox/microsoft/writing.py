"""Answers requests that make, change, move and delete messages.

Responsible for learn.microsoft.com/graph/api/user-post-messages, message-update, message-delete, message-move,
message-copy and message-permanentdelete. Never judges permissions: see ``service``.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from mailkit.sandbox import eml
from mailkit.sandbox.mailbox import Entry
from mailkit.sandbox.microsoft import drafting, rendering
from mailkit.sandbox.microsoft.answers import Asked, entity
from mailkit.sandbox.microsoft.directory import find_folder
from mailkit.sandbox.microsoft.folders import Folder
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.messages import find_message
from mailkit.sandbox.microsoft.refusals import Refusal, bad_body
from mailkit.sandbox.microsoft.schema import MESSAGE
from mailkit.sandbox.microsoft.selection import Selection
from mailkit.sandbox.wire import SandboxResponse

__all__ = ["copy_message", "create_draft", "delete_message", "destination", "move_message", "shown", "update_message"]


def create_draft(box: MicrosoftMailbox, asked: Asked, folder: Folder) -> SandboxResponse:
    """Make a draft in ``folder``, from JSON or from MIME."""
    path = box.folders.path(folder)
    if asked.mime:
        raw = drafting.mime_of(asked.request.content)
        mail = attrs.evolve(eml.read(raw), folder=path, read=True, received=asked.request.now)
        entry = box.file(mail, raw=raw, draft=True)
    else:
        body = asked.body()
        entry = box.file(attrs.evolve(drafting.started(body), folder=path), draft=True)
        _classify(box, entry, body)
    return shown(box, asked, entry, 201)


def update_message(box: MicrosoftMailbox, asked: Asked, key: str) -> SandboxResponse:
    """Change a message; of one that is no draft only what does not stand in it.

    With ``If-Match``, only while it is as that etag says.
    """
    entry = find_message(box, key)
    expected = asked.request.headers.get("if-match", "*")
    if expected not in ("*", rendering.etag(entry)):
        raise Refusal(412, "ErrorIrresolvableConflict", "The change key does not match the item's current one.")
    body = asked.body()
    mail = drafting.edited(entry.mail, body, draft=entry.id in box.drafts)
    entry = box.rewrite(entry, mail)
    _classify(box, entry, body)
    return shown(box, asked, entry)


def delete_message(box: MicrosoftMailbox, key: str) -> SandboxResponse:
    """Delete a message.

    The documentation does not say how; it goes to the Recoverable Items, as programs that use it report
    (msgraph-sdk-powershell#3265), and is not shown any more. Deleted Items are a folder to move to.
    """
    box.remove(find_message(box, key).id)
    return SandboxResponse(status=204)


def move_message(box: MicrosoftMailbox, asked: Asked, key: str) -> SandboxResponse:
    """Move a message; the id that is not immutable changes (learn.microsoft.com/graph/outlook-immutable-id)."""
    entry = find_message(box, key)
    path = box.folders.path(destination(box, asked))
    return shown(box, asked, box.rewrite(entry, attrs.evolve(entry.mail, folder=path)), 201)


def copy_message(box: MicrosoftMailbox, asked: Asked, key: str) -> SandboxResponse:
    """Copy a message; the copy belongs to the same conversation."""
    entry = find_message(box, key)
    mail = attrs.evolve(entry.mail, folder=box.folders.path(destination(box, asked)), id=None)
    made = box.file(mail, raw=entry.given, thread_id=entry.thread_id, draft=entry.id in box.drafts)
    if entry.id in box.outgoing:
        box.outgoing.add(made.id)
    return shown(box, asked, made, 201)


def destination(box: MicrosoftMailbox, asked: Asked) -> Folder:
    """Give the folder that ``destinationId`` names.

    Raises:
        Refusal: there is none.
    """
    key = asked.parameters("destinationId").get("destinationId")
    if not isinstance(key, str) or not key:
        raise bad_body("destinationId")
    return find_folder(box, key)


def shown(box: MicrosoftMailbox, asked: Asked, entry: Entry, status: int = 200) -> SandboxResponse:
    """Answer with a message, whole."""
    item = rendering.message(box, entry, Selection(entity=MESSAGE), asked.preferences)
    return entity(asked, box.address, "/messages", item, status)


def _classify(box: MicrosoftMailbox, entry: Entry, body: Mapping[str, object]) -> None:
    if "inferenceClassification" in body:
        other = str(body["inferenceClassification"]).lower() == "other"
        (box.unfocused.add if other else box.unfocused.discard)(entry.id)
