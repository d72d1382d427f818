"""gcsa lists, makes, changes and deletes events on a served sandbox; mailkit reads what it did."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any
from zoneinfo import ZoneInfo

import attrs
import pytest
from gcsa.attendee import Attendee
from gcsa.calendar import Calendar
from gcsa.conference import ConferenceSolutionCreateRequest, SolutionType
from gcsa.event import Event
from gcsa.free_busy import FreeBusyQueryError
from googleapiclient.errors import HttpError

from mailkit import Account, CalendarClient
from mailkit.sandbox import Changed, GoogleMailbox, Person, Sandbox
from mailkit.sandbox import Event as Seed
from tests.peers.gcsa_peer import calendar_of
from tests.support.loopback import served

_BERLIN = ZoneInfo("Europe/Berlin")
_APRIL = {"time_min": dt.datetime(2026, 3, 20, tzinfo=_BERLIN), "time_max": dt.datetime(2026, 5, 1, tzinfo=_BERLIN)}


def _at(day: int, hour: int = 9, month: int = 3) -> dt.datetime:
    return dt.datetime(2026, month, day, hour, tzinfo=_BERLIN)


@attrs.frozen
class _World:
    sandbox: Sandbox
    ann: GoogleMailbox
    bob: GoogleMailbox
    peer: Any
    calendar: CalendarClient

    def kept(self) -> list[tuple[str, object, object]]:
        """Give what is in Ann's calendar: title, start and end."""
        rows = self.ann.calendars.expand("ann@example.com", _APRIL["time_min"], _APRIL["time_max"])
        return [(row.event.title, row.event.start, row.event.end) for row in rows if not row.cancelled]

    def ours(self) -> list[tuple[str, object, object]]:
        """Give what mailkit reads of it."""
        rows = self.calendar.events(_APRIL["time_min"], _APRIL["time_max"])
        rows.raise_for_failures()
        return [(row.title, row.start, row.end) for row in rows]

    def theirs(self) -> list[tuple[str, object, object]]:
        """Give what gcsa reads of it."""
        rows = self.peer.get_events(**_APRIL, single_events=True, order_by="startTime")
        return [(row.summary, row.start, row.end) for row in rows]


@pytest.fixture
def world() -> Iterator[_World]:
    sandbox = Sandbox()
    ann, bob = (sandbox.google(f"{name}@example.com", zone="Europe/Berlin") for name in ("ann", "bob"))
    with served(sandbox) as url:
        peer = calendar_of(url, ann.token)
        account = Account(name="ann", provider="google", token=ann.token, base_url=url)
        with CalendarClient([account], tz="Europe/Berlin") as calendar:
            yield _World(sandbox, ann, bob, peer, calendar)
        peer.service.close()


def _told(rows: list[tuple[str, object, object]]) -> list[tuple[str, str, str]]:
    """Put events as text: a zone by name and an offset are the same time."""
    return [(title, str(start), str(end)) for title, start, end in rows]


def test_it_reads_what_was_there(world: _World) -> None:
    world.ann.add_event(Seed(title="Single", start=_at(27, 23), end=_at(28, 5)))
    world.ann.add_event(Seed(title="Days", start=dt.date(2026, 3, 28), end=dt.date(2026, 3, 31)))
    world.ann.add_event(
        Seed(
            title="Daily",
            start=_at(26),
            recurrence=["RRULE:FREQ=DAILY;COUNT=6", "EXDATE;TZID=Europe/Berlin:20260327T090000"],
            exceptions=[
                Changed(original=_at(29), event=Seed(title="Moved", start=_at(29, 15))),
                Changed(original=_at(30)),
            ],
        )
    )
    assert len(world.theirs()) == 6
    assert _told(world.theirs()) == _told(world.kept()) == _told(world.ours())


def test_pages_are_followed(world: _World) -> None:
    for hour in range(7):
        world.ann.add_event(Seed(title=str(hour), start=_at(27, hour + 8)))
    rows = world.peer.get_events(**_APRIL, single_events=True, order_by="startTime", maxResults=3)
    assert [row.summary for row in rows] == [str(hour) for hour in range(7)]


def test_an_event_is_made_changed_and_deleted(world: _World) -> None:
    made = world.peer.add_event(
        Event("Plans", start=_at(27), end=_at(27, 10), timezone="Europe/Berlin", location="Room 2", color_id="4")
    )
    assert world.kept() == world.ours() == [("Plans", _at(27), _at(27, 10))]
    made.summary, made.end = "Other", _at(27, 12)
    world.peer.update_event(made)
    assert world.kept() == world.ours() == [("Other", _at(27), _at(27, 12))]
    again = world.peer.get_event(made.event_id)
    assert (again.location, again.color_id) == ("Room 2", "4")
    world.peer.delete_event(again)
    assert world.kept() == world.ours() == []
    with pytest.raises(HttpError, match="410"):
        world.peer.delete_event(again)


def test_days_and_series_are_made(world: _World) -> None:
    world.peer.add_event(Event("Away", start=dt.date(2026, 3, 28), end=dt.date(2026, 3, 30)))
    series = world.peer.add_event(
        Event("Daily", start=_at(28), end=_at(28, 10), timezone="Europe/Berlin", recurrence="RRULE:FREQ=DAILY;COUNT=3")
    )
    instances = list(world.peer.get_instances(series, **_APRIL))
    assert [one.start for one in instances] == [_at(28), _at(29), _at(30)]
    world.peer.delete_event(instances[1])
    instances[2].summary = "Last"
    world.peer.update_event(instances[2])
    assert [title for title, _, _ in world.kept()] == ["Away", "Daily", "Last"]
    assert _told(world.theirs()) == _told(world.kept()) == _told(world.ours())


def test_guests_and_a_meeting(world: _World) -> None:
    made = world.peer.add_event(
        Event(
            "Meeting",
            start=_at(27),
            timezone="Europe/Berlin",
            attendees=[Attendee("bob@example.com"), Attendee("zoe@example.net", optional=True)],
            conference_solution=ConferenceSolutionCreateRequest(solution_type=SolutionType.HANGOUTS_MEET),
        ),
        send_updates="all",
    )
    assert made.conference_solution.entry_points[0].uri.startswith("https://meet.google.com/")
    (copy,) = world.bob.calendars.events("bob@example.com")
    assert copy.event.meeting_url == made.conference_solution.entry_points[0].uri
    assert copy.event.organizer == Person("", "ann@example.com")
    assert [notice.recipients for notice in world.sandbox.notices] == [("bob@example.com", "zoe@example.net")]
    (row,) = world.peer.get_events(**_APRIL)
    assert [(guest.email, guest.response_status) for guest in row.attendees] == [
        ("bob@example.com", "needsAction"),
        ("zoe@example.net", "needsAction"),
    ]


def test_calendars_and_who_is_busy(world: _World) -> None:
    made = world.peer.add_calendar(Calendar("Work", timezone="Asia/Tokyo"))
    names = [entry.summary for entry in world.peer.get_calendar_list()]
    assert names == ["ann@example.com", "Work"]
    world.ann.add_event(Seed(start=_at(27)))
    busy = world.peer.get_free_busy(["primary", made.calendar_id], **_APRIL, timezone="Europe/Berlin")
    assert [(span.start, span.end) for span in busy.calendars["primary"]] == [(_at(27), _at(27, 10))]
    assert busy.calendars[made.calendar_id] == []
    with pytest.raises(FreeBusyQueryError):
        world.peer.get_free_busy("nobody@example.net", **_APRIL)
    assert world.peer.get_settings().timezone == "Europe/Berlin"
    world.peer.delete_calendar(made)
    assert len(list(world.peer.get_calendar_list())) == 1
