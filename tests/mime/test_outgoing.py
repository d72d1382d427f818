"""What a caller hands in is checked when it is handed in."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import attrs
import pytest

from mailkit.errors import InvalidMessage
from mailkit.mime.outgoing import OutgoingFile, OutgoingMessage, read_content_id, read_content_type, read_files
from mailkit.mime.texts import texts_of
from mailkit.values import Address, Ref

REF = Ref(account="work", kind="attachment", id="m1", part="2")


@attrs.frozen
class Row:
    ref: Ref


def test_everything_is_optional() -> None:
    message = OutgoingMessage()
    assert (message.recipients, message.subject, message.files, message.from_) == ((), "", (), None)
    assert repr(message) == object.__repr__(message)


def test_recipients_in_order() -> None:
    message = OutgoingMessage(to="a@x.example, b@x.example", cc=["c@x.example"], bcc=Address(address="d@x.example"))
    assert [each.address[0] for each in message.recipients] == ["a", "b", "c", "d"]


def test_headers_are_pairs_or_a_mapping() -> None:
    assert OutgoingMessage(headers={"X-A": "1"}).headers == (("X-A", "1"),)
    assert OutgoingMessage(headers=[("x-a", "1"), ("X-A", "é")]).headers == (("x-a", "1"), ("X-A", "é"))


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"subject": None}, "bad_header"),
        ({"subject": "a\nb"}, "header_injection"),
        ({"subject": "\ud800"}, "bad_header"),
        ({"text": 7}, "bad_text"),
        ({"text": "a\0b"}, "bad_text"),
        ({"html": "\udc80"}, "bad_text"),
        ({"markdown": "x", "text": "y"}, "bad_text"),
        ({"markdown": "x", "html": "y"}, "bad_text"),
        ({"from_": "a@x.example, b@x.example"}, "bad_sender"),
        ({"from_": ""}, "bad_sender"),
        ({"reply_to": "nobody"}, "bad_recipient"),
        ({"headers": 7}, "bad_header"),
        ({"headers": ["X-A"]}, "bad_header"),
        ({"headers": {"Bcc": "eve@x.example"}}, "bad_header"),
        ({"headers": {"X-A: b": "1"}}, "bad_header"),
        ({"headers": {"X-A\n": "1"}}, "bad_header"),
        ({"headers": {"X-": "1"}}, "bad_header"),
        ({"headers": {f"X-{'a' * 71}": "1"}}, "bad_header"),
        ({"headers": {"X-Mailkit-Send-Id": "1"}}, "bad_header"),
        ({"headers": {"X-A": " "}}, "bad_header"),
        ({"headers": {"X-A": "é" * 451}}, "bad_header"),
        ({"headers": {"X-A": 7}}, "bad_header"),
        ({"headers": {"X-A": "a\rb"}}, "header_injection"),
        ({"files": 7}, "bad_file"),
        ({"files": {"plan.txt": b"at ten"}}, "bad_file"),
        ({"files": [None]}, "bad_file"),
        ({"files": ""}, "bad_file"),
        ({"files": Ref(account="work", kind="message", id="m1")}, "bad_file"),
    ],
)
def test_what_cannot_go_into_a_mail(given: dict[str, Any], code: str) -> None:
    with pytest.raises(InvalidMessage) as caught:
        OutgoingMessage(**given)
    assert caught.value.code == code
    assert "eve" not in str(caught.value)


@pytest.mark.parametrize(
    "value", [b"x", "a.pdf", Path("a.pdf"), REF, io.BytesIO(b"x"), OutgoingFile(content=b"x"), Row(REF), str(REF)]
)
def test_files_in_any_form_alone_or_in_a_list(value: Any) -> None:
    (file,) = read_files(value)
    assert read_files([value, b"x"]) == (file, OutgoingFile(content=b"x"))
    if isinstance(value, Row | str):
        assert file.content in (REF, "a.pdf")


@pytest.mark.parametrize("value", [bytearray(b"at ten"), memoryview(b"at ten")])
def test_bytes_that_may_change_are_taken_as_they_are_now(value: Any) -> None:
    (file,) = OutgoingMessage(files=value).files
    assert type(file.content) is bytes
    assert (file,) == OutgoingMessage(files=[value]).files == (OutgoingFile(content=b"at ten"),)


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\u2028b", 7])
def test_names_that_are_none(name: Any) -> None:
    with pytest.raises(InvalidMessage):
        OutgoingFile(content=b"x", name=name)


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        ("application/pdf", True),
        ("text/calendar; method=REQUEST; charset=UTF-8", True),
        ('text/plain; name="a; b"', True),
        ("pdf", False),
        ("application/pdf\r\nBcc: x", False),
        ("application/pdf;", False),
        ('text/plain; name="a"b"', False),
        ("text/plain; name=\u00e9", False),
        (f"text/plain; x={'a' * 127}; y={'a' * 127}", False),
        (None, False),
    ],
)
def test_content_types(value: object, *, fits: bool) -> None:
    assert read_content_type(value) == (value if fits else None)


@pytest.mark.parametrize(
    ("value", "fits"),
    [("logo", True), ("a.b@c", True), ("", False), ("<a>", False), ("a b", False), ('"', False), (7, False)],
)
def test_content_ids(value: object, *, fits: bool) -> None:
    assert read_content_id(value) == (value if fits else None)


def test_texts() -> None:
    assert texts_of(OutgoingMessage(html="<p>Hi <b>you</b></p>")).text.strip() == "Hi **you**"
    assert texts_of(OutgoingMessage(text="Hi.", html="")).html is None
    assert texts_of(OutgoingMessage(text="", html="<p>x</p>")).text == ""
    assert texts_of(OutgoingMessage()).text == ""
