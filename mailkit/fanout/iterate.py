"""Everything that matches, one row at a time, merged over the accounts while they are being read.

Lazy: nothing is asked for before the first row is, and never more than one page of an account ahead. The first page
is given as soon as it is there; from the second on, the step after a page is asked for while its rows are on their
way. Each wait has the deadline of its own, so an iteration may take as long as it likes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from functools import partial

from mailkit.errors import BadPayload, MailkitError
from mailkit.fanout.flow import Work, fan_out, raise_if_all_failed
from mailkit.fanout.merge import newest_first, order
from mailkit.fanout.reader import Reader
from mailkit.fanout.request import Mailboxes, Question
from mailkit.models.mail import MessageSummary
from mailkit.models.notes import Failure, Note

__all__ = ["AsyncMessageIterator"]


class _Lane:
    """One account's rows that are read and not yet given out."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.rows: deque[MessageSummary] = deque()
        self._begun = False
        self._seen: set[str] = set()

    @property
    def dry(self) -> bool:
        return not self.rows and not self.reader.ended

    async def fill(self) -> None:
        while self.dry:
            step = newest_first(await self.reader.read(ahead=self._begun))
            self._begun = True
            self.rows.extend(row for row in step if row.ref.id not in self._seen)
            self._seen.update(row.ref.id for row in step)


class AsyncMessageIterator(AsyncIterator[MessageSummary]):
    """Rows of every account, newest first, none twice; what went otherwise gathers in ``failures`` and ``notes``.

    An account that fails is left out from there on. When all have failed, the iteration raises: the one error itself,
    or ``AllAccountsFailed``.
    """

    def __init__(self, mailboxes: Mailboxes, question: Question, limit: int | None) -> None:
        self._mailboxes = mailboxes
        self._question = question
        self._left = limit
        self._lanes = {
            account: _Lane(Reader(partial(mailboxes.driver, account), question.search(account), strict=question.strict))
            for account in question.asked
        }
        self._live = dict(self._lanes)  # those that have not failed
        self._errors: dict[str, MailkitError] = {}

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The accounts that have failed so far."""
        return tuple(Failure(account=account, error=error) for account, error in self._errors.items())

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a provider could not do exactly, so far."""
        return tuple(note for lane in self._lanes.values() for note in lane.reader.notes)

    @property
    def problems(self) -> tuple[BadPayload, ...]:
        """The items that could not be understood so far, and were left out."""
        return tuple(problem for lane in self._lanes.values() for problem in lane.reader.problems)

    def __aiter__(self) -> AsyncMessageIterator:
        return self

    async def __anext__(self) -> MessageSummary:
        row = self.in_hand()
        if row is None:
            await self._fill()
            row = self.in_hand()
        if row is None:
            raise StopAsyncIteration
        return row

    def in_hand(self) -> MessageSummary | None:
        """Give the next row if that needs no waiting."""
        if self._left == 0 or any(lane.dry for lane in self._live.values()):
            return None
        heads = [lane for lane in self._live.values() if lane.rows]
        if not heads:
            return None
        if self._left is not None:
            self._left -= 1
        return min(heads, key=lambda lane: order(lane.rows[0])).rows.popleft()

    async def _fill(self) -> None:
        if self._left == 0:
            return
        works: dict[str, Work[None]] = {account: lane.fill for account, lane in self._live.items() if lane.dry}
        if not works:
            return
        outcomes = await fan_out(
            works, operation=self._question.operation, clock=self._mailboxes.clock, deadline=self._question.deadline
        )
        self._errors |= {name: out for name, out in outcomes.items() if isinstance(out, MailkitError)}
        self._live = {account: lane for account, lane in self._lanes.items() if account not in self._errors}
        raise_if_all_failed({**dict.fromkeys(self._lanes), **self._errors}, operation=self._question.operation)
