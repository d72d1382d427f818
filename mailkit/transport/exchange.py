"""One attempt at one request: pace, send, read, judge.

Responsible for everything between a call with its token and an answer or a failure. Never repeats; lets neither token,
query nor body into the log.
"""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack

import attrs

from mailkit.errors import ConfigurationError, MailkitError
from mailkit.transport import url
from mailkit.transport.call import Answer, Call
from mailkit.transport.dialect import Dialect
from mailkit.transport.outcome import Failure, failed, foreign, refused, understood
from mailkit.transport.pace import Pace
from mailkit.transport.retry_after import retry_after
from mailkit.values import Clock, HttpRequest, HttpResponse, Transport

__all__ = ["Body", "Exchange"]

_log = logging.getLogger("mailkit")
_ADDRESS = re.compile(r"[^/]*(?:@|%40)[^/]*", re.IGNORECASE)


@attrs.frozen(kw_only=True)
class Body:
    """A body on its way: its first bytes are here, ``rest`` follows; ``open`` holds what is to be closed after it."""

    first: bytes
    rest: AsyncIterator[bytes]
    open: AsyncExitStack


@attrs.frozen(kw_only=True)
class Exchange:
    """How one account's requests go out."""

    base_url: str
    dialect: Dialect
    transport: Transport
    pace: Pace
    clock: Clock
    user_agent: str
    new_id: Callable[[], str]
    connect_timeout: float
    read_timeout: float

    async def whole(self, call: Call, token: str, *, places: int = 1) -> Answer | Failure:
        """Send once and read the answer to its end; ``places`` is what it takes of the places in flight."""
        try:
            async with AsyncExitStack() as stack:
                response = await self._open(stack, call, token, places)
                answer = self._answer(response, await _read(response))
        except MailkitError as error:
            return failed(error)
        return self.judge(call, answer)

    async def head(self, call: Call, token: str) -> Body | Failure:
        """Send once and read the answer's first bytes."""
        try:
            async with AsyncExitStack() as stack:
                response = await self._open(stack, call, token, 1)
                answer = self._answer(response, b"")
                if not 200 <= answer.status < 300:
                    return self._refused(self._answer(response, await _read(response)))
                if page := foreign(call, answer):
                    return page
                rest = response.stream()
                if isinstance(rest, AsyncGenerator):  # left half read, trio would warn of it
                    stack.push_async_callback(rest.aclose)
                return Body(first=await anext(rest, b""), rest=rest, open=stack.pop_all())
        except MailkitError as error:
            return failed(error)

    def judge(self, call: Call, answer: Answer) -> Answer | Failure:
        """Say what an answer came to; also asked for every part of a batch."""
        if 200 <= answer.status < 300:
            return understood(call, answer)
        return answer if answer.status in call.answers else self._refused(answer)

    def _refused(self, answer: Answer) -> Failure:
        refusal = self.dialect.refusal(answer) if answer.status >= 400 else None
        return refused(answer, refusal, asked=retry_after(answer.headers.get("retry-after"), self.clock.now()))

    def request_id(self, headers: Mapping[str, str]) -> str | None:
        """Find the provider's own id of a request among an answer's headers."""
        return next((headers[name] for name in self.dialect.request_id_headers if name in headers), None)

    async def _open(self, stack: AsyncExitStack, call: Call, token: str, places: int) -> HttpResponse:
        request = self._request(call, token)
        await stack.enter_async_context(self.pace.turn(units=call.units, places=places))
        started = self.clock.monotonic()
        came: object = "no answer"
        try:
            response = await self.transport.send(request)
            came = response.status
        except MailkitError as error:
            came = type(error).__name__
            raise
        except Exception as error:
            came = type(error).__name__
            # A caller's own transport: what it raises concerns this account alone.
            raise ConfigurationError(
                f"the transport of this account raised {came}; a transport may raise ConnectionFailed or TimedOut only"
            ) from error
        finally:
            if _log.isEnabledFor(logging.DEBUG):
                milliseconds = (self.clock.monotonic() - started) * 1000
                _log.debug("%s %s %s %.0f ms", call.method, _loggable(request.url), came, milliseconds)
        stack.push_async_callback(response.aclose)
        return response

    def _request(self, call: Call, token: str) -> HttpRequest:
        headers = [] if call.presigned else [("Authorization", f"Bearer {token}")]
        headers += [
            ("User-Agent", self.user_agent),
            ("Accept", "application/json" if call.expects == "json" else "*/*"),
        ]
        if self.dialect.client_request_id_header and not call.presigned:
            headers.append((self.dialect.client_request_id_header, self.new_id()))
        return HttpRequest(
            method=call.method,
            url=self._url(call),
            headers=(*headers, *call.body_headers),
            content=call.body,
            connect_timeout=self.connect_timeout,
            read_timeout=self.read_timeout,
        )

    def _url(self, call: Call) -> str:
        return (
            url.presigned(self.base_url, call.url) if call.presigned else url.join(self.base_url, call.url, call.query)
        )

    def _answer(self, response: HttpResponse, content: bytes) -> Answer:
        headers = dict(response.headers)
        return Answer(status=response.status, headers=headers, content=content, request_id=self.request_id(headers))


async def _read(response: HttpResponse) -> bytes:
    return b"".join([chunk async for chunk in response.stream()])


def _loggable(text: str) -> str:
    """Leave the path of a URL, without query, and without a calendar's id where that is an address."""
    link = url.read(text)
    return _ADDRESS.sub("…", link.path) if link else "…"
