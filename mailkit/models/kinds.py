"""Rows that name their kind, for containers whose JSON must say what lies in them."""

from __future__ import annotations

from mailkit.errors import UsageError
from mailkit.models.calendar import Calendar, Event, FreeBusy, FreeSlot, Room
from mailkit.models.drafts import Draft
from mailkit.models.mail import Attachment, Label, Message, MessageSummary, Thread
from mailkit.models.organised import Organised
from mailkit.models.records import Record

__all__ = ["row_from_dict", "row_to_dict"]

_ROWS = (
    *(MessageSummary, Message, Thread, Label, Attachment, Draft, Organised),
    *(Calendar, Event, FreeBusy, FreeSlot, Room),
)
_KINDS = {kind.__name__: kind for kind in _ROWS}


def row_to_dict(row: Record) -> dict[str, object]:
    """Give ``{"kind": class name, "value": row.to_dict()}``."""
    return {"kind": type(row).__name__, "value": row.to_dict()}


def row_from_dict(data: object) -> Record:
    """Read what ``row_to_dict`` gave.

    Raises:
        UsageError: the kind is unknown, or the value does not fit it.
    """
    match data:
        case {"kind": str(name), "value": value} if name in _KINDS:
            return _KINDS[name].from_dict(value)
    raise UsageError(f"this is no row: expected a kind out of {', '.join(_KINDS)}", code="bad_record")
