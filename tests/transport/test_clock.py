"""The real clock, as far as it can be seen without waiting."""

from __future__ import annotations

import datetime as dt
import math

import anyio
import pytest

from mailkit.transport import SystemClock
from mailkit.values import Clock

pytestmark = pytest.mark.anyio


async def test_it_is_a_clock() -> None:
    clock: Clock = SystemClock()
    assert clock.now().utcoffset() == dt.timedelta(0)
    assert clock.monotonic() <= clock.monotonic()
    await clock.sleep(0)


async def test_a_deadline_cuts_its_block_off_and_says_so() -> None:
    clock = SystemClock()
    with clock.deadline(0) as deadline:
        await anyio.sleep_forever()
    assert deadline.expired


async def test_a_block_that_was_done_in_time_has_not_expired() -> None:
    clock = SystemClock()
    with clock.deadline(60) as outer, clock.deadline(None) as inner:
        assert 59 < clock.remaining() <= 60
        await anyio.lowlevel.checkpoint()
    assert not outer.expired
    assert not inner.expired
    assert clock.remaining() == math.inf


async def test_an_outer_deadline_is_not_taken_for_the_inner_one_s() -> None:
    clock = SystemClock()
    with clock.deadline(0) as outer, clock.deadline(60) as inner:
        await anyio.sleep_forever()
    assert (outer.expired, inner.expired) == (True, False)


async def test_errors_pass_through() -> None:
    with pytest.raises(KeyError), SystemClock().deadline(60):
        raise KeyError
