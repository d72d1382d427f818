"""The recurrence room: when things happen again, and what time zones are called.

``parse_recurrence`` and ``Recurrence`` read, build, write, expand and describe rules of RFC 5545; ``to_graph`` and
``from_graph`` translate them for Microsoft Graph, refusing what it cannot hold exactly; ``zone_named``,
``windows_name`` and ``first_known_zone`` translate the names of zones. Pure: no clock, no environment, no mailbox.
"""

from __future__ import annotations

from mailkit.recurrence.every import DAY_NAMES, MONTH_NAMES
from mailkit.recurrence.from_graph import from_graph
from mailkit.recurrence.moments import Moment
from mailkit.recurrence.rule import NthDay, Rule
from mailkit.recurrence.series import Recurrence, parse_recurrence
from mailkit.recurrence.to_graph import GraphRecurrence, to_graph
from mailkit.recurrence.zones import FoundZone, first_known_zone, windows_name, zone_named

__all__ = [
    "DAY_NAMES",
    "MONTH_NAMES",
    "FoundZone",
    "GraphRecurrence",
    "Moment",
    "NthDay",
    "Recurrence",
    "Rule",
    "first_known_zone",
    "from_graph",
    "parse_recurrence",
    "to_graph",
    "windows_name",
    "zone_named",
]
