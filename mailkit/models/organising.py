"""What comes of putting mail in order: an outcome for each message, and a label that has another name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias, overload

import attrs

from mailkit.errors import ItemsFailed
from mailkit.models.mail import Label, MessageSummary, Thread
from mailkit.models.organised import Organised
from mailkit.models.outcomes import Outcome
from mailkit.tables import Table
from mailkit.values import Ref

__all__ = ["MessageLike", "Organised", "Outcomes", "RenamedLabel"]

MessageLike: TypeAlias = Ref | str | MessageSummary | Thread
"""What names a message or a conversation: a row, message or thread, a ref, the text of one, or a message's bare id."""


@attrs.frozen(repr=False)
class Outcomes(Sequence[Outcome[Organised]]):
    """What became of each message, in the order they were named in; a conversation stands as its messages.

    ``failures`` are those that were not changed, ``refs`` name the messages that were, as they are named from now on.
    """

    outcomes: tuple[Outcome[Organised], ...] = ()

    @overload
    def __getitem__(self, index: int) -> Outcome[Organised]: ...
    @overload
    def __getitem__(self, index: slice) -> Outcomes: ...
    def __getitem__(self, index: int | slice) -> Outcome[Organised] | Outcomes:
        return Outcomes(self.outcomes[index]) if isinstance(index, slice) else self.outcomes[index]

    def __len__(self) -> int:
        return len(self.outcomes)

    def __iter__(self) -> Iterator[Outcome[Organised]]:
        return iter(self.outcomes)

    @property
    def ok(self) -> bool:
        """Whether every message is as it was asked for."""
        return not self.failures

    @property
    def failures(self) -> tuple[Outcome[Organised], ...]:
        """The outcomes of the messages that were not changed, or of which nobody knows."""
        return tuple(outcome for outcome in self.outcomes if not outcome.ok)

    @property
    def refs(self) -> tuple[Ref, ...]:
        """The refs to use from now on, of the messages that are as asked for."""
        return tuple(outcome.value.ref for outcome in self.outcomes if outcome.value is not None)

    def raise_for_failures(self) -> None:
        """Raise when a message was not changed: the one error itself, or ``ItemsFailed`` around several."""
        errors = [outcome.error for outcome in self.outcomes if outcome.error is not None]
        if len(errors) == 1:
            raise errors[0]
        if errors:
            raise ItemsFailed(f"{len(errors)} of {len(self)} messages failed", errors, operation=errors[0].operation)

    def to_records(self) -> list[dict[str, object]]:
        """Give one flat dict per message, ready for a data frame: ``account``, ``ref``, ``new_ref``, ``error``."""
        return [
            {
                "account": outcome.ref.account,
                "ref": str(outcome.ref),
                "new_ref": None if outcome.value is None else str(outcome.value.ref),
                "error": None if outcome.error is None else f"{type(outcome.error).__name__}: {outcome.error.message}",
            }
            for outcome in self.outcomes
        ]

    def to_table(self) -> Table:
        """Give the messages that failed as a table, and how many there are in all."""
        return Table(
            columns=("account", "message", "error"),
            rows=tuple((f.ref.account, repr(f.ref), f"{type(f.error).__name__}: {f.error}") for f in self.failures),
            remarks=(self._summary(),),
        )

    def __repr__(self) -> str:
        return f"<Outcomes {self._summary()}>"

    def _repr_html_(self) -> str:
        return self.to_table().to_html()

    def _summary(self) -> str:
        failed = len(self.failures)
        return f"{len(self) - failed} done{f', {failed} failed' if failed else ''}"


@attrs.frozen(kw_only=True)
class RenamedLabel:
    """A label under its new name.

    ``messages`` are those that had to be changed one by one, as an Outlook category asks for; where one of them failed,
    it still carries the old category, which is kept then.
    """

    label: Label
    messages: Outcomes = attrs.field(factory=Outcomes)
