"""Answers what is asked about calendars and their group, and makes, renames and deletes calendars.

Responsible for learn.microsoft.com/graph/api/user-list-calendars, calendar-get, user-post-calendars, calendar-update,
calendar-delete and user-list-calendargroups. Never judges permissions of a method: see ``service``.
"""

from __future__ import annotations

from typing import Any

from mailkit.sandbox.kept import Calendar
from mailkit.sandbox.microsoft import event_rendering
from mailkit.sandbox.microsoft.answers import Asked, collection, entity
from mailkit.sandbox.microsoft.event_reading import find_calendar
from mailkit.sandbox.microsoft.event_schema import CALENDAR, CALENDAR_GROUP
from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.matching import holds, sort
from mailkit.sandbox.microsoft.odata import parse_filter, parse_orderby
from mailkit.sandbox.microsoft.refusals import Refusal, bad_body, exists, forbidden, not_writable
from mailkit.sandbox.microsoft.selection import Selection, parse_select
from mailkit.sandbox.wire import SandboxResponse

__all__ = ["create_calendar", "delete_calendar", "get_calendar", "list_calendars", "list_groups", "update_calendar"]

_PAGE = 10
# resources/calendar, calendarColor
_COLOURS = (
    "auto",
    "lightBlue",
    "lightGreen",
    "lightOrange",
    "lightGray",
    "lightYellow",
    "lightTeal",
    "lightPink",
    "lightBrown",
    "lightRed",
    "maxColor",
)


def list_calendars(box: MicrosoftMailbox, asked: Asked) -> SandboxResponse:
    """Answer with the calendars of a mailbox, those that others share with it too."""
    selection = parse_select(asked.options.get("$select"), CALENDAR)
    rows = [_shown(box, asked, each) for each in box.calendars if not each.hidden]
    if "$filter" in asked.options:
        tree = parse_filter(asked.options["$filter"], CALENDAR)
        rows = [row for row in rows if holds(tree, row)]
    if "$orderby" in asked.options:
        rows = sort(rows, parse_orderby(asked.options["$orderby"], CALENDAR), CALENDAR, lambda row: row)
    return collection(asked, asked.context(box.address, "/calendars"), rows, selection.cut, size=_PAGE)


def get_calendar(box: MicrosoftMailbox, asked: Asked, key: str | None) -> SandboxResponse:
    """Answer with one calendar."""
    selection = parse_select(asked.options.get("$select"), CALENDAR)
    return entity(asked, box.address, "/calendars", selection.cut(_shown(box, asked, find_calendar(box, key))))


def list_groups(box: MicrosoftMailbox, asked: Asked) -> SandboxResponse:
    """Answer with the one group there is."""
    selection = parse_select(asked.options.get("$select"), CALENDAR_GROUP)
    rows = [event_rendering.calendar_group(box)]
    return collection(asked, asked.context(box.address, "/calendarGroups"), rows, selection.cut, size=_PAGE)


def create_calendar(box: MicrosoftMailbox, asked: Asked) -> SandboxResponse:
    """Make a calendar."""
    body = asked.body()
    fields = _fields(box, body)
    if "name" not in fields:
        raise bad_body("name")
    made = box.calendars.add(fields.pop("name"), **fields)
    return _answered(box, asked, made, 201)


def update_calendar(box: MicrosoftMailbox, asked: Asked, key: str | None) -> SandboxResponse:
    """Change a calendar's name or colour."""
    found = find_calendar(box, key)
    body = asked.body()
    if found.primary and "name" in body:
        raise not_writable("name")  # calendar-update: the default one keeps its name
    return _answered(box, asked, box.calendars.update(found, **_fields(box, body)))


def delete_calendar(box: MicrosoftMailbox, key: str | None) -> SandboxResponse:
    """Delete a calendar with all that stands in it; not the default one."""
    found = find_calendar(box, key)
    if found.primary:
        raise Refusal(403, "ErrorDeleteDistinguishedFolder", "Distinguished folders cannot be deleted.")
    if found.role != "owner":
        raise forbidden()
    box.calendars.remove(found.id)
    return SandboxResponse(status=204)


def _fields(box: MicrosoftMailbox, body: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in body.items():
        if name == "name" and isinstance(value, str) and value:
            if any(each.name.casefold() == value.casefold() for each in box.calendars):
                raise exists("ErrorFolderExists", "A folder")
            fields["name"] = value
        elif name == "color" and value in _COLOURS:
            fields["colour"] = value
        elif name in ("name", "color"):
            raise bad_body(name)
        elif "@" not in name:
            raise not_writable(name)
    return fields


def _shown(box: MicrosoftMailbox, asked: Asked, each: Calendar) -> dict[str, object]:
    return event_rendering.calendar(box, each, immutable=asked.preferences.immutable)


def _answered(box: MicrosoftMailbox, asked: Asked, each: Calendar, status: int = 200) -> SandboxResponse:
    item = Selection(entity=CALENDAR).cut(_shown(box, asked, each))
    return entity(asked, box.address, "/calendars", item, status)
