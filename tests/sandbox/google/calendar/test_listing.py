"""Calendars, the list of them, colours and settings."""

from __future__ import annotations

from mailkit.sandbox import Person
from tests.support.google_calendar import GoogleCalendar, timed

_LIST = "/users/me/calendarList"


def test_the_list_shows_what_one_may_do_and_pages(ann: GoogleCalendar) -> None:
    team = ann.box.add_calendar("Team", role="reader", owner=Person("", "bob@example.com"), selected=False, meetings=())
    ann.box.add_calendar("Old", hidden=True)
    busy = ann.box.add_calendar("Boss", role="freeBusyReader")
    rows = ann.told(_LIST)["items"]
    assert [row["id"] for row in rows] == ["ann@example.com", team.id, busy.id]
    assert (rows[0]["primary"], rows[0]["accessRole"], rows[0]["timeZone"]) == (True, "owner", "Europe/Berlin")
    assert rows[0]["conferenceProperties"] == {"allowedConferenceSolutionTypes": ["hangoutsMeet"]}
    assert (rows[1]["accessRole"], rows[1]["dataOwner"]) == ("reader", "bob@example.com")
    assert not {"primary", "selected", "hidden"} & set(rows[1])
    assert [row["summary"] for row in ann.told(_LIST, showHidden="true")["items"]][2] == "Old"
    assert [row["id"] for row in ann.told(_LIST, minAccessRole="reader")["items"]] == ["ann@example.com", team.id]
    page = ann.told(_LIST, maxResults=2)
    assert [row["id"] for row in ann.told(_LIST, pageToken=page["nextPageToken"])["items"]] == [busy.id]


def test_a_sync_token_gives_what_changed(ann: GoogleCalendar) -> None:
    token = ann.told(_LIST)["nextSyncToken"]
    assert ann.told(_LIST, syncToken=token)["items"] == []
    team = ann.box.add_calendar("Team")
    assert [row["id"] for row in ann.told(_LIST, syncToken=token)["items"]] == [team.id]
    assert ann.refused(_LIST, syncToken=token, minAccessRole="owner") == (400, "badRequest")
    assert ann.refused(_LIST, pageToken="garbage") == (400, "invalid")


def test_calendars_are_made_changed_and_deleted(ann: GoogleCalendar) -> None:
    body = {"summary": "Work", "timeZone": "Asia/Tokyo", "description": "of all"}
    made = ann.told("/calendars", body, method="POST")
    path = f"/calendars/{made['id']}"
    assert made["id"].endswith("@group.calendar.google.com")
    assert ann.told(path) == made
    assert ann.told(f"{_LIST}/{made['id']}")["accessRole"] == "owner"
    changed = ann.told(path, {"summary": "Job"}, method="PATCH")
    assert (changed["summary"], changed["timeZone"], changed["description"]) == ("Job", "Asia/Tokyo", "of all")
    changed = ann.told(path, {"summary": "Job"}, method="PUT")
    assert (changed["timeZone"], "description" in changed) == ("Europe/Berlin", False)
    assert ann.ask(path, method="DELETE").status_code == 204
    assert ann.refused(path) == (404, "notFound")
    assert ann.ask("/calendars/primary", method="DELETE").status_code == 400
    assert ann.refused("/calendars", {"summary": "x", "timeZone": "Nowhere"}, method="POST") == (400, "invalid")
    assert ann.refused("/calendars", {}, method="POST") == (400, "required")


def test_who_may_not_write_is_told_so(ann: GoogleCalendar) -> None:
    team = ann.box.add_calendar("Team", role="reader").id
    body = timed("2026-03-16T09:00:00", "2026-03-16T10:00:00")
    assert ann.refused(f"/calendars/{team}/events", body, method="POST") == (403, "requiredAccessLevel")
    assert ann.refused(f"/calendars/{team}", method="DELETE") == (403, "requiredAccessLevel")


def test_colours_and_settings(ann: GoogleCalendar) -> None:
    colours = ann.told("/colors")
    assert (len(colours["calendar"]), len(colours["event"])) == (24, 11)
    assert ann.told("/users/me/settings/timezone")["value"] == "Europe/Berlin"
    assert "timezone" in [one["id"] for one in ann.told("/users/me/settings")["items"]]
    assert ann.refused("/users/me/settings/nothing") == (404, "notFound")
