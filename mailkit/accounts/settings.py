"""What a program may set for all its accounts together. Data only."""

from __future__ import annotations

from typing import Any

import attrs

from mailkit.errors import ConfigurationError
from mailkit.providers.google.limits import QUOTA
from mailkit.providers.microsoft.dialect import IN_FLIGHT
from mailkit.transport import Quota, RetryPolicy

__all__ = ["Settings"]


def _above_zero(_settings: Settings, field: attrs.Attribute[Any], value: float) -> None:
    if not value > 0:
        raise ConfigurationError(f"{field.name} must be above zero")


@attrs.frozen(kw_only=True)
class Settings:
    """How mailkit behaves on the wire; every default is the documented one.

    ``deadline`` is the seconds each account has for one call, ``in_flight`` the most requests under way over all
    accounts, ``retry`` how often and how patiently a request is repeated within the deadline, ``connect_timeout`` and
    ``read_timeout`` (between two pieces of an answer) are in seconds, ``user_agent`` is appended to mailkit's own.
    ``gmail_quota`` is what Google lets one account spend (20 units a message); projects from before May 2026 have ten
    times as much: ``Quota(units=60_000, seconds=60)``. ``outlook_in_flight`` is how many requests one Outlook mailbox
    answers at a time; Microsoft allows each app four.

    Raises:
        ConfigurationError: a number is not above zero.
    """

    deadline: float = attrs.field(default=30.0, validator=_above_zero)
    in_flight: int = attrs.field(default=32, validator=_above_zero)
    retry: RetryPolicy = attrs.field(factory=RetryPolicy)
    connect_timeout: float = attrs.field(default=10.0, validator=_above_zero)
    read_timeout: float = attrs.field(default=30.0, validator=_above_zero)
    user_agent: str = ""
    gmail_quota: Quota = QUOTA
    outlook_in_flight: int = attrs.field(default=IN_FLIGHT, validator=_above_zero)
