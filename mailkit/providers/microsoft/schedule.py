"""When people are taken, as Outlook tells: others by getSchedule, calendars of one's own by their events.

Responsible for the limits of getSchedule, for stitching its answers without a seam, and for what is not known: that is
said, and never taken for free.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence

from mailkit.errors import (
    BadPayload,
    MailkitError,
    NotFound,
    PermissionMissing,
    ProviderError,
    Unsupported,
)
from mailkit.mime.address_key import address_key
from mailkit.models.calendar import Busy, BusyStatus, Event, FreeBusy, ShowAs
from mailkit.providers.calendar import EventQuery
from mailkit.providers.microsoft.access import CALENDAR_READ, permitted
from mailkit.providers.microsoft.calendar_book import PRIMARY, UTC, in_utc
from mailkit.providers.microsoft.calendar_changing import OutlookCalendarChanging
from mailkit.providers.microsoft.calendar_time import instant_from_wire
from mailkit.providers.microsoft.mail_base import members
from mailkit.providers.wire import Wire, get_object, get_objects, get_text
from mailkit.scheduling import coalesced, instant_of
from mailkit.transport.call import Answer, Call

__all__ = ["OutlookSchedules"]

_OPERATION = "calendar.free_busy"
# https://learn.microsoft.com/graph/outlook-get-free-busy-schedule: 20 schedules at once; less than 62 days are taken
_PEOPLE = 20
_DAYS = dt.timedelta(days=61)

# https://learn.microsoft.com/graph/api/resources/scheduleitem; what is unknown to Outlook counts as taken
_STATUSES: Mapping[str, BusyStatus | None] = {
    "free": None,
    "tentative": "tentative",
    "oof": "away",
    "workingelsewhere": "elsewhere",
}
_SHOWN: Mapping[ShowAs, BusyStatus | None] = {
    "free": None,
    "tentative": "tentative",
    "busy": "busy",
    "away": "away",
    "elsewhere": "elsewhere",
}
# ResponseCodeType of Exchange Web Services, whose codes these are
_REASONS: Mapping[str, str] = {
    "ErrorMailRecipientNotFound": "not_found",
    "ErrorNonExistentMailbox": "not_found",
    "ErrorNoFreeBusyAccess": "no_access",
    "ErrorAccessDenied": "no_access",
    "ErrorResultSetTooBig": "too_many",
    "5006": "too_many",
}


class OutlookSchedules(OutlookCalendarChanging):
    """The verb that says when people are free."""

    async def free_busy(
        self, who: Sequence[str], start: dt.datetime, end: dt.datetime
    ) -> list[FreeBusy | MailkitError]:
        """Say when people, rooms or calendars (addresses or ids) are taken, in order.

        Where Graph has no schedules (a personal account), one's own calendar tells, and the others are unknown.
        """
        with permitted(self.account, _OPERATION, CALENDAR_READ):
            people = list(dict.fromkeys(each for each in who if "@" in each))
            found = await self._schedules(people, start, end)
            for each in dict.fromkeys(who):
                if each not in found:
                    found[each] = await self._own(each, each, start, end)
        return [found[each] for each in who]

    async def _schedules(
        self, people: Sequence[str], start: dt.datetime, end: dt.datetime
    ) -> dict[str, FreeBusy | MailkitError]:
        """Ask for schedules, twenty people and two months at a time."""
        groups = [people[at : at + _PEOPLE] for at in range(0, len(people), _PEOPLE)]
        spans = list(_spans(start, end))
        asked = [(group, span) for group in groups for span in spans]
        answers = await self._book.session.batch([self._call(*each) for each in asked]) if asked else []
        parts: dict[str, list[_Part]] = {each: [] for each in people}
        refused: dict[str, MailkitError] = {}
        for (group, _), answer in zip(asked, answers, strict=True):
            try:
                told = _told(answer)
            except MailkitError as error:
                refused |= dict.fromkeys(group, error)
                continue
            for each in group:
                parts[each].append(told.get(address_key(each), "no_answer"))
        found: dict[str, FreeBusy | MailkitError] = {}
        for each in people:
            refusal = refused.get(each)
            if refusal is None:
                found[each] = self._stitched(each, parts[each], start, end)
            elif _has_no_schedules(refusal):
                found[each] = await self._instead(each, start, end)
            else:
                found[each] = refusal
        return found

    def _call(self, people: Sequence[str], span: tuple[dt.datetime, dt.datetime]) -> Call:
        """Ask for some schedules: https://learn.microsoft.com/graph/api/calendar-getschedule."""
        first, last = ({"dateTime": _utc_text(moment), "timeZone": "UTC"} for moment in span)
        return Call(
            operation=_OPERATION,
            method="POST",
            url=f"{self._book.path}/calendar/getSchedule",
            json={"schedules": list(people), "startTime": first, "endTime": last},
            headers=in_utc(),
        )

    def _stitched(self, who: str, parts: Sequence[_Part], start: dt.datetime, end: dt.datetime) -> FreeBusy:
        """Put what was told of each span together; one span that is unknown makes all of it so."""
        reason = next((part for part in parts if isinstance(part, str)), None)
        if reason is not None:
            return FreeBusy(who=who, account=self.account.name, known=False, reason=reason)
        busy = [each for part in parts if not isinstance(part, str) for each in part]
        return FreeBusy(who=who, account=self.account.name, busy=_merged(busy, start, end))

    async def _instead(self, who: str, start: dt.datetime, end: dt.datetime) -> FreeBusy | MailkitError:
        if address_key(who) in await self._book.own_addresses(_OPERATION):
            return await self._own(who, PRIMARY, start, end)
        return FreeBusy(who=who, account=self.account.name, known=False, reason="unsupported")

    async def _own(self, who: str, calendar_id: str, start: dt.datetime, end: dt.datetime) -> FreeBusy | MailkitError:
        """Tell from the events of a calendar; whole days begin in the zone of ``start``."""
        tz = start.tzinfo or dt.UTC
        query = EventQuery(calendar_id=calendar_id, start=start, end=end, tz=tz, size=500)
        busy: list[Busy] = []
        try:
            async for page in self.events(query):
                if page.problems:
                    return FreeBusy(who=who, account=self.account.name, known=False, reason="unreadable")
                busy += _busy_of(page.events, tz)
        except MailkitError as error:
            return error
        return FreeBusy(who=who, account=self.account.name, busy=_merged(busy, start, end))


# What one answer tells of somebody: when they are taken, or why that is not known.
_Part = list[Busy] | str


def _told(answer: Answer | MailkitError) -> dict[str, _Part]:
    """Read one answer: by address what it tells.

    Raises:
        MailkitError: there is no answer, or nothing of it can be read.
    """
    if isinstance(answer, MailkitError):
        raise answer
    return {address_key(get_text(item, "scheduleId", "value")): _part(item) for item in members(answer)}


def _part(item: Wire) -> _Part:
    error = get_object(item, "error", "value")
    if error:
        code = get_text(error, "responseCode", "value.error")
        return _REASONS.get(code, code or "unknown")
    if "scheduleItems" not in item:
        return "no_answer"
    busy = []
    try:
        for at, each in enumerate(get_objects(item, "scheduleItems", "value")):
            path = f"value.scheduleItems[{at}]"
            status = _STATUSES.get(get_text(each, "status", path).casefold(), "busy")
            first, last = (instant_from_wire(each, name, path, UTC) for name in ("start", "end"))
            if status is not None:
                busy.append(Busy(start=first, end=last, status=status))
    except BadPayload:
        return "unreadable"
    return busy


def _busy_of(events: Iterable[Event], tz: dt.tzinfo) -> Iterable[Busy]:
    for event in events:
        status = _SHOWN[event.show_as]
        if status is not None:
            yield Busy(start=instant_of(event.start, tz), end=instant_of(event.end, tz), status=status)


def _merged(busy: Iterable[Busy], start: dt.datetime, end: dt.datetime) -> tuple[Busy, ...]:
    """Cut to the window; what overlaps or touches within a status becomes one."""
    by_status: dict[BusyStatus, list[tuple[float, float]]] = {}
    for each in busy:
        stretch = (max(each.start, start).timestamp(), min(each.end, end).timestamp())
        by_status.setdefault(each.status, []).append(stretch)
    joined = [
        Busy(start=dt.datetime.fromtimestamp(left, dt.UTC), end=dt.datetime.fromtimestamp(right, dt.UTC), status=status)
        for status, stretches in by_status.items()
        for left, right in coalesced(stretches)
    ]
    return tuple(sorted(joined, key=lambda each: (each.start, each.end, each.status)))


def _spans(start: dt.datetime, end: dt.datetime) -> Iterable[tuple[dt.datetime, dt.datetime]]:
    while start < end:
        yield (start, min(end, start + _DAYS))
        start += _DAYS


def _utc_text(moment: dt.datetime) -> str:
    return moment.astimezone(dt.UTC).replace(tzinfo=None).isoformat()


def _has_no_schedules(error: MailkitError) -> bool:
    """Whether Graph has no schedules for this account, as personal ones have none: the page of getSchedule says so."""
    return isinstance(error, PermissionMissing | Unsupported | NotFound) or type(error) is ProviderError
