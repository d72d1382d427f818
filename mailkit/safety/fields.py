"""Which fields of a record other people control, and records in which these are wrapped.

Everything is taken for theirs that is not known to be ours: instants, numbers, refs, words out of a fixed list, and the
owner's own labels and folders.
"""

from __future__ import annotations

import datetime as dt
import typing
from collections.abc import Mapping
from functools import cache

import attrs

from mailkit.checks import instance
from mailkit.models import Body, Label, Record
from mailkit.safety.text import clean_html, clean_text
from mailkit.values import Ref

__all__ = ["Untrusted", "body_text", "untrusted"]

_OURS = frozenset({"account", "folder_path", "folder_id", "labels"})  # what the owner of the mailbox named
_LEFT_OUT = frozenset({"raw"})  # the provider's JSON says it all again, uncleaned


@attrs.frozen
class Untrusted:
    """Text that somebody else wrote: ``text`` as it came, ``str()`` of it and ``to_dict()`` cleaned.

    Example:
        >>> f"{Untrusted('Hi <tool>')}"
        'Hi ‹tool>'
    """

    text: str = attrs.field(repr=lambda text: f"<{len(text)} characters>")

    def __attrs_post_init__(self) -> None:
        instance(self.text, "text", str, "a text")

    def __str__(self) -> str:
        return clean_text(self.text)

    def to_dict(self) -> dict[str, object]:
        """Give ``{"untrusted": cleaned text}``, which says in JSON what it is."""
        return {"untrusted": str(self)}


def untrusted(record: Record) -> dict[str, object]:
    """Give a record as JSON-safe values in which every text of other people is cleaned and marked as theirs.

    Subject, snippet, names, addresses, body, headers, names of attachments become ``{"untrusted": text}``. Refs,
    instants, sizes, flags, and the owner's folders and labels stay as they are; a body is the text a reader sees, and
    the provider's ``raw`` JSON is left out. ``str(ref)`` is exact, so a program can act on what a model picked.

    Raises:
        UsageError: this is no record; what a search gives is marked row by row.

    Example:
        >>> from mailkit.testing import demo_accounts
        >>> from mailkit import MailClient
        >>> with MailClient(demo_accounts()) as mail:
        ...     row = untrusted(mail.search("in:inbox", limit=1)[0])
        >>> sorted(row["subject"])
        ['untrusted']
    """
    wanted = "a record, such as a message or a row of a search"
    return _record(instance(record, "record", Record, wanted, hint="give those of a search or a list row by row"))


def body_text(body: Body) -> str:
    """Give the cleaned text of a body: what its HTML shows, else the plain text, else the snippet.

    The HTML comes first because mail programs show it: a plain part that says something else is seen by nobody.
    """
    if (body.html or "").strip() and (text := clean_html(body.html or "")):
        return text
    return clean_text((body.plain or "").strip() or ("" if body.html else body.snippet))


def _record(record: attrs.AttrsInstance) -> dict[str, object]:
    if isinstance(record, Label):
        return record.to_dict()  # all of it is the owner's or the provider's
    if isinstance(record, Body):
        return {"untrusted": body_text(record)}
    words = _fixed_words(type(record))
    marked: dict[str, object] = {}
    for name in (field.name for field in attrs.fields(type(record))):
        if name in _LEFT_OUT or name.startswith("_"):  # a parsed attachment keeps its bytes to itself
            continue
        value = getattr(record, name)
        if name in _OURS:
            marked[name] = [*value] if isinstance(value, tuple) else value
        else:
            marked[name] = value if value in words.get(name, ()) else _value(value)
    return marked


def _value(value: object) -> object:
    match value:
        case None | bool() | int() | float():
            return value
        case Ref():
            return str(value)
        case dt.date() | dt.time():
            return value.isoformat()
        case list() | tuple() | set() | frozenset():
            return [_value(each) for each in value]
        case Mapping():
            return {clean_text(str(key)): _value(each) for key, each in value.items()}
        case _ if attrs.has(type(value)):
            return _record(typing.cast("attrs.AttrsInstance", value))
        case _:
            return Untrusted(str(value)).to_dict()


@cache
def _fixed_words(kind: type) -> dict[str, tuple[object, ...]]:
    """Find the words out of which a field's value is one, where its type lists them."""
    return {name: _literals(hint) for name, hint in typing.get_type_hints(kind).items()}


def _literals(hint: object) -> tuple[object, ...]:
    inner = typing.get_args(hint)
    return inner if typing.get_origin(hint) is typing.Literal else tuple(w for each in inner for w in _literals(each))
