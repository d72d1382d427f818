"""The calendars of an Outlook mailbox: the neutral ones, with Outlook's patterns, Exchange's ids and habits.

Responsible for what only Exchange does with an event. It answers no request: see ``event_reading`` and its neighbours.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

import attrs

from mailkit.sandbox.calendars import Calendars
from mailkit.sandbox.event import Event, When
from mailkit.sandbox.invitations import Answer, Invitation
from mailkit.sandbox.kept import Calendar, KeptEvent
from mailkit.sandbox.mail import Person
from mailkit.sandbox.microsoft.ids import guid, opaque
from mailkit.sandbox.microsoft.patterns import Pattern
from mailkit.sandbox.microsoft.rules import lines_of, pattern_of
from mailkit.sandbox.series import Series

__all__ = ["TEAMS", "MicrosoftCalendars", "OutlookEvent", "Room", "day_of"]

T = TypeVar("T")

TEAMS = "teamsForBusiness"
_UID = "040000008200E00074C5B7101A82E008"  # [MS-OXOCAL] 2.2.1.27: how a GlobalObjectId begins
# What an organiser sets and the guests' copies have as well.
_WISHES = (
    "allowNewTimeProposals",
    "hideAttendees",
    "importance",
    "location",
    "locations",
    "onlineMeetingProvider",
    "originalEndTimeZone",
    "originalStartTimeZone",
    "responseRequested",
)


@attrs.frozen(kw_only=True)
class Room:
    """A room of the organisation, as its directory lists it."""

    name: str
    address: str
    capacity: int | None = None
    building: str | None = None
    floor: int | None = None


class PatternSeries(Series):
    """The starts of a series by its pattern, without those that an EXDATE takes out."""

    def __init__(self, lines: tuple[str, ...], start: When) -> None:
        super().__init__(lines, start)
        self.pattern: Pattern = pattern_of(lines, start)
        self.skipped: frozenset[dt.date] = frozenset(map(day_of, self._dropped))

    def starts(self, first: dt.date, last: dt.date) -> list[When]:
        """Give the starts on the days from ``first`` to ``last``, in the zone of the series, in order."""
        return [self._at(day) for day in self.pattern.between(first, last) if day not in self.skipped]


@attrs.frozen(kw_only=True)
class OutlookEvent(KeptEvent):
    """An event whose series takes place by an Outlook pattern."""

    @property
    def starts(self) -> PatternSeries:
        """When the series takes place; raises ValueError where Outlook has no pattern for it."""
        start = self.event.start
        return _series(self.event.recurrence, start, str(start.tzinfo) if isinstance(start, dt.datetime) else None)


class MicrosoftCalendars(Calendars):
    """One account's calendars, and how its server is.

    ``personal`` accounts have no organisation: no schedules of others, no rooms. ``rooms`` are those of the
    organisation. With ``keeps_declined`` a declined meeting stays, as Outlook lets people choose. All-day events are
    given at midnight in whatever zone is asked for (microsoft-graph-docs#6003); ``moves_all_day`` gives them as
    instants instead (python-o365#690).
    """

    personal: bool = False
    keeps_declined: bool = False
    moves_all_day: bool = False

    def __init__(self, owner: Person, **fields: object) -> None:
        self._named: dict[str, tuple[str, When]] = {}
        self._shown: dict[str, str] = {}
        self._left: set[str] = set()
        self._worked_out: tuple[int, dict[object, Any]] = (-1, {})
        self.rooms: list[Room] = []
        self.transactions: dict[str, tuple[str, str]] = {}
        self.proposals: dict[tuple[str, str], tuple[dt.datetime, dt.datetime]] = {}
        super().__init__(owner, **fields)  # type: ignore[arg-type]  # Calendars' own names

    def add(self, name: str, **fields: object) -> Calendar:
        """Add a calendar; ``fields`` are those of ``Calendar``."""
        return super().add(name, **({"meetings": (TEAMS,)} | fields))

    def _moved(self, event: Event, start: When) -> Event:
        """Give an occurrence, which ends when its series does on the clock: a night of eight hours may have seven.

        learn.microsoft.com/office/vba/api/outlook.recurrencepattern.endtime
        """
        moved = event.moved_to(start)
        if not (isinstance(start, dt.datetime) and isinstance(event.start, dt.datetime)):
            return moved
        if not isinstance(event.end, dt.datetime) or start.fold:
            return moved
        began, ended = (each.astimezone(start.tzinfo).replace(tzinfo=None) for each in (event.start, event.end))
        if ended < began:  # it ends in the hour that is shown again
            return moved
        end = (start + (ended - began)).astimezone(dt.UTC)
        return attrs.evolve(moved, end=end.astimezone(event.end.tzinfo))

    def expand(self, calendar: str, start: dt.datetime, end: dt.datetime) -> list[KeptEvent]:
        """Give the single events and occurrences, cancelled ones too, that take place between two instants."""
        return self.remembered(
            (calendar, start, end), lambda: super(MicrosoftCalendars, self).expand(calendar, start, end)
        )

    def remembered(self, key: object, work_out: Callable[[], T]) -> T:
        """Give what was worked out for ``key`` since the last change; pages of a list need not work it out again."""
        if self._worked_out[0] != self.change:
            self._worked_out = (self.change, {})
        known = self._worked_out[1]
        if key not in known:
            known[key] = work_out()
        found: T = known[key]
        return found

    def seed(self, event: Event) -> Event:
        """Give a seed its recurrence line where its ``properties`` hold Outlook's own ``recurrence``.

        Raises:
            ValueError: the series is none that Outlook has, or does not start on one of its days.
        """
        own = event.properties.get("recurrence")
        if isinstance(own, dict):
            rest = {name: value for name, value in event.properties.items() if name != "recurrence"}
            lines = lines_of(Pattern.read(own), event.start)
            return attrs.evolve(event, recurrence=(*lines, *event.recurrence), properties=rest)
        if event.recurrence and not pattern_of(event.recurrence, event.start).falls_on(day_of(event.start)):
            raise ValueError("a series in Outlook starts on a day of its pattern")
        return event

    # -- ids -----------------------------------------------------------------------------------------------------------

    def find(self, key: str) -> KeptEvent | None:
        """Give an event by either of its ids, those that take no place any more left out."""
        kept = self.event(self._shown.get(key, key))
        return None if kept is None or self.is_gone(kept) else kept

    def find_calendar(self, key: str) -> Calendar | None:
        """Give a calendar by either of its ids."""
        return self.get(self._shown.get(key, key))

    def shown_id(self, id: str, *, immutable: bool) -> str:  # noqa: A002  # the name of the thing
        """Give the id an answer shows (learn.microsoft.com/graph/outlook-immutable-id)."""
        if immutable:
            return id
        shown = opaque("AAMkAD", self.own_addresses[0], id)
        self._shown[shown] = id
        return shown

    def _primary_id(self) -> str:
        return opaque("AQMkAD", self.own_addresses[0], "calendar")

    def _new_calendar_id(self) -> str:
        return opaque("AQMkAD", self._token("calendar"))

    def _new_event_id(self, event: Event) -> str:  # noqa: ARG002  # the base class hands it in
        return opaque("AAkALgAA", self._token("event"))

    def _uid(self, id: str) -> str:  # noqa: A002  # the name of the thing
        return f"{_UID}00000000{guid(id).replace('-', '').upper()}"

    def uid_of(self, kept: KeptEvent) -> str:
        """Give ``iCalUId``, which is "different for each occurrence" (resources/event): the day stands in it."""
        if kept.original is None or not kept.uid.startswith(_UID):
            return kept.uid
        day = day_of(kept.original)
        return f"{_UID}{day.year:04X}{day.month:02X}{day.day:02X}{kept.uid[len(_UID) + 8 :]}"

    def _occurrence_id(self, series: str, original: When) -> str:
        id = opaque("AAkALgAA", series, day_of(original).isoformat())  # noqa: A001  # the name of the thing
        self._named[id] = (series, original)
        return id

    def _read_occurrence_id(self, id: str) -> tuple[str, When | None]:  # noqa: A002  # the name of the thing
        return self._named.get(id, (id, None))

    # -- keeping -------------------------------------------------------------------------------------------------------

    def is_apart(self, occurrence: KeptEvent) -> bool:
        """Say whether an occurrence is an exception, which is not as its series says."""
        return occurrence.id in self._events

    def is_gone(self, kept: KeptEvent) -> bool:
        """Say whether an event is out of sight: cancelled by its organiser here, or left by its guest."""
        left = kept.id in self._left and self.is_apart(kept)
        return left or (kept.cancelled and not kept.copy)

    def leave(self, kept: KeptEvent) -> None:
        """Take an event out of the calendar; an occurrence of a series leaves a gap."""
        if kept.series is None:
            self.forget(kept)
        else:
            self._left.add(self.cancel(kept).id)

    def gaps(self, series: OutlookEvent) -> list[dt.date]:
        """Give the days on which a series takes no place although its pattern says so."""
        apart = (one.original for one in self.exceptions(series) if self.is_gone(one))
        return sorted({*series.starts.skipped, *(day_of(original) for original in apart if original is not None)})

    def _store(self, kept: KeptEvent) -> KeptEvent:
        if not isinstance(kept, OutlookEvent):
            kept = OutlookEvent(**{field.name: getattr(kept, field.name) for field in attrs.fields(KeptEvent)})
        if kept.recurs:
            kept.starts  # noqa: B018  # a series Outlook has no pattern for is refused here
        self._left.discard(kept.id)
        return super()._store(kept)

    def ask_anew(self, kept: KeptEvent) -> None:
        """Forget what guests proposed instead of the time an event had."""
        for id, guest in list(self.proposals):  # noqa: A001  # the name of the thing
            if id == kept.id:
                del self.proposals[id, guest]

    # -- invitations ---------------------------------------------------------------------------------------------------

    def invitation(self, kept: KeptEvent, comment: str = "") -> Invitation:
        """Word what the guests of an event are to hear of it, with what Outlook alone lets an organiser wish."""
        wishes = {name: value for name, value in kept.event.properties.items() if name in _WISHES}
        return attrs.evolve(super().invitation(kept, comment), wishes=wishes)

    def take_invitation(self, invitation: Invitation) -> None:
        """Keep an event that somebody organises; of a series Outlook has no pattern for, its first occurrence."""
        event = invitation.event
        try:
            if event.recurrence:
                pattern_of(event.recurrence, event.start)
        except ValueError:
            event = attrs.evolve(event, recurrence=(), exceptions=())
        super().take_invitation(attrs.evolve(invitation, event=event))
        kept = self.by_uid(invitation.uid, invitation.original)
        if kept is not None:
            own = {name: value for name, value in kept.event.properties.items() if name not in _WISHES}
            self._store(attrs.evolve(kept, event=attrs.evolve(kept.event, properties={**own, **invitation.wishes})))

    def take_answer(self, answer: Answer) -> None:
        """Note what a guest answered, and the other time they propose."""
        super().take_answer(answer)
        kept = self.by_uid(answer.uid, answer.original)
        if kept is not None:
            self._count_change()
            self.proposals.pop((kept.id, answer.guest.key), None)
            if answer.proposal is not None:
                self.proposals[kept.id, answer.guest.key] = answer.proposal


def day_of(when: When) -> dt.date:
    """Give the day on the wall clock."""
    return when.date() if isinstance(when, dt.datetime) else when


@lru_cache(maxsize=256)
def _series(lines: tuple[str, ...], start: When, _zone: str | None) -> PatternSeries:
    return PatternSeries(lines, start)
