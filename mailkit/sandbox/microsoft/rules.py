"""From iCalendar rules to Outlook's patterns and back, for seeds and for invitations between providers.

Only what is trivially the same becomes a pattern; every pattern has a rule. Pure.
"""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo

from mailkit.sandbox.event import When
from mailkit.sandbox.microsoft.patterns import INDEXES, Pattern
from mailkit.sandbox.rule_days import Rule

__all__ = ["lines_of", "pattern_of"]

_CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WEEK = frozenset(range(7))
# The fewest days of each month; place 0 stands for any month.
_SHORTEST = (28, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def pattern_of(lines: tuple[str, ...], start: When) -> Pattern:
    """Give the pattern of recurrence lines; raises ValueError where Outlook has none, or none with the same dates."""
    rules = [line.strip()[6:] for line in lines if line.strip().upper().startswith("RRULE:")]
    others = [line for line in lines if not re.match(r"\s*(?:RRULE:|EXDATE[:;])", line, re.IGNORECASE)]
    if len(rules) != 1 or others:
        raise ValueError("Outlook keeps one RRULE, and EXDATE lines beside it")
    rule = Rule.read(rules[0])
    day = start.date() if isinstance(start, dt.datetime) else start
    fields = _weekly(rule, day) or _monthly(rule, day)
    if fields is None:
        raise ValueError("Outlook has no pattern with these dates: seed the series with its own recurrence instead")
    return Pattern(interval=rule.interval, start=day, end=_end(rule, start), count=rule.count, **fields)  # type: ignore[arg-type]  # Pattern's own names


def lines_of(pattern: Pattern, start: When) -> tuple[str, ...]:
    """Give the recurrence line with the same dates, for an event at the time of ``start``."""
    parts = [f"FREQ={_frequency(pattern)}", f"INTERVAL={pattern.interval}"]
    days = ",".join(_CODES[day] for day in sorted(pattern.days))
    if pattern.kind == "weekly":
        parts += [f"BYDAY={days}", f"WKST={_CODES[pattern.week_start]}"]
    if pattern.month:
        parts.append(f"BYMONTH={pattern.month}")
    if pattern.kind.startswith("relative"):
        place = -1 if pattern.index == "last" else INDEXES.index(pattern.index) + 1
        parts += [f"BYDAY={days}", f"BYSETPOS={place}"]
    if pattern.kind.startswith("absolute"):
        parts += _absolute(pattern)
    if pattern.count:
        parts.append(f"COUNT={pattern.count}")
    if pattern.end:
        parts.append(f"UNTIL={_until(pattern.end, start)}")
    return (f"RRULE:{';'.join(parts)}",)


def _weekly(rule: Rule, day: dt.date) -> dict[str, object] | None:
    """Read rules of days and weeks; None: it is neither."""
    if rule.by_month or rule.by_month_day or rule.by_year_day or rule.by_week or rule.positions:
        return None
    named = frozenset(weekday for _, weekday in rule.by_day)
    if rule.frequency == "DAILY" and not named:
        return {"kind": "daily"}
    if rule.frequency == "WEEKLY" or (rule.frequency == "DAILY" and rule.interval == 1):
        return {"kind": "weekly", "days": named or frozenset((day.weekday(),)), "week_start": rule.week_start}
    return None


def _monthly(rule: Rule, day: dt.date) -> dict[str, object] | None:
    """Read rules of months and years; None: they are not that simple."""
    yearly = rule.frequency == "YEARLY"
    months = rule.by_month or ((day.month,) if yearly and not (rule.by_day or rule.by_month_day) else ())
    if rule.frequency not in ("MONTHLY", "YEARLY") or rule.by_year_day or rule.by_week or len(months) != int(yearly):
        return None
    where = {"month": months[0]} if yearly else {}
    if rule.by_day:
        chosen = None if rule.by_month_day else _chosen(rule)
        return chosen and {"kind": f"relative{'Yearly' if yearly else 'Monthly'}", **where, **chosen}
    days = rule.by_month_day or (day.day,)
    if days == (-1,) and not rule.positions:
        return {"kind": f"relative{'Yearly' if yearly else 'Monthly'}", **where, "days": _WEEK, "index": "last"}
    shortest = _SHORTEST[months[0] if yearly else 0]
    clamped = rule.positions == (-1,) and days == tuple(range(shortest, days[-1] + 1))
    if not clamped and (rule.positions or len(days) != 1 or not 1 <= days[0] <= shortest):
        return None
    return {"kind": f"absolute{'Yearly' if yearly else 'Monthly'}", **where, "day": days[-1]}


def _chosen(rule: Rule) -> dict[str, object] | None:
    """Read one weekday by its number, or a set of weekdays by one position."""
    (number, _), *others = rule.by_day
    places = rule.positions if number is None else () if others or rule.positions else (number,)
    mixed = any(each is not None for each, _ in others)
    if mixed or len(places) != 1 or places[0] not in (1, 2, 3, 4, -1):
        return None
    index = INDEXES[places[0] if places[0] < 0 else places[0] - 1]
    return {"days": frozenset(weekday for _, weekday in rule.by_day), "index": index}


def _end(rule: Rule, start: When) -> dt.date | None:
    until = rule.until
    if not isinstance(until, dt.datetime):
        return until
    if not isinstance(start, dt.datetime):
        return until.date()
    moment = until.astimezone(start.tzinfo) if until.tzinfo else until.replace(tzinfo=start.tzinfo)
    # An occurrence of that day is too late when its time is.
    return moment.date() - dt.timedelta(days=moment.time() < start.time().replace(microsecond=0))


def _frequency(pattern: Pattern) -> str:
    return {"daily": "DAILY", "weekly": "WEEKLY"}.get(pattern.kind) or pattern.kind[8:].upper()


def _absolute(pattern: Pattern) -> list[str]:
    """Say "the day, or the last one of a shorter month" in a rule."""
    shortest = _SHORTEST[pattern.month]
    if pattern.day <= shortest:
        return [f"BYMONTHDAY={pattern.day}"]
    return [f"BYMONTHDAY={','.join(map(str, range(shortest, pattern.day + 1)))}", "BYSETPOS=-1"]


def _until(end: dt.date, start: When) -> str:
    if not isinstance(start, dt.datetime):
        return f"{end:%Y%m%d}"
    zone = start.tzinfo if isinstance(start.tzinfo, ZoneInfo) else dt.UTC
    return f"{dt.datetime.combine(end, start.time().replace(fold=0), zone).astimezone(dt.UTC):%Y%m%dT%H%M%SZ}"
