"""What Google Calendar tells the transport: its host, its limits, its batches and its own reasons for refusing.

https://developers.google.com/workspace/calendar/api/guides/quota
https://developers.google.com/workspace/calendar/api/guides/errors
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import attrs

from mailkit.errors import ConfigurationError, PermissionMissing, ProviderError, Unsupported
from mailkit.providers.google.dialect import BY_REASON, GoogleDialect
from mailkit.providers.google.limits import CALENDAR_QUOTA
from mailkit.transport.dialect import BatchRoute, Quota, Refusal

_BATCH = BatchRoute(style="multipart", path="/batch/calendar/v3", size=10, most=50, parallel=5)

_SWITCHED_OFF = Refusal(
    error=ConfigurationError,
    message=(
        "the Google Cloud project of this sign-in has the Calendar API switched off; switch it on at "
        "https://console.cloud.google.com/apis/library/calendar-json.googleapis.com, then wait a few minutes"
    ),
    cause="api_switched_off",
)
_READ_ONLY = Refusal(
    error=PermissionMissing,
    message="this calendar may only be looked at; ask its owner for the right to change events",
)
_NOT_ORGANIZER = Refusal(
    error=Unsupported,
    message="only the organiser can change what all guests share; answer the invitation, or ask the organiser",
)
_NO_CALENDAR = Refusal(
    error=Unsupported,
    message="this Google account has no calendar; ask the administrator to switch Google Calendar on",
)


@attrs.frozen(kw_only=True)
class CalendarDialect(GoogleDialect):
    """Google Calendar v3."""

    base_url: str = "https://www.googleapis.com"
    quota: Quota = CALENDAR_QUOTA
    slots: int = 10
    batch: BatchRoute = _BATCH
    reasons: ClassVar[Mapping[str, Refusal]] = {
        **BY_REASON,
        "accessNotConfigured": _SWITCHED_OFF,
        "SERVICE_DISABLED": _SWITCHED_OFF,
        "requiredAccessLevel": _READ_ONLY,
        "forbiddenForNonOrganizer": _NOT_ORGANIZER,
        "notACalendarUser": _NO_CALENDAR,
        "failedPrecondition": Refusal(error=ProviderError),
    }
