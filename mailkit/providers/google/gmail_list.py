"""A search at Gmail, step by step: ids by list request, rows by batches of gets.

Responsible for one search of one account; the driver makes it and lends it the labels' names. It merges nothing and
reads no further than it is asked to.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeAlias

import attrs

from mailkit.errors import BadPayload, MailkitError, NotFound
from mailkit.models.mail import MessageSummary
from mailkit.models.notes import Note
from mailkit.providers.base import Listing, Page, Search
from mailkit.providers.google.gmail_calls import message_summary, messages_list
from mailkit.providers.google.gmail_messages import object_of
from mailkit.providers.google.gmail_wire import summary_from_wire
from mailkit.providers.google.page_tokens import next_token
from mailkit.providers.wire import Wire, as_object, get_list, get_needed_text, read_each
from mailkit.transport.call import Answer
from mailkit.transport.session import Session

LabelNames: TypeAlias = Callable[[Sequence[Wire]], Awaitable[Mapping[str, str]]]
"""Gives the names of the user's labels that these messages carry, by id."""


@attrs.frozen(kw_only=True, repr=False)  # a repr would show the query
class GmailList:
    """One search: ``parameters`` are those of all its list requests."""

    session: Session
    search: Search
    parameters: tuple[tuple[str, str], ...]
    label_names: LabelNames

    def step(self, answer: Answer, *, tokens: frozenset[str] = frozenset(), notes: tuple[Note, ...] = ()) -> Listing:
        """Make the step that a list answer opens; ``tokens`` are those of the pages so far.

        Raises:
            BadPayload: the answer is no list, or leads in a circle.
        """
        page = as_object(answer.json(), "$")
        ids, problems = read_each(get_list(page, "messages", "$"), "$.messages", _message_id)
        token = next_token(page, tokens)

        async def fetch() -> Page:
            return await self._page(ids, problems)

        async def following() -> Listing:
            answer = await self.session.request(messages_list(self.parameters, token))
            return self.step(answer, tokens=tokens | {token})

        return Listing(fetch=fetch, next=following if token else None, notes=notes)

    async def _page(self, ids: Sequence[str], problems: Sequence[BadPayload]) -> Page:
        after = self.search.after
        wanted = [i for i in ids if after is None or i not in after.seen]
        calls = [message_summary(i, whole=self.search.include_raw) for i in wanted]
        bad = list(problems)
        items: list[Wire] = []
        error: MailkitError | None = None
        for answer in await self.session.batch(calls) if calls else ():
            item = object_of(answer)
            if isinstance(item, BadPayload):
                bad.append(item)
            elif isinstance(item, NotFound):
                continue  # deleted since it was listed
            elif isinstance(item, MailkitError):
                error = item  # what lies behind it would be no list any more
                break
            else:
                items.append(item)
        if error is not None and not items:
            raise error
        names = await self.label_names(items)
        rows: list[MessageSummary] = []
        for item in items:
            try:
                rows.append(self._row(item, names))
            except BadPayload as problem:
                bad.append(problem)
        rows.sort(key=lambda row: row.date, reverse=True)
        shown = tuple(row for row in rows if after is None or row.date <= after.at)
        return Page(rows=shown, problems=tuple(bad), error=error)

    def _row(self, item: Wire, names: Mapping[str, str]) -> MessageSummary:
        account = self.session.account.name
        return summary_from_wire(item, "$", account=account, label_names=names, include_raw=self.search.include_raw)


def _message_id(item: Wire, path: str) -> str:
    return get_needed_text(item, "id", path)
