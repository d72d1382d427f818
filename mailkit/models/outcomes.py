"""What comes beside the rows: notes, failures, outcomes per item.

Small records that say, per account or per ref, what was not as asked.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import attrs

from mailkit.errors import MailkitError
from mailkit.models.records import Record
from mailkit.values import Ref

T = TypeVar("T")


@attrs.frozen(kw_only=True)
class Note(Record):
    """What a provider could not do exactly as asked, and what that means for the rows.

    ``code`` is a stable word (``unsupported``, ``approximate``, ``bcc_not_indexed``, ``truncated``,
    ``categories_unverified``, ``no_such_label``, ``scan`` …), ``term`` the part of the query concerned as canonical
    text, ``effect`` one sentence for people.
    """

    account: str = ""
    code: str
    term: str | None = None
    effect: str


@attrs.frozen(kw_only=True)
class Failure:
    """One account that gave nothing (more), and why."""

    account: str
    error: MailkitError


@attrs.frozen(kw_only=True)
class Outcome(Generic[T]):
    """What became of one ref of many: either ``value`` or ``error`` is set."""

    ref: Ref
    value: T | None = None
    error: MailkitError | None = None

    @property
    def ok(self) -> bool:
        """Whether there is a value."""
        return self.error is None

    def unwrap(self) -> T:
        """Give the value, or raise the error."""
        if self.error is not None:
            raise self.error
        return self.value  # type: ignore[return-value]  # one of the two is always set
