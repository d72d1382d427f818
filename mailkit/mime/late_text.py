"""Texts that are decoded only when somebody asks for them: most bodies that are fetched are never looked at.

Responsible for what a driver may put in the place of a text. Knows no encoding.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

__all__ = ["LateText", "MaybeText", "read_text"]


class LateText(Protocol):
    """A text that is still encoded. It is data, so that a record that holds it can be compared and pickled."""

    def read(self) -> str:
        """Decode it; never fails, since it was checked before."""
        ...


MaybeText: TypeAlias = str | LateText | None
"""A text, decoded or not, or none."""


def read_text(text: MaybeText) -> str | None:
    """Give what the text says."""
    return text if text is None or isinstance(text, str) else text.read()
