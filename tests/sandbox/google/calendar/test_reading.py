"""Events read: windows, expansion, pages, search, sync, zones, privacy."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mailkit.sandbox import Changed, Event, Guest, Person
from tests.support.google_calendar import GoogleCalendar, days, timed

_BERLIN = ZoneInfo("Europe/Berlin")


def _at(day: int, hour: int, month: int = 3) -> dt.datetime:
    return dt.datetime(2026, month, day, hour, tzinfo=_BERLIN)


def _series(ann: GoogleCalendar, **more: Any) -> str:
    return ann.box.add_event(Event(title="Daily", start=_at(27, 9), recurrence=["RRULE:FREQ=DAILY;COUNT=5"], **more))


def test_a_seed_is_shown_in_googles_words(ann: GoogleCalendar) -> None:
    id_ = ann.box.add_event(
        Event(
            title="Plans",
            start=_at(16, 9),
            end=_at(16, 10),
            text="Bring tea",
            location="Room 2",
            guests=[Guest(Person("Bob", "bob@example.com"), kind="optional", response="tentative", comment="maybe")],
            show_as="free",
            visibility="private",
            reminders=(5, 60),
            meeting_url="https://meet.google.com/abc-defg-hij",
            properties={"colorId": "3"},
        )
    )
    assert ann.get(id_) | {"htmlLink": ""} == {
        "kind": "calendar#event",
        "etag": '"3400000000000004"',
        "id": id_,
        "status": "confirmed",
        "htmlLink": "",
        "created": "2026-03-15T12:00:00.000Z",
        "updated": "2026-03-15T12:00:00.000Z",
        "summary": "Plans",
        "description": "Bring tea",
        "location": "Room 2",
        "creator": {"email": "ann@example.com", "self": True},
        "organizer": {"email": "ann@example.com", "displayName": "Ann Lee", "self": True},
        "start": {"dateTime": "2026-03-16T09:00:00+01:00", "timeZone": "Europe/Berlin"},
        "end": {"dateTime": "2026-03-16T10:00:00+01:00", "timeZone": "Europe/Berlin"},
        "iCalUID": f"{id_}@google.com",
        "sequence": 0,
        "transparency": "transparent",
        "visibility": "private",
        "attendees": [
            {
                "email": "bob@example.com",
                "displayName": "Bob",
                "optional": True,
                "responseStatus": "tentative",
                "comment": "maybe",
            }
        ],
        "hangoutLink": "https://meet.google.com/abc-defg-hij",
        "conferenceData": {
            "entryPoints": [
                {
                    "entryPointType": "video",
                    "uri": "https://meet.google.com/abc-defg-hij",
                    "label": "meet.google.com/abc-defg-hij",
                }
            ],
            "conferenceSolution": {"key": {"type": "hangoutsMeet"}, "name": "Google Meet"},
            "conferenceId": "abc-defg-hij",
        },
        "reminders": {
            "useDefault": False,
            "overrides": [{"method": "popup", "minutes": 5}, {"method": "popup", "minutes": 60}],
        },
        "eventType": "default",
        "colorId": "3",
    }


@pytest.mark.parametrize(
    ("start", "end", "found"),
    [
        ("2026-03-16T09:00:00+01:00", "2026-03-16T10:00:00+01:00", True),
        ("2026-03-16T08:59:59Z", "2026-03-16T12:00:00Z", True),  # still under way
        ("2026-03-16T09:00:00Z", "2026-03-16T12:00:00Z", False),  # timeMin is exclusive of the end
        ("2026-03-16T07:00:00Z", "2026-03-16T08:00:00Z", False),  # timeMax is exclusive of the start
    ],
)
def test_windows_take_what_overlaps(ann: GoogleCalendar, start: str, end: str, found: bool) -> None:
    ann.insert(timed("2026-03-16T09:00:00", "2026-03-16T10:00:00"))
    for single in ("true", "false"):
        assert bool(ann.rows(timeMin=start, timeMax=end, singleEvents=single)) == found


def test_days_are_days_of_the_calendar(ann: GoogleCalendar) -> None:
    ann.insert(days("2026-03-16", "2026-03-17"))
    assert ann.rows(timeMin="2026-03-15T22:30:00Z", timeMax="2026-03-15T23:00:00Z") == []
    assert len(ann.rows(timeMin="2026-03-15T22:30:00Z", timeMax="2026-03-15T23:00:01Z")) == 1
    (row,) = ann.rows(timeZone="Asia/Tokyo")
    assert (row["start"], row["end"]) == ({"date": "2026-03-16"}, {"date": "2026-03-17"})


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ({"timeMin": "2026-03-16T09:00:00"}, "badRequest"),
        ({"timeMin": "2026-03-16"}, "badRequest"),
        ({"timeMin": "2026-03-16T09:00:00Z", "timeMax": "2026-03-16T09:00:00Z"}, "timeRangeEmpty"),
        ({"orderBy": "startTime"}, "badRequest"),
        ({"orderBy": "size"}, "invalidParameter"),
        ({"singleEvents": "yes"}, "invalidParameter"),
        ({"maxResults": 0}, "invalidParameter"),
        ({"timeZone": "Nowhere"}, "invalid"),
        ({"pageToken": "garbage"}, "invalid"),
    ],
)
def test_what_a_list_refuses(ann: GoogleCalendar, query: dict[str, Any], reason: str) -> None:
    assert ann.refused("events", **query) == (400, reason)


def test_series_are_expanded_on_the_wall_clock(ann: GoogleCalendar) -> None:
    id_ = _series(ann)
    rows = ann.expanded(timeMin="2026-03-28T00:00:00Z", timeMax="2026-03-30T23:00:00Z")
    assert [row["id"] for row in rows] == [
        f"{id_}_20260328T080000Z",
        f"{id_}_20260329T070000Z",
        f"{id_}_20260330T070000Z",
    ]
    assert rows[1]["start"] == {"dateTime": "2026-03-29T09:00:00+02:00", "timeZone": "Europe/Berlin"}
    assert rows[1]["originalStartTime"] == rows[1]["start"]
    assert {row["recurringEventId"] for row in rows} == {id_}
    assert not any("recurrence" in row for row in rows)
    assert ann.get(rows[1]["id"]) == rows[1]
    assert ann.get(id_)["recurrence"] == ["RRULE:FREQ=DAILY;COUNT=5"]
    assert [row["id"] for row in ann.rows(timeMin="2026-03-30T00:00:00Z")] == [id_]
    assert ann.rows(timeMin="2026-04-30T00:00:00Z") == []


def test_days_of_a_series_are_named_by_date(ann: GoogleCalendar) -> None:
    id_ = ann.insert(days("2026-03-28", "2026-03-30", recurrence=["RRULE:FREQ=WEEKLY;COUNT=2"]))["id"]
    rows = ann.told(f"events/{id_}/instances")["items"]
    assert [row["id"] for row in rows] == [f"{id_}_20260328", f"{id_}_20260404"]
    assert rows[1]["end"] == {"date": "2026-04-06"}
    assert rows[1]["originalStartTime"] == {"date": "2026-04-04"}


def test_exceptions_stand_where_they_were_moved(ann: GoogleCalendar) -> None:
    moved = Event(title="Moved", start=_at(20, 15, 4))
    id_ = _series(ann, exceptions=[Changed(original=_at(28, 9), event=moved), Changed(original=_at(29, 9))])
    off, there = f"{id_}_20260329T070000Z", f"{id_}_20260328T080000Z"
    assert [row["start"]["dateTime"][:10] for row in ann.expanded()] == [
        "2026-03-27",
        "2026-03-30",
        "2026-03-31",
        "2026-04-20",
    ]
    assert (
        ann.expanded(timeMin="2026-04-19T00:00:00Z")[0]["originalStartTime"]["dateTime"] == "2026-03-28T09:00:00+01:00"
    )
    # who expands series alone is told of those that are off
    assert [(row["id"], row["status"]) for row in ann.rows()] == [
        (id_, "confirmed"),
        (there, "confirmed"),
        (off, "cancelled"),
    ]
    assert [row["id"] for row in ann.expanded(showDeleted="true") if row["status"] == "cancelled"] == [off]
    assert set(ann.get(off)) == {"kind", "etag", "id", "status", "recurringEventId", "originalStartTime"}
    found = ann.told(f"events/{id_}/instances", originalStart="2026-03-28T08:00:00Z")["items"]
    assert [row["id"] for row in found] == [there]
    assert len(ann.told(f"events/{id_}/instances", showDeleted="true")["items"]) == 5


def test_pages_lose_nothing_while_the_calendar_changes(ann: GoogleCalendar) -> None:
    _series(ann)
    for hour in range(8, 18):
        ann.box.add_event(Event(title="x", start=_at(16, hour)))
    wanted = [row["id"] for row in ann.expanded()]
    seen: list[str] = []
    token: dict[str, str] = {}
    while True:
        page = ann.told("events", singleEvents="true", orderBy="startTime", maxResults=4, **token)
        seen += [row["id"] for row in page["items"]]
        if "nextPageToken" not in page:
            break
        token = {"pageToken": page["nextPageToken"]}
        ann.delete(seen[0] if len(seen) == 4 else seen[-1])
        ann.box.add_event(Event(title="new", start=_at(15, 1)))
    assert seen == wanted


def test_a_series_without_an_end_is_shown_for_years(ann: GoogleCalendar) -> None:
    ann.insert(timed("2026-03-16T09:00:00", "2026-03-16T10:00:00", recurrence=["RRULE:FREQ=WEEKLY"]))
    page = ann.told("events", singleEvents="true", maxResults=2500)
    assert 100 < len(page["items"]) < 200
    assert "nextPageToken" not in page


@pytest.mark.parametrize(
    ("query", "found"),
    [("plans", True), ("PLANS tea", True), ("bob", True), ("room", True), ("plan", False), ("plans coffee", False)],
)
def test_search(ann: GoogleCalendar, query: str, found: bool) -> None:
    ann.box.add_event(
        Event(
            title="Plans", start=_at(16, 9), html="<p>tea</p>", location="Room 2", guests=Person("Bob", "b@x.example")
        )
    )
    assert bool(ann.rows(q=query)) == found


def test_events_are_found_by_what_was_noted_on_them(ann: GoogleCalendar) -> None:
    body = timed("2026-03-16T09:00:00", "2026-03-16T10:00:00")
    one = ann.insert(body | {"extendedProperties": {"private": {"job": "7"}}})
    ann.insert(body | {"eventType": "outOfOffice"})
    assert [row["id"] for row in ann.rows(privateExtendedProperty="job=7")] == [one["id"]]
    assert ann.rows(privateExtendedProperty="job=8") == []
    assert ann.rows(sharedExtendedProperty="job=7") == []
    assert [row["id"] for row in ann.rows(iCalUID=one["iCalUID"])] == [one["id"]]
    assert [row["id"] for row in ann.rows(eventTypes=["default", "focusTime"])] == [one["id"]]


def test_sync_gives_what_changed_and_expires(ann: GoogleCalendar) -> None:
    kept = ann.insert(timed("2026-03-16T09:00:00", "2026-03-16T10:00:00"))
    gone = ann.insert(timed("2026-03-17T09:00:00", "2026-03-17T10:00:00"))
    token = ann.told("events")["nextSyncToken"]
    assert ann.rows(syncToken=token) == []
    ann.patch(kept["id"], {"summary": "Other"})
    ann.delete(gone["id"])
    page = ann.told("events", syncToken=token)
    assert {(row["id"], row["status"]) for row in page["items"]} == {
        (kept["id"], "confirmed"),
        (gone["id"], "cancelled"),
    }
    assert ann.rows(syncToken=page["nextSyncToken"]) == []
    assert "nextSyncToken" not in ann.told("events", q="other")
    ann.box.calendars.expire_sync_tokens()
    assert ann.refused("events", syncToken=page["nextSyncToken"]) == (410, "fullSyncRequired")
    assert ann.refused("events", syncToken="garbage") == (410, "fullSyncRequired")


def test_events_are_found_by_their_last_change(ann: GoogleCalendar) -> None:
    old = ann.insert(timed("2026-03-16T09:00:00", "2026-03-16T10:00:00"))
    ann.sandbox.clock.advance(60)  # type: ignore[attr-defined]  # a VirtualClock
    new = ann.insert(timed("2026-03-16T08:00:00", "2026-03-16T10:00:00"))
    assert [row["id"] for row in ann.rows(updatedMin="2026-03-15T12:00:30Z")] == [new["id"]]
    ann.sandbox.clock.advance(60)  # type: ignore[attr-defined]  # see above
    ann.delete(old["id"])
    assert [row["id"] for row in ann.rows(orderBy="updated", showDeleted="true")] == [new["id"], old["id"]]
    assert [row["status"] for row in ann.rows(updatedMin="2026-03-15T12:01:30Z")] == ["cancelled"]


def test_others_see_no_more_than_they_may(ann: GoogleCalendar) -> None:
    for role in ("reader", "freeBusyReader"):
        calendar = ann.box.add_calendar(role, role=role)
        ann.box.add_event(Event(title="Secret", start=_at(16, 9), visibility="private", calendar=role))
        ann.box.add_event(Event(title="Open", start=_at(16, 9), calendar=role))
        rows = ann.told(f"/calendars/{calendar.id}/events")["items"]
        assert sorted(row.get("summary", "") for row in rows) == (["", "Open"] if role == "reader" else ["", ""])


def test_few_guests_are_shown_when_asked(ann: GoogleCalendar) -> None:
    guests = [Person("", address) for address in ("ann@example.com", "bob@example.com", "cleo@example.com")]
    ann.box.add_event(Event(title="x", start=_at(16, 9), guests=guests))
    (row,) = ann.rows(maxAttendees=1)
    assert (len(row["attendees"]), row["attendees"][0]["self"], row["attendeesOmitted"]) == (1, True, True)
    assert len(ann.rows(maxAttendees=3)[0]["attendees"]) == 3


def test_what_is_nowhere(ann: GoogleCalendar) -> None:
    other = ann.box.add_calendar("Other")
    id_ = ann.insert(timed("2026-03-16T09:00:00", "2026-03-16T10:00:00"))["id"]
    assert ann.refused(f"/calendars/{other.id}/events/{id_}") == (404, "notFound")
    assert ann.refused("/calendars/nobody@example.com/events") == (404, "notFound")
    assert ann.refused(f"events/{id_}_20260316T080000Z") == (404, "notFound")
    assert ann.refused(f"events/{id_}/instances") == (400, "badRequest")
    series = _series(ann)
    assert ann.refused(f"events/{series}_20260328T090000Z") == (404, "notFound")
