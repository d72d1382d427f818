"""Which permissions let a token do what: the table at the top of each operation's page (learn.microsoft.com/graph).

Responsible for the names alone. Whose mailbox it is, and whether a calendar is shared, is looked at elsewhere.
"""

from __future__ import annotations

__all__ = ["is_read", "wanted"]

# Any one of these will do.
_MAIL = ("mail.read", "mail.readwrite")
_WRITE_CALENDARS = ("calendars.readwrite", "calendars.readwrite.shared")
_READ_CALENDARS = ("calendars.read", "calendars.read.shared", *_WRITE_CALENDARS)
_READING = {
    "me": ("user.read", "user.readwrite", "user.read.all", "user.readwrite.all", "directory.read.all"),
    "folders": ("mail.readbasic", *_MAIL),
    "messages": _MAIL,
    "attachments": _MAIL,
    "categories": ("mailboxsettings.read", "mailboxsettings.readwrite"),
    "settings": ("mailboxsettings.read", "mailboxsettings.readwrite"),
    "calendars": ("calendars.readbasic", *_READ_CALENDARS),
    "calendarGroups": ("calendars.readbasic", *_READ_CALENDARS),
    "events": _READ_CALENDARS,
    "places": ("place.read.all", "place.readwrite.all"),
}
_READS = ("get", "list", "children", "raw", "view", "instances", "getSchedule")
_WRITING = {
    "folders": ("mail.readwrite",),
    "messages": ("mail.readwrite",),
    "attachments": ("mail.readwrite",),
    "categories": ("mailboxsettings.readwrite",),
    "calendars": _WRITE_CALENDARS,
    "events": _WRITE_CALENDARS,
}
_SENDING = ("me.sendMail", "messages.send", "messages.reply", "messages.replyAll", "messages.forward")


def wanted(operation: str) -> tuple[str, ...]:
    """Give the permissions of which one is needed, in lower case."""
    if operation in _SENDING:
        return ("mail.send",)
    return (_READING if is_read(operation) else _WRITING)[operation.partition(".")[0]]


def is_read(operation: str) -> bool:
    """Say whether an operation changes nothing."""
    return operation.partition(".")[2] in _READS
