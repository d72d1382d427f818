"""How long before its end a token is given up for a new one. Pure."""

from __future__ import annotations

import datetime as dt

__all__ = ["MARGIN", "margin"]

MARGIN = dt.timedelta(seconds=120)


def margin(life: dt.timedelta) -> dt.timedelta:
    """Give what of a life is kept in reserve: of a short one a quarter, so that it is not asked for in a loop."""
    return min(MARGIN, life / 4)
