"""What a call gives when Gmail's quota runs out on the way: what was read, the failure, and a cursor that goes on."""

from __future__ import annotations

import datetime as dt

import pytest

from mailkit import AsyncMailClient, RateLimited
from mailkit.sandbox import GoogleMailbox, Mail, Sandbox
from mailkit.testing import sandbox_accounts

pytestmark = pytest.mark.anyio

START = dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC)


def filled(count: int) -> tuple[Sandbox, GoogleMailbox, list[str]]:
    sandbox = Sandbox()
    box = sandbox.google("ann@example.com")
    ids = [box.add(Mail(subject=f"Mail {n}", date=START - dt.timedelta(minutes=n))) for n in range(count)]
    return sandbox, box, ids


def gets(sandbox: Sandbox) -> int:
    parts = [part for request in sandbox.requests for part in (request.parts or [request])]
    return sum(part.operation == "messages.get" for part in parts)


async def test_a_search_over_the_quota_gives_the_rows_it_could_read_and_goes_on_later() -> None:
    sandbox, box, ids = filled(400)
    async with AsyncMailClient(sandbox_accounts(sandbox, home=box)) as mail:
        found = await mail.search("", limit=350)
        assert 250 <= len(found) < 300
        (failure,) = found.failures
        assert isinstance(failure.error, RateLimited)
        await sandbox.clock.sleep(61)
        rest = await mail.search("", limit=350, cursor=found.cursor)
    assert [row.ref.id for row in [*found, *rest]] == ids
    assert not rest.failures


async def test_many_gets_over_the_quota_give_what_could_be_read() -> None:
    sandbox, box, ids = filled(400)
    async with AsyncMailClient(sandbox_accounts(sandbox, home=box)) as mail:
        outcomes = await mail.get_many(ids)
    assert sum(outcome.ok for outcome in outcomes) == gets(sandbox)
    assert 250 <= gets(sandbox) < 300
    assert {type(outcome.error) for outcome in outcomes if not outcome.ok} == {RateLimited}


async def test_a_page_by_cursor_costs_no_more_than_the_first() -> None:
    sandbox, box, ids = filled(100)
    async with AsyncMailClient(sandbox_accounts(sandbox, home=box)) as mail:
        found = await mail.search("", limit=25)
        rows = [*found]
        while found.cursor:
            before = gets(sandbox)
            found = await mail.search("", limit=25, cursor=found.cursor)
            assert gets(sandbox) - before <= 25
            rows += found
    assert [row.ref.id for row in rows] == ids
