"""The plain request and answer the sandbox's services work on. Knows no provider, no mailbox, no httpx."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from typing import Literal
from urllib.parse import unquote_plus, urlsplit

import attrs

__all__ = ["SandboxRequest", "SandboxResponse", "json_response"]


@attrs.frozen(kw_only=True)
class SandboxRequest:
    """One request as a service sees it.

    ``url`` is absolute and as it was sent; header names are lower case. ``now`` is the sandbox's time, ``in_flight``
    how many requests of this mailbox are under way, this one included; a batch may count for several. ``part`` is True
    for a request inside a batch.
    """

    method: str
    url: str
    headers: Mapping[str, str] = attrs.field(factory=dict, repr=False)
    content: bytes = attrs.field(default=b"", repr=False)
    now: dt.datetime
    in_flight: int = 1
    part: bool = False

    @property
    def origin(self) -> str:
        """Scheme and host: ``https://graph.microsoft.com``."""
        pieces = urlsplit(self.url)
        return f"{pieces.scheme}://{pieces.netloc}"

    @property
    def path(self) -> str:
        """The path, still percent-encoded."""
        return urlsplit(self.url).path

    @property
    def query(self) -> tuple[tuple[str, str], ...]:
        """The query's pairs in order, decoded."""
        pairs = (pair.partition("=") for pair in urlsplit(self.url).query.split("&") if pair)
        return tuple((unquote_plus(name), unquote_plus(value)) for name, _, value in pairs)

    @property
    def token(self) -> str | None:
        """The bearer token, or None."""
        scheme, _, token = self.headers.get("authorization", "").partition(" ")
        return token.strip() or None if scheme.lower() == "bearer" else None

    def json(self) -> object:
        """Read the body as JSON; raises ValueError."""
        return json.loads(self.content)


@attrs.frozen(kw_only=True)
class SandboxResponse:
    """One answer. ``delay`` is waited before it leaves (``inf``: it never does); ``broken`` breaks the line instead.

    ``scripted`` says that a fault had a hand in it, so no provider need ever answer this way.
    """

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    content: bytes = attrs.field(default=b"", repr=False)
    delay: float = 0.0
    broken: Literal["read", "connect"] | None = None
    scripted: bool = False


def json_response(value: object, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> SandboxResponse:
    """Wrap a JSON value; ``headers`` come before the content type."""
    content = json.dumps(value, ensure_ascii=False).encode()
    return SandboxResponse(
        status=status, headers=(*headers, ("content-type", "application/json; charset=UTF-8")), content=content
    )
