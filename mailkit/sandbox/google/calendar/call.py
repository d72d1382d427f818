"""One call of one Calendar method, its path and query read, the calendar and the event it is about found."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TypeAlias, TypeVar
from zoneinfo import ZoneInfo

import attrs

from mailkit.sandbox.google.calendar.methods import CalendarMethod
from mailkit.sandbox.google.calendar.times import read_moment, read_zone
from mailkit.sandbox.google.diary import GoogleCalendars
from mailkit.sandbox.google.labels import Json
from mailkit.sandbox.google.mailbox import GoogleMailbox
from mailkit.sandbox.google.refusals import Refusal
from mailkit.sandbox.invitations import Notify
from mailkit.sandbox.kept import Calendar, KeptEvent
from mailkit.sandbox.wire import SandboxRequest

__all__ = ["ROLES", "Answers", "CalendarCall", "etag"]

ROLES = ("freeBusyReader", "reader", "writer", "owner")
"""What a person may do with a calendar, each more than the one before."""

# Scopes that reach some calendars only, or show of events no more than when they are.
_OWNED = frozenset(("calendar.events.owned", "calendar.events.owned.readonly"))
_NOWHERE = frozenset(("calendar.app.created", "calendar.events.public.readonly"))
_BUSY_ONLY = frozenset(("calendar.events.freebusy",))
_BOOLEANS = {"true": True, "false": False}
_NOTIFY: dict[str, Notify] = {"all": "all", "externalOnly": "external", "none": "none"}

_ValueT = TypeVar("_ValueT")


@attrs.frozen
class CalendarCall:
    """One request to one method; ``body`` is its JSON."""

    box: GoogleMailbox
    request: SandboxRequest
    method: CalendarMethod
    path: Mapping[str, str]
    body: Json = attrs.field(factory=dict)

    @property
    def calendars(self) -> GoogleCalendars:
        """The account's calendars."""
        return self.box.calendars

    # -- parameters ----------------------------------------------------------------------------------------------------

    @cached_property
    def _query(self) -> dict[str, list[str]]:
        values: dict[str, list[str]] = {}
        for name, value in self.request.query:
            values.setdefault(name, []).append(value)
        return values

    def one(self, name: str) -> str | None:
        """Give a query parameter, None where it is missing."""
        return next(iter(self.all(name)), None)

    def all(self, name: str) -> list[str]:
        """Give every value of a query parameter."""
        return self._query.get(name, [])

    def flag(self, name: str) -> bool:
        """Give a switch; off where it is missing."""
        value = self.one(name)
        if value is not None and value not in _BOOLEANS:
            raise _invalid(name, value)
        return _BOOLEANS[value or "false"]

    def number(self, name: str, usual: int, most: int) -> int:
        """Give a positive number; above ``most`` it counts as that."""
        value = self.one(name)
        if value is None:
            return usual
        if not value.isdecimal() or int(value) < 1:
            raise _invalid(name, value)
        return min(int(value), most)

    def choice(self, name: str, choices: Mapping[str, _ValueT], usual: _ValueT) -> _ValueT:
        """Give one of some words."""
        value = self.one(name)
        if value is None:
            return usual
        if value not in choices:
            raise _invalid(name, value)
        return choices[value]

    def instant(self, name: str) -> dt.datetime | None:
        """Give an instant, None where it is missing."""
        value = self.one(name)
        return None if value is None else read_moment(value)

    def zone(self, calendar: Calendar) -> ZoneInfo:
        """Give the zone of the answer's wall clocks: the one asked for, else the calendar's."""
        name = self.one("timeZone")
        return calendar.zone if name is None else read_zone(name)

    @property
    def notify(self) -> Notify:
        """Who is to be written to about a change; nobody, unless it is said (reference/events/insert, sendUpdates)."""
        told: Notify = "all" if self.flag("sendNotifications") else "none"
        return self.choice("sendUpdates", _NOTIFY, told)

    # -- what it is about ----------------------------------------------------------------------------------------------

    def calendar(self, id: str | None = None) -> Calendar:  # noqa: A002  # the name of the thing
        """Find a calendar, without ``id`` that of the path."""
        id = id or self.path["calendar"]  # noqa: A001  # see above
        calendar = self.calendars.get(self.calendars.primary_id if id == "primary" else id)
        if calendar is None or not self._reaches(calendar):
            raise Refusal(404, "notFound", "Not Found")
        return calendar

    def writable(self, id: str | None = None) -> Calendar:  # noqa: A002  # see above
        """Find a calendar the person may write in."""
        calendar = self.calendar(id)
        if ROLES.index(calendar.role) < ROLES.index("writer"):
            raise Refusal(403, "requiredAccessLevel", "You need to have writer access to this calendar.")
        return calendar

    def event(self, calendar: Calendar) -> KeptEvent:
        """Find the event of the path."""
        kept = self.calendars.event(self.path["event"])
        if kept is None or kept.calendar != calendar.id:
            raise Refusal(404, "notFound", "Not Found")
        return kept

    def unchanged(self, kept: KeptEvent) -> None:
        """Refuse the call when it is meant for an older state (guides/version-resources)."""
        wanted = self.request.headers.get("if-match")
        if wanted not in (None, "*", etag(kept)):
            raise Refusal(412, "conditionNotMet", "Precondition Failed")

    def sees_all(self, calendar: Calendar) -> bool:
        """Whether more may be shown of the calendar's events than when they are."""
        return calendar.role != "freeBusyReader" and self._granted != _BUSY_ONLY

    @property
    def _granted(self) -> frozenset[str]:
        """The scopes of the token that allow this method."""
        scopes = frozenset(self.method.scopes)
        return scopes if self.box.scopes is None else scopes & self.box.scopes

    def _reaches(self, calendar: Calendar) -> bool:
        return bool(self._granted - _NOWHERE - (frozenset() if calendar.role == "owner" else _OWNED))


Answers: TypeAlias = Mapping[str, Callable[[CalendarCall], Json | None]]
"""What answers each method, by its name; None is an answer without a body."""


def etag(thing: KeptEvent | Calendar) -> str:
    """Give the mark of a thing's state."""
    return f'"{3_400_000_000_000_000 + 2 * thing.change}"'


def _invalid(name: str, value: str) -> Refusal:
    return Refusal(400, "invalidParameter", f"Invalid value '{value}' for parameter '{name}'.")
