"""O365 on the served sandbox, and what it says of a mailbox."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from typing import Any

from O365 import Account
from O365.connection import MSGraphProtocol
from O365.utils import BaseTokenBackend

from tests.peers.seen import Person, Seen

# What mailkit asks for, so that both speak of the same ids: learn.microsoft.com/graph/outlook-immutable-id
_IMMUTABLE = {"Prefer": 'IdType="ImmutableId"'}
_PLACES = {
    "Inbox": "inbox",
    "Sent Items": "sent",
    "Drafts": "drafts",
    "Deleted Items": "trash",
    "Junk Email": "spam",
    "Archive": "archive",
    "Outbox": "outbox",
}


class _Token(BaseTokenBackend):  # type: ignore[misc]  # O365 is untyped
    """A token that was there all along."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._token = token

    has_data = True

    def get_access_token(self, *, username: str | None = None) -> dict[str, str]:
        return {"secret": self._token}


class O365Peer:
    """The library as its documentation uses it; its protocol is led to ``url``."""

    def __init__(self, url: str, token: str) -> None:
        class Protocol(MSGraphProtocol):  # type: ignore[misc]  # O365 is untyped
            _protocol_url = f"{url}/"

        self.account = Account(
            ("client", "secret"),
            protocol=Protocol(timezone="UTC"),
            token_backend=_Token(token),
            default_headers=_IMMUTABLE,
            requests_delay=0,
            request_retries=0,
        )
        self.mailbox = self.account.mailbox()
        self.folders = {folder.folder_id: path for path, folder in self._walk(self.mailbox, "")}

    def close(self) -> None:
        self.account.con.session.close()

    def messages(self, folder: Any = None, **options: Any) -> list[Any]:
        """Read a list to its end."""
        return list((folder or self.mailbox).get_messages(limit=None, **options))

    def categories(self) -> list[str]:
        return [category.name for category in self.account.outlook_categories().get_categories()]

    def seen(self, message: Any) -> Seen:
        path = self.folders[message.folder_id]
        own = () if path in _PLACES else (path,)
        date = message.received
        assert isinstance(date, dt.datetime)
        return Seen(
            id=message.object_id,
            thread=message.conversation_id,
            subject=message.subject,
            sender=_person(message.sender),
            to=tuple(map(_person, message.to)),
            cc=tuple(map(_person, message.cc)),
            date=date,
            read=message.is_read,
            starred=message.flag.is_flagged,
            place=_PLACES.get(path, "other"),
            marks=frozenset((*message.categories, *own)),
        )

    def _walk(self, parent: Any, above: str) -> Iterator[tuple[str, Any]]:
        folders: Iterable[Any] = parent.get_folders()
        for folder in folders:
            path = f"{above}{folder.name}"
            yield path, folder
            if folder.child_folders_count:
                yield from self._walk(folder, f"{path}/")


def _person(recipient: Any) -> Person:
    # Exchange shows the address for a name where there is none.
    return ("" if recipient.name == recipient.address else recipient.name, recipient.address)
