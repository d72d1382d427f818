"""Names alike, for whoever named one that does not exist. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_MOST = 5


def near(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Give the few of ``names`` most like ``name``; capitals and what stands above a last part count for little."""
    keys: dict[str, list[str]] = {}
    for each in dict.fromkeys(names):
        for key in {each.casefold(), each.casefold().rpartition("/")[2]}:
            keys.setdefault(key, []).append(each)
    close = get_close_matches(name.casefold(), keys, n=_MOST)
    return tuple(dict.fromkeys(each for key in close for each in keys[key]))[:_MOST]
