"""One search over every account concerned: all at once, merged newest first, failures apart."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import TypeAlias

import anyio
import attrs
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from mailkit.errors import BadPayload, MailkitError
from mailkit.fanout.cursor import advanced
from mailkit.fanout.flow import Work, fan_out, in_time, raise_if_all_failed
from mailkit.fanout.merge import merge, newest_first
from mailkit.fanout.reader import Reader
from mailkit.fanout.request import Mailboxes, Question
from mailkit.models.mail import MessageSummary
from mailkit.models.outcomes import Failure, Note
from mailkit.models.results import Results
from mailkit.query import render
from mailkit.query.explanation import Explanation, ProviderPlan

__all__ = ["AccountUpdate", "explain", "search", "search_as_completed"]


@attrs.frozen(kw_only=True)
class _Share:
    """What one account gave: its rows newest first, at least as many as asked for unless ``ended`` or ``error``."""

    rows: tuple[MessageSummary, ...]
    ended: bool
    notes: tuple[Note, ...]
    problems: tuple[BadPayload, ...]
    error: MailkitError | None = None


_Arrival: TypeAlias = tuple[str, _Share]
_Arrivals: TypeAlias = MemoryObjectReceiveStream[_Arrival]


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


@asynccontextmanager
async def search_as_completed(mailboxes: Mailboxes, question: Question) -> AsyncIterator[AsyncIterator[AccountUpdate]]:
    """Hold a search open for the block and give one update per account as it arrives; leaving cancels the rest."""
    readers = _readers(mailboxes, question)
    send, receive = anyio.create_memory_object_stream[_Arrival](len(readers))
    failed: Exception | None = None
    with send, receive:
        async with anyio.create_task_group() as group:
            for account, reader in readers.items():
                group.start_soon(_report, mailboxes, question, account, reader, send)
            try:
                yield _Updates(question, receive)
            except Exception as error:  # noqa: BLE001  # raised below, outside the group, which would wrap it
                failed = error
            group.cancel_scope.cancel()
    if failed is not None:
        raise failed


async def _report(
    mailboxes: Mailboxes,
    question: Question,
    account: str,
    reader: Reader,
    send: MemoryObjectSendStream[_Arrival],
) -> None:
    outcome = await in_time(
        partial(reader.collect, question.size),
        account=account,
        operation=question.operation,
        clock=mailboxes.clock,
        deadline=question.deadline,
    )
    send.send_nowait((account, _share(reader, outcome)))


class _Updates(AsyncIterator[AccountUpdate]):
    def __init__(self, question: Question, arrivals: _Arrivals) -> None:
        self._question = question
        self._arrivals = arrivals
        self._shares: dict[str, _Share] = {}

    async def __anext__(self) -> AccountUpdate:
        asked = self._question.asked
        if len(self._shares) == len(asked):
            raise StopAsyncIteration
        account, share = await self._arrivals.receive()
        self._shares[account] = share
        return AccountUpdate(
            account=account,
            rows=share.rows,
            failure=Failure(account=account, error=share.error) if share.error else None,
            results=_merged(self._question, self._shares),
            waiting=tuple(name for name in asked if name not in self._shares),
        )


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
