"""Keys: what counts as the same send, what a replay gives, and what it never does."""

from __future__ import annotations

import datetime as dt
from typing import Any

import anyio
import pytest

from mailkit import (
    Address,
    AsyncMailClient,
    Conflict,
    InvalidMessage,
    MemoryJournal,
    OutgoingFile,
    ProviderError,
    Ref,
    SendPolicy,
    SendResult,
    UsageError,
)
from mailkit.mime.build import BytesPayload, FilePart
from mailkit.mime.outgoing import OutgoingMessage
from mailkit.sandbox import Fault
from mailkit.sending.keys import fingerprint_of
from tests.sending.post import ANN, BOB, Post

pytestmark = pytest.mark.anyio


async def send(mail: AsyncMailClient, **options: Any) -> SendResult:
    return await mail.send(**{"to": BOB, "subject": "Plans", "text": "At ten.", "account": "ann", **options})


@pytest.fixture(params=["google", "microsoft"])
def post(request: pytest.FixtureRequest) -> Post:
    return Post(request.param)


async def test_a_replay_gives_what_came_of_it_and_sends_nothing(post: Post) -> None:
    async with post.client() as mail:
        first = await send(mail, key="order-7")
        asked = len(post.sandbox.requests)
        again = await send(mail, key="order-7")
        assert (again.state, again.original, again.key) == ("duplicate", first, "order-7")
        assert len(post.sandbox.requests) == asked
    assert post.arrived() == ["Plans"]


async def test_without_a_key_the_same_mail_may_go_daily(post: Post) -> None:
    async with post.client() as mail:
        assert [(await send(mail)).state for _ in range(2)] == ["sent", "sent"]
    assert len(post.sandbox.sent) == 2


@pytest.mark.parametrize("change", [{"text": "At noon."}, {"to": "zoe@elsewhere.example"}, {"subject": "Plan"}])
async def test_a_key_stands_for_one_content(post: Post, change: dict[str, str]) -> None:
    async with post.client() as mail:
        await send(mail, key="k")
        with pytest.raises(Conflict) as caught:
            await send(mail, key="k", **change)
    assert (caught.value.code, caught.value.account, caught.value.operation) == ("key_reused", "ann", "mail.send")
    assert len(post.sandbox.sent) == 1


async def test_a_key_counts_for_one_account_and_one_verb() -> None:
    post = Post()
    async with post.client() as mail:
        await send(mail, key="k")
        row = Ref(account="ann", kind="message", id=post.letter_to_ann())
        results = [
            await send(mail, key="k", account="bob", to=ANN),
            await mail.reply(row, text="At ten.", key="k"),
            await mail.forward(row, BOB, key="k"),
        ]
    assert [result.state for result in results] == ["sent"] * 3


async def test_a_key_counts_for_seven_days(post: Post) -> None:
    async with post.client() as mail:
        await send(mail, key="k")
        await post.sandbox.clock.sleep(dt.timedelta(days=6, hours=23).total_seconds())
        assert (await send(mail, key="k")).state == "duplicate"
        await post.sandbox.clock.sleep(dt.timedelta(hours=2).total_seconds())
        assert (await send(mail, key="k")).state == "sent"


async def test_two_at_once_with_one_key_are_one_mail(post: Post) -> None:
    told: list[str] = []
    post.sandbox.latency = 1  # all have asked for the key before any answer is there

    async def go(mail: AsyncMailClient) -> None:
        try:
            told.append((await send(mail, key="k")).state)
        except Conflict as conflict:
            told.append(str(conflict.code))

    async with post.client() as mail, anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(go, mail)
    assert sorted(told) == ["in_flight"] * 4 + ["sent"]
    assert post.arrived() == ["Plans"]


async def test_a_key_is_free_again_when_nothing_went(post: Post) -> None:
    post.ann.script(Fault(status=400))
    async with post.client() as mail:
        with pytest.raises(ProviderError):
            await send(mail, key="k")
        assert (await send(mail, key="k", text="Another.")).state == "sent"


@pytest.mark.parametrize("key", ["", "a b", "ü", "x" * 129, 7, "a/b", "k\n"])
async def test_what_is_no_key_is_refused(key: Any) -> None:
    post = Post()
    async with post.client() as mail:
        with pytest.raises(UsageError) as caught:
            await send(mail, key=key)
    assert (caught.value.code, caught.value.operation, post.sandbox.requests) == ("bad_key", "mail.send", [])


async def test_a_key_may_be_128_long() -> None:
    async with Post().client() as mail:
        assert (await send(mail, key="aZ09._:-" * 16)).state == "sent"


async def test_derived_keys_see_the_same_content(post: Post) -> None:
    people = ["zoe@elsewhere.example", "Bob <bob@contoso.example>"]
    async with post.client(idempotency="derive") as mail:
        first = await send(mail, to=people)
        assert first.key is not None
        assert (await send(mail, to=[people[1].upper().replace("BOB <", "Bob <"), people[0]])).state == "duplicate"
        assert (await send(mail, to=people, text="At noon.")).state == "sent"
        assert (await send(mail, to=people, key="again")).state == "sent"
    assert len(post.sandbox.sent) == 3


@pytest.mark.parametrize("idempotency", ["derive", "explicit"])
async def test_an_answer_is_known_again_whatever_came_into_the_conversation(post: Post, idempotency: Any) -> None:
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann())
    key = "k" if idempotency == "explicit" else None
    async with post.client(idempotency=idempotency) as mail:
        thread = (await mail.get(ref)).thread
        assert (await mail.reply(thread, text="Yes.", key=key)).state == "sent"
        # The newest message of the conversation is the answer itself by now.
        assert (await mail.reply(thread, text="Yes.", key=key)).state == "duplicate"
        post.ann.remove(ref.id)
        assert (await mail.reply(thread, text="Yes.", key=key)).state == "duplicate"
    assert post.arrived() == ["Re: Plans"]


async def test_a_draft_made_on_purpose_takes_no_derived_key(post: Post) -> None:
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann())
    async with post.client(idempotency="derive") as mail:
        results = [await mail.reply(ref, text="Yes.", as_draft=True) for _ in range(2)]
        assert [(result.state, result.key) for result in results] == [("draft", None)] * 2
        assert len({result.draft for result in results}) == 2
        assert (await mail.reply(ref, text="Yes.")).state == "sent"


async def test_a_key_of_a_draft_is_none_to_send_with(post: Post) -> None:
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann())
    async with post.client() as mail:
        first = await mail.reply(ref, text="Yes.", as_draft=True, key="k")
        assert await mail.reply(ref, text="Yes.", as_draft=True, key="k") == first
        with pytest.raises(Conflict):
            await mail.reply(ref, text="Yes.", key="k")
    assert post.drafts() == ["Re: Plans"]


async def test_a_sent_draft_is_not_sent_again(post: Post) -> None:
    async with post.client() as mail:
        draft = await mail.drafts.create(BOB, subject="Plans", text="At ten.", account="ann")
        first = await mail.drafts.send(draft, key="k")
        again = await mail.drafts.send(draft.ref, key="k")
        assert (first.state, again.state, again.original) == ("sent", "duplicate", first)
    assert post.arrived() == ["Plans"]


async def test_a_draft_that_was_held_may_be_changed_and_sent(post: Post) -> None:
    policy = SendPolicy(allow=["contoso.example"])
    async with post.client(policy=policy, idempotency="derive") as mail:
        draft = await mail.drafts.create("zoe@elsewhere.example", subject="Plans", text="x", account="ann")
        held = await mail.drafts.send(draft)
        assert (held.state, held.draft) == ("held", draft.ref)
        await mail.drafts.update(draft, to=BOB)
        assert (await mail.drafts.send(draft)).state == "sent"


async def test_clients_share_what_they_are_given(post: Post) -> None:
    journal = MemoryJournal()
    async with post.client(journal=journal) as one, post.client(journal=journal) as other:
        assert [(await send(mail, key="k")).state for mail in (one, other)] == ["sent", "duplicate"]


def _print_of(operation: str = "mail.send", **fields: Any) -> str:
    files = fields.pop("files", ())
    return fingerprint_of(operation, OutgoingMessage(**{"to": BOB, "text": "x", **fields}), files)


def _file(content: bytes = b"x", name: str = "a.txt") -> FilePart:
    return FilePart(name=name, content_type="text/plain", payload=BytesPayload(content))


def test_a_fingerprint_sees_all_that_is_sent() -> None:
    people = ["a@x.example", "b@x.example"]
    prints = [
        _print_of(),
        _print_of("mail.forward"),
        _print_of(text="y"),
        _print_of(text=None, html="x"),
        _print_of(text=None, markdown="x"),
        _print_of(subject="x"),
        _print_of(to=people),
        _print_of(to=people[0], cc=people[1]),
        _print_of(to=people[0], bcc=people[1]),
        _print_of(to=Address(name="A", address=people[0])),
        _print_of(to=people[0]),
        _print_of(reply_to=people[0]),
        _print_of(from_=people[0]),
        _print_of(headers={"X-A": "1"}),
        _print_of(files=(_file(),)),
        _print_of(files=(_file(b"y"),)),
        _print_of(files=(_file(name="b.txt"),)),
        _print_of(files=(_file(), _file())),
    ]
    assert len(set(prints)) == len(prints)
    for field in ("to", "cc", "bcc"):
        one, other = ({"to": (), field: order} for order in (people, people[::-1]))
        assert _print_of("", **one) == _print_of("", **other)


async def test_files_count_by_their_bytes(post: Post, tmp_path: Any) -> None:
    (tmp_path / "plan.txt").write_bytes(b"at ten")
    files = [tmp_path / "plan.txt", OutgoingFile(content=b"at ten", name="plan.txt")]
    async with post.client() as mail:
        states = [(await send(mail, key="k", files=file)).state for file in files]
        assert states == ["sent", "duplicate"]
        (tmp_path / "plan.txt").write_bytes(b"at two")
        with pytest.raises(Conflict):
            await send(mail, key="k", files=files[0])


async def test_nobody_to_send_to_is_refused_before_the_network(post: Post) -> None:
    async with post.client() as mail:
        with pytest.raises(InvalidMessage):
            await send(mail, to=(), key="k")
    assert post.sandbox.requests == []
