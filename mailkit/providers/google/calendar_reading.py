"""Calendars and events at Google, read."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator

import attrs

from mailkit.errors import BadPayload, NotFound
from mailkit.models.calendar import Calendar, Event
from mailkit.providers.calendar import EventPage, EventQuery
from mailkit.providers.google import calendar_calls
from mailkit.providers.google.access import CALENDARS, EVENTS_READ, is_granted, permitted
from mailkit.providers.google.calendar_base import PRIMARY, GoogleCalendarBase
from mailkit.providers.google.calendar_events import EventPages, events_from_wire
from mailkit.providers.google.calendar_wire import calendar_from_wire, is_remnant
from mailkit.providers.wire import Wire, get_list, read_each
from mailkit.scheduling import event_key
from mailkit.transport.call import Call


class GoogleCalendarReading(GoogleCalendarBase):
    """The verbs that read."""

    async def calendars(self) -> tuple[list[Calendar], list[BadPayload]]:
        """Give every calendar, the primary one first, and what could not be read.

        A permission for events alone does not list calendars: then the primary one is all there is.

        Raises:
            PermissionMissing: this account may not look at calendars.
        """
        operation = "calendar.calendars.list"
        if not is_granted(self.account, CALENDARS) and is_granted(self.account, EVENTS_READ):
            return [await self._primary(operation)], []
        found: list[Calendar] = []
        problems: list[BadPayload] = []
        with permitted(self.account, operation, CALENDARS):
            async for page in self._pages(calendar_calls.calendar_list(operation)):
                items, bad = read_each(get_list(page, "items", "$"), "$.items", self._calendar)
                found += items
                problems += bad
        return sorted(found, key=lambda calendar: not calendar.is_primary), problems

    def events(self, query: EventQuery) -> AsyncIterator[EventPage]:
        """Give the events of one calendar page by page, by start; each step raises what a request does."""
        operation = "calendar.events"

        async def ask(call: Call) -> Wire:
            with permitted(self.account, operation, EVENTS_READ):
                return await self._object(call)

        async def zone() -> str:
            with permitted(self.account, operation, EVENTS_READ):
                return await self._zone(operation, query.calendar_id)

        return EventPages(query, account=self.account.name, ask=ask, zone=zone)

    async def event(self, calendar_id: str, event_id: str) -> Event:
        """Give one event, a cancelled one too, as long as there is something of it.

        Raises:
            NotFound: there is no such event, or it was deleted.
        """
        operation = "calendar.get"
        with permitted(self.account, operation, EVENTS_READ):
            item = await self._item(operation, calendar_id, event_id)
            if is_remnant(item):
                raise gone(self.account.name, operation)
            return await self._event(operation, calendar_id, item)

    async def instances(self, calendar_id: str, event_id: str, start: dt.datetime, end: dt.datetime) -> list[Event]:
        """Give the occurrences of a series in a window.

        Raises:
            BadPayload: one of them cannot be read.
        """
        operation = "calendar.instances"
        events: list[Event] = []
        with permitted(self.account, operation, EVENTS_READ):
            async for page in self._pages(calendar_calls.instances(operation, calendar_id, event_id, start, end)):
                self._learn(calendar_id, page)
                found, problems = events_from_wire(page, self._place(calendar_id, self._zones[calendar_id]))
                if problems:
                    raise problems[0]
                events += found
        return sorted(events, key=lambda event: event_key(event, start.tzinfo or dt.UTC))

    def _calendar(self, item: Wire, path: str) -> Calendar:
        calendar = calendar_from_wire(item, path, account=self.account.name)
        for name in (calendar.ref.id, *((PRIMARY,) if calendar.is_primary else ())):
            self._zones[name] = str(item.get("timeZone") or "")
        return calendar

    async def _primary(self, operation: str) -> Calendar:
        with permitted(self.account, operation, EVENTS_READ):
            head = await self._object(calendar_calls.calendar_head(operation, PRIMARY))
        self._learn(PRIMARY, head)
        calendar = calendar_from_wire({**head, "id": PRIMARY}, "$", account=self.account.name)
        return attrs.evolve(calendar, is_primary=True)


def gone(account: str, operation: str) -> NotFound:
    """Say that an event was deleted."""
    return NotFound(
        "this event was deleted; list the calendar again", account=account, operation=operation, code="deleted"
    )
