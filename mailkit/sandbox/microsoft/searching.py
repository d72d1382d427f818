"""Evaluates a ``$search`` tree over one message, under a chosen behaviour of the server.

Responsible for what each searchable property looks at (learn.microsoft.com/graph/search-query-parameter). How generous
the real index is differs and is not documented; ``SearchBehaviour`` says which server is played. Never reads a query's
text: see ``kql``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Literal, assert_never

import attrs

from mailkit.sandbox.microsoft.kql import AllOf, AnyOf, Days, Except, Near, Number, Search, Term, Word
from mailkit.sandbox.microsoft.words import is_run, words

__all__ = ["MOST_HITS", "Indexed", "SearchBehaviour", "found"]

MOST_HITS = 1000
"""No search gives more (search-query-parameter)."""

_PEOPLE = {
    "from": ("from",),
    "to": ("to",),
    "cc": ("cc",),
    "bcc": ("bcc",),
    "recipients": ("to", "cc", "bcc"),
    "participants": ("from", "to", "cc", "bcc"),
}


@attrs.frozen(kw_only=True)
class SearchBehaviour:
    """Which server answers ``$search``.

    ``words``: ``whole`` finds whole words alone, ``prefix`` also takes each word for the beginning of a longer one and
    expands a name into everybody who shares a part of it. ``day_shift`` is how far the server's days lie ahead of UTC.
    ``bcc_indexed``: Bcc is documented as searchable and reported not to be (microsoft-365-docs#2277).
    """

    words: Literal["whole", "prefix"] = "whole"
    day_shift: dt.timedelta = dt.timedelta()
    bcc_indexed: bool = False


@attrs.frozen(kw_only=True, slots=False)
class Indexed:
    """One message as the index holds it.

    ``people`` maps ``from``, ``to``, ``cc`` and ``bcc`` to names and addresses, one text each. Dates are aware.
    ``measure`` gives the size in bytes, which is only worked out where a search asks for it.
    """

    people: Mapping[str, tuple[str, ...]]
    subject: str
    body: str
    files: tuple[str, ...]
    has_attachments: bool
    importance: str
    received: dt.datetime
    sent: dt.datetime
    measure: Callable[[], int]

    @cached_property
    def words(self) -> Mapping[str, list[list[str]]]:
        """The words of each text field, one list a text."""
        texts = {**self.people, "subject": (self.subject,), "body": (self.body,), "attachment": self.files}
        return {field: [words(text) for text in many] for field, many in texts.items()}


def found(tree: Search, message: Indexed, behaviour: SearchBehaviour) -> bool:
    """Whether the server finds ``message``."""
    match tree:
        case AllOf(parts):
            return all(found(part, message, behaviour) for part in parts)
        case AnyOf(parts):
            return any(found(part, message, behaviour) for part in parts)
        case Except(inner):
            return not found(inner, message, behaviour)
        case Term():
            return _has_term(tree, message, behaviour)
        case Near():
            return _has_near(tree, message, behaviour)
        case Word("hasattachment", value):
            return message.has_attachments == (value == "true")
        case Word("importance", value):
            return message.importance == value
        case Word(_, value):
            return value == "email"  # kind: everything in a mailbox read here is mail
        case Days(field, first, last):
            instant = message.received if field == "received" else message.sent
            day = (instant + behaviour.day_shift).date()
            return (first is None or first <= day) and (last is None or day <= last)
        case Number(least, most):
            size = message.measure()
            return (least is None or least <= size) and (most is None or size <= most)
    assert_never(tree)


def _texts(term: Term, message: Indexed, behaviour: SearchBehaviour) -> Iterator[tuple[str, list[str]]]:
    # A search without a property looks at from, subject and body alone (search-query-parameter).
    wanted = ("from", "subject", "body") if term.field is None else _PEOPLE.get(term.field, (term.field,))
    for field in wanted:
        if field != "bcc" or behaviour.bcc_indexed:
            for text in message.words[field]:
                yield field, text


def _has_term(term: Term, message: Indexed, behaviour: SearchBehaviour) -> bool:
    wide = behaviour.words == "prefix"
    wanted = words(term.text)
    if not wanted:
        return wide  # punctuation alone: nobody says whether it finds nothing or restricts nothing
    for field, text in _texts(term, message, behaviour):
        if wide and field in _PEOPLE and any(word.startswith(part) for word in text for part in wanted):
            return True
        if term.whole and not wide:
            if text == wanted:
                return True
        elif is_run(wanted, text, prefix=wide, open_end=term.open):
            return True
    return False


def _has_near(near: Near, message: Indexed, behaviour: SearchBehaviour) -> bool:
    for _, text in _texts(near.left, message, behaviour):
        lefts, rights = (_places(term, text, behaviour) for term in (near.left, near.right))
        for left_at, left_end in lefts:
            for right_at, right_end in rights:
                after, before = right_at - left_end, left_at - right_end
                if 0 <= after <= near.distance or (not near.ordered and 0 <= before <= near.distance):
                    return True
    return False


def _places(term: Term, text: list[str], behaviour: SearchBehaviour) -> list[tuple[int, int]]:
    wanted = words(term.text)
    wide = behaviour.words == "prefix"
    size = len(wanted)
    runs = range(len(text) - size + 1) if wanted else ()
    return [(s, s + size) for s in runs if is_run(wanted, text[s : s + size], prefix=wide, open_end=term.open)]
