"""Messages that are not sent yet."""

from __future__ import annotations

import attrs

from mailkit.models.mail import Message
from mailkit.models.records import Record
from mailkit.values import Ref

__all__ = ["Draft"]


@attrs.frozen(kw_only=True)
class Draft(Record):
    """A message that is not sent yet. ``ref`` stays the same when it is changed."""

    ref: Ref
    message: Message

    @property
    def account(self) -> str:
        """The name of the account the draft lies in."""
        return self.ref.account
