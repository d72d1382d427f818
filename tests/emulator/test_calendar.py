"""mailkit reads calendars, makes and deletes events and asks for free time on npm's ``emulate``.

It has no single event to get, no change and no series, and it ignores the ids we make.
"""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from mailkit import CalendarClient

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY, TUESDAY, THURSDAY = dt.date(2026, 3, 16), dt.date(2026, 3, 17), dt.date(2026, 3, 19)


def at(day: int, hour: int) -> dt.datetime:
    return dt.datetime(2026, 3, day, hour, tzinfo=BERLIN)


def test_the_calendars_the_main_one_first(calendar: CalendarClient) -> None:
    rows = calendar.calendars.list()
    assert [(row.ref.id, row.name, row.is_primary, row.tz) for row in rows] == [
        ("primary", "Ann", True, "Europe/Berlin"),
        ("sport", "Sport", False, "America/New_York"),
    ]


def test_events_of_both_calendars_in_one_order(calendar: CalendarClient) -> None:
    rows = calendar.events(MONDAY, THURSDAY)
    assert (rows.failures, rows.notes, rows.problems) == ((), (), ())
    assert [(row.title, row.start, row.calendar.id) for row in rows] == [
        ("Plan", at(16, 9), "primary"),
        ("Run 16", at(16, 13), "sport"),
        ("Fair", TUESDAY, "primary"),
        ("Run 17", at(17, 13), "sport"),
        ("Run 18", at(18, 13), "sport"),
    ]
    plan, fair = rows[0], rows[2]
    assert (plan.end, plan.location) == (at(16, 10), "Room 1")
    assert [(each.address.name, each.response) for each in plan.attendees] == [("Sam", "none")]
    assert (fair.is_all_day, fair.end) == (True, THURSDAY)
    assert [row.title for row in calendar.events(MONDAY, THURSDAY, text="run")] == ["Run 16", "Run 17", "Run 18"]


def test_pages_are_followed(calendar: CalendarClient) -> None:
    rows = calendar.events(dt.date(2026, 3, 1), dt.date(2026, 4, 1), calendars="sport", limit=5)
    assert [row.title for row in rows] == [f"Run {day}" for day in range(10, 15)]
    assert [note.code for note in rows.notes] == ["truncated"]
    found = [row.title for row in calendar.iter_events(dt.date(2026, 3, 1), dt.date(2026, 4, 1), calendars="sport")]
    assert found == [f"Run {day}" for day in range(10, 31)]


def test_the_life_of_an_event(calendar: CalendarClient) -> None:
    made = calendar.create(
        "Lunch", at(20, 12), duration=dt.timedelta(hours=1), location="Café", attendees="sam@contoso.example"
    )
    assert (made.title, made.start, made.end, made.location) == ("Lunch", at(20, 12), at(20, 13), "Café")
    days = calendar.create("Away", dt.date(2026, 3, 21), dt.date(2026, 3, 23), show_as="free")
    rows = calendar.events(at(20, 0), at(23, 0), calendars="primary")
    assert [(row.title, row.start, row.end) for row in rows] == [
        ("Lunch", at(20, 12), at(20, 13)),
        ("Away", dt.date(2026, 3, 21), dt.date(2026, 3, 23)),
    ]
    (busy,) = calendar.free_busy(start=at(20, 0), end=at(23, 0), me=True)
    assert (busy.known, [(each.start, each.end) for each in busy.busy]) == (True, [(at(20, 12), at(20, 13))])
    for event in (made, days, made):  # what is gone already is fine
        assert calendar.delete(event) == ()
    assert list(calendar.events(at(20, 0), at(23, 0), calendars="primary")) == []


def test_whose_time_is_not_told_is_unknown(calendar: CalendarClient) -> None:
    rows = calendar.free_busy("sam@contoso.example", at(16, 0), at(17, 0), me=True)
    assert [(row.who, row.known, len(row.busy)) for row in rows] == [
        ("primary", True, 1),
        ("sam@contoso.example", False, 0),
    ]
    slots = calendar.free_slots([], dt.timedelta(hours=1), at(16, 8), at(16, 12))
    assert [(slot.start, slot.end) for slot in slots] == [(at(16, 8), at(16, 9)), (at(16, 10), at(16, 12))]
