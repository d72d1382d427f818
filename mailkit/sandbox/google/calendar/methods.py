"""Google Calendar's methods: where each lives, who may call it, what it takes. A table; it answers nothing.

Source: the discovery document of calendar v3. Not served: watching, access control, quickAdd and import, and changes of
the list of calendars.
"""

from __future__ import annotations

import re
from functools import cached_property
from urllib.parse import unquote

import attrs

from mailkit.sandbox.wire import SandboxRequest

__all__ = ["BASE", "METHODS", "CalendarMethod", "matching"]

BASE = "/calendar/v3"

_ALL = "calendar"
_CREATED = "calendar.app.created"
_LISTS = (_ALL, "calendar.calendarlist", "calendar.calendarlist.readonly", "calendar.readonly")
_READ_CALENDAR = (_ALL, _CREATED, "calendar.calendars", "calendar.calendars.readonly", "calendar.readonly")
_WRITE_CALENDAR = (_ALL, _CREATED, "calendar.calendars")
_WRITE = (_ALL, _CREATED, "calendar.events", "calendar.events.owned")
_READ = (
    *_WRITE,
    *("calendar.events.freebusy", "calendar.events.owned.readonly", "calendar.events.public.readonly"),
    *("calendar.events.readonly", "calendar.readonly"),
)
_COLOURS = (
    *(_CREATED, *_LISTS, "calendar.events.freebusy", "calendar.events.owned", "calendar.events.owned.readonly"),
    "calendar.events.public.readonly",
)
_SETTINGS = (_ALL, "calendar.readonly", "calendar.settings", "calendar.settings.readonly")

_SEEN = ("alwaysIncludeEmail", "maxAttendees", "timeZone")
_PAGE = ("maxResults", "pageToken")
_TOLD = ("sendNotifications", "sendUpdates")
_WRITTEN = (*_TOLD, "conferenceDataVersion", "eventLabelVersion", "maxAttendees", "supportsAttachments")
_LIST = (
    *_SEEN,
    *_PAGE,
    *("eventTypes", "iCalUID", "orderBy", "privateExtendedProperty", "sharedExtendedProperty", "q", "showDeleted"),
    *("showHiddenInvitations", "singleEvents", "syncToken", "timeMax", "timeMin", "updatedMin"),
)
_EVENT = (
    *("anyoneCanAddSelf", "attachments", "attendees", "attendeesOmitted", "birthdayProperties", "colorId"),
    *("conferenceData", "created", "creator", "description", "end", "endTimeUnspecified", "etag", "eventLabelId"),
    *("eventType", "extendedProperties", "focusTimeProperties", "gadget", "guestsCanInviteOthers", "guestsCanModify"),
    *("guestsCanSeeOtherGuests", "hangoutLink", "htmlLink", "iCalUID", "id", "kind", "location", "locked", "organizer"),
    *("originalStartTime", "outOfOfficeProperties", "privateCopy", "recurrence", "recurringEventId", "reminders"),
    *("sequence", "source", "start", "status", "summary", "transparency", "updated", "visibility"),
    "workingLocationProperties",
)
_CALENDAR = (
    *("autoAcceptInvitations", "conferenceProperties", "dataOwner", "description", "etag", "id", "kind"),
    *("labelProperties", "location", "summary", "timeZone", "workingHours"),
)
_BUSY = ("calendarExpansionMax", "groupExpansionMax", "items", "timeMax", "timeMin", "timeZone")


@attrs.frozen
class CalendarMethod:
    """One method; ``body`` names the fields its JSON may have, None: it takes none."""

    name: str
    verb: str
    path: str
    scopes: tuple[str, ...]
    parameters: tuple[str, ...] = ()
    body: tuple[str, ...] | None = None

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What its paths look like."""
        return re.compile(BASE + re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.path))


# fmt: off
METHODS = (
    CalendarMethod("calendarList.list", "GET", "/users/me/calendarList", _LISTS,
                   (*_PAGE, "minAccessRole", "showDeleted", "showHidden", "showOwnOrganizationOnly", "syncToken")),
    CalendarMethod("calendarList.get", "GET", "/users/me/calendarList/{calendar}", (*_LISTS, _CREATED)),

    CalendarMethod("calendars.get", "GET", "/calendars/{calendar}", _READ_CALENDAR),
    CalendarMethod("calendars.insert", "POST", "/calendars", _WRITE_CALENDAR, body=_CALENDAR),
    CalendarMethod("calendars.patch", "PATCH", "/calendars/{calendar}", _WRITE_CALENDAR, body=_CALENDAR),
    CalendarMethod("calendars.update", "PUT", "/calendars/{calendar}", _WRITE_CALENDAR, body=_CALENDAR),
    CalendarMethod("calendars.delete", "DELETE", "/calendars/{calendar}", _WRITE_CALENDAR),

    CalendarMethod("events.list", "GET", "/calendars/{calendar}/events", _READ, _LIST),
    CalendarMethod("events.get", "GET", "/calendars/{calendar}/events/{event}", _READ, _SEEN),
    CalendarMethod("events.instances", "GET", "/calendars/{calendar}/events/{event}/instances", _READ,
                   (*_SEEN, *_PAGE, "originalStart", "showDeleted", "timeMax", "timeMin")),
    CalendarMethod("events.insert", "POST", "/calendars/{calendar}/events", _WRITE, _WRITTEN, body=_EVENT),
    CalendarMethod("events.patch", "PATCH", "/calendars/{calendar}/events/{event}", _WRITE,
                   (*_WRITTEN, "alwaysIncludeEmail"), body=_EVENT),
    CalendarMethod("events.update", "PUT", "/calendars/{calendar}/events/{event}", _WRITE,
                   (*_WRITTEN, "alwaysIncludeEmail"), body=_EVENT),
    CalendarMethod("events.delete", "DELETE", "/calendars/{calendar}/events/{event}", _WRITE, _TOLD),
    CalendarMethod("events.move", "POST", "/calendars/{calendar}/events/{event}/move",
                   (_ALL, "calendar.events", "calendar.events.owned"), ("destination", *_TOLD)),

    CalendarMethod("freebusy.query", "POST", "/freeBusy",
                   (_ALL, "calendar.events.freebusy", "calendar.freebusy", "calendar.readonly"), body=_BUSY),
    CalendarMethod("colors.get", "GET", "/colors", _COLOURS),
    CalendarMethod("settings.list", "GET", "/users/me/settings", _SETTINGS, (*_PAGE, "syncToken")),
    CalendarMethod("settings.get", "GET", "/users/me/settings/{setting}", _SETTINGS),
)
# fmt: on


def matching(request: SandboxRequest) -> tuple[CalendarMethod, dict[str, str]] | None:
    """Find the method a request means, with the pieces of its path."""
    for method in METHODS:
        if method.verb == request.method and (found := method.pattern.fullmatch(request.path)):
            return method, {name: unquote(value) for name, value in found.groupdict().items()}
    return None
