"""Graph's calendar JSON to records and back: zones, whole days, recurrences, what is missing or unknown."""

from __future__ import annotations

import datetime as dt
from typing import Any, get_args
from zoneinfo import ZoneInfo

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mailkit.errors import BadPayload, InvalidRecurrence, UsageError
from mailkit.models.calendar import Attendee, AttendeeKind, Event, EventChange, Reminder, ShowAs
from mailkit.providers.calendar import EventFields
from mailkit.providers.guests import with_difference
from mailkit.providers.microsoft.calendar_wire import calendar_from_wire, event_from_wire
from mailkit.providers.microsoft.event_people import merged
from mailkit.providers.microsoft.event_to_wire import (
    Times,
    attendee_to_wire,
    event_to_wire,
    recurrence_to_wire,
    times_to_wire,
)
from mailkit.recurrence import Recurrence, windows_name
from mailkit.recurrence.moments import on_clock
from mailkit.values import Address
from tests.support.outlook_calendar import BERLIN, wire_event

UTC = ZoneInfo("Etc/UTC")
DAY = dt.timedelta(days=1)
# From 12 hours behind to 14 ahead, with halves and quarters, and clocks that change at midnight.
ZONES = [
    "Etc/GMT+12",
    "Pacific/Pago_Pago",
    "America/Los_Angeles",
    "America/Santiago",
    "America/St_Johns",
    "Atlantic/Azores",
    "Etc/UTC",
    "Europe/Berlin",
    "Africa/Cairo",
    "Asia/Beirut",
    "Asia/Tehran",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Pacific/Auckland",
    "Pacific/Chatham",
    "Pacific/Kiritimati",
]
zones = st.sampled_from(ZONES).map(ZoneInfo)
days = st.dates(dt.date(1990, 1, 1), dt.date(2080, 12, 31))
walls = st.builds(
    lambda day, seconds: dt.datetime.combine(day, dt.time()) + dt.timedelta(seconds=seconds, microseconds=seconds),
    days,
    st.integers(0, 86_399),
)


def read(item: dict[str, Any], **more: Any) -> Event:
    return event_from_wire(item, "$", account="work", calendar_id="primary", **more)


def as_graph(moment: dt.datetime, name: str) -> dict[str, str]:
    """What Graph writes: seven digits, no offset."""
    return {"dateTime": f"{moment.replace(tzinfo=None).isoformat(timespec='microseconds')}0", "timeZone": name}


def in_utc(moment: dt.datetime) -> dict[str, str]:
    return as_graph(moment.astimezone(dt.UTC), "UTC")


# -- times -------------------------------------------------------------------------------------------------------------


@given(wall=walls, zone=zones, minutes=st.integers(0, 3000))
def test_times_come_back_from_what_is_written_and_from_utc(wall: dt.datetime, zone: ZoneInfo, minutes: int) -> None:
    start = on_clock(wall, zone)
    end = (start.astimezone(dt.UTC) + dt.timedelta(minutes=minutes)).astimezone(zone)
    written = times_to_wire(Times(start=start, end=end, day_zone=UTC))
    own = {"originalStartTimeZone": windows_name(zone), "originalEndTimeZone": windows_name(zone)}
    # A write is answered in the zone it was given.
    for item in (wire_event(**own, start=in_utc(start), end=in_utc(end)), wire_event(**own, **written)):
        event = read(item)
        assert (event.start, event.end) == (start, end)
        assert isinstance(event.start, dt.datetime)
        assert isinstance(event.start.tzinfo, ZoneInfo)
        assert event.start.replace(tzinfo=None) == start.replace(tzinfo=None)
        assert event.zone_source is None


@given(day=days, length=st.integers(1, 40), zone=zones, asked=zones)
def test_whole_days_are_never_shifted(day: dt.date, length: int, zone: ZoneInfo, asked: ZoneInfo) -> None:
    end = day + length * DAY
    name = windows_name(zone)
    own = {"isAllDay": True, "originalStartTimeZone": name, "originalEndTimeZone": name}
    midnights = [on_clock(dt.datetime.combine(each, dt.time()), zone) for each in (day, end)]
    answers: list[dict[str, Any]] = [
        # at midnight, whatever zone was asked for
        {
            each: {"dateTime": f"{date}T00:00:00.0000000", "timeZone": windows_name(asked)}
            for each, date in (("start", day), ("end", end))
        },
        # as instants, in UTC or in the zone that was asked for
        {"start": in_utc(midnights[0]), "end": in_utc(midnights[1])},
        dict(times_to_wire(Times(start=day, end=end, day_zone=zone))),
    ]
    for answer in answers:
        event = read(wire_event(**{**own, **answer}))
        assert (event.start, event.end, event.is_all_day) == (day, end, True)


@given(day=days, zone=zones)
def test_a_changed_day_of_a_series_says_which_one_it_was(day: dt.date, zone: ZoneInfo) -> None:
    midnight = on_clock(dt.datetime.combine(day, dt.time()), zone)
    item = wire_event(
        type="exception",
        seriesMasterId="s1",
        isAllDay=True,
        start={"dateTime": f"{day + DAY}T00:00:00", "timeZone": "UTC"},
        end={"dateTime": f"{day + 2 * DAY}T00:00:00", "timeZone": "UTC"},
        originalStart=f"{midnight.astimezone(dt.UTC):%Y-%m-%dT%H:%M:%SZ}",
        originalStartTimeZone=windows_name(zone),
    )
    assert read(item).original_start == day


def test_a_time_of_a_series_that_became_a_day_says_which_one_it_was() -> None:
    item = wire_event(
        type="exception",
        seriesMasterId="s1",
        isAllDay=True,
        start={"dateTime": "2026-03-16T00:00:00", "timeZone": "UTC"},
        end={"dateTime": "2026-03-17T00:00:00", "timeZone": "UTC"},
        originalStart="2026-03-16T08:00:00Z",
        originalStartTimeZone="W. Europe Standard Time",
    )
    event = read(item)
    assert (event.kind, event.original_start) == ("exception", dt.datetime(2026, 3, 16, 9, tzinfo=BERLIN))


def test_start_and_end_may_lie_in_two_zones() -> None:
    event = read(
        wire_event(
            start={"dateTime": "2026-03-16T09:00:00.0000000", "timeZone": "W. Europe Standard Time"},
            end={"dateTime": "2026-03-16T11:00:00.0000000", "timeZone": "Eastern Standard Time"},
            originalEndTimeZone="Eastern Standard Time",
        )
    )
    assert event.start.isoformat() == "2026-03-16T09:00:00+01:00"
    assert event.end.isoformat() == "2026-03-16T11:00:00-04:00"


@pytest.mark.parametrize("name", ["tzone://Microsoft/Custom", "Customized Time Zone", "", None, "Nowhere"])
def test_a_zone_that_nobody_knows_is_told(name: str | None) -> None:
    item = wire_event(originalStartTimeZone=name, originalEndTimeZone=name)
    start = dt.datetime(2026, 3, 16, 8, tzinfo=dt.UTC)
    event = read(item)
    assert (event.start, event.zone_source) == (start, "start.timeZone")
    event = read(item, mailbox_zone=BERLIN)
    assert (event.start, event.zone_source) == (start, "mailboxSettings.timeZone")
    assert isinstance(event.start, dt.datetime)
    assert event.start.tzinfo is BERLIN
    unknown = {**item, "start": {**item["start"], "timeZone": "Nowhere"}}
    assert read(unknown).zone_source == "none"


def test_a_time_that_cannot_be_read_is_named_by_its_path() -> None:
    for item, path in (
        (wire_event(start={"dateTime": "soon", "timeZone": "UTC"}), "$.start.dateTime"),
        (wire_event(end=None), "$.end.dateTime"),
        (wire_event(id=""), "$.id"),
        (wire_event(attendees=["amy"]), "$.attendees[0]"),
    ):
        with pytest.raises(BadPayload) as problem:
            read(item)
        assert problem.value.path == path


# -- recurrences -------------------------------------------------------------------------------------------------------

RULES = [
    "FREQ=DAILY;INTERVAL=3",
    "FREQ=WEEKLY;INTERVAL=2;WKST=SU;COUNT=9",
    "FREQ=WEEKLY;COUNT=300",
    "FREQ=MONTHLY",
    "FREQ=YEARLY;COUNT=4",
]


@settings(max_examples=30)
@given(wall=walls, zone=zones, text=st.sampled_from(RULES))
def test_a_timed_series_keeps_its_wall_clock(wall: dt.datetime, zone: ZoneInfo, text: str) -> None:
    start = on_clock(wall.replace(day=min(wall.day, 28), microsecond=0), zone)
    span = Times(start=start, end=start + dt.timedelta(hours=1), day_zone=UTC)
    written = recurrence_to_wire(Recurrence.from_text(text), span)
    event = read(
        wire_event(type="seriesMaster", **times_to_wire(span, repeats=True), **written.body, originalStartTimeZone=None)
    )
    assert event.recurrence is not None
    assert isinstance(event.start, dt.datetime)
    if not start.fold:
        assert event.recurrence.first(event.start, 30) == Recurrence.from_text(text).first(start, 30)


@settings(max_examples=30)
@given(day=days, zone=zones, text=st.sampled_from(RULES))
def test_a_series_of_whole_days_keeps_its_days(day: dt.date, zone: ZoneInfo, text: str) -> None:
    day = day.replace(day=min(day.day, 28))
    span = Times(start=day, end=day + DAY, day_zone=zone)
    written = recurrence_to_wire(Recurrence.from_text(text), span)
    for zone_name in (windows_name(zone), ""):  # guests find none
        recurrence: Any = written.body["recurrence"]
        named = {**recurrence, "range": {**recurrence["range"], "recurrenceTimeZone": zone_name}}
        event = read(wire_event(type="seriesMaster", **times_to_wire(span), recurrence=named))
        assert event.recurrence is not None
        assert event.recurrence.first(event.start, 30) == Recurrence.from_text(text).first(day, 30)


def test_a_recurrence_that_cannot_be_read_stays_text() -> None:
    for recurrence in (
        {"pattern": {"type": "lunar"}, "range": {"type": "noEnd", "startDate": "2026-03-16"}},
        {"pattern": {"type": "daily", "interval": 1}, "range": {"type": "noEnd", "startDate": "2026-04-01"}},
    ):
        event = read(wire_event(type="seriesMaster", recurrence=recurrence))
        assert event.kind == "series"
        assert event.recurrence is None
        assert recurrence["pattern"]["type"] in event.recurrence_text[0]  # type: ignore[index]  # an object


def test_a_series_in_a_zone_that_nobody_knows_is_not_expanded() -> None:
    recurrence = {
        "pattern": {"type": "daily", "interval": 1},
        "range": {"type": "noEnd", "startDate": "2026-03-16", "recurrenceTimeZone": "Customized Time Zone"},
    }
    event = read(
        wire_event(type="seriesMaster", recurrence=recurrence, originalStartTimeZone="tzone://Microsoft/Custom")
    )
    assert event.recurrence is None
    assert "daily" in event.recurrence_text[0]
    assert event.zone_source == "start.timeZone"


def test_excluded_dates_are_taken_from_the_ids_of_what_was_cancelled() -> None:
    recurrence = {
        "pattern": {"type": "daily", "interval": 1},
        "range": {"type": "noEnd", "startDate": "2026-03-16", "recurrenceTimeZone": "W. Europe Standard Time"},
    }
    event = read(wire_event(type="seriesMaster", recurrence=recurrence, cancelledOccurrences=["OID.x.y.2026-03-29"]))
    assert event.recurrence is not None
    assert event.recurrence.exdates == (dt.datetime(2026, 3, 29, 9, tzinfo=BERLIN),)


# -- the rest ----------------------------------------------------------------------------------------------------------


def test_an_event_has_what_graph_says() -> None:
    event = read(
        wire_event(
            iCalUId="040000008200E00074C5B7101A82E00807EA0310ABCDEF",
            body={"contentType": "html", "content": "<p>Hi</p>"},
            location={"displayName": "Room 3"},
            showAs="workingElsewhere",
            sensitivity="confidential",
            isCancelled=True,
            isOrganizer=False,
            organizer={"emailAddress": {"name": "amy@x.example", "address": "amy@x.example"}},
            attendees=[
                {
                    "type": "resource",
                    "status": {"response": "accepted"},
                    "emailAddress": {"name": "Room 3", "address": "room3@x.example"},
                },
                {"type": "optional", "status": None, "emailAddress": {"address": "MIA@x.example"}},
            ],
            responseStatus={"response": "tentativelyAccepted"},
            responseRequested=False,
            isOnlineMeeting=True,
            onlineMeetingProvider="teamsForBusiness",
            onlineMeeting={"joinUrl": "https://teams.example/1"},
            isReminderOn=True,
            reminderMinutesBeforeStart=15,
            categories=["Blue"],
            webLink="https://outlook.example/1",
            createdDateTime="2026-03-01T08:00:00.1234567Z",
            lastModifiedDateTime="2026-03-02T08:00:00Z",
        ),
        me=frozenset({"mia@x.example"}),
    )
    assert event.ical_uid == "040000008200E00074C5B7101A82E00800000000ABCDEF"
    assert (event.body.text, event.location) == ("Hi", "Room 3")
    assert (event.show_as, event.visibility, event.status) == ("elsewhere", "private", "cancelled")
    assert event.organizer == Address(address="amy@x.example")
    assert [(a.kind, a.response, a.is_self) for a in event.attendees] == [
        ("room", "accepted", False),
        ("optional", "none", True),
    ]
    assert (event.my_response, event.wants_responses, event.is_organizer) == ("tentative", False, False)
    assert event.online_meeting is not None
    assert (event.online_meeting.kind, event.online_meeting.url) == ("teams", "https://teams.example/1")
    assert event.reminders == (Reminder(minutes=15),)
    assert event.categories == ("Blue",)
    assert event.etag == 'W/"1"'
    assert event.created == dt.datetime(2026, 3, 1, 8, 0, 0, 123456, tzinfo=dt.UTC)
    assert "Plan" in repr(event)


def test_an_event_of_few_members_is_an_event() -> None:
    event = read({"id": "e1", "start": wire_event()["start"], "end": wire_event()["end"]})
    assert (event.kind, event.title, event.reminders, event.attendees) == ("single", "", None, ())
    assert event.wants_responses


def test_a_calendar_has_what_graph_says() -> None:
    calendar = calendar_from_wire(
        {
            "id": "c1",
            "name": "Team\r\ncalendar",
            "hexColor": "",
            "color": "lightBlue",
            "canEdit": False,
            "owner": {"name": "Amy", "address": "amy@x.example"},
            "allowedOnlineMeetingProviders": ["teamsForBusiness", "unknown", "skypeForBusiness", "skypeForConsumer"],
        },
        "$",
        account="work",
    )
    assert (calendar.name, calendar.color, calendar.can_edit) == ("Team calendar", "lightBlue", False)
    assert calendar.owner == Address(name="Amy", address="amy@x.example")
    assert calendar.online_meetings == ("teams", "skype")


names = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=12)
addresses = st.builds("{}@x.example".format, st.text("abcXYZ", min_size=1, max_size=3))
kinds = st.sampled_from(get_args(AttendeeKind))
people = st.builds(
    lambda name, address, kind: Attendee(address=Address(name=name, address=address), kind=kind),
    names,
    addresses,
    kinds,
)


@given(
    title=names,
    text=names,
    location=names,
    show_as=st.sampled_from(get_args(ShowAs)),
    visibility=st.sampled_from(["default", "private"]),
    categories=st.lists(names, unique=True, max_size=3),
    reminders=st.lists(st.builds(Reminder, minutes=st.integers(0, 10_000)), max_size=1),
    responses=st.booleans(),
    attendees=st.lists(people, max_size=5, unique_by=lambda each: each.address.address.casefold()),
)
def test_fields_come_back(attendees: list[Attendee], responses: bool, **named: Any) -> None:
    named |= {"categories": tuple(named["categories"]), "reminders": tuple(named["reminders"])}
    written = event_to_wire(EventFields(**named, wants_responses=responses))
    assert not written.notes
    event = read(wire_event(**written.body, attendees=[attendee_to_wire(each) for each in attendees]))
    assert event.body.plain == named.pop("text")
    assert {name: getattr(event, name) for name in named} == named
    assert event.wants_responses is responses
    assert list(event.attendees) == attendees


@given(
    there=st.lists(people, max_size=6, unique_by=lambda each: each.address.address.casefold()),
    add=st.lists(people, max_size=6),
    remove=st.lists(addresses, max_size=3),
)
def test_guests_are_merged_once_each_and_kept_whole(
    there: list[Attendee], add: list[Attendee], remove: list[str]
) -> None:
    wires = [{**attendee_to_wire(each), "status": {"response": "accepted"}} for each in there]
    fields = EventFields(add_attendees=tuple(add), remove_attendees=frozenset(each.casefold() for each in remove))
    after = merged(wires, fields)
    keys = [item["emailAddress"]["address"].casefold() for item in after]  # type: ignore[index]  # an object
    gone = {each.casefold() for each in remove}
    assert len(keys) == len(set(keys))
    assert set(keys) == {each.address.address.casefold() for each in (*there, *add)} - gone
    assert [item for item in after if "status" in item] == [
        item for item, each in zip(wires, there, strict=True) if each.address.address.casefold() not in gone
    ]
    change = EventChange(event=read(wire_event(attendees=after)))
    told = with_difference(change, attrs.evolve(change.event, attendees=tuple(there)))
    assert {each.address.address.casefold() for each in told.removed} == gone & {
        each.address.address.casefold() for each in there
    }
    assert len(told.added) + len(told.unchanged) == len(after)


def test_who_has_no_address_stays_invited_and_is_no_attendee_without_a_name() -> None:
    there = [
        {"emailAddress": {"name": "Amy"}, "type": "optional"},
        {"emailAddress": {"name": "Bob"}, "type": "required"},
        {"emailAddress": {}, "type": "required"},
    ]
    cleo = Attendee(address=Address(address="cleo@example.com"))
    assert merged(there, EventFields(add_attendees=(cleo,))) == [*there, attendee_to_wire(cleo)]
    assert [each.address.name for each in read(wire_event(attendees=there)).attendees] == ["Amy", "Bob"]


def test_no_reminder_is_off_and_the_providers_own_is_left_to_it() -> None:
    assert event_to_wire(EventFields(reminders=())).body == {"isReminderOn": False}
    assert event_to_wire(EventFields(reminders=None)).body == {}
    assert event_to_wire(EventFields()).body == {}


def test_bad_times_are_refused() -> None:
    start = dt.datetime(2026, 3, 16, 9, tzinfo=BERLIN)
    for one, other in ((start, start.date()), (start, start - DAY), (start.date(), start.date())):
        with pytest.raises(UsageError):
            Times(start=one, end=other, day_zone=UTC)
    Times(start=start, end=start, day_zone=UTC)
    with pytest.raises(UsageError, match="no time zone like this"):
        times_to_wire(Times(start=start.astimezone(ZoneInfo("Antarctica/Troll")), end=start, day_zone=UTC))


def test_a_series_with_an_offset_instead_of_a_zone_is_refused() -> None:
    start = dt.datetime(2026, 3, 16, 9, tzinfo=dt.timezone(dt.timedelta(hours=1)))
    span = Times(start=start, end=start, day_zone=UTC)
    with pytest.raises(InvalidRecurrence):
        recurrence_to_wire(Recurrence.from_text("FREQ=DAILY"), span)
    assert times_to_wire(span)["start"] == {"dateTime": "2026-03-16T08:00:00", "timeZone": "UTC"}
