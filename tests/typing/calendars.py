"""What a program's type checker sees of calendars: never run, read by mypy and pyright (``nox -s types``)."""

# pyright: strict

from __future__ import annotations

import datetime as dt
from typing import assert_type
from zoneinfo import ZoneInfo

from mailkit import (
    Account,
    AsyncCalendarClient,
    Attendee,
    Busy,
    Calendar,
    CalendarClient,
    Event,
    EventChange,
    FreeBusy,
    FreeSlot,
    Note,
    Recurrence,
    Ref,
    Reminder,
    Results,
    Room,
    WorkingHours,
)
from mailkit.views import AgendaView, day_view, describe, week_view

home = Account(name="home", provider="google", token="x")
day, hour = dt.date(2026, 3, 16), dt.timedelta(hours=1)
nine = dt.datetime(2026, 3, 16, 9)  # noqa: DTZ001  # a naive time is one of the client's zone
berlin = ZoneInfo("Europe/Berlin")


def read(event: Event) -> None:
    assert_type(event.start, dt.datetime | dt.date)
    assert_type(event.recurrence, Recurrence | None)
    assert_type(event.attendees, tuple[Attendee, ...])
    assert_type(event.series, Ref | None)
    assert_type(event.notes, tuple[Note, ...])
    assert_type(describe(event, berlin), str)


def sync() -> None:
    with CalendarClient([home], tz="Europe/Berlin") as calendar:
        assert_type(calendar, CalendarClient)
        calendars = calendar.calendars.list()
        assert_type(calendars, Results[Calendar])
        events = calendar.events(day, nine, calendars=calendars, text="plan", dedupe=True)
        assert_type(events, Results[Event])
        assert_type(week_view(events, day, berlin), AgendaView)
        assert_type(day_view([events[0]], day, berlin).to_html(), str)
        for event in calendar.iter_events(calendars="primary"):
            read(event)
        made = calendar.create(
            "Lunch",
            nine,
            duration=hour,
            attendees=["amy@x", "Bo <bo@x>"],
            rooms="board@x",
            recurrence=Recurrence.every("week", on=["MO"]),
            reminders=[10, Reminder(minutes=5, method="email")],
            calendar=calendars[0],
            visibility="private",
            show_as="away",
        )
        assert_type(made, Event)
        change = calendar.update(made, start=nine, add_attendees=made.attendees, scope="following", notify="none")
        assert_type(change, EventChange)
        assert_type(change.rooms_booked, tuple[Attendee, ...])
        assert_type(change.old, Event | None)
        assert_type(calendar.delete(made.ref, scope="series"), tuple[Note, ...])
        assert_type(calendar.cancel(str(made.ref), "No"), tuple[Note, ...])
        assert_type(calendar.respond(events[0], "tentative", propose_start=nine, propose_end=nine), tuple[Note, ...])
        assert_type(calendar.get(made), Event)
        assert_type(calendar.instances(made, day, nine), list[Event])
        busy = calendar.free_busy(["amy@x"], day, nine, me=True)
        assert_type(busy, Results[FreeBusy])
        assert_type(busy[0].busy, tuple[Busy, ...])
        slots = calendar.free_slots(
            "amy@x, bo@x", hour, day, nine, working_hours=WorkingHours(start="08:30"), step=hour
        )
        assert_type(slots, Results[FreeSlot])
        assert_type(calendar.find_rooms("board"), Results[Room])


async def not_sync() -> None:
    async with AsyncCalendarClient(home, tz=berlin) as calendar:
        assert_type(calendar, AsyncCalendarClient)
        assert_type(await calendar.calendars.list(), Results[Calendar])
        assert_type(await calendar.events(), Results[Event])
        async for event in calendar.iter_events():
            assert_type(event, Event)
        made = await calendar.create("Fair", day, day, account="home", key="k")
        assert_type(await calendar.update(made, title="x", etag=made.etag), EventChange)
        assert_type(await calendar.free_slots([], hour, day, day), Results[FreeSlot])
