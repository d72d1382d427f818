"""What every part of the Outlook calendar driver works with: paths, reading events, and what is remembered.

``primary`` is no id that Graph knows: it stands for ``/me/calendar``.
"""

from __future__ import annotations

from typing import Final
from zoneinfo import ZoneInfo

import attrs

from mailkit.errors import AccessError, BadPayload, MailkitError, NotFound
from mailkit.mime.address_key import address_key
from mailkit.models.calendar import Event
from mailkit.models.notes import Note
from mailkit.providers.calendar import Notify
from mailkit.providers.microsoft.access import ZONE, is_granted
from mailkit.providers.microsoft.calendar_wire import (
    EVENT_MEMBERS,
    address_of,
    event_from_wire,
    needs_mailbox_zone,
)
from mailkit.providers.microsoft.requests import Rows, mailbox_path, prefer
from mailkit.providers.wire import Wire, as_object, get_object, get_text, read_each
from mailkit.recurrence import zone_named
from mailkit.transport.call import Call
from mailkit.transport.session import Session
from mailkit.transport.url import segment
from mailkit.values import Account

PRIMARY: Final = "primary"
UTC: Final = ZoneInfo("Etc/UTC")

# Of a series, which occurrences were taken out comes only where it is selected:
# https://learn.microsoft.com/graph/api/resources/event
WHOLE_EVENT = (("$select", ",".join((*EVENT_MEMBERS, "cancelledOccurrences"))),)


class CalendarBook:
    """One Microsoft account's session, and what its calendars told about their owner."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.path: str = mailbox_path(session.account)
        account = session.account
        # In a mailbox named by its address that is whose calendar it is, whoever signed in.
        named = account.mailbox if account.mailbox and "@" in account.mailbox else account.address
        self._known_addresses: tuple[str, ...] = tuple(filter(None, (named, *account.aliases)))
        self._owner: str | None = None
        self._mailbox_zone: ZoneInfo | None = None
        self._asked_zone = False

    @property
    def account(self) -> Account:
        """Whose calendars these are."""
        return self.session.account

    def calendar_url(self, calendar_id: str) -> str:
        """Give the path of a calendar: https://learn.microsoft.com/graph/api/calendar-get."""
        if calendar_id == PRIMARY:
            return f"{self.path}/calendar"
        return f"{self.path}/calendars/{segment(calendar_id)}"

    def event_url(self, calendar_id: str, event_id: str) -> str:
        """Give the path of an event."""
        return f"{self.calendar_url(calendar_id)}/events/{segment(event_id)}"

    def notes(self, *notes: Note) -> tuple[Note, ...]:
        """Name the account in notes."""
        return tuple(attrs.evolve(note, account=self.account.name) for note in notes)

    async def object(self, call: Call) -> Wire:
        """Send a call that is answered with one object."""
        return as_object((await self.session.request(call)).json(), "$")

    async def item(self, operation: str, calendar_id: str, event_id: str) -> Wire:
        """Give one event as it stands there."""
        url = self.event_url(calendar_id, event_id)
        return await self.object(Call(operation=operation, url=url, query=WHOLE_EVENT, headers=in_utc()))

    async def event(self, item: Wire, calendar_id: str) -> Event:
        """Read one event."""
        zone = await self._zone_for([item])
        return event_from_wire(
            item, "$", account=self.account.name, calendar_id=calendar_id, me=self._me, mailbox_zone=zone
        )

    async def events(self, items: Rows, calendar_id: str) -> tuple[list[Event], list[BadPayload]]:
        """Read the events of a page; those that cannot be read are kept apart."""
        zone = await self._zone_for(items)
        name, me = self.account.name, self._me

        def read(item: Wire, path: str) -> Event:
            return event_from_wire(item, path, account=name, calendar_id=calendar_id, me=me, mailbox_zone=zone)

        events, problems = read_each(items, "value", read)
        for problem in problems:
            problem.account = name
        return events, problems

    @property
    def _me(self) -> frozenset[str]:
        """The owner's addresses as far as they are known, as addresses are compared."""
        return frozenset(address_key(each) for each in (*self._known_addresses, self._owner) if each)

    async def own_addresses(self, operation: str) -> frozenset[str]:
        """Give the owner's addresses; where the account names none, the calendar tells whose it is."""
        if not self._me:
            call = Call(
                operation=operation, url=f"{self.path}/calendar", query=(("$select", "owner"),), headers=in_utc()
            )
            try:
                owner = address_of(get_object(await self.object(call), "owner", "$"), "$.owner")
            except (AccessError, NotFound):
                owner = None
            self._owner = owner.address if owner else ""
        return self._me

    async def _zone_for(self, items: Rows) -> ZoneInfo | None:
        """Give the mailbox's zone, if an event is there whose own zone means nothing."""
        return await self._zone_of_mailbox("calendar.zone") if any(map(needs_mailbox_zone, items)) else None

    async def day_zone(self, operation: str) -> ZoneInfo:
        """Give the zone in which whole days are written: the mailbox's, so that the free time is the owner's, too."""
        return await self._zone_of_mailbox(operation) or UTC

    async def _zone_of_mailbox(self, operation: str) -> ZoneInfo | None:
        """Give the mailbox's zone where its settings may be read, asked for once.

        https://learn.microsoft.com/graph/api/user-get-mailboxsettings
        """
        if not self._asked_zone and is_granted(self.account, ZONE):
            call = Call(operation=operation, url=f"{self.path}/mailboxSettings/timeZone", headers=in_utc())
            try:
                self._mailbox_zone = zone_named(get_text(await self.object(call), "value", "$"))
            except MailkitError as refusal:
                if refusal.retryable:
                    raise
            self._asked_zone = True
        return self._mailbox_zone


def in_utc(*pairs: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    """Give the headers of a calendar request: ids that last, and times in UTC.

    https://learn.microsoft.com/graph/api/user-list-calendarview, at Prefer. A write answers in the zone it was given.
    """
    return (*prefer('outlook.timezone="UTC"'), *pairs)


def told_notes(notify: Notify, *, people: bool) -> tuple[Note, ...]:
    """Say that Outlook told everybody, where fewer were to be told."""
    if notify == "all" or not people:
        return ()
    return (Note(code="notified_all", effect="Outlook writes to everybody who is invited; it cannot be kept from it"),)
