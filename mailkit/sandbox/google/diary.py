"""A Google account's calendars: ids, UIDs and names as Google makes them. It answers no request."""

from __future__ import annotations

import base64

from mailkit.sandbox.calendars import Calendars
from mailkit.sandbox.event import Event
from mailkit.sandbox.invitations import Invitation

__all__ = ["GoogleCalendars"]

_UID = "@google.com"


class GoogleCalendars(Calendars):
    """The calendars of a Google account; occurrences are named as the base class does, which is Google's way."""

    expired_changes: int = 0
    """Sync tokens made before this change of the account are no longer taken; see ``expire_sync_tokens``."""

    def expire_sync_tokens(self) -> None:
        """Let every sync token given out so far be answered with 410."""
        self._count_change()
        self.expired_changes = self.change

    def _usual(self) -> dict[str, object]:
        return {"meetings": ("hangoutsMeet",), "reminders": (10,)}

    def _primary_name(self) -> str:
        return self.own_addresses[0]

    def _new_calendar_id(self) -> str:
        return f"c_{self._token('calendar')}@group.calendar.google.com"

    def _new_event_id(self, event: Event) -> str:
        # What comes in under a UID of somebody else's is named after it, in base32hex.
        return self._named(event.uid) if event.uid else self._token("event")

    def _invited_id(self, invitation: Invitation) -> str:
        # One event has the same id in the calendars of all Google accounts (guides/concepts/sharing, reference/events).
        return self._named(invitation.uid)

    def _named(self, uid: str) -> str:
        if uid.endswith(_UID):
            return uid.removesuffix(_UID)
        return "_" + base64.b32hexencode(uid.encode()).decode().rstrip("=").lower()

    def _uid(self, id: str) -> str:  # noqa: A002  # the name of the thing
        return f"{id}{_UID}"
