"""What a sandbox calendar is filled with: events and guests as plain records of the test's own words.

The records say what is true of an event; how Google or Graph would show it is the services' business. No I/O.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

import attrs

from mailkit.sandbox.mail import Person

__all__ = ["Changed", "Event", "Guest", "Response", "ShowAs", "When", "instant", "usual_length"]

When: TypeAlias = dt.datetime | dt.date
"""An aware datetime, or a plain date: the day of an all-day event."""
Response: TypeAlias = Literal["none", "accepted", "tentative", "declined"]
ShowAs: TypeAlias = Literal["busy", "free", "tentative", "away", "elsewhere"]


@attrs.frozen
class Guest:
    """Somebody who is invited, and what they answered; ``answered`` is when, None: not known."""

    person: Person
    kind: Literal["required", "optional", "room"] = attrs.field(default="required", kw_only=True)
    response: Response = attrs.field(default="none", kw_only=True)
    comment: str = attrs.field(default="", kw_only=True, repr=False)
    answered: dt.datetime | None = attrs.field(default=None, kw_only=True)

    @property
    def key(self) -> str:
        """The address as addresses are compared."""
        return self.person.address.casefold()


def _when(_event: object, field: attrs.Attribute[Any], value: When | None) -> None:
    if isinstance(value, dt.datetime) and value.tzinfo is None:
        raise ValueError(f"{field.name} must be aware, or a date")


@attrs.frozen(kw_only=True)
class Changed:
    """One occurrence of a series that is not like the others: the one due at ``original``.

    ``event`` is what it is instead, None: it does not take place.
    """

    original: When = attrs.field(validator=_when)
    event: Event | None = None


def _guests(value: Guest | Person | Iterable[Guest | Person]) -> tuple[Guest, ...]:
    each = (value,) if isinstance(value, Guest | Person) else value
    return tuple(one if isinstance(one, Guest) else Guest(one) for one in each)


def _texts(value: Iterable[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)  # a single one is not cut into letters


def _changes(value: Iterable[Changed]) -> tuple[Changed, ...]:
    return tuple(value)


@attrs.frozen(kw_only=True, repr=False)
class Event:
    """One event of a calendar, single or a series.

    ``start`` and ``end`` are aware datetimes (a ``ZoneInfo`` says in which zone a series repeats) or, all day, dates;
    ``end`` is exclusive, by itself an hour, or a day, after the start. ``recurrence`` holds lines of iCalendar
    (``RRULE``, ``EXDATE``, ``RDATE``), ``exceptions`` the occurrences that differ. ``organizer`` is None for the owner
    of the calendar. ``reminders`` are minutes before the start, None: the calendar's own. ``calendar`` is a calendar's
    name, empty: the primary one. ``properties`` are fields in the provider's own words, shown as they are. ``id`` and
    ``uid`` override the provider's id and the iCalendar UID.

    Raises:
        ValueError: a datetime is naive, start and end are not of one kind, or the end is before the start.
    """

    title: str = ""
    start: When = attrs.field(validator=_when)
    end: When = attrs.field(
        default=attrs.Factory(lambda event: event.start + usual_length(event.start), takes_self=True), validator=_when
    )
    recurrence: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    exceptions: tuple[Changed, ...] = attrs.field(default=(), converter=_changes)
    organizer: Person | None = None
    guests: tuple[Guest, ...] = attrs.field(default=(), converter=_guests)
    text: str | None = None
    html: str | None = None
    location: str = ""
    show_as: ShowAs = "busy"
    visibility: Literal["default", "public", "private", "confidential"] = "default"
    reminders: tuple[int, ...] | None = None
    categories: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    meeting_url: str | None = None
    calendar: str = ""
    properties: Mapping[str, object] = attrs.field(factory=dict)
    id: str | None = None
    uid: str | None = None

    def __attrs_post_init__(self) -> None:
        if self.all_day != (not isinstance(self.end, dt.datetime)):
            raise ValueError("start and end must both be datetimes, or both be dates")
        if instant(self.end, dt.UTC) < instant(self.start, dt.UTC):
            raise ValueError("the end must not be before the start")

    def __repr__(self) -> str:
        return f"<Event {self.title[:24]!r}>"

    @property
    def all_day(self) -> bool:
        """Whether it has days instead of times."""
        return not isinstance(self.start, dt.datetime)

    def moved_to(self, start: When) -> Event:
        """Give the same event, just as long, at another start.

        The length is elapsed time, so the wall clock may read otherwise at the end where summer time begins or ends
        in between (RFC 5545, 3.8.5.3).
        """
        if isinstance(start, dt.datetime) and isinstance(self.start, dt.datetime) and isinstance(self.end, dt.datetime):
            length = self.end.astimezone(dt.UTC) - self.start.astimezone(dt.UTC)
            return attrs.evolve(self, start=start, end=(start.astimezone(dt.UTC) + length).astimezone(self.end.tzinfo))
        return attrs.evolve(self, start=start, end=start + (self.end - self.start))


def usual_length(start: When) -> dt.timedelta:
    """Give how long an event is of which nothing is said: an hour, or a day."""
    return dt.timedelta(hours=1) if isinstance(start, dt.datetime) else dt.timedelta(days=1)


def instant(when: When, zone: dt.tzinfo) -> dt.datetime:
    """Give the instant in UTC; a date begins at midnight of ``zone``."""
    if not isinstance(when, dt.datetime):
        when = dt.datetime.combine(when, dt.time(), zone)
    return when.astimezone(dt.UTC)
