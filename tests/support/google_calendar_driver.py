"""The Google calendar driver, on a script of answers or on a sandbox account."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any
from zoneinfo import ZoneInfo

from mailkit.models.calendar import Event
from mailkit.providers.calendar import EventPage, EventQuery
from mailkit.providers.google.calendar import GoogleCalendarDriver
from mailkit.providers.google.calendar_dialect import CalendarDialect
from mailkit.sandbox import GoogleMailbox, Sandbox, VirtualClock
from mailkit.transport import HttpxTransport, Session
from mailkit.values import Account, HttpRequest
from tests.support.drivers import FixedToken
from tests.support.wire import Script, ScriptedTransport, Tokens

NOW = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)
ROOT = "https://www.googleapis.com/calendar/v3"
BERLIN, NEW_YORK, TOKYO = (ZoneInfo(name) for name in ("Europe/Berlin", "America/New_York", "Asia/Tokyo"))


def scripted(
    *script: Script, scopes: Iterable[str] | None = None, address: str | None = None
) -> tuple[GoogleCalendarDriver, list[HttpRequest]]:
    """Give a driver that gets these answers, and the requests it makes."""
    transport = ScriptedTransport(script)
    account = Account(name="home", provider="google", token="t", scopes=scopes, transport=transport, address=address)
    session = Session(account, dialect=CalendarDialect(), tokens=Tokens(), clock=VirtualClock(start=NOW))
    return GoogleCalendarDriver(session), transport.requests


def google_calendar(
    sandbox: Sandbox, box: GoogleMailbox, *, scopes: frozenset[str] | None = None
) -> GoogleCalendarDriver:
    """Give a driver of a sandbox account."""
    account = Account(
        name="work",
        provider="google",
        token=box.token,
        address=box.address,
        scopes=scopes,
        transport=HttpxTransport(httpx_transport=sandbox.transport()),
    )
    session = Session(account, dialect=CalendarDialect(), tokens=FixedToken(box.token), clock=sandbox.clock)
    return GoogleCalendarDriver(session)


def query(start: dt.datetime = NOW, days: float | None = 30, **more: Any) -> EventQuery:
    """Ask for the events of the next days, as seen in UTC."""
    end = None if days is None else start + dt.timedelta(days=days)
    return EventQuery(**{"calendar_id": "primary", "start": start, "end": end, "tz": ZoneInfo("UTC"), **more})


async def pages_of(driver: GoogleCalendarDriver, asked: EventQuery) -> list[EventPage]:
    """Read a list to its end."""
    return [page async for page in driver.events(asked)]


async def events_of(driver: GoogleCalendarDriver, asked: EventQuery) -> list[Event]:
    """Read a list to its end, all of which can be read."""
    pages = await pages_of(driver, asked)
    assert not [problem for page in pages for problem in page.problems]
    return [event for page in pages for event in page.events]
