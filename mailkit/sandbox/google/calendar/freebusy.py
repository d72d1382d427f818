"""When people are busy. Source: developers.google.com/workspace/calendar/api/v3/reference/freebusy/query."""

from __future__ import annotations

import datetime as dt

from mailkit.sandbox.event import ShowAs
from mailkit.sandbox.google.calendar.call import CalendarCall
from mailkit.sandbox.google.calendar.times import moment, read_moment, read_zone
from mailkit.sandbox.google.labels import Json
from mailkit.sandbox.google.refusals import Refusal
from mailkit.sandbox.invitations import CalendarPost

__all__ = ["query"]

_MOST_CALENDARS, _MOST_MEMBERS = 50, 100
# Nothing the reference says: longer spans are refused in the field.
_LONGEST = dt.timedelta(days=60)
_Span = tuple[dt.datetime, dt.datetime]


def query(call: CalendarCall, post: CalendarPost) -> Json:
    """Answer freebusy.query; a calendar that cannot be seen has an error instead of an empty list."""
    start, end = (_instant(call, name) for name in ("timeMin", "timeMax"))
    if end <= start:
        raise Refusal(400, "timeRangeEmpty", "The specified time range is empty.")
    if end - start > _LONGEST:
        raise Refusal(400, "timeRangeTooLong", "The requested time range is too long.")
    most = _limit(call, "calendarExpansionMax", _MOST_CALENDARS)
    _limit(call, "groupExpansionMax", _MOST_MEMBERS)
    zone = read_zone(call.body.get("timeZone", "UTC"))
    answer: Json = {}
    for number, id in enumerate(_ids(call), 1):  # noqa: A001  # the name of the thing
        found = _engagements(call, post, id, start, end)
        if number > most:
            answer[id] = _failed("tooManyCalendarsRequested")
        elif found is None:
            answer[id] = _failed("notFound")
        else:
            spans = _joined(
                [(max(begin, start), min(until, end)) for begin, until, show_as in found if show_as != "free"]
            )
            answer[id] = {"busy": [{"start": moment(a, zone), "end": moment(b, zone)} for a, b in spans]}
    return {
        "kind": "calendar#freeBusy",
        "timeMin": moment(start, dt.UTC),
        "timeMax": moment(end, dt.UTC),
        "calendars": answer,
    }


def _engagements(
    call: CalendarCall,
    post: CalendarPost,
    id: str,  # noqa: A002  # the name of the thing
    start: dt.datetime,
    end: dt.datetime,
) -> list[tuple[dt.datetime, dt.datetime, ShowAs]] | None:
    """Give what fills the time of a calendar of one's own, or of a person who lets one see it."""
    calendars = call.calendars
    own = calendars.get(calendars.primary_id if id == "primary" else id)
    if own is not None:
        return calendars.engagements(start, end, own.id)
    person = post.of(id, near=calendars)
    if person is None or person.provider != calendars.provider or not person.shows_busy_to(call.box.address):
        return None
    return person.engagements(start, end)


def _joined(spans: list[_Span]) -> list[_Span]:
    """Join spans that overlap or touch."""
    joined: list[_Span] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((start, end))
    return joined


def _failed(reason: str) -> Json:
    return {"errors": [{"domain": "global", "reason": reason}], "busy": []}


def _instant(call: CalendarCall, name: str) -> dt.datetime:
    value = call.body.get(name)
    if value is None:
        raise Refusal(400, "required", f"Missing {name} parameter.")
    return read_moment(str(value))


def _limit(call: CalendarCall, name: str, most: int) -> int:
    value = call.body.get(name)
    value = most if value is None else value
    if not isinstance(value, int) or not 0 < value <= most:
        raise Refusal(400, "invalid", f"Invalid value for: {name}")
    return value


def _ids(call: CalendarCall) -> list[str]:
    items = call.body.get("items", [])
    if not isinstance(items, list) or not all(isinstance(item, dict) and item.get("id") for item in items):
        raise Refusal(400, "required", "Required")
    return [str(item["id"]) for item in items]
