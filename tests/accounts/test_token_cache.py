"""A token is kept while it is good, and asked for once, however many wait."""

from __future__ import annotations

import datetime as dt

import anyio
import attrs
import pytest

from mailkit.accounts.token_cache import TokenCache
from mailkit.errors import MailkitError, SignInRequired, Unavailable
from mailkit.sandbox import VirtualClock
from mailkit.values import AccessToken

pytestmark = pytest.mark.anyio


@attrs.define
class Source:
    clock: VirtualClock = attrs.field(factory=VirtualClock)
    life: float | None = 3600.0
    takes: float = 0.0
    fails: MailkitError | None = None
    asked: list[str | None] = attrs.field(factory=list)

    async def token(self, *, stale: str | None = None) -> AccessToken:
        self.asked.append(stale)
        await self.clock.sleep(self.takes)
        if self.fails is not None:
            raise self.fails
        ends = None if self.life is None else self.clock.now() + dt.timedelta(seconds=self.life)
        return AccessToken(value=f"t{len(self.asked)}", expires_at=ends)


def cached(source: Source) -> TokenCache:
    return TokenCache(source, clock=source.clock)


@pytest.mark.parametrize(("life", "kept"), [(3600, 3480), (200, 150), (40, 30)])
async def test_it_is_used_until_120_seconds_or_a_quarter_before_its_end(life: float, kept: float) -> None:
    source = Source(life=life)
    cache = cached(source)
    await cache.token()
    await source.clock.sleep(kept - 1)
    assert (await cache.token()).value == "t1"
    await source.clock.sleep(2)
    assert (await cache.token()).value == "t2"


async def test_one_that_never_ends_is_used_until_it_is_refused() -> None:
    source = Source(life=None)
    cache = cached(source)
    await cache.token()
    await source.clock.sleep(10**6)
    assert (await cache.token()).value == "t1"
    assert (await cache.token(stale="t1")).value == "t2"
    assert source.asked == [None, "t1"]


async def test_one_that_is_over_already_is_used_once_and_not_kept() -> None:
    source = Source(life=-5)
    cache = cached(source)
    assert [(await cache.token()).value for _ in range(2)] == ["t1", "t2"]


async def test_all_who_wait_share_one_request() -> None:
    source = Source(takes=2.0)
    cache = cached(source)
    got: list[str] = []

    async def ask(stale: str | None) -> None:
        got.append((await cache.token(stale=stale)).value)

    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(ask, None)
    assert got == ["t1"] * 5
    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(ask, "t1")
    assert got[5:] == ["t2"] * 5
    assert len(source.asked) == 2


async def test_all_who_wait_share_a_failure_and_the_next_asks_again() -> None:
    source = Source(takes=2.0, fails=SignInRequired("sign in", account="work"))
    cache = cached(source)
    failures: list[MailkitError] = []

    async def ask() -> None:
        try:
            await cache.token()
        except MailkitError as error:
            failures.append(error)

    async with anyio.create_task_group() as group:
        for _ in range(4):
            group.start_soon(ask)
    assert [str(error) for error in failures] == ["work: sign in"] * 4
    assert len({id(error) for error in failures}) == 4  # each may be raised and annotated by itself
    assert len(source.asked) == 1
    source.fails = None
    assert (await cache.token()).value == "t2"


async def test_who_gives_up_takes_nobody_with_it() -> None:
    source = Source(takes=5.0)
    cache = cached(source)
    got: list[str] = []

    async def impatient() -> None:
        with source.clock.deadline(1.0):
            await cache.token()

    async def patient() -> None:
        await source.clock.sleep(0.5)
        got.append((await cache.token()).value)

    async with anyio.create_task_group() as group:
        group.start_soon(impatient)
        group.start_soon(patient)
    assert got == ["t2"]


async def test_a_failure_long_ago_is_not_remembered() -> None:
    source = Source(fails=Unavailable("down"))
    cache = cached(source)
    for _ in range(2):
        with pytest.raises(Unavailable):
            await cache.token()
    assert len(source.asked) == 2
