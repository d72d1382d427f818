"""A mailbox both services read: mail in received order, threads, changes, calendars, scripted faults.

It holds what is true and no provider's view of it; a provider's mailbox adds its ids and settings in a subclass.
Reading and writing message bytes is ``eml.py``'s.
"""

from __future__ import annotations

import bisect
import contextlib
import datetime as dt
import mailbox as mbox
from collections.abc import Callable, Collection, Iterator, Mapping
from email.message import Message
from functools import cached_property
from pathlib import Path
from typing import ClassVar
from zoneinfo import ZoneInfo

import attrs

from mailkit.sandbox import eml
from mailkit.sandbox.calendars import Calendars
from mailkit.sandbox.event import Event
from mailkit.sandbox.faults import Fault, FaultScript
from mailkit.sandbox.kept import Calendar
from mailkit.sandbox.mail import Mail, Person

__all__ = ["Entry", "Mailbox"]

# The fields of a seed that say where and how a message is kept, and stand in none of its bytes.
# fmt: off
_AROUND = frozenset(
    (
        "folder",
        "labels",
        "category",
        "read",
        "starred",
        "star",
        "important",
        "muted",
        "snoozed",
        "chat",
        "flag_complete",
        "size",
        "received",
        "thread",
        "id",
        "properties",
    )
)
# fmt: on


class Entry:
    """One message in a mailbox; replaced, never changed, when the message changes.

    ``mail`` is as seeded, its empty ``date``, ``received`` and ``message_id`` filled in; ``change`` is the number of
    the mailbox's change that made this state; ``raw`` are the bytes, those ``given`` or else those built from ``mail``.
    """

    def __init__(self, *, id: str, thread_id: str, mail: Mail, change: int, raw: bytes | None = None) -> None:  # noqa: A002  # the name of the thing
        self.id = id
        self.thread_id = thread_id
        self.mail = mail
        self.change = change
        self.given = raw

    @cached_property
    def raw(self) -> bytes:
        """The whole message, RFC 5322, lines ended by CRLF when built here."""
        return self.given if self.given is not None else eml.build(self.mail)

    @cached_property
    def message(self) -> Message:
        """The bytes, parsed."""
        return eml.parse(self.raw)

    @cached_property
    def size(self) -> int:
        """Bytes of the message, unless the seed says otherwise."""
        return self.mail.size if self.mail.size is not None else len(self.raw)

    @property
    def received(self) -> dt.datetime:
        """When the provider took the mail in, aware, UTC."""
        assert self.mail.received is not None  # noqa: S101  # Mailbox.add fills it in
        return self.mail.received

    @property
    def order(self) -> tuple[float, str]:
        """Sorts newest first, ties by id."""
        return (-self.received.timestamp(), self.id)

    def changed(self, mail: Mail, change: int, *, id: str, raw: bytes | None = None) -> Entry:  # noqa: A002  # see above
        """Give the next state; without ``raw`` the bytes stay while only what surrounds the message changes."""
        if raw is None and _written(mail) == _written(self.mail):
            raw = self.given
        return Entry(id=id, thread_id=self.thread_id, mail=mail, change=change, raw=raw)


def _written(mail: Mail) -> Mail:
    """Give the part of a seed that stands in the message itself."""
    return Mail(**{a.name: getattr(mail, a.name) for a in attrs.fields(Mail) if a.name not in _AROUND})


class Mailbox:
    """One account's mail, newest first.

    ``address`` is the account's own primary address, ``aliases`` its others, ``name`` its owner. ``token`` is the
    bearer token that reaches it, ``scopes`` the granted permissions (None: all), ``now`` gives the time of arrival.
    ``sent_lag`` is how many seconds the own copy of a sent mail stays out of sight; its recipients have it at once.
    ``calendars`` are the owner's, whose days are days of ``zone``.
    """

    provider: ClassVar[str]
    _kept_in: ClassVar[type[Calendars]] = Calendars

    def __init__(
        self,
        address: str,
        *,
        token: str,
        now: Callable[[], dt.datetime],
        name: str = "",
        aliases: Collection[str] = (),
        scopes: Collection[str] | None = None,
        zone: str = "UTC",
    ) -> None:
        self.address = address
        self.name = name
        self.aliases: tuple[str, ...] = tuple(aliases)
        self.token = token
        self.scopes: frozenset[str] | None = None if scopes is None else self._granted(scopes)
        self.faults: FaultScript = FaultScript()
        self._now = now
        self.calendars: Calendars = self._kept_in(
            Person(name, address),
            provider=self.provider,
            addresses=lambda: self.own_addresses,
            now=now,
            zone=ZoneInfo(zone),
        )
        self._entries: dict[str, Entry] = {}
        self._ordered: list[Entry] = []
        self._threads: dict[str, str] = {}
        self._change = 0
        self.sent_lag: float = 0.0
        self._unseen: dict[str, dt.datetime] = {}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} messages>"

    def __len__(self) -> int:
        return len(self._seen())

    def __iter__(self) -> Iterator[Entry]:
        """Give the messages, newest first, as they are now."""
        return iter(self._seen())

    def __contains__(self, id: str) -> bool:  # noqa: A002  # the name of the thing
        return self.get(id) is not None

    def get(self, id: str) -> Entry | None:  # noqa: A002  # the name of the thing
        """Give one message, or None."""
        return None if self._lags(id) else self._entries.get(id)

    def thread(self, thread_id: str) -> list[Entry]:
        """Give the messages of a conversation, oldest first; empty when there is none."""
        return [entry for entry in reversed(self._seen()) if entry.thread_id == thread_id]

    @property
    def own_addresses(self) -> tuple[str, ...]:
        """The primary address, then the aliases."""
        return (self.address, *self.aliases)

    @property
    def change(self) -> int:
        """The number of the latest change."""
        return self._change

    # -- the test's side: filling, changing, scripting ---------------------------------------------------------------

    def add(self, mail: Mail) -> str:
        """Put a message in; gives its id."""
        return self._insert(mail, None)

    def load_eml(self, source: Path | str | bytes, /, **fields: object) -> str:
        """Put in a message file, byte for byte; ``fields`` set what a file does not say (``folder="sent"``)."""
        raw = source if isinstance(source, bytes) else Path(source).read_bytes()
        return self._insert(_evolve(eml.read(raw), fields), raw)

    def load_folder(self, folder: Path | str, /, **fields: object) -> list[str]:
        """Put in every ``.eml`` below a folder, in the order of their paths."""
        return [self.load_eml(path, **fields) for path in sorted(Path(folder).rglob("*.eml"))]

    def load_mbox(self, path: Path | str, /, **fields: object) -> list[str]:
        """Put in every message of an mbox file."""
        with contextlib.closing(mbox.mbox(path, create=False)) as box:
            return [self.load_eml(box.get_bytes(key), **fields) for key in box.iterkeys()]

    def update(self, id: str, /, **fields: object) -> None:  # noqa: A002  # the name of the thing
        """Change fields of a message, named as in ``Mail``; raises KeyError for an unknown id."""
        self._replace(id, _evolve(self._entries[id].mail, fields), id)

    def move(self, id: str, folder: str) -> str:  # noqa: A002  # the name of the thing
        """Move a message; gives its id from now on, which may be another where the provider's ids change on a move."""
        mail = attrs.evolve(self._entries[id].mail, folder=folder)
        new = self._moved_id(self._entries[id])
        self._replace(id, mail, new)
        return new

    def remove(self, id: str) -> None:  # noqa: A002  # the name of the thing
        """Delete a message for good; raises KeyError for an unknown id."""
        entry = self._entries.pop(id)
        self._ordered.remove(entry)
        self._change += 1

    def add_calendar(self, name: str, **fields: object) -> Calendar:
        """Add a calendar; ``fields`` are those of ``Calendar`` (``role="reader"``, ``hidden=True``)."""
        return self.calendars.add(name, **fields)

    def add_event(self, event: Event) -> str:
        """Put an event into a calendar and tell nobody of it; gives its id."""
        return self.calendars.insert(event).id

    def receive(self, raw: bytes) -> str:
        """Take in a mail that somebody sent; gives its id."""
        return self.load_eml(raw, received=self._now())

    def lag(self, id: str) -> None:  # noqa: A002  # the name of the thing
        """Keep the copy of a mail just sent out of sight for ``sent_lag`` seconds."""
        if self.sent_lag:
            self._unseen[id] = self._now() + dt.timedelta(seconds=self.sent_lag)

    def opened_by(self, url: str) -> bool:  # noqa: ARG002  # a provider's mailbox looks at it
        """Say whether a link leads here by itself, without a token (that of an upload)."""
        return False

    def script(self, *faults: Fault) -> None:
        """Let the next requests that fit go wrong; see ``Fault``."""
        for fault in faults:
            self.faults.add(fault)

    @contextlib.contextmanager
    def granting(self, scopes: Collection[str] | None) -> Iterator[None]:
        """Have other permissions while the block runs: those of the token that is asked with."""
        own, self.scopes = self.scopes, None if scopes is None else self._granted(scopes)
        try:
            yield
        finally:
            self.scopes = own

    # -- what a provider's mailbox decides ---------------------------------------------------------------------------

    def _granted(self, scopes: Collection[str]) -> frozenset[str]:
        """Write permissions as this provider's service reads them."""
        return frozenset(scopes)

    def _new_id(self) -> str:
        """Give an id no message here has had."""
        raise NotImplementedError

    def _new_thread_id(self, message_id: str) -> str:
        """Name the conversation a message with that (provider) id starts."""
        return message_id

    def _moved_id(self, entry: Entry) -> str:
        """Give the id a message has after a move."""
        return entry.id

    # -- seeing ------------------------------------------------------------------------------------------------------

    def _lags(self, id: str) -> bool:  # noqa: A002  # the name of the thing
        return id in self._unseen and self._now() < self._unseen[id]

    def _seen(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self._ordered if not self._unseen or not self._lags(entry.id))

    # -- keeping -----------------------------------------------------------------------------------------------------

    def _insert(self, mail: Mail, raw: bytes | None) -> str:
        id = mail.id or self._new_id()  # noqa: A001  # the name of the thing
        if id in self._entries:
            raise ValueError(f"there is a message {id!r} already")
        date = mail.date or self._now()
        self._change += 1
        mail = attrs.evolve(
            mail,
            date=date,
            received=mail.received or date,
            # A file without a Message-ID keeps none, as its bytes do.
            message_id=mail.message_id or (f"<{self._change}.{id}@sandbox.mailkit.example>" if raw is None else None),
        )
        thread_id = self._thread_of(mail) or self._new_thread_id(id)
        self._keep(Entry(id=id, thread_id=thread_id, mail=mail, change=self._change, raw=raw))
        for key in (f"thread {mail.thread}" if mail.thread else None, mail.message_id):
            if key:
                self._threads.setdefault(key, thread_id)
        return id

    def _thread_of(self, mail: Mail) -> str | None:
        if mail.thread:
            return self._threads.get(f"thread {mail.thread}")
        linked = (mail.message_id, mail.in_reply_to, *reversed(mail.references))
        return next((self._threads[key] for key in linked if key and key in self._threads), None)

    def _replace(self, old: str, mail: Mail, new: str, raw: bytes | None = None) -> None:
        entry = self._entries.pop(old)
        self._ordered.remove(entry)
        self._change += 1
        self._keep(entry.changed(mail, self._change, id=new, raw=raw))

    def _keep(self, entry: Entry) -> None:
        self._entries[entry.id] = entry
        bisect.insort(self._ordered, entry, key=lambda e: e.order)


def _evolve(mail: Mail, fields: Mapping[str, object]) -> Mail:
    return attrs.evolve(mail, **fields)  # type: ignore[arg-type]  # Mail's own converters and validators judge them
