"""An Outlook mailbox: the common one, with folders, master categories, Exchange's ids and the server's moods.

Responsible for what only Outlook has. It answers no request and judges none: see ``service``.
"""

from __future__ import annotations

import datetime as dt
from collections import deque
from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import attrs

from mailkit.sandbox.event import Event
from mailkit.sandbox.mail import File, Mail
from mailkit.sandbox.mailbox import Entry, Mailbox
from mailkit.sandbox.microsoft.calendars import MicrosoftCalendars, Room
from mailkit.sandbox.microsoft.folders import Folder, FolderTree
from mailkit.sandbox.microsoft.ids import guid, opaque
from mailkit.sandbox.microsoft.loading import read_folder, read_message
from mailkit.sandbox.microsoft.searching import Indexed, SearchBehaviour
from mailkit.sandbox.microsoft.sessions import UploadSession

__all__ = ["MicrosoftMailbox"]


class MicrosoftMailbox(Mailbox):
    """One Outlook account.

    A seed's ``folder`` is where the message lies and its ``labels`` are its categories; what Outlook cannot hold
    (Gmail's category, star colours, muted, snoozed, chat, Delivered-To) is not shown. The id that ``add`` gives is the
    immutable one, which every request may use; without ``Prefer: IdType="ImmutableId"`` answers show another, which a
    move changes.

    ``search`` says how the server finds, ``concurrency`` how many requests may be in flight (None: any number),
    ``categories`` is the master list, ``colours`` those of its names that were given one, ``unfocused`` holds the ids
    shown as ``other``, ``drafts`` those that were never sent, ``uploads`` the upload sessions by their key. Each number
    in ``page_rows`` cuts one coming page of messages short, down to 0, and gives it a link to the next.

    ``calendars`` says what may be set of its calendars and of the people who keep them.

    ``keeps_ids_on_send`` says whether the immutable id of a draft stays its id once it is sent: the documentation of
    immutable ids says both. ``shows_sent_headers`` says whether ``internetMessageHeaders`` are given of what was sent
    from here (``outgoing``): they are not, but for a while they were (microsoft-graph-docs#2716, #12726, #18761).
    """

    provider: ClassVar[str] = "microsoft"
    _kept_in = MicrosoftCalendars
    calendars: MicrosoftCalendars

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
        super().__init__(address, token=token, now=now, name=name, aliases=aliases, scopes=scopes, zone=zone)
        self.folders: FolderTree = FolderTree(address)
        self.categories: list[str] = []
        self.colours: dict[str, str] = {}
        self.search: SearchBehaviour = SearchBehaviour()
        self.concurrency: int | None = 4  # learn.microsoft.com/graph/throttling-limits, Outlook service limits
        self.page_rows: deque[int] = deque()
        self.unfocused: set[str] = set()
        self.drafts: set[str] = set()
        self.uploads: dict[str, UploadSession] = {}
        self.outgoing: set[str] = set()
        self.keeps_ids_on_send: bool = True
        self.shows_sent_headers: bool = False
        self.user_id: str = guid(address)
        # What has been worked out of a message; a changed message is a new Entry.
        self.shown: WeakKeyDictionary[Entry, dict[str, object]] = WeakKeyDictionary()
        self.index: WeakKeyDictionary[Entry, Indexed] = WeakKeyDictionary()
        self._file_names: dict[str, list[str]] = {}
        self._moving_ids: tuple[int, dict[str, str]] = (-1, {})

    def load_graph(self, data: Mapping[str, Any]) -> list[str]:
        """Put in a mailbox written as Graph JSON: ``folders``, ``masterCategories`` and ``messages``; ids are kept.

        ``folders`` may carry ``wellKnownName``; parents come before their children. ``masterCategories`` are names and
        become the whole master list. ``messages`` may carry attachments, internetMessageHeaders and their size as an
        extended property. Gives the ids of the messages.
        """
        for folder in data.get("folders", ()):
            self.folders.replace(read_folder(folder))
        ids = []
        for message in data.get("messages", ()):
            if message.get("conversationId"):
                self._threads.setdefault(f"thread {message['conversationId']}", message["conversationId"])
            folder = self.folders.find(message.get("parentFolderId") or "inbox") or self.folders.root
            ids.append(self.add(read_message(message, self.folders.path(folder))))
            if message.get("inferenceClassification") == "other":
                self.unfocused.add(ids[-1])
        if "masterCategories" in data:
            self.categories = list(data["masterCategories"])
        return ids

    def add_event(self, event: Event) -> str:
        """Put an event into a calendar and tell nobody of it; gives its id.

        Of ``properties`` a ``recurrence`` may be one in Graph's words, where the event has no recurrence lines.

        Raises:
            ValueError: Outlook has no pattern with the dates of the recurrence, or the series does not start on one.
        """
        return super().add_event(self.calendars.seed(event))

    def add_room(self, room: Room) -> None:
        """List a room in the directory of the organisation; its own calendar is that of a mailbox at its address."""
        self.calendars.rooms.append(room)

    def add_folder(self, path: str, *, hidden: bool = False) -> str:
        """Make a folder, and what is missing above it; gives its id."""
        return self.folders.at(path, hidden=hidden).id

    def folder_of(self, entry: Entry) -> Folder:
        """Give the folder a message lies in."""
        return self.folders.at(entry.mail.folder)

    def in_folder(self, folder: Folder) -> list[Entry]:
        """Give the messages of one folder, newest first, without those of its children."""
        return [entry for entry in self if self.folder_of(entry) == folder]

    def moving_id(self, entry: Entry) -> str:
        """Give the id that changes when the message moves (learn.microsoft.com/graph/outlook-immutable-id)."""
        return opaque("AAMkAD", self.address, entry.id, self.folder_of(entry).id)

    def find(self, key: str) -> Entry | None:
        """Give a message by either of its ids."""
        if key not in self._entries and self._moving_ids[0] != self.change:
            self._moving_ids = (self.change, {self.moving_id(entry): entry.id for entry in self._ordered})
        return self.get(key if key in self._entries else self._moving_ids[1].get(key, key))

    # -- the service's side: what requests change --------------------------------------------------------------------

    def file(self, mail: Mail, *, raw: bytes | None = None, thread_id: str | None = None, draft: bool = False) -> Entry:
        """Put in a message that a request made; it begins a conversation unless it is named, or headers lead to one."""
        if thread_id is not None:
            self._threads[f"thread {thread_id}"] = thread_id
        id = self._file(attrs.evolve(mail, thread=thread_id), raw)  # noqa: A001  # the name of the thing
        (self.drafts.add if draft else self.drafts.discard)(id)
        return self._entries[id]

    def rewrite(self, entry: Entry, mail: Mail, *, raw: bytes | None = None, id: str | None = None) -> Entry:  # noqa: A002  # the name of the thing
        """Give a message its next state."""
        new = id or entry.id
        self._replace(entry.id, mail, new, raw)
        return self._entries[new]

    def send_off(self, entry: Entry, mail: Mail, *, raw: bytes | None) -> Entry:
        """Make a draft the sent copy."""
        self.drafts.discard(entry.id)
        return self.rewrite(entry, mail, raw=raw, id=None if self.keeps_ids_on_send else self._new_id())

    def file_names(self, entry: Entry) -> list[str]:
        """Give each file of a message a name of its own, which it keeps while others come and go."""
        kept = self._file_names.get(entry.id, ())
        count = len(entry.mail.files)
        return list(kept) if len(kept) == count else list(map(str, range(count)))

    def attach(self, entry: Entry, file: File) -> Entry:
        """Put a file on a message."""
        self._file_names[entry.id] = [*self.file_names(entry), f"change {self.change}"]
        return self.rewrite(entry, attrs.evolve(entry.mail, files=(*entry.mail.files, file)))

    def detach(self, entry: Entry, index: int) -> Entry:
        """Take the file at that place off a message."""
        names, files = self.file_names(entry), list(entry.mail.files)
        del names[index], files[index]
        self._file_names[entry.id] = names
        return self.rewrite(entry, attrs.evolve(entry.mail, files=files))

    def refolder(self, folder: Folder) -> None:
        """Give a folder there is another name or parent; its messages and sub-folders stay in it."""
        places = [(entry, self.folder_of(entry)) for entry in self._ordered]
        inside = [(entry, place) for entry, place in places if self.folders.is_within(place, folder)]
        self.folders.replace(folder)
        for entry, place in inside:
            path = self.folders.path(folder if place.id == folder.id else place)
            self.rewrite(entry, attrs.evolve(entry.mail, folder=path))

    def drop_folder(self, folder: Folder) -> None:
        """Take a folder away with all that is in it."""
        for child in self.folders.children(folder, hidden=True):
            self.drop_folder(child)
        for entry in [entry for entry in self._ordered if self.folder_of(entry) == folder]:
            self.remove(entry.id)
        self.folders.drop(folder)

    def opened_by(self, url: str) -> bool:
        """Say whether ``url`` is that of an upload session of this mailbox."""
        return any(session.authtoken in url for session in self.uploads.values())

    def update(self, id: str, /, **fields: object) -> None:  # noqa: A002  # the name of the thing
        """Change fields of a message, named as in ``Mail``; raises KeyError for an unknown id."""
        super().update(id, **fields)
        self._list_categories(self._entries[id].mail.labels)

    def _insert(self, mail: Mail, raw: bytes | None) -> str:
        self._list_categories(mail.labels)
        id = self._file(mail, raw)  # noqa: A001  # the name of the thing
        if self.folder_of(self._entries[id]).well_known == "drafts":
            self.drafts.add(id)
        return id

    def _file(self, mail: Mail, raw: bytes | None) -> str:
        return super()._insert(mail, raw)

    def _list_categories(self, names: Collection[str]) -> None:
        """Put what a seed carries on the master list; what a request assigns need not stand there."""
        for name in names:
            if name.casefold() not in (known.casefold() for known in self.categories):
                self.categories.append(name)

    def _new_id(self) -> str:
        return opaque("AAkALgAA", self.address, str(self.change))

    def _new_thread_id(self, message_id: str) -> str:
        return opaque("AAQkAD", self.address, message_id)

    def _keep(self, entry: Entry) -> None:
        super()._keep(entry)
        self.folder_of(entry)
        if entry.mail.message_id:
            self._threads.setdefault(entry.mail.message_id, entry.thread_id)
