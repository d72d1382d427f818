"""Every event from a moment on, one at a time, merged over calendars and accounts while they are being read.

Lazy: a calendar is asked for its next page when its last one has run out, and never more than that. Each wait has the
deadline of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator

import anyio

from mailkit.errors import BadPayload, MailkitError
from mailkit.fanout.agenda import Agenda, calendar_ids
from mailkit.fanout.calendars import Calendars
from mailkit.fanout.flow import Work, fan_out, in_time, raise_if_all_failed
from mailkit.models.calendar import Event
from mailkit.models.notes import Failure, Note
from mailkit.providers.calendar import EventPage
from mailkit.scheduling import event_key
from mailkit.values import Ref

__all__ = ["AsyncEventIterator"]

_PAGE = 250


class _Lane:
    """One calendar's events that are read and not yet given out."""

    def __init__(self, calendar: Ref, pages: AsyncIterator[EventPage]) -> None:
        self.calendar = calendar
        self.events: deque[Event] = deque()
        self.ended = False
        self.failure: Failure | None = None
        self.notes: dict[Note, None] = {}
        self.problems: list[BadPayload] = []
        self._pages = pages

    @property
    def dry(self) -> bool:
        return not self.events and not self.ended

    async def fill(self) -> None:
        """Read on until there is an event, or no more."""
        while self.dry:
            page = await anext(self._pages, None)
            if page is None:
                self.ended = True
            else:
                self.events.extend(page.events)
                self.notes.update(dict.fromkeys(page.notes))
                self.problems += page.problems


class AsyncEventIterator(AsyncIterator[Event]):
    """Events of every calendar by their starts; what went otherwise gathers in ``failures`` and ``notes``.

    A calendar that fails is left out from there on. When every calendar of every account has failed, the iteration
    raises: the one error itself, or ``AllAccountsFailed``.
    """

    def __init__(self, book: Calendars, agenda: Agenda) -> None:
        self._book = book
        self._agenda = agenda
        self._lanes: list[_Lane] | None = None
        self._failures: list[Failure] = []  # of accounts whose calendars are not known
        self._problems: list[BadPayload] = []  # of calendars

    @property
    def failures(self) -> tuple[Failure, ...]:
        """What has failed so far."""
        return (*self._failures, *(lane.failure for lane in self._lanes or () if lane.failure))

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a provider could not do exactly, so far."""
        return tuple(dict.fromkeys(note for lane in self._lanes or () for note in lane.notes))

    @property
    def problems(self) -> tuple[BadPayload, ...]:
        """The events that could not be understood so far, and were left out."""
        return (*self._problems, *(problem for lane in self._lanes or () for problem in lane.problems))

    def in_hand(self) -> Event | None:
        """Give the next event if nothing has to be asked for it."""
        if self._lanes is None or any(lane.dry for lane in self._lanes):
            return None
        return self._next(self._lanes)

    async def __anext__(self) -> Event:
        if self._lanes is None:
            self._lanes = await self._begun()
        await self._filled([lane for lane in self._lanes if lane.dry])
        event = self._next(self._lanes)
        if event is None:
            if self.failures and all(lane.failure for lane in self._lanes):
                outcomes = {failure.account: failure.error for failure in self.failures}
                raise_if_all_failed(outcomes, operation=self._agenda.operation)
            raise StopAsyncIteration
        return event

    def _next(self, lanes: list[_Lane]) -> Event | None:
        ready = [lane for lane in lanes if lane.events]
        if not ready:
            return None
        return min(ready, key=lambda lane: event_key(lane.events[0], self._agenda.tz)).events.popleft()

    async def _begun(self) -> list[_Lane]:
        """Find out which calendars there are."""

        def ids(name: str) -> Work[tuple[tuple[str, ...], list[BadPayload]]]:
            return lambda: calendar_ids(self._book.calendar(name), self._agenda.calendars[name])

        outcomes = await fan_out(
            {name: ids(name) for name in self._agenda.calendars},
            operation=self._agenda.operation,
            clock=self._book.clock,
            deadline=self._agenda.deadline,
        )
        self._failures += raise_if_all_failed(outcomes, operation=self._agenda.operation)
        lanes = []
        for name, outcome in outcomes.items():
            if not isinstance(outcome, MailkitError):
                calendars, problems = outcome
                self._problems += problems
                pages = self._book.calendar(name).events
                for calendar_id in calendars:
                    at = Ref(account=name, kind="calendar", id=calendar_id)
                    lanes.append(_Lane(at, pages(self._agenda.query(calendar_id, _PAGE))))
        return lanes

    async def _filled(self, lanes: list[_Lane]) -> None:
        async def one(lane: _Lane) -> None:
            outcome = await in_time(
                lane.fill,
                account=lane.calendar.account,
                operation=self._agenda.operation,
                clock=self._book.clock,
                deadline=self._agenda.deadline,
            )
            if isinstance(outcome, MailkitError):
                lane.ended = True
                lane.failure = Failure(account=lane.calendar.account, error=outcome, calendar=lane.calendar)

        async with anyio.create_task_group() as group:
            for lane in lanes:
                group.start_soon(one, lane)
