"""Sending at Gmail: the requests expected, the answers given, what must come of them."""

from __future__ import annotations

import base64
import datetime as dt
import email
import email.policy
import json
import tracemalloc
from collections.abc import Iterable

import pytest

from mailkit.errors import BadPayload, ConnectionFailed, MailkitError, NotFound, PermissionMissing, TooLarge
from mailkit.mime.build import SEND_ID_HEADER
from mailkit.providers.google import gmail_letters, gmail_writing_calls
from mailkit.providers.google.dialect import GoogleDialect
from mailkit.providers.google.gmail import GmailDriver
from mailkit.providers.google.limits import MESSAGE_MOST, UPLOAD_PIECE
from mailkit.providers.writing import Answers, Attempt, Sent
from mailkit.sandbox.clock import VirtualClock
from mailkit.transport import Session
from mailkit.values import Account, HttpRequest
from tests.support.letters import MESSAGE_ID, SEND_ID, a_file, letter, trace
from tests.support.wire import Reply, Script, ScriptedTransport, Tokens, reply

pytestmark = pytest.mark.anyio

HOST = "https://gmail.googleapis.com"
ME = f"{HOST}/gmail/v1/users/me"
SEND = f"{ME}/messages/send?fields=id%2CthreadId"
START = f"{HOST}/upload/gmail/v1/users/me/messages/send?uploadType=resumable&fields=id%2CthreadId"
PIECES = f"{START}&upload_id=AAAN"
NOW = dt.datetime(2024, 5, 1, 12, tzinfo=dt.UTC)
REPLY = Answers(kind="reply", id="18f0", thread_id="18ef")
ANSWER = reply(json={"id": "18f1", "threadId": "18ef", "labelIds": ["SENT"]})
GONE = reply(404, {"error": {"code": 404, "errors": [{"reason": "notFound"}]}})


def driver(*script: Script, scopes: Iterable[str] | None = None) -> tuple[GmailDriver, list[HttpRequest]]:
    transport = ScriptedTransport(script)
    account = Account(name="home", provider="google", token="t", scopes=scopes, transport=transport)
    session = Session(account, dialect=GoogleDialect(), tokens=Tokens(), clock=VirtualClock(start=NOW))
    return GmailDriver(session), transport.requests


def asked(requests: list[HttpRequest]) -> list[str]:
    return [f"{request.method} {request.url}" for request in requests]


def message_of(request: HttpRequest) -> email.message.EmailMessage:
    raw = base64.urlsafe_b64decode(json.loads(request.content)["raw"])
    return email.message_from_bytes(raw, policy=email.policy.default)


async def test_a_letter_from_request_to_record() -> None:
    gmail, requests = driver(ANSWER)
    attempt, told = Attempt(), list[tuple[int, int | None]]()
    given = letter(NOW, bcc="zoe@example.com", answers=REPLY, in_reply_to="<1@x>", references=("<0@x>", "<1@x>"))
    sent = await gmail.send(given, attempt, progress=lambda done, total: told.append((done, total)))
    assert sent == Sent(id="18f1", thread_id="18ef", message_id=None, evidence="answer")
    assert attempt.committed
    (request,) = requests
    assert asked(requests) == [f"POST {SEND}"]
    assert json.loads(request.content).keys() == {"raw", "threadId"}
    assert json.loads(request.content)["threadId"] == "18ef"
    message = message_of(request)
    assert {name: str(value) for name, value in message.items()} == {
        "To": "Bob <bob@example.com>",
        "Bcc": "zoe@example.com",
        "Subject": "Plans",
        "Date": "Wed, 01 May 2024 12:00:00 +0000",
        "Message-ID": MESSAGE_ID,
        "In-Reply-To": "<1@x>",
        "References": "<0@x> <1@x>",
        SEND_ID_HEADER: SEND_ID,
        "MIME-Version": "1.0",
        "Content-Type": 'text/plain; charset="utf-8"',
        "Content-Transfer-Encoding": "7bit",
    }
    size = len(base64.urlsafe_b64decode(json.loads(request.content)["raw"]))
    assert told == [(size, size)]


async def test_a_letter_that_answers_nothing_names_no_thread() -> None:
    gmail, requests = driver(ANSWER)
    await gmail.send(letter(NOW), Attempt())
    assert json.loads(requests[0].content).keys() == {"raw"}


async def test_a_reply_whose_conversation_is_gone_goes_all_the_same() -> None:
    gmail, requests = driver(GONE, ANSWER)
    attempt = Attempt()
    sent = await gmail.send(letter(NOW, answers=REPLY, in_reply_to="<1@x>"), attempt)
    assert (sent.id, attempt.committed) == ("18f1", True)
    assert ["threadId" in json.loads(request.content) for request in requests] == [True, False]
    assert message_of(requests[1])["In-Reply-To"] == "<1@x>"


async def test_a_letter_without_a_conversation_is_not_tried_twice() -> None:
    gmail, requests = driver(GONE)
    attempt = Attempt()
    with pytest.raises(NotFound):
        await gmail.send(letter(NOW), attempt)
    assert (len(requests), attempt.committed) == (1, False)


async def test_a_large_letter_is_uploaded_in_pieces() -> None:
    start = Reply(200, {"location": PIECES}, b"")
    # The server lost the second piece: it is asked for again, and then the rest.
    gmail, requests = driver(
        start,
        Reply(308, {"range": f"bytes=0-{UPLOAD_PIECE - 1}"}, b""),
        Reply(308, {"range": f"bytes=0-{UPLOAD_PIECE - 1}"}, b""),
        Reply(308, {"range": f"bytes=0-{2 * UPLOAD_PIECE - 1}"}, b""),
        ANSWER,
    )
    committed: list[tuple[bool, int]] = []
    attempt = Attempt(on_commit=lambda value: committed.append((value, len(requests))))
    told: list[int] = []
    sent = await gmail.send(
        letter(NOW, answers=REPLY, files=(a_file(4_000_000),)), attempt, progress=lambda done, _total: told.append(done)
    )
    assert sent == Sent(id="18f1", thread_id="18ef")
    first, *pieces = requests
    total = int(dict(first.headers)["X-Upload-Content-Length"])
    assert first.url == START
    assert dict(first.headers)["X-Upload-Content-Type"] == "message/rfc822"
    assert json.loads(first.content) == {"threadId": "18ef"}
    assert asked(pieces) == [f"PUT {PIECES}"] * 4
    one, two = UPLOAD_PIECE, 2 * UPLOAD_PIECE
    assert [dict(piece.headers)["Content-Range"] for piece in pieces] == [
        f"bytes 0-{one - 1}/{total}",
        f"bytes {one}-{two - 1}/{total}",
        f"bytes {one}-{two - 1}/{total}",
        f"bytes {two}-{total - 1}/{total}",
    ]
    raw = pieces[0].content + pieces[2].content + pieces[3].content
    assert (len(raw), UPLOAD_PIECE % (256 * 1024)) == (total, 0)
    (file,) = email.message_from_bytes(raw, policy=email.policy.default).iter_attachments()
    assert file.get_content() == bytes(4_000_000)
    assert committed == [(True, 4)]  # right before the last piece
    assert told == [one, one, two, total]


async def test_an_upload_that_leads_nowhere() -> None:
    gmail, _ = driver(Reply(200, {}, b""))
    attempt = Attempt()
    with pytest.raises(BadPayload):
        await gmail.send(letter(NOW, files=(a_file(4_000_000),)), attempt)
    assert not attempt.committed


@pytest.mark.parametrize("more", [0, 1])
async def test_what_is_too_large_is_refused_before_anything_is_sent(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    gmail, requests = driver(ANSWER)
    built = gmail_letters._built(gmail._session, gmail_writing_calls.messages_send(), letter(NOW))
    monkeypatch.setattr(gmail_letters, "MESSAGE_MOST", built.size - more)
    attempt = Attempt()
    if not more:
        await gmail.send(letter(NOW), attempt)
        return
    with pytest.raises(TooLarge) as caught:
        await gmail.send(letter(NOW), attempt)
    assert (caught.value.limit, caught.value.operation, caught.value.account) == (built.size - 1, "mail.send", "home")
    assert (requests, attempt.committed) == ([], False)


async def test_thirty_megabytes_are_too_large_once_encoded() -> None:
    gmail, requests = driver()
    with pytest.raises(TooLarge) as caught:
        await gmail.send(letter(NOW, files=(a_file(30_000_000),)), Attempt())
    assert (caught.value.limit, requests) == (MESSAGE_MOST, [])


class Swallow:
    """Takes an upload and keeps nothing of it."""

    def __init__(self) -> None:
        self.taken = 0

    async def send(self, request: HttpRequest) -> Reply:
        headers = dict(request.headers)
        if "X-Upload-Content-Length" in headers:
            return Reply(200, {"location": PIECES}, b"")
        self.taken += len(request.content)
        total = int(headers["Content-Range"].rpartition("/")[2])
        return ANSWER if self.taken == total else Reply(308, {"range": f"bytes=0-{self.taken - 1}"}, b"")

    async def aclose(self) -> None: ...


async def test_the_largest_file_takes_little_memory() -> None:
    swallow = Swallow()
    account = Account(name="home", provider="google", token="t", transport=swallow)
    gmail = GmailDriver(Session(account, dialect=GoogleDialect(), tokens=Tokens(), clock=VirtualClock()))
    large = letter(NOW, files=(a_file(26_800_000),))
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        await gmail.send(large, Attempt())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert swallow.taken > 36_000_000
    assert peak - before < 10_000_000


AUTH = "https://www.googleapis.com/auth/"


@pytest.mark.parametrize("granted", ["gmail.send", f"{AUTH}gmail.compose", "gmail.modify", "https://mail.google.com/"])
async def test_any_one_of_these_sends(granted: str) -> None:
    gmail, _ = driver(ANSWER, scopes=[granted, "openid"])
    assert (await gmail.send(letter(NOW), Attempt())).id == "18f1"
    assert gmail.capabilities.send_mail
    assert gmail.capabilities.drafts == (granted != "gmail.send")


async def test_without_the_permission_nothing_is_sent() -> None:
    gmail, requests = driver(scopes=["gmail.readonly", "gmail.labels"])
    attempt = Attempt()
    for call in (gmail.send(letter(NOW), attempt), gmail.send_draft("r1", attempt)):
        with pytest.raises(PermissionMissing) as caught:
            await call
        assert f"{AUTH}gmail.compose" in caught.value.scopes
    assert not gmail.capabilities.send_mail
    assert (requests, attempt.committed) == ([], False)


async def test_gmail_s_own_refusal_names_what_would_do() -> None:
    refusal = reply(403, {"error": {"code": 403, "errors": [{"reason": "insufficientPermissions"}]}})
    gmail, _ = driver(refusal)
    attempt = Attempt()
    with pytest.raises(PermissionMissing) as caught:
        await gmail.send(letter(NOW), attempt)
    assert (caught.value.scopes[0], attempt.committed) == (f"{AUTH}gmail.send", False)


async def test_a_draft_is_sent_by_its_id() -> None:
    gmail, requests = driver(ANSWER)
    attempt = Attempt()
    assert await gmail.send_draft("r-7", attempt) == Sent(id="18f1", thread_id="18ef")
    assert attempt.committed
    assert asked(requests) == [f"POST {ME}/drafts/send?fields=id%2CthreadId"]
    assert json.loads(requests[0].content) == {"id": "r-7"}


@pytest.mark.parametrize(
    ("answer", "error", "committed"),
    [
        (GONE, NotFound, False),
        (reply(400, {"error": {"code": 400, "errors": [{"reason": "invalidArgument"}]}}), MailkitError, False),
        (ConnectionFailed("broken", code="interrupted"), ConnectionFailed, True),
        (reply(json=["?"]), BadPayload, True),
    ],
)
async def test_a_draft_that_is_not_sent(answer: Script, error: type[MailkitError], committed: bool) -> None:
    gmail, _ = driver(answer)
    attempt = Attempt()
    with pytest.raises(error) as caught:
        await gmail.send_draft("r-7", attempt)
    assert attempt.committed == committed
    assert isinstance(caught.value, NotFound) == (answer is GONE)


# Looking for what was sent


def found(*names: str) -> Reply:
    return reply(json={"messages": [{"id": name, "threadId": f"t{name}"} for name in names]} if names else {})


def row(name: str, minutes: float = 0, **headers: str) -> dict[str, object]:
    at = NOW + dt.timedelta(minutes=minutes)
    named = {"To": "Bob <bob@example.com>", "Subject": "Plans", **{k.replace("_", "-"): v for k, v in headers.items()}}
    pairs = [{"name": key, "value": value} for key, value in named.items()]
    return {
        "id": name,
        "threadId": f"t{name}",
        "internalDate": str(int(at.timestamp() * 1000)),
        "payload": {"headers": pairs},
    }


def batched(*parts: object) -> Script:
    written = []
    for number, part in enumerate(parts):
        answer = part if isinstance(part, Reply) else reply(json=part)
        head = f"--b\r\nContent-Type: application/http\r\nContent-ID: <response-{number}>\r\n\r\n"
        line = f"HTTP/1.1 {answer.status} OK\r\nContent-Type: application/json\r\n\r\n"
        written.append(head.encode() + line.encode() + answer.content + b"\r\n")
    return Reply(200, {"content-type": "multipart/mixed; boundary=b"}, b"".join(written) + b"--b--")


BY_ID = f"q=rfc822msgid%3A{MESSAGE_ID[1:-1].replace('@', '%40')}&maxResults=1"
LISTS = [
    f"GET /gmail/v1/users/me/messages?labelIds=SENT&{which}&fields=messages%28id%2CthreadId%29"
    for which in (BY_ID, "maxResults=50")
]


async def test_a_mail_is_found_by_its_message_id_in_one_round() -> None:
    gmail, requests = driver(batched(found("a"), found("b", "a")))
    sent = await gmail.find_sent(trace(letter(NOW)))
    assert sent == Sent(message_id=MESSAGE_ID, id="a", thread_id="ta", evidence="message_id")
    assert len(requests) == 1
    assert all(line in requests[0].content.decode() for line in LISTS)


async def test_long_after_only_the_mail_of_that_time_is_looked_through() -> None:
    gmail, requests = driver(batched(found(), found()))
    assert await gmail.find_sent(trace(letter(NOW - dt.timedelta(days=2)))) is None
    until = int((NOW - dt.timedelta(days=2, hours=-1)).timestamp())
    assert f"labelIds=SENT&q=before%3A{until}&maxResults=50" in requests[0].content.decode()


async def test_a_mail_under_another_message_id_is_found_by_its_send_id() -> None:
    rows = [row("a", Message_ID="<CA1@x>"), row("b", 60, Message_ID="<CA2@x>", X_Mailkit_Send_Id=SEND_ID)]
    gmail, requests = driver(batched(found(), found("a", "b")), batched(*rows))
    sent = await gmail.find_sent(trace(letter(NOW)))
    assert sent == Sent(message_id="<CA2@x>", id="b", thread_id="tb", evidence="send_id")
    names = "".join(f"&metadataHeaders={name}" for name in ("Message-ID", SEND_ID_HEADER, "Subject", "To", "Cc"))
    wanted = f"messages/b?format=metadata{names}&fields=id%2CthreadId%2CinternalDate%2Cpayload%2Fheaders"
    assert wanted in requests[1].content.decode()


async def test_a_mail_that_is_alike_is_the_last_resort() -> None:
    rows = [
        row("a", 1.9, Message_ID="<CA1@x>"),
        row("b", 2.1),
        row("c", Subject="Plan"),
        GONE,
        row("e", Cc="zoe@x.org"),
    ]
    gmail, _ = driver(batched(found(), found("a", "b", "c", "d", "e")), batched(*rows))
    assert await gmail.find_sent(trace(letter(NOW))) == Sent(
        message_id="<CA1@x>", id="a", thread_id="ta", evidence="likeness"
    )


@pytest.mark.parametrize(
    "rows",
    [
        [row("a"), row("b")],  # which of them?
        [row("a", X_Mailkit_Send_Id="ffff"), row("b", X_Mailkit_Send_Id="eeee")],  # others of ours
        [row("a", To="Bob <bob@example.com>, Eve <eve@example.com>")],
        [row("a", -3)],
    ],
)
async def test_what_is_not_surely_it_is_not_found(rows: list[dict[str, object]]) -> None:
    ids = [str(each["id"]) for each in rows]
    answers = batched(*rows) if len(rows) > 1 else reply(json=rows[0])
    gmail, _ = driver(batched(found(), found(*ids)), answers)
    assert await gmail.find_sent(trace(letter(NOW))) is None


async def test_a_trace_without_a_send_id_matches_no_mail_without_one() -> None:
    gmail, _ = driver(batched(found(), found("a")), reply(json=row("a", Subject="Else")))
    assert await gmail.find_sent(trace(letter(NOW), send_id="")) is None


async def test_where_only_headers_may_be_read_nothing_is_searched() -> None:
    gmail, requests = driver(found("a"), reply(json=row("a", Message_ID=MESSAGE_ID)), scopes=["gmail.metadata"])
    sent = await gmail.find_sent(trace(letter(NOW - dt.timedelta(days=2))))
    assert sent == Sent(message_id=MESSAGE_ID, id="a", thread_id="ta", evidence="message_id")
    assert all("&q=" not in request.url for request in requests)


@pytest.mark.parametrize("granted", ["gmail.send", "gmail.compose"])
async def test_where_nothing_may_be_read_nobody_looks(granted: str) -> None:
    gmail, requests = driver(scopes=[granted])
    with pytest.raises(PermissionMissing):
        await gmail.find_sent(trace(letter(NOW)))
    assert requests == []
