"""Who is invited to an event at Outlook: merging names into what is there. Pure.

A guest's whole object is sent back as it came, since Graph replaces the list: answers, rooms and kinds stay.
https://learn.microsoft.com/graph/api/event-update, at attendees
"""

from __future__ import annotations

from collections.abc import Sequence

from mailkit.mime.address_key import address_key
from mailkit.models.calendar import Attendee
from mailkit.providers.calendar import UNSET, EventFields
from mailkit.providers.microsoft.calendar_wire import attendee_from_wire
from mailkit.providers.microsoft.event_to_wire import attendee_to_wire
from mailkit.providers.wire import Wire

__all__ = ["merged", "names_people"]


def names_people(fields: EventFields) -> bool:
    """Whether a change is about who is invited."""
    return fields.attendees is not UNSET or bool(fields.add_attendees or fields.remove_attendees)


def merged(there: Sequence[Wire], fields: EventFields) -> list[Wire]:
    """Give the list of attendees as it is to be: each address once, whatever its capitals.

    Raises:
        BadPayload: an attendee that is there cannot be read.
    """
    # Who has no address is like nobody else: a place in the list stands for it.
    known = {_key(item) or f"#{at}": item for at, item in enumerate(there)}
    if fields.attendees is UNSET:
        wanted = dict(known)
    else:
        wanted = {}
        for attendee in fields.attendees:
            key = address_key(attendee.address.address)
            same = known.get(key)
            wanted.setdefault(key, attendee_to_wire(attendee) if same is None else {**same, **_kind(attendee)})
    for attendee in fields.add_attendees:
        wanted.setdefault(address_key(attendee.address.address), attendee_to_wire(attendee))
    for address in fields.remove_attendees:
        wanted.pop(address_key(address), None)
    return list(wanted.values())


def _key(item: Wire) -> str:
    return address_key(attendee_from_wire(item, "attendees").address.address)


def _kind(attendee: Attendee) -> Wire:
    return {"type": attendee_to_wire(attendee)["type"]}
