"""Calendars and events as plain records, one shape for both providers.

An instant is an aware ``datetime`` whose ``tzinfo`` is the event's own ``ZoneInfo``; an all-day date is a ``date``.
Ends are exclusive: an event of one whole day ends on the next. Text and names are as other people wrote them and must
be treated as untrusted.
"""

from __future__ import annotations

import datetime as dt
from typing import Literal, TypeAlias

import attrs

from mailkit.models.body import Body
from mailkit.models.notes import Note
from mailkit.models.records import Record
from mailkit.recurrence import Recurrence
from mailkit.values import Address, Ref

__all__ = [
    "Attendee",
    "AttendeeKind",
    "Busy",
    "BusyStatus",
    "Calendar",
    "Event",
    "EventChange",
    "EventKind",
    "FreeBusy",
    "FreeSlot",
    "OnlineMeeting",
    "Reminder",
    "Response",
    "Room",
    "ShowAs",
    "Visibility",
]

EventKind: TypeAlias = Literal["single", "series", "occurrence", "exception"]
AttendeeKind: TypeAlias = Literal["required", "optional", "room"]
Response: TypeAlias = Literal["none", "accepted", "declined", "tentative"]
ShowAs: TypeAlias = Literal["free", "tentative", "busy", "away", "elsewhere"]
Visibility: TypeAlias = Literal["default", "public", "private"]
BusyStatus: TypeAlias = Literal["busy", "tentative", "away", "elsewhere"]


@attrs.frozen(kw_only=True)
class Calendar(Record):
    """One calendar of an account. ``tz`` is the IANA name of its zone where the provider tells."""

    ref: Ref
    name: str
    is_primary: bool = False
    can_edit: bool = True
    owner: Address | None = None
    tz: str | None = None
    color: str | None = None
    online_meetings: tuple[str, ...] = ()

    @property
    def account(self) -> str:
        """The name of the account the calendar lies in."""
        return self.ref.account


@attrs.frozen(kw_only=True)
class Attendee(Record):
    """Somebody or a room that is invited, and what they said to it."""

    address: Address
    kind: AttendeeKind = "required"
    response: Response = "none"
    comment: str = ""
    is_self: bool = False


@attrs.frozen(kw_only=True)
class OnlineMeeting(Record):
    """Where people meet without travelling; ``kind`` is ``meet``, ``teams``, ``skype`` or what the provider says."""

    kind: str
    url: str | None = None


@attrs.frozen(kw_only=True)
class Reminder(Record):
    """A reminder so many minutes before the start."""

    minutes: int
    method: Literal["popup", "email"] = "popup"


@attrs.frozen(kw_only=True, repr=False)
class Event(Record):
    """One event as it stands in one calendar.

    ``kind``: ``single``; ``series`` (the series itself, with its ``recurrence``); ``occurrence`` (one of a series that
    starts when the rule says, with whatever title or length) or ``exception`` (one that was moved, or cancelled). Of
    the latter two ``series`` names the series, and ``original_start`` when the rule says. ``recurrence_text`` keeps the
    provider's own lines where the rule cannot be read. ``my_response`` is the account owner's own answer,
    ``is_organizer`` whether the owner invites. ``zone_source`` says where the zone of ``start`` is from when the
    event's own is unknown. ``etag`` guards an update. ``also`` names the same meeting in other own calendars, ``notes``
    what could not be done as asked when it was made.
    """

    ref: Ref
    calendar: Ref
    ical_uid: str | None = None
    kind: EventKind = "single"
    title: str = ""
    body: Body = attrs.field(factory=Body)
    location: str = ""
    start: dt.datetime | dt.date
    end: dt.datetime | dt.date
    recurrence: Recurrence | None = None
    recurrence_text: tuple[str, ...] = ()
    series: Ref | None = None
    original_start: dt.datetime | dt.date | None = None
    status: Literal["confirmed", "tentative", "cancelled"] = "confirmed"
    show_as: ShowAs = "busy"
    visibility: Visibility = "default"
    organizer: Address | None = None
    is_organizer: bool = False
    attendees: tuple[Attendee, ...] = ()
    my_response: Response = "none"
    wants_responses: bool = True
    online_meeting: OnlineMeeting | None = None
    reminders: tuple[Reminder, ...] | None = None
    categories: tuple[str, ...] = ()
    color: str | None = None
    link: str | None = None
    etag: str | None = None
    created: dt.datetime | None = None
    updated: dt.datetime | None = None
    zone_source: str | None = None
    also: tuple[Ref, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def account(self) -> str:
        """The name of the account the event lies in."""
        return self.ref.account

    @property
    def is_all_day(self) -> bool:
        """Whether it has dates and no instants."""
        return not isinstance(self.start, dt.datetime)

    def __repr__(self) -> str:
        title = self.title if len(self.title) <= 32 else f"{self.title[:31]}…"
        return f"<Event {self.account} {self.start.isoformat()[:16]} {title!r}>"


@attrs.frozen(kw_only=True)
class EventChange(Record):
    """What an update did: the event now, and who came and went.

    Of ``scope="following"`` ``event`` is the new series, ``old`` the one that ends before it; ``carried`` are the
    changed occurrences that went along, ``lost`` says when those were due that could not, or not with all that was
    changed; a cancelled one, too, that the new rule has no place for. A whole series at other times tells in ``lost``
    which of its occurrences are no longer as they were changed.
    """

    event: Event
    added: tuple[Attendee, ...] = ()
    removed: tuple[Attendee, ...] = ()
    unchanged: tuple[Attendee, ...] = ()
    rooms_booked: tuple[Attendee, ...] = ()
    rooms_released: tuple[Attendee, ...] = ()
    old: Event | None = None
    carried: tuple[Ref, ...] = ()
    lost: tuple[dt.datetime | dt.date, ...] = ()
    notes: tuple[Note, ...] = ()


@attrs.frozen(kw_only=True)
class Busy(Record):
    """A stretch in which somebody is not free; aware instants in the zone of the call, the end exclusive."""

    start: dt.datetime
    end: dt.datetime
    status: BusyStatus = "busy"


@attrs.frozen(kw_only=True)
class FreeBusy(Record):
    """When one person, room or calendar is taken; ``known`` is False where nobody may look: that is not free.

    ``busy`` is sorted and does not overlap within a status. ``reason`` is a stable word for why it is unknown.
    """

    who: str
    account: str
    busy: tuple[Busy, ...] = ()
    known: bool = True
    reason: str | None = None


@attrs.frozen(kw_only=True)
class FreeSlot(Record):
    """A time at which everybody asked for is free; aware instants in the zone of the call."""

    start: dt.datetime
    end: dt.datetime


@attrs.frozen(kw_only=True)
class Room(Record):
    """A room that can be invited; ``uses`` counts how often it was in the events looked at."""

    account: str
    address: Address
    uses: int = 0
    capacity: int | None = None
    building: str | None = None
