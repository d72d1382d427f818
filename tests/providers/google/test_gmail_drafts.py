"""Drafts at Gmail: requests and records, and whole lives of drafts in the sandbox, under small and wide permissions."""

from __future__ import annotations

import base64
import json
from collections.abc import Collection
from typing import Any

import pytest

from mailkit.errors import BadPayload, MailkitError, NotFound, PermissionMissing, TooLarge, Unavailable
from mailkit.models.mail import Message
from mailkit.models.sending import Draft
from mailkit.providers.google import gmail_letters
from mailkit.providers.google.gmail import GmailDriver
from mailkit.providers.writing import Answers, Attempt, Letter
from mailkit.sandbox import Fault, Mail, Person, Sandbox
from mailkit.sandbox.google import GoogleMailbox
from mailkit.values import Ref
from tests.providers.google.test_gmail_sending import GONE, ME, NOW, asked, batched, driver
from tests.support.drivers import gmail
from tests.support.letters import MESSAGE_ID, SEND_ID, a_file, letter
from tests.support.wire import Reply, reply

pytestmark = pytest.mark.anyio

ANN, BOB = "ann@example.com", "bob@example.com"
MADE = reply(json={"id": "r-7"})


def kept(draft_id: str = "r-7", **message: Any) -> dict[str, Any]:
    headers = [{"name": "Subject", "value": "Plans"}, {"name": "Message-ID", "value": MESSAGE_ID}]
    body = {"data": base64.urlsafe_b64encode(b"Hello.").decode()}
    usual = {"id": "18f1", "threadId": "18ef", "labelIds": ["DRAFT"], "internalDate": "0"}
    payload = {"mimeType": "text/plain", "headers": headers, "body": body}
    return {"id": draft_id, "message": {**usual, "payload": payload, **message}}


def said(draft: Draft) -> tuple[str, str, str, str | None, bool]:
    message = draft.message
    return draft.ref.id, message.ref.id, message.subject, message.body.plain, message.is_draft


KEPT = ("r-7", "18f1", "Plans", "Hello.", True)


async def test_a_draft_is_kept_and_read_back() -> None:
    ann, requests = driver(MADE, reply(json=kept()))
    draft = await ann.create_draft(letter(NOW, answers=Answers(kind="reply", id="18f0", thread_id="18ef")))
    assert (said(draft), draft.ref, draft.message.folder) == (
        KEPT,
        Ref(account="home", kind="draft", id="r-7"),
        "drafts",
    )
    assert asked(requests) == [f"POST {ME}/drafts?fields=id", f"GET {ME}/drafts/r-7?format=full"]
    body = json.loads(requests[0].content)
    assert (body.keys(), body["message"].keys(), body["message"]["threadId"]) == (
        {"message"}, {"raw", "threadId"}, "18ef",
    )  # fmt: skip
    raw = base64.urlsafe_b64decode(body["message"]["raw"]).decode()
    assert f"X-Mailkit-Send-Id: {SEND_ID}" in raw


async def test_a_draft_is_replaced_under_its_id() -> None:
    ann, requests = driver(MADE, reply(json=kept()))
    assert said(await ann.update_draft("r-7", letter(NOW))) == KEPT
    assert asked(requests) == [f"PUT {ME}/drafts/r-7?fields=id", f"GET {ME}/drafts/r-7?format=full"]


async def test_a_large_draft_is_uploaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gmail_letters, "JSON_MOST", 1000)
    place = f"{ME.replace('/gmail/', '/upload/gmail/')}/drafts/r-7?uploadType=resumable&fields=id"
    ann, requests = driver(Reply(200, {"location": f"{place}&upload_id=A"}, b""), MADE, reply(json=kept()))
    assert said(await ann.update_draft("r-7", letter(NOW, files=(a_file(2000),)))) == KEPT
    assert asked(requests)[:2] == [f"PUT {place}", f"PUT {place}&upload_id=A"]
    assert json.loads(requests[0].content) == {"message": {}}


async def test_the_newest_drafts_are_read_together() -> None:
    page = {"drafts": [{"id": "r-7"}, {"id": "r-8"}, {"id": "r-9"}], "nextPageToken": "p2"}
    more = {"drafts": [{"id": "r-6"}]}
    ann, requests = driver(
        reply(json=page), batched(kept(), GONE, kept("r-9")), reply(json=more), reply(json=kept("r-6"))
    )
    assert [draft.ref.id for draft in (await ann.drafts(3))[0]] == ["r-7", "r-9", "r-6"]
    lists = [line for line in asked(requests) if "/drafts?" in line]
    assert lists == [
        f"GET {ME}/drafts?maxResults=3&fields=drafts%2Fid%2CnextPageToken",
        f"GET {ME}/drafts?maxResults=1&pageToken=p2&fields=drafts%2Fid%2CnextPageToken",
    ]


async def test_rows_that_cannot_be_read_take_no_place_among_the_newest() -> None:
    page = {"drafts": [{}, {"id": "r-7"}, {"id": "r-8"}], "nextPageToken": "p2"}
    ann, _ = driver(
        reply(json=page),
        batched(kept(), {"id": "r-8", "message": "none"}),
        reply(json={"drafts": [{"id": "r-6"}]}),
        reply(json=kept("r-6")),
    )
    drafts, problems = await ann.drafts(2)
    assert [draft.ref.id for draft in drafts] == ["r-7", "r-6"]
    assert [problem.path for problem in problems] == ["$.drafts[0].id", "$.message"]


async def test_pages_that_lead_in_a_circle_end() -> None:
    pages = [reply(json={"drafts": [], "nextPageToken": token}) for token in ("p1", "p2", "p1")]
    ann, _ = driver(*pages)
    with pytest.raises(BadPayload) as raised:
        await ann.drafts(3)
    assert raised.value.code == "circle"


async def test_no_drafts_take_one_request() -> None:
    ann, requests = driver(reply())
    assert (await ann.drafts(25))[0] == []
    assert len(requests) == 1


@pytest.mark.parametrize("answer", [Reply(204, {}, b""), Reply(200, {}, b""), GONE])
async def test_a_draft_is_deleted_or_gone_already(answer: Reply) -> None:
    ann, requests = driver(answer)
    await ann.delete_draft("r-7")
    assert asked(requests) == [f"DELETE {ME}/drafts/r-7"]


async def test_a_draft_that_may_be_there_is_not_made_twice() -> None:
    ann, requests = driver(reply(503))
    with pytest.raises(Unavailable):
        await ann.create_draft(letter(NOW))
    assert len(requests) == 1


async def test_a_draft_that_is_gone_is_said_to_be() -> None:
    ann, _ = driver(GONE, GONE)
    for call in (ann.draft("r-7"), ann.update_draft("r-7", letter(NOW))):
        with pytest.raises(NotFound):
            await call


async def test_a_draft_that_is_too_large_is_not_kept() -> None:
    ann, requests = driver()
    with pytest.raises(TooLarge) as caught:
        await ann.create_draft(letter(NOW, files=(a_file(30_000_000),)))
    assert (caught.value.operation, requests) == ("mail.drafts.create", [])


AUTH = "https://www.googleapis.com/auth/"


@pytest.mark.parametrize(
    ("granted", "reads"), [("gmail.send", False), ("gmail.labels", False), ("gmail.readonly", True)]
)
async def test_drafts_need_their_permission(granted: str, reads: bool) -> None:
    ann, requests = driver(reply(), scopes=[granted])
    for call in (ann.create_draft(letter(NOW)), ann.update_draft("r", letter(NOW)), ann.delete_draft("r")):
        with pytest.raises(PermissionMissing) as caught:
            await call
        assert caught.value.scopes == (f"{AUTH}gmail.compose", f"{AUTH}gmail.modify", "https://mail.google.com/")
    assert requests == []
    if reads:
        assert (await ann.drafts(1))[0] == []
    else:
        with pytest.raises(PermissionMissing):
            await ann.drafts(1)
    assert not ann.capabilities.drafts


# In the sandbox


def boxes(scopes: Collection[str] | None = None) -> tuple[Sandbox, GoogleMailbox, GmailDriver]:
    sandbox = Sandbox()
    box = sandbox.google(ANN, scopes=scopes)
    sandbox.google(BOB)
    return sandbox, box, gmail(sandbox, box, scopes=None if scopes is None else frozenset(scopes))


def written(sandbox: Sandbox, **more: Any) -> Letter:
    return letter(sandbox.clock.now(), **more)


@pytest.mark.parametrize("scopes", [["gmail.compose"], ["gmail.modify"], ["https://mail.google.com/"], None])
async def test_the_life_of_a_draft(scopes: list[str] | None) -> None:
    sandbox, _, ann = boxes(scopes)
    made = await ann.create_draft(written(sandbox, files=(a_file(10),)))
    assert (made.message.is_draft, [file.name for file in made.message.attachments]) == (True, ["zeros.bin"])
    assert made.message.message_id == MESSAGE_ID
    assert made.message.header("X-Mailkit-Send-Id") == SEND_ID
    await sandbox.clock.sleep(60)
    other = await ann.create_draft(written(sandbox, subject="Other", message_id="<2@x.example>"))
    changed = await ann.update_draft(made.ref.id, written(sandbox, subject="New plans", bcc="zoe@x.example"))
    assert (changed.ref, changed.message.subject) == (made.ref, "New plans")
    assert [person.address for person in changed.message.bcc] == ["zoe@x.example"]
    assert await ann.draft(made.ref.id) == changed
    assert {draft.ref for draft in (await ann.drafts(25))[0]} == {made.ref, other.ref}
    assert len((await ann.drafts(1))[0]) == 1
    attempt = Attempt()
    sent = await ann.send_draft(made.ref.id, attempt)
    assert (sent.id is not None, attempt.committed) == (True, True)
    (mail,) = sandbox.sent
    assert sorted(mail.recipients) == [BOB, "zoe@x.example"]
    assert b"Subject: New plans" in mail.raw
    again = Attempt()
    for call in (ann.send_draft(made.ref.id, again), ann.draft(made.ref.id)):
        with pytest.raises(NotFound):
            await call
    assert (again.committed, len(sandbox.sent)) == (False, 1)
    await ann.delete_draft(other.ref.id)
    await ann.delete_draft(other.ref.id)
    assert (await ann.drafts(25))[0] == []


LONG = "A line of a long text.\n" * 20_000


@pytest.mark.parametrize("scopes", [["gmail.compose"], ["gmail.modify"]])
async def test_long_texts_are_whole_under_every_permission(scopes: list[str]) -> None:
    """Gmail puts them behind an attachment id, which the permission to compose does not open."""
    sandbox, _, ann = boxes(scopes)
    made = await ann.create_draft(written(sandbox, text=LONG, files=(a_file(10),)))
    assert (made.message.body.plain or "").split() == LONG.split()
    assert [file.name for file in made.message.attachments] == ["zeros.bin"]
    assert (await ann.drafts(5))[0] == [made]


async def test_a_reply_is_kept_in_its_conversation() -> None:
    sandbox, box, ann = boxes()
    first = box.add(Mail(from_=Person("", BOB), to=[Person("", ANN)], subject="Plans", text="?", labels=["Work"]))
    (original,) = await ann.get([first])
    assert isinstance(original, Message)
    answers = Answers(kind="reply", id=first, thread_id=original.thread.id)
    threading: dict[str, Any] = {"in_reply_to": original.message_id, "references": (original.message_id,)}
    draft = await ann.create_draft(written(sandbox, subject="Re: Plans", answers=answers, **threading))
    assert draft.message.thread == original.thread
    sent = await ann.send_draft(draft.ref.id, Attempt())
    assert sent.thread_id == original.thread.id
    box.remove(first)
    box.remove(str(sent.id))
    kept_all_the_same = await ann.create_draft(written(sandbox, answers=answers, **threading))
    assert kept_all_the_same.message.in_reply_to == original.message_id


async def test_many_drafts_take_two_round_trips() -> None:
    sandbox, box, ann = boxes(["gmail.compose"])
    for number in range(30):
        box.add(Mail(from_=Person("", ANN), to=[Person("", BOB)], subject=f"{number}", text="x", folder="drafts"))
    sandbox.latency = 1.0
    started = sandbox.clock.monotonic()
    assert len((await ann.drafts(30))[0]) == 30
    assert sandbox.clock.monotonic() - started == pytest.approx(2.0, abs=0.01)


async def test_a_label_on_a_draft_is_named_where_labels_may_be_read() -> None:
    sandbox, box, ann = boxes(["gmail.modify"])
    box.add(Mail(from_=Person("", ANN), to=[], subject="a", text="x", folder="drafts", labels=["Work"]))
    assert [draft.message.labels for draft in (await ann.drafts(5))[0]] == [("Work",)]
    composer = gmail(sandbox, box, scopes=frozenset(["gmail.compose"]))
    assert [draft.message.labels for draft in (await composer.drafts(5))[0]] == [()]


async def test_a_draft_to_nobody_is_kept_but_not_sent() -> None:
    sandbox, _, ann = boxes()
    draft = await ann.create_draft(written(sandbox, to=()))
    attempt = Attempt()
    with pytest.raises(MailkitError) as caught:
        await ann.send_draft(draft.ref.id, attempt)
    assert (isinstance(caught.value, NotFound), attempt.committed) == (False, False)
    assert (await ann.draft(draft.ref.id)).ref == draft.ref


async def test_an_update_may_be_repeated() -> None:
    sandbox, box, ann = boxes()
    draft = await ann.create_draft(written(sandbox))
    box.script(Fault.server_error(500, operation="drafts.update", takes_effect=True))
    changed = await ann.update_draft(draft.ref.id, written(sandbox, subject="New"))
    assert (changed.ref, changed.message.subject, len((await ann.drafts(5))[0])) == (draft.ref, "New", 1)
