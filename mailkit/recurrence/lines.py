"""The lines of a series, as iCalendar and Google's ``recurrence`` list have them, read and written.

RRULE, EXDATE and RDATE; the start is never among them. What cannot be kept is refused, never dropped: a driver that
only reads keeps the raw lines then.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from zoneinfo import ZoneInfo

import attrs

from mailkit.errors import InvalidRecurrence
from mailkit.recurrence.moments import UTC, Moment, fitted, read_moment, write_moment, zone_of
from mailkit.recurrence.rule import Rule, invalid
from mailkit.recurrence.zones import zone_named

__all__ = ["read_lines", "write_dates", "write_rule"]

_LINE = re.compile(
    r"\s*(?P<name>RRULE|EXRULE|RDATE|EXDATE)"
    r'(?P<params>(?:;[^=;:"]+=(?:"[^"]*"|[^";:]*))*)'
    r":(?P<value>.*)",
    re.IGNORECASE | re.DOTALL,
)
_PARAM = re.compile(r';([^=;:"]+)=(?:"([^"]*)"|([^";:]*))')


def read_lines(
    lines: Sequence[str], start: Moment | None, day_zone: ZoneInfo | None
) -> tuple[Rule, tuple[Moment, ...], tuple[Moment, ...]]:
    """Read the rule, the days taken out and the days added; all are of the start's kind where that is given."""
    rules: list[str] = []
    dates: dict[str, list[Moment]] = {"EXDATE": [], "RDATE": []}
    zone = None if start is None else zone_of(start, day_zone)
    for line in filter(str.strip, lines):
        found = _LINE.fullmatch(line)
        if found is None and ":" in line:
            raise invalid("a recurrence is made of RRULE, EXDATE and RDATE lines; its start (DTSTART) is the event's")
        name = found["name"].upper() if found else "RRULE"
        if name == "EXRULE":
            raise InvalidRecurrence("EXRULE is not supported; list the days to leave out as EXDATE", code="exrule")
        if found is None or name == "RRULE":
            rules.append(found["value"] if found else line)
        else:
            dates[name] += _read_dates(found["params"], found["value"], zone)
    if len(rules) != 1:
        raise (
            InvalidRecurrence("a series has one RRULE; make a series of each", code="multiple_rules")
            if rules
            else invalid("a series needs one RRULE line, for example RRULE:FREQ=WEEKLY")
        )
    rule = Rule.parse(rules[0])
    if isinstance(rule.until, dt.datetime) and start is not None and zone is not None:
        rule = attrs.evolve(rule, until=fitted(rule.until, start, zone))
    exdates, rdates = (
        tuple(_settled(moment, start, zone) for moment in dict.fromkeys(found)) for found in dates.values()
    )
    return rule, exdates, rdates


def _read_dates(params: str, value: str, zone: ZoneInfo | None) -> Iterator[Moment]:
    named = {name.strip().upper(): quoted or bare for name, quoted, bare in _PARAM.findall(params)}
    if named.get("VALUE", "").upper() == "PERIOD":
        raise InvalidRecurrence(
            "an added day with a length of its own (VALUE=PERIOD) is not supported; create a single event",
            code="rdate_period",
        )
    if tzid := named.get("TZID", "").lstrip("/"):
        zone = zone_named(tzid)
        if zone is None:
            raise InvalidRecurrence("the TZID is no known zone; use a name like Europe/Paris", code="unknown_zone")
    return (read_moment(text, zone) for text in value.split(","))


def _settled(moment: Moment, start: Moment | None, zone: ZoneInfo | None) -> Moment:
    """Leave no wall clock without its zone; a bare day of a timed series stays one, for it means all of the day."""
    if start is None or zone is None:
        if isinstance(moment, dt.datetime) and moment.tzinfo is None:
            raise InvalidRecurrence(
                "these lines hold times without a zone; pass the start of the series, which says it", code="no_start"
            )
        return moment
    return fitted(moment, start, zone) if isinstance(moment, dt.datetime) else moment


def write_rule(rule: Rule, start: Moment | None) -> str:
    """Write the RRULE line; where the start is known, UNTIL is of its kind, as RFC 5545 3.3.10 asks."""
    if rule.until is not None and start is not None:
        rule = attrs.evolve(rule, until=fitted(rule.until, start, zone_of(start)))
    return f"RRULE:{rule}"


def write_dates(name: str, moments: Iterable[Moment]) -> Iterator[str]:
    """Write EXDATE or RDATE lines: one for days, one for each zone, so that wall clocks survive a change of law."""
    kinds: dict[str, list[str]] = {}
    for moment in moments:
        if not isinstance(moment, dt.datetime):
            kinds.setdefault(f"{name};VALUE=DATE", []).append(write_moment(moment))
        elif (zone := zone_of(moment)).key in {None, UTC.key}:
            kinds.setdefault(name, []).append(write_moment(moment))
        else:
            kinds.setdefault(f"{name};TZID={zone.key}", []).append(write_moment(moment.replace(tzinfo=None)))
    return (f"{head}:{','.join(values)}" for head, values in kinds.items())
