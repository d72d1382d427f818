"""Single occurrences of a series at Outlook: finding them, taking them out, ending the series before one.

Graph knows no list of excluded dates that can be written: an occurrence is found and deleted.
https://learn.microsoft.com/graph/api/event-list-instances and event-delete
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from mailkit.errors import BadPayload, MailkitError, NotFound
from mailkit.models.calendar import Event
from mailkit.models.notes import Note
from mailkit.providers.microsoft.calendar_book import CalendarBook, in_utc
from mailkit.providers.microsoft.calendar_time import filter_text
from mailkit.providers.microsoft.calendar_wire import EVENT_MEMBERS
from mailkit.providers.microsoft.event_windows import APART
from mailkit.providers.microsoft.requests import deletion, rows_of
from mailkit.providers.wire import Wire, get_object
from mailkit.recurrence import Moment
from mailkit.recurrence.moments import absolute, on_clock, wall_clock, zone_of
from mailkit.scheduling import instant_of
from mailkit.transport.call import Call

__all__ = ["day_of", "due_in", "end_series", "occurrences_at", "remain_note", "take_out"]

_ONE_DAY = dt.timedelta(days=1)


async def occurrences_at(
    book: CalendarBook, operation: str, calendar_id: str, series_id: str, moments: Sequence[Moment]
) -> list[Event | MailkitError | None]:
    """Find the occurrence that the rule puts at each moment; None: there is none, or no longer."""
    url = f"{book.event_url(calendar_id, series_id)}/instances"
    calls = []
    for moment in moments:
        at = instant_of(moment, dt.UTC)
        query = (
            ("startDateTime", filter_text(at - APART)),
            ("endDateTime", filter_text(at + APART)),
            ("$select", ",".join(EVENT_MEMBERS)),
            ("$top", "100"),
        )
        calls.append(Call(operation=operation, url=url, query=query, headers=in_utc()))
    found: list[Event | MailkitError | None] = []
    for moment, answer in zip(moments, await book.session.batch(calls) if calls else (), strict=True):
        if isinstance(answer, MailkitError):
            found.append(answer)
            continue
        try:
            events, _ = await book.events(rows_of(answer), calendar_id)
        except BadPayload as problem:
            found.append(problem)
        else:
            dues = {absolute(event.original_start): event for event in events if event.original_start is not None}
            found.append(dues.get(absolute(moment)))
    return found


async def take_out(
    book: CalendarBook, operation: str, calendar_id: str, series_id: str, moments: Sequence[Moment]
) -> tuple[Moment, ...]:
    """Delete the occurrences at these moments; gives those that remain, since something went wrong."""
    found = await occurrences_at(book, operation, calendar_id, series_id, moments)
    remain = [moment for moment, event in zip(moments, found, strict=True) if isinstance(event, MailkitError)]
    there = [(moment, event) for moment, event in zip(moments, found, strict=True) if isinstance(event, Event)]
    calls = [deletion(operation, book.event_url(calendar_id, event.ref.id), in_utc()) for _, event in there]
    for (moment, _), outcome in zip(there, await book.session.batch(calls) if calls else (), strict=True):
        if isinstance(outcome, MailkitError) and not isinstance(outcome, NotFound):
            remain.append(moment)
    return tuple(remain)


def remain_note(moments: Iterable[Moment]) -> tuple[Note, ...]:
    """Say which dates could not be taken out of a series."""
    dates = ", ".join(moment.isoformat() for moment in moments)
    effect = "these dates are still part of the series, since deleting them failed; delete them one by one"
    return (Note(code="dates_remain", term=dates, effect=effect),) if dates else ()


async def end_series(book: CalendarBook, operation: str, series: Event, item: Wire, first_gone: dt.date) -> Wire:
    """Let a series end on the day before ``first_gone``, a day of its own zone; gives it as it is then.

    ``item`` is the series as Graph gave it. learn.microsoft.com/graph/api/resources/recurrencerange: endDate is the
    last day on which it may be.
    """
    recurrence = get_object(item, "recurrence", "$")
    span = {k: v for k, v in get_object(recurrence, "range", "$.recurrence").items() if k != "numberOfOccurrences"}
    ended = {**span, "type": "endDate", "endDate": (first_gone - _ONE_DAY).isoformat()}
    call = Call(
        operation=operation,
        method="PATCH",
        url=book.event_url(series.calendar.id, series.ref.id),
        headers=in_utc(*((("If-Match", series.etag),) if series.etag else ())),
        json={"recurrence": {"pattern": get_object(recurrence, "pattern", "$.recurrence"), "range": ended}},
    )
    return await book.object(call)


def due_in(series: Event, occurrence: Event) -> Moment:
    """Give when the rule of a series puts an occurrence, of which Graph tells a whole day as some instant of it."""
    day = day_of(occurrence.original_start or occurrence.start, series)
    if not isinstance(series.start, dt.datetime):
        return day
    zone = zone_of(series.start)
    return on_clock(dt.datetime.combine(day, wall_clock(series.start, zone).time()), zone)


def day_of(moment: Moment, series: Event) -> dt.date:
    """Give the day on which something is by the clocks of a series."""
    if not isinstance(moment, dt.datetime):
        return moment
    zone = series.start.tzinfo if isinstance(series.start, dt.datetime) else None
    return (moment.astimezone(zone) if zone else moment).date()
