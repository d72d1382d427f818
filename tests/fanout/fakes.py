"""Mailboxes in memory behind the driver protocol: they page, tie, repeat themselves, fail and hang on demand."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import anyio
import attrs

from mailkit.errors import BadPayload, MailkitError, NotFound, Unavailable
from mailkit.models import Attachment, Label, Message, MessageSummary, Note, Thread
from mailkit.providers.base import Capabilities, Listing, MailDriver, Page, Search
from mailkit.query.explanation import ProviderPlan
from mailkit.sandbox import VirtualClock
from mailkit.values import Account, Ref

EPOCH = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)


def row(account: str, id_: str, tick: int) -> MessageSummary:
    return MessageSummary(
        ref=Ref(account=account, kind="message", id=id_),
        thread=Ref(account=account, kind="thread", id=f"t{id_}"),
        date=EPOCH + dt.timedelta(seconds=tick),
        subject=f"{account} {id_}",
    )


@attrs.define(kw_only=True)
class FakeDriver:
    """One account. ``rows`` maps ids to ticks; ``fails`` is raised from its step on, ``unreadable`` is one step."""

    name: str
    rows: dict[str, int] = attrs.field(factory=dict)
    page: int = 3
    overlap: int = 0
    fails: MailkitError | None = None
    fails_at_step: int = 0
    hangs: bool = False
    pauses: bool = False
    unreadable: int | None = None
    delay: float = 0.0
    notes: tuple[Note, ...] = ()
    problems: tuple[BadPayload, ...] = ()
    clock: VirtualClock = attrs.field(factory=VirtualClock)
    calls: list[str] = attrs.field(factory=list)
    cancelled: int = 0

    @property
    def account(self) -> Account:
        return Account(name=self.name, provider="google", token="t")

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities()

    async def own_addresses(self) -> tuple[str, ...]:
        return (f"{self.name}@example.com",)

    async def search(self, search: Search) -> Listing:
        self.calls.append("search")
        await self._meet(0)
        found = [row(self.name, id_, tick) for id_, tick in self.rows.items()]
        after = search.after
        if after is not None:
            found = [
                each
                for each in found
                if each.date < after.at or (each.date == after.at and each.ref.id not in after.seen)
            ]
        # Within one instant a provider's order is its own: here, backwards by the end of the id.
        found.sort(key=lambda each: (each.date, each.ref.id[::-1]), reverse=True)
        return self._listing(found, 0)

    def _listing(self, found: Sequence[MessageSummary], step: int) -> Listing:
        start, end = step * self.page, (step + 1) * self.page

        async def fetch() -> Page:
            self.calls.append(f"fetch {step}")
            if step == self.unreadable:
                raise Unavailable("down")
            return Page(rows=tuple(found[max(0, start - self.overlap) : end]), problems=self.problems)

        async def following() -> Listing:
            self.calls.append(f"next {step + 1}")
            await self._meet(step + 1)
            return self._listing(found, step + 1)

        return Listing(fetch=fetch, next=following if end < len(found) else None, notes=self.notes, pause=self.pauses)

    async def plan(self, search: Search) -> ProviderPlan:
        self.calls.append("plan")
        await self._meet(0)
        return ProviderPlan(account=self.name, provider="google", strategy="search", notes=self.notes)

    async def get(self, ids: Sequence[str], *, include_raw: bool = False) -> list[Message | MailkitError]:
        self.calls.append(f"get {' '.join(ids)}")
        await self._meet(0)
        return [self._message(id_) if id_ in self.rows else NotFound("no such message") for id_ in ids]

    def _message(self, id_: str) -> Message:
        summary = row(self.name, id_, self.rows[id_])
        return Message(ref=summary.ref, thread=summary.thread, date=summary.date, subject=summary.subject)

    async def thread(self, thread_id: str) -> Thread:
        self.calls.append(f"thread {thread_id}")
        await self._meet(0)
        return Thread(ref=Ref(account=self.name, kind="thread", id=thread_id))

    async def raw(self, message_id: str) -> bytes:
        await self._meet(0)
        return message_id.encode()

    async def labels(self) -> tuple[list[Label], list[BadPayload]]:
        await self._meet(0)
        ref = Ref(account=self.name, kind="label", id="INBOX")
        return [Label(ref=ref, name="Inbox", path="Inbox", kind="system", role="inbox")], list(self.problems)

    async def attachments(self, message_id: str) -> tuple[list[Attachment], list[BadPayload]]:
        await self._meet(0)
        ref = Ref(account=self.name, kind="attachment", id=message_id, part="1")
        return [Attachment(ref=ref, name="a.txt")], list(self.problems)

    @asynccontextmanager
    async def read_attachment(self, message_id: str, part: str) -> AsyncIterator[AsyncIterator[bytes]]:
        await self._meet(0)

        async def pieces() -> AsyncIterator[bytes]:
            yield message_id.encode()
            yield b"/"
            yield part.encode()

        yield pieces()
        self.calls.append("closed")

    async def _meet(self, step: int) -> None:
        try:
            if self.hangs:
                await anyio.sleep_forever()
            await self.clock.sleep(self.delay)
        except anyio.get_cancelled_exc_class():
            self.cancelled += 1
            raise
        if self.fails is not None and step >= self.fails_at_step:
            raise self.fails


@attrs.define(kw_only=True)
class FakeMailboxes:
    """The fan-out's view of an account set."""

    drivers: Mapping[str, FakeDriver]
    clock: VirtualClock = attrs.field(factory=VirtualClock)
    opened: list[str] = attrs.field(factory=list)
    broken: Mapping[str, MailkitError] = attrs.field(factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.drivers)

    def driver(self, name: str) -> MailDriver:
        self.opened.append(name)
        if name in self.broken:
            raise self.broken[name]
        return self.drivers[name]  # type: ignore[return-value]  # it reads, and writes nothing


def mailboxes(**drivers: FakeDriver) -> FakeMailboxes:
    clock = VirtualClock()
    for driver in drivers.values():
        driver.clock = clock
    return FakeMailboxes(drivers=drivers, clock=clock)


def box(name: str, *ticks: int, **options: object) -> FakeDriver:
    rows = {f"{name}{number}": tick for number, tick in enumerate(ticks)}
    return FakeDriver(name=name, rows=rows, **options)  # type: ignore[arg-type]
