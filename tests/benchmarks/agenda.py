"""Calendars: the wait for a window of four calendars, and the arithmetic on what came, beside a plain ``sorted``."""

from __future__ import annotations

import asyncio
import datetime as dt
import random
from collections.abc import Awaitable, Callable, Iterator
from zoneinfo import ZoneInfo

import httpx

from mailkit import Account, AsyncCalendarClient, Busy, Event, FreeBusy, Ref
from mailkit.scheduling import WorkingHours, event_key, free_slots
from mailkit.values import Provider
from tests.benchmarks import by_hand, meetings
from tests.benchmarks.measure import Work, least_cpu, taking_turns, verdict
from tests.benchmarks.server import LATENCY

COLUMNS = ("task", "least ms", "mailkit", "ratio", "bound", "", "httpx by hand")

_BERLIN = ZoneInfo("Europe/Berlin")
_ZONES = (_BERLIN, ZoneInfo("America/New_York"), ZoneInfo("UTC"))
_FIRST = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
_DAYS = 60


def rows(url: str) -> Iterator[list[str]]:
    """Measure each; the least is what the network takes, or sorting alone."""
    google = ("/calendar/v3/users/me/calendarList", "/calendar/v3/calendars/{}/events")
    yield _window("google", url, lambda http: by_hand.agenda(http, *google))
    graph = ("/v1.0/me/calendars", "/v1.0/me/calendars/{}/calendarView")
    yield _window("microsoft", url, lambda http: by_hand.agenda(http, *graph))
    yield _beside_sorting("10,000 events of 4 accounts merged", most=2, works=_merging())
    yield _beside_sorting("free slots of 20 people in 60 days", most=5, works=_slots())


def _window(provider: Provider, url: str, hand_made: Callable[[httpx.AsyncClient], Awaitable[object]]) -> list[str]:
    """Ask for the list of the calendars, and then for all of them side by side: two trips."""
    with asyncio.Runner() as loop:
        base = url if provider == "google" else f"{url}/v1.0"
        account = Account(name="a", provider=provider, token="token", base_url=base, address="ann@example.com")
        client = AsyncCalendarClient(account, tz=_BERLIN)

        async def events() -> None:
            found = await client.events(meetings.FIRST, meetings.LAST)
            assert len(found) == meetings.IN_EACH * len(meetings.CALENDARS), (found.failures, found.problems)

        http = by_hand.Gmail(url).http

        async def hand() -> None:
            await hand_made(http)

        took = taking_turns({"ours": lambda: loop.run(events()), "hand": lambda: loop.run(hand())}, rounds=15)
        loop.run(client.aclose())
        loop.run(http.aclose())
    name = "Google" if provider == "google" else "Outlook"
    row = _row(f"500 events of 4 {name} calendars", 2 * LATENCY, took["ours"], most=1.3)
    return [*row[:-1], f"{took['hand'] * 1000:,.1f}"]


def _beside_sorting(task: str, *, most: float, works: dict[str, Work]) -> list[str]:
    took = least_cpu(works, rounds=25)
    return _row(task, took["sorted"], took["ours"], most=most)


def _row(task: str, least: float, took: float, *, most: float) -> list[str]:
    ratio = took / least
    shown = (f"{seconds * 1000:,.1f}" for seconds in (least, took))
    return [task, *shown, f"{ratio:.2f}", f"≤ {most}", verdict(ratio, most=most), ""]


def _merging() -> dict[str, Work]:
    draw = random.Random(1)
    events = []
    for number in range(10_000):
        start = (_FIRST + dt.timedelta(minutes=15 * draw.randrange(35_000))).astimezone(_ZONES[number % 3])
        account = f"account{number % 4}"
        ref = Ref(account=account, kind="event", id=f"event{number}", part="c")
        home = Ref(account=account, kind="calendar", id="c")
        events.append(Event(ref=ref, calendar=home, start=start, end=start + dt.timedelta(hours=1)))
    events.sort(key=lambda event: (event.ref.account, event_key(event, _BERLIN)))  # each account's come in order
    return {
        "sorted": lambda: sorted(events, key=_instant),
        "ours": lambda: sorted(events, key=lambda event: event_key(event, _BERLIN)),
    }


def _instant(event: Event) -> float:
    """Give what is sorted by where nothing ties and no whole day is there."""
    assert isinstance(event.start, dt.datetime)
    return event.start.timestamp()


def _slots() -> dict[str, Work]:
    draw = random.Random(1)
    people = [
        FreeBusy(
            who=f"guest{number}@example.net",
            account="a",
            busy=tuple(
                Busy(start=start, end=start + dt.timedelta(minutes=30))
                for start in (
                    _FIRST + dt.timedelta(days=day, minutes=30 * half) for day in range(_DAYS) for half in range(14, 36)
                )
                if draw.random() < 0.15
            ),
        )
        for number in range(20)
    ]
    intervals = [(busy.start, busy.end) for person in people for busy in person.busy]
    draw.shuffle(intervals)

    def slots() -> object:
        return free_slots(
            people,
            dt.timedelta(minutes=30),
            start=_FIRST,
            end=_FIRST + dt.timedelta(days=_DAYS),
            tz=_BERLIN,
            working_hours=WorkingHours(),
            step=dt.timedelta(minutes=30),
        )

    assert slots()
    return {"sorted": lambda: sorted(intervals), "ours": slots}
