"""Header fields as they are written: folded, in ASCII, so that every reader gets back what was meant. Pure.

Takes values that were checked before; see ``header_text``. What looks like an encoded word is encoded once more, so
that nobody decodes what the author wrote. https://www.rfc-editor.org/rfc/rfc2047 https://www.rfc-editor.org/rfc/rfc2231
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TypeVar
from urllib.parse import quote

from mailkit.errors import InvalidMessage
from mailkit.mime.header_text import is_one_line
from mailkit.values import Address

__all__ = ["MESSAGE_ID", "addresses_line", "ids_line", "parameter", "text_line"]

# Stricter than real ids are made, wider than the grammar: what could end a header line or another id is out.
MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,900}>")

_WIDTH = 76  # of a line with encoded words, RFC 2047 section 2
_LEAST_WORD = 40
_MOST_PLAIN = 60
_PLAIN = re.compile(r"[\x20-\x7e]*")
_ATOM = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,60}")  # RFC 5322 section 3.2.3
_ENCODED_LOOK = "=?"
_OF_ATTRIBUTE = "!#$&+.^_`|~-"  # RFC 2231 section 7, beside letters and digits, without what RFC 2045 takes out
# What may stand for itself in an encoded word of a name, where fewest characters may: RFC 2047 section 5 (3).
_ITSELF = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!*+-/"
_QUOTED = ["_" if byte == 0x20 else chr(byte) if byte in _ITSELF else f"={byte:02X}" for byte in range(256)]

_Text = TypeVar("_Text", str, bytes)


def text_line(name: str, value: str) -> bytes:
    """Write a field of free text, folded at blanks or in encoded words of at most 75 characters."""
    used = len(name) + 2
    words = value.split(" ")
    # Folding must lose nothing: no blank at an end, no two together, no word too long for a line.
    folds = value == "" or all(0 < len(word) <= _WIDTH - used for word in words)
    if not folds or not _PLAIN.fullmatch(value) or _ENCODED_LOOK in value:
        words = _encoded(value, used)
    return _line(name, words)


def addresses_line(name: str, addresses: Sequence[Address]) -> bytes:
    """Write a field of addresses; lines end between addresses, and at the blanks of names."""
    *others, last = map(_mailbox, addresses)
    return _line(name, [*(word for words in others for word in (*words[:-1], f"{words[-1]},")), *last])


def ids_line(name: str, ids: Iterable[str]) -> bytes:
    """Write a field of Message-IDs, folded between them.

    Raises:
        InvalidMessage: one of them is none that can be written.
    """
    words = list(ids)
    if not all(MESSAGE_ID.fullmatch(word) and is_one_line(word) for word in words):
        raise InvalidMessage(
            f"{name} must hold Message-IDs, each as in <word@example.com>, of at most 900 characters", code="bad_header"
        )
    return _line(name, words)


def parameter(name: str, value: str) -> str:
    """Write a parameter of Content-Type or Content-Disposition, in the form of RFC 2231 where it is not plain."""
    if _PLAIN.fullmatch(value) and len(value) <= _MOST_PLAIN and _ENCODED_LOOK not in value:
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        return f';\r\n {name}="{quoted}"'
    first, *others = _packed(["utf-8''", *(quote(char, safe=_OF_ATTRIBUTE) for char in value)], _MOST_PLAIN)
    if not others:
        return f";\r\n {name}*={first}"
    return "".join(f";\r\n {name}*{at}*={section}" for at, section in enumerate((first, *others)))


def _mailbox(address: Address) -> list[str]:
    """Write one address as words; a name is never left bare where it holds a mark of the list's."""
    name, spec = address.name.strip(), f"<{address.address}>"
    if not name:
        return [address.address]
    quoted = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    bare = name.split(" ")
    if all(map(_is_bare, bare)):
        return [*bare, spec]
    if _PLAIN.fullmatch(name) and _ENCODED_LOOK not in name and len(quoted) <= _MOST_PLAIN:
        return [quoted, spec]
    # Only words that need it are encoded: some readers (Python's among them) add a blank between two encoded words.
    runs = (
        [(is_bare, list(words)) for is_bare, words in groupby(bare, _is_bare)] if "  " not in name else [(False, bare)]
    )
    used = len("Reply-To: ")
    return [
        *(word for is_bare, words in runs for word in (words if is_bare else _encoded(" ".join(words), used))),
        spec,
    ]


def _is_bare(word: str) -> bool:
    return bool(_ATOM.fullmatch(word)) and _ENCODED_LOOK not in word


def _encoded(text: str, used: int) -> list[str]:
    """Write a text as encoded words, so short that one finds room behind ``used`` characters."""
    room = max(_WIDTH - used, _LEAST_WORD) - len("=?utf-8?q??=")
    chars = [char.encode() for char in text]
    quoted = ["".join([_QUOTED[byte] for byte in char]) for char in chars]
    if sum(map(len, quoted)) <= 2 * sum(map(len, chars)):  # half of it can be read as it is
        return [f"=?utf-8?q?{said}?=" for said in _packed(quoted, room)]
    words = _packed(chars, room // 4 * 3)
    return [f"=?utf-8?b?{binascii.b2a_base64(said, newline=False).decode()}?=" for said in words]


def _packed(pieces: Iterable[_Text], room: int) -> list[_Text]:
    """Put pieces together as far as they find room, and cut none of them in two."""
    packed: list[_Text] = []
    for piece in pieces:
        if packed and len(packed[-1]) + len(piece) <= room:
            packed[-1] += piece
        else:
            packed.append(piece)
    return packed


def _line(name: str, words: Sequence[str]) -> bytes:
    """Put words behind one another, beginning a new line where one would get longer than a line should be."""
    lines = [f"{name}:"]
    for at, word in enumerate(words):
        if at and len(lines[-1]) + 1 + len(word) > _WIDTH:
            lines.append("")
        lines[-1] += f" {word}"
    return "\r\n".join([*lines, ""]).encode("ascii")
