"""Files written into a text the old way: ``begin 644 name``, lines of uuencode, ``end``.

Takes whole files out of the text they stand in; one that is cut off or broken stays text. Never raises.
https://pubs.opengroup.org/onlinepubs/9699919799/utilities/uuencode.html
"""

from __future__ import annotations

import binascii
import re

import attrs

from mailkit.mime.charsets import decode_text
from mailkit.mime.headers import read_text

_BEGIN = re.compile(rb"^begin [0-7]{3,4} ([^\r\n]{1,1000})\r?\n", re.MULTILINE)
_LINE = re.compile(rb"([^\n]*)(?:\n|\Z)")
_LAST = frozenset({b"`", b" ", b""})
# The start of "begin 6" in base64, as it may lie in the groups of three bytes.
_IN_BASE64 = ("YmVnaW4g", "JlZ2luI", "iZWdpbi")


@attrs.frozen(repr=False)  # a repr would show mail
class File:
    """One file that stood in a text."""

    name: str
    content: bytes


@attrs.frozen(repr=False)
class Split:
    """A text without the files that stood in it, and these."""

    text: bytes
    files: tuple[File, ...]


def may_hold_files(encoded: str) -> bool:
    """Say whether a text that is still base64 may hold a file; most do not, and need not be decoded to know it."""
    return any(start in encoded for start in _IN_BASE64)


def split(data: bytes) -> Split:
    """Take the files out of a text."""
    files: list[File] = []
    kept: list[bytes] = []
    at = done = 0
    while b"begin " in data and (begin := _BEGIN.search(data, at)) is not None:
        content, at = _content(data, begin.end())
        if content is not None:
            files.append(File(read_text(decode_text(begin[1], None)), content))
            kept.append(data[done : begin.start()])
            done = at
    return Split(b"".join((*kept, data[done:])), tuple(files))


def _content(data: bytes, at: int) -> tuple[bytes | None, int]:
    """Decode lines up to ``end``; None where one of them is none. Also gives where it stopped."""
    decoded: list[bytes] = []
    while (found := _LINE.match(data, at)) is not None and found.end() > at:
        line = found[1].rstrip(b"\r")
        if line == b"end":
            return b"".join(decoded), found.end()
        try:
            # More than the first letter announces is a checksum, less means that blanks were lost on the way.
            decoded.append(b"" if line in _LAST else binascii.a2b_uu(line[: 1 + (((line[0] - 32) & 63) + 2) // 3 * 4]))
        except binascii.Error:
            return None, at
        at = found.end()
    return None, at
