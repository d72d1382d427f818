"""Drafts: what is kept, what a change leaves alone, and that a draft is sent as it is."""

from __future__ import annotations

import email
import email.policy
from typing import Any

import pytest

from mailkit import AllAccountsFailed, AsyncMailClient, InvalidMessage, NotFound, OutgoingFile, Ref, UsageError
from mailkit.sandbox import Fault, Mail, Person
from mailkit.values import Provider
from tests.sending.post import ANN, BOB, PROVIDERS, Post, named

pytestmark = pytest.mark.anyio


@pytest.fixture(params=PROVIDERS)
def post(request: pytest.FixtureRequest) -> Post:
    return Post(request.param)


def wire(post: Post) -> Any:
    return email.message_from_bytes(post.sandbox.sent[-1].raw, policy=email.policy.default)


FULL: dict[str, Any] = {
    "to": [BOB, "Zoë <zoe@elsewhere.example>"],
    "cc": "cal@elsewhere.example",
    "bcc": "dee@elsewhere.example",
    "subject": "Plans für Zoë",
    "text": "At ten.",
    "html": "<p>At <b>ten</b>.</p>",
    "reply_to": "office@elsewhere.example",
    "headers": {"X-Case": "7"},
    "files": OutgoingFile(content=b"x", name="a.txt"),
}


async def test_a_change_leaves_alone_what_it_does_not_name(post: Post) -> None:
    async with post.client() as mail:
        draft = await mail.drafts.create(**FULL, account="ann")
        for change in ({"subject": "Changed"}, {"cc": ()}):
            changed = await mail.drafts.update(draft, **change)
            assert changed.ref == draft.ref
        assert (await mail.drafts.send(changed)).state == "sent"
    sent = wire(post)
    assert sent["Subject"] == "Changed"
    assert [each.addr_spec for each in sent["To"].addresses] == [BOB, "zoe@elsewhere.example"]
    assert sent["Cc"] is None
    assert sent["Reply-To"].addresses[0].addr_spec == "office@elsewhere.example"
    assert sent["X-Case"] == "7"
    assert [part.get_filename() for part in sent.iter_attachments()] == ["a.txt"]
    assert "ten" in sent.get_body(("html",)).get_content()
    assert set(post.sandbox.sent[-1].recipients) == {BOB, "zoe@elsewhere.example", "dee@elsewhere.example"}
    assert post.drafts() == []


FINE = {"id": "m1", "subject": "Fine", "receivedDateTime": "2026-03-01T08:00:00Z", "conversationId": "c1"}
UNREADABLE: dict[str, tuple[str, list[tuple[object, str]]]] = {
    "google": (
        "drafts.get",
        [
            ({"id": "r1", "message": 5}, "$.message"),
            ({"id": "r1", "message": {"id": "m1", "payload": []}}, "$.message.payload"),
            ({"message": {"id": "m1", "internalDate": "0", "payload": {}}}, "$.id"),
            ([], "$"),
        ],
    ),
    "microsoft": (
        "messages.list",
        [
            ({"value": [{**FINE, "subject": 5}, FINE]}, "value[0].subject"),
            ({"value": [FINE, 5]}, "value[1]"),
        ],
    ),
}


@pytest.mark.parametrize(
    ("provider", "operation", "wire", "path"),
    [(provider, operation, *case) for provider, (operation, cases) in UNREADABLE.items() for case in cases],
)
async def test_a_draft_that_cannot_be_read_stands_beside_the_others(
    provider: Provider, operation: str, wire: object, path: str
) -> None:
    post = Post(provider)
    for box in (post.ann, post.bob):
        for _ in range(2 if provider == "google" else 1):
            box.add(Mail(subject="Fine", folder="drafts"))
    post.ann.script(Fault(status=200, json=wire, operation=operation))
    async with post.client() as mail:
        drafts = await mail.drafts.list()
        assert [(draft.account, draft.message.subject) for draft in drafts if draft.account == "ann"] == [
            ("ann", "Fine")
        ]
        assert {draft.account for draft in drafts} == {"ann", "bob"}
        assert ([problem.path for problem in drafts.problems], drafts.failures) == ([path], ())


async def test_a_change_replaces_all_of_the_text_and_all_files(post: Post) -> None:
    async with post.client() as mail:
        draft = await mail.drafts.create(**FULL, account="ann")
        await mail.drafts.update(draft, text="Now.", files=[OutgoingFile(content=b"y", name="b.txt")])
        await mail.drafts.send(draft)
    sent = wire(post)
    assert sent.get_body(("html",)) is None
    assert sent.get_body(("plain",)).get_content().strip() == "Now."
    assert [part.get_filename() for part in sent.iter_attachments()] == ["b.txt"]


async def test_a_changed_answer_stays_in_its_conversation(post: Post) -> None:
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann())
    async with post.client() as mail:
        original = await mail.get(ref)
        kept = await mail.reply(ref, text="Yes.", as_draft=True)
        assert kept.draft is not None
        await mail.drafts.update(kept.draft, text="No.", bcc="dee@elsewhere.example")
        sent = await mail.drafts.send(kept.draft)
        assert sent.thread == original.thread
    assert wire(post)["In-Reply-To"] == original.message_id
    assert wire(post)["References"] == original.message_id


async def test_the_newest_of_all_accounts_come_first(post: Post) -> None:
    async with post.client() as mail:
        for number in range(4):
            await mail.drafts.create(subject=f"{number}", text="x", account=("ann", "bob")[number % 2])
            await post.sandbox.clock.sleep(60)
        assert named(await mail.drafts.list()) == ["3", "2", "1", "0"]
        assert named(await mail.drafts.list(limit=3)) == ["3", "2", "1"]
        assert named(await mail.drafts.list(accounts="ann")) == ["2", "0"]
        post.ann.script(Fault(status=403, times=None))
        found = await mail.drafts.list()
        assert (named(found), [failure.account for failure in found.failures]) == (["3", "1"], ["ann"])
        post.bob.script(Fault(status=403, times=None))
        with pytest.raises(AllAccountsFailed):
            await mail.drafts.list()


async def test_a_draft_may_lack_recipients_and_a_sent_mail_may_not(post: Post) -> None:
    async with post.client() as mail:
        draft = await mail.drafts.create(subject="Plans", text="x", account="ann")
        with pytest.raises(InvalidMessage):
            await mail.drafts.send(draft)
        await mail.drafts.update(draft, to=BOB)
        assert (await mail.drafts.send(draft)).state == "sent"


async def test_a_draft_that_is_gone_is_not_found(post: Post) -> None:
    async with post.client() as mail:
        draft = await mail.drafts.create(BOB, subject="Plans", text="x", account="ann")
        await mail.drafts.delete(draft)
        await mail.drafts.delete(draft)
        for call in (mail.drafts.get(draft), mail.drafts.send(draft), mail.drafts.update(draft, text="y")):
            with pytest.raises(NotFound):
                await call
    assert (post.sandbox.sent, post.drafts()) == ([], [])


@pytest.mark.parametrize(
    ("verb", "given"),
    [
        ("update", {"subject": "a\r\nBcc: eve@evil.example"}),
        ("update", {"to": "nobody"}),
        ("update", {"text": "a", "markdown": "b"}),
        ("create", {"to": "nobody"}),
        ("send", {"key": "a b"}),
        ("list", {"limit": 0}),
        ("list", {"limit": 101}),
        ("list", {"accounts": "zoe"}),
    ],
)
async def test_what_cannot_be_right_is_refused_before_anything_is_asked(verb: str, given: dict[str, Any]) -> None:
    post = Post()
    if verb in ("update", "send"):
        given = {"draft": "r1", "account": "ann", **given}
    async with post.client() as mail:
        with pytest.raises(UsageError) as caught:
            await getattr(mail.drafts, verb)(**given)
    assert (post.sandbox.requests, caught.value.operation) == ([], f"mail.drafts.{verb}")


async def test_a_message_is_no_draft() -> None:
    post = Post()
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann())
    async with post.client() as mail:
        for call in (mail.drafts.get, mail.drafts.send, mail.drafts.delete):
            with pytest.raises(UsageError):
                await call(ref)
    assert post.sandbox.requests == []


async def _send(mail: AsyncMailClient, draft: Any) -> str:
    return (await mail.drafts.send(draft)).state


async def test_a_draft_somebody_else_began_is_sent_as_it_is(post: Post) -> None:
    """Written in the provider's own program, with what mailkit would not write."""
    box = post.ann
    seed = Mail(
        subject="Their  own", from_=Person("", ANN), to=[Person("Bob, Ray", BOB)], html="<p>Hi</p>", folder="drafts"
    )
    box.add(seed)
    async with post.client() as mail:
        (draft,) = await mail.drafts.list(accounts="ann")
        assert await _send(mail, draft) == "sent"
    assert post.arrived() == ["Their  own"]
