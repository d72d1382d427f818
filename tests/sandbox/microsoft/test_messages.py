from __future__ import annotations

import base64
import datetime as dt
from typing import Any
from urllib.parse import quote

import pytest

from mailkit.sandbox import File, Mail, Person, Sandbox
from mailkit.sandbox.microsoft import MicrosoftMailbox, SearchBehaviour
from tests.support.graph import Graph

START = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)
ANN = Person("Ann Lee", "ann@contoso.example")
BOB = Person("Bob", "bob@example.com")
IMMUTABLE = 'IdType="ImmutableId"'
TEXT = 'outlook.body-content-type="text"'
EVER = "receivedDateTime ge 1900-01-01T00:00:00Z"


def mail(number: int = 0, **fields: Any) -> Mail:
    """The later the number, the newer the mail."""
    given = {"subject": f"no {number}", "text": f"text {number}", "from_": BOB, "to": ANN}
    return Mail(**{**given, "date": START + dt.timedelta(hours=number), **fields})


def fill(box: MicrosoftMailbox, count: int, **fields: Any) -> list[str]:
    return [box.add(mail(number, **fields)) for number in range(count)]


# -- one message -----------------------------------------------------------------------------------------------------


def test_a_message_in_full(box: MicrosoftMailbox, graph: Graph) -> None:
    received = dt.datetime(2026, 3, 1, 12, 30, 15, 999_000, tzinfo=dt.timezone(dt.timedelta(hours=1)))
    key = box.add(
        mail(
            subject="Hello",
            text="Hi\nthere",
            cc=Person("", "carl@example.com"),
            reply_to=Person("Desk", "desk@example.com"),
            received=received,
            labels=["Work"],
            starred=True,
            important=True,
            message_id="<m1@x>",
            category="promotions",
            star="red-bang",
            muted=True,
            delivered_to=["ann@contoso.example"],
        )
    )
    message = graph.json(f"/me/messages/{key}", prefer=IMMUTABLE)
    context = "https://graph.microsoft.com/v1.0/$metadata#users('ann%40contoso.example')/messages/$entity"
    bob = {"emailAddress": {"name": "Bob", "address": "bob@example.com"}}
    expected = {
        "@odata.context": context,
        "id": key,
        "subject": "Hello",
        "bodyPreview": "Hi\r\nthere",
        "receivedDateTime": "2026-03-01T11:30:15Z",
        "sentDateTime": "2026-01-01T12:00:00Z",
        "hasAttachments": False,
        "internetMessageId": "<m1@x>",
        "importance": "high",
        "isRead": False,
        "isDraft": False,
        "inferenceClassification": "focused",
        "categories": ["Work"],
        "flag": {"flagStatus": "flagged"},
        "from": bob,
        "sender": bob,
        "toRecipients": [{"emailAddress": {"name": "Ann Lee", "address": "ann@contoso.example"}}],
        "ccRecipients": [{"emailAddress": {"name": "carl@example.com", "address": "carl@example.com"}}],
        "bccRecipients": [],
        "replyTo": [{"emailAddress": {"name": "Desk", "address": "desk@example.com"}}],
    }
    assert {name: message[name] for name in expected} == expected
    assert message["@odata.etag"] == f'W/"{message["changeKey"]}"'
    assert len(base64.b64decode(message["conversationIndex"])) == 22
    assert "internetMessageHeaders" not in message
    assert "uniqueBody" not in message


def test_a_draft_without_an_author_has_no_sender_and_no_headers(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(mail(from_=None, folder="drafts"))
    message = graph.json(f"/me/messages/{key}")
    assert message["isDraft"] is True
    assert {"from", "sender"}.isdisjoint(message)
    assert "internetMessageHeaders" not in graph.json(f"/me/messages/{key}", select="internetMessageHeaders")


@pytest.mark.parametrize(
    ("fields", "status", "importance"),
    [
        ({"flag_complete": True}, "complete", "normal"),
        ({"headers": [("Importance", "Low")]}, "notFlagged", "low"),
        ({"headers": [("Importance", "High")]}, "notFlagged", "high"),
    ],
)
def test_flags_and_importance(
    box: MicrosoftMailbox, graph: Graph, fields: dict[str, Any], status: str, importance: str
) -> None:
    message = graph.json(f"/me/messages/{box.add(mail(**fields))}")
    assert (message["flag"]["flagStatus"], message["importance"]) == (status, importance)


def test_the_preview_is_255_characters_of_text(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(mail(html=f"<p>{'word ' * 100}</p>"))
    assert graph.json(f"/me/messages/{key}")["bodyPreview"] == ("word " * 100)[:255]


def test_bodies_are_html_unless_text_is_preferred(box: MicrosoftMailbox, graph: Graph) -> None:
    plain, rich, both = (
        box.add(mail(text="a < b\n\nc")),
        box.add(mail(text=None, html="<style>x{}</style><p>One<br>two</p><p>three&nbsp;four</p>")),
        box.add(mail(text="the other part", html="<!DOCTYPE html><b>rich</b>")),
    )
    body = {key: graph.json(f"/me/messages/{key}", select="body")["body"] for key in (plain, rich, both)}
    assert {b["contentType"] for b in body.values()} == {"html"}
    assert '<div class="PlainText">a &lt; b<br>\r\n<br>\r\nc</div>' in body[plain]["content"]
    assert "<p>One<br>two</p>" in body[rich]["content"]
    assert body[both]["content"] == "<!DOCTYPE html><b>rich</b>"
    text = {key: graph.json(f"/me/messages/{key}", prefer=TEXT)["body"] for key in (plain, rich, both)}
    assert text[plain] == {"contentType": "text", "content": "a < b\r\n\r\nc"}
    assert text[rich]["content"] == "One\r\ntwo\r\n\r\nthree\xa0four"
    table = box.add(mail(html="<table><tr><td>one</td><td>two</td></tr><tr><td>three</td></tr></table>"))
    assert graph.json(f"/me/messages/{table}", prefer=TEXT)["body"]["content"] == "one two\r\n\r\nthree"
    assert text[both]["content"] == "rich"  # Exchange keeps the HTML and derives the text from it


def test_the_unique_body_leaves_the_history_out(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(mail(text="Yes!\n\nOn Monday, Ann wrote:\n> shall we?"))
    asked = graph.json(f"/me/messages/{key}", prefer=TEXT, select="uniqueBody")
    assert asked["uniqueBody"] == {"contentType": "text", "content": "Yes!"}
    html = graph.json(f"/me/messages/{key}", select="uniqueBody")["uniqueBody"]
    assert html["contentType"] == "html"
    assert "shall we" not in html["content"]
    alone = box.add(mail(text="all new"))
    unique = graph.json(f"/me/messages/{alone}", prefer=TEXT, select="uniqueBody")["uniqueBody"]
    assert unique["content"] == "all new"


def test_headers_come_when_selected(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(mail(subject="Grüße", list_id="<dev.lists.example>", headers=[("X-Mailer", "hand")]))
    headers = graph.json(f"/me/messages/{key}", select="internetMessageHeaders")["internetMessageHeaders"]
    named = {header["name"].lower(): header["value"] for header in headers}
    assert named["list-id"] == "<dev.lists.example>"
    assert named["x-mailer"] == "hand"
    assert named["subject"] == "Grüße"


def test_what_came_without_a_message_id_is_given_one(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.load_eml(b"From: bob@example.com\r\nSubject: bare\r\n\r\nhello")
    given = graph.json(f"/me/messages/{key}")["internetMessageId"]
    assert given
    assert graph.subjects(filter=f"internetMessageId eq '{given}'") == ["bare"]


def test_the_raw_message(box: MicrosoftMailbox, graph: Graph) -> None:
    raw = b"From: bob@example.com\r\nSubject: bare\r\n\r\nhello \xff"
    answer = graph.get(f"/me/messages/{box.load_eml(raw)}/$value")
    assert answer.content == raw
    assert answer.headers["content-type"] == "text/plain"


def test_selection(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(mail())
    shown = graph.json(f"/me/messages/{key}", select="subject,isRead")
    assert set(shown) == {"@odata.context", "@odata.etag", "id", "subject", "isRead"}
    assert "messages(subject,isRead)" in shown["@odata.context"]
    for wrong in ("subject,flavour", "wellKnownName", "subject,subject", "body/content", "subject,", "attachments"):
        assert graph.refusal(f"/me/messages/{key}", select=wrong) == (400, "BadRequest")
        assert graph.refusal(select=wrong) == (400, "BadRequest")


def test_bcc_is_seen_by_its_author_alone(box: MicrosoftMailbox, graph: Graph) -> None:
    hidden = Person("Hidden", "hidden@example.com")
    received = box.add(mail(subject="received", bcc=hidden))
    sent = box.add(mail(subject="sent", bcc=hidden, from_=ANN, folder="sent"))
    moved = box.add(mail(subject="moved", bcc=hidden, from_=Person("", "Ann.Lee@contoso.example"), folder="sent"))
    box.move(moved, "Projects/Alpha")
    box.add(mail(subject="draft", bcc=hidden, from_=None, folder="drafts"))
    rows = graph.json("/me/messages")["value"]
    assert {row["subject"] for row in rows if row["bccRecipients"]} == {"sent", "moved", "draft"}
    assert b"hidden" not in graph.get(f"/me/messages/{received}/$value").content
    assert b"hidden@example.com" in graph.get(f"/me/messages/{sent}/$value").content
    box.search = SearchBehaviour(bcc_indexed=True)
    assert set(graph.subjects(search='"bcc:hidden"')) == {"sent", "moved", "draft"}
    box.search = SearchBehaviour()
    assert graph.subjects(search='"bcc:hidden"') == []


# -- ids -------------------------------------------------------------------------------------------------------------


def test_a_move_changes_the_id_unless_immutable_ids_are_preferred(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(mail())
    before = graph.json(f"/me/messages/{key}")["id"]
    assert before != key
    assert graph.json(f"/me/messages/{before}")["id"] == before
    assert graph.json(f"/me/messages/{before}", prefer=IMMUTABLE)["id"] == key
    assert box.move(key, "archive") == key
    after = graph.json(f"/me/messages/{key}")["id"]
    assert after != before
    assert graph.refusal(f"/me/messages/{before}") == (404, "ErrorItemNotFound")
    assert graph.json(f"/me/messages/{after}", prefer=IMMUTABLE)["id"] == key
    box.remove(key)
    assert graph.refusal(f"/me/messages/{key}") == (404, "ErrorItemNotFound")


def test_several_preferences_in_one_header(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(mail())
    answer = graph.get(f"/me/messages/{key}", prefer=f"{TEXT}, outlook.allow-unsafe-html, {IMMUTABLE}")
    assert (answer.json()["id"], answer.json()["body"]["contentType"]) == (key, "text")
    assert answer.headers["preference-applied"] == f"{TEXT}, {IMMUTABLE}"
    bare = graph.get(f"/me/messages/{key}", prefer="IdType=ImmutableId")
    assert bare.json()["id"] == key
    assert "preference-applied" not in graph.get(f"/me/messages/{key}").headers


# -- lists -----------------------------------------------------------------------------------------------------------


def test_lists_are_newest_first_but_a_filter_alone_gives_the_oldest_first(box: MicrosoftMailbox, graph: Graph) -> None:
    fill(box, 3)
    assert graph.subjects() == ["no 2", "no 1", "no 0"]
    assert graph.subjects(filter=EVER) == ["no 0", "no 1", "no 2"]
    assert graph.subjects(filter=EVER, orderby="receivedDateTime desc") == ["no 2", "no 1", "no 0"]
    assert graph.subjects(orderby="receivedDateTime") == ["no 0", "no 1", "no 2"]


def test_the_whole_mailbox_holds_everything_and_a_folder_only_its_own(box: MicrosoftMailbox, graph: Graph) -> None:
    places = [
        "inbox",
        "sent",
        "drafts",
        "trash",
        "spam",
        "archive",
        "outbox",
        "Inbox/News",
        "Projects/Alpha",
        "trash/Old",
    ]
    for number, place in enumerate(places):
        box.add(mail(number, folder=place, subject=place))
    assert set(graph.subjects()) == set(places)
    names = ["inbox", "sentitems", "drafts", "deleteditems", "junkemail", "archive", "outbox"]
    assert [graph.subjects(f"/me/mailFolders/{name}/messages") for name in names] == [[p] for p in places[:7]]
    alpha = box.folders.at("Projects/Alpha")
    assert graph.subjects(f"/me/mailFolders/{quote(alpha.id)}/messages") == ["Projects/Alpha"]
    assert graph.subjects(filter=f"parentFolderId eq '{alpha.id}'") == ["Projects/Alpha"]
    assert graph.subjects("/me/mailFolders/msgfolderroot/messages") == []
    assert graph.refusal("/me/mailFolders/nowhere/messages") == (404, "ErrorItemNotFound")


def test_filters_reach_the_mail(box: MicrosoftMailbox, graph: Graph) -> None:
    box.add(mail(0, subject="a", labels=["Work"], size=10))
    box.add(mail(1, subject="b", read=True, size=10_000))
    box.unfocused.add(box.add(mail(2, subject="c", size=10, files=[File(name="x.txt", content=b"x")])))
    size = "singleValueExtendedProperties/any(ep:ep/id eq 'Integer 0x0E08' and cast(ep/value, Edm.Int32) gt 9999)"
    for text, expected in {
        "isRead eq true": ["b"],
        "categories/any(c:c eq 'work')": ["a"],
        "hasAttachments eq true": ["c"],
        "inferenceClassification eq 'other'": ["c"],
        size: ["b"],
        f"{EVER} and {size}": ["b"],
        "contains(body/content,'text')": [],
        "from/emailAddress/address eq 'BOB@example.com'": ["a", "b", "c"],
    }.items():
        assert graph.subjects(filter=text) == expected, text


def test_orderby_must_lead_the_filter(box: MicrosoftMailbox, graph: Graph) -> None:
    newest = "receivedDateTime desc"
    assert graph.refusal(filter="isRead eq false", orderby=newest) == (400, "InefficientFilter")
    assert graph.refusal(filter=f"isRead eq false and {EVER}", orderby=newest) == (400, "InefficientFilter")
    assert graph.subjects(filter=f"{EVER} and isRead eq false", orderby=newest) == []


def test_a_search_goes_alone_and_comes_by_sent_date(box: MicrosoftMailbox, graph: Graph) -> None:
    for number, sent in enumerate([3, 1, 2]):
        box.add(
            mail(subject=f"dinner {sent}", date=START + dt.timedelta(days=sent), received=START - dt.timedelta(number))
        )
    box.add(mail(subject="lunch"))
    assert graph.subjects(search='"dinner"') == ["dinner 3", "dinner 2", "dinner 1"]
    assert graph.refusal(search='"dinner"', filter="isRead eq true") == (400, "SearchWithFilter")
    assert graph.refusal(search='"dinner"', orderby="subject") == (400, "SearchWithOrderBy")
    assert graph.refusal(search="dinner") == (400, "BadRequest")
    assert graph.subjects("/me/mailFolders/sentitems/messages", search='"dinner"') == []


def test_a_search_gives_at_most_a_thousand(box: MicrosoftMailbox, graph: Graph) -> None:
    fill(box, 1003, subject="dinner")
    link, rows = "/me/messages?$search=%22dinner%22&$top=600&$select=receivedDateTime", []
    while link:
        page = graph.json(link)
        rows += page["value"]
        link = page.get("@odata.nextLink", "")
    assert len(rows) == 1000
    assert rows[-1]["receivedDateTime"] == "2026-01-01T15:00:00Z"


def test_how_the_server_searches_is_the_tests_choice(box: MicrosoftMailbox, graph: Graph) -> None:
    box.add(mail(subject="dinnertime"))
    assert graph.subjects(search='"dinner"') == []
    box.search = SearchBehaviour(words="prefix")
    assert graph.subjects(search='"dinner"') == ["dinnertime"]
    box.search = SearchBehaviour(day_shift=dt.timedelta(hours=14))
    assert graph.subjects(search='"received:2026-01-02"') == ["dinnertime"]


def test_a_changed_message_is_shown_and_found_as_it_is_now(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(mail(subject="dinner"))
    assert graph.subjects(search='"dinner"') == ["dinner"]
    box.update(key, subject="lunch", read=True)
    assert graph.subjects(filter="isRead eq true") == ["lunch"]
    assert graph.subjects(search='"dinner"') == []
    assert graph.subjects(search='"lunch"') == ["lunch"]


# -- pages -----------------------------------------------------------------------------------------------------------


def pages(graph: Graph, link: str) -> list[list[str]]:
    found = []
    while link:
        page = graph.json(link)
        found.append([row["subject"] for row in page["value"]])
        link = page.get("@odata.nextLink", "")
    return found


def test_a_page_is_ten_rows_unless_top_says_otherwise(box: MicrosoftMailbox, graph: Graph) -> None:
    fill(box, 23)
    assert [len(page) for page in pages(graph, "/me/messages")] == [10, 10, 3]
    assert [len(page) for page in pages(graph, "/me/messages?$top=12")] == [12, 11]
    assert [len(page) for page in pages(graph, "/me/messages?$top=23")] == [23]
    assert [len(page) for page in pages(graph, "/me/messages?$skip=20&$top=2")] == [2, 1]
    rows = [subject for page in pages(graph, "/me/messages?$top=5") for subject in page]
    assert rows == [f"no {n}" for n in reversed(range(23))]
    for wrong in ("0", "1001", "-1", "ten", "1.5", "²"):
        assert graph.refusal(top=wrong) == (400, "BadRequest")
    assert graph.refusal(skip="-1") == (400, "BadRequest")


def test_the_count_is_of_all_rows(box: MicrosoftMailbox, graph: Graph) -> None:
    fill(box, 12)
    box.add(mail(20, read=True))
    assert "@odata.count" not in graph.json("/me/messages")
    assert graph.json("/me/messages", count="true")["@odata.count"] == 13
    assert graph.json("/me/messages", count="true", filter="isRead eq false", top="1")["@odata.count"] == 12
    assert "@odata.count" not in graph.json("/me/messages", count="false")
    assert graph.refusal(count="yes") == (400, "BadRequest")


def test_links_are_opaque_and_must_be_followed_as_they_are(box: MicrosoftMailbox, graph: Graph) -> None:
    fill(box, 30)
    link = graph.json("/me/messages", select="subject", filter=EVER)["@odata.nextLink"]
    assert link.startswith("https://graph.microsoft.com/v1.0/me/messages?$select=subject&$filter=receivedDateTime%20ge")
    assert "%23" in link.partition("$skiptoken=")[2]
    assert len(graph.json(link)["value"]) == 10
    for wrong in (
        link.replace("%23", "#"),  # decoded once too often
        link.replace("%2B", "+"),
        link.replace("$select=subject", "$select=subject,isRead"),
        link.replace("me/messages", "me/mailFolders/inbox/messages"),
        link[:-4],
        link.partition("$skiptoken=")[0] + "$skiptoken=10",
    ):
        assert graph.refusal(wrong) == (400, "BadRequest")


def test_rows_that_go_away_shift_the_later_pages(box: MicrosoftMailbox, graph: Graph) -> None:
    keys = fill(box, 20)
    first = graph.json("/me/messages")
    box.remove(keys[-1])  # the newest, which was on the first page
    later = [row["subject"] for row in graph.json(first["@odata.nextLink"])["value"]]
    assert later == [f"no {n}" for n in reversed(range(9))]  # number 9 slipped onto the first page


def test_pages_may_be_short_or_empty_without_being_the_last(box: MicrosoftMailbox, graph: Graph) -> None:
    fill(box, 6)
    box.page_rows.extend([2, 0, 0])
    assert pages(graph, "/me/messages?$top=5") == [["no 5", "no 4"], [], [], ["no 3", "no 2", "no 1", "no 0"]]
    box.page_rows.extend([6])
    assert [len(page) for page in pages(graph, "/me/messages")] == [6, 0]
    box.page_rows.extend([0, 0])
    empty = graph.json("/me/messages")["@odata.nextLink"]
    assert graph.json(empty)["@odata.nextLink"] != empty


# -- attachments -----------------------------------------------------------------------------------------------------

FILES = [
    File(name="a.pdf", content=b"%PDF", content_type="application/pdf"),
    File(name="logo.png", content=b"png", content_type="image/png", inline=True, content_id="logo"),
    File(name="note.eml", content=b"Subject: inner\r\n\r\nhi", content_type="message/rfc822", kind="item"),
    File(name="plan.docx", kind="link", url="https://cloud.example/plan"),
    File(name="empty.txt", content_type="text/plain"),
]


def test_attachments_of_every_kind(box: MicrosoftMailbox, graph: Graph) -> None:
    base = f"/me/messages/{box.add(mail(files=FILES))}/attachments"
    rows = graph.json(base)["value"]
    assert [row["@odata.type"].rpartition(".")[2] for row in rows] == [
        "fileAttachment",
        "fileAttachment",
        "itemAttachment",
        "referenceAttachment",
        "fileAttachment",
    ]
    assert [row["name"] for row in rows] == ["a.pdf", "logo.png", "note.eml", "plan.docx", "empty.txt"]
    assert [row.get("contentBytes") for row in rows] == ["JVBERg==", "cG5n", None, None, ""]
    assert (rows[1]["isInline"], rows[1]["contentId"], rows[1]["size"]) == (True, "logo", 3)
    assert "contentBytes" not in rows[2]
    one = graph.json(f"{base}/{rows[0]['id']}")
    assert one["contentBytes"] == "JVBERg=="
    values = [graph.get(f"{base}/{row['id']}/$value") for row in rows]
    assert [value.status_code for value in values] == [200, 200, 200, 405, 200]
    assert values[0].content == b"%PDF"
    assert values[0].headers["content-type"] == "application/pdf"
    assert values[2].content == b"Subject: inner\r\n\r\nhi"
    assert values[4].content == b""
    assert graph.refusal(f"{base}/none") == (404, "ErrorItemNotFound")
    assert graph.refusal(f"{base}/none/$value") == (404, "ErrorItemNotFound")
    assert graph.refusal("/me/messages/none/attachments") == (404, "ErrorItemNotFound")


def test_bytes_are_left_out_by_selection(box: MicrosoftMailbox, graph: Graph) -> None:
    base = f"/me/messages/{box.add(mail(files=FILES))}/attachments"
    named = graph.json(base, select="name,isInline")["value"]
    assert set(named[0]) == {"@odata.type", "@odata.mediaContentType", "id", "name", "isInline"}
    cast = graph.json(base, select="name,microsoft.graph.fileAttachment/contentId")["value"]
    assert cast[1]["contentId"] == "logo"
    assert "contentBytes" not in cast[1]
    for wrong in ("contentBytes", "contentId", "microsoft.graph.fileAttachment/flavour", "sourceUrl"):
        assert graph.refusal(base, select=wrong) == (400, "BadRequest")
    assert graph.refusal(base, filter="name eq 'a.pdf'") == (400, "BadRequest")
    assert len(graph.json(base, top="2")["value"]) == 2


def test_attachments_are_expanded_in_lists_and_messages(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add(mail(files=FILES))
    (row,) = graph.json("/me/messages", select="subject", expand="attachments($select=name,isInline)")["value"]
    assert [file["name"] for file in row["attachments"]] == [file.name for file in FILES]
    assert "contentBytes" not in row["attachments"][0]
    assert set(row) == {"@odata.etag", "id", "subject", "attachments"}
    whole = graph.json(f"/me/messages/{key}", expand="attachments")
    assert whole["attachments"][0]["contentBytes"] == "JVBERg=="


def test_only_real_attachments_count(box: MicrosoftMailbox, graph: Graph) -> None:
    box.add(mail(subject="inline", files=[FILES[1]]))
    box.add(mail(subject="file", files=[FILES[0], FILES[1]]))
    box.add(mail(subject="link", files=[FILES[3]]))
    assert set(graph.subjects(filter="hasAttachments eq true")) == {"file", "link"}


def test_the_size_is_expanded_by_its_id(box: MicrosoftMailbox, graph: Graph) -> None:
    box.add(mail(size=4321))
    asked = "singleValueExtendedProperties($filter=id eq '{}')"
    (row,) = graph.json("/me/messages", select="id", expand=asked.format("Long 0x0E08"))["value"]
    assert row["singleValueExtendedProperties"] == [{"id": "Long 0x0E08", "value": "4321"}]
    (row,) = graph.json("/me/messages", expand=asked.format("String 0x0037") + ",attachments")["value"]
    assert "singleValueExtendedProperties" not in row


@pytest.mark.parametrize(
    "expand",
    [
        "flavours",
        "body",
        "attachments()",
        "attachments($top=1)",
        "attachments($select=flavour)",
        "attachments($select=contentBytes)",
        "attachments($filter=name eq 'a')",
        "attachments($select=name",
        "attachments,",
        "singleValueExtendedProperties",
        "singleValueExtendedProperties($filter=value eq '1')",
        "singleValueExtendedProperties($filter=id eq 'a';$select=id)",
        "1",
    ],
)
def test_an_expansion_that_is_refused(graph: Graph, expand: str) -> None:
    assert graph.refusal(expand=expand) == (400, "BadRequest")


def test_two_mailboxes_are_kept_apart(sandbox: Sandbox, box: MicrosoftMailbox, graph: Graph) -> None:
    sandbox.microsoft("eve@contoso.example").add(mail(subject="eve's"))
    box.add(mail(subject="ann's"))
    assert graph.subjects() == ["ann's"]
