"""Bytes of mail to text, whatever charset they claim.

Senders name charsets that do not exist, or others than they use. Text always comes out: a letter may be wrong, nothing
raises and nothing is dropped.
"""

from __future__ import annotations

import codecs

# Names mail uses and Python does not know, and narrow names used for wider sets: https://encoding.spec.whatwg.org/#names-and-labels
_ALIASES = {
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "iso-8859-8-i": "iso-8859-8",
    "iso-8859-8-e": "iso-8859-8",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "shift_jis": "cp932",
}
# Codecs of Python that are no charsets of mail; some of them run code paths no stranger should choose.
_NO_CHARSETS = frozenset({"idna", "punycode", "unicode_escape", "unicode-escape", "raw_unicode_escape", "undefined"})


def decode_text(data: bytes, charset: str | None) -> str:
    """Decode ``data`` by the charset the mail names; where that fails as UTF-8, else as Windows-1252."""
    for name in (_known(charset), "utf-8"):
        try:
            if name is not None:
                return data.decode(name)
        except (UnicodeError, LookupError):  # the latter: a codec of Python that gives no text
            continue
    return data.decode("cp1252", "replace")


def _known(charset: str | None) -> str | None:
    name = (charset or "").strip().lower()
    try:
        found = codecs.lookup(_ALIASES.get(name, name)).name
    except (LookupError, ValueError):  # the latter: a NUL in the name
        return None
    return None if found in _NO_CHARSETS else found
