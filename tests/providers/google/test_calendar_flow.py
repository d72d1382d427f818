"""Whole flows: the calendar driver on a real session over a sandbox account, every exchange judged by the contract."""

from __future__ import annotations

import datetime as dt
import secrets
from collections import Counter
from typing import Any, get_args
from zoneinfo import ZoneInfo

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailkit.errors import (
    Conflict,
    InvalidRecurrence,
    NotFound,
    PermissionMissing,
    Unavailable,
    Unsupported,
    UsageError,
)
from mailkit.models.calendar import Attendee, Busy, Event, FreeBusy, Reminder, Response
from mailkit.providers.calendar import EventFields
from mailkit.providers.google.calendar import GoogleCalendarDriver
from mailkit.recurrence import Recurrence, parse_recurrence
from mailkit.recurrence.moments import zone_of
from mailkit.sandbox import Fault, GoogleMailbox, Person, Sandbox
from mailkit.sandbox.event import Changed, Guest
from mailkit.sandbox.event import Event as Entry
from mailkit.values import Address
from tests.support.google_calendar_driver import (
    BERLIN,
    NEW_YORK,
    NOW,
    TOKYO,
    events_of,
    google_calendar,
    pages_of,
    query,
)

pytestmark = pytest.mark.anyio

ANN, BOB, CLEO = "ann@example.com", "bob@example.com", "cleo@example.com"
TEN = dt.datetime(2026, 3, 9, 10, tzinfo=BERLIN)  # a Monday; clocks change on the 29th
HOUR, DAY = dt.timedelta(hours=1), dt.timedelta(days=1)
WEEKLY = Recurrence.every("week", count=6)


def boxes(**options: Any) -> tuple[Sandbox, GoogleMailbox, GoogleCalendarDriver]:
    sandbox = Sandbox()
    box = sandbox.google(ANN, zone="Europe/Berlin", **options)
    scopes = options.get("scopes")
    return sandbox, box, google_calendar(sandbox, box, scopes=None if scopes is None else frozenset(scopes))


def key() -> str:
    return secrets.token_hex(16)


def guest(address: str, **more: Any) -> Attendee:
    return Attendee(address=Address(address=address), **more)


def fields(start: dt.datetime | dt.date = TEN, **more: Any) -> EventFields:
    length = HOUR if isinstance(start, dt.datetime) else DAY
    return EventFields(**{"title": "Plans", "start": start, "end": start + length, **more})


async def made(ann: GoogleCalendarDriver, start: dt.datetime | dt.date = TEN, **more: Any) -> Event:
    event, notes = await ann.create("primary", fields(start, **more), key=key(), notify="none")
    assert notes == ()
    return event


async def update(
    ann: GoogleCalendarDriver, event: Event, scope: Any = "this", etag: str | None = None, **named: Any
) -> Any:
    return await ann.update("primary", event.ref.id, EventFields(**named), scope=scope, etag=etag, notify="none")


async def shown(ann: GoogleCalendarDriver, days: float = 60, **more: Any) -> list[tuple[str, str]]:
    return [(f"{event.start:%m-%d %H:%M}", event.title) for event in await events_of(ann, query(days=days, **more))]


async def test_everything_of_an_event_comes_back() -> None:
    _, _, ann = boxes()
    event = await made(
        ann,
        html="<p>Bring <b>it</b></p>",
        location="Room 1",
        attendees=(guest(BOB), guest(CLEO, kind="optional"), guest("room@x.example", kind="room", response="accepted")),
        reminders=(Reminder(minutes=5), Reminder(minutes=60)),
        visibility="private",
        show_as="free",
        color="11",
        online_meeting=True,
        recurrence=WEEKLY,
    )
    assert (event.kind, event.title, event.location, event.body.text) == ("series", "Plans", "Room 1", "Bring it")
    assert (event.start, event.end, zone_of(event.start)) == (TEN, TEN + HOUR, BERLIN)
    assert [(each.address.address, each.kind, each.response) for each in event.attendees] == [
        (BOB, "required", "none"),
        (CLEO, "optional", "none"),
        ("room@x.example", "room", "accepted"),
    ]
    assert event.reminders is not None
    assert [each.minutes for each in event.reminders] == [5, 60]
    assert (event.visibility, event.show_as, event.color) == ("private", "free", "11")
    assert event.online_meeting is not None
    assert (event.online_meeting.kind, str(event.online_meeting.url)[:24]) == ("meet", "https://meet.google.com/")
    assert (event.recurrence, event.is_organizer, event.my_response) == (WEEKLY, True, "accepted")
    assert await ann.event("primary", event.ref.id) == event


async def test_calendars_the_primary_first() -> None:
    _, box, ann = boxes()
    box.add_calendar("Team", zone=NEW_YORK, role="reader", meetings=())
    calendars, problems = await ann.calendars()
    assert problems == []
    assert [(one.name, one.is_primary, one.can_edit, one.tz, one.online_meetings) for one in calendars] == [
        (ANN, True, True, "Europe/Berlin", ("meet",)),
        ("Team", False, False, "America/New_York", ()),
    ]


async def test_a_permission_for_events_alone_shows_the_primary_calendar() -> None:
    scope = "https://www.googleapis.com/auth/calendar.events.readonly"
    _, box, ann = boxes(scopes=[scope])
    box.add_event(Entry(title="x", start=TEN))
    (calendar,), _ = await ann.calendars()
    assert (calendar.ref.id, calendar.name, calendar.is_primary, calendar.tz) == ("primary", ANN, True, "Europe/Berlin")
    assert len(await events_of(ann, query())) == 1
    with pytest.raises(PermissionMissing):
        await made(ann)


async def test_a_window_page_by_page_in_order() -> None:
    sandbox, box, ann = boxes()
    for number in range(7):
        box.add_event(Entry(title=f"{number}", start=TEN + (number // 3) * HOUR))
    box.add_event(Entry(title="day", start=dt.date(2026, 3, 9)))
    box.add_event(Entry(title="over midnight", start=dt.datetime(2026, 3, 1, 11, tzinfo=dt.UTC), end=TEN))
    box.add_event(Entry(title="before", start=dt.datetime(2026, 3, 1, 10, tzinfo=dt.UTC)))
    pages = await pages_of(ann, query(size=2))
    titles = [event.title for page in pages for event in page.events]
    assert titles[:2] == ["over midnight", "day"]
    assert sorted(titles[2:]) == [f"{number}" for number in range(7)]
    starts = [event.start for page in pages for event in page.events if not event.is_all_day]
    assert starts == sorted(starts)
    assert len([request for request in sandbox.requests if request.operation == "events.list"]) == 6  # and the zone


@pytest.mark.parametrize("zone", [TOKYO, NEW_YORK, ZoneInfo("Etc/GMT+12"), ZoneInfo("Pacific/Kiritimati")])
async def test_a_whole_day_is_the_viewers(zone: ZoneInfo) -> None:
    _, box, ann = boxes()
    for day in (8, 9, 10):
        box.add_event(Entry(title=f"{day}", start=dt.date(2026, 3, day)))
    midnight = dt.datetime(2026, 3, 9, tzinfo=zone)
    for part in (0, 0.5):
        found = await events_of(ann, query(midnight + part * DAY, days=0.4, tz=zone))
        assert [(event.title, event.start, event.end) for event in found] == [
            ("9", dt.date(2026, 3, 9), dt.date(2026, 3, 10))
        ]


async def test_days_come_in_the_viewers_order_page_by_page() -> None:
    _, box, ann = boxes()
    box.add_event(Entry(title="evening", start=TEN + 8 * HOUR))  # in Tokyo it is two in the morning of the 10th
    box.add_event(Entry(title="day", start=dt.date(2026, 3, 10)))
    box.add_event(Entry(title="later", start=TEN + 9 * HOUR))
    for tz, titles in ((BERLIN, ["evening", "later", "day"]), (TOKYO, ["day", "evening", "later"])):
        assert [event.title for event in await events_of(ann, query(size=1, tz=tz))] == titles


async def test_series_kept_together_and_cancelled_ones_on_demand() -> None:
    _, box, ann = boxes()
    box.add_event(Entry(title="late", start=TEN + 3 * HOUR))
    moved = Entry(title="moved", start=TEN + 8 * DAY)
    changes = (Changed(original=TEN + 7 * DAY, event=moved), Changed(original=TEN + 14 * DAY))
    box.add_event(Entry(title="series", start=TEN, recurrence="RRULE:FREQ=WEEKLY;COUNT=4", exceptions=changes))
    together = await events_of(ann, query(expand=False))
    assert [(event.title, event.kind) for event in together] == [("series", "series"), ("late", "single")]
    assert together[0].recurrence == parse_recurrence(["FREQ=WEEKLY;COUNT=4"], TEN)
    expanded = await events_of(ann, query())
    assert [(event.title, event.kind) for event in expanded] == [
        ("series", "occurrence"),
        ("late", "single"),
        ("moved", "exception"),
        ("series", "occurrence"),
    ]
    assert (expanded[2].original_start, expanded[2].series) == (TEN + 7 * DAY, together[0].ref)
    cancelled = [event for event in await events_of(ann, query(cancelled=True)) if event.status == "cancelled"]
    assert [event.original_start for event in cancelled] == [TEN + 14 * DAY]
    last = await ann.instances("primary", together[0].ref.id, TEN + 8 * DAY, TEN + 30 * DAY)
    assert [event.original_start for event in last] == [TEN + 7 * DAY, TEN + 21 * DAY]


async def test_a_text_is_looked_for() -> None:
    _, box, ann = boxes()
    box.add_event(Entry(title="Lunch with Zoe", start=TEN))
    box.add_event(Entry(title="Dinner", start=TEN))
    assert [event.title for event in await events_of(ann, query(text="lunch"))] == ["Lunch with Zoe"]


# Making


async def test_making_twice_makes_one() -> None:
    sandbox, box, ann = boxes()
    box.script(Fault.server_error(503, operation="events.insert", takes_effect=True))
    name = key()
    first, _ = await ann.create("primary", fields(), key=name, notify="none")
    again, _ = await ann.create("primary", fields(title="Other"), key=name, notify="none")
    assert (first, first.ref.id) == (again, name)
    assert len(await events_of(ann, query())) == 1
    assert Counter(request.operation for request in sandbox.requests)["events.insert"] == 3


async def test_a_series_needs_a_zone_and_keeps_its_hour() -> None:
    _, _, ann = boxes()
    offset = TEN.astimezone(dt.timezone(HOUR))
    with pytest.raises(InvalidRecurrence):
        await made(ann, offset, recurrence=WEEKLY)
    single = await made(ann, offset, title="single")
    assert (single.start, zone_of(single.start)) == (TEN, BERLIN)
    series = await made(ann, recurrence=WEEKLY)
    starts = [event.start for event in await ann.instances("primary", series.ref.id, NOW, NOW + 90 * DAY)]
    assert starts == list(WEEKLY.between(TEN))
    assert {start.hour for start in starts if isinstance(start, dt.datetime)} == {10}


ZONES = st.sampled_from(
    ["Etc/GMT+12", "America/St_Johns", "UTC", "Europe/Berlin", "Asia/Kathmandu", "Pacific/Apia", "Etc/GMT-14"]
)


@given(
    day=st.dates(dt.date(2026, 3, 20), dt.date(2026, 4, 10)),
    hour=st.integers(0, 23),
    zone=ZONES,
    unit=st.sampled_from(["day", "week", "month"]),
    all_day=st.booleans(),
)
@settings(max_examples=25)
async def test_dates_come_back_in_every_zone(day: dt.date, hour: int, zone: str, unit: Any, all_day: bool) -> None:
    _, _, ann = boxes()
    start: dt.date = day if all_day else dt.datetime.combine(day, dt.time(hour), ZoneInfo(zone))
    rule = Recurrence.every(unit, count=4)
    series = await made(ann, start, recurrence=rule)
    assert (series.start, series.end, series.recurrence) == (start, start + (DAY if all_day else HOUR), rule)
    instances = await ann.instances("primary", series.ref.id, NOW, NOW + 300 * DAY)
    assert [event.start for event in instances] == list(rule.between(start))


# Changing


async def test_only_what_is_named_changes() -> None:
    _, box, ann = boxes()
    event = await made(
        ann, text="Notes", attendees=(guest(BOB),), reminders=(Reminder(minutes=7),), online_meeting=True
    )
    change = await update(ann, event, title="New", location="There")
    assert (change.event.title, change.event.location) == ("New", "There")
    same = ("body", "start", "end", "attendees", "reminders", "online_meeting", "recurrence")
    assert [getattr(change.event, name) for name in same] == [getattr(event, name) for name in same]
    assert [each.address.address for each in change.unchanged] == [BOB]
    assert (change.added, change.removed, box.calendars.event(event.ref.id) is None) == ((), (), False)
    change = await update(ann, event, reminders=None, online_meeting=False, visibility="public", text="a <b> & c\nd")
    assert (change.event.reminders, change.event.online_meeting, change.event.visibility) == (None, None, "public")
    assert change.event.body.text == "a <b> & c\nd"


async def test_a_time_becomes_a_day_and_a_day_a_time() -> None:
    _, _, ann = boxes()
    event = await made(ann)
    day = dt.date(2026, 3, 12)
    assert (await update(ann, event, start=day, end=day + 2 * DAY)).event.end == day + 2 * DAY
    assert (await update(ann, event, start=TEN, end=TEN + HOUR)).event.start == TEN


async def test_guests_come_and_go_and_nobodys_answer_is_lost() -> None:
    sandbox, _, ann = boxes()
    sandbox.google(BOB)
    room = guest("room@x.example", kind="room")
    event = await made(ann, attendees=(guest("Cleo@Example.com", kind="optional", response="declined"), room))
    change = await update(
        ann, event, add_attendees=(guest(BOB), guest(CLEO)), remove_attendees=frozenset({"ROOM@x.example"})
    )
    assert [(each.address.address, each.kind, each.response) for each in change.event.attendees] == [
        ("Cleo@Example.com", "optional", "declined"),
        (BOB, "required", "none"),
    ]
    assert [each.address.address for each in change.added] == [BOB]
    assert [each.address.address for each in change.unchanged] == ["Cleo@Example.com"]
    assert (
        [each.address.address for each in change.rooms_released]
        == ["room@x.example"]
        == [each.address.address for each in change.removed]
    )
    change = await update(ann, event, attendees=(guest(CLEO), room))
    assert [(each.address.address, each.kind, each.response) for each in change.event.attendees] == [
        ("Cleo@Example.com", "required", "declined"),
        ("room@x.example", "room", "none"),
    ]
    assert [each.address.address for each in change.rooms_booked] == ["room@x.example"]


async def test_a_change_in_between_is_a_conflict_only_where_it_was_asked_for() -> None:
    _, _, ann = boxes()
    event = await made(ann, attendees=(guest(BOB),))
    await update(ann, event, title="Other")
    with pytest.raises(Conflict):
        await update(ann, event, etag=event.etag, title="Mine")
    current = await ann.event("primary", event.ref.id)
    assert (await update(ann, current, etag=current.etag, title="Mine")).event.title == "Mine"
    assert (await update(ann, event, add_attendees=(guest(CLEO),))).added[0].address.address == CLEO


async def test_one_occurrence_alone() -> None:
    _, _, ann = boxes()
    series = await made(ann, recurrence=WEEKLY)
    second = (await ann.instances("primary", series.ref.id, NOW, NOW + 90 * DAY))[1]
    change = await update(ann, second, title="Other", start=TEN + 8 * DAY, end=TEN + 8 * DAY + HOUR)
    assert (change.event.kind, change.event.original_start) == ("exception", TEN + 7 * DAY)
    assert (await shown(ann))[:3] == [("03-09 10:00", "Plans"), ("03-17 10:00", "Other"), ("03-23 10:00", "Plans")]
    with pytest.raises(UsageError):
        await update(ann, second, recurrence=WEEKLY)


async def test_a_series_is_moved_by_as_much_as_its_occurrence() -> None:
    _, _, ann = boxes()
    rule = Recurrence.every("week", until=TEN + 28 * DAY)
    series = await made(ann, recurrence=attrs.evolve(rule, exdates=(TEN + 7 * DAY,)))
    second = (await ann.instances("primary", series.ref.id, NOW, NOW + 90 * DAY))[1]
    assert second.start == TEN + 14 * DAY
    moved = TEN + 15 * DAY + 2 * HOUR
    change = await update(ann, second, "series", start=moved, end=moved + 2 * HOUR)
    assert (change.event.start, change.event.end) == (TEN + DAY + 2 * HOUR, TEN + DAY + 4 * HOUR)
    assert [start for start, _ in await shown(ann)] == ["03-10 12:00", "03-24 12:00", "03-31 12:00", "04-07 12:00"]


async def test_a_series_is_not_moved_off_its_own_rule() -> None:
    _, _, ann = boxes()
    series = await made(ann, recurrence=Recurrence.every("week", on=["MO", "WE"]))
    with pytest.raises(InvalidRecurrence) as caught:
        await update(ann, series, "series", start=TEN + DAY, end=TEN + DAY + HOUR)
    assert caught.value.code == "dtstart_mismatch"
    rule = Recurrence.every("week", on="TU")
    change = await update(ann, series, "series", start=TEN + DAY, end=TEN + DAY + HOUR, recurrence=rule)
    assert change.event.recurrence == rule
    assert (await update(ann, series, recurrence=None)).event.kind == "single"


async def test_this_and_following() -> None:
    sandbox, _, ann = boxes()
    sandbox.google(BOB)
    series = await made(ann, recurrence=WEEKLY, attendees=(guest(BOB),), text="Notes", online_meeting=True)
    occurrences = await ann.instances("primary", series.ref.id, NOW, NOW + 90 * DAY)
    await update(ann, occurrences[1], title="Before")
    await update(ann, occurrences[3], title="Changed", location="Elsewhere")
    await update(ann, occurrences[4], start=TEN + 30 * DAY, end=TEN + 30 * DAY + HOUR)
    await ann.delete("primary", occurrences[5].ref.id, scope="this", notify="none", comment=None)
    moved = TEN + 14 * DAY + HOUR
    change = await update(ann, occurrences[2], "following", location="There", start=moved, end=moved + HOUR)
    assert (change.event.ref != series.ref, change.event.kind, change.lost) == (True, "series", ())
    assert [each.address.address for each in change.event.attendees] == [BOB]
    assert (change.event.body.text, change.event.online_meeting is not None) == ("Notes", True)
    assert change.event.online_meeting != series.online_meeting
    assert change.old is not None
    assert (change.old.ref, len(change.carried)) == (series.ref, 2)
    found = await events_of(ann, query(days=90))
    assert [(f"{event.start:%m-%d %H:%M}", event.title, event.location) for event in found] == [
        ("03-09 10:00", "Plans", ""),
        ("03-16 10:00", "Before", ""),
        ("03-23 11:00", "Plans", "There"),
        ("03-30 11:00", "Changed", "There"),
        ("04-08 10:00", "Plans", "There"),
    ]
    assert {event.ref for event in found if event.series == change.event.ref} >= set(change.carried)


async def test_following_takes_guests_and_files_along() -> None:
    sandbox, box, ann = boxes()
    sandbox.google(BOB)
    files = {"attachments": [{"fileUrl": "https://drive.google.com/1", "title": "Plan"}]}
    properties = {**files, "extendedProperties": {"private": {"a": "b"}}}
    rule = "RRULE:FREQ=WEEKLY;COUNT=4"
    entry = Entry(title="Plans", start=TEN, recurrence=rule, guests=[Guest(Person("", CLEO), response="accepted")])
    series = box.add_event(attrs.evolve(entry, properties=properties, show_as="tentative"))
    occurrences = await ann.instances("primary", series, NOW, NOW + 90 * DAY)
    await update(ann, occurrences[3], remove_attendees=frozenset({CLEO}))
    change = await update(
        ann, occurrences[2], "following", add_attendees=(guest(BOB),), start=TEN.date(), end=TEN.date() + DAY
    )
    assert [(each.address.address, each.response) for each in change.event.attendees] == [
        (CLEO, "accepted"),
        (BOB, "none"),
    ]
    assert [each.address.address for each in change.added] == [BOB]
    assert (change.event.start, change.event.status) == (TEN.date(), "tentative")
    kept = box.calendars.event(change.event.ref.id)
    assert kept is not None
    assert {name: kept.event.properties[name] for name in properties} == properties
    last = (await ann.instances("primary", change.event.ref.id, NOW, NOW + 90 * DAY))[1]
    assert last.ref == change.carried[0]
    assert [each.address.address for each in last.attendees] == [BOB]  # who is named comes to each, CLEO stays away


async def test_an_occurrence_keeps_guests_of_its_own() -> None:
    _, _, ann = boxes()
    series = await made(ann, recurrence=WEEKLY, attendees=(guest(BOB),))
    occurrences = await ann.instances("primary", series.ref.id, NOW, NOW + 90 * DAY)
    await update(ann, occurrences[3], attendees=(guest(CLEO),))
    change = await update(ann, occurrences[2], "following", title="New")
    own = await ann.event("primary", change.carried[0].id)
    assert ([each.address.address for each in own.attendees], own.title) == ([CLEO], "New")


async def test_a_changed_occurrence_that_cannot_be_made_again_is_reported() -> None:
    _, box, ann = boxes()
    series = await made(ann, recurrence=WEEKLY)
    occurrences = await ann.instances("primary", series.ref.id, NOW, NOW + 90 * DAY)
    await update(ann, occurrences[3], title="Changed")
    box.script(Fault(status=400, operation="events.instances"))
    change = await update(ann, occurrences[2], "following", location="There")
    assert (change.carried, change.lost) == ((), (occurrences[3].start,))


async def test_following_without_new_times_carries_moved_occurrences() -> None:
    _, _, ann = boxes()
    series = await made(ann, recurrence=WEEKLY)
    occurrences = await ann.instances("primary", series.ref.id, NOW, NOW + 90 * DAY)
    await update(ann, occurrences[4], start=TEN + 30 * DAY, end=TEN + 30 * DAY + HOUR)
    change = await update(ann, occurrences[3], "following", title="New")
    assert (len(change.carried), change.lost) == (1, ())
    assert (await shown(ann))[2:] == [
        ("03-23 10:00", "Plans"),
        ("03-30 10:00", "New"),
        ("04-08 10:00", "New"),
        ("04-13 10:00", "New"),
    ]


async def test_what_a_new_rule_has_no_place_for_is_reported() -> None:
    _, _, ann = boxes()
    series = await made(ann, recurrence=WEEKLY)
    occurrences = await ann.instances("primary", series.ref.id, NOW, NOW + 90 * DAY)
    await update(ann, occurrences[3], title="Changed")
    await ann.delete("primary", occurrences[4].ref.id, scope="this", notify="none", comment=None)
    rule = Recurrence.every("month", count=2)
    change = await update(ann, occurrences[2], "following", recurrence=rule)
    assert (change.carried, change.lost) == ((), (occurrences[3].start, occurrences[4].start))
    assert [start for start, _ in await shown(ann)] == ["03-09 10:00", "03-16 10:00", "03-23 10:00", "04-23 10:00"]


async def test_following_from_the_first_is_the_series() -> None:
    _, _, ann = boxes()
    series = await made(ann, recurrence=WEEKLY)
    first = (await ann.instances("primary", series.ref.id, NOW, NOW + 90 * DAY))[0]
    change = await update(ann, first, "following", title="New")
    assert (change.event.ref, change.old, len(await shown(ann))) == (series.ref, None, 6)
    await ann.delete("primary", first.ref.id, scope="following", notify="none", comment=None)
    assert await shown(ann) == []


async def test_a_cut_that_fails_leaves_everything_as_it_was() -> None:
    _, box, ann = boxes()
    series = await made(ann, recurrence=WEEKLY)
    third = (await ann.instances("primary", series.ref.id, NOW, NOW + 90 * DAY))[2]
    before = await shown(ann)
    box.script(Fault(status=412, operation="events.patch"))
    with pytest.raises(Conflict):
        await update(ann, third, "following", title="New")
    assert await shown(ann) == before
    box.script(Fault.server_error(503, operation="events.patch", takes_effect=True))
    change = await update(ann, third, "following", title="New")
    assert change.event.title == "New"
    assert [title for _, title in await shown(ann)] == ["Plans"] * 2 + ["New"] * 4


async def test_a_cut_that_may_have_come_about_loses_nothing() -> None:
    _, box, ann = boxes()
    series = await made(ann, recurrence=WEEKLY)
    third = (await ann.instances("primary", series.ref.id, NOW, NOW + 90 * DAY))[2]
    box.script(Fault.server_error(503, operation="events.patch"))
    with pytest.raises(Unavailable):
        await update(ann, third, "following", title="New")
    assert Counter(title for _, title in await shown(ann)) == {"Plans": 6, "New": 4}


async def test_a_key_does_not_bring_back_what_was_deleted() -> None:
    _, _, ann = boxes()
    name = key()
    event, _ = await ann.create("primary", fields(), key=name, notify="none")
    await ann.delete("primary", event.ref.id, scope="this", notify="none", comment=None)
    with pytest.raises(Conflict, match="another key") as caught:
        await ann.create("primary", fields(), key=name, notify="none")
    assert caught.value.code == "key_reused"


async def test_a_deleted_event_is_not_changed() -> None:
    _, _, ann = boxes()
    event = await made(ann)
    await ann.delete("primary", event.ref.id, scope="this", notify="all", comment=None)
    with pytest.raises(NotFound):
        await update(ann, event, title="x")
    with pytest.raises(NotFound):
        await update(ann, attrs.evolve(event, ref=attrs.evolve(event.ref, id="0" * 20)), title="x")


# Deleting


@pytest.mark.parametrize(("scope", "left"), [("this", 5), ("following", 2), ("series", 0)])
async def test_an_occurrence_goes_alone_or_with_others_and_twice_is_fine(scope: Any, left: int) -> None:
    _, _, ann = boxes()
    series = await made(ann, recurrence=WEEKLY)
    occurrences = await ann.instances("primary", series.ref.id, NOW, NOW + 90 * DAY)
    await update(ann, occurrences[4], start=TEN + 3 * DAY, end=TEN + 3 * DAY + HOUR)
    for _ in range(2):
        notes = await ann.delete("primary", occurrences[2].ref.id, scope=scope, notify="all", comment="Sorry")
        assert [note.code for note in notes] in (["comment_lost"], [])
        assert len(await shown(ann)) == left


# Answering


def invited(response: Response = "none") -> tuple[Sandbox, GoogleCalendarDriver, GoogleCalendarDriver]:
    sandbox, _, ann = boxes()
    bob = google_calendar(sandbox, sandbox.google(BOB))
    return sandbox, ann, bob


@pytest.mark.parametrize("response", [each for each in get_args(Response) if each != "none"])
async def test_an_answer_reaches_the_organiser(response: Response) -> None:
    _, ann, bob = invited()
    people = (guest(BOB, kind="optional"), guest(CLEO, response="accepted"))
    event, _ = await ann.create("primary", fields(attendees=people), key=key(), notify="all")
    (invitation,) = await events_of(bob, query())
    assert (invitation.my_response, invitation.is_organizer) == ("none", False)
    notes = await bob.respond(
        "primary", invitation.ref.id, response, comment="Late", send=True, proposed=(TEN + HOUR, TEN + 2 * HOUR)
    )
    assert [note.code for note in notes] == ["unsupported"]
    current = await ann.event("primary", event.ref.id)
    assert [(each.kind, each.response, each.comment) for each in current.attendees] == [
        ("optional", response, "Late"),
        ("required", "accepted", ""),
    ]


async def test_who_invites_or_is_not_invited_does_not_answer() -> None:
    _, ann, bob = invited()
    event, _ = await ann.create("primary", fields(attendees=(guest(BOB),)), key=key(), notify="all")
    for driver, calendar, event_id, code in (
        (ann, "primary", event.ref.id, "is_organizer"),
        (bob, "primary", (await made(bob)).ref.id, "is_organizer"),
    ):
        with pytest.raises(UsageError) as caught:
            await driver.respond(calendar, event_id, "accepted", comment="", send=True, proposed=None)
        assert caught.value.code == code
    (invitation,) = [one for one in await events_of(bob, query()) if not one.is_organizer]
    with pytest.raises(Unsupported):
        await update(bob, invitation, title="Mine")


# Free time


async def test_busy_times_of_many_over_a_long_window() -> None:
    sandbox, box, ann = boxes()
    start = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)
    seam = start + 60 * DAY
    box.add_event(Entry(title="seam", start=seam - 2 * HOUR, end=seam + 3 * HOUR))
    box.add_event(Entry(title="next", start=seam + 3 * HOUR, end=seam + 4 * HOUR))
    box.add_event(Entry(title="free", start=TEN, show_as="free"))
    box.add_event(Entry(title="none", start=TEN, end=TEN))
    people = [f"p{number}@example.com" for number in range(60)]
    who = [*people[:30], "primary", *people[30:], ANN]
    found = await ann.free_busy(who, start, start + 130 * DAY)
    assert [each.who for each in found if isinstance(each, FreeBusy)] == who
    own = FreeBusy(who="primary", account="work", busy=(Busy(start=seam - 2 * HOUR, end=seam + 4 * HOUR),))
    assert (found[30], found[-1]) == (own, attrs.evolve(own, who=ANN))
    unknown = FreeBusy(who=people[0], account="work", known=False, reason="not_found")
    assert found[0] == unknown
    assert [len(request.parts or ()) for request in sandbox.requests] == [6]


async def test_no_rooms_but_those_of_history() -> None:
    _, _, ann = boxes()
    rooms, notes = await ann.rooms("")
    assert (rooms, [note.code for note in notes]) == ([], ["history_only"])


async def test_without_an_end_a_series_goes_on_as_long_as_somebody_asks() -> None:
    sandbox, _, ann = boxes()
    await made(ann, recurrence=Recurrence.every("year"))
    await made(ann, start=TEN.replace(year=2060, month=5))
    sandbox.requests.clear()
    found: list[Event] = []
    async for page in ann.events(attrs.evolve(query(), end=None)):
        found += page.events
        if len(found) > 300:
            break
    assert [event.start.year for event in found if event.series][:300] == list(range(2026, 2326))
    assert [event.start for event in found] == sorted(event.start for event in found)
    assert len({event.ref for event in found}) == len(found)
    assert len(sandbox.requests) < 12  # each time twice as far


async def test_without_an_end_a_series_that_ends_is_the_end() -> None:
    _, _, ann = boxes()
    await made(ann, recurrence=Recurrence.every("month", count=100))
    found = [event async for page in ann.events(attrs.evolve(query(), end=None)) for event in page.events]
    assert [event.start for event in found] == list(Recurrence.every("month", count=100).first(TEN, 100))
