"""Going through everything: lazy, merged, none twice, failures on the way."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailkit.errors import AllAccountsFailed, BadPayload, SignInRequired, TimedOut, Unavailable
from mailkit.fanout import AsyncMessageIterator, ask
from mailkit.fanout.merge import order
from mailkit.models import MessageSummary, Note
from tests.fanout.fakes import FakeDriver, FakeMailboxes, box, mailboxes, row

pytestmark = pytest.mark.anyio


def rows(world: FakeMailboxes, limit: int | None = None, deadline: float = 30.0) -> AsyncMessageIterator:
    question = ask(
        world,
        "x",
        operation="mail.iter_search",
        accounts=None,
        limit=100,
        tz=None,
        default_tz=ZoneInfo("UTC"),
        deadline=deadline,
    )
    return AsyncMessageIterator(world, question, limit)


async def everything(iterator: AsyncMessageIterator) -> list[MessageSummary]:
    return [each async for each in iterator]


@settings(max_examples=30, deadline=None)
@given(
    mails=st.dictionaries(st.sampled_from("abc"), st.lists(st.integers(0, 5), max_size=12), min_size=1),
    page=st.integers(1, 4),
    overlap=st.integers(0, 2),
    limit=st.none() | st.integers(1, 20),
)
async def test_it_gives_the_merged_lists(
    mails: dict[str, list[int]], page: int, overlap: int, limit: int | None
) -> None:
    # Newest first within a provider is by instant only, so the lists are given apart instants.
    spread = {name: [tick * 3 + "abc".index(name) for tick in sorted(set(ticks))] for name, ticks in mails.items()}
    world = mailboxes(**{name: box(name, *ticks, page=page, overlap=overlap) for name, ticks in spread.items()})
    expected = sorted(
        (row(name, f"{name}{at}", tick) for name, ticks in spread.items() for at, tick in enumerate(ticks)), key=order
    )
    assert await everything(rows(world, limit)) == expected[:limit]


async def test_nothing_is_asked_before_the_first_row() -> None:
    world = mailboxes(a=box("a", 1))
    rows(world)
    assert world.opened == []


async def test_the_first_page_waits_for_nothing_else() -> None:
    world = mailboxes(a=box("a", *range(9), page=3))
    iterator = rows(world)
    await anext(iterator)
    assert world.drivers["a"].calls == ["search", "fetch 0"]


async def test_it_reads_at_most_one_page_ahead() -> None:
    world = mailboxes(a=box("a", *range(30), page=3))
    iterator = rows(world)
    for taken in range(1, 13):
        await anext(iterator)
        fetched = sum(call.startswith("fetch") for call in world.drivers["a"].calls)
        listed = 1 + sum(call.startswith("next") for call in world.drivers["a"].calls)
        assert fetched == (taken + 2) // 3
        assert listed <= fetched + 1


async def test_a_limit_stops_without_another_request() -> None:
    world = mailboxes(a=box("a", *range(9), page=3))
    assert len(await everything(rows(world, 3))) == 3
    assert world.drivers["a"].calls == ["search", "fetch 0"]


async def test_accounts_are_filled_at_the_same_time() -> None:
    world = mailboxes(**{name: box(name, 1, delay=2.0) for name in "abc"})
    await everything(rows(world))
    assert world.clock.monotonic() == pytest.approx(2.0)


async def test_an_account_that_fails_on_the_way_is_left_out_from_there() -> None:
    world = mailboxes(a=box("a", 9, 7, 5, 3, page=2, fails=Unavailable("down"), fails_at_step=1), b=box("b", 8, 6, 4))
    iterator = rows(world)
    assert [each.ref.id for each in await everything(iterator)] == ["a0", "b0", "a1", "b1", "b2"]
    assert [failure.account for failure in iterator.failures] == ["a"]


async def test_what_fails_ahead_does_not_cost_the_rows_in_hand() -> None:
    world = mailboxes(a=box("a", *range(6), page=2, fails=Unavailable("down"), fails_at_step=2))
    iterator = rows(world)
    assert [(await anext(iterator)).ref.id for _ in range(4)] == ["a5", "a4", "a3", "a2"]
    with pytest.raises(Unavailable):
        await anext(iterator)


async def test_a_page_that_fails_while_the_next_is_asked_for_fails_its_account() -> None:
    world = mailboxes(a=box("a", *range(9), page=3, unreadable=1), b=box("b", 20))
    iterator = rows(world)
    assert [each.ref.id for each in await everything(iterator)] == ["b0", "a8", "a7", "a6"]
    assert [type(failure.error) for failure in iterator.failures] == [Unavailable]


async def test_a_pause_does_not_end_an_iteration() -> None:
    world = mailboxes(a=box("a", *range(9), page=3, pauses=True))
    assert len(await everything(rows(world))) == 9


async def test_all_failing_raises() -> None:
    world = mailboxes(a=box("a", fails=SignInRequired("sign in")), b=box("b", fails=Unavailable("down")))
    with pytest.raises(AllAccountsFailed):
        await everything(rows(world))


async def test_each_wait_has_a_deadline_of_its_own() -> None:
    world = mailboxes(a=box("a", *range(9), page=1, delay=4.0))
    assert len(await everything(rows(world, deadline=10.0))) == 9
    world = mailboxes(a=box("a", hangs=True))
    with pytest.raises(TimedOut):
        await everything(rows(world, deadline=10.0))


async def test_notes_and_problems_gather() -> None:
    note, bad = Note(code="scan", effect="slow"), BadPayload("x", path="$")
    world = mailboxes(a=FakeDriver(name="a", rows={"1": 1}, notes=(note,), problems=(bad,)))
    iterator = rows(world)
    assert not iterator.notes
    await everything(iterator)
    assert iterator.notes == (note,)
    assert iterator.problems == (bad,)
