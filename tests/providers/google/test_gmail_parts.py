"""The tree of parts: what is the text, what hangs on it."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from mailkit.models.body import Body
from mailkit.models.mail import Attachment
from mailkit.providers.google.gmail_parts import attachments_of, body_of, leaves
from mailkit.values import Ref
from tests.providers.google.samples import b64

Tree = dict[str, Any]


def read(payload: Tree, fetched: dict[str, bytes] | None = None) -> tuple[Body, tuple[Attachment, ...]]:
    parts = list(leaves(payload, "$.payload"))
    body = body_of(parts, "", fetched or {})
    return body, attachments_of(parts, body, account="home", message_id="m1")


def leaf(kind: str, data: bytes | None = b"", name: str = "", **headers: str) -> Tree:
    body: Tree = {"size": len(data)} if data is not None else {"size": 9, "attachmentId": "ANG1"}
    if data:
        body["data"] = b64(data)
    named = [{"name": key.replace("_", "-").title(), "value": value} for key, value in headers.items()]
    return {"mimeType": kind, "filename": name, "headers": named, "body": body}


def many(kind: str, *parts: Tree) -> Tree:
    return {"mimeType": f"multipart/{kind}", "filename": "", "body": {"size": 0}, "parts": list(parts)}


PLAIN = leaf("text/plain", b"plain")
HTML = leaf("text/html", b"<p>html</p>")
BOTH = many("alternative", PLAIN, HTML)
MORE = leaf("text/plain", b"<more>")
PIC = leaf("image/png", None, "i.png")
PDF = leaf("application/pdf", None, "a.pdf", content_disposition='attachment; filename="a.pdf"')


@pytest.mark.parametrize(
    ("payload", "plain", "html", "names"),
    [
        ({"mimeType": "text/plain", "body": {"size": 2, "data": "aGk"}}, "hi", None, []),
        (HTML, None, "<p>html</p>", []),
        (BOTH, "plain", "<p>html</p>", []),
        (many("alternative", leaf("text/plain"), HTML), "", "<p>html</p>", []),
        (many("mixed", BOTH, PDF), "plain", "<p>html</p>", ["a.pdf"]),
        (many("alternative", PLAIN, many("related", HTML, PIC)), "plain", "<p>html</p>", ["i.png"]),
        # a mailing list's footer behind the mail, as plain text only
        (many("mixed", BOTH, MORE), "plain\n<more>", "<p>html</p>\n<pre>&lt;more&gt;</pre>", []),
        # HTML first, then plain text: the plain text alone would hide the mail
        (many("mixed", HTML, MORE), "html\n<more>", "<p>html</p>\n<pre>&lt;more&gt;</pre>", []),
        # text around a picture
        (many("mixed", PLAIN, PIC, MORE), "plain\n<more>", None, ["i.png"]),
        (many("alternative", PLAIN, many("mixed", HTML, PDF, HTML)), "plain", "<p>html</p>\n<p>html</p>", ["a.pdf"]),
        # a text with a name, or called an attachment, hangs on the mail
        (many("mixed", PLAIN, leaf("text/plain", b"log", "x.log")), "plain", None, ["x.log"]),
        (many("mixed", PLAIN, leaf("text/html", b"<p>", "", content_disposition="Attachment")), "plain", None, [""]),
        # an invitation is never the text
        (many("alternative", PLAIN, HTML, leaf("text/calendar", b"BEGIN:VCALENDAR")), "plain", "<p>html</p>", [""]),
        # the whole mail is a picture
        (leaf("image/png", None, "shot.png", content_disposition="attachment"), None, None, ["shot.png"]),
        # what is inside an attached message is its own affair
        (many("mixed", PLAIN, {**leaf("message/rfc822", None, "m.eml"), "parts": [HTML]}), "plain", None, ["m.eml"]),
        (many("mixed"), None, None, []),
        # a boundary that never comes: nothing to take apart, and still what the mail says
        (leaf("multipart/mixed", b"--x\n\nHello"), "--x\n\nHello", None, []),
        (many("mixed", leaf("multipart/alternative", b"Hello"), PDF), "Hello", None, ["a.pdf"]),
        ({"parts": [PLAIN]}, "plain", None, []),
        ({}, None, None, []),
    ],
)  # fmt: skip
def test_text_and_attachments(payload: Tree, plain: str | None, html: str | None, names: list[str]) -> None:
    body, attachments = read(payload)
    assert (body.plain, body.html) == (plain, html)
    assert [attachment.name for attachment in attachments] == names


@pytest.mark.parametrize(
    ("data", "content_type", "text"),
    [
        ("é".encode(), "text/plain; charset=iso-8859-1", "é"),
        (b"\xe9", "text/plain; charset=iso-8859-1", "é"),
        (b"\xf9\xec", "text/plain; charset=iso-8859-8-i", "של"),
        (b"\x1b$B$3$s\x1b(B", 'text/plain; charset="ISO-2022-JP"', "こん"),
        ("\x1b[1mé".encode(), "text/plain; charset=utf-8", "\x1b[1mé"),
        (b"m\xe9", "text/plain; charset=x-unknown", "mé"),
        (b"m\xe9", "text/plain", "mé"),
    ],
)
def test_the_text_whatever_the_header_calls_it(data: bytes, content_type: str, text: str) -> None:
    assert read(leaf("text/plain", data, content_type=content_type))[0].plain == text


def test_a_body_not_yet_decoded_is_as_good_as_one_that_is() -> None:
    body, _ = read(many("alternative", PLAIN, HTML))
    decoded = Body(plain="plain", html="<p>html</p>", snippet=body.snippet)
    assert body == decoded == Body.from_dict(json.loads(json.dumps(body.to_dict()))) == pickle.loads(pickle.dumps(body))
    assert hash(body) == hash(decoded)


SHOWN = leaf("text/html", b'<img src="cid:Part%2E1@x">')


@pytest.mark.parametrize(
    ("html", "headers", "inline"),
    [
        (HTML, {"content_id": "<f_1>", "content_disposition": "attachment"}, False),  # Gmail gives every file one
        (SHOWN, {"content_id": "<part.1@X>", "content_disposition": "attachment"}, True),
        (SHOWN, {"content_id": "<part.1@x>"}, True),
        (HTML, {"content_id": "<part.1@x>", "content_disposition": "inline; filename=i.png"}, True),
        (HTML, {"content_disposition": "inline; filename=i.png"}, False),  # Apple shows every file in place
        (SHOWN, {"content_id": "<>"}, False),
    ],
)
def test_what_belongs_to_the_html(html: Tree, headers: dict[str, str], inline: bool) -> None:
    _, (attachment,) = read(many("related", html, leaf("image/png", None, "i.png", **headers)))
    assert attachment.inline is inline


def test_every_part_has_an_address_of_its_own() -> None:
    payload = many("mixed", leaf("image/png", None), leaf("message/rfc822", None), PDF, PDF)
    _, attachments = read(payload)
    assert [(a.ref.part, a.name) for a in attachments] == [
        ("0", ""),
        ("1", "attachment.eml"),
        ("2", "a.pdf"),
        ("3", "a.pdf"),
    ]
    payload["parts"][1]["partId"] = "7"
    assert read(payload)[1][1].ref.part == "7"


def test_the_whole_mail_as_a_file_has_an_address_too() -> None:
    _, (attachment,) = read(leaf("image/png", None, "shot.png"))
    assert attachment.ref.part == ""
    assert Ref.parse(str(attachment.ref)) == attachment.ref


def test_a_part_is_known_again_by_its_id_not_by_the_attachment_id() -> None:
    first, second = (leaf("application/pdf", None, "a.pdf") for _ in range(2))
    second["body"]["attachmentId"] = "ANG2"
    assert read(many("mixed", first))[1] == read(many("mixed", second))[1]


def test_an_empty_file_is_an_attachment() -> None:
    _, (attachment,) = read(many("mixed", PLAIN, leaf("text/plain", b"", "empty.txt")))
    assert (attachment.name, attachment.size) == ("empty.txt", 0)


def test_an_encoded_name_is_read() -> None:
    _, (attachment,) = read(many("mixed", leaf("application/pdf", None, "=?utf-8?Q?caf=C3=A9.pdf?=")))
    assert attachment.name == "café.pdf"


def test_a_long_text_is_the_text_once_it_is_fetched() -> None:
    payload = many("alternative", leaf("text/plain", None), HTML)
    assert read(payload) == (Body(html="<p>html</p>"), ())
    assert read(payload, {"0": b"long"}) == (Body(plain="long", html="<p>html</p>"), ())


@pytest.mark.parametrize(
    ("part", "withheld"),
    [
        ({"mimeType": "message/rfc822", "body": {"size": 0}}, True),
        ({"mimeType": "application/pdf", "body": {"size": 3}}, True),
        ({"mimeType": "application/pdf", "body": {"size": 0}}, False),
        ({"mimeType": "application/pdf", "body": {"size": 3, "data": "YWJj"}}, False),
        ({"mimeType": "message/rfc822", "body": {"size": 3, "attachmentId": "A"}}, False),
    ],
)
def test_bytes_that_gmail_keeps_to_itself(part: Tree, withheld: bool) -> None:
    (read_part,) = leaves(part, "$")
    assert read_part.is_withheld is withheld
