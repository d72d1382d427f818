"""What mailkit calls itself towards a provider.

Responsible for the ``User-Agent`` header and nothing else.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version

__all__ = ["user_agent"]


@cache
def user_agent(appended: str = "") -> str:
    """Give ``mailkit-sdk/<version> (gzip)``, then what the host program appends.

    Google packs its answers only for agents that say gzip:
    developers.google.com/workspace/gmail/api/guides/performance
    """
    try:
        number = version("mailkit-sdk")
    except PackageNotFoundError:  # run from a checkout that was never installed
        number = "0"
    return f"mailkit-sdk/{number} (gzip) {appended}".rstrip()
