"""Header values with parameters (``text/plain; charset=utf-8``), as senders really write them.

Reads RFC 2045 parameters, RFC 2231 continuations and charsets, encoded words where none should be, unquoted names with
blanks. Never raises and reads any value in one pass; where a parameter stands twice, the first counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import unquote_to_bytes

from mailkit.mime.charsets import decode_text
from mailkit.mime.headers import decode_words

_MAIN = re.compile(r"\s*+([^\s;=]*+)(?!\s*=)")
# Possessive, since giving characters back would take time that grows with the square of their number. A quoted string
# that never ends is read as an unquoted one.
_PARAMETER = re.compile(
    r';\s*+([^\s=;*"]++)(?:\*(\d{1,4}+))?(\*)?\s*+=\s*+(?:"((?:[^"\\]|\\.)*+)"|"?([^;]*+))',
    re.DOTALL,
)
_BREAKS = re.compile(r"[\r\n]+")
_ESCAPE = re.compile(r"\\([\"\\])")  # a path of Windows has others, which are meant
_CONTENT_TYPE = re.compile(r"[!-.0-~]+/[!-.0-~]+")

_Section = tuple[str, str, bool]  # its number, what it says, and whether that is percent-encoded


def read_content_type(value: str) -> tuple[str, Mapping[str, str]]:
    """Read a Content-Type: lower case, and ``text/plain`` where it is none (RFC 2045 §5.2)."""
    content_type, parameters = read_parameters(value)
    return content_type if _CONTENT_TYPE.fullmatch(content_type) else "text/plain", parameters


def read_parameters(value: str) -> tuple[str, Mapping[str, str]]:
    """Read the word before the parameters, lower case, and the parameters by their lower-case names."""
    text = _BREAKS.sub("", value)
    main = _MAIN.match(text)
    rest = text[main.end() :] if main else text
    sections: dict[str, list[_Section]] = {}
    for name, number, star, quoted, bare in _PARAMETER.findall(f";{rest}"):
        said = _ESCAPE.sub(r"\1", quoted) if quoted else bare.strip()
        sections.setdefault(name.lower(), []).append((number, said, bool(star)))
    return main[1].lower() if main else "", {name: _said(found) for name, found in sections.items()}


def _said(sections: Sequence[_Section]) -> str:
    plain = [said for number, said, encoded in sections if not (number or encoded)]
    if len(plain) == len(sections):
        return decode_words(plain[0])
    # RFC 2231 §3 and §4. What is encoded says it better than the plain form beside it, which is for old readers.
    parts = {int(number or 0): (said, encoded) for number, said, encoded in reversed(sections) if number or encoded}
    data, charset = bytearray(), None
    for at, number in enumerate(sorted(parts)):
        said, encoded = parts[number]
        if encoded and at == 0 and said.count("'") >= 2:
            charset, _, said = said.split("'", 2)
        text = said.encode("utf-8", "replace")
        data += unquote_to_bytes(text) if encoded else text
    return decode_words(decode_text(bytes(data), charset))
