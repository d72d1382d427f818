"""Gmail's REST interface over sandbox mailboxes."""

from mailkit.sandbox.google.mailbox import GoogleMailbox
from mailkit.sandbox.google.service import GoogleService

__all__ = ["GoogleMailbox", "GoogleService"]
