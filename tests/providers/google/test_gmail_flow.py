"""Whole flows: the driver on a real session over a sandbox mailbox; every exchange is judged against the contract."""

from __future__ import annotations

import base64
import datetime as dt
import itertools
import json
import re
import tracemalloc
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping

import attrs
import pytest

from mailkit.errors import (
    ConfigurationError,
    ConnectionFailed,
    MailkitError,
    NotFound,
    PermissionMissing,
    RateLimited,
    SignInRequired,
    Unavailable,
    Unsupported,
)
from mailkit.providers.base import Position, Search
from mailkit.providers.google.dialect import GoogleDialect
from mailkit.providers.google.gmail import GmailDriver
from mailkit.query import parse
from mailkit.sandbox import Fault, File, Mail, Person, Sandbox, VirtualClock
from mailkit.sandbox.google import GoogleMailbox
from mailkit.transport import Session
from mailkit.values import Account, HttpRequest
from tests.support.drivers import UTC, FixedToken, found, gmail

pytestmark = pytest.mark.anyio

AMY = Person("Amy Stone", "amy@example.com")
ANN = Person("", "ann@example.org")
EML = b"From: Zed <zed@example.com>\r\nSubject: Inside\r\n\r\ninner\r\n"


def sandbox_with(count: int = 0) -> tuple[Sandbox, GoogleMailbox]:
    sandbox = Sandbox()
    box = sandbox.google("ann@example.org")
    now = sandbox.clock.now()
    for number in range(count):
        labels = ["Work/Clients"] if number % 3 == 0 else []
        date = now - dt.timedelta(minutes=number)
        box.add(Mail(from_=AMY, to=ANN, subject=f"Mail {number}", text="lunch", date=date, labels=labels))
    return sandbox, box


def operations(sandbox: Sandbox) -> Counter[str]:
    return Counter(str(request.operation) for entry in sandbox.requests for request in (entry.parts or [entry]))


async def read_all(sandbox: Sandbox, box: GoogleMailbox, text: str = "", size: int = 25) -> list[str]:
    rows, _ = await found(gmail(sandbox, box), parse(text), now=sandbox.clock.now(), size=size)
    return [row.subject for row in rows]


async def test_a_list_to_its_end() -> None:
    sandbox, box = sandbox_with(60)
    rows, notes = await found(gmail(sandbox, box), parse("from:amy"), now=sandbox.clock.now())
    assert [row.subject for row in rows] == [f"Mail {number}" for number in range(60)]
    assert [row.labels for row in rows[:4]] == [("Work/Clients",), (), (), ("Work/Clients",)]
    assert {(row.folder, row.is_read, row.from_ and row.from_.address) for row in rows} == {
        ("inbox", False, "amy@example.com")
    }
    assert notes == []
    assert operations(sandbox) == {"messages.list": 3, "labels.list": 1, "messages.get": 60}


async def test_a_hundred_rows_take_two_round_trips() -> None:
    sandbox, box = sandbox_with(100)
    driver = gmail(sandbox, box)
    started = sandbox.clock.monotonic()
    sandbox.latency = 1.0
    page = await (await driver.search(Search(expr=parse(""), now=sandbox.clock.now(), tz=UTC, size=100))).fetch()
    assert len(page.rows) == 100
    assert sandbox.clock.monotonic() - started == pytest.approx(2.0, abs=0.01)
    assert [request.operation for request in sandbox.requests] == ["batch"] * 6


async def test_a_position_continues_exactly_among_rows_of_the_same_second() -> None:
    sandbox, box = sandbox_with()
    at = sandbox.clock.now().replace(microsecond=0) - dt.timedelta(hours=1)
    for name, ms in [("newer", 700), ("tie 1", 400), ("tie 2", 400), ("older", 100), ("oldest", -5_000)]:
        box.add(Mail(from_=AMY, subject=name, text="x", date=at + dt.timedelta(milliseconds=ms)))
    driver, now = gmail(sandbox, box), sandbox.clock.now()
    rows, _ = await found(driver, parse("from:amy"), now=now)
    tie = next(row for row in rows if row.subject == "tie 1")
    after = Position(at=tie.date, seen=frozenset({tie.ref.id}))
    rest, _ = await found(driver, parse("from:amy"), now=now, after=after)
    assert [row.subject for row in rest] == ["tie 2", "older", "oldest"]


async def test_trash_and_spam_only_where_they_are_asked_for() -> None:
    sandbox, box = sandbox_with()
    for place in ("inbox", "trash", "spam"):
        box.add(Mail(from_=AMY, subject=place, text="lunch", folder=place))
    assert set(await read_all(sandbox, box, "lunch")) == {"inbox"}
    assert set(await read_all(sandbox, box, "in:trash OR subject:inbox")) == {"trash", "inbox"}
    assert set(await read_all(sandbox, box, "in:spam")) == {"spam"}
    assert set(await read_all(sandbox, box, "in:anywhere")) == {"inbox", "trash", "spam"}


async def test_a_whole_message_its_thread_and_its_bytes() -> None:
    sandbox, box = sandbox_with()
    files = [
        File(name="a.pdf", content=b"%PDF-1.4", content_type="application/pdf"),
        File(name="i.png", content=b"\x89PNG", content_type="image/png", inline=True, content_id="i@x"),
        File(name="m.eml", content=EML, content_type="message/rfc822", kind="item"),
        File(name="empty.txt", content=b"", content_type="text/plain"),
    ]
    first = Mail(
        from_=AMY, to=ANN, subject="Café", text="é", html='<p>é</p><img src="cid:i@x">', files=files, thread="t",
        message_id="<1@x.example>",
    )  # fmt: skip
    message_id = box.add(first)
    box.add(attrs.evolve(first, message_id="<2@x.example>", in_reply_to="<1@x.example>", subject="Re: Café"))
    driver = gmail(sandbox, box)
    (message,) = await driver.get([message_id])
    assert not isinstance(message, MailkitError)
    assert (message.subject, message.body.plain, message.has_attachments) == ("Café", "é", True)
    attachments, _ = await driver.attachments(message_id)
    assert attachments == [*message.attachments]
    assert {(a.name, a.content_type, a.inline) for a in attachments} == {
        ("a.pdf", "application/pdf", False), ("i.png", "image/png", True), ("m.eml", "message/rfc822", False),
        ("empty.txt", "text/plain", False),
    }  # fmt: skip
    contents = {}
    for attachment in attachments:
        assert attachment.ref.part is not None
        async with driver.read_attachment(message_id, attachment.ref.part) as pieces:
            contents[attachment.name] = b"".join([piece async for piece in pieces])
    assert contents.pop("m.eml").splitlines() == EML.splitlines()
    assert contents == {"a.pdf": b"%PDF-1.4", "i.png": b"\x89PNG", "empty.txt": b""}
    thread = await driver.thread(message.thread.id)
    assert [m.message_id for m in thread.messages] == ["<1@x.example>", "<2@x.example>"]
    assert (await driver.raw(message_id)).startswith(b"From: ")


async def test_a_long_text_is_there() -> None:
    sandbox, box = sandbox_with()
    text = "long enough to be kept apart\n" * 20_000
    message_id = box.add(Mail(from_=AMY, subject="x", text=text))
    (message,) = await gmail(sandbox, box).get([message_id])
    assert not isinstance(message, MailkitError)
    assert (message.body.plain or "").split() == text.split()
    assert message.attachments == ()


@attrs.frozen
class Stream:
    """An answer in pieces that are made as they are read."""

    pieces: Iterable[bytes]
    status: int = 200
    headers: Mapping[str, str] = attrs.field(factory=lambda: {"content-type": "application/json"})

    async def stream(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            yield piece

    async def aclose(self) -> None:
        pass


class LargeAttachment:
    """A provider with one message, on which hang 20 MB."""

    async def send(self, request: HttpRequest) -> Stream:
        if "/attachments/" not in request.url:
            body = {"attachmentId": "ANG", "size": 427 * 49_152}
            part = {"partId": "", "mimeType": "application/zip", "filename": "a.zip", "body": body}
            return Stream([json.dumps({"payload": part}).encode()])
        block = base64.urlsafe_b64encode(bytes(range(256)) * 192)
        return Stream(itertools.chain([b'{"data": "'], itertools.repeat(block, 427), [b'"}']))

    async def aclose(self) -> None:
        pass


async def test_twenty_megabytes_need_less_than_ten() -> None:
    account = Account(name="work", provider="google", token="t", transport=LargeAttachment())
    driver = GmailDriver(Session(account, dialect=GoogleDialect(), tokens=FixedToken("t"), clock=VirtualClock()))
    tracemalloc.start()
    try:
        async with driver.read_attachment("m", "") as pieces:
            total = sum([len(piece) async for piece in pieces])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert total == 427 * 49_152
    assert peak < 10_000_000


@pytest.mark.parametrize(
    ("fault", "error", "code"),
    [
        (Fault.unauthorized(times=None), SignInRequired, "authError"),
        (Fault.forbidden("insufficientPermissions"), PermissionMissing, "ACCESS_TOKEN_SCOPE_INSUFFICIENT"),
        (Fault.forbidden("accessNotConfigured"), ConfigurationError, "accessNotConfigured"),
        (Fault.forbidden("dailyLimitExceeded"), RateLimited, "dailyLimitExceeded"),
        (Fault(status=400, reason="failedPrecondition"), Unsupported, "failedPrecondition"),
        (Fault(status=503, times=None), Unavailable, "backendError"),
        (Fault(broken="read", times=None), ConnectionFailed, None),
    ],
)
async def test_refusals_become_errors(fault: Fault, error: type[MailkitError], code: str | None) -> None:
    sandbox, box = sandbox_with(1)
    box.script(fault)
    with pytest.raises(error) as caught:
        await read_all(sandbox, box)
    assert (caught.value.account, caught.value.operation) == ("work", "mail.search")
    assert code is None or caught.value.code == code
    if isinstance(caught.value, ConfigurationError):
        assert caught.value.cause == "api_switched_off"
    assert "ann@example.org" not in str(caught.value)


@pytest.mark.parametrize(
    "fault",
    [
        Fault.rate_limited(reason="rateLimitExceeded", status=403),
        Fault.rate_limited(),
        Fault.rate_limited(reason="userRateLimitExceeded", status=403, operation="messages.get", part=True, times=7),
        Fault(status=500),
        Fault(truncate=True),
    ],
)
async def test_what_passes_is_waited_for_and_no_row_is_lost(fault: Fault) -> None:
    sandbox, box = sandbox_with(30)
    box.script(fault)
    assert await read_all(sandbox, box) == [f"Mail {number}" for number in range(30)]


async def test_a_message_that_is_gone() -> None:
    sandbox, box = sandbox_with(2)
    rows, _ = await found(gmail(sandbox, box), parse(""), now=sandbox.clock.now())
    box.remove(rows[0].ref.id)
    gone, there = await gmail(sandbox, box).get([row.ref.id for row in rows])
    assert isinstance(gone, NotFound)
    assert not isinstance(there, MailkitError)


async def test_a_message_that_goes_while_the_list_is_read() -> None:
    sandbox, box = sandbox_with(3)
    search = Search(expr=parse(""), now=sandbox.clock.now(), tz=UTC, size=25)
    listing = await gmail(sandbox, box).search(search)
    (second,) = [entry.id for entry in box if entry.mail.subject == "Mail 1"]
    box.remove(second)
    page = await listing.fetch()
    assert [row.subject for row in page.rows] == ["Mail 0", "Mail 2"]
    assert page.problems == ()


async def test_a_permission_that_turns_out_to_be_missing() -> None:
    sandbox = Sandbox()
    box = sandbox.google("ann@example.org", scopes=["https://www.googleapis.com/auth/gmail.metadata"])
    box.add(Mail(from_=AMY, subject="x", text="x"))
    assert await read_all(sandbox, box) == ["x"]
    with pytest.raises(PermissionMissing):
        await read_all(sandbox, box, "from:amy")


async def test_many_rows_keep_to_the_quota() -> None:
    sandbox, box = sandbox_with(400)
    await read_all(sandbox, box, size=200)
    spent = [
        (entry.at, {"messages.get": 20, "messages.list": 5, "labels.list": 1}[str(part.operation)])
        for entry in sandbox.requests
        for part in (entry.parts or [entry])
    ]
    for start, _ in spent:
        window = [units for at, units in spent if start <= at < start + dt.timedelta(seconds=60)]
        assert sum(window) <= 6_000


async def test_nothing_of_the_mail_is_in_the_requests_but_the_query() -> None:
    sandbox, box = sandbox_with(1)
    await read_all(sandbox, box, "from:amy")
    assert not [r for r in sandbox.requests if re.search("Stone|lunch", r.url + r.content.decode())]


@pytest.mark.parametrize("id_", ["zzz", "1f00000000000000"])
async def test_an_id_gmail_never_gave_is_not_found_whatever_its_shape(id_: str) -> None:
    sandbox = Sandbox()
    driver = gmail(sandbox, sandbox.google("ann@example.com"))
    (outcome,) = await driver.get([id_])
    assert isinstance(outcome, NotFound)
    for verb in (driver.thread(id_), driver.raw(id_), driver.attachments(id_)):
        with pytest.raises(NotFound):
            await verb
    with pytest.raises(NotFound):
        async with driver.read_attachment(id_, "1"):
            pass
