"""One search over every account concerned: all at once, merged newest first, failures apart."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import attrs

from mailkit.errors import BadPayload, MailkitError
from mailkit.fanout.cursor import advanced
from mailkit.fanout.flow import Work, fan_out, in_time, raise_if_all_failed
from mailkit.fanout.merge import merge, newest_first
from mailkit.fanout.reader import Reader
from mailkit.fanout.request import Mailboxes, Question
from mailkit.fanout.updates import UpdatesOfAccounts
from mailkit.models.mail import MessageSummary
from mailkit.models.notes import Failure, Note
from mailkit.models.results import Results
from mailkit.query import render
from mailkit.query.explanation import Explanation, ProviderPlan

__all__ = ["AsyncUpdates", "explain", "search"]


@attrs.frozen(kw_only=True)
class _Share:
    """What one account gave: its rows newest first, at least as many as asked for unless ``ended`` or ``error``."""

    rows: tuple[MessageSummary, ...]
    ended: bool
    notes: tuple[Note, ...]
    problems: tuple[BadPayload, ...]
    error: MailkitError | None = None


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


class AsyncUpdates(UpdatesOfAccounts[_Share, MessageSummary]):
    """One update per account as it answers: to be opened once, with ``async with``, and gone through in the block.

    Leaving the block cancels what is still under way.
    """

    def __init__(self, mailboxes: Mailboxes, question: Question) -> None:
        super().__init__(question.asked, "mail.search_as_completed")
        self._mailboxes = mailboxes
        self._question = question
        self._readers = _readers(mailboxes, question)

    async def _ask(self, account: str) -> _Share:
        reader = self._readers[account]
        outcome = await in_time(
            partial(reader.collect, self._question.size),
            account=account,
            operation=self._question.operation,
            clock=self._mailboxes.clock,
            deadline=self._question.deadline,
        )
        return _share(reader, outcome)

    def _rows(self, share: _Share) -> tuple[MessageSummary, ...]:
        return share.rows

    def _merged(self, shares: Mapping[str, _Share]) -> Results[MessageSummary]:
        return _merged(self._question, shares)


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
