from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from mailkit.sandbox import Event, Room, Sandbox
from mailkit.sandbox.microsoft import MicrosoftMailbox
from tests.support.graph import Graph
from tests.support.meetings import at

PATH = "/me/calendar/getSchedule"


def on(hour: int, minute: int = 0, day: int = 2) -> dt.datetime:
    return dt.datetime(2026, 3, day, hour, minute, tzinfo=dt.UTC)


def asked(
    *addresses: str, start: str = "2026-03-02T08:00:00", end: str = "2026-03-02T12:00:00", **more: Any
) -> dict[str, Any]:
    return {"schedules": list(addresses), "startTime": at(start), "endTime": at(end), **more}


def schedule(graph: Graph, body: dict[str, Any], *, prefer: str = "") -> list[dict[str, Any]]:
    answer = graph.write("POST", PATH, body, prefer=prefer)
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json()["value"]
    return rows


def test_what_takes_a_persons_time(graph: Graph, sandbox: Sandbox) -> None:
    bob = sandbox.microsoft("bob@contoso.example", zone="Europe/Berlin")
    bob.add_event(Event(title="Secret", start=on(8), end=on(8, 45), location="Room 1"))
    bob.add_event(Event(start=on(9), end=on(10), show_as="tentative"))
    bob.add_event(Event(start=on(9, 30), end=on(10), show_as="away"))
    bob.add_event(Event(start=on(10), end=on(10, 30), show_as="elsewhere"))
    bob.add_event(Event(start=on(11), end=on(11, 30), show_as="free"))
    bob.add_event(Event(start=on(11, 30), end=on(11, 30)))
    bob.add_event(Event(start=on(11), calendar=bob.add_calendar("Another").name))
    bob.add_event(Event(start=on(12)))
    (row,) = schedule(graph, asked("bob@contoso.example"))
    assert row["scheduleId"] == "bob@contoso.example"
    assert row["availabilityView"] == "22134000"
    assert [(item["status"], item["start"]["dateTime"][11:16]) for item in row["scheduleItems"]] == [
        ("busy", "08:00"),
        ("tentative", "09:00"),
        ("oof", "09:30"),
        ("workingElsewhere", "10:00"),
        ("free", "11:00"),
    ]
    assert "subject" not in row["scheduleItems"][0]
    assert row["workingHours"]["timeZone"] == {"name": "W. Europe Standard Time"}
    (row,) = schedule(graph, asked("bob@contoso.example"), prefer='outlook.timezone="Tokyo Standard Time"')
    assert row["scheduleItems"][0]["start"] == {
        "dateTime": "2026-03-02T17:00:00.0000000",
        "timeZone": "Tokyo Standard Time",
    }


def test_ones_own_schedule_has_details_and_series(box: MicrosoftMailbox, graph: Graph) -> None:
    box.add_event(
        Event(title="Team", start=on(9), location="Room 1", visibility="private", recurrence="RRULE:FREQ=DAILY;COUNT=3")
    )
    body = asked(box.address, end="2026-03-05T08:00:00", availabilityViewInterval=1440)
    (row,) = schedule(graph, body)
    assert row["availabilityView"] == "222"
    assert [item["subject"] for item in row["scheduleItems"]] == ["Team"] * 3
    assert (row["scheduleItems"][0]["location"], row["scheduleItems"][0]["isPrivate"]) == ("Room 1", True)


def test_each_person_may_be_unknown(graph: Graph, sandbox: Sandbox, box: MicrosoftMailbox) -> None:
    sandbox.microsoft("eve@fabrikam.example")
    sandbox.microsoft("shy@contoso.example").calendars.busy_seen_by.clear()
    sandbox.google("gus@contoso.example")
    sandbox.microsoft("pat@contoso.example").calendars.personal = True
    rows = schedule(
        graph,
        asked(
            box.address,
            "shy@contoso.example",
            "eve@fabrikam.example",
            "nobody@contoso.example",
            "gus@contoso.example",
            "pat@contoso.example",
        ),
    )
    assert [row.get("error", {}).get("responseCode") for row in rows] == [
        None,
        "ErrorNoFreeBusyAccess",
        "ErrorNoFreeBusyAccess",
        "ErrorMailRecipientNotFound",
        "ErrorMailRecipientNotFound",
        "ErrorMailRecipientNotFound",
    ]
    assert "scheduleItems" not in rows[1]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (asked(), 400, "RequestBodyRead"),
        (asked(*(f"p{n}@x.example" for n in range(21))), 400, "ErrorMailboxDataArrayTooBig"),
        (asked("x@x.example", end="2026-03-02T08:00:00"), 400, "ErrorInvalidTimeInterval"),
        (asked("x@x.example", end="2026-05-03T08:00:00"), 400, "ErrorTimeIntervalTooBig"),
        (asked("x@x.example", availabilityViewInterval=4), 400, "ErrorInvalidMergedFreeBusyInterval"),
        (asked("x@x.example", availabilityViewInterval=1441), 400, "ErrorInvalidMergedFreeBusyInterval"),
        (asked("x@x.example", end="2026-03-02T08:15:00"), 400, "ErrorInvalidMergedFreeBusyInterval"),
        (asked("x@x.example", availabilityViewInterval=None), 500, "ErrorInternalServerError"),
        (asked("x@x.example", flavour=1), 400, "RequestBodyRead"),
        ({"schedules": ["x@x.example"]}, 400, "RequestBodyRead"),
        (
            {**asked("x@x.example"), "startTime": at("2026-03-02T08:00:00", "Mars")},
            400,
            "TimeZoneNotSupportedException",
        ),
    ],
)
def test_the_rules_of_schedules(graph: Graph, body: dict[str, Any], status: int, code: str) -> None:
    assert graph.refused("POST", PATH, body) == (status, code)


def test_sixty_one_days_at_once(graph: Graph, box: MicrosoftMailbox) -> None:
    (row,) = schedule(graph, asked(box.address, end="2026-05-02T08:00:00", availabilityViewInterval="60"))
    assert len(row["availabilityView"]) == 61 * 24


def test_personal_accounts_have_neither_schedules_nor_rooms(box: MicrosoftMailbox, graph: Graph) -> None:
    box.calendars.personal = True
    assert graph.refused("POST", PATH, asked(box.address)) == (403, "ErrorAccessDenied")
    assert graph.refusal("/places/microsoft.graph.room") == (403, "ErrorAccessDenied")


def test_rooms_of_the_organisation(box: MicrosoftMailbox, graph: Graph) -> None:
    box.add_room(Room(name="Big one", address="big@contoso.example", capacity=40, building="1", floor=2))
    box.add_room(Room(name="Small one", address="small@contoso.example"))
    rows = graph.json("/places/microsoft.graph.room")["value"]
    assert [(row["displayName"], row["emailAddress"], row["capacity"], row["floorNumber"]) for row in rows] == [
        ("Big one", "big@contoso.example", 40, 2),
        ("Small one", "small@contoso.example", None, None),
    ]
    assert len(graph.json("/places/microsoft.graph.room", top="1")["value"]) == 1
    with box.granting(["Calendars.ReadWrite"]):
        assert graph.refusal("/places/microsoft.graph.room") == (403, "ErrorAccessDenied")
    with box.granting(["Place.Read.All"]):
        assert graph.json("/places/microsoft.graph.room", filter="displayName eq 'Big one'", select="displayName")[
            "value"
        ]


def test_schedules_need_a_calendar_permission(box: MicrosoftMailbox, graph: Graph) -> None:
    with box.granting(["Calendars.ReadBasic"]):
        assert schedule(graph, asked(box.address))
    with box.granting(["Mail.Read"]):
        assert graph.refused("POST", PATH, asked(box.address)) == (403, "ErrorAccessDenied")
