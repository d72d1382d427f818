"""Half a surrogate pair in a provider's JSON never reaches a record: what is read can be encoded, printed, stored."""

from __future__ import annotations

import datetime as dt
import json

import httpx
import pytest

from mailkit.models.mail import Message
from mailkit.providers.base import MailDriver
from mailkit.query import parse
from mailkit.sandbox import Mail, Person, Sandbox
from tests.support.drivers import found, gmail, outlook

pytestmark = pytest.mark.anyio

_NOW = dt.datetime(2025, 10, 21, 7, 27, 30, tzinfo=dt.UTC)


class _Halving(httpx.AsyncBaseTransport):
    """Puts half a pair where the mailbox says HALF."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._inner.handle_async_request(request)
        content = (await response.aread()).replace(b"HALF", rb"\ud83d")
        headers = [pair for pair in response.headers.raw if pair[0].lower() != b"content-length"]
        return httpx.Response(response.status_code, headers=headers, content=content, request=request)


def _driver(provider: str, sandbox: Sandbox) -> MailDriver:
    mail = Mail(
        subject="HALF a subject",
        from_=Person("HALF Amy", "amy@x.example"),
        text="HALF a text",
        date=_NOW,
        folder="inbox",
    )
    halving = _Halving(sandbox.transport())
    if provider == "google":
        box = sandbox.google("ann@x.example")
        box.add(mail)
        return gmail(sandbox, box, transport=halving)
    other = sandbox.microsoft("ann@y.example")
    other.add(mail)
    return outlook(sandbox, other, transport=halving)


@pytest.mark.parametrize("provider", ["google", "microsoft"])
async def test_what_is_read_can_be_encoded(provider: str) -> None:
    driver = _driver(provider, Sandbox())
    rows, _ = await found(driver, parse("in:inbox"), now=_NOW + dt.timedelta(hours=1))
    (message,) = await driver.get([rows[0].ref.id], include_raw=True)
    assert isinstance(message, Message)
    for record in (rows[0], message):
        assert "\ufffd" in record.subject
        assert "\ufffd" in str(record.from_)
        json.dumps(record.to_dict(), ensure_ascii=False).encode()
        json.dumps(record.raw, ensure_ascii=False).encode()
