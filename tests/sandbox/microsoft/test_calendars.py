from __future__ import annotations

import datetime as dt

import pytest

from mailkit.sandbox import Event, Person, Sandbox
from mailkit.sandbox.microsoft import MicrosoftMailbox
from tests.support.graph import IMMUTABLE, Graph
from tests.support.meetings import event, view

NINE, TEN = "2026-03-02T09:00:00", "2026-03-02T10:00:00"


def test_a_new_mailbox_has_one_calendar(graph: Graph) -> None:
    (only,) = graph.json("/me/calendars")["value"]
    assert (only["name"], only["isDefaultCalendar"], only["isRemovable"], only["canEdit"]) == (
        "Calendar",
        True,
        False,
        True,
    )
    assert only["owner"] == {"name": "Ann Lee", "address": "ann@contoso.example"}
    assert (only["allowedOnlineMeetingProviders"], only["defaultOnlineMeetingProvider"]) == (
        ["teamsForBusiness"],
        "teamsForBusiness",
    )
    for path in ("/me/calendar", f"/me/calendars/{only['id']}", "/users/ann@contoso.example/calendar"):
        assert graph.json(path)["id"] == only["id"]
    assert graph.json("/me/calendar", select="name").keys() == {"@odata.context", "id", "name"}
    (group,) = graph.json("/me/calendarGroups")["value"]
    assert graph.json(f"/me/calendarGroups/{group['id']}/calendars")["value"] == [only]


def test_calendars_are_made_changed_and_deleted(graph: Graph) -> None:
    made = graph.made("/me/calendars", {"name": "Trips", "color": "lightBlue"})
    path = f"/me/calendars/{made['id']}"
    assert (made["isDefaultCalendar"], made["isRemovable"], made["color"]) == (False, True, "lightBlue")
    assert graph.changed(path, {"name": "Journeys", "color": "auto"})["name"] == "Journeys"
    assert graph.made(f"{path}/events", event("Rome", NINE, TEN))["subject"] == "Rome"
    assert graph.subjects(f"{path}/events") == ["Rome"]
    assert graph.subjects("/me/events") == []
    assert [
        row["subject"] for row in view(graph, "2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z", f"{path}/calendarView")
    ]
    assert view(graph, "2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z", "/me/calendar/calendarView") == []
    assert graph.json("/me/calendars", filter="name eq 'journeys'", count="true")["@odata.count"] == 1
    assert graph.refused("POST", "/me/calendars", {"name": "journeys"}) == (409, "ErrorFolderExists")
    assert graph.refused("POST", "/me/calendars", {"color": "auto"}) == (400, "RequestBodyRead")
    assert graph.refused("PATCH", path, {"color": "mauve"}) == (400, "RequestBodyRead")
    assert graph.refused("PATCH", path, {"canEdit": True}) == (400, "ErrorInvalidPropertySet")
    assert graph.refused("PATCH", "/me/calendar", {"name": "Mine"}) == (400, "ErrorInvalidPropertySet")
    assert graph.write("DELETE", path).status_code == 204
    assert graph.refusal(path) == (404, "ErrorItemNotFound")
    assert graph.refused("DELETE", "/me/calendar") == (403, "ErrorDeleteDistinguishedFolder")


def test_an_event_tells_its_calendar(box: MicrosoftMailbox, graph: Graph) -> None:
    home = box.add_calendar("Trips", colour="lightRed")
    key = box.add_event(Event(title="Rome", start=dt.date(2026, 3, 2), calendar="Trips"))
    seen = graph.json(f"/me/events/{key}", expand="calendar($select=name,color)", prefer=IMMUTABLE)
    assert seen["calendar"] == {"id": home.id, "name": "Trips", "color": "lightRed"}
    assert graph.json(f"/me/calendars/{home.id}/events/{key}")["subject"] == "Rome"


def test_calendars_of_others(box: MicrosoftMailbox, graph: Graph) -> None:
    bob = Person("Bob Ray", "bob@contoso.example")
    key = box.add_calendar("Bob's", owner=bob, role="reader").id
    box.add_calendar("Out of sight", hidden=True)
    rows = graph.json("/me/calendars", orderby="name")["value"]
    assert [(row["name"], row["canEdit"], row["isRemovable"]) for row in rows] == [
        ("Bob's", False, False),
        ("Calendar", True, False),
    ]
    assert rows[0]["owner"]["address"] == bob.address
    assert graph.refused("DELETE", f"/me/calendars/{key}") == (403, "ErrorAccessDenied")
    with box.granting(["Calendars.Read"]):
        assert graph.refusal(f"/me/calendars/{key}") == (403, "ErrorAccessDenied")
    with box.granting(["Calendars.Read.Shared"]):
        assert graph.json(f"/me/calendars/{key}")["name"] == "Bob's"


def test_settings_of_the_mailbox(sandbox: Sandbox) -> None:
    ann = sandbox.microsoft("ann@fabrikam.example", zone="America/New_York")
    graph = Graph(sandbox, ann.token)
    with graph.http:
        settings = graph.json("/me/mailboxSettings")
        assert settings["timeZone"] == "Eastern Standard Time"
        assert settings["workingHours"]["timeZone"] == {"name": "Eastern Standard Time"}
        assert graph.json("/me/mailboxSettings/timeZone")["value"] == "Eastern Standard Time"
        assert graph.json("/me/mailboxSettings/workingHours")["startTime"] == "08:00:00.0000000"
        assert graph.json("/me/mailboxSettings", select="timeZone").keys() == {"@odata.context", "timeZone"}
        assert graph.refusal("/me/mailboxSettings/flavour") == (400, "BadRequest")
        with ann.granting(["Calendars.ReadWrite"]):
            assert graph.refusal("/me/mailboxSettings") == (403, "ErrorAccessDenied")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("POST", "/me/calendarView", 405), ("GET", "/me/events/x/accept", 405), ("GET", "/me/calendars/x/flavours", 400)],
)
def test_there_is_nothing_else(graph: Graph, method: str, path: str, status: int) -> None:
    assert graph.refused(method, path)[0] == status
