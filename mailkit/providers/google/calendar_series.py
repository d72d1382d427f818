"""What a change means for a series: moved as a whole, or cut in two. Pure; asks Google for nothing.

Moments are moved by wall clock, so that a series that goes an hour later does so on both sides of a clock change.
"""

from __future__ import annotations

import datetime as dt

import attrs

from mailkit.errors import InvalidRecurrence, Unsupported
from mailkit.models.calendar import Event
from mailkit.providers.calendar import EventFields, Unset
from mailkit.recurrence import Moment, Recurrence, Rule
from mailkit.recurrence.moments import fitted, in_zone, on_clock, wall_clock, zone_of
from mailkit.scheduling import instant_of

__all__ = ["Halves", "Shift", "for_series", "halves", "later_by"]

_DAY = dt.timedelta(days=1)
_SECOND = dt.timedelta(seconds=1)


@attrs.frozen
class Shift:
    """The move of one occurrence from ``old`` to ``new``, as it applies to the others."""

    old: Moment
    new: Moment

    @property
    def is_none(self) -> bool:
        """Whether everything stays on its clock."""
        return self.old == self.new and zone_of(self.old) is zone_of(self.new)

    def __call__(self, moment: Moment) -> Moment:
        """Move another moment of the series; a mere day of it is moved by days."""
        old, new = (wall_clock(each, zone_of(each)) for each in (self.old, self.new))
        if not isinstance(moment, dt.datetime) and isinstance(self.old, dt.datetime):
            return moment + (new.date() - old.date())
        wall = wall_clock(moment, zone_of(self.old)) + (new - old)
        return on_clock(wall, zone_of(self.new)) if isinstance(self.new, dt.datetime) else wall.date()

    def of(self, recurrence: Recurrence) -> Recurrence:
        """Move what a rule says of single days: its end, and the days taken out and added."""
        rule = recurrence.rule
        until = None if rule.until is None else self(_aware(rule.until, self.old))
        return Recurrence(
            rule=attrs.evolve(rule, until=until),
            exdates=map(self, recurrence.exdates),
            rdates=map(self, recurrence.rdates),
        )


@attrs.frozen
class Halves:
    """A recurrence before the occurrence that was due ``at`` a moment, and from it on."""

    at: Moment
    before: Recurrence
    after: Recurrence


def later_by(start: Moment, length_of: Event) -> Moment:
    """Give the end of something that takes as long as an event does."""
    if isinstance(start, dt.datetime):
        return in_zone(in_zone(start, dt.UTC) + _length(length_of.start, length_of.end), start.tzinfo or dt.UTC)
    return start + _length(length_of.start, length_of.end)


def for_series(fields: EventFields, occurrence: Event, series: Event) -> EventFields:
    """Turn a change of one occurrence's time into one of the whole series.

    Raises:
        InvalidRecurrence: the rule names days on which the series would no longer start (``dtstart_mismatch``).
    """
    if isinstance(fields.start, Unset) and isinstance(fields.end, Unset):
        return fields
    start = occurrence.start if isinstance(fields.start, Unset) else fields.start
    end = later_by(start, occurrence) if isinstance(fields.end, Unset) else fields.end
    shift = Shift(occurrence.start, start)
    begin = shift(series.start)
    whole = attrs.evolve(fields, start=begin, end=later_by(begin, attrs.evolve(occurrence, start=start, end=end)))
    old = series.recurrence
    if old is None or not isinstance(fields.recurrence, Unset) or shift.is_none:
        return whole
    new = shift.of(old)
    if old.first(series.start) == (series.start,) and new.first(begin) != (begin,):
        raise InvalidRecurrence(
            "the series would no longer start on a day of its own rule; pass the new rule as recurrence=, too",
            code="dtstart_mismatch",
        )
    return whole if new == old else attrs.evolve(whole, recurrence=new)


def halves(series: Event, cut: Moment) -> Halves | None:
    """Cut a series so that the second half begins at ``cut``; None where nothing comes before.

    Raises:
        Unsupported: its rule cannot be read, or the occurrence stands beside the rule.
    """
    if series.recurrence is None:
        raise _uncut("its rule cannot be read")
    start, rule = series.start, series.recurrence.rule
    bare = Recurrence(rule=rule)
    if next(bare.between(start, after=cut), None) != cut:
        raise _uncut("this occurrence was added to its rule")
    passed = sum(1 for _ in bare.between(start, before=cut))
    if passed == 0:
        return None
    # RFC 5545 3.3.10: UNTIL is inclusive; COUNT counts also what was taken out.
    until = in_zone(cut, dt.UTC) - _SECOND if isinstance(cut, dt.datetime) else cut - _DAY
    left = None if rule.count is None else rule.count - passed
    return Halves(
        at=cut,
        before=_part(series, attrs.evolve(rule, count=None, until=until), cut, later=False),
        after=_part(series, attrs.evolve(rule, count=left), cut, later=True),
    )


def _part(series: Event, rule: Rule, cut: Moment, *, later: bool) -> Recurrence:
    recurrence = series.recurrence or Recurrence(rule=rule)
    zone = zone_of(series.start)
    exdates, rdates = (
        tuple(each for each in dates if (fitted(each, series.start, zone) >= cut) is later)
        for dates in (recurrence.exdates, recurrence.rdates)
    )
    return Recurrence(rule=rule, exdates=exdates, rdates=rdates)


def _length(start: Moment, end: Moment) -> dt.timedelta:
    return dt.timedelta(seconds=instant_of(end, dt.UTC).timestamp() - instant_of(start, dt.UTC).timestamp())


def _aware(until: Moment, old: Moment) -> Moment:
    """Give the end of a rule its zone, where it was written as a wall clock."""
    naive = isinstance(until, dt.datetime) and until.tzinfo is None
    return fitted(until, old, zone_of(old)) if naive else until


def _uncut(why: str) -> Unsupported:
    return Unsupported(
        f"this series cannot be cut here, since {why}; change the occurrence alone, or the series", code="uncut"
    )
