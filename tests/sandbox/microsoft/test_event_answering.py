"""Invitations between mailboxes: they arrive, are answered, changed, forwarded and cancelled, at both providers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mailkit.sandbox import GoogleMailbox, Sandbox
from mailkit.sandbox.microsoft import MicrosoftMailbox
from tests.support.graph import IMMUTABLE, Graph, to
from tests.support.meetings import at, event, every, google_event, guests, view

NINE, TEN = "2026-03-02T09:00:00", "2026-03-02T10:00:00"
ADDRESSES = ("bob@contoso.example", "gus@gmail.example")


@pytest.fixture
def bob(sandbox: Sandbox) -> MicrosoftMailbox:
    return sandbox.microsoft("bob@contoso.example", name="Bob Ray")


@pytest.fixture
def bobs(sandbox: Sandbox, bob: MicrosoftMailbox) -> Iterator[Graph]:
    asks = Graph(sandbox, bob.token)
    with asks.http:
        yield asks


@pytest.fixture
def gus(sandbox: Sandbox) -> GoogleMailbox:
    return sandbox.google("gus@gmail.example", name="Gus Hall")


def meeting(graph: Graph, **fields: Any) -> dict[str, Any]:
    return graph.made("/me/events", event("Plan", NINE, TEN, attendees=guests(*ADDRESSES)) | fields)


def series(graph: Graph) -> dict[str, Any]:
    return meeting(graph, recurrence=every("weekly", "2026-03-02", count=3, daysOfWeek=["monday"]))


def seen(graph: Graph) -> list[dict[str, Any]]:
    return view(graph, "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z", prefer=IMMUTABLE)


def answers(item: dict[str, Any]) -> dict[str, str]:
    return {guest["emailAddress"]["address"]: guest["status"]["response"] for guest in item["attendees"]}


def test_an_invitation_arrives_at_both_providers(
    graph: Graph, bobs: Graph, gus: GoogleMailbox, sandbox: Sandbox
) -> None:
    item = meeting(graph, isOnlineMeeting=True, responseRequested=False, importance="high")
    (copy,) = seen(bobs)
    assert (copy["subject"], copy["iCalUId"], copy["importance"]) == ("Plan", item["iCalUId"], "high")
    assert (copy["isOrganizer"], copy["responseRequested"], copy["showAs"]) == (False, False, "tentative")
    assert copy["responseStatus"] == {"response": "notResponded", "time": "0001-01-01T00:00:00Z"}
    assert copy["organizer"]["emailAddress"]["address"] == "ann@contoso.example"
    assert copy["onlineMeeting"] == item["onlineMeeting"]
    (kept,) = gus.calendars.events(gus.calendars.primary_id)
    assert (kept.event.title, kept.uid, kept.event.properties) == ("Plan", item["iCalUId"], {})
    assert [(notice.kind, notice.recipients) for notice in sandbox.notices] == [("invitation", ADDRESSES)]


@pytest.mark.parametrize(
    ("verb", "response", "shown"),
    [("accept", "accepted", "busy"), ("tentativelyAccept", "tentativelyAccepted", "tentative")],
)
def test_an_answer_comes_back(graph: Graph, bobs: Graph, verb: str, response: str, shown: str) -> None:
    item = meeting(graph)
    (copy,) = seen(bobs)
    assert bobs.write("POST", f"/me/events/{copy['id']}/{verb}", {"comment": "Fine"}).status_code == 202
    (copy,) = seen(bobs)
    assert (copy["responseStatus"]["response"], copy["showAs"]) == (response, shown)
    assert answers(graph.json(f"/me/events/{item['id']}")) == {
        "bob@contoso.example": response,
        "gus@gmail.example": "none",
    }


def test_a_declined_meeting_leaves_the_calendar(graph: Graph, bob: MicrosoftMailbox, bobs: Graph) -> None:
    item = meeting(graph)
    (copy,) = seen(bobs)
    assert bobs.write("POST", f"/me/events/{copy['id']}/decline").status_code == 202
    assert bobs.refusal(f"/me/events/{copy['id']}") == (404, "ErrorItemNotFound")
    assert answers(graph.json(f"/me/events/{item['id']}"))["bob@contoso.example"] == "declined"
    bob.calendars.keeps_declined = True
    meeting(graph)
    (copy,) = seen(bobs)
    bobs.write("POST", f"/me/events/{copy['id']}/decline")
    (copy,) = seen(bobs)
    assert (copy["responseStatus"]["response"], copy["showAs"]) == ("declined", "free")


def test_who_can_answer_and_how(graph: Graph, bobs: Graph) -> None:
    item = meeting(graph, allowNewTimeProposals=False)
    path = f"/me/events/{item['id']}"
    assert graph.refused("POST", f"{path}/accept", {}) == (400, "ErrorInvalidRequest")
    assert graph.refused("POST", f"{path}/decline") == (400, "ErrorInvalidRequest")
    (copy,) = seen(bobs)
    path = f"/me/events/{copy['id']}"
    slot = {"start": at(TEN), "end": at("2026-03-02T11:00:00")}
    assert bobs.refused("POST", f"{path}/accept", {"proposedNewTime": slot}) == (400, "RequestBodyRead")
    for body in ({"proposedNewTime": slot, "sendResponse": False}, {"proposedNewTime": slot}):
        assert bobs.refused("POST", f"{path}/decline", body) == (400, "ErrorInvalidParameter")
    assert bobs.refused("POST", f"{path}/cancel", {}) == (400, "ErrorInvalidRequest")
    assert bobs.refused("POST", "/me/events/none/accept") == (404, "ErrorItemNotFound")
    assert bobs.write("POST", f"{path}/accept", {"sendResponse": False}).status_code == 202
    assert answers(graph.json(f"/me/events/{item['id']}"))["bob@contoso.example"] == "none"


def test_an_organiser_who_wants_no_answers_gets_none(graph: Graph, bobs: Graph) -> None:
    meeting(graph, responseRequested=False)
    (copy,) = seen(bobs)
    path = f"/me/events/{copy['id']}/accept"
    assert bobs.refused("POST", path, {"sendResponse": True}) == (400, "ErrorInvalidRequest")
    assert bobs.write("POST", path, {"sendResponse": False}).status_code == 202


def test_another_time_is_proposed(graph: Graph, bobs: Graph) -> None:
    item = meeting(graph)
    (copy,) = seen(bobs)
    slot = {
        "Start": {"DateTime": "2026-03-03T01:00:00", "TimeZone": "Pacific Standard Time"},
        "End": {"DateTime": "2026-03-03T02:00:00", "TimeZone": "Pacific Standard Time"},
    }
    body = {"comment": "Later?", "sendResponse": "true", "proposedNewTime": slot}
    assert bobs.write("POST", f"/me/events/{copy['id']}/tentativelyAccept", body).status_code == 202
    guest = graph.json(f"/me/events/{item['id']}")["attendees"][0]
    assert guest["proposedNewTime"]["start"] == {"dateTime": "2026-03-03T09:00:00.0000000", "timeZone": "UTC"}
    body["proposedNewTime"] = {"start": at(NINE), "end": at(TEN)}
    bobs.write("POST", f"/me/events/{copy['id']}/tentativelyAccept", body)
    guest = graph.json(f"/me/events/{item['id']}")["attendees"][0]
    assert guest["proposedNewTime"]["start"]["dateTime"][:19] == NINE
    body = {"start": at("2026-03-03T09:00:00"), "end": at("2026-03-03T10:00:00")}
    moved = graph.changed(f"/me/events/{item['id']}", body)
    assert "proposedNewTime" not in moved["attendees"][0]
    # At another time everybody is asked anew.
    assert answers(moved) == dict.fromkeys(ADDRESSES, "none")
    (copy,) = seen(bobs)
    assert (copy["start"]["dateTime"][:16], copy["responseStatus"]["response"]) == ("2026-03-03T09:00", "notResponded")


def test_a_changed_list_of_guests_replaces_the_former(graph: Graph, bobs: Graph, gus: GoogleMailbox) -> None:
    item = meeting(graph)
    (copy,) = seen(bobs)
    bobs.write("POST", f"/me/events/{copy['id']}/accept")
    path = f"/me/events/{item['id']}"
    body = {"attendees": [*guests("BOB@contoso.example"), *guests("room1@contoso.example", kind="resource")]}
    changed = graph.changed(path, body)
    assert list(answers(changed).values()) == ["accepted", "none"]
    assert changed["attendees"][1]["type"] == "resource"
    (kept,) = gus.calendars.events(gus.calendars.primary_id)
    assert kept.cancelled
    graph.changed(path, {"attendees": []})
    (copy,) = seen(bobs)
    assert (copy["isCancelled"], copy["subject"], copy["showAs"]) == (True, "Canceled: Plan", "free")


def test_a_guest_changes_only_their_copy(graph: Graph, bobs: Graph) -> None:
    item = meeting(graph)
    (copy,) = seen(bobs)
    bobs.changed(f"/me/events/{copy['id']}", {"subject": "Mine", "categories": ["Red"]})
    assert graph.json(f"/me/events/{item['id']}")["subject"] == "Plan"
    graph.changed(f"/me/events/{item['id']}", {"location": {"displayName": "Room 1"}})
    (copy,) = seen(bobs)
    assert (copy["subject"], copy["categories"], copy["location"]["displayName"]) == ("Plan", ["Red"], "Room 1")


def test_hidden_guests_see_themselves(graph: Graph, bobs: Graph) -> None:
    item = meeting(graph, hideAttendees=True)
    (copy,) = seen(bobs)
    assert list(answers(copy)) == ["bob@contoso.example"]
    assert len(item["attendees"]) == 2


@pytest.mark.parametrize("verb", ["cancel", "delete"])
def test_a_cancelled_meeting(graph: Graph, bobs: Graph, gus: GoogleMailbox, sandbox: Sandbox, verb: str) -> None:
    item = meeting(graph)
    path = f"/me/events/{item['id']}"
    if verb == "cancel":
        assert graph.write("POST", f"{path}/cancel", {"Comment": "Sorry"}).status_code == 202
        assert sandbox.notices[-1].comment == "Sorry"
    else:
        assert graph.write("DELETE", path).status_code == 204
    assert graph.refusal(path) == (404, "ErrorItemNotFound")
    assert sandbox.notices[-1].kind == "cancellation"
    (copy,) = seen(bobs)
    assert copy["isCancelled"]
    assert bobs.changed(f"/me/events/{copy['id']}", {"categories": ["Gone"]})["isCancelled"]
    assert bobs.write("DELETE", f"/me/events/{copy['id']}").status_code == 204
    assert seen(bobs) == []
    (kept,) = gus.calendars.events(gus.calendars.primary_id)
    assert kept.cancelled


def test_what_is_no_meeting_is_not_cancelled(graph: Graph) -> None:
    item = graph.made("/me/events", event("Alone", NINE, TEN))
    assert graph.refused("POST", f"/me/events/{item['id']}/cancel", {}) == (400, "ErrorInvalidRequest")


def test_one_occurrence_is_answered_moved_and_cancelled(graph: Graph, bobs: Graph) -> None:
    series(graph)
    first, second, third = seen(bobs)
    bobs.write("POST", f"/me/events/{second['seriesMasterId']}/accept")
    assert {row["responseStatus"]["response"] for row in seen(bobs)} == {"accepted"}
    bobs.write("POST", f"/me/events/{second['id']}/decline")
    assert [row["id"] for row in seen(bobs)] == [first["id"], third["id"]]
    mine = seen(graph)
    assert [answers(row)["bob@contoso.example"] for row in mine] == ["accepted", "declined", "accepted"]
    body = {"start": at("2026-03-17T15:00:00"), "end": at("2026-03-17T16:00:00")}
    graph.changed(f"/me/events/{mine[2]['id']}", body)
    assert seen(bobs)[1]["start"]["dateTime"][:16] == "2026-03-17T15:00"
    assert seen(bobs)[1]["type"] == "exception"
    graph.write("POST", f"/me/events/{mine[0]['id']}/cancel", {"comment": "Ill"})
    assert [row["isCancelled"] for row in seen(bobs)] == [True, False]
    assert len(seen(graph)) == 2


def test_a_forwarded_meeting_reaches_others(graph: Graph, bobs: Graph, sandbox: Sandbox) -> None:
    item = graph.made("/me/events", event("Alone", NINE, TEN))
    path = f"/me/events/{item['id']}/forward"
    body = {"toRecipients": to("bob@contoso.example"), "comment": "For you"}
    assert graph.write("POST", path, body).status_code == 202
    assert [row["subject"] for row in seen(bobs)] == ["Alone"]
    assert sandbox.notices[-1].comment == "For you"
    assert graph.refused("POST", path, {"toRecipients": []})[0] == 400


def test_a_google_meeting_arrives_and_is_answered(sandbox: Sandbox, graph: Graph, gus: GoogleMailbox) -> None:
    key = google_event(sandbox, gus, "ann@contoso.example", recurrence=["RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2"])
    first, second = seen(graph)
    assert (first["type"], first["organizer"]["emailAddress"]["address"]) == ("occurrence", gus.address)
    master = graph.json(f"/me/events/{first['seriesMasterId']}", prefer=IMMUTABLE)
    assert master["recurrence"]["pattern"]["type"] == "weekly"
    graph.write("POST", f"/me/events/{master['id']}/accept", {})
    kept = gus.calendars.event(key)
    assert kept is not None
    assert [guest.response for guest in kept.event.guests] == ["accepted"]
    assert second["seriesMasterId"] == master["id"]


def test_of_a_series_outlook_has_no_pattern_for_one_meeting_arrives(
    sandbox: Sandbox, graph: Graph, gus: GoogleMailbox
) -> None:
    google_event(sandbox, gus, "ann@contoso.example", recurrence=["RRULE:FREQ=MONTHLY;BYMONTHDAY=2,9"])
    assert [row["type"] for row in seen(graph)] == ["singleInstance"]
