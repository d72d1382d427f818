"""Two mailboxes, one of them about to fail, and every reading operation of a client as a plain function.

Nothing here knows what is expected.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import attrs

from mailkit import AccountsFailed, AsyncMailClient, Failure, Label, MailkitError, MessageSummary, Settings
from mailkit.accounts import Accounts
from mailkit.sandbox import File, Mail, Person, Sandbox
from mailkit.sandbox.mailbox import Mailbox
from mailkit.testing import sandbox_account
from mailkit.transport import Quota
from mailkit.values import AccessToken, Provider, Ref

DEADLINE = 20.0
OWNERS: Mapping[Provider, str] = {"google": "owner@example.com", "microsoft": "owner@contoso.example"}
SECRETS = ("Secretary", "secret plan", "secretary@", "owner@", "token-of-", "the secret text", "secret.bin")
"""What no error may show: names, subjects, addresses, tokens, texts, names of files."""

_SENDER = Person("Sue Secretary", "secretary@example.net")
_FILE = File(name="secret.bin", content=bytes(range(256)) * 4)


class Tokens:
    """Gives one token, and another that is as good when told that the first is stale."""

    def __init__(self, *values: str) -> None:
        self._values = values

    async def token(self, *, stale: str | None = None) -> AccessToken:
        return AccessToken(value=next(value for value in self._values if value != stale))


@attrs.frozen
class World:
    """A mailbox of each provider, the accounts named after them."""

    sandbox: Sandbox
    boxes: Mapping[Provider, Mailbox]
    messages: Mapping[str, list[Ref]]
    threads: dict[str, Ref]
    attachments: dict[str, Ref]

    def client(self) -> AsyncMailClient:
        """Make a client that remembers nothing yet."""
        return AsyncMailClient(self.accounts(), tz="UTC")

    def accounts(self) -> Accounts:
        """Make an account set whose tokens can be renewed."""
        accounts = [
            attrs.evolve(
                sandbox_account(self.sandbox, box, name=name), token=Tokens(box.token, f"token-of-{name}-renewed")
            )
            for name, box in self.boxes.items()
        ]
        roomy = Settings(gmail_quota=Quota(units=1_000_000, seconds=60))
        return Accounts(accounts, settings=roomy, clock=self.sandbox.clock)


async def make_world() -> World:
    """Make both mailboxes, three messages in each."""
    sandbox = Sandbox()
    boxes: dict[Provider, Mailbox] = {
        "google": sandbox.google(OWNERS["google"], token="token-of-google"),
        "microsoft": sandbox.microsoft(OWNERS["microsoft"], token="token-of-microsoft"),
    }
    messages: dict[str, list[Ref]] = {}
    for name, box in boxes.items():
        sandbox._boxes[f"token-of-{name}-renewed"] = box
        ids = [box.add(_mail(sandbox, f"secret plan {number}", number)) for number in range(3)]
        messages[name] = [Ref(account=name, kind="message", id=i) for i in ids]
    world = World(sandbox, boxes, messages, {}, {})
    async with world.client() as mail:
        for account, refs in messages.items():
            message = await mail.get(refs[0])
            world.threads[account], world.attachments[account] = message.thread, message.attachments[0].ref
    return world


def _mail(sandbox: Sandbox, subject: str, hours: int) -> Mail:
    date = sandbox.clock.now() - dt.timedelta(hours=hours + 1)
    return Mail(subject=subject, from_=_SENDER, date=date, text="the secret text", files=[_FILE], thread="talk")


@attrs.frozen(kw_only=True)
class Seen:
    """What an operation gave: of each account what was read, in order, and every error, wherever it was put."""

    read: Mapping[str, list[object]]
    errors: Sequence[MailkitError] = ()


Operation: TypeAlias = Callable[[AsyncMailClient, World, str], Awaitable[Seen]]


async def observe(operation: Operation, mail: AsyncMailClient, world: World, name: str) -> Seen:
    """Run an operation; what it raises is what it gave."""
    try:
        return await operation(mail, world, name)
    except AccountsFailed as failed:
        return Seen(read={}, errors=failed.errors)
    except MailkitError as error:
        return Seen(read={}, errors=[error])


def _seen(rows: Iterable[MessageSummary | Label], failures: Iterable[Failure]) -> Seen:
    read: dict[str, list[object]] = {}
    for row in rows:
        read.setdefault(row.account, []).append(row.ref)
    return Seen(read=read, errors=[failure.error for failure in failures])


async def _search(mail: AsyncMailClient, world: World, name: str) -> Seen:
    found = await mail.search("from:secretary", deadline=DEADLINE)
    return _seen(found, found.failures)


async def _recent(mail: AsyncMailClient, world: World, name: str) -> Seen:
    found = await mail.recent(deadline=DEADLINE)
    return _seen(found, found.failures)


async def _iter_search(mail: AsyncMailClient, world: World, name: str) -> Seen:
    rows = mail.iter_search("from:secretary", deadline=DEADLINE)
    return _seen([row async for row in rows], rows.failures)


async def _search_as_completed(mail: AsyncMailClient, world: World, name: str) -> Seen:
    async with mail.search_as_completed("from:secretary", deadline=DEADLINE) as updates:
        seen = [update async for update in updates]
    assert {update.account for update in seen} == set(world.boxes)
    return _seen(seen[-1].results, [update.failure for update in seen if update.failure])


async def _explain(mail: AsyncMailClient, world: World, name: str) -> Seen:
    explanation = await mail.explain("label:nowhere from:secretary", deadline=DEADLINE)
    return Seen(read={plan.account: [plan.notes] for plan in explanation.plans})


async def _get_many(mail: AsyncMailClient, world: World, name: str) -> Seen:
    outcomes = await mail.get_many([ref for refs in world.messages.values() for ref in refs], deadline=DEADLINE)
    errors = [outcome.error for outcome in outcomes if outcome.error]
    return attrs.evolve(_seen([outcome.value for outcome in outcomes if outcome.value], ()), errors=errors)


async def _labels(mail: AsyncMailClient, world: World, name: str) -> Seen:
    found = await mail.labels.list(deadline=DEADLINE)
    return _seen(found, found.failures)


async def _get(mail: AsyncMailClient, world: World, name: str) -> Seen:
    return Seen(read={name: [await mail.get(world.messages[name][0], deadline=DEADLINE)]})


async def _thread(mail: AsyncMailClient, world: World, name: str) -> Seen:
    return Seen(read={name: [await mail.thread(world.threads[name], deadline=DEADLINE)]})


async def _raw(mail: AsyncMailClient, world: World, name: str) -> Seen:
    return Seen(read={name: [await mail.raw(world.messages[name][0], deadline=DEADLINE)]})


async def _attachments(mail: AsyncMailClient, world: World, name: str) -> Seen:
    return Seen(read={name: [*await mail.attachments.list(world.messages[name][0], deadline=DEADLINE)]})


async def _read(mail: AsyncMailClient, world: World, name: str) -> Seen:
    return Seen(read={name: [await mail.attachments.read(world.attachments[name], deadline=DEADLINE)]})


async def _iter_bytes(mail: AsyncMailClient, world: World, name: str) -> Seen:
    async with mail.attachments.iter_bytes(world.attachments[name], deadline=DEADLINE) as pieces:
        return Seen(read={name: [b"".join([piece async for piece in pieces])]})


OPERATIONS: Mapping[str, Operation] = {
    "mail.search": _search,
    "mail.recent": _recent,
    "mail.iter_search": _iter_search,
    "mail.search_as_completed": _search_as_completed,
    "mail.explain": _explain,
    "mail.get": _get,
    "mail.get_many": _get_many,
    "mail.thread": _thread,
    "mail.raw": _raw,
    "mail.labels.list": _labels,
    "mail.attachments.list": _attachments,
    "mail.attachments.read": _read,
    "mail.attachments.iter_bytes": _iter_bytes,
}
"""By the name that an error of theirs has to bear."""

MERGED = frozenset(
    {"mail.search", "mail.recent", "mail.iter_search", "mail.search_as_completed", "mail.get_many", "mail.labels.list"}
)
"""Those that give one account's rows though the other fails."""
