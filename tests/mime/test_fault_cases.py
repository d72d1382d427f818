"""Mail that other libraries stumbled over, as cases kept elsewhere describe it, read from its bytes and its JSON."""

from __future__ import annotations

import base64
import unicodedata
from typing import Any

import pytest

from mailkit import ParsedMessage, parse_message
from mailkit.providers.google import base64url
from mailkit.providers.google.gmail_parts import attachments_of, body_of, leaves
from tests.support.cases import Case, cases


def only(*ids: str) -> list[Any]:
    return cases("faults.jsonl", lambda case: case["id"] in ids)


def parsed(case: Case) -> ParsedMessage:
    given = case["input"]
    return parse_message(given["raw_latin1"].encode("latin-1") if "raw_latin1" in given else given["raw"].encode())


@pytest.mark.parametrize("case", only("C051"))
def test_base64url_with_and_without_padding(case: Case) -> None:
    decoded = [base64url.decode(text, "$").hex() for text in case["input"]["data_variants"]]
    assert decoded == case["expected"]["decoded_hex"]


@pytest.mark.parametrize("case", only("C054", "C055"))
def test_members_that_gmail_leaves_out(case: Case) -> None:
    parts = list(leaves(case["input"]["gmail_message"]["payload"], "$"))
    body = body_of(parts, "")
    assert body.text == "hi"
    assert body.html == case["expected"]["html"]
    assert attachments_of(parts, body, account="home", message_id="m1") == ()


@pytest.mark.parametrize("case", only("C059", "C080", "C081", "C085", "C088"))
def test_what_the_mail_says(case: Case) -> None:
    message = parsed(case)
    assert message.body.text == case["expected"]["text"]
    assert message.body.html == case["expected"].get("html")
    assert message.attachments == ()


@pytest.mark.parametrize("case", only("C063", "C064", "C087"))
def test_people(case: Case) -> None:
    given = case["input"]
    lines = given.get("headers") or [given["header"]]
    read = [parse_message(line.encode()) for line in lines]
    people = [[*message.to, *message.cc, *([message.from_] if message.from_ else [])] for message in read]
    expected = case["expected"]
    if "addresses" in expected:
        assert [[who.address for who in each] for each in people[:3]] == expected["addresses"][:3]
        assert [(who.name, who.address) for who in people[3]] == [("Mail Delivery", "")]
    elif "from" in expected:
        assert [{"name": who.name, "address": who.address} for who in people[0]] == expected["from"]
    else:
        assert [[who.name, who.address] for who in people[0]] == expected["to"]


@pytest.mark.parametrize("case", only("C065", "C067", "C069", "C071"))
def test_names_of_files(case: Case) -> None:
    given, expected = case["input"], case["expected"]
    (attachment,) = parse_message((given.get("header") or given["part_headers"]).encode() + b"\n\nx").attachments
    wanted = expected.get("filename") or expected["filename_nfc"]
    assert unicodedata.normalize("NFC", attachment.name) == wanted


@pytest.mark.parametrize("case", only("C074"))
def test_an_invitation_among_the_versions(case: Case) -> None:
    message, expected = parsed(case), case["expected"]
    assert (message.body.plain, message.body.html) == (expected["text"], expected["html"])
    (invitation,) = message.attachments
    assert (invitation.content_type, invitation.method) == ("text/calendar", expected["calendar_part"]["method"])
    assert expected["calendar_part"]["uid"].encode() in invitation.content


@pytest.mark.parametrize("case", only("C077", "C084"))
def test_attachments(case: Case) -> None:
    message = parsed(case)
    expected = case["expected"]["attachments"]
    assert [{name: getattr(one, name) for name in expected[0]} for one in message.attachments] == expected
    assert [one.size for one in message.attachments] == [len(one.content) for one in message.attachments]


@pytest.mark.parametrize("case", only("C078"))
def test_winmail_dat_hangs_on_the_mail(case: Case) -> None:
    tnef = b"\x78\x9f\x3e\x22\x00\x01"
    kind = case["input"]["parts"][1]
    parts = [b"\n\nsee attached", b"Content-Type: %s\nContent-Transfer-Encoding: base64\n\n%s"]
    parts[1] %= kind.encode(), base64.encodebytes(tnef)
    raw = b"Content-Type: multipart/mixed; boundary=B\n\n--B" + b"\n--B\n".join(parts) + b"\n--B--"
    message = parse_message(raw)
    assert message.body.text == "see attached"
    assert [(one.name, one.content_type, one.content) for one in message.attachments] == [
        ("winmail.dat", "application/ms-tnef", tnef)
    ]
