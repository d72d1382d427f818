"""Times at which everybody is free. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator

from mailkit.checks import refuse
from mailkit.errors import UsageError
from mailkit.models.calendar import BusyStatus, FreeBusy, FreeSlot
from mailkit.scheduling.hours import WorkingHours
from mailkit.scheduling.stretches import Stretch, coalesced, gaps, overlap

__all__ = ["BLOCKING", "check_lengths", "free_slots"]

BLOCKING: frozenset[BusyStatus] = frozenset({"busy", "tentative", "away"})
"""What keeps somebody from a meeting; who works elsewhere can still be met."""

_MOST_SLOTS = 100_000  # a year by five minutes


def free_slots(
    people: Iterable[FreeBusy],
    duration: dt.timedelta,
    *,
    start: dt.datetime,
    end: dt.datetime,
    tz: dt.tzinfo,
    working_hours: WorkingHours | None = None,
    step: dt.timedelta | None = None,
    blocking: frozenset[BusyStatus] = BLOCKING,
) -> list[FreeSlot]:
    """Give the times from ``start`` to ``end`` at which nobody is taken, in order.

    Without ``step`` each slot is a whole free stretch, at least ``duration`` long. With it each slot is ``duration``
    long and begins at a multiple of ``step`` from midnight in ``tz``. Slots lie within ``working_hours`` where they are
    given, and are aware datetimes in ``tz``. Somebody whose ``known`` is False counts as taken all the time.

    Raises:
        UsageError: as ``check_lengths`` does.
    """
    check_lengths(duration, step, end - start)
    length = duration.total_seconds()
    within = (start.timestamp(), end.timestamp())
    taken: list[Stretch] = []
    for person in people:
        if not person.known:
            return []
        taken += [(b.start.timestamp(), b.end.timestamp()) for b in person.busy if b.status in blocking]
    free: Iterable[Stretch] = gaps(coalesced(taken), within)
    if working_hours is not None:
        free = overlap(list(free), coalesced(working_hours.stretches(within, tz)))
    fitting: Iterable[Stretch] = ((left, right) for left, right in free if right - left >= length)
    if step is not None:
        fitting = _stepped(fitting, length, step.total_seconds(), tz)
    return [
        FreeSlot(start=dt.datetime.fromtimestamp(left, tz), end=dt.datetime.fromtimestamp(right, tz))
        for left, right in fitting
    ]


def check_lengths(duration: object, step: object, window: dt.timedelta) -> None:
    """Refuse what no slot can be as long as, and a step that does not fit into a day and the window.

    Raises:
        UsageError: duration or step is not above zero, or step is a fraction of a second, above a day, or makes too
            many slots.
    """
    _check_length(duration, "duration")
    if step is None:
        return
    every = _check_length(step, "step")
    # A fraction of a second is never met exactly by floats, and beyond a day there is no midnight to count from.
    if every % dt.timedelta(seconds=1) or every > dt.timedelta(days=1):
        refuse(step, "step", "a timedelta of whole seconds up to a day, as in timedelta(minutes=30)")
    if window / every > _MOST_SLOTS:
        raise UsageError(
            f"so short a step makes more than {_MOST_SLOTS} slots; pass a longer step= or a shorter window",
            code="bad_step",
        )


def _check_length(value: object, name: str) -> dt.timedelta:
    if not isinstance(value, dt.timedelta) or value <= dt.timedelta(0):
        refuse(value, name, "a timedelta above zero, as in timedelta(minutes=30)")
    return value


def _stepped(free: Iterable[Stretch], length: float, step: float, tz: dt.tzinfo) -> Iterator[Stretch]:
    """Cut stretches into slots that begin at multiples of ``step`` from midnight on the clock of ``tz``."""
    for left, right in free:
        at = left
        while at + length <= right:
            local = dt.datetime.fromtimestamp(at, tz)
            clock = local.replace(tzinfo=None) - dt.datetime.combine(local.date(), dt.time())
            missing = -clock.total_seconds() % step
            if not missing:
                yield (at, at + length)
            # Where clocks change or a day begins, the next multiple is elsewhere: then the loop looks again.
            tomorrow = dt.datetime.combine(local.date() + dt.timedelta(days=1), dt.time(), tz).timestamp()
            at = min(at + (missing or step), tomorrow)
