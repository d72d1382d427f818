from __future__ import annotations

from collections.abc import Callable
from email import message_from_bytes
from email.message import Message
from typing import Any

import httpx
import pytest

from mailkit.sandbox import Fault, Mail, Person, Sandbox, VirtualClock
from mailkit.sandbox.microsoft import MicrosoftMailbox
from tests.support.graph import IMMUTABLE, Graph, to

BOB = "bob@fabrikam.example"
LUNCH: dict[str, Any] = {
    "subject": "Lunch",
    "body": {"contentType": "HTML", "content": "<p>On <b>Monday</b>?</p>"},
    "toRecipients": to(BOB),
    "bccRecipients": to("dan@example.com"),
    "internetMessageHeaders": [{"name": "x-mark", "value": "one"}],
}


@pytest.fixture
def bob(sandbox: Sandbox) -> MicrosoftMailbox:
    return sandbox.microsoft(BOB, name="Bob Ray")


def _send_at_once(graph: Graph, message: dict[str, Any]) -> None:
    assert graph.write("POST", "/me/sendMail", {"message": message}).status_code == 202


def _send_as_draft(graph: Graph, message: dict[str, Any]) -> None:
    made = graph.made("/me/messages", message)
    assert graph.write("POST", f"/me/messages/{made['id']}/send").status_code == 202


WAYS = [_send_at_once, _send_as_draft]


@pytest.mark.parametrize("send", WAYS)
def test_what_is_sent_lies_in_sent_items_and_arrives(
    sandbox: Sandbox,
    box: MicrosoftMailbox,
    graph: Graph,
    bob: MicrosoftMailbox,
    send: Callable[[Graph, dict[str, Any]], None],
) -> None:
    send(graph, LUNCH)
    (sent,) = graph.json("/me/mailFolders/sentitems/messages")["value"]
    assert (sent["isDraft"], sent["isRead"], sent["from"]["emailAddress"]) == (
        False,
        True,
        {"name": "Ann Lee", "address": "ann@contoso.example"},
    )
    assert [r["emailAddress"]["address"] for r in sent["bccRecipients"]] == ["dan@example.com"]
    assert graph.subjects("/me/mailFolders/drafts/messages") == []
    (arrived,) = bob
    assert (arrived.mail.folder, arrived.mail.read, arrived.mail.bcc) == ("inbox", False, ())
    assert arrived.mail.message_id == sent["internetMessageId"]
    assert arrived.mail.from_ == Person("Ann Lee", "ann@contoso.example")
    assert "<p>On <b>Monday</b>?</p>" in (arrived.mail.html or "")
    assert (arrived.mail.text or "").strip() == "On Monday?"
    assert ("x-mark", "one") in arrived.mail.headers
    assert b"dan@" not in arrived.raw
    (posted,) = sandbox.sent
    assert posted.recipients == (BOB, "dan@example.com")
    assert [mail.recipients for mail in sandbox.outbox] == [("dan@example.com",)]


def test_the_headers_of_the_sent_copy_are_in_its_mime_alone(
    box: MicrosoftMailbox, graph: Graph, bob: MicrosoftMailbox
) -> None:
    _send_at_once(graph, LUNCH)
    (sent,) = graph.json("/me/messages", select="internetMessageHeaders")["value"]
    copy = graph.made(f"/me/messages/{sent['id']}/copy", {"destinationId": "archive"})
    for key in (sent["id"], copy["id"]):
        path = f"/me/messages/{key}"
        assert "internetMessageHeaders" not in graph.json(path, select="internetMessageHeaders")
        assert message_from_bytes(graph.get(f"{path}/$value").content)["x-mark"] == "one"
    box.shows_sent_headers = True
    shown = graph.json(f"/me/messages/{sent['id']}", select="internetMessageHeaders")["internetMessageHeaders"]
    assert {"name": "x-mark", "value": "one"} in shown


def test_a_copy_is_kept_unless_it_is_not_wanted(sandbox: Sandbox, graph: Graph) -> None:
    assert graph.write("POST", "/me/sendMail", {"Message": LUNCH, "SaveToSentItems": False}).status_code == 202
    assert graph.subjects() == []
    assert len(sandbox.sent) == 1
    assert graph.refused("POST", "/me/sendMail", {"message": LUNCH, "saveToSentItems": "no"})[0] == 400
    assert graph.refused("POST", "/me/sendMail", {"note": LUNCH}) == (400, "RequestBodyRead")
    assert graph.refused("POST", "/me/sendMail", {}) == (400, "RequestBodyRead")
    assert len(sandbox.sent) == 1


def test_mime_is_sent_as_it_is(sandbox: Sandbox, graph: Graph, bob: MicrosoftMailbox) -> None:
    raw = (
        b"From: Ann <ann@contoso.example>\r\nTo: bob@fabrikam.example\r\nBcc: dan@example.com\r\nSubject: Plan\r\n"
        b"Message-ID: <mine@contoso.example>\r\nList-Unsubscribe: <https://x.example>\r\n\r\nHello\r\n"
    )
    assert graph.mime("/me/sendMail", raw).status_code == 202
    (sent,) = graph.json("/me/mailFolders/sentitems/messages")["value"]
    assert sent["internetMessageId"] == "<mine@contoso.example>"
    (arrived,) = bob
    assert arrived.raw.endswith(raw.replace(b"Bcc: dan@example.com\r\n", b""))
    assert graph.mime("/me/sendMail", b"To: bob@fabrikam.example\r\n\r\nHello\r\n").status_code == 202
    bare: Message = message_from_bytes(sandbox.sent[-1].raw)
    assert bare["From"] == "ann@contoso.example"
    assert bare["Date"]
    assert bare["Message-ID"] == sandbox.sent[-1].message_id
    assert graph.mime("/me/sendMail", b"From: eve@example.com\r\nTo: a@b.example\r\n\r\n").status_code == 403


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"toRecipients": [], "bccRecipients": []}, (400, "ErrorInvalidRecipients")),
        ({"toRecipients": to("bob")}, (400, "ErrorInvalidRecipients")),
        ({"toRecipients": to("a@b.example;c@d.example")}, (400, "ErrorInvalidRecipients")),
        ({"from": to("boss@contoso.example")[0]}, (403, "ErrorSendAsDenied")),
        ({"sender": to("boss@contoso.example")[0]}, (403, "ErrorSendAsDenied")),
    ],
)
def test_mail_that_is_not_accepted(
    sandbox: Sandbox, graph: Graph, change: dict[str, Any], refusal: tuple[int, str]
) -> None:
    assert graph.refused("POST", "/me/sendMail", {"message": LUNCH | change}) == refusal
    made = graph.made("/me/messages", LUNCH | change)
    assert graph.refused("POST", f"/me/messages/{made['id']}/send") == refusal
    assert graph.json(f"/me/messages/{made['id']}")["isDraft"] is True
    assert sandbox.sent == []


def test_an_alias_may_write(graph: Graph, bob: MicrosoftMailbox) -> None:
    _send_as_draft(graph, LUNCH | {"from": to("Ann.Lee@contoso.example")[0], "isReadReceiptRequested": True})
    (arrived,) = bob
    assert arrived.mail.from_ == Person("Ann Lee", "Ann.Lee@contoso.example")
    assert ("Disposition-Notification-To", "Ann.Lee@contoso.example") in arrived.mail.headers


def test_the_immutable_id_of_a_draft_is_that_of_the_sent_mail(box: MicrosoftMailbox, graph: Graph) -> None:
    made = graph.made("/me/messages", LUNCH)
    moving = graph.json(f"/me/messages/{made['id']}")["id"]
    assert graph.write("POST", f"/me/messages/{made['id']}/send").status_code == 202
    sent = graph.json(f"/me/messages/{made['id']}", prefer=IMMUTABLE)
    assert (sent["id"], sent["conversationId"], sent["isDraft"]) == (made["id"], made["conversationId"], False)
    assert sent["parentFolderId"] == graph.json("/me/mailFolders/sentitems")["id"]
    assert graph.refusal(f"/me/messages/{moving}") == (404, "ErrorItemNotFound")
    assert graph.refused("POST", f"/me/messages/{made['id']}/send") == (400, "ErrorInvalidItemForOperationSendItem")


def test_or_it_is_not(box: MicrosoftMailbox, graph: Graph) -> None:
    box.keeps_ids_on_send = False
    made = graph.made("/me/messages", LUNCH)
    assert graph.write("POST", f"/me/messages/{made['id']}/send").status_code == 202
    assert graph.refused("POST", f"/me/messages/{made['id']}/send") == (404, "ErrorItemNotFound")
    wanted = f"internetMessageId eq '{made['internetMessageId']}'"
    (sent,) = graph.json("/me/messages", filter=wanted, prefer=IMMUTABLE)["value"]
    assert sent["id"] != made["id"]
    assert sent["conversationId"] == made["conversationId"]


def test_the_copy_may_lag_behind_the_mail(
    sandbox: Sandbox, box: MicrosoftMailbox, graph: Graph, bob: MicrosoftMailbox
) -> None:
    box.sent_lag = 30
    made = graph.made("/me/messages", LUNCH)
    moving = graph.json(f"/me/messages/{made['id']}")["id"]
    assert graph.write("POST", f"/me/messages/{made['id']}/send").status_code == 202
    wanted = f"internetMessageId eq '{made['internetMessageId']}'"
    assert len(bob) == 1
    assert graph.subjects(filter=wanted) == []
    for key in (made["id"], moving):
        assert graph.refusal(f"/me/messages/{key}") == (404, "ErrorItemNotFound")
    assert graph.json("/me/mailFolders/sentitems")["totalItemCount"] == 0
    assert isinstance(sandbox.clock, VirtualClock)
    sandbox.clock.advance(30)
    assert graph.subjects(filter=wanted) == ["Lunch"]
    sent = graph.json(f"/me/messages/{made['id']}")
    assert graph.json(f"/me/messages/{sent['id']}")["subject"] == "Lunch"


def test_mail_goes_between_the_providers(sandbox: Sandbox, box: MicrosoftMailbox, graph: Graph) -> None:
    gmail = sandbox.google("cat@example.com")
    _send_at_once(graph, LUNCH | {"toRecipients": to("cat@example.com", "ann@contoso.example")})
    (arrived,) = gmail
    assert arrived.mail.subject == "Lunch"
    assert sorted(entry.mail.folder for entry in box) == ["inbox", "sent"]


FAULTS = [
    (Fault.reset(before=True, operation="messages.send"), 0),
    (Fault.server_error(502, operation="messages.send"), 0),
    (Fault.reset(operation="messages.send"), 1),
    (Fault.server_error(504, operation="messages.send", takes_effect=True), 1),
    (Fault.reset(operation="messages.send", takes_effect=False), 0),
    (Fault.server_error(503, operation="messages.create", takes_effect=True), 0),
]


@pytest.mark.parametrize(("fault", "arrives"), FAULTS)
def test_every_phase_can_go_wrong(
    sandbox: Sandbox, box: MicrosoftMailbox, graph: Graph, fault: Fault, arrives: int
) -> None:
    box.script(fault)
    with pytest.raises((AssertionError, httpx.TransportError)):
        _send_as_draft(graph, LUNCH)
    assert len(sandbox.sent) == arrives
    assert [entry.mail.folder for entry in box] == ["sent" if arrives else "drafts"]


def test_another_mailbox_is_written_from_under_its_name(sandbox: Sandbox, graph: Graph, bob: MicrosoftMailbox) -> None:
    message = {"message": LUNCH}
    assert graph.write("POST", "/users/ann@contoso.example/sendMail", message).status_code == 202
    assert graph.refused("POST", "/users/eve@contoso.example/sendMail", message) == (404, "ErrorInvalidUser")
    assert len(bob) == 1


WRITES: dict[str, list[tuple[str, str, dict[str, Any] | None]]] = {
    "mail.readwrite": [
        ("POST", "/me/messages", {"subject": "x"}),
        ("PATCH", "/me/messages/{id}", {"isRead": True}),
        ("POST", "/me/messages/{id}/createReply", None),
        ("POST", "/me/messages/{id}/createForward", None),
        ("POST", "/me/messages/{id}/copy", {"destinationId": "archive"}),
        (
            "POST",
            "/me/messages/{id}/attachments",
            {"@odata.type": "#microsoft.graph.fileAttachment", "name": "a", "contentBytes": ""},
        ),
        ("POST", "/me/mailFolders", {"displayName": "New"}),
        ("DELETE", "/me/messages/{id}", None),
    ],
    "mail.send": [
        ("POST", "/me/sendMail", {"message": LUNCH}),
        ("POST", "/me/messages/{id}/reply", {"comment": "yes"}),
        ("POST", "/me/messages/{id}/replyAll", {"comment": "yes"}),
        ("POST", "/me/messages/{id}/forward", {"comment": "fyi", "toRecipients": to(BOB)}),
        ("POST", "/me/messages/{draft}/send", None),
    ],
    "mailboxsettings.readwrite": [("POST", "/me/outlook/masterCategories", {"displayName": "New"})],
}


@pytest.mark.parametrize(
    ("scopes", "granted"),
    [
        (["Mail.Read", "MailboxSettings.Read"], set()),
        (["Mail.ReadWrite"], {"mail.readwrite"}),
        (["Mail.Send"], {"mail.send"}),
        (["MailboxSettings.ReadWrite"], {"mailboxsettings.readwrite"}),
        (None, set(WRITES)),
    ],
)
def test_each_change_needs_its_permission(scopes: list[str] | None, granted: set[str]) -> None:
    sandbox = Sandbox()
    box = sandbox.microsoft("ann@contoso.example", scopes=scopes)
    key = box.add(Mail(from_=Person("Bob", BOB)))
    draft = box.add(Mail(folder="drafts", to=Person("Bob", BOB)))
    graph = Graph(sandbox, box.token)
    with graph.http:
        for scope in sorted(WRITES, reverse=True):
            for method, path, body in WRITES[scope]:
                answer = graph.write(method, path.format(id=key, draft=draft), body)
                assert answer.is_success is (scope in granted), (path, answer.text)
                if answer.is_error:
                    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "ErrorAccessDenied")
