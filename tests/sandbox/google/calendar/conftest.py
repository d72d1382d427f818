"""One sandbox with a Google calendar in Berlin, at noon of a Sunday."""

from __future__ import annotations

import datetime as dt

import pytest

from mailkit.sandbox import Sandbox, VirtualClock
from tests.support.google_calendar import GoogleCalendar


@pytest.fixture
def sandbox() -> Sandbox:
    return Sandbox(VirtualClock(dt.datetime(2026, 3, 15, 12, tzinfo=dt.UTC)))


@pytest.fixture
def ann(sandbox: Sandbox) -> GoogleCalendar:
    return GoogleCalendar(sandbox, sandbox.google("ann@example.com", name="Ann Lee", zone="Europe/Berlin"))
