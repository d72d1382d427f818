"""From a literal of a query to Microsoft Graph's ``$filter``.

Responsible for the text of each clause, for whether it is exact, and for what Outlook settles without being asked. A
negation goes into the comparison, because ``not`` around comparisons and functions is refused (python-o365#193); only
``not(categories/any(…))`` stands. The grammar is learn.microsoft.com/graph/filter-query-parameter; where a clause rests
on users' reports, they are named beside it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from mailkit.mime.address_key import address_key
from mailkit.query.ast import Age, Category, Date, Field, Has, In, Is, Label, Leaf, Place, Size, Text
from mailkit.query.context import QueryContext
from mailkit.query.dates import instant
from mailkit.query.formula import FALSE, TRUE, Clause, Formula, Literal, all_of, any_of
from mailkit.query.graph_mailbox import GraphMailbox
from mailkit.query.graph_words import ascii_words
from mailkit.query.people import is_me, whole_address
from mailkit.query.spelling import printable
from mailkit.query.words import words

__all__ = ["EVER", "RECENT", "SIZE_ID", "bounds", "filter_of", "held", "received", "stamp"]

EVER = dt.datetime(1900, 1, 1, tzinfo=dt.UTC)
"""Older than any mail: the bound that leads a filter which has no other."""

RECENT = dt.timedelta(days=45)
"""A lower bound no older than this keeps the paging short."""

SIZE_ID = "Integer 0x0E08"
"""PR_MESSAGE_SIZE, the size of an item in bytes (python-o365#970)."""

_MOST_BYTES = 2**31 - 1  # PR_MESSAGE_SIZE is a 32-bit integer ([MS-OXPROPS] PidTagMessageSize)
_ADDRESS = "from/emailAddress/address"
_NAME = "from/emailAddress/name"
_OUTSIDE_ARCHIVE: tuple[Place, ...] = ("inbox", "sent", "drafts", "outbox", "trash", "spam")


def held(term: Leaf) -> bool:
    """Say whether Outlook has such a thing at all: it knows no categories of the inbox, star colours, muting, chats."""
    match term:
        case Category() | Is("muted" | "snoozed" | "chat") | Field("deliveredto"):
            return False
        case Has(value):
            return "-" not in value  # the star colours are the values of two words
        case _:
            return True


def filter_of(literal: Literal, context: QueryContext, mailbox: GraphMailbox) -> Formula | None:
    """Give the literal in ``$filter``'s words; None: it cannot be pushed. True and false are settled for good."""
    term, positive = literal.term, literal.positive
    match term:
        case _ if not held(term):
            return _settled(holds=not positive)
        case Field("rfc822msgid", value):
            return _message_id(value) if positive and printable(value) == value else None
        case Field() if is_me(term) and not context.me:
            return _settled(holds=not positive)
        case Text(value) | Field(_, value) if not words(value) and whole_address(value) is None:
            return _settled(holds=not positive)  # what has no words stands nowhere
        case Field("from"):
            return _sender(term, context, mailbox, positive=positive)
        case Field("subject", value) if positive:
            return _contains("subject", value)
        case Field("bcc") if positive:
            return _with_bcc(context, mailbox)
        case Label(key):
            return _labelled(key, mailbox, positive=positive)
        case In("anywhere" | "all"):
            return _settled(holds=positive)
        case In("archive"):
            outside = (id_ for place in _OUTSIDE_ARCHIVE for id_ in mailbox.folder_ids(place))
            return _in_folders(outside, positive=not positive)
        case In(place):
            return _in_folders(mailbox.folder_ids(place), positive=positive)
        case Has("attachment"):
            return Clause(f"hasAttachments eq {_boolean(positive)}")
        case Is("unread"):
            return Clause(f"isRead eq {_boolean(not positive)}")
        case Is("starred"):
            return Clause(f"flag/flagStatus {_equals(positive)} 'flagged'", selective=positive)  # msgraph-docs#4083
        case Is("important"):
            return Clause(f"importance {_equals(positive)} 'high'", selective=positive)
        case Date() | Age():
            return _dated(*bounds(term, context, positive=positive), context)
        case Size():
            return _sized(term, positive=positive)
        case _:
            return None


def bounds(term: Date | Age, context: QueryContext, *, positive: bool) -> tuple[dt.datetime, bool]:
    """Give the instant, and whether the mail is from then on (else from before)."""
    return instant(term, context), (term.rel in ("after", "newer")) is positive


def received(operator: str, at: dt.datetime) -> str:
    """Bound the received instant; a bound needs a zone (user-list-messages)."""
    return f"receivedDateTime {operator} {stamp(at)}"


def stamp(at: dt.datetime) -> str:
    """Write an aware datetime as Graph does: UTC, ``Z``."""
    return at.astimezone(dt.UTC).isoformat().replace("+00:00", "Z")


def _settled(*, holds: bool) -> Formula:
    return TRUE if holds else FALSE


def _quoted(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"


def _equals(positive: bool) -> str:
    return "eq" if positive else "ne"  # ``ne`` is true for a missing value


def _boolean(value: bool) -> str:
    return "true" if value else "false"


def _message_id(value: str) -> Formula:
    """Ask for it with and without ``<>``, as mails have it; the comparison ignores case, a Message-ID does not."""
    return any_of(
        Clause(f"internetMessageId eq {_quoted(text)}", exact=False, selective=True) for text in (f"<{value}>", value)
    )


def _in_folders(ids: Iterable[str], *, positive: bool) -> Formula:
    clauses = [Clause(f"parentFolderId {_equals(positive)} {_quoted(id_)}") for id_ in ids]
    return any_of(clauses) if positive else all_of(clauses)


def _contains(path: str, value: str) -> Formula | None:
    """Ask for each ASCII word as a substring: never for the phrase, whose punctuation may differ in the mail."""
    found = [
        any_of(Clause(f"contains({path},{_quoted(word)})", exact=False, selective=True) for word in spellings)
        for spellings in ascii_words(value)
    ]
    return all_of(found) if found else None


def _sender(field: Field, context: QueryContext, mailbox: GraphMailbox, *, positive: bool) -> Formula | None:
    whole = whole_address(field.value)
    if is_me(field):
        return _from_one_of(context.me, mailbox, positive=positive)
    if whole is not None:
        return _from_one_of((whole,), mailbox, positive=positive)
    # The words stand one after another in the name or in the address (contains: microsoft-graph-docs#4866).
    found = [_contains(path, field.value) for path in (_ADDRESS, _NAME)] if positive else []
    return _any_known(found) if found else None


def _from_one_of(addresses: Iterable[str], mailbox: GraphMailbox, *, positive: bool) -> Formula | None:
    keys = list(map(address_key, addresses))
    if positive:
        return _any_known([_from_address(key, mailbox) for key in keys])
    if not all(map(str.isascii, keys)):
        return None
    return all_of(Clause(f"{_ADDRESS} ne {_quoted(key)}", exact=not mailbox.same_tenant) for key in keys)


def _from_address(key: str, mailbox: GraphMailbox) -> Formula | None:
    if not key.isascii():
        # The mail may name an international domain in either form; words of plain ASCII read the same in both.
        return _contains(_ADDRESS, key)
    equal = Clause(f"{_ADDRESS} eq {_quoted(key)}", exact=not mailbox.same_tenant, selective=True)
    if not mailbox.same_tenant:
        return equal
    return any_of([equal, Clause(f"startswith({_ADDRESS},{_quoted(key)})", exact=False, selective=True)])


def _any_known(parts: list[Formula | None]) -> Formula | None:
    """Join by or; with one part that cannot be pushed, the whole cannot."""
    known = [part for part in parts if part is not None]
    return any_of(known) if len(known) == len(parts) else None


def _with_bcc(context: QueryContext, mailbox: GraphMailbox) -> Formula | None:
    """Cut down to what can still show its Bcc: mail from an own address, drafts, and what was or is being sent."""
    own = _from_one_of(context.me, mailbox, positive=True)
    sent = _in_folders((*mailbox.folder_ids("sent"), *mailbox.folder_ids("outbox")), positive=True)
    return None if own is None else _as_cut(any_of([own, Clause("isDraft eq true"), sent]))


def _as_cut(formula: Formula) -> Formula:
    """Keep a formula from counting as exact or selective: it only makes a scan shorter."""
    match formula:
        case Clause(text):
            return Clause(text, exact=False)
        case _:
            return type(formula)(tuple(map(_as_cut, formula.parts)))


def _labelled(key: str, mailbox: GraphMailbox, *, positive: bool) -> Formula:
    known = mailbox.categories is not None
    has = (f"categories/any(c:c eq {_quoted(name)})" for name in mailbox.categories_like(key))
    # filter-query-parameter negates ``any`` this way; the field use is microsoft-graph-docs#12717.
    clauses = [Clause(text if positive else f"not({text})", exact=known, selective=positive) for text in has]
    clauses += [
        Clause(f"parentFolderId {_equals(positive)} {_quoted(id_)}", selective=positive)
        for id_ in mailbox.labelled_folders(key)
    ]
    return any_of(clauses) if positive else all_of(clauses)


def _dated(at: dt.datetime, later: bool, context: QueryContext) -> Formula:
    if at <= EVER:
        return _settled(holds=later)
    return Clause(received("ge" if later else "lt", at), selective=later and at >= context.now - RECENT, dated=True)


def _sized(term: Size, *, positive: bool) -> Formula:
    if term.bytes > _MOST_BYTES:
        return _settled(holds=(term.rel == "smaller") is positive)
    operator = {("larger", True): "gt", ("larger", False): "le", ("smaller", True): "lt", ("smaller", False): "ge"}
    # learn.microsoft.com/graph/api/singlevaluelegacyextendedproperty-get, its request with a cast
    test = f"ep:ep/id eq {_quoted(SIZE_ID)} and cast(ep/value, Edm.Int32) {operator[term.rel, positive]} {term.bytes}"
    return Clause(f"singleValueExtendedProperties/any({test})")
