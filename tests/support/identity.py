"""What tests of signing in ask the sandbox's identity providers with: plain forms, and the URLs people open."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
from typing import Any, cast
from urllib.parse import parse_qsl, urlencode, urlsplit

import attrs
import httpx

from mailkit.sandbox import Sandbox, VirtualClock

GOOGLE_AUTH = "https://accounts.google.com/o/oauth2/v2/auth"
GOOGLE_TOKEN = "https://oauth2.googleapis.com/token"
GMAIL_READ = "https://www.googleapis.com/auth/gmail.readonly"
GMAIL_SEND = "https://www.googleapis.com/auth/gmail.send"
MICROSOFT = "https://login.microsoftonline.com"
VERIFIER = "a-verifier-of-at-least-forty-three-characters-0123456789"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")


@attrs.frozen
class Wire:
    """A plain HTTP client of a sandbox."""

    sandbox: Sandbox

    def post(self, url: str, **form: str) -> httpx.Response:
        """Send a form."""
        with self.client() as client:
            return client.post(url, data=form)

    def get(self, url: str, token: str | None = None) -> httpx.Response:
        """Fetch something, with a bearer token where one is given."""
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        with self.client() as client:
            return client.get(url, headers=headers)

    def client(self) -> httpx.Client:
        """Give a client that follows no redirect."""
        return httpx.Client(transport=self.sandbox.transport())

    def ok(self, url: str, **form: str) -> dict[str, Any]:
        """Send a form that must be fine."""
        answer = self.post(url, **form)
        assert answer.status_code == 200, answer.text
        return cast(dict[str, Any], answer.json())

    def later(self, **span: float) -> None:
        """Let time pass."""
        clock = self.sandbox.clock
        assert isinstance(clock, VirtualClock)
        clock.advance(dt.timedelta(**span).total_seconds())


def with_query(url: str, **query: str) -> str:
    """Write a URL with its query."""
    return f"{url}?{urlencode(query)}"


def query_of(url: str | None) -> dict[str, str]:
    """Read a URL's query."""
    assert url is not None
    return dict(parse_qsl(urlsplit(url).query))


def claims_of(token: str) -> dict[str, Any]:
    """Read a JSON web token without a look at its signature."""
    return cast(dict[str, Any], _json(token.split(".")[1]))


def _json(part: str) -> object:
    import json

    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
