"""How a plan is carried out: pages of a filter, or the candidates of a search, as the steps of a list.

A filtered list is continued by instant, not by ``$skip``: the next request asks for what is at or before the last row,
so that mail deleted or moved meanwhile shifts nothing out of sight. Only where a page brings no older instant (many
rows of one second, an empty page) is its ``nextLink`` followed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial

import attrs

from mailkit.errors import BadPayload
from mailkit.models.mail import MessageSummary
from mailkit.models.notes import Note
from mailkit.providers.base import Listing, Page, Position, Search
from mailkit.providers.microsoft.mail_wire import SUMMARY_MEMBERS, candidate_from_wire, summary_from_wire
from mailkit.providers.microsoft.requests import mailbox_path, prefer, rows_of
from mailkit.providers.wire import Wire, as_object, get_instant, get_list, get_text, read_each
from mailkit.query.context import QueryContext
from mailkit.query.graph_mailbox import GraphMailbox
from mailkit.query.graph_plan import GraphPlan
from mailkit.query.match import matches
from mailkit.query.scope import admitted
from mailkit.transport.call import Answer, Call
from mailkit.transport.session import Session

OPERATION = "mail.search"

_MOST_ROWS_WITH_CONTENTS = 250
"""Rows of one page when bodies, headers or attachments come along, which make each a hundred times larger."""

MailboxHolding = Callable[[Sequence[str]], Awaitable[GraphMailbox]]


@attrs.frozen(kw_only=True)
class Run:
    """One plan being carried out for one search."""

    session: Session
    plan: GraphPlan
    search: Search
    context: QueryContext
    mailbox_holding: MailboxHolding

    async def start(self) -> Listing:
        """Make the first request and give the first step."""
        notes = tuple(attrs.evolve(note, account=self.session.account.name) for note in self.plan.notes)
        if self.plan.strategy == "empty":
            return Listing(fetch=_nothing, notes=notes)
        after = self.search.after
        plan = self.plan.before(after.at) if after else self.plan
        first = await (self._candidates(plan, sent_until=None) if plan.search else self._step(self._pages(plan), after))
        return attrs.evolve(first, notes=(*notes, *first.notes))

    def _pages(self, plan: GraphPlan) -> AsyncIterator[Answer]:
        fields = plan.fields
        top = plan.top(self.search.size + len(self.search.seen))
        if fields.prefer or fields.expand:
            top = min(top, _MOST_ROWS_WITH_CONTENTS)
        query = [
            *plan.parameters,
            ("$select", ",".join(dict.fromkeys((*SUMMARY_MEMBERS, *fields.select)))),
            ("$top", str(top)),
        ]
        if fields.expand:
            query.append(("$expand", ",".join(fields.expand)))
        url = f"{mailbox_path(self.session.account)}{plan.path}"
        return self.session.pages(
            Call(operation=OPERATION, url=url, query=tuple(query), headers=prefer(*fields.prefer))
        )

    async def _step(self, pages: AsyncIterator[Answer], after: Position | None) -> Listing:
        """Read one page of a filtered list."""
        page = as_object((await anext(pages)).json(), "$")
        items = get_list(page, "value", "$")
        if "@odata.nextLink" not in page:
            return Listing(fetch=partial(self._rows, items, after))
        reached = _reached(items, after)
        if reached is not None and (after is None or reached.at < after.at):
            return Listing(fetch=partial(self._rows, items, after), next=partial(self._from, reached))
        return Listing(fetch=partial(self._rows, items, after), next=partial(self._step, pages, reached))

    async def _from(self, position: Position) -> Listing:
        return await self._step(self._pages(self.plan.before(position.at)), position)

    async def _candidates(self, plan: GraphPlan, sent_until: dt.datetime | None) -> Listing:
        """Read all that a search finds, which comes by sent date and ends at its cap, then sort by received instant."""
        items: list[object] = []
        async for answer in self._pages(plan if sent_until is None else plan.sent_until(sent_until)):
            items.extend(rows_of(answer))
        fetch = partial(self._rows, items, self.search.after)
        oldest = min((sent for sent in map(_sent, items) if sent is not None), default=None)
        if plan.cap is None or len(items) < plan.cap or oldest is None:
            return Listing(fetch=fetch)
        note = Note(
            account=self.session.account.name,
            code="truncated",
            effect=f"Outlook's search gives no more than the {plan.cap} messages sent last; "
            "bound the dates (before:), or iterate over everything, to reach older ones",
        )
        # Bounds are whole days of a zone unknown, so the same days come again: without a step back, this is the end.
        goes_on = sent_until is None or oldest < sent_until - dt.timedelta(days=2)
        following = partial(self._candidates, plan, oldest) if goes_on else None
        return Listing(fetch=fetch, next=following, notes=(note,), pause=True)

    async def _rows(self, items: Sequence[object], after: Position | None) -> Page:
        mailbox = await self.mailbox_holding(_folder_ids(items))
        hidden = {"trash", "spam"} - admitted(self.search.expr)

        def read(item: Wire, path: str) -> MessageSummary | None:
            row = summary_from_wire(
                item,
                path,
                account=self.session.account.name,
                mailbox=mailbox,
                include_raw=self.search.include_raw,
            )
            fits = self.plan.residual is None or matches(
                self.plan.residual, candidate_from_wire(item, row, path), self.context
            )
            # A folder made below trash or spam after the plan was: its mail stays out all the same.
            return row if fits and row.folder not in hidden and _comes_after(row, after) else None

        rows, problems = read_each(items, "value", read)
        return Page(
            rows=tuple(sorted((row for row in rows if row), key=lambda row: row.date, reverse=True)),
            problems=tuple(problems),
        )


async def _nothing() -> Page:
    return Page()


def _comes_after(row: MessageSummary, after: Position | None) -> bool:
    return after is None or row.date < after.at or (row.date == after.at and row.ref.id not in after.seen)


def _reached(items: Sequence[object], after: Position | None) -> Position | None:
    """How far a page has come: its last instant, and the ids at it; as before where it has no row that can be read."""
    dated = [(instant, item_id) for instant, item_id in map(_received, items) if instant is not None]
    if not dated:
        return after
    last = min(instant for instant, _ in dated)
    at_last = frozenset(item_id for instant, item_id in dated if instant == last)
    return Position(at=last, seen=at_last | (after.seen if after and after.at == last else frozenset()))


def _received(item: object) -> tuple[dt.datetime | None, str]:
    """Read just enough to page on; what else is wrong with the item is found when its row is read."""
    try:
        wire = as_object(item, "$")
        instant = get_instant(wire, "receivedDateTime", "$") or get_instant(wire, "sentDateTime", "$")
        return instant, get_text(wire, "id", "$")
    except BadPayload:
        return None, ""


def _sent(item: object) -> dt.datetime | None:
    try:
        return get_instant(as_object(item, "$"), "sentDateTime", "$")
    except BadPayload:
        return None


def _folder_ids(items: Sequence[object]) -> list[str]:
    found = (item.get("parentFolderId") for item in items if isinstance(item, dict))
    return [folder_id for folder_id in found if isinstance(folder_id, str)]
