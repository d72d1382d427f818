"""Letters as Graph's JSON: every member, every request of a send, word for word."""

from __future__ import annotations

import base64
import datetime as dt
import email
import email.policy
import json
from urllib.parse import unquote

import pytest

from mailkit.mime.build import BytesPayload, FilePart
from mailkit.providers.microsoft.dialect import GraphDialect
from mailkit.providers.microsoft.letter_wire import (
    SEND_ID_PROPERTY,
    file_to_wire,
    has_message_id,
    marks_to_wire,
    message_to_wire,
)
from mailkit.providers.microsoft.mail import OutlookDriver
from mailkit.providers.writing import Answers, Attempt, Sent
from mailkit.sandbox.clock import VirtualClock
from mailkit.transport import Session
from mailkit.values import Account, HttpRequest
from tests.support.letters import MESSAGE_ID, SEND_ID, letter, trace
from tests.support.wire import Script, ScriptedTransport, Tokens, reply

NOW = dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC)
ME = "https://graph.microsoft.com/v1.0/me"
HEADERS = [{"name": "X-Mailkit-Send-Id", "value": SEND_ID}]
PROPERTY = [{"id": SEND_ID_PROPERTY, "value": SEND_ID}]
PLANS = {
    "subject": "Plans",
    "body": {"contentType": "text", "content": "Hello."},
    "toRecipients": [{"emailAddress": {"address": "bob@example.com", "name": "Bob"}}],
    "ccRecipients": [],
    "bccRecipients": [],
    "replyTo": [],
    "internetMessageId": MESSAGE_ID,
}
MARKS = {"internetMessageHeaders": HEADERS, "singleValueExtendedProperties": PROPERTY}
NOTE = FilePart(name="a.txt", content_type="text/plain", payload=BytesPayload(b"abc"))
PICTURE = FilePart(name="l.png", content_type="image/png", payload=BytesPayload(b"png"), content_id="logo")


def test_a_letter_of_one_text() -> None:
    assert message_to_wire(letter(NOW)) == PLANS
    assert marks_to_wire(letter(NOW, headers={"X-Mark": "one"})) == {
        **MARKS,
        "internetMessageHeaders": [{"name": "X-Mark", "value": "one"}, *HEADERS],
    }


def test_a_letter_of_everything() -> None:
    given = letter(
        NOW,
        to="a@x.example",
        cc="Cy <c@x.example>",
        bcc="b@x.example",
        reply_to="r@x.example",
        from_="Ann <ann@x.example>",
        html="<p>Hi</p>",
    )
    wire = message_to_wire(given)
    assert wire["body"] == {"contentType": "html", "content": "<p>Hi</p>"}
    assert wire["from"] == {"emailAddress": {"address": "ann@x.example", "name": "Ann"}}
    assert [wire[f"{name}"] for name in ("toRecipients", "bccRecipients", "replyTo")] == [
        [{"emailAddress": {"address": f"{who}@x.example"}}] for who in "abr"
    ]


def test_a_file_is_shown_only_in_html() -> None:
    plain = {"name": "l.png", "contentType": "image/png"}
    assert file_to_wire(letter(NOW), PICTURE) == plain
    shown = letter(NOW, html="<img src='cid:logo'>")
    assert file_to_wire(shown, PICTURE) == {**plain, "isInline": True, "contentId": "logo"}
    assert file_to_wire(shown, NOTE) == {"name": "a.txt", "contentType": "text/plain"}


def test_a_quote_in_a_filter_is_doubled() -> None:
    assert has_message_id("<it's@x>") == "internetMessageId eq '<it''s@x>'"


# -- requests --------------------------------------------------------------------------------------------------------

DRAFT = {"id": "AAkD=", "conversationId": "AAQ=", "internetMessageId": MESSAGE_ID}


def driver(
    *script: Script, scopes: str | None = None, mailbox: str | None = None
) -> tuple[OutlookDriver, list[HttpRequest]]:
    transport = ScriptedTransport(script)
    account = Account(name="work", provider="microsoft", token="t", scopes=scopes, mailbox=mailbox, transport=transport)
    session = Session(account, dialect=GraphDialect(), tokens=Tokens(), clock=VirtualClock(start=NOW))
    return OutlookDriver(session), transport.requests


def asked(requests: list[HttpRequest]) -> list[tuple[str, object]]:
    return [
        (f"{request.method} {request.url.removeprefix(ME)}", json.loads(request.content) if request.content else None)
        for request in requests
    ]


@pytest.mark.anyio
async def test_a_new_mail_request_by_request() -> None:
    outlook, requests = driver(reply(201, DRAFT), reply(201, {}), reply(202))
    sent = await outlook.send(letter(NOW, files=(NOTE,)), Attempt())
    assert sent == Sent(message_id=MESSAGE_ID, id="AAkD=", thread_id="AAQ=", evidence="answer")
    file = {
        "@odata.type": "#microsoft.graph.fileAttachment",
        "name": "a.txt",
        "contentType": "text/plain",
        "contentBytes": "YWJj",
    }
    assert asked(requests) == [
        ("POST /messages", {**PLANS, **MARKS}),
        ("POST /messages/AAkD%3D/attachments", file),
        ("POST /messages/AAkD%3D/send", None),
    ]
    assert all(dict(request.headers)["Prefer"] == 'IdType="ImmutableId"' for request in requests)
    assert dict(requests[-1].headers)["Content-Length"] == "0"


@pytest.mark.anyio
async def test_a_named_mailbox_writes_under_its_address_unless_told_otherwise() -> None:
    for mailbox, from_, expected in (
        ("team@x.example", None, "team@x.example"),
        ("team@x.example", "sales@x.example", "sales@x.example"),
        ("8e0f-id", None, None),
    ):
        outlook, requests = driver(reply(201, DRAFT), reply(202), mailbox=mailbox)
        await outlook.send(letter(NOW, from_=from_), Attempt())
        assert json.loads(requests[0].content).get("from") == (expected and {"emailAddress": {"address": expected}})
        outlook, requests = driver(reply(202), scopes="Mail.Send.Shared", mailbox=mailbox)
        await outlook.send(letter(NOW, from_=from_), Attempt())
        assert email.message_from_bytes(base64.b64decode(requests[0].content))["From"] == expected


@pytest.mark.anyio
async def test_a_forward_request_by_request() -> None:
    begun = {**DRAFT, "hasAttachments": True, "internetMessageId": "<exchange@x>"}
    there = [{"id": "n1", "name": "a", "size": 1}, {"id": "n2", "name": "b", "size": 2}]
    before = [{"id": "o1", "name": "a", "size": 1}, {"id": "o2", "name": "b", "size": 2}]
    outlook, requests = driver(
        reply(201, begun),
        reply(200, DRAFT),
        reply(200, {"value": there}),
        reply(200, {"value": before}),
        reply(204),
        reply(202),
    )
    answers = Answers(kind="forward", id="AAkO=", thread_id="AAQ=", keep=("o2",))
    attempt = Attempt()
    await outlook.send(letter(NOW, answers=answers), attempt)
    listed = "$select=id%2Cname%2CcontentType%2Csize%2CisInline%2Cmicrosoft.graph.fileAttachment%2FcontentId"
    assert asked(requests) == [
        ("POST /messages/AAkO%3D/createForward", {"message": MARKS}),
        ("PATCH /messages/AAkD%3D", {**PLANS, "singleValueExtendedProperties": PROPERTY}),
        (f"GET /messages/AAkD%3D/attachments?{listed}", None),
        (f"GET /messages/AAkO%3D/attachments?{listed}", None),
        ("DELETE /messages/AAkD%3D/attachments/n1", None),
        ("POST /messages/AAkD%3D/send", None),
    ]
    assert attempt.message_id == MESSAGE_ID


@pytest.mark.anyio
async def test_without_drafts_the_whole_message_goes_as_mime() -> None:
    outlook, requests = driver(reply(202), scopes="Mail.Send")
    given = letter(
        NOW,
        html="<p>Hello.</p>",
        bcc="eve@example.com",
        in_reply_to="<1@x>",
        references=("<0@x>", "<1@x>"),
        files=(NOTE,),
    )
    assert await outlook.send(given, Attempt()) == Sent(message_id=MESSAGE_ID)
    (request,) = requests
    assert request.url == f"{ME}/sendMail"
    assert dict(request.headers)["Content-Type"] == "text/plain"
    message = email.message_from_bytes(base64.b64decode(request.content), policy=email.policy.default)
    assert {name: str(message[name]) for name in ("Bcc", "Message-ID", "In-Reply-To", "References")} == {
        "Bcc": "eve@example.com",
        "Message-ID": MESSAGE_ID,
        "In-Reply-To": "<1@x>",
        "References": "<0@x> <1@x>",
    }
    assert [part.get_content_type() for part in message.walk() if not part.is_multipart()] == [
        "text/plain",
        "text/html",
        "text/plain",
    ]


@pytest.mark.anyio
async def test_looking_for_a_mail_request_by_request() -> None:
    rows = {"value": [{"id": "AAkS=", "conversationId": "AAQ=", "internetMessageId": "<new@x>"}]}
    parts = [
        {"id": "0", "status": 200, "headers": {"Content-Type": "application/json"}, "body": {"value": []}},
        {"id": "1", "status": 200, "headers": {"Content-Type": "application/json"}, "body": rows},
        {"id": "2", "status": 404, "body": {"error": {"code": "ErrorItemNotFound", "message": ""}}},
    ]
    outlook, requests = driver(reply(200, {"responses": parts}))
    found = await outlook.find_sent(trace(letter(NOW), draft_id="AAkD="))
    assert found == Sent(message_id="<new@x>", id="AAkS=", thread_id="AAQ=", evidence="send_id")
    (request,) = requests
    urls = [unquote(part["url"]) for part in json.loads(request.content)["requests"]]
    select = "$select=id,conversationId,internetMessageId"
    wanted = f"ep/id eq '{SEND_ID_PROPERTY}' and ep/value eq '{SEND_ID}'"
    assert urls == [
        f"/me/mailFolders/sentitems/messages?$filter=internetMessageId eq '{MESSAGE_ID}'&{select}",
        f"/me/mailFolders/sentitems/messages?$filter=singleValueExtendedProperties/any(ep: {wanted})&{select}",
        "/me/messages/AAkD=?$select=id,isDraft",
    ]
