"""Drafts at Outlook: kept, read, changed, sent and deleted, and nothing else touched."""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Callable

import pytest

from mailkit.errors import BadPayload, MailkitError, NotFound, PermissionMissing, Unavailable
from mailkit.mime.build import BytesPayload, FilePart
from mailkit.models.mail import Message
from mailkit.providers.microsoft.mail import OutlookDriver
from mailkit.providers.writing import Answers, Attempt, Sent
from mailkit.sandbox import Fault, File, Mail, MicrosoftMailbox, Person, Sandbox
from mailkit.values import Ref
from tests.support.drivers import outlook
from tests.support.letters import MESSAGE_ID, a_file, letter

pytestmark = pytest.mark.anyio

NOW = dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC)
WIDE = frozenset({"Mail.ReadWrite", "Mail.Send"})
ANN, BOB = Person("Ann", "ann@contoso.example"), Person("Bob", "bob@example.com")


def opened(scopes: frozenset[str] | None = WIDE) -> tuple[Sandbox, MicrosoftMailbox, OutlookDriver]:
    sandbox = Sandbox()
    box = sandbox.microsoft(ANN.address, scopes=scopes)
    return sandbox, box, outlook(sandbox, box, scopes=scopes)


def file(name: str, content: bytes = b"abc", content_id: str | None = None) -> FilePart:
    return FilePart(name=name, content_type="image/png", payload=BytesPayload(content), content_id=content_id)


def names(box: MicrosoftMailbox, draft_id: str) -> list[str]:
    entry = box.get(draft_id)
    assert entry is not None
    return sorted(each.name for each in entry.mail.files)


def in_drafts(box: MicrosoftMailbox) -> int:
    return sum(entry.mail.folder == "drafts" for entry in box)


async def test_a_draft_is_what_the_letter_says() -> None:
    sandbox, box, driver = opened()
    given = letter(NOW, cc="zoe@example.com", bcc="eve@example.com", html="<p>Hi</p>", files=(file("a.png"),))
    draft = await driver.create_draft(given)
    message = draft.message
    assert draft.ref == Ref(account="work", kind="draft", id=message.ref.id)
    assert (message.is_draft, message.folder, message.subject, message.message_id) == (
        True,
        "drafts",
        "Plans",
        MESSAGE_ID,
    )
    assert [[p.address for p in people] for people in (message.to, message.cc, message.bcc)] == [
        ["bob@example.com"],
        ["zoe@example.com"],
        ["eve@example.com"],
    ]
    assert "Hi" in message.body.text
    assert [(a.name, a.size, a.content_type) for a in message.attachments] == [("a.png", 3, "image/png")]
    assert await driver.draft(draft.ref.id) == draft
    assert (await driver.drafts(10))[0] == [draft]
    assert (in_drafts(box), sandbox.sent) == (1, [])


async def test_the_newest_drafts_come_whole_without_a_request_each() -> None:
    sandbox, box, driver = opened()
    made = [box.add(Mail(subject=f"Draft {n}", folder="drafts", date=NOW + dt.timedelta(hours=n))) for n in range(120)]
    await driver.drafts(1)
    before = len(sandbox.requests)
    found = (await driver.drafts(70))[0]
    assert [draft.ref.id for draft in found] == made[:-71:-1]
    assert len(sandbox.requests) - before == 2
    assert len((await driver.drafts(1000))[0]) == 120
    assert [draft.message.subject for draft in (await driver.drafts(1))[0]] == ["Draft 119"]


async def test_changing_a_draft_keeps_its_id_and_replaces_the_rest() -> None:
    _, box, driver = opened()
    draft = await driver.create_draft(
        letter(NOW, html="<p>Old <img src='cid:a'></p>", files=(file("a.png", content_id="a"), file("b.png")))
    )
    given = letter(
        NOW, to="zoe@example.com", subject="New", text="new", files=(file("b.png", b"new"), a_file(4_000_000))
    )
    changed = await driver.update_draft(draft.ref.id, given)
    assert changed.ref == draft.ref
    assert ([p.address for p in changed.message.to], changed.message.subject) == (["zoe@example.com"], "New")
    assert changed.message.body.text.strip() == "new"
    assert sorted((a.name, a.size) for a in changed.message.attachments) == [("b.png", 3), ("zeros.bin", 4_000_000)]
    emptied = await driver.update_draft(draft.ref.id, letter(NOW, to=(), subject="", text=""))
    assert (emptied.message.to, emptied.message.subject, emptied.message.attachments) == ((), "", ())
    assert names(box, draft.ref.id) == []


@pytest.mark.parametrize("operation", ["messages.update", "attachments.create", "attachments.delete"])
async def test_a_change_that_fails_loses_no_file(operation: str) -> None:
    _, box, driver = opened()
    draft = await driver.create_draft(letter(NOW, files=(file("old.png"),)))
    box.script(Fault.server_error(500, operation=operation, times=None))
    with pytest.raises(Unavailable):
        await driver.update_draft(draft.ref.id, letter(NOW, files=(file("new.png"),)))
    assert "old.png" in names(box, draft.ref.id)
    box.faults.clear()
    await driver.update_draft(draft.ref.id, letter(NOW, files=(file("new.png"),)))
    assert names(box, draft.ref.id) == ["new.png"]


async def test_the_draft_of_a_forward_keeps_what_it_is_told_when_it_is_changed() -> None:
    _, box, driver = opened()
    files = [File(name="a.txt", content=b"a"), File(name="b.txt", content=b"b")]
    id_ = box.add(Mail(from_=BOB, to=[ANN], subject="Lunch", files=files, date=NOW))
    (original,) = await driver.get([id_])
    assert isinstance(original, Message)
    part = str(original.attachments[1].ref.part)
    answers = Answers(kind="forward", id=id_, thread_id=original.thread.id, keep=(part,))
    draft = await driver.create_draft(letter(NOW, answers=answers, files=(file("c.png"),)))
    assert names(box, draft.ref.id) == ["b.txt", "c.png"]
    assert draft.message.thread == original.thread
    await driver.update_draft(draft.ref.id, letter(NOW, answers=answers, files=(file("d.png"),)))
    assert names(box, draft.ref.id) == ["b.txt", "d.png"]
    await driver.update_draft(draft.ref.id, letter(NOW))
    assert names(box, draft.ref.id) == []


@pytest.mark.parametrize("takes_effect", [True, False])
@pytest.mark.parametrize("operation", ["messages.create", "attachments.create", "messages.get"])
async def test_a_draft_that_could_not_be_finished_is_not_left_behind(operation: str, takes_effect: bool) -> None:
    _, box, driver = opened()
    box.script(Fault.server_error(502, operation=operation, takes_effect=takes_effect, times=None))
    with pytest.raises(MailkitError):
        await driver.create_draft(letter(NOW, files=(file("a.png"),)))
    assert in_drafts(box) == 0


async def test_deleting_twice_is_fine_and_a_sent_mail_stays() -> None:
    sandbox, box, driver = opened()
    draft = await driver.create_draft(letter(NOW))
    await driver.delete_draft(draft.ref.id)
    await driver.delete_draft(draft.ref.id)
    await driver.delete_draft("no id at all")
    assert in_drafts(box) == 0
    sent = await driver.create_draft(letter(NOW))
    await driver.send_draft(sent.ref.id, Attempt())
    await driver.delete_draft(sent.ref.id)
    assert sent.ref.id in box
    assert len(sandbox.sent) == 1


async def test_a_draft_is_sent_once() -> None:
    sandbox, box, driver = opened()
    draft = await driver.create_draft(letter(NOW, bcc="eve@example.com"))
    commits: list[bool] = []
    attempt = Attempt(on_commit=commits.append)
    sent = await driver.send_draft(draft.ref.id, attempt)
    assert sent == Sent(message_id=MESSAGE_ID, id=draft.ref.id, thread_id=draft.message.thread.id)
    assert (attempt.message_id, attempt.draft_id, commits) == (MESSAGE_ID, draft.ref.id, [True])
    for id_ in (draft.ref.id, "AAkGone="):
        again = Attempt(on_commit=commits.append)
        with pytest.raises(NotFound):
            await driver.send_draft(id_, again)
        with pytest.raises(NotFound):
            await driver.update_draft(id_, letter(NOW))
        with pytest.raises(NotFound):
            await driver.draft(id_)
    assert commits == [True]
    assert len(sandbox.sent) == 1
    assert in_drafts(box) == 0


async def test_a_draft_that_somebody_else_sent_meanwhile_is_not_found() -> None:
    sandbox, box, driver = opened()
    draft = await driver.create_draft(letter(NOW))
    item = {"id": draft.ref.id, "isDraft": True, "internetMessageId": MESSAGE_ID}
    await driver.send_draft(draft.ref.id, Attempt())
    box.script(Fault(status=200, json=item, operation="messages.get"))
    attempt = Attempt()
    with pytest.raises(NotFound):
        await driver.send_draft(draft.ref.id, attempt)
    assert not attempt.committed
    assert len(sandbox.sent) == 1


@pytest.mark.parametrize(
    ("fault", "committed", "left"),
    [
        (Fault.server_error(502, operation="messages.send"), True, 1),
        (Fault.server_error(502, operation="messages.send", takes_effect=True), True, 0),
        (Fault(status=400, reason="ErrorInvalidRecipients", operation="messages.send"), False, 1),
        (Fault.forbidden(operation="messages.send"), False, 1),
    ],
    ids=["502", "502 sent", "400", "403"],
)
async def test_a_draft_that_could_not_be_sent_stays(fault: Fault, committed: bool, left: int) -> None:
    _, box, driver = opened()
    draft = await driver.create_draft(letter(NOW))
    box.script(fault)
    attempt = Attempt()
    with pytest.raises(MailkitError):
        await driver.send_draft(draft.ref.id, attempt)
    assert (attempt.committed, attempt.draft_id, in_drafts(box)) == (committed, draft.ref.id, left)


VERBS: dict[str, Callable[[OutlookDriver], Awaitable[object]]] = {
    "create": lambda driver: driver.create_draft(letter(NOW)),
    "update": lambda driver: driver.update_draft("AAk=", letter(NOW)),
    "delete": lambda driver: driver.delete_draft("AAk="),
    "send": lambda driver: driver.send_draft("AAk=", Attempt()),
}


@pytest.mark.parametrize("verb", VERBS)
async def test_drafts_need_their_permission(verb: str) -> None:
    sandbox, _, driver = opened(frozenset({"Mail.Read", "Mail.Send"}))
    with pytest.raises(PermissionMissing) as raised:
        await VERBS[verb](driver)
    assert raised.value.scopes == ("Mail.ReadWrite", "Mail.ReadWrite.Shared")
    assert sandbox.requests == []
    assert not driver.capabilities.drafts
    assert (await driver.drafts(5))[0] == []


async def test_sending_a_draft_needs_to_be_allowed_too() -> None:
    sandbox, _, driver = opened(frozenset({"Mail.ReadWrite"}))
    with pytest.raises(PermissionMissing) as raised:
        await driver.send_draft("AAk=", Attempt())
    assert raised.value.scopes == ("Mail.Send", "Mail.Send.Shared")
    assert sandbox.requests == []


async def test_an_answer_that_is_no_message_is_said_to_be_none() -> None:
    _, box, driver = opened()
    box.script(Fault(status=201, json={"subject": "no id"}, operation="messages.create"))
    with pytest.raises(BadPayload) as raised:
        await driver.create_draft(letter(NOW))
    assert raised.value.path == "$.id"
