"""Who came to an event and who went or did not, told alike of both providers. Pure; knows no provider's JSON."""

from __future__ import annotations

import attrs

from mailkit.mime.address_key import address_key
from mailkit.models.calendar import Event, EventChange
from mailkit.models.notes import Note
from mailkit.providers.calendar import EventFields, Unset

__all__ = ["unmoved_notes", "with_difference"]


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


def unmoved_notes(change: EventChange, fields: EventFields) -> tuple[Note, ...]:
    """Say that the guests are not those asked for, where somebody else decides who is invited."""
    event = change.event
    there = {address_key(each.address.address) for each in event.attendees}
    named = () if isinstance(fields.attendees, Unset) else fields.attendees
    asked = {address_key(each.address.address) for each in (*named, *fields.add_attendees)}
    if event.is_organizer or (asked <= there and not fields.remove_attendees & there):
        return ()
    effect = "who invites to this event decides who else is invited; the guests are not all as asked for"
    return (Note(account=event.account, code="not_organizer", term="attendees", effect=effect),)
