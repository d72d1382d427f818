"""By what a sent mail is recognised at Gmail. Pure: says what to search for, and which of the mails found it is.

Gmail may change a mail's Message-ID, so the header with the send id is looked at, which no search can find; a mail that
is merely alike in subject, recipients and minute counts only if there is no other and it bears no send id of its own.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from mailkit.mime.address_key import address_key
from mailkit.mime.build import SEND_ID_HEADER
from mailkit.mime.fields import by_name, first
from mailkit.mime.headers import read_addresses, read_text
from mailkit.models.sending import Evidence
from mailkit.providers.google.gmail_parts import read_headers
from mailkit.providers.google.gmail_wire import internal_date
from mailkit.providers.wire import Wire, get_needed_text, get_object, get_text
from mailkit.providers.writing import Sent, Trace
from mailkit.query.ast import Field
from mailkit.query.render import write

_RECENT = dt.timedelta(hours=1)
_SAME_MOMENT = dt.timedelta(minutes=2)

Parameter: TypeAlias = tuple[str, str]
Headers: TypeAlias = Mapping[str, Sequence[str]]


def by_message_id(trace: Trace) -> Parameter:
    """Search for the Message-ID: https://support.google.com/mail/answer/7190."""
    return ("q", write(Field("rfc822msgid", trace.message_id.strip("<>")), "plain"))


def by_time(trace: Trace, now: dt.datetime) -> tuple[Parameter, ...]:
    """Leave out what was sent long after; for a mail of the last hour that is nothing, and no search has to know it."""
    until = trace.around + _RECENT
    return () if now < until else (("q", f"before:{int(until.timestamp())}"),)


def sent_from_wire(item: Wire, *, message_id: str | None = None, evidence: Evidence = "answer") -> Sent:
    """Read where a sent mail lies.

    Raises:
        BadPayload: a member is missing, or has another type than documented.
    """
    return Sent(
        message_id=message_id,
        id=get_needed_text(item, "id", "$"),  # an answer without one is none: nobody knows what became of the mail
        thread_id=get_text(item, "threadId", "$") or None,
        evidence=evidence,
    )


def recognise(trace: Trace, items: Sequence[Wire]) -> Sent | None:
    """Find the mail among sent ones, its headers asked for; ``evidence`` says by what.

    Raises:
        BadPayload: a member has another type than documented.
    """
    mails = [(item, by_name(read_headers(get_object(item, "payload", "$"), "$.payload"))) for item in items]
    for item, headers in mails:
        if first(headers, "message-id").strip() == trace.message_id:
            return sent_from_wire(item, message_id=trace.message_id, evidence="message_id")
    for item, headers in mails:
        if trace.send_id and _send_id(headers) == trace.send_id:
            return _found(item, headers, "send_id")
    alike = [(item, headers) for item, headers in mails if _is_alike(trace, item, headers)]
    return _found(*alike[0], "likeness") if len(alike) == 1 else None


def _found(item: Wire, headers: Headers, evidence: Evidence) -> Sent:
    return sent_from_wire(item, message_id=first(headers, "message-id").strip() or None, evidence=evidence)


def _send_id(headers: Headers) -> str:
    return first(headers, SEND_ID_HEADER.lower()).strip()


def _is_alike(trace: Trace, item: Wire, headers: Headers) -> bool:
    people = chain.from_iterable(read_addresses(text) for name in ("to", "cc") for text in headers.get(name, ()))
    return (
        not _send_id(headers)  # it is another one of ours, however alike: the same report twice in a minute
        and abs(internal_date(item, "$") - trace.around) <= _SAME_MOMENT
        and read_text(first(headers, "subject")).split() == trace.subject.split()
        and {address_key(person.address) for person in people} == set(map(address_key, trace.recipients))
    )
