"""Which calendars a call concerns, and listing them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

import attrs

from mailkit.checks import asked, instance, refuse
from mailkit.errors import BadPayload, UsageError
from mailkit.fanout.flow import Clocked
from mailkit.fanout.listed import ListWork, listed
from mailkit.fanout.resolve import concerned, owner
from mailkit.models.calendar import Calendar, Event
from mailkit.models.results import Results
from mailkit.providers.calendar import CalendarDriver
from mailkit.values import Ref, is_ref_text

__all__ = [
    "PRIMARY",
    "CalendarLike",
    "Calendars",
    "EventLike",
    "calendar_ref",
    "calendars_concerned",
    "calendars_of",
    "event_ref",
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
                refs = [calendar_ref(each, account=None, known=known, operation=operation)]
            for ref in refs:
                found.setdefault(ref.account, []).append(ref.id)
        if not found:
            raise UsageError("calendars= names none; leave it out to read them all", code="bad_calendars")
    return {name: tuple(dict.fromkeys(ids)) for name, ids in found.items()}


def calendar_ref(calendar: object, *, account: str | None, known: Sequence[str], operation: str) -> Ref:
    """Give the ref of a calendar out of its record, its ref, the text of that, or the provider's id."""
    with asked(operation):
        ref: object = calendar if isinstance(calendar, Ref) else getattr(calendar, "ref", None)
        if isinstance(calendar, str):
            if is_ref_text(calendar):
                ref = Ref.parse(calendar)
            else:
                ref = Ref(account=owner(account, known), kind="calendar", id=calendar)
        return _checked(ref, "calendar", account, known)


def event_ref(event: object, *, account: str | None, known: Sequence[str], operation: str) -> Ref:
    """Give the ref of an event out of its record, its ref, or the text of that; its ``part`` is the calendar's id."""
    with asked(operation):
        ref: object = event if isinstance(event, Ref) else getattr(event, "ref", None)
        if isinstance(event, str):
            if not is_ref_text(event):
                raise UsageError("an event is named by its ref, not by a bare id", code="bad_ref")
            ref = Ref.parse(event)
        return _checked(ref, "event", account, known)


def _checked(ref: object, kind: str, account: str | None, known: Sequence[str]) -> Ref:
    if account is not None:
        instance(account, "account", str, "the name of an account")
    if not isinstance(ref, Ref):
        refuse(ref, kind, "a row, its ref, or the text of that", code="bad_ref")
    str(ref)  # refuses what was made by hand and cannot be sent
    if ref.kind != kind:
        raise UsageError(f"the ref must be that of the {kind}, and is of another kind: {ref.kind}", code="wrong_kind")
    if (ref.part is None) is (kind == "event") or not ref.id:
        raise UsageError("this ref lacks its part, or has one too many; pass it as it was given", code="bad_ref")
    if account is not None and account != ref.account:
        raise UsageError("the ref belongs to another account than account= names; leave that out", code="wrong_account")
    owner(ref.account, known)
    return ref
