"""The fields of Calendar's answers, for ``fields=``. A table; see ``mailkit.sandbox.google.fields``."""

from __future__ import annotations

from mailkit.sandbox.google.fields import Shape, leaves

__all__ = ["SHAPES"]

_TIME = leaves("date", "dateTime", "timeZone")
_PERSON = leaves("id", "email", "displayName", "self")
_REMINDER = leaves("method", "minutes")
_CONFERENCE: Shape = {
    **leaves("conferenceId", "signature", "notes"),
    "createRequest": {
        "requestId": {},
        "conferenceSolutionKey": leaves("type"),
        "status": leaves("statusCode"),
    },
    "entryPoints": leaves("entryPointType", "uri", "label", "pin", "accessCode", "meetingCode", "passcode", "password"),
    "conferenceSolution": {**leaves("name", "iconUri"), "key": leaves("type")},
}
_EVENT: Shape = {
    **leaves("anyoneCanAddSelf", "attendeesOmitted", "colorId", "created", "description", "endTimeUnspecified", "etag"),
    **leaves("eventType", "guestsCanInviteOthers", "guestsCanModify", "guestsCanSeeOtherGuests", "hangoutLink"),
    **leaves("htmlLink", "iCalUID", "id", "kind", "location", "locked", "privateCopy", "recurrence", "gadget"),
    **leaves("recurringEventId", "sequence", "status", "summary", "transparency", "updated", "visibility"),
    **leaves("birthdayProperties", "focusTimeProperties", "outOfOfficeProperties", "workingLocationProperties"),
    **dict.fromkeys(("start", "end", "originalStartTime"), _TIME),
    **dict.fromkeys(("creator", "organizer"), _PERSON),
    "attendees": {
        **_PERSON,
        **leaves("organizer", "resource", "optional", "responseStatus", "comment"),
        "additionalGuests": {},
    },
    "attachments": leaves("fileId", "fileUrl", "iconLink", "mimeType", "title"),
    "conferenceData": _CONFERENCE,
    "extendedProperties": leaves("private", "shared"),
    "reminders": {"useDefault": {}, "overrides": _REMINDER},
    "source": leaves("title", "url"),
}
_PAGE = leaves("kind", "etag", "nextPageToken", "nextSyncToken")
_EVENTS: Shape = {
    **_PAGE,
    **leaves("summary", "description", "updated", "timeZone", "accessRole"),
    "defaultReminders": _REMINDER,
    "items": _EVENT,
}
_CALENDAR: Shape = {
    **leaves("kind", "etag", "id", "summary", "description", "location", "timeZone", "dataOwner"),
    "conferenceProperties": leaves("allowedConferenceSolutionTypes"),
}
_ENTRY: Shape = {
    **_CALENDAR,
    **leaves("summaryOverride", "colorId", "backgroundColor", "foregroundColor", "selected", "hidden", "primary"),
    **leaves("accessRole", "deleted", "notificationSettings"),
    "defaultReminders": _REMINDER,
}
_SETTING = leaves("kind", "etag", "id", "value")
SHAPES: dict[str, Shape] = {
    "calendarList.list": {**_PAGE, "items": _ENTRY},
    "calendarList.get": _ENTRY,
    **dict.fromkeys(("calendars.get", "calendars.insert", "calendars.patch", "calendars.update"), _CALENDAR),
    **dict.fromkeys(("events.list", "events.instances"), _EVENTS),
    **dict.fromkeys(("events.get", "events.insert", "events.patch", "events.update", "events.move"), _EVENT),
    "freebusy.query": leaves("kind", "timeMin", "timeMax", "calendars", "groups"),
    "colors.get": leaves("kind", "updated", "calendar", "event"),
    "settings.list": {**_PAGE, "items": _SETTING},
    "settings.get": _SETTING,
}
