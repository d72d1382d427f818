"""Sends that go wrong at Outlook: the error, what is known of the mail, what is left behind."""

from __future__ import annotations

import datetime as dt

import anyio
import attrs
import pytest

from mailkit.errors import (
    AccessError,
    ConnectionFailed,
    MailkitError,
    PermissionMissing,
    ProviderError,
    RateLimited,
    SignInRequired,
    TimedOut,
    Unavailable,
)
from mailkit.providers.microsoft.dialect import GraphDialect
from mailkit.providers.microsoft.mail import OutlookDriver
from mailkit.providers.writing import Answers, Attempt, Letter
from mailkit.sandbox import Fault, File, Mail, MicrosoftMailbox, Person, Sandbox, VirtualClock
from mailkit.transport import HttpxTransport, Session
from mailkit.values import AccessToken, Account
from tests.support.drivers import outlook
from tests.support.letters import MESSAGE_ID, a_file, letter, trace

pytestmark = [pytest.mark.anyio, pytest.mark.matrix]

NOW = dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC)
SMALL = frozenset({"Mail.Read", "Mail.Send"})
WIDE = frozenset({"Mail.ReadWrite", "Mail.Send"})
ANN, BOB = Person("Ann", "ann@contoso.example"), Person("Bob", "bob@example.com")


class World:
    """Ann's mailbox, a mail of Bob's to answer, and a letter of each kind."""

    def __init__(self, scopes: frozenset[str]) -> None:
        self.sandbox = Sandbox(clock=VirtualClock(start=NOW))
        self.box: MicrosoftMailbox = self.sandbox.microsoft(ANN.address, scopes=scopes)
        self.driver: OutlookDriver = outlook(self.sandbox, self.box, scopes=scopes)
        id_ = self.box.add(
            Mail(from_=BOB, to=[ANN], subject="Lunch", message_id="<l@x.example>", files=[File(name="a", content=b"a")])
        )
        entry = self.box.get(id_)
        assert entry is not None
        self.forward = Answers(kind="forward", id=id_, thread_id=entry.thread_id)

    def letter(self, kind: str) -> Letter:
        if kind == "new":
            return letter(NOW, files=(a_file(5),))
        if kind == "elsewhere":
            return letter(NOW, in_reply_to="<l@x.example>", files=(a_file(5),))
        return letter(NOW, answers=self.forward, in_reply_to="<l@x.example>", files=(a_file(5), a_file(4_000_000)))

    def drafts(self) -> int:
        return sum(entry.mail.folder == "drafts" for entry in self.box)

    def in_sent(self) -> int:
        return sum(entry.mail.folder == "sent" for entry in self.box)


KINDS = pytest.mark.parametrize("kind", ["new", "elsewhere", "forward"])
BEFORE_IT_IS_SENT = [
    ("new", "messages.create"),
    ("new", "attachments.create"),
    ("elsewhere", "messages.create"),
    ("elsewhere", "messages.update"),
    ("forward", "messages.createForward"),
    ("forward", "messages.update"),
    ("forward", "attachments.list"),
    ("forward", "attachments.create"),
    ("forward", "attachments.createUploadSession"),
    ("forward", "attachments.delete"),
    ("forward", "uploads.put"),
]
BREAKS = {
    "refused": Fault(status=400, reason="ErrorInvalidRequest", times=None),
    "broken": Fault.server_error(502, times=None),
    "done and broken": Fault.server_error(502, times=None, takes_effect=True),
    "cut": Fault.reset(times=None),
    "cut undone": Fault.reset(times=None, takes_effect=False),
    "cut short": Fault.truncated(times=None),
    "a page": Fault.html_page(502, times=None),
}


def at(operation: str, fault: Fault) -> Fault:
    return attrs.evolve(fault, operation=operation)


@pytest.mark.parametrize("how", BREAKS)
@pytest.mark.parametrize(("kind", "operation"), BEFORE_IT_IS_SENT)
async def test_what_fails_before_the_send_leaves_nothing(kind: str, operation: str, how: str) -> None:
    world = World(WIDE)
    if (operation, how) == ("attachments.delete", "cut short"):
        pytest.skip("its answer has nothing that could be cut")
    world.box.script(at(operation, BREAKS[how]))
    commits: list[bool] = []
    attempt = Attempt(on_commit=commits.append)
    with pytest.raises(MailkitError) as raised:
        await world.driver.send(world.letter(kind), attempt)
    assert raised.value.operation == "mail.send"
    assert (world.sandbox.sent, world.drafts()) == ([], 0)
    assert (attempt.committed, attempt.draft_id, commits) == (False, None, [])
    world.box.faults.clear()
    await world.driver.send(world.letter(kind), Attempt())
    assert (len(world.sandbox.sent), world.drafts(), world.in_sent()) == (1, 0, 1)


PASSING = [
    Fault.rate_limited(2),
    Fault.server_error(503, retry_after=2),
    Fault.reset(before=True),
]


@KINDS
@pytest.mark.parametrize("fault", PASSING, ids=["429", "503", "not connected"])
async def test_what_was_not_accepted_is_sent_again_everywhere(kind: str, fault: Fault) -> None:
    world = World(WIDE)
    for operation in ("messages.send", *(one for of, one in BEFORE_IT_IS_SENT if of == kind)):
        world.box.script(at(operation, fault))
    attempt = Attempt()
    await world.driver.send(world.letter(kind), attempt)
    assert (len(world.sandbox.sent), world.drafts(), attempt.committed) == (1, 0, True)


@pytest.mark.parametrize(
    "fault",
    [Fault.server_error(502, takes_effect=True), Fault.reset(), Fault.reset(takes_effect=False)],
    ids=["done, 502", "done, cut", "undone, cut"],
)
async def test_an_upload_goes_on_where_it_was(fault: Fault) -> None:
    world = World(WIDE)
    world.box.script(at("uploads.put", fault))
    await world.driver.send(letter(NOW, files=(a_file(9_000_000),)), Attempt())
    (post,) = world.sandbox.sent
    assert len(post.raw) > 12_000_000


# -- the request that sends ------------------------------------------------------------------------------------------

WAYS = pytest.mark.parametrize(
    ("scopes", "operation"), [(WIDE, "messages.send"), (SMALL, "me.sendMail")], ids=["draft", "at once"]
)


@WAYS
@pytest.mark.parametrize(
    ("fault", "error", "went"),
    [
        (Fault.server_error(500), Unavailable, 0),
        (Fault.server_error(502, takes_effect=True), Unavailable, 1),
        (Fault.server_error(504), Unavailable, 0),
        (Fault.server_error(503, takes_effect=True), Unavailable, 1),
        (Fault.reset(), ConnectionFailed, 1),
        (Fault.reset(takes_effect=False), ConnectionFailed, 0),
        (Fault(status=408), ProviderError, 0),
    ],
    ids=["500", "502 sent", "504", "503 sent", "cut sent", "cut", "408"],
)
async def test_where_it_is_unclear_nothing_is_repeated_and_the_draft_stays(
    scopes: frozenset[str], operation: str, fault: Fault, error: type[MailkitError], went: int
) -> None:
    world = World(scopes)
    world.box.script(at(operation, fault))
    commits: list[bool] = []
    attempt = Attempt(on_commit=commits.append)
    given = letter(NOW)
    with pytest.raises(error) as raised:
        await world.driver.send(given, attempt)
    assert not raised.value.had_no_effect
    assert (attempt.committed, commits) == (True, [True])
    assert len(world.sandbox.sent) == went
    assert sum(request.path.endswith(("/send", "/sendMail")) for request in world.sandbox.requests) == 1
    found = await world.driver.find_sent(trace(given, draft_id=attempt.draft_id))
    assert (found is not None) == bool(went)
    if scopes == WIDE:
        assert attempt.message_id == MESSAGE_ID
        assert world.drafts() == 1 - went
        assert str(attempt.draft_id) in world.box


@WAYS
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault(status=400, reason="ErrorInvalidRecipients"), ProviderError),
        (Fault.forbidden("ErrorAccessDenied"), PermissionMissing),
        (Fault.rate_limited(100_000), RateLimited),
        (Fault.server_error(503, retry_after=100_000), RateLimited),
        (Fault.unauthorized(times=None), SignInRequired),
        (Fault.reset(before=True, times=None), ConnectionFailed),
    ],
    ids=["400", "403", "429", "503", "401", "not connected"],
)
async def test_where_it_surely_did_not_go_that_is_said_and_the_draft_goes(
    scopes: frozenset[str], operation: str, fault: Fault, error: type[MailkitError]
) -> None:
    world = World(scopes)
    world.box.script(at(operation, fault))
    commits: list[bool] = []
    attempt = Attempt(on_commit=commits.append)
    with pytest.raises(error) as raised:
        await world.driver.send(letter(NOW), attempt)
    assert raised.value.had_no_effect
    assert (attempt.committed, commits) == (False, [True, False])
    assert (attempt.draft_id, world.drafts(), world.sandbox.sent) == (None, 0, [])
    if isinstance(raised.value, PermissionMissing):
        assert raised.value.scopes == ("Mail.Send", "Mail.Send.Shared")


async def test_no_token_no_send() -> None:
    class NoToken:
        async def token(self, *, stale: str | None = None) -> AccessToken:
            raise SignInRequired("sign in")

    sandbox = Sandbox()
    box = sandbox.microsoft(ANN.address)
    for scopes in (SMALL, WIDE):
        transport = HttpxTransport(httpx_transport=sandbox.transport())
        account = Account(name="work", provider="microsoft", token=box.token, scopes=scopes, transport=transport)
        driver = OutlookDriver(Session(account, dialect=GraphDialect(), tokens=NoToken(), clock=sandbox.clock))
        attempt = Attempt()
        with pytest.raises(AccessError):
            await driver.send(letter(NOW), attempt)
        assert not attempt.committed
    assert sandbox.requests == []


# -- cut off ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "operation"), BEFORE_IT_IS_SENT)
@pytest.mark.parametrize("done", [True, False], ids=["done", "undone"])
async def test_who_gives_up_before_the_send_leaves_nothing(kind: str, operation: str, done: bool) -> None:
    world = World(WIDE)
    world.box.script(Fault.hang(operation=operation, takes_effect=done))
    attempt = Attempt()
    with world.sandbox.clock.deadline(5) as deadline:
        await world.driver.send(world.letter(kind), attempt)
    assert deadline.expired
    assert (attempt.committed, attempt.draft_id, world.drafts(), world.sandbox.sent) == (False, None, 0, [])


@WAYS
@pytest.mark.parametrize("done", [True, False], ids=["done", "undone"])
async def test_who_gives_up_during_the_send_knows_that_it_is_unclear(
    scopes: frozenset[str], operation: str, done: bool
) -> None:
    world = World(scopes)
    world.box.script(Fault.hang(operation=operation, takes_effect=done))
    attempt = Attempt()
    given = letter(NOW)
    with world.sandbox.clock.deadline(5) as deadline:
        await world.driver.send(given, attempt)
    assert deadline.expired
    assert attempt.committed
    assert len(world.sandbox.sent) == done
    found = await world.driver.find_sent(trace(given, draft_id=attempt.draft_id))
    assert (found is not None) == done


async def test_clearing_away_takes_no_longer_than_it_may() -> None:
    world = World(WIDE)
    world.box.script(Fault.server_error(500, operation="attachments.create"))
    world.box.script(Fault.hang(operation="messages.delete", takes_effect=False))
    before = world.sandbox.clock.monotonic()
    attempt = Attempt()
    with pytest.raises(Unavailable):
        await world.driver.send(letter(NOW, files=(a_file(5),)), attempt)
    assert world.sandbox.clock.monotonic() - before <= 10
    assert attempt.draft_id is not None
    assert world.drafts() == 1


async def test_a_cancelled_task_group_ends_and_leaves_nothing() -> None:
    world = World(WIDE)
    world.box.script(Fault.hang(operation="attachments.create"))
    async with anyio.create_task_group() as group:
        group.start_soon(world.driver.send, world.letter("new"), Attempt())
        await world.sandbox.clock.sleep(3)
        group.cancel_scope.cancel()
    assert world.drafts() == 0


# -- looking for it --------------------------------------------------------------------------------------------------


async def found_by(world: World, **changed: object) -> str | None:
    given = trace(letter(NOW), **{"around": world.sandbox.clock.now(), **changed})
    sent = await world.driver.find_sent(given)
    return None if sent is None else sent.evidence


async def test_a_sent_mail_is_found_by_what_is_left_of_it() -> None:
    world = World(WIDE)
    attempt = Attempt()
    sent = await world.driver.send(letter(NOW), attempt)
    found = await world.driver.find_sent(trace(letter(NOW)))
    assert found is not None
    assert (found.id, found.thread_id, found.message_id) == (sent.id, sent.thread_id, MESSAGE_ID)
    assert await found_by(world) == "message_id"
    assert await found_by(world, message_id="<other@x>") == "send_id"
    assert await found_by(world, message_id="<it's@x>", send_id="it's") is None
    (entry,) = [entry for entry in world.box if entry.mail.folder == "sent"]
    world.box.update(entry.id, properties=())
    assert await found_by(world, message_id="<other@x>") == "send_id"
    assert await found_by(world, message_id="<other@x>", send_id="other") is None
    world.box.update(entry.id, headers=())
    assert await found_by(world, message_id="<other@x>", send_id="other") == "likeness"
    for changed in (
        {"subject": "Other plans"},
        {"recipients": frozenset({"zoe@example.com"})},
        {"around": world.sandbox.clock.now() + dt.timedelta(minutes=2)},
    ):
        assert await found_by(world, message_id="<other@x>", send_id="other", **changed) is None


async def test_a_mail_sent_at_once_is_found_by_its_header() -> None:
    world = World(SMALL)
    await world.driver.send(letter(NOW), Attempt())
    assert await found_by(world) == "message_id"
    assert await found_by(world, message_id="<other@x>") == "send_id"


async def test_a_draft_that_is_still_one_was_not_sent() -> None:
    world = World(WIDE)
    draft = await world.driver.create_draft(letter(NOW))
    twin = letter(NOW, send_id="twin")
    await world.driver.send(twin, Attempt())
    assert await world.driver.find_sent(trace(letter(NOW), draft_id=draft.ref.id)) is None
    assert await world.driver.find_sent(trace(letter(NOW), draft_id="AAkGone=")) is not None


async def test_a_copy_that_lags_is_not_there_yet() -> None:
    world = World(WIDE)
    world.box.sent_lag = 30
    attempt = Attempt()
    await world.driver.send(letter(NOW), attempt)
    given = trace(letter(NOW), draft_id=attempt.draft_id)
    assert await world.driver.find_sent(given) is None
    await world.sandbox.clock.sleep(31)
    assert await world.driver.find_sent(given) is not None


async def test_a_draft_that_loses_its_id_on_sending_is_found_by_its_message_id() -> None:
    world = World(WIDE)
    world.box.keeps_ids_on_send = False
    attempt = Attempt()
    await world.driver.send(letter(NOW), attempt)
    found = await world.driver.find_sent(trace(letter(NOW), draft_id=attempt.draft_id))
    assert found is not None
    assert found.id != attempt.draft_id


async def test_of_mails_alike_the_one_that_bears_the_send_id_is_meant() -> None:
    world = World(SMALL)
    for number in range(3):
        await world.driver.send(letter(NOW, send_id=f"send-000{number}", message_id=f"<{number}@x.example>"), Attempt())
    found = await world.driver.find_sent(
        trace(letter(NOW, send_id="send-0001", message_id="<other@x>"), around=world.sandbox.clock.now())
    )
    assert found is not None
    assert (found.message_id, found.evidence) == ("<1@x.example>", "send_id")
    assert await found_by(world, message_id="<other@x>", send_id="send-0003") is None


async def test_looking_takes_one_trip_and_another_where_nothing_was_found() -> None:
    world = World(WIDE)
    await world.driver.send(letter(NOW), Attempt())
    before = len(world.sandbox.requests)
    await world.driver.find_sent(trace(letter(NOW), draft_id="AAkGone="))
    assert len(world.sandbox.requests) - before == 1
    await found_by(world, message_id="<other@x>", send_id="other")
    assert [request.path.rpartition("/")[2] for request in world.sandbox.requests[before:]] == [
        *("$batch", "$batch", "messages"),
        "$value",  # the mail is alike
    ]


async def test_who_may_read_nothing_cannot_look() -> None:
    world = World(frozenset({"Mail.Send"}))
    with pytest.raises(PermissionMissing) as raised:
        await world.driver.find_sent(trace(letter(NOW)))
    assert "Mail.Read" in raised.value.scopes
    assert world.sandbox.requests == []


@pytest.mark.parametrize("fault", [Fault.server_error(500, times=None), Fault.hang(times=None)], ids=["500", "hang"])
async def test_looking_that_fails_finds_nothing_out(fault: Fault) -> None:
    world = World(WIDE)
    await world.driver.send(letter(NOW), Attempt())
    world.box.script(fault)
    with world.sandbox.clock.deadline(60), pytest.raises((Unavailable, TimedOut)):
        await world.driver.find_sent(trace(letter(NOW)))
