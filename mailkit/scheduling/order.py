"""The order of events of many calendars, and one event shown once. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

import attrs

from mailkit.models.calendar import Event
from mailkit.recurrence.moments import absolute, in_zone

__all__ = ["deduplicated", "event_key", "instant_of"]


def instant_of(moment: dt.datetime | dt.date, tz: dt.tzinfo) -> dt.datetime:
    """Give the instant at which something begins, in UTC; a date begins at its midnight in ``tz``, the viewer's zone.

    To compare it: Python compares times of one zone by their clocks, wrongly in the hour that these show twice.
    """
    return in_zone(moment if isinstance(moment, dt.datetime) else dt.datetime.combine(moment, dt.time(), tz), dt.UTC)


def event_key(event: Event, tz: dt.tzinfo) -> tuple[float, bool, str, str]:
    """Give what events are sorted by: start, whole days first, then account and id."""
    start, ref = event.start, event.ref
    if isinstance(start, dt.datetime):
        return (start.timestamp(), True, ref.account, ref.id)
    return (instant_of(start, tz).timestamp(), False, ref.account, ref.id)


def deduplicated(events: Iterable[Event]) -> list[Event]:
    """Give each meeting once: one with the same iCalUID and start in another own calendar is only named in ``also``.

    The organiser's own copy is the one that stays, else the first.
    """
    kept: dict[object, int] = {}
    given: list[Event] = []
    for event in events:
        key = (event.ical_uid, absolute(event.original_start or event.start)) if event.ical_uid else None
        at = kept.get(key) if key else None
        if at is None:
            if key:
                kept[key] = len(given)
            given.append(event)
            continue
        first, other = (event, given[at]) if event.is_organizer and not given[at].is_organizer else (given[at], event)
        given[at] = attrs.evolve(first, also=(*first.also, other.ref, *other.also))
    return given
