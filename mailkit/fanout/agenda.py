"""Events of every calendar of every account in a window, merged by their starts.

All calendars are read at once, each until it has given as many as are wanted, and all within their account's
deadline; what failed or hung stands beside what came.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping
from functools import partial
from zoneinfo import ZoneInfo

import anyio
import attrs

from mailkit.errors import BadPayload, MailkitError, UsageError
from mailkit.fanout.calendars import Calendars, calendars_of
from mailkit.fanout.flow import fan_out, in_account, in_time, raise_if_all_failed
from mailkit.fanout.updates import UpdatesOfAccounts
from mailkit.models.calendar import Event
from mailkit.models.notes import Failure, Note
from mailkit.models.results import Results
from mailkit.providers.calendar import CalendarDriver, EventQuery
from mailkit.scheduling import deduplicated, event_key
from mailkit.values import Ref

__all__ = ["Agenda", "AsyncEventUpdates", "calendar_ids", "events", "instances"]

_PAGE = 500
_MORE = "there are more events than limit=; raise it, or choose a shorter window"


@attrs.frozen(kw_only=True)
class Agenda:
    """A question for events, checked: ``calendars`` are ids by account, None for all of an account's.

    ``limit`` and ``dedupe`` are for those who want them all at once.
    """

    operation: str
    calendars: Mapping[str, tuple[str, ...] | None]
    start: dt.datetime
    end: dt.datetime | None
    tz: ZoneInfo
    text: str = ""
    limit: int
    expand: bool = True
    cancelled: bool = False
    dedupe: bool = False
    deadline: float

    def query(self, calendar_id: str, size: int) -> EventQuery:
        """Give the question for one calendar."""
        return EventQuery(
            calendar_id=calendar_id,
            start=self.start,
            end=self.end,
            tz=self.tz,
            expand=self.expand,
            cancelled=self.cancelled,
            text=self.text,
            size=size,
        )


@attrs.define
class _Read:
    """What one calendar gave, or all of an account."""

    error: MailkitError | None = None
    events: list[Event] = attrs.field(factory=list)
    problems: list[BadPayload] = attrs.field(factory=list)
    notes: list[Note] = attrs.field(factory=list)
    failures: list[Failure] = attrs.field(factory=list)
    has_more: bool = False

    def add(self, other: _Read) -> None:
        self.events += other.events
        self.problems += other.problems
        self.notes += other.notes
        self.failures += other.failures
        self.has_more = self.has_more or other.has_more


async def events(book: Calendars, agenda: Agenda) -> Results[Event]:
    """Give the first ``limit`` events of the window, merged.

    Raises:
        AllAccountsFailed: every account failed; the only account concerned raises its own error.
    """
    outcomes = await fan_out(
        {name: partial(_account, book, name, agenda) for name in agenda.calendars},
        operation=agenda.operation,
        clock=book.clock,
        deadline=math.inf,  # each account sees to it itself, so that one calendar that hangs takes no other with it
    )
    raise_if_all_failed(outcomes, operation=agenda.operation)
    return _merged(agenda, {name: _read(outcome) for name, outcome in outcomes.items()})


class AsyncEventUpdates(UpdatesOfAccounts[_Read, Event]):
    """One update per account as it answers: to be opened once, with ``async with``, and gone through in the block.

    Leaving the block cancels what is still under way.
    """

    def __init__(self, book: Calendars, agenda: Agenda) -> None:
        super().__init__(tuple(agenda.calendars), "calendar.events_as_completed")
        self._book = book
        self._agenda = agenda

    async def _ask(self, account: str) -> _Read:
        work = partial(_account, self._book, account, self._agenda)
        operation, clock = self._agenda.operation, self._book.clock
        return _read(await in_time(work, account=account, operation=operation, clock=clock, deadline=math.inf))

    def _rows(self, share: _Read) -> tuple[Event, ...]:
        return _merged(self._agenda, {"": share}).rows

    def _merged(self, shares: Mapping[str, _Read]) -> Results[Event]:
        return _merged(self._agenda, shares)


def _read(outcome: _Read | MailkitError) -> _Read:
    return _Read(error=outcome) if isinstance(outcome, MailkitError) else outcome


def _merged(agenda: Agenda, reads: Mapping[str, _Read]) -> Results[Event]:
    answers = reads.values()
    rows = sorted((event for read in answers for event in read.events), key=lambda event: event_key(event, agenda.tz))
    if agenda.dedupe:
        rows = deduplicated(rows)
    notes = [note for read in answers for note in read.notes]
    if len(rows) > agenda.limit or any(read.has_more for read in answers):
        notes.append(Note(code="truncated", effect=_MORE))
    failed = [Failure(account=name, error=read.error) for name, read in reads.items() if read.error]
    return Results(
        rows=tuple(rows[: agenda.limit]),
        failures=(*failed, *(failure for read in answers for failure in read.failures)),
        notes=tuple(dict.fromkeys(notes)),
        problems=tuple(problem for read in answers for problem in read.problems),
    )


async def instances(
    book: Calendars,
    ref: Ref,
    window: tuple[dt.datetime, dt.datetime],
    *,
    known: Event | None,
    operation: str,
    deadline: float,
) -> list[Event]:
    """Give the occurrences of a series in a window; any of them stands for it.

    Raises:
        UsageError: the event is by itself.
    """
    driver = book.calendar(ref.account)

    async def work() -> list[Event]:
        event = known or await driver.event(ref.part or "", ref.id)
        series = event.ref if event.kind == "series" else event.series
        if series is None:
            raise UsageError("this event is by itself, and no series", code="no_series")
        return await driver.instances(series.part or "", series.id, *window)

    return await in_account(book, ref.account, work, operation=operation, deadline=deadline)


async def calendar_ids(driver: CalendarDriver, ids: tuple[str, ...] | None) -> tuple[tuple[str, ...], list[BadPayload]]:
    """Give the ids of the calendars asked for, None: of all there are, and which of those could not be read."""
    if ids is not None:
        return ids, []
    calendars, problems = await calendars_of(driver)
    return tuple(calendar.ref.id for calendar in calendars), problems


async def _account(book: Calendars, name: str, agenda: Agenda) -> _Read:
    until = book.clock.monotonic() + agenda.deadline
    driver = book.calendar(name)
    ids, problems = await in_account(
        book,
        name,
        lambda: calendar_ids(driver, agenda.calendars[name]),
        operation=agenda.operation,
        deadline=agenda.deadline,
    )
    reads = {calendar_id: _Read() for calendar_id in ids}

    async def one(calendar_id: str, read: _Read) -> None:
        outcome = await in_time(
            lambda: _calendar(driver, agenda.query(calendar_id, min(agenda.limit, _PAGE)), agenda.limit, read),
            account=name,
            operation=agenda.operation,
            clock=book.clock,
            deadline=until - book.clock.monotonic(),
        )
        if isinstance(outcome, MailkitError):
            at = Ref(account=name, kind="calendar", id=calendar_id)
            read.failures.append(Failure(account=name, error=outcome, calendar=at))

    async with anyio.create_task_group() as group:
        for calendar_id, read in reads.items():
            group.start_soon(one, calendar_id, read)
    whole = _Read(problems=problems)
    for read in reads.values():  # in their order, whichever answered first
        whole.add(read)
    if ids and len(whole.failures) == len(ids) and not whole.events:
        raise whole.failures[0].error
    return whole


async def _calendar(driver: CalendarDriver, query: EventQuery, limit: int, read: _Read) -> None:
    """Read one calendar until it has given ``limit`` events; more would never be shown."""
    given = 0
    pages = driver.events(query)
    async for page in pages:
        read.problems += page.problems
        read.notes += page.notes
        read.events += page.events
        given += len(page.events)
        if given > limit:
            read.has_more = True
            break
