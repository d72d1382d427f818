"""Events at Google, changed and deleted: one, one occurrence, or a whole series.

A change is a patch of what is named; a guest list is sent whole, and only as long as nobody else changed it meanwhile.
How a series is cut in two stands in ``calendar_following``.
https://developers.google.com/workspace/calendar/api/guides/recurringevents
"""

from __future__ import annotations

import secrets

import attrs

from mailkit.errors import Conflict, NotFound, Unsupported, UsageError
from mailkit.models.calendar import Event, EventChange
from mailkit.models.notes import Note
from mailkit.providers.calendar import EventFields, Notify, Scope, Unset
from mailkit.providers.google.access import EVENTS_WRITE, permitted
from mailkit.providers.google.calendar_calls import event_patch
from mailkit.providers.google.calendar_following import GoogleCalendarFollowing
from mailkit.providers.google.calendar_people import attendees_to_wire
from mailkit.providers.google.calendar_reading import gone
from mailkit.providers.google.calendar_to_wire import event_to_wire
from mailkit.providers.google.calendar_writing import Errand, comment_notes, series_of
from mailkit.providers.guests import with_difference
from mailkit.providers.series_changes import ending_at, for_series, halves
from mailkit.providers.wire import Wire, get_flag, get_objects, get_text

_TRIES = 4
"""How often a guest list is put together anew because somebody else changed it just then."""


class GoogleCalendarChanges(GoogleCalendarFollowing):
    """The verbs that change and delete."""

    async def update(
        self, calendar_id: str, event_id: str, fields: EventFields, *, scope: Scope, etag: str | None, notify: Notify
    ) -> EventChange:
        """Change the named fields of an event, an occurrence, or with ``scope`` of its series.

        The id of a series means the series, whatever the scope; times named with an occurrence move its series by as
        many days, to that time. Where the times of a series change, Google forgets its changed occurrences: they are
        told as ``lost``.

        Raises:
            Conflict: ``etag`` is given and the event has changed since.
            NotFound: there is no such event, or it was deleted.
            InvalidRecurrence: the series would not start on a day of its rule.
            UsageError: a rule for one occurrence, or the series cannot be cut here, or others organise it.
        """
        operation = "calendar.update"
        with permitted(self.account, operation, EVENTS_WRITE):
            item = await self._item(operation, calendar_id, event_id)
            if get_text(item, "status", "$") == "cancelled":
                raise gone(self.account.name, operation)
            if etag is not None and etag != get_text(item, "etag", "$"):
                raise _changed(self.account.name, operation)
            errand, series_id = Errand(operation, calendar_id, notify), series_of(item)
            if series_id and scope == "this":
                if not isinstance(fields.recurrence, Unset):
                    raise UsageError(
                        "one occurrence has no rule of its own; pass scope='series' or 'following'",
                        operation=operation,
                        code="bad_scope",
                    )
                return await self._patched(errand, item, fields, etag)
            whole = await self._item(operation, calendar_id, series_id) if series_id else item
            occurrence, series = [await self._event(operation, calendar_id, each) for each in (item, whole)]
            if series_id and scope == "following":
                due = occurrence.original_start or occurrence.start
                if (cut := halves(series, due)) is not None:
                    onto = ending_at(fields, occurrence, due, by_clock=False)
                    return await self._continued(errand, whole, series, cut, onto)
            guard = etag and series.etag
            if series.kind == "series":
                return await self._series_patched(errand, whole, occurrence, fields, guard)
            return await self._patched(errand, whole, fields, guard)

    async def delete(
        self, calendar_id: str, event_id: str, *, scope: Scope, notify: Notify, comment: str | None
    ) -> tuple[Note, ...]:
        """Delete an event, an occurrence, or with ``scope`` its series; what is gone already is fine.

        An invitation is declined by that. The id of a series means the series, whatever the scope.

        Raises:
            PermissionMissing: this account may not change events, or not those of this calendar.
            UsageError: the series cannot be cut here, or others organise it.
        """
        operation = "calendar.delete"
        with permitted(self.account, operation, EVENTS_WRITE):
            errand, series_id = Errand(operation, calendar_id, notify), ""
            try:
                if scope != "this":
                    item = await self._item(operation, calendar_id, event_id)
                    series_id = series_of(item)
                if series_id and scope == "following":
                    whole = await self._item(operation, calendar_id, series_id)
                    occurrence, series = [await self._event(operation, calendar_id, each) for each in (item, whole)]
                    due = occurrence.original_start or occurrence.start
                    if (cut := halves(series, due)) is not None:
                        await self._cut_off(errand, series, cut)
                        return comment_notes(self.account.name, comment)
                await self._deleted(errand, series_id or event_id)
            except NotFound:
                return ()
            return comment_notes(self.account.name, comment)

    async def _series_patched(
        self, errand: Errand, whole: Wire, occurrence: Event, fields: EventFields, etag: str | None
    ) -> EventChange:
        """Patch a series; at other times it forgets its changed occurrences, which are told, and keeps those off."""
        series = await self._event(errand.operation, errand.calendar_id, whole)
        named = (fields.start, fields.end, fields.recurrence)
        apart = () if all(isinstance(each, Unset) for each in named) else await self._apart(errand, series)
        off = (each.due for each in apart if each.is_off)
        new, lost = for_series(fields, occurrence, series, off, by_clock=False)
        change = await self._patched(errand, whole, new, etag)
        changed = [each for each in apart if not each.is_off]
        if changed:
            there = {each.event.ref for each in await self._apart(errand, change.event)}
            lost = (*lost, *(each.due for each in changed if each.event.ref not in there))
        return attrs.evolve(change, lost=tuple(sorted(lost)))

    async def _patched(self, errand: Errand, item: Wire, fields: EventFields, etag: str | None) -> EventChange:
        """Patch an event; a guest list that somebody changed meanwhile is read and put together anew."""
        operation, calendar_id = errand.operation, errand.calendar_id
        request_id, tries_left = secrets.token_hex(16), _TRIES
        while True:
            before = await self._event(operation, calendar_id, item)
            body, notes = event_to_wire(fields, account=self.account.name, request_id=request_id, current=before)
            people = attendees_to_wire(fields, get_objects(item, "attendees", "$"))
            if people is not None:
                if get_flag(item, "attendeesOmitted", "$"):
                    raise _too_many(self.account.name, operation)
                body["attendees"] = people
            if not body:
                break
            tries_left -= 1
            call = event_patch(
                operation,
                calendar_id,
                before.ref.id,
                body,
                notify=errand.notify,
                etag=before.etag if etag or people is not None else None,
                repeat=etag is None,  # the second time it would be the first one's change that is in the way
            )
            try:
                item = await self._object(call)
                break
            except Conflict:
                if etag or people is None or not tries_left:
                    raise
            item = await self._item(operation, calendar_id, before.ref.id)
        event = await self._event(operation, calendar_id, item)
        return with_difference(EventChange(event=event, notes=notes), before)


def _changed(account: str, operation: str) -> Conflict:
    return Conflict(
        "the event has changed since; read it again, then decide", account=account, operation=operation, code="changed"
    )


def _too_many(account: str, operation: str) -> Unsupported:
    return Unsupported(
        "Google does not list all guests of so large an event; invite a group instead, or change it in Google Calendar",
        account=account,
        operation=operation,
        code="attendees_omitted",
    )
