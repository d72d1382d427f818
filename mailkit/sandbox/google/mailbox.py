"""A Gmail mailbox: ids as Gmail makes them, labels with ids, a quota. It answers no request."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import deque
from collections.abc import Callable, Collection
from typing import ClassVar

from mailkit.sandbox.google.labels import UserLabel, system_ids
from mailkit.sandbox.mailbox import Entry, Mailbox

_HISTORY = 100_000
_MINUTE = dt.timedelta(minutes=1)


class GoogleMailbox(Mailbox):
    """A Gmail account; made by ``Sandbox.google``.

    A folder of the person's own becomes a label of that name on archived mail, for Gmail has no folders.
    """

    provider: ClassVar[str] = "google"

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
    ) -> None:
        super().__init__(address, token=token, now=now, name=name, aliases=aliases, scopes=scopes)
        self.quota = quota
        self.labels: dict[str, UserLabel] = {}
        self._made = 0
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
        self.labels[name] = UserLabel(
            id=known.id if known else f"Label_{len(self.labels) + 1}",
            name=name,
            colour=colour,
            list_visibility=list_visibility,
            message_visibility=message_visibility,
        )
        return self.labels[name].id

    def user_labels(self, entry: Entry) -> list[str]:
        """Give the names of the user labels a message carries."""
        mail = entry.mail
        own = [mail.folder] if mail.place == "archive" and mail.folder.lower() != "archive" else []
        return list(dict.fromkeys([*mail.labels, *own]))

    def label_ids(self, entry: Entry) -> list[str]:
        """Give the ids of all labels a message carries."""
        return [*system_ids(entry), *(self.labels[name].id for name in self.user_labels(entry))]

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
        for name in self.user_labels(entry):
            if name not in self.labels:
                self.label(name)
