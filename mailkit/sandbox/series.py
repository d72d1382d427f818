"""When a series takes place: the recurrence lines of iCalendar applied to the start of an event.

Days come from ``rule_days.py``; here they get their times, zones and exceptions (RFC 5545, 3.8.5). Pure.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache
from zoneinfo import ZoneInfo

import attrs

from mailkit.sandbox.event import When, instant
from mailkit.sandbox.rule_days import Rule, RuleDays

__all__ = ["Series", "series_of"]

_LINE = re.compile(r"(RRULE|EXRULE|RDATE|EXDATE)((?:;[A-Z-]+=[^:;]+)*):(.+)", re.IGNORECASE)
_MOMENT = re.compile(r"(\d{8})(?:T(\d{6})(Z?))?")


@attrs.frozen
class _RuleStarts:
    rule: Rule
    days: RuleDays


class Series:
    """The starts of a series, as they are due before any of them was changed.

    Raises:
        ValueError: a line is no recurrence line, or a rule does not fit the start.
    """

    def __init__(self, lines: tuple[str, ...], start: When) -> None:
        self._start = start
        self._rules: list[_RuleStarts] = []
        self._without: list[_RuleStarts] = []
        self._extra: list[When] = []
        self._dropped: list[When] = []
        for line in lines:
            self._read(line)
        if not self._rules and not self._extra:
            raise ValueError("a series needs a rule, or dates")

    @property
    def bounded(self) -> bool:
        """Whether every rule ends by itself."""
        return all(one.rule.count is not None or one.rule.until is not None for one in self._rules)

    def starts(self, first: dt.date, last: dt.date) -> list[When]:
        """Give the starts on the days from ``first`` to ``last``, in the zone of the series, in order."""
        due = {start for one in self._rules for start in self._of(one, first, last)}
        due |= {self._start, *self._extra}
        without = {start for one in self._without for start in self._of(one, first, last)}
        dropped = {_key(moment) for moment in self._dropped}
        kept = (start for start in due - without if dropped.isdisjoint((_key(start), _key(_day(start)))))
        return sorted((start for start in kept if first <= _day(start) <= last), key=_key)

    def has(self, original: When) -> bool:
        """Say whether a start is one of the series."""
        day = _day(original.astimezone(self._zone) if isinstance(original, dt.datetime) else original)
        return any(_key(start) == _key(original) for start in self.starts(day, day))

    # -- reading -------------------------------------------------------------------------------------------------------

    def _read(self, line: str) -> None:
        found = _LINE.fullmatch(line.strip())
        if found is None:
            raise ValueError("a recurrence line is RRULE, EXRULE, RDATE or EXDATE, a colon, and what it says")
        name, parameters, value = found[1].upper(), found[2], found[3]
        if name in ("RRULE", "EXRULE"):
            rule = Rule.read(value)
            self._check_times(rule)
            # RRULE and EXRULE alike start where the event does
            (self._rules if name == "RRULE" else self._without).append(
                _RuleStarts(rule, RuleDays(rule, _day(self._start)))
            )
            return
        zone = re.search(r"TZID=([^;:]+)", parameters)
        moments = [self._moment(text, ZoneInfo(zone[1]) if zone else self._zone) for text in value.split(",")]
        (self._extra if name == "RDATE" else self._dropped).extend(moments)

    def _check_times(self, rule: Rule) -> None:
        start = self._start
        own = (start.hour, start.minute, start.second) if isinstance(start, dt.datetime) else (None, None, None)
        if any(said not in (None, is_) for said, is_ in zip(rule.times, own, strict=True)):
            raise ValueError("a rule takes place at the time of its start, and no other")

    def _moment(self, text: str, zone: dt.tzinfo) -> When:
        found = _MOMENT.fullmatch(text.strip())
        if found is None:
            raise ValueError("RDATE and EXDATE list dates, or dates with times")
        day = dt.datetime.strptime(found[1], "%Y%m%d").date()  # noqa: DTZ007  # a date has no zone
        if found[2] is None or not isinstance(self._start, dt.datetime):
            return day
        time = dt.datetime.strptime(found[2], "%H%M%S").time()  # noqa: DTZ007  # its zone comes in the next line
        return dt.datetime.combine(day, time, dt.UTC if found[3] else zone).astimezone(self._zone)

    # -- times ---------------------------------------------------------------------------------------------------------

    @property
    def _zone(self) -> dt.tzinfo:
        zone = self._start.tzinfo if isinstance(self._start, dt.datetime) else None
        return zone or dt.UTC

    def _of(self, one: _RuleStarts, first: dt.date, last: dt.date) -> list[When]:
        starts = [self._at(day) for day in one.days.between(first, last)]
        return [start for start in starts if _within(start, one.rule.until)]

    def _at(self, day: dt.date) -> When:
        if not isinstance(self._start, dt.datetime):
            return day
        # Of a time the clocks show twice it is the first; one they leave out is as much later: 02:30 is 03:30.
        due = dt.datetime.combine(day, self._start.time().replace(fold=0), self._zone)
        return due.astimezone(dt.UTC).astimezone(self._zone)


def series_of(lines: tuple[str, ...], start: When) -> Series:
    """Give the series of these lines and this start, the same one every time; raises ValueError."""
    # Equal instants of different zones are equal to Python, and no equal starts of a series.
    return _series_of(lines, start, str(start.tzinfo) if isinstance(start, dt.datetime) else None)


@lru_cache(maxsize=1024)
def _series_of(lines: tuple[str, ...], start: When, _zone: str | None) -> Series:
    return Series(lines, start)


def _within(start: When, until: dt.date | dt.datetime | None) -> bool:
    if until is None:
        return True
    if not isinstance(until, dt.datetime) or not isinstance(start, dt.datetime):
        return _day(start) <= _day(until)
    return start <= until if until.tzinfo else start.replace(tzinfo=None) <= until


def _day(when: When) -> dt.date:
    return when.date() if isinstance(when, dt.datetime) else when


def _key(when: When) -> tuple[bool, dt.datetime]:
    """Compare starts by their instant, and never a date with a moment."""
    return isinstance(when, dt.datetime), instant(when, dt.UTC)
