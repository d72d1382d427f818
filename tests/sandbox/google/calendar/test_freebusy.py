"""When people are busy: own calendars, colleagues, strangers, limits."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from mailkit.sandbox import Event, Guest, Person
from tests.support.google_calendar import GoogleCalendar

_MAY = {"timeMin": "2026-05-01T00:00:00Z", "timeMax": "2026-05-31T00:00:00Z"}


def _at(hour: int, day: int = 4) -> dt.datetime:
    return dt.datetime(2026, 5, day, hour, tzinfo=dt.UTC)


def _ask(ann: GoogleCalendar, *ids: str, **more: Any) -> dict[str, Any]:
    body = _MAY | {"items": [{"id": id_} for id_ in ids]} | more
    answer: dict[str, Any] = ann.told("/freeBusy", body, method="POST")["calendars"]
    return answer


def _busy(ann: GoogleCalendar, **more: Any) -> list[tuple[str, str]]:
    return [(span["start"], span["end"]) for span in _ask(ann, "primary", **more)["primary"]["busy"]]


def test_spans_are_joined_cut_and_told_in_a_zone(ann: GoogleCalendar) -> None:
    for start, end in ((9, 10), (9, 12), (10, 11), (12, 13), (14, 14)):
        ann.box.add_event(Event(start=_at(start), end=_at(end)))
    ann.box.add_event(Event(start=dt.datetime(2026, 4, 30, 20, tzinfo=dt.UTC), end=_at(2, 1)))
    ann.box.add_event(Event(start=dt.date(2026, 5, 9)))
    assert _busy(ann, timeZone="Asia/Tokyo") == [
        ("2026-05-01T09:00:00+09:00", "2026-05-01T11:00:00+09:00"),
        ("2026-05-04T18:00:00+09:00", "2026-05-04T22:00:00+09:00"),
        ("2026-05-09T07:00:00+09:00", "2026-05-10T07:00:00+09:00"),
    ]


def test_what_leaves_one_free(ann: GoogleCalendar) -> None:
    ann.box.add_event(Event(start=_at(9), show_as="free"))
    ann.box.add_event(Event(start=_at(9), guests=[Guest(Person("", "ann@example.com"), response="declined")]))
    ann.delete(ann.box.add_event(Event(start=_at(9))))
    assert _busy(ann) == []
    ann.box.add_event(Event(start=_at(9), show_as="tentative", recurrence=["RRULE:FREQ=DAILY;COUNT=3"]))
    assert len(_busy(ann)) == 3


def test_who_may_be_looked_at(ann: GoogleCalendar) -> None:
    bob = ann.sandbox.google("bob@example.com")
    zoe = ann.sandbox.google("zoe@elsewhere.example")
    ann.sandbox.microsoft("cleo@example.com")
    bob.add_event(Event(start=_at(9)))
    team = ann.box.add_calendar("Team", role="freeBusyReader").id
    ids = ("Bob@example.com", "zoe@elsewhere.example", "cleo@example.com", "nobody@example.com", team)
    answer = _ask(ann, *ids)
    assert list(answer) == list(ids)
    assert answer["Bob@example.com"]["busy"] == [{"start": "2026-05-04T09:00:00Z", "end": "2026-05-04T10:00:00Z"}]
    for unknown in ids[1:4]:
        assert answer[unknown]["errors"] == [{"domain": "global", "reason": "notFound"}]
    assert "errors" not in answer[team]
    zoe.calendars.busy_seen_by.add("ann@example.com")
    bob.calendars.busy_seen_by.clear()
    answer = _ask(ann, *ids)
    assert ("errors" in answer["Bob@example.com"], "errors" in answer["zoe@elsewhere.example"]) == (True, False)


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"timeMin": None}, "required"),
        ({"timeMin": "2026-05-01T00:00:00"}, "badRequest"),
        ({"timeMax": "2026-05-01T00:00:00Z"}, "timeRangeEmpty"),
        ({"timeMax": "2026-06-30T00:00:01Z"}, "timeRangeTooLong"),
        ({"calendarExpansionMax": 51}, "invalid"),
        ({"groupExpansionMax": 101}, "invalid"),
        ({"items": [{"name": "x"}]}, "required"),
        ({"timeZone": "Nowhere"}, "invalid"),
    ],
)
def test_limits(ann: GoogleCalendar, more: dict[str, Any], reason: str) -> None:
    body = _MAY | {"items": [{"id": "primary"}]} | more
    assert ann.refused("/freeBusy", body, method="POST") == (400, reason)


def test_only_so_many_calendars_at_once(ann: GoogleCalendar) -> None:
    ids = [ann.box.add_calendar(f"c{n}").id for n in range(51)]
    answer = _ask(ann, *ids)
    assert [id_ for id_, one in answer.items() if "errors" in one] == [ids[-1]]
    assert answer[ids[-1]]["errors"][0]["reason"] == "tooManyCalendarsRequested"
    assert "errors" in _ask(ann, *ids[:2], calendarExpansionMax=1)[ids[1]]
