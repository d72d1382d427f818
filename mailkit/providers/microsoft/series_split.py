"""Changing a series from one of its occurrences on: Outlook ends the old series and begins a new one.

Responsible for what goes along: everything that stands in the old series, its excluded dates, and the occurrences that
were changed by hand. The new series is made before the old one is cut, so that nothing is missing if either fails.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress

import anyio
import attrs

from mailkit.errors import Conflict, MailkitError
from mailkit.mime.address_key import address_key
from mailkit.models.calendar import Event, EventChange
from mailkit.models.notes import Note
from mailkit.providers.calendar import UNSET, EventFields
from mailkit.providers.guests import with_difference
from mailkit.providers.microsoft.calendar_book import WHOLE_EVENT, CalendarBook, in_utc
from mailkit.providers.microsoft.calendar_making import as_written, created
from mailkit.providers.microsoft.calendar_time import zones_from_wire
from mailkit.providers.microsoft.calendar_wire import attendee_from_wire
from mailkit.providers.microsoft.event_people import merged
from mailkit.providers.microsoft.event_to_wire import Times, Written, event_to_wire, recurrence_to_wire, times_to_wire
from mailkit.providers.microsoft.online_meetings import meeting_to_wire
from mailkit.providers.microsoft.requests import deletion
from mailkit.providers.microsoft.series import day_of, due_in, end_series, occurrences_at, remain_note
from mailkit.providers.series_changes import Continuation, Halves, continued
from mailkit.providers.wire import Wire, get_flag, get_objects
from mailkit.recurrence import Moment
from mailkit.transport.call import Call

__all__ = ["exceptions_of", "split_series"]

# What can be written of an event (https://learn.microsoft.com/graph/api/event-update), times and recurrence apart.
_COPIED = (
    "subject",
    "body",
    "location",
    "locations",
    "categories",
    "sensitivity",
    "showAs",
    "importance",
    "isReminderOn",
    "reminderMinutesBeforeStart",
    "responseRequested",
    "hideAttendees",
    "allowNewTimeProposals",
)
_MORE = ",".join(sorted({*_COPIED, "hasAttachments"} - set(WHOLE_EVENT[0][1].split(","))))
_SELECTED = ("$select", f"{WHOLE_EVENT[0][1]},{_MORE}")
_UNDOING_SECONDS = 10.0


async def exceptions_of(book: CalendarBook, operation: str, series: Event) -> list[Event]:
    """Give the changed occurrences of a series."""
    item = await _with_exceptions(book, operation, series)
    events, _ = await book.events(get_objects(item, "exceptionOccurrences", "$"), series.calendar.id)
    return events


async def split_series(
    book: CalendarBook, operation: str, series: Event, cut: Halves, fields: EventFields
) -> EventChange:
    """End a series on the day before a cut, and begin another one there that has the named fields.

    Raises:
        InvalidRecurrence: Outlook cannot hold the new series.
        UsageError: start and end do not go together.
    """
    item = await _with_exceptions(book, operation, series)
    split = _Split(
        book=book,
        operation=operation,
        old=series,
        item=item,
        fields=fields,
        plan=_plan(series, cut, fields, item),
    )
    new = split.plan.new
    body, notes = await split.beginning()
    calendar_id, deletions = series.calendar.id, split.plan.written.deletions
    try:
        event, remain = await created(book, operation, calendar_id, body, deletions)
    except Conflict:  # this cut was made before, and taken back or made otherwise: it is to be another series
        body = {**body, "transactionId": secrets.token_hex(16)}
        event, remain = await created(book, operation, calendar_id, body, deletions)
    try:
        ended = await end_series(book, operation, series, item, day_of(new.cut, series))
    except MailkitError as error:
        if error.had_no_effect:  # else both may be there: that is better than neither
            await _undo(book, operation, event)
        raise
    wires = get_objects(item, "exceptionOccurrences", "$")
    changed = [(await book.event(wire, series.calendar.id), wire) for wire in wires]
    carried, lost = await split.carry(event, body, [each for each in changed if due_in(series, each[0]) >= new.cut])
    old = await book.event({**item, **ended}, series.calendar.id)
    kept = {one.ref.id for one in await exceptions_of(book, operation, old)}
    lost += [due_in(series, one) for one, _ in changed if due_in(series, one) < new.cut and one.ref.id not in kept]
    change = EventChange(
        event=as_written(event, fields),
        old=old,
        carried=tuple(one.ref for one in carried),
        lost=tuple(sorted((*lost, *new.lost))),
        notes=(*notes, *remain_note(remain)),
    )
    return with_difference(change, series)


@attrs.frozen(kw_only=True)
class _Plan:
    """What goes on behind the cut, and how Graph is told of it."""

    new: Continuation
    times: Times
    written: Written


def _plan(series: Event, cut: Halves, fields: EventFields, item: Wire) -> _Plan:
    """Find out when the new series is, before anything is changed."""
    new = continued(fields, series, cut.at, cut.after, by_clock=True)
    times = Times(start=new.start, end=new.end, day_zone=zones_from_wire(item, "$", None).start.zone)
    written = Written(body={}) if new.recurrence is None else recurrence_to_wire(new.recurrence, times)
    return _Plan(new=new, times=times, written=written)


@attrs.frozen(kw_only=True)
class _Split:
    """One series that is cut: ``item`` is the old one as Graph gave it, with its changed occurrences."""

    book: CalendarBook
    operation: str
    old: Event
    item: Wire
    fields: EventFields
    plan: _Plan

    async def beginning(self) -> tuple[Wire, tuple[Note, ...]]:
        """Write the new series: what stands in the old one, what is named, and its times."""
        fields = self.fields
        written = event_to_wire(fields)
        copied = {name: self.item[name] for name in _COPIED if self.item.get(name) is not None}
        if "location" in written.body:
            copied.pop("locations", None)
        notes = list(written.notes)
        was_online = self.old.online_meeting is not None
        if was_online and fields.online_meeting is UNSET:
            fields = attrs.evolve(fields, online_meeting=True)
        meeting, said = await meeting_to_wire(self.book, self.operation, self.old.calendar.id, fields)
        if was_online and meeting.get("isOnlineMeeting"):
            effect = "the new series has another link to its online meeting than the old one"
            notes.append(Note(code="new_meeting", effect=effect))
        if get_flag(self.item, "hasAttachments", "$"):
            effect = "the files stay with the old series; attach them to the new one again"
            notes.append(Note(code="attachments_stay", effect=effect))
        # The same cut of the same state makes the same series, once.
        word = "\n".join((self.old.ref.id, self.plan.new.cut.isoformat(), self.old.etag or ""))
        body = {
            **copied,
            **written.body,
            **times_to_wire(self.plan.times, repeats=True),
            **self.plan.written.body,
            **meeting,
            "attendees": _asked_anew(merged(get_objects(self.item, "attendees", "$"), fields)),
            "transactionId": hashlib.blake2s(word.encode(), digest_size=16).hexdigest(),
        }
        return body, (*notes, *said)

    async def carry(
        self, new: Event, body: Wire, later: Sequence[tuple[Event, Wire]]
    ) -> tuple[list[Event], list[Moment]]:
        """Change occurrences of the new series as they were in the old one; gives them, and the dates that were not.

        ``body`` is what the new series was made of. Where Outlook takes the times of an occurrence no longer, since it
        would reach another one, the rest of it goes along.
        """
        carried: list[Event] = []
        lost: list[Moment] = []
        named = event_to_wire(self.fields).body.keys()
        dues = [due_in(self.old, one) for one, _ in later]
        places = await self._places(new, dues)
        for (one, wire), due, there in zip(later, dues, places, strict=True):
            now = None
            if isinstance(there, Event):
                own = _difference(
                    wire, self.item, named, merged(get_objects(wire, "attendees", "$"), self.fields), body
                )
                times = self._own_times(one, due)
                now = await _patched(self.book, self.operation, there, {**own, **times})
                if now is None and own and times:
                    await _patched(self.book, self.operation, there, own)
            if now is None:
                lost.append(due)
            else:
                carried.append(now)
        return carried, lost

    def _own_times(self, one: Event, due: Moment) -> Wire:
        own = self.plan.new.own_times(one, due)
        return {} if own is None else times_to_wire(attrs.evolve(self.plan.times, start=own[0], end=own[1]))

    async def _places(self, new: Event, dues: Sequence[Moment]) -> Sequence[Event | MailkitError | None]:
        """Find the occurrences of the new series that stand for those of the old one."""
        if self.fields.recurrence is None:
            return [None] * len(dues)
        moved = [self.plan.new.due(due) for due in dues]
        return await occurrences_at(self.book, self.operation, new.calendar.id, new.ref.id, moved)


async def _patched(book: CalendarBook, operation: str, event: Event, body: Wire) -> Event | None:
    """Change an occurrence; None where that fails: the new series is there, and what was not carried is told."""
    if not body:
        return event
    url = book.event_url(event.calendar.id, event.ref.id)
    call = Call(operation=operation, method="PATCH", url=url, headers=in_utc(), json=body)
    try:
        return await book.event(await book.object(call), event.calendar.id)
    except MailkitError:
        return None


def _difference(
    wire: Wire, series: Wire, named: Collection[str], guests: Sequence[Wire], new: Wire
) -> dict[str, object]:
    """Give what an occurrence has that its series has not, but for what is named for all; ``guests`` are its own."""
    body = {
        name: wire[name]
        for name in _COPIED
        if name not in named and wire.get(name) is not None and wire.get(name) != series.get(name)
    }
    if "location" in named:
        body.pop("locations", None)
    if _keys(guests) != _keys(get_objects(new, "attendees", "$")):
        body["attendees"] = _asked_anew(guests)
    return body


def _asked_anew(guests: Iterable[Wire]) -> list[Wire]:
    """Write guests without what they said, which was to the old series."""
    return [{name: each[name] for name in ("emailAddress", "type") if name in each} for each in guests]


def _keys(guests: Iterable[Wire]) -> set[str]:
    return {address_key(attendee_from_wire(each, "attendees").address.address) for each in guests}


async def _with_exceptions(book: CalendarBook, operation: str, series: Event) -> Wire:
    """Give a series with its changed occurrences: https://learn.microsoft.com/graph/api/event-get, at its examples."""
    url = book.event_url(series.calendar.id, series.ref.id)
    query = (_SELECTED, ("$expand", "exceptionOccurrences"))
    return await book.object(Call(operation=operation, url=url, query=query, headers=in_utc()))


async def _undo(book: CalendarBook, operation: str, event: Event) -> None:
    """Delete the new series again, since the old one could not be cut; what goes wrong is not told."""
    url = book.event_url(event.calendar.id, event.ref.id)
    call = deletion(operation, url, in_utc())
    with (
        anyio.CancelScope(shield=True),
        book.session.clock.deadline(_UNDOING_SECONDS),
        suppress(MailkitError),  # what went wrong first says more
    ):
        await book.session.request(call)
