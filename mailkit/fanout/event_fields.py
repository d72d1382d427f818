"""What a caller names of an event → checked fields, before anything is sent. Asks nobody.

Responsible for times that fit together, people, and rules. What no provider has is refused here; what one of them
lacks is the driver's to say.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias, get_args
from zoneinfo import ZoneInfo

import attrs

from mailkit.checks import flag, instance, refuse, several
from mailkit.errors import InvalidRecurrence, UsageError
from mailkit.fanout.moments import instant, moment
from mailkit.fanout.request import zone_of
from mailkit.mime.address_key import address_key
from mailkit.mime.recipients import Recipients, read_recipients
from mailkit.models.calendar import Attendee, AttendeeKind, Reminder, ShowAs, Visibility
from mailkit.providers.calendar import EventFields
from mailkit.recurrence import Moment, Recurrence
from mailkit.scheduling import instant_of

__all__ = [
    "NewTimes",
    "People",
    "Reminders",
    "Repeats",
    "event_fields",
    "new_times",
    "proposed_times",
    "read_people",
    "read_times",
]

People: TypeAlias = Recipients | Attendee | Iterable[str | Attendee]
"""Who is invited: addresses in any form, or ``Attendee`` records."""

Reminders: TypeAlias = int | Reminder | Iterable[int | Reminder]
"""Reminders: minutes before the start, or ``Reminder`` records."""

Repeats: TypeAlias = Recurrence | str | Iterable[str]
"""When an event happens again: a ``Recurrence``, or lines of RFC 5545 (``RRULE:FREQ=WEEKLY``)."""

_VISIBILITIES: tuple[str, ...] = get_args(Visibility)
_SHOWN_AS: tuple[str, ...] = get_args(ShowAs)
_MOST_MINUTES = 40_320  # four weeks: developers.google.com/workspace/calendar/api/v3/reference/events, reminders


def read_times(start: object, end: object, duration: object, tz: ZoneInfo | None) -> tuple[Moment, Moment]:
    """Give when an event begins and ends: by its end, or how long it takes; a whole day is one day where nobody says.

    Raises:
        UsageError: the two do not fit together.
    """
    first = moment(start, "start", tz)
    is_day = not isinstance(first, dt.datetime)
    if end is not None and duration is not None:
        raise _said_twice()
    if end is None:
        return first, _after(first, dt.timedelta(days=1) if is_day and duration is None else duration)
    last = moment(end, "end", tz)
    if isinstance(last, dt.datetime) is is_day:
        raise UsageError("start and end must both be times, or both dates", code="bad_end")
    if instant_of(last, dt.UTC) <= instant_of(first, dt.UTC):
        raise UsageError(
            "end must be after start; an event of one whole day ends on the next"
            if is_day
            else "end must be after start",
            code="bad_end",
        )
    return first, last


def proposed_times(start: object, end: object, tz: ZoneInfo | None) -> tuple[dt.datetime, dt.datetime] | None:
    """Give another time that is proposed for an event; None: none is.

    Raises:
        UsageError: one of the two is missing, is no time, or they do not fit together.
    """
    if start is None and end is None:
        return None
    first, last = (
        instant(instance(value, name, dt.datetime, "a datetime, as the other one"), name, tz, days=zone_of(dt.UTC))
        for value, name in ((start, "propose_start"), (end, "propose_end"))
    )
    if instant_of(last, dt.UTC) <= instant_of(first, dt.UTC):
        raise UsageError("propose_end must be after propose_start", code="bad_end")
    return first, last


@attrs.frozen(kw_only=True)
class NewTimes:
    """The times that a change names; None is not named."""

    start: Moment | None = None
    end: Moment | None = None
    duration: dt.timedelta | None = None

    @property
    def need_current(self) -> bool:
        """Whether the new end depends on when the event is now."""
        return (self.start is None) is not (self.end is None) or self.duration is not None

    @property
    def names_start_alone(self) -> bool:
        """Whether an event is moved, and stays as long as it is."""
        return self.start is not None and self.end is None

    def end_for(self, start: Moment, end: Moment) -> Moment:
        """Give the new end of an event that is from ``start`` to ``end`` now; it stays as long as it is.

        Raises:
            UsageError: the end is not after the start, or a whole day becomes a time, or the other way.
        """
        first = start if self.start is None else self.start
        if self.end is not None or self.duration is not None:
            return read_times(first, self.end, self.duration, None)[1]
        if isinstance(first, dt.datetime) is not isinstance(start, dt.datetime):
            raise UsageError(
                "a whole day that becomes a time, or the other way, needs end= or duration=, too", code="bad_end"
            )
        return _later(first, instant_of(end, dt.UTC) - instant_of(start, dt.UTC))


def new_times(start: object, end: object, duration: object, tz: ZoneInfo | None) -> NewTimes:
    """Give the times that a change names, checked as far as one can without the event.

    Raises:
        UsageError: they do not fit together.
    """
    if start is not None and (end is not None or duration is not None):
        first, last = read_times(start, end, duration, tz)
        return NewTimes(start=first, end=last)
    if end is not None and duration is not None:
        raise _said_twice()
    return NewTimes(
        start=None if start is None else moment(start, "start", tz),
        end=None if end is None else moment(end, "end", tz),
        duration=None if duration is None else _length(duration),
    )


def _said_twice() -> UsageError:
    return UsageError("end and duration say the same; pass one of them", code="bad_end")


def _length(value: object) -> dt.timedelta:
    if not isinstance(value, dt.timedelta) or value <= dt.timedelta(0):
        refuse(value, "duration", "a timedelta above zero, or pass end=", code="bad_duration")
    return value


def _after(first: Moment, duration: object) -> Moment:
    length = _length(duration)
    if not isinstance(first, dt.datetime) and length % dt.timedelta(days=1):
        refuse(duration, "duration", "whole days, since the event has dates and no times", code="bad_duration")
    return _later(first, length)


def _later(first: Moment, length: dt.timedelta) -> Moment:
    """Give the end so long after the start, as clocks run: an hour is an hour also where they change."""
    if isinstance(first, dt.datetime):
        return (first.astimezone(dt.UTC) + length).astimezone(first.tzinfo)
    return first + length


def event_fields(
    named: Mapping[str, object], *, start: Moment | None, end: Moment | None, given: object, tz: ZoneInfo | None
) -> EventFields:
    """Give the fields out of what was named; what is None was not named.

    ``given`` is the start as the caller wrote it: with an offset and no zone it cannot begin a series, since that
    would move when clocks change.

    Raises:
        UsageError: a value is not what it must be.
        InvalidRecurrence: the rule cannot be read, or its start has no zone.
    """
    made: dict[str, object] = {}
    if start is not None:
        made["start"] = start
    if end is not None:
        made["end"] = end
    for name, read in _READERS.items():
        if (value := named.get(name)) is not None:
            made[name] = read(value, name)
    if "text" in made and "html" in made:
        raise UsageError("an event has one body; pass text= or html=", code="bad_text")
    invited = [
        attendee
        for name, kind in _INVITED.items()
        if (value := named.get(name)) is not None
        for attendee in read_people(value, name, kind)
    ]
    if any(named.get(name) is not None for name in _INVITED):
        made["attendees"] = _once(invited)
    if (added := named.get("add_attendees")) is not None:
        made["add_attendees"] = _once(read_people(added, "add_attendees", "required"))
    if (removed := named.get("remove_attendees")) is not None:
        made["remove_attendees"] = frozenset(
            address_key(each.address.address) for each in read_people(removed, "remove_attendees", "required")
        )
    if (rule := named.get("recurrence")) is not None:
        made["recurrence"] = _repeats(rule, start, given, tz)
    return EventFields(**made)  # type: ignore[arg-type]  # each was read by its own reader


_INVITED: Mapping[str, AttendeeKind] = {"attendees": "required", "optional": "optional", "rooms": "room"}


def read_people(value: object, name: str, kind: AttendeeKind) -> list[Attendee]:
    """Give attendees out of addresses and records."""
    if isinstance(value, Attendee):
        return [value]
    if not isinstance(value, str) and isinstance(value, Iterable):
        each_one = list(value)
        if any(isinstance(each, Attendee) for each in each_one):
            return [found for each in each_one for found in read_people(each, name, kind)]
        value = each_one
    return [Attendee(address=address, kind=kind) for address in read_recipients(value, name)]


def _once(attendees: Iterable[Attendee]) -> tuple[Attendee, ...]:
    found: dict[str, Attendee] = {}
    for attendee in attendees:
        found.setdefault(address_key(attendee.address.address), attendee)
    return tuple(found.values())


# Google breaks at such a rule (github.com/googleapis/google-api-ruby-client/issues/572), and Outlook has no pattern for
# it (learn.microsoft.com/graph/api/resources/recurrencepattern, type).
_BELOW_A_DAY = frozenset({"HOURLY", "MINUTELY", "SECONDLY"})


def _repeats(rule: object, start: Moment | None, given: object, tz: ZoneInfo | None) -> Recurrence | None:
    has_zone = (
        not isinstance(given, dt.datetime) or given.tzinfo in (None, dt.UTC) or isinstance(given.tzinfo, ZoneInfo)
    )
    if not has_zone and tz is None:
        raise InvalidRecurrence(
            "this series begins at a time with an offset and no zone, and would move when clocks change; pass tz=, or "
            "a start with a ZoneInfo",
            code="offset_series",
        )
    if not isinstance(rule, Recurrence):
        texts = several(rule, "recurrence", str, "a Recurrence, or lines of RFC 5545")
        if not texts:
            return None
        rule = Recurrence.from_text("\n".join(texts), start)
    if rule.rule.freq in _BELOW_A_DAY:
        raise InvalidRecurrence(
            "calendars repeat an event by the day at most; make a daily series for each time of day", code="sub_daily"
        )
    return rule


def _line(value: object, name: str) -> str:
    text = instance(value, name, str, "text")
    try:
        text.encode()
    except UnicodeEncodeError:  # JSON could carry it, no provider could keep it
        refuse(value, name, "text that is whole", hint="it holds half a character")
    return text


def _choice(choices: tuple[str, ...]) -> Callable[[object, str], object]:
    def read(value: object, name: str) -> object:
        if value not in choices:
            refuse(value, name, f"one of {', '.join(choices)}")
        return value

    return read


def _reminders(value: object, name: str) -> tuple[Reminder, ...]:
    listed = [value] if isinstance(value, int | Reminder) else value
    if isinstance(listed, str | bytes) or not isinstance(listed, Iterable):
        refuse(value, name, "minutes before the start, a Reminder, or a list of those")
    return tuple(_reminder(each, name) for each in listed)


def _reminder(value: object, name: str) -> Reminder:
    reminder = Reminder(minutes=value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(reminder, Reminder) or not 0 <= reminder.minutes <= _MOST_MINUTES:
        refuse(value, f"each of {name}", f"0 to {_MOST_MINUTES} minutes before the start, or a Reminder")
    return reminder


def _words(value: object, name: str) -> tuple[str, ...]:
    return tuple(_line(each, name) for each in several(value, name, str, "a list of names"))


_READERS: Mapping[str, Callable[[object, str], object]] = {
    "title": _line,
    "text": _line,
    "html": _line,
    "location": _line,
    "reminders": _reminders,
    "visibility": _choice(_VISIBILITIES),
    "show_as": _choice(_SHOWN_AS),
    "online_meeting": flag,
    "categories": _words,
    "color": _line,
    "wants_responses": flag,
}
