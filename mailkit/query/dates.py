"""Instants: what a date or an age means in a zone, and how dates and ages are written.

Every query is read in one zone, whichever provider answers it. Nothing here asks what time it is.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re

from mailkit.query.ast import Age, Date, Unit
from mailkit.query.context import QueryContext

__all__ = ["instant", "read_age", "read_date"]

_FIRST = dt.datetime.min.replace(tzinfo=dt.UTC)
_LAST = dt.datetime.max.replace(tzinfo=dt.UTC, microsecond=0)
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)

# developers.google.com/workspace/gmail/api/guides/filtering: dates as yyyy/mm/dd, or seconds for any zone but Pacific.
_SECONDS = re.compile(r"[0-9]{9,11}")
_YEAR_FIRST = re.compile(r"(?P<year>[0-9]{4})(?P<sep>[/.-])(?P<month>[0-9]{1,2})(?P=sep)(?P<day>[0-9]{1,2})")
_YEAR_LAST = re.compile(r"(?P<month>[0-9]{1,2})(?P<sep>[/-])(?P<day>[0-9]{1,2})(?P=sep)(?P<year>[0-9]{4})")
# support.google.com/mail/answer/7190: d, m, y; Gmail knows neither weeks nor hours here.
_AGE = re.compile(r"([0-9]{1,6})([dmy])", re.IGNORECASE)
_UNITS: dict[str, Unit] = {"d": "d", "m": "m", "y": "y"}


def read_date(text: str) -> dt.date | int | None:
    """Read ``2026/03/01``, ``2026-3-1``, ``2026.03.01``, ``03/01/2026`` or epoch seconds; None: none of these."""
    if _SECONDS.fullmatch(text):
        return int(text)
    found = _YEAR_FIRST.fullmatch(text) or _YEAR_LAST.fullmatch(text)
    if found is None:
        return None
    try:
        return dt.date(int(found["year"]), int(found["month"]), int(found["day"]))
    except ValueError:
        return None


def read_age(text: str) -> tuple[int, Unit] | None:
    """Read ``7d``, ``3m`` or ``1y``; None: it is none, or nothing at all (``0d``)."""
    found = _AGE.fullmatch(text)
    if found is None or int(found[1]) == 0:
        return None
    return int(found[1]), _UNITS[found[2].lower()]


def instant(node: Date | Age, context: QueryContext) -> dt.datetime:
    """Give the moment a date or age stands for: aware, UTC, whole seconds.

    A date is midnight at its start in the context's zone; a midnight that the clocks skip is the moment they are put
    forward, one that comes twice is the first. Days back keep the wall clock, months and years are calendar steps with
    the day clamped (a month before 31 March is the last of February). What lies outside the calendar is its end.
    """
    try:
        match node:
            case Date(_, int(seconds)):
                return _EPOCH + dt.timedelta(seconds=seconds)
            case Date(_, dt.date() as day):
                local = dt.datetime(day.year, day.month, day.day, tzinfo=context.tz)
            case Age(_, n, unit):
                local = _back(context.now.astimezone(context.tz).replace(microsecond=0, fold=0), n, unit)
        return local.astimezone(dt.UTC)
    except OverflowError:
        late = isinstance(node, Date) and (node.value > 0 if isinstance(node.value, int) else node.value.year > 1)
        return _LAST if late else _FIRST


def _back(local: dt.datetime, n: int, unit: Unit) -> dt.datetime:
    """Step back on the calendar; arithmetic within one zone is on the wall clock."""
    if unit == "d":
        return local - dt.timedelta(days=n)
    months = local.year * 12 + local.month - 1 - (n if unit == "m" else n * 12)
    year, month = months // 12, months % 12 + 1
    if year < 1:
        raise OverflowError
    return local.replace(year=year, month=month, day=min(local.day, calendar.monthrange(year, month)[1]))
