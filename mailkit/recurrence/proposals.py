"""Patterns that may stand for a rule, the most telling first. Comparing their dates with the rule's decides.

A proposal need not be right, so this may be generous; it says nothing about rules that have no pattern.
"""

from __future__ import annotations

import datetime as dt
from calendar import monthrange
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import gcd
from typing import Any

from mailkit.recurrence.graph_pattern import GraphPattern
from mailkit.recurrence.rule import Rule

__all__ = ["month_step", "proposals"]

_INDEXES = {1, 2, 3, 4, -1}
_ALL_DAYS = tuple(range(7))


def proposals(rule: Rule, dates: Sequence[dt.date]) -> Iterator[GraphPattern]:
    """Propose patterns for a ``completed`` rule with these dates, of which there is one at least.

    First what the rule says, then what the dates look like.
    """
    match rule.freq:
        case "DAILY" if rule.by_day:
            yield from _weekly(rule, rule.interval // gcd(rule.interval, 7), _seen(dates))
            yield GraphPattern(type="daily", interval=rule.interval)
        case "DAILY":
            yield from _months(1, dates[0], rule) if rule.by_month_day else ()
            yield GraphPattern(type="daily", interval=rule.interval)
        case "WEEKLY":
            days = _seen(dates) if rule.by_position else tuple(sorted(day.day for day in rule.by_day))
            yield from _weekly(rule, rule.interval, days)
        case _ if step := month_step(rule, dates[0]):
            yield from _months(step, dates[0], rule)
    yield from _guesses(rule, dates)


def month_step(rule: Rule, start: dt.date) -> int | None:
    """Give the even distance between the months a MONTHLY or YEARLY rule visits; None: it is uneven."""
    first = start.year * 12 + start.month - 1
    if rule.freq == "MONTHLY":
        # The months of the year come round after at most 12 steps; twice that shows every distance.
        visited = (first + rule.interval * step for step in range(25))
        months = [index for index in visited if not rule.by_month or index % 12 + 1 in rule.by_month]
    else:
        years = (start.year + rule.interval * step for step in range(3))
        months = [year * 12 + month - 1 for year in years for month in sorted(rule.by_month or range(1, 13))]
    steps = {later - earlier for earlier, later in pairwise(months)}
    return steps.pop() if len(steps) == 1 else None


def _weekly(rule: Rule, interval: int, days: tuple[int, ...]) -> Iterator[GraphPattern]:
    own = rule.week_start or 0
    # A daily rule has no weeks of its own, so any first day may frame what it hits.
    for first_day in dict.fromkeys((own, *_ALL_DAYS) if rule.freq == "DAILY" else (own,)):
        yield GraphPattern(type="weekly", interval=interval, days=days, first_day=first_day)


def _months(step: int, start: dt.date, rule: Rule) -> Iterator[GraphPattern]:
    days = tuple(sorted({day.day for day in rule.by_day}))
    numbers = {day.nth for day in rule.by_day}
    if not days or days == _ALL_DAYS:
        yield from _absolute(step, start, rule)
    elif rule.by_month_day:
        for index in ((start.day - 1) // 7 + 1, -1):
            yield from _monthly(step, start, "relative", days=days, index=index)
    elif len(numbers) == 1:
        # BYDAY=2TU; BYDAY=TU,WE;BYSETPOS=2; and BYDAY=1MO,1TU;BYSETPOS=1, which is the first of either.
        for index in (*(number for number in numbers if number), *rule.by_position):
            yield from _monthly(step, start, "relative", days=days, index=index)


def _absolute(step: int, start: dt.date, rule: Rule) -> Iterator[GraphPattern]:
    at_end = start.day == monthrange(start.year, start.month)[1]
    if at_end and (rule.by_position or rule.by_month_day == (-1,)):
        # Both this and dayOfMonth 31 are documented; Outlook's own "last day" is this one.
        yield from _monthly(step, start, "relative", days=_ALL_DAYS, index=-1)
    for day in dict.fromkeys((start.day, max(rule.by_month_day, default=0))):
        if day > 0:
            yield from _monthly(step, start, "absolute", day_of_month=day)


def _monthly(step: int, start: dt.date, kind: str, **members: Any) -> Iterator[GraphPattern]:
    """Propose a pattern by the month, or by the year where that is the same; none for an index that Graph lacks."""
    if members.get("index", 1) not in _INDEXES:
        return
    yearly = step % 12 == 0
    data: Any = {"type": f"{kind}{'Yearly' if yearly else 'Monthly'}"}
    if yearly:
        data["month"] = start.month
    yield GraphPattern(**data, interval=step // 12 if yearly else step, **members)


def _seen(dates: Sequence[dt.date]) -> tuple[int, ...]:
    return tuple(sorted({date.weekday() for date in dates[:1500]}))


def _guesses(rule: Rule, dates: Sequence[dt.date]) -> Iterator[GraphPattern]:
    """Read patterns off the dates alone."""
    first = dates[0]
    second = dates[1] if len(dates) > 1 else first + dt.timedelta(days=1)
    days = _seen(dates)
    if days != _ALL_DAYS:
        yield from _weekly(rule, 1, days)
    yield GraphPattern(type="daily", interval=(second - first).days)
    if step := (second.year - first.year) * 12 + second.month - first.month:
        yield from _monthly(step, first, "absolute", day_of_month=first.day)
        yield from _monthly(step, first, "absolute", day_of_month=max(date.day for date in dates))
        for index in ((first.day - 1) // 7 + 1, -1):
            yield from _monthly(step, first, "relative", days=days, index=index)
