r"""From a literal of a query to Microsoft Graph's ``$search``.

Responsible for KQL text and its quoting. Every clause is a superset of its literal: what the index finds is a
candidate, to be checked here. So only positive text goes in: the negation of a clause that finds too much loses mail.
Sources: learn.microsoft.com/graph/search-query-parameter and
learn.microsoft.com/sharepoint/dev/general-development/keyword-query-language-kql-syntax-reference.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Literal as OneOf

from mailkit.mime.address_key import address_key
from mailkit.query.ast import Age, Around, Date, Field, Has, Is, Size, Text
from mailkit.query.context import QueryContext
from mailkit.query.formula import TRUE, Clause, Formula, Literal, all_of, any_of
from mailkit.query.graph_filter import RECENT, bounds
from mailkit.query.graph_words import phrases
from mailkit.query.people import is_me, whole_address

__all__ = ["search_of", "search_value", "until"]

# Without a property the index looks into sender, subject and body; recipients and file names have their own.
_ANYWHERE = ("", "recipients:", "attachment:")
_PROPERTY: Mapping[str, str] = {
    "from": "from:",
    "to": "recipients:",  # ``to:`` misses cc; Bcc is documented here, yet reported not to be indexed
    "cc": "cc:",
    "subject": "subject:",
    "filename": "attachment:",
}
_HOSTS: Mapping[str, tuple[str, ...]] = {
    "drive": ("drive.google.com", "docs.google.com"),
    "document": ("docs.google.com",),
    "spreadsheet": ("docs.google.com",),
    "presentation": ("docs.google.com",),
    "youtube": ("youtube.com", "youtu.be"),
}
_DAY = dt.timedelta(days=1)


def search_value(kql: str) -> str:
    r"""Write the whole value of ``$search``: in double quotes, ``"`` as ``\"``, ``\`` as ``\\`` (amd/gaia#3021)."""
    escaped = kql.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def search_of(literal: Literal, context: QueryContext) -> Formula:
    """Give the literal in KQL; true where the index cannot be asked."""
    match literal:
        case Literal(Text(value), True):
            return _found(_ANYWHERE, value)
        case Literal(Around(left, right, field=field), True):
            fields = ("subject:",) if field == "subject" else ("subject:", "body:")
            return all_of([_found(fields, left), _found(fields, right)])  # NEAR is for free words only
        case Literal(Field("from" | "to" | "cc") as field, True):
            return _person(field, context)
        case Literal(Field("subject" | "filename" as name, value), True):
            return _found((_PROPERTY[name],), value)
        case Literal(Has("attachment"), positive):
            return _clause(f"hasAttachments:{'true' if positive else 'false'}")
        case Literal(Has(kind), True) if kind in _HOSTS:
            return any_of(_clause(f'body:"{host}"', selective=True) for host in _HOSTS[kind])
        case Literal(Is("important"), True):
            return _clause("importance:high", selective=True)
        case Literal(Date() | Age() as term, positive):
            return _dated(*bounds(term, context, positive=positive), context)
        case Literal(Size(rel, bytes_), positive):
            operator = (">" if positive else "<=") if rel == "larger" else ("<" if positive else ">=")
            return _clause(f"size{operator}{bytes_}")
        case _:
            return TRUE


def until(date: OneOf["received", "sent"], at: dt.datetime) -> str:
    """Bound a day from above, a day late: which zone the server counts days in is not documented."""
    day = at.astimezone(dt.UTC).date()
    return f"{date}<={min(day, dt.date.max - _DAY) + _DAY}"


def _received_since(at: dt.datetime) -> str:
    day = at.astimezone(dt.UTC).date()
    return f"received>={max(day, dt.date.min + _DAY) - _DAY}"


def _clause(text: str, *, selective: bool = False) -> Clause:
    return Clause(text, exact=False, selective=selective)


def _found(properties: tuple[str, ...], value: str) -> Formula:
    return all_of(
        any_of(_clause(f'{name}"{spelling}"', selective=True) for name in properties for spelling in spellings)
        for spellings in phrases(value)
    )


def _person(field: Field, context: QueryContext) -> Formula:
    name = _PROPERTY[field.name]
    whole = whole_address(field.value)
    if is_me(field):
        keys = [address_key(own) for own in context.me]
    elif whole is not None:
        keys = [whole]
    else:
        return _found((name,), field.value)
    return any_of(_found((name,), key) if key.isascii() else TRUE for key in keys)


def _dated(at: dt.datetime, later: bool, context: QueryContext) -> Formula:
    if later:
        return _clause(_received_since(at), selective=at >= context.now - RECENT)
    return _clause(until("received", at))
