"""Answers requests that send: new mail, drafts, answers and forwards; and those that begin an answer as a draft.

Responsible for learn.microsoft.com/graph/api/user-sendmail, message-send, message-reply, -replyall, -forward and their
``create`` forms. How mail leaves is ``submission``'s.
"""

from __future__ import annotations

from typing import Any

import attrs

from mailkit.sandbox import eml
from mailkit.sandbox.delivery import PostOffice
from mailkit.sandbox.mail import Mail
from mailkit.sandbox.mailbox import Entry
from mailkit.sandbox.microsoft import composing, drafting, rendering, submission
from mailkit.sandbox.microsoft.answers import Asked
from mailkit.sandbox.microsoft.composing import Kind
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.messages import find_message
from mailkit.sandbox.microsoft.refusals import Refusal, bad_body
from mailkit.sandbox.microsoft.writing import shown
from mailkit.sandbox.wire import SandboxResponse

__all__ = ["answer_message", "begin_answer", "send_mail", "send_message"]

_ACCEPTED = SandboxResponse(status=202)


def send_mail(box: MicrosoftMailbox, asked: Asked, post: PostOffice) -> SandboxResponse:
    """Send a message, from JSON or from MIME, and keep a copy unless the request says otherwise."""
    now = asked.request.now
    if asked.mime:
        raw = drafting.mime_of(asked.request.content)
        submission.send_new(box, eml.read(raw), post, now, raw=raw)
        return _ACCEPTED
    given = asked.parameters("message", "saveToSentItems")
    keep = given.get("saveToSentItems")
    if not isinstance(keep, bool | None):
        raise bad_body("saveToSentItems")
    submission.send_new(box, drafting.started(_message(given, needed=True)), post, now, keep=keep is not False)
    return _ACCEPTED


def send_message(box: MicrosoftMailbox, asked: Asked, key: str, post: PostOffice) -> SandboxResponse:
    """Send a draft."""
    entry = find_message(box, key)
    if entry.id not in box.drafts:
        raise Refusal(400, "ErrorInvalidItemForOperationSendItem", "The item is not one that can be sent.")
    submission.send_draft(box, entry, post, asked.request.now)
    return _ACCEPTED


def answer_message(box: MicrosoftMailbox, asked: Asked, key: str, kind: Kind, post: PostOffice) -> SandboxResponse:
    """Answer or forward a message at once."""
    parent = find_message(box, key)
    mail, raw = _begun(box, asked, parent, kind)
    submission.send_new(box, mail, post, asked.request.now, raw=raw, thread_id=parent.thread_id)
    return _ACCEPTED


def begin_answer(box: MicrosoftMailbox, asked: Asked, key: str, kind: Kind) -> SandboxResponse:
    """Make the draft of an answer or a forward, in the same conversation."""
    parent = find_message(box, key)
    mail, raw = _begun(box, asked, parent, kind)
    return shown(box, asked, box.file(mail, raw=raw, thread_id=parent.thread_id, draft=True), 201)


def _begun(box: MicrosoftMailbox, asked: Asked, parent: Entry, kind: Kind) -> tuple[Mail, bytes | None]:
    """Give the answer that was asked for, and its bytes where they came as bytes."""
    if asked.mime:
        raw = drafting.mime_of(asked.request.content)
        return attrs.evolve(eml.read(raw), folder="drafts", read=True, received=asked.request.now), raw
    forward = kind == "forward"
    given = asked.parameters("message", "comment", *(("toRecipients",) if forward else ()))
    comment, message = given.get("comment") or "", _message(given)
    if not isinstance(comment, str):
        raise bad_body("comment")
    if comment and message.get("body"):
        # message-createreply: "Specifying both will return an HTTP 400 Bad Request error"; of the other two likewise.
        raise Refusal(400, "ErrorInvalidRequest", "Give a comment or the body of the message, not both.")
    if given.get("toRecipients") and message.get("toRecipients"):
        raise Refusal(400, "ErrorInvalidRequest", "Give toRecipients or those of the message, not both.")
    mail = composing.begun(
        kind, parent.mail, message_id=rendering.message_id(parent), own=box.own_addresses, comment=comment
    )
    if given.get("toRecipients"):
        mail = attrs.evolve(mail, to=drafting.people(given["toRecipients"], "toRecipients"))
    return drafting.started(message, mail), None


def _message(given: dict[str, Any], *, needed: bool = False) -> dict[str, Any]:
    message = given.get("message")
    if message is None and not needed:
        return {}
    if not isinstance(message, dict):
        raise bad_body("message")
    return message
