"""Sending through Gmail's sandbox: mail arrives and threads, and whatever goes wrong, what is said of it is true."""

from __future__ import annotations

import datetime as dt
import email
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from mailkit.errors import InvalidMessage, MailkitError, NotFound, PermissionMissing, RateLimited
from mailkit.mime.build import FilePart
from mailkit.models.mail import Message
from mailkit.providers.google import gmail_letters
from mailkit.providers.google.gmail import GmailDriver
from mailkit.providers.writing import Answers, Attempt, Letter, Sent
from mailkit.sandbox import Fault, Mail, Person, Sandbox
from mailkit.sandbox.google import GoogleMailbox
from tests.support.drivers import gmail
from tests.support.letters import MESSAGE_ID, a_file, letter, trace

pytestmark = pytest.mark.anyio

ANN, BOB = "ann@example.com", "bob@example.com"


class Two:
    """Ann, who writes, and Bob, who gets it."""

    def __init__(self, **options: Any) -> None:
        self.sandbox = Sandbox()
        scopes = options.get("scopes")
        self.box: GoogleMailbox = self.sandbox.google(ANN, name="Ann Lee", scopes=scopes)
        self.bob_box = self.sandbox.google(BOB)
        self.ann = gmail(self.sandbox, self.box, scopes=None if scopes is None else frozenset(scopes))
        self.bob = gmail(self.sandbox, self.bob_box)

    def letter(self, **more: Any) -> Letter:
        return letter(self.sandbox.clock.now(), **more)

    async def newest(self, driver: GmailDriver) -> Message:
        box = self.box if driver is self.ann else self.bob_box
        (message,) = await driver.get([next(iter(box)).id])
        assert not isinstance(message, MailkitError)
        return message

    def asked(self) -> Counter[tuple[str, str | None]]:
        return Counter((request.method, request.operation) for request in self.sandbox.requests)


@pytest.fixture
def two() -> Two:
    return Two()


async def test_a_letter_arrives_and_its_copy_lies_in_sent(two: Two) -> None:
    sent = await two.ann.send(two.letter(cc="zoe@elsewhere.example", bcc="Amy <amy@elsewhere.example>"), Attempt())
    got, copy = await two.newest(two.bob), await two.newest(two.ann)
    assert (got.subject, got.body.plain, got.folder, got.bcc) == ("Plans", "Hello.", "inbox", ())
    assert got.from_ is not None
    assert got.from_.address == ANN
    assert (copy.ref.id, copy.thread.id, copy.folder, got.message_id) == (sent.id, sent.thread_id, "sent", MESSAGE_ID)
    assert [person.address for person in copy.bcc] == ["amy@elsewhere.example"]
    assert two.asked() == {("POST", "messages.send"): 1, ("POST", "batch"): 2}


@pytest.mark.parametrize("scopes", [None, ["gmail.compose"], ["gmail.send"]])
@pytest.mark.parametrize("told", [True, False])
async def test_nothing_goes_out_under_another_name_than_was_meant(scopes: list[str] | None, told: bool) -> None:
    two, alias = Two(), "ann.k@example.com"
    box = two.sandbox.google("ann@example.org", aliases=[alias], scopes=scopes)
    ann = gmail(two.sandbox, box, states_address=told, scopes=None if scopes is None else frozenset(scopes))
    asks = scopes != ["gmail.send"]  # who may only send cannot ask who it is
    own = {alias: told, "ANN@example.org": told or asks, "zoe@elsewhere.example": False}
    for author, goes in own.items():
        attempt, mine = Attempt(), two.letter(from_=f"A <{author}>")
        if goes:
            await ann.send(mine, attempt)
            assert email.message_from_bytes(two.sandbox.sent[-1].raw)["From"] == f"A <{author}>"
            continue
        for call in (ann.send(mine, attempt), ann.create_draft(mine)) if asks else (ann.send(mine, attempt),):
            with pytest.raises(InvalidMessage, match="name it in the account's address or aliases") as refused:
                await call
            assert (refused.value.code, refused.value.account, attempt.committed) == ("bad_sender", "work", False)
    assert len(two.sandbox.sent) == len(list(box)) == sum(own.values())


async def test_a_draft_gets_no_other_author_that_is_not_known(two: Two) -> None:
    alias = Person("Ann", "ann.k@example.com")
    box = two.sandbox.google("ann@example.org", aliases=[alias.address])
    ann = gmail(two.sandbox, box, states_address=False)
    made = await ann.create_draft(two.letter(from_=None))
    box.add(Mail(subject="By hand", from_=alias, text="x", folder="drafts"))
    (by_hand,) = [draft for draft in (await ann.drafts(9))[0] if draft.ref != made.ref]
    for draft in (made, by_hand):
        with pytest.raises(InvalidMessage) as refused:
            await ann.update_draft(draft.ref.id, two.letter(from_="Zoe <zoe@elsewhere.example>"))
        assert (refused.value.code, await ann.draft(draft.ref.id)) == ("bad_sender", draft)
    changed = await ann.update_draft(by_hand.ref.id, two.letter(from_=f"Ann <{alias.address}>", subject="New"))
    assert (changed.message.subject, changed.message.from_) == ("New", by_hand.message.from_)


async def test_replies_thread_on_both_sides(two: Two) -> None:
    await two.ann.send(two.letter(), Attempt())
    last, writer = await two.newest(two.bob), two.bob
    for turn in range(4):
        assert last.message_id is not None
        await two.sandbox.clock.sleep(60)
        reply = two.letter(
            to=BOB if writer is two.ann else ANN,
            subject="Re: Plans",
            text=f"Turn {turn}.",
            message_id=f"<turn-{turn}@mailkit.example>",
            send_id=f"turn{turn}",
            in_reply_to=last.message_id,
            references=(*last.references, last.message_id),
            answers=Answers(kind="reply", id=last.ref.id, thread_id=last.thread.id),
        )
        sent = await writer.send(reply, Attempt())
        assert sent.thread_id == last.thread.id
        writer = two.ann if writer is two.bob else two.bob
        last = await two.newest(writer)
    for driver in (two.ann, two.bob):
        thread = await driver.thread((await two.newest(driver)).thread.id)
        assert len(thread.messages) == 5
    assert len(last.references) == 4


async def test_a_reply_survives_its_conversation(two: Two) -> None:
    gone = two.box.add(Mail(from_=Person("", BOB), to=[Person("", ANN)], subject="Plans", text="?"))
    (original,) = await two.ann.get([gone])
    assert isinstance(original, Message)
    two.box.remove(gone)
    answers = Answers(kind="reply", id=gone, thread_id=original.thread.id)
    sent = await two.ann.send(two.letter(answers=answers, in_reply_to=original.message_id), Attempt())
    assert sent.thread_id is not None
    assert [mail.message_id for mail in two.sandbox.sent] == [MESSAGE_ID]


async def test_to_send_the_smallest_permission_is_enough() -> None:
    two = Two(scopes=["gmail.send"])
    sent = await two.ann.send(two.letter(), Attempt())
    assert (sent.id is not None, len(two.sandbox.sent)) == (True, 1)
    for call in (
        two.ann.create_draft(two.letter()),
        two.ann.drafts(5),
        two.ann.draft("r1"),
        two.ann.delete_draft("r1"),
    ):
        with pytest.raises(PermissionMissing):
            await call
    assert two.asked() == {("POST", "messages.send"): 1}


# Finding again


@pytest.mark.parametrize("rewrites", [False, True])
@pytest.mark.parametrize("keeps_header", [True, False])
@pytest.mark.parametrize("hours", [0, 100])
async def test_what_was_sent_is_found(two: Two, rewrites: bool, keeps_header: bool, hours: int) -> None:
    two.box.rewrites_message_ids = rewrites
    sent = await two.ann.send(two.letter(cc="Zoë <zoe@münchen.example>"), Attempt())
    looked_for = trace(two.letter(cc="Zoë <zoe@münchen.example>"))
    if not keeps_header:
        two.box.load_eml(_without_send_id(two.sandbox.sent[0].raw), folder="sent")
        two.box.remove(str(sent.id))
    for number in range(3):
        two.box.add(Mail(from_=Person("", ANN), to=[Person("", BOB)], subject=f"{number}", text="x", folder="sent"))
    await two.sandbox.clock.sleep(hours * 3600)
    for number in range(60 if hours else 0):
        two.box.add(Mail(from_=Person("", ANN), to=[Person("", BOB)], subject=f"{number}", text="x", folder="sent"))
    found = await two.ann.find_sent(looked_for)
    assert found is not None
    assert found.evidence == ("message_id" if not rewrites else "send_id" if keeps_header else "likeness")
    assert found.message_id == two.sandbox.sent[0].message_id
    assert (found.id == sent.id) == keeps_header


def _without_send_id(raw: bytes) -> bytes:
    return b"\r\n".join(line for line in raw.split(b"\r\n") if not line.startswith(b"X-Mailkit-Send-Id"))


async def test_a_copy_that_lags_is_found_later(two: Two) -> None:
    two.box.sent_lag = 30
    await two.ann.send(two.letter(), Attempt())
    looked_for = trace(two.letter())
    assert await two.ann.find_sent(looked_for) is None
    await two.sandbox.clock.sleep(31)
    assert isinstance(await two.ann.find_sent(looked_for), Sent)


async def test_the_same_report_twice_in_a_minute_is_not_taken_for_one(two: Two) -> None:
    two.box.rewrites_message_ids = True
    await two.ann.send(two.letter(send_id="first"), Attempt())
    assert await two.ann.find_sent(trace(two.letter(), send_id="second")) is None


# Faults: at every point of a send

Harm = Callable[..., Fault]


def refused(**where: Any) -> Fault:
    return Fault(status=403, reason="insufficientPermissions", **where)


def throttled(**where: Any) -> Fault:
    return Fault.rate_limited(**where)


def busy(**where: Any) -> Fault:
    return Fault.server_error(503, 1, **where)


def down(**where: Any) -> Fault:
    return Fault.server_error(500, **where)


def unreachable(**where: Any) -> Fault:
    return Fault.reset(before=True, **where)


def done_but_down(**where: Any) -> Fault:
    return Fault(status=502, takes_effect=True, **where)


def done_but_broken(**where: Any) -> Fault:
    return Fault.reset(**where)


def broken(**where: Any) -> Fault:
    return Fault(broken="read", takes_effect=False, **where)


def cut(**where: Any) -> Fault:
    return Fault.truncated(**where)


def page(**where: Any) -> Fault:
    return Fault.html_page(200, takes_effect=True, **where)


def silent(**where: Any) -> Fault:
    return Fault.hang(**where)


HARMS: tuple[Harm, ...] = (
    refused, throttled, busy, down, unreachable, done_but_down, done_but_broken, broken, cut, page, silent,
)  # fmt: skip
NOTHING_HAPPENED = (refused, throttled, busy, unreachable)


async def _try(two: Two, send: Callable[[Attempt], Any], seconds: float = 60) -> tuple[Attempt, Sent | None]:
    """Send within a deadline, and hold what is said to what happened."""
    attempt, sent, had_no_effect = Attempt(), None, False
    with two.sandbox.clock.deadline(seconds):
        try:
            sent = await send(attempt)
        except MailkitError as error:
            had_no_effect = error.had_no_effect
    assert not (had_no_effect and attempt.committed)
    assert len(two.sandbox.sent) <= 1
    if sent is not None:
        assert attempt.committed
        assert len(two.sandbox.sent) == 1
    elif not attempt.committed:
        assert two.sandbox.sent == []
    return attempt, sent


@pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.__name__)
@pytest.mark.parametrize("times", [1, None])
async def test_a_small_letter_meets_a_fault(two: Two, harm: Harm, times: int | None) -> None:
    two.box.script(harm(operation="messages.send", times=times))
    attempt, sent = await _try(two, lambda attempt: two.ann.send(two.letter(), attempt))
    passing = times == 1 and harm in {throttled, busy, unreachable}
    assert (sent is not None) == passing
    assert attempt.committed == (passing or harm not in NOTHING_HAPPENED)
    assert (await two.ann.find_sent(trace(two.letter())) is not None) == (len(two.sandbox.sent) == 1)


@pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.__name__)
@pytest.mark.parametrize("times", [1, None])
async def test_a_draft_meets_a_fault_when_it_is_sent(two: Two, harm: Harm, times: int | None) -> None:
    draft = await two.ann.create_draft(two.letter())
    two.box.script(harm(operation="drafts.send", times=times))
    attempt, sent = await _try(two, lambda attempt: two.ann.send_draft(draft.ref.id, attempt))
    passing = times == 1 and harm in {throttled, busy, unreachable}
    assert (sent is not None) == passing
    assert attempt.committed == (passing or harm not in NOTHING_HAPPENED)
    try:
        await two.ann.draft(draft.ref.id)
        is_there = True
    except NotFound:
        is_there = False
    assert is_there == (two.sandbox.sent == [])


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> FilePart:
    """Let a file of 900 KB take an upload of five pieces."""
    monkeypatch.setattr(gmail_letters, "JSON_MOST", 100_000)
    monkeypatch.setattr(gmail_letters, "UPLOAD_PIECE", 256 * 1024)
    return a_file(900_000)


PHASES: dict[str, dict[str, Any]] = {
    "start": {"method": "POST"},
    "first": {"method": "PUT"},
    "middle": {"method": "PUT", "skip": 2},
    "last": {"method": "PUT", "skip": 4},
}


@pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.__name__)
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("times", [1, None])
async def test_an_upload_meets_a_fault(
    two: Two, small_pieces: FilePart, harm: Harm, phase: str, times: int | None
) -> None:
    given = two.letter(files=(small_pieces,))
    two.box.script(harm(operation="messages.send", times=times, **PHASES[phase]))
    attempt, sent = await _try(two, lambda attempt: two.ann.send(given, attempt), seconds=200)
    if times == 1:  # the provider is asked how far the upload has come
        assert (sent is None) == (harm is refused or (harm, phase) in {(cut, "last"), (page, "start")})
    elif phase != "last":
        assert attempt.committed == (harm is cut)  # pieces before the last have answers without a body
    two.box.faults.clear()
    assert (await two.ann.find_sent(trace(given)) is not None) == (len(two.sandbox.sent) == 1)


async def test_an_upload_arrives_whole(two: Two, small_pieces: FilePart) -> None:
    two.box.script(broken(method="PUT", skip=1), done_but_broken(method="PUT", skip=1))
    told: list[int] = []
    given = two.letter(files=(small_pieces,))
    await two.ann.send(given, Attempt(), progress=lambda done, total: told.append(done))
    (mail,) = two.sandbox.sent
    parts = email.message_from_bytes(mail.raw).get_payload()
    assert isinstance(parts, list)
    assert parts[1].get_payload(decode=True) == bytes(900_000)  # type: ignore[union-attr]  # parts of a multipart
    assert told == sorted(told)


async def test_an_uploaded_reply_survives_its_conversation(two: Two, small_pieces: FilePart) -> None:
    answers = Answers(kind="reply", id="18f0", thread_id="18f0")
    attempt = Attempt()
    sent = await two.ann.send(two.letter(files=(small_pieces,), answers=answers), attempt)
    assert (sent.thread_id is not None, attempt.committed, len(two.sandbox.sent)) == (True, True, 1)


async def test_a_quota_of_one_s_own_that_is_used_up_sends_nothing(two: Two) -> None:
    for _ in range(60):
        await two.ann.send(two.letter(), Attempt())
    sent, attempt = len(two.sandbox.sent), Attempt()
    with two.sandbox.clock.deadline(5), pytest.raises(RateLimited):
        await two.ann.send(two.letter(), attempt)
    assert (len(two.sandbox.sent), attempt.committed) == (sent, False)


async def test_dates_are_the_letter_s(two: Two) -> None:
    at = dt.datetime(2024, 5, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    await two.ann.send(letter(at), Attempt())
    assert (await two.newest(two.bob)).sent_at == at
