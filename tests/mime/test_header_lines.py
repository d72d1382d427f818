"""Header fields as they are written, and what readers make of them."""

from __future__ import annotations

import re
from email import message_from_bytes, policy

import pytest

from mailkit.errors import InvalidMessage
from mailkit.mime.header_lines import addresses_line, ids_line, parameter, text_line
from mailkit.mime.parameters import read_parameters
from mailkit.values import Address

CZECH = "Žluťoučký kůň úpěl ďábelské ódy "


def people(field: bytes) -> list[tuple[str, str]]:
    message = message_from_bytes(field + b"\r\n", policy=policy.default)
    return [(one.display_name, one.addr_spec) for one in message["To"].addresses]


def written(*addresses: tuple[str, str]) -> bytes:
    return addresses_line("To", [Address(name=name, address=address) for name, address in addresses])


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ("", b"Subject: \r\n"),
        ("Plan", b"Subject: Plan\r\n"),
        ("a b " * 30 + "c", None),
        ("Café", b"Subject: =?utf-8?q?Caf=C3=A9?=\r\n"),
        ("王小明", b"Subject: =?utf-8?b?546L5bCP5piO?=\r\n"),
        (" a", b"Subject: =?utf-8?q?_a?=\r\n"),
        ("a  b", b"Subject: =?utf-8?q?a__b?=\r\n"),
        ("=?utf-8?q?x?=", b"Subject: =?utf-8?q?=3D=3Futf-8=3Fq=3Fx=3F=3D?=\r\n"),
        ("x" * 2000, None),
        (CZECH * 8, None),
        ("👩‍👩‍👧‍👦" * 40, None),
        ("a\tb", b"Subject: =?utf-8?q?a=09b?=\r\n"),
    ],
)
def test_texts(value: str, field: bytes | None) -> None:
    line = text_line("Subject", value)
    assert field is None or line == field
    assert max(map(len, line.split(b"\r\n"))) <= 76
    for word in re.findall(rb"=\?utf-8\?q\?([^?]*)\?=", line):
        assert word
        bytes.fromhex("".join(re.findall(r"=(..)", word.decode()))).decode()  # no character is cut in two
    assert message_from_bytes(line + b"\r\n", policy=policy.default)["Subject"] == value


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("", b"To: x@example.com\r\n"),
        ("Amy Doe", b"To: Amy Doe <x@example.com>\r\n"),
        ("Doe, John", b'To: "Doe, John" <x@example.com>\r\n'),
        ("J. Doe", b'To: "J. Doe" <x@example.com>\r\n'),
        ('Say "hi"', b'To: "Say \\"hi\\"" <x@example.com>\r\n'),
        ("back\\slash", b'To: "back\\\\slash" <x@example.com>\r\n'),
        ("Žofie Nováková, Brno", b"To: =?utf-8?q?=C5=BDofie_Nov=C3=A1kov=C3=A1=2C?= Brno <x@example.com>\r\n"),
        ("王小明", b"To: =?utf-8?b?546L5bCP5piO?= <x@example.com>\r\n"),
        ("=?utf-8?q?x?=", b"To: =?utf-8?q?=3D=3Futf-8=3Fq=3Fx=3F=3D?= <x@example.com>\r\n"),
        ("A véry long name with non-ASCII char and, comma", None),
        ("Long, plain and quoted " * 4, None),
        ("Support (Billing)", b'To: "Support (Billing)" <x@example.com>\r\n'),
    ],
)
def test_names(name: str, field: bytes | None) -> None:
    line = written((name, "x@example.com"))
    assert field is None or line == field
    assert people(line) == [(name.strip(), "x@example.com")]


def test_two_blanks_in_a_name_are_kept() -> None:
    assert written(("a  é", "x@example.com")) == b"To: =?utf-8?q?a__=C3=A9?= <x@example.com>\r\n"


def test_lists_fold_between_addresses() -> None:
    many = [(f"Person Number {number}, é", f"person.{number}@example.com") for number in range(40)]
    line = written(*many)
    assert people(line) == many
    assert max(map(len, line.split(b"\r\n"))) <= 76
    assert not re.search(rb"=\?utf-8\?q\?=2C\?=", line)


def test_ids() -> None:
    ids = [f"<{'a' * 60}{number}@mail.example.com>" for number in range(5)]
    line = ids_line("References", ids)
    assert line.decode().split() == ["References:", *ids]
    assert len(line.split(b"\r\n")) == 6
    with pytest.raises(InvalidMessage, match="References"):
        ids_line("References", ["<a@x> <b@x>"])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a.pdf", ';\r\n filename="a.pdf"'),
        ('a "b"\\.pdf', ';\r\n filename="a \\"b\\"\\\\.pdf"'),
        ("é.pdf", ";\r\n filename*=utf-8''%C3%A9.pdf"),
        ("a=?b", ";\r\n filename*=utf-8''a%3D%3Fb"),
        ("it's *100%* é", ";\r\n filename*=utf-8''it%27s%20%2A100%25%2A%20%C3%A9"),
        ("", ';\r\n filename=""'),
        ("長" * 66, None),
        ("n" * 200, None),
    ],
)
def test_parameters(value: str, text: str | None) -> None:
    line = parameter("filename", value)
    assert text is None or line == text
    assert max(map(len, line.split("\r\n"))) <= 78
    assert read_parameters(f"attachment{line}")[1]["filename"] == value
    message = message_from_bytes(f"Content-Disposition: attachment{line}\r\n\r\n".encode(), policy=policy.compat32)
    assert message.get_filename() == value
