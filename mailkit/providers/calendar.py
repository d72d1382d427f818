"""What a calendar driver can do for one account, and the small records that go in.

A driver makes one provider's requests and knows nothing of other accounts: no merging, no deadlines, no retries. Times
that go in are aware datetimes with a ``ZoneInfo``, or dates; so are those that come out.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Sequence
from enum import Enum
from typing import Final, Literal, Protocol, TypeAlias

import attrs

from mailkit.errors import BadPayload, MailkitError
from mailkit.models.calendar import (
    Attendee,
    Calendar,
    Event,
    EventChange,
    FreeBusy,
    Reminder,
    Response,
    Room,
    ShowAs,
    Visibility,
)
from mailkit.models.notes import Note
from mailkit.recurrence import Recurrence
from mailkit.values import Account

__all__ = [
    "UNSET",
    "CalendarDriver",
    "EventFields",
    "EventPage",
    "EventQuery",
    "Notify",
    "Scope",
    "Unset",
]


class Unset(Enum):
    """The value of a field that nobody named."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET

Notify: TypeAlias = Literal["all", "external", "none"]
"""Who gets a mail about the change; Outlook always tells everybody, and a note says so."""

Scope: TypeAlias = Literal["this", "series", "following"]
"""How much of a series a change concerns: one occurrence, all of it, or it and those after."""


@attrs.frozen(kw_only=True, repr=False)
class EventFields:
    """The fields of an event that somebody names; the others stay as they are, or as the provider makes them.

    ``start`` and ``end`` are both dates or both aware datetimes with a ``ZoneInfo``. ``attendees`` replaces everybody;
    ``add_attendees`` and ``remove_attendees`` (lower-case addresses) change who is there. ``text`` and ``html`` exclude
    each other. ``recurrence`` None ends being a series.
    """

    title: str | Unset = UNSET
    text: str | Unset = UNSET
    html: str | Unset = UNSET
    location: str | Unset = UNSET
    start: dt.datetime | dt.date | Unset = UNSET
    end: dt.datetime | dt.date | Unset = UNSET
    recurrence: Recurrence | Unset | None = UNSET
    attendees: tuple[Attendee, ...] | Unset = UNSET
    add_attendees: tuple[Attendee, ...] = ()
    remove_attendees: frozenset[str] = frozenset()
    reminders: tuple[Reminder, ...] | Unset | None = UNSET
    visibility: Visibility | Unset = UNSET
    show_as: ShowAs | Unset = UNSET
    online_meeting: bool | Unset = UNSET
    categories: tuple[str, ...] | Unset = UNSET
    color: str | Unset | None = UNSET
    wants_responses: bool | Unset = UNSET


@attrs.frozen(kw_only=True)
class EventQuery:
    """A question for the events of one calendar that touch ``[start, end)``, in the order of their starts.

    ``start`` and ``end`` are aware; ``end`` None: no end. With ``expand`` a series comes as its occurrences, without as
    itself. ``text`` is looked for in title, body, place and people. ``tz`` is the viewer's zone, where all-day dates
    begin.
    """

    calendar_id: str
    start: dt.datetime
    end: dt.datetime | None
    tz: dt.tzinfo
    expand: bool = True
    cancelled: bool = False
    text: str = ""
    size: int = 250


@attrs.frozen(kw_only=True)
class EventPage:
    """Some events in order, and what of them could not be understood."""

    events: tuple[Event, ...] = ()
    problems: tuple[BadPayload, ...] = ()
    notes: tuple[Note, ...] = ()


class CalendarDriver(Protocol):
    """One account's calendars at one provider.

    ``event_id`` and ``calendar_id`` are the provider's; ``"primary"`` stands for the account's main calendar, also
    among those whose free time is asked for.
    """

    @property
    def account(self) -> Account:
        """Whose calendars these are."""
        ...

    async def calendars(self) -> tuple[list[Calendar], list[BadPayload]]:
        """Give every calendar, the primary one first, and what could not be read."""
        ...

    def events(self, query: EventQuery) -> AsyncIterator[EventPage]:
        """Give the events of one calendar page by page, by start."""
        ...

    async def event(self, calendar_id: str, event_id: str) -> Event:
        """Give one event."""
        ...

    async def instances(self, calendar_id: str, event_id: str, start: dt.datetime, end: dt.datetime) -> list[Event]:
        """Give the occurrences of a series in a window."""
        ...

    async def create(
        self, calendar_id: str, fields: EventFields, *, key: str, notify: Notify
    ) -> tuple[Event, tuple[Note, ...]]:
        """Create an event once: a repeat with the same ``key`` (32 hex digits) gives the event of the first time."""
        ...

    async def update(
        self, calendar_id: str, event_id: str, fields: EventFields, *, scope: Scope, etag: str | None, notify: Notify
    ) -> EventChange:
        """Change the named fields.

        Raises:
            Conflict: ``etag`` is given and the event has changed since.
        """
        ...

    async def delete(
        self, calendar_id: str, event_id: str, *, scope: Scope, notify: Notify, comment: str | None
    ) -> tuple[Note, ...]:
        """Delete an event, or call it off with ``comment`` where one invites; what is gone already is fine."""
        ...

    async def respond(
        self,
        calendar_id: str,
        event_id: str,
        response: Response,
        *,
        comment: str,
        send: bool,
        proposed: tuple[dt.datetime, dt.datetime] | None,
    ) -> tuple[Note, ...]:
        """Answer an invitation.

        Raises:
            UsageError: the account's owner is not invited, or invites.
        """
        ...

    async def free_busy(
        self, who: Sequence[str], start: dt.datetime, end: dt.datetime
    ) -> list[FreeBusy | MailkitError]:
        """Say when people, rooms or calendars (addresses or ids) are taken, in order."""
        ...

    async def rooms(self, name: str) -> tuple[list[Room], tuple[Note, ...]]:
        """Give the rooms of the directory whose name holds ``name``, or a note that there is none to ask."""
        ...
