"""When people of two providers are free, and rooms: what is not known is never free."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

import attrs
import pytest

from mailkit import AllAccountsFailed, AsyncCalendarClient, NotFound, TimedOut, Unavailable, UsageError, WorkingHours
from mailkit.sandbox import Event, Fault, GoogleMailbox, Guest, MicrosoftMailbox, Person
from mailkit.sandbox import Room as RoomThere
from tests.clients.calendar_world import BERLIN, HOUR, MONDAY, PROVIDERS, TUESDAY, World, at, make_world

pytestmark = pytest.mark.anyio

AMY, BO, STRANGER = "amy@example.com", "bo@contoso.example", "stranger@nowhere.example"
MORNING = (at(16, 8), at(16, 13))


@attrs.frozen
class Office:
    """The world, and somebody of each provider whose time the owner may see."""

    world: World
    amy: GoogleMailbox
    bo: MicrosoftMailbox


@pytest.fixture
def office() -> Office:
    world = make_world()
    made = Office(world, world.sandbox.google(AMY), world.sandbox.microsoft(BO))
    made.amy.add_event(Event(title="Hers", start=at(16, 11), end=at(16, 12)))
    made.bo.add_event(Event(title="His", start=at(16, 8), end=at(16, 9), show_as="tentative"))
    made.bo.add_event(Event(title="Free", start=at(16, 12), end=at(16, 13), show_as="free"))
    return made


@pytest.fixture
async def calendar(office: Office) -> AsyncIterator[AsyncCalendarClient]:
    async with office.world.client() as client:
        yield client


async def test_busy_time_of_people_of_both_providers_in_the_order_asked(calendar: AsyncCalendarClient) -> None:
    rows = await calendar.free_busy([BO, AMY, "Amy <AMY@example.com>"], *MORNING)
    assert [(row.who, row.known) for row in rows] == [(BO, True), (AMY, True)]
    assert [(busy.start, busy.end, busy.status) for busy in rows[0].busy] == [(at(16, 8), at(16, 9), "tentative")]
    assert [(busy.start, busy.end, busy.status) for busy in rows[1].busy] == [(at(16, 11), at(16, 12), "busy")]
    assert {time.tzinfo for row in rows for busy in row.busy for time in (busy.start, busy.end)} == {BERLIN}
    assert (rows.notes, rows.failures) == ((), ())


async def test_ones_own_time_comes_first(calendar: AsyncCalendarClient) -> None:
    rows = await calendar.free_busy([AMY], *MORNING, me=True)
    assert [(row.who, row.account, len(row.busy)) for row in rows] == [
        ("primary", "home", 1),
        ("primary", "work", 1),
        (AMY, "home", 1),
    ]


async def test_somebody_whose_calendar_nobody_may_read_is_unknown(calendar: AsyncCalendarClient) -> None:
    rows = await calendar.free_busy([AMY, STRANGER], *MORNING)
    assert [(row.who, row.known, row.busy) for row in rows][1] == (STRANGER, False, ())
    assert rows[1].reason
    assert [note.code for note in rows.notes] == ["unreadable"]
    assert STRANGER not in str(rows.notes)
    with pytest.raises(NotFound) as caught:
        await calendar.free_busy([AMY, STRANGER], *MORNING, on_error="raise")
    assert caught.value.operation == "calendar.free_busy"
    assert STRANGER not in str(caught.value)
    slots = await calendar.free_slots([AMY, STRANGER], HOUR, *MORNING)
    assert (list(slots), [note.code for note in slots.notes]) == ([], ["unreadable"])
    known = await calendar.free_slots([AMY, STRANGER], HOUR, *MORNING, skip_unknown=True)
    assert [(slot.start, slot.end) for slot in known] == [(at(16, 8), at(16, 9)), (at(16, 12), at(16, 13))]


async def test_free_slots_of_everybody(calendar: AsyncCalendarClient) -> None:
    slots = await calendar.free_slots([AMY, BO], HOUR, *MORNING)
    assert [(slot.start, slot.end) for slot in slots] == [(at(16, 12), at(16, 13))]
    without_me = await calendar.free_slots([AMY, BO], HOUR, *MORNING, me=False)
    assert [(slot.start, slot.end) for slot in without_me] == [(at(16, 9), at(16, 11)), (at(16, 12), at(16, 13))]
    stepped = await calendar.free_slots([AMY, BO], HOUR, *MORNING, me=False, step=HOUR / 2)
    assert [slot.start for slot in stepped] == [at(16, 9), at(16, 9, 30), at(16, 10), at(16, 12)]
    hours = WorkingHours(start="10:30", end="18:00")
    working = await calendar.free_slots([AMY], HOUR, MONDAY, dt.date(2026, 3, 18), working_hours=hours)
    assert [(slot.start, slot.end) for slot in working] == [(at(16, 12), at(16, 18))]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_an_account_that_fails_is_never_free(office: Office, calendar: AsyncCalendarClient, name: str) -> None:
    office.world.box(name).script(Fault.hang(times=None))
    rows = await calendar.free_busy([AMY, BO], *MORNING, me=True, deadline=5)
    assert [row.known for row in rows] == ([False, True, False, True] if name == "home" else [True, False, True, False])
    assert [failure.account for failure in rows.failures] == [name]
    for skips in (False, True):
        slots = await calendar.free_slots([AMY], HOUR, *MORNING, skip_unknown=skips, deadline=5)
        assert (list(slots), len(slots.failures)) == ([], 1)
    with pytest.raises(TimedOut):
        await calendar.free_busy([AMY, BO], *MORNING, on_error="raise", deadline=5)
    office.world.box("work" if name == "home" else "home").script(Fault.hang(times=None))
    with pytest.raises(AllAccountsFailed):
        await calendar.free_slots([AMY], HOUR, *MORNING, deadline=5)


async def test_a_failure_about_some_people_is_one_of_the_account(office: Office, calendar: AsyncCalendarClient) -> None:
    office.world.work.script(Fault.server_error(503, operation="calendars.getSchedule", times=None))
    rows = await calendar.free_busy([AMY, BO], *MORNING, me=True, deadline=5)
    assert [row.known for row in rows] == [True, True, True, False]
    assert [(failure.account, type(failure.error)) for failure in rows.failures] == [("work", Unavailable)]
    assert list(await calendar.free_slots([AMY, BO], HOUR, *MORNING, skip_unknown=True, deadline=5)) == []
    with pytest.raises(Unavailable):
        await calendar.free_busy([AMY, BO], *MORNING, on_error="raise", deadline=5)


async def test_long_windows_and_many_people_are_stitched_without_a_seam(
    office: Office, calendar: AsyncCalendarClient
) -> None:
    seam = Event(title="Long", start=TUESDAY, end=dt.date(2026, 9, 1), show_as="busy")
    office.amy.add_event(seam)
    office.bo.add_event(seam)
    people = [AMY, BO, *(f"nobody{number}@contoso.example" for number in range(60))]
    rows = await calendar.free_busy(people, TUESDAY, dt.date(2026, 9, 1))
    assert [row.who for row in rows] == people
    for row in rows[:2]:
        merged = [(busy.start, busy.end) for busy in row.busy]
        assert len(merged) == 1, row.who
    assert not any(row.known for row in rows[2:])


async def test_rooms_that_were_used_come_first(office: Office, calendar: AsyncCalendarClient) -> None:
    board, attic = Person("Board room", "board@contoso.example"), Person("Attic", "attic@contoso.example")
    office.world.work.add_room(RoomThere(name="Cellar", address="cellar@contoso.example"))  # type: ignore[attr-defined]  # an Outlook mailbox
    office.world.home.add_event(
        Event(title="a", start=at(9, 9), guests=Guest(board, kind="room"), recurrence="RRULE:FREQ=DAILY;COUNT=3")
    )
    office.world.home.add_event(Event(title="b", start=at(9, 9), guests=Guest(attic, kind="room")))
    rooms = await calendar.find_rooms()
    assert [(room.address.address, room.uses) for room in rooms if room.uses] == [
        ("board@contoso.example", 3),
        ("attic@contoso.example", 1),
    ]
    assert [room.address.address for room in await calendar.find_rooms("BOARD")] == ["board@contoso.example"]
    assert "history_only" in [note.code for note in rooms.notes]


async def test_what_cannot_be_right_is_refused_before_anything_is_sent(
    office: Office, calendar: AsyncCalendarClient
) -> None:
    refused: Mapping[str, Callable[[], Awaitable[object]]] = {
        "bad_people": lambda: calendar.free_busy([], *MORNING),
        "bad_recipient": lambda: calendar.free_busy("nobody", *MORNING),
        "bad_window": lambda: calendar.free_busy([AMY], MORNING[1], MORNING[0]),
        "bad_duration": lambda: calendar.free_slots([AMY], dt.timedelta(0), *MORNING),
        "bad_step": lambda: calendar.free_slots([AMY], HOUR, *MORNING, step=dt.timedelta(0)),
    }
    for code, call in refused.items():
        with pytest.raises(UsageError) as caught:
            await call()
        assert caught.value.code == code
        assert str(caught.value.operation).startswith("calendar.free_")
    with pytest.raises(UsageError) as endless:
        await calendar.free_busy([AMY])
    assert endless.value.code == "bad_window"
    assert office.world.asked() == []
