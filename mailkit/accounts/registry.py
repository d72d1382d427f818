"""Which dialect and which drivers speak to which provider. The one place that names them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from mailkit.accounts.settings import Settings
from mailkit.providers.base import MailDriver
from mailkit.providers.calendar import CalendarDriver
from mailkit.providers.google.calendar import GoogleCalendarDriver
from mailkit.providers.google.calendar_dialect import CalendarDialect
from mailkit.providers.google.dialect import GoogleDialect
from mailkit.providers.google.gmail import GmailDriver
from mailkit.providers.microsoft.calendar import OutlookCalendarDriver
from mailkit.providers.microsoft.dialect import GraphDialect
from mailkit.providers.microsoft.mail import OutlookDriver
from mailkit.transport import Dialect, Session
from mailkit.values import Provider

__all__ = ["PROVIDERS", "ProviderEntry"]


@attrs.frozen(kw_only=True)
class ProviderEntry:
    """One provider: how it speaks, and who does the verbs.

    ``calendar_dialect`` is None where mail and calendar are one service, with one pace.
    """

    dialect: Callable[[Settings], Dialect]
    mail: Callable[[Session], MailDriver]
    calendar_dialect: Callable[[Settings], Dialect] | None = None
    calendar: Callable[[Session], CalendarDriver]


PROVIDERS: Mapping[Provider, ProviderEntry] = {
    "google": ProviderEntry(
        dialect=lambda settings: GoogleDialect(quota=settings.gmail_quota),
        mail=GmailDriver,
        calendar_dialect=lambda settings: CalendarDialect(quota=settings.calendar_quota),
        calendar=GoogleCalendarDriver,
    ),
    "microsoft": ProviderEntry(
        dialect=lambda settings: GraphDialect(slots=settings.outlook_in_flight),
        mail=OutlookDriver,
        calendar=OutlookCalendarDriver,
    ),
}
