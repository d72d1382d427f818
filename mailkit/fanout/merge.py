"""Several lists, each newest first, become one. Pure: knows rows, no accounts, no drivers.

The order is total: received instant, newest first; then account; then id. So the same rows always merge the same way.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from itertools import islice

from mailkit.models.mail import MessageSummary

__all__ = ["merge", "newest_first", "order"]


def order(row: MessageSummary) -> tuple[float, str, str]:
    """Give the sort key of a row."""
    return (-row.date.timestamp(), row.ref.account, row.ref.id)


def newest_first(rows: Iterable[MessageSummary]) -> list[MessageSummary]:
    """Sort one account's rows and drop repetitions: pages overlap when mail arrives while they are read."""
    return sorted({row.ref.id: row for row in rows}.values(), key=order)


def merge(lists: Iterable[Iterable[MessageSummary]], limit: int) -> Iterator[MessageSummary]:
    """Give the first ``limit`` rows of sorted lists, merged."""
    return islice(heapq.merge(*lists, key=order), limit)
