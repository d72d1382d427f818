"""Why Graph cannot hold a rule: each reason's code and the sentence that says what to do instead."""

from __future__ import annotations

import datetime as dt
from calendar import monthrange

import attrs

from mailkit.errors import InvalidRecurrence
from mailkit.recurrence.expansion import completed
from mailkit.recurrence.proposals import month_step
from mailkit.recurrence.rule import Rule

__all__ = ["refusal", "refused"]

_REMEDIES = {
    "by_time": "Outlook has one time of day per series; make a series for each time",
    "dtstart_mismatch": "the event does not start on a date of its own rule; move the start to {}",
    "every_weekday_of_month": "Outlook cannot repeat weekly in some months only; make a series with an end for each",
    "fifth_weekday": "Outlook knows the first to fourth and the last weekday of a month, not the fifth",
    "interval_too_large": "Outlook repeats at most every 999 days, or every 99 weeks, months or years",
    "irregular_months": "Outlook visits evenly spaced months only; make a yearly series for each month",
    "month_filter": "Outlook cannot leave out months of a daily or weekly series; make a series with an end for each",
    "multiple_month_days": "Outlook has one day of the month per series; make a series for each day",
    "multiple_ordinals": "Outlook has one position in the month per series; make a series for each",
    "no_occurrence": "the rule has no date at all from this start on; check its days and its end",
    "nth_from_end": "Outlook counts from the end of a month for the last day only",
    "nth_of_year": "Outlook counts weekdays within a month, not within a year",
    "rdate": "Outlook cannot add dates to a series; create single events for them",
    "set_position": "Outlook has no such choice among the dates; name the day itself",
    "short_month": "Outlook moves a day that a month lacks to its last day, where the rule skips that month; "
    "use the last day (BYMONTHDAY=-1) or a day up to 28",
    "sub_daily": "Outlook repeats by the day at most; make a daily series for each time of day",
    "unmappable": "Outlook cannot hold this rule with exactly these dates; use a simpler one",
    "week_number": "Outlook has no week numbers; use dates or weekdays of a month",
    "weekday_and_monthday": "Outlook cannot ask for a weekday and a day of the month at once; create single events",
    "year_day": "Outlook has no days of the year, which move by one in leap years; use a day of a month",
}


def refused(code: str, suggestion: str | None = None) -> InvalidRecurrence:
    """Make the error of one code."""
    return InvalidRecurrence(_REMEDIES[code].format(suggestion), code=code, suggestion=suggestion)


def refusal(rule: Rule, start: dt.datetime) -> InvalidRecurrence:
    """Find the reason why a rule that does occur has no pattern."""
    code = _of_months(rule, start) if rule.freq in {"MONTHLY", "YEARLY"} else _of_days(rule)
    return refused(code, _clamped(rule, start) if code == "short_month" else None)


def _clamped(rule: Rule, start: dt.datetime) -> str:
    """Write the rule that Outlook could hold: the last day, or the last there is up to the start's."""
    at_end = start.day == monthrange(start.year, start.month)[1]
    held = attrs.evolve(
        rule,
        freq="YEARLY" if rule.freq == "YEARLY" else "MONTHLY",
        by_month=completed(rule, start).by_month,
        by_month_day=(-1,) if at_end else tuple(range(28, start.day + 1)),
        by_position=() if at_end else (-1,),
    )
    return str(held)


def _of_days(rule: Rule) -> str:
    if rule.by_position:
        return "set_position"
    if rule.by_month_day and rule.by_day:
        return "weekday_and_monthday"
    if len(rule.by_month_day) > 1:
        return "multiple_month_days"
    if rule.by_month or (rule.by_month_day and rule.interval > 1):
        return "month_filter"
    return _of_month_day(rule.by_month_day) if rule.by_month_day else "unmappable"


def _of_months(rule: Rule, start: dt.datetime) -> str:
    if rule.by_week:
        return "week_number"
    if rule.by_year_day:
        return "year_day"
    if rule.by_day and rule.by_month_day:
        return "weekday_and_monthday"
    if rule.freq == "YEARLY" and not rule.by_month and any(day.nth is not None for day in rule.by_day):
        return "nth_of_year"
    if month_step(completed(rule, start), start.date()) is None:
        return "irregular_months"
    return _of_weekdays(rule) if rule.by_day else _of_position(rule) or _of_month_day(rule.by_month_day or (start.day,))


def _of_weekdays(rule: Rule) -> str:
    numbered = [day.nth for day in rule.by_day if day.nth is not None]
    if len(rule.by_day) > 1 and numbered:
        return "multiple_ordinals"
    if position := _of_position(rule):
        return position
    if not numbered:
        return "every_weekday_of_month"
    return "fifth_weekday" if numbered[0] > 0 else "nth_from_end"


def _of_position(rule: Rule) -> str | None:
    match rule.by_position:
        case ():
            return None
        case (position,) if rule.by_day and position < -1:
            return "nth_from_end"
        case (position,) if len(rule.by_day) == 1 and position > 4:
            return "fifth_weekday"
        case _:
            return "set_position"


def _of_month_day(days: tuple[int, ...]) -> str:
    if len(days) > 1:
        return "multiple_month_days"
    return "nth_from_end" if days[0] < 0 else "short_month"
