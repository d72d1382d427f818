"""A plain HTTP client of one sandbox Gmail mailbox: what a test of the sandbox itself asks with."""

from __future__ import annotations

import base64
from typing import Any, cast
from urllib.parse import quote

import attrs
import httpx

from mailkit.sandbox import Sandbox
from mailkit.sandbox.google import GoogleMailbox

_BASE = "https://gmail.googleapis.com"


@attrs.frozen
class Gmail:
    """Asks as the mailbox's owner; ``host`` may be another one, as on loopback."""

    sandbox: Sandbox
    box: GoogleMailbox
    host: str = _BASE
    token: str | None = None
    user: str = "me"

    def ask(self, path: str, *pairs: tuple[str, object], method: str = "GET") -> httpx.Response:
        """Send one request; ``path`` stands below the user."""
        query = "&".join(f"{name}={quote(str(value), safe='')}" for name, value in pairs)
        return self._client().request(method, f"/gmail/v1/users/{self.user}{path}{'?' if query else ''}{query}")

    def tell(self, path: str, body: object = None, *, method: str = "POST") -> httpx.Response:
        """Send one request that changes something; ``body`` becomes JSON."""
        return self._client().request(method, f"/gmail/v1/users/{self.user}{path}", json=body)

    def told(self, path: str, body: object = None, *, method: str = "POST") -> dict[str, Any]:
        """Give the JSON of such a request, which must be fine."""
        answer = self.tell(path, body, method=method)
        assert answer.status_code == 200, answer.text
        return cast(dict[str, Any], answer.json())

    def send(self, raw: bytes, **more: str) -> dict[str, Any]:
        """Send a mail; gives the message in Sent."""
        return self.told("/messages/send", {"raw": encode(raw), **more})

    def upload(self, url: str, content: bytes, *, method: str = "POST", **headers: str) -> httpx.Response:
        """Send bytes to ``url``, which is whole or stands below the user's upload path; ``_`` in a name is ``-``."""
        whole = url if "://" in url else f"/upload/gmail/v1/users/{self.user}{url}"
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self._client().request(method, whole, content=content, headers=named)

    def get(self, path: str, *pairs: tuple[str, object]) -> dict[str, Any]:
        """Give the JSON of an answer that must be fine."""
        answer = self.ask(path, *pairs)
        assert answer.status_code == 200, answer.text
        return cast(dict[str, Any], answer.json())

    def refused(self, path: str, *pairs: tuple[str, object]) -> tuple[int, str]:
        """Give status and reason of an answer that must be an error."""
        answer = self.ask(path, *pairs)
        return answer.status_code, answer.json()["error"]["errors"][0]["reason"]

    def ids(self, *pairs: tuple[str, object]) -> list[str]:
        """Give the ids of one page of messages."""
        return [row["id"] for row in self.get("/messages", *pairs).get("messages", ())]

    def find(self, query: str) -> list[str]:
        """Give the ids a search finds."""
        return self.ids(("q", query), ("maxResults", 500))

    def batch(self, *paths: str, to: str = "/batch/gmail/v1") -> httpx.Response:
        """Send many gets in one batch."""
        parts = "".join(
            f"--mark\r\nContent-Type: application/http\r\nContent-ID: <item-{number}>\r\n\r\n"
            f"GET /gmail/v1/users/me{path} HTTP/1.1\r\n\r\n\r\n"
            for number, path in enumerate(paths)
        )
        return self._client().post(
            to,
            content=f"{parts}--mark--\r\n",
            headers={"content-type": "multipart/mixed; boundary=mark"},
        )

    def _client(self) -> httpx.Client:
        return httpx.Client(
            transport=self.sandbox.transport(),
            base_url=self.host,
            headers={"authorization": f"Bearer {self.token or self.box.token}"},
        )


def encode(data: bytes) -> str:
    """Encode as base64url, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def letter(body: str = "Hello.", **headers: str) -> bytes:
    """Write a mail; ``_`` in a header's name is ``-``, and To is Bob unless something else is said."""
    named = {"To": "bob@example.com", "Subject": "Plans"} | {name.replace("_", "-"): v for name, v in headers.items()}
    return "".join(f"{name}: {value}\r\n" for name, value in named.items() if value).encode() + f"\r\n{body}".encode()


def error(answer: httpx.Response) -> tuple[int, str]:
    """Give status and message of an answer that must be an error."""
    return answer.status_code, answer.json()["error"]["message"]


def decode(text: str) -> bytes:
    """Decode base64url without its padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
