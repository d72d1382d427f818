"""Asks the sandbox's Graph by hand, with the test's own words in the URL."""

from __future__ import annotations

import base64
from typing import Any
from urllib.parse import quote

import httpx

from mailkit.sandbox import Sandbox

IMMUTABLE = 'IdType="ImmutableId"'
_PLAIN = frozenset(("includeHiddenFolders",))
"""Options that are no OData and have no dollar sign."""


class Graph:
    """A client of one mailbox; options are given without their dollar sign and written with %20, as Graph wants it."""

    def __init__(self, sandbox: Sandbox, token: str) -> None:
        self.http = httpx.Client(
            transport=sandbox.transport(),
            base_url="https://graph.microsoft.com/v1.0",
            headers={"authorization": f"Bearer {token}"},
        )

    def get(self, path: str, *, prefer: str = "", **options: str) -> httpx.Response:
        """Ask; ``path`` may also be a link."""
        pairs = [(name if name in _PLAIN else f"${name}", quote(value, safe="")) for name, value in options.items()]
        query = "&".join(f"{name}={value}" for name, value in pairs)
        return self.http.get(f"{path}?{query}" if query else path, headers={"prefer": prefer} if prefer else {})

    def json(self, path: str, *, prefer: str = "", **options: str) -> dict[str, Any]:
        """Ask for what is there."""
        answer = self.get(path, prefer=prefer, **options)
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        return body

    def subjects(self, path: str = "/me/messages", **options: str) -> list[str]:
        """Give the subjects of one long page, in order."""
        rows = self.json(path, **{"select": "subject", "top": "1000", **options})["value"]
        return [row["subject"] for row in rows]

    def refusal(self, path: str = "/me/messages", **options: str) -> tuple[int, str]:
        """Give status and code of the error that ``path`` must be answered with."""
        answer = self.get(path, **options)
        assert answer.is_error, answer.text
        return answer.status_code, answer.json()["error"]["code"]

    def write(self, method: str, path: str, body: dict[str, Any] | None = None, *, prefer: str = "") -> httpx.Response:
        """Ask for a change."""
        headers = {"prefer": prefer} if prefer else {}
        return self.http.request(method, path, headers=headers, json=body)

    def made(self, path: str, body: dict[str, Any] | None = None, *, prefer: str = IMMUTABLE) -> dict[str, Any]:
        """Make something, which must be answered with what was made."""
        answer = self.write("POST", path, body, prefer=prefer)
        assert answer.status_code == 201, answer.text
        item: dict[str, Any] = answer.json()
        return item

    def changed(self, path: str, body: dict[str, Any], *, prefer: str = IMMUTABLE) -> dict[str, Any]:
        """Change something, which must be answered with what became of it."""
        answer = self.write("PATCH", path, body, prefer=prefer)
        assert answer.status_code == 200, answer.text
        item: dict[str, Any] = answer.json()
        return item

    def refused(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, str]:
        """Give status and code of the error that a change must be answered with."""
        answer = self.write(method, path, body)
        assert answer.is_error, answer.text
        return answer.status_code, answer.json()["error"]["code"]

    def mime(self, path: str, raw: bytes) -> httpx.Response:
        """Post a message in MIME."""
        return self.http.post(path, content=base64.b64encode(raw), headers={"content-type": "text/plain"})

    def batch(self, *parts: dict[str, Any]) -> httpx.Response:
        """Post a batch; parts without a method are reads."""
        return self.http.post("/$batch", json={"requests": [{"method": "GET", **part} for part in parts]})


def to(*addresses: str) -> list[dict[str, Any]]:
    """Write recipients."""
    return [{"emailAddress": {"address": address}} for address in addresses]
