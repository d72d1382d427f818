"""What every part of the Google calendar driver works with: the session, the calendars' zones, and reading an event.

The parts (reading, writing, answering, free time) stand in files of their own and are put together in ``calendar``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from mailkit.models.calendar import Event
from mailkit.providers.google.calendar_calls import calendar_head, event_get
from mailkit.providers.google.calendar_pages import CalendarPages
from mailkit.providers.google.calendar_wire import Place, event_from_wire
from mailkit.providers.wire import Wire, as_object, get_object, get_text
from mailkit.transport.call import Call
from mailkit.transport.session import Session
from mailkit.values import Account

PRIMARY = "primary"
"""Google's own word for the account's main calendar: calendars/get, calendarId."""


class GoogleCalendarBase:
    """One Google account's session, and the zones of its calendars as far as they are known."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._zones: dict[str, str] = {}

    @property
    def account(self) -> Account:
        """Whose calendars these are."""
        return self._session.account

    async def _object(self, call: Call) -> Wire:
        return as_object((await self._session.request(call)).json(), "$")

    def _pages(self, call: Call) -> AsyncIterator[Wire]:
        """Give the pages of a list."""
        return CalendarPages(self._object, call)

    async def _item(self, operation: str, calendar_id: str, event_id: str) -> Wire:
        """Give an event as it stands there, whole."""
        return await self._object(event_get(operation, calendar_id, event_id))

    async def _event(self, operation: str, calendar_id: str, item: Wire) -> Event:
        """Read one event; the calendar is asked for its zone where a time does not say its own."""
        zone = await self._zone(operation, calendar_id) if _needs_zone(item) else self._zones.get(calendar_id)
        return event_from_wire(item, "$", self._place(calendar_id, zone))

    def _place(self, calendar_id: str, zone: str | None) -> Place:
        return Place(account=self.account.name, calendar_id=calendar_id, zone=zone)

    async def _zone(self, operation: str, calendar_id: str) -> str:
        """Give the name of a calendar's zone, asked for once."""
        if calendar_id not in self._zones:
            self._learn(calendar_id, await self._object(calendar_head(operation, calendar_id)))
        return self._zones[calendar_id]

    def _learn(self, calendar_id: str, page: Wire) -> None:
        """Keep the zone of a calendar: every list of its events says it."""
        self._zones[calendar_id] = get_text(page, "timeZone", "$")


def _needs_zone(item: Wire) -> bool:
    times = (get_object(item, name, "$") for name in ("start", "end", "originalStartTime"))
    return any("dateTime" in time and not time.get("timeZone") for time in times)
