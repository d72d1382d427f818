"""Conversations over two providers: one on both sides, and what hangs on a mail goes along when it is handed on."""

from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage
from typing import Any

import pytest

from mailkit import AsyncMailClient, InvalidMessage, Message, NotFound, OutgoingFile, Ref, SendResult
from mailkit.sandbox import File, Mail, Mailbox, Person, Sandbox
from mailkit.testing import sandbox_accounts
from tests.sending.post import ANN, BOB, ROOMY, Post

pytestmark = pytest.mark.anyio

PLAN = File(name="plan.txt", content=b"at ten\r\n", content_type="text/plain")
LOGO = File(
    name="logo.png", content=b"\x89PNG\r\n\x1a\n" + bytes(40), content_type="image/png", inline=True, content_id="logo"
)


@pytest.fixture(params=["google", "microsoft"])
def post(request: pytest.FixtureRequest) -> Post:
    return Post(request.param)


def last_sent(post: Post) -> EmailMessage:
    message = email.message_from_bytes(post.sandbox.sent[-1].raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


async def newest(mail: AsyncMailClient, account: str, box: Mailbox) -> Message:
    return await mail.get(Ref(account=account, kind="message", id=next(iter(box)).id))


@pytest.mark.parametrize("as_drafts", [False, True])
async def test_five_turns_are_one_conversation_on_both_sides(post: Post, as_drafts: bool) -> None:
    boxes = {"ann": post.ann, "bob": post.bob}
    async with post.client() as mail:
        await mail.send(BOB, subject="Plans", text="At nine?", account="ann")
        ids: list[str] = []
        for turn, who in enumerate(["bob", "ann", "bob", "ann"]):
            await post.sandbox.clock.sleep(60)
            got = await newest(mail, who, boxes[who])
            assert got.message_id is not None
            ids.append(got.message_id)
            result = await mail.reply(got, text=f"Turn {turn}.", as_draft=as_drafts)
            if result.draft is not None:
                result = await mail.drafts.send(result.draft)
            assert (result.state, result.thread) == ("sent", got.thread)
            wire = last_sent(post)
            assert wire["In-Reply-To"] == got.message_id
            assert wire["References"].split() == ids
            assert wire["Subject"] == "Re: Plans"
        for who, box in boxes.items():
            thread = await mail.thread((await newest(mail, who, box)).thread)
            assert len(thread.messages) == 5
    assert {entry.thread_id for entry in post.ann} == {next(iter(post.ann)).thread_id}
    assert {entry.thread_id for entry in post.bob} == {next(iter(post.bob)).thread_id}


async def test_a_forward_keeps_files_and_pictures_where_they_were(post: Post) -> None:
    html = '<p>See <img src="cid:logo"></p>'
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann(html=html, files=[LOGO, PLAN]))
    async with post.client() as mail:
        result = await mail.forward(ref, BOB, text="For you & yours.")
        got = await newest(mail, "bob", post.bob)
        names = [(each.name, each.content_type, each.inline, each.content_id) for each in got.attachments]
        assert sorted(names) == [("logo.png", "image/png", True, "logo"), ("plan.txt", "text/plain", False, None)]
        assert {await mail.attachments.read(each) for each in got.attachments} == {LOGO.content, PLAN.content}
        assert (got.subject, result.notes) == ("Fwd: Plans", ())
        assert got.body.html is not None
        assert "cid:logo" in got.body.html
        assert "For you &amp; yours." in got.body.html
        # And once more, from the other provider.
        await mail.forward(got, ANN)
        back = await newest(mail, "ann", post.ann)
    assert sorted(each.name for each in back.attachments) == ["logo.png", "plan.txt"]
    assert [each.name for each in back.attachments if each.inline] == ["logo.png"]


async def test_a_forward_without_the_quote_leaves_its_pictures(post: Post) -> None:
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann(html="<img src='cid:logo'>", files=[LOGO, PLAN]))
    async with post.client() as mail:
        await mail.forward(ref, BOB, as_attachment=True, text="As it came.")
        got = await newest(mail, "bob", post.bob)
        (attached,) = got.attachments
        assert (attached.name, attached.content_type) == ("Plans.eml", "message/rfc822")
        inner = email.message_from_bytes(await mail.attachments.read(attached), policy=email.policy.default)
    assert inner["Subject"] == "Plans"
    assert [part.get_filename() for part in inner.walk() if part.get_filename()] == ["logo.png", "plan.txt"]


async def test_a_reply_quotes_with_its_pictures_and_leaves_the_files(post: Post) -> None:
    html = '<p>See <img src="cid:logo"></p>'
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann(html=html, files=[LOGO, PLAN]))
    async with post.client() as mail:
        await mail.reply(ref, html="<b>Yes</b>")
        got = await newest(mail, "bob", post.bob)
        assert [each.name for each in got.attachments] == ["logo.png"]
        assert "Bob Ray" in got.body.text
        await post.sandbox.clock.sleep(60)
        await mail.reply(ref, text="Yes.", quote=False)
        bare = await newest(mail, "bob", post.bob)
    assert bare.attachments == ()
    assert "nine" not in bare.body.text


async def test_a_reply_of_text_alone_leaves_pictures_too(post: Post) -> None:
    html = '<p>See <img src="cid:logo"></p>'
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann(html=html, files=[LOGO, PLAN]))
    async with post.client() as mail:
        await mail.reply(ref, text="Yes.")
        got = await newest(mail, "bob", post.bob)
    assert got.attachments == ()
    assert "Bob Ray" in got.body.text


async def test_a_reply_takes_files_of_its_own(post: Post) -> None:
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann(files=[PLAN]))
    async with post.client() as mail:
        await mail.reply(ref, text="Mine.", files=OutgoingFile(content=b"x", name="mine.txt"))
        got = await newest(mail, "bob", post.bob)
    assert [each.name for each in got.attachments] == ["mine.txt"]


async def test_what_is_explained_is_what_happens(post: Post) -> None:
    to = [Person("Ann", ANN), Person("Zoe", "zoe@elsewhere.example")]
    ref = Ref(account="ann", kind="message", id=post.letter_to_ann(to=to, cc=[Person("", "cal@elsewhere.example")]))
    async with post.client() as mail:
        plan = await mail.explain_reply(ref, reply_all=True, bcc="dee@elsewhere.example")
        await mail.reply(ref, text="Yes.", reply_all=True, bcc="dee@elsewhere.example")
    wire = last_sent(post)
    for name, people in (("To", plan.to), ("Cc", plan.cc)):
        assert [each.addr_spec for each in wire[name].addresses] == [each.address for each in people]
    assert wire["Bcc"] is None
    assert ANN not in post.sandbox.sent[-1].recipients
    assert set(post.sandbox.sent[-1].recipients) == {
        BOB, "zoe@elsewhere.example", "cal@elsewhere.example", "dee@elsewhere.example"
    }  # fmt: skip
    assert wire["Subject"] == plan.subject


async def test_other_spellings_of_an_own_address_count_as_own_when_asked(post: Post) -> None:
    tagged = ANN.replace("@", "+news@")
    ref = Ref(
        account="ann", kind="message", id=post.letter_to_ann(to=[Person("", tagged), Person("", "cal@x.example")])
    )
    async with post.client() as mail:
        for asked, others in ((False, [tagged, "cal@x.example"]), (True, ["cal@x.example"])):
            plan = await mail.explain_reply(ref, reply_all=True, own_spellings=asked)
            assert [each.address for each in plan.to] == [BOB, *others]
            await mail.reply(ref, text="Yes.", reply_all=True, own_spellings=asked)
            assert set(post.sandbox.sent[-1].recipients) == {BOB, *others}


async def test_a_thread_is_answered_at_its_newest_message(post: Post) -> None:
    first = post.letter_to_ann(thread="t")
    post.letter_to_ann("Re: Plans", thread="t", date=post.sandbox.clock.now(), message_id="<second@contoso.example>")
    async with post.client() as mail:
        thread = await mail.thread((await mail.get(Ref(account="ann", kind="message", id=first))).thread)
        targets = (thread, thread.ref, str(thread.ref))
        for kept in [await mail.reply(target, text="Yes.", as_draft=True) for target in targets]:
            assert kept.draft is not None
            await mail.drafts.send(kept.draft)
            assert last_sent(post)["In-Reply-To"] == "<second@contoso.example>"


async def test_nobody_to_answer_is_told_and_nothing_is_sent(post: Post) -> None:
    note = post.ann.add(Mail(subject="Note", from_=Person("", "undisclosed"), to=[], text="x"))
    ref = Ref(account="ann", kind="message", id=note)
    async with post.client() as mail:
        with pytest.raises(InvalidMessage):
            await mail.forward(ref)
        with pytest.raises(NotFound):
            await mail.reply(Ref(account="ann", kind="message", id="AAkMissing"), text="x")
    assert post.sandbox.sent == []


@pytest.mark.parametrize("width", ["send+read", "wide"])
async def test_both_providers_give_the_same_answer(width: str) -> None:
    wires: list[Any] = []
    for provider in ("google", "microsoft"):
        post = Post(provider, width)
        letter = post.letter_to_ann(
            reply_to=[Person("List", "list@elsewhere.example")],
            message_id="<m1@contoso.example>",
            references=["<m0@contoso.example>"],
        )
        ref = Ref(account="ann", kind="message", id=letter)
        async with post.client() as mail:
            result: SendResult = await mail.reply(ref, text="Yes.", reply_all=True)
        assert result.state == "sent"
        wire = last_sent(post)
        wires.append({name: str(wire[name]) for name in ("To", "Cc", "Subject", "In-Reply-To", "References")})
    assert wires[0] == wires[1]
    assert wires[0]["References"] == "<m0@contoso.example> <m1@contoso.example>"


async def test_mail_to_oneself_over_two_accounts() -> None:
    """Ann's two accounts write to each other: each knows only its own addresses."""
    sandbox = Sandbox()
    home, work = sandbox.google("ann@home.example"), sandbox.microsoft("ann@work.example")
    async with AsyncMailClient(sandbox_accounts(sandbox, settings=ROOMY, home=home, work=work), tz="UTC") as mail:
        await mail.send("ann@work.example", subject="Note", text="x", account="home")
        got = await newest(mail, "work", work)
        result = await mail.reply(got, text="y")
        assert result.state == "sent"
        thread = await mail.thread((await newest(mail, "home", home)).thread)
    assert len(thread.messages) == 2
