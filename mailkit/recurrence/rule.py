"""One RRULE as a record: which parts it has, and which combinations RFC 5545 allows.

A ``Rule`` is sound once it exists. It has no start and no zone, so it cannot say when anything happens; that is
``expansion``'s work.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Literal, TypeAlias, get_args

import attrs

from mailkit.errors import InvalidRecurrence
from mailkit.recurrence.moments import Moment, read_moment, write_moment

__all__ = ["WEEKDAYS", "Frequency", "NthDay", "Rule", "numbers"]

Frequency: TypeAlias = Literal["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
"""The weekdays as RFC 5545 writes them, in the order of ``date.weekday()``."""

_NTH_DAY = re.compile(r"(?P<nth>[+-]?[0-9]{1,2})?(?P<day>MO|TU|WE|TH|FR|SA|SU)")
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_MOST = 10**9 - 1  # what is read back
_LISTS = (  # member, part, least, most, whether it also counts from the end (RFC 5545 3.3.10)
    ("by_month", "BYMONTH", 1, 12, False),
    ("by_week", "BYWEEKNO", 1, 53, True),
    ("by_year_day", "BYYEARDAY", 1, 366, True),
    ("by_month_day", "BYMONTHDAY", 1, 31, True),
    ("by_hour", "BYHOUR", 0, 23, False),
    ("by_minute", "BYMINUTE", 0, 59, False),
    ("by_second", "BYSECOND", 0, 60, False),
    ("by_position", "BYSETPOS", 1, 366, True),
)


def invalid(message: str) -> InvalidRecurrence:
    """Make the error for what RFC 5545 does not allow."""
    return InvalidRecurrence(message, code="invalid")


def numbers(values: tuple[int, ...]) -> str:
    """Write numbers as a rule's list."""
    return ",".join(map(str, values))


@attrs.frozen
class NthDay:
    """A weekday (0 is Monday), or the ``nth`` of its kind in the month or year; negative: from the end."""

    day: int
    nth: int | None = None

    def __str__(self) -> str:
        return f"{'' if self.nth is None else self.nth}{WEEKDAYS[self.day]}"


@attrs.frozen(kw_only=True, repr=False)
class Rule:
    """An RRULE of RFC 5545, sound by itself. ``until`` is inclusive; ``week_start`` None means Monday.

    Raises:
        InvalidRecurrence: RFC 5545 does not allow this combination (``invalid``).
    """

    freq: Frequency
    interval: int = 1
    by_month: tuple[int, ...] = ()
    by_week: tuple[int, ...] = ()
    by_year_day: tuple[int, ...] = ()
    by_month_day: tuple[int, ...] = ()
    by_day: tuple[NthDay, ...] = ()
    by_hour: tuple[int, ...] = ()
    by_minute: tuple[int, ...] = ()
    by_second: tuple[int, ...] = ()
    by_position: tuple[int, ...] = ()
    week_start: int | None = None
    count: int | None = None
    until: Moment | None = None

    def __attrs_post_init__(self) -> None:
        if self.freq not in get_args(Frequency):
            raise invalid("FREQ is one of DAILY, WEEKLY, MONTHLY, YEARLY, HOURLY, MINUTELY, SECONDLY")
        if not 1 <= self.interval <= _MOST:
            raise invalid(f"INTERVAL counts from 1 to {_MOST}")
        if self.count is not None and self.until is not None:
            raise invalid("a rule ends by COUNT or by UNTIL, not by both")
        if self.count is not None and not 1 <= self.count <= _MOST:
            raise invalid(f"COUNT counts from 1 to {_MOST}; to have no event at all, delete it")
        for member, part, least, most, from_end in _LISTS:
            for number in getattr(self, member):
                if not least <= (abs(number) if from_end else number) <= most:
                    raise invalid(f"{part} takes numbers from {least} to {most}{', or negative' if from_end else ''}")
        self._check_days()

    def _check_days(self) -> None:
        """Refuse what RFC 5545 3.3.10 forbids under the description of each BYxxx part."""
        if any(day.nth is not None for day in self.by_day):
            if not all(day.nth is None or 1 <= abs(day.nth) <= 53 for day in self.by_day):
                raise invalid("the number before a weekday of BYDAY is from 1 to 53, or negative")
            if self.freq not in {"MONTHLY", "YEARLY"} or self.by_week:
                raise invalid("numbered weekdays (2MO) belong in a MONTHLY rule, or a YEARLY one without BYWEEKNO")
        if self.by_month_day and self.freq == "WEEKLY":
            raise invalid("BYMONTHDAY does not go with WEEKLY; use MONTHLY or DAILY")
        if self.by_year_day and self.freq in {"DAILY", "WEEKLY", "MONTHLY"}:
            raise invalid("BYYEARDAY belongs in a YEARLY rule")
        if self.by_week and self.freq != "YEARLY":
            raise invalid("BYWEEKNO belongs in a YEARLY rule")
        if self.by_position and not any(
            (self.by_day, *(getattr(self, member) for member, part, *_ in _LISTS if part != "BYSETPOS"))
        ):
            raise invalid("BYSETPOS chooses among the dates of another BYxxx part; add one")

    @classmethod
    def parse(cls, text: str) -> Rule:
        """Read the value of an RRULE line; letters of either case, blanks around and one ``;`` at the end are fine.

        Raises:
            InvalidRecurrence: it is no rule of RFC 5545 (``invalid``).
        """
        parts: dict[str, str] = {}
        for part in text.strip().upper().removesuffix(";").split(";"):
            name, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals or name not in _READERS:
                raise invalid("a rule is made of parts like FREQ=WEEKLY;INTERVAL=2; one part of this is none")
            if name in parts:
                raise invalid(f"{name} stands twice; put its values into one list")
            parts[name] = value
        if "FREQ" not in parts:
            raise invalid("a rule needs FREQ: DAILY, WEEKLY, MONTHLY or YEARLY")
        read = {_READERS[name][0]: _READERS[name][1](name, value) for name, value in parts.items()}
        return cls(**read)  # type: ignore[arg-type]  # each reader gives what its member takes

    def __str__(self) -> str:
        """Write the value of the RRULE line, which ``parse`` reads back."""
        lists = {part: numbers(getattr(self, member)) for member, part, *_ in _LISTS}
        positions = lists.pop("BYSETPOS")
        parts = {
            "FREQ": self.freq,
            "INTERVAL": str(self.interval) if self.interval > 1 else "",
            **lists,
            "BYDAY": ",".join(map(str, self.by_day)),
            "BYSETPOS": positions,
            "WKST": "" if self.week_start is None else WEEKDAYS[self.week_start],
            "COUNT": "" if self.count is None else str(self.count),
            "UNTIL": "" if self.until is None else write_moment(self.until),
        }
        return ";".join(f"{name}={value}" for name, value in parts.items() if value)

    def __repr__(self) -> str:
        return f"Rule.parse({str(self)!r})"


def _whole(name: str, value: str) -> int:
    if not _NUMBER.fullmatch(value):
        raise invalid(f"{name} takes a whole number of at most nine digits")
    return int(value)


def _list(name: str, value: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(_whole(name, number.strip()) for number in value.split(",")))


def _days(_name: str, value: str) -> tuple[NthDay, ...]:
    found = [_NTH_DAY.fullmatch(day.strip()) for day in value.split(",")]
    return tuple(dict.fromkeys(_nth_day(day) for day in found))


def _nth_day(found: re.Match[str] | None) -> NthDay:
    if found is None:
        raise invalid("BYDAY takes weekdays like MO or 2TU or -1FR")
    return NthDay(WEEKDAYS.index(found["day"]), int(found["nth"]) if found["nth"] else None)


def _weekday(_name: str, value: str) -> int:
    if value not in WEEKDAYS:
        raise invalid("WKST is one of MO, TU, WE, TH, FR, SA, SU")
    return WEEKDAYS.index(value)


def _until(_name: str, value: str) -> dt.date | dt.datetime:
    return read_moment(value)


def _word(_name: str, value: str) -> str:
    return value


_READERS: dict[str, tuple[str, Callable[[str, str], object]]] = {
    "FREQ": ("freq", _word),
    "INTERVAL": ("interval", _whole),
    "COUNT": ("count", _whole),
    "UNTIL": ("until", _until),
    "BYDAY": ("by_day", _days),
    "WKST": ("week_start", _weekday),
    **{part: (member, _list) for member, part, *_ in _LISTS},
}
