"""One account's open way to its provider: the sessions, and the drivers on them."""

from __future__ import annotations

import attrs

from mailkit.providers.base import MailDriver
from mailkit.providers.calendar import CalendarDriver
from mailkit.transport import Session

__all__ = ["Connection"]


@attrs.frozen(kw_only=True)
class Connection:
    """Mail and calendar of one account; both share its token and its connections."""

    session: Session
    mail: MailDriver
    calendar: CalendarDriver

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        await self.session.aclose()
