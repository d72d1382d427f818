"""Microsoft Graph offline: Outlook mailboxes and the v1.0 mail service over them."""

from mailkit.sandbox.microsoft.mailbox import MicrosoftMailbox
from mailkit.sandbox.microsoft.searching import SearchBehaviour
from mailkit.sandbox.microsoft.service import MicrosoftService

__all__ = ["MicrosoftMailbox", "MicrosoftService", "SearchBehaviour"]
