"""Graph's JSON becomes records; what is missing is empty, what is wrong is named by its path."""

from __future__ import annotations

import datetime as dt
import json
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.errors import BadPayload
from mailkit.models.mail import Message, MessageSummary
from mailkit.providers.microsoft.mail_wire import (
    attachment_from_wire,
    candidate_from_wire,
    message_from_wire,
    summary_from_wire,
)
from mailkit.providers.wire import Wire
from mailkit.query.graph_mailbox import GraphFolder, GraphMailbox
from mailkit.values import Address, Ref

MAILBOX = GraphMailbox(
    folders=(
        GraphFolder(id="F-inbox", path="Inbox", role="inbox"),
        GraphFolder(id="F-news", path="Inbox/News", parent_id="F-inbox"),
        GraphFolder(id="F-trash", path="Deleted Items", role="trash"),
        GraphFolder(id="F-old", path="Deleted Items/Old", parent_id="F-trash"),
    ),
    categories=None,
)

# As https://learn.microsoft.com/graph/api/message-get shows one, with every member that is read.
WHOLE: dict[str, object] = {
    "@odata.etag": 'W/"CQAAABYAAAB4"',
    "id": "AAMkAGI2THVSAAA=",
    "conversationId": "AAQkAGI2yEto=",
    "internetMessageId": "<budget-2@contoso.example>",
    "subject": "Re: Budget",
    "bodyPreview": "The budget is attached.",
    "from": {"emailAddress": {"name": "Adele Vance", "address": "AdeleV@contoso.example"}},
    "toRecipients": [{"emailAddress": {"name": "mia@contoso.example", "address": "mia@contoso.example"}}],
    "ccRecipients": [{"emailAddress": {"name": "Board", "address": ""}}, {"emailAddress": {}}],
    "bccRecipients": [],
    "replyTo": [{"emailAddress": {"name": "Office", "address": "office@contoso.example"}}],
    "receivedDateTime": "2026-03-05T15:40:12Z",
    "sentDateTime": "2026-03-05T16:40:11+01:00",
    "hasAttachments": True,
    "importance": "high",
    "isRead": False,
    "isDraft": False,
    "flag": {"flagStatus": "flagged"},
    "categories": ["Finance"],
    "parentFolderId": "F-news",
    "body": {"contentType": "html", "content": "<p>The budget is <b>attached</b>.</p>"},
    "internetMessageHeaders": [
        {"name": "In-Reply-To", "value": "<budget-1@contoso.example>"},
        {"name": "References", "value": "<budget-0@contoso.example>\r\n <budget-1@contoso.example>"},
        {"name": "List-Id", "value": "<finance.contoso.example>"},
    ],
    "attachments": [
        {
            "@odata.type": "#microsoft.graph.fileAttachment",
            "id": "ATT1=",
            "name": "budget.pdf",
            "contentType": "application/pdf",
            "size": 1234,
            "isInline": False,
            "contentId": "<cid-1>",
        },
        {"@odata.type": "#microsoft.graph.itemAttachment", "id": "ATT2=", "name": "Old mail", "contentType": None},
        {"@odata.type": "#microsoft.graph.referenceAttachment", "id": "ATT3=", "name": "Plan.docx"},
    ],
    "singleValueExtendedProperties": [{"id": "Integer 0xe08", "value": "20480"}],
}
BARE = {"id": "M1", "conversationId": "C1", "receivedDateTime": "2026-03-05T15:40:12Z"}


def summary(item: Wire) -> MessageSummary:
    return summary_from_wire(item, "value[0]", account="work", mailbox=MAILBOX)


def message(item: Wire) -> Message:
    return message_from_wire(item, "$", account="work", mailbox=MAILBOX)


def test_a_row_says_who_what_when_and_where() -> None:
    row = summary(WHOLE)
    assert row == MessageSummary(
        ref=Ref(account="work", kind="message", id="AAMkAGI2THVSAAA="),
        thread=Ref(account="work", kind="thread", id="AAQkAGI2yEto="),
        message_id="<budget-2@contoso.example>",
        from_=Address(name="Adele Vance", address="AdeleV@contoso.example"),
        to=(Address(address="mia@contoso.example"),),  # Graph's name is only the address again
        cc=(Address(name="Board", address=""),),
        subject="Re: Budget",
        snippet="The budget is attached.",
        date=dt.datetime(2026, 3, 5, 15, 40, 12, tzinfo=dt.UTC),
        sent_at=dt.datetime(2026, 3, 5, 15, 40, 11, tzinfo=dt.UTC),
        folder="other",
        folder_path="Inbox/News",
        folder_id="F-news",
        labels=("Finance", "Inbox/News"),
        is_read=False,
        is_starred=True,
        is_important=True,
        has_attachments=True,
    )
    assert row.raw is None


def test_the_providers_own_json_is_kept_when_asked_for() -> None:
    assert summary_from_wire(WHOLE, "$", account="work", mailbox=MAILBOX, include_raw=True).raw is WHOLE


def test_a_message_adds_headers_body_and_attachments() -> None:
    whole = message(WHOLE)
    assert whole.reply_to == (Address(name="Office", address="office@contoso.example"),)
    assert whole.in_reply_to == "<budget-1@contoso.example>"
    assert whole.references == ("<budget-0@contoso.example>", "<budget-1@contoso.example>")
    assert whole.header("list-id") == "<finance.contoso.example>"
    assert (whole.body.plain, whole.body.source) == (None, "html")
    assert "attached" in whole.body.text
    assert [(a.name, a.kind, a.size, a.content_id) for a in whole.attachments] == [
        ("budget.pdf", "file", 1234, "cid-1"),
        ("Old mail", "item", None, None),
        ("Plan.docx", "link", None, None),
    ]
    assert whole.attachments[0].ref == Ref(account="work", kind="attachment", id="AAMkAGI2THVSAAA=", part="ATT1=")


def test_headers_are_read_as_gmails_are() -> None:
    headers = [
        {"name": "In-Reply-To", "value": "Your message of Monday <a@x.example>"},
        {"name": "References", "value": "<a@x.example><b@x.example>"},
    ]
    whole = message({**BARE, "subject": "A\t long\r\n subject ", "internetMessageHeaders": headers})
    assert (whole.in_reply_to, whole.references) == ("<a@x.example>", ("<a@x.example>", "<b@x.example>"))
    assert whole.subject == "A long subject"
    bare = message({**BARE, "internetMessageHeaders": [{"name": "In-Reply-To", "value": "somebody@x.example"}]})
    assert bare.in_reply_to is None


def test_a_text_body_is_plain() -> None:
    whole = message({**WHOLE, "body": {"contentType": "text", "content": "Hello"}})
    assert (whole.body.plain, whole.body.html) == ("Hello", None)


def test_what_graph_leaves_out_is_empty() -> None:
    row = message(BARE)
    assert row.from_ is None
    assert (row.to, row.labels, row.subject, row.folder, row.has_attachments) == ((), (), "", "other", None)
    assert (row.body.plain, row.body.html, row.attachments, row.headers) == (None, None, (), ())


@pytest.mark.parametrize("null", ["from", "toRecipients", "subject", "flag", "categories", "body", "importance"])
def test_null_is_as_good_as_left_out(null: str) -> None:
    assert message({**BARE, null: None}) == message(BARE)


def test_below_trash_is_trash_and_labels_nothing() -> None:
    row = summary({**BARE, "parentFolderId": "F-old"})
    assert (row.folder, row.folder_path, row.labels) == ("trash", None, ())


def test_a_draft_without_a_received_date_goes_by_the_sent_one() -> None:
    row = summary({**BARE, "receivedDateTime": None, "sentDateTime": "2026-03-01T00:00:00Z"})
    assert row.date == dt.datetime(2026, 3, 1, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"id": None}, "value[0].id"),
        ({"conversationId": ""}, "value[0].conversationId"),
        ({"receivedDateTime": None}, "value[0].receivedDateTime"),
        ({"receivedDateTime": "yesterday"}, "value[0].receivedDateTime"),
        ({"receivedDateTime": "2026-03-05T15:40:12"}, "value[0].receivedDateTime"),
        ({"isRead": "no"}, "value[0].isRead"),
        ({"toRecipients": [{"emailAddress": "x"}]}, "value[0].toRecipients[0].emailAddress"),
        ({"toRecipients": {}}, "value[0].toRecipients"),
        ({"flag": 3}, "value[0].flag"),
    ],
)
def test_a_wrong_member_is_named_by_its_path_and_not_shown(changed: dict[str, object], path: str) -> None:
    with pytest.raises(BadPayload) as caught:
        summary({**BARE, **changed})
    assert caught.value.path == path
    assert "yesterday" not in str(caught.value)


def test_a_query_sees_size_list_and_attachments() -> None:
    candidate = candidate_from_wire(WHOLE, summary(WHOLE), "$")
    assert candidate.size == 20480
    assert candidate.list_id == "<finance.contoso.example>"
    assert candidate.labels == ("Finance", "Inbox/News")
    assert [a.name for a in candidate.attachments] == ["budget.pdf", "Old mail", "Plan.docx"]


def test_an_attachment_needs_an_id() -> None:
    with pytest.raises(BadPayload) as caught:
        attachment_from_wire({"name": "x"}, "value[2]", account="work", message_id="M1")
    assert caught.value.path == "value[2].id"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(sorted(WHOLE)), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(sorted(WHOLE)), JSON))
def test_any_json_becomes_a_record_or_a_bad_payload(changes: dict[str, object]) -> None:
    item = cast("Wire", json.loads(json.dumps({**WHOLE, **changes})))
    try:
        row = message(item)
        candidate_from_wire(item, row, "$")
    except BadPayload as problem:
        at = problem.path
    else:
        assert Message.from_dict(json.loads(json.dumps(row.to_dict()))) == row
        at = "$"
    assert at.startswith("$")
