"""O365 lists, makes, changes, answers and deletes events on a served sandbox."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any
from zoneinfo import ZoneInfo

import attrs
import pytest
from O365.calendar import Event as TheirEvent

from mailkit import Account, CalendarClient
from mailkit.sandbox import Changed, Guest, MicrosoftMailbox, Person, Sandbox
from mailkit.sandbox import Event as Seed
from tests.peers.o365_peer import O365Peer
from tests.support.loopback import served

pytestmark = pytest.mark.others_leak  # O365 logs the bearer token of every request

_UTC = ZoneInfo("UTC")
_BERLIN = ZoneInfo("Europe/Berlin")
_MARCH = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)
_MAY = dt.datetime(2026, 5, 1, tzinfo=dt.UTC)
BOB = "bob@contoso.example"


def _at(day: int, hour: int = 9, month: int = 3) -> dt.datetime:
    return dt.datetime(2026, month, day, hour, tzinfo=_BERLIN)


@attrs.frozen
class _World:
    sandbox: Sandbox
    ann: MicrosoftMailbox
    bob: MicrosoftMailbox
    schedule: Any
    calendar: CalendarClient

    def kept(self) -> list[tuple[str, dt.datetime]]:
        """Give what takes place in Ann's calendar."""
        rows = self.ann.calendars.expand(self.ann.calendars.primary_id, _MARCH, _MAY)
        return [(row.event.title, _instant(row.event.start)) for row in rows if not self.ann.calendars.is_gone(row)]

    def theirs(self) -> list[Any]:
        """Give what O365 reads of it."""
        rows = self.schedule.get_events(limit=None, start_recurring=_MARCH, end_recurring=_MAY)
        return sorted(rows, key=lambda row: row.start)

    def ours(self) -> list[tuple[str, dt.datetime]]:
        """Give what mailkit reads of it."""
        rows = self.calendar.events(_MARCH, _MAY)
        rows.raise_for_failures()
        return [(row.title, _instant(row.start)) for row in rows]


def _instant(when: dt.date) -> dt.datetime:
    whole = not isinstance(when, dt.datetime)
    return dt.datetime.combine(when, dt.time(), dt.UTC) if whole else when.astimezone(dt.UTC)  # type: ignore[attr-defined]


@pytest.fixture
def world() -> Iterator[_World]:
    sandbox = Sandbox()
    ann = sandbox.microsoft("ann@contoso.example", name="Ann Lee", zone="Europe/Berlin")
    bob = sandbox.microsoft(BOB, name="Bob Ray")
    with served(sandbox) as url:
        peer = O365Peer(url, ann.token)
        account = Account(name="work", provider="microsoft", token=ann.token, base_url=f"{url}/v1.0")
        with CalendarClient([account], tz="UTC") as calendar:
            yield _World(sandbox, ann, bob, peer.account.schedule(), calendar)
        peer.close()


def test_events_read_alike(world: _World) -> None:
    world.ann.add_event(
        Seed(
            title="Team",
            start=_at(23),
            recurrence="RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=4",
            exceptions=[Changed(original=_at(30), event=Seed(title="Team, late", start=_at(30, 17)))],
            guests=[Guest(Person("Bob Ray", BOB), response="accepted")],
            location="Room 1",
        )
    )
    world.ann.add_event(Seed(title="Fair", start=dt.date(2026, 4, 1), end=dt.date(2026, 4, 3), show_as="away"))
    rows = world.theirs()
    assert [(row.subject, row.start) for row in rows] == world.kept() == world.ours()
    team, fair = rows[0], rows[2]
    assert (team.event_type.value, team.location["displayName"], team.is_all_day) == ("occurrence", "Room 1", False)
    assert [(guest.address, guest.response_status.status.value) for guest in team.attendees] == [(BOB, "accepted")]
    assert (fair.is_all_day, fair.start.date(), fair.end.date()) == (True, dt.date(2026, 4, 1), dt.date(2026, 4, 3))
    (master, single) = world.schedule.get_events(include_recurring=False)
    assert (master.event_type.value, single.event_type.value) == ("series_master", "single_instance")
    assert len(list(master.get_occurrences(_MARCH, _MAY))) == 4
    query = world.schedule.get_default_calendar().new_query().contains("subject", "Fai")
    assert [row.subject for row in world.schedule.get_events(include_recurring=False, query=query)] == ["Fair"]


def test_an_event_is_made_changed_and_deleted(world: _World) -> None:
    event = world.schedule.new_event("Lunch")
    event.start, event.end = _at(2, 12), _at(2, 13)
    event.body = "<p>Noon?</p>"
    event.location = "Harry's Bar"
    event.attendees.add(BOB)
    event.remind_before_minutes = 10
    event.categories = ["Food"]
    assert event.save()
    assert world.kept() == [("Lunch", _instant(_at(2, 12)))]
    (kept,) = world.ann.calendars.events(world.ann.calendars.primary_id)
    assert (kept.event.location, kept.event.reminders, kept.event.categories) == ("Harry's Bar", (10,), ("Food",))
    assert [notice.recipients for notice in world.sandbox.notices] == [(BOB,)]
    (read,) = world.theirs()
    assert (read.object_id, read.ical_uid) == (event.object_id, kept.uid)
    read.subject = "Late lunch"
    read.start, read.end = _at(2, 13), _at(2, 14)
    assert read.save()
    assert world.kept() == world.ours() == [("Late lunch", _instant(_at(2, 13)))]
    assert read.delete()
    assert world.kept() == []
    assert [notice.kind for notice in world.sandbox.notices] == ["invitation", "invitation", "cancellation"]


def test_whole_days_keep_their_dates(world: _World) -> None:
    event = world.schedule.new_event("Fair")
    event.start, event.end = dt.datetime(2026, 3, 2, tzinfo=_BERLIN), dt.datetime(2026, 3, 4, tzinfo=_BERLIN)
    event.is_all_day = True
    assert event.save()
    (kept,) = world.ann.calendars.events(world.ann.calendars.primary_id)
    assert (kept.event.start, kept.event.end) == (dt.date(2026, 3, 2), dt.date(2026, 3, 4))
    (read,) = world.theirs()
    assert (read.start.date(), read.end.date()) == (dt.date(2026, 3, 2), dt.date(2026, 3, 4))
    (row,) = world.calendar.events(_MARCH, _MAY)
    assert (row.start, row.end) == (dt.date(2026, 3, 2), dt.date(2026, 3, 4))


def test_a_series_is_made_and_one_of_it_changed(world: _World) -> None:
    event = world.schedule.new_event("Team")
    event.start, event.end = _at(23), _at(23, 10)
    event.recurrence.set_weekly(1, days_of_week=["monday"], first_day_of_week="monday", start=dt.date(2026, 3, 23))
    event.recurrence.recurrence_time_zone = "W. Europe Standard Time"
    event.recurrence.occurrences = 3
    assert event.save()
    assert world.kept() == [("Team", _instant(_at(day, month=month))) for month, day in ((3, 23), (3, 30), (4, 6))]
    second = world.theirs()[1]
    second.subject = "Team, elsewhere"
    assert second.save()
    assert world.theirs()[2].delete()
    assert [title for title, _ in world.kept()] == ["Team", "Team, elsewhere"]
    assert world.ours() == world.kept()


def test_meetings_are_answered_and_cancelled(world: _World) -> None:
    bob = Person("Bob Ray", BOB)
    for title in ("Yes", "Perhaps", "No"):
        made = world.bob.calendars.insert(Seed(title=title, start=_at(2), guests=[Person("", world.ann.address)]))
        invitation = world.bob.calendars.invitation(made)
        assert invitation.organizer == bob
        world.ann.calendars.take_invitation(invitation)
    rows = {row.subject: row for row in world.theirs()}
    assert rows["Yes"].organizer.address == BOB
    assert rows["Yes"].accept_event("Fine")
    assert rows["Perhaps"].accept_event(tentatively=True)
    assert rows["No"].decline_event("Sorry")
    answers = {
        kept.event.title: kept.event.guests[0].response
        for kept in world.bob.calendars.events(world.bob.calendars.primary_id)
    }
    assert answers == {"Yes": "accepted", "Perhaps": "tentative", "No": "declined"}
    assert sorted(title for title, _ in world.kept()) == ["Perhaps", "Yes"]
    own = world.schedule.new_event("Mine")
    own.start, own.end = _at(3), _at(3, 10)
    own.attendees.add(BOB)
    assert own.save()
    assert own.cancel_event("Off")
    assert world.sandbox.notices[-1].comment == "Off"


def test_calendars_and_schedules(world: _World) -> None:
    trips = world.schedule.new_calendar("Trips")
    event: TheirEvent = trips.new_event("Rome")
    event.start, event.end = _at(2), _at(2, 10)
    assert event.save()
    assert [each.name for each in world.schedule.list_calendars()] == ["Calendar", "Trips"]
    again = world.schedule.get_calendar(calendar_name="Trips")
    assert [row.subject for row in again.get_events(include_recurring=False)] == ["Rome"]
    assert again.get_event(event.object_id).subject == "Rome"
    again.name = "Journeys"
    assert again.update()
    assert again.delete()
    world.bob.add_event(Seed(start=_at(2), end=_at(2, 10)))
    (row,) = world.schedule.get_availability([BOB], _at(2, 8), _at(2, 11))
    assert row["availabilityView"] == ["free", "busy", "free"]
    assert row["scheduleItems"][0]["start"] == _at(2)
