"""What a query needs to know besides its text: the moment, the zone and who "me" is.

A plain value handed in by the caller; nothing here reads a clock, the environment or a mailbox.
"""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import attrs

from mailkit.errors import UsageError

__all__ = ["QueryContext"]


@attrs.frozen(kw_only=True)
class QueryContext:
    """The circumstances a query is read in.

    ``now`` is an aware datetime, from which ages count. ``tz`` is the zone of calendar dates and of calendar steps back
    in time. ``me`` holds all of the account's own addresses, aliases included.

    Raises:
        UsageError: ``now`` has no zone.
    """

    now: dt.datetime = attrs.field()
    tz: ZoneInfo
    me: tuple[str, ...] = attrs.field(default=(), repr=False)

    @now.validator
    def _now_is_aware(self, _attribute: object, value: dt.datetime) -> None:
        if value.utcoffset() is None:
            raise UsageError("now must be an aware datetime, for example datetime.now(UTC)", code="naive_datetime")
