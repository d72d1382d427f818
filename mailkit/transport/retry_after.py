"""The ``Retry-After`` header: seconds, a fraction of them, or a date.

Pure: the present is an argument. Never raises, whatever the header holds.
"""

from __future__ import annotations

import datetime as dt
import re
from email.utils import parsedate_to_datetime

__all__ = ["retry_after"]

# RFC 9110 section 10.2.3: whole seconds or a date. Graph also sends fractions: learn.microsoft.com/graph/throttling
_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{0,9})?")


def retry_after(header: str | None, now: dt.datetime) -> float | None:
    """Give the seconds to wait from ``now`` (aware), 0 for a date gone by; None where the header says nothing."""
    text = (header or "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    try:
        date = parsedate_to_datetime(text)
        aware = date if date.tzinfo else date.replace(tzinfo=dt.UTC)
        return max(0.0, (aware - now).total_seconds())
    except (ValueError, TypeError, IndexError, OverflowError):  # what the standard reader raises on what is no date
        return None
