"""Reads the ``Prefer`` header and says which of it was applied.

Responsible for the preferences mail and calendars know: body type (learn.microsoft.com/graph/api/user-list-messages),
immutable ids (learn.microsoft.com/graph/outlook-immutable-id) and the time zone of answers
(learn.microsoft.com/graph/api/user-list-events). Unknown ones are passed over, as RFC 7240 says.
"""

from __future__ import annotations

import re

import attrs

__all__ = ["Preferences"]

_PREFERENCE = re.compile(r'\s*([^\s=,;"]+)\s*(?:=\s*(?:"([^"]*)"|([^\s,;]*)))?[^,]*(?:,|$)')


@attrs.frozen(kw_only=True)
class Preferences:
    """What the client prefers: bodies as ``text`` instead of HTML, ids that survive a move, times in a zone."""

    text: bool = False
    immutable: bool = False
    timezone: str | None = None

    @classmethod
    def read(cls, header: str) -> Preferences:
        """Read the header's value, in which several preferences stand behind commas."""
        found = {name.lower(): quoted or bare for name, quoted, bare in _PREFERENCE.findall(header)}
        return cls(
            text=found.get("outlook.body-content-type", "").lower() == "text",
            immutable=found.get("idtype", "").lower() == "immutableid",
            timezone=found.get("outlook.timezone") or None,
        )

    @property
    def applied(self) -> str | None:
        """The value of ``Preference-Applied``, None where nothing was asked for."""
        parts = ['outlook.body-content-type="text"'] if self.text else []
        parts += ['IdType="ImmutableId"'] if self.immutable else []
        parts += [f'outlook.timezone="{self.timezone}"'] if self.timezone else []
        return ", ".join(parts) or None
