"""One account's calendars at Google.

Puts the verbs together: reading stands in ``calendar_reading``, making and deleting in ``calendar_writing`` and
``calendar_changes``, answering in ``calendar_answers``, free time in ``calendar_free_busy``. What JSON means stands in
``calendar_wire`` and ``calendar_to_wire``, which requests there are in ``calendar_calls``. Never retries, paces or
merges.
"""

from __future__ import annotations

from mailkit.providers.google.calendar_free_busy import GoogleCalendarFreeBusy

__all__ = ["GoogleCalendarDriver"]


class GoogleCalendarDriver(GoogleCalendarFreeBusy):
    """Calendars of one Google account."""
