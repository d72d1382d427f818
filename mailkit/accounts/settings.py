"""What a program may set for all its accounts together. Data only."""

from __future__ import annotations

import re

import attrs

from mailkit.checks import instance, refuse, seconds, setting, whole
from mailkit.providers.google.limits import CALENDAR_QUOTA, QUOTA
from mailkit.providers.microsoft.dialect import IN_FLIGHT
from mailkit.transport import Quota, RetryPolicy

__all__ = ["Settings"]


def _header_text(value: object, name: str) -> None:
    if not isinstance(value, str) or re.fullmatch(r"[\x20-\x7e]*", value) is None:
        refuse(value, name, "one line of printable ASCII")


@attrs.frozen(kw_only=True)
class Settings:
    """How mailkit behaves on the wire; every default is the documented one.

    ``deadline`` is the seconds each account has for one call (``inf``: as long as it takes), ``in_flight`` the most
    requests under way over all accounts, ``retry`` how often and how patiently a request is repeated within the
    deadline, ``connect_timeout`` and ``read_timeout`` (between two pieces of an answer) are in seconds (requests for
    tokens get half of each), ``user_agent`` is appended to mailkit's own. ``gmail_quota`` is what Google lets one
    account spend (20 units a message); projects from before May 2026 have ten times as much:
    ``Quota(units=60_000, seconds=60)``. ``calendar_quota`` is the same of Google Calendar, where each request costs
    one. ``outlook_in_flight`` is how many requests one Outlook mailbox answers at a
    time; Microsoft allows each app four.

    Raises:
        ConfigurationError: a value is not what it must be; the text says which, and what to pass.
    """

    deadline: float = attrs.field(default=30.0, validator=setting(seconds, endless=True))
    in_flight: int = attrs.field(default=32, validator=setting(whole))
    retry: RetryPolicy = attrs.field(
        factory=RetryPolicy, validator=setting(instance, kind=RetryPolicy, wanted="a RetryPolicy")
    )
    connect_timeout: float = attrs.field(default=10.0, validator=setting(seconds))
    read_timeout: float = attrs.field(default=30.0, validator=setting(seconds))
    user_agent: str = attrs.field(default="", validator=setting(_header_text))
    gmail_quota: Quota = attrs.field(
        default=QUOTA, validator=setting(instance, kind=Quota, wanted="a Quota, as in Quota(units=60_000, seconds=60)")
    )
    calendar_quota: Quota = attrs.field(
        default=CALENDAR_QUOTA,
        validator=setting(instance, kind=Quota, wanted="a Quota, as in Quota(units=600, seconds=60)"),
    )
    outlook_in_flight: int = attrs.field(default=IN_FLIGHT, validator=setting(whole))
