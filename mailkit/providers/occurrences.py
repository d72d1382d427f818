"""What the calendar drivers say alike of the occurrences of a series. Pure; knows no provider's JSON."""

from __future__ import annotations

from mailkit.models.calendar import EventKind
from mailkit.recurrence import Moment
from mailkit.recurrence.moments import absolute

__all__ = ["occurrence_kind"]


def occurrence_kind(start: Moment, original_start: Moment | None, *, is_off: bool) -> EventKind:
    """Tell an occurrence that is when its rule says from one that is not.

    Times alone decide: Outlook marks whatever was changed of an occurrence, Google nothing, and an occurrence of
    Google's does not come with the series whose title it would be compared with.
    """
    is_due = start is original_start or (original_start is not None and absolute(start) == absolute(original_start))
    return "occurrence" if is_due and not is_off else "exception"
