"""The token by which a page of one of Google's lists names the next one. Pure."""

from __future__ import annotations

from collections.abc import Container

from mailkit.errors import BadPayload
from mailkit.providers.wire import Wire, get_text

__all__ = ["next_token"]


def next_token(page: Wire, seen: Container[str]) -> str:
    """Give the token of the next page, empty at the end; ``seen`` are those of the pages so far.

    Raises:
        BadPayload: the pages lead in a circle.
    """
    token = get_text(page, "nextPageToken", "$")
    if token in seen:
        raise BadPayload("the pages lead in a circle; start the list anew", path="$.nextPageToken", code="circle")
    return token
