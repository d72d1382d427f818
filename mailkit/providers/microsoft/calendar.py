"""One account's calendars at Microsoft Graph.

The verbs stand in files of their own, each building on the one before: ``calendar_reading``, ``calendar_making``,
``calendar_answering``, ``calendar_changing``, ``schedule`` and ``rooms``. Never retries, paces or merges.
"""

from __future__ import annotations

from mailkit.providers.microsoft.rooms import OutlookRooms

__all__ = ["OutlookCalendarDriver"]


class OutlookCalendarDriver(OutlookRooms):
    """Calendars of one Microsoft account."""
