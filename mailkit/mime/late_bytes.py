"""Bytes that are decoded only when somebody asks for them, as ``late_text`` has it for texts."""

from __future__ import annotations

from typing import Protocol, TypeAlias

__all__ = ["LateBytes", "MaybeBytes", "read_bytes"]


class LateBytes(Protocol):
    """Bytes that are still encoded. They are data, so that a record that holds them can be compared and pickled."""

    def read(self) -> bytes:
        """Decode them; never fails."""
        ...


MaybeBytes: TypeAlias = bytes | LateBytes
"""Bytes, decoded or not."""


def read_bytes(content: MaybeBytes) -> bytes:
    """Give the bytes."""
    return content if isinstance(content, bytes) else content.read()
