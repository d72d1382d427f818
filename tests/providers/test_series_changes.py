"""What a change means for a series, whoever the provider: moved, cut in two, and what single occurrences keep."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailkit.errors import InvalidRecurrence, UsageError
from mailkit.models.calendar import Event
from mailkit.providers.calendar import EventFields
from mailkit.providers.series_changes import Shift, continued, for_series, halves
from mailkit.recurrence import Moment, Recurrence, parse_recurrence
from mailkit.values import Ref

BERLIN = ZoneInfo("Europe/Berlin")
TEN = dt.datetime(2026, 3, 9, 10, tzinfo=BERLIN)  # a Monday; clocks change on the 29th
HOUR, DAY = dt.timedelta(hours=1), dt.timedelta(days=1)


def series(*lines: str, start: Moment = TEN) -> Event:
    try:
        recurrence = parse_recurrence(lines, start)
    except InvalidRecurrence:
        recurrence = None
    return Event(
        ref=Ref(account="home", kind="event", id="s1", part="primary"),
        calendar=Ref(account="home", kind="calendar", id="primary"),
        kind="series",
        start=start,
        end=start + (HOUR if isinstance(start, dt.datetime) else DAY),
        recurrence=recurrence,
        is_organizer=True,
    )


RULES = st.sampled_from(["DAILY;COUNT=12", "WEEKLY;INTERVAL=2;BYDAY=MO,TH", "MONTHLY;COUNT=9", "DAILY;UNTIL=20260401"])


@given(
    rule=RULES, cut=st.integers(0, 7), out=st.sets(st.integers(0, 7)), all_day=st.booleans(), hours=st.integers(-9, 9)
)
def test_two_halves_are_the_whole(rule: str, cut: int, out: set[int], all_day: bool, hours: int) -> None:
    start: dt.date = TEN.date() if all_day else TEN
    dates = Recurrence.from_text(f"FREQ={rule}", start).first(start, 8)
    left_out = tuple(dates[at] for at in sorted(out - {cut}))
    whole = series(f"RRULE:FREQ={rule}", start=start)
    assert whole.recurrence is not None
    recurrence = attrs.evolve(whole.recurrence, exdates=left_out)
    parts = halves(attrs.evolve(whole, recurrence=recurrence), dates[cut])
    if out >= set(range(cut)):  # nothing comes before
        assert parts is None
        return
    assert parts is not None
    n = 8 - len(left_out)
    first = [each for each in dates[:cut] if each not in left_out]
    rest = [each for each in dates[cut:] if each not in left_out]
    assert list(parts.before.between(start)) == first
    assert list(parts.after.first(dates[cut], len(rest))) == rest
    assert [*first, *rest] == list(recurrence.first(start, n))
    if not all_day:
        moved = dates[cut] + hours * HOUR
        if moved.weekday() == dates[cut].weekday():
            shift = Shift(dates[cut], moved)
            assert list(shift.of(parts.after).first(moved, len(rest))) == [shift(each) for each in rest]


def test_a_series_that_cannot_be_cut_says_so() -> None:
    unread, added = ["RRULE:FREQ=DAILY;X=1"], ["RRULE:FREQ=DAILY;COUNT=2", "RDATE:20260320T090000Z"]
    for lines, code in ((unread, "unreadable_recurrence"), (added, "uncut")):
        with pytest.raises(UsageError) as caught:
            halves(series(*lines), dt.datetime(2026, 3, 20, 10, tzinfo=BERLIN))
        assert caught.value.code == code
    assert halves(series(*unread), TEN) is None


def test_a_series_of_days_becomes_one_of_times() -> None:
    days = series("RRULE:FREQ=DAILY;UNTIL=20260312", "EXDATE;VALUE=DATE:20260310", start=TEN.date())
    moved, _ = for_series(EventFields(start=TEN, end=TEN + 2 * HOUR), days, days, by_clock=False)
    assert (moved.start, moved.end) == (TEN, TEN + 2 * HOUR)
    assert isinstance(moved.recurrence, Recurrence)
    assert list(moved.recurrence.between(TEN)) == [TEN, TEN + 2 * DAY, TEN + 3 * DAY]
    back, _ = for_series(
        EventFields(start=TEN.date()), series("RRULE:FREQ=DAILY"), series("RRULE:FREQ=DAILY"), by_clock=False
    )
    assert back.start == TEN.date()


def test_a_new_length_alone_leaves_the_starts() -> None:
    whole = series("RRULE:FREQ=DAILY;COUNT=5")
    occurrence = attrs.evolve(whole, kind="occurrence", start=TEN + DAY, end=TEN + DAY + HOUR)
    changed, _ = for_series(EventFields(end=TEN + DAY + 3 * HOUR), occurrence, whole, by_clock=False)
    assert (changed.start, changed.end, changed.recurrence) == (TEN, TEN + 3 * HOUR, EventFields().recurrence)


def test_a_time_that_clocks_skip_moves_as_its_series_does() -> None:
    nightly = dt.datetime(2026, 3, 28, 2, 30, tzinfo=BERLIN)
    shift = Shift(nightly, nightly - HOUR)
    skipped = Recurrence.from_text("FREQ=DAILY").first(nightly, 2)[1]
    assert (skipped.isoformat(), shift(skipped).isoformat()) == (
        "2026-03-29T03:30:00+02:00",
        "2026-03-29T01:30:00+01:00",
    )


@pytest.mark.parametrize(("by_clock", "hour"), [(True, 6), (False, 7)])
def test_an_end_is_by_the_clock_or_so_much_later_where_a_cut_falls_on_a_change_of_clocks(
    by_clock: bool, hour: int
) -> None:
    night = dt.datetime(2026, 3, 23, 22, tzinfo=BERLIN)
    whole = attrs.evolve(series("RRULE:FREQ=DAILY", start=night), end=night + 8 * HOUR)
    cut = halves(whole, dt.datetime(2026, 3, 28, 22, tzinfo=BERLIN))
    assert cut is not None
    new = continued(EventFields(title="x"), whole, cut.at, cut.after, by_clock=by_clock)
    assert new.end == dt.datetime(2026, 3, 29, hour, tzinfo=BERLIN)


@given(
    n=st.integers(1, 6),
    days=st.integers(0, 3),
    moved=st.timedeltas(-2 * DAY, 2 * DAY).map(lambda by: by - by % (HOUR / 4)),
    longer=st.integers(0, 5),
    hours=st.integers(-9, 9),
)
def test_an_occurrence_keeps_the_times_that_are_its_own(
    n: int, days: int, moved: dt.timedelta, longer: int, hours: int
) -> None:
    whole = series("RRULE:FREQ=DAILY;COUNT=20")
    cut = halves(whole, TEN + DAY)
    assert cut is not None
    start = cut.at + days * DAY + hours * HOUR
    fields = EventFields(start=start, end=start + 2 * HOUR)
    new = continued(fields, whole, cut.at, cut.after, by_clock=True)
    due = cut.at + n * DAY
    one = attrs.evolve(whole, kind="exception", start=due + moved, end=due + moved + HOUR + longer * HOUR)
    own = new.own_times(one, due)
    length = (1 + longer) * HOUR if longer else 2 * HOUR
    if not moved and not longer:
        assert own is None
    else:
        begins = one.start if moved else due + days * DAY + hours * HOUR
        assert own == (begins, begins + length)
    same = continued(EventFields(title="x"), whole, cut.at, cut.after, by_clock=True).own_times(one, due)
    assert (same or (due, due + HOUR)) == (one.start, one.end)


@given(off=st.sets(st.integers(1, 8)), interval=st.integers(1, 3), hours=st.integers(-9, 9))
def test_cancelled_days_stay_away_or_are_told(off: set[int], interval: int, hours: int) -> None:
    whole = series("RRULE:FREQ=DAILY;COUNT=10")
    cut = halves(whole, TEN + DAY)
    assert cut is not None
    start = cut.at + hours * HOUR
    gone = [cut.at + n * DAY for n in sorted(off)]
    rule = Recurrence.from_text(f"FREQ=DAILY;INTERVAL={interval};COUNT=9")
    fields = EventFields(start=start, end=start + HOUR, recurrence=rule)
    new = continued(fields, whole, cut.at, cut.after, gone, by_clock=False)
    assert new.recurrence is not None
    assert new.lost == tuple(cut.at + n * DAY for n in sorted(off) if n % interval)
    left = [n for n in range(0, 9 * interval, interval) if n not in off]
    assert list(new.recurrence.between(start)) == [start + n * DAY for n in left]
