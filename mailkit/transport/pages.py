"""Lists that come in pages, each naming the next by an absolute link.

Responsible for following those links exactly as they came, and only where the list itself lives. Reads no rows: an
empty page with a link is not the end.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import attrs

from mailkit.errors import BadPayload
from mailkit.transport import url
from mailkit.transport.call import Answer, Call

__all__ = ["Pages"]

# Follow the whole link, never take it apart: learn.microsoft.com/graph/paging
_NEXT = "@odata.nextLink"
_MOST_PAGES = 10_000


class Pages:
    """The pages of one list as an async iterator; after a failed page the next step asks for that page again.

    No generator, so that nothing has to be closed when somebody stops reading early.
    """

    def __init__(
        self, request: Callable[[Call], Awaitable[Answer]], call: Call, *, base_url: str, account: str
    ) -> None:
        self._request = request
        self._account = account
        self._first = url.join(base_url, call.url)
        self._next: Call | None = call
        self._seen = {url.join(base_url, call.url, call.query)}

    def __aiter__(self) -> Pages:
        return self

    async def __anext__(self) -> Answer:
        if self._next is None:
            raise StopAsyncIteration
        call = self._next
        answer = await self._request(call)
        try:
            self._next = self._following(call, answer)
        except BadPayload as error:
            error.account, error.operation = self._account, call.operation
            error.status, error.request_id = answer.status, answer.request_id
            raise
        return answer

    def _following(self, call: Call, answer: Answer) -> Call | None:
        page = answer.json()
        if not isinstance(page, dict):
            raise BadPayload("a page of the list is no JSON object; try again", path="$", code="not_a_page")
        link = page.get(_NEXT)
        if link is None:
            return None
        if not isinstance(link, str) or not url.leads_to_same_list(link, self._first):
            raise BadPayload(
                "the link to the next page leads elsewhere and was not followed; check the base URL and any proxy",
                path=_NEXT,
                code="foreign_link",
            )
        if link in self._seen or len(self._seen) >= _MOST_PAGES:
            raise BadPayload(
                "the pages of the list do not end; narrow the request, or try again", path=_NEXT, code="endless_pages"
            )
        self._seen.add(link)
        return attrs.evolve(call, url=link, query=())
