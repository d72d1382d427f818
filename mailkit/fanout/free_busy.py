"""When people are free, asked of every account that may know, and rooms they could meet in."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from attrs import evolve

from mailkit.checks import asked, refuse
from mailkit.errors import AccessError, MailkitError, NotFound
from mailkit.fanout.calendars import PRIMARY, Calendars
from mailkit.fanout.flow import Work, fan_out, raise_if_all_failed
from mailkit.mime.address_key import address_key
from mailkit.mime.recipients import Recipients, read_recipients
from mailkit.models.calendar import Busy, BusyStatus, FreeBusy, Room
from mailkit.models.notes import Failure, Note
from mailkit.models.results import Results
from mailkit.providers.calendar import CalendarDriver, EventQuery
from mailkit.scheduling import coalesced
from mailkit.values import Address

__all__ = ["OnUnreadable", "free_busy", "people_asked", "rooms"]

OnUnreadable: TypeAlias = Literal["raise", "note"]
"""What happens when somebody's calendar cannot be read."""

_UNREADABLE = (
    "no account may look into the calendars of {} of those asked about: unknown (known=False), which is not free"
)
_PAGE = 1_000
_HISTORY = dt.timedelta(days=180)


def people_asked(people: Recipients, *, me: bool, operation: str) -> tuple[str, ...]:
    """Give the addresses asked about, each once.

    Raises:
        UsageError: there is none, or one is no address.
    """
    with asked(operation):
        found: dict[str, str] = {}
        for each in read_recipients(people, "people"):
            found.setdefault(address_key(each.address), each.address)
        if not found and not me:
            refuse(people, "people", "the addresses of one or several people or rooms", code="bad_people")
    return tuple(found.values())


async def free_busy(
    book: Calendars,
    names: Sequence[str],
    people: Sequence[str],
    *,
    me: bool,
    start: dt.datetime,
    end: dt.datetime,
    tz: dt.tzinfo,
    on_error: OnUnreadable,
    operation: str,
    deadline: float,
) -> Results[FreeBusy]:
    """Give the busy time of each, in order, and with ``me`` that of each account's own main calendar before them.

    Instants are in ``tz``.

    Every account is asked about everybody; somebody is known as soon as one account may look, and what several know is
    put together.

    Raises:
        NotFound: ``on_error`` is ``"raise"`` and somebody's calendar cannot be read; where an account failed, who may
            have known, that error itself.
    """
    who = ((PRIMARY,) if me else ()) + tuple(people)

    def work(name: str) -> Work[list[FreeBusy | MailkitError]]:
        return lambda: book.calendar(name).free_busy(who, start, end)

    outcomes = await fan_out(
        {name: work(name) for name in names}, operation=operation, clock=book.clock, deadline=deadline
    )
    failures = raise_if_all_failed(outcomes, operation=operation)
    answers = {name: outcome for name, outcome in outcomes.items() if not isinstance(outcome, MailkitError)}
    failures += _unanswered(answers)
    rows = [_own(name, outcome) for name, outcome in outcomes.items() if me]
    for at, person in enumerate(people, start=1 if me else 0):
        found = [(name, answer[at]) for name, answer in answers.items()]
        rows.append(_merged(person, found))
    unknown = [row for row in rows if not row.known]
    if unknown and on_error == "raise":
        if failures:
            raise failures[0].error
        raise NotFound(
            f"the calendars of {len(unknown)} of those asked for cannot be read; ask without them, or pass "
            'on_error="note"',
            operation=operation,
            code="unreadable",
        )
    notes = (Note(code="unreadable", effect=_UNREADABLE.format(len(unknown))),) if unknown else ()
    return Results(rows=tuple(_in_zone(row, tz) for row in rows), failures=failures, notes=notes)


def _in_zone(row: FreeBusy, tz: dt.tzinfo) -> FreeBusy:
    busy = (evolve(each, start=each.start.astimezone(tz), end=each.end.astimezone(tz)) for each in row.busy)
    return evolve(row, busy=tuple(busy))


def _unanswered(answers: Mapping[str, Sequence[FreeBusy | MailkitError]]) -> tuple[Failure, ...]:
    """Give the accounts that could not ask about somebody, which is something else than that they may not look."""
    errors = {
        name: error
        for name, answer in answers.items()
        for error in reversed(answer)
        if isinstance(error, MailkitError) and not isinstance(error, AccessError | NotFound)
    }
    return tuple(Failure(account=name, error=error) for name, error in errors.items())


def _own(account: str, outcome: list[FreeBusy | MailkitError] | MailkitError) -> FreeBusy:
    found = _merged(PRIMARY, [(account, outcome if isinstance(outcome, MailkitError) else outcome[0])])
    return evolve(found, who=PRIMARY, account=account)


def _merged(who: str, found: Sequence[tuple[str, FreeBusy | MailkitError]]) -> FreeBusy:
    """Put together what several accounts know of one person."""
    known = [(name, each) for name, each in found if isinstance(each, FreeBusy) and each.known]
    if not known:
        reasons = [each.reason if isinstance(each, FreeBusy) else each.code or "failed" for _, each in found]
        account = found[0][0] if found else ""
        return FreeBusy(who=who, account=account, known=False, reason=next(filter(None, reasons), None))
    if len(known) == 1:
        return known[0][1]
    busy = [each for _, one in known for each in one.busy]
    return FreeBusy(who=who, account=known[0][0], busy=_joined(busy))


def _joined(busy: Iterable[Busy]) -> tuple[Busy, ...]:
    by_status: dict[BusyStatus, list[tuple[float, float]]] = {}
    for each in busy:
        by_status.setdefault(each.status, []).append((each.start.timestamp(), each.end.timestamp()))
    joined = [
        Busy(start=dt.datetime.fromtimestamp(left, dt.UTC), end=dt.datetime.fromtimestamp(right, dt.UTC), status=status)
        for status, stretches in by_status.items()
        for left, right in coalesced(stretches)
    ]
    return tuple(sorted(joined, key=lambda each: (each.start, each.end)))


async def rooms(
    book: Calendars, names: Sequence[str], name: str, *, now: dt.datetime, operation: str, deadline: float
) -> Results[Room]:
    """Give rooms whose name or address holds ``name``: those used within half a year first, most used first."""

    def work(account: str) -> Work[tuple[list[Room], tuple[Note, ...]]]:
        return lambda: _rooms_of(book.calendar(account), name, now)

    outcomes = await fan_out(
        {account: work(account) for account in names}, operation=operation, clock=book.clock, deadline=deadline
    )
    failures = raise_if_all_failed(outcomes, operation=operation)
    answers = [outcome for outcome in outcomes.values() if not isinstance(outcome, MailkitError)]
    found = sorted(
        (room for rows, _ in answers for room in rows),
        key=lambda room: (-room.uses, room.address.name.casefold(), room.address.address),
    )
    notes = tuple(note for _, notes in answers for note in notes)
    return Results(rows=tuple(found), failures=failures, notes=notes)


async def _rooms_of(driver: CalendarDriver, name: str, now: dt.datetime) -> tuple[list[Room], tuple[Note, ...]]:
    account = driver.account.name
    listed, notes = await driver.rooms(name)
    query = EventQuery(calendar_id=PRIMARY, start=now - _HISTORY, end=now + _HISTORY, tz=dt.UTC, size=_PAGE)
    uses: Counter[str] = Counter()
    seen: dict[str, Address] = {}
    async for page in driver.events(query):
        for event in page.events:
            for attendee in event.attendees:
                if attendee.kind == "room":
                    key = address_key(attendee.address.address)
                    uses[key] += 1
                    seen.setdefault(key, attendee.address)
    rooms = {address_key(room.address.address): room for room in listed}
    wanted = name.casefold()
    for key, address in seen.items():
        if wanted in f"{address.name} {address.address}".casefold():
            rooms.setdefault(key, Room(account=account, address=address))
    return [evolve(room, uses=uses[key]) for key, room in rooms.items()], notes
