"""Sending through Outlook on the sandbox: what arrives, what is known of it, and by which requests."""

from __future__ import annotations

import datetime as dt
import re
import tracemalloc
from collections.abc import Iterable
from typing import Any

import httpx
import pytest

from mailkit.errors import InvalidMessage, NotFound, PermissionMissing, TooLarge
from mailkit.mime.build import BytesPayload, FilePart
from mailkit.models.mail import Message
from mailkit.providers.microsoft.mail import OutlookDriver
from mailkit.providers.writing import Answers, Attempt, Letter, Sent
from mailkit.sandbox import Fault, File, GoogleMailbox, Mail, MicrosoftMailbox, Person, Sandbox
from mailkit.sandbox.mailbox import Entry
from tests.support.drivers import gmail, outlook
from tests.support.letters import MESSAGE_ID, SEND_ID, a_file, letter

pytestmark = pytest.mark.anyio

NOW = dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC)
SMALL = frozenset({"Mail.Read", "Mail.Send"})
WIDE = frozenset({"Mail.ReadWrite", "Mail.Send"})
ANN, BOB = Person("Ann", "ann@contoso.example"), Person("Bob", "bob@example.com")
BOTH = pytest.mark.parametrize("scopes", [SMALL, WIDE], ids=["small", "wide"])


def opened(scopes: Iterable[str] | None = WIDE) -> tuple[Sandbox, MicrosoftMailbox, GoogleMailbox, OutlookDriver]:
    sandbox = Sandbox()
    granted = None if scopes is None else frozenset(scopes)
    box = sandbox.microsoft(ANN.address, name="Ann", aliases=["sales@contoso.example"], scopes=granted)
    return sandbox, box, sandbox.google(BOB.address, name="Bob"), outlook(sandbox, box, scopes=granted)


def asked(sandbox: Sandbox) -> list[str]:
    return [f"{r.method} {r.path.removeprefix('/v1.0/me').partition('?')[0]}" for r in sandbox.requests]


def verbs(sandbox: Sandbox) -> list[str]:
    """What was asked for, ids left out."""
    return [f"{line.partition(' ')[0]} {line.rpartition('/')[2]}" for line in asked(sandbox)]


def drafts(box: MicrosoftMailbox) -> list[Entry]:
    return [entry for entry in box if entry.mail.folder == "drafts"]


def sent(box: MicrosoftMailbox) -> list[Entry]:
    return [entry for entry in box if entry.mail.folder == "sent"]


def picture(name: str = "logo.png", content_id: str | None = "logo") -> FilePart:
    return FilePart(name=name, content_type="image/png", payload=BytesPayload(b"png"), content_id=content_id)


@BOTH
async def test_a_letter_arrives_as_it_was_meant(scopes: frozenset[str]) -> None:
    sandbox, box, bob, driver = opened(scopes)
    given = letter(
        NOW,
        cc='"Zoë, Ltd." <zoe@example.com>',
        bcc="eve@example.com",
        reply_to="team@contoso.example",
        from_="sales@contoso.example",
        subject="Plän",
        text="Hello.",
        html="<p>Hello <img src='cid:logo'></p>",
        headers={"X-Mark": "one"},
        files=(a_file(10, "z.bin"), picture()),
    )
    attempt = Attempt()
    result = await driver.send(given, attempt)
    assert attempt.committed
    assert result.message_id == MESSAGE_ID
    (post,) = sandbox.sent
    assert set(post.recipients) == {"bob@example.com", "zoe@example.com", "eve@example.com"}
    (mail,) = [entry.mail for entry in bob]
    assert mail.from_ is not None
    assert (mail.from_.address, mail.subject, mail.message_id) == ("sales@contoso.example", "Plän", MESSAGE_ID)
    assert [person.name for person in mail.cc] == ["Zoë, Ltd."]
    assert (mail.bcc, [p.address for p in mail.reply_to]) == ((), ["team@contoso.example"])
    assert "Hello" in (mail.text or "")
    assert "cid:logo" in (mail.html or "")
    assert {("X-Mark", "one"), ("X-Mailkit-Send-Id", SEND_ID)} <= set(mail.headers)
    assert {(f.name, f.content, f.inline, f.content_id) for f in mail.files} == {
        ("z.bin", bytes(10), False, None),
        ("logo.png", b"png", True, "logo"),
    }
    assert (len(sent(box)), len(drafts(box))) == (1, 0)


async def test_a_new_mail_takes_two_requests_and_one_for_each_file() -> None:
    sandbox, box, _, driver = opened()
    attempt = Attempt()
    result = await driver.send(letter(NOW, files=(a_file(10), a_file(20))), attempt)
    assert verbs(sandbox) == ["POST messages", "POST attachments", "POST attachments", "POST send"]
    (kept,) = sent(box)
    assert result == Sent(message_id=MESSAGE_ID, id=kept.id, thread_id=kept.thread_id)
    assert (attempt.draft_id, attempt.message_id, attempt.committed) == (kept.id, MESSAGE_ID, True)
    assert all('IdType="ImmutableId"' in r.headers["prefer"] for r in sandbox.requests)


async def test_without_drafts_it_takes_one() -> None:
    sandbox, _, bob, driver = opened(SMALL)
    attempt = Attempt()
    result = await driver.send(letter(NOW, files=(a_file(10), a_file(20))), attempt)
    assert asked(sandbox) == ["POST /sendMail"]
    assert result == Sent(message_id=MESSAGE_ID)
    assert (attempt.draft_id, attempt.message_id, attempt.committed) == (None, None, True)
    assert len(list(bob)) == 1


async def test_commitment_is_told_right_before_the_request_that_sends() -> None:
    for scopes, before in ((WIDE, ["POST messages"]), (SMALL, [])):
        sandbox, _, _, driver = opened(scopes)
        told: list[tuple[bool, list[str]]] = []
        attempt = Attempt(on_commit=lambda value, told=told, box=sandbox: told.append((value, verbs(box))))  # type: ignore[misc]  # bound per turn
        await driver.send(letter(NOW), attempt)
        assert told == [(True, before)]


# -- answers ---------------------------------------------------------------------------------------------------------


def asked_for(box: MicrosoftMailbox, kind: str = "reply", **more: object) -> tuple[Entry, Answers]:
    """Put in a mail of Bob's, and give what it takes to answer it."""
    given: dict[str, object] = {
        "from_": BOB,
        "to": [ANN, Person("", "carl@example.com")],
        "subject": "Lunch",
        "text": "When?",
        "message_id": "<lunch@example.com>",
        "date": NOW,
    }
    id_ = box.add(Mail(**{**given, **more}))  # type: ignore[arg-type]  # fields of a mail
    entry = box.get(id_)
    assert entry is not None
    return entry, Answers(kind=kind, id=id_, thread_id=entry.thread_id)  # type: ignore[arg-type]  # one of three


def answer(answers: Answers, **more: Any) -> Letter:
    return letter(
        NOW,
        answers=answers,
        subject="Re: Lunch",
        in_reply_to="<lunch@example.com>",
        references=("<lunch@example.com>",),
        **more,
    )


@BOTH
@pytest.mark.parametrize("kind", ["reply", "reply_all", "forward"])
async def test_an_answer_goes_to_whom_the_letter_says_and_threads_on_both_sides(
    scopes: frozenset[str], kind: str
) -> None:
    sandbox, box, bob, driver = opened(scopes)
    asked_mail, answers = asked_for(box, kind)
    bob.add(Mail(from_=BOB, to=[ANN], subject="Lunch", message_id="<lunch@example.com>", date=NOW, folder="sent"))
    result = await driver.send(answer(answers, text="Soon"), Attempt())
    (post,) = sandbox.sent
    assert post.recipients == (BOB.address,)
    (kept,) = sent(box)
    assert kept.thread_id == asked_mail.thread_id
    assert result.message_id == kept.mail.message_id == MESSAGE_ID
    if scopes == WIDE:
        assert (result.id, result.thread_id) == (kept.id, asked_mail.thread_id)
    (arrived,) = [entry for entry in bob if entry.mail.folder == "inbox"]
    assert (arrived.mail.in_reply_to, arrived.mail.references) == ("<lunch@example.com>", ("<lunch@example.com>",))
    assert arrived.thread_id == next(entry.thread_id for entry in bob if entry.mail.folder == "sent")
    assert (arrived.mail.text or "").strip() == "Soon"
    assert ("X-Mailkit-Send-Id", SEND_ID) in arrived.mail.headers


@pytest.mark.parametrize(
    ("kind", "verb"), [("reply", "createReply"), ("reply_all", "createReplyAll"), ("forward", "createForward")]
)
async def test_an_answer_is_begun_by_exchange_and_rewritten(kind: str, verb: str) -> None:
    sandbox, box, _, driver = opened()
    entry, answers = asked_for(box, kind)
    await driver.send(answer(answers), Attempt())
    requests = asked(sandbox)
    assert requests[0] == f"POST /messages/{entry.id}/{verb}".replace("=", "%3D")
    assert [line.partition(" ")[0] for line in requests] == ["POST", "PATCH", "POST"]
    assert requests[-1].endswith("/send")


async def test_a_reply_keeps_no_picture_of_the_original_but_the_letters_own() -> None:
    _, box, bob, driver = opened()
    shown = File(name="cat.png", content=b"cat", content_type="image/png", inline=True, content_id="cat")
    _, answers = asked_for(box, html="<p><img src='cid:cat'></p>", files=[shown, File(name="a.txt", content=b"a")])
    await driver.send(answer(answers, html="<p><img src='cid:logo'></p>", files=(picture(),)), Attempt())
    (arrived,) = bob
    assert [file.name for file in arrived.mail.files] == ["logo.png"]


FILES = [
    File(name="a.txt", content=b"one"),
    File(name="a.txt", content=b"two"),
    File(name="a.txt", content=b"three"),
    File(name="cat.png", content=b"cat", content_type="image/png", inline=True, content_id="cat"),
]


def parts_of(message: Message, *places: int) -> tuple[str, ...]:
    return tuple(str(message.attachments[place].ref.part) for place in places)


@pytest.mark.parametrize("places", [(0, 1, 2, 3), (0,), (1,), (2,), (0, 3), ()])
async def test_a_forward_takes_along_what_it_is_told_and_nothing_else(places: tuple[int, ...]) -> None:
    _, box, bob, driver = opened()
    assert driver.forwards_attachments
    entry, _ = asked_for(box, html="<p><img src='cid:cat'></p>", files=FILES)
    (original,) = await driver.get([entry.id])
    assert isinstance(original, Message)
    answers = Answers(kind="forward", id=entry.id, thread_id=entry.thread_id, keep=parts_of(original, *places))
    await driver.send(answer(answers, files=(a_file(3, "new.bin"),)), Attempt())
    (arrived,) = bob
    expected = sorted([FILES[place].content for place in places] + [bytes(3)])
    assert sorted(file.content for file in arrived.mail.files) == expected


async def test_a_forward_whose_attachment_is_gone_is_not_sent() -> None:
    sandbox, box, _, driver = opened()
    entry, _ = asked_for(box, files=FILES)
    answers = Answers(kind="forward", id=entry.id, thread_id=entry.thread_id, keep=("gone",))
    attempt = Attempt()
    with pytest.raises(NotFound) as raised:
        await driver.send(answer(answers), attempt)
    assert raised.value.code == "attachment_missing"
    assert (attempt.committed, attempt.draft_id, drafts(box), sandbox.sent) == (False, None, [], [])


async def test_without_drafts_a_forward_takes_all_attachments_or_is_refused() -> None:
    sandbox, box, bob, driver = opened(SMALL)
    entry, _ = asked_for(box, files=FILES)
    (original,) = await driver.get([entry.id])
    assert isinstance(original, Message)
    some = Answers(kind="forward", id=entry.id, thread_id=entry.thread_id, keep=parts_of(original, 0))
    with pytest.raises(PermissionMissing) as raised:
        await driver.send(answer(some), Attempt())
    assert raised.value.scopes == ("Mail.ReadWrite", "Mail.ReadWrite.Shared")
    assert sandbox.sent == []
    everything = Answers(kind="forward", id=entry.id, thread_id=entry.thread_id, keep=parts_of(original, 0, 1, 2, 3))
    await driver.send(answer(everything, text="Look"), Attempt())
    assert verbs(sandbox)[-1] == "POST forward"
    (arrived,) = bob
    assert len(arrived.mail.files) == 4
    assert arrived.mail.in_reply_to == "<lunch@example.com>"
    assert sent(box)[0].thread_id == entry.thread_id


@BOTH
async def test_an_answer_to_a_message_that_lies_elsewhere_threads_where_it_arrives(scopes: frozenset[str]) -> None:
    sandbox, box, bob, driver = opened(scopes)
    given = letter(
        NOW,
        in_reply_to="<lunch@example.com>",
        references=("<0@x.example>", "<lunch@example.com>"),
        files=(a_file(10), picture(content_id=None)),
        html="<p>Hello</p>",
    )
    result = await driver.send(given, Attempt())
    assert result.message_id == MESSAGE_ID
    (arrived,) = bob
    assert arrived.mail.references == ("<0@x.example>", "<lunch@example.com>")
    assert sorted(file.name for file in arrived.mail.files) == ["logo.png", "zeros.bin"]
    assert len(sandbox.sent) == 1
    assert drafts(box) == []


async def test_five_turns_between_two_providers_are_one_conversation() -> None:
    sandbox, box, bob, ann = opened()
    other = gmail(sandbox, bob)
    await ann.send(letter(NOW, message_id="<0@turns.example>", send_id="turn0000", subject="Lunch"), Attempt())
    chain = ["<0@turns.example>"]
    for turn in range(1, 5):
        driver, here, to = (other, bob, ANN) if turn % 2 else (ann, box, BOB)
        (last,) = [entry for entry in here if entry.mail.message_id == chain[-1]]
        given = letter(
            NOW,
            to=to.address,
            message_id=f"<{turn}@turns.example>",
            send_id=f"turn000{turn}",
            subject="Re: Lunch",
            in_reply_to=chain[-1],
            references=tuple(chain),
            answers=Answers(kind="reply", id=last.id, thread_id=last.thread_id),
        )
        await driver.send(given, Attempt())
        chain.append(next(mail.message_id or "" for mail in reversed(sandbox.sent)))
    assert len({entry.thread_id for entry in box}) == len({entry.thread_id for entry in bob}) == 1
    (newest,) = [entry for entry in bob if entry.mail.message_id == chain[-1]]
    assert list(newest.mail.references) == chain[:-1]


# -- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 1, 2_999_000, 3_000_000, 3_000_001, 3_932_160, 8_000_000])
async def test_files_of_every_size_arrive(size: int) -> None:
    sandbox, _, bob, driver = opened()
    told: list[tuple[int, int | None]] = []
    await driver.send(
        letter(NOW, files=(a_file(size, "big.bin"), a_file(5, "small.bin"))),
        Attempt(),
        progress=lambda done, total: told.append((done, total)),
    )
    (arrived,) = bob
    assert [(file.name, len(file.content)) for file in arrived.mail.files] == [("big.bin", size), ("small.bin", 5)]
    assert told[-1] == (size + 5, size + 5)
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    in_session = [request for request in sandbox.requests if request.method == "PUT"]
    assert len(in_session) == (-(-size // 3_932_160) if size >= 3_000_000 else 0)
    assert all("authorization" not in request.headers for request in in_session)


async def test_a_file_shown_in_the_text_may_be_large() -> None:
    _, _, bob, driver = opened()
    large = FilePart(name="l.png", content_type="image/png", payload=a_file(4_000_000).payload, content_id="large")
    await driver.send(letter(NOW, html="<img src='cid:large'>", files=(large,)), Attempt())
    ((file,),) = [entry.mail.files for entry in bob]
    assert (file.inline, file.content_id, file.content_type) == (True, "large", "image/png")


async def test_without_drafts_files_go_as_far_as_one_request_holds_them() -> None:
    sandbox, box, bob, driver = opened(SMALL)
    await driver.send(letter(NOW, files=(a_file(2_100_000),)), Attempt())
    await driver.send(
        letter(NOW, send_id="send-two", message_id="<2@x.example>", files=(a_file(2_900_000),)), Attempt()
    )
    _, answers = asked_for(box)
    await driver.send(answer(answers, send_id="send-three", message_id="<3@x>", files=(a_file(2_900_000),)), Attempt())
    assert sorted(len(entry.mail.files[0].content) for entry in bob) == [2_100_000, 2_900_000, 2_900_000]
    assert verbs(sandbox) == ["POST sendMail", "POST sendMail", "POST reply"]
    assert sent(box)[0].thread_id == answers.thread_id
    asked_before = len(sandbox.requests)
    for size in (2_999_000, 3_000_001):
        attempt = Attempt()
        with pytest.raises(PermissionMissing) as raised:
            await driver.send(letter(NOW, files=(a_file(size),)), attempt)
        assert raised.value.scopes == ("Mail.ReadWrite", "Mail.ReadWrite.Shared")
        assert not attempt.committed
    assert len(sandbox.requests) == asked_before


@BOTH
async def test_what_outlook_never_takes_is_refused_unasked(scopes: frozenset[str]) -> None:
    sandbox, _, _, driver = opened(scopes)
    with pytest.raises(TooLarge) as raised:
        await driver.send(letter(NOW, files=(a_file(100 * 1024 * 1024), a_file(50 * 1024 * 1024 + 1))), Attempt())
    assert raised.value.limit == 150 * 1024 * 1024
    with pytest.raises(TooLarge):
        await driver.send(letter(NOW, text="é" * 700_000), Attempt())
    with pytest.raises(InvalidMessage) as invalid:
        await driver.send(letter(NOW, headers={f"X-{n}": "1" for n in range(5)}), Attempt())
    assert invalid.value.code == "bad_header"
    assert sandbox.requests == []
    await driver.send(letter(NOW, headers={f"X-{n}": "1" for n in range(4)}), Attempt())


async def test_a_large_file_never_lies_in_memory() -> None:
    """Measured against a server that keeps nothing."""

    class Nowhere(httpx.AsyncBaseTransport):
        def __init__(self) -> None:
            self.taken = 0

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            if request.method == "PUT":
                first, last, total = map(int, re.findall(r"\d+", request.headers["content-range"]))
                self.taken += last + 1 - first
                more = {"nextExpectedRanges": [str(last + 1)]}
                return httpx.Response(201) if last + 1 == total else httpx.Response(200, json=more)
            if request.url.path.endswith("createUploadSession"):
                return httpx.Response(201, json={"uploadUrl": "https://outlook.office.com/up?authtoken=1"})
            if request.url.path.endswith("/send"):
                return httpx.Response(202)
            return httpx.Response(201, json={"id": "AAk=", "internetMessageId": MESSAGE_ID})

    server = Nowhere()
    sandbox = Sandbox()
    driver = outlook(sandbox, sandbox.microsoft(ANN.address), transport=server)
    await driver.send(letter(NOW), Attempt())
    given = letter(NOW, files=(a_file(30_000_000),))
    tracemalloc.start()
    try:
        await driver.send(given, Attempt())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10_000_000
    assert server.taken == 30_000_000


# -- permissions -----------------------------------------------------------------------------------------------------


async def test_who_may_not_send_is_told_so_unasked() -> None:
    sandbox, _, _, driver = opened({"Mail.ReadWrite"})
    with pytest.raises(PermissionMissing) as raised:
        await driver.send(letter(NOW), Attempt())
    assert raised.value.scopes == ("Mail.Send", "Mail.Send.Shared")
    assert sandbox.requests == []
    assert not driver.capabilities.send_mail


async def test_permissions_nobody_knew_are_found_out() -> None:
    for granted in (SMALL, frozenset({"Mail.Send"})):
        sandbox, box, bob, _ = opened(granted)
        driver = outlook(sandbox, box, scopes=None)
        attempt = Attempt()
        await driver.send(letter(NOW), attempt)
        assert verbs(sandbox) == ["POST messages", "POST sendMail"]
        assert (len(list(bob)), attempt.committed) == (1, True)
    sandbox, box, _, _ = opened({"Mail.ReadWrite"})
    attempt = Attempt()
    with pytest.raises(PermissionMissing) as raised:
        await outlook(sandbox, box, scopes=None).send(letter(NOW), attempt)
    assert raised.value.scopes == ("Mail.Send", "Mail.Send.Shared")
    assert (attempt.committed, drafts(box)) == (False, [])


@BOTH
async def test_another_persons_address_is_refused(scopes: frozenset[str]) -> None:
    sandbox, box, _, driver = opened(scopes)
    attempt = Attempt()
    with pytest.raises(PermissionMissing) as raised:
        await driver.send(letter(NOW, from_="boss@contoso.example"), attempt)
    assert (raised.value.code, raised.value.scopes) == ("ErrorSendAsDenied", ())
    assert "boss" not in str(raised.value)
    assert (attempt.committed, attempt.draft_id, drafts(box), sandbox.sent) == (False, None, [], [])


@BOTH
async def test_a_shared_mailbox_writes_under_its_own_address(scopes: frozenset[str]) -> None:
    sandbox = Sandbox()
    box = sandbox.microsoft("team@contoso.example", scopes={f"{scope}.Shared" for scope in scopes} | scopes)
    bob = sandbox.google(BOB.address)
    shared = frozenset(f"{scope}.Shared" for scope in scopes)
    driver = outlook(sandbox, box, scopes=shared, mailbox="team@contoso.example")
    await driver.send(letter(NOW, files=(a_file(3),)), Attempt())
    assert all(request.path.startswith("/v1.0/users/team%40contoso.example/") for request in sandbox.requests)
    (arrived,) = bob
    assert arrived.mail.from_ == Person("", "team@contoso.example")


async def test_a_mail_with_markdown_is_html() -> None:
    _, _, bob, driver = opened()
    await driver.send(letter(NOW, text=None, markdown="Hello **you**"), Attempt())
    (arrived,) = bob
    assert "<strong>you</strong>" in (arrived.mail.html or "")


async def test_a_file_named_by_its_content_id_without_html_is_a_plain_attachment() -> None:
    _, _, bob, driver = opened()
    await driver.send(letter(NOW, files=(picture(),)), Attempt())
    ((file,),) = [entry.mail.files for entry in bob]
    assert (file.inline, file.name) == (False, "logo.png")


async def test_a_message_id_that_outlook_changes_is_told() -> None:
    other = {"id": "AAk=", "conversationId": "c", "internetMessageId": "<other@outlook.example>"}
    sandbox = Sandbox()
    box = sandbox.microsoft(ANN.address)
    box.script(Fault(status=201, json=other, operation="messages.create"))
    box.script(Fault(status=202, body=b"", operation="messages.send"))
    attempt = Attempt()
    result = await outlook(sandbox, box).send(letter(NOW), attempt)
    assert result == Sent(message_id="<other@outlook.example>", id="AAk=", thread_id="c")
    assert attempt.message_id == "<other@outlook.example>"
