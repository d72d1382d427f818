"""The verbs that change calendars: which calendar, which key, and times that are moved as a whole."""

from __future__ import annotations

import hashlib
import secrets

import attrs

from mailkit.checks import asked
from mailkit.errors import NotFound, UsageError
from mailkit.fanout.calendars import Calendars
from mailkit.fanout.event_fields import NewTimes
from mailkit.fanout.flow import in_account
from mailkit.models.calendar import Event, EventChange
from mailkit.models.notes import Note
from mailkit.providers.calendar import CalendarDriver, EventFields, Notify, Scope
from mailkit.providers.guests import unmoved_notes
from mailkit.values import Ref

__all__ = ["create", "delete", "new_key", "scope_of", "update"]


def new_key(key: str | None, *, account: str) -> str:
    """Give 32 hex digits: the same for the same key and account, new ones without a key."""
    return secrets.token_hex(16) if key is None else hashlib.sha256(f"{account} {key}".encode()).hexdigest()[:32]


async def create(
    book: Calendars, where: Ref, fields: EventFields, *, key: str, notify: Notify, operation: str, deadline: float
) -> Event:
    """Create an event, once."""
    driver = book.calendar(where.account)

    async def work() -> Event:
        event, notes = await driver.create(where.id, fields, key=key, notify=notify)
        return attrs.evolve(event, notes=notes)

    return await in_account(book, where.account, work, operation=operation, deadline=deadline)


async def update(
    book: Calendars,
    ref: Ref,
    fields: EventFields,
    *,
    times: NewTimes,
    known: Event | None,
    scope: Scope | None,
    etag: str | None,
    notify: Notify,
    operation: str,
    deadline: float,
) -> EventChange:
    """Change an event, which keeps its start or its length where ``times`` leave them open.

    Without a scope an occurrence changes alone.

    Raises:
        UsageError: nothing is named, or ``scope`` or an end does not fit the event.
    """
    with asked(operation):
        if fields == EventFields() and times == NewTimes():
            raise UsageError("nothing is named that should change; pass title=, start= …", code="no_change")
        if known is not None:
            scope = scope_of(known, scope)
    driver = book.calendar(ref.account)

    async def work() -> EventChange:
        # How long it is now counts, not how long it was when somebody read it.
        current = await driver.event(ref.part or "", ref.id) if times.need_current or known is None else known
        part = scope_of(current, scope)
        new = attrs.evolve(fields, end=times.end_for(current.start, current.end)) if times.need_current else fields
        if part != "this" and times.names_start_alone:
            new = fields  # how long the others are is the provider's to say: clocks may change on this one's day
        change = await driver.update(ref.part or "", ref.id, new, scope=part, etag=etag, notify=notify)
        return attrs.evolve(change, notes=(*change.notes, *unmoved_notes(change, new)))

    return await in_account(book, ref.account, work, operation=operation, deadline=deadline)


async def delete(
    book: Calendars,
    ref: Ref,
    *,
    known: Event | None,
    scope: Scope | None,
    notify: Notify,
    comment: str | None,
    operation: str,
    deadline: float,
) -> tuple[Note, ...]:
    """Delete an event, or with a ``comment`` (which may be empty) call it off; one that is gone is fine.

    Raises:
        UsageError: ``scope`` does not fit the event, or somebody else invites to what is to be called off.
        NotFound: an occurrence is gone that was to be deleted with those following, which are not.
    """
    if known is not None:
        with asked(operation):
            _deletable(known, scope, comment)
    driver = book.calendar(ref.account)

    async def work() -> tuple[Note, ...]:
        try:
            # That an occurrence is gone says nothing of those after it.
            current = known if known and scope != "following" else await driver.event(ref.part or "", ref.id)
        except NotFound:
            if known is not None and await _goes_on(driver, known):
                raise NotFound(
                    "this occurrence is gone, and its series goes on; read the occurrences again, and name one of them",
                    code="occurrence_gone",
                ) from None
            return ()
        part = _deletable(current, scope, comment)
        at = current.series if part == "series" and current.series else ref
        return await driver.delete(at.part or "", at.id, scope=part, notify=notify, comment=comment)

    return await in_account(book, ref.account, work, operation=operation, deadline=deadline)


async def _goes_on(driver: CalendarDriver, occurrence: Event) -> bool:
    """Whether the series of an occurrence has others after it."""
    if (ref := occurrence.series) is None:
        return False
    try:
        series = await driver.event(ref.part or "", ref.id)
    except NotFound:
        return False
    due = occurrence.original_start or occurrence.start
    ended = series.recurrence and next(series.recurrence.between(series.start, after=due), None) is None
    return series.kind == "series" and series.status != "cancelled" and not ended


def scope_of(event: Event, scope: Scope | None) -> Scope:
    """Give the scope of a change; where nobody says, an occurrence alone, or a series where that is what is named.

    Raises:
        UsageError: the event is no series and no part of one, or a series of which one occurrence is meant.
    """
    if event.kind == "single" and scope not in (None, "this"):
        raise UsageError("this event is by itself and no part of a series; leave scope= out", code="bad_scope")
    if event.kind == "series" and scope == "this":
        raise UsageError(
            "this is the whole series; name one of its occurrences (see instances), or pass scope='series'",
            code="bad_scope",
        )
    return scope or ("series" if event.kind == "series" else "this")


def _deletable(event: Event, scope: Scope | None, comment: str | None) -> Scope:
    if comment is not None and not event.is_organizer:
        raise UsageError(
            "somebody else invites to this event; answer it with respond, or delete it from your own calendar",
            code="not_organizer",
        )
    return scope_of(event, scope)
