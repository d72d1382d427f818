"""One message from order to outcome: the state machine that never sends twice.

Files are opened and the key is taken before anything is sent. From the moment the one request that may send goes out,
a failure is an unclear fate: the mail is looked for, never sent again.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Literal

import anyio.lowlevel
import anyio.to_thread
import attrs

from mailkit.addressing.references import message_id_of
from mailkit.errors import InvalidMessage, MailkitError, OutcomeUnknown, PermissionMissing, TimedOut, reword
from mailkit.fanout.flow import in_time
from mailkit.mime.build import FilePart
from mailkit.models.notes import Note
from mailkit.models.sending import SendResult
from mailkit.providers.writing import Attempt, Letter, Trace
from mailkit.sending.keys import derived, fingerprint_of, scope_of
from mailkit.sending.look import PATIENCE, look, look_after_draft, sent_result
from mailkit.sending.meter import Meter
from mailkit.sending.order import Order, Outbox, Ready
from mailkit.sending.order_files import opened_files
from mailkit.sending.policy import Verdict
from mailkit.sending.ticket import Earlier, Ticket, take_ticket
from mailkit.sending.traces import trace_of, trace_to_dict
from mailkit.values import Account, Clock

__all__ = ["dispatch", "new_letter"]

_NO_DOMAIN = "mailkit.invalid"  # RFC 2606: of nobody, where the own address is not known
_UNCLEAR = "the mail may have gone or not; pass this to reconcile() before any repeat"
_TOO_LATE = "reading and preparing took all the time there was; try again, or allow more with deadline="
_NOT_HELD = (
    "the policy does not let this mail go, and this account may not keep it as a draft; sign in again and grant the "
    "permission this needs"
)
_NOT_TOLD = "the function that was told of progress failed when the mail was already being sent, and was asked no more"
_NOT_KEPT = "the journal could not note that this mail went; the key still keeps it from going again"


async def dispatch(outbox: Outbox, order: Order) -> SendResult:
    """Send a message once, or keep it as a draft where the policy wants that.

    Raises:
        Conflict: the key was used for another message, or is being used right now.
        OutcomeUnknown: the mail may have gone or not.
        MailkitError: it did not go.
    """
    return await _Dispatch(outbox, order).run()


class _Dispatch:
    """One message on its way."""

    def __init__(self, outbox: Outbox, order: Order) -> None:
        self._outbox = outbox
        self._order = order
        self._driver = outbox.driver(order.account)
        self._attempt = Attempt(on_commit=self._note_commit)
        self._meter = Meter(order.progress, self._attempt) if order.progress else None
        self._key = order.key
        self._ticket: Ticket | None = None
        self._letter: Letter | None = None
        self._notes: tuple[Note, ...] = ()

    async def run(self) -> SendResult:
        """Give what became of it."""
        try:
            outcome = await in_time(
                self._tried,
                account=self._order.account,
                operation=self._order.operation,
                clock=self._outbox.clock,
                deadline=self._order.deadline,
            )
        except BaseException:  # cancelled from outside, or a fault in somebody's callback: leave nothing half told
            self._leave()
            raise
        if isinstance(outcome, Earlier):
            return await self._again(outcome)
        if isinstance(outcome, MailkitError):
            return await self._failed(outcome)
        return outcome

    async def _tried(self) -> SendResult | Earlier:
        """Do everything until the provider's answer."""
        order = self._order
        async with AsyncExitStack() as stack:
            files = await stack.enter_async_context(opened_files(self._outbox, order, order.message.files))
            earlier = await self._take_key(files)
            if earlier is not None:
                return earlier
            ready = await order.prepare() if order.prepare else Ready(message=order.message)
            if not ready.message.recipients and not order.as_draft:
                raise InvalidMessage("nobody would get this mail; name a recipient", code="no_recipients")
            self._notes = ready.notes
            verdict = Verdict(state="draft") if order.as_draft else self._outbox.policy.verdict(ready.message)
            files += await stack.enter_async_context(opened_files(self._outbox, order, ready.along))
            self._letter = new_letter(ready, files, account=self._driver.account, clock=self._outbox.clock)
            if verdict.state is not None:
                return await self._kept(ready, self._letter, verdict, verdict.state)
            return self._done(await self._sent(ready, self._letter))

    async def _sent(self, ready: Ready, letter: Letter) -> SendResult:
        await anyio.lowlevel.checkpoint()  # who cancelled while files were read is heard while nothing can have gone
        if ready.draft is not None:
            self._attempt.draft_id = ready.draft.ref.id
            sent = await self._driver.send_draft(ready.draft.ref.id, self._attempt)
        else:
            sent = await self._driver.send(letter, self._attempt, progress=self._meter)
        return sent_result(self._driver, sent, self._trace(), key=self._key)

    async def _kept(
        self, ready: Ready, letter: Letter, verdict: Verdict, state: Literal["draft", "held"]
    ) -> SendResult:
        """Keep the message as a draft. One that is a draft already stays, and may be changed and then sent."""
        try:
            draft = ready.draft or await self._driver.create_draft(letter, progress=self._meter)
        except PermissionMissing as refusal:
            if verdict.hint is not None:
                reword(refusal, _NOT_HELD)  # who may send would wonder what is missing
            raise
        result = SendResult(
            state=state,
            account=self._order.account,
            message_id=draft.message.message_id or letter.message_id,
            send_id=None if ready.draft else letter.send_id,
            thread=draft.message.thread,
            draft=draft.ref,
            key=self._key,
            blocked=verdict.blocked,
            too_many_recipients=verdict.too_many_recipients,
            hint=verdict.hint,
            notes=self._notes,
        )
        if ready.draft is None:
            return self._done(result)
        if self._ticket is not None:
            self._ticket.give_back()
        return result

    async def _take_key(self, files: Sequence[FilePart]) -> Earlier | None:
        """Take the key, if there is one, or give what it came to before; drafts made on purpose need none."""
        order = self._order
        if order.key is None and (order.as_draft or self._outbox.idempotency != "derive"):
            return None
        about = (*order.about, "draft") if order.as_draft else order.about
        fingerprint = await anyio.to_thread.run_sync(
            lambda: fingerprint_of(order.operation, order.message, files, about=about)
        )
        self._key = order.key or derived(fingerprint)
        ticket = await take_ticket(
            self._outbox.journal,
            scope=scope_of(order.account, order.operation, self._key),
            fingerprint=fingerprint,
            now=self._outbox.clock.now(),
            seconds=order.deadline + PATIENCE,
        )
        if isinstance(ticket, Earlier):
            return ticket
        self._ticket = ticket
        return None

    async def _again(self, earlier: Earlier) -> SendResult:
        """Answer a key that was used before: nothing is sent, but what was unclear or waited is looked at again."""
        result = earlier.outcome
        if isinstance(result, Trace):
            self._ticket = earlier.ticket
            result = await self._looked_for(result, None)
        elif result.draft is not None:
            result = await look_after_draft(
                self._driver, result, result.draft, clock=self._outbox.clock, operation=self._order.operation
            )
            if result.state == "sent":
                self._ticket = earlier.ticket
                result = self._done(result)
        if result.state != "sent":
            return result
        return SendResult(state="duplicate", account=result.account, key=self._key, original=result)

    async def _failed(self, error: MailkitError) -> SendResult:
        """Weigh a failure: nothing went, or nobody knows and the mail is looked for."""
        self._leave(had_no_effect=error.had_no_effect)
        if error.had_no_effect or not self._attempt.committed:
            raise error
        return await self._looked_for(self._trace(), error)

    async def _looked_for(self, trace: Trace, error: MailkitError | None) -> SendResult:
        result = await look(
            self._driver, trace, clock=self._outbox.clock, operation=self._order.operation, key=self._key
        )
        if result.state == "sent":
            return self._done(result)
        if result.state == "draft" or self._order.on_unknown == "return":
            return attrs.evolve(result, notes=self._notes)
        raise OutcomeUnknown(
            _UNCLEAR,
            message_id=trace.message_id,
            send_id=trace.send_id,
            trace=trace_to_dict(trace),
            key=self._key,
            account=self._order.account,
            operation=self._order.operation,
        ) from error

    def _done(self, result: SendResult) -> SendResult:
        """Note what came of it; a journal that fails now must not hide that the mail went."""
        notes = self._notes
        if self._meter is not None and self._meter.broken:
            notes += (Note(account=result.account, code="progress_failed", effect=_NOT_TOLD),)
        result = attrs.evolve(result, notes=notes)
        if self._ticket is None:
            return result
        try:
            self._ticket.done(result)
        except Exception:  # noqa: BLE001  # a journal may be the caller's own
            note = Note(account=result.account, code="journal_failed", effect=_NOT_KEPT)
            return attrs.evolve(result, notes=(*notes, note))
        return result

    def _trace(self) -> Trace:
        assert self._letter is not None  # noqa: S101  # nothing is looked for before there is a letter
        return trace_of(self._letter, self._attempt)

    def _note_commit(self, committed: bool) -> None:
        if committed and self._outbox.clock.remaining() <= 0:
            raise TimedOut(_TOO_LATE)
        if self._ticket is not None:
            if committed:
                self._ticket.commit(self._trace())
            else:
                self._ticket.take_back()

    def _leave(self, *, had_no_effect: bool = False) -> None:
        """Leave the key as whoever comes next has to find it."""
        if self._ticket is None:
            return
        if self._attempt.committed and not had_no_effect:
            self._ticket.unclear(self._trace())
        else:
            self._ticket.give_back()


def new_letter(ready: Ready, files: tuple[FilePart, ...], *, account: Account, clock: Clock) -> Letter:
    """Give a message the ids it is known by."""
    sender = ready.message.from_.address if ready.message.from_ else account.mailbox or account.address or ""
    domain = sender.rpartition("@")[2].lower()
    fresh = f"<{secrets.token_hex(16)}@{domain if domain.isascii() and domain else _NO_DOMAIN}>"
    return Letter(
        message=ready.message,
        files=files,
        message_id=(message_id_of(ready.draft.message) if ready.draft else None) or fresh,
        send_id=secrets.token_hex(16),
        date=clock.now().replace(microsecond=0),
        in_reply_to=ready.in_reply_to,
        references=ready.references,
        answers=ready.answers,
    )
