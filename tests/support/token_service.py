"""A token service of a few lines, for what is about mailkit alone: who asks, how often, what is kept.

It renews one rotating refresh token and refuses the others, or gives the answers it was told to give, one for each
request. It takes time on a clock where one is given.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator, Mapping
from urllib.parse import parse_qs, urlsplit

import attrs

from mailkit.errors import MailkitError
from mailkit.values import Clock, HttpRequest

Scripted = tuple[int, object] | MailkitError


@attrs.define
class Answer:
    """An ``HttpResponse``."""

    status: int
    content: bytes
    headers: Mapping[str, str] = attrs.field(factory=lambda: {"content-type": "application/json"})

    async def stream(self) -> AsyncIterator[bytes]:
        yield self.content

    async def aclose(self) -> None: ...


@attrs.define(kw_only=True)
class TokenService:
    """A ``Transport`` that leads to it. ``rotates``: each renewal ends the refresh token that was used."""

    good: str = "refresh-0"
    rotates: bool = True
    life: int = 3600
    scope: str | None = None
    clock: Clock | None = None
    takes: float = 0.0
    script: list[Scripted] = attrs.field(factory=list)
    forms: list[dict[str, str]] = attrs.field(factory=list)
    others: list[HttpRequest] = attrs.field(factory=list)
    timeouts: set[tuple[float, float]] = attrs.field(factory=set)
    _numbers: itertools.count[int] = attrs.field(factory=lambda: itertools.count(1))

    async def send(self, request: HttpRequest) -> Answer:
        self.timeouts.add((request.connect_timeout, request.read_timeout))
        if request.url.endswith("/.well-known/openid-configuration"):
            return self._answer(200, _configuration(request.url))
        if request.method != "POST":
            self.others.append(request)
            return self._answer(404, {})
        form = {name: values[0] for name, values in parse_qs(request.content.decode()).items()}
        self.forms.append(form)
        if self.clock is not None and self.takes:
            await self.clock.sleep(self.takes)
        if self.script:
            scripted = self.script.pop(0)
            if isinstance(scripted, MailkitError):
                raise scripted
            return self._answer(*scripted)
        return self._answer(*self._renew(form))

    async def aclose(self) -> None: ...

    def _renew(self, form: Mapping[str, str]) -> tuple[int, object]:
        if form.get("refresh_token") != self.good:
            return 400, {"error": "invalid_grant", "error_description": "this one is used up"}
        number = next(self._numbers)
        answer: dict[str, object] = {
            "access_token": f"access-{number}",
            "expires_in": self.life,
            "token_type": "Bearer",
        }
        if self.scope is not None:
            answer["scope"] = self.scope
        if self.rotates:
            self.good = answer["refresh_token"] = f"refresh-{number}"
        return 200, answer

    @staticmethod
    def _answer(status: int, body: object) -> Answer:
        return Answer(status, body if isinstance(body, bytes) else json.dumps(body).encode())


def _configuration(url: str) -> dict[str, str]:
    parts = urlsplit(url)
    base = f"{parts.scheme}://{parts.netloc}/{parts.path.split('/')[1]}/oauth2/v2.0"
    return {
        "issuer": f"{base}/issuer",
        "authorization_endpoint": f"{base}/authorize",
        "token_endpoint": f"{base}/token",
        "device_authorization_endpoint": f"{base}/devicecode",
    }
