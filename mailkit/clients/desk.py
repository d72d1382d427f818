"""What a client and its namespaces share: the account set, the zone, and the deadline where none is given.

To the fan-out a desk is the mailboxes; whenever it is asked for a driver, the account set learns that this client
uses the running event loop, so that closing it can close what nobody else uses.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from mailkit import checks
from mailkit.accounts import Accounts, Settings
from mailkit.errors import UsageError
from mailkit.fanout.request import zone_of
from mailkit.providers.base import MailDriver
from mailkit.providers.calendar import CalendarDriver
from mailkit.sending import Idempotency, Journal, MemoryJournal, SendPolicy
from mailkit.values import Account, Clock

__all__ = ["Desk"]


class Desk:
    """The account set as one client sees it."""

    def __init__(
        self,
        accounts: Accounts | Account | Iterable[Account],
        *,
        tz: str | ZoneInfo | dt.timezone | None,
        settings: Settings | None,
        clock: Clock | None,
        policy: SendPolicy | None = None,
        journal: Journal | None = None,
        idempotency: Idempotency = "explicit",
    ) -> None:
        if not isinstance(accounts, Accounts):
            accounts = Accounts(accounts, settings=settings, clock=clock)
        elif settings is not None or clock is not None:
            raise UsageError("settings and clock belong to the account set; pass them to Accounts(...)")
        self.accounts: Accounts = accounts
        self.tz: ZoneInfo | None = None if tz is None else zone_of(tz)
        with checks.configured():
            self.policy: SendPolicy = checks.instance(policy or SendPolicy(), "policy", SendPolicy, "a SendPolicy")
            if journal is not None and (isinstance(journal, type) or not isinstance(journal, Journal)):
                checks.refuse(journal, "journal", "a journal, as in SqliteJournal('sends.db')")
            self.journal: Journal = MemoryJournal() if journal is None else journal
            if idempotency not in ("explicit", "derive"):
                checks.refuse(idempotency, "idempotency", "'explicit' or 'derive'")
        self.idempotency: Idempotency = idempotency

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the accounts, in order."""
        return self.accounts.names

    @property
    def default(self) -> str | None:
        """The name of the account that new things are created in."""
        return self.accounts.default

    @property
    def clock(self) -> Clock:
        """The clock of the account set."""
        return self.accounts.clock

    def driver(self, name: str) -> MailDriver:
        """Give the account's driver, to be used in the running event loop."""
        self.accounts.join(self)
        return self.accounts.driver(name)

    def calendar(self, name: str) -> CalendarDriver:
        """Give the account's calendar driver, to be used in the running event loop."""
        self.accounts.join(self)
        return self.accounts.calendar_driver(name)

    def deadline(self, seconds: float | None, *, at_least: float = 0.0) -> float:
        """Give the seconds a call has per account; ``at_least`` raises what the settings say.

        Raises:
            UsageError: they are no number above zero.
        """
        if seconds is None:
            return max(self.accounts.settings.deadline, at_least)
        return checks.seconds(seconds, "deadline", endless=True)

    async def aclose(self) -> None:
        """Leave the running event loop."""
        await self.accounts.leave(self)
