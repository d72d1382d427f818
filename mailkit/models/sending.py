"""What comes of writing mail: send results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import attrs

from mailkit.models.drafts import Draft
from mailkit.models.notes import Note
from mailkit.models.records import Record
from mailkit.values import Address, Ref

__all__ = ["Draft", "Evidence", "SendResult", "SendState"]

SendState: TypeAlias = Literal["sent", "draft", "held", "duplicate", "unknown"]
Evidence: TypeAlias = Literal["answer", "message_id", "send_id", "likeness"]


@attrs.frozen(kw_only=True)
class SendResult(Record):
    """What became of a send.

    ``state``: ``sent``; ``draft`` (it was to be kept, or the policy stages everything); ``held`` (the policy does not
    let it go: it lies in the drafts); ``duplicate`` (the same key was used before: ``original`` is what came of it
    then, or of its draft since); ``unknown`` (it may have gone or not: ``reconcile``). ``message_id`` is the one it was
    handed over with, or was found under (Gmail gives another now and then, and does not say so), ``message`` and
    ``thread`` where the sent copy lies, as far as known, ``draft`` where it waits.
    ``evidence`` says how ``sent`` is known: the provider's answer, the Message-ID or the send id found in the sent
    mail, or a mail there that is alike in subject, recipients and minute. ``blocked`` are the recipients that the
    policy does not allow, ``hint`` says what to do next. ``trace`` is what ``reconcile`` looks for; like ``blocked`` it
    names people.
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
    blocked: tuple[Address, ...] = attrs.field(default=(), repr=False)
    too_many_recipients: bool = False
    hint: str | None = None
    original: SendResult | None = None
    trace: Mapping[str, object] | None = attrs.field(default=None, repr=False)
    notes: tuple[Note, ...] = ()
