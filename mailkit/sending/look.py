"""Looking for a mail whose fate is unclear among the sent mail; never sends.

Sent mail lags behind at both providers, so it is looked for twice. What was found, and by what, is the answer; a mail
that was not found may still come up later.
"""

from __future__ import annotations

from contextlib import suppress

from mailkit.errors import MailkitError, NotFound, PermissionMissing
from mailkit.fanout.flow import in_time
from mailkit.models.sending import SendResult
from mailkit.providers.base import MailDriver
from mailkit.providers.writing import Sent, Trace
from mailkit.sending.traces import trace_to_dict
from mailkit.values import Clock, Ref

__all__ = ["PATIENCE", "look", "look_after_draft", "sent_result"]

_PAUSES = (0.5, 4.0)
_ONE_LOOK = 10.0
PATIENCE = sum(_PAUSES) + _ONE_LOOK * len(_PAUSES)
"""The most seconds that looking takes."""

_SETTLED = 120.0
"""Seconds after which a draft that is still there was not sent: a provider takes a while to move what it sends."""

_LATER = "it is not among the sent mail (yet); ask reconcile() again in a minute, and send again only if it stays so"
_COULD_NOT_LOOK = "nobody could look, since the provider did not answer; ask reconcile() again in a minute"
_MAY_NOT_READ = "this account may not read its mail, so nobody can look; ask the person to look in the sent mail"
_GONE = (
    "its draft is there no more, so somebody sent or deleted it, and nothing was sent or kept now; ask the person, and "
    "take another key to write it anew"
)
_STILL_A_DRAFT = "it was not sent and lies in the drafts; send it from there"


async def look(driver: MailDriver, trace: Trace, *, clock: Clock, operation: str, key: str | None) -> SendResult:
    """Say what became of a mail: ``sent``, ``draft`` (it lies there still, unsent) or ``unknown``."""
    hint = _COULD_NOT_LOOK
    for pause in _PAUSES:
        await clock.sleep(pause)
        found = await in_time(
            lambda: driver.find_sent(trace),
            account=driver.account.name,
            operation=operation,
            clock=clock,
            deadline=_ONE_LOOK,
        )
        if isinstance(found, Sent):
            return sent_result(driver, found, trace, key=key)
        if isinstance(found, PermissionMissing):
            hint = _MAY_NOT_READ
            break
        if found is None:
            hint = _LATER
    if await _is_still_a_draft(driver, trace, clock=clock, operation=operation):
        draft = Ref(account=driver.account.name, kind="draft", id=trace.draft_id or "")
        return SendResult(
            state="draft",
            account=driver.account.name,
            message_id=trace.message_id,
            send_id=trace.send_id,
            draft=draft,
            key=key,
            hint=_STILL_A_DRAFT,
        )
    return _unknown_result(driver.account.name, trace, key=key, hint=hint)


async def look_after_draft(
    driver: MailDriver, kept: SendResult, draft: Ref, *, clock: Clock, operation: str
) -> SendResult:
    """Say what became of a mail that was kept as a draft: ``kept`` while it waits there, ``sent`` by whomever, or gone.

    Gone is a ``duplicate``: whether the draft was deleted, or sent and the copy is not to be found, it is done with.

    Raises:
        MailkitError: the provider did not answer.
    """

    async def found() -> SendResult:
        with suppress(NotFound):
            if (await driver.draft(draft.id)).message.folder != "trash":
                return kept
        # Sent at any time since, so that nothing but its ids can tell it.
        trace = Trace(
            message_id=kept.message_id or "",
            send_id=kept.send_id or "",
            subject="",
            recipients=frozenset(),
            around=clock.now(),
            draft_id=draft.id,
        )
        with suppress(PermissionMissing):
            sent = await driver.find_sent(trace)
            if sent is not None and sent.evidence != "likeness":
                return sent_result(driver, sent, trace, key=kept.key)
        return SendResult(state="duplicate", account=kept.account, key=kept.key, original=kept, hint=_GONE)

    outcome = await in_time(found, account=kept.account, operation=operation, clock=clock, deadline=_ONE_LOOK)
    if isinstance(outcome, MailkitError):
        raise outcome
    return outcome


async def _is_still_a_draft(driver: MailDriver, trace: Trace, *, clock: Clock, operation: str) -> bool:
    draft_id = trace.draft_id
    if draft_id is None or (clock.now() - trace.around).total_seconds() < _SETTLED:
        return False
    found = await in_time(
        lambda: driver.draft(draft_id),
        account=driver.account.name,
        operation=operation,
        clock=clock,
        deadline=_ONE_LOOK,
    )
    return not isinstance(found, MailkitError)


def sent_result(driver: MailDriver, sent: Sent, trace: Trace, *, key: str | None) -> SendResult:
    """Give the result for a mail that went."""
    name = driver.account.name
    return SendResult(
        state="sent",
        account=name,
        message_id=sent.message_id or trace.message_id,
        send_id=trace.send_id,
        message=Ref(account=name, kind="message", id=sent.id) if sent.id else None,
        thread=Ref(account=name, kind="thread", id=sent.thread_id) if sent.thread_id else None,
        key=key,
        evidence=sent.evidence,
    )


def _unknown_result(account: str, trace: Trace, *, key: str | None, hint: str) -> SendResult:
    """Give the result for a mail that may have gone or not."""
    return SendResult(
        state="unknown",
        account=account,
        message_id=trace.message_id,
        send_id=trace.send_id,
        key=key,
        hint=hint,
        trace=trace_to_dict(trace),
    )
