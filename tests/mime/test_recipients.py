"""What people pass as recipients, and what becomes of it."""

from __future__ import annotations

import re
from email.utils import formataddr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.errors import InvalidMessage
from mailkit.mime.recipients import read_recipients
from mailkit.values import Address

AMY, BOB = ("Amy", "amy@example.com"), ("", "bob@example.com")


def read(value: object) -> list[tuple[str, str]]:
    return [(found.name, found.address) for found in read_recipients(value, "to")]


@pytest.mark.parametrize(
    ("value", "people"),
    [
        ("", []),
        (" , ;", []),
        ((), []),
        ("bob@example.com", [BOB]),
        (" <bob@example.com> ", [BOB]),
        ("mailto:bob@example.com", [BOB]),
        ("Amy <amy@example.com>", [AMY]),
        ("Amy<amy@example.com>", [AMY]),
        ("amy@example.com (Amy)", [AMY]),
        ("Amy <amy@example.com>, bob@example.com", [AMY, BOB]),
        ("Amy <amy@example.com>;bob@example.com;", [AMY, BOB]),
        (["Amy <amy@example.com>", Address(address="bob@example.com")], [AMY, BOB]),
        (iter(["bob@example.com, Amy <amy@example.com>"]), [BOB, AMY]),
        (Address(name="Amy", address="amy@example.com"), [AMY]),
        ("Team: Amy <amy@example.com>, bob@example.com;", [AMY, BOB]),
        ("Team: Amy <amy@example.com>; bob@example.com", [AMY, BOB]),
        ('"My Team": bob@example.com;', [BOB]),
        ("undisclosed-recipients:;", []),
        ("Doe, Jane <jane@example.com>; bob@example.com", [("Doe, Jane", "jane@example.com"), BOB]),
        ("bob@example.com, Doe, Jane <jane@example.com>", [BOB, ("Doe, Jane", "jane@example.com")]),
        ('"Doe; Jane" <jane@example.com>', [("Doe; Jane", "jane@example.com")]),
        (r'"Say \"hi\" \\o/" <jane@example.com>', [(r'Say "hi" \o/', "jane@example.com")]),
        ('"jane@home" <jane@example.com>, bob@example.com', [("jane@home", "jane@example.com"), BOB]),
        ("Jane (ACME) Doe <jane@example.com>", [("Jane (ACME) Doe", "jane@example.com")]),
        ("J. R. Doe <jane@example.com>", [("J. R. Doe", "jane@example.com")]),
        ("=?utf-8?q?Doe=2C_J=C3=A1ne?= <jane@example.com>", [("Doe, Jáne", "jane@example.com")]),
        ("Žofie  Nováková <zofie@example.com>", [("Žofie Nováková", "zofie@example.com")]),
        ('"a..b."@example.com, bob@example.com', [("", '"a..b."@example.com'), BOB]),
        ("o'neil+tag=x@example.com", [("", "o'neil+tag=x@example.com")]),
        ("Bücher <info@bücher.example>", [("Bücher", "info@xn--bcher-kva.example")]),
        ("info@BÜCHER.Example", [("", "info@xn--bcher-kva.example")]),
        ("info@例え。テスト", [("", "info@xn--r8jz45g.xn--zckzah")]),
        ("info@straße.example", [("", "info@xn--strae-oqa.example")]),
        ("root@localhost", [("", "root@localhost")]),
        ("AMY@Example.COM", [("", "AMY@Example.COM")]),
    ],
)
def test_what_is_understood(value: object, people: list[tuple[str, str]]) -> None:
    assert read(value) == people


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (None, "bad_recipient"),
        (7, "bad_recipient"),
        (b"bob@example.com", "bad_recipient"),
        ([None], "bad_recipient"),
        ([["bob@example.com"]], "bad_recipient"),
        ("bob", "bad_recipient"),
        ("Bob, amy@example.com", "bad_recipient"),
        ("bob@", "bad_recipient"),
        ("@example.com", "bad_recipient"),
        ("bob@example.com amy@example.com", "bad_recipient"),
        ("Amy amy@example.com", "bad_recipient"),
        ("bob@example.com Amy <amy@example.com>", "bad_recipient"),
        ('"x" bob@example.com <amy@example.com>', "bad_recipient"),
        ("<bob@example.com> <amy@example.com>", "bad_recipient"),
        ("<bob@example.com> Amy", "bad_recipient"),
        ("bob@example.com: amy@example.com", "bad_recipient"),
        ("Amy <amy@example.com", "bad_recipient"),
        ("Amy <amy@example.com, bob@example.com>", "bad_recipient"),
        ("amy@example.com>", "bad_recipient"),
        ('"Amy <amy@example.com>', "bad_recipient"),
        ("Amy; Bob <bob@example.com>", "bad_recipient"),
        ("bob@example@example.com", "bad_recipient"),
        ("bob..x@example.com", "bad_recipient"),
        (".bob@example.com", "bad_recipient"),
        ("bob@example.com.", "bad_recipient"),
        ("bob@example..com", "bad_recipient"),
        ("bob@-example.com", "bad_recipient"),
        ("bob@example.-com", "bad_recipient"),
        ("bob@[192.0.2.1]", "bad_recipient"),
        ("bob@exam_ple.com", "bad_recipient"),
        (f"{'b' * 65}@example.com", "bad_recipient"),
        (f"b@{'d' * 64}.com", "bad_recipient"),
        (f"{'b' * 64}@{'.'.join(['d' * 61] * 4)}", "bad_recipient"),
        (f"b@{'ü' * 300}.com", "bad_recipient"),
        (f"b@{'ü' * 63}.com", "bad_recipient"),
        ("bob@ex\u200fample.com", "bad_recipient"),
        ("bob@i❤.example", "bad_recipient"),
        ("=?utf-8?q?victim=40?=@example.com", "bad_recipient"),
        ('"bob eve@evil.example"@example.com', "bad_recipient"),
        ('"bob, <amy>"@example.com', "bad_recipient"),
        ("bób@example.com", "smtputf8"),
        ("Bob <用户@example.com>", "smtputf8"),
        ("bob@example.com\nBcc: eve@evil.example", "header_injection"),
        (Address(name="Bob\r\n", address="bob@example.com"), "header_injection"),
        (Address(name="Bob", address="bob@example.com\n"), "header_injection"),
        (Address(name="Bob \ud800", address="bob@example.com"), "bad_header"),
        (Address(address=" bob@example.com"), "bad_recipient"),
        (Address(address="bob@example.com, eve@evil.example"), "bad_recipient"),
        (Address(address="<bob@example.com>"), "bad_recipient"),
        (Address(name="Bob", address=""), "bad_recipient"),
    ],
)
def test_what_is_refused_names_the_parameter_and_nobody(value: object, code: str) -> None:
    with pytest.raises(InvalidMessage) as caught:
        read(value)
    assert caught.value.code == code
    said = str(caught.value)
    assert re.search(r"\bto\b", said)
    assert not re.search(r"\b(?:bob|amy|eve|evil|victim)\b", said, re.IGNORECASE)


@pytest.mark.parametrize(
    "bad", ["bob", "bob@", "bób@example.com", "bob@example.com\n", "bob@a b", None, f"{'b' * 65}@x.com"]
)
def test_of_a_list_the_place_is_told(bad: object) -> None:
    with pytest.raises(InvalidMessage, match=r"\bto\[2\]"):
        read([Address(address="amy@example.com"), "amy@example.com, eve@example.com", bad, "dee@example.com"])


def test_names_are_not_lost_in_a_mapping() -> None:
    with pytest.raises(InvalidMessage, match="a list of them, not dict"):
        read({"bob@example.com": "Bob"})


@pytest.mark.parametrize("address", ["bob@i❤.example", "bob@xn--i-7iq.example"])
def test_a_domain_may_always_be_written_in_its_ascii_form(address: str) -> None:
    if address.isascii():
        assert read(address) == [("", address)]
    else:
        with pytest.raises(InvalidMessage, match="xn--"):
            read(address)


NAMES = st.text(st.characters(codec="ascii", categories=("L", "N", "P", "S", "Zs")), max_size=40).map(
    lambda name: " ".join(name.split())
)


@given(
    st.lists(st.tuples(NAMES, st.from_regex(r"[a-z.]{0,8}[a-z]", fullmatch=True)), max_size=5),
    st.sampled_from([",", ";", " , "]),
)
def test_a_list_that_was_written_is_read(people: list[tuple[str, str]], mark: str) -> None:
    pairs = [(name, f"{local.replace('.', 'x')}@example.com") for name, local in people if "=?" not in name]
    assert read(mark.join(map(formataddr, pairs))) == pairs


@given(st.text(st.sampled_from('ab@.,;:<>()"\\ =?'), max_size=30))
def test_nothing_is_lost_in_any_soup(text: str) -> None:
    try:
        found = read(text)
    except InvalidMessage:
        return
    outside = re.sub(r'"(?:[^"\\]|\\.)*"|\([^()]*\)', "", text)
    assert len(found) >= outside.count("@")


def test_a_long_list_is_read_in_one_pass() -> None:
    people = [(f"Doe, Jane {number}", f"jane{number}@example.com") for number in range(5_000)]
    assert read(", ".join(map(formataddr, people))) == people
    with pytest.raises(InvalidMessage):
        read('"a' * 50_000)
    with pytest.raises(InvalidMessage):
        read("a," * 50_000)
