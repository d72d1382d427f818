"""Files onto a draft: small ones in a request each, large ones through an upload session, in the order they are given.

Responsible for which way a file takes and for its bytes on the way; no file lies in memory as a whole unless it fits
into one request. Never asks what hangs on the draft already.
https://learn.microsoft.com/graph/outlook-large-attachments
"""

from __future__ import annotations

import binascii
import json
from collections.abc import Iterator, Mapping

from mailkit.mime.build import FilePart, Payload
from mailkit.providers.microsoft.letter_wire import MOST_JSON, file_to_wire
from mailkit.providers.microsoft.requests import prefer
from mailkit.providers.wire import as_object, get_needed_text
from mailkit.providers.writing import Letter, Progress
from mailkit.transport.call import Call
from mailkit.transport.session import Session
from mailkit.transport.upload import Upload

# Up to 3 MB in one request, above that in a session; one is refused to files below 2 MiB (microsoft-graph-docs#9589).
_MOST_AT_ONCE = 3_000_000
# "up to 4 MB" here; OneDrive, which serves some of these sessions, wants multiples of 320 KiB (driveitem-
# createuploadsession).
_PIECE = 12 * 320 * 1024
_FILE = "#microsoft.graph.fileAttachment"


async def add_files(
    session: Session, draft_url: str, letter: Letter, *, operation: str, progress: Progress | None
) -> None:
    """Put the letter's files on a draft."""
    total = sum(file.payload.size for file in letter.files)
    done = 0
    for file in letter.files:
        wire, told = file_to_wire(letter, file), _after(progress, done, total)
        url = f"{draft_url}/attachments"
        await _add(session, url, wire, file.payload, operation=operation, progress=told)
        done += file.payload.size


def with_content(letter: Letter, file: FilePart) -> dict[str, object]:
    """Write a file with its bytes."""
    content = b"".join(_base64(file.payload)).decode("ascii")
    return {"@odata.type": _FILE, **file_to_wire(letter, file), "contentBytes": content}


def _after(progress: Progress | None, before: int, total: int) -> Progress | None:
    return None if progress is None else lambda done, _: progress(before + done, total)


async def _add(
    session: Session,
    url: str,
    wire: Mapping[str, object],
    payload: Payload,
    *,
    operation: str,
    progress: Progress | None,
) -> None:
    content = _json_of(wire, payload) if payload.size <= _MOST_AT_ONCE else b""
    if content and len(content) <= MOST_JSON:
        # https://learn.microsoft.com/graph/api/message-post-attachments
        headers = (("Content-Type", "application/json"), *prefer())
        await session.request(
            Call(operation=operation, method="POST", url=url, content=content, headers=headers, repeat=False)
        )
        if progress is not None:
            progress(payload.size, None)
        return
    # https://learn.microsoft.com/graph/api/attachment-createuploadsession
    item = {"attachmentType": "file", "size": payload.size, **wire}
    start = Call(
        operation=operation,
        method="POST",
        url=f"{url}/createUploadSession",
        json={"attachmentItem": item},
        headers=prefer(),
    )
    opened = as_object((await session.request(start)).json(), "$")
    await session.upload(
        Upload(
            operation=operation,
            style="microsoft",
            url=get_needed_text(opened, "uploadUrl", "$"),
            total=payload.size,
            pieces=payload.pieces,
            size=_PIECE,
            progress=progress,
        )
    )


def _json_of(wire: Mapping[str, object], payload: Payload) -> bytes:
    """Write a file with its bytes as JSON, put together here: as one text it would lie in memory four times."""
    head = json.dumps({"@odata.type": _FILE, **wire}, separators=(",", ":"))[:-1]
    return b"".join([head.encode(), b',"contentBytes":"', *_base64(payload), b'"}'])


def _base64(payload: Payload) -> Iterator[bytes]:
    waiting = b""
    for piece in payload.pieces():
        waiting += piece
        whole = len(waiting) - len(waiting) % 3
        yield binascii.b2a_base64(waiting[:whole], newline=False)
        waiting = waiting[whole:]
    yield binascii.b2a_base64(waiting, newline=False)
