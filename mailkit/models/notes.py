"""What comes beside the rows: notes and failures, which say per account what was not as asked."""

from __future__ import annotations

import attrs

from mailkit.errors import MailkitError
from mailkit.models.errors_json import error_key
from mailkit.models.records import Record
from mailkit.values import Ref

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
    """One account that gave nothing (more), and why; or one of its calendars, while others of them gave theirs.

    ``calendar`` is the ref of that calendar, None where the whole account failed. Its id may be an address, so no repr
    shows it; ``calendars.list()`` has the name.
    """

    account: str
    error: MailkitError = attrs.field(eq=error_key)
    calendar: Ref | None = attrs.field(default=None, repr=False)
