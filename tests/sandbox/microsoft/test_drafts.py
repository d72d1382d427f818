from __future__ import annotations

from email import message_from_bytes
from typing import Any

import pytest

from mailkit.sandbox import Mail, Person
from mailkit.sandbox.microsoft import MicrosoftMailbox
from tests.support.graph import IMMUTABLE, Graph, to

COLOUR = "String {66f5a359-4659-4830-9070-00047ec6ac6e} Name Color"
INVITATION: dict[str, Any] = {
    "subject": "Lunch",
    "importance": "High",
    "body": {"contentType": "HTML", "content": "<p>On <b>Monday</b>?</p>"},
    "toRecipients": [{"emailAddress": {"name": "Bob Ray", "address": "bob@example.com"}}],
    "ccRecipients": to("eve@example.com"),
    "bccRecipients": to("dan@example.com"),
    "replyTo": to("desk@contoso.example"),
    "categories": ["Never listed"],
    "flag": {"flagStatus": "flagged"},
    "isReadReceiptRequested": True,
    "internetMessageId": "<mine@contoso.example>",
    "internetMessageHeaders": [{"name": "X-Mark", "value": "one"}],
    "singleValueExtendedProperties": [{"id": COLOUR, "value": "Green"}],
    "attachments": [
        {
            "@odata.type": "#microsoft.graph.fileAttachment",
            "name": "a.txt",
            "contentType": "text/plain",
            "contentBytes": "aGk=",
        }
    ],
}


def test_a_draft_is_what_was_written(box: MicrosoftMailbox, graph: Graph) -> None:
    made = graph.made("/me/messages", INVITATION)
    assert made["isDraft"] is True
    assert made["isRead"] is True
    assert made["parentFolderId"] == graph.json("/me/mailFolders/drafts")["id"]
    assert (made["subject"], made["importance"], made["internetMessageId"]) == (
        "Lunch",
        "high",
        "<mine@contoso.example>",
    )
    assert made["toRecipients"] == INVITATION["toRecipients"]
    for field, address in (("cc", "eve@example.com"), ("bcc", "dan@example.com")):
        assert [r["emailAddress"]["address"] for r in made[f"{field}Recipients"]] == [address]
    assert [r["emailAddress"]["address"] for r in made["replyTo"]] == ["desk@contoso.example"]
    assert made["body"]["content"].startswith("<html><head>")
    assert "<p>On <b>Monday</b>?</p>" in made["body"]["content"]
    assert made["hasAttachments"] is True
    assert made["isReadReceiptRequested"] is True
    assert made["flag"] == {"flagStatus": "flagged"}
    assert made["categories"] == ["Never listed"]
    assert box.categories == []
    assert graph.json(f"/me/messages/{made['id']}", prefer=IMMUTABLE)["id"] == made["id"]
    parsed = message_from_bytes(graph.get(f"/me/messages/{made['id']}/$value").content)
    assert parsed["X-Mark"] == "one"


def test_an_own_property_is_kept_filtered_by_and_expanded(graph: Graph) -> None:
    made = graph.made("/me/messages", INVITATION)
    graph.made("/me/messages", {"subject": "other"})
    wanted = f"singleValueExtendedProperties/any(ep: ep/id eq '{COLOUR}' and ep/value eq 'Green')"
    assert graph.subjects(filter=wanted) == ["Lunch"]
    assert graph.subjects(filter=wanted.replace("Green", "Red")) == []
    path = f"/me/messages/{made['id']}"
    expand = f"singleValueExtendedProperties($filter=id eq '{COLOUR}')"
    assert graph.json(path, expand=expand)["singleValueExtendedProperties"] == [{"id": COLOUR, "value": "Green"}]
    other = COLOUR.replace("Color", "Shape")
    graph.changed(
        path, {"singleValueExtendedProperties": [{"id": COLOUR, "value": "Red"}, {"id": other, "value": "x"}]}
    )
    assert graph.json(path, expand=expand)["singleValueExtendedProperties"] == [{"id": COLOUR, "value": "Red"}]
    assert graph.refused("PATCH", path, {"singleValueExtendedProperties": [{"id": "mine", "value": "x"}]})[0] == 400


def test_a_draft_made_in_a_folder_is_a_draft_there(box: MicrosoftMailbox, graph: Graph) -> None:
    folder = box.add_folder("Projects/Alpha")
    made = graph.made(f"/me/mailFolders/{folder}/messages", {"subject": "Plan"})
    assert (made["parentFolderId"], made["isDraft"]) == (folder, True)


def test_a_draft_comes_as_mime_too(box: MicrosoftMailbox, graph: Graph) -> None:
    raw = b"Subject: Plan\r\nTo: Bob <bob@example.com>\r\nX-Mark: one\r\n\r\nHello\r\n"
    answer = graph.mime("/me/messages", raw)
    assert answer.status_code == 201
    made = answer.json()
    assert (made["subject"], made["isDraft"], made["bodyPreview"]) == ("Plan", True, "Hello")
    assert graph.get(f"/me/messages/{made['id']}/$value").content == raw
    assert graph.changed(f"/me/messages/{made['id']}", {"subject": "Plan B"})["subject"] == "Plan B"
    again = message_from_bytes(graph.get(f"/me/messages/{made['id']}/$value").content)
    assert (again["Subject"], again["X-Mark"]) == ("Plan B", "one")
    bad = graph.http.post("/me/messages", content=b"***", headers={"content-type": "text/plain"})
    assert bad.json()["error"]["code"] == "ErrorMimeContentInvalidBase64String"


def test_a_draft_changes_and_keeps_its_ids(graph: Graph) -> None:
    made = graph.made("/me/messages", INVITATION)
    later = graph.changed(
        f"/me/messages/{made['id']}",
        {
            "subject": "Dinner",
            "body": {"contentType": "text", "content": "At eight."},
            "toRecipients": to("zoe@example.com"),
            "bccRecipients": [],
            "importance": "low",
            "flag": {"flagStatus": "notFlagged"},
            "isReadReceiptRequested": False,
            "from": to("ann.lee@contoso.example")[0],
            "inferenceClassification": "other",
        },
    )
    assert [later[name] for name in ("id", "conversationId", "internetMessageId")] == [
        made[name] for name in ("id", "conversationId", "internetMessageId")
    ]
    assert later["changeKey"] != made["changeKey"]
    assert (later["subject"], later["bodyPreview"], later["importance"]) == ("Dinner", "At eight.", "low")
    assert later["toRecipients"][0]["emailAddress"]["address"] == "zoe@example.com"
    assert later["bccRecipients"] == []
    assert later["ccRecipients"] == made["ccRecipients"]
    assert (later["flag"]["flagStatus"], later["isReadReceiptRequested"]) == ("notFlagged", False)
    assert later["from"]["emailAddress"]["address"] == "ann.lee@contoso.example"
    assert later["inferenceClassification"] == "other"


def test_what_is_null_is_taken_away(graph: Graph) -> None:
    made = graph.made("/me/messages", INVITATION)
    nothing = dict.fromkeys(("subject", "body", "toRecipients", "from", "importance", "flag", "isReadReceiptRequested"))
    later = graph.changed(f"/me/messages/{made['id']}", nothing)
    assert (later["subject"], later["bodyPreview"], later["toRecipients"], later["importance"]) == (
        "",
        "",
        [],
        "normal",
    )
    assert (later["flag"]["flagStatus"], later["isReadReceiptRequested"], "from" in later) == (
        "notFlagged",
        False,
        False,
    )


def test_of_mail_that_came_only_the_marks_change(box: MicrosoftMailbox, graph: Graph) -> None:
    path = f"/me/messages/{box.add(Mail(subject='Hello', from_=Person('Amy', 'amy@example.net'), text='hi'))}"
    marks: dict[str, object] = {
        "isRead": True,
        "categories": ["Work"],
        "importance": "high",
        "flag": {"flagStatus": "complete"},
    }
    later = graph.changed(path, marks)
    assert {name: later[name] for name in marks} == marks
    for name, value in INVITATION.items():
        if name not in {*marks, "singleValueExtendedProperties"}:
            assert graph.refused("PATCH", path, {name: value}) == (400, "ErrorInvalidPropertySet"), name
    assert graph.refused("PATCH", path, {"isDraft": True}) == (400, "ErrorInvalidPropertySet")
    assert graph.json(path)["subject"] == "Hello"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"flavour": "sweet"}, "RequestBodyRead"),
        ({"subject": 5}, "RequestBodyRead"),
        ({"toRecipients": "bob@example.com"}, "RequestBodyRead"),
        ({"toRecipients": [{"address": "bob@example.com"}]}, "RequestBodyRead"),
        ({"toRecipients": [{"emailAddress": {"address": 5}}]}, "RequestBodyRead"),
        ({"importance": "urgent"}, "RequestBodyRead"),
        ({"body": "text"}, "RequestBodyRead"),
        ({"body": {"contentType": "markdown", "content": "x"}}, "RequestBodyRead"),
        ({"isRead": "yes"}, "RequestBodyRead"),
        ({"flag": {"flagStatus": "purple"}}, "RequestBodyRead"),
        ({"singleValueExtendedProperties": ["x"]}, "RequestBodyRead"),
        ({"subject": "a\r\nBcc: eve@example.com"}, "ErrorInvalidArgument"),
        ({"attachments": ["x"]}, "RequestBodyRead"),
        ({"attachments": [{"@odata.type": "#microsoft.graph.fileAttachment", "name": "a"}]}, "ErrorInvalidRequest"),
        ({"attachments": [{"@odata.type": "#microsoft.graph.fileAttachment"}]}, "ErrorInvalidRequest"),
        ({"internetMessageHeaders": []}, "InvalidInternetMessageHeaderCollection"),
        (
            {"internetMessageHeaders": [{"name": f"x-{n}", "value": "v"} for n in range(6)]},
            "InvalidInternetMessageHeaderCollection",
        ),
        ({"internetMessageHeaders": [{"name": "References", "value": "<a@b>"}]}, "InvalidInternetMessageHeader"),
        (
            {"internetMessageHeaders": [{"name": "x-a", "value": "v\r\nBcc: eve@example.com"}]},
            "InvalidInternetMessageHeader",
        ),
    ],
)
def test_drafts_that_are_refused(box: MicrosoftMailbox, graph: Graph, body: dict[str, Any], code: str) -> None:
    assert graph.refused("POST", "/me/messages", body) == (400, code)
    assert len(box) == 0


def test_bodies_that_are_none(graph: Graph) -> None:
    for content, kind, status in (
        (b"", "application/json", 400),
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"subject=x", "application/x-www-form-urlencoded", 415),
    ):
        answer = graph.http.post("/me/messages", content=content, headers={"content-type": kind})
        assert answer.status_code == status


def test_what_can_only_be_read_is_passed_over_at_creation(graph: Graph) -> None:
    made = graph.made("/me/messages", {"subject": "x", "isDraft": False, "sentDateTime": "2020-01-01T00:00:00Z"})
    assert made["isDraft"] is True
    assert made["sentDateTime"] == "2026-03-16T09:00:00Z"


def test_four_megabytes_are_the_most(graph: Graph) -> None:
    answer = graph.write("POST", "/me/messages", {"body": {"contentType": "text", "content": "x" * 4_000_000}})
    assert answer.status_code == 413
    part = {"id": "1", "method": "POST", "url": "/me/messages", "headers": {"Content-Type": "application/json"}}
    assert graph.batch({**part, "body": {"subject": "x" * 4_000_000}}).status_code == 413


def test_a_deleted_message_is_nowhere(box: MicrosoftMailbox, graph: Graph) -> None:
    draft = graph.made("/me/messages", {"subject": "Plan"})["id"]
    other = box.add(Mail(subject="Hello"))
    assert graph.write("DELETE", f"/me/messages/{draft}").status_code == 204
    assert graph.write("POST", f"/me/messages/{other}/permanentDelete").status_code == 204
    assert graph.subjects() == []
    for key in (draft, other):
        assert graph.refused("DELETE", f"/me/messages/{key}") == (404, "ErrorItemNotFound")
