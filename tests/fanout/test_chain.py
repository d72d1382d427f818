"""A chain of cursors over mailboxes that change under it and accounts that fail.

The law: over unchanged mailboxes the pages are the merged list exactly; whatever changes, nothing that was there
throughout is lost, nothing comes twice, and each page is in order.
"""

from __future__ import annotations

from functools import partial
from zoneinfo import ZoneInfo

import anyio
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from mailkit.errors import AllAccountsFailed, Unavailable
from mailkit.fanout import ask, search
from mailkit.fanout.merge import order
from mailkit.models import MessageSummary, Results
from tests.fanout.fakes import FakeDriver, FakeMailboxes, mailboxes, row

NAMES = ("a", "b", "c")
names = st.sampled_from(NAMES)
ticks = st.integers(0, 6)  # few instants, so that most rows share theirs with others


class Chain(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.world: FakeMailboxes = mailboxes(**{name: FakeDriver(name=name) for name in NAMES})
        self.number = 0
        self.begin()

    def begin(self) -> None:
        self.cursor: str | None = None
        self.over = False
        self.given: list[MessageSummary] = []
        self.throughout = {(name, id_) for name in NAMES for id_ in self.world.drivers[name].rows}
        self.expected: list[MessageSummary] | None = self.everything()

    def everything(self) -> list[MessageSummary]:
        drivers = self.world.drivers.values()
        return sorted((row(each.name, id_, tick) for each in drivers for id_, tick in each.rows.items()), key=order)

    @initialize(seed=st.lists(st.tuples(names, ticks), max_size=25), page=st.integers(1, 4), overlap=st.integers(0, 1))
    def fill(self, seed: list[tuple[str, int]], page: int, overlap: int) -> None:
        for name, tick in seed:
            self.add(name, tick)
        for driver in self.world.drivers.values():
            driver.page, driver.overlap = page, overlap
        self.begin()

    @rule(name=names, tick=ticks)
    def add(self, name: str, tick: int) -> None:
        self.number += 1
        self.world.drivers[name].rows[f"{self.number * 7 % 10}-{self.number}"] = tick
        self.expected = None

    @rule(name=names, which=st.integers(0, 30))
    def remove(self, name: str, which: int) -> None:
        rows = self.world.drivers[name].rows
        if rows:
            id_ = sorted(rows)[which % len(rows)]
            del rows[id_]
            self.throughout.discard((name, id_))
            self.expected = None

    @rule()
    def restart(self) -> None:
        self.begin()

    @rule(limit=st.integers(1, 6), failing=st.sets(names), step=st.integers(0, 1))
    def read(self, limit: int, failing: set[str], step: int) -> None:
        if self.over:
            return
        for name, driver in self.world.drivers.items():
            driver.fails = Unavailable("down") if name in failing else None
            driver.fails_at_step = step
        try:
            results = anyio.run(partial(self.page, limit))
        except (AllAccountsFailed, Unavailable):
            return  # the chain stays where it is
        assert len(results) <= limit
        assert list(results) == sorted(results, key=order)
        if results.failures:
            self.expected = None
            assert results.cursor is not None
        self.given += results
        self.cursor = results.cursor
        self.over = results.cursor is None

    async def page(self, limit: int) -> Results[MessageSummary]:
        question = ask(
            self.world,
            "x",
            operation="mail.search",
            accounts=None,
            limit=limit,
            tz=None,
            default_tz=ZoneInfo("UTC"),
            deadline=30,
            cursor=self.cursor,
        )
        return await search(self.world, question)

    @invariant()
    def nothing_comes_twice(self) -> None:
        keys = [each.ref for each in self.given]
        assert len(keys) == len(set(keys))

    @invariant()
    def an_unchanged_mailbox_is_read_exactly(self) -> None:
        if self.expected is not None:
            assert [each.date for each in self.given] == [each.date for each in self.expected[: len(self.given)]]

    @invariant()
    def nothing_that_was_there_throughout_is_lost(self) -> None:
        if self.over:
            assert self.throughout <= {(each.account, each.ref.id) for each in self.given}


TestChain = Chain.TestCase
TestChain.settings = settings(max_examples=100, stateful_step_count=30, deadline=None)
