"""The bridge from sync to async, as far as it can be seen without waiting."""

from __future__ import annotations

import gc
import threading
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import asynccontextmanager
from functools import partial

import anyio
import anyio.lowlevel
import pytest

from mailkit import portal
from mailkit.errors import UsageError


async def double(number: int) -> int:
    await anyio.lowlevel.checkpoint()
    return 2 * number


async def fail() -> None:
    raise ZeroDivisionError


async def count(to: int) -> AsyncIterator[int]:
    for number in range(to):
        await anyio.lowlevel.checkpoint()
        yield number


def test_work_gives_its_result_or_raises_its_error() -> None:
    assert portal.run(partial(double, 4)) == 8
    with pytest.raises(ZeroDivisionError):
        portal.run(fail)


@pytest.mark.parametrize("ends", [SystemExit, KeyboardInterrupt, GeneratorExit])
def test_a_callback_that_ends_its_program_ends_no_other_work(ends: type[BaseException]) -> None:
    async def where() -> threading.Thread:
        return threading.current_thread()

    async def stop() -> None:
        await anyio.lowlevel.checkpoint()
        raise ends

    before = portal.run(where)
    with pytest.raises(ends):
        portal.run(stop)
    assert portal.run(where) is before


def test_all_work_runs_in_one_daemon_thread() -> None:
    async def where() -> threading.Thread:
        return threading.current_thread()

    with ThreadPoolExecutor(8) as pool:
        threads = set(pool.map(lambda _: portal.run(where), range(40)))
    assert len(threads) == 1
    assert threads.pop().daemon


@pytest.mark.anyio
async def test_it_works_where_an_event_loop_is_running() -> None:
    assert portal.run(partial(double, 4)) == 8


def test_work_that_calls_back_into_its_own_thread_is_refused() -> None:
    async def inner() -> int:
        return portal.run(partial(double, 4))

    with pytest.raises(UsageError, match="async client"):
        portal.run(inner)


def test_async_iterators_are_gone_through() -> None:
    assert list(portal.iterate(count(3))) == [0, 1, 2]


def test_a_context_is_entered_and_left_in_one_task() -> None:
    tasks = []

    @asynccontextmanager
    async def scope() -> AsyncIterator[str]:
        tasks.append(anyio.get_current_task().id)
        with anyio.CancelScope():  # anyio refuses to leave it in another task
            yield "value"
        tasks.append(anyio.get_current_task().id)

    with portal.entered(scope()) as value:
        assert value == "value"
        assert len(tasks) == 1
    assert tasks == [tasks[0]] * 2


def test_a_context_is_left_when_the_block_raises_and_the_error_stays_its_own() -> None:
    left = []

    @asynccontextmanager
    async def scope() -> AsyncIterator[None]:
        yield
        left.append(True)

    with pytest.raises(ZeroDivisionError), portal.entered(scope()):
        raise ZeroDivisionError
    assert left == [True]


def test_a_context_that_cannot_be_entered_raises_what_it_raised() -> None:
    @asynccontextmanager
    async def scope() -> AsyncIterator[None]:
        await fail()
        yield

    with pytest.raises(ZeroDivisionError), portal.entered(scope()):
        pass


def test_an_error_on_leaving_comes_out() -> None:
    @asynccontextmanager
    async def scope() -> AsyncIterator[None]:
        yield
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), portal.entered(scope()):
        pass


def test_an_interrupted_wait_cancels_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    cancelled = threading.Event()

    async def hang() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("mailkit.portal.wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        portal.run(hang)
    assert cancelled.wait(10)


def test_on_windows_the_wait_comes_back_now_and_then_for_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    def counting(futures: Iterable[Future[int]], timeout: float) -> object:
        waits.append(timeout)
        return wait(futures, timeout if len(waits) > 3 else 0)

    async def later() -> int:
        while len(waits) < 4:  # the other side is a thread that waits for this
            await anyio.lowlevel.checkpoint()
        return 1

    monkeypatch.setattr(portal, "_SLICE", 0.1)
    monkeypatch.setattr("mailkit.portal.wait", counting)
    assert portal.run(later) == 1
    assert waits[:4] == [0.1] * 4


def test_a_context_thrown_away_is_cancelled_and_not_waited_for() -> None:
    cancelled = threading.Event()

    @asynccontextmanager
    async def scope() -> AsyncIterator[None]:
        try:
            yield
        finally:
            cancelled.set()

    held = portal.entered(scope())
    held.__enter__()
    del held
    gc.collect()
    assert cancelled.wait(10)


def test_a_loop_that_has_ended_is_replaced() -> None:
    portal.run(partial(double, 4))
    ended = portal._loop
    assert ended is not None
    ended.portal.start_task_soon(ended.portal.stop)
    ended.thread.join(10)
    assert portal.run(partial(double, 4)) == 8
    assert portal._loop is not ended
