"""What the calendar clients change, at both providers: made once, patched, moved, called off, answered."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

import attrs
import pytest

from mailkit import (
    Accounts,
    AsyncCalendarClient,
    Attendee,
    Conflict,
    Event,
    InvalidRecurrence,
    Note,
    NotFound,
    PermissionMissing,
    Recurrence,
    Ref,
    Reminder,
    UsageError,
)
from mailkit.sandbox import Event as Seed
from mailkit.sandbox import Fault
from mailkit.testing import sandbox_account, sandbox_accounts
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


def codes(notes: tuple[Note, ...]) -> list[str]:
    return [note.code for note in notes]


def addresses(people: tuple[Attendee, ...]) -> list[str]:
    return [each.address.address for each in people]


async def starts(calendar: AsyncCalendarClient, name: str, title: str, until: int = 31) -> list[dt.datetime | dt.date]:
    found = await calendar.events(MONDAY, dt.date(2026, 3, until), text=title, accounts=name)
    return [event.start for event in found]


# -- creating ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROVIDERS)
async def test_every_field_is_written_and_read_again(calendar: AsyncCalendarClient, name: str) -> None:
    made = await calendar.create(
        "Talk",
        dt.datetime(2026, 3, 18, 9),  # noqa: DTZ001  # naive: of the client's zone
        duration=HOUR,
        text="Bring the plan",
        location="Room 1",
        attendees=["Amy <amy@example.net>", "amy@EXAMPLE.net"],
        optional="bo@example.org",
        rooms="board@contoso.example",
        recurrence=Recurrence.every("week", on=["WE"], count=3),
        reminders=15,
        visibility="private",
        show_as="busy",
        online_meeting=True,
        wants_responses=True,
        account=name,
    )
    for event in (made, await calendar.get(made)):
        assert (event.title, event.start, event.end) == ("Talk", at(18, 9), at(18, 10))
        assert (event.kind, event.location, event.visibility) == ("series", "Room 1", "private")
        assert event.body.text.strip() == "Bring the plan"
        assert [(each.address.address, each.kind) for each in event.attendees] == [
            ("amy@example.net", "required"),
            ("bo@example.org", "optional"),
            ("board@contoso.example", "room"),
        ]
        assert event.reminders == (Reminder(minutes=15),)
        assert event.online_meeting is not None
        assert event.online_meeting.url
        assert event.is_organizer
        assert event.recurrence is not None
        assert event.recurrence.first(event.start, 9) == (at(18, 9), at(25, 9), at(32, 9))
    assert await starts(calendar, name, "Talk") == [at(18, 9), at(25, 9)]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_lost_answer_makes_no_second_event(world: World, calendar: AsyncCalendarClient, name: str) -> None:
    world.box(name).script(Fault.server_error(502, method="POST", takes_effect=True, times=1))
    made = await calendar.create("Once", at(18, 9), duration=HOUR, account=name, key="order-1")
    assert await starts(calendar, name, "Once") == [at(18, 9)]
    again = await calendar.create("Once", at(18, 9), duration=HOUR, account=name, key="order-1")
    assert again.ref.id == made.ref.id
    assert await starts(calendar, name, "Once") == [at(18, 9)]
    world.box(name).script(Fault.reset(method="POST", times=1))
    other = await calendar.create("Once", at(18, 9), duration=HOUR, account=name, key="order-2")
    assert other.ref.id != made.ref.id
    assert len(await starts(calendar, name, "Once")) == 2


@pytest.mark.parametrize("name", PROVIDERS)
async def test_it_is_made_in_the_calendar_named(calendar: AsyncCalendarClient, name: str) -> None:
    sport = next(row for row in await calendar.calendars.list(accounts=name) if not row.is_primary)
    for named in (sport, sport.ref, str(sport.ref)):
        made = await calendar.create("Swim", at(18, 9), duration=HOUR, calendar=named)
        assert (made.account, made.calendar.id) == (name, sport.ref.id)
    bare = await calendar.create("Swim", at(18, 9), duration=HOUR, calendar=sport.ref.id, account=name)
    assert bare.calendar.id == sport.ref.id
    assert len(await calendar.events(MONDAY, NEXT_MONDAY, calendars=sport, text="Swim")) == 4


@pytest.mark.parametrize("name", PROVIDERS)
async def test_whole_days(calendar: AsyncCalendarClient, name: str) -> None:
    one = await calendar.create("Fair", TUESDAY, account=name)
    assert (one.start, one.end, one.is_all_day) == (TUESDAY, dt.date(2026, 3, 18), True)
    three = await calendar.create("Trip", MONDAY, duration=dt.timedelta(days=3), account=name)
    assert (three.start, three.end) == (MONDAY, dt.date(2026, 3, 19))
    assert await calendar.get(three) == three
    moved = await calendar.update(three, start=TUESDAY)
    assert (moved.event.start, moved.event.end) == (TUESDAY, dt.date(2026, 3, 20))
    timed = await calendar.update(three, start=at(17, 9), duration=HOUR)
    assert (timed.event.start, timed.event.end, timed.event.is_all_day) == (at(17, 9), at(17, 10), False)
    day = await calendar.update(three, start=TUESDAY, duration=dt.timedelta(days=1))
    assert (day.event.start, day.event.end) == (TUESDAY, dt.date(2026, 3, 18))
    with pytest.raises(UsageError) as caught:
        await calendar.update(day.event, start=at(17, 9))
    assert (caught.value.code, caught.value.operation) == ("bad_end", "calendar.update")


@pytest.mark.parametrize("name", PROVIDERS)
async def test_an_event_ends_at_another_time_and_keeps_its_start(calendar: AsyncCalendarClient, name: str) -> None:
    one = await calendar.create("Talk", at(17, 9), duration=HOUR, account=name)
    cases: list[tuple[dict[str, Any], dt.datetime]] = [
        ({"end": at(17, 12)}, at(17, 12)),
        ({"duration": 2 * HOUR}, at(17, 11)),
    ]
    for named, end in cases:
        changed = (await calendar.update(one.ref, **named)).event
        assert (changed.start, changed.end) == (at(17, 9), end)
    with pytest.raises(UsageError, match="above zero, or pass end=, not 0:00:00"):
        await calendar.update(one, duration=dt.timedelta(0))
    with pytest.raises(UsageError) as caught:
        await calendar.update(one, end=at(17, 9))
    assert (caught.value.code, caught.value.operation) == ("bad_end", "calendar.update")
    day = await calendar.create("Fair", TUESDAY, account=name)
    longer = (await calendar.update(day, duration=dt.timedelta(days=2))).event
    assert (longer.start, longer.end) == (TUESDAY, dt.date(2026, 3, 19))


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_moved_occurrence_says_how_long_its_series_takes_and_moves_it_nowhere(
    calendar: AsyncCalendarClient, name: str
) -> None:
    series = await calendar.create("Jog", at(17, 7), duration=HOUR, recurrence="FREQ=DAILY;COUNT=3", account=name)
    second = (await calendar.instances(series, at(18, 0), at(19, 0)))[0]
    moved = (await calendar.update(second, start=at(18, 8))).event
    changed = (await calendar.update(moved, duration=2 * HOUR, scope="series")).event
    assert (changed.start, changed.end) == (at(17, 7), at(17, 9))


@pytest.mark.parametrize("name", PROVIDERS)
async def test_an_event_that_takes_no_time_can_be_moved(world: World, calendar: AsyncCalendarClient, name: str) -> None:
    world.box(name).add_event(Seed(title="Call back", start=at(17, 9), end=at(17, 9)))
    (event,) = await calendar.events(at(17, 8), at(17, 10), accounts=name, text="call back")
    moved = (await calendar.update(event, start=at(17, 10))).event
    assert (moved.start, moved.end) == (at(17, 10), at(17, 10))


@pytest.mark.parametrize("name", PROVIDERS)
async def test_an_hour_that_the_clocks_skip_or_repeat(calendar: AsyncCalendarClient, name: str) -> None:
    gap = await calendar.create("Gap", dt.datetime(2026, 3, 29, 2, 30), duration=HOUR, account=name)  # noqa: DTZ001
    assert gap.start == dt.datetime(2026, 3, 29, 3, 30, tzinfo=BERLIN)
    assert gap.end == dt.datetime(2026, 3, 29, 4, 30, tzinfo=BERLIN)
    night = await calendar.create("Night", at(28, 23), dt.datetime(2026, 3, 29, 4, tzinfo=BERLIN), account=name)
    assert night.end == dt.datetime(2026, 3, 29, 4, tzinfo=BERLIN)
    found = await calendar.events(dt.date(2026, 3, 29), dt.date(2026, 3, 30), accounts=name)
    assert [(event.title, event.start, event.end) for event in found] == [
        ("Night", night.start, night.end),
        ("Gap", gap.start, gap.end),
    ]


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize("read", [str, str.splitlines])
async def test_dates_a_rule_leaves_out(
    calendar: AsyncCalendarClient, name: str, read: Callable[[str], str | list[str]]
) -> None:
    rule = read("RRULE:FREQ=DAILY;COUNT=4\nEXDATE;TZID=Europe/Berlin:20260319T090000")
    made = await calendar.create("Drill", at(18, 9), duration=HOUR, recurrence=rule, account=name)
    assert await starts(calendar, name, "Drill") == [at(18, 9), at(20, 9), at(21, 9)]
    assert made.recurrence is not None
    assert made.recurrence.exdates == (at(19, 9),)


async def test_who_is_told(calendar: AsyncCalendarClient) -> None:
    notes = {}
    for name in PROVIDERS:
        made = await calendar.create(
            "Quiet", at(18, 9), duration=HOUR, attendees="amy@example.net", notify="none", account=name
        )
        notes[name] = codes(made.notes)
    assert notes == {"home": [], "work": ["notified_all"]}


# -- changing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROVIDERS)
async def test_guests_come_and_go_and_keep_their_answers(
    world: World, calendar: AsyncCalendarClient, name: str
) -> None:
    amy_box = world.sandbox.google("amy@example.net")
    made = await calendar.create(
        "Talk", at(18, 9), duration=HOUR, attendees="amy@example.net", rooms="board@contoso.example", account=name
    )
    async with AsyncCalendarClient(sandbox_accounts(world.sandbox, amy=amy_box), tz=BERLIN) as amy:
        (invitation,) = await amy.events(MONDAY, NEXT_MONDAY)
        assert (invitation.my_response, invitation.is_organizer) == ("none", False)
        await amy.respond(invitation, "accepted", "With pleasure")
    more = await calendar.update(made, add_attendees=["AMY@example.net", "bo@example.org"])
    assert addresses(more.added) == ["bo@example.org"]
    assert addresses(more.unchanged) == ["amy@example.net", "board@contoso.example"]
    assert (more.removed, more.rooms_booked, more.rooms_released) == ((), (), ())
    assert more.event.attendees[0].response == "accepted"
    less = await calendar.update(made, remove_attendees=["board@CONTOSO.example", "nobody@example.com"])
    assert addresses(less.removed) == addresses(less.rooms_released) == ["board@contoso.example"]
    replaced = await calendar.update(made, set_attendees="cem@example.com")
    assert addresses(replaced.event.attendees) == ["cem@example.com"]
    assert addresses(replaced.removed) == ["amy@example.net", "bo@example.org"]
    kept = await calendar.update(made, set_attendees=more.event.attendees)
    assert addresses(kept.event.attendees) == ["amy@example.net", "board@contoso.example", "bo@example.org"]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_only_what_is_named_changes(world: World, calendar: AsyncCalendarClient, name: str) -> None:
    made = await calendar.create(
        "Talk", at(18, 9), at(18, 11), text="Plan", location="Room 1", reminders=[5], account=name
    )
    other = await calendar.update(made, duration=HOUR, start=at(18, 9))
    assert other.event.end == at(18, 10)
    moved = await calendar.update(made, start=at(19, 14))  # as it stands there, not as it was when it was made
    assert (moved.event.start, moved.event.end) == (at(19, 14), at(19, 15))
    retitled = (await calendar.update(made.ref, title="Speech")).event
    assert (retitled.title, retitled.location, retitled.reminders) == ("Speech", "Room 1", (Reminder(minutes=5),))
    assert (retitled.start, retitled.body.text.strip()) == (at(19, 14), "Plan")
    silent = (await calendar.update(made, reminders=[], location="")).event
    assert (silent.reminders, silent.location) == ((), "")


@pytest.mark.parametrize("name", PROVIDERS)
async def test_somebody_else_was_faster(calendar: AsyncCalendarClient, name: str) -> None:
    made = await calendar.create("Talk", at(18, 9), duration=HOUR, account=name)
    first = await calendar.update(made, title="First", etag=made.etag)
    with pytest.raises(Conflict) as caught:
        await calendar.update(made, title="Second", etag=made.etag)
    assert caught.value.operation == "calendar.update"
    assert (await calendar.get(made)).title == "First"
    await calendar.update(made, title="Second", etag=first.event.etag)


@pytest.mark.parametrize("name", PROVIDERS)
async def test_one_occurrence_the_series_or_what_follows(calendar: AsyncCalendarClient, name: str) -> None:
    series = await calendar.create(
        "Drill", at(16, 9), duration=HOUR, recurrence="RRULE:FREQ=DAILY;COUNT=6", account=name
    )
    days = await calendar.instances(series, MONDAY, NEXT_MONDAY)
    one = await calendar.update(days[1], start=at(17, 12))
    assert (one.event.kind, one.event.original_start, one.event.end) == ("exception", at(17, 9), at(17, 13))
    assert await starts(calendar, name, "Drill") == [at(16, 9), at(17, 12), *(at(day, 9) for day in (18, 19, 20, 21))]
    later = await calendar.update(days[3], title="March", start=at(19, 10), scope="following")
    assert later.old is not None
    assert later.event.kind == "series"
    assert await starts(calendar, name, "Drill") == [at(16, 9), at(17, 12), at(18, 9)]
    assert await starts(calendar, name, "March") == [at(19, 10), at(20, 10), at(21, 10)]
    await calendar.update(days[0], location="Hall", scope="series")
    assert (await calendar.get(series)).location == "Hall"
    await calendar.delete(days[2])
    assert await starts(calendar, name, "Drill") == [at(16, 9), at(17, 12)]
    await calendar.delete(days[1], scope="following")
    assert await starts(calendar, name, "Drill") == [at(16, 9)]
    await calendar.delete(series)
    assert await starts(calendar, name, "Drill") == []
    assert await calendar.delete(series) == ()
    assert await calendar.delete(series.ref) == ()
    with pytest.raises(NotFound):
        await calendar.update(series, title="x")


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_series_becomes_one_event_and_back(calendar: AsyncCalendarClient, name: str) -> None:
    series = await calendar.create("Drill", at(16, 9), duration=HOUR, recurrence="RRULE:FREQ=DAILY", account=name)
    single = await calendar.update(series, recurrence=[])
    assert (single.event.kind, single.event.recurrence) == ("single", None)
    assert await starts(calendar, name, "Drill") == [at(16, 9)]
    again = await calendar.update(single.event, recurrence=Recurrence.every("day", count=2))
    assert again.event.kind == "series"
    assert await starts(calendar, name, "Drill") == [at(16, 9), at(17, 9)]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_scope_must_fit(world: World, calendar: AsyncCalendarClient, name: str) -> None:
    single = await calendar.create("One", at(16, 9), duration=HOUR, account=name)
    series = await calendar.create("Many", at(16, 9), duration=HOUR, recurrence="RRULE:FREQ=DAILY", account=name)
    sent = len(world.asked())
    for event, scope in ((single, "series"), (single, "following"), (series, "this")):
        for call in (
            calendar.update(event, title="x", scope=scope),  # type: ignore[arg-type]  # one of those
            calendar.delete(event, scope=scope),  # type: ignore[arg-type]  # as above
            calendar.cancel(event, scope=scope),  # type: ignore[arg-type]  # as above
        ):
            with pytest.raises(UsageError) as caught:
                await call
            assert caught.value.code == "bad_scope"
    assert len(world.asked()) == sent
    with pytest.raises(UsageError) as caught:  # of a ref alone that is known only when it was read
        await calendar.delete(series.ref, scope="this")
    assert (caught.value.code, caught.value.operation) == ("bad_scope", "calendar.delete")
    assert len(await starts(calendar, name, "Many")) == 15


@pytest.mark.parametrize("name", PROVIDERS)
async def test_what_is_organised_is_called_off(world: World, calendar: AsyncCalendarClient, name: str) -> None:
    amy_box = world.sandbox.microsoft("amy@fabrikam.example")
    made = await calendar.create("Talk", at(18, 9), duration=HOUR, attendees="amy@fabrikam.example", account=name)
    async with AsyncCalendarClient(sandbox_accounts(world.sandbox, amy=amy_box), tz=BERLIN) as amy:
        (invitation,) = await amy.events(MONDAY, NEXT_MONDAY)
        with pytest.raises(UsageError) as caught:
            await amy.cancel(invitation, "No")
        assert (caught.value.code, caught.value.operation) == ("not_organizer", "calendar.cancel")
        notes = await calendar.cancel(made, "I am ill")
        assert codes(notes) == (["comment_lost"] if name == "home" else [])
        assert [event.status for event in await amy.events(MONDAY, NEXT_MONDAY)] in ([], ["cancelled"])
    assert await starts(calendar, name, "Talk") == []


# -- answering ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROVIDERS)
async def test_invitations_are_answered(world: World, calendar: AsyncCalendarClient, name: str) -> None:
    host = world.sandbox.microsoft("host@fabrikam.example")
    async with AsyncCalendarClient(sandbox_accounts(world.sandbox, host=host), tz=BERLIN) as hosting:
        made = await hosting.create("Talk", at(18, 9), duration=HOUR, attendees=world.box(name).address)
        with pytest.raises(UsageError):
            await hosting.respond(made, "accepted")
        (invitation,) = await calendar.events(at(18, 0), at(19, 0), accounts=name)
        await calendar.respond(invitation, "tentative", "Perhaps")
        assert (await hosting.get(made)).attendees[0].response == "tentative"
        assert (await calendar.get(invitation)).my_response == "tentative"
        await calendar.respond(invitation, "accepted", send_response=False)
        assert (await hosting.get(made)).attendees[0].response == "tentative"
        notes = await calendar.respond(invitation, "declined", propose_start=at(19, 9), propose_end=at(19, 10))
        assert codes(notes) == (["unsupported"] if name == "home" else [])
        assert (await hosting.get(made)).attendees[0].response == "declined"


async def test_who_is_not_invited_has_nothing_to_answer(calendar: AsyncCalendarClient) -> None:
    for name in PROVIDERS:
        plan = (await calendar.events(MONDAY, TUESDAY, text="Plan", accounts=name))[0]
        with pytest.raises(UsageError) as caught:
            await calendar.respond(plan, "accepted")
        assert (caught.value.account, caught.value.operation) == (name, "calendar.respond")


# -- before the network ------------------------------------------------------------------------------------------------


async def test_what_cannot_be_right_is_refused_before_anything_is_sent(world: World) -> None:
    naive, offset = dt.datetime(2026, 3, 18, 9), dt.datetime(2026, 3, 18, 9, tzinfo=dt.timezone(HOUR))  # noqa: DTZ001
    async with AsyncCalendarClient(world.accounts()) as calendar:
        refused: Mapping[str, Callable[[], Awaitable[object]]] = {
            "naive_time": lambda: calendar.create("x", naive, duration=HOUR, account="home"),
            "bad_end": lambda: calendar.create("x", at(18, 9), at(18, 9), account="home"),
            "bad_duration": lambda: calendar.create("x", at(18, 9), account="home"),
            "bad_zone": lambda: calendar.create("x", naive, duration=HOUR, tz="Mars/Base", account="home"),
            "bad_window": lambda: calendar.events(at(18, 9), at(18, 9)),
            "bad_year": lambda: calendar.events(dt.date.min, at(18, 9)),
            "bad_text": lambda: calendar.create("x", at(18, 9), duration=HOUR, text="a", html="b", account="home"),
            "no_change": lambda: calendar.update(Ref(account="home", kind="event", id="x", part="y"), tz="UTC"),
        }
        for code, call in refused.items():
            with pytest.raises(UsageError) as caught:
                await call()
            assert caught.value.code == code
            assert str(caught.value.operation).startswith("calendar."), code
        with pytest.raises(UsageError) as caught:
            await calendar.events(dt.date(1900, 1, 1), dt.date(2100, 1, 1))
        assert caught.value.code == "bad_window"
        with pytest.raises(InvalidRecurrence) as unclear:
            await calendar.create("x", offset, duration=HOUR, recurrence="RRULE:FREQ=DAILY", account="home")
        assert unclear.value.code == "offset_series"
        twice = "RRULE:FREQ=MONTHLY;BYDAY=3MO,3WE"
        with pytest.raises(InvalidRecurrence):
            await calendar.create("x", at(16, 9), duration=HOUR, recurrence=twice, account="work")
        with pytest.raises(InvalidRecurrence):
            await calendar.create("x", at(16, 9), duration=HOUR, recurrence="RRULE:FREQ=NEVER", account="home")
        assert world.asked() == []
        zoned = await calendar.create(
            "x", offset, duration=HOUR, recurrence="RRULE:FREQ=DAILY;COUNT=1", tz=BERLIN, account="home"
        )
        assert zoned.start == at(18, 9)


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_missing_permission_is_told_with_its_remedy(world: World, name: str) -> None:
    read = {"home": "https://www.googleapis.com/auth/calendar.readonly", "work": "Calendars.Read"}[name]
    account = attrs.evolve(sandbox_account(world.sandbox, world.box(name), name=name), scopes=read)
    async with AsyncCalendarClient(Accounts(account, clock=world.sandbox.clock), tz=BERLIN) as calendar:
        with pytest.raises(PermissionMissing) as caught:
            await calendar.create("x", at(18, 9), duration=HOUR)
        assert world.asked() == []
        assert caught.value.operation == "calendar.create"
        assert caught.value.scopes
        assert isinstance((await calendar.events(MONDAY, TUESDAY, calendars="primary"))[0], Event)


async def test_what_a_guest_cannot_change_for_others_is_said(world: World, calendar: AsyncCalendarClient) -> None:
    amy, bo = world.sandbox.google("amy@example.net"), world.sandbox.microsoft("bo@contoso.example")
    await calendar.create(
        "Talk", at(18, 9), attendees=["amy@example.net", "bo@contoso.example"], duration=HOUR, account="home"
    )
    async with AsyncCalendarClient(sandbox_accounts(world.sandbox, amy=amy, bo=bo), tz=BERLIN) as guests:
        invitations = {event.account: event for event in await guests.events(MONDAY, NEXT_MONDAY)}
        for name, code in (("amy", "not_organizer"), ("bo", "own_copy")):
            for named in ({"add_attendees": "zoe@example.net"}, {"remove_attendees": "bo@contoso.example"}):
                change = await guests.update(invitations[name], **named)  # type: ignore[arg-type]
                assert codes(change.notes) == [code]
            assert codes((await guests.update(invitations[name], reminders=5, show_as="free")).notes) == []
        assert codes((await guests.update(invitations["bo"], start=at(18, 11))).notes) == ["own_copy"]
    (talk,) = await calendar.events(at(18, 0), at(19, 0), accounts="home", text="Talk")
    assert (talk.start, addresses(talk.attendees)) == (at(18, 9), ["amy@example.net", "bo@contoso.example"])


@pytest.mark.parametrize("name", PROVIDERS)
async def test_an_occurrence_that_is_gone_still_stands_for_its_series(calendar: AsyncCalendarClient, name: str) -> None:
    async def jogs() -> list[Event]:
        series = await calendar.create("Jog", at(17, 7), duration=HOUR, recurrence="FREQ=DAILY;COUNT=5", account=name)
        days = await calendar.instances(series, TUESDAY, NEXT_MONDAY)
        await calendar.update(series, start=at(17, 6))  # at another time they are others
        return days

    async def left() -> int:
        return len(await calendar.events(TUESDAY, NEXT_MONDAY, text="Jog", accounts=name))

    days = await jogs()
    with pytest.raises(NotFound, match="read the occurrences again") as caught:
        await calendar.delete(days[2], scope="following")
    assert (caught.value.operation, await left()) == ("calendar.delete", 5)
    await calendar.delete(days[2], scope="series")
    assert await left() == 0
    assert await calendar.delete(days[2], scope="series") == ()
    assert await calendar.delete(days[2], scope="following") == ()

    series = await calendar.create("Jog", at(17, 7), duration=HOUR, recurrence="FREQ=DAILY;COUNT=5", account=name)
    days = await calendar.instances(series, TUESDAY, NEXT_MONDAY)
    for _ in range(2):  # as after an answer that was lost
        assert await calendar.delete(days[2], scope="following") == ()
        assert await left() == 2
    for _ in range(2):
        assert await calendar.delete(series, scope="following") == ()
        assert await left() == 0


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_series_is_not_cut_where_clocks_skip_its_time(calendar: AsyncCalendarClient, name: str) -> None:
    series = await calendar.create("Run", at(28, 2), duration=HOUR, recurrence="FREQ=DAILY;COUNT=4", account=name)
    days = await calendar.instances(series, at(28, 0), at(32, 0))
    assert [day.start for day in days] == [at(28, 2), at(29, 3), at(30, 2), at(31, 2)]
    with pytest.raises(UsageError, match="clocks skip") as caught:
        await calendar.update(days[1], title="Jog", scope="following")
    assert caught.value.code == "uncut"
    assert await calendar.instances(series, at(28, 0), at(32, 0)) == days
    change = await calendar.update(days[1], start=at(29, 9), scope="following")
    assert [day.start for day in await calendar.instances(change.event, at(28, 0), at(33, 0))] == [
        at(29, 9),
        at(30, 9),
        at(31, 9),
    ]
    await calendar.delete(change.event)
    assert len(await calendar.instances(series, at(28, 0), at(32, 0))) == 1
