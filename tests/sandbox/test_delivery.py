"""The post between mailboxes of a sandbox: who gets a mail, what is recorded, what lags."""

from __future__ import annotations

import datetime as dt

import pytest

from mailkit.sandbox import Mail, Mailbox, Sandbox, VirtualClock
from mailkit.sandbox.delivery import PostOffice

_NOON = dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC)
_RAW = b"From: ann@example.com\r\nBcc: zoe@example.com,\r\n sam@x.example\r\nMessage-ID: <1@x>\r\n\r\nBcc: no\r\n"
_OPEN = b"From: ann@example.com\r\nMessage-ID: <1@x>\r\n\r\nBcc: no\r\n"


@pytest.fixture
def sandbox() -> Sandbox:
    return Sandbox(VirtualClock(_NOON))


@pytest.fixture
def boxes(sandbox: Sandbox) -> dict[str, Mailbox]:
    return {
        "ann": sandbox.google("ann@example.com"),
        "bob": sandbox.google("bob@example.com", aliases=["robert@example.com"]),
        "cleo": sandbox.microsoft("cleo@contoso.example"),
    }


@pytest.fixture
def post(boxes: dict[str, Mailbox]) -> PostOffice:
    return PostOffice(lambda: tuple(boxes.values()), lambda: _NOON)


def test_a_mail_arrives_once_wherever_it_is_addressed(boxes: dict[str, Mailbox], post: PostOffice) -> None:
    mail = post.deliver(boxes["ann"], _RAW, ["BOB@example.com", "robert@example.com", "cleo@contoso.example", "z@x"])
    assert [len(box) for box in boxes.values()] == [0, 1, 1]
    for name in ("bob", "cleo"):
        (entry,) = boxes[name]
        assert entry.raw.endswith(_OPEN)
        assert (entry.mail.folder, entry.mail.read, entry.mail.message_id) == ("inbox", False, "<1@x>")
        assert entry.received == _NOON
    assert post.sent == [mail]
    assert (mail.sender, mail.message_id, mail.raw, mail.at) == ("ann@example.com", "<1@x>", _OPEN, _NOON)
    assert mail.recipients == ("BOB@example.com", "robert@example.com", "cleo@contoso.example", "z@x")
    assert [left.recipients for left in post.outbox] == [("z@x",)]


def test_a_record_shows_nobody(boxes: dict[str, Mailbox], post: PostOffice) -> None:
    assert "example.com" not in repr(post.deliver(boxes["ann"], _RAW, ["bob@example.com"]))


def test_every_mail_that_comes_is_a_message_of_its_own(boxes: dict[str, Mailbox], post: PostOffice) -> None:
    for _ in range(2):
        post.deliver(boxes["ann"], _RAW, ["bob@example.com", "cleo@contoso.example"])
    assert (len(boxes["bob"]), len(boxes["cleo"]), len(post.sent)) == (2, 2, 2)


def test_a_copy_that_lags_is_out_of_sight(sandbox: Sandbox, boxes: dict[str, Mailbox]) -> None:
    box = boxes["ann"]
    box.sent_lag = 5
    seen, lagging = (box.add(Mail(subject="x", folder="sent", thread="t")) for _ in range(2))
    box.lag(lagging)
    thread = next(iter(box)).thread_id
    assert [entry.id for entry in box] == [entry.id for entry in box.thread(thread)] == [seen]
    assert (len(box), lagging in box, box.get(lagging)) == (1, False, None)
    assert isinstance(sandbox.clock, VirtualClock)
    sandbox.clock.advance(5)
    assert {entry.id for entry in box} == {seen, lagging}
    assert lagging in box
