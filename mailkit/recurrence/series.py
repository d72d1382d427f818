"""A recurrence as callers have it: a rule with the days taken out and added, and what it means from a given start.

Holds no start and no zone of its own; both come with the event. Never asks what time it is.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from itertools import islice
from zoneinfo import ZoneInfo

import attrs

from mailkit.checks import instance, whole
from mailkit.errors import UsageError
from mailkit.recurrence.every import Unit, rule_every
from mailkit.recurrence.expansion import expand
from mailkit.recurrence.lines import read_lines, write_dates, write_rule
from mailkit.recurrence.moments import Moment, fitted, in_zone, on_clock, wall_clock, zone_of
from mailkit.recurrence.rule import Rule
from mailkit.recurrence.words import sentence

__all__ = ["Recurrence", "parse_recurrence"]

_DAY = dt.timedelta(days=1)


def parse_recurrence(
    lines: Sequence[str], start: Moment | None = None, *, day_zone: ZoneInfo | None = None
) -> Recurrence:
    """Read RRULE, EXDATE and RDATE lines (RFC 5545; a bare ``FREQ=…`` is an RRULE).

    ``start`` is the event's: a date, or an aware datetime with a ``ZoneInfo``; times without a zone are its zone's. An
    all-day series has days only, so instants among its lines count as the day they are in ``day_zone`` (default UTC).

    Raises:
        InvalidRecurrence: the lines cannot be read or kept whole: ``invalid``, ``multiple_rules``, ``exrule``,
            ``rdate_period``, ``unknown_zone``, ``no_start``, ``no_zone``.
        UsageError: the start is naive.
    """
    rule, exdates, rdates = read_lines(lines, start, day_zone)
    return Recurrence(rule=rule, exdates=exdates, rdates=rdates)


def _tuple(moments: Iterable[Moment]) -> tuple[Moment, ...]:
    return tuple(moments)


def _aware(_record: object, field: attrs.Attribute[tuple[Moment, ...]], moments: tuple[Moment, ...]) -> None:
    for moment in moments:
        if isinstance(moment, dt.datetime) and moment.tzinfo is None:
            raise UsageError(f"{field.name} holds dates and aware datetimes, no naive ones", code="naive_datetime")


@attrs.frozen(kw_only=True)
class Recurrence:
    """When an event happens again: an RFC 5545 rule, the dates taken out (``exdates``) and added (``rdates``).

    ``str(recurrence)`` is its text, one line each, and ``from_text`` reads it back. The start belongs to the event and
    is passed where it matters. Expansion keeps the wall clock of the start's zone when clocks change: a time they skip
    moves forward by the gap, one they show twice is the first.
    """

    rule: Rule
    exdates: tuple[Moment, ...] = attrs.field(default=(), converter=_tuple, validator=_aware)
    rdates: tuple[Moment, ...] = attrs.field(default=(), converter=_tuple, validator=_aware)

    @classmethod
    def every(
        cls,
        unit: Unit,
        interval: int = 1,
        *,
        on: str | Sequence[str] = (),
        nth: int | None = None,
        month_day: int | None = None,
        month: int | None = None,
        count: int | None = None,
        until: Moment | None = None,
        week_start: str | None = None,
    ) -> Recurrence:
        """Build a recurrence: every ``interval`` days, weeks, months or years, from the event's start on.

        ``on`` names weekdays (``"MO"`` or ``"monday"``). In a month or year ``nth`` says which of them: 1 to 4, or -1
        for the last; several weekdays count together (``on`` Monday to Friday, ``nth=-1``: the last working day).
        ``month_day`` is a day of the month instead, -1 the last. ``month`` (1 to 12) goes with a year. What is left
        out comes from the event's start. It ends after ``count`` times, or with ``until``: a date, inclusive, or an
        aware datetime. ``week_start`` matters where weeks are skipped; default Monday.

        Raises:
            UsageError: a value is of the wrong kind or out of range.
            InvalidRecurrence: the values do not go together (``invalid``).
        """
        return cls(
            rule=rule_every(
                unit,
                interval,
                on=on,
                nth=nth,
                month_day=month_day,
                month=month,
                count=count,
                until=until,
                week_start=week_start,
            )
        )

    @classmethod
    def from_text(cls, text: str, start: Moment | None = None) -> Recurrence:
        """Read ``str(recurrence)``, or any lines of RFC 5545; see ``parse_recurrence``.

        Raises:
            UsageError: it is no text.
            InvalidRecurrence: the text cannot be read or kept whole.
        """
        return parse_recurrence(instance(text, "text", str, "lines of RFC 5545").splitlines(), start)

    def __str__(self) -> str:
        return "\n".join(self.to_lines())

    def to_lines(self, start: Moment | None = None) -> tuple[str, ...]:
        """Write the RRULE, EXDATE and RDATE lines; with ``start`` their dates are of its kind (RFC 5545 3.8.5)."""
        exdates, rdates = self.exdates, self.rdates
        if start is not None:
            zone = zone_of(start)
            exdates, rdates = (tuple(fitted(each, start, zone) for each in dates) for dates in (exdates, rdates))
        return (write_rule(self.rule, start), *write_dates("EXDATE", exdates), *write_dates("RDATE", rdates))

    def describe(self, start: Moment | None = None) -> str:
        """Say it in an English sentence, such as "every 2 weeks on Monday and Thursday until 3 March 2027".

        ``start`` adds what the rule leaves to it (the day of the month) and the zone of the dates. A rule too intricate
        for a sentence is shown as it is written.
        """
        return sentence(self.rule, self.exdates, self.rdates, start)

    def first(self, start: Moment, n: int = 1) -> tuple[Moment, ...]:
        """Give the first ``n`` occurrences, fewer where there are no more."""
        return tuple(islice(self.between(start), whole(n, "n")))

    def between(self, start: Moment, after: Moment | None = None, before: Moment | None = None) -> Iterator[Moment]:
        """Give the occurrences of a series from ``after`` on and before ``before``, lazily, in order.

        They are dates for an all-day series, else datetimes in the start's zone. None: no bound; the iterator may
        never end then. A bound that is a date is its first moment. The start is an occurrence only if the rule says so.
        A rule below a day that finds nothing in 250,000 steps counts as ended.

        Raises:
            UsageError: the start or a bound is naive.
            InvalidRecurrence: the start has an offset instead of a zone.
        """
        zone = zone_of(start)
        since, end = (None if bound is None else _bound(bound, start, zone) for bound in (after, before))
        return self._between(start, zone, since, end)

    def _between(
        self, start: Moment, zone: ZoneInfo, after: dt.datetime | None, before: dt.datetime | None
    ) -> Iterator[Moment]:
        days_out = {day for day in self.exdates if not isinstance(day, dt.datetime)}
        out = {_instant(fitted(moment, start, zone), zone) for moment in self.exdates}
        added = sorted(_instant(fitted(moment, start, zone), zone) for moment in self.rdates)
        previous = None
        for instant in merge(self._of_rule(start, zone, after, before), added):
            if before is not None and instant >= before:
                return
            local = in_zone(instant, zone)
            if (
                instant != previous  # what clocks skip may fall on what follows
                and (after is None or instant >= after)
                and instant not in out
                and local.date() not in days_out
            ):
                yield local if isinstance(start, dt.datetime) else local.date()
            previous = instant

    def _of_rule(
        self, start: Moment, zone: ZoneInfo, after: dt.datetime | None, before: dt.datetime | None
    ) -> Iterator[dt.datetime]:
        """Give the rule's own instants in UTC, up to UNTIL."""
        first = wall_clock(start, zone)
        until = None if self.rule.until is None else _last_instant(self.rule.until, zone)
        ends = [end for end in (before, until) if end is not None]
        # A day around each bound, since walls and instants differ by less.
        walls = expand(
            self.rule,
            first,
            after=None if after is None else _shifted(after, zone, -_DAY),
            last=_shifted(min(ends), zone, _DAY) if ends else None,
        )
        for wall in walls:
            # The start may be the second time that clocks show this.
            instant = _instant(start if wall == first else on_clock(wall, zone), zone)
            if until is not None and instant > until:
                return
            yield instant


def _instant(moment: Moment, zone: ZoneInfo) -> dt.datetime:
    aware = moment if isinstance(moment, dt.datetime) else on_clock(wall_clock(moment, zone), zone)
    return in_zone(aware, dt.UTC).replace(microsecond=0)


def _bound(bound: Moment, start: Moment, zone: ZoneInfo) -> dt.datetime:
    if isinstance(bound, dt.datetime):
        if bound.tzinfo is None:
            raise UsageError("a window is bounded by dates or aware datetimes, not naive ones", code="naive_datetime")
        if not isinstance(start, dt.datetime):  # a day has no zone: it begins where the caller's clocks say midnight
            bound = bound.replace(tzinfo=zone)
    return _instant(bound, zone)


def _last_instant(until: Moment, zone: ZoneInfo) -> dt.datetime:
    if not isinstance(until, dt.datetime):
        until = dt.datetime.combine(until, dt.time(23, 59, 59))
    return in_zone(on_clock(until, zone) if until.tzinfo is None else until, dt.UTC)


def _shifted(instant: dt.datetime, zone: ZoneInfo, by: dt.timedelta) -> dt.datetime | None:
    try:
        return wall_clock(instant, zone) + by
    except OverflowError:
        return None
