"""From a ``Recurrence`` to Graph's pattern and range: structure proposes, comparing the dates decides.

What Graph cannot hold for ever with exactly these dates is refused with a code that says why; nothing is sent then.
"""

from __future__ import annotations

import datetime as dt
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile, zip_longest
from zoneinfo import ZoneInfo

import attrs

from mailkit.recurrence.expansion import completed, expand
from mailkit.recurrence.moments import Moment, fitted, in_zone, on_clock, wall_clock, zone_of
from mailkit.recurrence.proposals import proposals
from mailkit.recurrence.refusals import refusal, refused
from mailkit.recurrence.rule import Rule
from mailkit.recurrence.series import Recurrence
from mailkit.recurrence.zones import windows_name

__all__ = ["GraphRecurrence", "to_graph"]

_COMPARED = 1_500
_HORIZON = 2110  # far enough for 2100, which is no leap year
_MOST = 99  # learn.microsoft.com/exchange/client-developer/web-service-reference/interval: the most months or weeks
_MOST_DAYS = 999
_MOST_COUNTED = 999  # learn.microsoft.com/exchange/client-developer/web-service-reference/numberofoccurrences


@attrs.frozen(kw_only=True)
class GraphRecurrence:
    """What Graph takes for a series: ``pattern`` and ``range``, JSON as an event's ``recurrence`` holds them.

    ``deletions`` are the occurrences to delete once the series is made: dates, or datetimes in the start's zone.
    """

    pattern: dict[str, object]
    range: dict[str, object]
    deletions: tuple[Moment, ...] = ()


def to_graph(recurrence: Recurrence, start: Moment, *, day_zone: ZoneInfo | None = None) -> GraphRecurrence:
    """Write a recurrence as Graph's pattern and range, with exactly the same dates.

    ``start`` is the event's: a date for an all-day series (whose zone at Graph is ``day_zone``, default UTC), else an
    aware datetime with a ``ZoneInfo``.

    Raises:
        InvalidRecurrence: Graph cannot hold it; ``code`` says why, and ``suggestion`` holds a start or a rule that it
            could hold, where there is one near.
        UsageError: the start is naive, or Outlook has no such zone (``no_windows_zone``).
    """
    zone = zone_of(start, day_zone)
    first = wall_clock(start, zone)
    rule = recurrence.rule
    if recurrence.rdates:
        raise refused("rdate")
    if rule.freq in {"SECONDLY", "MINUTELY", "HOURLY"}:
        raise refused("sub_daily")
    _check_times(rule, first)
    last = None if rule.until is None else _last_day(rule.until, start, zone)
    wanted = list(_compared((wall.date() for wall in expand(rule, first)), last=last))
    if not wanted:
        raise refused("no_occurrence")
    if wanted[0] != first.date():
        raise refused("dtstart_mismatch", suggestion=wanted[0].isoformat())
    for pattern in proposals(completed(rule, first), wanted):
        if _same(wanted, _compared(pattern.dates(first.date()), last=last, most=rule.count)):
            break
    else:
        raise refusal(rule, first)
    if pattern.interval > (_MOST_DAYS if pattern.type == "daily" else _MOST):
        raise refused("interval_too_large")
    return GraphRecurrence(
        pattern=pattern.to_dict(),
        range=_range(rule, first, last) | {"recurrenceTimeZone": windows_name(zone)},
        deletions=tuple(fitted(moment, start, zone) for moment in recurrence.exdates),
    )


def _check_times(rule: Rule, first: dt.datetime) -> None:
    for listed, own in ((rule.by_hour, first.hour), (rule.by_minute, first.minute), (rule.by_second, first.second)):
        if listed not in {(), (own,)}:
            raise refused("by_time")


def _last_day(until: Moment, start: Moment, zone: ZoneInfo) -> dt.date:
    """Give the last day on which the event's time of day is not past UNTIL."""
    local = wall_clock(until, zone)
    if not isinstance(until, dt.datetime) or not isinstance(start, dt.datetime):
        return local.date()
    at_time = dt.datetime.combine(local.date(), wall_clock(start, zone).time())
    limit = until if until.tzinfo is not None else on_clock(until, zone)
    past = in_zone(on_clock(at_time, zone), dt.UTC) > in_zone(limit, dt.UTC)
    return local.date() - dt.timedelta(days=past)


def _compared(dates: Iterable[dt.date], *, last: dt.date | None, most: int | None = None) -> Iterator[dt.date]:
    """Cut a series to the part that decides: at least 1,500 dates and up to 2110, and eight years in any case."""
    horizon = None
    for index, date in enumerate(takewhile(lambda date: last is None or date <= last, islice(dates, most))):
        horizon = horizon or max(_HORIZON, date.year + 8)
        if index >= _COMPARED and date.year > horizon:
            return
        yield date


def _same(wanted: Iterable[dt.date], offered: Iterable[dt.date]) -> bool:
    return all(one == other for one, other in zip_longest(wanted, offered))


def _range(rule: Rule, first: dt.datetime, last: dt.date | None) -> dict[str, object]:
    begin = {"startDate": first.date().isoformat()}
    if rule.count is not None and rule.count <= _MOST_COUNTED:
        return {"type": "numbered", **begin, "numberOfOccurrences": rule.count}
    if rule.count is not None:
        (last,) = (wall.date() for wall in deque(expand(rule, first), maxlen=1))
    if last is not None:
        return {"type": "endDate", **begin, "endDate": last.isoformat()}
    return {"type": "noEnd", **begin}
