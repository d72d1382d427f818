"""The clients: the verbs as methods, async, and sync through the portal."""

from __future__ import annotations

from mailkit.clients.async_attachments import AsyncAttachments
from mailkit.clients.async_calendar import AsyncCalendarClient
from mailkit.clients.async_calendars import AsyncCalendars
from mailkit.clients.async_drafts import AsyncDrafts
from mailkit.clients.async_labels import AsyncLabels
from mailkit.clients.async_mail import AsyncMailClient
from mailkit.clients.sync_attachments import Attachments
from mailkit.clients.sync_calendar import CalendarClient
from mailkit.clients.sync_calendars import Calendars
from mailkit.clients.sync_drafts import Drafts
from mailkit.clients.sync_labels import Labels
from mailkit.clients.sync_mail import MailClient

__all__ = [
    "AsyncAttachments",
    "AsyncCalendarClient",
    "AsyncCalendars",
    "AsyncDrafts",
    "AsyncLabels",
    "AsyncMailClient",
    "Attachments",
    "CalendarClient",
    "Calendars",
    "Drafts",
    "Labels",
    "MailClient",
]
