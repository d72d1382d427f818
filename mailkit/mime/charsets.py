"""Bytes of mail to text, whatever charset they claim.

Senders name charsets that do not exist, or others than they use. Text always comes out: a letter may be wrong, nothing
raises and nothing is dropped.
"""

from __future__ import annotations

import codecs
import re

from mailkit.mime.japanese import ESCAPE, decode_iso_2022_jp

# Names of Python's codecs that mail uses for wider sets: https://encoding.spec.whatwg.org/#names-and-labels
_WIDER = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
}
# Names that mail uses and Python does not know (the same page).
_UNKNOWN = {
    "iso-8859-8-i": "iso-8859-8",
    "iso-8859-8-e": "iso-8859-8",
    "cp50220": "iso2022_jp",
    "cp50221": "iso2022_jp",
    "cp50222": "iso2022_jp",
    "x-sjis": "cp932",
    "x-euc-jp": "euc_jp",
    "x-gbk": "gb18030",
    "x-mac-cyrillic": "mac_cyrillic",
    "x-unicode20utf8": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
}
_CODE_PAGE = re.compile(r"(?:x-)?(?:cp|win|windows|ibm|dos)[-_ ]?(\d{3,5})")
# Codecs of Python that are no charsets of mail; some of them run code paths no stranger should choose.
_NO_CHARSETS = frozenset({
    "base64", "bz2", "hex", "idna", "punycode", "quopri", "raw-unicode-escape", "rot-13", "undefined", "unicode-escape",
    "uu", "zlib",
})  # fmt: skip
_HALF = re.compile("[\ud800-\udfff]")


def decode_text(data: bytes, charset: str | None) -> str:
    """Decode ``data`` by the charset the mail names; where that fails as UTF-8, or with gaps, else as Windows-1252.

    Bytes under the name of a set of single bytes that are UTF-8 are read as such: no language has such words.
    """
    name = _known(charset)
    if name is not None and name.startswith("iso2022") and ESCAPE in data:
        return _escaped(data, name)
    for attempt in ("utf-8", name) if _is_narrow(name) else (name, "utf-8"):
        try:
            if attempt is not None:
                return _whole(data.decode(attempt), attempt).removeprefix("\ufeff")
        except UnicodeError:
            continue
    # What is cut off or damaged here and there is still what it says it is, so only that is lost.
    mended = data.decode(name or "utf-8", "replace")
    beyond_ascii = len(mended) - len(mended.encode("ascii", "ignore"))
    if beyond_ascii > 2 * mended.count("\ufffd"):
        return _whole(mended, name)
    return data.decode("cp1252", "replace")


def _escaped(data: bytes, name: str) -> str:
    """Decode what may be ASCII throughout, so that as UTF-8 it would show its escapes."""
    try:
        return data.decode(name)
    except UnicodeError:
        return data.decode(name, "replace") if name == "iso2022_kr" else decode_iso_2022_jp(data)


def _whole(text: str, codec: str | None) -> str:
    """Take out the halves of characters, which UTF-7 alone can say and no other text can hold."""
    return _HALF.sub("\ufffd", text) if codec == "utf-7" else text


def _is_narrow(name: str | None) -> bool:
    return name is None or name.startswith(("cp125", "iso8859", "koi8"))


def _known(charset: str | None) -> str | None:
    name = (charset or "").strip().lower()
    name = _UNKNOWN.get(name, name)
    page = _CODE_PAGE.fullmatch(name)
    try:
        found = codecs.lookup(f"cp{page[1]}" if page else name).name
    except (LookupError, ValueError):  # the latter: a NUL in the name
        return None
    return None if found in _NO_CHARSETS else _WIDER.get(found, found)
