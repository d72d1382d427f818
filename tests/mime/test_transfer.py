"""Transfer encodings, whole and damaged."""

from __future__ import annotations

import base64
import binascii
import quopri

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.mime.transfer import EncodedBytes, decode, decoded_size, encoding_name
from mailkit.mime.uuencode import File, may_hold_files, split


@pytest.mark.parametrize(
    ("header", "name"),
    [("", ""), (" BASE64 ", "base64"), ("base64 (comment)", "base64"), ('"quoted-printable";', "quoted-printable")],
)
def test_the_name(header: str, name: str) -> None:
    assert encoding_name(header) == name


@pytest.mark.parametrize(
    ("data", "encoding", "decoded"),
    [
        (b"as it\r\nis =41", "", b"as it\r\nis =41"),
        (b"\xff\x00", "8bit", b"\xff\x00"),
        (b"SGVs\r\nbG8=", "base64", b"Hello"),
        (b"SGVsbG8", "base64", b"Hello"),  # without padding
        (b"SG Vs\x00!!bG8=\r\n-- \r\na list's footer", "base64", b"Hello"),  # with junk
        (b"SGVsbG8hX", "base64", b"Hello!"),  # cut off
        (b"SGU=bGxv", "base64", b"Hello"),  # encoded in pieces
        (b"SGU=\r\nbGxv\r\nIQ==\r\n", "base64", b"Hello!"),
        (b"SGU=\r\nfoot\r\nof a list", "base64", b"He"),
        (b"====", "base64", b""),
        (b"=41=\r\n=42= \t\r\n=C3=A9", "quoted-printable", b"AB\xc3\xa9"),
        (b"a=\rb\nc=", "quoted-printable", b"ab\nc"),
        (b'Acme=\n<?xml version="1.0"?>', "quoted-printable", b'Acme<?xml version="1.0"?>'),
        (b'a="1" =XY =4', "quoted-printable", b'a="1" =XY =4'),
        (b"begin 644 x\r\n#0V%T\r\n`\r\nend\r\n", "x-uuencode", b"Cat"),
        (b"no file", "uuencode", b"no file"),
    ],
)
def test_decoding(data: bytes, encoding: str, decoded: bytes) -> None:
    assert decode(data, encoding) == decoded
    assert decoded_size(data, encoding) == len(decoded)
    assert EncodedBytes(data, encoding).read() == decoded


_ENCODINGS = st.sampled_from(["", "base64", "quoted-printable", "x-uuencode"])


@given(st.binary(), _ENCODINGS)
def test_the_size_is_that_of_what_is_read(data: bytes, encoding: str) -> None:
    assert decoded_size(data, encoding) == len(decode(data, encoding))


@given(st.text(alphabet="AZaz09+/=\r\n !").map(str.encode))
def test_the_size_of_base64(data: bytes) -> None:
    assert decoded_size(data, "base64") == len(decode(data, "base64"))


@given(st.binary())
def test_what_others_write_is_read_back(data: bytes) -> None:
    assert decode(base64.encodebytes(data), "base64") == data
    assert decode(base64.b64encode(data).rstrip(b"="), "base64") == data
    assert decode(quopri.encodestring(data.replace(b"\r", b"")), "quoted-printable") == data.replace(b"\r", b"")


def _uuencoded(name: bytes, data: bytes) -> bytes:
    lines = [binascii.b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45)]
    return b"begin 644 " + name + b"\n" + b"".join(lines) + b"`\nend\n"


@given(st.lists(st.binary(max_size=100), max_size=3))
def test_files_in_a_text(contents: list[bytes]) -> None:
    text = b"before\n" + b"between\n".join(_uuencoded(b"a b.gif", content) for content in contents)
    found = split(text)
    assert found.files == tuple(File("a b.gif", content) for content in contents)
    assert found.text == b"before\n" + b"between\n" * (len(contents) - 1)
    assert not contents or may_hold_files(base64.urlsafe_b64encode(text).decode())


@pytest.mark.parametrize("start", range(3))
def test_a_file_is_seen_in_base64_wherever_it_starts(start: int) -> None:
    assert may_hold_files(base64.urlsafe_b64encode(b"x" * start + b"begin 644 a\n").decode())
    assert not may_hold_files(base64.urlsafe_b64encode(b"x" * start + b"to start with, nothing").decode())


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"begin 644 a\n",
        b"begin 644 a\n#0V%T\n",
        b"begin 644 a\nthis is no file\nend\n",
        b"begin with 644 words\nend\n",
        b"we begin 644 a\n#0V%T\nend\n",
    ],
)
def test_what_is_no_whole_file_stays_text(text: bytes) -> None:
    assert split(text).files == ()
    assert split(text).text == text


def test_lines_whose_blanks_were_lost_or_that_have_a_checksum() -> None:
    (file,) = split(b"begin 644 a\r\n$    \r\n$\r\n#0V%Tx\r\n \r\nend").files
    assert file.content == b"\0" * 8 + b"Cat"


@pytest.mark.parametrize("piece", [b"begin 644 a\n", b"begin 644 a\n#0V%T\n", b"begin ", b"= ", b"=\r"])
def test_long_data_is_read_in_one_pass(piece: bytes) -> None:
    split(b"\n" + piece * 50_000)  # minutes, if the time grew with the square of the length
    decode(piece * 50_000, "quoted-printable")


@given(st.binary())
def test_never_raises(data: bytes) -> None:
    split(b"begin 644 a\n" + data + b"\nend\n")
    for encoding in ("base64", "quoted-printable", "uue", "x"):
        decode(data, encoding)
