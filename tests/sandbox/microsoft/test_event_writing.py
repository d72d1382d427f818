from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from mailkit.sandbox import Event, Fault, Sandbox
from mailkit.sandbox.microsoft import MicrosoftMailbox
from tests.support.graph import IMMUTABLE, Graph
from tests.support.meetings import at, event, every, view

NINE, TEN = "2026-03-02T09:00:00", "2026-03-02T10:00:00"
PACIFIC, BERLIN = "Pacific Standard Time", "Europe/Berlin"


def made(graph: Graph, **fields: Any) -> dict[str, Any]:
    return graph.made("/me/events", event("Talk", NINE, TEN) | fields)


def series(graph: Graph, **fields: Any) -> dict[str, Any]:
    """Every day at nine in Berlin, over the night in which summer time begins."""
    recurrence = every("daily", "2026-03-27", count=5)
    body = event("Daily", "2026-03-27T09:00:00", "2026-03-27T09:30:00", BERLIN, recurrence=recurrence)
    return graph.made("/me/events", body | fields)


def days(graph: Graph) -> list[dict[str, Any]]:
    return view(graph, "2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z", prefer=IMMUTABLE)


def starts(graph: Graph) -> list[str]:
    return [row["start"]["dateTime"][5:16] for row in days(graph)]


# -- making ----------------------------------------------------------------------------------------------------------


def test_a_new_event_is_answered_in_the_zone_it_was_written_in(graph: Graph) -> None:
    body = event(
        "Talk",
        "2026-07-01T09:00:00",
        "2026-07-01T10:30:00",
        PACIFIC,
        body={"contentType": "HTML", "content": "<p>Hi</p>"},
        location={"displayName": "Room 1"},
        categories=["Red"],
        importance="high",
        sensitivity="personal",
        showAs="workingElsewhere",
        isReminderOn=False,
    )
    prefer = f'outlook.timezone="Tokyo Standard Time", {IMMUTABLE}'
    item = graph.made("/me/events", body, prefer=prefer)
    assert item["start"] == {"dateTime": "2026-07-01T09:00:00.0000000", "timeZone": PACIFIC}
    assert item["originalEndTimeZone"] == PACIFIC
    for name in ("categories", "importance", "sensitivity", "showAs", "isReminderOn"):
        assert item[name] == body[name]
    seen = graph.json(f"/me/events/{item['id']}", prefer=prefer)
    assert seen["start"] == {"dateTime": "2026-07-02T01:00:00.0000000", "timeZone": "Tokyo Standard Time"}
    assert seen["bodyPreview"] == "Hi"
    assert (seen["location"]["displayName"], seen["responseStatus"]["response"]) == ("Room 1", "none")
    other = made(
        graph, **{side: at(f"2026-07-01T{hour}:00:00", BERLIN) for side, hour in (("start", "09"), ("end", 10))}
    )
    assert other["start"] == {"dateTime": "2026-07-01T09:00:00.0000000", "timeZone": BERLIN}
    assert other["originalStartTimeZone"] == "W. Europe Standard Time"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"start": None}, "ErrorPropertyRequired"),
        ({"end": at("2026-03-02T08:00:00")}, "ErrorCalendarEndDateIsEarlierThanStartDate"),
        ({"start": at(NINE, "Middle Earth Standard Time")}, "TimeZoneNotSupportedException"),
        ({"start": at(NINE, "tzone://Microsoft/Custom")}, "TimeZoneNotSupportedException"),
        ({"start": {"dateTime": NINE}}, "TimeZoneNotSupportedException"),
        ({"start": at("2026-03-02T09:00:00Z")}, "RequestBodyRead"),
        ({"start": at("2026-03-02")}, "RequestBodyRead"),
        ({"flavour": 1}, "RequestBodyRead"),
        ({"showAs": "asleep"}, "RequestBodyRead"),
        ({"isAllDay": "yes"}, "RequestBodyRead"),
        ({"attendees": [{"type": "required"}]}, "RequestBodyRead"),
        ({"isAllDay": True}, "ErrorInvalidRequest"),
        ({"recurrence": every("hourly", "2026-03-02")}, "ErrorInvalidRequest"),
        ({"recurrence": every("daily", "2026-03-03")}, "ErrorInvalidRequest"),
        ({"recurrence": every("daily", "2026-03-02", until="2026-03-01")}, "ErrorInvalidRequest"),
    ],
)
def test_what_is_no_event(graph: Graph, fields: dict[str, Any], code: str) -> None:
    assert graph.refused("POST", "/me/events", event("Talk", NINE, TEN) | fields) == (400, code)
    assert graph.json("/me/events")["value"] == []


def test_an_event_of_whole_days(graph: Graph) -> None:
    def whole(start: str, end: str, zones: tuple[str, str] = (PACIFIC, PACIFIC)) -> dict[str, Any]:
        return {"start": at(start, zones[0]), "end": at(end, zones[1]), "isAllDay": True}

    item = made(graph, **whole("2026-03-02T00:00:00", "2026-03-04T00:00:00"))
    assert item["start"] == {"dateTime": "2026-03-02T00:00:00.0000000", "timeZone": PACIFIC}
    seen = graph.json(f"/me/events/{item['id']}")
    assert (seen["isAllDay"], seen["end"]["dateTime"][:10]) == (True, "2026-03-04")
    for body in (
        whole("2026-03-02T00:00:00", "2026-03-02T00:00:00"),
        whole("2026-03-02T00:00:00", "2026-03-03T12:00:00"),
        whole("2026-03-02T00:00:00", "2026-03-03T00:00:00", (PACIFIC, BERLIN)),
    ):
        assert graph.refused("POST", "/me/events", event("x", NINE, TEN) | body) == (400, "ErrorInvalidRequest")


def test_a_repeated_transaction_makes_one_event(box: MicrosoftMailbox, graph: Graph) -> None:
    first = made(graph, transactionId="once")
    assert made(graph, transactionId="once")["id"] == first["id"]
    assert first["transactionId"] == "once"
    assert graph.refused("POST", "/me/events", event("Other", NINE, TEN, transactionId="once")) == (
        400,
        "ErrorDuplicateTransactionId",
    )
    box.script(Fault.server_error(504, operation="events.create", takes_effect=True))
    body = event("Lost", NINE, TEN, transactionId="twice")
    assert graph.refused("POST", "/me/events", body)[0] == 504
    assert graph.made("/me/events", body)["subject"] == "Lost"
    assert sorted(graph.subjects("/me/events")) == ["Lost", "Talk"]


def test_online_meetings_where_the_calendar_has_them(box: MicrosoftMailbox, graph: Graph) -> None:
    online = {"isOnlineMeeting": True, "onlineMeetingProvider": "teamsForBusiness"}
    item = made(graph, **online)
    assert (item["isOnlineMeeting"], item["onlineMeetingProvider"]) == (True, "teamsForBusiness")
    assert item["onlineMeeting"]["joinUrl"].startswith("https://teams.microsoft.com/l/meetup-join/")
    # Once online, it stays so.
    kept = graph.changed(f"/me/events/{item['id']}", {"isOnlineMeeting": False})
    assert kept["onlineMeeting"] == item["onlineMeeting"]
    box.calendars.update(box.calendars.named(""), meetings=())
    item = made(graph, **online)
    assert (item["isOnlineMeeting"], item["onlineMeeting"]) == (False, None)


def test_calendars_of_others_need_the_shared_permission(box: MicrosoftMailbox, graph: Graph, sandbox: Sandbox) -> None:
    bob = sandbox.microsoft("bob@contoso.example", name="Bob Ray")
    shared = box.add_calendar("Bob's", owner=bob.calendars.owner, role="reader").id
    body = event("Talk", NINE, TEN)
    assert graph.refused("POST", f"/me/calendars/{shared}/events", body) == (403, "ErrorAccessDenied")
    box.calendars.update(box.calendars.named("Bob's"), role="writer")
    assert graph.made(f"/me/calendars/{shared}/events", body)
    with box.granting(["Calendars.ReadWrite"]):
        assert graph.refusal(f"/me/calendars/{shared}/events") == (403, "ErrorAccessDenied")
        assert graph.json("/me/events")["value"] == []
    with box.granting(["Calendars.ReadWrite.Shared"]):
        assert graph.subjects(f"/me/calendars/{shared}/events") == ["Talk"]
    with box.granting(["Calendars.Read", "Calendars.Read.Shared"]):
        assert graph.refused("POST", "/me/events", body) == (403, "ErrorAccessDenied")


# -- changing --------------------------------------------------------------------------------------------------------


def test_a_change_is_of_what_is_named(graph: Graph) -> None:
    item = made(graph, location={"displayName": "Room 1"}, categories=["Red"], reminderMinutesBeforeStart=5)
    path = f"/me/events/{item['id']}"
    changed = graph.changed(path, {"subject": "Walk", "categories": [], "isReminderOn": False})
    assert (changed["subject"], changed["categories"], changed["isReminderOn"]) == ("Walk", [], False)
    for name in ("start", "end", "location", "iCalUId", "createdDateTime"):
        assert changed[name] == item[name]
    assert changed["changeKey"] != item["changeKey"]
    assert graph.changed(path, {"isReminderOn": True})["isReminderOn"]
    assert graph.changed(path, {"location": None})["location"]["displayName"] == ""
    assert graph.refused("PATCH", path, {"iCalUId": "x"}) == (400, "ErrorInvalidPropertySet")
    assert graph.refused("PATCH", path, {"transactionId": "x"}) == (400, "ErrorInvalidPropertySet")
    assert graph.refused("PATCH", path, {"start": at(TEN), "end": at(NINE)})[0] == 400


def test_whole_days_become_hours_and_back(graph: Graph) -> None:
    item = made(graph)
    path = f"/me/events/{item['id']}"
    assert graph.refused("PATCH", path, {"isAllDay": True}) == (400, "ErrorInvalidRequest")
    days = {"start": at("2026-03-02T00:00:00"), "end": at("2026-03-03T00:00:00")}
    assert graph.changed(path, {"isAllDay": True, **days})["isAllDay"]
    assert graph.changed(path, {"isAllDay": False, "start": at(NINE), "end": at(TEN)})["start"]["dateTime"][:19] == NINE


def test_a_change_may_be_held_to_a_state(graph: Graph) -> None:
    item = made(graph)
    path = f"/me/events/{item['id']}"

    def patch(etag: str) -> int:
        return graph.http.patch(path, json={"subject": "x"}, headers={"if-match": etag}).status_code

    assert [patch(item["@odata.etag"]), patch(item["@odata.etag"]), patch("*")] == [200, 412, 200]
    assert graph.http.delete(path, headers={"if-match": item["@odata.etag"]}).status_code == 412
    assert graph.write("DELETE", path).status_code == 204
    assert graph.refused("DELETE", path) == (404, "ErrorItemNotFound")


def test_a_series_keeps_its_hour_over_summer_time(graph: Graph) -> None:
    item = series(graph)
    assert item["recurrence"]["range"]["recurrenceTimeZone"] == "W. Europe Standard Time"
    assert starts(graph) == ["03-27T08:00", "03-28T08:00", "03-29T07:00", "03-30T07:00", "03-31T07:00"]


def test_one_occurrence_is_changed_or_deleted(graph: Graph) -> None:
    master = series(graph)
    second, third = days(graph)[1:3]
    body = {"start": at("2026-03-28T15:00:00", BERLIN), "end": at("2026-03-28T16:00:00", BERLIN), "subject": "Late"}
    changed = graph.changed(f"/me/events/{second['id']}", body)
    assert (changed["type"], changed["seriesMasterId"], changed["id"]) == ("exception", master["id"], second["id"])
    assert changed["originalStart"] == "2026-03-28T08:00:00Z"
    assert graph.refused("PATCH", f"/me/events/{second['id']}", {"recurrence": None})[0] == 400
    assert graph.write("DELETE", f"/me/events/{third['id']}").status_code == 204
    assert graph.refusal(f"/me/events/{third['id']}") == (404, "ErrorItemNotFound")
    assert starts(graph) == ["03-27T08:00", "03-28T14:00", "03-30T07:00", "03-31T07:00"]
    # What the series changes and the exception did not, it has too.
    graph.changed(f"/me/events/{master['id']}", {"subject": "Daily!", "location": {"displayName": "Room 1"}})
    assert [row["subject"] for row in days(graph)] == ["Daily!", "Late", "Daily!", "Daily!"]
    assert {row["location"]["displayName"] for row in days(graph)} == {"Room 1"}
    # At another time the series forgets its exceptions.
    body = {"start": at("2026-03-27T11:00:00", BERLIN), "end": at("2026-03-27T11:30:00", BERLIN)}
    graph.changed(f"/me/events/{master['id']}", body)
    assert starts(graph) == ["03-27T10:00", "03-28T10:00", "03-29T09:00", "03-30T09:00", "03-31T09:00"]


def test_occurrences_do_not_overtake_each_other(graph: Graph) -> None:
    series(graph)
    second = days(graph)[1]
    for day in ("2026-03-29", "2026-03-30", "2026-03-26"):
        body = {"start": at(f"{day}T15:00:00", BERLIN), "end": at(f"{day}T16:00:00", BERLIN)}
        assert graph.refused("PATCH", f"/me/events/{second['id']}", body) == (400, "ErrorOccurrenceCrossingBoundary")


def test_a_series_gets_other_dates_or_none(graph: Graph) -> None:
    master = series(graph)
    path = f"/me/events/{master['id']}"
    graph.changed(path, {"recurrence": every("weekly", "2026-03-27", until="2026-04-05", daysOfWeek=["friday"])})
    assert starts(graph) == ["03-27T08:00", "04-03T07:00"]
    assert graph.refused("PATCH", path, {"recurrence": every("daily", "2026-03-28")}) == (400, "ErrorInvalidRequest")
    changed = graph.changed(path, {"recurrence": None})
    assert (changed["type"], changed["recurrence"]) == ("singleInstance", None)
    assert starts(graph) == ["03-27T08:00"]


def test_a_series_in_a_gap_of_the_clocks(graph: Graph) -> None:
    recurrence = every("daily", "2026-03-28", count=2)
    graph.made(
        "/me/events", event("Early", "2026-03-28T02:30:00", "2026-03-28T02:45:00", BERLIN, recurrence=recurrence)
    )
    # 02:30 on the 29th is left out: it is as much later as the clocks are put forward.
    assert starts(graph) == ["03-28T01:30", "03-29T01:30"]


def test_the_first_occurrence_may_come_after_the_start(graph: Graph) -> None:
    recurrence = every("weekly", "2026-03-27", count=2, daysOfWeek=["monday"])
    graph.made("/me/events", event("Late", "2026-03-27T09:00:00", "2026-03-27T10:00:00", recurrence=recurrence))
    assert starts(graph) == ["03-30T09:00", "04-06T09:00"]


def test_events_are_changed_in_batches(graph: Graph) -> None:
    keys = [made(graph)["id"] for _ in range(2)]
    json = {"Content-Type": "application/json"}
    answer = graph.batch(
        {"id": "1", "method": "POST", "url": "/me/events", "headers": json, "body": event("New", NINE, TEN)},
        {"id": "2", "method": "PATCH", "url": f"/me/events/{keys[0]}", "headers": json, "body": {"subject": "Changed"}},
        {"id": "3", "method": "DELETE", "url": f"/me/events/{keys[1]}"},
    )
    assert {part["id"]: part["status"] for part in answer.json()["responses"]} == {"1": 201, "2": 200, "3": 204}
    assert sorted(graph.subjects("/me/events")) == ["Changed", "New"]


def test_a_seeded_event_is_changed_like_any_other(box: MicrosoftMailbox, graph: Graph) -> None:
    key = box.add_event(Event(title="Fair", start=dt.date(2026, 3, 2), text="Hello"))
    seen = graph.changed(f"/me/events/{key}", {"body": {"contentType": "text", "content": "Bye"}})
    assert (seen["bodyPreview"], seen["isAllDay"], seen["start"]["dateTime"][:10]) == ("Bye", True, "2026-03-02")


def test_a_change_in_an_unknown_zone_is_answered_in_utc(box: MicrosoftMailbox, graph: Graph) -> None:
    start = dt.datetime(2026, 3, 2, 9, tzinfo=dt.UTC)
    key = box.add_event(Event(start=start, properties={"originalStartTimeZone": "tzone://Microsoft/Custom"}))
    seen = graph.changed(f"/me/events/{key}", {"subject": "x"})
    assert seen["start"] == {"dateTime": "2026-03-02T09:00:00.0000000", "timeZone": "UTC"}
    assert seen["originalStartTimeZone"] == "tzone://Microsoft/Custom"


@pytest.mark.parametrize(
    "fields",
    [
        {"start": at("0001-01-01T00:00:00")},
        {"end": at("9999-12-31T23:00:00")},
        {"attendees": [{"emailAddress": {"address": "a\nb@x.example"}}]},
        {"recurrence": every("daily", "2026-03-02") | {"range": {"type": "noEnd", "startDate": 7}}},
        {"recurrence": {"pattern": {"type": "daily", "interval": 1}}},
        {"recurrence": 3},
        {"location": "Room"},
        {"body": "Hello"},
        {"categories": "Red"},
        {"subject": 3},
        {"attachments": []},
    ],
)
def test_nonsense_is_refused_and_breaks_nothing(graph: Graph, fields: dict[str, Any]) -> None:
    assert graph.refused("POST", "/me/events", event("x", NINE, TEN) | fields)[0] == 400


def test_the_answer_to_a_write_does_not_say_a_zone_was_applied(graph: Graph) -> None:
    prefer = 'outlook.timezone="Tokyo Standard Time"'
    answer = graph.write("POST", "/me/events", event("x", NINE, TEN), prefer=prefer)
    assert "preference-applied" not in answer.headers
