"""Guests of an event: Google's ``attendees`` ⇄ records, and guest lists that change without anybody's answer lost.

Pure. A patch replaces the whole list, and an entry that is sent without its answer is invited anew, so what Google gave
of a guest goes back as it came: https://developers.google.com/workspace/calendar/api/v3/reference/events (attendees)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from mailkit.mime.address_key import address_key
from mailkit.mime.headers import one_line
from mailkit.models.calendar import Attendee, AttendeeKind, Response
from mailkit.providers.calendar import EventFields, Unset
from mailkit.providers.wire import Wire, get_flag, get_objects, get_text
from mailkit.values import Address

__all__ = ["RESPONSES", "attendees_from_wire", "attendees_to_wire", "person_from_wire"]

RESPONSES: Mapping[Response, str] = {
    "none": "needsAction",
    "accepted": "accepted",
    "declined": "declined",
    "tentative": "tentative",
}
_READ: Mapping[str, Response] = {theirs: ours for ours, theirs in RESPONSES.items()}


def person_from_wire(item: Wire, path: str) -> Address | None:
    """Read a person; None where there is no address."""
    address = get_text(item, "email", path)
    return _person(get_text(item, "displayName", path), address) if address else None


def attendees_from_wire(item: Wire, path: str) -> tuple[Attendee, ...]:
    """Read the guests and rooms of an event."""
    found = [_attendee(each, f"{path}.attendees[{at}]") for at, each in enumerate(get_objects(item, "attendees", path))]
    return tuple([attendee for attendee in found if attendee is not None])


def _attendee(item: Wire, path: str) -> Attendee | None:
    address = person_from_wire(item, path)
    if address is None:
        return None
    kind: AttendeeKind = "required"
    if get_flag(item, "resource", path):
        kind = "room"
    elif get_flag(item, "optional", path):
        kind = "optional"
    return Attendee(
        address=address,
        kind=kind,
        response=_READ.get(get_text(item, "responseStatus", path), "none"),
        comment=get_text(item, "comment", path),
        is_self=get_flag(item, "self", path),
    )


@lru_cache(maxsize=1024)  # the same few people are in nearly all events of a calendar
def _person(name: str, address: str) -> Address:
    return Address(name=one_line(name), address=address)


def attendees_to_wire(fields: EventFields, there: Sequence[Wire]) -> list[dict[str, object]] | None:
    """Write the guest list that comes of the fields and of who is ``there``; None: it stays as it is.

    Addresses are compared without case. Who stays keeps all that Google knows of them; who is named again is not
    invited twice.
    """
    if isinstance(fields.attendees, Unset) and not fields.add_attendees and not fields.remove_attendees:
        return None
    # Who has no address is like nobody else: a place in the list stands for it.
    known = {address_key(str(each.get("email", ""))) or f"#{at}": dict(each) for at, each in enumerate(there)}
    if isinstance(fields.attendees, Unset):
        wanted = known
    else:
        wanted = {}
        for attendee in fields.attendees:
            key = address_key(attendee.address.address)
            wanted.setdefault(key, _written(attendee, known.get(key)))
    for attendee in fields.add_attendees:
        key = address_key(attendee.address.address)
        wanted.setdefault(key, known.get(key) or _written(attendee, None))
    removed = {address_key(each) for each in fields.remove_attendees}
    return [each for key, each in wanted.items() if key not in removed]


def _written(attendee: Attendee, known: dict[str, object] | None) -> dict[str, object]:
    """Write a guest; of one who is there already only whether they are needed may change."""
    if known is not None:
        kept = {name: value for name, value in known.items() if name != "optional"}
        return {**kept, **({"optional": True} if attendee.kind == "optional" else {})}
    made: dict[str, object] = {"email": attendee.address.address}
    if attendee.address.name:
        made["displayName"] = attendee.address.name
    if attendee.kind != "required":
        made["resource" if attendee.kind == "room" else "optional"] = True
    if attendee.response != "none":
        made["responseStatus"] = RESPONSES[attendee.response]
    if attendee.comment:
        made["comment"] = attendee.comment
    return made
