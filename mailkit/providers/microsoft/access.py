"""Which permissions Outlook's verbs need, and the refusal before the network where one is known to be missing.

Knows scopes; asks nobody. Unknown scopes refuse nothing: then Graph decides.
https://learn.microsoft.com/graph/permissions-reference
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from mailkit.errors import PermissionMissing, reword
from mailkit.values import Account

READ = ("Mail.Read", "Mail.ReadWrite", "Mail.Read.Shared", "Mail.ReadWrite.Shared")
"""Any one of these reads mail with bodies."""

WRITE = ("Mail.ReadWrite", "Mail.ReadWrite.Shared")
"""Any one of these makes and changes drafts, and organises mail."""

SEND = ("Mail.Send", "Mail.Send.Shared")
"""Any one of these sends."""

SETTINGS = ("MailboxSettings.ReadWrite",)
"""Makes, recolours and deletes categories; putting one on a message needs ``WRITE`` alone."""

CALENDAR_READ = ("Calendars.Read", "Calendars.ReadWrite", "Calendars.Read.Shared", "Calendars.ReadWrite.Shared")
"""Any one of these reads calendars and events, and asks when others are free."""

CALENDAR_WRITE = ("Calendars.ReadWrite", "Calendars.ReadWrite.Shared")
"""Any one of these makes, changes and deletes events, and answers invitations."""

PLACES = ("Place.Read.All",)
"""Reads the directory of rooms."""

ZONE = ("MailboxSettings.Read", "MailboxSettings.ReadWrite")
"""Any one of these tells the mailbox's zone."""

UNSURE = ("Mail.Read", "Mail.ReadWrite")
"""What the dialect names where Graph refuses: it sees no request."""

# What is known to be granted would do: most likely the right lacks in a mailbox or calendar of somebody else.
_NOT_HERE = (
    "what was granted does not let this account do that here; ask the owner of the mailbox or calendar for the right, "
    "or sign in again if the permission was taken back"
)


def is_granted(account: Account, scopes: Iterable[str]) -> bool:
    """Say whether one of ``scopes`` is granted, or may be because nobody knows."""
    return account.scopes is None or not _names(scopes).isdisjoint(_names(account.scopes))


def require(account: Account, operation: str, scopes: tuple[str, ...]) -> None:
    """Refuse what Graph would refuse.

    Raises:
        PermissionMissing: none of ``scopes`` is granted.
    """
    if not is_granted(account, scopes):
        raise missing(account, operation, scopes, "this")


def missing(account: Account, operation: str, scopes: tuple[str, ...], what: str) -> PermissionMissing:
    """Make the error that says which permission ``what`` needs."""
    return PermissionMissing(
        f"{what} needs the permission {scopes[0]}; sign in to this account again and grant it",
        scopes=scopes,
        account=account.name,
        operation=operation,
    )


@contextmanager
def permitted(account: Account, operation: str, scopes: tuple[str, ...]) -> Iterator[None]:
    """Refuse what Graph would refuse, and where it does so itself, say in its error which scopes would do.

    Raises:
        PermissionMissing: none of ``scopes`` is granted.
    """
    require(account, operation, scopes)
    try:
        yield
    except PermissionMissing as refusal:
        if refusal.scopes == UNSURE:
            refusal.scopes = scopes
            if account.scopes is not None:
                reword(refusal, _NOT_HERE)
        raise


def _names(scopes: Iterable[str]) -> set[str]:
    """Give scopes without the resource before them and in one case, as Entra takes them."""
    return {scope.rpartition("/")[2].lower() for scope in scopes}
