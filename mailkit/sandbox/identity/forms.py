"""The forms OAuth travels in: bodies and queries, redirects, PKCE (RFC 6749, RFC 7636, RFC 8252).

Knows no provider. Pure.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Collection, Mapping
from urllib.parse import parse_qsl, quote, unquote_plus, urlencode, urlsplit

from mailkit.sandbox.wire import SandboxRequest

__all__ = ["is_loopback", "proves", "query_of", "read_form", "redirect_to", "registered", "words"]

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def read_form(request: SandboxRequest) -> dict[str, str]:
    """Read an urlencoded body; client credentials in a Basic header are added (RFC 6749 §2.3.1)."""
    form = dict(parse_qsl(request.content.decode(errors="replace"), keep_blank_values=True))
    scheme, _, word = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "basic":
        try:
            client_id, _, secret = base64.b64decode(word).decode().partition(":")
        except ValueError:
            return form
        form |= {"client_id": unquote_plus(client_id), "client_secret": unquote_plus(secret)}
    return form


def query_of(url: str) -> dict[str, str]:
    """Read a URL's query."""
    return dict(parse_qsl(urlsplit(url).query, keep_blank_values=True))


def words(text: str) -> tuple[str, ...]:
    """Cut a scope list into its members, each once, in order."""
    return tuple(dict.fromkeys(text.split()))


def redirect_to(uri: str, answer: Mapping[str, str | None]) -> str:
    """Give the address a browser is sent to; members that are None are left out."""
    pairs = [(name, value) for name, value in answer.items() if value is not None]
    return f"{uri}{'&' if urlsplit(uri).query else '?'}{urlencode(pairs, quote_via=quote)}"


def is_loopback(uri: str) -> bool:
    """Say whether a redirect stays on the person's own machine, over plain http (RFC 8252 §7.3)."""
    pieces = urlsplit(uri)
    return pieces.scheme == "http" and pieces.hostname in _LOOPBACK and not pieces.fragment


def registered(uri: str, allowed: Collection[str]) -> bool:
    """Say whether a redirect is registered: exactly, or for ``http://localhost`` without regard to its port.

    Source: learn.microsoft.com/entra/identity-platform/reply-url, "Localhost exceptions".
    """
    return uri in allowed or (is_loopback(uri) and any(_portless(uri) == _portless(one) for one in allowed))


def _portless(uri: str) -> tuple[str, str | None, str]:
    pieces = urlsplit(uri)
    return pieces.scheme, pieces.hostname, pieces.path.rstrip("/")


def proves(verifier: str, challenge: str, method: str) -> bool:
    """Say whether a PKCE verifier answers the challenge (RFC 7636 §4.6)."""
    if method == "plain":
        return verifier == challenge
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=") == challenge
