"""The verbs that change events: create, update, delete, call off."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from mailkit import checks
from mailkit.checks import asked, instance, refuse
from mailkit.clients.desk import Desk
from mailkit.clients.windows import zone
from mailkit.fanout.calendars import PRIMARY, CalendarLike, EventLike
from mailkit.fanout.event_changes import create, delete, new_key, update
from mailkit.fanout.event_fields import People, Reminders, Repeats, event_fields, new_times, read_times
from mailkit.fanout.resolve import creator, item_ref
from mailkit.models import Event, EventChange, Note, ShowAs, Visibility
from mailkit.providers.calendar import Notify, Scope
from mailkit.sending import check_key
from mailkit.values import Ref, is_ref_text

__all__ = ["AsyncEventWriting"]


class AsyncEventWriting:
    """What a calendar client changes."""

    _desk: Desk

    async def create(
        self,
        title: str,
        start: dt.datetime | dt.date,
        end: dt.datetime | dt.date | None = None,
        *,
        duration: dt.timedelta | None = None,
        tz: str | ZoneInfo | dt.timezone | None = None,
        text: str | None = None,
        html: str | None = None,
        location: str | None = None,
        attendees: People | None = None,
        optional: People | None = None,
        rooms: People | None = None,
        recurrence: Repeats | None = None,
        reminders: Reminders | None = None,
        visibility: Visibility | None = None,
        show_as: ShowAs | None = None,
        online_meeting: bool | None = None,
        categories: str | Iterable[str] | None = None,
        color: str | None = None,
        wants_responses: bool | None = None,
        calendar: CalendarLike = PRIMARY,
        account: str | None = None,
        key: str | None = None,
        notify: Notify = "all",
        deadline: float | None = None,
    ) -> Event:
        """Create an event, once.

        ``start`` and ``end`` (or ``duration``) are both times or both dates; a date makes a whole day, and the end is
        not part of it. A naive time is one of ``tz``, else of the client's zone. ``recurrence`` is a ``Recurrence`` or
        lines of RFC 5545. ``attendees``, ``optional`` and ``rooms`` are addresses. ``reminders`` are minutes before the
        start; an empty list switches them off. ``online_meeting`` adds a Meet or Teams link. It is made in ``calendar``
        of ``account``, else of the default account, else of the only one. ``notify`` says who gets a mail. With a
        ``key`` the same call again gives the event of the first time. ``event.notes`` says what the provider lacks.

        Raises:
            UsageError: times, people or another value cannot be right; nothing was sent.
            InvalidRecurrence: the rule cannot be read, begins at a time with an offset and no zone, or cannot be held
                by the provider; ``code`` says which.
            AmbiguousAccount: several accounts, no default, and none named.
            PermissionMissing: the account may not change calendars.

        Example:
            ```python
            import datetime as dt

            from mailkit import AsyncCalendarClient
            from mailkit.testing import demo_accounts

            async with AsyncCalendarClient(demo_accounts(), tz="Europe/Berlin") as calendar:
                event = await calendar.create(
                    "Lunch",
                    dt.datetime(2026, 3, 17, 12, 30),
                    duration=dt.timedelta(hours=1),
                    attendees="Amy <amy@example.com>",
                    account="home",
                )
                print(event.start, event.ref)
            ```
        """
        operation = "calendar.create"
        with asked(operation):
            named = zone(self._desk, tz)
            first, last = read_times(start, end, duration, named)
            fields = event_fields(
                {
                    "title": instance(title, "title", str, "text"),
                    "text": text,
                    "html": html,
                    "location": location,
                    "attendees": attendees,
                    "optional": optional,
                    "rooms": rooms,
                    "recurrence": recurrence,
                    "reminders": reminders,
                    "visibility": visibility,
                    "show_as": show_as,
                    "online_meeting": online_meeting,
                    "categories": categories,
                    "color": color,
                    "wants_responses": wants_responses,
                },
                start=first,
                end=last,
                given=start,
                tz=named,
            )
            _check_notify(notify)
            if key is not None:
                check_key(key)
        where = _place(self._desk, calendar, account, operation)
        return await create(
            self._desk,
            where,
            fields,
            key=new_key(key, account=where.account),
            notify=notify,
            operation=operation,
            deadline=self._desk.deadline(deadline),
        )

    async def update(
        self,
        event: EventLike,
        *,
        title: str | None = None,
        start: dt.datetime | dt.date | None = None,
        end: dt.datetime | dt.date | None = None,
        duration: dt.timedelta | None = None,
        tz: str | ZoneInfo | dt.timezone | None = None,
        text: str | None = None,
        html: str | None = None,
        location: str | None = None,
        add_attendees: People | None = None,
        remove_attendees: People | None = None,
        set_attendees: People | None = None,
        recurrence: Repeats | None = None,
        reminders: Reminders | None = None,
        visibility: Visibility | None = None,
        show_as: ShowAs | None = None,
        online_meeting: bool | None = None,
        categories: str | Iterable[str] | None = None,
        color: str | None = None,
        wants_responses: bool | None = None,
        scope: Scope | None = None,
        etag: str | None = None,
        notify: Notify = "all",
        account: str | None = None,
        deadline: float | None = None,
    ) -> EventChange:
        """Change what is named of an event; everything else stays.

        ``start`` alone moves the event as long as it is; ``end`` or ``duration`` alone keeps its start.
        ``add_attendees`` and ``remove_attendees`` change who is invited and leave the others, their answers and the
        rooms as they are; ``set_attendees`` replaces everybody. ``scope`` is ``"this"`` (an occurrence alone, or a
        single event), ``"series"`` or ``"following"`` (this occurrence and those after it, as a series of their own);
        without it what ``event`` is. An empty list as ``recurrence`` makes a series one event. With the ``etag`` of an
        event that has changed since, nothing is changed. The result says who came and went.

        Raises:
            UsageError: a value cannot be right, nothing is named, or ``scope`` does not fit the event.
            InvalidRecurrence: the rule cannot be read, or held by the provider.
            Conflict: the event has changed since ``etag``.
            NotFound: there is no such event (any more).

        Example:
            ```python
            import datetime as dt

            from mailkit import AsyncCalendarClient
            from mailkit.testing import demo_accounts

            async with AsyncCalendarClient(demo_accounts(), tz="Europe/Berlin") as calendar:
                event = await calendar.create(
                    "Lunch", dt.datetime(2026, 3, 17, 12), duration=dt.timedelta(hours=1), account="home"
                )
                later = dt.datetime(2026, 3, 17, 13)
                change = await calendar.update(event, start=later, add_attendees="amy@example.com")
                print(change.event.start, change.added)
            ```
        """
        operation = "calendar.update"
        with asked(operation):
            named = zone(self._desk, tz)
            times = new_times(start, end, duration, named)
            fields = event_fields(
                {
                    "title": title,
                    "text": text,
                    "html": html,
                    "location": location,
                    "attendees": set_attendees,
                    "add_attendees": add_attendees,
                    "remove_attendees": remove_attendees,
                    "recurrence": recurrence,
                    "reminders": reminders,
                    "visibility": visibility,
                    "show_as": show_as,
                    "online_meeting": online_meeting,
                    "categories": categories,
                    "color": color,
                    "wants_responses": wants_responses,
                },
                start=times.start,
                end=times.end,
                given=start,
                tz=named,
            )
            _check_notify(notify)
            _check_scope(scope)
            if etag is not None:
                checks.text(etag, "etag", "the etag of an event, as it was given")
        ref = item_ref(event, "event", account=account, known=self._desk.names, operation=operation)
        return await update(
            self._desk,
            ref,
            fields,
            times=times,
            known=event if isinstance(event, Event) else None,
            scope=scope,
            etag=etag,
            notify=notify,
            operation=operation,
            deadline=self._desk.deadline(deadline),
        )

    async def delete(
        self,
        event: EventLike,
        *,
        scope: Scope | None = None,
        notify: Notify = "all",
        account: str | None = None,
        deadline: float | None = None,
    ) -> tuple[Note, ...]:
        """Delete an event, one occurrence, a series, or the rest of one; one that is gone already is fine.

        An event one invites to is called off. The notes say what the provider lacks.

        Raises:
            UsageError: the ref is no event's, or of another account, or ``scope`` does not fit the event.
            NotFound: with ``scope="following"``, where the occurrence is gone and those after it are not.

        Example:
            ```python
            import datetime as dt

            from mailkit import AsyncCalendarClient
            from mailkit.testing import demo_accounts

            async with AsyncCalendarClient(demo_accounts()) as calendar:
                event = await calendar.create("Holiday", dt.date(2026, 8, 3), dt.date(2026, 8, 17), account="home")
                print(await calendar.delete(event))
            ```
        """
        return await _ended(
            self._desk,
            event,
            None,
            scope=scope,
            notify=notify,
            account=account,
            deadline=deadline,
            operation="calendar.delete",
        )

    async def cancel(
        self,
        event: EventLike,
        comment: str = "",
        *,
        scope: Scope | None = None,
        notify: Notify = "all",
        account: str | None = None,
        deadline: float | None = None,
    ) -> tuple[Note, ...]:
        """Call off an event one invites to, and tell the others why; one that is gone already is fine.

        Google has no place for the comment: a note says that it is lost.

        Raises:
            UsageError: the ref is no event's, ``scope`` does not fit the event, or somebody else invites to it.

        Example:
            ```python
            import datetime as dt

            from mailkit import AsyncCalendarClient
            from mailkit.testing import demo_accounts

            async with AsyncCalendarClient(demo_accounts(), tz="Europe/Berlin") as calendar:
                event = await calendar.create(
                    "Lunch",
                    dt.datetime(2026, 3, 17, 12),
                    duration=dt.timedelta(hours=1),
                    attendees="amy@example.com",
                    account="work",
                )
                print(await calendar.cancel(event, "I am ill, sorry."))
            ```
        """
        operation = "calendar.cancel"
        with asked(operation):
            instance(comment, "comment", str, "text")
        return await _ended(
            self._desk,
            event,
            comment,
            scope=scope,
            notify=notify,
            account=account,
            deadline=deadline,
            operation=operation,
        )


async def _ended(
    desk: Desk,
    event: EventLike,
    comment: str | None,
    *,
    scope: Scope | None,
    notify: Notify,
    account: str | None,
    deadline: float | None,
    operation: str,
) -> tuple[Note, ...]:
    with asked(operation):
        _check_notify(notify)
        _check_scope(scope)
    return await delete(
        desk,
        item_ref(event, "event", account=account, known=desk.names, operation=operation),
        known=event if isinstance(event, Event) else None,
        scope=scope,
        notify=notify,
        comment=comment,
        operation=operation,
        deadline=desk.deadline(deadline),
    )


def _place(desk: Desk, calendar: CalendarLike, account: str | None, operation: str) -> Ref:
    """Give the calendar in which something is made."""
    if isinstance(calendar, str) and not is_ref_text(calendar):
        account = creator(account, desk.names, desk.default, operation=operation)
    return item_ref(calendar, "calendar", account=account, known=desk.names, operation=operation)


def _check_notify(notify: object) -> None:
    if notify not in ("all", "external", "none"):
        refuse(notify, "notify", "'all', 'external' or 'none'")


def _check_scope(scope: object) -> None:
    if scope not in (None, "this", "series", "following"):
        refuse(scope, "scope", "'this', 'series' or 'following'")
