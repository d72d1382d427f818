"""Making, changing, deleting and answering events of Outlook on the sandbox, organiser and guests in it."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mailkit.errors import Conflict, InvalidRecurrence, NotFound, PermissionMissing, Unsupported, UsageError
from mailkit.models.calendar import Attendee, Event, Reminder
from mailkit.providers.calendar import EventFields
from mailkit.providers.microsoft.calendar import OutlookCalendarDriver
from mailkit.recurrence import Recurrence, windows_name
from mailkit.sandbox import MicrosoftMailbox, Sandbox
from mailkit.sandbox.event import Event as Seed
from mailkit.sandbox.event import Guest
from mailkit.sandbox.faults import Fault
from mailkit.sandbox.mail import Person
from mailkit.values import Address
from tests.support.outlook_calendar import BERLIN, codes, events, outlook_calendar

pytestmark = pytest.mark.anyio

UTC = dt.UTC
DAY = dt.timedelta(days=1)
HOUR = dt.timedelta(hours=1)
MARCH = dt.datetime(2026, 3, 1, tzinfo=UTC)
START = dt.datetime(2026, 3, 16, 9, tzinfo=BERLIN)
KEY = "0123456789abcdef0123456789abcdef"
STOCKHOLM = ZoneInfo("Europe/Stockholm")


def guest(address: str, kind: Any = "required", name: str = "") -> Attendee:
    return Attendee(address=Address(name=name, address=address), kind=kind)


def opened(**options: Any) -> tuple[Sandbox, MicrosoftMailbox, OutlookCalendarDriver]:
    sandbox = Sandbox()
    box = sandbox.microsoft("mia@contoso.example")
    return sandbox, box, outlook_calendar(sandbox, box, **options)


def with_guest() -> tuple[Sandbox, OutlookCalendarDriver, OutlookCalendarDriver]:
    sandbox, _, organiser = opened()
    return sandbox, organiser, outlook_calendar(sandbox, sandbox.microsoft("amy@contoso.example"))


async def made(driver: OutlookCalendarDriver, key: str = KEY, **fields: Any) -> Event:
    named = {"title": "Plan", "start": START, "end": START + HOUR, **fields}
    event, _ = await driver.create("primary", EventFields(**named), key=key, notify="all")
    return event


def times(event: Event) -> list[dt.datetime]:
    """When an event begins and ends, where both are times."""
    return [each for each in (event.start, event.end) if isinstance(each, dt.datetime)]


async def all_events(driver: OutlookCalendarDriver, days: int = 90) -> list[Event]:
    return await events(driver, MARCH, MARCH + days * DAY)


def sent(sandbox: Sandbox, method: str) -> list[dict[str, Any]]:
    """The bodies of requests of a method."""
    return [json.loads(request.content) for request in sandbox.requests if request.method == method and request.content]


# -- making ------------------------------------------------------------------------------------------------------------


async def test_everything_that_is_named_is_there_afterwards() -> None:
    _, _, driver = opened()
    event, notes = await driver.create(
        "primary",
        EventFields(
            title="Plan",
            html="<p>Bring <b>ideas</b></p>",
            location="Room 3",
            start=START.astimezone(STOCKHOLM),
            end=START.astimezone(STOCKHOLM) + HOUR,
            attendees=(guest("amy@contoso.example", name="Amy"), guest("room3@contoso.example", "room")),
            add_attendees=(guest("zoe@example.com", "optional"),),
            reminders=(Reminder(minutes=10),),
            visibility="private",
            show_as="away",
            online_meeting=False,
            categories=("Blue",),
            wants_responses=False,
        ),
        key=KEY,
        notify="all",
    )
    assert not notes
    again = await driver.event("primary", event.ref.id)
    for each in (event, again):
        assert each.title == "Plan"
        assert "ideas" in each.body.text
        assert each.location == "Room 3"
        assert each.start == START
        assert each.end == START + HOUR
        assert [(a.address.address, a.kind) for a in each.attendees] == [
            ("amy@contoso.example", "required"),
            ("room3@contoso.example", "room"),
            ("zoe@example.com", "optional"),
        ]
        assert each.reminders == (Reminder(minutes=10),)
        assert (each.visibility, each.show_as, each.categories) == ("private", "away", ("Blue",))
        assert not each.wants_responses
        assert each.is_organizer
        assert each.etag
    # Outlook knows one zone for Berlin and Stockholm: what was written is given back as it was named.
    assert isinstance(event.start, dt.datetime)
    assert event.start.tzinfo is STOCKHOLM
    assert again.zone_source is None


@pytest.mark.parametrize("minutes", [-60, 0])
async def test_the_second_of_two_times_alike_is_kept(minutes: int) -> None:
    _, _, driver = opened()
    second = dt.datetime(2026, 10, 25, 1, 30, tzinfo=UTC)  # when clocks in Berlin show half past two again
    span = [(second + dt.timedelta(minutes=minutes + each)).astimezone(BERLIN) for each in (0, 60)]
    fields = EventFields(title="Night", start=span[0], end=span[1])
    event, notes = await driver.create("primary", fields, key=KEY, notify="all")
    assert codes(notes) == ["shown_twice"]
    plan = await made(driver, key=KEY[::-1])
    change = await driver.update("primary", plan.ref.id, fields, scope="this", etag=None, notify="all")
    assert codes(change.notes) == ["shown_twice"]
    for each in (event, await driver.event("primary", event.ref.id), change.event):
        assert [instant.astimezone(UTC) for instant in times(each)] == [instant.astimezone(UTC) for instant in span]


async def test_a_series_keeps_its_clock_where_a_time_is_shown_twice() -> None:
    _, _, driver = opened()
    second = dt.datetime(2026, 10, 25, 2, 30, tzinfo=BERLIN, fold=1)
    fields = EventFields(title="Night", start=second, end=second.replace(hour=4), recurrence=Recurrence.every("day"))
    event, notes = await driver.create("primary", fields, key=KEY, notify="all")
    assert codes(notes) == ["shown_twice"]
    assert [instant.isoformat() for instant in times(event)] == [
        "2026-10-25T02:30:00+02:00",
        "2026-10-25T04:30:00+01:00",
    ]
    assert event.recurrence is not None
    assert event.recurrence.first(event.start, 2)[1] == dt.datetime(2026, 10, 26, 2, 30, tzinfo=BERLIN)


@pytest.mark.parametrize(("text", "days"), [("FREQ=DAILY;UNTIL=99991231", 1_385), ("FREQ=DAILY;COUNT=1200", 1_200)])
async def test_a_series_may_end_late(text: str, days: int) -> None:
    _, _, driver = opened()
    await made(driver, recurrence=Recurrence.from_text(text))
    assert len(await all_events(driver, days=1_400)) == days


async def test_a_repeat_with_the_same_key_makes_one_event() -> None:
    _, _, driver = opened()
    first, second = await made(driver), await made(driver)
    assert first.ref == second.ref
    assert len(await all_events(driver)) == 1


async def test_an_answer_that_got_lost_makes_one_event() -> None:
    _, box, driver = opened()
    box.script(Fault.reset(method="POST"))
    event = await made(driver)
    assert [each.ref for each in await all_events(driver)] == [event.ref]


@pytest.mark.parametrize("zone", ["Etc/GMT+12", "America/New_York", "UTC", "Asia/Tokyo", "Pacific/Kiritimati"])
async def test_whole_days_are_written_in_the_mailbox_zone_and_keep_their_dates(zone: str) -> None:
    sandbox = Sandbox()
    driver = outlook_calendar(sandbox, sandbox.microsoft("mia@contoso.example", zone=zone))
    start, end = dt.date(2026, 3, 28), dt.date(2026, 3, 31)
    event = await made(driver, start=start, end=end)
    (read,) = await all_events(driver)
    assert [(each.start, each.end) for each in (event, read)] == [(start, end)] * 2
    (body,) = sent(sandbox, "POST")
    assert body["start"]["timeZone"] == body["end"]["timeZone"] == windows_name(ZoneInfo(zone))


async def test_a_series_loses_the_dates_it_leaves_out() -> None:
    _, _, driver = opened()
    out = (START + 7 * DAY, (START + 14 * DAY).date())
    rule = Recurrence.from_text("RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=5")
    event = await made(driver, recurrence=Recurrence(rule=rule.rule, exdates=out))
    assert event.kind == "series"
    assert event.recurrence is not None
    assert event.recurrence.exdates == (START + 7 * DAY, START + 14 * DAY)
    assert [each.start for each in await all_events(driver)] == [START, START + 21 * DAY, START + 28 * DAY]
    again = await driver.event("primary", event.ref.id)
    assert again.recurrence == event.recurrence


async def test_dates_that_could_not_be_taken_out_are_named() -> None:
    _, box, driver = opened()
    rule = Recurrence.from_text("RRULE:FREQ=DAILY;COUNT=5")
    box.script(Fault(status=403, part=True, method="DELETE"))
    event, notes = await driver.create(
        "primary",
        EventFields(
            start=START, end=START + HOUR, recurrence=Recurrence(rule=rule.rule, exdates=(START + DAY, START + 2 * DAY))
        ),
        key=KEY,
        notify="all",
    )
    (note,) = notes
    assert (note.code, note.account) == ("dates_remain", "work")
    assert note.term == (START + DAY).isoformat()
    assert event.recurrence is not None
    assert event.recurrence.exdates == (START + 2 * DAY,)
    assert len(await all_events(driver)) == 4


async def test_what_outlook_cannot_hold_is_refused_unsent() -> None:
    sandbox, _, driver = opened()
    friday = Recurrence.from_text("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13")
    refused: tuple[tuple[dict[str, Any], type[UsageError]], ...] = (
        ({"recurrence": friday, "start": dt.datetime(2026, 3, 13, 9, tzinfo=BERLIN)}, InvalidRecurrence),
        ({"end": START - HOUR}, UsageError),
        ({"end": START.date()}, UsageError),
        ({"start": START.date(), "end": START.date()}, UsageError),
        ({"start": START.astimezone(ZoneInfo("Antarctica/Troll"))}, UsageError),
    )
    for fields, kind in refused:
        start = fields.get("start", START)
        named = {"start": start, "end": start + HOUR if isinstance(start, dt.datetime) else start, **fields}
        with pytest.raises(kind):
            await driver.create("primary", EventFields(**named), key=KEY, notify="all")
    with pytest.raises(UsageError):
        await driver.create("primary", EventFields(start=START), key=KEY, notify="all")
    assert not sandbox.requests


async def test_what_outlook_lacks_is_noted() -> None:
    _, box, driver = opened()
    box.calendars.update(box.calendars.named(""), meetings=())
    _, notes = await driver.create(
        "primary",
        EventFields(
            start=START,
            end=START + HOUR,
            color="red",
            visibility="public",
            online_meeting=True,
            reminders=(Reminder(minutes=5), Reminder(minutes=60, method="email")),
            attendees=(guest("amy@contoso.example"),),
        ),
        key=KEY,
        notify="none",
    )
    assert codes(notes) == ["no_public", "no_color", "one_reminder", "no_online_meeting", "notified_all"]
    (event,) = await all_events(driver)
    assert event.online_meeting is None
    assert event.reminders == (Reminder(minutes=60),)


async def test_an_online_meeting_has_its_link() -> None:
    _, _, driver = opened()
    event = await made(driver, online_meeting=True)
    assert event.online_meeting is not None
    assert event.online_meeting.kind == "teams"
    assert str(event.online_meeting.url).startswith("https://teams.microsoft.com/")


# -- changing ----------------------------------------------------------------------------------------------------------


async def changed(
    driver: OutlookCalendarDriver, event: Event, scope: Any = "this", etag: str | None = None, **fields: Any
) -> Any:
    return await driver.update("primary", event.ref.id, EventFields(**fields), scope=scope, etag=etag, notify="all")


async def test_only_what_is_named_is_written() -> None:
    sandbox, _, driver = opened()
    event = await made(driver, text="Old", location="Room 3")
    change = await changed(driver, event, text="New")
    assert change.event.body.text.strip() == "New"
    assert change.event.location == "Room 3"
    assert [set(body) for body in sent(sandbox, "PATCH")] == [{"body"}]
    before = len(sandbox.requests)
    assert codes((await changed(driver, event, color="red")).notes) == ["no_color"]
    assert len(sandbox.requests) == before + 1


async def test_guests_are_merged_and_keep_what_they_said() -> None:
    _, organiser, amy = with_guest()
    event = await made(organiser, attendees=(guest("amy@contoso.example"), guest("room@contoso.example", "room")))
    (invited,) = await all_events(amy)
    await amy.respond("primary", invited.ref.id, "accepted", comment="", send=True, proposed=None)
    change = await organiser.update(
        "primary",
        event.ref.id,
        EventFields(
            add_attendees=(
                guest("AMY@contoso.example"),
                guest("Zoe@example.com"),
                guest("hall@contoso.example", "room"),
            ),
            remove_attendees=frozenset({"room@contoso.example"}),
        ),
        scope="this",
        etag=None,
        notify="external",
    )
    assert [(a.address.address, a.response) for a in change.event.attendees] == [
        ("amy@contoso.example", "accepted"),
        ("Zoe@example.com", "none"),
        ("hall@contoso.example", "none"),
    ]
    assert [a.address.address for a in change.added] == ["Zoe@example.com", "hall@contoso.example"]
    assert [a.address.address for a in change.removed] == ["room@contoso.example"]
    assert [a.address.address for a in change.unchanged] == ["amy@contoso.example"]
    assert [a.address.address for a in change.rooms_booked] == ["hall@contoso.example"]
    assert [a.address.address for a in change.rooms_released] == ["room@contoso.example"]
    assert codes(change.notes) == ["notified_all"]
    change = await changed(organiser, event, attendees=(guest("Amy@contoso.example", "optional"),))
    assert [(a.address.address, a.kind, a.response) for a in change.event.attendees] == [
        ("amy@contoso.example", "optional", "accepted")
    ]


async def test_a_guest_that_somebody_else_adds_in_between_stays() -> None:
    _, box, driver = opened()
    event = await made(driver, attendees=(guest("amy@contoso.example"),))
    box.script(Fault(status=412, reason="ErrorIrresolvableConflict", method="PATCH"))
    change = await changed(driver, event, add_attendees=(guest("zoe@example.com"),))
    assert [a.address.address for a in change.added] == ["zoe@example.com"]


async def test_an_event_that_changed_since_is_a_conflict() -> None:
    _, _, driver = opened()
    event = await made(driver)
    await changed(driver, event, title="Other")
    with pytest.raises(Conflict):
        await changed(driver, event, etag=event.etag, title="Mine")
    fresh = await driver.event("primary", event.ref.id)
    assert (await changed(driver, fresh, etag=fresh.etag, title="Mine")).event.title == "Mine"


async def test_whole_days_become_times_and_times_whole_days() -> None:
    _, _, driver = opened()
    event = await made(driver)
    day = dt.date(2026, 3, 20)
    change = await changed(driver, event, start=day, end=day + DAY)
    assert (change.event.start, change.event.end) == (day, day + DAY)
    change = await changed(driver, event, end=day + 3 * DAY)
    assert (change.event.start, change.event.end) == (day, day + 3 * DAY)
    with pytest.raises(UsageError, match="both"):
        await changed(driver, event, start=START)
    change = await changed(driver, event, start=START, end=START + HOUR)
    assert (change.event.start, change.event.end) == (START, START + HOUR)
    with pytest.raises(UsageError, match="ends before"):
        await changed(driver, event, end=START - HOUR)


async def weekly(driver: OutlookCalendarDriver, rule: str = "RRULE:FREQ=WEEKLY;BYDAY=MO", **fields: Any) -> Event:
    return await made(driver, recurrence=Recurrence.from_text(rule), **fields)


async def test_one_occurrence_changes_alone() -> None:
    _, _, driver = opened()
    series = await weekly(driver)
    found = await all_events(driver, 40)
    change = await changed(driver, found[1], start=found[1].start + HOUR, end=found[1].end + HOUR)
    assert change.event.kind == "exception"
    assert change.event.original_start == START + 7 * DAY
    assert [event.start for event in await all_events(driver, 40)] == [
        START,
        START + 7 * DAY + HOUR,
        START + 14 * DAY,
    ] + ([START + 21 * DAY] if len(found) > 3 else [])
    assert change.event.series == series.ref


async def test_a_series_moves_as_far_as_the_occurrence_that_is_named() -> None:
    _, _, driver = opened()
    text = "RRULE:FREQ=DAILY;UNTIL=20260320T080000Z"
    series = await weekly(driver, text)
    found = await all_events(driver)
    assert len(found) == 5
    await changed(driver, found[2], title="Special")
    later = found[3].start + 2 * HOUR
    change = await changed(driver, found[3], "series", start=later, end=later + HOUR)
    assert change.event.ref == series.ref
    assert [event.start for event in await all_events(driver)] == [START + n * DAY + 2 * HOUR for n in range(5)]
    assert change.lost == (START + 2 * DAY,)
    # UNTIL was nine o'clock of the last day: that day stays.
    assert change.event.recurrence is not None
    assert change.event.recurrence.first(change.event.start, 9)[-1] == START + 4 * DAY + 2 * HOUR


async def test_a_series_keeps_its_gaps_when_it_moves() -> None:
    _, _, driver = opened()
    rule = Recurrence.from_text("RRULE:FREQ=DAILY;COUNT=5")
    series = await made(driver, recurrence=Recurrence(rule=rule.rule, exdates=(START + DAY,)))
    change = await changed(driver, series, "series", start=START + HOUR, end=START + 2 * HOUR)
    assert change.event.recurrence.exdates == (START + DAY + HOUR,)
    assert [event.start for event in await all_events(driver)] == [START + n * DAY + HOUR for n in range(5) if n != 1]


async def test_a_series_becomes_single_and_single_a_series() -> None:
    _, _, driver = opened()
    series = await weekly(driver)
    change = await changed(driver, series, "series", recurrence=None)
    assert change.event.kind == "single"
    assert len(await all_events(driver)) == 1
    change = await changed(driver, change.event, recurrence=Recurrence.from_text("FREQ=DAILY;COUNT=3"))
    assert change.event.kind == "series"
    assert len(await all_events(driver)) == 3


async def test_from_one_date_on_the_old_series_ends_and_a_new_one_begins() -> None:
    _, _, driver = opened()
    rule = Recurrence.from_text("RRULE:FREQ=DAILY;COUNT=12")
    series = await made(
        driver,
        text="Bring ideas",
        location="Room 3",
        categories=("Blue",),
        attendees=(guest("amy@contoso.example"), guest("room@contoso.example", "room")),
        recurrence=Recurrence(rule=rule.rule, exdates=(START + DAY, START + 8 * DAY)),
    )
    found = {event.start: event for event in await all_events(driver)}
    await changed(driver, found[START + 2 * DAY], title="Early special")
    await changed(driver, found[START + 6 * DAY], title="Late special")
    moved_to = START + 7 * DAY + 3 * HOUR
    await changed(driver, found[START + 7 * DAY], start=moved_to, end=moved_to + HOUR)
    cut = await driver.event("primary", found[START + 5 * DAY].ref.id)
    change = await driver.update(
        "primary",
        cut.ref.id,
        EventFields(location="Room 5", remove_attendees=frozenset({"room@contoso.example"})),
        scope="following",
        etag=cut.etag,
        notify="all",
    )
    assert change.old is not None
    assert change.old.ref == series.ref
    assert change.event.ref != series.ref
    assert change.event.start == START + 5 * DAY
    assert [a.address.address for a in change.rooms_released] == ["room@contoso.example"]
    assert change.lost == ()
    assert len(change.carried) == 2
    after = await all_events(driver)
    days = [0, 2, 3, 4, 5, 6, 7, 9, 10, 11]
    assert [event.start for event in after] == [START + n * DAY + (3 * HOUR if n == 7 else 0 * HOUR) for n in days]
    assert [event.location for event in after] == ["Room 3"] * 4 + ["Room 5"] * 6
    assert [event.title for event in after] == [
        "Plan",
        "Early special",
        "Plan",
        "Plan",
        "Plan",
        "Late special",
        "Plan",
        "Plan",
        "Plan",
        "Plan",
    ]
    assert {event.body.text.strip() for event in after} == {"Bring ideas"}
    assert {event.categories for event in after} == {("Blue",)}
    new = await driver.event("primary", change.event.ref.id)
    assert new.recurrence is not None
    assert new.recurrence.rule.count == 7
    assert new.recurrence.exdates == (START + 8 * DAY,)


async def test_from_one_date_on_at_another_time() -> None:
    _, _, driver = opened()
    await weekly(driver, "RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260427T070000Z")
    found = await all_events(driver)
    assert len(found) == 7
    await changed(driver, found[4], start=found[4].start + HOUR, end=found[4].end + HOUR)
    cut = found[2]
    change = await changed(
        driver,
        cut,
        "following",
        start=cut.start - HOUR,
        end=cut.end,
        title="Longer",
    )
    after = await all_events(driver)
    earlier = {2: HOUR, 3: HOUR, 4: -HOUR, 5: HOUR, 6: HOUR}  # the fifth was moved, and stays there
    assert [event.start for event in after] == [START + n * 7 * DAY - earlier.get(n, 0 * HOUR) for n in range(7)]
    assert [event.title for event in after] == ["Plan"] * 2 + ["Longer"] * 5
    assert {event.end - event.start for event in after[2:]} == {2 * HOUR}
    assert change.lost == ()
    assert [ref.id for ref in change.carried] == [after[4].ref.id]


async def test_from_one_date_on_whole_days_and_single() -> None:
    _, _, driver = opened()
    day = dt.date(2026, 3, 16)
    await made(driver, start=day, end=day + DAY, recurrence=Recurrence.from_text("FREQ=DAILY;COUNT=6"))
    found = await all_events(driver)
    await changed(driver, found[2], "following", title="Second half")
    after = await all_events(driver)
    assert [event.start for event in after] == [day + n * DAY for n in range(6)]
    assert [event.title for event in after] == ["Plan"] * 2 + ["Second half"] * 4
    change = await changed(driver, after[4], "following", recurrence=None)
    assert change.event.kind == "single"
    assert [event.start for event in await all_events(driver)] == [day + n * DAY for n in range(5)]


async def test_from_the_first_date_on_is_all_of_it() -> None:
    _, _, driver = opened()
    series = await weekly(driver)
    found = await all_events(driver)
    change = await changed(driver, found[0], "following", title="Other")
    assert change.event.ref == series.ref
    assert change.old is None
    assert {event.title for event in await all_events(driver)} == {"Other"}


async def test_a_cut_that_fails_leaves_the_series_as_it_was() -> None:
    _, box, driver = opened()
    await weekly(driver)
    found = await all_events(driver)
    box.script(Fault(status=403, reason="ErrorAccessDenied", method="PATCH"))
    with pytest.raises(PermissionMissing):
        await changed(driver, found[2], "following", title="Other")
    assert [event.title for event in await all_events(driver)] == ["Plan"] * len(found)
    await changed(driver, found[2], "following", title="Other")
    assert [event.title for event in await all_events(driver)] == ["Plan"] * 2 + ["Other"] * (len(found) - 2)


async def test_an_occurrence_that_changed_since_is_a_conflict_for_its_series_too() -> None:
    _, _, driver = opened()
    await weekly(driver)
    found = await all_events(driver)
    await changed(driver, found[2], title="Special")
    for scope in ("series", "following"):
        with pytest.raises(Conflict):
            await changed(driver, found[2], scope, etag=found[2].etag, title="Mine")


async def test_a_series_keeps_its_hour_when_it_moves_over_the_change_of_clocks() -> None:
    _, _, driver = opened()
    await weekly(driver)
    found = await all_events(driver)
    cut = found[3]  # summer time has begun
    change = await changed(driver, cut, "following", title="Summer")
    assert change.event.start.isoformat() == "2026-04-06T09:00:00+02:00"
    assert {event.start.hour for event in await all_events(driver) if isinstance(event.start, dt.datetime)} == {9}


async def test_one_occurrence_has_no_recurrence_of_its_own() -> None:
    _, _, driver = opened()
    await weekly(driver)
    found = await all_events(driver)
    with pytest.raises(UsageError) as refused:
        await changed(driver, found[1], recurrence=Recurrence.from_text("FREQ=DAILY"))
    assert refused.value.code == "bad_scope"


# -- deleting ----------------------------------------------------------------------------------------------------------


async def deleted(driver: OutlookCalendarDriver, event: Event, scope: Any = "this", **more: Any) -> list[str]:
    named = {"notify": "all", "comment": None, **more}
    return codes(await driver.delete("primary", event.ref.id, scope=scope, **named))


async def test_an_event_of_ones_own_is_deleted_and_once_more() -> None:
    sandbox, _, driver = opened()
    event = await made(driver)
    assert await deleted(driver, event, notify="none", comment="Sorry") == ["comment_lost"]
    assert await all_events(driver) == []
    assert await deleted(driver, event) == []
    assert [request.path for request in sandbox.requests if request.path.endswith("/cancel")] == []


async def test_what_others_are_invited_to_is_called_off_with_the_comment() -> None:
    sandbox, organiser, amy = with_guest()
    event = await made(organiser, attendees=(guest("amy@contoso.example"),))
    assert len(await all_events(amy)) == 1
    assert await deleted(organiser, event, notify="none", comment="Sorry") == ["notified_all"]
    assert await all_events(organiser) == []
    assert await all_events(amy) == []
    (body,) = [json.loads(r.content) for r in sandbox.requests if r.path.endswith("/cancel")]
    assert body == {"comment": "Sorry"}


async def test_a_guest_deletes_their_copy() -> None:
    _, organiser, amy = with_guest()
    await made(organiser, attendees=(guest("amy@contoso.example"),))
    (copy,) = await all_events(amy)
    assert await deleted(amy, copy, comment="No") == ["comment_lost"]
    assert await all_events(amy) == []
    assert len(await all_events(organiser)) == 1


async def test_one_occurrence_the_rest_or_all_are_deleted() -> None:
    _, _, driver = opened()
    await weekly(driver, "RRULE:FREQ=DAILY;COUNT=8")
    found = await all_events(driver)
    await deleted(driver, found[1])
    assert [event.start for event in await all_events(driver)] == [event.start for event in found if event != found[1]]
    assert await deleted(driver, found[5], "following", comment="Done") == ["comment_lost"]
    assert len(await all_events(driver)) == 4
    await deleted(driver, found[2], "series")
    assert await all_events(driver) == []


async def test_a_guest_cannot_cut_somebody_elses_series() -> None:
    _, organiser, amy = with_guest()
    await weekly(organiser, attendees=(guest("amy@contoso.example"),))
    found = await all_events(amy)
    with pytest.raises(UsageError, match="who invites"):
        await deleted(amy, found[2], "following")
    with pytest.raises(UsageError, match="who invites"):
        await changed(amy, found[2], "following", title="Mine")


# -- answering ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("response", ["accepted", "declined", "tentative"])
async def test_an_answer_reaches_the_organiser(response: Any) -> None:
    _, organiser, amy = with_guest()
    event = await made(organiser, attendees=(guest("amy@contoso.example"),))
    (invited,) = await all_events(amy)
    assert invited.my_response == "none"
    assert not invited.is_organizer
    assert [a.is_self for a in invited.attendees] == [True]
    notes = await amy.respond("primary", invited.ref.id, response, comment="So be it", send=True, proposed=None)
    assert not notes
    (attendee,) = (await organiser.event("primary", event.ref.id)).attendees
    assert attendee.response == response
    left = await all_events(amy)
    assert [each.my_response for each in left] == ([] if response == "declined" else [response])


async def test_an_answer_that_is_not_sent_loses_its_comment() -> None:
    _, organiser, amy = with_guest()
    event = await made(organiser, attendees=(guest("amy@contoso.example"),))
    (invited,) = await all_events(amy)
    notes = await amy.respond("primary", invited.ref.id, "accepted", comment="Yes", send=False, proposed=None)
    assert codes(notes) == ["comment_lost"]
    (attendee,) = (await organiser.event("primary", event.ref.id)).attendees
    assert attendee.response == "none"


async def test_another_time_is_proposed() -> None:
    sandbox, organiser, amy = with_guest()
    await made(organiser, attendees=(guest("amy@contoso.example"),))
    (invited,) = await all_events(amy)
    other = (START + DAY, START + DAY + HOUR)
    notes = await amy.respond("primary", invited.ref.id, "tentative", comment="", send=True, proposed=other)
    assert not notes
    (body,) = [json.loads(r.content) for r in sandbox.requests if r.path.endswith("/tentativelyAccept")]
    assert body["proposedNewTime"]["start"] == {
        "dateTime": "2026-03-17T09:00:00",
        "timeZone": "W. Europe Standard Time",
    }


async def test_who_invites_or_is_not_invited_cannot_answer() -> None:
    _, box, driver = opened()
    event = await made(driver, attendees=(guest("amy@contoso.example"),))
    with pytest.raises(UsageError) as refused:
        await driver.respond("primary", event.ref.id, "accepted", comment="", send=True, proposed=None)
    assert refused.value.code == "is_organizer"
    other = box.add_event(
        Seed(
            title="Theirs",
            start=START,
            organizer=Person("Amy", "amy@contoso.example"),
            guests=[Guest(Person("Zoe", "zoe@example.com"))],
            properties={"isOrganizer": False, "responseStatus": {"response": "none"}},
        )
    )
    with pytest.raises(UsageError) as refused:
        await driver.respond("primary", other, "accepted", comment="", send=True, proposed=None)
    assert refused.value.code == "not_invited"


async def test_an_organiser_who_wants_no_answers_gets_none() -> None:
    _, organiser, amy = with_guest()
    event = await made(organiser, attendees=(guest("amy@contoso.example"),), wants_responses=False)
    (invited,) = await all_events(amy)
    assert not invited.wants_responses
    notes = await amy.respond("primary", invited.ref.id, "accepted", comment="Yes", send=True, proposed=None)
    assert codes(notes) == ["no_responses_wanted"]
    assert [each.my_response for each in await all_events(amy)] == ["accepted"]
    (attendee,) = (await organiser.event("primary", event.ref.id)).attendees
    assert attendee.response == "none"


async def test_an_organiser_who_takes_no_proposals_is_not_asked() -> None:
    _, box, driver = opened()
    id_ = box.add_event(
        Seed(
            start=START,
            organizer=Person("Amy", "amy@contoso.example"),
            guests=[Guest(Person("Mia", box.address))],
            properties={
                "isOrganizer": False,
                "responseStatus": {"response": "notResponded"},
                "allowNewTimeProposals": False,
            },
        )
    )
    with pytest.raises(Unsupported):
        await driver.respond(
            "primary", id_, "tentative", comment="", send=True, proposed=(START + DAY, START + DAY + HOUR)
        )


async def test_an_invitation_that_is_gone_is_not_found() -> None:
    _, _, driver = opened()
    with pytest.raises(NotFound):
        await driver.respond("primary", "AAMkNone=", "accepted", comment="", send=True, proposed=None)


async def test_reading_alone_does_not_write() -> None:
    sandbox, _, driver = opened(scopes=frozenset({"Calendars.Read"}))
    fields = EventFields(start=START, end=START + HOUR)
    with pytest.raises(PermissionMissing) as refused:
        await driver.create("primary", fields, key=KEY, notify="all")
    assert refused.value.scopes[0] == "Calendars.ReadWrite"
    with pytest.raises(PermissionMissing):
        await driver.update("primary", "e", fields, scope="this", etag=None, notify="all")
    with pytest.raises(PermissionMissing):
        await driver.delete("primary", "e", scope="this", notify="all", comment=None)
    with pytest.raises(PermissionMissing):
        await driver.respond("primary", "e", "accepted", comment="", send=True, proposed=None)
    assert not sandbox.requests
