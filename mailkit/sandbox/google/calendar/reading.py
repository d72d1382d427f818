"""Events listed, expanded and looked up.

Sources: developers.google.com/workspace/calendar/api/v3/reference/events/list, .../instances, guides/sync.
"""

from __future__ import annotations

import base64
import datetime as dt
import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import attrs

from mailkit.sandbox.event import instant
from mailkit.sandbox.google.calendar.call import ROLES, Answers, CalendarCall, etag
from mailkit.sandbox.google.calendar.resource import busy_resource, event_resource
from mailkit.sandbox.google.calendar.times import read_moment, stamp
from mailkit.sandbox.google.labels import Json
from mailkit.sandbox.google.refusals import Refusal
from mailkit.sandbox.google.words import words
from mailkit.sandbox.kept import Calendar, KeptEvent

__all__ = ["ANSWERS", "reminders", "shown"]

_USUAL, _MOST = 250, 2500
_FIRST = dt.datetime(1000, 1, 1, tzinfo=dt.UTC)
# Google names no bound for series without an end in a list without one; here they are shown this far ahead.
_AHEAD = dt.timedelta(days=3 * 366)
# guides/sync, reference/events/list (syncToken): a list with one of these neither takes nor gives a sync token.
_NO_SYNC = (
    *("iCalUID", "orderBy", "privateExtendedProperty", "q", "sharedExtendedProperty", "timeMin", "timeMax"),
    "updatedMin",
)
# A window limits what a sync token stands for, and does not keep it from being given.
_GIVES_NO_TOKEN = tuple(name for name in _NO_SYNC if name not in ("timeMin", "timeMax"))


@attrs.frozen(kw_only=True)
class _Sync:
    """What a sync token stands for: the list as it was at one change of the account."""

    change: int
    single: bool
    start: str | None
    end: str | None


@attrs.frozen
class _Page:
    """Where a page begins: behind the row with this key, of the list as it was begun at ``change``."""

    after: tuple[str, str] | None
    change: int


def shown(call: CalendarCall, calendar: Calendar, kept: KeptEvent) -> Json:
    """Give an event as the person may see it."""
    zone = call.zone(calendar)
    private = kept.event.visibility in ("private", "confidential") and ROLES.index(calendar.role) < ROLES.index(
        "writer"
    )
    if private or not call.sees_all(calendar):
        return busy_resource(kept, zone)
    return event_resource(kept, calendar, call.calendars, zone, call.number("maxAttendees", 10_000, 10_000))


def reminders(calendar: Calendar) -> list[Json]:
    """Give the reminders events have that name none."""
    return [{"method": "popup", "minutes": minutes} for minutes in calendar.reminders]


def _get(call: CalendarCall) -> Json:
    calendar = call.calendar()
    return shown(call, calendar, call.event(calendar))


def _list(call: CalendarCall) -> Json:
    calendar = call.calendar()
    sync = _sync(call)
    single = call.flag("singleEvents")
    order = call.choice("orderBy", {"startTime": _by_start, "updated": _by_update}, _by_creation)
    if order is _by_start and not single:
        raise Refusal(400, "badRequest", "The requested ordering is not available for the particular query.")
    if sync is None:
        start, end = _window(call)
    else:
        start, end = (None if text is None else read_moment(text) for text in (sync.start, sync.end))
    found = _expanded(call, calendar, start, end) if single else _whole(call, calendar, start, end)
    tests = _tests(call)
    rows = [kept for kept in found if _is_listed(call, kept, sync, single=single) and all(test(kept) for test in tests)]
    page = _page(call)
    answer = _collection(call, calendar, rows, order, page)
    if "nextPageToken" not in answer and not any(call.one(name) is not None for name in _GIVES_NO_TOKEN):
        window = (sync.start, sync.end) if sync else (call.one("timeMin"), call.one("timeMax"))
        answer["nextSyncToken"] = _token([page.change, single, *window])
    return answer


def _instances(call: CalendarCall) -> Json:
    calendar = call.calendar()
    series = call.event(calendar)
    if not series.recurs:
        raise Refusal(400, "badRequest", "Bad Request")
    start, end = _window(call)
    found = call.calendars.occurrences(series, start or _FIRST, end or _far(call, calendar, start))
    rows = [kept for kept in found if call.flag("showDeleted") or not kept.cancelled]
    if (original := call.one("originalStart")) is not None:
        rows = [kept for kept in rows if _original(kept, calendar) in (original, _instant_of(original))]
    return _collection(call, calendar, rows, _by_start, _page(call))


# -- what is listed ----------------------------------------------------------------------------------------------------


def _window(call: CalendarCall) -> tuple[dt.datetime | None, dt.datetime | None]:
    start, end = call.instant("timeMin"), call.instant("timeMax")
    if start is not None and end is not None and end <= start:
        raise Refusal(400, "timeRangeEmpty", "The specified time range is empty.")
    return start, end


def _far(call: CalendarCall, calendar: Calendar, start: dt.datetime | None) -> dt.datetime:
    """Give the end of a list that names none: behind the last event, and some years of the series."""
    begun = [instant(kept.event.start, calendar.zone) for kept in call.calendars.events(calendar.id)]
    return max((max(call.request.now, start or call.request.now) + _AHEAD, *begun)) + dt.timedelta(seconds=1)


def _expanded(
    call: CalendarCall, calendar: Calendar, start: dt.datetime | None, end: dt.datetime | None
) -> list[KeptEvent]:
    return call.calendars.expand(calendar.id, start or _FIRST, end or _far(call, calendar, start))


def _whole(
    call: CalendarCall, calendar: Calendar, start: dt.datetime | None, end: dt.datetime | None
) -> list[KeptEvent]:
    """Give single events, series and kept-apart occurrences; a series when one of its occurrences is in the window."""
    kept = call.calendars.events(calendar.id)
    if start is None and end is None:
        return kept
    found = _expanded(call, calendar, start, end)
    within = {one.id for one in found} | {one.series for one in found}
    return [one for one in kept if one.id in within]


def _is_listed(call: CalendarCall, kept: KeptEvent, sync: _Sync | None, *, single: bool) -> bool:
    if sync is not None:
        return kept.change > sync.change
    if not kept.cancelled or call.flag("showDeleted") or call.one("updatedMin") is not None:
        return True
    # Those who expand series themselves have to know which occurrences are off.
    return kept.series is not None and not single


def _tests(call: CalendarCall) -> list[Callable[[KeptEvent], bool]]:
    tests: list[Callable[[KeptEvent], bool]] = []
    if (query := call.one("q")) is not None:
        wanted = set(words(query))
        tests.append(lambda kept: wanted <= _words(kept))
    if (uid := call.one("iCalUID")) is not None:
        tests.append(lambda kept: kept.uid == uid)
    if (since := call.instant("updatedMin")) is not None:
        tests.append(lambda kept: kept.updated >= since)
    if kinds := call.all("eventTypes"):
        tests.append(lambda kept: _event_type(kept) in kinds)
    for parameter, place in (("privateExtendedProperty", "private"), ("sharedExtendedProperty", "shared")):
        tests += [partial(_has_pair, place, pair) for pair in call.all(parameter)]
    return tests


def _event_type(kept: KeptEvent) -> str:
    """Give Google's type of an event."""
    return str(kept.event.properties.get("eventType", "outOfOffice" if kept.event.show_as == "away" else "default"))


def _words(kept: KeptEvent) -> set[str]:
    """Give the words a search looks at (reference/events/list, q)."""
    event = kept.event
    people = [guest.person for guest in event.guests] + ([event.organizer] if event.organizer else [])
    texts = (event.title, event.text or "", event.html or "", event.location)
    named = (text for person in people for text in (person.name, person.address))
    return {word for text in (*texts, *named) for word in words(text)}


def _has_pair(place: str, pair: str, kept: KeptEvent) -> bool:
    properties = kept.event.properties.get("extendedProperties")
    named = properties.get(place) if isinstance(properties, dict) else None
    return isinstance(named, dict) and any(pair == f"{name}={value}" for name, value in named.items())


def _original(kept: KeptEvent, calendar: Calendar) -> object:
    if kept.original is None:
        return None
    return instant(kept.original, calendar.zone) if isinstance(kept.original, dt.datetime) else str(kept.original)


def _instant_of(text: str) -> dt.datetime | None:
    return read_moment(text).astimezone(dt.UTC) if "T" in text else None


# -- orders and pages --------------------------------------------------------------------------------------------------


def _by_start(kept: KeptEvent, calendar: Calendar) -> tuple[str, str]:
    return stamp(instant(kept.event.start, calendar.zone)), kept.id


def _by_update(kept: KeptEvent, _calendar: Calendar) -> tuple[str, str]:
    return stamp(kept.updated), kept.id


def _by_creation(kept: KeptEvent, _calendar: Calendar) -> tuple[str, str]:
    return stamp(kept.created), kept.id


def _collection(
    call: CalendarCall,
    calendar: Calendar,
    rows: Iterable[KeptEvent],
    order: Callable[[KeptEvent, Calendar], tuple[str, str]],
    page: _Page,
) -> Json:
    size = call.number("maxResults", _USUAL, _MOST)
    keyed = sorted(((order(kept, calendar), kept) for kept in rows), key=lambda row: row[0])
    left = [row for row in keyed if page.after is None or row[0] > page.after]
    updated = max((kept.updated for kept in call.calendars.events(calendar.id)), default=call.request.now)
    answer: Json = {
        "kind": "calendar#events",
        "etag": etag(calendar),
        "summary": calendar.name,
        "updated": stamp(updated),
        "timeZone": call.zone(calendar).key,
        "accessRole": calendar.role,
        "defaultReminders": reminders(calendar),
        "items": [shown(call, calendar, kept) for _, kept in left[:size]],
    }
    if calendar.description:
        answer["description"] = calendar.description
    if len(left) > size:
        answer["nextPageToken"] = _token([*left[size - 1][0], page.change])
    return answer


def _page(call: CalendarCall) -> _Page:
    token = call.one("pageToken")
    if token is None:
        return _Page(None, call.calendars.change)
    match _untoken(token):
        case [str(key), str(id), int(change)]:
            return _Page((key, id), change)
    raise Refusal(400, "invalid", "Invalid page token value.")


def _sync(call: CalendarCall) -> _Sync | None:
    token = call.one("syncToken")
    if token is None:
        return None
    if any(call.one(name) is not None for name in _NO_SYNC) or call.one("showDeleted") == "false":
        raise Refusal(400, "badRequest", "Sync token cannot be used with other query restrictions.")
    match _untoken(token):
        case [int(change), bool(single), str() | None as start, str() | None as end]:
            pass
        case _:
            raise _resync()
    if single != call.flag("singleEvents"):
        raise Refusal(400, "badRequest", "Sync token was made with other parameters.")
    if change < call.calendars.expired_changes:
        raise _resync()
    return _Sync(change=change, single=single, start=start, end=end)


def _resync() -> Refusal:
    return Refusal(410, "fullSyncRequired", "Sync token is no longer valid, a full sync is required.")


def _token(parts: Sequence[object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(list(parts)).encode()).decode().rstrip("=")


def _untoken(token: str) -> object:
    try:
        return json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    except ValueError:
        return None


ANSWERS: Answers = {"events.list": _list, "events.get": _get, "events.instances": _instances}
