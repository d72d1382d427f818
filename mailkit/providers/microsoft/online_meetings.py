"""Online meetings of Outlook's events: what is to be written so that there is one, where the calendar allows it."""

from __future__ import annotations

from mailkit.models.notes import Note
from mailkit.providers.calendar import UNSET, EventFields
from mailkit.providers.microsoft.calendar_book import CalendarBook, in_utc
from mailkit.providers.wire import Wire, get_list
from mailkit.transport.call import Call

__all__ = ["meeting_to_wire"]

_TEAMS = "teamsForBusiness"


async def meeting_to_wire(
    book: CalendarBook, operation: str, calendar_id: str, fields: EventFields
) -> tuple[Wire, tuple[Note, ...]]:
    """Write whether an event is an online meeting, with Teams before what else the calendar allows.

    https://learn.microsoft.com/graph/api/resources/calendar, at allowedOnlineMeetingProviders
    """
    if fields.online_meeting is UNSET:
        return {}, ()
    if not fields.online_meeting:
        return {"isOnlineMeeting": False}, ()
    call = Call(
        operation=operation,
        url=book.calendar_url(calendar_id),
        query=(("$select", "allowedOnlineMeetingProviders"),),
        headers=in_utc(),
    )
    allowed = [str(each) for each in get_list(await book.object(call), "allowedOnlineMeetingProviders", "$")]
    usable = [each for each in allowed if each.casefold() != "unknown"]
    if not usable:
        effect = "this calendar allows no online meetings, so the event has no link"
        return {}, (Note(code="no_online_meeting", effect=effect),)
    return {"isOnlineMeeting": True, "onlineMeetingProvider": _TEAMS if _TEAMS in usable else usable[0]}, ()
