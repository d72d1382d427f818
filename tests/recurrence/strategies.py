"""Random rules, patterns and starts, from a small world so that they meet: month ends, leap days, week starts."""

from __future__ import annotations

import datetime as dt
from typing import Any

from hypothesis import strategies as st

CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

days = st.one_of(
    st.dates(dt.date(2019, 1, 1), dt.date(2032, 12, 31)),
    st.sampled_from(
        [dt.date(2024, 2, 29), dt.date(2026, 1, 31), dt.date(2026, 2, 28), dt.date(2026, 1, 30), dt.date(2027, 12, 31)]
    ),
)


def _some(values: Any, most: int) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(list(values)), min_size=1, max_size=most, unique=True).map(
        lambda chosen: ",".join(map(str, chosen))
    )


_weekdays = st.one_of(_some(CODES, 3), st.sampled_from(["MO,TU,WE,TH,FR", "SA,SU", ",".join(CODES)]))
_month_days = st.one_of(
    _some([*range(1, 32), -1], 1),
    _some([*range(1, 32), -1, -2, -7, -31], 3),
    st.sampled_from(["28,29,30", "28,29", "28,29,30,31", "8,9,10,11,12,13,14", "-7,-6,-5,-4,-3,-2,-1"]),
)
_months = st.one_of(_some(range(1, 13), 2), st.sampled_from(["1,4,7,10", "2,8", "2", "1,3,5,7,9,11"]))
_positions = st.one_of(_some([1, 2, 3, 4, -1], 1), _some([1, 2, 5, -1, -2], 2))


@st.composite
def rules(draw: st.DrawFn, *, weeks: bool = True) -> str:
    """Draw a rule of RFC 5545 by days or more, without an end."""
    freq = draw(st.sampled_from(["DAILY", "WEEKLY", "MONTHLY", "MONTHLY", "YEARLY", "YEARLY"]))
    most = {"DAILY": 30, "WEEKLY": 8, "MONTHLY": 15, "YEARLY": 4}[freq]
    parts = {"FREQ": freq}

    def maybe(part: str, values: st.SearchStrategy[Any], chance: int = 3) -> None:
        if draw(st.integers(1, chance)) == 1:
            parts[part] = str(draw(values))

    maybe("INTERVAL", st.integers(1, most), 2)
    maybe("BYMONTH", _months, 2 if freq == "YEARLY" else 6)
    if freq != "WEEKLY":
        maybe("BYMONTHDAY", _month_days, 2 if freq in {"MONTHLY", "YEARLY"} else 5)
    if freq == "YEARLY":
        maybe("BYYEARDAY", _some([1, 59, 60, 100, 366, -1, -306, -366], 3), 8)
        if weeks:
            maybe("BYWEEKNO", _some([1, 2, 20, 52, 53, -1, -53], 2), 8)
    numbered = freq in {"MONTHLY", "YEARLY"} and "BYWEEKNO" not in parts
    ordinals = [1, 2, 3, 4, 5, -1, -2] if freq == "MONTHLY" or "BYMONTH" in parts else [1, 20, 52, 53, -1, -53]
    nth = st.builds(lambda n, code: f"{n}{code}", st.sampled_from(ordinals), st.sampled_from(CODES))
    mixed = st.lists(st.one_of(nth, st.sampled_from(CODES)), min_size=1, max_size=3, unique=True).map(",".join)
    maybe("BYDAY", st.one_of(_weekdays, nth, mixed) if numbered else _weekdays, 2)
    if {"BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYMONTH"} & set(parts):
        maybe("BYSETPOS", _positions, 3)
    maybe("WKST", st.sampled_from(CODES), 3)
    return ";".join(f"{part}={value}" for part, value in parts.items())


@st.composite
def patterned(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a valid patternedRecurrence of Graph, with zeros in the members it does not use as Graph sends them."""
    kinds = ["daily", "weekly", "absoluteMonthly", "relativeMonthly", "absoluteYearly", "relativeYearly"]
    kind = draw(st.sampled_from(kinds))
    pattern: dict[str, Any] = {"type": kind, "interval": draw(st.integers(1, 4 if kind.endswith("Yearly") else 26))}
    chosen = st.lists(st.sampled_from(NAMES), min_size=1, max_size=7, unique=True)
    if kind == "weekly" or kind.startswith("relative"):
        pattern["daysOfWeek"] = draw(st.one_of(chosen, st.sampled_from([list(NAMES), list(NAMES[:5])])))
    if kind == "weekly" and draw(st.booleans()):
        pattern["firstDayOfWeek"] = draw(st.sampled_from(NAMES))
    if kind.startswith("relative"):
        pattern["index"] = draw(st.sampled_from(["first", "second", "third", "fourth", "last"]))
    if kind.startswith("absolute"):
        pattern["dayOfMonth"] = draw(st.one_of(st.integers(1, 31), st.integers(28, 31)))
    if kind.endswith("Yearly"):
        pattern["month"] = draw(st.one_of(st.integers(1, 12), st.just(2)))
    if draw(st.booleans()):
        filled = {"month": 0, "dayOfMonth": 0, "daysOfWeek": [], "firstDayOfWeek": "sunday", "index": "first"}
        pattern = filled | pattern
    start = draw(days)
    span: dict[str, Any] = {"startDate": start.isoformat()}
    match draw(st.sampled_from(["noEnd", "numbered", "endDate"])):
        case "noEnd":
            span |= {"type": "noEnd", "endDate": "0001-01-01", "numberOfOccurrences": 0}
        case "numbered":
            span |= {"type": "numbered", "numberOfOccurrences": draw(st.integers(1, 40))}
        case _:
            end = start + dt.timedelta(days=draw(st.integers(0, 12_000)))
            span |= {"type": "endDate", "endDate": end.isoformat()}
    return {"pattern": pattern, "range": span}
