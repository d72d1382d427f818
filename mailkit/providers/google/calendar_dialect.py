"""What Google Calendar tells the transport: its host, its limits and its batches; errors are Google's as at Gmail.

https://developers.google.com/workspace/calendar/api/guides/quota
"""

from __future__ import annotations

import attrs

from mailkit.providers.google.dialect import GoogleDialect
from mailkit.transport.dialect import BatchRoute, Quota

_QUOTA = Quota(units=600, seconds=60)  # requests per minute per user and project, the page above
_BATCH = BatchRoute(style="multipart", path="/batch/calendar/v3", size=10, most=50, parallel=5)


@attrs.frozen(kw_only=True)
class CalendarDialect(GoogleDialect):
    """Google Calendar v3."""

    base_url: str = "https://www.googleapis.com"
    quota: Quota = _QUOTA
    slots: int = 10
    batch: BatchRoute = _BATCH
