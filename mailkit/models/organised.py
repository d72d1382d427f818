"""Messages that were moved or marked."""

from __future__ import annotations

import attrs

from mailkit.models.records import Record
from mailkit.values import Ref

__all__ = ["Organised"]


@attrs.frozen(kw_only=True)
class Organised(Record):
    """A message after a change: ``ref`` is the one to use from now on (an id may change when a message moves)."""

    ref: Ref
