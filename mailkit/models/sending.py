"""What comes of writing and organising mail: send results, drafts, changed places."""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from mailkit.models.mail import Message
from mailkit.models.outcomes import Note
from mailkit.models.records import Record
from mailkit.values import Address, Ref

__all__ = ["Draft", "Evidence", "Organised", "SendResult", "SendState"]

SendState: TypeAlias = Literal["sent", "draft", "held", "duplicate", "unknown"]
Evidence: TypeAlias = Literal["answer", "message_id", "send_id", "likeness"]


@attrs.frozen(kw_only=True)
class Draft(Record):
    """A message that is not sent yet. ``ref`` stays the same when it is changed."""

    ref: Ref
    message: Message

    @property
    def account(self) -> str:
        """The name of the account the draft lies in."""
        return self.ref.account


@attrs.frozen(kw_only=True)
class SendResult(Record):
    """What became of a send.

    ``state``: ``sent``; ``draft`` (the policy stages everything); ``held`` (the policy does not let it go: it lies in
    the drafts); ``duplicate`` (the same key was used before: ``original`` is what came of it then); ``unknown`` (it may
    have gone or not: ``reconcile``). ``message_id`` is the Message-ID by which both sides know the mail, ``message`` and
    ``thread`` where the sent copy lies, as far as known, ``draft`` where it waits. ``evidence`` says how ``sent`` is
    known: the provider's answer, the Message-ID or the send id found in the sent mail, or a mail there that is alike in
    subject, recipients and minute. ``blocked`` are the recipients that the policy does not allow.
    """

    state: SendState
    account: str
    message_id: str | None = None
    send_id: str | None = None
    message: Ref | None = None
    thread: Ref | None = None
    draft: Ref | None = None
    key: str | None = None
    evidence: Evidence | None = None
    blocked: tuple[Address, ...] = ()
    too_many_recipients: bool = False
    hint: str | None = None
    original: SendResult | None = None
    notes: tuple[Note, ...] = ()


@attrs.frozen(kw_only=True)
class Organised(Record):
    """A message after a change: ``ref`` is the one to use from now on (an id may change when a message moves)."""

    ref: Ref
