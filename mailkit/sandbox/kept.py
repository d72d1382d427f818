"""Calendars and events as an account keeps them: plain records. How they come to be is ``calendars.py``'s."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

import attrs

from mailkit.sandbox.event import Event, When
from mailkit.sandbox.mail import Person
from mailkit.sandbox.series import Series, series_of

__all__ = ["Calendar", "KeptEvent", "Role"]

Role: TypeAlias = Literal["owner", "writer", "reader", "freeBusyReader"]


@attrs.frozen(kw_only=True)
class Calendar:
    """One calendar. ``role`` is what its viewer may do, ``owner`` whose it is, ``zone`` the one of its days.

    ``selected`` calendars show, ``hidden`` ones are not even listed. ``colour`` is in the provider's own words.
    """

    id: str
    name: str
    zone: ZoneInfo
    primary: bool = False
    role: Role = "owner"
    owner: Person
    description: str = ""
    location: str = ""
    colour: str | None = None
    selected: bool = True
    hidden: bool = False
    reminders: tuple[int, ...] = ()
    meetings: tuple[str, ...] = ()
    properties: Mapping[str, object] = attrs.field(factory=dict)
    change: int = 0


@attrs.frozen(kw_only=True)
class KeptEvent:
    """An event in a calendar: a single one, a series (its ``event`` has recurrence lines), or an occurrence of one.

    An occurrence bears the id of its ``series`` and the start it was due at, ``original``. ``change`` is the number of
    the account's change that made this state; ``sequence`` counts what guests must hear of. A ``cancelled`` one is
    remembered and no longer takes place. ``copy`` says that somebody else organises it.
    """

    id: str
    uid: str
    calendar: str
    event: Event
    series: str | None = None
    original: When | None = None
    created: dt.datetime
    updated: dt.datetime
    sequence: int = 0
    change: int = 0
    cancelled: bool = False
    copy: bool = False

    @property
    def recurs(self) -> bool:
        """Whether this is a whole series."""
        return bool(self.event.recurrence)

    @property
    def starts(self) -> Series:
        """When the series takes place."""
        return series_of(self.event.recurrence, self.event.start)
