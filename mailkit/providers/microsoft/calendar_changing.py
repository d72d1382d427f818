"""Changing events at Outlook: what is named and nothing else, for one occurrence, a series, or from one date on.

Responsible for what a change means to the event that is there. Cutting a series in two is ``series_split``'s.
"""

from __future__ import annotations

import datetime as dt

import attrs

from mailkit.errors import Conflict, UsageError
from mailkit.models.calendar import Event, EventChange
from mailkit.models.notes import Note
from mailkit.providers.calendar import UNSET, EventFields, Notify, Scope
from mailkit.providers.guests import with_difference
from mailkit.providers.microsoft.access import CALENDAR_WRITE, permitted
from mailkit.providers.microsoft.calendar_answering import OutlookCalendarAnswering
from mailkit.providers.microsoft.calendar_book import CalendarBook, in_utc, told_notes
from mailkit.providers.microsoft.calendar_making import as_written
from mailkit.providers.microsoft.calendar_time import zones_from_wire
from mailkit.providers.microsoft.event_people import merged, names_people
from mailkit.providers.microsoft.event_to_wire import (
    Times,
    Written,
    clock_notes,
    event_to_wire,
    recurrence_to_wire,
    times_to_wire,
)
from mailkit.providers.microsoft.online_meetings import meeting_to_wire
from mailkit.providers.microsoft.series import due_in, remain_note, take_out
from mailkit.providers.microsoft.series_split import exceptions_of, split_series
from mailkit.providers.series_changes import check_organizer, ending_at, for_series, halves
from mailkit.providers.wire import Wire, get_objects, get_text
from mailkit.recurrence import Moment
from mailkit.transport.call import Call

__all__ = ["OutlookCalendarChanging"]

_OPERATION = "calendar.update"

_PERSONAL = ("reminders", "visibility", "show_as", "categories", "color")
"""What everybody who is invited has for themselves."""


class OutlookCalendarChanging(OutlookCalendarAnswering):
    """The verb that changes."""

    async def update(
        self, calendar_id: str, event_id: str, fields: EventFields, *, scope: Scope, etag: str | None, notify: Notify
    ) -> EventChange:
        """Change the named fields.

        Times named with an occurrence move its series by as many days, to that time. Where the times of a series
        change, Outlook forgets its changed occurrences: they are told as ``lost``.

        Raises:
            Conflict: ``etag`` is given and the event has changed since.
            InvalidRecurrence: Outlook cannot hold the series as it would be.
            UsageError: start and end do not go together, or the series is somebody else's.
        """
        book = self._book
        with permitted(self.account, _OPERATION, CALENDAR_WRITE):
            item = await book.item(_OPERATION, calendar_id, event_id)
            event = await book.event(item, calendar_id)
            if event.series is not None and scope == "this" and fields.recurrence is not UNSET:
                raise UsageError(
                    "one occurrence has no recurrence of its own; change the series, or it and those following",
                    code="bad_scope",
                )
            if event.kind == "single" or (event.series is not None and scope == "this"):
                change = await self._changed(calendar_id, item, fields, etag)
            else:
                self._check_same(event, etag)
                series_item, series = item, event
                if event.series is not None:
                    series_item = await book.item(_OPERATION, calendar_id, event.series.id)
                    series = await book.event(series_item, calendar_id)
                due = due_in(series, event)
                cut = None if scope == "series" else halves(series, due)
                if cut is None:
                    onto, back = for_series(fields, event, series, by_clock=True)
                    change = await self._changed(calendar_id, series_item, onto, None if event.series else etag)
                    change = attrs.evolve(change, lost=tuple(sorted((*change.lost, *back))))
                else:
                    check_organizer(series)
                    onto = ending_at(fields, event, due, by_clock=True)
                    change = await split_series(book, _OPERATION, series, cut, onto)
        is_own = change.event.is_organizer
        people = is_own and bool(event.attendees or change.event.attendees)
        said = told_notes(notify, people=people) if is_own else _copy_notes(fields)
        return attrs.evolve(change, notes=book.notes(*change.notes, *said))

    async def _changed(self, calendar_id: str, item: Wire, fields: EventFields, etag: str | None) -> EventChange:
        """Change one event as a whole; somebody who changes the guests in between is let in once."""
        try:
            return await self._change(calendar_id, item, fields, etag)
        except Conflict:
            if etag is not None:
                raise
        again = await self._book.item(_OPERATION, calendar_id, get_text(item, "id", "$"))
        return await self._change(calendar_id, again, fields, None)

    async def _change(self, calendar_id: str, item: Wire, fields: EventFields, etag: str | None) -> EventChange:
        book = self._book
        before = await book.event(item, calendar_id)
        written = await self._patch(calendar_id, item, before, fields)
        if not written.body:
            self._check_same(before, etag)
            return EventChange(event=before, unchanged=before.attendees, notes=written.notes)
        had = await exceptions_of(book, _OPERATION, before) if _resets(before, written) else []
        # Guests are merged into the list as it was read: it must be that one still.
        guard = etag or (before.etag if names_people(fields) else None)
        call = Call(
            operation=_OPERATION,
            method="PATCH",
            url=book.event_url(calendar_id, before.ref.id),
            headers=in_utc(*((("If-Match", guard),) if guard else ())),
            json=written.body,
        )
        after = await book.event(await book.object(call), calendar_id)
        remain = await take_out(book, _OPERATION, calendar_id, after.ref.id, written.deletions)
        if after.recurrence is not None and written.deletions:
            out = tuple(moment for moment in written.deletions if moment not in remain)
            after = attrs.evolve(after, recurrence=attrs.evolve(after.recurrence, exdates=out))
        change = EventChange(
            event=as_written(after, fields),
            lost=await self._lost(before, after, had),
            notes=(*written.notes, *remain_note(remain)),
        )
        return with_difference(change, before)

    async def _patch(self, calendar_id: str, item: Wire, event: Event, fields: EventFields) -> Written:
        """Write what is named as this event needs it: both sides of its times, a series that begins with them."""
        written = event_to_wire(fields)
        body = dict(written.body)
        deletions: tuple[Moment, ...] = ()
        times = await _times(self._book, item, event, fields)
        moves = fields.start is not UNSET or fields.end is not UNSET
        repeats = event.kind == "series" if fields.recurrence is UNSET else fields.recurrence is not None
        if moves:
            body |= times_to_wire(times, repeats=repeats)
        if fields.recurrence is None:
            body["recurrence"] = None
        elif fields.recurrence is not UNSET:
            series = recurrence_to_wire(fields.recurrence, times)
            body |= series.body
            deletions = series.deletions
        elif event.kind == "series" and times.start != event.start:
            if event.recurrence is None:
                raise UsageError(
                    "the rule of this series cannot be read, so give its recurrence together with its new start",
                    code="unreadable_recurrence",
                )
            # Start and recurrence must agree: github.com/microsoftgraph/microsoft-graph-docs/issues/2202
            series = recurrence_to_wire(event.recurrence, times)
            body |= series.body
            deletions = series.deletions
        if names_people(fields):
            body["attendees"] = merged(get_objects(item, "attendees", "$"), fields)
        meeting, said = await meeting_to_wire(self._book, _OPERATION, calendar_id, fields)
        shown_twice = clock_notes(times, repeats=repeats) if moves else ()
        notes = (*written.notes, *shown_twice, *said, *_meeting_text_notes(event, body))
        return Written(body={**body, **meeting}, deletions=deletions, notes=notes)

    async def _lost(self, before: Event, after: Event, had: list[Event]) -> tuple[Moment, ...]:
        """Tell which changed occurrences a change of times has done away with."""
        if not had:
            return ()
        has = {event.ref.id for event in await exceptions_of(self._book, _OPERATION, after)}
        return tuple(due_in(before, event) for event in had if event.ref.id not in has)

    def _check_same(self, event: Event, etag: str | None) -> None:
        if etag is not None and event.etag != etag:
            raise Conflict(
                "the event changed in between; read it again, then decide",
                account=self.account.name,
                operation=_OPERATION,
                code="changed",
            )


async def _times(book: CalendarBook, item: Wire, event: Event, fields: EventFields) -> Times:
    """Give when the event is to be: as named, else as it is."""
    start = event.start if fields.start is UNSET else fields.start
    end = event.end if fields.end is UNSET else fields.end
    found = zones_from_wire(item, "$", None)
    if event.is_all_day and found.source is None:
        return Times(start=start, end=end, day_zone=found.start.zone)
    named = not isinstance(start, dt.datetime) and (fields.start is not UNSET or fields.end is not UNSET)
    return Times(start=start, end=end, day_zone=await book.day_zone(_OPERATION) if named else found.start.zone)


def _resets(event: Event, written: Written) -> bool:
    """Whether a change makes Outlook forget the changed occurrences of a series: where its times or rule change."""
    return event.kind == "series" and not written.body.keys().isdisjoint({"recurrence", "start", "end"})


def _meeting_text_notes(event: Event, body: Wire) -> tuple[Note, ...]:
    """Say that the text with the way into a meeting is replaced.

    https://learn.microsoft.com/graph/api/event-update, at its notes for online meetings
    """
    if "body" not in body or event.online_meeting is None:
        return ()
    effect = "the new text replaces the one that told how to join; the link stays with the event"
    return (Note(code="meeting_text", effect=effect),)


def _copy_notes(fields: EventFields) -> tuple[Note, ...]:
    """Say that a change of what all share stays with the guest who makes it.

    Each calendar holds a meeting of its own, and only the organiser's sends updates to the others: [MS-OXOCAL].
    """
    if fields == EventFields(**{name: getattr(fields, name) for name in _PERSONAL}):
        return ()
    effect = "somebody else invites to this event; only the copy in this calendar was changed, and nobody is told"
    return (Note(code="own_copy", effect=effect),)
