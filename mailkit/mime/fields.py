"""The header of a message or part: bytes to names and values. Never raises.

Lines that go on are unfolded, bytes beyond ASCII decoded; encoded words stay as they are. What a value means is not
known here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from mailkit.mime.charsets import decode_text
from mailkit.mime.parameters import read_content_type

Fields = tuple[tuple[str, str], ...]

# More than any mail has; a hostile one is read no further, so that it cannot fill the memory.
_MOST = 10_000
_FIELD = re.compile(rb"([!-9;-~]*+)[ \t]*+:[ \t]*+([^\n]*+(?:\n[ \t][^\n]*+)*+)\n?")
_ENVELOPE = (b"From ", b">From ")  # the line that mbox files put before a message
_BREAKS = re.compile(r"\r?\n|\r")


def read_fields(data: bytes, at: int, is_boundary: Callable[[int], bool]) -> tuple[Fields, int]:
    """Read the fields that start at ``at``; also gives where what follows them starts.

    The header ends at an empty line, at a line that is no field (which belongs to the text then), and where
    ``is_boundary`` says that another part begins.
    """
    found: list[tuple[bytes, bytes]] = []
    if data.startswith(_ENVELOPE, at):
        at = _after_line(data, at)
    while not is_boundary(at) and (field := _FIELD.match(data, at)) is not None:
        if field[1] and len(found) < _MOST:
            found.append((field[1], field[2]))
        at = field.end()
    if data.startswith((b"\n", b"\r\n"), at):
        at = _after_line(data, at)
    return _decoded(found), at


def by_name(fields: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """Give the values of fields by lower-case name, each name's in order."""
    values: dict[str, list[str]] = {}
    for name, value in fields:
        values.setdefault(name.lower(), []).append(value)
    return values


def first(values: Mapping[str, Sequence[str]], name: str) -> str:
    """Give the first value of that lower-case name, as mail programs read it; empty where there is none."""
    return values.get(name, _NONE)[0]


_NONE = ("",)


def _after_line(data: bytes, at: int) -> int:
    return data.find(b"\n", at) + 1 or len(data)


def _decoded(found: Sequence[tuple[bytes, bytes]]) -> Fields:
    try:
        return tuple([(name.decode(), _unfolded(value.decode())) for name, value in found])
    except UnicodeDecodeError:  # neither ASCII nor UTF-8 (RFC 6532): most likely what the text is written in
        types = [value.decode("ascii", "replace") for name, value in found if name.lower() == b"content-type"]
        charset = read_content_type(types[0])[1].get("charset") if types else None
        return tuple([(name.decode(), _unfolded(_text(value, charset))) for name, value in found])


def _text(value: bytes, charset: str | None) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return decode_text(value, charset)


def _unfolded(value: str) -> str:
    return (_BREAKS.sub("", value) if "\n" in value or "\r" in value else value).rstrip(" \t")
