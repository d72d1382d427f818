"""How token requests travel: msal's and google-auth's, made in worker threads, and our own, all over one transport.

Passing trouble never reaches those libraries, which would sleep, repeat or remember it on their own: a token service
that is not well, or an answer that is no JSON (a proxy's page), raises ``Unavailable`` here. Logs nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NoReturn
from urllib.parse import urlencode, urlsplit

import anyio.from_thread
import attrs

from mailkit.errors import Unavailable
from mailkit.values import HttpRequest, Transport

__all__ = ["GoogleHttp", "MsalHttp", "Reply", "form_request", "send"]

_FORM = ("Content-Type", "application/x-www-form-urlencoded")

# What google-auth would repeat after a sleep of its own, whatever the status (google.oauth2._client).
_PASSING = ("internal_failure", "server_error", "temporarily_unavailable")


@attrs.frozen(kw_only=True)
class Reply:
    """One answer in the shapes both libraries read: ``google.auth.transport.Response`` and ``msal``'s HTTP response."""

    status: int
    headers: Mapping[str, str]
    data: bytes = attrs.field(repr=False)

    @property
    def status_code(self) -> int:
        """The status, by msal's name."""
        return self.status

    @property
    def text(self) -> str:
        """The body, by msal's name."""
        return self.data.decode()

    def json(self) -> Mapping[str, object]:
        """Give the body; that it is a JSON object was checked when it came."""
        value: Mapping[str, object] = json.loads(self.data)
        return value

    def raise_for_status(self) -> NoReturn:
        """Say that msal met what should not have come so far."""
        raise Unavailable("the token service gave an answer that cannot be used; try again later", status=self.status)


def form_request(url: str, form: Mapping[str, object], headers: Mapping[str, str] | None = None) -> HttpRequest:
    """Make the POST that every token service takes."""
    fields = {name: value for name, value in form.items() if value is not None}
    return _request("POST", url, headers={**(headers or {}), _FORM[0]: _FORM[1]}, content=urlencode(fields).encode())


async def send(transport: Transport, request: HttpRequest) -> Reply:
    """Send one request and give the whole answer, a JSON object.

    Raises:
        Unavailable: the service is not well, or it was not the service that answered.
        TransportError: no answer came.
    """
    response = await transport.send(request)
    try:
        data = b"".join([piece async for piece in response.stream()])
    finally:
        await response.aclose()
    host = urlsplit(request.url).hostname
    answer = _object(data)
    if response.status in (408, 429) or response.status >= 500 or (answer or {}).get("error") in _PASSING:
        raise Unavailable(f"{host} is not well just now; try again later", status=response.status)
    if answer is None:
        raise Unavailable(
            f"the answer of {host} is not what a token service says; perhaps a proxy or a network's login page gave it",
            status=response.status,
            code="not_json",
        )
    return Reply(status=response.status, headers=dict(response.headers), data=data)


def _object(data: bytes) -> Mapping[str, object] | None:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError
        return None
    return value if isinstance(value, dict) else None


def _request(method: str, url: str, *, headers: Mapping[str, str], content: bytes = b"") -> HttpRequest:
    return HttpRequest(
        method=method,
        url=url,
        headers=tuple((name, value) for name, value in headers.items() if value),
        content=content,
    )


@attrs.define
class GoogleHttp:
    """A ``google.auth.transport.Request``; ``last`` is the newest answer, whose ``expires_in`` google-auth converts."""

    transport: Transport = attrs.field(repr=False)
    last: Reply | None = None

    def __call__(
        self,
        url: str,
        method: str = "GET",
        body: bytes | str | None = None,
        headers: Mapping[str, str] | None = None,
        **_options: object,
    ) -> Reply:
        """Carry one request from the worker thread to the event loop and back."""
        content = body.encode() if isinstance(body, str) else body or b""
        request = _request(method, url, headers=headers or {}, content=content)
        self.last = anyio.from_thread.run(send, self.transport, request)
        return self.last


@attrs.define
class MsalHttp:
    """The ``http_client`` of an msal application; ``last`` is the newest answer, of which msal may make a text."""

    transport: Transport = attrs.field(repr=False)
    last: Reply | None = None

    def get(
        self,
        url: str,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        **_options: object,
    ) -> Reply:
        """Carry one GET from the worker thread to the event loop and back."""
        target = f"{url}?{urlencode(params)}" if params else url
        return self._send(_request("GET", target, headers=headers or {}))

    def post(
        self,
        url: str,
        params: Mapping[str, str] | None = None,
        data: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        **_options: object,
    ) -> Reply:
        """Carry one POST from the worker thread to the event loop and back."""
        target = f"{url}?{urlencode(params)}" if params else url
        return self._send(form_request(target, data or {}, headers))

    def close(self) -> None:
        """Leave the transport open: it is the account's."""

    def _send(self, request: HttpRequest) -> Reply:
        self.last = anyio.from_thread.run(send, self.transport, request)
        return self.last
