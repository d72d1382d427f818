"""Events written: what is taken and refused, patches, states, series and their exceptions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.google_calendar import GoogleCalendar, days, timed

_NINE, _TEN = "2026-03-27T09:00:00", "2026-03-27T10:00:00"
_DAILY = ["RRULE:FREQ=DAILY;COUNT=5"]


def _dates(ann: GoogleCalendar) -> list[str]:
    return [(row["start"].get("dateTime") or row["start"]["date"])[:10] for row in ann.expanded()]


def _reminded(overrides: list[dict[str, object]], *, usual: bool = False) -> dict[str, Any]:
    return timed(_NINE, _TEN, reminders={"useDefault": usual, "overrides": overrides})


def test_what_is_written_is_what_is_read(ann: GoogleCalendar) -> None:
    body = timed(
        _NINE,
        _TEN,
        description="<b>Bring</b> tea",
        location="Room 2",
        colorId="4",
        transparency="transparent",
        status="tentative",
        visibility="private",
        guestsCanInviteOthers=False,
        extendedProperties={"private": {"job": "7"}},
        reminders={"useDefault": False, "overrides": [{"method": "email", "minutes": 60}]},
        source={"title": "t", "url": "https://x.example/"},
        recurrence=["RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=Europe/Berlin:20260328T090000"],
        attendees=[
            {"email": "bob@example.com", "displayName": "Bob", "resource": True, "responseStatus": "needsAction"}
        ],
    )
    made = ann.insert(body)
    read = ann.get(made["id"])
    assert read == made
    times = {
        one: {"dateTime": f"{body[one]['dateTime']}+01:00", "timeZone": "Europe/Berlin"} for one in ("start", "end")
    }
    assert {name: read[name] for name in body} == body | times


@pytest.mark.parametrize(
    ("start", "shown", "zone"),
    [
        ({"dateTime": "2026-03-27T09:00:00-05:00"}, "2026-03-27T15:00:00+01:00", "Europe/Berlin"),
        ({"dateTime": "2026-03-27T09:00:00Z", "timeZone": "Asia/Tokyo"}, "2026-03-27T10:00:00+01:00", "Asia/Tokyo"),
        ({"dateTime": "2026-03-29T02:30:00.1", "timeZone": "Europe/Rome"}, "2026-03-29T03:30:00+02:00", "Europe/Rome"),
    ],
)
def test_times_keep_their_instant_and_their_zone(ann: GoogleCalendar, start: Any, shown: str, zone: str) -> None:
    made = ann.insert({"start": start, "end": {"dateTime": "2026-03-30T09:00:00Z"}})
    assert made["start"] == {"dateTime": shown, "timeZone": zone}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"summary": "nothing else"}, "required"),
        ({"start": {"date": "2026-03-27"}}, "required"),
        (timed(_NINE, _TEN, zone=None), "required"),
        (timed(_NINE, _TEN, zone="Nowhere/Else"), "invalid"),
        (timed("2026-03-27 at nine", _TEN), "invalid"),
        (timed(_TEN, _NINE), "timeRangeEmpty"),
        (days("2026-03-27", "2026-03-27"), "timeRangeEmpty"),
        (days("27.3.2026", "2026-03-28"), "invalid"),
        (days("2026-03-27", "2026-03-28") | {"end": {"dateTime": "2026-03-28T10:00:00Z"}}, "invalid"),
        ({"start": {"date": "2026-03-27", "dateTime": f"{_NINE}Z"}, "end": {"date": "2026-03-28"}}, "invalid"),
        (timed(f"{_NINE}Z", f"{_TEN}Z", zone=None, recurrence=_DAILY), "required"),
        (timed(_NINE, _TEN, recurrence=["DTSTART:20260327T090000Z", *_DAILY]), "invalid"),
        (timed(_NINE, _TEN, recurrence=["RRULE:FREQ=HOURLY"]), "invalid"),
        (timed(_NINE, _TEN, recurrence="RRULE:FREQ=DAILY"), "invalid"),
        (timed(_NINE, _TEN, recurrence=["EXDATE:20260327T090000Z"]), "invalid"),
        (timed(_NINE, _TEN, recurrence=["RRULE:FREQ=DAILY", "EXDATE;TZID=Nowhere:20260327T090000"]), "invalid"),
        (timed(_NINE, _TEN, attendees=[{"displayName": "Bob"}]), "required"),
        (timed(_NINE, _TEN, attendees=[{"email": "bob"}]), "invalid"),
        (timed(_NINE, _TEN, attendees=[{"email": "bob@example.com", "responseStatus": "perhaps"}]), "invalid"),
        (timed(_NINE, _TEN, visibility="hidden"), "invalid"),
        (timed(_NINE, _TEN, transparency="yes"), "invalid"),
        (timed(_NINE, _TEN, status="maybe"), "invalid"),
        (timed(_NINE, _TEN, colorId="12"), "invalid"),
        (timed(_NINE, _TEN, eventType="party"), "invalid"),
        (timed(_NINE, _TEN, id="UPPER"), "invalid"),
        (timed(_NINE, _TEN, id="abcd"), "invalid"),
        (_reminded([{"method": "popup", "minutes": 1}] * 6), "invalid"),
        (_reminded([{"method": "popup", "minutes": 40321}]), "invalid"),
        (_reminded([{"method": "sms", "minutes": 1}]), "invalid"),
        (
            _reminded([{"method": "popup", "minutes": 1}], usual=True),
            "cannotUseDefaultRemindersAndSpecifyOverride",
        ),
    ],
)
def test_what_no_event_can_be(ann: GoogleCalendar, body: dict[str, Any], reason: str) -> None:
    assert ann.refused("events", body, method="POST") == (400, reason)
    assert ann.rows() == []


def test_ids_of_ones_own_are_taken_once(ann: GoogleCalendar) -> None:
    body = timed(_NINE, _TEN, id="0123456789abcdefv")
    assert ann.insert(body)["iCalUID"] == "0123456789abcdefv@google.com"
    assert ann.refused("events", body, method="POST") == (409, "duplicate")
    assert ann.delete(body["id"]) == 204
    assert ann.refused("events", body, method="POST") == (409, "duplicate")
    uid = timed(_NINE, _TEN, iCalUID="7@x.example")
    assert ann.insert(uid)["id"].startswith("_")
    assert ann.refused("events", uid, method="POST") == (409, "duplicate")


def test_a_patch_changes_what_it_names(ann: GoogleCalendar) -> None:
    made = ann.insert(timed(_NINE, _TEN, location="Room 2", attendees=[{"email": "bob@example.com"}], colorId="4"))
    ann.sandbox.clock.advance(60)  # type: ignore[attr-defined]  # a VirtualClock
    patched = ann.patch(made["id"], {"summary": "Other", "location": None})
    assert {name for name in made if patched.get(name) != made[name]} == {"etag", "updated", "summary", "location"}
    assert (patched["created"], patched["sequence"]) == (made["created"], 0)
    moved = ann.patch(made["id"], {"end": {"dateTime": "2026-03-27T11:00:00"}})
    assert (moved["end"]["dateTime"], moved["sequence"]) == ("2026-03-27T11:00:00+01:00", 1)
    assert ann.patch(made["id"], {"attendees": [{"email": "cleo@example.com"}]})["attendees"] == [
        {"email": "cleo@example.com", "responseStatus": "needsAction"}
    ]


def test_an_update_replaces_everything(ann: GoogleCalendar) -> None:
    made = ann.insert(timed(_NINE, _TEN, location="Room 2", attendees=[{"email": "bob@example.com"}]))
    updated = ann.update(made["id"], timed(_NINE, _TEN))
    assert {"location", "attendees"}.isdisjoint(updated)
    assert (updated["id"], updated["iCalUID"]) == (made["id"], made["iCalUID"])
    assert ann.refused(f"events/{made['id']}", {"summary": "x"}, method="PUT") == (400, "required")


def test_days_become_times_only_when_the_other_is_taken_away(ann: GoogleCalendar) -> None:
    id_ = ann.insert(days("2026-03-27", "2026-03-28"))["id"]
    times = {one: {"dateTime": text, "timeZone": "Europe/Berlin"} for one, text in (("start", _NINE), ("end", _TEN))}
    assert ann.refused(f"events/{id_}", times, method="PATCH") == (400, "invalid")
    patched = ann.patch(id_, {one: {**value, "date": None} for one, value in times.items()})
    assert patched["start"] == {"dateTime": "2026-03-27T09:00:00+01:00", "timeZone": "Europe/Berlin"}
    back = {"start": {"date": "2026-03-27", "dateTime": None, "timeZone": None}}
    assert ann.refused(f"events/{id_}", back, method="PATCH") == (400, "invalid")


def test_an_older_state_is_not_changed(ann: GoogleCalendar) -> None:
    made = ann.insert(timed(_NINE, _TEN))
    path = f"events/{made['id']}"
    patched = ann.patch(made["id"], {"summary": "Other"})
    assert ann.refused(path, {"summary": "x"}, method="PATCH", etag=made["etag"]) == (412, "conditionNotMet")
    assert ann.ask(path, method="DELETE", etag=made["etag"]).status_code == 412
    assert ann.ask(path, {"summary": "x"}, method="PATCH", etag=patched["etag"]).status_code == 200
    assert ann.ask(path, method="DELETE", etag="*").status_code == 204


def test_what_is_deleted_stays_known(ann: GoogleCalendar) -> None:
    id_ = ann.insert(timed(_NINE, _TEN))["id"]
    assert ann.delete(id_) == 204
    assert ann.refused(f"events/{id_}", method="DELETE") == (410, "deleted")
    assert ann.refused(f"events/{id_}", {"summary": "x"}, method="PATCH") == (410, "deleted")
    assert ann.get(id_)["status"] == "cancelled"
    assert (ann.rows(), [row["id"] for row in ann.rows(showDeleted="true")]) == ([], [id_])
    assert ann.patch(id_, {"status": "confirmed"})["summary"] == "Plans"
    assert ann.patch(id_, {"status": "cancelled"})["status"] == "cancelled"


def test_meet_is_made_only_for_those_who_know_of_it(ann: GoogleCalendar) -> None:
    asked = {"createRequest": {"requestId": "q1", "conferenceSolutionKey": {"type": "hangoutsMeet"}}}
    body = timed(_NINE, _TEN, conferenceData=asked)
    assert "hangoutLink" not in ann.insert(body)
    made = ann.insert(body, conferenceDataVersion=1)
    assert made["hangoutLink"].startswith("https://meet.google.com/")
    assert made["conferenceData"]["createRequest"]["status"] == {"statusCode": "success"}
    again = ann.patch(made["id"], {"conferenceData": asked}, conferenceDataVersion=1)
    assert again["hangoutLink"] == made["hangoutLink"]
    assert ann.update(made["id"], timed(_NINE, _TEN))["hangoutLink"] == made["hangoutLink"]
    assert ann.patch(made["id"], {"conferenceData": None})["hangoutLink"] == made["hangoutLink"]
    assert "conferenceData" not in ann.patch(made["id"], {"conferenceData": None}, conferenceDataVersion=1)
    for wrong in ({"createRequest": {"requestId": "q", "conferenceSolutionKey": {"type": "teams"}}}, {"notes": "x"}):
        body = timed(_NINE, _TEN, conferenceData=wrong)
        assert ann.refused("events", body, method="POST", conferenceDataVersion=1) == (400, "invalid")


def test_attachments_need_to_be_known_of(ann: GoogleCalendar) -> None:
    body = timed(_NINE, _TEN, attachments=[{"fileUrl": "https://drive.google.com/x"}])
    assert "attachments" not in ann.insert(body)
    assert ann.insert(body, supportsAttachments="true")["attachments"] == body["attachments"]


# -- series ------------------------------------------------------------------------------------------------------------


def test_one_occurrence_is_changed_and_one_taken_out(ann: GoogleCalendar) -> None:
    id_ = ann.insert(timed(_NINE, _TEN, recurrence=_DAILY))["id"]
    one = f"{id_}_20260329T070000Z"
    start, end = ({"dateTime": f"2026-04-05T{hour}:00:00", "timeZone": "Europe/Berlin"} for hour in (15, 16))
    moved = ann.patch(one, {"summary": "Later", "start": start, "end": end})
    assert (moved["id"], moved["recurringEventId"], moved["originalStartTime"]["dateTime"]) == (
        one,
        id_,
        "2026-03-29T09:00:00+02:00",
    )
    assert ann.delete(f"{id_}_20260328T080000Z") == 204
    assert ann.refused(f"events/{id_}_20260328T080000Z", method="DELETE") == (410, "deleted")
    assert _dates(ann) == ["2026-03-27", "2026-03-30", "2026-03-31", "2026-04-05"]
    assert ann.patch(id_, {"summary": "All"})["sequence"] == 0
    assert [row["summary"] for row in ann.expanded()] == ["All", "All", "All", "Later"]
    assert ann.refused(f"events/{one}", {"recurrence": _DAILY}, method="PATCH") == (400, "invalid")


def test_a_series_at_another_time_forgets_its_exceptions(ann: GoogleCalendar) -> None:
    id_ = ann.insert(timed(_NINE, _TEN, recurrence=_DAILY))["id"]
    ann.delete(f"{id_}_20260328T080000Z")
    ann.patch(id_, {"start": {"dateTime": "2026-03-27T08:00:00"}})
    assert len(_dates(ann)) == 5


def test_this_and_following_is_two_calls(ann: GoogleCalendar) -> None:
    id_ = ann.insert(timed(_NINE, _TEN, recurrence=["RRULE:FREQ=DAILY;COUNT=5"]))["id"]
    ann.delete(f"{id_}_20260330T070000Z")
    ann.patch(id_, {"recurrence": ["RRULE:FREQ=DAILY;UNTIL=20260329T065959Z"]})
    ann.insert(timed("2026-03-29T11:00:00", "2026-03-29T12:00:00", recurrence=["RRULE:FREQ=DAILY;COUNT=3"]))
    assert _dates(ann) == ["2026-03-27", "2026-03-28", "2026-03-29", "2026-03-30", "2026-03-31"]
    assert [row["start"]["dateTime"][11:16] for row in ann.expanded()] == ["09:00"] * 2 + ["11:00"] * 3


def test_a_deleted_series_takes_all_along(ann: GoogleCalendar) -> None:
    id_ = ann.insert(timed(_NINE, _TEN, recurrence=_DAILY))["id"]
    ann.patch(f"{id_}_20260329T070000Z", {"summary": "Later"})
    assert ann.delete(id_) == 204
    assert ann.expanded() == []
    assert ann.get(f"{id_}_20260329T070000Z")["status"] == "cancelled"
    assert ann.refused(f"events/{id_}", method="DELETE") == (410, "deleted")


def test_a_single_event_becomes_a_series_and_one_again(ann: GoogleCalendar) -> None:
    id_ = ann.insert(timed(_NINE, _TEN))["id"]
    ann.patch(id_, {"recurrence": _DAILY})
    assert len(_dates(ann)) == 5
    ann.patch(id_, {"recurrence": []})
    assert _dates(ann) == ["2026-03-27"]


def test_events_move_between_calendars(ann: GoogleCalendar) -> None:
    other = ann.box.add_calendar("Other")
    id_ = ann.insert(timed(_NINE, _TEN, recurrence=_DAILY))["id"]
    one = f"{id_}_20260329T070000Z"
    ann.patch(one, {"summary": "Later"})
    assert ann.refused(f"events/{one}/move", method="POST", destination=other.id)[0] == 400
    moved = ann.told(f"events/{id_}/move", method="POST", destination=other.id)
    assert moved["organizer"] == {"email": other.id, "displayName": "Other", "self": True}
    assert ann.rows() == []
    assert len(ann.told(f"/calendars/{other.id}/events", singleEvents="true")["items"]) == 5
