"""Header fields as they are written: folded, in ASCII, so that every reader gets back what was meant. Pure.

Takes values that were checked before; see ``recipients.one_line_text``. What looks like an encoded word is encoded once
more, so that nobody decodes what the author wrote. https://www.rfc-editor.org/rfc/rfc2047
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from email.header import Header

from mailkit.mime.recipients import wire_address
from mailkit.values import Address

__all__ = ["addresses_line", "ids_line", "parameter", "text_line"]

_WIDTH = 76
_PLAIN = re.compile(r"[\x20-\x7e]*")
_SPECIAL = re.compile(r'[()<>\[\]:;@\\,."]')  # RFC 5322 section 3.2.3
_ENCODED_LOOK = "=?"
_ATTRIBUTE = re.compile(r"[A-Za-z0-9!#$&+.^_`|~-]*")  # RFC 2231 section 7, without what RFC 2045 takes out
_MOST_IN_LINE = 60


def text_line(name: str, value: str) -> bytes:
    """Write a field of free text, folded at blanks or in encoded words of at most 75 characters."""
    if _PLAIN.fullmatch(value) and _ENCODED_LOOK not in value and _folds_well(name, value):
        return f"{name}: {_folded(len(name) + 2, value.split(' '))}\r\n".encode("ascii")
    return f"{name}: {_encoded(value, len(name) + 2)}\r\n".encode("ascii")


def _folds_well(name: str, value: str) -> bool:
    """Whether folding loses nothing: no blank at an end, no two together, no word too long for a line."""
    return (
        value == value.strip()
        and "  " not in value
        and all(len(word) + len(name) + 2 <= _WIDTH for word in value.split(" "))
    )


def addresses_line(name: str, addresses: Sequence[Address]) -> bytes:
    """Write a field of addresses; lines end between addresses, and within long names only."""
    *others, last = map(_mailbox, addresses)
    return f"{name}: {_folded(len(name) + 2, [*(f'{other},' for other in others), last])}\r\n".encode("ascii")


def ids_line(name: str, ids: Iterable[str]) -> bytes:
    """Write a field of Message-IDs, folded between them."""
    return f"{name}: {_folded(len(name) + 2, list(ids))}\r\n".encode("ascii")


def parameter(name: str, value: str) -> str:
    """Write a parameter of Content-Type or Content-Disposition, in the form of RFC 2231 where it is not plain."""
    if _PLAIN.fullmatch(value) and len(value) <= _MOST_IN_LINE:
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        return f';\r\n {name}="{quoted}"'
    sections = [""]
    for byte in value.encode():
        piece = chr(byte) if _ATTRIBUTE.fullmatch(chr(byte)) else f"%{byte:02X}"
        if len(sections[-1]) + len(piece) > _MOST_IN_LINE:
            sections.append("")
        sections[-1] += piece
    sections[0] = f"utf-8''{sections[0]}"
    if len(sections) == 1:
        return f";\r\n {name}*={sections[0]}"
    return "".join(f";\r\n {name}*{at}*={section}" for at, section in enumerate(sections))


def _mailbox(address: Address) -> str:
    """Write one address; a name is never left bare where it holds a mark of the list's."""
    spec, name = wire_address(address), address.name.strip()
    if not name:
        return spec
    if not _PLAIN.fullmatch(name) or _ENCODED_LOOK in name or len(name) > _MOST_IN_LINE:
        return f"{_encoded(name, 10)} <{spec}>"
    if _SPECIAL.search(name) or "  " in name:
        quoted = name.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{quoted}" <{spec}>'
    return f"{name} <{spec}>"


def _encoded(text: str, used: int) -> str:
    """Write encoded words, none of which cuts a character in two; the standard library knows how."""
    header = Header(text, charset="utf-8", maxlinelen=_WIDTH, header_name="x" * max(used - 2, 1))
    return header.encode(linesep="\r\n")


def _folded(used: int, words: Sequence[str]) -> str:
    """Put words behind one another, beginning a new line where one would get longer than a line should be."""
    lines: list[str] = []
    line = ""
    for word in words:
        room = _WIDTH - (1 if lines else used)
        if line and len(line) + 1 + len(word.partition("\r\n")[0]) > room:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\r\n ".join([*lines, line])
