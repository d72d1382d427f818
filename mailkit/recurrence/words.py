"""A recurrence in an English sentence. What no sentence fits is shown as it is written."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from mailkit.recurrence.every import DAY_NAMES, MONTH_NAMES
from mailkit.recurrence.expansion import completed
from mailkit.recurrence.moments import Moment, wall_clock, zone_of
from mailkit.recurrence.rule import Rule

__all__ = ["sentence"]

_UNITS = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
_POSITIONS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last", -2: "last but one"}
_WORKDAYS = [0, 1, 2, 3, 4]
_FEW = 3  # dates that a sentence still lists


def sentence(rule: Rule, exdates: Sequence[Moment], rdates: Sequence[Moment], start: Moment | None) -> str:
    """Say when it happens; ``start`` fills in what the rule leaves to it."""
    end = _end(rule, start)
    return f"{_times(rule, start)}{end}{_dates(', except on', exdates, start)}{_dates(', and also on', rdates, start)}"


def _times(rule: Rule, start: Moment | None) -> str:
    if rule.freq not in _UNITS or rule.by_hour or rule.by_minute or rule.by_second or rule.by_week or rule.by_year_day:
        return _raw(rule)
    raw = _raw(rule)
    if start is not None:
        rule = completed(rule, wall_clock(start, zone_of(start)))
    unit = _UNITS[rule.freq]
    every = f"every {unit}" if rule.interval == 1 else f"every {rule.interval} {unit}s"
    match rule.freq:
        case "DAILY" | "WEEKLY" if not (rule.by_month or rule.by_month_day or rule.by_position):
            return _on_weekdays(rule, every)
        case "MONTHLY" if not rule.by_month:
            which = _in_month(rule)
            return f"{every}{which}" if which is not None else raw
        case "YEARLY" if len(rule.by_month) == 1:
            return f"{every}{_in_year(rule)}" if _in_month(rule) is not None else raw
        case "YEARLY" if not (rule.by_month or rule.by_month_day or rule.by_day or rule.by_position):
            return every
    return raw


def _on_weekdays(rule: Rule, every: str) -> str:
    days = sorted({day.day for day in rule.by_day})
    names = [DAY_NAMES[day] for day in days]
    if not days or (rule.freq == "DAILY" and len(days) == 7):
        return every
    if rule.interval == 1:
        return "every weekday" if days == _WORKDAYS else f"every week on {_listed(names)}"
    if rule.freq == "WEEKLY":
        return f"{every} on {_listed(names)}"
    return f"{every} if that is a {_kind(days)}"


def _raw(rule: Rule) -> str:
    parts = str(rule).split(";")
    return f"by the rule {';'.join(part for part in parts if not part.startswith(('COUNT=', 'UNTIL=')))}"


def _in_year(rule: Rule) -> str:
    month = MONTH_NAMES[rule.by_month[0] - 1]
    if not rule.by_day and not rule.by_month_day:
        return f" in {month}"
    if rule.by_month_day and rule.by_month_day[0] > 0:
        return f" on {rule.by_month_day[0]} {month}"
    return f"{_in_month(rule)} of {month}"


def _in_month(rule: Rule) -> str | None:
    """Say which day of the month; None: in no simple words."""
    match rule.by_day, rule.by_month_day, rule.by_position:
        case (), (), ():
            return ""
        case (), (-1,), ():
            return " on the last day"
        case (), (int(day),), () if day > 0:
            return f" on day {day}"
        case (day,), (), () if day.nth in _POSITIONS:
            return f" on the {_POSITIONS[day.nth]} {DAY_NAMES[day.day]}"
        case (_, *_) as days, (), (position,) if position in _POSITIONS and all(day.nth is None for day in days):
            return f" on the {_POSITIONS[position]} {_kind(sorted(day.day for day in days))}"
    return None


def _kind(days: list[int]) -> str:
    if days == _WORKDAYS:
        return "weekday"
    return "day" if len(days) == 7 else _listed([DAY_NAMES[day] for day in days], "or")


def _end(rule: Rule, start: Moment | None) -> str:
    if rule.until is not None:
        return f" until {_day(_last_day(rule.until, start), start)}"
    if rule.count is not None:
        return ", once" if rule.count == 1 else f", {rule.count} times"
    return ""


def _last_day(until: Moment, start: Moment | None) -> Moment:
    """Give the last day the rule reaches: an end before the time of day of the start leaves its own day out."""
    if isinstance(until, dt.datetime) and isinstance(start, dt.datetime):
        until = wall_clock(until, zone_of(start))
        return until.date() - dt.timedelta(days=until.time() < start.time())
    return until


def _dates(lead: str, moments: Sequence[Moment], start: Moment | None) -> str:
    if not moments:
        return ""
    days = list(dict.fromkeys(_day(moment, start) for moment in moments))
    return f"{lead} {_listed(days) if len(days) <= _FEW else f'{len(days)} dates'}"


def _day(moment: Moment, start: Moment | None) -> str:
    if isinstance(moment, dt.datetime) and isinstance(start, dt.datetime):
        moment = wall_clock(moment, zone_of(start))
    return f"{moment.day} {MONTH_NAMES[moment.month - 1]} {moment.year}"


def _listed(words: Sequence[str], joint: str = "and") -> str:
    return f" {joint} ".join(filter(None, (", ".join(words[:-1]), words[-1])))
