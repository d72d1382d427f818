"""What comes beside the rows: notes and failures, which say per account what was not as asked."""

from __future__ import annotations

import attrs

from mailkit.errors import MailkitError
from mailkit.models.errors_json import error_key
from mailkit.models.records import Record

__all__ = ["Failure", "Note"]


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

    def __str__(self) -> str:
        return " ".join(
            filter(None, (f"{self.account}:" if self.account else "", self.term, f"[{self.code}]", self.effect))
        )


@attrs.frozen(kw_only=True)
class Failure(Record):
    """One account that gave nothing (more), and why."""

    account: str
    error: MailkitError = attrs.field(eq=error_key)
