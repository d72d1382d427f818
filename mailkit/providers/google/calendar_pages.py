"""Lists of Google Calendar that come in pages, each naming the next by a token.

No generator, so that nothing has to be closed when somebody stops reading early. Reads no rows: an empty page with a
token is not the end (events/list, maxResults).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import attrs

from mailkit.providers.google.page_tokens import next_token
from mailkit.providers.wire import Wire
from mailkit.transport.call import Call

__all__ = ["CalendarPages"]


class CalendarPages(AsyncIterator[Wire]):
    """The pages of one list; after a failed page the next step asks for that page again."""

    def __init__(self, ask: Callable[[Call], Awaitable[Wire]], call: Call) -> None:
        self._ask = ask
        self._call = call
        self._tokens: set[str] = set()
        self._token: str | None = ""

    async def __anext__(self) -> Wire:
        if self._token is None:
            raise StopAsyncIteration
        query = (*self._call.query, ("pageToken", self._token)) if self._token else self._call.query
        page = await self._ask(attrs.evolve(self._call, query=query))
        token = next_token(page, self._tokens)
        self._tokens.add(token)
        self._token = token or None
        return page
