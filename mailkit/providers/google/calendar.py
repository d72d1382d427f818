"""One account's calendars at Google.

Responsible for which requests answer which verb. Never retries, paces or merges.
"""

from __future__ import annotations

from mailkit.transport.session import Session
from mailkit.values import Account


class GoogleCalendarDriver:
    """Calendars of one Google account."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def account(self) -> Account:
        """Whose calendars these are."""
        return self._session.account
