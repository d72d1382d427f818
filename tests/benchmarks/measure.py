"""Timing and tables: runs that take turns, medians, and a word for what was reached and what was not."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

Work = Callable[[], object]


def taking_turns(works: Mapping[str, Work], *, rounds: int, warm: bool = True) -> dict[str, float]:
    """Give the median seconds of each work; they run in turn, so that a busy moment of the machine hits all alike.

    ``warm`` runs each once before: connections, folders and caches are there from the second time on.
    """
    took: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values() if warm else ():
        work()
    for _ in range(rounds):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            took[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in took.items()}


def least_cpu(works: Mapping[str, Work], *, rounds: int) -> dict[str, float]:
    """Give the least CPU seconds of each work: what else the machine does can only add to them."""
    took: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            start = time.process_time()
            work()
            took[name].append(time.process_time() - start)
    return {name: min(times) for name, times in took.items()}


def verdict(value: float, *, most: float | None = None, least: float | None = None) -> str:
    """Say whether a bound is kept."""
    if most is None and least is None:
        return ""
    kept = (most is None or value <= most) and (least is None or value >= least)
    return "PASS" if kept else "MISS"


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table that reads well as it is, and is one in Markdown."""
    lines = [columns, *rows]
    widths = [max(len(line[at]) for line in lines) for at in range(len(columns))]
    written = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    ]
    dashes = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([f"### {title}", "", written[0], dashes, *written[1:], ""])
