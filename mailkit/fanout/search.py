"""One search over every account concerned: all at once, merged newest first, failures apart."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from types import TracebackType
from typing import Self, TypeAlias

import anyio
import attrs
from anyio.streams.memory import MemoryObjectSendStream

from mailkit.errors import BadPayload, MailkitError, UsageError
from mailkit.fanout.cursor import advanced
from mailkit.fanout.flow import Work, fan_out, in_time, raise_if_all_failed
from mailkit.fanout.merge import merge, newest_first
from mailkit.fanout.reader import Reader
from mailkit.fanout.request import Mailboxes, Question
from mailkit.models.mail import MessageSummary
from mailkit.models.notes import Failure, Note
from mailkit.models.results import Results
from mailkit.query import render
from mailkit.query.explanation import Explanation, ProviderPlan

__all__ = ["AccountUpdate", "AsyncUpdates", "explain", "search"]


@attrs.frozen(kw_only=True)
class _Share:
    """What one account gave: its rows newest first, at least as many as asked for unless ``ended`` or ``error``."""

    rows: tuple[MessageSummary, ...]
    ended: bool
    notes: tuple[Note, ...]
    problems: tuple[BadPayload, ...]
    error: MailkitError | None = None


_Arrival: TypeAlias = tuple[str, _Share]


@attrs.frozen(kw_only=True)
class AccountUpdate:
    """One account has answered or failed.

    ``rows`` are its own, newest first; ``results`` is everything that has arrived so far, merged; ``waiting`` names
    the accounts still to come. One that failed midway has both rows and a ``failure``.
    """

    account: str
    rows: tuple[MessageSummary, ...] = ()
    failure: Failure | None = None
    results: Results[MessageSummary]
    waiting: tuple[str, ...] = ()


async def search(mailboxes: Mailboxes, question: Question) -> Results[MessageSummary]:
    """Ask every account at once and merge what comes.

    Raises:
        MailkitError: the only account asked failed: its own error.
        AllAccountsFailed: every account asked failed.
    """
    readers = _readers(mailboxes, question)
    outcomes = await fan_out(
        {account: partial(reader.collect, question.size) for account, reader in readers.items()},
        operation=question.operation,
        clock=mailboxes.clock,
        deadline=question.deadline,
    )
    shares = {account: _share(readers[account], outcome) for account, outcome in outcomes.items()}
    raise_if_all_failed(
        {account: share if share.rows else share.error for account, share in shares.items()},
        operation=question.operation,
    )
    return _merged(question, shares)


class AsyncUpdates(AsyncIterator[AccountUpdate]):
    """One update per account as it answers: to be opened once, with ``async with``, and gone through in the block.

    Leaving the block cancels what is still under way.
    """

    def __init__(self, mailboxes: Mailboxes, question: Question) -> None:
        self._mailboxes = mailboxes
        self._question = question
        self._shares: dict[str, _Share] = {}
        self._block = self._asking()
        self._arrivals: _Arrivals | None = None
        self._over = False

    async def __aenter__(self) -> Self:
        if self._arrivals is not None:
            raise UsageError("these updates were opened before; call search_as_completed again", code="opened_twice")
        await self._block.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._block.__aexit__(kind, error, trace)

    async def __anext__(self) -> AccountUpdate:
        if self._arrivals is None:
            raise UsageError("open the updates first: with mail.search_as_completed(...) as updates", code="not_opened")
        if self._over:
            raise StopAsyncIteration
        try:
            account, share = await self._arrivals.receive.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None
        self._shares[account] = share
        return AccountUpdate(
            account=account,
            rows=share.rows,
            failure=Failure(account=account, error=share.error) if share.error else None,
            results=_merged(self._question, self._shares),
            waiting=tuple(name for name in self._question.asked if name not in self._shares),
        )

    def cancel(self) -> None:
        """Cancel the accounts that have not answered; whoever waits for an update learns at once that none will come.

        To be called in the event loop of the block, from any task. Harmless when repeated or when all is over.
        """
        self._over = True
        if self._arrivals is not None:
            self._arrivals.scope.cancel()
            self._arrivals.send.close()

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[None]:
        failed: Exception | None = None
        arrivals = self._arrivals = _Arrivals(len(self._question.asked))
        with arrivals.send, arrivals.receive:
            async with anyio.create_task_group() as group:
                if not self._over:
                    group.start_soon(self._ask_all, arrivals)
                try:
                    yield
                except Exception as error:  # noqa: BLE001  # raised below, outside the group, which would wrap it
                    failed = error
                self.cancel()
        if failed is not None:
            raise failed

    async def _ask_all(self, arrivals: _Arrivals) -> None:
        with arrivals.send, arrivals.scope:  # a scope of their own: to cancel them is not to cancel the block
            async with anyio.create_task_group() as group:
                for account, reader in _readers(self._mailboxes, self._question).items():
                    group.start_soon(self._ask, account, reader, arrivals.send)

    async def _ask(self, account: str, reader: Reader, send: MemoryObjectSendStream[_Arrival]) -> None:
        outcome = await in_time(
            partial(reader.collect, self._question.size),
            account=account,
            operation=self._question.operation,
            clock=self._mailboxes.clock,
            deadline=self._question.deadline,
        )
        if not self._over:
            send.send_nowait((account, _share(reader, outcome)))


class _Arrivals:
    """Where the answers of an open search come in, and what cancels those that are still to come."""

    def __init__(self, accounts: int) -> None:
        self.send, self.receive = anyio.create_memory_object_stream[_Arrival](accounts)
        self.scope = anyio.CancelScope()


def _readers(mailboxes: Mailboxes, question: Question) -> dict[str, Reader]:
    return {
        account: Reader(partial(mailboxes.driver, account), question.search(account), strict=question.strict)
        for account in question.asked
    }


def _share(reader: Reader, outcome: MailkitError | None) -> _Share:
    return _Share(
        rows=tuple(newest_first(reader.rows)),
        ended=reader.ended,
        notes=tuple(reader.notes),
        problems=tuple(reader.problems),
        error=outcome,
    )


def _merged(question: Question, shares: Mapping[str, _Share]) -> Results[MessageSummary]:
    """Merge what has arrived; a cursor goes on where each account's rows end, failed or not."""
    arrived = {name: shares[name] for name in question.asked if name in shares}
    rows = tuple(merge((share.rows for share in arrived.values()), question.size))
    given = {name: [row for row in rows if row.ref.account == name] for name in arrived}
    states = dict(question.states)
    for name, share in arrived.items():
        ended = share.ended and share.error is None and len(given[name]) == len(share.rows)
        states[name] = advanced(states[name], given[name], ended=ended)
    return Results(
        rows=rows,
        failures=tuple(Failure(account=name, error=share.error) for name, share in arrived.items() if share.error),
        notes=tuple(note for share in arrived.values() for note in share.notes),
        problems=tuple(problem for share in arrived.values() for problem in share.problems),
        cursor=question.cursor(states),
    )


async def explain(mailboxes: Mailboxes, question: Question) -> Explanation:
    """Ask every driver what it would do; only labels, folders and own addresses are asked of the providers.

    Raises:
        MailkitError: the only account asked failed: its own error.
        AccountsFailed: some or all of several accounts failed, since part of an explanation would mislead.
    """

    def planned(name: str) -> Work[ProviderPlan]:
        return lambda: mailboxes.driver(name).plan(question.search(name))

    outcomes = await fan_out(
        {name: planned(name) for name in question.asked},
        operation=question.operation,
        clock=mailboxes.clock,
        deadline=question.deadline,
    )
    Results[MessageSummary](failures=raise_if_all_failed(outcomes, operation=question.operation)).raise_for_failures()
    return Explanation(
        query=render(question.expr),
        tz=str(question.tz),
        now=question.now,
        plans=tuple(plan for plan in outcomes.values() if not isinstance(plan, MailkitError)),
    )
