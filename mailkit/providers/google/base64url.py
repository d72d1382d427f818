"""Base64url as Gmail writes it, whole and as it arrives.

Padding may be there or not, standard base64 is taken too, anything else is refused: a cut attachment must not pass for
a whole one. https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages.attachments
"""

from __future__ import annotations

import binascii
import re
from collections.abc import AsyncGenerator, AsyncIterator

from mailkit.errors import BadPayload

_STANDARD = bytes.maketrans(b"-_", b"+/")
_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/"
_DATA = re.compile(rb'"data"\s*:\s*"')
_NO_DATA = re.compile(rb"\s*\{[^{}]*\}\s*")
_END = re.compile(rb'(?:=|\\u003[dD])*"')  # Google's JSON may write "=" as an escape
_STOP = re.compile(rb'["=\\]')
_END_MOST = 32
_HEAD_MOST = 64 * 1024  # before the data stand a size and an attachment id at most


def decode(text: str, path: str) -> bytes:
    """Decode a whole value.

    Raises:
        BadPayload: it is no base64url; ``path`` says where it stood.
    """
    try:
        return _decoded(text.rstrip("=").encode("ascii"))
    except ValueError:  # also binascii.Error and UnicodeEncodeError
        raise _broken(path) from None


def check(text: str, path: str) -> None:
    """Refuse what ``decode`` would refuse, seven times as fast.

    Raises:
        BadPayload: it is no base64url; ``path`` says where it stood.
    """
    bare = text.rstrip("=")
    if len(bare) % 4 == 1 or not bare.isascii() or bare.encode().translate(None, _ALPHABET):
        raise _broken(path)


async def decode_data(pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Decode the ``data`` member of a JSON object while it arrives, holding no more than a piece of it.

    Raises:
        BadPayload: the answer was cut, or is no such object.
    """
    head = b""
    async for piece in pieces:
        head += piece
        if start := _DATA.search(head):
            break
        if len(head) > _HEAD_MOST:
            raise _broken("$.data")
    else:
        if _NO_DATA.fullmatch(head):  # an empty attachment
            return
        raise _broken("$.data")
    reader = _Reader()
    try:
        yield reader.feed(head[start.end() :])
        async for piece in pieces:
            if data := reader.feed(piece):
                yield data
    except ValueError:
        raise _broken("$.data") from None
    if not reader.closed:
        raise _broken("$.data")


class _Reader:
    """The inside of the string: whole groups of four characters, then its end."""

    def __init__(self) -> None:
        self._group = b""  # the start of a group whose rest is on its way
        self._end: bytes | None = None  # what came from the first padding or quotation mark on

    @property
    def closed(self) -> bool:
        return self._end is not None and _END.match(self._end) is not None

    def feed(self, piece: bytes) -> bytes:
        if self._end is not None:
            self._end += piece[:_END_MOST]
            return b""
        stop = _STOP.search(piece)
        if stop is not None:
            self._end = piece[stop.start() :][:_END_MOST]
            return _decoded(self._group + piece[: stop.start()])
        text = self._group + piece
        whole = len(text) - len(text) % 4
        self._group = text[whole:]
        return _decoded(text[:whole])


def _decoded(text: bytes) -> bytes:
    """Decode text without padding; ValueError where it is cut or holds anything else."""
    # https://docs.python.org/3/library/binascii.html: without strict_mode stray characters are skipped in silence
    return binascii.a2b_base64(text.translate(_STANDARD) + b"=" * (-len(text) % 4), strict_mode=True)


def _broken(path: str) -> BadPayload:
    return BadPayload(f"expected base64url at {path}, whole; fetch it again", path=path, code="bad_base64")
