"""What concerns single items, and lists that are no search."""

from __future__ import annotations

import pytest

from mailkit import fanout
from mailkit.errors import AllAccountsFailed, NotFound, TimedOut, Unavailable, UsageError
from mailkit.values import Ref
from tests.fanout.fakes import box, mailboxes, row

pytestmark = pytest.mark.anyio


async def test_many_messages_come_in_order_each_with_an_outcome() -> None:
    world = mailboxes(a=box("a", 1, 2), b=box("b", 3))
    asked = [row("b", "b0", 3), row("a", "gone", 0), row("a", "a1", 2), row("b", "b0", 3)]
    outcomes = await fanout.get_many(world, asked, account=None, include_raw=False, deadline=30)
    assert [outcome.ref for outcome in outcomes] == [each.ref for each in asked]
    assert [outcome.ok for outcome in outcomes] == [True, False, True, True]
    assert type(outcomes[1].error) is NotFound
    assert (outcomes[1].error.account, outcomes[1].error.operation) == ("a", "mail.get_many")
    assert world.drivers["a"].calls == ["get gone a1"]
    assert world.drivers["b"].calls == ["get b0"]


async def test_an_account_that_fails_is_the_outcome_of_its_refs_only() -> None:
    world = mailboxes(a=box("a", 1), b=box("b", hangs=True))
    refs = [row("a", "a0", 1), row("b", "b0", 1), row("b", "b1", 1)]
    outcomes = await fanout.get_many(world, refs, account=None, include_raw=False, deadline=5)
    assert outcomes[0].ok
    assert [type(outcome.error) for outcome in outcomes[1:]] == [TimedOut, TimedOut]


async def test_one_wrong_ref_among_many_is_refused_before_anything_is_asked() -> None:
    world = mailboxes(a=box("a", 1))
    with pytest.raises(UsageError):
        await fanout.get_many(world, [row("a", "a0", 1), "mk1:x"], account=None, include_raw=False, deadline=5)
    assert world.opened == []


async def test_no_refs_are_no_outcomes() -> None:
    assert await fanout.get_many(mailboxes(a=box("a")), [], account=None, include_raw=False, deadline=5) == []


async def test_one_message() -> None:
    world = mailboxes(a=box("a", 1))
    found = await fanout.get(world, row("a", "a0", 1).ref, include_raw=False, deadline=5)
    assert found.ref.id == "a0"
    with pytest.raises(NotFound) as caught:
        await fanout.get(world, row("a", "zz", 1).ref, include_raw=False, deadline=5)
    assert (caught.value.account, caught.value.operation) == ("a", "mail.get")


async def test_thread_and_raw() -> None:
    world = mailboxes(a=box("a", 1))
    assert (await fanout.thread(world, Ref(account="a", kind="thread", id="t"), deadline=5)).ref.id == "t"
    assert await fanout.raw(world, row("a", "a0", 1).ref, deadline=5) == b"a0"


async def test_labels_come_account_by_account_and_failures_apart() -> None:
    world = mailboxes(b=box("b"), a=box("a"), c=box("c", fails=Unavailable("down")))
    found = await fanout.labels(world, None, deadline=5)
    assert [label.account for label in found] == ["b", "a"]
    assert [failure.account for failure in found.failures] == ["c"]
    with pytest.raises(Unavailable):
        await fanout.labels(world, "c", deadline=5)
    world.drivers["a"].fails = Unavailable("down")
    with pytest.raises(AllAccountsFailed):
        await fanout.labels(world, ["a", "c"], deadline=5)


async def test_attachments_are_listed_read_and_streamed() -> None:
    world = mailboxes(a=box("a", 1))
    (attachment,) = await fanout.list_attachments(world, row("a", "a0", 1).ref, deadline=5)
    assert await fanout.read_attachment(world, attachment.ref, known=None, progress=None, deadline=5) == b"a0/1"
    async with fanout.open_attachment(world, attachment.ref, deadline=5) as pieces:
        assert [piece async for piece in pieces] == [b"a0", b"/", b"1"]
    assert world.drivers["a"].calls == ["closed", "closed"]


async def test_a_stream_that_does_not_begin_in_time_is_timed_out() -> None:
    world = mailboxes(a=box("a", hangs=True))
    ref = Ref(account="a", kind="attachment", id="a0", part="1")
    with pytest.raises(TimedOut):
        async with fanout.open_attachment(world, ref, deadline=5):
            pass
    assert world.clock.monotonic() == pytest.approx(5.0)
