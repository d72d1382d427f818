"""The one way from here to httpx: a transport that opens connections and turns httpx's errors into ours.

Responsible for connections, TLS, proxies and timeouts. Follows no redirect, keeps no cookie, retries nothing, and lets
no httpx type out.
"""

from __future__ import annotations

import logging
import math
import os
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache
from typing import Never, Protocol, cast
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import anyio
import attrs
import httpx

from mailkit.errors import ConfigurationError, ConnectionFailed, TimedOut, UsageError
from mailkit.transport.outcome import NOT_SENT
from mailkit.transport.per_loop import PerLoop
from mailkit.values import HttpRequest

__all__ = ["AsyncHttpxTransport", "HttpxTransport"]


_LONGEST_URL = 65_536  # httpx._urlparse.MAX_URL_LENGTH
_PORTS = {"http": 80, "https": 443}
_KEPT_SECONDS = 5.0  # httpx._config.Limits: as long does httpx use a connection again


class AsyncHttpxTransport(Protocol):
    """The shape of ``httpx.AsyncBaseTransport``: an httpx transport of your own, a proxy or a recorder, fits it."""

    async def handle_async_request(self, request: Never, /) -> object:
        """Answer an ``httpx.Request`` with an ``httpx.Response``."""
        ...

    async def aclose(self) -> None:
        """Close it."""
        ...


class HttpxTransport:
    """A ``mailkit.values.Transport`` over httpx, with connections of its own in each event loop.

    ``httpx_transport`` takes the place of the network; without it ``HTTP(S)_PROXY``, ``NO_PROXY``, ``SSL_CERT_FILE``
    and ``SSL_CERT_DIR`` are honoured. It opens as many connections as there are requests at once. Those that nobody
    closed are closed when their event loop ends.
    """

    def __init__(self, *, httpx_transport: AsyncHttpxTransport | None = None) -> None:
        self._own = cast("httpx.AsyncBaseTransport | None", httpx_transport)
        self._pools: PerLoop[_Pool] = PerLoop(lambda: _Pool(self._own))

    async def send(self, request: HttpRequest) -> _Response:
        """Send one request and give the answer as soon as its headers are there.

        Raises:
            ConnectionFailed: no connection (code ``not_sent``), or it broke.
            TimedOut: no connection in time (code ``not_sent``), or no answer.
            UsageError: the address is longer than httpx takes (code ``too_long``).
            ConfigurationError: the environment names a proxy or a certificate file that cannot be used.
        """
        pool = self._pools.get()
        with _our_errors(request.url):
            made = _to_httpx(request)
        line = await pool.take(made.url)
        async with AsyncExitStack() as way_back:
            way_back.push_async_callback(pool.give_back, line)
            with _our_errors(request.url), _quietly():
                response = await line.transport.handle_async_request(made)
            return _Response(response, request.url, way_back.pop_all())

    async def aclose(self) -> None:
        """Close the connections of the running event loop, those in use as soon as they no longer are.

        Harmless when repeated, and the next request opens more.
        """
        pool = self._pools.pop()
        if pool is not None:
            await pool.aclose()


@attrs.define(eq=False)
class _Line:
    """An httpx transport to one origin, for one request at a time; ``since`` when nobody has used it."""

    origin: tuple[str, bytes]
    transport: httpx.AsyncBaseTransport
    since: float = math.inf


class _Pool:
    """The lines of one event loop, and the promise that they are closed with it at the latest.

    Each serves one request at a time: httpx looks at every connection of a transport before and after each request,
    which side by side over ten takes as much CPU as the request itself. An ``own`` transport sees to its connections.

    Both asyncio and trio close the async generators that are still open when a loop ends: one such holds the lines.
    """

    def __init__(self, own: httpx.AsyncBaseTransport | None) -> None:
        self._own = own
        self._transports = set() if own is None else {own}
        self._idle: list[_Line] = []  # the one used last at the end
        self._closed = False
        self._keeper: AsyncGenerator[None, None] | None = None

    async def take(self, url: httpx.URL) -> _Line:
        if self._keeper is None:
            self._keeper = self._keep()
            await anext(self._keeper)
        origin = (url.scheme, url.netloc)
        if self._own is not None:
            return _Line(origin, self._own)
        while self._idle and anyio.current_time() - self._idle[0].since > _KEPT_SECONDS:
            await self._close(self._idle.pop(0))
        for line in reversed(self._idle):
            if line.origin == origin:
                self._idle.remove(line)
                return line
        line = _Line(origin, _opened(url))
        self._transports.add(line.transport)
        return line

    async def give_back(self, line: _Line) -> None:
        if line.transport is not self._own:
            line.since = anyio.current_time()
            self._idle.append(line)
            if self._closed:
                await self.aclose()

    async def aclose(self) -> None:
        """Close what is idle, and leave the rest to its way back: a send cut off here might have gone or not."""
        self._closed = True
        while self._idle:
            await self._close(self._idle.pop())
        if self._keeper is not None and (self._own is not None or not self._transports):
            await self._keeper.aclose()

    async def _close(self, line: _Line) -> None:
        self._transports.discard(line.transport)
        await line.transport.aclose()

    async def _keep(self) -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            while self._transports:
                await self._transports.pop().aclose()


def _opened(url: httpx.URL) -> httpx.AsyncHTTPTransport:
    try:
        tls = _tls_context(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))
    except OSError:  # ssl.SSLError is one
        raise ConfigurationError("SSL_CERT_FILE or SSL_CERT_DIR cannot be read; correct it or unset it") from None
    # With the port, since a text without one is cut at its last colon, and an IPv6 address is nothing but colons.
    proxies = {} if proxy_bypass(f"{url.host}:{url.port or _PORTS.get(url.scheme)}") else getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all") or None
    if proxy and "://" not in proxy:
        proxy = f"http://{proxy}"
    try:
        return httpx.AsyncHTTPTransport(verify=tls, proxy=proxy)
    except (ValueError, ImportError, httpx.InvalidURL):
        raise ConfigurationError(
            "a proxy in the environment cannot be used; write it as http://host:port (socks5:// needs socksio)"
        ) from None


class _Response:
    """An httpx response as a ``mailkit.values.HttpResponse``."""

    def __init__(self, response: httpx.Response, url: str, way_back: AsyncExitStack) -> None:
        self._response = response
        self._chunks = self._read(url)
        self._way_back = way_back

    @property
    def status(self) -> int:
        return self._response.status_code

    @property
    def headers(self) -> Mapping[str, str]:
        return dict(self._response.headers.items())

    def stream(self) -> AsyncIterator[bytes]:
        return self._chunks

    async def aclose(self) -> None:
        async with self._way_back:  # of the line
            await self._chunks.aclose()
            await self._response.aclose()
        # Response and stream hold each other, and the request with them: until the garbage collector came by, the
        # pieces of an upload would all stay in memory.
        self._response.stream = httpx.ByteStream(b"")

    async def _read(self, url: str) -> AsyncGenerator[bytes, None]:
        chunks = self._response.aiter_bytes()
        try:
            with _our_errors(url):
                async for chunk in chunks:
                    yield chunk
        except GeneratorExit:
            # Left half read. Inside httpx a body is eight async generators deep: those would be found by the garbage
            # collector, which trio warns of. A cancelled read ends them all.
            with anyio.CancelScope() as scope, suppress(httpx.HTTPError, httpx.StreamError):
                scope.cancel()
                async for _ in chunks:
                    pass
            raise


class _AsWritten(httpx.URL):
    """A URL that goes out byte for byte, where httpx quotes what it thinks needs it.

    httpcore's extension ``target`` would do that, too, but for requests to a proxy as well, which need their own.
    """

    def __init__(self, url: httpx.URL, target: bytes) -> None:
        super().__init__(url)
        self._target = target

    @property
    def raw_path(self) -> bytes:
        return self._target


def _to_httpx(request: HttpRequest) -> httpx.Request:
    timeout = httpx.Timeout(request.read_timeout, connect=request.connect_timeout, pool=request.connect_timeout)
    made = httpx.Request(
        request.method,
        request.url,
        headers=[("Accept-Encoding", "gzip, deflate"), *request.headers],
        content=request.content or None,
        extensions={"timeout": timeout.as_dict()},
    )
    # A link that came from the provider goes back as it is.
    url = urlsplit(request.url)
    target = f"{url.path or '/'}{'?' + url.query if url.query else ''}".encode()
    if made.url.raw_path != target:
        made.url = _AsWritten(made.url, target)
    return made


@lru_cache(maxsize=4)
def _tls_context(cert_file: str | None, cert_dir: str | None) -> ssl.SSLContext:
    """Make one context for all accounts: it costs 17 ms, a client with it 0.2 ms."""
    del cert_file, cert_dir  # httpx reads them itself; here they only say when a new context is due
    return httpx.create_ssl_context()


@contextmanager
def _our_errors(url: str) -> Iterator[None]:
    host = urlsplit(url).hostname
    try:
        yield
    except (httpx.ConnectTimeout, httpx.PoolTimeout) as error:
        raise TimedOut(f"no connection to {host} in time; check the network and try again", code=NOT_SENT) from error
    except httpx.TimeoutException as error:
        raise TimedOut(f"no answer from {host} in time; try again, or allow more time", code="no_answer") from error
    except (httpx.ConnectError, httpx.ProxyError, httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
        if len(url) > _LONGEST_URL:
            raise UsageError(
                "this asks for more than one address can say; shorten the query", code="too_long"
            ) from error
        raise ConnectionFailed(
            f"could not connect to {host} ({_reason(error)}); check network, proxy and certificates", code=NOT_SENT
        ) from error
    except (httpx.HTTPError, httpx.StreamError) as error:
        raise ConnectionFailed(f"the connection to {host} broke; try again", code="interrupted") from error


def _reason(error: Exception) -> str:
    """Give what the system says of a failed connection, a refused certificate for one; it names no more than hosts."""
    said: BaseException | None = error if isinstance(error, httpx.ConnectError) else None
    while said is not None and not str(said):  # of a refused certificate trio says nothing, but what led to it does
        said = said.__context__
    return str(said or type(error).__name__)


# httpcore logs headers at DEBUG, and with them the token. Only ours are silenced.
_at_work: ContextVar[bool] = ContextVar("mailkit_http_at_work", default=False)


def _is_not_ours(_record: logging.LogRecord) -> bool:
    return not _at_work.get()


for _name in ("connection", "http11", "http2", "proxy", "socks"):
    logging.getLogger(f"httpcore.{_name}").addFilter(_is_not_ours)


@contextmanager
def _quietly() -> Iterator[None]:
    token = _at_work.set(True)
    try:
        yield
    finally:
        _at_work.reset(token)
