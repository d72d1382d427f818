"""Who came to an event and who went, told alike by both drivers. Pure; knows no provider's JSON."""

from __future__ import annotations

import attrs

from mailkit.mime.address_key import address_key
from mailkit.models.calendar import Event, EventChange

__all__ = ["with_difference"]


def with_difference(change: EventChange, before: Event) -> EventChange:
    """Say in a change who came, who went and who is there as before."""
    was = {address_key(each.address.address): each for each in before.attendees}
    now = {address_key(each.address.address): each for each in change.event.attendees}
    added = tuple(each for key, each in now.items() if key not in was)
    removed = tuple(each for key, each in was.items() if key not in now)
    return attrs.evolve(
        change,
        added=added,
        removed=removed,
        unchanged=tuple(each for key, each in now.items() if key in was),
        rooms_booked=tuple(each for each in added if each.kind == "room"),
        rooms_released=tuple(each for each in removed if each.kind == "room"),
    )
