"""ISO-2022-JP as mail programs write it, with the characters of Windows that Python's codec does not know.

These are the rows 13 and 89 to 92 (``①``, ``髙``) and half-width katakana:
https://encoding.spec.whatwg.org/#iso-2022-jp-decoder. Never raises.
"""

from __future__ import annotations

import re

__all__ = ["ESCAPE", "decode_iso_2022_jp"]

ESCAPE = b"\x1b"
"""What begins the change to another set; without it there is nothing but ASCII."""

_CHANGE = re.compile(rb"\x1b(\$[@B]|\$\(D|\([BHIJ])")
_PAIR = re.compile(rb"[!-~]{2}")
_WIDE, _HALF_WIDTH, _SUPPLEMENT = (b"$B", b"$@"), b"(I", b"$(D"


def decode_iso_2022_jp(data: bytes) -> str:
    """Decode; what cannot be is a replacement character."""
    first, *changed = _CHANGE.split(data)
    said = [first.decode("utf-8", "replace")]
    for change, piece in zip(changed[::2], changed[1::2], strict=True):
        if change in _WIDE:
            said.append(_PAIR.sub(_shift_jis, piece).decode("cp932", "replace"))
        elif change == _HALF_WIDTH:
            said.append(bytes(byte | 0x80 if byte > 0x20 else byte for byte in piece).decode("cp932", "replace"))
        elif change == _SUPPLEMENT:
            said.append((ESCAPE + change + piece).decode("iso2022_jp_ext", "replace"))
        else:
            said.append(piece.decode("utf-8", "replace"))
    return "".join(said)


def _shift_jis(pair: re.Match[bytes]) -> bytes:
    """Give the place of a character in Shift_JIS, whose codec knows Windows' own: two rows share a first byte."""
    row, cell = pair[0]
    first = ((row + 1) >> 1) + (0x70 if row < 0x5F else 0xB0)
    return bytes((first, cell + (0x7E if row % 2 == 0 else 0x1F + (cell >= 0x60))))
