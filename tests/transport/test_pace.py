"""Pacing: a quota that no window ever exceeds, places in flight, fairness, and a bound over all accounts."""

from __future__ import annotations

import asyncio
import json

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.sandbox.clock import VirtualClock
from mailkit.transport import Call, Quota, Slots
from mailkit.transport.pace import Pace, Window
from mailkit.values import HttpRequest
from tests.support.wire import Reply, SmallDialect, bench, reply


@given(
    st.lists(st.tuples(st.integers(1, 30), st.floats(0, 30, allow_nan=False)), max_size=60),
    st.integers(20, 60),
    st.floats(0.5, 60),
)
def test_no_window_holds_more_than_the_quota(steps: list[tuple[int, float]], units: int, seconds: float) -> None:
    window = Window(Quota(units=units, seconds=seconds))
    now = 1000.0
    sent: list[tuple[float, int]] = []
    for cost, pause in steps:
        now += pause
        waits = 0
        while wait := window.take(cost, now):
            assert wait <= seconds + 0.001
            now += wait
            waits += 1
            assert waits < 100
        sent.append((now, min(cost, units)))
    for start, _ in sent:
        assert sum(cost for at, cost in sent if 0 <= at - start < seconds) <= units


def test_what_fits_is_not_kept_waiting() -> None:
    window = Window(Quota(units=10, seconds=60))
    assert [window.take(4, now) for now in (0, 1, 2)] == [0, 0, 58]
    assert window.take(2, 2) == 0
    assert window.take(4, 60) == 0


def test_more_than_the_quota_goes_out_alone() -> None:
    window = Window(Quota(units=10, seconds=60))
    assert window.take(99, 0) == 0
    assert window.take(1, 59) == 1
    assert window.take(1, 60) == 0


class Crowd:
    """A server that takes its time and counts who is there at once, and the units of each minute."""

    def __init__(self, clock: VirtualClock, seconds: float = 1.0) -> None:
        self.clock = clock
        self.seconds = seconds
        self.now = self.most = 0
        self.times: list[float] = []

    async def __call__(self, request: HttpRequest) -> Reply:
        places = 4 if request.method == "POST" else 1
        self.times.append(self.clock.monotonic())
        self.now += places
        self.most = max(self.most, self.now)
        await self.clock.sleep(self.seconds)
        self.now -= places
        asked = json.loads(request.content)["requests"] if request.content else []
        return reply(json={"responses": [{"id": item["id"], "status": 200, "body": {}} for item in asked]})


READ = Call(operation="mail.get", url="/me/messages/1")


@pytest.mark.anyio
async def test_a_mailbox_has_four_requests_in_flight_and_a_batch_is_four() -> None:
    crowd = Crowd(clock := VirtualClock())
    b = bench(crowd, clock=clock)
    async with anyio.create_task_group() as group:
        for number in range(50):
            group.start_soon(b.session.request, READ)
            if number % 10 == 0:
                group.start_soon(b.session.batch, [READ] * 25)
    assert crowd.most == 4
    assert crowd.now == 0


@pytest.mark.anyio
async def test_all_accounts_together_have_their_bound() -> None:
    crowd = Crowd(clock := VirtualClock())
    in_flight = Slots(32)
    benches = [bench(crowd, clock=clock, in_flight=in_flight, dialect=SmallDialect(slots=10)) for _ in range(8)]
    async with anyio.create_task_group() as group:
        for b in benches:
            for _ in range(20):
                group.start_soon(b.session.request, READ)
    assert crowd.most == 32
    assert clock.monotonic() == 5


@pytest.mark.anyio
async def test_the_quota_holds_on_the_wire_also_for_repeats() -> None:
    crowd = Crowd(clock := VirtualClock(), seconds=0.5)
    refused = 0

    async def grumpy(request: HttpRequest) -> Reply:
        nonlocal refused
        answer = await crowd(request)
        refused += 1
        return reply(503) if refused % 3 == 0 else answer

    b = bench(grumpy, clock=clock, dialect=SmallDialect(quota=Quota(units=10, seconds=60)))
    async with anyio.create_task_group() as group:
        for _ in range(40):
            group.start_soon(b.session.request, READ)
    assert len(crowd.times) > 40
    for start in crowd.times:
        assert sum(0 <= at - start < 60 for at in crowd.times) <= 10


@pytest.mark.anyio
async def test_an_account_that_waits_for_its_quota_holds_nobody_else_up() -> None:
    crowd = Crowd(clock := VirtualClock())
    in_flight = Slots(1)
    spent = bench(crowd, clock=clock, in_flight=in_flight, dialect=SmallDialect(quota=Quota(units=1, seconds=60)))
    other = bench(crowd, clock=clock, in_flight=in_flight)
    async with anyio.create_task_group() as group:
        group.start_soon(spent.session.request, READ)
        group.start_soon(spent.session.request, READ)
        group.start_soon(other.session.request, READ)
        group.start_soon(other.session.request, READ)
    *first, last = sorted(crowd.times)
    assert first == [0, 1, 2]
    assert 60 <= last <= 62  # a minute after its account's first


@pytest.mark.anyio
async def test_places_are_given_back_when_a_wait_is_cut_off() -> None:
    clock = VirtualClock()
    slots = Slots(4)
    entered = False
    async with slots.hold(3):
        with clock.deadline(1) as deadline:
            async with slots.hold(4):
                entered = True
        assert (deadline.expired, entered) == (True, False)
        async with slots.hold():
            pass
    async with slots.hold(99):
        pass


@pytest.mark.anyio
async def test_two_that_want_all_places_do_not_wait_for_each_other_for_ever() -> None:
    clock = VirtualClock()
    slots = Slots(4)

    async def work() -> None:
        async with slots.hold(4):
            await clock.sleep(1)

    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(work)
    assert clock.monotonic() == 5


def test_one_pace_serves_several_event_loops() -> None:
    clock = VirtualClock()
    pace = Pace(quota=Quota(units=2, seconds=60), slots=1, in_flight=Slots(1), clock=clock)

    async def turns() -> float:
        for _ in range(2):
            async with pace.turn(units=1):
                pass
        return clock.monotonic()

    assert asyncio.run(turns()) == 0
    assert asyncio.run(turns()) == 60
