"""Policies: what goes, what is held, and that there is no way around."""

from __future__ import annotations

from typing import Any

import pytest

from mailkit import (
    AsyncMailClient,
    ConfigurationError,
    MemoryJournal,
    OutgoingFile,
    OutgoingMessage,
    PermissionMissing,
    Ref,
    SendPolicy,
    SendResult,
    Unavailable,
)
from mailkit.sandbox import Fault, File, Mail, Person
from tests.sending.post import ANN, BOB, PROVIDERS, Post

pytestmark = pytest.mark.anyio

ZOE = "zoe@elsewhere.example"


async def send(mail: AsyncMailClient, to: Any = BOB, **options: Any) -> SendResult:
    return await mail.send(to, subject="Plans", text="At ten.", account="ann", **options)


@pytest.fixture(params=["google", "microsoft"])
def post(request: pytest.FixtureRequest) -> Post:
    return Post(request.param)


def holds(policy: SendPolicy, *to: str, **fields: Any) -> bool:
    return policy.verdict(OutgoingMessage(to=to, **fields)).state is not None


@pytest.mark.parametrize(
    ("allow", "address", "may_go"),
    [
        ("bob@contoso.example", "Bob@Contoso.example", True),
        ("bob@contoso.example", "bob@sub.contoso.example", False),
        ("bob@contoso.example", "abob@contoso.example", False),
        ("contoso.example", BOB, True),
        ("@contoso.example", BOB, True),
        ("contoso.example", "bob@a.contoso.example", False),
        ("contoso.example", "bob@evilcontoso.example", False),
        ("contoso.example", "bob@contoso.example.evil.example", False),
        ("contoso.example", '"contoso.example"@evil.example', False),
        ("*.contoso.example", "bob@a.contoso.example", True),
        ("*.contoso.example", "bob@a.b.contoso.example", True),
        ("*.contoso.example", BOB, False),
        ("*.contoso.example", "bob@evilcontoso.example", False),
        ("münchen.example", "bob@xn--mnchen-3ya.example", True),
        ("xn--mnchen-3ya.example", "bob@MÜNCHEN.example", True),
        ("strasse.example", "bob@straße.example", False),
        ("strasse.example", "bob@xn--strae-oqa.example", False),
        ("straße.example", "bob@strasse.example", False),
        ("STRAßE.example", "bob@xn--strae-oqa.example", True),
        ("οδοσ.example", "bob@οδος.example", False),
        ("οδος.example", "bob@οδος.example", True),
        ("kelvin.example", "bob@xn--elvin-r74b.example", False),
    ],
)
def test_who_is_allowed(allow: str, address: str, may_go: bool) -> None:
    assert holds(SendPolicy(allow=[allow]), address) is not may_go
    assert holds(SendPolicy(allow=allow), address) is not may_go


def test_answers_may_not_be_led_to_strangers() -> None:
    verdict = SendPolicy(allow=["contoso.example"], max_recipients=1).verdict(OutgoingMessage(to=BOB, reply_to=ZOE))
    assert (verdict.state, verdict.too_many_recipients) == ("held", False)
    assert {each.address for each in verdict.blocked} == {ZOE}


def test_nobody_is_allowed_by_an_empty_list() -> None:
    assert holds(SendPolicy(allow=[]), BOB)
    assert not holds(SendPolicy(), BOB)


@pytest.mark.parametrize("place", ["to", "cc", "bcc"])
def test_everybody_counts(place: str) -> None:
    people = {"to": [BOB], place: [BOB, ZOE]}
    verdict = SendPolicy(allow=["contoso.example"], max_recipients=1).verdict(OutgoingMessage(**people))  # type: ignore[arg-type]  # lists of addresses
    assert (verdict.state, verdict.too_many_recipients) == ("held", True)
    assert {each.address for each in verdict.blocked} == {ZOE}
    assert verdict.hint is not None
    assert "elsewhere" not in verdict.hint


@pytest.mark.parametrize(
    "wrong",
    [
        {"mode": "hold"},
        {"mode": None},
        {"allow": 7},
        {"allow": [7]},
        {"allow": ["*"]},
        {"allow": ["*.com"]},
        {"allow": ["amy"]},
        {"allow": ["Amy <amy@example.com>"]},
        {"allow": ["amy@"]},
        {"allow": [""]},
        {"allow": ["a@x.example, b@x.example"]},
        {"max_recipients": 0},
        {"max_recipients": True},
        {"max_recipients": "3"},
        {"check": "no"},
    ],
)
def test_what_can_be_no_policy_is_refused(wrong: Any) -> None:
    with pytest.raises(ConfigurationError):
        SendPolicy(**wrong)


def test_a_check_that_would_have_to_be_awaited_is_refused() -> None:
    async def check(message: OutgoingMessage) -> bool:
        return False

    class Check:
        async def __call__(self, message: OutgoingMessage) -> bool:
            return await check(message)

    for wrong in (check, Check()):
        with pytest.raises(ConfigurationError, match="plain function"):
            SendPolicy(check=wrong)  # type: ignore[arg-type]  # what is refused
    with pytest.raises(ConfigurationError, match="coroutine"):
        SendPolicy(check=lambda _: check(OutgoingMessage())).verdict(OutgoingMessage(to=BOB))  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize(("answer", "hint"), [(False, "the check"), ("ask Ann", "ask Ann"), ("", "the check")])
async def test_a_check_may_hold(post: Post, answer: str | bool, hint: str) -> None:
    async with post.client(policy=SendPolicy(check=lambda _: answer)) as mail:
        held = await send(mail)
    assert held.state == "held"
    assert (held.hint or "").startswith(hint)
    assert (post.arrived(), post.drafts()) == ([], ["Plans"])


@pytest.mark.parametrize("answer", [None, True])
async def test_a_check_may_let_go(post: Post, answer: bool | None) -> None:
    async with post.client(policy=SendPolicy(check=lambda _: answer)) as mail:
        assert (await send(mail)).state == "sent"


@pytest.mark.parametrize("answer", [1, 0, object(), []])
async def test_what_is_no_answer_lets_nothing_go(post: Post, answer: Any) -> None:
    async with post.client(policy=SendPolicy(check=lambda _: answer)) as mail:
        with pytest.raises(ConfigurationError):
            await send(mail)
    assert post.sandbox.sent == []


async def test_what_a_check_raises_ends_the_call_and_frees_the_key(post: Post) -> None:
    def check(message: OutgoingMessage) -> None:
        if message.text == "At ten.":
            raise LookupError("no such customer")

    async with post.client(policy=SendPolicy(check=check)) as mail:
        with pytest.raises(LookupError, match="customer"):
            await send(mail, key="k")
        assert (await mail.send(BOB, subject="Plans", text="x", account="ann", key="k")).state == "sent"
    assert len(post.sandbox.sent) == 1


async def test_a_hold_says_all_and_is_replayed_without_a_second_draft(post: Post) -> None:
    policy = SendPolicy(allow=["contoso.example"], max_recipients=1)
    async with post.client(policy=policy) as mail:
        held = await send(mail, [BOB, ZOE], key="k")
        assert (held.state, held.key, held.too_many_recipients) == ("held", "k", True)
        assert [each.address for each in held.blocked] == [ZOE]
        assert ZOE not in repr(held)
        assert held.draft is not None
        assert (await mail.drafts.get(held.draft)).message.subject == "Plans"
        assert await send(mail, [BOB, ZOE], key="k") == held
        assert SendResult.from_dict(held.to_dict()) == held
    assert (post.sandbox.sent, post.drafts()) == ([], ["Plans"])


HELD: dict[str, dict[str, Any]] = {
    "held": {"policy": SendPolicy(allow=["contoso.example"])},
    "draft": {"policy": SendPolicy(mode="draft")},
}


@pytest.mark.parametrize("state", HELD)
async def test_a_hold_that_a_person_sent_since_is_told_and_never_kept_again(post: Post, state: str) -> None:
    journal = MemoryJournal()
    async with post.client(**HELD[state], journal=journal) as agent, post.client(journal=journal) as person:
        held = await send(agent, [BOB, ZOE], key="k")
        assert held.state == state
        assert held.draft is not None
        assert (await person.drafts.send(held.draft)).state == "sent"
        asked = len(post.sandbox.requests)
        again = await send(agent, [BOB, ZOE], key="k")
        assert again.state == "duplicate"
        assert again.original is not None
        assert (again.original.state, again.original.evidence, again.original.draft) == ("sent", "message_id", None)
        assert (await agent.get(str(again.original.message))).subject == "Plans"
        assert len(post.sandbox.requests) > asked
        asked = len(post.sandbox.requests)
        assert await send(agent, [BOB, ZOE], key="k") == again  # which is known from here on
        assert len(post.sandbox.requests) == asked
    assert (len(post.sandbox.sent), post.drafts()) == (1, [])


@pytest.mark.parametrize("way", ["deleted", "thrown away", "sent, and the copy deleted"])
async def test_a_hold_whose_draft_is_gone_is_not_said_to_wait(post: Post, way: str) -> None:
    async with post.client(policy=SendPolicy(allow=["contoso.example"])) as agent, post.client() as person:
        held = await send(agent, [BOB, ZOE], key="k")
        assert held.draft is not None
        (draft,) = [entry for entry in post.ann if entry.mail.folder == "drafts"]
        if way == "deleted":
            await person.drafts.delete(held.draft)
        elif way == "thrown away":
            await person.trash(Ref(account="ann", kind="message", id=draft.id))
        else:
            await person.drafts.send(held.draft)
            (copy,) = [entry for entry in post.ann if entry.mail.folder == "sent"]
            post.ann.remove(copy.id)
        before = len(post.sandbox.sent), post.drafts()
        # somebody's note to nobody of the same minute is not taken for it
        post.ann.add(Mail(subject="", from_=Person("", ANN), folder="sent", date=post.sandbox.clock.now()))
        again = await send(agent, [BOB, ZOE], key="k")
        assert (again.state, again.draft, again.original) == ("duplicate", None, held)
        assert "another key" in (again.hint or "")
        assert await send(agent, [BOB, ZOE], key="k") == again
    assert (len(post.sandbox.sent), post.drafts()) == before


async def test_a_hold_nobody_could_look_after_is_an_error_and_sends_nothing(post: Post) -> None:
    async with post.client(policy=SendPolicy(allow=["contoso.example"])) as agent:
        held = await send(agent, [BOB, ZOE], key="k")
        post.ann.script(Fault.server_error(500, times=None))
        with pytest.raises(Unavailable) as down:
            await send(agent, [BOB, ZOE], key="k")
        assert (down.value.account, down.value.operation) == ("ann", "mail.send")
        post.ann.faults.clear()
        assert await send(agent, [BOB, ZOE], key="k") == held
    assert (post.sandbox.sent, post.drafts()) == ([], ["Plans"])


async def test_a_policy_that_stages_everything(post: Post) -> None:
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann())
    async with post.client(policy=SendPolicy(mode="draft"), idempotency="derive") as mail:
        results = [
            await send(mail),
            await send(mail),
            await mail.reply(ref, text="Yes."),
            await mail.forward(ref, BOB),
            await mail.reply(ref, text="Yes.", as_draft=True),
        ]
        draft = await mail.drafts.create(BOB, subject="Mine", text="x", account="ann")
        results.append(await mail.drafts.send(draft))
        assert results[-1].draft == draft.ref
    assert [result.state for result in results] == ["draft"] * 6
    assert sorted(post.drafts()) == ["Fwd: Plans", "Mine", "Plans", "Re: Plans", "Re: Plans"]
    assert post.sandbox.sent == []


async def test_there_is_no_way_around_through_drafts(post: Post) -> None:
    async with post.client(policy=SendPolicy(allow=["contoso.example"])) as mail:
        draft = await mail.drafts.create(BOB, bcc=ZOE, subject="Plans", text="x", account="ann")
        held = await mail.drafts.send(draft)
        assert (held.state, [each.address for each in held.blocked]) == ("held", [ZOE])
        draft = await mail.drafts.update(draft, bcc=())
        assert (await mail.drafts.send(draft)).state == "sent"
    assert len(post.sandbox.sent) == 1


async def test_there_is_no_way_around_through_answers(post: Post) -> None:
    """Whoever writes to an agent decides by Reply-To where a reply goes."""
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann(reply_to=[Person("", ZOE)]))
    async with post.client(policy=SendPolicy(allow=["contoso.example"])) as mail:
        for result in (
            await mail.reply(ref, text="Yes."),
            await mail.reply(ref, text="Yes.", reply_all=True),
            await mail.reply(ref, text="Yes.", bcc="eve@evil.example"),
            await mail.forward(ref, [BOB, ZOE]),
        ):
            assert result.state == "held"
            assert ZOE in {each.address for each in result.blocked}
    assert post.sandbox.sent == []


@pytest.mark.parametrize("form", ["text", "html", "markdown"])
async def test_a_check_sees_both_texts_whatever_the_mail_was_written_in(post: Post, form: Any) -> None:
    def check(message: OutgoingMessage) -> bool:
        return "Omega" not in (message.text or "")

    async with post.client(policy=SendPolicy(check=check)) as mail:
        written: Any = {form: "<p>Omega</p>" if form == "html" else "Omega"}
        assert (await mail.send(BOB, subject="Plans", account="ann", **written)).state == "held"
    assert post.sandbox.sent == []


async def test_a_check_sees_the_files_that_go_whichever_way(post: Post) -> None:
    plan = File(name="plan.txt", content=b"at ten", content_type="text/plain")
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann(files=[plan]))
    seen: list[list[str | None]] = []

    def check(message: OutgoingMessage) -> str | None:
        seen.append([file.name for file in message.files])
        return "no files" if message.files else None

    async with post.client(policy=SendPolicy(check=check)) as mail:
        own = OutgoingFile(content=b"x", name="own.txt")
        draft = await mail.drafts.create(BOB, subject="Mine", text="x", files=own, account="ann")
        results = [
            await send(mail, files=own),
            await mail.forward(ref, BOB, files=own),
            await mail.forward(ref, BOB, as_attachment=True),
            await mail.drafts.send(draft),
        ]
    assert [result.state for result in results] == ["held"] * 4
    assert seen == [["own.txt"], ["own.txt", "plan.txt"], ["Plans.eml"], ["own.txt"]]


async def test_a_hold_keeps_the_answer_in_its_conversation(post: Post) -> None:
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann())
    async with post.client(policy=SendPolicy(allow=["nobody.example"])) as mail:
        held = await mail.reply(ref, text="Yes.")
        assert held.thread == (await mail.get(ref)).thread
    async with post.client() as person:
        assert held.draft is not None
        sent = await person.drafts.send(held.draft)
        assert (sent.state, sent.thread) == ("sent", held.thread)
    assert post.arrived() == ["Re: Plans"]
    assert ANN in post.sandbox.sent[0].sender


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("policy", [SendPolicy(mode="draft"), SendPolicy(allow=["nobody.example"])])
async def test_who_may_not_draft_is_told_that_a_hold_takes_it(policy: SendPolicy, told: bool) -> None:
    for provider in PROVIDERS:
        post = Post(provider, "send")
        post.scopes = post.scopes if told else None
        async with post.client(policy=policy) as mail:
            with pytest.raises(PermissionMissing, match="the policy does not let this mail go") as caught:
                await send(mail, key="k")
            assert (caught.value.account, caught.value.operation) == ("ann", "mail.send")
            assert any(scope in str(caught.value) for scope in caught.value.scopes)
            with pytest.raises(PermissionMissing):  # and the key is free
                await send(mail, key="k")
        assert post.sandbox.sent == []
        assert (post.sandbox.requests == []) is told


def test_what_is_no_policy_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="policy"):
        Post().client(policy="draft")
