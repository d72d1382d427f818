"""What of a message the local check must see, as Microsoft Graph's ``$select``, ``$expand`` and ``Prefer``.

Responsible for reading no more than a query's terms ask for: bodies, headers and attachments make an answer many times
larger. Never says what else a row shows; the driver adds that.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from mailkit.query.ast import Around, Field, Has, Is, Label, Leaf, Size, Text
from mailkit.query.graph_filter import SIZE_ID

__all__ = ["GraphFields", "fields_of"]

_ATTACHMENTS = "attachments($select=name,isInline)"
_SIZE = f"singleValueExtendedProperties($filter=id eq '{SIZE_ID}')"
_TEXT_BODY = 'outlook.body-content-type="text"'
"""Graph gives HTML unless asked (user-list-messages, request headers), and the names of tags would match as words."""

_RECIPIENTS = ("toRecipients", "ccRecipients", "bccRecipients")
_STATES = {"unread": "isRead", "starred": "flag", "important": "importance"}
_FIELDS = {
    "from": ("from",),
    "to": _RECIPIENTS,
    "cc": ("ccRecipients",),
    "bcc": ("bccRecipients",),
    "subject": ("subject",),
    "list": ("internetMessageHeaders",),
    "filename": (_ATTACHMENTS,),
    "rfc822msgid": ("internetMessageId",),
}


@attrs.frozen(kw_only=True)
class GraphFields:
    """Members for ``$select``, items for ``$expand``, values for ``Prefer``."""

    select: tuple[str, ...] = ()
    expand: tuple[str, ...] = ()
    prefer: tuple[str, ...] = ()


def fields_of(terms: Iterable[Leaf]) -> GraphFields:
    """Give what the terms read, and what every check reads: the instant and the folder."""
    found = dict.fromkeys(("receivedDateTime", "parentFolderId"))
    for term in terms:
        found.update(dict.fromkeys(_read_by(term)))
    return GraphFields(
        select=tuple(name for name in found if "(" not in name),
        expand=tuple(name for name in found if "(" in name),
        prefer=(_TEXT_BODY,) if "body" in found else (),
    )


def _read_by(term: Leaf) -> tuple[str, ...]:
    match term:
        case Text():
            return ("from", *_RECIPIENTS, "subject", "body", _ATTACHMENTS)
        case Around(field=field):
            return ("subject",) if field == "subject" else ("subject", "body")
        case Field(name):
            return _FIELDS.get(name, ())
        case Label() | Has("userlabels" | "nouserlabels"):
            return ("categories",)
        case Has("attachment"):
            return ("hasAttachments",)
        case Has("drive" | "document" | "spreadsheet" | "presentation" | "youtube"):
            return ("body",)
        case Is(state):
            return (_STATES[state],) if state in _STATES else ()
        case Size():
            return (_SIZE,)
        case _:  # dates and places: read by every check
            return ()
