"""``calendar.calendars``: the calendars themselves."""

from __future__ import annotations

from collections.abc import Iterable

from mailkit.clients.desk import Desk
from mailkit.fanout.calendars import list_calendars
from mailkit.models import Calendar, Results

__all__ = ["AsyncCalendars"]


class AsyncCalendars:
    """The calendars of every account."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def list(
        self, *, accounts: str | Iterable[str] | None = None, deadline: float | None = None
    ) -> Results[Calendar]:
        """List every calendar, account by account, the main one of each first.

        Raises:
            UnknownAccount: a name in ``accounts`` is not known.
            AllAccountsFailed: every account failed; the only account concerned raises its own error.

        Example:
            ```python
            from mailkit import AsyncCalendarClient
            from mailkit.testing import demo_accounts

            async with AsyncCalendarClient(demo_accounts()) as calendar:
                for each in await calendar.calendars.list():
                    print(each.account, each.name, each.is_primary)
            ```
        """
        return await list_calendars(self._desk, accounts, deadline=self._desk.deadline(deadline))
