"""A Gmail and an Outlook account of one person, each with a second calendar, and something in all of them."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import attrs

from mailkit import Accounts, AsyncCalendarClient
from mailkit.sandbox import Event, Mailbox, Sandbox
from mailkit.testing import sandbox_accounts

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY, TUESDAY, NEXT_MONDAY = dt.date(2026, 3, 16), dt.date(2026, 3, 17), dt.date(2026, 3, 23)
HOUR = dt.timedelta(hours=1)
PROVIDERS = ["home", "work"]


def at(day: int, hour: int, minute: int = 0) -> dt.datetime:
    """Give a time of March 2026; its 32nd day is the first of April."""
    return dt.datetime(2026, 3, 1, hour, minute, tzinfo=BERLIN) + dt.timedelta(days=day - 1)


@attrs.frozen
class World:
    """``home`` at Google, ``work`` at Microsoft, and others who can be invited."""

    sandbox: Sandbox
    home: Mailbox
    work: Mailbox

    def accounts(self) -> Accounts:
        """Make an account set of both."""
        return sandbox_accounts(self.sandbox, home=self.home, work=self.work)

    def client(self) -> AsyncCalendarClient:
        """Make a client of both."""
        return AsyncCalendarClient(self.accounts(), tz=BERLIN)

    def box(self, name: str) -> Mailbox:
        """Give the mailbox of an account."""
        return self.home if name == "home" else self.work

    def asked(self, part: str = "calendar", method: str | None = None) -> list[str]:
        """Give the paths of the requests so far."""
        return [
            request.path
            for request in self.sandbox.requests
            if part in request.path and method in (None, request.method)
        ]


def make_world() -> World:
    """Make both, filled."""
    sandbox = Sandbox()
    made = World(sandbox, sandbox.google("ann@example.com"), sandbox.microsoft("ann@contoso.example"))
    for box, hour in ((made.home, 9), (made.work, 10)):
        box.add_calendar("Sport")
        box.add_event(Event(title=f"Plan {hour}", start=at(16, hour), end=at(16, hour + 1)))
        box.add_event(Event(title=f"Day {hour}", start=TUESDAY))
        run = Event(
            title=f"Run {hour}", start=at(2, hour - 2), recurrence="RRULE:FREQ=WEEKLY;BYDAY=MO,TH", calendar="Sport"
        )
        box.add_event(run)
    return made
