"""Gmail's driver: the requests expected, the answers given, the records that must come of them."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any
from zoneinfo import ZoneInfo

import attrs
import pytest

from mailkit.errors import (
    BadPayload,
    MailkitError,
    NotDownloadable,
    NotFound,
    PermissionMissing,
    RateLimited,
    UsageError,
)
from mailkit.providers.base import Position, Search
from mailkit.providers.google.gmail import GmailDriver
from mailkit.providers.google.limits import QUOTA
from mailkit.query import parse
from mailkit.transport import Answer, Call, Quota, Session
from mailkit.values import Account
from tests.providers.google.samples import b64, sample

pytestmark = pytest.mark.anyio

ME = "/gmail/v1/users/me"
LABELS = f"{ME}/labels?fields=labels(id,name,type)"
NOW = dt.datetime(2024, 5, 1, 12, tzinfo=dt.UTC)
NO_LABELS: dict[str, Any] = {"labels": []}
Given = object | MailkitError


class CannedSession(Session):
    """Answers expected requests with what a test gives, and refuses any other.

    ``exchanges`` are groups of (request, answer): a group is what must be asked at once, in whatever order.
    """

    quota = QUOTA

    def __init__(self, *exchanges: Sequence[tuple[str, Given]], scopes: Iterable[str] | None = None) -> None:
        self.account = Account(name="home", provider="google", token="t", scopes=scopes)
        self.expected = list(exchanges)
        self.asked: list[str] = []
        self.units: list[int] = []
        self.operations: set[str] = set()

    async def batch(self, calls: Sequence[Call]) -> list[Answer | MailkitError]:
        group = dict(self.expected.pop(0))
        written = [_written(call) for call in calls]
        assert sorted(written) == sorted(group)
        self.asked += written
        self.units += [call.units for call in calls]
        self.operations |= {call.operation for call in calls}
        answers = [group[each] for each in written]
        return [a if isinstance(a, MailkitError) else Answer(status=200, content=_content(a)) for a in answers]

    async def request(self, call: Call) -> Answer:
        (outcome,) = await self.batch([call])
        if isinstance(outcome, MailkitError):
            raise outcome
        return outcome

    @asynccontextmanager
    async def stream(self, call: Call) -> AsyncIterator[AsyncIterator[bytes]]:
        yield _pieces((await self.request(call)).content)


async def _pieces(content: bytes) -> AsyncIterator[bytes]:
    for at in range(0, len(content), 7):
        yield content[at : at + 7]


def _content(answer: Given) -> bytes:
    return answer if isinstance(answer, bytes) else json.dumps(answer).encode()


def _written(call: Call) -> str:
    assert call.method == "GET"
    query = "&".join(f"{name}={value}" for name, value in call.query)
    return f"{call.url}?{query}" if query else call.url


def listed(*parameters: str, token: str = "") -> str:
    pairs = [*parameters, *([f"pageToken={token}"] if token else []), "fields=messages/id,nextPageToken"]
    return f"{ME}/messages?{'&'.join(pairs)}"


def row(message_id: str) -> str:
    names = "".join(f"&metadataHeaders={n}" for n in ("From", "To", "Cc", "Bcc", "Subject", "Date", "Message-ID"))
    fields = "id,threadId,labelIds,snippet,internalDate,sizeEstimate,payload/headers"
    return f"{ME}/messages/{message_id}?format=metadata{names}&fields={fields}"


def full(message_id: str, fields: str = "") -> str:
    return f"{ME}/messages/{message_id}?format=full{'&fields=' + fields if fields else ''}"


def attached(message_id: str, attachment_id: str) -> str:
    return f"{ME}/messages/{message_id}/attachments/{attachment_id}?fields=data"


def ids(*names: str, token: str | None = None) -> dict[str, Any]:
    return {"messages": [{"id": name} for name in names], **({"nextPageToken": token} if token else {})}


def item(message_id: str, at: int = 0, **members: Any) -> dict[str, Any]:
    return {"id": message_id, "threadId": "t", "internalDate": str(at), **members}


def search(text: str = "", **fields: Any) -> Search:
    return Search(**{"expr": parse(text), "now": NOW, "tz": ZoneInfo("UTC"), "size": 25, **fields})


async def test_a_search_from_request_to_record() -> None:
    session = CannedSession(
        [
            (listed("q=from:amy is:unread", "maxResults=25"), ids("18f2a64c0e1b7d35", token="p2")),
            (LABELS, sample("labels")),
        ],
        [(row("18f2a64c0e1b7d35"), sample("metadata"))],
        [(listed("q=from:amy is:unread", "maxResults=25", token="p2"), {})],
    )
    listing = await GmailDriver(session).search(search("from:amy is:unread"))
    page = await listing.fetch()
    assert listing.next is not None
    last = await listing.next()
    assert ([(r.subject, r.labels) for r in page.rows], page.problems) == ([("Dinner à sept", ("family",))], ())
    assert (await last.fetch()).rows == ()
    assert last.next is None
    assert not session.expected
    assert session.units == [1, 5, 20, 5]
    assert session.operations == {"mail.search"}


async def test_the_next_list_may_be_asked_for_before_the_rows() -> None:
    session = CannedSession(
        [(listed("maxResults=25"), ids("a", token="p2")), (LABELS, NO_LABELS)],
        [(listed("maxResults=25", token="p2"), ids("b"))],
        [(row("b"), item("b"))],
        [(row("a"), item("a"))],
    )
    first = await GmailDriver(session).search(search())
    assert first.next is not None
    second = await first.next()
    assert [r.ref.id for r in (await second.fetch()).rows] == ["b"]
    assert [r.ref.id for r in (await first.fetch()).rows] == ["a"]


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("", ["maxResults=25"]),
        ("in:anywhere lunch", ["q=in:anywhere lunch", "maxResults=25", "includeSpamTrash=true"]),
        ("in:trash OR lunch", ["q=(in:trash OR lunch) -in:spam", "maxResults=25", "includeSpamTrash=true"]),
        ("in:spam", ["q=in:spam -in:trash", "maxResults=25", "includeSpamTrash=true"]),
        ("-in:trash a", ["q=-in:trash a", "maxResults=25"]),
        ("after:2024/05/01", ["q=after:1714521600", "maxResults=25"]),
        ('from:"foo+bar" OR b', ['q=from:"foo+bar" OR b', "maxResults=25"]),
    ],
)
async def test_what_is_sent(text: str, parameters: list[str]) -> None:
    session = CannedSession([(listed(*parameters), {}), (LABELS, NO_LABELS)])
    await GmailDriver(session).search(search(text))


@pytest.mark.parametrize(("size", "sent"), [(1, 1), (500, 500), (501, 500), (0, 1)])
async def test_the_size_of_a_page(size: int, sent: int) -> None:
    session = CannedSession([(listed(f"maxResults={sent}"), {}), (LABELS, NO_LABELS)])
    session.quota = Quota(units=60_000, seconds=60)
    await GmailDriver(session).search(search(size=size))


async def test_a_page_holds_no_more_than_the_quota_gives_at_once() -> None:
    session = CannedSession([(listed("maxResults=299"), {}), (LABELS, NO_LABELS)])
    await GmailDriver(session).search(search(size=500))


async def test_a_position_is_gone_on_from() -> None:
    at = dt.datetime(2024, 4, 30, 10, 0, 0, 500_000, tzinfo=dt.UTC)
    ms = int(at.timestamp() * 1000)
    session = CannedSession(
        [
            (listed("q=(a OR b) before:1714471201", "maxResults=26"), ids("new", "seen", "same", "old")),
            (LABELS, NO_LABELS),
        ],
        [(row("new"), item("new", ms + 1)), (row("same"), item("same", ms)), (row("old"), item("old", ms - 1))],
    )
    after = Position(at=at, seen=frozenset({"seen"}))
    page = await (await GmailDriver(session).search(search("a OR b", after=after))).fetch()
    assert [r.ref.id for r in page.rows] == ["same", "old"]


async def test_rows_come_newest_first() -> None:
    session = CannedSession(
        [(listed("maxResults=25"), ids("a", "b", "c")), (LABELS, NO_LABELS)],
        [(row("a"), item("a", 1)), (row("b"), item("b", 3)), (row("c"), item("c", 2))],
    )
    page = await (await GmailDriver(session).search(search())).fetch()
    assert [r.ref.id for r in page.rows] == ["b", "c", "a"]


async def test_what_cannot_be_read_is_reported_and_the_rest_is_there() -> None:
    rest = ids("b", "c", "d", "e")["messages"]
    session = CannedSession(
        [(listed("maxResults=25"), {"messages": [{"id": "a"}, {}, 3, *rest]}), (LABELS, NO_LABELS)],
        [
            (row("a"), item("a", labelIds=[4])),
            (row("b"), item("b", 1)),
            (row("c"), []),
            (row("d"), b"{"),
            (row("e"), NotFound("deleted since")),
        ],
    )  # fmt: skip
    page = await (await GmailDriver(session).search(search())).fetch()
    assert [r.ref.id for r in page.rows] == ["b"]
    assert sorted(problem.path for problem in page.problems) == [
        "$", "$", "$.labelIds[0]", "$.messages[1].id", "$.messages[2]",
    ]  # fmt: skip


async def test_a_row_that_may_come_later_breaks_the_page_off_where_it_stands() -> None:
    session = CannedSession(
        [(listed("maxResults=25"), ids("a", "b", "c")), (LABELS, NO_LABELS)],
        [(row("a"), item("a")), (row("b"), RateLimited("later")), (row("c"), item("c"))],
    )
    page = await (await GmailDriver(session).search(search())).fetch()
    assert [each.ref.id for each in page.rows] == ["a"]
    assert isinstance(page.error, RateLimited)


async def test_a_page_of_which_nothing_came_fails() -> None:
    session = CannedSession(
        [(listed("maxResults=25"), ids("a", "b")), (LABELS, NO_LABELS)],
        [(row("a"), RateLimited("later")), (row("b"), item("b"))],
    )
    listing = await GmailDriver(session).search(search())
    with pytest.raises(RateLimited):
        await listing.fetch()


async def test_an_empty_page_is_not_the_end() -> None:
    session = CannedSession(
        [(listed("maxResults=25"), {"nextPageToken": "p2"}), (LABELS, NO_LABELS)],
        [(listed("maxResults=25", token="p2"), ids("a"))],
        [(row("a"), item("a"))],
    )
    listing = await GmailDriver(session).search(search())
    assert (await listing.fetch()).rows == ()
    assert listing.next is not None
    assert len((await (await listing.next()).fetch()).rows) == 1


async def test_pages_that_lead_in_a_circle_are_left() -> None:
    session = CannedSession(
        [(listed("maxResults=25"), {"nextPageToken": "p2"}), (LABELS, NO_LABELS)],
        [(listed("maxResults=25", token="p2"), {"nextPageToken": "p3"})],
        [(listed("maxResults=25", token="p3"), {"nextPageToken": "p2"})],
    )
    first = await GmailDriver(session).search(search())
    assert first.next is not None
    second = await first.next()
    assert second.next is not None
    with pytest.raises(BadPayload, match="circle"):
        await second.next()


@pytest.mark.parametrize("answer", [[], {"messages": {}}, {"nextPageToken": 3}, b"<html>"])
async def test_an_answer_that_is_no_list_is_refused(answer: Given) -> None:
    session = CannedSession([(listed("maxResults=25"), answer), (LABELS, NO_LABELS)])
    with pytest.raises(BadPayload):
        await GmailDriver(session).search(search())


@pytest.mark.parametrize("broken", ["list", "labels"])
async def test_a_list_that_fails_fails_with_its_own_error(broken: str) -> None:
    list_answer, labels = (RateLimited("x"), NO_LABELS) if broken == "list" else ({}, RateLimited("x"))
    session = CannedSession([(listed("maxResults=25"), list_answer), (LABELS, labels)])
    with pytest.raises(RateLimited):
        await GmailDriver(session).search(search())


async def test_labels_are_asked_for_once_and_again_for_one_that_is_new() -> None:
    new = {"labels": [{"id": "Label_500", "name": "New", "type": "user"}]}
    session = CannedSession(
        [(listed("maxResults=25"), ids("a")), (LABELS, sample("labels"))],
        [(row("a"), item("a", labelIds=["INBOX", "Label_7", "CATEGORY_NEW"]))],
        [(listed("maxResults=25"), ids("b"))],
        [(row("b"), item("b", labelIds=["Label_500"]))],
        [(LABELS, new)],
    )
    driver = GmailDriver(session)
    assert [r.labels for r in (await (await driver.search(search())).fetch()).rows] == [("Work",)]
    assert [r.labels for r in (await (await driver.search(search())).fetch()).rows] == [("New",)]


async def test_a_label_that_nobody_knows_is_looked_for_once() -> None:
    session = CannedSession(
        [(listed("maxResults=25"), ids("a")), (LABELS, NO_LABELS)],
        [(row("a"), item("a", labelIds=["Label_404"]))],
        [(LABELS, NO_LABELS)],
        [(listed("maxResults=25"), ids("a"))],
        [(row("a"), item("a", labelIds=["Label_404"]))],
    )
    driver = GmailDriver(session)
    for _ in range(2):
        assert [r.labels for r in (await (await driver.search(search())).fetch()).rows] == [()]
    assert not session.expected


async def test_the_own_json_comes_whole_where_it_is_asked_for() -> None:
    raw = item("a", historyId="7")
    session = CannedSession(
        [(listed("maxResults=25"), ids("a")), (LABELS, NO_LABELS)], [(f"{ME}/messages/a?format=metadata", raw)]
    )
    page = await (await GmailDriver(session).search(search(include_raw=True))).fetch()
    assert [r.raw for r in page.rows] == [raw]


async def test_a_label_that_does_not_exist_is_noted() -> None:
    session = CannedSession(
        [(listed("q=label:work label:nope", "maxResults=25"), {}), (LABELS, sample("labels"))],
        [(LABELS, sample("labels"))],
    )
    listing = await GmailDriver(session).search(search("label:Work label:nope"))
    assert [(n.account, n.code, n.term) for n in listing.notes if n.code == "no_such_label"] == [
        ("home", "no_such_label", "label:nope")
    ]


async def test_labels_that_exist_are_not_looked_for_again() -> None:
    session = CannedSession(
        [(listed("q=label:work", "maxResults=25"), {}), (LABELS, sample("labels"))],
        [(listed("q=label:family", "maxResults=25"), {})],
    )
    driver = GmailDriver(session)
    for text in ("label:Work", "label:family"):
        assert (await driver.search(search(text))).notes == ()


async def test_me_is_asked_for_once() -> None:
    session = CannedSession(
        [(f"{ME}/profile?fields=emailAddress", {"emailAddress": "ann@example.com"})],
        [(listed("q=to:ann@example.com", "maxResults=25"), {}), (LABELS, NO_LABELS)],
        [(listed("q=from:ann@example.com", "maxResults=25"), {})],
    )
    driver = GmailDriver(session)
    await driver.search(search("to:me"))
    await driver.search(search("from:me"))


async def test_me_is_every_address_of_the_account() -> None:
    q = "q=to:ann@example.com OR to:a@example.org"
    session = CannedSession([(listed(q, "maxResults=25"), {}), (LABELS, NO_LABELS)])
    session.account = attrs.evolve(session.account, address="ann@example.com", aliases=("a@example.org",))
    await GmailDriver(session).search(search("to:me"))


async def test_a_plan_says_what_would_be_sent_and_asks_for_labels_only() -> None:
    session = CannedSession([(LABELS, sample("labels"))])
    plan = await GmailDriver(session).plan(search("label:nope in:trash"))
    assert (plan.account, plan.provider, plan.strategy) == ("home", "google", "search")
    assert str(plan.requests[0]) == (
        f"GET {ME}/messages?q=label:nope in:trash -in:spam & maxResults=25 & includeSpamTrash=true"
    )
    assert [term.term for term in plan.terms] == ["label:nope", "in:trash"]
    assert "no_such_label" in {note.code for note in plan.notes}


async def test_messages_each_with_an_outcome_of_its_own() -> None:
    raw = sample("full")
    session = CannedSession([
        (full("18f2b1d09c4e6a02"), raw),
        (full("gone"), NotFound("gone")),
        (full("odd"), {"id": "odd"}),
        (full("a%2Fb%3F"), item("a/b?")),
        (LABELS, sample("labels")),
    ])  # fmt: skip
    outcomes = await GmailDriver(session).get(["18f2b1d09c4e6a02", "gone", "odd", "a/b?"], include_raw=True)
    good, gone, odd, quoted = outcomes
    assert not isinstance(good, MailkitError)
    assert (good.subject, good.labels, good.raw) == ("Figures", ("family", "Work/Clients/Acme"), raw)
    assert isinstance(gone, NotFound)
    assert isinstance(odd, BadPayload)
    assert odd.path == "$.threadId"
    assert not isinstance(quoted, MailkitError)
    assert session.units == [1, 20, 20, 20, 20]


async def test_nothing_is_asked_for_no_messages() -> None:
    assert await GmailDriver(CannedSession([], [(LABELS, NO_LABELS)])).get([]) == []


@pytest.mark.parametrize("odd", ["", ".", ".."])
async def test_an_id_that_would_be_another_path_is_refused(odd: str) -> None:
    with pytest.raises(UsageError):
        await GmailDriver(CannedSession()).get([odd])


def long_text(message_id: str) -> dict[str, Any]:
    body = {"size": 9, "attachmentId": f"ANG-{message_id}"}
    return item(message_id, payload={"partId": "", "mimeType": "text/plain", "body": body})


async def test_long_texts_are_fetched_in_one_go() -> None:
    session = CannedSession(
        [(full("a"), long_text("a")), (full("b"), long_text("b")), (full("c"), long_text("c")), (LABELS, NO_LABELS)],
        [
            (attached("a", "ANG-a"), {"data": b64(b"long a")}),
            (attached("b", "ANG-b"), RateLimited("later")),
            (attached("c", "ANG-c"), {"data": "*"}),
        ],
    )
    a, b, c = await GmailDriver(session).get(["a", "b", "c"])
    assert not isinstance(a, MailkitError)
    assert (a.body.plain, a.attachments) == ("long a", ())
    assert isinstance(b, RateLimited)
    assert isinstance(c, BadPayload)


async def test_a_message_without_an_id_is_an_outcome_too() -> None:
    session = CannedSession([(full("a"), {"threadId": "t"}), (full("b"), item("b", payload=3)), (LABELS, NO_LABELS)])
    outcomes = await GmailDriver(session).get(["a", "b"])
    assert [o.path for o in outcomes if isinstance(o, BadPayload)] == ["$.id", "$.payload"]


async def test_a_thread_is_oldest_first() -> None:
    session = CannedSession([
        (f"{ME}/threads/t?format=full", {"id": "t", "messages": [item("b", 2), item("a", 1)]}),
        (LABELS, NO_LABELS),
    ])  # fmt: skip
    thread = await GmailDriver(session).thread("t")
    assert (thread.ref.id, thread.ref.kind) == ("t", "thread")
    assert [message.ref.id for message in thread.messages] == ["a", "b"]
    assert session.units == [1, 40]


async def test_a_thread_with_a_message_that_cannot_be_read_names_its_path() -> None:
    answer = {"id": "t", "messages": [item("a"), {"id": "b", "threadId": "t"}]}
    session = CannedSession([(f"{ME}/threads/t?format=full", answer), (LABELS, NO_LABELS)])
    with pytest.raises(BadPayload) as caught:
        await GmailDriver(session).thread("t")
    assert caught.value.path == "$.messages[1].internalDate"


async def test_a_thread_that_is_gone() -> None:
    session = CannedSession([(f"{ME}/threads/t?format=full", NotFound("gone")), (LABELS, NO_LABELS)])
    with pytest.raises(NotFound):
        await GmailDriver(session).thread("t")


async def test_the_message_as_it_travelled() -> None:
    session = CannedSession([(f"{ME}/messages/a?format=raw&fields=raw", {"raw": b64(b"Subject: x\r\n\r\n\xff")})])
    assert await GmailDriver(session).raw("a") == b"Subject: x\r\n\r\n\xff"


async def test_the_labels() -> None:
    answer = {"labels": [*sample("labels")["labels"], {"id": "Label_1"}]}
    labels, problems = await GmailDriver(CannedSession([(LABELS, answer)])).labels()
    assert [label.path for label in labels][-3:] == ["family", "Work", "Work/Clients/Acme"]
    assert [problem.path for problem in problems] == ["$.labels[7].name"]


async def test_what_hangs_on_a_message() -> None:
    session = CannedSession([(full("18f2b1d09c4e6a02"), sample("full")), (LABELS, sample("labels"))])
    attachments, _ = await GmailDriver(session).attachments("18f2b1d09c4e6a02")
    assert [(a.ref.part, a.name, a.inline) for a in attachments] == [
        ("0.1", "logo.png", True), ("1", "figures.pdf", False), ("2", "noname.eml", False),
    ]  # fmt: skip


async def read(driver: GmailDriver, part: str) -> bytes:
    async with driver.read_attachment("m", part) as pieces:
        return b"".join([piece async for piece in pieces])


async def test_an_attachment_is_read_by_the_id_it_has_now() -> None:
    first, second = sample("full"), sample("full")
    second["payload"]["parts"][1]["body"]["attachmentId"] = "NEW"
    session = CannedSession(
        [(full("m", "payload"), first)],
        [(attached("m", "ANGjdJ8wB"), {"size": 3, "data": b64(b"abc")})],
        [(full("m", "payload"), second)],
        [(attached("m", "NEW"), {"size": 3, "data": b64(b"abc")})],
    )
    driver = GmailDriver(session)
    assert (await read(driver, "1"), await read(driver, "1")) == (b"abc", b"abc")
    assert session.units == [20, 20, 20, 20]


@pytest.mark.parametrize(("body", "data"), [({"size": 3, "data": "YWJj"}, b"abc"), ({"size": 0}, b""), (None, b"")])
async def test_an_attachment_that_came_along(body: object, data: bytes) -> None:
    payload = {"mimeType": "multipart/mixed", "parts": [{"mimeType": "text/csv", "filename": "a.csv", "body": body}]}
    assert await read(GmailDriver(CannedSession([(full("m", "payload"), {"payload": payload})])), "0") == data


async def test_an_attachment_that_is_cut_is_no_attachment() -> None:
    session = CannedSession([(full("m", "payload"), sample("full"))], [(attached("m", "ANGjdJ8wB"), b'{"data": "YWJj')])
    with pytest.raises(BadPayload):
        await read(GmailDriver(session), "1")


async def test_an_attachment_that_is_not_there() -> None:
    with pytest.raises(NotFound):
        await read(GmailDriver(CannedSession([(full("m", "payload"), sample("full"))])), "9")


async def test_an_attachment_that_gmail_keeps_to_itself() -> None:
    payload = {"partId": "0", "mimeType": "message/rfc822", "body": {"size": 0}}
    with pytest.raises(NotDownloadable):
        await read(GmailDriver(CannedSession([(full("m", "payload"), {"payload": payload})])), "0")


METADATA = "https://www.googleapis.com/auth/gmail.metadata"
READONLY = "https://www.googleapis.com/auth/gmail.readonly"


@pytest.mark.parametrize(
    "granted", [READONLY, "https://www.googleapis.com/auth/gmail.modify", "https://mail.google.com/", "gmail.readonly"]
)
async def test_any_one_of_these_reads(granted: str) -> None:
    session = CannedSession([(listed("q=a", "maxResults=25"), {}), (LABELS, NO_LABELS)], scopes=[granted, "openid"])
    driver = GmailDriver(session)
    await driver.search(search("a"))
    assert driver.capabilities.read_mail


@pytest.mark.parametrize("granted", [[], ["https://www.googleapis.com/auth/gmail.send"], [METADATA]])
async def test_without_permission_nothing_is_sent(granted: list[str]) -> None:
    driver = GmailDriver(CannedSession(scopes=granted))
    assert not driver.capabilities.read_mail
    refused: list[PermissionMissing] = []
    for verb in (
        lambda: driver.search(search("a")),
        lambda: driver.search(search("to:me")),
        lambda: driver.plan(search("a")),
        lambda: driver.get(["a"]),
        lambda: driver.thread("t"),
        lambda: driver.raw("a"),
        lambda: driver.attachments("a"),
        lambda: read(driver, "0"),
    ):
        with pytest.raises(PermissionMissing) as caught:
            await verb()
        refused.append(caught.value)
    assert all(READONLY in error.scopes and error.account == "home" for error in refused)
    assert {error.operation for error in refused} == {
        "mail.search", "mail.get", "mail.thread", "mail.raw", "mail.attachments.list", "mail.attachments.read",
    }  # fmt: skip


async def test_headers_alone_are_enough_to_list_everything() -> None:
    session = CannedSession(
        [(listed("maxResults=25"), ids("a")), (LABELS, NO_LABELS)],
        [(row("a"), item("a"))],
        [(LABELS, NO_LABELS)],
        scopes=[METADATA],
    )
    driver = GmailDriver(session)
    assert len((await (await driver.search(search())).fetch()).rows) == 1
    await driver.labels()
