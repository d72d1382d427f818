"""Which dialect and which driver speak to which provider. The one place that names them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from mailkit.providers.base import MailDriver
from mailkit.providers.google.dialect import GoogleDialect
from mailkit.providers.google.gmail import GmailDriver
from mailkit.providers.microsoft.dialect import GraphDialect
from mailkit.providers.microsoft.mail import OutlookDriver
from mailkit.transport import Dialect, Session
from mailkit.values import Provider

__all__ = ["PROVIDERS", "ProviderEntry"]


@attrs.frozen(kw_only=True)
class ProviderEntry:
    """One provider: how it speaks, and who does the verbs."""

    dialect: Callable[[], Dialect]
    mail: Callable[[Session], MailDriver]


PROVIDERS: Mapping[Provider, ProviderEntry] = {
    "google": ProviderEntry(dialect=GoogleDialect, mail=GmailDriver),
    "microsoft": ProviderEntry(dialect=GraphDialect, mail=OutlookDriver),
}
