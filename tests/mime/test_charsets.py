"""Text from bytes under true, false and invented charset names."""

from __future__ import annotations

import encodings.aliases

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.mime.charsets import decode_text


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        (b"caf\xc3\xa9", "utf-8", "café"),
        (b"caf\xe9", "iso-8859-1", "café"),
        (b"\x93x\x94", "us-ascii", "“x”"),
        (b"\xf9\xec\xe5\xed", "iso-8859-8-i", "שלום"),
        (b"m\xe9", "X-UNKNOWN", "mé"),
        (b"m\xc3\xa9", None, "mé"),
        (b"m\xe9", "utf-8", "mé"),
        (b"\x1b$B$3$s\x1b(B", "ISO-2022-JP", "こん"),
        (b"\x1b$B-!$3\x1b(B 1\r\n\x1b$B|b66\x1b(B", "iso-2022-jp", "①こ 1\r\n髙橋"),
        (b"\x1b(I12\x1b(J~ \x1b$(D0!\x1b$B-j", "CP50220", "ｱｲ~ 丂㈱"),
        (b"\x1b$B$3$s\x1b(B \x1b$B$3", "iso-2022-jp", "こん こ"),
        (b"\x1b$B$3$\x1b(B.\x1b$B~~", "iso-2022-jp", "こ$.\ufffd\ufffd"),
        (b"m\xe9 caf\xc3\xa9", "iso-2022-jp", "mé cafÃ©"),
        (b"\x1b$)C\x0e\x30\x21\x0f \x0e\x7e\x7e", "iso-2022-kr", "가 \ufffd"),
        (b"\\x41", "unicode_escape", "\\x41"),
        (b"YQ==", "base64", "YQ=="),
        (b"x", "utf-8\x00", "x"),
        (b"\x81", "windows-1252", "\ufffd"),
        # names that lie, and names of nobody
        (b"caf\xc3\xa9", "us-ascii", "café"),
        (b"caf\xc3\xa9", "iso-8859-1", "café"),
        (b"caf\xc3\xa9", "koi8-r", "café"),
        (b"\xc1\xaa\xcd\xa8", "gb2312", "联通"),  # looks like UTF-8 and is not
        ("日本語".encode()[:-1], "utf-8", "日本\ufffd"),
        ("日本語".encode("shift_jis") + b"\x81", "x-sjis", "日本語\ufffd"),
        (b"\xef\xf0\xe8", "win-1251", "при"),
        (b"\xef\xbb\xbfx", "utf-8", "x"),
        (b"+2AA-x", "utf-7", "\ufffdx"),
        (b"YQ==", "rot13", "YQ=="),
    ],
)
def test_decoding(data: bytes, charset: str | None, text: str) -> None:
    assert decode_text(data, charset) == text


_CODECS = sorted(
    {*encodings.aliases.aliases.values(), "utf-8-sig", "idna", "punycode", "unicode_escape", "x"} - {"mbcs"}
)


@given(st.binary(), st.one_of(st.none(), st.text(max_size=20), st.sampled_from(_CODECS)))
def test_there_is_always_a_text_that_can_be_written(data: bytes, charset: str | None) -> None:
    decode_text(data, charset).encode()
