"""Random records of calendars, times in zones whose clocks change among them."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from mailkit.models import (
    Attendee,
    Body,
    Busy,
    Calendar,
    Event,
    EventChange,
    FreeBusy,
    FreeSlot,
    OnlineMeeting,
    Reminder,
    Room,
)
from mailkit.recurrence import Recurrence
from mailkit.values import Ref
from tests.models.strategies import addresses, instants, maybe_text, names, notes, refs, text

BERLIN = ZoneInfo("Europe/Berlin")
zoned = instants.map(lambda instant: instant.astimezone(BERLIN)) | st.sampled_from(
    [dt.datetime(2026, 10, 25, 2, 30, tzinfo=BERLIN, fold=fold) for fold in (0, 1)]
)
moments = zoned | instants | st.dates(dt.date(1990, 1, 1), dt.date(2090, 1, 1))
calendar_refs = st.builds(Ref, account=names, kind=st.just("calendar"), id=st.text(min_size=1, max_size=12))
responses = st.sampled_from(["none", "accepted", "declined", "tentative"])
rules = st.sampled_from(
    [
        Recurrence.every("week", on=["MO", "TH"]),
        Recurrence.every("day", count=3),
        Recurrence.from_text("RRULE:FREQ=DAILY;UNTIL=20260401T070000Z\nEXDATE;TZID=Europe/Berlin:20260317T090000"),
        Recurrence.from_text("RRULE:FREQ=YEARLY\nRDATE;VALUE=DATE:20270101"),
    ]
)
attendees = st.builds(
    Attendee,
    address=addresses,
    kind=st.sampled_from(["required", "optional", "room"]),
    response=responses,
    comment=text,
    is_self=st.booleans(),
)
people = st.lists(attendees, max_size=2).map(tuple)
calendars = st.builds(
    Calendar,
    ref=calendar_refs,
    name=text,
    is_primary=st.booleans(),
    owner=st.none() | addresses,
    tz=st.none() | st.just("Europe/Berlin"),
    online_meetings=st.lists(text, max_size=2).map(tuple),
)
events = st.builds(
    Event,
    ref=refs,
    calendar=calendar_refs,
    ical_uid=maybe_text,
    kind=st.sampled_from(["single", "series", "occurrence", "exception"]),
    title=text,
    body=st.builds(Body, plain=maybe_text),
    location=text,
    start=moments,
    end=moments,
    recurrence=st.none() | rules,
    recurrence_text=st.lists(text, max_size=2).map(tuple),
    series=st.none() | refs,
    original_start=st.none() | moments,
    status=st.sampled_from(["confirmed", "tentative", "cancelled"]),
    organizer=st.none() | addresses,
    attendees=people,
    my_response=responses,
    online_meeting=st.none() | st.builds(OnlineMeeting, kind=text, url=maybe_text),
    reminders=st.none() | st.lists(st.builds(Reminder, minutes=st.integers(0, 99)), max_size=2).map(tuple),
    categories=st.lists(text, max_size=2).map(tuple),
    created=st.none() | instants,
    also=st.lists(refs, max_size=2).map(tuple),
    notes=st.lists(notes, max_size=2).map(tuple),
)
event_changes = st.builds(
    EventChange,
    event=events,
    added=people,
    removed=people,
    old=st.none() | events,
    carried=st.lists(refs, max_size=2).map(tuple),
    lost=st.lists(moments, max_size=2).map(tuple),
    notes=st.lists(notes, max_size=2).map(tuple),
)
busy = st.builds(Busy, start=zoned, end=zoned, status=st.sampled_from(["busy", "tentative", "away", "elsewhere"]))
free_busy = st.builds(
    FreeBusy,
    who=text,
    account=names,
    busy=st.lists(busy, max_size=2).map(tuple),
    known=st.booleans(),
    reason=maybe_text,
)
free_slots = st.builds(FreeSlot, start=zoned, end=zoned)
rooms = st.builds(Room, account=names, address=addresses, uses=st.integers(0, 9), building=maybe_text)
calendar_rows = calendars | events | free_busy | free_slots | rooms
