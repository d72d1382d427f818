from __future__ import annotations

from typing import Any

import pytest

from mailkit.sandbox.microsoft import MicrosoftMailbox
from tests.support.cases import shared_json
from tests.support.graph import Graph

IMMUTABLE = 'IdType="ImmutableId"'


def person(name: str) -> dict[str, Any]:
    return {"emailAddress": {"name": name.title(), "address": f"{name}@example.com"}}


MESSAGE = {
    "id": "G-1",
    "conversationId": "C-1",
    "internetMessageId": "<1@x>",
    "subject": "Hello",
    "body": {"contentType": "html", "content": "<p>Hi</p>"},
    "from": person("bob"),
    "toRecipients": [person("ann")],
    "ccRecipients": [person("carl")],
    "bccRecipients": [],
    "replyTo": [person("desk")],
    "receivedDateTime": "2026-03-01T12:00:00Z",
    "sentDateTime": "2026-03-01T11:00:00Z",
    "isRead": True,
    "importance": "low",
    "inferenceClassification": "other",
    "parentFolderId": "F-alpha",
    "flag": {"flagStatus": "complete"},
    "categories": ["Work"],
    "internetMessageHeaders": [
        {"name": "Message-ID", "value": "<1@x>"},
        {"name": "List-Id", "value": "<dev.lists.example>"},
        {"name": "References", "value": "<0@x>"},
        {"name": "X-Mailer", "value": "hand"},
    ],
    "attachments": [
        {"@odata.type": "#microsoft.graph.fileAttachment", "name": "a.txt", "contentBytes": "aGk=", "isInline": False},
        {"@odata.type": "#microsoft.graph.itemAttachment", "name": "inner", "isInline": False},
        {"@odata.type": "#microsoft.graph.referenceAttachment", "name": "cloud", "isInline": False},
    ],
    "singleValueExtendedProperties": [{"id": "Integer 0x0E08", "value": "4242"}],
}
DATA = {
    "folders": [
        {"id": "F-inbox", "displayName": "Posteingang", "wellKnownName": "inbox", "parentFolderId": "F-root"},
        {"id": "F-projects", "displayName": "Projects", "wellKnownName": None, "parentFolderId": "F-root"},
        {"id": "F-alpha", "displayName": "Alpha", "parentFolderId": "F-projects"},
        {"id": "F-secret", "displayName": "Secret", "parentFolderId": "F-inbox", "isHidden": True},
    ],
    "masterCategories": ["Work", "Unused"],
    "messages": [MESSAGE, {"id": "G-2"}],
}


def test_a_mailbox_written_as_graph_json_is_shown_as_it_was_written(box: MicrosoftMailbox, graph: Graph) -> None:
    assert box.load_graph(DATA) == ["G-1", "G-2"]
    shown = graph.json("/me/messages/G-1", prefer=IMMUTABLE)
    for name in MESSAGE.keys() - {"body", "attachments", "internetMessageHeaders", "singleValueExtendedProperties"}:
        assert shown[name] == MESSAGE[name], name
    assert shown["body"]["content"].endswith("<body><p>Hi</p></body></html>")
    headers = graph.json("/me/messages/G-1", select="internetMessageHeaders")["internetMessageHeaders"]
    assert {header["name"]: header["value"] for header in headers}.items() >= {
        "Message-ID": "<1@x>",
        "List-ID": "<dev.lists.example>",
        "References": "<0@x>",
        "X-Mailer": "hand",
    }.items()
    files = graph.json("/me/messages/G-1/attachments")["value"]
    assert [file["@odata.type"].rpartition(".")[2] for file in files] == [
        "fileAttachment",
        "itemAttachment",
        "referenceAttachment",
    ]
    assert files[0]["contentBytes"] == "aGk="
    size = "singleValueExtendedProperties/any(ep:ep/id eq 'Integer 0x0E08' and cast(ep/value, Edm.Int32) eq 4242)"
    assert graph.subjects(filter=size) == ["Hello"]


def test_folders_and_categories_are_taken_as_written(box: MicrosoftMailbox, graph: Graph) -> None:
    box.load_graph(DATA)
    inbox = graph.json("/me/mailFolders/inbox")
    assert (inbox["id"], inbox["displayName"]) == ("F-inbox", "Posteingang")
    assert graph.subjects("/me/mailFolders/F-alpha/messages") == ["Hello"]
    assert [row["id"] for row in graph.json("/me/mailFolders/F-projects/childFolders")["value"]] == ["F-alpha"]
    assert graph.json("/me/mailFolders/inbox/childFolders")["value"] == []
    assert len(graph.json("/me/mailFolders/inbox/childFolders", includeHiddenFolders="true")["value"]) == 1
    categories = graph.json("/me/outlook/masterCategories")["value"]
    assert [row["displayName"] for row in categories] == ["Work", "Unused"]


def test_what_is_left_out_is_filled_in(box: MicrosoftMailbox, graph: Graph) -> None:
    box.load_graph({"messages": [{"id": "G-2"}]})
    shown = graph.json("/me/messages/G-2", prefer=IMMUTABLE)
    assert shown["parentFolderId"] == graph.json("/me/mailFolders/inbox")["id"]
    assert (shown["subject"], shown["isRead"], shown["importance"]) == ("", False, "normal")


@pytest.mark.cases
@pytest.mark.skipif(shared_json("corpus_graph.json") is None, reason="the cases are not at hand")
def test_the_mailbox_of_the_cases(box: MicrosoftMailbox, graph: Graph) -> None:
    data = shared_json("corpus_graph.json")
    written = {message["id"]: message for message in data["messages"]}
    assert set(box.load_graph(data)) == set(written)
    rows = graph.json("/me/messages", prefer=f'{IMMUTABLE}, outlook.body-content-type="text"', top="1000")["value"]
    assert len(rows) == len(written)
    kept = ("receivedDateTime", "isRead", "isDraft", "hasAttachments", "importance", "parentFolderId", "flag", "body")
    people = ("toRecipients", "ccRecipients", "bccRecipients")
    for row in rows:
        message = written[row["id"]]
        for name in (*kept, *people, "subject", "bodyPreview", "categories", "conversationId", "internetMessageId"):
            assert row[name] == message[name], (row["id"], name)
        assert row.get("from") == message["from"]
