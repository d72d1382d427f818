"""A message → RFC 5322 bytes, piece by piece, so that large files never lie in memory as a whole. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import attrs

__all__ = ["FilePart", "Payload"]


class Payload(Protocol):
    """The bytes of a file, readable from any place on and more than once."""

    @property
    def size(self) -> int:
        """How many bytes there are."""
        ...

    def pieces(self, start: int = 0) -> Iterator[bytes]:
        """Give the bytes from ``start`` on, in pieces of moderate size."""
        ...


@attrs.frozen(kw_only=True, repr=False)
class FilePart:
    """A file that is ready to go: safe name, type, and its bytes."""

    name: str
    content_type: str
    payload: Payload
    content_id: str | None = None
