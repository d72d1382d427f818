"""Texts that go into a header field: one line, for every reader, however often it decodes them. Pure.

Refuses, and never shows what it refuses. Writes nothing; ``header_lines`` does.
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Iterator

from mailkit.errors import InvalidMessage
from mailkit.mime.headers import decode_words

__all__ = ["is_one_line", "one_line_text"]

# Everything that some reader takes for the end of a line, and what no header may hold: RFC 5322 section 2.2.
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029]")
_HALF = re.compile("[\ud800-\udfff]")
# An encoded word as the laxest of readers see it: RFC 2047 allows neither blanks nor "?" inside.
_WORD = re.compile(r"=\?([^?]*)\?([bBqQ])\?(.*?)\?=", re.DOTALL)
# All of ASCII that is visible; the backslash before something that both of Python's escapes know.
_ASCII = bytes(byte for byte in range(0x20, 0x7F) if byte != 0x5C) + b"\\u0041"
_A_BREAK = "\n"


def one_line_text(text: object, name: str) -> str:
    """Take a text that goes into a header; ``name`` says what it is.

    Raises:
        InvalidMessage: it would end the line, also for a reader who decodes what looks encoded, or is no text.
    """
    if not isinstance(text, str):
        raise InvalidMessage(f"{name} must be text, not {type(text).__name__}", code="bad_header")
    if _HALF.search(text):
        raise InvalidMessage(f"{name} holds half a character; pass text that is whole", code="bad_header")
    if not is_one_line(text):
        raise InvalidMessage(f"{name} must be on one line, without control characters", code="header_injection")
    return text


def is_one_line(text: str) -> bool:
    """Whether the text is one line without control characters, as it stands and decoded however often."""
    return not any(_CONTROL.search(form) for form in _forms(text))


def _forms(text: str) -> Iterator[str]:
    """Give the text, and what it says to readers who decode words in it (RFC 2047), and words in those."""
    waiting, seen = [text], {text}
    while waiting:
        form = waiting.pop()
        yield form
        if "=?" in form:  # each decoding is shorter than what it decodes
            found = {decode_words(form), _decoded_laxly(form)} - seen
            waiting += found
            seen |= found


def _decoded_laxly(text: str) -> str:
    end = text.rfind("?=") + 2  # behind the last there is no word, and looking for one at each beginning takes long
    return _WORD.sub(_said, text[:end]) + text[end:]


def _said(word: re.Match[str]) -> str:
    """Decode a word; what may be a line break for somebody is one."""
    charset, how, coded = word.groups()
    data = _bytes(how, coded.encode())
    codec = _codec(charset.partition("*")[0])
    if b"\r" in data or b"\n" in data or codec is None:
        return _A_BREAK
    return data.decode(codec, "replace")


def _bytes(how: str, coded: bytes) -> bytes:
    if how in "qQ":
        return binascii.a2b_qp(coded, header=True)
    try:
        return binascii.a2b_base64(coded + b"==")
    except ValueError:
        return coded


def _codec(charset: str) -> str | None:
    """Give the codec of a charset; None where ASCII is not what it is there, as in UTF-7, EBCDIC, Python's escapes."""
    try:
        codecs.lookup(charset)
        return charset if _ASCII.decode(charset, "replace") == _ASCII.decode("ascii") else None
    except UnicodeError:
        return None
    except (LookupError, ValueError):  # no codec, or none of text: nobody decodes by it
        return "utf-8"
