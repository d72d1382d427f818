"""The calendar clients over the whole house: real drivers, real transport, both providers offline."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

import anyio
import attrs
import pytest

from mailkit import (
    Accounts,
    AllAccountsFailed,
    AmbiguousAccount,
    AsyncCalendarClient,
    CalendarClient,
    Event,
    NotFound,
    PermissionMissing,
    Results,
    TimedOut,
    Unavailable,
    UsageError,
)
from mailkit.sandbox import Event as Kept
from mailkit.sandbox import Fault
from mailkit.testing import sandbox_account, sandbox_accounts
from mailkit.transport.url import segment
from tests.clients.calendar_world import (
    BERLIN,
    HOUR,
    MONDAY,
    NEXT_MONDAY,
    PROVIDERS,
    TUESDAY,
    World,
    at,
    make_world,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
def world() -> World:
    return make_world()


@pytest.fixture
async def calendar(world: World) -> AsyncIterator[AsyncCalendarClient]:
    async with world.client() as client:
        yield client


def titles(events: Results[Event]) -> list[str]:
    return [event.title for event in events]


# -- reading -----------------------------------------------------------------------------------------------------------


async def test_calendars_of_every_account_the_main_one_first(calendar: AsyncCalendarClient) -> None:
    rows = await calendar.calendars.list()
    assert [(row.account, row.is_primary) for row in rows] == [
        ("home", True),
        ("home", False),
        ("work", True),
        ("work", False),
    ]
    assert [row.name for row in rows if not row.is_primary] == ["Sport", "Sport"]


async def test_a_week_of_every_calendar_in_one_order(calendar: AsyncCalendarClient) -> None:
    week = await calendar.events(MONDAY, NEXT_MONDAY)
    assert titles(week) == ["Run 9", "Run 10", "Plan 9", "Plan 10", "Day 9", "Day 10", "Run 9", "Run 10"]
    assert (week.failures, week.notes, week.problems) == ((), (), ())
    assert [event.start for event in week if event.is_all_day] == [TUESDAY, TUESDAY]
    assert {event.kind for event in week if event.title.startswith("Run")} == {"occurrence"}
    assert all(event.start.tzinfo == BERLIN for event in week if isinstance(event.start, dt.datetime))


async def test_whole_days_come_first_in_the_viewers_zone(world: World, calendar: AsyncCalendarClient) -> None:
    world.work.add_event(Kept(title="Early", start=at(17, 0), end=at(17, 1)))
    world.home.add_event(Kept(title="Late in Tokyo", start=at(16, 20), end=at(16, 21)))
    assert titles(await calendar.events(TUESDAY, dt.date(2026, 3, 18))) == ["Day 9", "Day 10", "Early"]
    tokyo = await calendar.events(TUESDAY, dt.date(2026, 3, 18), tz="Asia/Tokyo")
    assert titles(tokyo)[:3] == ["Day 9", "Day 10", "Late in Tokyo"]


async def test_without_a_window_events_from_now_on(world: World, calendar: AsyncCalendarClient) -> None:
    now = world.sandbox.clock.now()
    world.home.add_event(Kept(title="Gone", start=now - 3 * HOUR))
    world.home.add_event(Kept(title="Under way", start=now - HOUR / 2))
    world.work.add_event(Kept(title="Soon", start=now + HOUR))
    found = await calendar.events(calendars="primary", limit=2)
    assert titles(found)[0] == "Under way"
    assert "Gone" not in titles(found)


async def test_a_series_that_never_ends_is_shown_for_a_year(calendar: AsyncCalendarClient) -> None:
    for account in ("home", "work"):
        day = dt.date(2026, 3, 16)
        await calendar.create("Anniversary", day, recurrence="RRULE:FREQ=YEARLY", account=account)
    found = await calendar.events(MONDAY, text="Anniversary")
    assert sorted(event.start.year for event in found) == [2026, 2026, 2027, 2027]
    assert found.notes == ()


async def test_calendars_can_be_chosen(calendar: AsyncCalendarClient) -> None:
    primary = await calendar.events(MONDAY, NEXT_MONDAY, calendars="primary")
    assert titles(primary) == ["Plan 9", "Plan 10", "Day 9", "Day 10"]
    rows = await calendar.calendars.list()
    for chosen in (rows[3], rows[3].ref, str(rows[3].ref), [rows[3], rows[3]]):
        assert titles(await calendar.events(MONDAY, NEXT_MONDAY, calendars=chosen)) == ["Run 10", "Run 10"]
    assert titles(await calendar.events(MONDAY, NEXT_MONDAY, calendars="primary", accounts="work")) == [
        "Plan 10",
        "Day 10",
    ]


async def test_an_event_has_one_ref_however_it_was_found(calendar: AsyncCalendarClient) -> None:
    for name in PROVIDERS:
        made = await calendar.create("Swim", at(18, 9), duration=HOUR, account=name)
        main = (await calendar.calendars.list(accounts=name))[0]
        assert main.ref == made.calendar
        for calendars in (None, "primary", main):
            accounts = None if calendars is main else name
            rows = await calendar.events(MONDAY, NEXT_MONDAY, text="Swim", calendars=calendars, accounts=accounts)
            assert [row.ref for row in rows] == [made.ref]
            found = calendar.iter_events(MONDAY, NEXT_MONDAY, text="Swim", calendars=calendars, accounts=accounts)
            assert [row.ref async for row in found] == [made.ref]
        assert (await calendar.get(made)).ref == made.ref
        assert (await calendar.update(made, title="Swim!")).event.ref == made.ref


async def test_the_limit_is_told_and_text_is_looked_for_before_it(calendar: AsyncCalendarClient) -> None:
    found = await calendar.events(MONDAY, NEXT_MONDAY, limit=3)
    assert titles(found) == ["Run 9", "Run 10", "Plan 9"]
    assert [note.code for note in found.notes] == ["truncated"]
    exact = await calendar.events(MONDAY, NEXT_MONDAY, limit=8)
    assert (len(exact), exact.notes) == (8, ())
    days = await calendar.events(MONDAY, NEXT_MONDAY, limit=2, text="day")
    assert titles(days) == ["Day 9", "Day 10"]
    assert days.notes == ()


async def test_series_kept_together(calendar: AsyncCalendarClient) -> None:
    week = await calendar.events(MONDAY, NEXT_MONDAY, expand=False, text="Run")
    assert [(event.title, event.kind) for event in week] == [("Run 9", "series"), ("Run 10", "series")]
    assert all(event.recurrence is not None for event in week)


async def test_what_was_called_off_comes_only_when_asked_for(world: World, calendar: AsyncCalendarClient) -> None:
    run = (await calendar.events(MONDAY, TUESDAY, text="Run", accounts="home"))[0]
    await calendar.delete(run)
    assert titles(await calendar.events(MONDAY, TUESDAY, text="Run", accounts="home")) == []
    shown = await calendar.events(MONDAY, TUESDAY, accounts="home", cancelled=True)
    assert [(event.status, event.original_start) for event in shown if event.status == "cancelled"] == [
        ("cancelled", at(16, 7))
    ]
    assert len(await calendar.events(MONDAY, NEXT_MONDAY, text="Run", accounts="home")) == 1


async def test_one_meeting_in_two_own_calendars_is_shown_once(world: World, calendar: AsyncCalendarClient) -> None:
    made = await calendar.create(
        "Both",
        at(18, 9),
        duration=HOUR,
        attendees="ann@contoso.example",
        recurrence="RRULE:FREQ=DAILY;COUNT=2",
        account="home",
    )
    days = (dt.date(2026, 3, 18), dt.date(2026, 3, 20))
    twice = await calendar.events(*days, text="Both")
    assert [event.account for event in twice] == ["home", "work", "home", "work"]
    once = await calendar.events(*days, text="Both", dedupe=True)
    assert [(event.account, [ref.account for ref in event.also]) for event in once] == 2 * [("home", ["work"])]
    assert once[0].series is not None
    assert once[0].series.id == made.ref.id


async def test_get_and_instances(calendar: AsyncCalendarClient) -> None:
    for name in PROVIDERS:
        run = (await calendar.events(MONDAY, TUESDAY, text="Run", accounts=name))[0]
        for named in (run, run.ref, str(run.ref)):
            assert (await calendar.get(named)).original_start == run.original_start
        found = await calendar.instances(run, MONDAY, NEXT_MONDAY)
        assert [event.start for event in found] == [run.start, run.start + dt.timedelta(days=3)]
        assert run.series is not None
        for named in (run.series, run.ref, str(run.ref)):
            assert await calendar.instances(named, MONDAY, NEXT_MONDAY) == found
        plan = (await calendar.events(MONDAY, TUESDAY, text="Plan", accounts=name))[0]
        for single in (plan, plan.ref):
            with pytest.raises(UsageError) as refused:
                await calendar.instances(single, MONDAY, NEXT_MONDAY)
            assert (refused.value.code, refused.value.operation) == ("no_series", "calendar.instances")
        missing = attrs.evolve(run.ref, id="nothing")
        with pytest.raises(NotFound) as caught:
            await calendar.get(missing)
        assert (caught.value.account, caught.value.operation) == (name, "calendar.get")


# -- iteration ---------------------------------------------------------------------------------------------------------


async def test_an_iteration_is_lazy_and_goes_on_as_long_as_somebody_asks(
    world: World, calendar: AsyncCalendarClient
) -> None:
    events = calendar.iter_events(MONDAY, calendars="primary")
    assert world.sandbox.requests == []
    assert [(await anext(events)).title for _ in range(4)] == ["Plan 9", "Plan 10", "Day 9", "Day 10"]
    with pytest.raises(StopAsyncIteration):
        await anext(events)
    endless = calendar.iter_events(MONDAY, text="Run")
    starts = [(await anext(endless)).start for _ in range(1200)]
    assert starts == sorted(starts, key=lambda start: start if isinstance(start, dt.datetime) else at(1, 0))
    asked = len(world.asked())
    await anext(endless)
    assert len(world.asked()) - asked <= 2
    both = [event async for event in calendar.iter_events(MONDAY, NEXT_MONDAY)]
    assert [event.title for event in both] == titles(await calendar.events(MONDAY, NEXT_MONDAY))


async def test_an_iteration_outlives_a_calendar_that_fails(world: World, calendar: AsyncCalendarClient) -> None:
    sport = (await calendar.calendars.list())[1].ref
    world.home.script(Fault.forbidden("forbidden", path=f"calendars/{segment(sport.id)}", times=None))
    events = calendar.iter_events(MONDAY, NEXT_MONDAY, accounts="home")
    assert [event.title async for event in events] == ["Plan 9", "Day 9"]
    assert [(failure.account, failure.calendar) for failure in events.failures] == [("home", sport)]
    world.home.script(Fault.forbidden("forbidden", path="events", times=None))
    with pytest.raises(type(events.failures[0].error)):
        await anext(calendar.iter_events(MONDAY, NEXT_MONDAY, accounts="home"))


def test_the_sync_client_gives_the_same(world: World) -> None:
    with CalendarClient(sandbox_accounts(world.sandbox, home=world.home, work=world.work), tz=BERLIN) as calendar:
        week = calendar.events(MONDAY, NEXT_MONDAY)
        assert len(week) == 8
        events = calendar.iter_events(MONDAY, NEXT_MONDAY)
        assert [event.ref for event in events] == [event.ref for event in week]
        assert (events.failures, events.notes, events.problems) == ((), (), ())
        made = calendar.create("New", at(18, 9), duration=HOUR, account="work")
        assert calendar.get(made) == made
        assert calendar.update(made, title="Newer").event.title == "Newer"
        assert calendar.delete(made) == ()
        assert [row.name for row in calendar.calendars.list(accounts="work")][1:] == ["Sport"]
        assert [slot.start for slot in calendar.free_slots([], HOUR, at(16, 8), at(16, 12))] == [at(16, 8), at(16, 11)]


# -- what fails --------------------------------------------------------------------------------------------------------


async def test_one_account_down_leaves_the_others_events(world: World, calendar: AsyncCalendarClient) -> None:
    world.work.script(Fault.server_error(500, times=None))
    week = await calendar.events(MONDAY, NEXT_MONDAY)
    assert {event.account for event in week} == {"home"}
    (failure,) = week.failures
    assert (failure.account, failure.calendar) == ("work", None)  # all of it
    assert isinstance(failure.error, Unavailable)
    assert failure.error.operation == "calendar.events"
    with pytest.raises(Unavailable):
        await calendar.events(MONDAY, NEXT_MONDAY, accounts="work")
    world.home.script(Fault.server_error(500, times=None))
    with pytest.raises(AllAccountsFailed):
        await calendar.events(MONDAY, NEXT_MONDAY)
    with pytest.raises(AllAccountsFailed):
        await calendar.calendars.list()


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_calendar_that_hangs_takes_no_other_with_it(
    world: World, calendar: AsyncCalendarClient, name: str
) -> None:
    sport = next(row for row in await calendar.calendars.list(accounts=name) if not row.is_primary).ref
    world.box(name).script(Fault.hang(path=segment(sport.id), times=None))
    begun = world.sandbox.clock.monotonic()
    week = await calendar.events(MONDAY, NEXT_MONDAY, deadline=7)
    assert world.sandbox.clock.monotonic() - begun == pytest.approx(7)
    assert [event.title for event in week if event.account == name] == (
        ["Plan 9", "Day 9"] if name == "home" else ["Plan 10", "Day 10"]
    )
    (failure,) = week.failures
    assert isinstance(failure.error, TimedOut)
    assert (failure.account, failure.calendar, failure.error.operation) == (name, sport, "calendar.events")


async def test_a_deadline_holds_for_every_verb(world: World, calendar: AsyncCalendarClient) -> None:
    plan = (await calendar.events(MONDAY, TUESDAY, text="Plan", accounts="home"))[0]
    world.home.script(Fault.hang(times=None))
    verbs: Mapping[str, Callable[[], Awaitable[object]]] = {
        "calendar.calendars.list": lambda: calendar.calendars.list(accounts="home", deadline=5),
        "calendar.events": lambda: calendar.events(accounts="home", deadline=5),
        "calendar.iter_events": lambda: anext(calendar.iter_events(accounts="home", deadline=5)),
        "calendar.get": lambda: calendar.get(plan, deadline=5),
        "calendar.instances": lambda: calendar.instances(plan.ref, MONDAY, TUESDAY, deadline=5),
        "calendar.create": lambda: calendar.create("x", at(16, 9), duration=HOUR, account="home", deadline=5),
        "calendar.update": lambda: calendar.update(plan, title="x", deadline=5),
        "calendar.delete": lambda: calendar.delete(plan, deadline=5),
        "calendar.cancel": lambda: calendar.cancel(plan, deadline=5),
        "calendar.respond": lambda: calendar.respond(plan, "accepted", deadline=5),
        "calendar.free_busy": lambda: calendar.free_busy(me=True, end=TUESDAY, accounts="home", deadline=5),
        "calendar.free_slots": lambda: calendar.free_slots([], HOUR, MONDAY, TUESDAY, accounts="home", deadline=5),
        "calendar.find_rooms": lambda: calendar.find_rooms(accounts="home", deadline=5),
    }
    for verb, call in verbs.items():
        begun = world.sandbox.clock.monotonic()
        with pytest.raises(TimedOut) as caught:
            await call()
        assert world.sandbox.clock.monotonic() - begun == pytest.approx(5), verb
        assert (caught.value.account, caught.value.operation) == ("home", verb)


async def test_a_cancelled_call_ends_at_once_and_the_client_can_still_be_used(
    world: World, calendar: AsyncCalendarClient
) -> None:
    world.home.script(Fault.hang(times=None))
    with anyio.CancelScope() as scope:
        async with anyio.create_task_group() as group:

            async def stop() -> None:
                await world.sandbox.clock.sleep(1)
                scope.cancel()

            group.start_soon(stop)
            await calendar.events(MONDAY, NEXT_MONDAY)
    assert scope.cancelled_caught
    assert len(await calendar.events(MONDAY, NEXT_MONDAY, accounts="work")) == 4


async def test_which_account_is_meant(calendar: AsyncCalendarClient) -> None:
    with pytest.raises(AmbiguousAccount):
        await calendar.create("x", at(16, 9), duration=HOUR)
    plan = (await calendar.events(MONDAY, TUESDAY, text="Plan", accounts="home"))[0]
    with pytest.raises(UsageError) as caught:
        await calendar.get(plan, account="work")
    assert caught.value.code == "wrong_account"


async def test_main_calendars_and_others_can_be_named_together(calendar: AsyncCalendarClient) -> None:
    (sport,) = (each for each in await calendar.calendars.list(accounts="home") if each.name == "Sport")
    both = await calendar.events(MONDAY, NEXT_MONDAY, calendars=["primary", sport])
    assert {(event.account, event.calendar.id) for event in both} == {
        ("home", "primary"),
        ("work", "primary"),
        ("home", sport.ref.id),
    }
    with pytest.raises(UsageError, match=r"calendars\.list") as caught:
        await calendar.events(MONDAY, NEXT_MONDAY, calendars="Sport")
    assert (caught.value.code, caught.value.operation) == ("bad_calendars", "calendar.events")


async def test_who_may_only_look_is_told_to_ask_the_owner(world: World) -> None:
    granted = ("Calendars.ReadWrite",)
    world.work.add_calendar("Board", role="reader")
    account = attrs.evolve(sandbox_account(world.sandbox, world.work, name="work"), scopes=granted)
    async with AsyncCalendarClient(Accounts(account, clock=world.sandbox.clock), tz=BERLIN) as calendar:
        (board,) = (each for each in await calendar.calendars.list() if each.name == "Board")
        with pytest.raises(PermissionMissing, match="ask the owner") as caught:
            await calendar.create("x", at(16, 9), duration=HOUR, calendar=board)
    assert (caught.value.status, caught.value.operation) == (403, "calendar.create")
    assert (caught.value.had_no_effect, caught.value.request_id is None) == (True, False)
