"""From Graph's patternedRecurrence to a ``Recurrence``: every valid one has an exact rule.

learn.microsoft.com/graph/api/resources/patternedrecurrence and recurrencerange.
"""

from __future__ import annotations

import datetime as dt
from calendar import monthrange
from collections.abc import Mapping, Sequence
from typing import Any

from mailkit.errors import InvalidRecurrence
from mailkit.recurrence.graph_pattern import GraphPattern, member
from mailkit.recurrence.moments import Moment, fitted, wall_clock, zone_of
from mailkit.recurrence.rule import NthDay, Rule, invalid
from mailkit.recurrence.series import Recurrence

__all__ = ["from_graph"]

_SHORTEST, _LONGEST = ([monthrange(year, month)[1] for month in range(1, 13)] for year in (2023, 2024))


def from_graph(data: Mapping[str, object], start: Moment, *, cancelled: Sequence[str] = ()) -> Recurrence:
    """Read a patternedRecurrence (``pattern`` and ``range``) of an event that starts at ``start``.

    ``start`` is a date for an all-day series, else an aware datetime in the event's zone. ``cancelled`` are the series
    master's ``cancelledOccurrences``, whose dates become ``exdates``. Where the pattern's first date is later than the
    start, ``recurrence.first(start)`` gives the start that iCalendar and Google want.

    Raises:
        InvalidRecurrence: the recurrence means nothing (``invalid``, ``no_occurrence``), or ``start`` is neither the
            range's first day nor the pattern's first date (``start_mismatch``).
        UsageError: the start is naive.
    """
    zone = zone_of(start)
    parts = [member(data, name, Mapping) for name in ("pattern", "range")]
    pattern_data, span = (part if isinstance(part, Mapping) else {} for part in parts)
    pattern = GraphPattern.read(pattern_data)
    day = _date(span, "startDate")
    first = next(pattern.dates(day), None)
    last = _last_day(span)
    if first is None or (last is not None and last < first):
        raise InvalidRecurrence("this recurrence ends before its first date", code="no_occurrence")
    if wall_clock(start, zone).date() not in {day, first}:
        raise InvalidRecurrence(
            "the event does not start on the first day of its recurrence; read its instances instead",
            code="start_mismatch",
            suggestion=first.isoformat(),
        )
    return Recurrence(
        rule=_rule(pattern, day, count=_count(span), until=None if last is None else fitted(last, start, zone)),
        exdates=tuple(fitted(_cancelled_day(occurrence), start, zone) for occurrence in cancelled),
    )


def _rule(pattern: GraphPattern, day: dt.date, **end: Any) -> Rule:
    interval = pattern.interval
    match pattern.type:
        case "daily":
            return Rule(freq="DAILY", interval=interval, **end)
        case "weekly":
            # Graph's weeks begin on Sunday by default, iCalendar's on Monday: it matters when weeks are skipped.
            begin = pattern.first_day if interval > 1 else None
            return Rule(freq="WEEKLY", interval=interval, by_day=_plain(pattern.days), week_start=begin, **end)
        case "absoluteMonthly":
            months = {(day.month - 1 + step * interval) % 12 for step in range(12)}
            return Rule(freq="MONTHLY", interval=interval, **_month_day(pattern.day_of_month, months), **end)
        case "absoluteYearly":
            chosen = _month_day(pattern.day_of_month, {pattern.month - 1})
            return Rule(freq="YEARLY", interval=interval, by_month=(pattern.month,), **chosen, **end)
        case "relativeMonthly":
            return Rule(freq="MONTHLY", interval=interval, **_nth(pattern), **end)
        case "relativeYearly":
            return Rule(freq="YEARLY", interval=interval, by_month=(pattern.month,), **_nth(pattern), **end)


def _plain(days: tuple[int, ...]) -> tuple[NthDay, ...]:
    return tuple(map(NthDay, days))


def _month_day(day: int, months: set[int]) -> dict[str, Any]:
    """Say a day that falls on the last of shorter months, where a plain BYMONTHDAY would skip them."""
    shortest, longest = (min(_SHORTEST[month] for month in months), max(_LONGEST[month] for month in months))
    if day <= shortest:
        return {"by_month_day": (day,)}
    if day >= longest:
        return {"by_month_day": (-1,)}
    return {"by_month_day": tuple(range(shortest, day + 1)), "by_position": (-1,)}


def _nth(pattern: GraphPattern) -> dict[str, Any]:
    match pattern.days:
        case (day,):
            return {"by_day": (NthDay(day, pattern.index),)}
        case days if len(days) == 7:
            return {"by_month_day": (pattern.index,)}
        case days:
            return {"by_day": _plain(days), "by_position": (pattern.index,)}


def _last_day(span: Mapping[str, object]) -> dt.date | None:
    return _date(span, "endDate") if _range_type(span) == "enddate" else None


def _count(span: Mapping[str, object]) -> int | None:
    if _range_type(span) != "numbered":
        return None
    count = member(span, "numberOfOccurrences", int)
    if not isinstance(count, int) or count < 1:
        raise invalid("numberOfOccurrences of this range counts from 1")
    return count


def _range_type(span: Mapping[str, object]) -> str:
    kind = str(span.get("type")).casefold()
    if kind not in {"enddate", "noend", "numbered"}:
        raise invalid("the type of this range is endDate, noEnd or numbered")
    return kind


def _date(span: Mapping[str, object], name: str) -> dt.date:
    try:
        return dt.date.fromisoformat(str(span.get(name)))
    except ValueError:
        raise invalid(f"{name} of this range must be a date like 2026-03-01") from None


def _cancelled_day(occurrence: str) -> dt.date:
    """Take the date that ends an occurrence's id: ``OID.{series}.{date in the recurrence's zone}``."""
    try:
        return dt.date.fromisoformat(occurrence.rpartition(".")[2])
    except ValueError:
        raise invalid("the id of a cancelled occurrence does not end in a date") from None
