"""The account set: who there is, and one session per account, shared by every client built on the set.

So pace, tokens and connections are per account, not per client. Sessions are made when first needed; a set may be used
from several event loops, and the connections of a loop are closed when the last client that used them there closes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from weakref import WeakSet

import attrs

from mailkit.accounts.registry import PROVIDERS
from mailkit.accounts.settings import Settings
from mailkit.accounts.token_cache import TokenCache
from mailkit.accounts.tokens import token_source
from mailkit.checks import configured, instance, refuse, several
from mailkit.errors import ConfigurationError, UnknownAccount
from mailkit.providers.base import MailDriver
from mailkit.transport import HttpxTransport, Session, Slots, SystemClock
from mailkit.transport.per_loop import PerLoop
from mailkit.values import Account, Clock

__all__ = ["Accounts"]


class Accounts:
    """A person's accounts by name, in the order given; ``accounts[name]`` gives one.

    ``accounts`` are any number of them, or a single one. ``default`` names the account that new things are created in.
    ``settings`` holds for all of them, ``clock`` replaces the machine's time (tests).

    Raises:
        ConfigurationError: two accounts have one name, ``default`` names none of them, or something else was passed
            than is named here.
    """

    def __init__(
        self,
        accounts: Account | Iterable[Account],
        *,
        default: str | None = None,
        settings: Settings | None = None,
        clock: Clock | None = None,
    ) -> None:
        with configured():
            given = several(accounts, "accounts", Account, "an Account, or a list of them")
            settings = Settings() if settings is None else settings
            self.settings: Settings = instance(
                settings, "settings", Settings, "a Settings, as in Settings(deadline=10)"
            )
            self.clock: Clock = SystemClock() if clock is None else clock
            if not isinstance(self.clock, Clock):
                refuse(clock, "clock", "an object with the methods of mailkit.values.Clock")
        self._accounts: dict[str, Account] = {}
        for account in given:
            if account.name in self._accounts:
                raise ConfigurationError(f"two accounts are called {account.name!r}; give each a name of its own")
            self._accounts[account.name] = account
        if default is not None and default not in self.names:
            raise ConfigurationError(
                f"default= names no account; the accounts are: {', '.join(self._accounts) or 'none yet'}"
            )
        self.default = default
        self._in_flight = Slots(self.settings.in_flight)
        self._open: dict[str, tuple[Session, MailDriver]] = {}
        self._users: PerLoop[WeakSet[object]] = PerLoop(WeakSet)

    def __getitem__(self, name: str) -> Account:
        try:
            return self._accounts[name]
        except (KeyError, TypeError):  # TypeError: nothing that a dictionary could be asked for
            raise UnknownAccount(name, self.names) from None

    def __contains__(self, name: object) -> bool:
        return name in self._accounts

    def __iter__(self) -> Iterator[str]:
        return iter(self._accounts)

    def __len__(self) -> int:
        return len(self._accounts)

    def __repr__(self) -> str:
        return f"<Accounts {', '.join(self._accounts)}>"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the accounts, in order."""
        return tuple(self._accounts)

    def driver(self, name: str) -> MailDriver:
        """Give the account's mail driver.

        Raises:
            UnknownAccount: no account has that name.
            ConfigurationError: the account's token or base URL cannot be used.
        """
        if name not in self._open:
            # Two threads may both come here; the first to be done counts, and the other's is dropped unused.
            self._open.setdefault(name, self._connect(self[name]))
        return self._open[name][1]

    def join(self, client: object) -> None:
        """Note that a client uses the set in the running event loop."""
        self._users.get().add(client)

    async def leave(self, client: object) -> None:
        """Note that a client is done in the running event loop; the last one to go closes the loop's connections."""
        users = self._users.get()
        users.discard(client)
        if not users:
            for session, _ in tuple(self._open.values()):
                await session.aclose()

    def _connect(self, account: Account) -> tuple[Session, MailDriver]:
        provider = PROVIDERS[account.provider]
        transport = account.transport or HttpxTransport()
        session = Session(
            attrs.evolve(account, transport=transport),
            dialect=provider.dialect(self.settings),
            tokens=TokenCache(token_source(account, transport=transport, clock=self.clock), clock=self.clock),
            clock=self.clock,
            in_flight=self._in_flight,
            retry=self.settings.retry,
            user_agent=self.settings.user_agent,
            connect_timeout=self.settings.connect_timeout,
            read_timeout=self.settings.read_timeout,
        )
        return session, provider.mail(session)
