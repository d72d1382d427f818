"""The properties Graph v1.0 knows on events, calendars, their groups and rooms, and what each can be used for.

Responsible for names and kinds alone (learn.microsoft.com/graph/api/resources/event, calendar, calendargroup, room).
"""

from __future__ import annotations

from mailkit.sandbox.microsoft.schema import Entity

__all__ = ["CALENDAR", "CALENDAR_GROUP", "EVENT", "ROOM"]

EVENT = Entity(
    name="microsoft.graph.event",
    properties=frozenset(
        (
            "id",
            "categories",
            "changeKey",
            "createdDateTime",
            "lastModifiedDateTime",
            "allowNewTimeProposals",
            "attendees",
            "body",
            "bodyPreview",
            "cancelledOccurrences",
            "end",
            "hasAttachments",
            "hideAttendees",
            "iCalUId",
            "importance",
            "isAllDay",
            "isCancelled",
            "isDraft",
            "isOnlineMeeting",
            "isOrganizer",
            "isReminderOn",
            "location",
            "locations",
            "onlineMeeting",
            "onlineMeetingProvider",
            "onlineMeetingUrl",
            "organizer",
            "originalEndTimeZone",
            "originalStart",
            "originalStartTimeZone",
            "recurrence",
            "reminderMinutesBeforeStart",
            "responseRequested",
            "responseStatus",
            "sensitivity",
            "seriesMasterId",
            "showAs",
            "start",
            "subject",
            "transactionId",
            "type",
            "webLink",
        )
    ),
    # resources/event: "Returned only on $select in a Get operation which specifies the ID of a series master event."
    on_request=frozenset(("cancelledOccurrences",)),
    navigation=frozenset(("calendar", "exceptionOccurrences")),
    comparable={
        "subject": "string",
        "bodyPreview": "string",
        "start/dateTime": "moment",
        "end/dateTime": "moment",
        "createdDateTime": "datetime",
        "lastModifiedDateTime": "datetime",
        "isAllDay": "boolean",
        "isCancelled": "boolean",
        "isOrganizer": "boolean",
        "isOnlineMeeting": "boolean",
        "hasAttachments": "boolean",
        "importance": "enum",
        "sensitivity": "enum",
        "showAs": "enum",
        "type": "enum",
        "iCalUId": "string",
        "seriesMasterId": "string",
        "location/displayName": "string",
        "organizer/emailAddress/address": "string",
    },
    enums={
        "importance": ("low", "normal", "high"),
        "sensitivity": ("normal", "personal", "private", "confidential"),
        "showAs": ("unknown", "free", "tentative", "busy", "oof", "workingElsewhere"),
        "type": ("singleInstance", "occurrence", "exception", "seriesMaster"),
    },
    collections=frozenset(("categories",)),
)

CALENDAR = Entity(
    name="microsoft.graph.calendar",
    properties=frozenset(
        (
            "id",
            "allowedOnlineMeetingProviders",
            "canEdit",
            "canShare",
            "canViewPrivateItems",
            "changeKey",
            "color",
            "defaultOnlineMeetingProvider",
            "hexColor",
            "isDefaultCalendar",
            "isRemovable",
            "isTallyingResponses",
            "name",
            "owner",
        )
    ),
    comparable={"name": "string", "canEdit": "boolean", "isDefaultCalendar": "boolean"},
)

CALENDAR_GROUP = Entity(
    name="microsoft.graph.calendarGroup", properties=frozenset(("id", "changeKey", "classId", "name"))
)

ROOM = Entity(
    name="microsoft.graph.room",
    properties=frozenset(
        (
            "id",
            "address",
            "audioDeviceName",
            "bookingType",
            "building",
            "capacity",
            "displayDeviceName",
            "displayName",
            "emailAddress",
            "floorLabel",
            "floorNumber",
            "geoCoordinates",
            "isWheelChairAccessible",
            "label",
            "nickname",
            "phone",
            "placeId",
            "tags",
            "videoDeviceName",
        )
    ),
    comparable={"displayName": "string", "emailAddress": "string", "building": "string", "capacity": "number"},
)
