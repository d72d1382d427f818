"""Making and deleting events at Outlook.

Responsible for making an event once (``transactionId``), for taking the excluded dates out of a new series, and for
calling off what others are invited to.
"""

from __future__ import annotations

import datetime as dt
from contextlib import suppress
from zoneinfo import ZoneInfo

import attrs

from mailkit.errors import NotFound, UsageError
from mailkit.models.calendar import Event
from mailkit.models.notes import Note
from mailkit.providers.calendar import UNSET, EventFields, Notify, Scope
from mailkit.providers.microsoft.access import CALENDAR_WRITE, permitted
from mailkit.providers.microsoft.calendar_book import UTC, CalendarBook, in_utc, told_notes
from mailkit.providers.microsoft.calendar_reading import OutlookCalendarReading
from mailkit.providers.microsoft.event_people import merged, names_people
from mailkit.providers.microsoft.event_to_wire import (
    Times,
    clock_notes,
    event_to_wire,
    recurrence_to_wire,
    times_to_wire,
)
from mailkit.providers.microsoft.online_meetings import meeting_to_wire
from mailkit.providers.microsoft.requests import ACCEPTED, deletion
from mailkit.providers.microsoft.series import day_of, due_in, end_series, remain_note, take_out
from mailkit.providers.series_changes import begins_series, check_organizer
from mailkit.providers.wire import Wire, get_flag, get_list, get_text
from mailkit.recurrence import Moment, windows_name
from mailkit.transport.call import Call

__all__ = ["OutlookCalendarMaking", "as_written", "created"]


class OutlookCalendarMaking(OutlookCalendarReading):
    """The verbs that make and delete."""

    async def create(
        self, calendar_id: str, fields: EventFields, *, key: str, notify: Notify
    ) -> tuple[Event, tuple[Note, ...]]:
        """Create an event once: a repeat with the same ``key`` gives the event of the first time.

        Dates that the recurrence leaves out are deleted afterwards; a note says which remain where that failed.

        Raises:
            UsageError: start or end is missing, or Windows has no such zone.
            InvalidRecurrence: Outlook cannot hold the recurrence.
        """
        operation = "calendar.create"
        if fields.start is UNSET or fields.end is UNSET:
            raise UsageError("an event needs a start and an end", code="bad_times")
        times = Times(start=fields.start, end=fields.end, day_zone=UTC)
        recurs = fields.recurrence if fields.recurrence is not UNSET else None
        if recurs is not None:
            recurrence_to_wire(recurs, times)  # refused before anything is sent
        book = self._book
        with permitted(self.account, operation, CALENDAR_WRITE):
            if not isinstance(times.start, dt.datetime):
                times = attrs.evolve(times, day_zone=await book.day_zone(operation))
            written = event_to_wire(fields)
            meeting, said = await meeting_to_wire(book, operation, calendar_id, fields)
            repeats = recurs is not None
            body = {**written.body, **times_to_wire(times, repeats=repeats), **meeting, "transactionId": key}
            if names_people(fields):
                body["attendees"] = merged((), fields)
            deletions: tuple[Moment, ...] = ()
            if recurs is not None:
                series = recurrence_to_wire(recurs, times)
                body |= series.body
                deletions = series.deletions
            event, remain = await created(book, operation, calendar_id, body, deletions)
        told = told_notes(notify, people=bool(event.attendees))
        notes = (*written.notes, *clock_notes(times, repeats=repeats), *said, *remain_note(remain), *told)
        return as_written(event, fields), book.notes(*notes)

    async def delete(
        self, calendar_id: str, event_id: str, *, scope: Scope, notify: Notify, comment: str | None
    ) -> tuple[Note, ...]:
        """Delete an event, or call it off with ``comment`` where one invites; what is gone already is fine.

        Raises:
            UsageError: somebody else's series is to end (``not_organizer``).
        """
        operation = "calendar.delete"
        book = self._book
        with permitted(self.account, operation, CALENDAR_WRITE), suppress(NotFound):
            item = await book.item(operation, calendar_id, event_id)
            invites = get_flag(item, "isOrganizer", "$") and bool(get_list(item, "attendees", "$"))
            series_id = get_text(item, "seriesMasterId", "$")
            if series_id and scope == "following":
                series_item = await book.item(operation, calendar_id, series_id)
                series, event = await book.event(series_item, calendar_id), await book.event(item, calendar_id)
                due = due_in(series, event)
                if not begins_series(series, due):
                    check_organizer(series)
                    await end_series(book, operation, series, series_item, day_of(due, series))
                    return book.notes(*_deleted_notes(notify, comment, invites=invites, comment_goes=False))
            target = book.event_url(calendar_id, series_id if series_id and scope != "this" else event_id)
            await book.session.request(_deletion(operation, target, comment, invites=invites))
            return book.notes(*_deleted_notes(notify, comment, invites=invites, comment_goes=invites))
        return ()


async def created(
    book: CalendarBook, operation: str, calendar_id: str, body: Wire, deletions: tuple[Moment, ...]
) -> tuple[Event, tuple[Moment, ...]]:
    """Make an event and take the dates out of it that it leaves out; gives it and the dates that remain.

    https://learn.microsoft.com/graph/api/calendar-post-events: the same transactionId makes one event only.
    """
    url = f"{book.calendar_url(calendar_id)}/events"
    item = await book.object(Call(operation=operation, method="POST", url=url, json=body, headers=in_utc()))
    event = await book.event(item, calendar_id)
    remain = await take_out(book, operation, calendar_id, event.ref.id, deletions)
    if event.recurrence is not None:
        out = tuple(moment for moment in deletions if moment not in remain)
        event = attrs.evolve(event, recurrence=attrs.evolve(event.recurrence, exdates=out))
    return event, remain


def as_written(event: Event, fields: EventFields) -> Event:
    """Give an event in the zones it was written in, where Graph's coarser ones are named alike."""

    def zoned(moment: Moment, named: object) -> Moment:
        if not isinstance(moment, dt.datetime) or not isinstance(named, dt.datetime):
            return moment
        mine, theirs = named.tzinfo, moment.tzinfo
        if not isinstance(mine, ZoneInfo) or not isinstance(theirs, ZoneInfo):
            return moment
        return moment.astimezone(mine) if windows_name(mine) == windows_name(theirs) else moment

    return attrs.evolve(event, start=zoned(event.start, fields.start), end=zoned(event.end, fields.end))


def _deletion(operation: str, url: str, comment: str | None, *, invites: bool) -> Call:
    if invites:
        # https://learn.microsoft.com/graph/api/event-cancel
        body = {"comment": comment or ""}
        return Call(
            operation=operation,
            method="POST",
            url=f"{url}/cancel",
            json=body,
            headers=in_utc(),
            expects="bytes",
            done=ACCEPTED,
        )
    return deletion(operation, url, in_utc())


def _deleted_notes(notify: Notify, comment: str | None, *, invites: bool, comment_goes: bool) -> tuple[Note, ...]:
    notes = told_notes(notify, people=invites)
    if comment and not comment_goes:
        effect = "nobody was written to with the comment; write a mail if it matters"
        notes = (*notes, Note(code="comment_lost", effect=effect))
    return notes
