from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mailkit.sandbox import Changed, Event, Guest, Person
from mailkit.sandbox.microsoft import MicrosoftMailbox
from tests.support.graph import IMMUTABLE, Graph
from tests.support.meetings import view

BERLIN = ZoneInfo("Europe/Berlin")
BOB = Person("Bob Ray", "bob@contoso.example")


def berlin(*parts: int) -> dt.datetime:
    return dt.datetime(*parts, tzinfo=BERLIN)  # type: ignore[arg-type, misc]  # year, month, day, hour, minute


def starts(rows: list[dict[str, Any]]) -> list[str]:
    return [row["start"]["dateTime"][:16] for row in rows]


def weekly(**fields: Any) -> Event:
    """Every Monday at nine, over the end of summer time's winter."""
    usual: dict[str, Any] = {"title": "Team", "start": berlin(2026, 3, 23, 9)}
    return Event(**(usual | {"recurrence": "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=4"} | fields))


def test_a_single_event_in_full(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add_event(
        Event(
            title="Lunch",
            start=berlin(2026, 3, 2, 12),
            organizer=None,
            guests=[Guest(BOB, kind="optional", response="tentative", answered=berlin(2026, 3, 1, 9))],
            html="<p>At <b>Harry's</b></p>",
            location="Harry's Bar",
            show_as="away",
            visibility="private",
            reminders=(30,),
            categories=["Food"],
        )
    )
    seen = graph.json(f"/me/events/{key}", prefer=IMMUTABLE)
    assert seen.pop("@odata.context").endswith("#users('ann%40contoso.example')/events/$entity")
    assert seen["id"] == key
    assert seen["start"] == {"dateTime": "2026-03-02T11:00:00.0000000", "timeZone": "UTC"}
    assert seen["end"] == {"dateTime": "2026-03-02T12:00:00.0000000", "timeZone": "UTC"}
    assert seen["originalStartTimeZone"] == "W. Europe Standard Time"
    assert (seen["subject"], seen["bodyPreview"]) == ("Lunch", "At Harry's")
    assert seen["body"]["contentType"] == "html"
    assert (seen["type"], seen["seriesMasterId"], seen["recurrence"]) == ("singleInstance", None, None)
    assert (seen["showAs"], seen["sensitivity"], seen["categories"]) == ("oof", "private", ["Food"])
    assert (seen["isReminderOn"], seen["reminderMinutesBeforeStart"]) == (True, 30)
    assert (seen["isOrganizer"], seen["responseStatus"]["response"]) == (True, "organizer")
    assert seen["organizer"] == {"emailAddress": {"name": "Ann Lee", "address": "ann@contoso.example"}}
    assert seen["attendees"] == [
        {
            "type": "optional",
            "status": {"response": "tentativelyAccepted", "time": "2026-03-01T08:00:00Z"},
            "emailAddress": {"name": "Bob Ray", "address": "bob@contoso.example"},
        }
    ]
    assert seen["location"]["displayName"] == "Harry's Bar"
    assert "originalStart" not in seen
    assert "cancelledOccurrences" not in seen
    text = graph.json(f"/me/events/{key}", prefer='outlook.body-content-type="text"')
    assert text["body"] == {"contentType": "text", "content": "At Harry's"}


def test_ids_of_both_kinds_lead_to_an_event(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add_event(weekly())
    shown = graph.json(f"/me/events/{key}")["id"]
    assert shown != key
    for owner in ("me", "users/ann@contoso.example"):
        assert graph.json(f"/{owner}/events/{shown}", prefer=IMMUTABLE)["id"] == key
        assert graph.json(f"/{owner}/calendar/events/{key}")["id"] == shown
    (first, *_) = view(graph, "2026-03-23T00:00:00Z", "2026-03-24T00:00:00Z", prefer=IMMUTABLE)
    assert first["seriesMasterId"] == key
    assert graph.json(f"/me/events/{first['id']}")["type"] == "occurrence"
    assert graph.refusal("/me/events/none") == (404, "ErrorItemNotFound")


def test_a_list_holds_series_whole_and_a_view_what_takes_place(box: MicrosoftMailbox, graph: Graph) -> None:
    box.add_event(weekly())
    box.add_event(Event(title="Once", start=berlin(2026, 3, 30, 15)))
    (series, once) = graph.json("/me/events")["value"]
    assert (series["type"], once["type"]) == ("seriesMaster", "singleInstance")
    assert series["recurrence"]["range"] == {
        "type": "numbered",
        "startDate": "2026-03-23",
        "endDate": "0001-01-01",
        "recurrenceTimeZone": "W. Europe Standard Time",
        "numberOfOccurrences": 4,
    }
    assert series["recurrence"]["pattern"]["firstDayOfWeek"] == "monday"
    rows = view(graph, "2026-03-25T00:00:00Z", "2026-04-07T00:00:00Z")
    assert [row["subject"] for row in rows] == ["Team", "Once", "Team"]
    assert starts(rows) == ["2026-03-30T07:00", "2026-03-30T13:00", "2026-04-06T07:00"]
    assert rows[0]["originalStart"] == "2026-03-30T07:00:00Z"
    assert rows[0]["recurrence"] is None
    assert len({row["iCalUId"] for row in rows}) == 3


def test_what_a_view_overlaps(box: MicrosoftMailbox, graph: Graph) -> None:
    for start, end in ((8, 9), (8, 10), (10, 11), (11, 12), (7, 13)):
        box.add_event(
            Event(
                title=f"{start}-{end}",
                start=dt.datetime(2026, 3, 2, start, tzinfo=dt.UTC),
                end=dt.datetime(2026, 3, 2, end, tzinfo=dt.UTC),
            )
        )
    rows = view(graph, "2026-03-02T09:00:00Z", "2026-03-02T11:00:00Z")
    assert [row["subject"] for row in rows] == ["7-13", "8-10", "10-11"]


def test_the_rules_of_a_view(box: MicrosoftMailbox, graph: Graph) -> None:
    def refusal(query: str) -> tuple[int, str]:
        answer = graph.http.get(f"/me/calendarView?{query}")
        return answer.status_code, answer.json()["error"]["code"]

    assert refusal("startDateTime=2026-01-01T00:00:00Z") == (400, "BadRequest")
    assert refusal("startDateTime=soon&endDateTime=later") == (400, "BadRequest")
    assert refusal("startDateTime=2026-01-02T00:00:00Z&endDateTime=2026-01-01T00:00:00Z")[0] == 400
    assert refusal("startDateTime=2021-01-01T00:00:00Z&endDateTime=2026-01-01T00:00:00Z") == (
        400,
        "ErrorInvalidRequest",
    )
    assert graph.refusal("/me/events", search="x") == (400, "BadRequest")
    key = box.add_event(weekly())
    # The documentation writes a range without an offset, with seven digits: UTC.
    assert len(view(graph, "2026-03-30T07:00:00.0000000", "2026-04-06T07:00:00.0000000")) == 1
    assert len(view(graph, "2026-03-30T09:30:00+02:00", "2026-04-06T09:00:01+02:00")) == 2
    path = f"/me/events/{key}/instances"
    assert starts(view(graph, "2026-04-01T00:00:00Z", "2026-05-01T00:00:00Z", path)) == [
        "2026-04-06T07:00",
        "2026-04-13T07:00",
    ]
    assert graph.refusal(path) == (400, "BadRequest")


def test_times_come_in_the_preferred_zone(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add_event(weekly())
    for zone, clock in (
        ("Pacific Standard Time", "2026-03-23T01:00:00.0000000"),
        ("Asia/Kolkata", "2026-03-23T13:30:00.0000000"),
    ):
        answer = graph.get(f"/me/events/{key}", prefer=f'outlook.timezone="{zone}"')
        assert answer.json()["start"] == {"dateTime": clock, "timeZone": zone}
        assert answer.headers["preference-applied"] == f'outlook.timezone="{zone}"'
    answer = graph.get(f"/me/events/{key}", prefer='outlook.timezone="Middle Earth Standard Time"')
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "TimeZoneNotSupportedException")


@pytest.mark.parametrize("zone", ["Etc/GMT+12", "America/Los_Angeles", "UTC", "Europe/Berlin", "Pacific/Kiritimati"])
def test_all_day_is_midnight_in_every_zone(graph: Graph, box: MicrosoftMailbox, zone: str) -> None:
    key = box.add_event(
        Event(
            title="Fair", start=dt.date(2026, 7, 4), end=dt.date(2026, 7, 6), properties={"originalStartTimeZone": zone}
        )
    )
    for prefer in ("", 'outlook.timezone="Tokyo Standard Time"'):
        seen = graph.json(f"/me/events/{key}", prefer=prefer)
        assert seen["isAllDay"]
        assert [seen[side]["dateTime"] for side in ("start", "end")] == [
            "2026-07-04T00:00:00.0000000",
            "2026-07-06T00:00:00.0000000",
        ]
    box.calendars.moves_all_day = True
    moved = graph.json(f"/me/events/{key}")["start"]["dateTime"][:16]
    midnight = dt.datetime(2026, 7, 4, tzinfo=ZoneInfo(zone)).astimezone(dt.UTC)
    assert moved == f"{midnight:%Y-%m-%dT%H:%M}"


def test_a_zone_of_somebodys_own_is_shown_as_it_is(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add_event(
        Event(start=berlin(2026, 3, 2, 9), properties={"originalStartTimeZone": "tzone://Microsoft/Custom"})
    )
    seen = graph.json(f"/me/events/{key}")
    assert seen["originalStartTimeZone"] == "tzone://Microsoft/Custom"
    assert seen["start"] == {"dateTime": "2026-03-02T08:00:00.0000000", "timeZone": "UTC"}


def test_exceptions_and_gaps_of_a_series(box: MicrosoftMailbox, graph: Graph) -> None:
    moved = Event(title="Team, later", start=berlin(2026, 3, 31, 15))
    key = box.add_event(
        weekly(
            recurrence=["RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=5", "EXDATE;TZID=Europe/Berlin:20260420T090000"],
            exceptions=[
                Changed(original=berlin(2026, 3, 30, 9), event=moved),
                Changed(original=berlin(2026, 4, 6, 9)),
            ],
        )
    )
    rows = view(graph, "2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z", f"/me/events/{key}/instances")
    assert [(row["type"], row["start"]["dateTime"][:16]) for row in rows] == [
        ("occurrence", "2026-03-23T08:00"),
        ("exception", "2026-03-31T13:00"),
        ("occurrence", "2026-04-13T07:00"),
    ]
    assert rows[1]["originalStart"] == "2026-03-30T07:00:00Z"
    assert rows == view(graph, "2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z")
    assert "cancelledOccurrences" not in graph.json(f"/me/events/{key}")
    master = graph.json(
        f"/me/events/{key}", select="subject,cancelledOccurrences", expand="exceptionOccurrences($select=subject)"
    )
    assert master["cancelledOccurrences"] == [f"OID.{master['id']}.2026-04-06", f"OID.{master['id']}.2026-04-20"]
    assert [one["subject"] for one in master["exceptionOccurrences"]] == ["Team, later"]


def test_lists_are_filtered_ordered_cut_and_paged(box: MicrosoftMailbox, graph: Graph) -> None:
    for hour in range(1, 13):
        box.add_event(
            Event(title=f"At {hour}", start=dt.datetime(2026, 3, 2, hour, tzinfo=dt.UTC), categories=[str(hour % 2)])
        )
    assert graph.subjects("/me/events", filter="start/dateTime ge '2026-03-02T11:00:00'") == ["At 11", "At 12"]
    assert graph.subjects("/me/events", filter="end/dateTime le '2026-03-02T03:00:00+01:00'") == ["At 1"]
    assert graph.subjects("/me/events", filter="start/dateTime eq '2026-03-02T04:00:00Z'") == ["At 4"]
    assert graph.subjects("/me/events", filter="startswith(subject,'At 1')", orderby="start/dateTime desc") == [
        "At 12",
        "At 11",
        "At 10",
        "At 1",
    ]
    assert len(graph.subjects("/me/events", filter="categories/any(c:c eq '1')")) == 6
    assert graph.refusal("/me/events", filter="start/dateTime ge 'noon'") == (400, "BadRequest")
    assert graph.refusal("/me/events", select="flavour") == (400, "BadRequest")
    first = graph.json("/me/events", select="subject", count="true")
    assert (len(first["value"]), first["@odata.count"]) == (10, 12)
    assert first["value"][0].keys() == {"@odata.etag", "id", "subject"}
    assert len(graph.json(first["@odata.nextLink"])["value"]) == 2
    rows = view(
        graph,
        "2026-03-02T00:00:00Z",
        "2026-03-03T00:00:00Z",
        more="&$select=subject,start&$filter=subject%20eq%20'At%203'",
    )
    assert [row["subject"] for row in rows] == ["At 3"]
    box.page_rows.append(0)
    empty = graph.json("/me/events")
    assert empty["value"] == []
    assert graph.json(empty["@odata.nextLink"])["value"]


def test_a_series_may_be_seeded_in_outlooks_words(box: MicrosoftMailbox, graph: Graph) -> None:
    recurrence = {
        "pattern": {"type": "absoluteMonthly", "interval": 1, "dayOfMonth": 31},
        "range": {"type": "noEnd", "startDate": "2026-01-31"},
    }
    box.add_event(Event(start=berlin(2026, 1, 31, 9), properties={"recurrence": recurrence}))
    assert starts(view(graph, "2026-02-01T00:00:00Z", "2026-05-01T00:00:00Z")) == [
        "2026-02-28T08:00",
        "2026-03-31T07:00",
        "2026-04-30T07:00",
    ]
    with pytest.raises(ValueError, match="no pattern"):
        box.add_event(weekly(recurrence="RRULE:FREQ=MONTHLY;BYDAY=5MO"))
    with pytest.raises(ValueError, match="starts on a day"):
        box.add_event(weekly(recurrence="RRULE:FREQ=WEEKLY;BYDAY=TU"))


def test_the_permissions_of_reading(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add_event(weekly())
    for scopes, status in (
        (["Calendars.Read"], 200),
        (["Calendars.ReadWrite"], 200),
        (["https://graph.microsoft.com/Calendars.Read.Shared"], 200),
        (["Mail.ReadWrite"], 403),
    ):
        with box.granting(scopes):
            for path in ("/me/events", f"/me/events/{key}", "/me/calendars"):
                assert graph.get(path).status_code == status


def test_events_are_read_in_batches(box: MicrosoftMailbox, graph: Graph) -> None:
    box.add_event(weekly())
    window = "startDateTime=2026-03-01T00:00:00Z&endDateTime=2026-05-01T00:00:00Z"
    answer = graph.batch(
        {"id": "1", "url": f"/me/calendarView?{window}", "headers": {"Prefer": IMMUTABLE}},
        {"id": "2", "url": "/me/events/none"},
    )
    parts = {part["id"]: part for part in answer.json()["responses"]}
    assert len(parts["1"]["body"]["value"]) == 4
    assert parts["2"]["status"] == 404
