"""Makes and reads the opaque part of ``@odata.nextLink``.

As at Graph the token only says how many rows to skip: rows that go away between two pages shift the later ones. It fits
the one query it was made for, so that a client that changes or re-encodes the link is found out. Knows no mailbox.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from urllib.parse import quote

from mailkit.sandbox.microsoft.refusals import bad_parameter
from mailkit.sandbox.wire import SandboxRequest

__all__ = ["next_link", "read_token", "whole_number"]

_TOKEN = "$skiptoken"  # noqa: S105  # the name of a query option


def whole_number(name: str, text: str, *, least: int, most: int | None = None) -> int:
    """Read ``$top`` or ``$skip``.

    Raises:
        Refusal: it is no number in the range (user-list-messages: ``$top`` is 1 to 1000).
    """
    if not (text.isascii() and text.isdigit()) or int(text) < least or (most is not None and int(text) > most):
        raise bad_parameter(f"Invalid value '{text}' for {name} query option found.")
    return int(text)


def next_link(request: SandboxRequest, start: int) -> str:
    """Give the absolute link to the page after this one, which starts at row ``start``."""
    kept = _kept(request)
    page = _read(request)[1] + 1
    # The number of the page keeps two links apart where an empty page lies between them. `#` and `+` only survive in a
    # link that is followed as it is.
    token = f"{_mark(request, kept)}#{base64.b64encode(f'{start}.{page}'.encode()).decode()}+"
    pairs = [*kept, (_TOKEN, token)]
    query = "&".join(f"{quote(name, safe='$')}={quote(value, safe='')}" for name, value in pairs)
    return f"{request.origin}{request.path}?{query}"


def read_token(request: SandboxRequest) -> int | None:
    """Give the row that the request's token points at, None where it has none.

    Raises:
        Refusal: the token is not one of this query's.
    """
    start, page = _read(request)
    return start if page else None


def _read(request: SandboxRequest) -> tuple[int, int]:
    token = dict(request.query).get(_TOKEN)
    if token is None:
        return 0, 0
    mark, _, rest = token.partition("#")
    if mark == _mark(request, _kept(request)) and rest.endswith("+"):
        found = re.fullmatch(rb"(\d+)\.(\d+)", base64.b64decode(rest[:-1]))
        if found:
            return int(found.group(1)), int(found.group(2))
    raise bad_parameter("The skip token is not valid.")


def _kept(request: SandboxRequest) -> list[tuple[str, str]]:
    return [(name, value) for name, value in request.query if name != _TOKEN]


def _mark(request: SandboxRequest, query: Sequence[tuple[str, str]]) -> str:
    return hashlib.blake2s(repr((request.path, query)).encode(), digest_size=6).hexdigest()
