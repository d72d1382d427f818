"""Faults that people reported of other libraries when they sent mail, played against whole sends of a client.

Each test stands for one report; the values are the project's own.
"""

from __future__ import annotations

import base64
import email
import email.policy
import json
from collections.abc import Awaitable, Callable
from email.message import EmailMessage
from typing import Any, TypeAlias

import pytest

from mailkit import AsyncMailClient, OutcomeUnknown, OutgoingFile, ProviderError, Ref, SendResult, TooLarge
from mailkit.sandbox import Fault, Mail, Person
from mailkit.values import Provider
from tests.sending.post import ANN, BOB, PROVIDERS, Post

pytestmark = pytest.mark.anyio

Way: TypeAlias = Callable[[AsyncMailClient, Post], Awaitable[SendResult]]
DELIVERS = frozenset(
    {"messages.send", "drafts.send", "me.sendMail", "messages.reply", "messages.replyAll", "messages.forward"}
)


async def _new(mail: AsyncMailClient, post: Post) -> SendResult:
    return await mail.send(BOB, subject="Plans", text="At ten.", account="ann")


async def _reply(mail: AsyncMailClient, post: Post) -> SendResult:
    return await mail.reply(Ref(account="ann", kind="message", id=post.letter_to_ann()), text="Yes.")


async def _forward(mail: AsyncMailClient, post: Post) -> SendResult:
    return await mail.forward(Ref(account="ann", kind="message", id=post.letter_to_ann()), BOB)


async def _draft(mail: AsyncMailClient, post: Post) -> SendResult:
    draft = await mail.drafts.create(BOB, subject="Plans", text="At ten.", account="ann")
    return await mail.drafts.send(draft)


WAYS: tuple[Way, ...] = (_new, _reply, _forward, _draft)
ANSWERS: dict[str, tuple[Callable[..., Fault], int, bool]] = {
    "timeout after the body was written": (Fault.hang, 1, True),
    "500": (lambda **where: Fault.server_error(500, takes_effect=True, **where), 1, True),
    "502": (lambda **where: Fault.server_error(502, takes_effect=True, **where), 1, True),
    "504": (lambda **where: Fault.server_error(504, takes_effect=True, **where), 1, True),
    "503 with Retry-After": (lambda **where: Fault.server_error(503, 1, **where), 2, False),
    "429": (lambda **where: Fault.rate_limited(1, **where), 2, False),
    "connection refused": (lambda **where: Fault.reset(before=True, **where), 2, False),
}


CASES = [
    pytest.param(provider, width, way, id=f"{provider}-{width}{way.__name__}")
    for provider in PROVIDERS
    for width in ("wide", "send+read")
    for way in WAYS
    if way is not _draft or width == "wide"  # drafts take the wide permissions
]


def deliveries(post: Post) -> int:
    """Count the requests that can deliver a mail, those that never got anywhere among them."""
    return sum(request.operation in DELIVERS for request in post.sandbox.requests)


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize(("provider", "width", "way"), CASES)
async def test_a_retry_delivers_no_mail_twice(provider: Provider, width: str, way: Way, answer: str) -> None:
    """A retry meant for reading delivered the mail up to four times, while one was reported."""
    fault, times, looks = ANSWERS[answer]
    post = Post(provider, width)
    for operation in DELIVERS:
        post.ann.script(fault(operation=operation))
    async with post.client() as mail:
        result = await way(mail, post)
    assert result.state == "sent"
    assert deliveries(post) == times
    assert len(post.arrived()) == len(post.sandbox.sent) == 1
    assert (result.evidence != "answer") == looks


@pytest.mark.parametrize("status", [500, 502, 504])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("provider", PROVIDERS)
async def test_what_is_unclear_is_said_to_be_and_not_tried_again(provider: Provider, way: Way, status: int) -> None:
    post = Post(provider)
    for operation in DELIVERS:
        post.ann.script(Fault.server_error(status, operation=operation))
    async with post.client() as mail:
        with pytest.raises(OutcomeUnknown):
            await way(mail, post)
    assert (deliveries(post), post.sandbox.sent) == (1, [])


def sent_to_gmail(post: Post) -> tuple[EmailMessage, dict[str, Any]]:
    """Give the message that the one request which sends brought, and what stood beside it."""
    (request,) = [each for each in post.sandbox.requests if each.operation == "messages.send"]
    body: dict[str, Any] = json.loads(request.content)
    message = email.message_from_bytes(base64.urlsafe_b64decode(body.pop("raw")), policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message, body


async def test_threading_headers_stand_in_the_message_and_name_message_ids() -> None:
    """They were put into the JSON, or filled with Gmail's own id: the recipient saw a new thread."""
    post = Post("google")
    chain = ["<r1@x.example>", "<r2@x.example>"]
    original = post.letter_to_ann("Sample", message_id="<abc@mail.example.com>", references=chain)
    async with post.client() as mail:
        ref = Ref(account="ann", kind="message", id=original)
        thread = (await mail.get(ref)).thread
        await mail.reply(ref, text="Yes.")
    message, beside = sent_to_gmail(post)
    assert message["In-Reply-To"] == "<abc@mail.example.com>"
    assert message["References"] == "<r1@x.example> <r2@x.example> <abc@mail.example.com>"
    assert message["Subject"] == "Re: Sample"
    assert beside == {"threadId": thread.id}
    assert original not in message.as_string()


async def test_a_parent_without_a_message_id_is_answered_in_its_thread() -> None:
    """An empty In-Reply-To, or the word None, went out."""
    post = Post("google")
    raw = b"From: a@example.com\r\nTo: ann@example.com\r\nSubject: Hello\r\n\r\nHi\r\n"
    ref = Ref(account="ann", kind="message", id=post.ann.load_eml(raw))
    async with post.client() as mail:
        thread = (await mail.get(ref)).thread
        await mail.reply(ref, text="Yes.")
    message, beside = sent_to_gmail(post)
    assert message["In-Reply-To"] is None
    assert message["References"] is None
    assert beside == {"threadId": thread.id}


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_refusal_in_html_is_a_typed_error(provider: Provider) -> None:
    """A message that is too large was answered with a page, on which the JSON reader failed."""
    post = Post(provider)
    page = b"<HTML><TITLE>Bad Request</TITLE><H1>Error 400</H1></HTML>"
    post.ann.script(Fault(status=400, body=page, headers=(("content-type", "text/html"),), method="POST"))
    async with post.client() as mail:
        with pytest.raises(ProviderError) as caught:
            await _new(mail, post)
    assert caught.value.status == 400
    assert len(str(caught.value)) < 200
    assert (post.sandbox.sent, post.drafts()) == ([], [])


@pytest.mark.parametrize(("provider", "size"), [("google", 27_000_000), ("microsoft", 150 * 1024 * 1024 + 1)])
async def test_what_is_too_large_is_refused_before_it_is_uploaded(provider: Provider, size: int, tmp_path: Any) -> None:
    with (tmp_path / "big.bin").open("wb") as file:
        file.truncate(size)
    post = Post(provider)
    async with post.client() as mail:
        with pytest.raises(TooLarge):
            await mail.send(BOB, subject="Plans", text="x", files=tmp_path / "big.bin", account="ann")
    assert post.sandbox.requests == []


@pytest.mark.parametrize(
    ("size", "uploaded"), [(1, False), (2_097_151, False), (3_000_000, True), (3_145_729, True), (9_000_000, True)]
)
async def test_which_files_outlook_takes_in_an_upload_session(size: int, uploaded: bool) -> None:
    """A session for a file below 2 MiB is refused, and so is a file above 3 MB without one."""
    post = Post("microsoft")
    async with post.client() as mail:
        await mail.send(BOB, subject="Plans", text="x", files=OutgoingFile(content=bytes(size)), account="ann")
    pieces = [request for request in post.sandbox.requests if request.operation == "uploads.put"]
    assert bool(pieces) == uploaded
    for piece in pieces[:-1]:
        assert len(piece.content) % (320 * 1024) == 0
        assert len(piece.content) < 4_000_000
    assert sum(len(piece.content) for piece in pieces) == (size if uploaded else 0)
    assert not any("authorization" in piece.headers for piece in pieces)


@pytest.mark.parametrize("others", ["ours", "two of another program"])
@pytest.mark.parametrize("width", ["wide", "send+read"])
@pytest.mark.parametrize("provider", PROVIDERS)
async def test_mail_that_is_alike_is_not_taken_for_the_one_that_is_lost(
    provider: Provider, width: str, others: str
) -> None:
    """A report goes out twice in a minute, and once it is lost: subject, people and minute prove nothing then."""
    post = Post(provider, width)
    alike = Mail(subject="Plans", from_=Person("", ANN), to=[Person("", BOB)], text="x", folder="sent", read=True)
    async with post.client() as mail:
        if others == "ours":
            await _new(mail, post)
        else:
            post.ann.add(alike)
            post.ann.add(alike)
        before = len(post.sandbox.sent)
        for operation in DELIVERS:
            post.ann.script(Fault.server_error(500, operation=operation))
        with pytest.raises(OutcomeUnknown) as caught:
            await _new(mail, post)
        await post.sandbox.clock.sleep(300)
        assert (await mail.reconcile(caught.value)).state in ("unknown", "draft")
    assert len(post.sandbox.sent) == before
