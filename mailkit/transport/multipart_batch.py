"""Several requests as one ``multipart/mixed`` body, and the answers out of one: Google's batch form.

Pure: bytes in, bytes out. Judges no part and repeats none. The format:
developers.google.com/workspace/gmail/api/guides/batch
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

import attrs

from mailkit.errors import BadPayload

__all__ = ["Part", "decode", "encode"]

_BOUNDARY = re.compile(r'boundary=(?:"([^"]+)"|([^\s;]+))', re.IGNORECASE)
_BLANK_LINE = re.compile(rb"\n\r?\n")  # what begins with plain text is found faster
# Only the closing line may end the body: any other at the very end may be the beginning of something longer.
_AFTER_DASHES = re.compile(rb"--[ \t]*(?=\r?\n|$)|[ \t]*(?=\r?\n)")
_STATUS_LINE = re.compile(r"HTTP/[0-9.]+ ([0-9]{3})(?: |$)")
_ID = re.compile(rb"^content-id[ \t]*:[ \t]*<?(?:response-)?([0-9]+)>?[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_HEADER = re.compile(r"^[ \t]*([^:\s]+)[ \t]*:(.*)$", re.MULTILINE)


@attrs.frozen(kw_only=True)
class Part:
    """One HTTP message inside a batch: its first line, its headers (names in lower case), its body."""

    start: str
    headers: Mapping[str, str] = attrs.field(factory=dict)
    body: bytes = b""

    @property
    def status(self) -> int | None:
        """The status of an answer; None where the first line holds none."""
        found = _STATUS_LINE.match(self.start)
        return int(found[1]) if found else None


def encode(parts: Mapping[int, Part], boundary: str) -> tuple[str, bytes]:
    """Write parts, each under its number; gives the content type and the body."""
    lines = bytearray()
    for number, part in parts.items():
        inner = {**part.headers, "content-length": str(len(part.body))} if part.body else part.headers
        head = f"--{boundary}\r\nContent-Type: application/http\r\nContent-ID: <{number}>\r\n\r\n{part.start}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in inner.items())
        lines += head.encode() + b"\r\n" + part.body + b"\r\n"
    lines += f"--{boundary}--\r\n".encode()
    return f"multipart/mixed; boundary={boundary}", bytes(lines)


def decode(content_type: str, content: bytes) -> dict[int, Part]:
    """Read parts by their numbers (``Content-ID``), in whatever order they come.

    A part that was cut off, has no number or makes no sense is left out: the caller sees that its answer is missing.

    Raises:
        BadPayload: this is no multipart body.
    """
    boundary = _BOUNDARY.search(content_type)
    if not boundary:
        raise BadPayload(
            "the answer to a batch is no batch; try again, and check for a proxy that changes answers",
            path="$",
            code="not_a_batch",
        )
    parts: dict[int, Part] = {}
    for text in _between(b"--" + (boundary[1] or boundary[2]).encode(), content):
        outer, inner = _split(text)
        number = _ID.search(outer)
        if number:
            parts.setdefault(int(number[1]), _message(inner))
    return parts


def _between(dashes: bytes, content: bytes) -> Iterator[bytes]:
    """Give what stands between two lines of dashes: before the first is nothing, behind the last a part cut off."""
    for (_, start), (end, _) in itertools.pairwise(_lines(dashes, content)):
        yield content[start:end].removesuffix(b"\n").removesuffix(b"\r").lstrip(b"\r\n")


def _lines(dashes: bytes, content: bytes) -> Iterator[tuple[int, int]]:
    """Give where each line of dashes begins and ends. No pattern: each answer has dashes of its own to compile."""
    start = content.find(dashes)
    while start >= 0:
        end = _AFTER_DASHES.match(content, start + len(dashes))
        if end and content[max(start - 1, 0) : start] in {b"", b"\n"}:
            yield start, end.end()
        start = content.find(dashes, start + len(dashes))


def _split(message: bytes) -> tuple[bytes, bytes]:
    found = _BLANK_LINE.search(message)
    return (message[: found.start()].removesuffix(b"\r"), message[found.end() :]) if found else (message, b"")


def _message(text: bytes) -> Part:
    head, body = _split(text)
    start, headers = _head(head)
    return Part(start=start, headers=headers, body=body)


@lru_cache(maxsize=256)  # the answers of a batch differ in their lengths at most
def _head(head: bytes) -> tuple[str, Mapping[str, str]]:
    start, _, lines = head.decode("latin-1").partition("\n")
    headers = {name.lower(): value.strip() for name, value in _HEADER.findall(lines)}
    return start.rstrip("\r"), MappingProxyType(headers)
