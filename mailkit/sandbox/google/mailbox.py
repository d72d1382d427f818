"""A Gmail mailbox: ids as Gmail makes them, labels with ids, a quota. It answers no request."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections import deque
from collections.abc import Callable, Collection
from typing import ClassVar

import attrs

from mailkit.sandbox import eml
from mailkit.sandbox.google.diary import GoogleCalendars
from mailkit.sandbox.google.labels import UserLabel, labelled, system_ids, user_names
from mailkit.sandbox.google.words import fold
from mailkit.sandbox.mail import Mail
from mailkit.sandbox.mailbox import Entry, Mailbox

_HISTORY = 100_000
_MINUTE = dt.timedelta(minutes=1)
# What mail programs in many languages put before the subject of an answer or a forwarded mail.
_PREFIX = re.compile(r"\s*(?:re|aw|sv|vs|antw|odp|r|rif|res|ref|ynt|fwd?|wg|tr|rv|enc|doorst)(?:\[\d+\])?\s*:\s*")


class GoogleMailbox(Mailbox):
    """A Gmail account; made by ``Sandbox.google``.

    A folder of the person's own becomes a label of that name on archived mail, for Gmail has no folders.
    ``rewrites_message_ids`` lets every mail that is sent from here leave under a Message-ID of Gmail's own.
    """

    provider: ClassVar[str] = "google"
    _kept_in = GoogleCalendars
    calendars: GoogleCalendars

    def __init__(
        self,
        address: str,
        *,
        token: str,
        now: Callable[[], dt.datetime],
        name: str = "",
        aliases: Collection[str] = (),
        scopes: Collection[str] | None = None,
        quota: int | None = None,
        zone: str = "UTC",
    ) -> None:
        super().__init__(address, token=token, now=now, name=name, aliases=aliases, scopes=scopes, zone=zone)
        self.quota = quota
        self.rewrites_message_ids: bool = False
        self.labels: dict[str, UserLabel] = {}
        self._labels_made = 0
        self._made = 0
        self._draft_ids: dict[str, str] = {}
        self._spent: deque[tuple[dt.datetime, int]] = deque()

    def label(
        self,
        name: str,
        *,
        colour: tuple[str, str] | None = None,
        list_visibility: str = "labelShow",
        message_visibility: str = "show",
    ) -> str:
        """Make a label, or dress one there is; gives its id. ``colour`` is text colour and background (``#rrggbb``)."""
        known = self.labels.get(name)
        if known is None:
            self._labels_made += 1
        self.labels[name] = UserLabel(
            id=known.id if known else f"Label_{self._labels_made}",
            name=name,
            colour=colour,
            list_visibility=list_visibility,
            message_visibility=message_visibility,
        )
        return self.labels[name].id

    def rename_label(self, old: str, new: str) -> None:
        """Give a label another name; its id and the messages that carry it stay. KeyError for an unknown name."""
        self.labels = {(new if name == old else name): label for name, label in self.labels.items()}
        self.labels[new] = attrs.evolve(self.labels[new], name=new)
        for entry in tuple(self._ordered):
            names = user_names(entry.mail)
            if old in names:
                self._mark(entry, system_ids(entry.mail), [new if name == old else name for name in names])

    def remove_label(self, name: str) -> None:
        """Take a label off all messages and forget it; KeyError for an unknown name."""
        removed = self.labels[name].id
        for entry in tuple(self._ordered):
            self.relabel(entry, (), (removed,))
        del self.labels[name]

    def relabel(self, entry: Entry, add: Collection[str], remove: Collection[str]) -> None:
        """Put labels on a message and take others off, by id."""
        before = self.label_ids(entry)
        after = [*(id for id in before if id not in remove), *(id for id in add if id not in before)]  # noqa: A001  # the name of the thing
        if after == before:
            return
        names = {label.id: name for name, label in self.labels.items()}
        self._mark(entry, [id for id in after if id not in names], [names[id] for id in after if id in names])  # noqa: A001  # see above

    def _mark(self, entry: Entry, system: Collection[str], names: Collection[str]) -> None:
        self.update(entry.id, **labelled(entry.mail, system, names))

    def label_ids(self, entry: Entry) -> list[str]:
        """Give the ids of all labels a message carries."""
        return [*system_ids(entry.mail), *(self.labels[name].id for name in user_names(entry.mail))]

    # -- conversations, drafts, mail that comes ------------------------------------------------------------------------

    def has_thread(self, thread_id: str) -> bool:
        """Say whether there is such a conversation, be it of a sent copy that lags."""
        return any(entry.thread_id == thread_id for entry in self._ordered)

    def conversation(self, mail: Mail) -> list[str]:
        """Give the conversations a message may join: one it refers to, in which its subject stands."""
        referred = {mail.in_reply_to, *mail.references} - {None}
        subject = _subject(mail)
        subjects = {entry.thread_id for entry in self._ordered if _subject(entry.mail) == subject}
        linked = (entry.thread_id for entry in self._ordered if entry.mail.message_id in referred)
        return [thread for thread in dict.fromkeys(linked) if thread in subjects]

    def keep(self, raw: bytes, mail: Mail, thread_id: str | None) -> Entry:
        """Put a message in; None for ``thread_id``: it starts a conversation."""
        id = self._new_id()  # noqa: A001  # the name of the thing
        thread_id = thread_id or id
        self._threads.setdefault(f"thread {thread_id}", thread_id)
        now = self._now()
        self._insert(attrs.evolve(mail, id=id, thread=thread_id, date=mail.date or now, received=now), raw)
        return self._entries[id]

    def receive(self, raw: bytes) -> str:
        """Take in a mail that somebody sent; one's own, come back, is the message in Sent, now in the inbox as well."""
        mail = eml.read(eml.head(raw))
        same = (entry for entry in self._ordered if entry.mail.message_id == mail.message_id is not None)
        own = next((entry for entry in same if "SENT" in system_ids(entry.mail)), None)
        if own is not None:
            self.relabel(own, ("INBOX", "UNREAD"), ())
            return own.id
        raw = f"Delivered-To: {self.address}\r\n".encode() + raw
        return self.keep(raw, eml.read(raw), next(iter(self.conversation(mail)), None)).id

    def draft_id(self, entry: Entry) -> str:
        """Give the id of the draft whose message this is; it stays when the message is replaced."""
        number = int.from_bytes(hashlib.blake2s(entry.id.encode(), digest_size=7).digest(), "big")
        return self._draft_ids.setdefault(entry.id, f"r{number}")

    def draft(self, draft_id: str) -> Entry | None:
        """Give the message of a draft, or None."""
        drafts = (entry for entry in self if "DRAFT" in system_ids(entry.mail))
        return next((entry for entry in drafts if self.draft_id(entry) == draft_id), None)

    def redraft(self, old: Entry, new: Entry) -> None:
        """Let a draft have another message from now on."""
        self._draft_ids[new.id] = self.draft_id(old)
        self.remove(old.id)

    @property
    def history_id(self) -> int:
        """The number of the mailbox's latest change."""
        return _HISTORY + self.change

    def history_id_of(self, entry: Entry) -> int:
        """Give the number of the change that made this state of a message."""
        return _HISTORY + entry.change

    def spend(self, units: int, now: dt.datetime) -> bool:
        """Use up quota of the running minute; False when there is not enough left."""
        while self._spent and self._spent[0][0] <= now - _MINUTE:
            self._spent.popleft()
        if self.quota is not None and sum(used for _, used in self._spent) + units > self.quota:
            return False
        self._spent.append((now, units))
        return True

    def _granted(self, scopes: Collection[str]) -> frozenset[str]:
        return frozenset(scope.rpartition("/auth/")[2] for scope in scopes)

    def _new_id(self) -> str:
        # Sixteen hexadecimal digits, as Gmail's are; the same for the same sandbox every time.
        self._made += 1
        return "1" + hashlib.blake2s(f"{self.address} {self._made}".encode(), digest_size=8).hexdigest()[1:]

    def _keep(self, entry: Entry) -> None:
        super()._keep(entry)
        for name in user_names(entry.mail):
            if name not in self.labels:
                self.label(name)


def _subject(mail: Mail) -> str:
    """Give a subject as conversations compare it: without prefixes, case and spacing."""
    text = fold(mail.subject)
    while found := _PREFIX.match(text):
        text = text[found.end() :]
    return " ".join(text.split())
