"""Answers requests that put files on messages and take them off.

Responsible for learn.microsoft.com/graph/api/message-post-attachments, attachment-delete and
attachment-createuploadsession, and for the sessions themselves (learn.microsoft.com/graph/outlook-large-attachments).
"""

from __future__ import annotations

import datetime as dt
import re
from urllib.parse import quote

import attrs

from mailkit.sandbox.microsoft import drafting, rendering
from mailkit.sandbox.microsoft.answers import Asked, entity
from mailkit.sandbox.microsoft.ids import guid, opaque
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.messages import find_attachment, find_message
from mailkit.sandbox.microsoft.refusals import Refusal, bad_body, not_found
from mailkit.sandbox.microsoft.routes import SESSIONS, VERSION
from mailkit.sandbox.microsoft.sessions import UploadSession
from mailkit.sandbox.wire import SandboxRequest, SandboxResponse, json_response

__all__ = ["answer_session", "attach", "create_session", "detach"]

_HOST = "https://outlook.office.com"
_LEAST = 2 * 1024 * 1024  # ErrorAttachmentSizeShouldNotBeLessThanMinimumSize below (microsoft-graph-docs#9589)
_MOST = 150 * 1024 * 1024  # outlook-large-attachments
_CHUNK = 4 * 1024 * 1024  # outlook-large-attachments: "up to 4 MB"
_LIFE = dt.timedelta(hours=1)
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)")


def attach(box: MicrosoftMailbox, asked: Asked, key: str) -> SandboxResponse:
    """Put a file, an item or a link on a message."""
    entry = box.attach(find_message(box, key), drafting.file_of(asked.body()))
    return entity(asked, box.address, f"/messages('{key}')/attachments", rendering.attachments(box, entry)[-1], 201)


def detach(box: MicrosoftMailbox, key: str, attachment_key: str) -> SandboxResponse:
    """Take one off."""
    entry = find_message(box, key)
    box.detach(entry, find_attachment(box, entry, attachment_key))
    return SandboxResponse(status=204)


def create_session(box: MicrosoftMailbox, asked: Asked, key: str) -> SandboxResponse:
    """Open a session for one large file; its URL lies on another host and opens itself."""
    entry = find_message(box, key)
    item = asked.parameters("attachmentItem").get("attachmentItem")
    if not isinstance(item, dict) or not isinstance(item.get("name"), str) or item.get("attachmentType") != "file":
        raise bad_body("attachmentItem")
    size = item.get("size")
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        raise bad_body("size")
    if size < _LEAST:
        sentence = "The attachment is too small for an upload session."
        raise Refusal(400, "ErrorAttachmentSizeShouldNotBeLessThanMinimumSize", sentence)
    if size > _MOST:
        raise Refusal(413, "ErrorAttachmentSizeLimitExceeded", "The attachment exceeds the maximum supported size.")
    number = str(len(box.uploads))
    session = UploadSession(
        key=opaque("AAMkAD", box.address, entry.id, number),
        authtoken=opaque("eyJ", box.token, entry.id, number).rstrip("="),
        entry=entry.id,
        file=drafting.file_of({"@odata.type": "fileAttachment", "contentBytes": "", **item}),
        size=size,
        expires=asked.request.now + _LIFE,
    )
    box.uploads[session.key] = session
    # A sandbox behind a socket of this machine has only that one address.
    host = _HOST if asked.request.origin.startswith("https:") else asked.request.origin
    answer = {
        "@odata.context": f"{asked.request.origin}{VERSION}/$metadata#microsoft.graph.uploadSession",
        "uploadUrl": f"{host}{_path(box, session)}/AttachmentSessions('{session.key}')?authtoken={session.authtoken}",
        "expirationDateTime": _expiry(session),
        "nextExpectedRanges": ["0-"],
    }
    return json_response(answer, 201)


def answer_session(box: MicrosoftMailbox, request: SandboxRequest, operation: str, key: str) -> SandboxResponse:
    """Take a part of the file, say what is still missing, or cancel.

    Raises:
        Refusal: the request carries a token, the session is over, or the part is not the next one.
    """
    session = box.uploads.get(key)
    if "authorization" in request.headers or session is None or dict(request.query)["authtoken"] != session.authtoken:
        # outlook-large-attachments: "Do not specify an Authorization request header"
        raise Refusal(401, "InvalidAuthenticationToken", "The upload URL authorizes by itself; send no token.")
    entry = box.get(session.entry)
    if session.over or request.now >= session.expires or entry is None:
        raise not_found()
    if operation == "uploads.delete":
        session.over = True
        return SandboxResponse(status=204)
    if operation == "uploads.put":
        _take(session, request)
    if len(session.received) < session.size:
        return json_response(
            {
                "@odata.context": f"{request.origin}{SESSIONS}/$metadata#AttachmentSessions/$entity",
                "ExpirationDateTime": _expiry(session),
                "nextExpectedRanges": [str(len(session.received))],
            }
        )
    session.over = True
    entry = box.attach(entry, attrs.evolve(session.file, content=bytes(session.received)))
    made = rendering.attachment_ids(box, entry)[-1]
    location = f"{request.origin}{_path(box, session)}/Attachments('{made}')"
    return SandboxResponse(status=201, headers=(("location", location),))


def _take(session: UploadSession, request: SandboxRequest) -> None:
    found = _RANGE.fullmatch(request.headers.get("content-range", ""))
    if found is None:
        raise Refusal(400, "ErrorInvalidRequest", "The Content-Range header is missing or cannot be read.")
    first, last, size = map(int, found.groups())
    if len(request.content) > _CHUNK:
        raise Refusal(413, "ErrorRequestSizeExceeded", "A range may hold 4 MB at most.")
    fits = (first, size) == (len(session.received), session.size) and last < size
    if not fits or last - first + 1 != len(request.content):
        raise Refusal(416, "ErrorInvalidRange", "The range is not the next one that is expected.")
    session.received += request.content


def _path(box: MicrosoftMailbox, session: UploadSession) -> str:
    user = quote(f"{box.user_id}@{guid(box.address.rpartition('@')[2])}", safe="@")
    return f"{SESSIONS}/Users('{user}')/Messages('{session.entry}')"


def _expiry(session: UploadSession) -> str:
    return session.expires.strftime("%Y-%m-%dT%H:%M:%S.0000000Z")
