"""Gmail's batch form: many requests in one multipart body, answered part by part.

Source: developers.google.com/workspace/gmail/api/guides/batch. It takes the body apart and puts the answers together;
answering a part is its caller's.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from email import message_from_bytes
from email.message import Message
from http import HTTPStatus
from urllib.parse import urlsplit

from mailkit.sandbox.google.refusals import Refusal
from mailkit.sandbox.wire import SandboxRequest, SandboxResponse

# The most calls in a single batch request, as guides/batch says.
MOST = 100

_REQUEST_LINE = re.compile(rb"([A-Z]+) (\S+)(?: HTTP/[\d.]+)?\r?\n?")


def answer(request: SandboxRequest, each: Callable[[SandboxRequest], SandboxResponse]) -> SandboxResponse:
    """Answer a batch; parts are worked in order, the slowest decides how long it takes.

    Raises:
        Refusal: it is no batch, or too long a one.
    """
    parts = _parts(request)
    if not parts:
        raise Refusal(
            400, "badRequest", "Failed to parse batch request, error: 0 items. Received batch body: (0) bytes"
        )
    if len(parts) > MOST:
        raise Refusal(400, "badRequest", f"The batch request contains {len(parts)} calls; the limit is {MOST}.")
    boundary = f"batch_{hashlib.blake2s(request.content, digest_size=12).hexdigest()}"
    lines: list[bytes] = []
    answers = [(content_id, each(_request(request, part))) for content_id, part in parts]
    for content_id, one in answers:
        lines += [f"--{boundary}".encode(), b"Content-Type: application/http"]
        if content_id:
            inner = content_id.removeprefix("<")
            lines.append(f"Content-ID: {'<' if inner != content_id else ''}response-{inner}".encode())
        lines += [b"", f"HTTP/1.1 {one.status} {_phrase(one.status)}".encode()]
        lines += [f"{name.title()}: {value}".encode() for name, value in one.headers]
        lines += [f"Content-Length: {len(one.content)}".encode(), b"", one.content]
    lines += [f"--{boundary}--".encode(), b""]
    return SandboxResponse(
        headers=(("content-type", f"multipart/mixed; boundary={boundary}"),),
        content=b"\r\n".join(lines),
        delay=max(one.delay for _, one in answers),
        broken=next((one.broken for _, one in answers if one.broken), None),
    )


def _phrase(status: int) -> str:
    return next((known.phrase for known in HTTPStatus if known == status), "Unknown")


def _parts(request: SandboxRequest) -> list[tuple[str | None, bytes]]:
    """Give each part's Content-ID and what it wraps."""
    head = f"Content-Type: {request.headers.get('content-type', '')}\r\n\r\n".encode()
    message = message_from_bytes(head + request.content)
    payload = message.get_payload()
    if message.get_content_type() != "multipart/mixed" or not isinstance(payload, list):
        return []
    parts: list[tuple[str | None, bytes]] = []
    for part in payload:
        if isinstance(part, Message):
            wrapped = str(part.get_payload()).encode("utf-8", "surrogateescape")
            parts.append((part.get("Content-ID"), wrapped.lstrip(b"\r\n")))
    return parts


def _request(batch: SandboxRequest, wrapped: bytes) -> SandboxRequest:
    line, _, rest = wrapped.partition(b"\n")
    found = _REQUEST_LINE.fullmatch(line.strip())
    if found is None:
        raise Refusal(400, "badRequest", "Failed to parse batch request, error: a part has no request line.")
    inner = message_from_bytes(rest)  # headers, an empty line, a body: what a message is made of, too
    # The headers of the batch hold for every part, unless it has its own. (guides/batch)
    outer = {name: value for name, value in batch.headers.items() if not name.startswith("content-")}
    target = urlsplit(found[2].decode("latin-1"))
    query = f"?{target.query}" if target.query else ""
    return SandboxRequest(
        method=found[1].decode(),
        url=f"{batch.origin}/{target.path.lstrip('/')}{query}",
        headers={**outer, **{name.lower(): str(value) for name, value in inner.items()}},
        content=str(inner.get_payload()).encode("utf-8", "surrogateescape").strip(),
        now=batch.now,
        in_flight=batch.in_flight,
        part=True,
    )
