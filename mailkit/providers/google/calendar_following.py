"""A series at Google, cut in two: it ends before an occurrence, and goes on as another from there.

Google has no such request: the old series gets an end, and a new one is made. The new one is made first, so that
nothing is lost when a step fails; changed occurrences behind the cut, which Google forgets, are made again in it.
https://developers.google.com/workspace/calendar/api/guides/recurringevents#modify_all_following_instances
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence

import attrs

from mailkit.errors import MailkitError
from mailkit.models.calendar import Event, EventChange
from mailkit.providers.calendar import EventFields
from mailkit.providers.google import calendar_calls
from mailkit.providers.google.calendar_people import attendees_to_wire
from mailkit.providers.google.calendar_time import time_to_wire
from mailkit.providers.google.calendar_to_wire import event_to_wire, for_insert
from mailkit.providers.google.calendar_writing import Errand, GoogleCalendarWriting, series_of
from mailkit.providers.guests import with_difference
from mailkit.providers.series_changes import Halves, check_organizer, continued
from mailkit.providers.wire import Wire, as_object, get_list, get_needed_text, get_objects, get_text
from mailkit.recurrence import Moment
from mailkit.recurrence.moments import zone_of
from mailkit.scheduling import instant_of
from mailkit.values import Ref

# What an event is written with beside its times and its rule (reference/events). An occurrence may differ from its
# series in the first of these.
_CARRIED = ("summary", "description", "location", "colorId", "attendees", "reminders", "visibility", "transparency")
_TIMES = ("start", "end")
_COPIED = (
    *_CARRIED,
    *("guestsCanInviteOthers", "guestsCanModify", "guestsCanSeeOtherGuests"),
    *("extendedProperties", "attachments", "source"),
)


@attrs.frozen
class Apart:
    """An occurrence that is not as its series says, and when it was due."""

    item: Wire
    event: Event
    due: Moment

    @property
    def is_off(self) -> bool:
        """Whether it does not take place."""
        return self.event.status == "cancelled"


class GoogleCalendarFollowing(GoogleCalendarWriting):
    """An occurrence and all that follow it, changed or deleted."""

    async def _cut_off(self, errand: Errand, series: Event, cut: Halves) -> None:
        """Let a series end before a cut."""
        check_organizer(series)
        await self._ended(errand, series, cut, await self._apart(errand, series, cut.at))

    async def _continued(
        self, errand: Errand, whole: Wire, series: Event, cut: Halves, fields: EventFields
    ) -> EventChange:
        """Let a series end before a cut, and go on as another with the fields changed."""
        check_organizer(series)
        apart = await self._apart(errand, series, cut.at)
        key = secrets.token_hex(16)
        off = (each.due for each in apart if each.is_off)
        new = continued(fields, series, cut.at, cut.after, off, by_clock=False)
        times = attrs.evolve(fields, start=new.start, end=new.end, recurrence=new.recurrence)
        body, notes = event_to_wire(times, account=self.account.name, request_id=key)
        named = body.keys() - _TIMES
        people = attendees_to_wire(fields, get_objects(whole, "attendees", "$"))
        if people is not None:
            body["attendees"] = people
        made = await self._inserted(errand, key, for_insert({**_copied(whole, series, key), **body}))
        try:
            old = await self._ended(errand, series, cut, apart)
        except MailkitError as error:
            if error.had_no_effect:
                await self._deleted(errand.quietly, key)
            raise  # else both may be there, and nothing is lost
        carried: list[Ref] = []
        lost = list(new.lost)
        for each in apart:
            if each.is_off:
                continue  # a day that the new series leaves out, or is told to have no place for
            own = _differences(each, fields, {**whole, **body}, named)
            if times_of_own := new.own_times(each.event, each.due):
                own |= {name: time_to_wire(time) for name, time in zip(_TIMES, times_of_own, strict=True)}
            ref = await self._made_again(errand, key, each, new.due(each.due), own)
            if ref is None:
                lost.append(each.due)
            else:
                carried.append(ref)
        change = EventChange(
            event=await self._event(errand.operation, errand.calendar_id, made),
            old=await self._event(errand.operation, errand.calendar_id, old),
            carried=tuple(carried),
            lost=tuple(sorted(lost)),
            notes=notes,
        )
        return with_difference(change, series)

    async def _ended(self, errand: Errand, series: Event, cut: Halves, apart: Sequence[Apart]) -> Wire:
        """Let a series end before a cut, with what was changed behind it."""
        lines = list(cut.before.to_lines(series.start))
        # The second time it would be the first one's change that is in the way, so this is not repeated.
        patch = calendar_calls.event_patch(
            errand.operation,
            errand.calendar_id,
            series.ref.id,
            {"recurrence": lines},
            notify=errand.notify,
            etag=series.etag,
            repeat=False,
        )
        try:
            item = await self._object(patch)
        except MailkitError as error:
            if error.had_no_effect:
                raise
            item = await self._item(errand.operation, errand.calendar_id, series.ref.id)
            if list(get_list(item, "recurrence", "$")) != lines:
                raise
        for each in apart:
            if not each.is_off:
                await self._deleted(errand.quietly, each.event.ref.id)
        return item

    async def _apart(self, errand: Errand, series: Event, cut: Moment | None = None) -> list[Apart]:
        """Give the changed and cancelled occurrences that were due at a cut or behind it, in order; None: all."""
        call = calendar_calls.series_list(errand.operation, errand.calendar_id, series.ical_uid or "")
        found: list[Apart] = []
        async for page in self._pages(call):
            for at, member in enumerate(get_list(page, "items", "$")):
                item = as_object(member, f"$.items[{at}]")
                if series_of(item) == series.ref.id:
                    event = await self._event(errand.operation, errand.calendar_id, item)
                    found.append(Apart(item, event, event.original_start or event.start))
        zone = zone_of(series.start)
        behind = (each for each in found if cut is None or instant_of(each.due, zone) >= instant_of(cut, zone))
        return sorted(behind, key=lambda each: instant_of(each.due, zone))

    async def _made_again(
        self, errand: Errand, new_id: str, apart: Apart, due: Moment, body: dict[str, object]
    ) -> Ref | None:
        """Change an occurrence of the new series as that of the old one was; None where that cannot be."""
        operation, calendar_id = errand.operation, errand.calendar_id
        try:
            page = await self._object(calendar_calls.instance_due(operation, calendar_id, new_id, due))
            items = get_objects(page, "items", "$")
            if not items:
                return None
            instance_id = get_needed_text(items[0], "id", "$.items[0]")
            if body:
                patch = calendar_calls.event_patch(operation, calendar_id, instance_id, body, notify=errand.notify)
                await self._session.request(patch)
        except MailkitError:
            return None
        return attrs.evolve(apart.event.ref, id=instance_id)


def _copied(whole: Wire, series: Event, key: str) -> dict[str, object]:
    """Write a series again without its times; its conference is made anew, since one of another event may shut.

    reference/events, conferenceData: reusing a conference across events can cause access issues.
    """
    copied = {name: whole[name] for name in _COPIED if name in whole}
    if get_text(whole, "status", "$") == "tentative":
        copied["status"] = "tentative"
    if series.online_meeting is not None and series.online_meeting.kind == "meet":
        copied |= event_to_wire(EventFields(online_meeting=True), account="", request_id=key)[0]
    return copied


def _differences(apart: Apart, fields: EventFields, new: Wire, named: Collection[str]) -> dict[str, object]:
    """Write what a changed occurrence has of its own, but for what is named for all; guests are named to each list."""
    own = dict(apart.item)
    people = attendees_to_wire(fields, get_objects(own, "attendees", "$"))
    if people is not None:
        own["attendees"] = people
    return {name: own.get(name) for name in _CARRIED if name not in named and own.get(name) != new.get(name)}
