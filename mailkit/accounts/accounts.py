"""The account set: who there is, and one session per account, shared by every client built on the set.

So pace, tokens and connections are per account, not per client. Sessions are made when first needed; a set may be used
from several event loops, and the connections of a loop are closed when the last client that used them there closes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakSet

import attrs

from mailkit import portal
from mailkit.accounts.accounts_file import Listed, read_accounts, write_accounts
from mailkit.accounts.accounts_keys import own_store
from mailkit.accounts.adopt import read_login
from mailkit.accounts.check import AccountCheck, check_account
from mailkit.accounts.connection import Connection
from mailkit.accounts.environment import environment_accounts
from mailkit.accounts.home import accounts_path
from mailkit.accounts.ready import why_not_ready
from mailkit.accounts.registry import PROVIDERS
from mailkit.accounts.settings import Settings
from mailkit.accounts.stores import TokenStore
from mailkit.accounts.token_cache import TokenCache
from mailkit.accounts.tokens import token_source
from mailkit.checks import configured, file_path, instance, refuse, several
from mailkit.errors import AccountsFailed, ConfigurationError, UnknownAccount
from mailkit.files import close_folder, locked, read_plain, write_private
from mailkit.providers.base import MailDriver
from mailkit.providers.calendar import CalendarDriver
from mailkit.transport import Dialect, HttpxTransport, Session, Slots, SystemClock
from mailkit.transport.per_loop import PerLoop
from mailkit.values import Account, Clock, Transport

__all__ = ["Accounts"]


class Accounts:
    """A person's accounts by name, in the order given; ``accounts[name]`` gives one.

    ``accounts`` are any number of them, or a single one. ``default`` names the account that new things are created in.
    ``settings`` holds for all of them, ``clock`` replaces the machine's time (tests). A set pickles as references:
    without its clock and connections, and only if no account holds a secret in memory.

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
        self._default: str | None = None
        self._path: Path | None = None
        self._in_flight = Slots(self.settings.in_flight)
        self._open: dict[str, Connection] = {}
        self._left: list[Connection] = []
        self._users: PerLoop[WeakSet[object]] = PerLoop(WeakSet)
        for account in given:
            self.add(account)
        self.set_default(default)

    @classmethod
    def load(
        cls, path: str | os.PathLike[str] | None = None, *, strict: bool = False, settings: Settings | None = None
    ) -> Accounts:
        """Read the accounts that ``accounts.toml`` lists.

        ``path`` is the file; without it, the one in ``MAILKIT_HOME``, else in the system's folder for settings. Where
        there is none the set is empty. An account whose sign-in cannot be read fails when it is used, the others do
        not; ``strict`` asks each of them now.

        Raises:
            ConfigurationError: the file cannot be read, or what it says cannot be; names file, line and what to do.
            AccountsFailed: ``strict``, and accounts are not signed in to, or their sign-ins cannot be read.
        """
        file = _file(path)
        listed = read_accounts(_text(file), file=file)
        accounts = cls._restored(listed.accounts, listed.default, settings or Settings(), file)
        failures = [error for error in map(why_not_ready, listed.accounts) if error] if strict else []
        if failures:
            raise AccountsFailed(f"{len(failures)} of {len(accounts)} accounts cannot be used", failures)
        return accounts

    @classmethod
    def from_env(cls, *, settings: Settings | None = None) -> Accounts:
        """Make the accounts that the environment names, called ``google`` and ``microsoft``.

        Reads ``MAILKIT_GOOGLE_TOKEN`` and ``MAILKIT_MICROSOFT_TOKEN`` (access tokens),
        ``GOOGLE_APPLICATION_CREDENTIALS`` (a person's login, or a service account's key with
        ``MAILKIT_GOOGLE_SUBJECT``), and ``AZURE_TENANT_ID``, ``AZURE_CLIENT_ID`` and ``AZURE_CLIENT_SECRET`` with
        ``MAILKIT_MICROSOFT_MAILBOX`` (an app that signs in as itself).

        Raises:
            ConfigurationError: it names none, or a file that cannot be read.
        """
        return cls(environment_accounts(), settings=settings)

    def save(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Write the accounts to ``accounts.toml``, and give its path: the file they came from unless ``path`` is given.

        What a person wrote about accounts that did not change stays, comments included. No secret is written.

        Raises:
            ConfigurationError: an account's token is held in memory, what the file holds now cannot be read, or it
                cannot be written.
        """
        file = self._path if path is None and self._path is not None else _file(path)
        with locked(file):
            self._write(file)
        self._path = file
        return file

    @classmethod
    @contextmanager
    def edit(cls, path: str | os.PathLike[str] | None = None) -> Iterator[Accounts]:
        """Load the accounts, let the block change them, and save them, while no other process can do so.

        When the block raises, nothing is saved.

        Raises:
            ConfigurationError: as ``load`` and ``save`` do.
            Unavailable: another process has been changing them for a minute.
        """
        file = _file(path)
        with locked(file):
            accounts = cls.load(file)
            yield accounts
            accounts._write(file)  # noqa: SLF001  # an account set of this very class

    def _write(self, file: Path) -> None:
        before = _text(file)
        read_accounts(before, file=file)  # what somebody is just editing is not lost
        listed = Listed(accounts=tuple(self._accounts.values()), default=self._default)
        # People keep settings as links into a folder of their own: the file the link leads to is written.
        write_private(file.resolve(), write_accounts(listed, file=file, before=before).encode())

    def add(self, account: Account) -> None:
        """Add an account, after those there are; ``save`` makes it last.

        Raises:
            ConfigurationError: there is one of its name.
        """
        self._check_free(account.name)
        self._accounts = {**self._accounts, account.name: account}

    def adopt(
        self,
        name: str,
        login: str | os.PathLike[str],
        *,
        address: str | None = None,
        client_id: str | None = None,
        store: TokenStore | None = None,
    ) -> Account:
        """Take over a login that another program has, and give the account it becomes; ``save`` makes it last.

        ``login`` is a file: Google's ``authorized_user`` JSON (``Credentials.to_json()``, or gcloud's), or what an
        MSAL application's ``SerializableTokenCache.serialize()`` gave; where that holds several, ``address`` and
        ``client_id`` choose. It is copied to ``store`` (the account's own file, unless given) and left as it is.

        Raises:
            ConfigurationError: the file holds no login, or the account's store cannot be written; there is an
                account of that name, or something else was passed than is named here.
        """
        with configured():
            file = file_path(login, "login")
            instance(name, "name", str, "the account's name as text, as in 'work'")
            for value, parameter in ((address, "address"), (client_id, "client_id")):
                instance("" if value is None else value, parameter, str, "a text, or None")
            if store is not None and not isinstance(store, TokenStore):
                refuse(store, "store", "a token store, as in FileStore(path)")
        self._check_free(name)  # before its store is written to
        grant = read_login(file, address=address, client_id=client_id)
        kept = store or own_store(name, folder=(self._path or _file(None)).parent)
        account = Account(
            name=name,
            provider=grant.provider,
            token=kept,
            address=grant.address,
            scopes=grant.scopes or None,
        )
        with kept.lock():
            kept.save(grant)
        self.add(account)
        return account

    def remove(self, name: str) -> Account:
        """Take an account out of the set and give it; ``save`` makes it last. Its sign-in stays in its store.

        Raises:
            UnknownAccount: no account has that name.
        """
        account = self[name]
        self._accounts = {other: kept for other, kept in self._accounts.items() if other != name}
        if self._default == name:
            self._default = None
        left = self._open.pop(name, None)
        if left:
            self._left.append(left)
        return account

    def set_default(self, name: str | None) -> None:
        """Name the account that new things are created in; None: there is none, so each call must say.

        Raises:
            ConfigurationError: it names no account.
        """
        if name is not None and name not in self.names:  # not shown: it may be an address
            raise ConfigurationError(
                f"default= names no account; the accounts are: {', '.join(self._accounts) or 'none yet'}"
            )
        self._default = name

    @property
    def default(self) -> str | None:
        """The name of the account that new things are created in."""
        return self._default

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

    def __reduce__(self) -> tuple[object, ...]:
        return (Accounts._restored, (tuple(self._accounts.values()), self._default, self.settings, self._path))

    def _check_free(self, name: str) -> None:
        if name in self._accounts:
            raise ConfigurationError(f"two accounts are called {name!r}; give each a name of its own")

    @classmethod
    def _restored(
        cls, listed: tuple[Account, ...], default: str | None, settings: Settings, path: Path | None
    ) -> Accounts:
        accounts = cls(listed, default=default, settings=settings)
        accounts._path = path
        return accounts

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the accounts, in order."""
        return tuple(self._accounts)

    def check(self, name: str) -> AccountCheck:
        """Look whether an account would work now: reachable, clock, token, features, address, each with its remedy.

        Asks the provider and changes nothing; what is wrong is a finding and no error.

        Raises:
            UnknownAccount: no account has that name.
            ConfigurationError: the account's token is none of the kinds that are understood.
        """
        return portal.run(lambda: self.check_async(name))

    async def check_async(self, name: str) -> AccountCheck:
        """Look whether an account would work now: reachable, clock, token, features, address, each with its remedy.

        Asks the provider and changes nothing; what is wrong is a finding and no error.

        Raises:
            UnknownAccount: no account has that name.
            ConfigurationError: the account's token is none of the kinds that are understood.
        """
        account = self[name]
        transport = account.transport or HttpxTransport()
        tokens = self._tokens(account, transport)
        # The mailbox is to say its address itself.
        connection = self._connect(attrs.evolve(account, token=tokens, address=None, transport=transport))
        try:
            return await check_account(
                account,
                tokens=tokens,
                driver=connection.mail,
                transport=transport,
                clock=self.clock,
                deadline=self.settings.deadline,
            )
        finally:
            if account.transport is None:
                await connection.aclose()

    def driver(self, name: str) -> MailDriver:
        """Give the account's mail driver.

        Raises:
            UnknownAccount: no account has that name.
            ConfigurationError: the account's token or base URL cannot be used.
        """
        return self._connected(name).mail

    def calendar_driver(self, name: str) -> CalendarDriver:
        """Give the account's calendar driver.

        Raises:
            UnknownAccount: no account has that name.
            ConfigurationError: the account's token or base URL cannot be used.
        """
        return self._connected(name).calendar

    def join(self, client: object) -> None:
        """Note that a client uses the set in the running event loop."""
        self._users.get().add(client)

    async def leave(self, client: object) -> None:
        """Note that a client is done in the running event loop; the last one to go closes the loop's connections."""
        users = self._users.get()
        users.discard(client)
        if not users:
            for connection in (*tuple(self._open.values()), *self._left):
                await connection.aclose()

    def _connected(self, name: str) -> Connection:
        if name not in self._open:
            # Two threads may both come here; the first to be done counts, and the other's is dropped unused.
            self._open.setdefault(name, self._connect(self[name]))
        return self._open[name]

    def _connect(self, account: Account) -> Connection:
        provider = PROVIDERS[account.provider]
        transport = account.transport or HttpxTransport()
        account = attrs.evolve(account, transport=transport)
        tokens = self._tokens(account, transport)
        session = self._session(account, provider.dialect(self.settings), tokens)
        calendars = session
        if provider.calendar_dialect is not None:
            calendars = self._session(account, provider.calendar_dialect(self.settings), tokens)
        return Connection(session=session, mail=provider.mail(session), calendar=provider.calendar(calendars))

    def _session(self, account: Account, dialect: Dialect, tokens: TokenCache) -> Session:
        return Session(
            account,
            dialect=dialect,
            tokens=tokens,
            clock=self.clock,
            in_flight=self._in_flight,
            retry=self.settings.retry,
            user_agent=self.settings.user_agent,
            connect_timeout=self.settings.connect_timeout,
            read_timeout=self.settings.read_timeout,
        )

    def _tokens(self, account: Account, transport: Transport) -> TokenCache:
        source = token_source(account, transport=transport, clock=self.clock, settings=self.settings)
        return TokenCache(source, clock=self.clock)


def _file(path: str | os.PathLike[str] | None) -> Path:
    if path is None:
        return accounts_path()
    with configured():
        return file_path(path, "path")


def _text(file: Path) -> str:
    if file == accounts_path():  # another folder may be a project that is shared on purpose
        close_folder(file.parent)
    try:
        return (read_plain(file) or b"").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            f"{file} cannot be read; write it as UTF-8 text", file=str(file), code="not_utf8"
        ) from error
