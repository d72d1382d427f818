"""The clients: the verbs as methods, async, and sync through the portal."""

from __future__ import annotations

from mailkit.clients.async_mail import AsyncAttachments, AsyncLabels, AsyncMailClient
from mailkit.clients.sync_mail import Attachments, Labels, MailClient

__all__ = ["AsyncAttachments", "AsyncLabels", "AsyncMailClient", "Attachments", "Labels", "MailClient"]
