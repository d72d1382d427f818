"""What a mail is looked for by, as data that survives a restart. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from mailkit.errors import UsageError
from mailkit.mime.address_key import address_key
from mailkit.providers.writing import Attempt, Letter, Trace

__all__ = ["trace_from_dict", "trace_of", "trace_to_dict"]


def trace_of(letter: Letter, attempt: Attempt) -> Trace:
    """Give what a letter on its way is looked for by."""
    return Trace(
        message_id=attempt.message_id or letter.message_id,
        send_id=letter.send_id,
        subject=letter.message.subject,
        recipients=frozenset(address_key(each.address) for each in (*letter.message.to, *letter.message.cc)),
        around=letter.date,
        draft_id=attempt.draft_id,
    )


def trace_to_dict(trace: Trace) -> dict[str, object]:
    """Give a trace as JSON-safe values."""
    return {
        "message_id": trace.message_id,
        "send_id": trace.send_id,
        "subject": trace.subject,
        "recipients": sorted(trace.recipients),
        "around": trace.around.isoformat(),
        "draft_id": trace.draft_id,
    }


def trace_from_dict(data: Mapping[str, object]) -> Trace:
    """Read what ``trace_to_dict`` gave.

    Raises:
        UsageError: it is something else.
    """
    match data:
        case {
            "message_id": str(message_id),
            "send_id": str(send_id),
            "subject": str(subject),
            "recipients": list() | tuple() as recipients,
            "around": str(around),
            "draft_id": str() | None as draft_id,
        } if (at := _instant(around)) is not None:
            return Trace(
                message_id=message_id,
                send_id=send_id,
                subject=subject,
                recipients=frozenset(map(str, recipients)),
                around=at,
                draft_id=draft_id,
            )
    raise UsageError("this result has no trace; pass it, or the error, as it was given", code="bad_trace")


def _instant(text: str) -> dt.datetime | None:
    """Read an instant around which there may be others; None: it is none."""
    try:
        at = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    return at if at.tzinfo is not None and dt.MINYEAR < at.year < dt.MAXYEAR else None
