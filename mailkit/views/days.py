"""A day as a list, a week as seven columns. Pure.

An event stands on every day it touches in the viewer's zone; whole days come first and keep their dates.
"""

from __future__ import annotations

import datetime as dt
import html
from collections.abc import Iterable, Sequence

import attrs

from mailkit.models.calendar import Event
from mailkit.recurrence import DAY_NAMES, MONTH_NAMES
from mailkit.scheduling import event_key, instant_of
from mailkit.tables import Table
from mailkit.views.asked import day_asked, events_asked, weekday_asked, zone_asked
from mailkit.views.sentences import marked, title

__all__ = ["AgendaView", "day_view", "week_view"]

_DAY = dt.timedelta(days=1)


@attrs.frozen(kw_only=True, repr=False)
class AgendaView:
    """Some days and what is on them; ``columns`` says whether the days stand beside one another."""

    days: tuple[tuple[dt.date, tuple[Event, ...]], ...]
    tz: dt.tzinfo
    columns: bool = False

    def to_html(self) -> str:
        """Give one ``<table>``, all text escaped."""
        if not self.columns:
            return self._table().to_html()
        head = "".join(f"<th>{html.escape(_short(day))}</th>" for day, _ in self.days)
        cells = "".join(f"<td>{''.join(self._line(event, day) for event in events)}</td>" for day, events in self.days)
        return f"<table><thead><tr>{head}</tr></thead><tbody><tr>{cells}</tr></tbody></table>"

    def to_text(self, *, width: int = 120) -> str:
        """Give lines for a terminal, day by day."""
        return self._table().to_text(width=width)

    def _table(self) -> Table:
        return Table(
            columns=("day", "time", "event", "place", "account"),
            rows=tuple(
                (_short(day), _times(event, day, self.tz), marked(title(event), event), event.location, event.account)
                for day, events in self.days
                for event in events
            ),
        )

    def _line(self, event: Event, day: dt.date) -> str:
        return f'<p dir="auto">{html.escape(f"{_times(event, day, self.tz)} {marked(title(event), event)}")}</p>'

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<AgendaView {len(self.days)} days, {sum(len(events) for _, events in self.days)} events>"


def day_view(events: Iterable[Event], day: dt.date, tz: str | dt.tzinfo) -> AgendaView:
    """Show one day of ``tz`` (an IANA name or a zone); events that do not touch it are left out.

    Raises:
        UsageError: ``events`` are none, ``day`` is no date, or there is no such zone.

    Example:
        ```python
        import datetime as dt

        from mailkit import CalendarClient
        from mailkit.testing import demo_accounts
        from mailkit.views import day_view

        day, tz = dt.date(2026, 3, 16), "Europe/Berlin"
        with CalendarClient(demo_accounts(), tz=tz) as calendar:
            print(day_view(calendar.events(day, day + dt.timedelta(days=1)), day, tz))
        ```
    """
    zone = zone_asked(tz)
    return AgendaView(days=_days(events_asked(events), [day_asked(day)], zone), tz=zone)


def week_view(events: Iterable[Event], day: dt.date, tz: str | dt.tzinfo, *, first_weekday: int = 0) -> AgendaView:
    """Show the week that ``day`` is in, seven columns; it begins on ``first_weekday``, 0 for Monday to 6 for Sunday.

    Raises:
        UsageError: ``events`` are none, ``day`` is no date, ``first_weekday`` no weekday, or there is no such zone.
    """
    zone = zone_asked(tz)
    start = day - dt.timedelta(days=(day_asked(day).weekday() - weekday_asked(first_weekday)) % 7)
    days = [start + number * _DAY for number in range(7)]
    return AgendaView(days=_days(events_asked(events), days, zone), tz=zone, columns=True)


def _days(
    events: Sequence[Event], days: Sequence[dt.date], tz: dt.tzinfo
) -> tuple[tuple[dt.date, tuple[Event, ...]], ...]:
    ordered = sorted(events, key=lambda event: (not event.is_all_day, event_key(event, tz)))
    return tuple((day, tuple(event for event in ordered if _touches(event, day, tz))) for day in days)


def _touches(event: Event, day: dt.date, tz: dt.tzinfo) -> bool:
    if event.is_all_day:
        return event.start <= day < event.end
    midnight, next_midnight = instant_of(day, tz), instant_of(day + _DAY, tz)
    start, end = instant_of(event.start, tz), instant_of(event.end, tz)
    return start < next_midnight and (end > midnight or start == end >= midnight)


def _times(event: Event, day: dt.date, tz: dt.tzinfo) -> str:
    """Give the part of the event that lies on the day; what goes on before or after it has an arrow."""
    if event.is_all_day:
        return "all day"
    end_instant = instant_of(event.end, tz)
    start, end = instant_of(event.start, tz).astimezone(tz), end_instant.astimezone(tz)
    first = f"{start:%H:%M}" if start.date() == day else "←"
    last = f"{end:%H:%M}" if end.date() == day or end_instant == instant_of(day + _DAY, tz) else "→"
    return f"{first}–{last}"


def _short(day: dt.date) -> str:
    return f"{DAY_NAMES[day.weekday()][:3]} {day.day} {MONTH_NAMES[day.month - 1][:3]}"
