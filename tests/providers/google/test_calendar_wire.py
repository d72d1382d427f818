"""Google's calendar JSON ⇄ records, both ways: written by hand, and made up by hypothesis."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.errors import BadPayload, InvalidRecurrence, UsageError
from mailkit.models.calendar import Attendee, Calendar, Event, OnlineMeeting, Reminder
from mailkit.providers.calendar import EventFields
from mailkit.providers.google.calendar_people import attendees_from_wire, attendees_to_wire
from mailkit.providers.google.calendar_text import body_from_wire, text_to_wire
from mailkit.providers.google.calendar_time import instant_text, next_second, time_to_wire
from mailkit.providers.google.calendar_to_wire import event_to_wire, for_insert
from mailkit.providers.google.calendar_wire import Place, calendar_from_wire, event_from_wire, is_remnant
from mailkit.recurrence import Recurrence, parse_recurrence
from mailkit.values import Address, Ref

BERLIN, DETROIT = ZoneInfo("Europe/Berlin"), ZoneInfo("America/Detroit")
UTC = ZoneInfo("Etc/UTC")
PLACE = Place(account="home", calendar_id="primary", zone="Europe/Berlin")
TEN = dt.datetime(2026, 3, 9, 10, tzinfo=BERLIN)
HOUR, DAY = dt.timedelta(hours=1), dt.timedelta(days=1)


def timed(time: str, zone: str | None = "Europe/Berlin") -> dict[str, str]:
    return {"dateTime": time, **({} if zone is None else {"timeZone": zone})}


def wire(**more: Any) -> dict[str, Any]:
    times = {"start": timed("2026-03-09T10:00:00+01:00"), "end": timed("2026-03-09T11:00:00+01:00")}
    return {"id": "e1", "status": "confirmed", **times, **more}


def read(zone: str | None = "Europe/Berlin", **more: Any) -> Event:
    return event_from_wire(wire(**more), "$", attrs.evolve(PLACE, zone=zone))


def written(start: dt.date = TEN, **more: Any) -> dict[str, object]:
    length = HOUR if isinstance(start, dt.datetime) else DAY
    fields = EventFields(**{"start": start, "end": start + length, **more})
    return event_to_wire(fields, account="home", request_id="k")[0]


# Calendars and events


def test_a_calendar() -> None:
    entry = {
        "id": "c1@group.calendar.google.com",
        "summary": "Team",
        "summaryOverride": "My team",
        "accessRole": "writer",
        "dataOwner": "amy@example.com",
        "timeZone": "Europe/Berlin",
        "backgroundColor": "#9a9cff",
        "conferenceProperties": {"allowedConferenceSolutionTypes": ["eventHangout", "hangoutsMeet", "other"]},
    }
    calendar = calendar_from_wire(entry, "$", account="home")
    assert calendar == Calendar(
        ref=Ref(account="home", kind="calendar", id="c1@group.calendar.google.com"),
        name="My team",
        can_edit=True,
        owner=Address(address="amy@example.com"),
        tz="Europe/Berlin",
        color="#9a9cff",
        online_meetings=("hangouts", "meet"),
    )
    bare = calendar_from_wire(
        {"id": "a@x", "primary": True, "timeZone": "Nowhere", "accessRole": "reader"}, "$", account="h"
    )
    assert (bare.is_primary, bare.can_edit, bare.tz, bare.owner) == (True, False, None, Address(address="a@x"))


def test_an_event() -> None:
    event = read(
        etag='"7"',
        iCalUID="u@google.com",
        htmlLink="https://www.google.com/calendar/event?eid=x",
        created="2026-01-01T00:00:00.000Z",
        updated="2026-01-02T00:00:00.000Z",
        summary="Plans\n again",
        description="Text",
        location="Room 1\n2nd floor",
        colorId="11",
        organizer={"email": "amy@example.com", "displayName": "Amy"},
        attendees=[
            {"email": "ann@example.com", "self": True, "responseStatus": "tentative", "optional": True, "comment": "?"},
            {"email": "room@x.example", "displayName": "Room", "resource": True, "responseStatus": "accepted"},
            {"id": "no address"},
        ],
        transparency="opaque",
        visibility="confidential",
        conferenceData={
            "entryPoints": [
                {"entryPointType": "phone", "uri": "tel:+1"},
                {"entryPointType": "video", "uri": "https://zoom.example/1"},
            ],
            "conferenceSolution": {"key": {"type": "addOn"}, "name": "Zoom"},
        },
        reminders={
            "useDefault": False,
            "overrides": [{"method": "email", "minutes": 60}, {"method": "sms", "minutes": 5}],
        },
    )
    assert event == Event(
        ref=Ref(account="home", kind="event", id="e1", part="primary"),
        calendar=Ref(account="home", kind="calendar", id="primary"),
        ical_uid="u@google.com",
        title="Plans again",
        body=body_from_wire("Text"),
        location="Room 1\n2nd floor",
        start=TEN,
        end=TEN + HOUR,
        visibility="private",
        organizer=Address(name="Amy", address="amy@example.com"),
        attendees=(
            Attendee(
                address=Address(address="ann@example.com"),
                kind="optional",
                response="tentative",
                comment="?",
                is_self=True,
            ),
            Attendee(address=Address(name="Room", address="room@x.example"), kind="room", response="accepted"),
        ),
        my_response="tentative",
        online_meeting=OnlineMeeting(kind="zoom", url="https://zoom.example/1"),
        reminders=(Reminder(minutes=60, method="email"), Reminder(minutes=5)),
        color="11",
        link="https://www.google.com/calendar/event?eid=x",
        etag='"7"',
        created=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
        updated=dt.datetime(2026, 1, 2, tzinfo=dt.UTC),
    )
    assert event.start.tzinfo is BERLIN if isinstance(event.start, dt.datetime) else False


def test_an_old_conference_is_its_link() -> None:
    assert read(hangoutLink="https://meet.google.com/a").online_meeting == OnlineMeeting(
        kind="meet", url="https://meet.google.com/a"
    )
    assert read(conferenceData={"createRequest": {"requestId": "1"}}).online_meeting is None


@pytest.mark.parametrize(
    ("members", "shown"),
    [
        ({"transparency": "transparent"}, "free"),
        ({"status": "tentative"}, "tentative"),
        ({"eventType": "outOfOffice"}, "away"),
        ({"eventType": "workingLocation"}, "elsewhere"),
        ({"eventType": "workingLocation", "transparency": "transparent"}, "free"),
        ({"eventType": "focusTime"}, "busy"),
    ],
)
def test_how_time_is_shown(members: dict[str, str], shown: str) -> None:
    assert read(**members).show_as == shown


def test_zones_are_the_events_own_else_the_calendars() -> None:
    own = read(start=timed("2026-03-09T10:00:00+01:00", "America/Detroit"), end=timed("2026-03-09T11:00:00+01:00"))
    assert (own.start, own.zone_source) == (TEN, None)
    assert [getattr(each, "tzinfo", None) for each in (own.start, own.end)] == [DETROIT, BERLIN]
    for name in (None, "GMT-05:00", ""):
        other = read(start=timed("2026-03-09T10:00:00+01:00", name))
        assert (other.start, getattr(other.start, "tzinfo", None)) == (TEN, BERLIN)
        assert other.zone_source == "calendar"
    nowhere = read(
        zone=None, start=timed("2026-03-09T10:00:00+01:00", "Custom"), end=timed("2026-03-09T11:00:00+01:00", None)
    )
    assert (nowhere.start, nowhere.zone_source) == (TEN, "none")
    assert getattr(nowhere.end, "tzinfo", None) == UTC
    wall = read(start=timed("2026-03-09T10:00:00"), end=timed("2026-03-09T11:00:00"))
    assert (wall.start, wall.end) == (TEN, TEN + HOUR)


def test_whole_days_have_no_zone() -> None:
    event = read(zone="Pacific/Kiritimati", start={"date": "2026-03-09"}, end={"date": "2026-03-11"})
    assert (event.start, event.end, event.zone_source, event.is_all_day) == (
        dt.date(2026, 3, 9),
        dt.date(2026, 3, 11),
        None,
        True,
    )


def test_an_event_without_an_end_takes_no_time_or_the_day() -> None:
    assert read(end={}).end == TEN
    assert read(start={"date": "2026-03-09"}, end=None).end == dt.date(2026, 3, 10)


def test_occurrences_and_exceptions() -> None:
    due = timed("2026-03-09T10:00:00+01:00")
    occurrence = read(recurringEventId="s1", originalStartTime=due)
    assert (occurrence.kind, occurrence.original_start) == ("occurrence", TEN)
    assert occurrence.series == Ref(account="home", kind="event", id="s1", part="primary")
    moved = timed("2026-03-10T10:00:00+01:00")
    assert read(recurringEventId="s1", originalStartTime=moved).kind == "exception"
    assert read(recurringEventId="s1", originalStartTime=due, status="cancelled").kind == "exception"


def test_rules_are_read_or_kept_as_they_are() -> None:
    lines = ["RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE;TZID=Europe/Berlin:20260316T100000"]
    series = read(recurrence=lines)
    assert (series.kind, series.recurrence, series.recurrence_text) == ("series", parse_recurrence(lines, TEN), ())
    for odd in (
        ["RRULE:FREQ=WEEKLY;X-SKIP=YES"],
        ["RDATE;VALUE=PERIOD:20260309T090000Z/PT1H", lines[0]],
        [lines[0]] * 2,
    ):
        series = read(recurrence=odd)
        assert (series.kind, series.recurrence, series.recurrence_text) == ("series", None, tuple(odd))


def test_what_is_left_of_a_deleted_event() -> None:
    assert is_remnant({"id": "e1", "status": "cancelled"})
    assert not is_remnant({"id": "e1", "status": "cancelled", "originalStartTime": {"date": "2026-03-09"}})


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"id": None}, "$.id"),
        ({"start": None}, "$.start"),
        ({"start": {"dateTime": "soon"}}, "$.start"),
        ({"start": {"date": 5}}, "$.start.date"),
        ({"end": {"date": "2026-03-09"}}, "$.end"),
        ({"attendees": [{"email": 7}]}, "$.attendees[0].email"),
        ({"recurrence": "RRULE"}, "$.recurrence"),
        ({"reminders": {"overrides": [{"minutes": "5"}]}}, "$.reminders.overrides[0].minutes"),
        ({"updated": "2026"}, "$.updated"),
    ],
)
def test_what_cannot_be_read_is_named_by_its_path(members: dict[str, Any], path: str) -> None:
    with pytest.raises(BadPayload) as caught:
        read(**members)
    assert caught.value.path == path


# Writing


def test_nothing_is_written_but_what_is_named() -> None:
    assert event_to_wire(EventFields(), account="home", request_id="k") == ({}, ())
    assert event_to_wire(EventFields(title="x"), account="home", request_id="k")[0] == {"summary": "x"}


def test_times_are_written_whole() -> None:
    assert written() == {
        "start": {"date": None, "dateTime": "2026-03-09T10:00:00+01:00", "timeZone": "Europe/Berlin"},
        "end": {"date": None, "dateTime": "2026-03-09T11:00:00+01:00", "timeZone": "Europe/Berlin"},
    }
    assert for_insert(written(dt.date(2026, 3, 9))) == {"start": {"date": "2026-03-09"}, "end": {"date": "2026-03-10"}}
    assert time_to_wire(TEN.astimezone(dt.UTC)) == {"date": None, "dateTime": "2026-03-09T09:00:00Z", "timeZone": "UTC"}
    assert time_to_wire(TEN.astimezone(dt.timezone(HOUR)))["timeZone"] is None
    gap = dt.datetime(2026, 3, 29, 2, 30, tzinfo=BERLIN)
    assert time_to_wire(gap)["dateTime"] == "2026-03-29T02:30:00+01:00"  # which is half past three
    assert instant_text(dt.datetime(1880, 1, 1, tzinfo=BERLIN)) == "1879-12-31T23:06:32Z"
    assert next_second(TEN + dt.timedelta(microseconds=1)) == TEN + dt.timedelta(seconds=1)


def test_a_rule_is_written_with_the_zone_it_lives_in() -> None:
    rule = Recurrence.every("week", until=dt.date(2026, 4, 1))
    body = written(recurrence=rule)
    assert body["recurrence"] == ["RRULE:FREQ=WEEKLY;UNTIL=20260401T080000Z"]
    assert written(recurrence=None)["recurrence"] is None
    with pytest.raises(InvalidRecurrence):
        written(TEN.astimezone(dt.timezone(HOUR)), recurrence=rule)
    with pytest.raises(UsageError):
        event_to_wire(EventFields(recurrence=rule), account="home", request_id="k")
    current = read(start=timed("2026-03-09T10:00:00+01:00", None))
    again = event_to_wire(EventFields(recurrence=rule), account="home", request_id="k", current=current)[0]
    assert again == {"recurrence": body["recurrence"], **written()}
    offset, series = EventFields(start=TEN.astimezone(dt.timezone(HOUR))), read(recurrence=["RRULE:FREQ=DAILY"])
    with pytest.raises(InvalidRecurrence):
        event_to_wire(offset, account="home", request_id="k", current=series)


@pytest.mark.parametrize(
    ("start", "text", "said"),
    [
        (TEN, "FREQ=WEEKLY", []),
        (TEN.replace(microsecond=7), "FREQ=DAILY", []),
        (TEN.date(), "FREQ=WEEKLY;BYDAY=MO", []),
        (TEN, "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3", ["dtstart_mismatch"]),
        (TEN.date(), "FREQ=WEEKLY;BYDAY=TU", ["dtstart_mismatch"]),
        (TEN, "FREQ=DAILY;UNTIL=20260101", ["dtstart_mismatch"]),
    ],
)
def test_a_start_that_its_rule_does_not_name_is_said(start: dt.date, text: str, said: list[str]) -> None:
    rule = attrs.evolve(Recurrence.from_text(text), exdates=(start,))
    fields = EventFields(start=start, end=start + HOUR * 24, recurrence=rule)
    assert [note.code for note in event_to_wire(fields, account="home", request_id="k")[1]] == said
    current = read(start=time_to_wire(start), end=time_to_wire(start + HOUR * 24))
    alone = EventFields(recurrence=rule)
    assert [note.code for note in event_to_wire(alone, account="home", request_id="k", current=current)[1]] == said


def test_what_google_lacks_is_said() -> None:
    fields = EventFields(categories=("Red",), wants_responses=False, show_as="away", reminders=())
    body, notes = event_to_wire(fields, account="home", request_id="k")
    assert body == {
        "transparency": "opaque",
        "status": "confirmed",
        "reminders": {"useDefault": False, "overrides": []},
    }
    assert {(note.term, note.code, note.account) for note in notes} == {
        ("categories", "unsupported", "home"),
        ("wants_responses", "unsupported", "home"),
        ("show_as", "approximate", "home"),
    }
    quiet = EventFields(categories=(), wants_responses=True, show_as="tentative", color=None, online_meeting=False)
    assert event_to_wire(quiet, account="home", request_id="k") == (
        {"transparency": "opaque", "status": "tentative", "colorId": None, "conferenceData": None},
        (),
    )


@pytest.mark.parametrize(
    "fields", [EventFields(color="red"), EventFields(reminders=tuple(Reminder(minutes=n) for n in range(6)))]
)
def test_what_google_would_refuse_is_refused(fields: EventFields) -> None:
    with pytest.raises(UsageError):
        event_to_wire(fields, account="home", request_id="k")


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1)
TEXTS = st.lists(WORDS | st.sampled_from(["<b>", "</p>", "&lt;", "a<b", "<amy@x.example>", "&"]), min_size=1).map(
    " ".join
)


@given(st.lists(TEXTS, min_size=1).map("\n".join))
def test_plain_text_is_read_as_what_it_says(text: str) -> None:
    assert body_from_wire(text_to_wire(text)).text == text


def test_html_is_told_from_text() -> None:
    assert body_from_wire("see <b>it</b>").source == "html"
    assert body_from_wire("mail <amy@x.example> if a < b && c > d").source == "plain"
    assert body_from_wire("").text == ""


ZONES = st.sampled_from(
    ["Etc/GMT+12", "America/St_Johns", "UTC", "Europe/Berlin", "Asia/Kathmandu", "Pacific/Apia", "Etc/GMT-14"]
).map(ZoneInfo)
TIMES = st.builds(
    dt.datetime.fromtimestamp,
    st.integers(40_000_000, 4_000_000_000),
    ZONES,
)
DAYS = st.dates(dt.date(1971, 1, 1), dt.date(2100, 1, 1))
LENGTHS = st.integers(1, 40)
PEOPLE = st.lists(
    st.builds(
        Attendee,
        address=st.builds(
            Address, name=st.sampled_from(["", "Amy"]), address=st.sampled_from([f"{x}@x.example" for x in "abcd"])
        ),
        kind=st.sampled_from(["required", "optional", "room"]),
        response=st.sampled_from(["none", "accepted", "declined", "tentative"]),
        comment=st.sampled_from(["", "Late"]),
    ),
    unique_by=lambda each: each.address.address,
).map(tuple)


@given(start=TIMES | DAYS, length=LENGTHS, people=PEOPLE, zone=ZONES, data=st.data())
def test_what_is_written_is_read_back(
    start: dt.date, length: int, people: tuple[Attendee, ...], zone: ZoneInfo, data: st.DataObject
) -> None:
    unit = HOUR if isinstance(start, dt.datetime) else DAY
    end = (
        (start.astimezone(dt.UTC) + length * unit).astimezone(start.tzinfo)
        if isinstance(start, dt.datetime)
        else start + length * unit
    )
    fields = EventFields(
        title=data.draw(st.sampled_from(["", "Plans"])),
        start=start,
        end=end,
        recurrence=data.draw(st.none() | st.integers(1, 9).map(lambda n: Recurrence.every("week", n, count=3))),
        attendees=people,
        reminders=data.draw(
            st.none() | st.lists(st.builds(Reminder, minutes=st.integers(0, 99)), max_size=5).map(tuple)
        ),
        visibility=data.draw(st.sampled_from(["default", "public", "private"])),
        show_as=data.draw(st.sampled_from(["free", "busy", "tentative"])),
    )
    body, notes = event_to_wire(fields, account="home", request_id="k")
    made = for_insert({**body, "attendees": attendees_to_wire(fields, ()), "id": "e1"})
    event = event_from_wire(made, "$", attrs.evolve(PLACE, zone=zone.key))
    assert notes == ()
    names = ("title", "start", "end", "recurrence", "attendees", "reminders", "visibility", "show_as")
    assert {name: getattr(event, name) for name in names} == {name: getattr(fields, name) for name in names}
    assert event.zone_source is None
    assert isinstance(event.start, dt.datetime) is isinstance(start, dt.datetime)


# Guest lists


def test_a_guest_list_is_changed_and_nobody_is_forgotten() -> None:
    there: list[dict[str, Any]] = [
        {
            "email": "A@example.com",
            "responseStatus": "accepted",
            "optional": True,
            "comment": "late",
            "additionalGuests": 2,
        },
        {"email": "b@example.com", "responseStatus": "declined"},
        {"id": "1"},
        {"id": "2"},
    ]
    assert attendees_to_wire(EventFields(title="x"), there) is None
    cleo = Attendee(address=Address(name="Cleo", address="Cleo@example.com"))
    again = Attendee(address=Address(address="a@EXAMPLE.com"))
    added = attendees_to_wire(EventFields(add_attendees=(cleo, again, cleo)), there)
    assert added == [*there, {"email": "Cleo@example.com", "displayName": "Cleo"}]
    assert attendees_to_wire(EventFields(remove_attendees=frozenset({"b@example.com"})), there) == [
        there[0],
        *there[2:],
    ]
    replaced = attendees_to_wire(EventFields(attendees=(cleo, again, again)), there)
    kept = {name: value for name, value in there[0].items() if name != "optional"}
    assert replaced == [{"email": "Cleo@example.com", "displayName": "Cleo"}, kept]
    assert attendees_from_wire({"attendees": there}, "$")[0].kind == "optional"


# Series
