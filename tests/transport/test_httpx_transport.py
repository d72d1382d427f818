"""The adapter to httpx: every error mapped, nothing followed or kept, one pool per loop, a quiet log."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import http.server
import inspect
import logging
import ssl
import threading
from collections.abc import AsyncIterator, Callable, Iterator

import anyio
import httpx
import pytest
import trio

from mailkit.errors import ConfigurationError, ConnectionFailed, TimedOut, UsageError
from mailkit.transport import AsyncHttpxTransport, HttpxTransport
from mailkit.transport.httpx_transport import _tls_context
from mailkit.values import HttpRequest, Transport

REQUEST = HttpRequest(method="GET", url="https://mail.example/v1/me?$search=%22secret%22")


def mocked(handler: Callable[[httpx.Request], httpx.Response]) -> HttpxTransport:
    return HttpxTransport(httpx_transport=httpx.MockTransport(handler))


async def read(transport: Transport, request: HttpRequest = REQUEST) -> tuple[int, bytes]:
    response = await transport.send(request)
    try:
        return response.status, b"".join([chunk async for chunk in response.stream()])
    finally:
        await response.aclose()
        await response.aclose()


# Errors

NOT_SENT = {
    httpx.ConnectTimeout: TimedOut,
    httpx.PoolTimeout: TimedOut,
    httpx.ConnectError: ConnectionFailed,
    httpx.ProxyError: ConnectionFailed,
    httpx.UnsupportedProtocol: ConnectionFailed,
    httpx.InvalidURL: ConnectionFailed,
}
ERRORS: list[type[Exception]] = [
    error
    for _, error in inspect.getmembers(httpx, inspect.isclass)
    if issubclass(error, Exception) and error is not httpx.CookieConflict  # raised by the cookie jar's own lookups
]


def make(kind: type[Exception]) -> Exception:
    if issubclass(kind, httpx.HTTPStatusError):
        return kind("x", request=httpx.Request("GET", "https://h"), response=httpx.Response(500))
    if kind in {httpx.StreamConsumed, httpx.ResponseNotRead, httpx.RequestNotRead, httpx.StreamClosed}:
        return kind()
    return kind("x")


@pytest.mark.anyio
async def test_an_address_that_is_too_long_is_the_callers_to_shorten() -> None:
    transport = mocked(lambda _: httpx.Response(200))
    with pytest.raises(UsageError, match="shorten the query") as caught:
        await transport.send(HttpRequest(method="GET", url=f"https://mail.example/v1/me?q={'a' * 100_000}"))
    assert caught.value.code == "too_long"


@pytest.mark.anyio
@pytest.mark.parametrize("url", ["http://mail.invalid:x/", "ftp://mail.invalid/"])
async def test_an_address_that_is_none_is_not_sent_to(url: str) -> None:
    with pytest.raises(ConnectionFailed) as caught:
        await HttpxTransport().send(HttpRequest(method="GET", url=url))
    assert caught.value.code == "not_sent"


@pytest.mark.anyio
async def test_why_nobody_could_connect_is_told_though_only_what_led_to_it_says_it() -> None:
    def fail(_: httpx.Request) -> httpx.Response:
        try:
            raise OSError("certificate verify failed")
        except OSError:
            raise httpx.ConnectError("") from None

    with pytest.raises(ConnectionFailed, match="certificate verify failed"):
        await read(mocked(fail))


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ERRORS)
async def test_every_error_of_httpx_is_mapped(kind: type[Exception]) -> None:
    def fail(request: httpx.Request) -> httpx.Response:
        raise make(kind)

    expected = NOT_SENT.get(kind) or (TimedOut if issubclass(kind, httpx.TimeoutException) else ConnectionFailed)
    with pytest.raises((ConnectionFailed, TimedOut)) as caught:
        await read(mocked(fail))
    assert type(caught.value) is expected
    assert (caught.value.code == "not_sent") is (kind in NOT_SENT)
    assert "secret" not in str(caught.value)


class Breaking(httpx.AsyncByteStream):
    def __init__(self, error: Exception) -> None:
        self.error = error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"begun"
        raise self.error


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (httpx.ReadTimeout("x"), TimedOut),
        (httpx.ReadError("x"), ConnectionFailed),
        (httpx.RemoteProtocolError("incomplete chunked read"), ConnectionFailed),
    ],
)
async def test_errors_within_a_body_are_mapped(error: Exception, expected: type[Exception]) -> None:
    with pytest.raises(expected):
        await read(mocked(lambda request: httpx.Response(200, stream=Breaking(error))))


@pytest.mark.anyio
async def test_a_body_packed_wrongly_is_a_broken_connection() -> None:
    with pytest.raises(ConnectionFailed):
        await read(mocked(lambda request: httpx.Response(200, headers={"content-encoding": "gzip"}, content=b"no")))


# What goes out


@pytest.mark.anyio
async def test_a_request_goes_out_as_it_is() -> None:
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(201, headers={"Request-ID": "r", "Set-Cookie": "a=b"}, content=b"done")

    transport = mocked(handler)
    sent = HttpRequest(
        method="POST",
        url="https://mail.example/v1/me/$batch?a=%2b%20",
        headers=(("User-Agent", "mailkit-sdk/1"), ("Authorization", "Bearer t")),
        content=b"{}",
        connect_timeout=3,
        read_timeout=4,
    )
    assert await read(transport, sent) == (201, b"done")
    await read(transport, sent)
    for request in seen:
        assert request.url.raw_path == b"/v1/me/$batch?a=%2b%20"
        assert (request.method, request.content) == ("POST", b"{}")
        assert request.headers["user-agent"] == "mailkit-sdk/1"
        assert "gzip" in request.headers["accept-encoding"]
        assert "cookie" not in request.headers
        assert request.extensions["timeout"] == {"connect": 3, "read": 4, "write": 4, "pool": 3}
    response = await transport.send(sent)
    assert response.headers["request-id"] == "r"
    await response.aclose()


@pytest.mark.anyio
async def test_a_link_httpx_would_write_anew_goes_out_byte_for_byte() -> None:
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200)

    await read(mocked(handler), HttpRequest(method="GET", url='https://mail.example/v1/me?$search="x"<y>'))
    assert seen[0].url.raw_path == b'/v1/me?$search="x"<y>'


@pytest.mark.anyio
async def test_no_redirect_is_followed() -> None:
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(302, headers={"location": "https://evil.example/"})

    assert (await read(mocked(handler)))[0] == 302
    assert len(seen) == 1


@pytest.mark.anyio
async def test_httpx_does_not_log_our_urls_but_still_those_of_others(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    mock = httpx.MockTransport(lambda request: httpx.Response(200))
    await read(HttpxTransport(httpx_transport=mock))
    assert not caplog.records
    async with httpx.AsyncClient(transport=mock) as client:
        await client.get("https://theirs.example")
    assert "theirs.example" in caplog.text


# The environment


def test_one_tls_context_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _tls_context(None, None) is _tls_context(None, None)
    assert _tls_context(None, None).verify_mode is ssl.CERT_REQUIRED


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "value"), [("SSL_CERT_FILE", "/no/such/file"), ("HTTPS_PROXY", "gopher://proxy.example:1")]
)
async def test_an_environment_that_cannot_be_used_is_a_matter_of_configuration(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError):
        await HttpxTransport().send(REQUEST)


# Event loops


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    connections: set[object]
    proxied: list[str]

    def do_GET(self) -> None:
        type(self).connections.add(self.client_address)
        if "://" in self.path:
            type(self).proxied.append(self.path)
        self.send_response(200)
        self.send_header("content-length", "3000000")
        self.end_headers()
        try:
            self.wfile.write(bytes(3_000_000))
        except OSError:  # whoever stopped reading
            self.close_connection = True

    def do_CONNECT(self) -> None:
        type(self).proxied.append(self.path)
        self.send_error(403)

    def log_message(self, *args: object) -> None:
        pass

    def handle(self) -> None:
        with contextlib.suppress(OSError):
            super().handle()


@pytest.fixture
def loopback() -> Iterator[str]:
    Handler.connections, Handler.proxied = set(), []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


RUNNERS: list[Callable[[Callable[[], object]], object]] = [
    lambda main: asyncio.run(main()),  # type: ignore[arg-type]
    trio.run,  # type: ignore[list-item]
]


@pytest.mark.parametrize("run", RUNNERS)
@pytest.mark.parametrize("closing", [True, False])
@pytest.mark.parametrize("to_the_end", [True, False])
def test_one_transport_serves_one_loop_after_another_and_leaves_nothing_open(
    run: Callable[[Callable[[], object]], object], closing: bool, to_the_end: bool, loopback: str
) -> None:
    transport = HttpxTransport()
    request = HttpRequest(method="GET", url=loopback)

    async def main() -> None:
        if to_the_end:
            for _ in range(2):
                assert await read(transport, request) == (200, bytes(3_000_000))
        else:
            response = await transport.send(request)
            assert await anext(response.stream())
            await response.aclose()
        if closing:
            await transport.aclose()
            await transport.aclose()

    for _ in range(2):
        run(main)
        gc.collect()  # a connection left open would warn here, and warnings are errors
    assert len(Handler.connections) == 2  # one per loop, kept alive within it


@pytest.mark.anyio
async def test_a_closed_transport_opens_again(loopback: str) -> None:
    transport = HttpxTransport()
    await transport.aclose()
    for _ in range(2):
        await read(transport, HttpRequest(method="GET", url=loopback))
        await transport.aclose()
    assert len(Handler.connections) == 2


@pytest.mark.anyio
async def test_there_are_as_many_connections_as_requests_at_once(
    loopback: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    transport, request = HttpxTransport(), HttpRequest(method="GET", url=loopback)
    for _ in range(2):
        for response in [await transport.send(request) for _ in range(3)]:
            b"".join([chunk async for chunk in response.stream()])
            await response.aclose()
    assert len(Handler.connections) == 3
    monkeypatch.setattr("mailkit.transport.httpx_transport._KEPT_SECONDS", -1)
    await read(transport, request)
    assert len(Handler.connections) == 4  # those that nobody used for so long were closed
    monkeypatch.undo()
    await read(transport, request)
    assert len(Handler.connections) == 4
    await transport.aclose()


@pytest.mark.anyio
async def test_what_is_under_way_when_it_is_closed_ends_as_it_would_and_then_leaves_nothing_open(loopback: str) -> None:
    transport, request = HttpxTransport(), HttpRequest(method="GET", url=loopback)
    statuses: list[int] = []

    async def ask() -> None:
        statuses.append((await read(transport, request))[0])

    for steps in range(12):  # while it connects, sends, waits, or reads
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            for _ in range(steps):
                await anyio.lowlevel.checkpoint()
            await transport.aclose()
    await transport.aclose()
    assert statuses == [200] * 12
    gc.collect()  # a connection left open would warn here


@pytest.mark.anyio
async def test_a_proxy_of_the_environment_is_asked(monkeypatch: pytest.MonkeyPatch, loopback: str) -> None:
    monkeypatch.setenv("HTTPS_PROXY", loopback)
    transport = HttpxTransport()
    with pytest.raises(ConnectionFailed) as caught:
        await transport.send(REQUEST)
    await transport.aclose()
    assert caught.value.code == "not_sent"
    assert Handler.proxied == ["mail.example:443"]


@pytest.mark.anyio
@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_proxy_is_told_the_host_though_httpx_would_write_the_link_anew(
    scheme: str, monkeypatch: pytest.MonkeyPatch, loopback: str
) -> None:
    monkeypatch.setenv("ALL_PROXY", loopback)
    transport, url = HttpxTransport(), f"{scheme}://mail.example/v1/me?$skip=<y>"
    with contextlib.suppress(ConnectionFailed):  # this one makes no tunnels
        await read(transport, HttpRequest(method="GET", url=url))
    await transport.aclose()
    assert Handler.proxied == [url if scheme == "http" else "mail.example:443"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("without", "url"),
    [
        ("::1", "http://[::1]:1/"),
        ("mail.invalid:443", "https://mail.invalid/"),
        (".mail.invalid", "http://www.mail.invalid:8080/"),
        ("*", "http://mail.invalid/"),
    ],
)
async def test_no_proxy_takes_the_usual_forms(
    without: str, url: str, monkeypatch: pytest.MonkeyPatch, loopback: str
) -> None:
    monkeypatch.setenv("ALL_PROXY", loopback)
    monkeypatch.setenv("NO_PROXY", without)
    transport = HttpxTransport()
    with pytest.raises(ConnectionFailed):  # there is nobody there
        await read(transport, HttpRequest(method="GET", url=url))
    await transport.aclose()
    assert Handler.proxied == []


@pytest.mark.anyio
async def test_a_proxy_may_be_named_without_its_scheme_and_is_not_asked_for_hosts_that_need_none(
    monkeypatch: pytest.MonkeyPatch, loopback: str
) -> None:
    host = loopback.removeprefix("http://").rstrip("/")
    monkeypatch.setenv("ALL_PROXY", host)
    transport = HttpxTransport()
    await read(transport, HttpRequest(method="GET", url="http://mail.example/"))
    await transport.aclose()
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with pytest.raises(ConnectionFailed):
        await read(transport, HttpRequest(method="GET", url=loopback))
    await transport.aclose()
    monkeypatch.setenv("NO_PROXY", "elsewhere.example,127.0.0.1")
    await read(transport, HttpRequest(method="GET", url=loopback))
    await transport.aclose()


class Own(httpx.MockTransport):
    closed = 0

    async def aclose(self) -> None:
        self.closed += 1


@pytest.mark.anyio
async def test_a_transport_of_ones_own_serves_all_requests_and_is_closed_with_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mailkit.transport.httpx_transport._KEPT_SECONDS", -1)
    own = Own(lambda _: httpx.Response(200, content=b"done"))
    transport = HttpxTransport(httpx_transport=own)
    first = await transport.send(REQUEST)
    for _ in range(2):
        assert await read(transport) == (200, b"done")
    assert own.closed == 0
    await first.aclose()
    await transport.aclose()
    assert own.closed == 1


def test_its_shapes() -> None:
    assert isinstance(HttpxTransport(), Transport)
    own: AsyncHttpxTransport = httpx.AsyncHTTPTransport(verify=False)
    assert isinstance(HttpxTransport(httpx_transport=own), Transport)
