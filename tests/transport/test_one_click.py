"""The one request that goes to a stranger."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping

import attrs
import pytest

from mailkit.errors import ConnectionFailed, ProviderError, Unavailable, Unsupported
from mailkit.transport.one_click import one_click
from mailkit.values import HttpRequest

pytestmark = pytest.mark.anyio


@attrs.define
class Stranger:
    """A transport whose other end answers with one status; nobody reads what else it says."""

    status: int = 200
    requests: list[HttpRequest] = attrs.field(factory=list)
    closed: int = 0
    headers: Mapping[str, str] = attrs.field(factory=lambda: {"location": "https://elsewhere.example"})

    async def send(self, request: HttpRequest) -> Stranger:
        self.requests.append(request)
        if self.status == 0:
            raise ConnectionFailed("no connection")
        return self

    def stream(self) -> AsyncIterator[bytes]:
        raise AssertionError("nobody reads it")

    async def aclose(self) -> None:
        self.closed += 1


async def test_what_goes_out() -> None:
    stranger = Stranger(202)
    await one_click(stranger, "https://lists.example.com/u/1?a=%20b")
    (request,) = stranger.requests
    assert (request.method, request.url) == ("POST", "https://lists.example.com/u/1?a=%20b")
    assert request.content == b"List-Unsubscribe=One-Click"
    headers = {name.lower(): value for name, value in request.headers}
    assert headers.keys() == {"user-agent", "accept", "content-type"}
    assert headers["content-type"] == "application/x-www-form-urlencoded"
    assert stranger.closed == 1


@pytest.mark.parametrize(
    ("status", "error", "code"),
    [
        (301, ProviderError, "redirected"),
        (307, ProviderError, "redirected"),
        (404, ProviderError, "refused"),
        (429, Unavailable, None),
        (503, Unavailable, None),
    ],
)
async def test_other_answers(status: int, error: type[ProviderError], code: str | None) -> None:
    stranger = Stranger(status)
    with pytest.raises(error) as caught:
        await one_click(stranger, "https://lists.example.com/u")
    assert (type(caught.value), caught.value.status, caught.value.code) == (error, status, code)
    assert (len(stranger.requests), stranger.closed) == (1, 1)


async def test_no_answer() -> None:
    with pytest.raises(ConnectionFailed):
        await one_click(Stranger(0), "https://lists.example.com/u")


@pytest.mark.parametrize(
    "address",
    [
        "http://lists.example.com/u",
        "https://lists.example.com:8443/u",
        "https://localhost/u",
        "https://localhost./u",
        "https://printer/u",
        "https://printer.local/u",
        "https://db.internal/u",
        "https://1.0.0.127.in-addr.arpa/u",
        "https://127.0.0.1/u",
        "https://127.0.0.1./u",
        "https://2130706433/u",
        "https://127.1/u",
        "https://0x7f.0x1/u",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/u",
        "https://[::ffff:10.0.0.1]/u",
        "https://ann:secret@lists.example.com/u",
        "https://lists.example.com\\@localhost/u",
        "https://lists.example.com/u#x",
        "https://lists.exämple.com/u",
        "https://lists.example.com/a b",
        "https://./u",
        "https://.com/u",
        "ftp://lists.example.com/u",
        "",
    ],
)
async def test_nothing_goes_to_what_is_not_public(address: str) -> None:
    stranger = Stranger()
    with pytest.raises(Unsupported) as caught:
        await one_click(stranger, address)
    assert (caught.value.code, stranger.requests) == ("not_public", [])
