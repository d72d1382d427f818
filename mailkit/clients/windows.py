"""What the verbs that read calendars make of their parameters: checked windows and questions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from mailkit.checks import asked, flag, instance, whole
from mailkit.clients.desk import Desk
from mailkit.errors import UsageError
from mailkit.fanout.agenda import Agenda
from mailkit.fanout.calendars import CalendarLike, calendars_concerned
from mailkit.fanout.moments import window
from mailkit.fanout.request import HIGHEST_LIMIT, local_zone, zone_of

__all__ = ["agenda", "between", "zone"]


def zone(desk: Desk, tz: str | ZoneInfo | dt.timezone | None) -> ZoneInfo | None:
    """Give the zone of the call, else of the client, else None."""
    return desk.tz if tz is None else zone_of(tz)


def between(
    desk: Desk,
    start: dt.datetime | dt.date | None,
    end: dt.datetime | dt.date | None,
    tz: str | ZoneInfo | dt.timezone | None,
) -> tuple[dt.datetime, dt.datetime]:
    """Give a window that has an end; without a start it begins now."""
    named = zone(desk, tz)
    first, last = window(start, end, tz=named, days=named or local_zone(), now=desk.clock.now())
    if last is None:
        raise UsageError("end must be given; without one there is no telling how far to look", code="bad_window")
    return first, last


def agenda(
    desk: Desk,
    operation: str,
    start: dt.datetime | dt.date | None,
    end: dt.datetime | dt.date | None,
    *,
    calendars: CalendarLike | Iterable[CalendarLike] | None,
    accounts: str | Iterable[str] | None,
    text: str,
    limit: int,
    expand: bool,
    cancelled: bool,
    dedupe: bool,
    tz: str | ZoneInfo | dt.timezone | None,
    deadline: float | None,
    reach: dt.timedelta | None = None,
) -> Agenda:
    """Check a question for events; without an end it goes ``reach`` beyond its start, None for ever."""
    with asked(operation):
        named = zone(desk, tz)
        days = named or local_zone()
        first, last = window(start, end, tz=named, days=days, now=desk.clock.now())
        if last is None and reach is not None:
            last = first + reach
        return Agenda(
            operation=operation,
            calendars=calendars_concerned(calendars, accounts, desk.names, operation=operation),
            start=first,
            end=last,
            tz=days,
            text=instance(text, "text", str, "text to look for").strip(),
            limit=whole(limit, "limit", most=HIGHEST_LIMIT, hint="iter_events gives them all"),
            expand=flag(expand, "expand"),
            cancelled=flag(cancelled, "cancelled"),
            dedupe=flag(dedupe, "dedupe"),
            deadline=desk.deadline(deadline),
        )
