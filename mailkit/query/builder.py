"""Build a query from a program's own values: built, not pasted together, so that no value can act as syntax.

The text of a built query parses back to exactly its tree. Knows no mailbox.
"""

from __future__ import annotations

import datetime as dt
from typing import Literal

import attrs

from mailkit.checks import flag, instance
from mailkit.errors import UsageError
from mailkit.query.ast import (
    Age,
    Around,
    Date,
    Expr,
    Field,
    FieldName,
    Place,
    Size,
    State,
    Text,
    Unit,
    and_,
    not_,
    or_,
    sound,
)
from mailkit.query.operators import BUILT_IN, OPERATORS, Refusal, term
from mailkit.query.render import render
from mailkit.query.spelling import bare_exact, bare_value, bare_word, quotable, unordered
from mailkit.query.words import has_words

__all__ = ["Q"]

_PLACES = frozenset({"inbox", "sent", "drafts", "trash", "spam", "anywhere", "archive", "outbox", "all"})
_STATES = frozenset({"unread", "read", "starred", "important", "muted", "snoozed", "chat"})
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_LAST_SECOND = 99_999_999_999  # the most that 11 digits of epoch seconds can say
_LARGEST = 10**18 - 1


@attrs.frozen(repr=False)
class Q:
    """A query in the making: terms from the class's methods, joined with ``&``, ``|`` and ``~``.

    ``expr`` is the tree, ``str(q)`` its text in Gmail's syntax, which parses back to ``expr``. Any text is taken as a
    value; several words stand consecutive, as in quotation marks. What the syntax cannot hold (quotation marks inside
    a value, control characters) becomes a blank, which changes no word. A value without a letter or digit is refused.

    Raises:
        UsageError: a value cannot be right, or and, or, not stand more than 50 deep in one another (``too_deep``).

    Example:
        >>> str(Q.from_("priya@example.com") & ~Q.subject("weekly report"))
        'from:priya@example.com -subject:"weekly report"'
    """

    expr: Expr = attrs.field(converter=sound)

    def __str__(self) -> str:
        return render(self.expr)

    def __repr__(self) -> str:
        return f"<Q {type(self.expr).__name__}>"  # the text may hold names and addresses

    def __and__(self, other: Q) -> Q:
        if not isinstance(other, Q):
            return NotImplemented  # from callers that check no types
        return Q(and_((self.expr, other.expr)))

    def __or__(self, other: Q) -> Q:
        if not isinstance(other, Q):
            return NotImplemented  # from callers that check no types
        return Q(or_((self.expr, other.expr)))

    def __invert__(self) -> Q:
        return Q(not_(self.expr))

    @staticmethod
    def all_of(*queries: Q) -> Q:
        """Every one of ``queries``.

        Raises:
            UsageError: there is none.
        """
        return Q(and_(q.expr for q in _some(queries)))

    @staticmethod
    def any_of(*queries: Q) -> Q:
        """At least one of ``queries``.

        Raises:
            UsageError: there is none.
        """
        return Q(or_(q.expr for q in _some(queries)))

    @staticmethod
    def from_(value: str) -> Q:
        """Mail from this person: an address, part of one, a name, or ``me`` for any of the account's own addresses."""
        return _field("from", value)

    @staticmethod
    def to(value: str) -> Q:
        """Mail to this person, in To, Cc or Bcc; values as for ``from_``."""
        return _field("to", value)

    @staticmethod
    def cc(value: str) -> Q:
        """Mail with this person in Cc; values as for ``from_``."""
        return _field("cc", value)

    @staticmethod
    def bcc(value: str) -> Q:
        """Mail with this person in Bcc; values as for ``from_``."""
        return _field("bcc", value)

    @staticmethod
    def delivered_to(value: str) -> Q:
        """Mail delivered to this address; values as for ``from_``."""
        return _field("deliveredto", value)

    @staticmethod
    def subject(value: str) -> Q:
        """These words, consecutive, in the subject."""
        return _field("subject", value)

    @staticmethod
    def filename(value: str) -> Q:
        """These words, consecutive, in the name of one attachment; an extension is a word (``pdf``)."""
        return _field("filename", value)

    @staticmethod
    def list_(value: str) -> Q:
        """Mail of this mailing list, by words of its List-Id."""
        return _field("list", value)

    @staticmethod
    def message_id(value: str) -> Q:
        """The mail with this Message-ID, with or without ``<>``; case counts.

        Raises:
            UsageError: it is empty, or holds a quotation mark or control character, which the syntax cannot say.
        """
        bare = _string(value).strip().removeprefix("<").removesuffix(">").strip()
        if quotable(bare) != bare:
            raise UsageError("this Message-ID cannot be searched for: it holds a quotation mark", code="bad_value")
        return _term("rfc822msgid", bare, quoted=not bare_value(bare))

    @staticmethod
    def text(value: str) -> Q:
        """These words, consecutive, in subject, body, a person's name or address, or an attachment's name."""
        held = _held(value)
        return Q(Text(held, phrase=not bare_word(held, OPERATORS)))

    @staticmethod
    def phrase(value: str) -> Q:
        """The same as ``text``, in quotation marks: the server takes the words as they are."""
        return Q(Text(_held(value), phrase=True))

    @staticmethod
    def exact(value: str) -> Q:
        """The same as ``text``, with a plus before it: the server adds no other forms of the word."""
        held = _held(value)
        return Q(Text(held, phrase=not bare_exact(held), exact=True))

    @staticmethod
    def around(
        left: str, right: str, distance: int, *, ordered: bool = False, field: Literal["subject"] | None = None
    ) -> Q:
        """At most ``distance`` words between ``left`` and ``right``; ``ordered``: left first; ``field``: subject only.

        Raises:
            UsageError: a side is empty, or the distance is no whole number from 0 to 999999.
        """
        if field not in (None, "subject"):
            raise UsageError("field is None or 'subject'", code="bad_value")
        return Q(Around(_held(left), _held(right), _number(distance, 0, 999_999), flag(ordered, "ordered"), field))

    @staticmethod
    def label(name: str) -> Q:
        """Mail with this label, by its name; a built-in name (``inbox``, ``starred``) means the built-in."""
        return _term("label", quotable(_string(name)))

    @staticmethod
    def in_(place: Place) -> Q:
        """Mail in this place. ``trash``, ``spam`` and ``anywhere`` widen the search to what is otherwise left out."""
        if _string(place) not in _PLACES:
            raise UsageError(
                f"in_ takes one of {', '.join(sorted(_PLACES))}; for a label use Q.label", code="bad_value"
            )
        return Q(BUILT_IN[place])

    @staticmethod
    def is_(state: State | Literal["read"]) -> Q:
        """Mail in this state."""
        if _string(state) not in _STATES:
            raise UsageError(
                f"is_ takes one of {', '.join(sorted(_STATES))}; for a label use Q.label", code="bad_value"
            )
        return Q(BUILT_IN[state])

    @staticmethod
    def has(thing: str) -> Q:
        """Mail with an ``attachment``, a kind of linked file, ``userlabels``, ``nouserlabels`` or a star colour."""
        return _term("has", _string(thing))

    @staticmethod
    def category(name: str) -> Q:
        """Mail in this category of the inbox."""
        return _term("category", _string(name))

    @staticmethod
    def after(moment: dt.date | dt.datetime) -> Q:
        """Mail at or after midnight of a day, in the search's zone, or at or after an aware datetime (whole seconds).

        Raises:
            UsageError: the datetime is naive, or before 1970.
        """
        return Q(Date("after", _moment(moment)))

    @staticmethod
    def before(moment: dt.date | dt.datetime) -> Q:
        """Mail before midnight of a day, in the search's zone, or before an aware datetime (whole seconds).

        Raises:
            UsageError: the datetime is naive, or before 1970.
        """
        return Q(Date("before", _moment(moment)))

    @staticmethod
    def newer_than(n: int, unit: Unit = "d") -> Q:
        """Mail of the last ``n`` days, months or years, counted back from now."""
        return Q(Age("newer", _number(n, 1, 999_999), _unit(unit)))

    @staticmethod
    def older_than(n: int, unit: Unit = "d") -> Q:
        """Mail older than ``n`` days, months or years."""
        return Q(Age("older", _number(n, 1, 999_999), _unit(unit)))

    @staticmethod
    def larger(size: int) -> Q:
        """Mail of more than ``size`` bytes."""
        return Q(Size("larger", _number(size, 0, _LARGEST)))

    @staticmethod
    def smaller(size: int) -> Q:
        """Mail of fewer than ``size`` bytes."""
        return Q(Size("smaller", _number(size, 0, _LARGEST)))


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise UsageError(f"a value in a query is a str, not {type(value).__name__}", code="bad_value")
    return value


def _held(value: str) -> str:
    held = unordered(quotable(_string(value)))
    if not has_words(held):
        raise UsageError("a value in a query needs at least one letter or digit", code="missing_value")
    return held


def _field(name: FieldName, value: str) -> Q:
    held = _held(value)
    return Q(Field(name, held, phrase=not bare_value(held)))


def _term(operator: str, value: str, *, quoted: bool = False) -> Q:
    node = term(operator, value, quoted=quoted)
    if isinstance(node, Refusal):
        raise UsageError(node.message, code=node.code)
    return Q(node)


def _some(queries: tuple[Q, ...]) -> tuple[Q, ...]:
    if not queries:
        raise UsageError("join at least one query; to search everything pass an empty string", code="missing_value")
    return tuple(instance(query, "each query", Q, "a Q, as in Q.text(value)") for query in queries)


def _moment(moment: object) -> dt.date | int:
    if isinstance(moment, dt.datetime):
        if moment.utcoffset() is None:
            raise UsageError(
                "pass an aware datetime, or a date for midnight in the search's zone", code="naive_datetime"
            )
        return _number((moment - _EPOCH) // dt.timedelta(seconds=1), 0, _LAST_SECOND)
    if isinstance(moment, dt.date):
        return moment
    raise UsageError(f"a moment in a query is a date or datetime, not {type(moment).__name__}", code="bad_date")


def _number(n: object, least: int, most: int) -> int:
    if isinstance(n, bool) or not isinstance(n, int) or not least <= n <= most:
        raise UsageError(f"pass a whole number from {least} to {most}", code="bad_value")
    return n


def _unit(unit: Unit) -> Unit:
    if unit not in ("d", "m", "y"):
        raise UsageError("the unit of an age is d, m or y: days, months or years", code="bad_age")
    return unit
