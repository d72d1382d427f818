"""The neutral keeping of events: seeds, series with exceptions, changes, who is busy."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import attrs
import pytest

from mailkit.sandbox import Changed, Event, Guest, Person
from mailkit.sandbox.calendars import Calendars
from mailkit.sandbox.event import When
from mailkit.sandbox.kept import KeptEvent

_BERLIN = ZoneInfo("Europe/Berlin")
_NOW = dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC)
_YEAR = dt.datetime(2026, 1, 1, tzinfo=dt.UTC), dt.datetime(2027, 1, 1, tzinfo=dt.UTC)


@pytest.fixture
def calendars() -> Calendars:
    return _calendars()


def _calendars(zone: str = "Europe/Berlin") -> Calendars:
    return Calendars(
        Person("Ann", "ann@example.com"),
        provider="nobody",
        addresses=lambda: ("ann@example.com", "a.lee@example.com"),
        now=lambda: _NOW,
        zone=ZoneInfo(zone),
    )


def _at(day: int, hour: int, month: int = 3) -> dt.datetime:
    return dt.datetime(2026, month, day, hour, tzinfo=_BERLIN)


def _daily(*changes: Changed, count: int = 4) -> Event:
    return Event(title="x", start=_at(27, 9), recurrence=[f"RRULE:FREQ=DAILY;COUNT={count}"], exceptions=changes)


def _shown(calendars: Calendars) -> list[When]:
    return [kept.event.start for kept in calendars.expand(calendars.primary_id, *_YEAR) if not kept.cancelled]


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (dt.datetime(2026, 3, 1, 9), _at(1, 10)),  # noqa: DTZ001  # naive on purpose
        (_at(2, 9), _at(1, 9)),
        (_at(2, 9), dt.date(2026, 3, 2)),
        (dt.date(2026, 3, 2), _at(2, 9)),
    ],
)
def test_what_no_event_can_be(start: When, end: When) -> None:
    with pytest.raises(ValueError, match=r"must"):
        Event(start=start, end=end)


def test_an_event_is_an_hour_or_a_day_long() -> None:
    assert Event(start=_at(2, 9)).end == _at(2, 10)
    assert Event(start=dt.date(2026, 3, 2)).end == dt.date(2026, 3, 3)
    assert "Secret" in repr(Event(title="Secret plans of the coming year", start=_at(2, 9)))
    assert "coming year" not in repr(Event(title="Secret plans of the coming year", start=_at(2, 9)))


def test_moved_it_is_as_long_as_before() -> None:
    night = Event(start=_at(27, 23), end=_at(28, 5))
    moved = night.moved_to(_at(28, 23))
    assert (moved.end.isoformat(), moved.all_day) == ("2026-03-29T06:00:00+02:00", False)
    assert Event(start=dt.date(2026, 3, 1), end=dt.date(2026, 3, 3)).moved_to(dt.date(2026, 3, 29)).end == dt.date(
        2026, 3, 31
    )


def test_seeds_go_into_the_calendar_they_name(calendars: Calendars) -> None:
    work = calendars.add("Work")
    assert calendars.insert(Event(start=_at(2, 9), calendar="Work")).calendar == work.id
    assert calendars.insert(Event(start=_at(2, 9))).calendar == calendars.primary_id
    assert [one.name for one in calendars] == ["Calendar", "Work"]
    with pytest.raises(KeyError):
        calendars.insert(Event(start=_at(2, 9), calendar="Play"))
    calendars.remove(work.id)
    assert calendars.get(work.id) is None


def test_ids_are_new_or_as_given(calendars: Calendars) -> None:
    ids = [calendars.insert(Event(start=_at(2, 9), id=given)).id for given in ("own", None, None)]
    assert ids[0] == "own"
    assert len(set(ids)) == 3
    with pytest.raises(ValueError, match="already"):
        calendars.insert(Event(start=_at(2, 9), id="own"))


@pytest.mark.parametrize(
    "event",
    [
        Event(start=_at(27, 9), recurrence=["RRULE:FREQ=HOURLY"]),
        _daily(Changed(original=_at(27, 10))),
    ],
)
def test_a_series_that_is_none_is_refused_and_not_kept(calendars: Calendars, event: Event) -> None:
    with pytest.raises(ValueError, match=r"."):
        calendars.insert(event)
    assert calendars.events(calendars.primary_id) == []


def test_occurrences_are_known_by_their_first_start(calendars: Calendars) -> None:
    late = Event(title="late", start=_at(2, 9, 5))
    series = calendars.insert(_daily(Changed(original=_at(28, 9), event=late), Changed(original=_at(29, 9))))
    assert _shown(calendars) == [_at(27, 9), _at(30, 9), _at(2, 9, 5)]
    moved = calendars.occurrence(series, dt.datetime(2026, 3, 28, 8, tzinfo=dt.UTC))
    assert moved is not None
    assert (moved.event.title, moved.original, calendars.event(moved.id)) == ("late", _at(28, 9), moved)
    assert [kept.cancelled for kept in calendars.occurrences(series, *_YEAR)] == [False, True, False, False]
    assert calendars.occurrence(series, _at(28, 10)) is None
    assert calendars.event("nothing") is None
    assert calendars.event("nothing_20260328T080000Z") is None


def test_what_is_saved_of_an_occurrence_is_an_exception(calendars: Calendars) -> None:
    series = calendars.insert(_daily())
    one = calendars.event(f"{series.id}_20260328T080000Z")
    assert one is not None
    calendars.save(one, attrs.evolve(one.event, title="other", recurrence=["RRULE:FREQ=DAILY"]))
    (kept,) = calendars.exceptions(series)
    assert (kept.id, kept.event.title, kept.recurs, kept.series) == (one.id, "other", False, series.id)
    calendars.save(series, attrs.evolve(series.event, recurrence=["RRULE:FREQ=DAILY;INTERVAL=2"]))
    assert calendars.exceptions(series) == []


def test_every_change_has_a_number(calendars: Calendars) -> None:
    kept = calendars.insert(Event(start=_at(2, 9)))
    saved = calendars.save(kept, kept.event, sequence=3)
    assert (saved.change, saved.sequence) == (kept.change + 1, 3)
    assert calendars.cancel(saved).change == calendars.change
    calendars.forget(kept)
    assert calendars.event(kept.id) is None


def test_a_series_and_its_exceptions_go_together(calendars: Calendars) -> None:
    series = calendars.insert(_daily(Changed(original=_at(28, 9))))
    other = calendars.add("Other")
    assert {kept.calendar for kept in (calendars.move(series, other.id), *calendars.exceptions(series))} == {other.id}
    calendars.forget(series)
    assert calendars.events(other.id) == []


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12", "Asia/Kathmandu"])
def test_days_begin_in_the_zone_of_the_calendar(zone: str) -> None:
    calendars = _calendars(zone)
    calendars.insert(Event(start=dt.date(2026, 3, 29)))
    midnight = dt.datetime(2026, 3, 29, tzinfo=ZoneInfo(zone))
    hour = dt.timedelta(hours=1)
    spans = [(midnight - hour, midnight), (midnight, midnight + hour), (midnight + 24 * hour, midnight + 25 * hour)]
    assert [len(calendars.expand(calendars.primary_id, *span)) for span in spans] == [0, 1, 0]


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12", "America/New_York"])
def test_a_window_finds_what_expanding_everything_finds(zone: str) -> None:
    calendars = _calendars()
    start = dt.datetime(2026, 2, 1, 23, 30, tzinfo=ZoneInfo(zone))
    calendars.insert(Event(start=start, end=start + dt.timedelta(hours=30), recurrence=["RRULE:FREQ=DAILY;COUNT=80"]))
    everything = calendars.expand(calendars.primary_id, *_YEAR)
    assert len(everything) == 80
    for hours in range(0, 2400, 97):
        begin = _YEAR[0] + dt.timedelta(hours=hours)
        end = begin + dt.timedelta(hours=5)
        wanted = [kept.id for kept in everything if _overlaps(kept, begin, end)]
        assert [kept.id for kept in calendars.expand(calendars.primary_id, begin, end)] == wanted


def _overlaps(kept: KeptEvent, begin: dt.datetime, end: dt.datetime) -> bool:
    assert isinstance(kept.event.start, dt.datetime)
    assert isinstance(kept.event.end, dt.datetime)
    return kept.event.start < end and kept.event.end > begin


def test_who_may_know_when_one_is_busy(calendars: Calendars) -> None:
    calendars.insert(Event(start=_at(2, 9), show_as="away"))
    calendars.insert(Event(start=_at(2, 11), guests=[Guest(Person("", "A.Lee@example.com"), response="declined")]))
    assert [span[2] for span in calendars.engagements(*_YEAR)] == ["away"]
    assert calendars.shows_busy_to("Bob@EXAMPLE.com")
    assert not calendars.shows_busy_to("bob@contoso.example")
    calendars.busy_seen_by = {"bob@contoso.example"}
    assert calendars.shows_busy_to("Bob@contoso.example")
    assert not calendars.shows_busy_to("bob@example.com")
