"""Series at both providers: what their occurrences are, and what becomes of changed ones when a series is cut."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator
from typing import Any

import pytest

from mailkit import AsyncCalendarClient
from tests.clients.calendar_world import HOUR, MONDAY, NEXT_MONDAY, PROVIDERS, at, make_world

pytestmark = pytest.mark.anyio


@pytest.fixture
async def calendar() -> AsyncIterator[AsyncCalendarClient]:
    async with make_world().client() as client:
        yield client


@pytest.mark.parametrize("name", PROVIDERS)
async def test_an_exception_is_one_that_does_not_start_when_its_rule_says(
    calendar: AsyncCalendarClient, name: str
) -> None:
    series = await calendar.create(
        "Drill", at(16, 9), duration=HOUR, recurrence="RRULE:FREQ=DAILY;COUNT=5", account=name
    )
    days = await calendar.instances(series, MONDAY, NEXT_MONDAY)
    changes: list[tuple[dict[str, Any], str]] = [
        ({"title": "March", "location": "Hall"}, "occurrence"),
        ({"start": at(17, 9), "duration": 3 * HOUR}, "occurrence"),
        ({"start": at(18, 10)}, "exception"),
        ({"start": dt.date(2026, 3, 19), "end": dt.date(2026, 3, 20)}, "exception"),
    ]
    kinds = []
    for day, (named, kind) in zip(days, changes, strict=False):
        change = await calendar.update(day, **named)
        assert (change.event.kind, change.event.original_start) == (kind, day.start)
        kinds.append(kind)
    read = await calendar.instances(series, MONDAY, NEXT_MONDAY)
    found = {event.original_start: event.kind for event in read}
    assert found == dict(zip((day.start for day in days), (*kinds, "occurrence"), strict=True))
    whole = await calendar.events(MONDAY, NEXT_MONDAY, accounts=name, calendars="primary")
    assert {event.original_start: event.kind for event in whole if event.series} == found
