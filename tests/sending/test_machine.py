"""Sends, replays, faults, cancellations and restarts in any order: no mail twice, none lost, nothing untrue said.

The machine keeps a ledger of what it asked for and was told. The sandbox keeps what was sent. They must agree after
every step, and in the end, when nothing lags any more, everything that was told as unclear must come to the truth.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import anyio
import attrs
import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from mailkit import AsyncMailClient, Conflict, Draft, MailkitError, NotFound, OutcomeUnknown, SendResult, SqliteJournal
from mailkit.sandbox import Fault
from tests.sending.post import BOB, PROVIDERS, Post
from tests.sending.test_every_fault import HARMS

T = TypeVar("T")

POINTS = ("messages.send", "messages.create", "drafts.send", "drafts.create", "messages.list", "messages.get", None)


class Crash(BaseException):
    """The end of the process."""


class Mortal(SqliteJournal):
    """Lets the process end right before it notes a state; a dead process writes nothing more."""

    crash = ""

    def update(self, entry: Any) -> bool:
        if entry.state == self.crash:
            self.crash = "dead"
        if self.crash == "dead":
            raise Crash
        return super().update(entry)

    def forget(self, entry: Any) -> None:
        if self.crash == "dead":
            raise Crash
        super().forget(entry)


@attrs.define
class Ask:
    """One mail that somebody wants to go once: its subject is its name."""

    subject: str
    key: str | None
    draft: Draft | None = None
    told: list[str] = attrs.field(factory=list)
    unclear: SendResult | OutcomeUnknown | None = None


class Sending(RuleBasedStateMachine):
    """A program that sends, is hit by faults, and is started again."""

    @initialize(provider=st.sampled_from(PROVIDERS), lag=st.sampled_from([0, 0, 20, 200]), rewrites=st.booleans())
    def begin(self, provider: Any, lag: float, rewrites: bool) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.post = Post(provider)
        self.post.ann.sent_lag = lag
        if provider == "google":
            self.post.ann.rewrites_message_ids = rewrites  # type: ignore[attr-defined]  # it is Gmail's
        self.asks: list[Ask] = []
        self.crash = ""

    def teardown(self) -> None:
        if not hasattr(self, "post"):
            return
        self.post.ann.faults.clear()
        self._settle()
        self.folder.cleanup()

    def _run(self, work: Callable[[AsyncMailClient], Awaitable[T]], idempotency: str = "explicit") -> T:
        """Start the program anew and let it do one thing: only the journal's file is left of what was before."""
        journal = Mortal(Path(self.folder.name) / "journal")
        journal.crash, self.crash = self.crash, ""

        async def go() -> T:
            async with self.post.client(journal=journal, idempotency=idempotency) as mail:
                return await work(mail)

        return anyio.run(go)

    def _send(self, ask: Ask, *, give_up: float | None = None) -> None:
        async def work(mail: AsyncMailClient) -> SendResult | None:
            outcome: SendResult | None = None
            with self.post.sandbox.clock.deadline(give_up):
                if ask.draft is not None:
                    outcome = await mail.drafts.send(ask.draft, key=ask.key)
                else:
                    outcome = await mail.send(BOB, subject=ask.subject, text="x", account="ann", key=ask.key)
            return outcome

        before = self._sent(ask)
        try:
            result = self._run(work, "derive" if ask.key is None else "explicit")
        except OutcomeUnknown as unknown:
            self._note(ask, "unknown", unknown)
        except Conflict as conflict:
            self._note(ask, str(conflict.code))
            assert self._sent(ask) == before
        except NotFound:
            assert ask.draft is not None
        except MailkitError:
            assert self._sent(ask) == before
            self._note(ask, "failed")
        except Crash:
            self._note(ask, "crashed")
        else:
            if result is None:
                self._note(ask, "cancelled")
            else:
                self._note(ask, result.state, result)

    def _note(self, ask: Ask, state: str, thing: SendResult | OutcomeUnknown | None = None) -> None:
        ask.told.append(state)
        if state in ("sent", "duplicate"):
            assert self._sent(ask) == 1
        assert state != "key_reused"
        if state == "unknown":
            ask.unclear = thing

    def _sent(self, ask: Ask) -> int:
        return Counter(_subject(mail.raw) for mail in self.post.sandbox.sent)[ask.subject]

    # -- what may happen ---------------------------------------------------------------------------------------------

    @rule(has_key=st.booleans())
    def send_something_new(self, has_key: bool) -> None:
        ask = Ask(f"plan-{len(self.asks)}", f"key-{len(self.asks)}" if has_key else None)
        self.asks.append(ask)
        self._send(ask)

    @rule(has_key=st.booleans())
    def send_a_draft(self, has_key: bool) -> None:
        subject = f"plan-{len(self.asks)}"
        try:
            draft = self._run(lambda mail: mail.drafts.create(BOB, subject=subject, text="x", account="ann"))
        except MailkitError:
            return
        ask = Ask(subject, f"key-{len(self.asks)}" if has_key else None, draft)
        self.asks.append(ask)
        self._send(ask)

    @precondition(lambda self: self.asks)
    @rule(data=st.data())
    def do_it_again(self, data: st.DataObject) -> None:
        self._send(data.draw(st.sampled_from(self.asks)))

    @precondition(lambda self: self.asks)
    @rule(data=st.data(), seconds=st.sampled_from([0.5, 3, 40]))
    def give_up_in_the_middle(self, data: st.DataObject, seconds: float) -> None:
        self.post.ann.script(Fault.slow(60, times=1, takes_effect=data.draw(st.booleans())))
        self._send(data.draw(st.sampled_from(self.asks)), give_up=seconds)

    @rule(harm=st.sampled_from(sorted(HARMS)), operation=st.sampled_from(POINTS), times=st.sampled_from([1, 2]))
    def something_will_go_wrong(self, harm: str, operation: str | None, times: int) -> None:
        self.post.ann.script(HARMS[harm](operation=operation, times=times))

    @rule()
    def all_is_well_again(self) -> None:
        self.post.ann.faults.clear()

    @rule(when=st.sampled_from(["committed", "unknown", "done"]))
    def the_next_process_will_die(self, when: str) -> None:
        self.crash = when

    @rule(seconds=st.sampled_from([1, 60, 600]))
    def time_passes(self, seconds: float) -> None:
        self.post.sandbox.clock.advance(seconds)  # type: ignore[attr-defined]  # it is virtual

    @precondition(lambda self: any(ask.unclear for ask in self.asks))
    @rule(data=st.data())
    def look_into_it(self, data: st.DataObject) -> None:
        self._look(data.draw(st.sampled_from([ask for ask in self.asks if ask.unclear])))

    def _look(self, ask: Ask) -> SendResult:
        assert ask.unclear is not None
        unclear, before = ask.unclear, len(self.post.sandbox.sent)
        result = self._run(lambda mail: mail.reconcile(unclear))
        assert len(self.post.sandbox.sent) == before
        assert result.state in ("sent", "draft", "unknown")
        if result.state == "sent":
            assert self._sent(ask) == 1
        if result.state == "draft":
            assert self._sent(ask) == 0
        return result

    # -- what must hold ----------------------------------------------------------------------------------------------

    @invariant()
    def nothing_goes_twice(self) -> None:
        if hasattr(self, "post"):
            sent = [_subject(mail.raw) for mail in self.post.sandbox.sent]
            assert len(sent) == len(set(sent))
            assert sorted(self.post.arrived()) == sorted(sent)

    @invariant()
    def what_was_told_is_true(self) -> None:
        for ask in getattr(self, "asks", ()):
            if ask.told and set(ask.told) <= {"failed"}:
                assert self._sent(ask) == 0

    def _settle(self) -> None:
        """Wait until nothing lags and no process runs, and let everything come to its end."""
        self.post.sandbox.clock.advance(3600)  # type: ignore[attr-defined]  # it is virtual
        self.crash = ""
        for ask in self.asks:
            if ask.unclear is not None:
                assert (self._look(ask).state == "sent") == (self._sent(ask) == 1)
            before = self._sent(ask)
            self._send(ask)
            if before:
                assert ask.told[-1] in ("duplicate", "failed") or ask.draft is not None
            assert self._sent(ask) <= 1
            if "unknown" not in ask.told and "crashed" not in ask.told and "cancelled" not in ask.told:
                assert self._sent(ask) == 1  # nothing is lost: what was never unclear went in the end


def _subject(raw: bytes) -> str:
    line = next(line for line in raw.split(b"\r\n") if line.lower().startswith(b"subject:"))
    return line.partition(b":")[2].decode().strip()


TestSending = Sending.TestCase
TestSending.settings = settings(max_examples=60, stateful_step_count=12, deadline=None)
