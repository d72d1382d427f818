"""When people are busy, as Google tells, and what it does not tell of rooms.

https://developers.google.com/workspace/calendar/api/v3/reference/freebusy/query
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from mailkit.errors import BadPayload, MailkitError
from mailkit.models.calendar import Busy, FreeBusy, Room
from mailkit.models.notes import Note
from mailkit.providers.google import calendar_calls
from mailkit.providers.google.access import FREE_BUSY, permitted
from mailkit.providers.google.calendar_answers import GoogleCalendarAnswers
from mailkit.providers.google.calendar_time import next_second
from mailkit.providers.google.calendar_to_wire import note
from mailkit.providers.wire import Wire, as_object, get_instant, get_object, get_objects, get_text
from mailkit.scheduling import Stretch, coalesced
from mailkit.transport.call import Answer

_MOST_CALENDARS = 50  # the page above, calendarExpansionMax
_LONGEST = dt.timedelta(days=60)  # no page says so; longer spans are refused as timeRangeTooLong

_Found: TypeAlias = list[Stretch] | str | MailkitError
"""What one answer says of one person: when they are busy, why that is not known, or what went wrong."""

_REASONS: Mapping[str, str] = {"notFound": "not_found", "forbidden": "forbidden", "groupTooBig": "too_many"}


class GoogleCalendarFreeBusy(GoogleCalendarAnswers):
    """The verbs that look for a time and a place."""

    async def free_busy(
        self, who: Sequence[str], start: dt.datetime, end: dt.datetime
    ) -> list[FreeBusy | MailkitError]:
        """Say when people, rooms or calendars are taken, in order; who may not be looked at is unknown, not free.

        Any number and any span: 50 calendars and 60 days a request, asked for together.

        Raises:
            PermissionMissing: this account may not ask for free time.
        """
        operation = "calendar.free_busy"
        ids = list(dict.fromkeys(who))
        groups = [ids[at : at + _MOST_CALENDARS] for at in range(0, len(ids), _MOST_CALENDARS)]
        spans = list(_spans(start.replace(microsecond=0), next_second(end)))
        asked = [(group, span) for group in groups for span in spans]
        with permitted(self.account, operation, FREE_BUSY):
            answers = await self._session.batch(
                [calendar_calls.free_busy(operation, group, *span) for group, span in asked]
            )
            errors = [answer for answer in answers if isinstance(answer, MailkitError)]
            if errors and len(errors) == len(answers):
                raise errors[0]
        found: dict[str, list[_Found]] = {each: [] for each in ids}
        for (group, _), answer in zip(asked, answers, strict=True):
            for each in group:
                found[each].append(_found(answer, each))
        return [_joined(each, self.account.name, found[each]) for each in who]

    async def rooms(self, name: str) -> tuple[list[Room], tuple[Note, ...]]:  # noqa: ARG002  # there is nothing to ask
        """Give no rooms: only an administrator can list them (Admin SDK, resources.calendars/list)."""
        effect = "Google lists rooms for administrators alone; those of this account's own events are all there is"
        return [], (note(self.account.name, "history_only", "rooms", effect),)


def _spans(start: dt.datetime, end: dt.datetime) -> Iterator[tuple[dt.datetime, dt.datetime]]:
    """Cut a window into what may be asked for at once; where one part ends the next begins."""
    start, end = start.astimezone(dt.UTC), end.astimezone(dt.UTC)
    while end - start > _LONGEST:
        yield start, start + _LONGEST
        start += _LONGEST
    if start < end:
        yield start, end


def _found(answer: Answer | MailkitError, who: str) -> _Found:
    """Read what an answer says of one person."""
    if isinstance(answer, MailkitError):
        return answer
    try:
        calendars = get_object(as_object(answer.json(), "$"), "calendars", "$")
        if who not in calendars:  # a group, for one, whose members are told of instead
            return "not_told"
        item = get_object(calendars, who, "$.calendars")
        for error in get_objects(item, "errors", "$.calendars[]"):
            return _REASONS.get(get_text(error, "reason", "$.calendars[].errors[]"), "failed")
        return [_stretch(each) for each in get_objects(item, "busy", "$.calendars[]")]
    except BadPayload as problem:
        return problem


def _stretch(item: Wire) -> Stretch:
    path = "$.calendars[].busy[]"
    start, end = get_instant(item, "start", path), get_instant(item, "end", path)
    if start is None or end is None:
        raise BadPayload(f"expected a start and an end at {path}", path=path)
    return (start.timestamp(), end.timestamp())


def _joined(who: str, account: str, found: Sequence[_Found]) -> FreeBusy | MailkitError:
    """Put the parts of a window together; one part that is not known makes the whole unknown."""
    stretches: list[Stretch] = []
    for part in found:
        if isinstance(part, MailkitError):
            return part
        if isinstance(part, str):
            return FreeBusy(who=who, account=account, known=False, reason=part)
        stretches += part
    busy = (
        Busy(start=dt.datetime.fromtimestamp(start, dt.UTC), end=dt.datetime.fromtimestamp(end, dt.UTC))
        for start, end in coalesced(stretches)
    )
    return FreeBusy(who=who, account=account, busy=tuple(busy))
