"""Short lists that every account gives at once: the rows of all of them, and beside them what could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, TypeVar

from mailkit.errors import BadPayload, MailkitError
from mailkit.fanout.flow import Work, fan_out, raise_if_all_failed
from mailkit.models.records import Record
from mailkit.models.results import Results
from mailkit.values import Clock

__all__ = ["ListWork", "listed"]

T = TypeVar("T", bound=Record)

ListWork: TypeAlias = Work[tuple[list[T], list[BadPayload]]]
"""Gives one account's rows, and what of them could not be read."""


async def listed(works: Mapping[str, ListWork[T]], *, operation: str, clock: Clock, deadline: float) -> Results[T]:
    """Give the rows of every account, account by account.

    Raises:
        AllAccountsFailed: every account failed; the only account concerned raises its own error.
    """
    outcomes = await fan_out(works, operation=operation, clock=clock, deadline=deadline)
    failures = raise_if_all_failed(outcomes, operation=operation)
    answers = [outcome for outcome in outcomes.values() if not isinstance(outcome, MailkitError)]
    return Results(
        rows=tuple(row for rows, _ in answers for row in rows),
        failures=failures,
        problems=tuple(problem for _, problems in answers for problem in problems),
    )
