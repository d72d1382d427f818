"""An event in an English sentence. Pure."""

from __future__ import annotations

import datetime as dt

from mailkit.models.calendar import Event
from mailkit.recurrence import DAY_NAMES, MONTH_NAMES
from mailkit.tables import clean
from mailkit.views.asked import event_asked, zone_asked

__all__ = ["describe", "marked", "span", "title"]

_DAY = dt.timedelta(days=1)


def describe(event: Event, tz: str | dt.tzinfo) -> str:
    """Say what, when, where and with whom; a whole day keeps its date in every zone.

    Times are on the clock of ``tz``, an IANA name or a zone.

    Raises:
        UsageError: ``event`` is none, or there is no such zone.

    Example:
        ```python
        import datetime as dt
        from zoneinfo import ZoneInfo

        from mailkit import CalendarClient
        from mailkit.testing import demo_accounts
        from mailkit.views import describe

        with CalendarClient(demo_accounts(), tz="Europe/Berlin") as calendar:
            lunch = dt.datetime(2026, 3, 17, 12, 30)
            event = calendar.create("Lunch", lunch, duration=dt.timedelta(hours=1), account="home")
            print(describe(event, "Europe/Berlin"))
        ```
    """
    event_asked(event)
    said = [title(event), span(event, zone_asked(tz))]
    if event.location.strip():
        said.append(f"at {clean(event.location).strip()}")
    people = [clean(each.address.name or each.address.address) for each in event.attendees if each.kind != "room"]
    if people:
        said.append(f"with {_some(people)}")
    text = ", ".join(said)
    if event.recurrence is not None and event.kind == "series":
        text = f"{text}; {event.recurrence.describe(event.start)}"
    return marked(text, event)


def title(event: Event) -> str:
    """Give the title, or say that there is none."""
    return clean(event.title).strip() or "(no title)"


def marked(text: str, event: Event) -> str:
    """Say beside a text about an event whether it is called off, or may not take place."""
    return text if event.status == "confirmed" else f"{text} ({event.status})"


def span(event: Event, tz: dt.tzinfo) -> str:
    """Say when an event is: its day, and from when to when."""
    start, end = event.start, event.end
    if not isinstance(start, dt.datetime) or not isinstance(end, dt.datetime):
        last = _date(end) - _DAY
        return _day(_date(start)) if last <= _date(start) else f"{_day(_date(start))} to {_day(last)}"
    first, last_instant = start.astimezone(tz), end.astimezone(tz)
    if first.date() == last_instant.date():
        return f"{_day(first.date())} {first:%H:%M}–{last_instant:%H:%M}"
    return f"{_day(first.date())} {first:%H:%M} to {_day(last_instant.date())} {last_instant:%H:%M}"


def _date(value: dt.datetime | dt.date) -> dt.date:
    return value.date() if isinstance(value, dt.datetime) else value


def _day(date: dt.date) -> str:
    return f"{DAY_NAMES[date.weekday()]}, {date.day} {MONTH_NAMES[date.month - 1]} {date.year}"


def _some(people: list[str]) -> str:
    """Name three people, and count the others."""
    if len(people) <= 3:
        return ", ".join(people[:-1]) + (" and " if len(people) > 1 else "") + people[-1]
    return f"{', '.join(people[:3])} and {len(people) - 3} more"
