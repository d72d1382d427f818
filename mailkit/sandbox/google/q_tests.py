"""What each search operator of Gmail asks of one message. The judge's own reading; see ``q_read`` for the grammar.

Sources: support.google.com/mail/answer/7190; developers.google.com/workspace/gmail/api/guides/filtering for dates,
which the API reads in Pacific time, and for aliases, which it does not expand.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Callable, Sequence
from typing import TypeAlias
from zoneinfo import ZoneInfo

import attrs

from mailkit.sandbox.google.labels import category_id
from mailkit.sandbox.google.letter import Card, Letter, same_address
from mailkit.sandbox.google.words import fold, label_key, near, stands_in, words
from mailkit.sandbox.mail import WELL_KNOWN

Test: TypeAlias = Callable[[Letter], bool]

# Every calendar date of a query is midnight there, says guides/filtering.
PACIFIC = ZoneInfo("America/Los_Angeles")

_KINDS = {
    "drive": r"://(drive|docs)\.google\.com/",
    "document": r"://docs\.google\.com/document/",
    "spreadsheet": r"://docs\.google\.com/spreadsheets/",
    "presentation": r"://docs\.google\.com/presentation/",
    "youtube": r"://(www\.)?(youtube\.com|youtu\.be)/",
}
_STARS = frozenset(f"{colour}-star" for colour in ("yellow", "orange", "red", "purple", "blue", "green")) | {
    "red-bang",
    "yellow-bang",
    "orange-guillemet",
    "green-check",
    "blue-info",
    "purple-question",
}
_SPELT = {"draft": "drafts", "bin": "trash", "junk": "spam", "chats": "chat"}
_DAY = (
    re.compile(r"(?P<y>\d{4})([/.-])(?P<m>\d{1,2})\2(?P<d>\d{1,2})"),
    re.compile(r"(?P<m>\d{1,2})([/-])(?P<d>\d{1,2})\2(?P<y>\d{4})"),
)


@attrs.frozen
class Setting:
    """What a search is read for: the account's own primary address, and the moment."""

    me: str
    now: dt.datetime


def nothing(_letter: Letter) -> bool:
    """Match no message: what Gmail makes of a value it cannot read."""
    return False


def everything(_letter: Letter) -> bool:
    """Match every message."""
    return True


def text(value: str) -> Test:
    """Find words, consecutive, in one of the fields a bare word is looked for in."""
    wanted = words(value)
    return lambda letter: stands_in(wanted, *letter.fields)


def around(left: str, right: str, distance: int, *, ordered: bool, subject: bool) -> Test:
    """Find two texts close together, in the subject or (unless ``subject``) the body."""
    a, b = words(left), words(right)

    def test(letter: Letter) -> bool:
        fields = (letter.subject,) if subject else (letter.subject, letter.body)
        return any(near(a, b, distance, field, ordered=ordered) for field in fields)

    return test


def operator(name: str, value: str, setting: Setting, *, quoted: bool) -> Test:
    """Give the test of ``name:value``."""
    if name in _PEOPLE:
        return _people(name, value, setting, quoted=quoted)
    if name in _TEXTS:
        return _TEXTS[name](value)
    return _OTHERS[name](value, setting)


# -- people and texts ------------------------------------------------------------------------------------------------

_PEOPLE: dict[str, Callable[[Letter], Sequence[Card]]] = {
    "from": lambda letter: letter.senders,
    # The recipients of all three headers, says the reference of users.settings.filters.
    "to": lambda letter: (*letter.to, *letter.cc, *letter.bcc),
    "cc": lambda letter: letter.cc,
    "bcc": lambda letter: letter.bcc,
    "deliveredto": lambda letter: letter.delivered_to,
}


def _people(name: str, value: str, setting: Setting, *, quoted: bool) -> Test:
    cards = _PEOPLE[name]
    if fold(value) == "me" and not quoted:
        value = setting.me
    local, at, domain = value.strip().rpartition("@")
    if at and local and domain and not re.search(r"\s", value.strip()):
        whole = same_address(value.strip())
        return lambda letter: any(card.whole == whole for card in cards(letter))
    wanted = words(value)
    return lambda letter: any(stands_in(wanted, card.name, card.address) for card in cards(letter))


def _subject(value: str) -> Test:
    wanted = words(value)
    return lambda letter: stands_in(wanted, letter.subject)


def _filename(value: str) -> Test:
    wanted = words(value)
    return lambda letter: stands_in(wanted, *letter.files)


def _list(value: str) -> Test:
    wanted = words(value.replace("@", "."))
    return lambda letter: stands_in(wanted, words((letter.mail.list_id or "").replace("@", ".")))


def _message_id(value: str) -> Test:
    wanted = value.strip().removeprefix("<").removesuffix(">")
    return lambda letter: (letter.mail.message_id or "").strip().strip("<>") == wanted


_TEXTS: dict[str, Callable[[str], Test]] = {
    "subject": _subject,
    "filename": _filename,
    "list": _list,
    "rfc822msgid": _message_id,
}


# -- places, states, labels ------------------------------------------------------------------------------------------

_STATES: dict[str, Test] = {
    "unread": lambda letter: not letter.mail.read,
    "read": lambda letter: letter.mail.read,
    "starred": lambda letter: letter.mail.starred or letter.mail.star is not None,
    "important": lambda letter: letter.mail.important,
    "muted": lambda letter: letter.mail.muted,
    "snoozed": lambda letter: letter.mail.snoozed,
    "chat": lambda letter: letter.mail.chat,
    "archive": lambda letter: not (letter.mail.snoozed or letter.mail.chat or letter.places),
    "anywhere": everything,
    "all": everything,
}


def place(value: str) -> str:
    """Give the one name of a place or state: ``bin`` is ``trash``."""
    return _SPELT.get(fold(value), fold(value))


def _label(value: str, _setting: Setting) -> Test:
    # in:, is: and label: share one name space; a name that is no built-in is a label of the person's own.
    name = place(value)
    if name in WELL_KNOWN and name != "archive":
        return lambda letter: name in letter.places
    key = label_key(value)
    return _STATES.get(name) or (lambda letter: key in letter.labels)


def _category(value: str, _setting: Setting) -> Test:
    name = fold(value)
    return lambda letter: letter.mail.category == name or category_id(name) in letter.marks


def _has(value: str, _setting: Setting) -> Test:
    name = fold(value)
    if name == "attachment":
        return lambda letter: any(not file.inline for file in letter.mail.files)
    if name == "userlabels":
        return lambda letter: bool(letter.labels)
    if name == "nouserlabels":
        return lambda letter: not letter.labels
    if name in _KINDS:
        link = re.compile(_KINDS[name], re.IGNORECASE)
        return lambda letter: letter.links_to(link)
    return (lambda letter: letter.mail.star == name) if name in _STARS else nothing


# -- dates and sizes -------------------------------------------------------------------------------------------------


def _instant(value: str) -> dt.datetime | None:
    if re.fullmatch(r"\d{9,11}", value):
        return dt.datetime.fromtimestamp(int(value), dt.UTC)
    found = next((match for match in (form.fullmatch(value) for form in _DAY) if match), None)
    try:
        return found and dt.datetime(int(found["y"]), int(found["m"]), int(found["d"]), tzinfo=PACIFIC)
    except ValueError:
        return None


def _after(value: str, _setting: Setting) -> Test:
    instant = _instant(value)
    return (lambda letter: letter.entry.received >= instant) if instant else nothing


def _before(value: str, _setting: Setting) -> Test:
    instant = _instant(value)
    return (lambda letter: letter.entry.received < instant) if instant else nothing


def _ago(value: str, now: dt.datetime) -> dt.datetime | None:
    found = re.fullmatch(r"([1-9]\d{0,4})([dmy])", fold(value))
    if not found:
        return None
    count, unit = int(found[1]), found[2]
    local = now.astimezone(PACIFIC)
    try:
        if unit == "d":
            return local - dt.timedelta(days=count)
        year, month = divmod(local.year * 12 + local.month - 1 - count * (12 if unit == "y" else 1), 12)
        return local.replace(year=year, month=month + 1, day=min(local.day, calendar.monthrange(year, month + 1)[1]))
    except (ValueError, OverflowError):
        return dt.datetime.min.replace(tzinfo=dt.UTC)


def _newer_than(value: str, setting: Setting) -> Test:
    instant = _ago(value, setting.now)
    return (lambda letter: letter.entry.received >= instant) if instant else nothing


def _older_than(value: str, setting: Setting) -> Test:
    instant = _ago(value, setting.now)
    return (lambda letter: letter.entry.received < instant) if instant else nothing


def _bytes(value: str) -> int | None:
    found = re.fullmatch(r"(\d+)([kmg]?)b?", fold(value))
    return int(found[1]) << {"": 0, "k": 10, "m": 20, "g": 30}[found[2]] if found else None


def _larger(value: str, _setting: Setting) -> Test:
    limit = _bytes(value)
    return nothing if limit is None else lambda letter: letter.entry.size > limit


def _smaller(value: str, _setting: Setting) -> Test:
    limit = _bytes(value)
    return nothing if limit is None else lambda letter: letter.entry.size < limit


_OTHERS: dict[str, Callable[[str, Setting], Test]] = {
    "in": _label,
    "is": _label,
    "label": _label,
    "category": _category,
    "has": _has,
    "after": _after,
    "newer": _after,
    "before": _before,
    "older": _before,
    "newer_than": _newer_than,
    "older_than": _older_than,
    "larger": _larger,
    "size": _larger,
    "smaller": _smaller,
}

OPERATORS = frozenset((*_PEOPLE, *_TEXTS, *_OTHERS))
