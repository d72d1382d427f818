"""Transfer encodings of parts (RFC 2045 §6) to bytes, whole or damaged.

Junk between the letters is skipped, missing padding added, what cannot be decoded kept as it is. Never raises.
"""

from __future__ import annotations

import binascii
import re

import attrs

from mailkit.mime import uuencode

_WORD = re.compile(r"[\w-]+")
_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_NO_LETTERS = bytes(sorted(set(range(256)) - set(_ALPHABET)))
_LINE_ENDS = b"\r\n"
_PADDED = re.compile(rb"[^=]++=*+")
_SOFT_BREAK = re.compile(rb"=(?:[ \t]++(?=\r?\n|\Z)|\r(?!\n))")
_UUENCODE = frozenset({"x-uuencode", "uuencode", "x-uue", "uue"})


def encoding_name(header: str) -> str:
    """Give the name in a Content-Transfer-Encoding, lower case; empty where there is none."""
    found = _WORD.search(header)
    return found[0].lower() if found else ""


def decode(data: bytes, encoding: str) -> bytes:
    """Decode the bytes of a part; ``encoding`` is as ``encoding_name`` gives it, an unknown one changes nothing."""
    if encoding == "base64":
        return _base64(data)
    if encoding == "quoted-printable":
        return binascii.a2b_qp(_SOFT_BREAK.sub(_mended, data))
    if encoding in _UUENCODE:
        return b"".join(file.content for file in uuencode.split(data).files) or data
    return data


def decoded_size(data: bytes, encoding: str) -> int:
    """Give how long ``decode`` makes it, where possible without decoding it."""
    if encoding == "base64":
        letters = data.rstrip(b"=\r\n").translate(None, _LINE_ENDS)
        if len(letters) % 4 != 1 and not letters.translate(None, _ALPHABET):
            return len(letters) * 3 // 4
    return len(decode(data, encoding))


@attrs.frozen(repr=False)  # a repr would show mail
class EncodedBytes:
    """What hangs on a mail as it travelled, to be decoded when somebody asks for it."""

    data: bytes
    encoding: str

    @property
    def size(self) -> int:
        """How many bytes ``read`` gives."""
        return decoded_size(self.data, self.encoding)

    def read(self) -> bytes:
        """Decode it."""
        return decode(self.data, self.encoding)


def _mended(soft_break: re.Match[bytes]) -> bytes:
    """Mend what the decoder stumbles over: blanks added on the way (§6.7 (3)), and a CR alone, which costs it text."""
    return b"=\r\n" if soft_break[0] == b"=\r" else b"="


def _base64(data: bytes) -> bytes:
    """Decode, also what was encoded line by line, each with padding of its own; below it may stand a list's footer."""
    end = data.find(b"=")
    below = data[end:].strip(b"=\r\n") if end >= 0 else b""
    if below and not below.translate(None, _ALPHABET + b"=" + _LINE_ENDS):
        return b"".join(map(_base64_piece, _PADDED.findall(data)))
    return _base64_piece(data)


def _base64_piece(data: bytes) -> bytes:
    try:
        return binascii.a2b_base64(data)
    except binascii.Error:  # cut off, or its padding is lost
        letters = data.partition(b"=")[0].translate(None, _NO_LETTERS)
        if len(letters) % 4 == 1:
            letters = letters[:-1]
        return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))
