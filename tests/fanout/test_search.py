"""One search over several accounts: what is merged, what fails, what is asked of whom."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from io import BytesIO
from typing import Any
from zoneinfo import ZoneInfo

import anyio
import anyio.lowlevel
import pytest

from mailkit.errors import (
    AllAccountsFailed,
    BadPayload,
    ConfigurationError,
    InvalidQuery,
    SignInRequired,
    TimedOut,
    Unavailable,
    UnknownAccount,
    Unsupported,
    UsageError,
)
from mailkit.fanout import AsyncUpdates, ask, explain, search
from mailkit.fanout.request import Question
from mailkit.models import MessageSummary, Note, Results
from tests.fanout.fakes import EPOCH, FakeMailboxes, box, mailboxes

pytestmark = pytest.mark.anyio

NOTE = Note(code="approximate", term="larger:5", effect="sizes differ a little")


def question(world: FakeMailboxes, query: str = "x", **options: Any) -> Question:
    defaults: dict[str, Any] = {
        "operation": "mail.search",
        "accounts": None,
        "limit": 25,
        "tz": None,
        "default_tz": ZoneInfo("UTC"),
        "deadline": 30.0,
    }
    return ask(world, query, **{**defaults, **options})


def ids(rows: Sequence[MessageSummary]) -> list[str]:
    return [each.ref.id for each in rows]


async def test_rows_of_all_accounts_come_newest_first() -> None:
    world = mailboxes(a=box("a", 5, 1, 3), b=box("b", 4, 2))
    found = await search(world, question(world))
    assert ids(found) == ["a0", "b0", "a2", "b1", "a1"]
    assert found.cursor is None


async def test_ties_go_by_account_and_id() -> None:
    world = mailboxes(b=box("b", 1, 1), a=box("a", 1, 1))
    assert ids(await search(world, question(world))) == ["a0", "a1", "b0", "b1"]


async def test_a_cursor_continues_where_the_limit_cut() -> None:
    world = mailboxes(a=box("a", 5, 1, 3), b=box("b", 4, 2))
    first = await search(world, question(world, limit=2))
    second = await search(world, question(world, limit=2, cursor=first.cursor))
    third = await search(world, question(world, limit=2, cursor=second.cursor))
    assert [ids(page) for page in (first, second, third)] == [["a0", "b0"], ["a2", "b1"], ["a1"]]
    assert third.cursor is None


async def test_an_account_that_is_done_is_not_asked_again() -> None:
    world = mailboxes(a=box("a", 9), b=box("b", 5, 4, 3))
    first = await search(world, question(world, limit=2))
    world.opened.clear()
    await search(world, question(world, limit=2, cursor=first.cursor))
    assert world.opened == ["b"]


async def test_a_cursor_keeps_now_and_zone() -> None:
    world = mailboxes(a=box("a", 5, 4))
    first = question(world, limit=1, tz="Asia/Tokyo")
    cursor = (await search(world, first)).cursor
    await world.clock.sleep(3600)
    second = question(world, limit=1, cursor=cursor, default_tz=ZoneInfo("UTC"))
    assert second.now == first.now
    assert second.tz.key == "Asia/Tokyo"


async def test_a_failing_account_stands_beside_the_rows_and_is_asked_again() -> None:
    world = mailboxes(a=box("a", 5), b=box("b", 4, fails=Unavailable("down")))
    found = await search(world, question(world))
    assert ids(found) == ["a0"]
    (failure,) = found.failures
    assert (failure.account, type(failure.error)) == ("b", Unavailable)
    assert (failure.error.account, failure.error.operation) == ("b", "mail.search")
    world.drivers["b"].fails = None
    again = await search(world, question(world, cursor=found.cursor))
    assert ids(again) == ["b0"]
    assert again.cursor is None


async def test_what_came_before_a_failure_is_kept_told_apart_and_gone_on_from() -> None:
    world = mailboxes(a=box("a", 9), b=box("b", *range(8), page=2, fails=Unavailable("down"), fails_at_step=1))
    found = await search(world, question(world))
    assert ids(found) == ["a0", "b7", "b6"]
    assert [failure.account for failure in found.failures] == ["b"]
    world.drivers["b"].fails = None
    rest = await search(world, question(world, cursor=found.cursor))
    assert ids(rest) == ["b5", "b4", "b3", "b2", "b1", "b0"]
    assert rest.cursor is None


async def test_the_only_account_gives_what_came_before_its_failure() -> None:
    world = mailboxes(a=box("a", *range(4), page=3, fails=Unavailable("down"), fails_at_step=1))
    found = await search(world, question(world))
    assert ids(found) == ["a3", "a2", "a1"]
    with pytest.raises(Unavailable):
        found.raise_for_failures()


async def test_what_came_before_the_deadline_is_kept() -> None:
    world = mailboxes(a=box("a", *range(9), page=2, delay=4.0))
    found = await search(world, question(world, deadline=10.0))
    assert ids(found) == ["a8", "a7"]
    assert [type(failure.error) for failure in found.failures] == [TimedOut]


async def test_the_only_account_concerned_raises_its_own_error() -> None:
    world = mailboxes(a=box("a", fails=SignInRequired("sign in")), b=box("b", 1))
    with pytest.raises(SignInRequired):
        await search(world, question(world, accounts="a"))


async def test_all_failing_raises_them_all() -> None:
    world = mailboxes(a=box("a", fails=SignInRequired("sign in")), b=box("b", fails=Unavailable("down")))
    with pytest.raises(AllAccountsFailed) as caught:
        await search(world, question(world))
    assert [type(error) for error in caught.value.errors] == [SignInRequired, Unavailable]
    assert caught.value.operation == "mail.search"


async def test_an_account_that_cannot_be_opened_is_a_failure_of_its_own() -> None:
    world = mailboxes(a=box("a", 1), b=box("b", 2))
    world.broken = {"b": ConfigurationError("no such token")}
    found = await search(world, question(world))
    assert ids(found) == ["a0"]
    assert type(found.failures[0].error) is ConfigurationError


async def test_a_hanging_account_costs_its_deadline_and_no_more() -> None:
    world = mailboxes(a=box("a", 1), b=box("b", hangs=True))
    found = await search(world, question(world, deadline=7.0))
    assert ids(found) == ["a0"]
    assert type(found.failures[0].error) is TimedOut
    assert world.clock.monotonic() == pytest.approx(7.0)
    assert world.drivers["b"].cancelled == 1


async def test_accounts_are_asked_at_the_same_time() -> None:
    world = mailboxes(**{name: box(name, 1, delay=2.0) for name in "abcd"})
    await search(world, question(world))
    assert world.clock.monotonic() == pytest.approx(2.0)


async def test_only_as_many_steps_are_read_as_the_limit_needs() -> None:
    world = mailboxes(a=box("a", *range(50), page=10))
    await search(world, question(world, limit=10))
    assert world.drivers["a"].calls == ["search", "fetch 0"]
    world.drivers["a"].calls.clear()
    assert len(await search(world, question(world, limit=45))) == 45
    assert [call for call in world.drivers["a"].calls if call.startswith("fetch")] == [f"fetch {n}" for n in range(5)]


async def test_a_pause_ends_a_list_with_a_limit() -> None:
    world = mailboxes(a=box("a", *range(9), page=3, pauses=True))
    found = await search(world, question(world))
    assert len(found) == 3
    assert found.cursor is None


async def test_malformed_items_are_problems_and_the_rest_is_intact() -> None:
    bad = BadPayload("no date", path="value[3].receivedDateTime", account="a")
    world = mailboxes(a=box("a", 1, problems=(bad,)))
    found = await search(world, question(world))
    assert ids(found) == ["a0"]
    assert found.problems == (bad,)


async def test_notes_come_once_per_account() -> None:
    world = mailboxes(a=box("a", *range(9), notes=(NOTE,)), b=box("b", 1))
    assert (await search(world, question(world))).notes == (NOTE,)


async def test_strict_refuses_before_the_list_is_asked_for() -> None:
    world = mailboxes(a=box("a", 1, notes=(NOTE,)), b=box("b", 1))
    found = await search(world, question(world, strict=True))
    assert ids(found) == ["b0"]
    (failure,) = found.failures
    assert type(failure.error) is Unsupported
    assert "larger:5" in failure.error.message
    assert failure.error.code == "approximate"
    assert world.drivers["a"].calls == ["plan"]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"query": "(from:ann"}, InvalidQuery),
        ({"limit": 0}, UsageError),
        ({"limit": -1}, UsageError),
        ({"limit": 10_001}, UsageError),
        ({"tz": "Europe/Nowhere"}, UsageError),
        ({"tz": "../../etc/passwd"}, UsageError),
        ({"tz": ""}, UsageError),
        ({"accounts": "nobody"}, UnknownAccount),
        ({"cursor": "mkc1.nonsense"}, UsageError),
    ],
)
async def test_what_cannot_be_right_is_refused_before_anything_is_asked(
    options: dict[str, Any], error: type[Exception]
) -> None:
    world = mailboxes(a=box("a", 1))
    with pytest.raises(error):
        question(world, **options)
    assert world.opened == []


async def test_a_cursor_of_an_account_that_is_gone_is_refused() -> None:
    world = mailboxes(a=box("a", 2, 1), b=box("b", 1))
    cursor = (await search(world, question(world, limit=1))).cursor
    with pytest.raises(UnknownAccount):
        question(mailboxes(a=box("a", 1)), cursor=cursor)


async def test_without_a_zone_the_machines_own_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tzlocal.get_localzone", lambda: ZoneInfo("Asia/Kolkata"))
    assert question(mailboxes(a=box("a")), default_tz=None).tz.key == "Asia/Kolkata"


async def test_a_zone_without_a_name_is_the_machines_own_in_a_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    data = files("tzdata.zoneinfo.Asia").joinpath("Tokyo").read_bytes()
    nameless = ZoneInfo.from_file(BytesIO(data))
    monkeypatch.setattr("tzlocal.get_localzone", lambda: nameless)
    world = mailboxes(a=box("a", 2, 1))
    cursor = (await search(world, question(world, limit=1, default_tz=None))).cursor
    assert question(world, limit=1, default_tz=None, cursor=cursor).tz is nameless


async def test_updates_come_as_accounts_answer() -> None:
    world = mailboxes(a=box("a", 1, delay=3.0), b=box("b", 2, delay=1.0), c=box("c", fails=Unavailable("x"), delay=2.0))
    async with AsyncUpdates(world, question(world)) as updates:
        seen = [
            (update.account, ids(update.rows), ids(update.results), update.waiting, update.failure is not None)
            async for update in updates
        ]
    assert seen == [
        ("b", ["b0"], ["b0"], ("a", "c"), False),
        ("c", [], ["b0"], ("a",), True),
        ("a", ["a0"], ["b0", "a0"], (), False),
    ]


async def test_the_last_update_holds_what_search_gives() -> None:
    world = mailboxes(a=box("a", 5, 1, 3), b=box("b", 4, 2))
    last: Results[MessageSummary] | None = None
    async with AsyncUpdates(world, question(world, limit=3)) as updates:
        async for update in updates:
            last = update.results
    assert last == await search(world, question(world, limit=3))


async def test_leaving_the_block_cancels_the_rest() -> None:
    world = mailboxes(a=box("a", 1), b=box("b", hangs=True))
    async with AsyncUpdates(world, question(world)) as updates:
        async for update in updates:
            assert update.account == "a"
            break
    assert world.drivers["b"].cancelled == 1


async def test_an_error_in_the_block_comes_out_as_it_is() -> None:
    world = mailboxes(a=box("a", 1), b=box("b", hangs=True))
    with pytest.raises(ZeroDivisionError):
        async with AsyncUpdates(world, question(world)):
            raise ZeroDivisionError
    assert world.drivers["b"].cancelled == 1


async def test_updates_end_at_once_when_they_are_cancelled() -> None:
    world = mailboxes(a=box("a", 1), b=box("b", hangs=True), c=box("c", 2, delay=9.0))
    seen: list[str] = []
    begun = world.clock.monotonic()
    async with AsyncUpdates(world, question(world)) as updates, anyio.create_task_group() as group:

        async def click() -> None:
            await world.clock.sleep(1)
            updates.cancel()
            updates.cancel()

        group.start_soon(click)
        seen += [update.account async for update in updates]
        assert await anext(updates, None) is None
        await anyio.lowlevel.checkpoint()  # the block itself is not cancelled
    assert seen == ["a"]
    assert world.clock.monotonic() - begun == 1
    assert [driver.cancelled for driver in world.drivers.values()] == [0, 1, 1]


async def test_what_has_arrived_when_they_are_cancelled_is_not_given() -> None:
    world = mailboxes(a=box("a", 1), b=box("b", 2))
    async with AsyncUpdates(world, question(world)) as updates:
        await anext(updates)
        updates.cancel()
        assert await anext(updates, None) is None


async def test_updates_cancelled_beforehand_ask_nobody() -> None:
    world = mailboxes(a=box("a", 1))
    updates = AsyncUpdates(world, question(world))
    updates.cancel()
    async with updates:
        assert [update async for update in updates] == []
    assert world.opened == []


async def test_updates_are_opened_once_and_gone_through_in_the_block() -> None:
    world = mailboxes(a=box("a", 1), b=box("b", 2))
    updates = AsyncUpdates(world, question(world))
    with pytest.raises(UsageError, match="open the updates first"):
        await anext(updates)
    async with updates:
        await anext(updates)
        with pytest.raises(UsageError, match="opened before"):
            await updates.__aenter__()
        await anext(updates)
        assert await anext(updates, None) is None
    assert await anext(updates, None) is None
    with pytest.raises(UsageError, match="opened before"):
        await updates.__aenter__()


async def test_explain_asks_every_account_and_searches_none() -> None:
    world = mailboxes(a=box("a", notes=(NOTE,)), b=box("b"))
    explanation = await explain(world, question(world, "from:ann  newer_than:2d", operation="mail.explain"))
    assert [plan.account for plan in explanation.plans] == ["a", "b"]
    assert explanation.query == "from:ann newer_than:2d"
    assert all(driver.calls == ["plan"] for driver in world.drivers.values())
    assert explanation.now > EPOCH


async def test_half_an_explanation_is_none() -> None:
    world = mailboxes(a=box("a"), b=box("b", fails=Unavailable("down")))
    with pytest.raises(Unavailable):
        await explain(world, question(world))
