"""Which calendars a call concerns, and listing them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

import attrs

from mailkit.checks import asked, refuse
from mailkit.errors import BadPayload, UsageError
from mailkit.fanout.flow import Clocked
from mailkit.fanout.listed import ListWork, listed
from mailkit.fanout.resolve import concerned, item_ref
from mailkit.models.calendar import Calendar, Event
from mailkit.models.results import Results
from mailkit.providers.calendar import CalendarDriver
from mailkit.values import Ref, is_ref_text

__all__ = [
    "PRIMARY",
    "CalendarLike",
    "Calendars",
    "EventLike",
    "calendars_concerned",
    "calendars_of",
    "list_calendars",
]

PRIMARY = "primary"
"""Stands for an account's main calendar at both providers, in every ref: else an event would have two."""

CalendarLike: TypeAlias = Calendar | Ref | str
EventLike: TypeAlias = Event | Ref | str


class Calendars(Clocked, Protocol):
    """The accounts a client works on: their names in order, a driver for each, and the clock they share."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the accounts, in order."""
        ...

    def calendar(self, name: str) -> CalendarDriver:
        """Give the calendar driver of an account."""
        ...


async def list_calendars(
    book: Calendars, accounts: str | Iterable[str] | None, *, deadline: float
) -> Results[Calendar]:
    """Give every account's calendars, account by account."""
    operation = "calendar.calendars.list"
    names = concerned(accounts, book.names, operation=operation)

    def calendars(name: str) -> ListWork[Calendar]:
        return lambda: calendars_of(book.calendar(name))

    return await listed(
        {name: calendars(name) for name in names}, operation=operation, clock=book.clock, deadline=deadline
    )


async def calendars_of(driver: CalendarDriver) -> tuple[list[Calendar], list[BadPayload]]:
    """Give an account's calendars, the main one under its one name, and what could not be read."""
    found, problems = await driver.calendars()
    named = [attrs.evolve(each, ref=attrs.evolve(each.ref, id=PRIMARY)) if each.is_primary else each for each in found]
    return named, problems


def calendars_concerned(
    calendars: CalendarLike | Iterable[CalendarLike] | None,
    accounts: str | Iterable[str] | None,
    known: Sequence[str],
    *,
    operation: str,
) -> Mapping[str, tuple[str, ...] | None]:
    """Give the calendar ids by account; None: all of that account's.

    Raises:
        UnknownAccount: a name is not known.
        UsageError: something is no calendar.
    """
    if calendars is None or calendars == PRIMARY:
        return dict.fromkeys(concerned(accounts, known, operation=operation), None if calendars is None else (PRIMARY,))
    with asked(operation):
        if accounts is not None:
            raise UsageError("calendars= names its accounts; leave accounts= out", code="bad_accounts")
        listed = [calendars] if isinstance(calendars, Calendar | Ref | str) else calendars
        if not isinstance(listed, Iterable):
            refuse(calendars, "calendars", "'primary', a calendar, its ref, or a list of those")
        found: dict[str, list[str]] = {}
        for each in listed:
            if each == PRIMARY:
                refs = [Ref(account=name, kind="calendar", id=PRIMARY) for name in known]
            elif isinstance(each, str) and not is_ref_text(each) and len(known) > 1:
                raise UsageError(
                    "a calendar is named by its record or ref, as calendars.list() gives them; pass one of those",
                    code="bad_calendars",
                )
            else:
                refs = [item_ref(each, "calendar", account=None, known=known, operation=operation)]
            for ref in refs:
                found.setdefault(ref.account, []).append(ref.id)
        if not found:
            raise UsageError("calendars= names none; leave it out to read them all", code="bad_calendars")
    return {name: tuple(dict.fromkeys(ids)) for name, ids in found.items()}
