"""Uploads: a mail sent as a file, in one request or in chunks.

Sources: developers.google.com/workspace/gmail/api/guides/uploads and the mediaUpload of each method in the discovery
document. What the mail is for is the method's business, which gets the bytes once they are all there.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

import attrs

from mailkit.sandbox.google.call import Call, json_body
from mailkit.sandbox.google.mailbox import GoogleMailbox
from mailkit.sandbox.google.refusals import Refusal
from mailkit.sandbox.wire import SandboxRequest, SandboxResponse

__all__ = ["Uploads", "check_media", "related"]

# mediaUpload.maxSize of messages.send and drafts.*
_MOST = 36_700_160
# Every chunk but the last has a multiple of so many bytes.
_CHUNK = 256 * 1024
_RANGE = re.compile(r"bytes (?:(?P<first>\d+)-(?P<last>\d+)|\*)/(?P<total>\d+|\*)")
_BLANK = re.compile(rb"\r?\n\r?\n")


@attrs.define
class _Session:
    """One upload in chunks; ``answer`` is there once it is complete, and is given again whenever it is asked for."""

    call: Call
    total: int | None
    content: bytearray = attrs.field(factory=bytearray)
    answer: SandboxResponse | None = None


class Uploads:
    """The uploads in chunks that have begun."""

    def __init__(self) -> None:
        self._sessions: dict[str, _Session] = {}

    def begin(self, call: Call) -> SandboxResponse:
        """Open an upload and answer where its chunks go."""
        length = call.request.headers.get("x-upload-content-length", "")
        total = int(length) if length.isdecimal() else None
        check_media(call.request.headers.get("x-upload-content-type", "message/rfc822"), total or 0)
        word = f"{call.box.token} {len(self._sessions)}".encode()
        upload_id = f"AAAN{hashlib.blake2s(word).hexdigest()}"
        self._sessions[upload_id] = _Session(call, total)
        location = f"{call.request.url}&upload_id={upload_id}"
        return SandboxResponse(headers=(("location", location), ("x-guploader-uploadid", upload_id)))

    def called(self, request: SandboxRequest) -> Call | None:
        """Give the call whose chunks a request brings, or None."""
        session = self._sessions.get(_upload_id(request))
        return session.call if session else None

    def take(
        self, box: GoogleMailbox, request: SandboxRequest, finish: Callable[[Call], SandboxResponse]
    ) -> SandboxResponse:
        """Answer one request of an upload: a chunk, or the question how far it has come."""
        session = self._sessions.get(_upload_id(request))
        if session is None or session.call.box is not box:
            raise Refusal(404)
        if session.answer is not None:
            return session.answer
        if _is_whole(session, request):
            check_media("message/rfc822", len(session.content))
            session.answer = finish(attrs.evolve(session.call, media=bytes(session.content)))
            session.content.clear()
            return session.answer
        come = (("range", f"bytes=0-{len(session.content) - 1}"),) if session.content else ()
        return SandboxResponse(status=308, headers=come)


def _upload_id(request: SandboxRequest) -> str:
    return next((value for name, value in request.query if name == "upload_id"), "")


def _is_whole(session: _Session, request: SandboxRequest) -> bool:
    """Put a chunk to the others, and say whether it was the last."""
    text = request.headers.get("content-range")
    if text is None:
        session.content[:] = request.content
        return True
    found = _RANGE.fullmatch(text)
    if found is None:
        raise Refusal(400, "badRequest", "Failed to parse Content-Range header.")
    total = int(found["total"]) if found["total"] != "*" else session.total
    if session.total is not None and total != session.total:
        raise Refusal(400, "badRequest", "The total size is not the one the upload began with.")
    if found["first"] is not None:
        first, last = int(found["first"]), int(found["last"])
        if first != len(session.content) or last - first + 1 != len(request.content):
            raise Refusal(400, "badRequest", "The chunk does not begin where the last one ended.")
        if last + 1 != total and len(request.content) % _CHUNK:
            raise Refusal(400, "badRequest", "The number of bytes of a chunk must be a multiple of 262144.")
        session.content += request.content
    check_media("message/rfc822", len(session.content))
    return total is not None and len(session.content) >= total


def check_media(kind: str, size: int) -> None:
    """Refuse what is no message, or too long a one."""
    if not kind.lower().startswith("message/"):
        raise Refusal(400, "badContent", f"Media type '{kind}' is not supported. Valid media types: [message/rfc822]")
    if size > _MOST:
        raise Refusal(413, "uploadTooLarge", f"The message is larger than {_MOST} bytes.")


def related(call: Call) -> Call:
    """Take a multipart/related body apart: JSON first, then the file."""
    given = re.search(r'multipart/related.*boundary="?([^";]+)"?', call.request.headers.get("content-type", ""))
    if given is None:
        raise Refusal(400, "badContent", "A multipart upload must be multipart/related with a boundary.")
    mark = re.escape(given[1].encode())
    _, *parts, _ = re.split(rb"(?:\A|\r?\n)--" + mark + rb"(?:--)?[ \t]*(?:\r?\n|\Z)", call.request.content)
    if len(parts) != 2:
        raise Refusal(400, "badContent", "A multipart upload must have two parts: metadata and media.")
    (_, json), (head, media) = (_BLANK.split(part, 1) if _BLANK.search(part) else (b"", b"") for part in parts)
    kind = re.search(rb"(?im)^content-type:[ \t]*([^\s;]+)", head)
    check_media(kind[1].decode("latin-1") if kind else "", len(media))
    return attrs.evolve(call, body=json_body(json, call.method.body or ()), media=media)
