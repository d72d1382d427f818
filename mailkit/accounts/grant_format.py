"""How a store writes a grant: JSON that says of what format and version it is. Pure; reads and writes nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping

from mailkit.accounts.grant import Grant
from mailkit.checks import configured, instance
from mailkit.errors import ConfigurationError, UsageError

__all__ = ["GRANT_FORMAT", "Damaged", "checked_grant", "envelope", "grant_from_text", "grant_to_text"]

GRANT_FORMAT = "mailkit-grant"
_VERSION = 1


class Damaged(Exception):
    """What is kept is no grant of mailkit; the stores catch it."""


def checked_grant(grant: object) -> Grant:
    """Take a grant.

    Raises:
        ConfigurationError: it is none.
    """
    with configured():
        return instance(grant, "grant", Grant, "a Grant, as load() gives it")


def grant_to_text(grant: Grant) -> str:
    """Write a grant as every store keeps it."""
    return json.dumps({"format": GRANT_FORMAT, "version": _VERSION, "grant": grant.to_dict()}, indent=1, sort_keys=True)


def grant_from_text(text: str | bytes, *, where: str) -> Grant:
    """Read what ``grant_to_text`` wrote.

    Raises:
        Damaged: it is something else.
        ConfigurationError: it is of a newer mailkit.
    """
    kept = envelope(text, format_=GRANT_FORMAT, version=_VERSION, where=where)
    try:
        return Grant.from_dict(kept.get("grant"))
    except UsageError:
        raise Damaged from None


def envelope(text: str | bytes, *, format_: str, version: int, where: str) -> Mapping[str, object]:
    """Read a JSON object that says of what format and version it is.

    Raises:
        Damaged: it is something else.
        ConfigurationError: it is of a newer version.
    """
    try:
        kept = json.loads(text)
    except (ValueError, RecursionError):
        raise Damaged from None
    if not isinstance(kept, dict) or kept.get("format") != format_ or not isinstance(kept.get("version"), int):
        raise Damaged
    if kept["version"] > version:
        raise ConfigurationError(
            f"{where} was written by a newer mailkit; update mailkit (pip install -U mailkit-sdk)",
            file=where,
            code="newer_version",
        )
    return kept
