"""Leaving a mailing list with one click: one request to a stranger's server, which learns nothing but that.

Responsible for what goes out (RFC 8058 section 3.1 and 3.2): no token, no cookie, no redirect followed, to public
https names only. Whether the sender's signature covers the headers, as section 4 of the RFC asks, cannot be seen from
here: mailbox providers show only their own verdict.
"""

from __future__ import annotations

import re

from mailkit.errors import ProviderError, Unavailable, Unsupported
from mailkit.transport import url
from mailkit.transport.user_agent import user_agent
from mailkit.values import HttpRequest, Transport

__all__ = ["one_click"]

_FORM = b"List-Unsubscribe=One-Click"
# Names of a network of one's own (RFC 6761, 6762, 8375, ICANN's .internal, and what routers hand out).
_NOT_PUBLIC = frozenset({"arpa", "corp", "home", "internal", "intranet", "lan", "local", "localdomain", "localhost"})
# A number at the end would be an address, in any of the ways that systems read one (127.1, 0x7f.1, 2130706433).
_TOP_LEVEL = re.compile(r"[a-z][a-z0-9-]*[a-z0-9]")


async def one_click(transport: Transport, address: str) -> None:
    """Send the request.

    Raises:
        Unsupported: the address is no public https address on the usual port; nothing was sent.
        Unavailable: the list's server is not well just now.
        ProviderError: the list's server said no, or sent elsewhere.
        TransportError: no answer came.
    """
    link = url.read(address)
    if link is None or link.scheme != "https" or link.port != 443 or not _is_public(link.host):
        raise Unsupported("the list names no public https address, so nothing was sent", code="not_public")
    request = HttpRequest(
        method="POST",
        url=address,
        headers=(
            ("User-Agent", user_agent()),
            ("Accept", "*/*"),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ),
        content=_FORM,
    )
    response = await transport.send(request)
    status = response.status
    await response.aclose()
    if 200 <= status < 300:
        return
    if status == 429 or status >= 500:
        raise Unavailable("the list's server is not well just now; try again later", status=status)
    raise ProviderError(
        f"the list's server answered {status} and did not take the click; open one of list_unsubscribe.urls, or write "
        "to list_unsubscribe.mailto",
        status=status,
        code="redirected" if 300 <= status < 400 else "refused",
    )


def _is_public(host: str) -> bool:
    name, dot, top = host.removesuffix(".").rpartition(".")
    return bool(name and dot) and top not in _NOT_PUBLIC and _TOP_LEVEL.fullmatch(top) is not None
