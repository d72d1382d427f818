"""Every request of every way to send goes wrong in every way, and what is said of the mail is true.

A send without a fault is watched first, so that no request can be forgotten: those it makes are the points of fault.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

import anyio
import attrs
import pytest

from mailkit import AsyncMailClient, MailkitError, OutcomeUnknown, OutgoingFile, Ref, SendResult
from mailkit.sandbox import Fault
from mailkit.values import Provider
from tests.sending.post import BOB, CASES, MAY_DRAFT, MAY_READ, Post

pytestmark = pytest.mark.matrix

Harm: TypeAlias = Callable[..., Fault]
Way: TypeAlias = Callable[[AsyncMailClient, str | None], Awaitable[SendResult]]

HARMS: Mapping[str, Harm] = {
    "refused": lambda **where: Fault(status=400, **where),
    "forbidden": Fault.forbidden,
    "not connected": lambda **where: Fault.reset(before=True, **where),
    "throttled": lambda **where: Fault.rate_limited(2, **where),
    "throttled for an hour": lambda **where: Fault.rate_limited(3600, **where),
    "busy": lambda **where: Fault.server_error(503, 1, **where),
    "busy, says no more": lambda **where: Fault.server_error(503, **where),
    "500": lambda **where: Fault.server_error(500, takes_effect=False, **where),
    "500, but done": lambda **where: Fault.server_error(500, takes_effect=True, **where),
    "502 of a proxy, but done": lambda **where: Fault.html_page(502, takes_effect=True, **where),
    "504, but done": lambda **where: Fault.server_error(504, takes_effect=True, **where),
    "broken line": lambda **where: Fault.reset(takes_effect=False, **where),
    "broken line, but done": Fault.reset,
    "hangs": lambda **where: Fault.hang(takes_effect=False, **where),
    "hangs, but done": Fault.hang,
    "half an answer": Fault.truncated,
}
WAYS = ("new", "file", "large", "reply", "forward", "draft")
_READING = ("messages.get", "labels.list", "folders.get", "folders.list", "attachments.list", "drafts.get")


async def way(post: Post, mail: AsyncMailClient, name: str) -> Way:
    """Make ready what is to be sent, and give the send."""
    if name == "draft":
        draft = await mail.drafts.create(BOB, subject="Plans", text="At ten.", account="ann")
        return lambda mail, key: mail.drafts.send(draft, key=key)
    if name == "reply":
        row = Ref(account="ann", kind="message", id=post.letter_to_ann())
        return lambda mail, key: mail.reply(row, text="At ten.", key=key)
    if name == "forward":
        row = Ref(account="ann", kind="message", id=post.letter_to_ann())
        return lambda mail, key: mail.forward(row, BOB, text="At ten.", key=key)
    size = {"new": 0, "file": 100, "large": 4_000_000}[name]
    files = [OutgoingFile(content=bytes(size), name="plan.bin")] if size else []
    return lambda mail, key: mail.send(BOB, subject="Plans", text="At ten.", files=files, account="ann", key=key)


def fits(provider: Provider, width: str, name: str) -> bool:
    """Whether these permissions are enough for it, and it asks for anything that another send does not."""
    if (provider, name) == ("google", "file") or (width == "unstated" and name not in ("new", "file")):
        return False
    if (provider, name) == ("google", "large"):
        return width in ("send", "wide")
    if name in ("reply", "forward"):
        return width in MAY_READ
    return width in MAY_DRAFT if name == "draft" or (name, provider) == ("large", "microsoft") else True


SENDS = [
    pytest.param(provider, width, name, id=f"{provider}-{width}-{name}")
    for provider, width in CASES
    for name in WAYS
    if fits(provider, width, name)
]


@functools.cache
def points(provider: Provider, width: str, name: str) -> list[tuple[str, int]]:
    """Give the operations that a send makes, each with how many of its kind go before: of many the first and last."""

    async def watch() -> list[str]:
        post = Post(provider, width)
        async with post.client() as mail:
            send = await way(post, mail, name)
            before = len(post.sandbox.requests)
            await send(mail, None)
        return [operation for operation in post.asked(before) if operation not in _READING]

    return [
        (operation, skip)
        for operation, times in Counter(anyio.run(watch)).items()
        for skip in sorted({0, min(1, times - 1), times - 1})
    ]


@attrs.frozen
class Told:
    """What a caller was told of a send."""

    result: SendResult | None = None
    error: MailkitError | None = None

    @property
    def state(self) -> str:
        if self.result is not None:
            return self.result.state
        return "unknown" if isinstance(self.error, OutcomeUnknown) else "failed"

    @property
    def thing(self) -> Any:
        return self.result or self.error


async def told(call: Awaitable[SendResult]) -> Told:
    try:
        return Told(result=await call)
    except MailkitError as error:
        return Told(error=error)


async def judge(post: Post, mail: AsyncMailClient, send: Way, first: Told, *, may_read: bool, is_draft: bool) -> None:
    """Hold what was told against what happened, then do the same once more, and hold that against it, too."""
    sent = len(post.sandbox.sent)
    kept = ["Plans"] if is_draft and not sent else []
    assert (first.state, sent) in {("sent", 1), ("failed", 0), ("unknown", 0), ("unknown", 1)}
    if first.state != "unknown":
        assert post.drafts() == kept
    await post.sandbox.clock.sleep(600)
    if first.state == "unknown":
        last = await mail.reconcile(first.thing)
        if sent:
            assert last.state == ("sent" if may_read else "unknown")
            assert last.evidence in ("message_id", "send_id", "likeness", None)
        else:
            assert (last.state == "draft") == bool(post.drafts())
            assert last.state in ("draft", "unknown")
        assert len(post.sandbox.sent) == sent
    again = await told(send(mail, "key-1"))
    if first.state == "failed":
        assert again.state == "sent"
    elif first.state == "sent":
        assert again.state == "duplicate"
    else:
        assert again.state in ("duplicate", "unknown", "draft")
        assert (again.state == "duplicate") == (sent == 1 and may_read)
    assert len(post.sandbox.sent) == (1 if first.state in ("sent", "failed") else sent)
    assert len(post.arrived()) == len(post.sandbox.sent)


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize(("provider", "width", "name"), SENDS)
def test_what_is_said_is_true(provider: Provider, width: str, name: str, harm: str) -> None:
    async def go(operation: str, skip: int) -> None:
        post = Post(provider, width)
        async with post.client() as mail:
            send = await way(post, mail, name)
            post.ann.script(HARMS[harm](operation=operation, skip=skip))
            first = await told(send(mail, "key-1"))
            assert any(each.scripted for each in post.sandbox.requests)
            await judge(post, mail, send, first, may_read=width in MAY_READ, is_draft=name == "draft")

    for operation, skip in points(provider, width, name):
        anyio.run(go, operation, skip)
