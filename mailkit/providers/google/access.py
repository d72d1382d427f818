"""Which permissions Google's verbs need, and the refusal before the network where one is known to be missing.

Knows scopes; asks nobody. Unknown scopes refuse nothing: then Google decides.
https://developers.google.com/workspace/gmail/api/auth/scopes
https://developers.google.com/workspace/calendar/api/auth
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from mailkit.errors import PermissionMissing
from mailkit.values import Account

_AUTH = "https://www.googleapis.com/auth/"

READ = (f"{_AUTH}gmail.readonly", f"{_AUTH}gmail.modify", "https://mail.google.com/")
"""Any one of these reads mail."""

METADATA = (f"{_AUTH}gmail.metadata", *READ)
"""Any one of these reads headers and labels; the first gives no bodies and takes no ``q`` (users.messages/list)."""

COMPOSE = (f"{_AUTH}gmail.compose", f"{_AUTH}gmail.modify", "https://mail.google.com/")
"""Any one of these makes, changes and sends drafts (users.drafts)."""

SEND = (f"{_AUTH}gmail.send", *COMPOSE)
"""Any one of these sends mail (users.messages/send)."""

DRAFTS = (*COMPOSE, f"{_AUTH}gmail.readonly")
"""Any one of these reads drafts (users.drafts/list, users.drafts/get)."""

LABELS = (f"{_AUTH}gmail.labels", *METADATA)
"""Any one of these lists labels (users.labels/list)."""


MODIFY = (f"{_AUTH}gmail.modify", "https://mail.google.com/")
"""Any one of these moves, marks and labels messages (users.messages/batchModify)."""

LABEL_CHANGES = (f"{_AUTH}gmail.labels", *MODIFY)
"""Any one of these makes, renames and deletes labels (users.labels/create)."""

CALENDARS = tuple(
    f"{_AUTH}{name}"
    for name in ("calendar.readonly", "calendar", "calendar.calendarlist.readonly", "calendar.calendarlist")
)
"""Any one of these lists calendars (calendarList/list)."""

EVENTS_WRITE = tuple(f"{_AUTH}{name}" for name in ("calendar", "calendar.events", "calendar.events.owned"))
"""Any one of these makes, changes and deletes events (events/insert)."""

EVENTS_READ = (
    *(f"{_AUTH}{name}" for name in ("calendar.readonly", "calendar.events.readonly", "calendar.events.owned.readonly")),
    *EVENTS_WRITE,
)
"""Any one of these reads events (events/list)."""

FREE_BUSY = tuple(
    f"{_AUTH}{name}" for name in ("calendar.freebusy", "calendar.readonly", "calendar", "calendar.events.freebusy")
)
"""Any one of these asks when people are busy (freebusy/query)."""


def is_granted(account: Account, scopes: tuple[str, ...]) -> bool:
    """Say whether one of ``scopes`` is granted, or may be because nobody knows."""
    return account.scopes is None or not _names(scopes).isdisjoint(_names(account.scopes))


def require(account: Account, operation: str, scopes: tuple[str, ...]) -> None:
    """Refuse what Google would refuse.

    Raises:
        PermissionMissing: none of ``scopes`` is granted.
    """
    if not is_granted(account, scopes):
        raise PermissionMissing(
            f"sign in to this account again and grant one of: {', '.join(scopes)}",
            scopes=scopes,
            account=account.name,
            operation=operation,
            code="insufficientPermissions",
        )


@contextmanager
def permitted(account: Account, operation: str, scopes: tuple[str, ...]) -> Iterator[None]:
    """Refuse what Google would refuse, and where it does so itself, say in its error which scopes would do.

    Raises:
        PermissionMissing: none of ``scopes`` is granted.
    """
    require(account, operation, scopes)
    try:
        yield
    except PermissionMissing as refusal:
        if refusal.scopes == READ:  # what the dialect says of every such refusal, since it sees no request
            refusal.scopes = scopes
        raise


def _names(scopes: Iterable[str]) -> set[str]:
    """Give scopes without what all of them share, since people also write ``gmail.readonly``."""
    return {scope.removeprefix(_AUTH).removesuffix("/") for scope in scopes}
