"""One account's way to its provider: what drivers call.

Responsible for putting the pieces of this room together for one account; a session belongs to the account set and is
shared by every client on it, so pace and connections are per account. Knows no provider and reads no rows.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from typing import TypeVar

from mailkit.errors import ConfigurationError, MailkitError
from mailkit.transport import url
from mailkit.transport.batching import Batching
from mailkit.transport.call import Answer, Call
from mailkit.transport.dialect import Dialect, Quota
from mailkit.transport.exchange import Body, Exchange
from mailkit.transport.httpx_transport import HttpxTransport
from mailkit.transport.outcome import Failure, place
from mailkit.transport.pace import Pace, Slots
from mailkit.transport.pages import Pages
from mailkit.transport.persist import Persistence
from mailkit.transport.retry import RetryPolicy
from mailkit.transport.upload import Upload, run_upload
from mailkit.transport.user_agent import user_agent as own_user_agent
from mailkit.values import Account, Clock, TokenSource

__all__ = ["Session"]

T = TypeVar("T")


class Session:
    """One account's way to its provider, usable from several event loops.

    ``in_flight`` bounds the requests of all accounts together (None: 32 for this one alone); ``user_agent`` is what the
    host program appends to mailkit's own. Timeouts are in seconds, ``read_timeout`` between two pieces of an answer.
    ``chance`` gives random numbers of [0, 1), ``new_id`` unique words.

    Raises:
        ConfigurationError: the base URL cannot be one.
    """

    def __init__(
        self,
        account: Account,
        *,
        dialect: Dialect,
        tokens: TokenSource,
        clock: Clock,
        in_flight: Slots | None = None,
        retry: RetryPolicy | None = None,
        user_agent: str = "",
        connect_timeout: float = 10.0,
        read_timeout: float = 30.0,
        chance: Callable[[], float] = random.random,
        new_id: Callable[[], str] = lambda: str(uuid.uuid4()),
    ) -> None:
        base_url = (account.base_url or dialect.base_url).rstrip("/")
        if url.read(base_url) is None:
            raise ConfigurationError(
                "this base_url cannot be asked; write it as https://host/path in plain ASCII", account=account.name
            )
        self.account = account
        self.clock = clock
        self._transport = account.transport or HttpxTransport()
        self._exchange = Exchange(
            base_url=base_url,
            dialect=dialect,
            transport=self._transport,
            pace=Pace(quota=dialect.quota, slots=dialect.slots, in_flight=in_flight or Slots(32), clock=clock),
            clock=clock,
            user_agent=own_user_agent(user_agent),
            new_id=new_id,
            connect_timeout=connect_timeout,
            read_timeout=read_timeout,
        )
        self._batching = Batching(self._exchange)
        self._persistence = Persistence(
            account=account.name, tokens=tokens, clock=clock, policy=retry or RetryPolicy(), chance=chance
        )

    def __repr__(self) -> str:
        return f"<Session {self.account.name}>"

    @property
    def quota(self) -> Quota:
        """How much the account may ask for."""
        return self._exchange.dialect.quota

    async def request(self, call: Call) -> Answer:
        """Send one call and give its answer (2xx).

        Raises:
            AccessError: the token is no good, or lacks a permission.
            ProviderError: the provider said no, or the answer makes no sense.
            TransportError: no answer came. A call that may not be repeated has had its effect, or not, unless the
                error's code is ``not_sent``.
            RateLimited: the wait that the provider, or its quota, asks for is longer than the deadline allows.
        """
        return await self._one(call, self._exchange.whole)

    def stream(self, call: Call) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Send one call and give its body as it arrives, in a context that closes the connection.

        Repeated only until the first byte is here. Raises what ``request`` raises, while iterating too.
        """
        return self._streaming(call)

    async def batch(self, calls: Sequence[Call]) -> list[Answer | MailkitError]:
        """Send many calls in the provider's batch form; gives each one's answer or error, in order.

        Raises:
            AccessError: there is no token to begin with.
        """
        return await self._persistence.persist(calls, self._batching.attempt)

    async def upload(self, upload: Upload) -> Answer:
        """Send a large body in pieces, going on after a failure where the provider says; gives the last answer.

        Raises what ``request`` raises; once ``upload.before_last`` was called the upload may count all the same.
        """

        async def wait(tries: int) -> bool:
            pause = self._persistence.pause(tries)
            if pause is not None:
                await self.clock.sleep(pause)
            return pause is not None

        try:
            return await run_upload(upload, self.request, wait)
        except MailkitError as error:
            place(error, account=self.account.name, operation=upload.operation)
            raise

    def pages(self, call: Call) -> AsyncIterator[Answer]:
        """Give the pages of a list, following ``@odata.nextLink``; each step raises what ``request`` raises.

        Headers of the call are sent for every page. A link that leads elsewhere, or in a circle, is ``BadPayload``.
        """
        return Pages(self.request, call, base_url=self._exchange.base_url, account=self.account.name)

    async def aclose(self) -> None:
        """Close the connections of the running event loop; harmless when repeated, and the next call opens new ones."""
        await self._transport.aclose()

    async def _one(self, call: Call, send: Callable[[Call, str], Awaitable[T | Failure]]) -> T:
        async def attempt(calls: Mapping[int, Call], token: str) -> dict[int, T | Failure]:
            return {number: await send(each, token) for number, each in calls.items()}

        (result,) = await self._persistence.persist([call], attempt)
        if isinstance(result, MailkitError):
            raise result
        return result

    @asynccontextmanager
    async def _streaming(self, call: Call) -> AsyncIterator[AsyncIterator[bytes]]:
        body = await self._one(call, self._exchange.head)
        async with body.open, aclosing(self._pieces(call, body)) as pieces:
            yield pieces

    async def _pieces(self, call: Call, body: Body) -> AsyncGenerator[bytes, None]:
        try:
            yield body.first
            async for piece in body.rest:
                yield piece
        except MailkitError as error:
            place(error, account=self.account.name, operation=call.operation)
            raise
