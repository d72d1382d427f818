"""URLs: quoting, joining, and the check of links that came back in an answer.

Responsible for what is allowed to be asked for with a token. Pure; sends nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote, unquote

import attrs

from mailkit.errors import UsageError

__all__ = ["Link", "encode", "join", "leads_to_same_list", "presigned", "read", "segment"]

# Stricter than a browser: no user part, no backslash, no blank, no fragment, nothing outside ASCII.
_LINK = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<path>/[!$->@-\[\]-~]*)?(?P<query>\?[!-\"$-~]*)?",
    re.IGNORECASE,
)
_LAST_PORT = 65_535
_KEY = re.compile(r"\('([^']*)'\)")


@attrs.frozen
class Link:
    """An absolute URL taken apart; scheme and host in lower case, the port always a number."""

    scheme: str
    host: str
    port: int
    path: str
    target: str

    @property
    def origin(self) -> tuple[str, str, int]:
        """Who would be spoken to."""
        return (self.scheme, self.host, self.port)


@lru_cache(maxsize=16)  # an account's base URL is read again for each of its calls
def read(text: str) -> Link | None:
    """Take an absolute http(s) URL apart; None where it is anything else, or could be read in two ways."""
    found = _LINK.fullmatch(text)
    if not found:
        return None
    scheme = found["scheme"].lower()
    port = int(found["port"] or (443 if scheme == "https" else 80))
    if port > _LAST_PORT:
        return None
    path = found["path"] or "/"
    return Link(scheme, found["host"].lower(), port, path, path + (found["query"] or ""))


def segment(text: str) -> str:
    """Quote an id so that it is exactly one segment of a path, whatever it holds.

    Raises:
        UsageError: it is empty, or ``.`` or ``..``, which would mean another path.
    """
    if text in {"", ".", ".."}:
        raise UsageError("this id cannot be one; pass it as it was given", code="bad_id")
    if text.isascii() and text.isalnum():  # as every id of Gmail's is: nothing to quote
        return text
    try:
        return quote(text, safe="")
    except UnicodeEncodeError:
        raise UsageError("this id holds half a character; pass it as it was given", code="bad_id") from None


@lru_cache(maxsize=16)  # the calls of one batch differ in their paths only, and quoting costs 2 µs a pair
def encode(pairs: tuple[tuple[str, str], ...]) -> str:
    """Write a query string; a space is ``%20``, since Graph reads ``+`` as a plus sign in places."""
    return "&".join(f"{quote(name, safe='$')}={quote(value, safe='')}" for name, value in pairs)


def join(base_url: str, url: str, query: tuple[tuple[str, str], ...] = ()) -> str:
    """Make the absolute URL of a call, ``url`` being a path below ``base_url`` or an absolute link; adds ``query``.

    Raises:
        UsageError: the link leads to another origin than the base, so no token may go there.
    """
    base = read(base_url)
    if url.startswith("/"):
        full = base_url + url
        is_ours = base is not None and _LINK.fullmatch(full) is not None  # below a base it is nobody else's
    else:
        full, link = url, read(url)
        is_ours = base is not None and link is not None and link.origin == base.origin
    if not is_ours:
        raise UsageError("this link does not lead to the account's provider; start the list anew", code="foreign_link")
    text = encode(query)
    return f"{full}{'&' if '?' in full else '?'}{text}" if text else full


def presigned(base_url: str, url: str) -> str:
    """Give a URL that bears its own permission, to be asked without a token: https, or where the base itself is.

    Raises:
        UsageError: it is another kind of URL, which could be listened to or lead into somebody's own network.
    """
    link, base = read(url), read(base_url)
    if link is None or base is None or (link.scheme != "https" and link.origin != base.origin):
        raise UsageError("this link is no https URL, so nothing was sent there; try again", code="foreign_link")
    return url


def leads_to_same_list(link: str, first: str) -> bool:
    """Tell whether ``link`` asks the same origin for the same path as ``first``, the query apart.

    Graph may write the same path in another form: ``mailFolders/X`` comes back as ``mailfolders('X')``
    (learn.microsoft.com/graph/api/message-delta, its examples).
    """
    there, here = read(link), read(first)
    return (
        there is not None
        and here is not None
        and there.origin == here.origin
        and _segments(there.path) == _segments(here.path)
    )


def _segments(path: str) -> list[str]:
    return [unquote(part).casefold() for part in _KEY.sub(r"/\1", path).split("/")]
