"""Free time and rooms of Outlook: chunks without a seam, who is unknown, what a personal account has instead."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest

from mailkit.errors import MailkitError, NotFound, PermissionMissing, RateLimited
from mailkit.models.calendar import Busy, FreeBusy
from mailkit.providers.microsoft.calendar import OutlookCalendarDriver
from mailkit.sandbox import MicrosoftMailbox, Sandbox
from mailkit.sandbox.event import Event
from mailkit.sandbox.faults import Fault
from mailkit.sandbox.microsoft.calendars import Room
from tests.support.outlook_calendar import BERLIN, Asked, canned, codes, outlook_calendar

pytestmark = pytest.mark.anyio

UTC = dt.UTC
DAY = dt.timedelta(days=1)
HOUR = dt.timedelta(hours=1)
MARCH = dt.datetime(2026, 3, 1, tzinfo=UTC)
START = dt.datetime(2026, 3, 16, 9, tzinfo=BERLIN)
SCHEDULE = "POST /me/calendar/getSchedule"


def opened(**options: Any) -> tuple[Sandbox, MicrosoftMailbox, OutlookCalendarDriver]:
    sandbox = Sandbox()
    box = sandbox.microsoft("mia@contoso.example")
    return sandbox, box, outlook_calendar(sandbox, box, **options)


def known(found: FreeBusy | MailkitError) -> FreeBusy:
    assert isinstance(found, FreeBusy)
    return found


def stretches(found: FreeBusy | MailkitError) -> list[tuple[dt.datetime, dt.datetime, str]]:
    assert known(found).known
    return [(busy.start, busy.end, busy.status) for busy in known(found).busy]


async def test_statuses_are_kept_and_what_touches_is_one() -> None:
    sandbox, _, driver = opened()
    amy = sandbox.microsoft("amy@contoso.example")
    for hours, status in ((0, "busy"), (1, "busy"), (2, "tentative"), (4, "away"), (6, "elsewhere"), (8, "free")):
        amy.add_event(Event(start=START + hours * HOUR, show_as=status))  # type: ignore[arg-type]
    (found,) = await driver.free_busy(["amy@contoso.example"], MARCH, MARCH + 30 * DAY)
    assert stretches(found) == [
        (START, START + 2 * HOUR, "busy"),
        (START + 2 * HOUR, START + 3 * HOUR, "tentative"),
        (START + 4 * HOUR, START + 5 * HOUR, "away"),
        (START + 6 * HOUR, START + 7 * HOUR, "elsewhere"),
    ]
    assert (known(found).who, known(found).account) == ("amy@contoso.example", "work")


async def test_many_people_and_a_long_time_are_asked_for_in_parts() -> None:
    sandbox, box, driver = opened()
    seam = MARCH + 61 * DAY
    box.add_event(Event(start=seam - 2 * HOUR, end=seam + 2 * HOUR))
    box.add_event(Event(start=seam + 100 * DAY))
    people = [f"p{n}@contoso.example" for n in range(44)] + [box.address]
    found = await driver.free_busy(people, MARCH, MARCH + 200 * DAY)
    assert [known(each).who for each in found] == people
    assert {known(each).reason for each in found[:-1]} == {"not_found"}
    assert stretches(found[-1]) == [
        (seam - 2 * HOUR, seam + 2 * HOUR, "busy"),
        (seam + 100 * DAY, seam + 100 * DAY + HOUR, "busy"),
    ]
    calls = [part for request in sandbox.requests for part in request.parts]
    assert len(calls) == 3 * 4
    assert {len(json.loads(call.content)["schedules"]) for call in calls} == {20, 5}


async def test_what_reaches_out_of_the_window_is_cut() -> None:
    _, box, driver = opened()
    box.add_event(Event(start=MARCH - HOUR, end=MARCH + HOUR))
    (found,) = await driver.free_busy([box.address], MARCH, MARCH + DAY)
    assert stretches(found) == [(MARCH, MARCH + HOUR, "busy")]


async def test_an_unreadable_person_is_unknown_and_never_free() -> None:
    sandbox, _, driver = opened()
    shy = sandbox.microsoft("shy@contoso.example")
    shy.calendars.busy_seen_by = set()
    found = await driver.free_busy(
        ["shy@contoso.example", "nobody@contoso.example", "SHY@contoso.example"], MARCH, MARCH + DAY
    )
    assert [(known(each).known, known(each).reason, known(each).busy) for each in found] == [
        (False, "no_access", ()),
        (False, "not_found", ()),
        (False, "no_access", ()),
    ]


async def test_ones_own_calendars_are_read_by_id() -> None:
    _, box, driver = opened()
    other = box.calendars.add("Private")
    box.add_event(Event(start=START, calendar="Private", show_as="tentative"))
    box.add_event(Event(start=START.date(), show_as="free"))
    box.add_event(Event(start=START.date() + DAY))
    own, private, missing = await driver.free_busy(
        ["primary", other.id, "AAMkNone="], MARCH.astimezone(BERLIN), MARCH + 30 * DAY
    )
    midnight = dt.datetime(2026, 3, 17, tzinfo=BERLIN)
    assert stretches(own) == [(midnight, midnight + DAY, "busy")]
    assert stretches(private) == [(START, START + HOUR, "tentative")]
    assert isinstance(missing, NotFound)


@pytest.mark.parametrize("address", ["mia@contoso.example", None])
async def test_a_personal_account_knows_its_own_calendar_alone(address: str | None) -> None:
    _, box, driver = opened(address=address)
    box.calendars.personal = True
    box.add_event(Event(start=START))
    own, other = await driver.free_busy(["MIA@contoso.example", "amy@example.com"], MARCH, MARCH + 30 * DAY)
    assert stretches(own) == [(START, START + HOUR, "busy")]
    assert (known(other).known, known(other).reason) == (False, "unsupported")


async def test_a_throttled_part_is_an_error_of_its_people() -> None:
    _, box, driver = opened()
    box.script(Fault.rate_limited(9_999, times=None))
    found = await driver.free_busy(["amy@contoso.example", box.address], MARCH, MARCH + DAY)
    assert all(isinstance(each, RateLimited) for each in found)


async def test_an_answer_that_leaves_somebody_out_is_no_free_time() -> None:
    graph, driver = canned(
        {
            SCHEDULE: {
                "value": [
                    {"scheduleId": "b@x.example"},
                    {"scheduleId": "c@x.example", "scheduleItems": [{"status": "busy", "start": {"dateTime": "soon"}}]},
                ]
            }
        }
    )
    found = await driver.free_busy(["a@x.example", "b@x.example", "c@x.example"], MARCH, MARCH + DAY)
    assert [known(each).reason for each in found] == ["no_answer", "no_answer", "unreadable"]
    (asked,) = graph.of("POST")
    assert asked.body == {
        "schedules": ["a@x.example", "b@x.example", "c@x.example"],
        "startTime": {"dateTime": "2026-03-01T00:00:00", "timeZone": "UTC"},
        "endTime": {"dateTime": "2026-03-02T00:00:00", "timeZone": "UTC"},
    }


async def test_times_come_in_the_zone_they_name() -> None:
    item = {
        "status": "unknown",
        "start": {"dateTime": "2026-03-16T09:00:00.0000000", "timeZone": "W. Europe Standard Time"},
        "end": {"dateTime": "2026-03-16T10:00:00.0000000", "timeZone": "W. Europe Standard Time"},
    }

    def answer(_: Asked) -> object:
        return {"value": [{"scheduleId": "A@x.example", "scheduleItems": [item]}]}

    _, driver = canned({SCHEDULE: answer})
    (found,) = await driver.free_busy(["a@x.example"], MARCH, MARCH + 30 * DAY)
    assert known(found).busy == (Busy(start=START, end=START + HOUR, status="busy"),)


async def test_rooms_come_from_the_directory_by_name() -> None:
    _, box, driver = opened()
    for n in range(120):
        box.add_room(Room(name=f"Room {n}", address=f"room{n}@contoso.example", capacity=n, building="7"))
    rooms, notes = await driver.rooms("room 11")
    assert not notes
    assert [(room.address.name, room.address.address, room.capacity, room.building) for room in rooms[:2]] == [
        ("Room 11", "room11@contoso.example", 11, "7"),
        ("Room 110", "room110@contoso.example", 110, "7"),
    ]
    assert len(rooms) == 11
    assert len((await driver.rooms(""))[0]) == 120


async def test_without_a_directory_there_is_a_note() -> None:
    sandbox, _, driver = opened(scopes=frozenset({"Calendars.Read"}))
    rooms, notes = await driver.rooms("x")
    assert (rooms, codes(notes)) == ([], ["no_directory"])
    assert not sandbox.requests


async def test_a_personal_account_has_no_directory() -> None:
    _, box, driver = opened()
    box.calendars.personal = True
    assert codes((await driver.rooms("x"))[1]) == ["no_directory"]


async def test_free_time_needs_the_permission() -> None:
    sandbox, _, driver = opened(scopes=frozenset({"Mail.Read"}))
    with pytest.raises(PermissionMissing):
        await driver.free_busy(["a@x.example"], MARCH, MARCH + DAY)
    assert not sandbox.requests
