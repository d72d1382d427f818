"""Answers what is asked about events: lists, views of a time, instances of a series, single ones.

Responsible for learn.microsoft.com/graph/api/user-list-events, user-list-calendarview, event-list-instances and
event-get. Never judges permissions of a method: see ``service``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable

from mailkit.sandbox.kept import Calendar, KeptEvent
from mailkit.sandbox.microsoft import event_rendering, zones
from mailkit.sandbox.microsoft.answers import Asked, collection, entity
from mailkit.sandbox.microsoft.event_schema import CALENDAR, EVENT
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.matching import holds, sort
from mailkit.sandbox.microsoft.odata import parse_filter, parse_orderby
from mailkit.sandbox.microsoft.prefer import Preferences
from mailkit.sandbox.microsoft.refusals import Refusal, bad_parameter, forbidden, not_found
from mailkit.sandbox.microsoft.selection import parse_expand, parse_select
from mailkit.sandbox.wire import SandboxResponse

__all__ = ["find_calendar", "find_event", "get_event", "list_events", "list_instances", "view"]

_PAGE = 10  # user-list-events: the default page size
_LONGEST = dt.timedelta(days=1825)  # microsoft-graph-docs#6284


def find_calendar(box: MicrosoftMailbox, key: str | None) -> Calendar:
    """Give the calendar of that id, None: the default one.

    Raises:
        Refusal: there is none, or it is somebody else's and the token is for one's own.
    """
    found = box.calendars.named("") if key is None else box.calendars.find_calendar(key)
    if found is None:
        raise not_found()
    # outlook-get-shared-events-calendars: Calendars.Read.Shared or Calendars.ReadWrite.Shared
    shared = not box.calendars.owns(found.owner.address)
    if shared and box.scopes is not None and not any(scope.lower().endswith(".shared") for scope in box.scopes):
        raise forbidden()
    return found


def find_event(box: MicrosoftMailbox, key: str) -> KeptEvent:
    """Give the event of that id.

    Raises:
        Refusal: there is none.
    """
    kept = box.calendars.find(key)
    if kept is None:
        raise not_found()
    find_calendar(box, kept.calendar)
    return kept


def list_events(box: MicrosoftMailbox, asked: Asked, calendar: Calendar) -> SandboxResponse:
    """Answer with the single events and series of a calendar; occurrences are not among them."""
    rows = [kept for kept in box.calendars.events(calendar.id) if kept.series is None]
    return _listed(box, asked, rows, f"/calendars('{calendar.id}')/events" if asked.route.keys else "/events")


def view(box: MicrosoftMailbox, asked: Asked, calendar: Calendar) -> SandboxResponse:
    """Answer with what takes place in a calendar between two instants, series as their occurrences.

    They come in no order that means anything, as nothing says one; exceptions before the rest of their series.
    """
    start, end = _window(asked)
    due = box.calendars.expand(calendar.id, start, end)
    rows = sorted(due, key=lambda kept: (kept.series is not None and not box.calendars.is_apart(kept), kept.created))
    return _listed(box, asked, rows, "/calendarView")


def list_instances(box: MicrosoftMailbox, asked: Asked, key: str) -> SandboxResponse:
    """Answer with the occurrences and exceptions of a series between two instants."""
    start, end = _window(asked)
    series = find_event(box, key)
    rows = box.calendars.occurrences(series, start, end) if series.recurs else []
    rows.sort(key=lambda kept: not box.calendars.is_apart(kept))  # event-list-instances shows an exception first
    return _listed(box, asked, rows, f"/events('{key}')/instances")


def get_event(box: MicrosoftMailbox, asked: Asked, key: str) -> SandboxResponse:
    """Answer with one event."""
    return entity(asked, box.address, "/events", _renderer(box, asked)(find_event(box, key)))


def _window(asked: Asked) -> tuple[dt.datetime, dt.datetime]:
    start, end = (_instant(asked, name) for name in ("startDateTime", "endDateTime"))
    if start >= end:
        raise Refusal(400, "ErrorInvalidParameter", "The end of the range is not after its start.")
    if end - start > _LONGEST:
        text = "The range between the start and end dates is greater than the allowed range."
        text = f"Your request can't be completed. {text} Maximum number of days: {_LONGEST.days}"
        raise Refusal(400, "ErrorInvalidRequest", text)
    return start, end


def _instant(asked: Asked, name: str) -> dt.datetime:
    text = asked.options.get(name)
    if text is None:
        # Graph's own sentence goes on to name both parameters.
        raise bad_parameter(f"This request requires a time window specified by the query string parameter {name}.")
    try:
        # event-list-instances shows seven digits, and a range without an offset, which is UTC.
        found = dt.datetime.fromisoformat(text)
    except ValueError:
        raise bad_parameter(f"Invalid value '{text}' for {name} query option found.") from None
    if not zones.FIRST_YEAR <= found.year <= zones.LAST_YEAR:
        raise bad_parameter(f"Invalid value '{text}' for {name} query option found.")
    return found if found.tzinfo else found.replace(tzinfo=dt.UTC)


def _listed(box: MicrosoftMailbox, asked: Asked, rows: Iterable[KeptEvent], place: str) -> SandboxResponse:
    options, plain = asked.options, Preferences()
    render = _renderer(box, asked)
    found = [kept for kept in rows if not box.calendars.is_gone(kept)]

    def item(kept: KeptEvent) -> dict[str, object]:
        return event_rendering.event(box, kept, plain)

    if "$filter" in options:
        tree = parse_filter(options["$filter"], EVENT)
        found = [kept for kept in found if holds(tree, item(kept))]
    if "$orderby" in options:
        found = sort(found, parse_orderby(options["$orderby"], EVENT), EVENT, item)
    short = box.page_rows.popleft() if box.page_rows else None
    return collection(asked, asked.context(box.address, place), found, render, size=_PAGE, short=short)


def _renderer(box: MicrosoftMailbox, asked: Asked) -> Callable[[KeptEvent], dict[str, object]]:
    selection = parse_select(asked.options.get("$select"), EVENT)
    expanded = parse_expand(asked.options.get("$expand"), EVENT, ("$select",))
    changed = parse_select(expanded.get("exceptionOccurrences", {}).get("$select"), EVENT)
    home = parse_select(expanded.get("calendar", {}).get("$select"), CALENDAR)

    def render(kept: KeptEvent) -> dict[str, object]:
        item = selection.cut(event_rendering.event(box, kept, asked.preferences))
        if "exceptionOccurrences" in expanded:
            apart = (one for one in box.calendars.exceptions(kept) if not box.calendars.is_gone(one))
            shown = (event_rendering.event(box, one, asked.preferences) for one in apart)
            item["exceptionOccurrences"] = [changed.cut(one) for one in shown]
        if "calendar" in expanded:
            within = find_calendar(box, kept.calendar)
            item["calendar"] = home.cut(event_rendering.calendar(box, within, immutable=asked.preferences.immutable))
        return item

    return render
