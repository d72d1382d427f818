"""Virtual time: it jumps when everybody waits, and only then."""

from __future__ import annotations

import asyncio
import datetime as dt
import math
import threading

import anyio
import anyio.from_thread
import anyio.lowlevel
import anyio.to_thread
import pytest

from mailkit.sandbox import VirtualClock

pytestmark = pytest.mark.anyio

_START = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


async def test_time_jumps_to_each_wake_up_in_order() -> None:
    clock = VirtualClock(_START)
    woken: list[tuple[float, int]] = []

    async def sleeper(number: int, seconds: float) -> None:
        await clock.sleep(seconds)
        woken.append((clock.monotonic(), number))

    async with anyio.create_task_group() as tasks:
        for number, seconds in enumerate((3600, 1, 7, 1)):
            tasks.start_soon(sleeper, number, seconds)
    assert [at for at, _ in woken] == [1, 1, 7, 3600]
    assert woken[2:] == [(7, 2), (3600, 0)]
    assert clock.now() == _START + dt.timedelta(hours=1)


async def test_what_a_wake_up_sets_in_motion_comes_to_rest_before_the_next() -> None:
    clock = VirtualClock()
    seen: list[str] = []

    async def busy() -> None:
        await clock.sleep(1)
        for _ in range(50):
            await anyio.lowlevel.checkpoint()
        seen.append(f"busy {clock.monotonic():g}")
        await clock.sleep(1)
        seen.append(f"slept {clock.monotonic():g}")

    async def other() -> None:
        await clock.sleep(1.5)
        seen.append(f"other {clock.monotonic():g}")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(busy)
        tasks.start_soon(other)
    assert seen == ["busy 1", "other 1.5", "slept 2"]


async def test_a_deadline_cuts_off_and_says_so() -> None:
    clock = VirtualClock()
    with clock.deadline(5) as deadline:
        await anyio.Event().wait()
    assert deadline.expired
    assert clock.monotonic() == 5


async def test_a_deadline_that_holds_leaves_nothing_behind() -> None:
    clock = VirtualClock()
    with clock.deadline(5) as deadline:
        await clock.sleep(2)
    await clock.sleep(10)
    assert not deadline.expired
    assert clock.monotonic() == 12


async def test_a_deadline_rings_before_a_later_sleep_of_the_same_instant() -> None:
    clock = VirtualClock()
    with clock.deadline(5) as deadline:
        await clock.sleep(5)
    assert deadline.expired


async def test_a_deadline_that_has_passed_already_cuts_at_the_first_wait() -> None:
    clock = VirtualClock()
    steps: list[str] = []
    with clock.deadline(0) as deadline:
        steps.append("before")
        await anyio.lowlevel.checkpoint()
        steps.append("after")
    assert deadline.expired
    assert steps == ["before"]


@pytest.mark.parametrize("seconds", [None, math.inf])
async def test_no_deadline(seconds: float | None) -> None:
    clock = VirtualClock()
    with clock.deadline(seconds) as deadline:
        await clock.sleep(1e6)
        assert clock.remaining() == math.inf
    assert not deadline.expired


async def test_the_nearest_deadline_is_what_remains() -> None:
    clock = VirtualClock()
    seen: list[float] = []

    async def child() -> None:
        seen.append(clock.remaining())

    assert clock.remaining() == math.inf
    with clock.deadline(10):
        with clock.deadline(60):
            assert clock.remaining() == 10
        with clock.deadline(4):
            await clock.sleep(3)
            assert clock.remaining() == 1
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(child)
    assert seen == [7]
    assert clock.remaining() == math.inf


async def test_sleeping_for_ever_hangs_until_it_is_cut_off() -> None:
    clock = VirtualClock()
    with clock.deadline(30) as deadline:
        await clock.sleep(math.inf)
    assert deadline.expired


async def test_a_cancelled_sleep_does_not_move_time() -> None:
    clock = VirtualClock()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(clock.sleep, 1000.0)
        await clock.sleep(1)
        tasks.cancel_scope.cancel()
    await clock.sleep(1)
    assert clock.monotonic() == 2


async def test_work_in_a_thread_holds_time_still() -> None:
    clock = VirtualClock()
    go = threading.Event()

    async def later() -> None:
        for _ in range(20):
            await anyio.lowlevel.checkpoint()
        go.set()

    with clock.deadline(1) as deadline:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(later)
            await anyio.to_thread.run_sync(go.wait)
    assert not deadline.expired
    assert clock.monotonic() == 0


async def test_two_clocks_in_one_loop_do_not_wait_for_each_other() -> None:
    one, other = VirtualClock(), VirtualClock()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(one.sleep, 5.0)
        tasks.start_soon(other.sleep, 7.0)
    assert (one.monotonic(), other.monotonic()) == (5, 7)


async def test_advancing_by_hand_wakes_what_is_due() -> None:
    clock = VirtualClock()
    clock.advance(90)
    clock.advance(-5)
    await clock.sleep(0)
    assert clock.monotonic() == 90


async def test_plain_callbacks_run_before_time_moves(anyio_backend_name: str) -> None:
    if anyio_backend_name != "asyncio":
        pytest.skip("trio has no callbacks of the loop")
    clock = VirtualClock()
    done = asyncio.Event()
    loop = asyncio.get_running_loop()

    def callback(left: int) -> None:
        if left:
            loop.call_soon(callback, left - 1)
        else:
            done.set()

    callback(4)
    with clock.deadline(1) as deadline:
        await done.wait()
    assert not deadline.expired


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_portal_thread_may_use_it(backend: str) -> None:
    clock = VirtualClock()
    with anyio.from_thread.start_blocking_portal(backend) as portal:
        portal.call(clock.sleep, 86400.0)
        portal.call(clock.sleep, 86400.0)
    assert clock.monotonic() == 2 * 86400


def test_one_clock_lives_through_several_event_loops() -> None:
    clock = VirtualClock()
    for _ in range(2):
        anyio.run(clock.sleep, 5.0)
    assert clock.monotonic() == 10
