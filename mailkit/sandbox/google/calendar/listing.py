"""The list of calendars, calendars themselves, colours and settings.

Source: developers.google.com/workspace/calendar/api/v3/reference (calendarList, calendars, colors, settings).
"""

from __future__ import annotations

import base64

from mailkit.sandbox.google.calendar.call import ROLES, Answers, CalendarCall, etag
from mailkit.sandbox.google.calendar.reading import reminders
from mailkit.sandbox.google.calendar.times import read_zone
from mailkit.sandbox.google.labels import Json
from mailkit.sandbox.google.refusals import Refusal
from mailkit.sandbox.kept import Calendar

__all__ = ["ANSWERS"]

_USUAL, _MOST = 100, 250
# The palettes of colors.get; ids count from 1.
_CALENDAR_PALETTE = """
    ac725e d06b64 f83a22 fa573c ff7537 ffad46 42d692 16a765 7bd148 b3dc6c fbe983 fad165 92e1c0 9fe1e7 9fc6e7 4986e7
    9a9cff b99aff c2c2c2 cabdbf cca6ac f691b2 cd74e6 a47ae2
"""
_EVENT_PALETTE = "a4bdfc 7ae7bf dbadff ff887c fbd75b ffb878 46d6db e1e1e1 5484ed 51b749 dc2127"
_INK = "#1d1d1d"
_PRIMARY_COLOUR, _OTHER_COLOUR = "14", "17"


def _list(call: CalendarCall) -> Json:
    if call.one("syncToken") is not None and call.one("minAccessRole") is not None:
        raise Refusal(400, "badRequest", "Sync token cannot be used with minAccessRole.")
    least = call.choice("minAccessRole", {role: ROLES.index(role) for role in ROLES}, 0)
    rows = [
        calendar
        for calendar in call.calendars
        if (call.flag("showHidden") or not calendar.hidden) and ROLES.index(calendar.role) >= least
    ]
    if (since := call.one("syncToken")) is not None:
        rows = [calendar for calendar in call.calendars if calendar.change > _number(since)]
    begin = _number(call.one("pageToken") or _token(0))
    end = begin + call.number("maxResults", _USUAL, _MOST)
    more: Json = {"nextPageToken": _token(end)} if end < len(rows) else {"nextSyncToken": _token(call.calendars.change)}
    return {
        "kind": "calendar#calendarList",
        "etag": _collection_etag(call),
        **more,
        "items": [_entry(calendar) for calendar in rows[begin:end]],
    }


def _get_entry(call: CalendarCall) -> Json:
    return _entry(call.calendar())


def _entry(calendar: Calendar) -> Json:
    colour = calendar.colour or (_PRIMARY_COLOUR if calendar.primary else _OTHER_COLOUR)
    entry: Json = {
        "kind": "calendar#calendarListEntry",
        "etag": etag(calendar),
        "id": calendar.id,
        "summary": calendar.name,
        **_described(calendar),
        "timeZone": calendar.zone.key,
        "colorId": colour,
        "backgroundColor": f"#{_CALENDAR_PALETTE.split()[int(colour) - 1]}",
        "foregroundColor": "#000000",
        "accessRole": calendar.role,
        "defaultReminders": reminders(calendar),
        "conferenceProperties": {"allowedConferenceSolutionTypes": list(calendar.meetings)},
    }
    # Each of them is there only when it is so.
    for name, true in (("primary", calendar.primary), ("selected", calendar.selected), ("hidden", calendar.hidden)):
        if true:
            entry[name] = True
    if not calendar.primary:
        entry["dataOwner"] = calendar.owner.address
    return entry


def _described(calendar: Calendar) -> Json:
    texts: Json = {"description": calendar.description, "location": calendar.location}
    return {name: text for name, text in texts.items() if text}


# -- calendars themselves ----------------------------------------------------------------------------------------------


def _get(call: CalendarCall) -> Json:
    return _calendar(call.calendar())


def _insert(call: CalendarCall) -> Json:
    return _calendar(call.calendars.add(**_fields(call, None)))  # type: ignore[arg-type]  # name is among them


def _save(call: CalendarCall) -> Json:
    calendar = _owned(call)
    before = calendar if call.method.verb == "PATCH" else None
    return _calendar(call.calendars.update(calendar, **_fields(call, before)))


def _delete(call: CalendarCall) -> None:
    calendar = _owned(call)
    if calendar.primary:
        # reference/calendars/delete: the primary one can only be cleared
        raise Refusal(400, "cannotDeletePrimaryCalendar", "Cannot delete primary calendar.")
    call.calendars.remove(calendar.id)


def _owned(call: CalendarCall) -> Calendar:
    calendar = call.calendar()
    if calendar.role != "owner":
        raise Refusal(403, "requiredAccessLevel", "You need to have owner access to this calendar.")
    return calendar


def _fields(call: CalendarCall, before: Calendar | None) -> dict[str, object]:
    usual: Json = {}
    if before is not None:
        usual = {"summary": before.name, "timeZone": before.zone.key, **_described(before)}
    body = {name: value for name, value in {**usual, **call.body}.items() if value is not None}
    texts = {name: body.get(name, "") for name in ("summary", "description", "location")}
    if not texts["summary"]:
        raise Refusal(400, "required", "Missing title.")
    if not all(isinstance(text, str) for text in texts.values()):
        raise Refusal(400, "invalid", "Invalid Value")
    zone = read_zone(body["timeZone"]) if "timeZone" in body else call.calendars.zone
    return {"name": texts["summary"], "description": texts["description"], "location": texts["location"], "zone": zone}


def _calendar(calendar: Calendar) -> Json:
    return {
        "kind": "calendar#calendar",
        "etag": etag(calendar),
        "id": calendar.id,
        "summary": calendar.name,
        **_described(calendar),
        "timeZone": calendar.zone.key,
        "conferenceProperties": {"allowedConferenceSolutionTypes": list(calendar.meetings)},
        **({} if calendar.primary else {"dataOwner": calendar.owner.address}),
    }


# -- colours and settings ----------------------------------------------------------------------------------------------


def _colours(_call: CalendarCall) -> Json:
    def palette(colours: str) -> Json:
        return {str(n): {"background": f"#{one}", "foreground": _INK} for n, one in enumerate(colours.split(), 1)}

    return {
        "kind": "calendar#colors",
        "updated": "2012-02-14T00:00:00.000Z",
        "calendar": palette(_CALENDAR_PALETTE),
        "event": palette(_EVENT_PALETTE),
    }


def _settings(call: CalendarCall) -> list[Json]:
    values = {"timezone": call.calendars.zone.key, "locale": "en", "weekStart": "0", "format24HourTime": "true"}
    etag_ = _collection_etag(call)
    return [{"kind": "calendar#setting", "etag": etag_, "id": id, "value": value} for id, value in values.items()]  # noqa: A001  # the name of the thing


def _list_settings(call: CalendarCall) -> Json:
    token = _token(call.calendars.change)
    etag_ = _collection_etag(call)
    return {"kind": "calendar#settings", "etag": etag_, "items": _settings(call), "nextSyncToken": token}


def _get_setting(call: CalendarCall) -> Json:
    found = next((setting for setting in _settings(call) if setting["id"] == call.path["setting"]), None)
    if found is None:
        raise Refusal(404, "notFound", "Not Found")
    return found


def _collection_etag(call: CalendarCall) -> str:
    return f'"p{call.calendars.change:016x}"'


def _token(number: int) -> str:
    return base64.urlsafe_b64encode(f"list {number}".encode()).decode().rstrip("=")


def _number(token: str) -> int:
    try:
        word, number = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode().split()
        if word == "list":
            return int(number)
    except ValueError:
        pass
    raise Refusal(400, "invalid", "Invalid page token value.")


ANSWERS: Answers = {
    "calendarList.list": _list,
    "calendarList.get": _get_entry,
    "calendars.get": _get,
    "calendars.insert": _insert,
    "calendars.patch": _save,
    "calendars.update": _save,
    "calendars.delete": _delete,
    "colors.get": _colours,
    "settings.list": _list_settings,
    "settings.get": _get_setting,
}
