"""Sending from the clients: from a plain script and inside a running loop; what cannot be right is refused unasked."""

from __future__ import annotations

import logging
import threading
from typing import Any

import pytest

from mailkit import (
    AmbiguousAccount,
    AsyncMailClient,
    InvalidMessage,
    MailClient,
    NotFound,
    OutgoingFile,
    Ref,
    SendPolicy,
    UnknownAccount,
    UsageError,
)
from mailkit.sandbox import Fault
from tests.sending.post import ANN, BOB, PROVIDERS, Post


@pytest.fixture(params=PROVIDERS)
def post(request: pytest.FixtureRequest) -> Post:
    return Post(request.param)


def test_a_plain_script_sends_answers_and_keeps_drafts(post: Post) -> None:
    told: list[tuple[int, int | None]] = []
    with MailClient(post.accounts(), tz="UTC") as mail:
        file = OutgoingFile(content=b"x", name="a.txt")
        sent = mail.send(
            BOB, subject="Plans", text="At ten.", files=file, account="ann", progress=lambda *args: told.append(args)
        )
        assert sent.state == "sent"
        (row,) = mail.search("subject:plans in:inbox", accounts="bob")
        assert mail.reply(row, text="Yes.").state == "sent"
        assert mail.forward(row, "zoe@elsewhere.example").state == "sent"
        assert [person.address for person in mail.explain_reply(row).to] == [ANN]
        draft = mail.drafts.create(BOB, subject="Draft", account="ann")
        assert mail.drafts.get(mail.drafts.update(draft, text="Now.")).message.body.text == "Now."
        assert [each.ref for each in mail.drafts.list()] == [draft.ref]
        assert mail.drafts.send(draft).state == "sent"
        with pytest.raises(NotFound):
            mail.drafts.send(draft)
        assert mail.reconcile(sent) is sent
    assert told
    assert sorted(post.arrived()) == ["Draft", "Plans"]


@pytest.mark.anyio
async def test_the_sync_client_sends_inside_a_running_loop() -> None:
    """A notebook is one."""
    post = Post()
    with MailClient(post.accounts()) as mail:
        assert mail.send(BOB, subject="Plans", text="x", account="ann").state == "sent"
    assert post.arrived() == ["Plans"]


def test_threads_with_one_key_send_one_mail() -> None:
    post = Post()
    told: list[str] = []
    with MailClient(post.accounts()) as mail:

        def send() -> None:
            try:
                told.append(mail.send(BOB, subject="Plans", text="x", account="ann", key="k").state)
            except UsageError:
                raise
            except Exception as error:  # noqa: BLE001  # asserted below
                told.append(getattr(error, "code", "?"))

        threads = [threading.Thread(target=send) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert told.count("sent") == 1
    assert set(told) <= {"sent", "in_flight", "duplicate"}
    assert post.arrived() == ["Plans"]


@pytest.mark.anyio
async def test_new_mail_goes_from_the_account_that_is_meant() -> None:
    post = Post()
    async with post.client() as mail:
        with pytest.raises(AmbiguousAccount):
            await mail.send(BOB, subject="x", text="x")
        with pytest.raises(UnknownAccount):
            await mail.send(BOB, subject="x", text="x", account="zoe")
        with pytest.raises(UsageError):
            await mail.reply(Ref(account="ann", kind="message", id="1"), text="x", account="bob")
    async with AsyncMailClient(post.accounts(default="bob")) as mail:
        assert (await mail.send(ANN, subject="x", text="x")).account == "bob"
    assert post.sandbox.sent[0].sender == BOB


WRONG: list[tuple[str, dict[str, Any]]] = [
    ("send", {"to": "no address"}),
    ("send", {"to": "Zoe\r\nBcc: eve@evil.example <zoe@x.example>"}),
    ("send", {"to": BOB, "subject": "a\r\nBcc: eve@evil.example"}),
    ("send", {"to": BOB, "subject": "a\0"}),
    ("send", {"to": BOB, "headers": {"Bcc": "eve@evil.example"}}),
    ("send", {"to": BOB, "headers": {"X-A": "b\nBcc: eve@evil.example"}}),
    ("send", {"to": BOB, "files": OutgoingFile(content=b"x", name="a.txt"), "text": 7}),
    ("send", {"to": BOB, "text": "a", "markdown": "b"}),
    ("send", {"to": BOB, "from_": [ANN, BOB]}),
    ("send", {"to": BOB, "files": 7}),
    ("send", {"to": BOB, "key": "a b"}),
    ("send", {"to": BOB, "on_unknown": "ignore"}),
    ("send", {"to": BOB, "deadline": 0}),
    ("send", {"to": BOB, "progress": 1}),
    ("reply", {"message": "m", "reply_all": 1}),
    ("reply", {"message": "m", "as_draft": "yes"}),
    ("reply", {"message": "m", "quote": None}),
    ("reply", {"message": 7}),
    ("reply", {"message": Ref(account="ann", kind="attachment", id="1", part="2")}),
    ("forward", {"message": "m", "to": "no address"}),
    ("forward", {"message": "m", "to": BOB, "as_attachment": 1}),
    ("explain_reply", {"message": "m", "reply_all": "x"}),
    ("explain_reply", {"message": "m", "own_spellings": "x"}),
]


@pytest.mark.anyio
@pytest.mark.parametrize(("verb", "given"), WRONG)
async def test_what_cannot_be_right_is_refused_before_anything_is_asked(verb: str, given: dict[str, Any]) -> None:
    post = Post()
    async with post.client() as mail:
        with pytest.raises(UsageError) as caught:
            await getattr(mail, verb)(**given, account="ann")
    assert post.sandbox.requests == []
    assert caught.value.operation == f"mail.{verb}"
    assert "evil" not in str(caught.value)


@pytest.mark.anyio
@pytest.mark.parametrize("provider", PROVIDERS)
async def test_nothing_that_is_said_names_people_or_contents(provider: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    post = Post(provider)
    secret = "Zanzibar"
    said: list[str] = []
    async with post.client(policy=SendPolicy(allow=["contoso.example"])) as mail:
        options: dict[str, Any] = {"subject": secret, "text": secret, "account": "ann", "on_unknown": "return"}
        said.append(repr(await mail.send(f"{secret}@contoso.example", **options)))
        said.append(repr(await mail.send(f"{secret}@elsewhere.example", **options)))
        post.ann.script(Fault.server_error(500, operation="messages.send"))
        said.append(repr(await mail.send(f"{secret}@contoso.example", **options)))
        for status in (400, 403, 413):
            post.ann.script(Fault(status=status, message=f"no {secret}@contoso.example", times=4))
            with pytest.raises(Exception, match=r"ann mail\.send") as caught:
                await mail.send(f"{secret}@contoso.example", **options)
            said += [str(caught.value), repr(caught.value)]
            post.ann.faults.clear()
        with pytest.raises(InvalidMessage) as invalid:
            await mail.send(f"{secret} without a domain", account="ann")
        said.append(str(invalid.value))
        said.append(repr(mail))
        said.append(repr(SendPolicy(allow=[f"{secret}@contoso.example"])))
    for text in (*said, caplog.text):
        assert secret.lower() not in text.lower()
