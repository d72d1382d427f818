"""Events for people: a sentence, a day, a week. Pure; everything that others wrote is escaped.

A view shows itself in a notebook (``_repr_html_``) and in a terminal (``str``).
"""

from __future__ import annotations

from mailkit.views.days import AgendaView, day_view, week_view
from mailkit.views.sentences import describe

__all__ = ["AgendaView", "day_view", "describe", "week_view"]
