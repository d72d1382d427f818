"""What a change means for a series: moved as a whole, or cut in two. Pure; knows no provider's JSON.

Moments are moved by wall clock, so that a series that goes an hour later does so on both sides of a clock change. How
long something takes where clocks change is the provider's: at Google a night of eight hours has eight hours in every
one of its series (RFC 5545 3.8.5.3), at Outlook it ends at the same clock time (``by_clock``:
learn.microsoft.com/office/vba/api/outlook.recurrencepattern.endtime).

What was changed of single occurrences goes along where a series is cut: each belongs to the occurrence as many days
after the new start as it was after the old one, and keeps times of its own.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

import attrs

from mailkit.errors import InvalidRecurrence, UsageError
from mailkit.models.calendar import Event
from mailkit.providers.calendar import EventFields, Unset
from mailkit.recurrence import Moment, Recurrence, Rule
from mailkit.recurrence.expansion import completed
from mailkit.recurrence.moments import absolute, fitted, in_zone, on_clock, wall_clock, zone_of
from mailkit.scheduling import instant_of

__all__ = [
    "Continuation",
    "Halves",
    "Shift",
    "begins_series",
    "check_organizer",
    "continued",
    "ending_at",
    "for_series",
    "halves",
    "starts_on_rule",
]

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
        zone = zone_of(self.old)
        wall = wall_clock(moment, zone)
        usual = dt.datetime.combine(wall, old.time())
        if on_clock(usual, zone) == moment:  # the clocks may have skipped it on that day
            wall = usual
        wall += new - old
        return on_clock(wall, zone_of(self.new)) if isinstance(self.new, dt.datetime) else wall.date()

    def of(self, recurrence: Recurrence) -> Recurrence:
        """Move what a rule says of single days: its end, the days taken out and added, and the one day it is on."""
        rule = recurrence.rule
        until = None if rule.until is None else self(_aware(rule.until, self.old))
        moved = Recurrence(
            rule=attrs.evolve(rule, until=until),
            exdates=map(self, recurrence.exdates),
            rdates=map(self, recurrence.rdates),
        )
        if starts_on_rule(moved, self.new):
            return moved
        return attrs.evolve(moved, rule=_without_own_day(moved.rule, wall_clock(self.old, zone_of(self.old))))


@attrs.frozen
class Halves:
    """A recurrence before the occurrence that was due ``at`` a moment, and from it on."""

    at: Moment
    before: Recurrence
    after: Recurrence


@attrs.frozen(kw_only=True)
class Continuation:
    """What goes on behind a cut: when it begins, by which rule, and which cancelled days that rule has no place for."""

    old: Event
    cut: Moment
    start: Moment
    end: Moment
    recurrence: Recurrence | None
    names_start: bool
    names_end: bool
    by_clock: bool
    lost: tuple[Moment, ...] = ()

    def due(self, moment: Moment) -> Moment:
        """Give when the occurrence is due that was due at ``moment``."""
        return Shift(self.cut, self.start)(moment)

    def own_times(self, occurrence: Event, due: Moment) -> tuple[Moment, Moment] | None:
        """Give the start and end that an occurrence, once due at ``due``, keeps as its own; None: those of its rule.

        One that was moved stays where it was put, one that was made longer begins with the others. Where the cut is,
        times that are named count instead.
        """
        is_named = absolute(due) == absolute(self.cut)
        is_moved = absolute(occurrence.start) != absolute(due) and not (is_named and self.names_start)
        old_length, length = (_length(each, by_clock=self.by_clock) for each in (self.old, occurrence))
        is_stretched = length != old_length and not (is_named and self.names_end)
        if not (is_moved or is_stretched):
            return None
        if occurrence.is_all_day is isinstance(self.start, dt.datetime):
            return occurrence.start, occurrence.end
        start = occurrence.start if is_moved else self.due(due)
        length_of = occurrence if is_stretched else attrs.evolve(occurrence, start=self.start, end=self.end)
        return start, later_by(start, length_of, by_clock=self.by_clock)


def later_by(start: Moment, length_of: Event, *, by_clock: bool) -> Moment:
    """Give the end of something that takes as long as an event does."""
    length = _length(length_of, by_clock=by_clock)
    if not isinstance(start, dt.datetime):
        return start + length
    zone = zone_of(start)
    # Behind the second of two equal times the clock alone would lead back to the first.
    if by_clock and not start.fold:
        return on_clock(wall_clock(start, zone) + length, zone)
    return in_zone(in_zone(start, dt.UTC) + length, zone)


def starts_on_rule(recurrence: Recurrence, start: Moment) -> bool:
    """Whether a series begins at a time that is one of its dates (RFC 5545 3.8.5.3 leaves open what happens if not)."""
    begin = start.replace(microsecond=0) if isinstance(start, dt.datetime) else start
    return attrs.evolve(recurrence, exdates=()).first(begin) == (begin,)


def for_series(
    fields: EventFields, occurrence: Event, series: Event, off: Iterable[Moment] = (), *, by_clock: bool
) -> tuple[EventFields, tuple[Moment, ...]]:
    """Turn a change of one occurrence's time into one of the whole series: as many days on, at the time that is named.

    ``off`` are cancelled days that its rule does not tell. Gives those, too, that come back.

    Raises:
        InvalidRecurrence: the rule names days on which the series would no longer start (``dtstart_mismatch``).
    """
    if isinstance(fields.start, Unset) and isinstance(fields.end, Unset):
        return fields, ()
    start = occurrence.start if isinstance(fields.start, Unset) else fields.start
    end = later_by(start, occurrence, by_clock=by_clock) if isinstance(fields.end, Unset) else fields.end
    usual = fitted(wall_clock(occurrence.start, zone_of(series.start)).date(), series.start, zone_of(series.start))
    begin = series.start if isinstance(fields.start, Unset) else Shift(usual, start)(series.start)
    length_of = attrs.evolve(occurrence, start=start, end=end)
    whole = attrs.evolve(fields, start=begin, end=later_by(begin, length_of, by_clock=by_clock))
    old = series.recurrence
    if old is None or not isinstance(fields.recurrence, Unset) or Shift(series.start, begin).is_none:
        return whole, ()
    new = continued(whole, series, series.start, old, off, by_clock=by_clock)
    return (whole if new.recurrence == old else attrs.evolve(whole, recurrence=new.recurrence)), new.lost


def check_organizer(series: Event) -> None:
    """Refuse to cut a series that somebody else invites to.

    Raises:
        UsageError: it is somebody else's (``not_organizer``).
    """
    if not series.is_organizer:
        raise UsageError(
            "only who invites can change a series from one date on; decline the occurrences, or the whole series",
            code="not_organizer",
        )


def begins_series(series: Event, due: Moment) -> bool:
    """Whether no occurrence comes before the one due at a moment, so that it and those after are the whole series."""
    if series.recurrence is None:
        return absolute(due) == absolute(series.start)
    return next(series.recurrence.between(series.start, before=due), None) is None


def halves(series: Event, cut: Moment) -> Halves | None:
    """Cut a series so that the second half begins at ``cut``; None where nothing comes before.

    Raises:
        UsageError: its rule cannot be read (``unreadable_recurrence``), or the occurrence stands beside the rule.
    """
    if begins_series(series, cut):
        return None
    start, recurrence = series.start, series.recurrence
    if recurrence is None:
        raise _uncut("its rule cannot be read", "unreadable_recurrence")
    rule = recurrence.rule
    bare = Recurrence(rule=rule)
    if not _has(bare, start, cut):
        raise _uncut("this occurrence was added to its rule", "uncut")
    passed = sum(1 for _ in bare.between(start, before=cut))
    # RFC 5545 3.3.10: UNTIL is inclusive; COUNT counts also what was taken out.
    until = in_zone(cut, dt.UTC) - _SECOND if isinstance(cut, dt.datetime) else cut - _DAY
    left = None if rule.count is None else rule.count - passed
    return Halves(
        at=cut,
        before=_part(recurrence, attrs.evolve(rule, count=None, until=until), start, cut, later=False),
        after=_part(recurrence, attrs.evolve(rule, count=left), start, cut, later=True),
    )


def ending_at(fields: EventFields, occurrence: Event, due: Moment, *, by_clock: bool) -> EventFields:
    """Name the end where a start or an end is named alone.

    An end says how long the occurrence is, from where it is due; behind a start it is as long as it was.
    """
    if isinstance(fields.start, Unset):
        if isinstance(fields.end, Unset):
            return fields
        return attrs.evolve(fields, end=later_by(due, attrs.evolve(occurrence, end=fields.end), by_clock=by_clock))
    if isinstance(fields.end, Unset):
        return attrs.evolve(fields, end=later_by(fields.start, occurrence, by_clock=by_clock))
    return fields


def continued(
    fields: EventFields, series: Event, cut: Moment, after: Recurrence, off: Iterable[Moment] = (), *, by_clock: bool
) -> Continuation:
    """Give what goes on from a cut, ``after`` which it was due so, with the fields changed.

    ``off`` are cancelled days that the rule does not tell.

    Raises:
        InvalidRecurrence: the rule names days on which it would not start (``dtstart_mismatch``).
        UsageError: clocks skip the time of day of the series on the day of the cut, so that nothing says it there.
    """
    if isinstance(fields.start, Unset) and _is_skipped(series.start, cut):
        raise _uncut("clocks skip its time of day on this day", "uncut")
    start = cut if isinstance(fields.start, Unset) else fields.start
    end = later_by(start, series, by_clock=by_clock) if isinstance(fields.end, Unset) else fields.end
    shift = Shift(cut, start)
    whole, rule = attrs.evolve(after, exdates=()), fields.recurrence
    lost: tuple[Moment, ...] = ()
    if isinstance(rule, Unset):
        rule = shift.of(whole)
        if starts_on_rule(whole, cut) and not starts_on_rule(rule, start):
            raise _beside_rule()
    if rule is not None:
        zone = zone_of(series.start)
        gone = sorted({fitted(each, series.start, zone) for each in (*after.exdates, *off)})
        due = [each for each in gone if _has(whole, cut, each)]
        kept = {each: new for each in due if _has(rule, start, new := shift(each))}
        lost = tuple(each for each in due if each not in kept)
        rule = attrs.evolve(rule, exdates=(*rule.exdates, *kept.values()))
    return Continuation(
        old=series,
        cut=cut,
        start=start,
        end=end,
        recurrence=rule,
        names_start=not isinstance(fields.start, Unset),
        names_end=not isinstance(fields.end, Unset),
        by_clock=by_clock,
        lost=lost,
    )


def _is_skipped(start: Moment, due: Moment) -> bool:
    """Whether an occurrence is due later on the clock than its series is, since clocks skip the usual time."""
    zone = zone_of(start)
    wall = wall_clock(due, zone)
    usual = dt.datetime.combine(wall, wall_clock(start, zone).time())
    return isinstance(due, dt.datetime) and usual != wall and on_clock(usual, zone) == due


def _has(recurrence: Recurrence, start: Moment, moment: Moment) -> bool:
    """Whether a series takes place at a moment, or would, had it not been taken out."""
    there = next(attrs.evolve(recurrence, exdates=()).between(start, after=moment), None)
    return there is not None and absolute(there) == absolute(moment)


def _part(recurrence: Recurrence, rule: Rule, start: Moment, cut: Moment, *, later: bool) -> Recurrence:
    zone = zone_of(start)
    exdates, rdates = (
        tuple(each for each in dates if (fitted(each, start, zone) >= cut) is later)
        for dates in (recurrence.exdates, recurrence.rdates)
    )
    return Recurrence(rule=rule, exdates=exdates, rdates=rdates)


def _length(event: Event, *, by_clock: bool) -> dt.timedelta:
    """Give how long an event takes; in the hour that is shown twice the clock cannot tell."""
    length = instant_of(event.end, dt.UTC) - instant_of(event.start, dt.UTC)
    if not by_clock:
        return length
    zone = zone_of(event.start)
    shown = wall_clock(event.end, zone) - wall_clock(event.start, zone)
    return length if shown < dt.timedelta() else shown


def _aware(until: Moment, old: Moment) -> Moment:
    """Give the end of a rule its zone, where it was written as a wall clock."""
    naive = isinstance(until, dt.datetime) and until.tzinfo is None
    return fitted(until, old, zone_of(old)) if naive else until


def _without_own_day(rule: Rule, start: dt.datetime) -> Rule:
    """Leave out of a rule what its start says by itself: that a series of Mondays is on Mondays."""
    bare = attrs.evolve(rule, by_month=(), by_month_day=(), by_day=(), by_hour=(), by_minute=(), by_second=())
    return bare if completed(bare, start) == completed(rule, start) else rule


def _beside_rule() -> InvalidRecurrence:
    return InvalidRecurrence(
        "the series would no longer start on a day of its own rule; pass the new rule as recurrence=, too",
        code="dtstart_mismatch",
    )


def _uncut(why: str, code: str) -> UsageError:
    return UsageError(
        f"this series cannot be cut here, since {why}; change the occurrence alone, or the series", code=code
    )
