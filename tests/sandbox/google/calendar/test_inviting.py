"""Invitations between accounts: copies, answers, changes, cancellations, and who is written to."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from mailkit.sandbox import Event, Guest, Sandbox
from mailkit.sandbox.invitations import Answer
from mailkit.sandbox.mail import Person
from tests.support.google_calendar import GoogleCalendar, timed

_NINE, _TEN = "2026-03-27T09:00:00", "2026-03-27T10:00:00"
_DAILY = ["RRULE:FREQ=DAILY;COUNT=3"]
_SECOND = "20260328T080000Z"


@pytest.fixture
def bob(sandbox: Sandbox) -> GoogleCalendar:
    return GoogleCalendar(sandbox, sandbox.google("bob@example.com", name="Bob"))


def _guests(*addresses: str) -> list[dict[str, str]]:
    return [{"email": f"{address}@example.com"} for address in addresses]


def _answer(response: str, **more: str) -> dict[str, Any]:
    return {"attendees": [{"email": "bob@example.com", "responseStatus": response, **more}]}


def _responses(event: dict[str, Any]) -> list[str]:
    return [guest["responseStatus"] for guest in event["attendees"]]


def test_guests_have_the_event_in_their_own_calendar(ann: GoogleCalendar, bob: GoogleCalendar) -> None:
    made = ann.insert(timed(_NINE, _TEN, attendees=_guests("bob", "zoe"), colorId="4"))
    (copy,) = bob.rows()
    assert (copy["id"], copy["iCalUID"], copy["summary"]) == (made["id"], made["iCalUID"], "Plans")
    assert copy["organizer"] == {"email": "ann@example.com", "displayName": "Ann Lee"}
    assert copy["attendees"] == [
        {"email": "bob@example.com", "responseStatus": "needsAction", "self": True},
        {"email": "zoe@example.com", "responseStatus": "needsAction"},
    ]
    assert "colorId" not in copy


def test_an_answer_shows_at_the_organisers(ann: GoogleCalendar, bob: GoogleCalendar) -> None:
    id_ = ann.insert(timed(_NINE, _TEN, attendees=_guests("bob", "zoe")))["id"]
    answered = bob.patch(id_, _answer("accepted", comment="gladly"), sendUpdates="all")
    assert _responses(answered) == ["accepted", "needsAction"]
    assert ann.get(id_)["attendees"][0] | {"self": 0} == answered["attendees"][0] | {"self": 0}
    (notice,) = bob.sandbox.notices
    assert (notice.kind, notice.sender, notice.recipients, notice.comment) == (
        "answer",
        "bob@example.com",
        ("ann@example.com",),
        "gladly",
    )


def test_a_guest_changes_only_what_is_their_own(ann: GoogleCalendar, bob: GoogleCalendar) -> None:
    id_ = ann.insert(timed(_NINE, _TEN, attendees=_guests("bob")))["id"]
    assert bob.refused(f"events/{id_}", {"summary": "Mine"}, method="PATCH") == (403, "forbiddenForNonOrganizer")
    assert bob.refused(f"events/{id_}/move", method="POST", destination="primary") == (403, "forbiddenForNonOrganizer")
    bob.patch(id_, {"colorId": "5", "transparency": "transparent"})
    bob.patch(id_, _answer("declined"))
    ann.patch(id_, {"summary": "Other"})
    (copy,) = bob.rows()
    assert (copy["colorId"], copy["transparency"], copy["summary"]) == ("5", "transparent", "Other")
    assert _responses(copy) == ["declined"]
    assert "colorId" not in ann.get(id_)


def test_an_answer_leaves_alone_what_google_would_say_otherwise(ann: GoogleCalendar, bob: GoogleCalendar) -> None:
    event = Event(
        start=dt.datetime(2026, 3, 27, 9, tzinfo=dt.timezone(dt.timedelta(hours=5, minutes=30))),
        text="is <b> a tag?",
        html="<p>is &lt;b&gt; a tag?</p>",
        show_as="elsewhere",
        meeting_url="https://teams.microsoft.com/l/7",
        guests=Person("", "bob@example.com"),
    )
    ann.box.add_event(event)
    kept = ann.box.calendars.events("ann@example.com")[0]
    bob.box.calendars.take_invitation(ann.box.calendars.invitation(kept))
    bob.patch(kept.id, _answer("accepted"))
    (copy,) = bob.box.calendars.events("bob@example.com")
    named = ("start", "end", "text", "html", "show_as", "meeting_url")
    assert [getattr(copy.event, name) for name in named] == [getattr(event, name) for name in named]


def test_who_leaves_has_declined(ann: GoogleCalendar, bob: GoogleCalendar) -> None:
    id_ = ann.insert(timed(_NINE, _TEN, attendees=_guests("bob")))["id"]
    assert bob.delete(id_) == 204
    assert bob.rows() == []
    assert _responses(ann.get(id_)) == ["declined"]


def test_guests_come_and_go(ann: GoogleCalendar, bob: GoogleCalendar) -> None:
    id_ = ann.insert(timed(_NINE, _TEN))["id"]
    ann.patch(id_, {"attendees": _guests("bob")})
    assert len(bob.rows()) == 1
    ann.patch(id_, {"attendees": _guests("zoe")})
    assert bob.rows() == []
    ann.patch(id_, {"attendees": _guests("zoe", "bob")})
    assert len(bob.rows()) == 1
    ann.delete(id_)
    assert bob.rows() == []
    assert bob.get(id_)["status"] == "cancelled"


def test_a_series_with_its_exceptions_is_one_invitation(ann: GoogleCalendar, bob: GoogleCalendar) -> None:
    id_ = ann.insert(timed(_NINE, _TEN, recurrence=_DAILY))["id"]
    ann.patch(f"{id_}_{_SECOND}", {"summary": "Second"})
    ann.delete(f"{id_}_20260329T070000Z")
    ann.patch(id_, {"attendees": _guests("bob")})
    assert [row["summary"] for row in bob.expanded()] == ["Plans", "Second"]
    ann.delete(f"{id_}_20260327T080000Z")
    assert [row["summary"] for row in bob.expanded()] == ["Second"]


def test_an_exception_is_the_organisers_and_what_is_set_on_it_the_guests(
    ann: GoogleCalendar, bob: GoogleCalendar
) -> None:
    id_ = ann.insert(timed(_NINE, _TEN, recurrence=_DAILY))["id"]
    one = f"{id_}_{_SECOND}"
    ann.patch(one, {"summary": "Second", "colorId": "4"})
    ann.patch(id_, {"attendees": _guests("bob")})
    ann.patch(one, {"attendees": _guests("bob")})
    copy = bob.get(one)
    assert (copy["organizer"]["email"], "colorId" in copy) == ("ann@example.com", False)
    bob.patch(one, {"colorId": "5"})
    bob.patch(one, _answer("accepted"))
    assert _responses(ann.get(one)) == ["accepted"]
    ann.patch(id_, {"summary": "All"})
    assert (bob.get(one)["summary"], bob.get(one)["colorId"]) == ("Second", "5")


def test_one_occurrence_is_answered_or_all_of_them(ann: GoogleCalendar, bob: GoogleCalendar) -> None:
    id_ = ann.insert(timed(_NINE, _TEN, recurrence=_DAILY, attendees=_guests("bob")))["id"]
    bob.patch(f"{id_}_{_SECOND}", _answer("declined"))
    assert [_responses(row)[0] for row in ann.expanded()] == ["needsAction", "declined", "needsAction"]
    bob.patch(id_, _answer("accepted"))
    for calendar in (ann, bob):
        assert [_responses(row)[0] for row in calendar.expanded()] == ["accepted"] * 3


def test_somebody_may_be_asked_to_one_occurrence_alone(ann: GoogleCalendar, bob: GoogleCalendar) -> None:
    id_ = ann.insert(timed(_NINE, _TEN, recurrence=_DAILY))["id"]
    ann.patch(f"{id_}_{_SECOND}", {"attendees": _guests("bob")})
    (row,) = bob.expanded()
    assert row["start"]["dateTime"] == "2026-03-28T08:00:00Z"
    bob.patch(row["id"], _answer("accepted"))
    assert _responses(ann.get(f"{id_}_{_SECOND}")) == ["accepted"]
    ann.patch(f"{id_}_{_SECOND}", {"summary": "Other"})
    assert [row["summary"] for row in bob.expanded()] == ["Other"]
    ann.delete(f"{id_}_{_SECOND}")
    assert bob.expanded() == []


def test_who_sees_only_the_own_entry_answers_with_it(ann: GoogleCalendar, bob: GoogleCalendar) -> None:
    id_ = ann.insert(timed(_NINE, _TEN, attendees=_guests("zoe", "bob", "ann")))["id"]
    own = {"email": "ann@example.com", "responseStatus": "accepted"}
    assert _responses(ann.patch(id_, {"attendees": [own], "attendeesOmitted": True})) == [
        "needsAction",
        "needsAction",
        "accepted",
    ]
    assert [guest.get("organizer") for guest in bob.get(id_)["attendees"]] == [None, None, True]


def test_who_is_written_to(ann: GoogleCalendar, bob: GoogleCalendar) -> None:
    ann.sandbox.microsoft("cleo@contoso.example")
    guests = [*_guests("bob", "zoe"), {"email": "cleo@contoso.example"}]
    body = timed(_NINE, _TEN, attendees=guests)
    for told, recipients in (
        ({}, []),
        ({"sendUpdates": "none"}, []),
        ({"sendUpdates": "externalOnly"}, [("zoe@example.com", "cleo@contoso.example")]),
        ({"sendUpdates": "all"}, [("bob@example.com", "zoe@example.com", "cleo@contoso.example")]),
        ({"sendNotifications": "true"}, [("bob@example.com", "zoe@example.com", "cleo@contoso.example")]),
    ):
        uid = ann.insert(body, **told)["iCalUID"]
        assert [notice.recipients for notice in ann.sandbox.notices if notice.uid == uid] == recipients
    assert len(bob.rows()) == 5
    assert ann.refused("events", body, method="POST", sendUpdates="some") == (400, "invalidParameter")


def test_the_other_provider_is_reached_when_it_is_written_to(ann: GoogleCalendar) -> None:
    cleo = ann.sandbox.microsoft("cleo@contoso.example").calendars
    body = timed(_NINE, _TEN, attendees=[{"email": "cleo@contoso.example"}])
    ann.insert(body)
    assert cleo.events(cleo.primary_id) == []
    made = ann.insert(body, sendUpdates="all")
    (copy,) = cleo.events(cleo.primary_id)
    assert (copy.uid, copy.copy, copy.event.organizer) == (made["iCalUID"], True, Person("Ann Lee", "ann@example.com"))
    guest = Guest(Person("", "CLEO@contoso.example"), response="accepted")
    ann.box.calendars.take_answer(Answer(uid=copy.uid, guest=guest, at=copy.created))
    assert _responses(ann.get(made["id"])) == ["accepted"]
    ann.delete(made["id"], sendUpdates="all")
    (copy,) = cleo.events(cleo.primary_id)
    assert copy.cancelled


def test_what_concerns_nobody_else_is_not_sent(ann: GoogleCalendar, bob: GoogleCalendar) -> None:
    id_ = ann.insert(timed(_NINE, _TEN, attendees=_guests("bob")))["id"]
    ann.patch(id_, {"colorId": "5"}, sendUpdates="all")
    assert ann.sandbox.notices == []
    assert len(bob.rows()) == 1
