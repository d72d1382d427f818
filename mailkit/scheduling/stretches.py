"""Stretches of time as pairs of numbers: joined, cut, turned inside out. Pure.

Numbers are POSIX seconds, so that zones and their changes play no part; each function takes and gives stretches in
order and takes one pass over them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

__all__ = ["Stretch", "coalesced", "gaps", "overlap"]

Stretch: TypeAlias = tuple[float, float]
"""A start and the end it does not include."""


def coalesced(stretches: Iterable[Stretch]) -> list[Stretch]:
    """Give stretches in order, those that overlap or touch made one; what has no length is dropped."""
    joined: list[Stretch] = []
    start = end = float("-inf")
    for left, right in sorted(stretches):
        if right <= left:
            continue
        if left > end:
            if end > start:
                joined.append((start, end))
            start, end = left, right
        elif right > end:
            end = right
    if end > start:
        joined.append((start, end))
    return joined


def gaps(taken: Sequence[Stretch], within: Stretch) -> Iterator[Stretch]:
    """Give what is left of ``within`` between stretches that are coalesced."""
    start, end = within
    for left, right in taken:
        if right <= start:
            continue
        if left >= end:
            break
        if left > start:
            yield (start, left)
        start = right
    if start < end:
        yield (start, end)


def overlap(first: Sequence[Stretch], second: Sequence[Stretch]) -> Iterator[Stretch]:
    """Give what lies in both of two coalesced lists."""
    at = 0
    for left, right in first:
        while at < len(second) and second[at][1] <= left:
            at += 1
        look = at
        while look < len(second) and second[look][0] < right:
            yield (max(left, second[look][0]), min(right, second[look][1]))
            look += 1
