"""An account's calendars and what stands in them: series kept whole, their changed occurrences beside them.

It holds what is true and no provider's view of it; a provider's calendars add ids and habits in a subclass. When a
series takes place is ``series.py``'s, whom a change is told is ``invitations.py``'s.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from zoneinfo import ZoneInfo

import attrs

from mailkit.sandbox.event import Changed, Event, Guest, ShowAs, When, instant
from mailkit.sandbox.invitations import Answer, Invitation
from mailkit.sandbox.kept import Calendar, KeptEvent
from mailkit.sandbox.mail import Person

__all__ = ["Calendars"]

_DAY = dt.timedelta(days=1)
# A moved occurrence may lie anywhere, but the start it was due at is never farther from UTC than a zone reaches.
_ZONES = dt.timedelta(hours=26)


class Calendars:
    """One account's calendars; ``now`` dates what changes.

    ``busy_seen_by`` are the addresses, and whole domains, that may see when the owner is busy: at first the own domain.
    """

    def __init__(
        self,
        owner: Person,
        *,
        provider: str,
        addresses: Callable[[], Sequence[str]],
        now: Callable[[], dt.datetime],
        zone: ZoneInfo,
    ) -> None:
        self.provider = provider
        self.zone = zone
        self.owner = owner
        self.change: int = 0
        self._addresses = addresses
        self._now = now
        self._calendars: dict[str, Calendar] = {}
        self._events: dict[str, KeptEvent] = {}
        self._made = 0
        self.primary_id: str = self._primary_id()
        self.busy_seen_by: set[str] = {owner.address.rpartition("@")[2]}
        self.add(self._primary_name(), id=self.primary_id, primary=True)

    def __iter__(self) -> Iterator[Calendar]:
        """Give the calendars, the primary one first."""
        return iter(tuple(self._calendars.values()))

    def get(self, id: str) -> Calendar | None:  # noqa: A002  # the name of the thing
        """Give one calendar by its id, or None."""
        return self._calendars.get(id)

    def named(self, name: str) -> Calendar:
        """Give the calendar of that name, empty: the primary one; raises KeyError."""
        if not name:
            return self._calendars[self.primary_id]
        found = next((one for one in self if one.name == name), None)
        if found is None:
            raise KeyError(f"there is no calendar of that name: {name}")
        return found

    @property
    def own_addresses(self) -> Sequence[str]:
        """The addresses their owner is invited at, the primary one first."""
        return self._addresses()

    # -- calendars -----------------------------------------------------------------------------------------------------

    def add(self, name: str, **fields: object) -> Calendar:
        """Add a calendar; ``fields`` are those of ``Calendar``."""
        usual = {"id": self._new_calendar_id(), "zone": self.zone, "owner": self.owner} | self._usual()
        return self._put(Calendar(name=name, **(usual | fields)))  # type: ignore[arg-type]  # Calendar's own names

    def update(self, calendar: Calendar, **fields: object) -> Calendar:
        """Change fields of a calendar."""
        return self._put(attrs.evolve(calendar, **fields))  # type: ignore[arg-type]  # Calendar's own names

    def remove(self, id: str) -> None:  # noqa: A002  # the name of the thing
        """Delete a calendar and all that stands in it; KeyError for an unknown one."""
        del self._calendars[id]
        self._count_change()
        self._events = {key: kept for key, kept in self._events.items() if kept.calendar != id}

    def _put(self, calendar: Calendar) -> Calendar:
        self._count_change()
        self._calendars[calendar.id] = attrs.evolve(calendar, change=self.change)
        return self._calendars[calendar.id]

    # -- events --------------------------------------------------------------------------------------------------------

    def insert(self, event: Event, calendar: str | None = None, *, copy: bool = False, sequence: int = 0) -> KeptEvent:
        """Put an event in, its exceptions beside it; ``calendar`` is an id, None: the one the event names.

        Raises:
            KeyError: there is no such calendar.
            ValueError: there is such an id already, or the recurrence cannot be read.
        """
        home = self.named(event.calendar).id if calendar is None else self._calendars[calendar].id
        id = event.id or self._new_event_id(event)  # noqa: A001  # the name of the thing
        if id in self._events:
            raise ValueError(f"there is an event {id!r} already")
        master = attrs.evolve(event, exceptions=(), calendar="")
        now = self._now()
        uid = event.uid or self._uid(id)
        copy = copy or not (event.organizer is None or self.owns(event.organizer.address))
        kept = KeptEvent(
            id=id, uid=uid, calendar=home, event=master, created=now, updated=now, sequence=sequence, copy=copy
        )
        _check(kept, event.exceptions)
        kept = self._store(kept)
        self._except(kept, event.exceptions)
        return kept

    def _except(self, series: KeptEvent, changes: Iterable[Changed], *, keep_own: bool = False) -> None:
        for changed in changes:
            occurrence = self.occurrence(series, changed.original)
            if occurrence is None:
                continue
            if changed.event is None:
                self.cancel(occurrence)
            else:
                self.save(occurrence, _with_own(changed.event, occurrence.event) if keep_own else changed.event)

    def event(self, id: str) -> KeptEvent | None:  # noqa: A002  # the name of the thing
        """Give an event, a series or an occurrence by its id, cancelled ones too; None where there is none."""
        kept = self._events.get(id)
        if kept is not None:
            return kept
        series_id, original = self._read_occurrence_id(id)
        series = self._events.get(series_id)
        return None if series is None or original is None else self.occurrence(series, original)

    def events(self, calendar: str) -> list[KeptEvent]:
        """Give what is kept of a calendar: single events, series, changed and cancelled occurrences."""
        return [kept for kept in self._events.values() if kept.calendar == calendar]

    def exceptions(self, series: KeptEvent) -> list[KeptEvent]:
        """Give the occurrences of a series that are kept apart, changed or cancelled."""
        return [kept for kept in self._events.values() if kept.series == series.id]

    def occurrence(self, series: KeptEvent, original: When) -> KeptEvent | None:
        """Give the occurrence of a series that was due at ``original``, as it is now."""
        if not series.recurs or not series.starts.has(original):
            return None
        if isinstance(original, dt.datetime) and isinstance(series.event.start, dt.datetime):
            original = original.astimezone(series.event.start.tzinfo)
        return self._events.get(self._occurrence_id(series.id, original)) or self._due(series, original)

    def expand(self, calendar: str, start: dt.datetime, end: dt.datetime) -> list[KeptEvent]:
        """Give the single events and occurrences, cancelled ones too, that take place between two instants, in order.

        An event takes place there when it starts before ``end`` and ends after ``start``; one without length counts as
        its instant. Ties go by id.
        """
        zone = self._calendars[calendar].zone
        found: list[KeptEvent] = []
        for kept in self.events(calendar):
            found += self._due_between(kept, start, end) if kept.recurs else [kept]
        taking_place = (kept for kept in found if overlaps(kept.event, start, end, zone))
        return sorted(taking_place, key=lambda kept: (instant(kept.event.start, zone), kept.id))

    def occurrences(self, series: KeptEvent, start: dt.datetime, end: dt.datetime) -> list[KeptEvent]:
        """Give the occurrences of one series between two instants, changed and cancelled ones too, in order."""
        zone = self._calendars[series.calendar].zone
        found = (*self._due_between(series, start, end), *self.exceptions(series))
        taking_place = (kept for kept in found if overlaps(kept.event, start, end, zone))
        return sorted(taking_place, key=lambda kept: (instant(kept.event.start, zone), kept.id))

    def _due_between(self, series: KeptEvent, start: dt.datetime, end: dt.datetime) -> Iterator[KeptEvent]:
        """Give the occurrences that are as the series says; those kept apart are not among them."""
        if series.cancelled:
            return
        length = instant(series.event.end, dt.UTC) - instant(series.event.start, dt.UTC)
        first, last = (start - length - _ZONES).date(), (end + _ZONES).date()
        for original in series.starts.starts(first, last):
            if self._occurrence_id(series.id, original) not in self._events:
                yield self._due(series, original)

    def _due(self, series: KeptEvent, original: When) -> KeptEvent:
        event = attrs.evolve(self._moved(series.event, original), recurrence=())
        id = self._occurrence_id(series.id, original)  # noqa: A001  # the name of the thing
        return attrs.evolve(series, id=id, event=event, series=series.id, original=original)

    def _moved(self, event: Event, start: When) -> Event:
        """Give an event as an occurrence of it is that starts then."""
        return event.moved_to(start)

    def engagements(
        self, start: dt.datetime, end: dt.datetime, calendar: str | None = None
    ) -> list[tuple[dt.datetime, dt.datetime, ShowAs]]:
        """Give what fills the owner's time between two instants, by itself of the primary calendar, in order.

        What is off, or was declined, is not among it; what is free is, and says so.
        """
        home = self._calendars[calendar or self.primary_id]
        return [
            (instant(kept.event.start, home.zone), instant(kept.event.end, home.zone), kept.event.show_as)
            for kept in self.expand(home.id, start, end)
            if not kept.cancelled and not self._declined(kept.event)
        ]

    def _declined(self, event: Event) -> bool:
        return any(guest.response == "declined" and self.owns(guest.person.address) for guest in event.guests)

    def shows_busy_to(self, address: str) -> bool:
        """Say whether somebody may see when the owner is busy."""
        allowed = set(map(str.casefold, self.busy_seen_by))
        return not allowed.isdisjoint((address.casefold(), address.rpartition("@")[2].casefold()))

    # -- changing ------------------------------------------------------------------------------------------------------

    def save(self, kept: KeptEvent, event: Event, *, sequence: int | None = None) -> KeptEvent:
        """Let an event be otherwise; an occurrence is an exception of its series from now on.

        A series that takes place at other times loses the exceptions that were due at the former ones.
        """
        event = attrs.evolve(event, exceptions=(), recurrence=() if kept.series else event.recurrence)
        changed = attrs.evolve(kept, event=event, sequence=kept.sequence if sequence is None else sequence)
        _check(changed)
        for exception in self.exceptions(kept) if kept.series is None else ():
            if not changed.recurs or exception.original is None or not changed.starts.has(exception.original):
                del self._events[exception.id]
        return self._store(attrs.evolve(changed, cancelled=False))

    def cancel(self, kept: KeptEvent) -> KeptEvent:
        """Let an event, a series or one occurrence not take place; it is remembered as cancelled."""
        for exception in self.exceptions(kept) if kept.series is None else ():
            del self._events[exception.id]
        return self._store(attrs.evolve(kept, cancelled=True))

    def forget(self, kept: KeptEvent) -> None:
        """Take an event out without a trace, its exceptions too."""
        self._count_change()
        self._events = {key: other for key, other in self._events.items() if kept.id not in (key, other.series)}

    def move(self, kept: KeptEvent, calendar: str) -> KeptEvent:
        """Put an event, with its exceptions, into another calendar; KeyError for an unknown one."""
        home = self._calendars[calendar].id
        for exception in self.exceptions(kept):
            self._store(attrs.evolve(exception, calendar=home))
        return self._store(attrs.evolve(kept, calendar=home))

    def _count_change(self) -> None:
        self.change += 1

    def _store(self, kept: KeptEvent) -> KeptEvent:
        self._count_change()
        self._events[kept.id] = attrs.evolve(kept, change=self.change, updated=self._now())
        return self._events[kept.id]

    # -- invitations ---------------------------------------------------------------------------------------------------

    def owns(self, address: str) -> bool:
        """Say whether an address is one of the owner's."""
        return address.casefold() in map(str.casefold, self.own_addresses)

    def invitation(self, kept: KeptEvent, comment: str = "") -> Invitation:
        """Word what the guests of an event are to hear of it: what it is now, with all its exceptions."""
        changed = (
            Changed(original=one.original, event=None if one.cancelled else attrs.evolve(one.event, properties={}))
            for one in self.exceptions(kept)
            if one.original is not None
        )
        return Invitation(
            uid=kept.uid,
            organizer=kept.event.organizer or self.owner,
            event=attrs.evolve(kept.event, exceptions=tuple(changed), properties={}, id=None, uid=None),
            original=kept.original,
            sequence=kept.sequence,
            comment=comment,
            at=self._now(),
        )

    def by_uid(self, uid: str, original: When | None = None) -> KeptEvent | None:
        """Find the event, or an occurrence, that bears an iCalendar UID."""
        kept = next((kept for kept in self._events.values() if kept.uid == uid and kept.series is None), None)
        # Who was asked to one occurrence alone has it as a single event.
        return kept if kept is None or original is None or not kept.recurs else self.occurrence(kept, original)

    def take_invitation(self, invitation: Invitation) -> None:
        """Keep an event in the primary calendar, or what has become of it; one's reminders and colours stay."""
        event = _invited(invitation.event, invitation.organizer)
        kept = self.by_uid(invitation.uid, invitation.original)
        if kept is None:
            # Somebody asked to one occurrence alone has just that one.
            id = self._invited_id(invitation)  # noqa: A001  # the name of the thing
            event = attrs.evolve(event, id=id, uid=invitation.uid)
            self.insert(event, copy=True, sequence=invitation.sequence)
            return
        saved = self.save(kept, _with_own(event, kept.event), sequence=invitation.sequence)
        self._except(saved, event.exceptions, keep_own=True)

    def take_cancellation(self, invitation: Invitation) -> None:
        """Note that an event, or an occurrence of it, is off, or goes on without the owner."""
        kept = self.by_uid(invitation.uid, invitation.original)
        if kept is not None:
            self.cancel(kept)

    def take_answer(self, answer: Answer) -> None:
        """Note what a guest answered: in one occurrence, or in the whole series and all its exceptions."""
        kept = self.by_uid(answer.uid, answer.original)
        if kept is None:
            return
        for one in (kept, *(self.exceptions(kept) if kept.recurs else ())):
            guests = tuple(_answered(guest, answer) for guest in one.event.guests)
            if guests != one.event.guests and not one.cancelled:
                self.save(one, attrs.evolve(one.event, guests=guests))

    # -- what a provider's calendars decide ----------------------------------------------------------------------------

    def _primary_id(self) -> str:
        return self.own_addresses[0]

    def _primary_name(self) -> str:
        return "Calendar"

    def _usual(self) -> dict[str, object]:
        """Give what a new calendar is like, where that is not as in ``Calendar``."""
        return {}

    def _new_calendar_id(self) -> str:
        return self._token("calendar")

    def _new_event_id(self, event: Event) -> str:  # noqa: ARG002  # a provider's calendars look at it
        """Give an id no event here has had."""
        return self._token("event")

    def _invited_id(self, invitation: Invitation) -> str | None:  # noqa: ARG002  # see above
        """Give the id an event bears here that somebody else made, None: a new one."""
        return None

    def _uid(self, id: str) -> str:  # noqa: A002  # the name of the thing
        """Give the iCalendar UID of a new event."""
        return f"{id}@sandbox.mailkit.example"

    def _occurrence_id(self, series: str, original: When) -> str:
        """Name an occurrence after its series and the start it was due at, in UTC."""
        if isinstance(original, dt.datetime):
            return f"{series}_{original.astimezone(dt.UTC):%Y%m%dT%H%M%SZ}"
        return f"{series}_{original:%Y%m%d}"

    def _read_occurrence_id(self, id: str) -> tuple[str, When | None]:  # noqa: A002  # the name of the thing
        """Give the series and the start an occurrence's id names; the start is None where it names none."""
        series, _, stamp = id.rpartition("_")
        for form in ("%Y%m%dT%H%M%SZ", "%Y%m%d"):
            try:
                moment = dt.datetime.strptime(stamp, form).replace(tzinfo=dt.UTC)
            except ValueError:
                continue
            return series, moment if "T" in form else moment.date()
        return id, None

    def _token(self, kind: str) -> str:
        """Give letters and digits that are new here, and the same for the same sandbox every time."""
        self._made += 1
        return hashlib.blake2s(f"{self.own_addresses[0]} {kind} {self._made}".encode(), digest_size=13).hexdigest()


def _check(kept: KeptEvent, changes: Iterable[Changed] = ()) -> None:
    """Refuse a recurrence that cannot be read, and changes of what is not due."""
    starts = kept.starts if kept.recurs else None
    if not all(starts is not None and starts.has(changed.original) for changed in changes):
        raise ValueError("no occurrence of the series is due at the start an exception names")


def _invited(event: Event, organizer: Person) -> Event:
    """Give an event as its guests get it: whose it is, and nothing that is the organiser's alone."""
    changes = (
        attrs.evolve(changed, event=changed.event and _invited(changed.event, organizer))
        for changed in event.exceptions
    )
    return attrs.evolve(
        event, organizer=organizer, reminders=None, categories=(), calendar="", exceptions=tuple(changes)
    )


def _with_own(event: Event, own: Event) -> Event:
    """Give an event with what a guest has set for themselves."""
    kept = ("reminders", "categories", "show_as", "properties", "id", "uid")
    return attrs.evolve(event, **{name: getattr(own, name) for name in kept})


def overlaps(event: Event, start: dt.datetime, end: dt.datetime, zone: dt.tzinfo) -> bool:
    """Say whether an event takes place between two instants; days are days of ``zone``."""
    begins, ends = instant(event.start, zone), instant(event.end, zone)
    return begins < end and (ends > start or begins == ends == start)


def _answered(guest: Guest, answer: Answer) -> Guest:
    if guest.key != answer.guest.key:
        return guest
    return attrs.evolve(guest, response=answer.guest.response, comment=answer.guest.comment, answered=answer.at)
