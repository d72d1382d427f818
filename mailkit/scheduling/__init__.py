"""When people are free, and in which order events stand: arithmetic on stretches of time. Pure.

Knows no provider and no clock. Stretches are half open: what ends at ten and what starts at ten do not overlap.
"""

from __future__ import annotations

from mailkit.scheduling.hours import WorkingHours
from mailkit.scheduling.order import deduplicated, event_key, instant_of
from mailkit.scheduling.slots import BLOCKING, check_lengths, free_slots
from mailkit.scheduling.stretches import Stretch, coalesced, gaps, overlap

__all__ = [
    "BLOCKING",
    "Stretch",
    "WorkingHours",
    "check_lengths",
    "coalesced",
    "deduplicated",
    "event_key",
    "free_slots",
    "gaps",
    "instant_of",
    "overlap",
]
