"""Gmail's methods: lists and pages, the four formats, attachments, threads, labels, refusals."""

from __future__ import annotations

import datetime as dt
from typing import Any

import attrs
import pytest

from mailkit.sandbox import File, Mail, Person, Sandbox, VirtualClock
from tests.support.gmail import Gmail, decode

_NOON = dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC)
_AMY = Person("Stone, Amÿ", "amy@example.com")
_ANN = Person("Ann", "ann@example.com")


def _gmail(**options: Any) -> Gmail:
    sandbox = Sandbox(VirtualClock(_NOON))
    return Gmail(sandbox, sandbox.google("ann@example.com", **options))


@pytest.fixture
def gmail() -> Gmail:
    return _gmail()


def _fill(gmail: Gmail, count: int) -> list[str]:
    """Add mail, newest first."""
    return [gmail.box.add(Mail(subject=f"mail {n}", date=_NOON - dt.timedelta(minutes=n))) for n in range(count)]


# -- lists -----------------------------------------------------------------------------------------------------------


def test_an_empty_list_has_no_messages_at_all(gmail: Gmail) -> None:
    assert gmail.get("/messages") == {"resultSizeEstimate": 0}
    assert gmail.get("/threads") == {"resultSizeEstimate": 0}


def test_a_list_is_a_hundred_rows_unless_asked_otherwise(gmail: Gmail) -> None:
    ids = _fill(gmail, 120)
    page = gmail.get("/messages")
    assert [row["id"] for row in page["messages"]] == ids[:100]
    assert set(page["messages"][0]) == {"id", "threadId"}
    assert page["resultSizeEstimate"] == 201  # an estimate, and a bad one
    assert gmail.ids(("pageToken", page["nextPageToken"])) == ids[100:]


def test_pages_lose_nothing_while_the_mailbox_changes(gmail: Gmail) -> None:
    ids = _fill(gmail, 9)
    seen: list[str] = []
    token: list[tuple[str, object]] = []
    while True:
        page = gmail.get("/messages", ("maxResults", 3), *token)
        seen += [row["id"] for row in page["messages"]]
        if "nextPageToken" not in page:
            break
        token = [("pageToken", page["nextPageToken"])]
        gmail.box.remove(seen[0] if len(seen) == 3 else seen[-1])  # the last listed message may go, too
        gmail.box.add(Mail(subject="new"))
    assert seen == ids


@pytest.mark.parametrize(
    ("pairs", "status"),
    [
        ([("maxResults", 501)], 400),
        ([("maxResults", 0)], 400),
        ([("maxResults", "many")], 400),
        ([("pageToken", "garbage!")], 400),
        ([("pageToken", "MTIz")], 400),
        ([("labelIds", "Label_99")], 400),
        ([("unheard", "of")], 400),
        ([("fields", "messages(nothing)")], 400),
    ],
)
def test_what_a_list_refuses(gmail: Gmail, pairs: list[tuple[str, object]], status: int) -> None:
    assert gmail.refused("/messages", *pairs)[0] == status


def test_labels_cut_a_list_down_and_let_trash_and_spam_in(gmail: Gmail) -> None:
    inbox = gmail.box.add(Mail(labels=["Work"], date=_NOON - dt.timedelta(1)))
    read = gmail.box.add(Mail(labels=["Work"], read=True, date=_NOON - dt.timedelta(2)))
    trash = gmail.box.add(Mail(folder="trash", date=_NOON - dt.timedelta(3)))
    spam = gmail.box.add(Mail(folder="spam", date=_NOON - dt.timedelta(4)))
    work = gmail.box.labels["Work"].id
    assert gmail.ids(("labelIds", work)) == [inbox, read]
    assert gmail.ids(("labelIds", work), ("labelIds", "UNREAD")) == [inbox]
    assert gmail.ids() == [inbox, read]
    assert gmail.ids(("labelIds", "TRASH")) == [trash]
    assert gmail.ids(("includeSpamTrash", "true")) == [inbox, read, trash, spam]
    assert gmail.ids(("includeSpamTrash", "true"), ("q", "in:spam")) == [spam]


# -- messages --------------------------------------------------------------------------------------------------------


@pytest.fixture
def rich(gmail: Gmail) -> str:
    return gmail.box.add(
        Mail(
            from_=_AMY,
            to=[_ANN],
            subject="Größe",
            text='It\'s   <fine>\n& "good"',
            html="<p>ü</p>",
            date=_NOON,
            labels=["Work/Clients"],
            star="yellow-star",
            important=True,
            category="primary",
            headers=[("X-One", "1"), ("x-one", "2")],
            files=[
                File(name="Übersicht.pdf", content=b"%PDF", content_type="application/pdf"),
                File(name="logo.png", content=b"png", content_type="image/png", inline=True, content_id="logo"),
                File(name="note.txt", content=b"note", content_type="text/plain"),
                File(name="in.eml", kind="item", content=b"Subject: inner\n\ninner text\n"),
            ],
        )
    )


def test_what_every_format_has(gmail: Gmail, rich: str) -> None:
    minimal = gmail.get(f"/messages/{rich}", ("format", "minimal"))
    entry = gmail.box.get(rich)
    assert entry is not None
    assert minimal == {
        "id": rich,
        "threadId": rich,
        "labelIds": ["UNREAD", "STARRED", "IMPORTANT", "INBOX", "CATEGORY_PERSONAL", "Label_1"],
        "snippet": "It&#39;s &lt;fine&gt; &amp; &quot;good&quot;",
        "sizeEstimate": len(entry.raw),
        "historyId": "100001",
        "internalDate": "1773576000000",
    }
    raw = gmail.get(f"/messages/{rich}", ("format", "raw"))
    assert decode(raw.pop("raw")) == entry.raw
    assert raw == minimal


def test_metadata_has_the_headers_asked_for_in_the_messages_order(gmail: Gmail, rich: str) -> None:
    all_headers = gmail.get(f"/messages/{rich}", ("format", "metadata"))["payload"]
    assert set(all_headers) == {"mimeType", "headers"}
    assert [h["name"] for h in all_headers["headers"]][:4] == ["X-One", "x-one", "From", "To"]
    some = [("metadataHeaders", name) for name in ("Subject", "from", "X-ONE")]
    assert gmail.get(f"/messages/{rich}", ("format", "metadata"), *some)["payload"]["headers"] == [
        {"name": "X-One", "value": "1"},
        {"name": "x-one", "value": "2"},
        {"name": "From", "value": '"Stone, Amÿ" <amy@example.com>'},
        {"name": "Subject", "value": "Größe"},
    ]


def _leaves(part: dict[str, Any]) -> list[tuple[str, str, str]]:
    own = [(part["partId"], part["mimeType"], part["filename"])]
    return own + [leaf for child in part.get("parts", ()) for leaf in _leaves(child)]


def test_the_full_format_is_the_tree_of_parts(gmail: Gmail, rich: str) -> None:
    payload = gmail.get(f"/messages/{rich}")["payload"]
    assert _leaves(payload) == [
        ("", "multipart/mixed", ""),
        ("0", "multipart/alternative", ""),
        ("0.0", "text/plain", ""),
        ("0.1", "multipart/related", ""),
        ("0.1.0", "text/html", ""),
        ("0.1.1", "image/png", "logo.png"),
        ("1", "application/pdf", "Übersicht.pdf"),
        ("2", "text/plain", "note.txt"),
        ("3", "message/rfc822", "in.eml"),
        ("3.0", "text/plain", ""),
    ]
    html = payload["parts"][0]["parts"][1]["parts"][0]["body"]
    assert (decode(html["data"]).decode().strip(), "=" in html["data"]) == ("<p>ü</p>", False)
    assert "data" not in payload["parts"][2]["body"]


def test_attachment_ids_change_with_every_reading_and_go_on_working(gmail: Gmail, rich: str) -> None:
    def pdf() -> dict[str, Any]:
        body: dict[str, Any] = gmail.get(f"/messages/{rich}")["payload"]["parts"][1]["body"]
        return body

    first, second = pdf(), pdf()
    assert first["attachmentId"] != second["attachmentId"]
    assert first["size"] == 4
    for body in (first, second):
        answer = gmail.get(f"/messages/{rich}/attachments/{body['attachmentId']}")
        assert (answer["size"], decode(answer["data"])) == (4, b"%PDF")
    other = gmail.box.add(Mail())
    assert gmail.refused(f"/messages/{other}/attachments/{first['attachmentId']}") == (400, "invalidArgument")
    assert gmail.refused(f"/messages/{rich}/attachments/garbage") == (400, "invalidArgument")


def test_mail_inside_mail_comes_as_it_travelled(gmail: Gmail) -> None:
    inner = b"Subject: " + b"long " * 30 + b"\r\n\r\nInner text.\r\n"
    file = File(name="inner.eml", content=inner, content_type="message/rfc822", kind="item")
    message = gmail.box.add(Mail(text="See inside.", files=[file]))
    part = gmail.get(f"/messages/{message}")["payload"]["parts"][1]
    data = gmail.get(f"/messages/{message}/attachments/{part['body']['attachmentId']}")["data"]
    assert (part["filename"], decode(data)) == ("inner.eml", inner)


def test_a_long_text_stands_behind_an_attachment_id(gmail: Gmail) -> None:
    message = gmail.box.add(Mail(text="ü" * 200_000))
    body = gmail.get(f"/messages/{message}")["payload"]["body"]
    assert (body["size"], set(body)) == (400_000, {"attachmentId", "size"})
    data = gmail.get(f"/messages/{message}/attachments/{body['attachmentId']}")["data"]
    assert decode(data).decode() == "ü" * 200_000


def test_text_comes_as_utf8_whatever_its_headers_say(gmail: Gmail) -> None:
    message = gmail.box.load_eml(b"Content-Type: text/plain; charset=iso-8859-1\n\nGr\xf6\xdfe")
    payload = gmail.get(f"/messages/{message}")["payload"]
    assert payload["headers"] == [{"name": "Content-Type", "value": "text/plain; charset=iso-8859-1"}]
    assert decode(payload["body"]["data"]).decode() == "Größe"


def test_an_html_message_has_the_snippet_its_reader_sees(gmail: Gmail) -> None:
    message = gmail.box.add(Mail(html="<style>p{}</style><p>One</p><p>two &lt; three</p>" + "x" * 300))
    snippet = gmail.get(f"/messages/{message}")["snippet"]
    assert snippet.startswith("One two &lt; three xx")
    assert len(snippet) == 203


@pytest.mark.parametrize(
    ("path", "pairs", "refusal"),
    [
        ("/messages/1f00000000000000", [], (404, "notFound")),
        ("/messages/no-hex", [], (400, "invalidArgument")),
        ("/threads/1f00000000000000", [], (404, "notFound")),
        ("/labels/Label_9", [], (404, "notFound")),
        ("/messages/{id}", [("format", "odd")], (400, "invalidArgument")),
        ("/threads/{id}", [("format", "raw")], (400, "invalidArgument")),
        ("/messages/{id}", [("fields", "id,")], (400, "invalidParameter")),
        ("/messages/{id}", [("fields", "payload(headers")], (400, "invalidParameter")),
        ("/messages/{id}", [("fields", "id)")], (400, "invalidParameter")),
    ],
)
def test_what_is_refused(gmail: Gmail, path: str, pairs: list[tuple[str, object]], refusal: tuple[int, str]) -> None:
    message = gmail.box.add(Mail())
    assert gmail.refused(path.format(id=message), *pairs) == refusal


@pytest.mark.parametrize(
    ("fields", "kept"),
    [
        ("id", {"id": "m"}),
        ("id,payload/mimeType", {"id": "m", "payload": {"mimeType": "text/plain"}}),
        ("payload(partId,body/size)", {"payload": {"partId": "", "body": {"size": 4}}}),
        ("payload/headers(value),payload/partId", {"payload": {"partId": "", "headers": [{"value": "1.0"}]}}),
        ("payload/body/size,payload/body", {"payload": {"body": {"size": 4, "data": "dGV4dA"}}}),
        ("raw", {}),
    ],
)
def test_fields_keep_what_they_name(gmail: Gmail, fields: str, kept: dict[str, Any]) -> None:
    gmail.box.load_eml(b"MIME-Version: 1.0\n\ntext", id="m")
    assert gmail.get("/messages/m", ("fields", fields)) == kept


def test_fields_with_a_star_keep_everything_there(gmail: Gmail) -> None:
    gmail.box.add(Mail(id="m"))
    assert gmail.get("/messages", ("fields", "*")) == gmail.get("/messages")
    assert gmail.get("/messages", ("fields", "messages/*")) == {"messages": [{"id": "m", "threadId": "m"}]}


# -- threads, labels, profile ----------------------------------------------------------------------------------------


def test_threads_stand_by_their_newest_match_and_open_oldest_first(gmail: Gmail) -> None:
    first = gmail.box.add(Mail(thread="a", subject="trip", date=_NOON - dt.timedelta(3)))
    other = gmail.box.add(Mail(thread="b", subject="trip", date=_NOON - dt.timedelta(2)))
    answer = gmail.box.add(Mail(thread="a", subject="yes", text="newest", date=_NOON - dt.timedelta(1)))
    assert [row["id"] for row in gmail.get("/threads")["threads"]] == [first, other]
    page = gmail.get("/threads", ("maxResults", 1), ("q", "trip"))
    assert [row["id"] for row in page["threads"]] == [other]
    rest = gmail.get("/threads", ("q", "trip"), ("pageToken", page["nextPageToken"]))
    assert rest["threads"] == [{"id": first, "snippet": "newest", "historyId": "100003"}]
    thread = gmail.get(f"/threads/{first}", ("format", "minimal"))
    assert [message["id"] for message in thread["messages"]] == [first, answer]


def test_labels_are_listed_with_colours_and_counted_one_by_one(gmail: Gmail) -> None:
    gmail.box.label("Work/Clients", colour=("#ffffff", "#4a86e8"), message_visibility="hide")
    gmail.box.add(Mail(thread="a", labels=["Work/Clients"]))
    gmail.box.add(Mail(thread="a", labels=["Work/Clients"], read=True))
    gmail.box.add(Mail(folder="Projects/Alpha"))
    rows = {row["id"]: row for row in gmail.get("/labels")["labels"]}
    assert rows["INBOX"]["type"] == "system"
    assert rows["Label_2"]["name"] == "Projects/Alpha"
    assert rows["Label_1"] == {
        "id": "Label_1",
        "name": "Work/Clients",
        "messageListVisibility": "hide",
        "labelListVisibility": "labelShow",
        "type": "user",
        "color": {"textColor": "#ffffff", "backgroundColor": "#4a86e8"},
    }
    counts = {"messagesTotal": 2, "messagesUnread": 1, "threadsTotal": 1, "threadsUnread": 1}
    assert gmail.get("/labels/Label_1") == rows["Label_1"] | counts
    assert gmail.get("/labels/INBOX")["messagesTotal"] == 2


def test_the_profile_counts_and_the_history_moves_on(gmail: Gmail) -> None:
    message = gmail.box.add(Mail())
    before = gmail.get("/profile")
    assert before == {
        "emailAddress": "ann@example.com",
        "messagesTotal": 1,
        "threadsTotal": 1,
        "historyId": "100001",
    }
    gmail.box.update(message, read=True)
    assert gmail.get("/profile")["historyId"] == "100002"
    assert gmail.get(f"/messages/{message}")["historyId"] == "100002"


# -- permission and quota --------------------------------------------------------------------------------------------

_AUTH = "https://www.googleapis.com/auth/"


def test_scopes_are_asked_for_method_by_method() -> None:
    labels_only = _gmail(scopes=[f"{_AUTH}gmail.labels"])
    assert labels_only.get("/labels")
    answer = labels_only.ask("/messages")
    assert answer.status_code == 403
    assert answer.json()["error"]["details"][0]["reason"] == "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
    assert _gmail(scopes=["https://mail.google.com/"]).get("/messages")


def test_the_metadata_scope_sees_no_body_and_may_not_search() -> None:
    gmail = _gmail(scopes=[f"{_AUTH}gmail.metadata"])
    message = gmail.box.add(Mail())
    assert gmail.ids() == [message]
    assert gmail.get(f"/messages/{message}", ("format", "metadata"))
    assert gmail.refused("/messages", ("q", "x")) == (403, "forbidden")
    assert gmail.refused(f"/messages/{message}") == (403, "forbidden")
    assert gmail.refused(f"/messages/{message}/attachments/x") == (403, "insufficientPermissions")


def test_another_users_mailbox_is_refused(gmail: Gmail) -> None:
    assert attrs.evolve(gmail, user="bob@example.com").refused("/profile") == (403, "forbidden")
    assert attrs.evolve(gmail, user="Ann@example.com").get("/profile")


def test_quota_runs_out_and_comes_back_within_a_minute() -> None:
    clock = VirtualClock()
    sandbox = Sandbox(clock)
    gmail = Gmail(sandbox, sandbox.google("ann@example.com", quota=11))
    assert gmail.get("/messages")
    clock.advance(30)
    assert gmail.get("/messages")
    assert gmail.refused("/messages") == (403, "rateLimitExceeded")
    assert gmail.get("/profile")
    clock.advance(30)
    assert gmail.get("/messages")
    assert gmail.refused("/messages") == (403, "rateLimitExceeded")
