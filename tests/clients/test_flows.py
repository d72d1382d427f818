"""The clients over the whole house: real drivers, real transport, both providers offline."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import AsyncIterator
from functools import partial

import anyio
import attrs
import pytest

from mailkit import (
    Account,
    Accounts,
    AllAccountsFailed,
    AmbiguousAccount,
    AsyncMailClient,
    MailClient,
    NotFound,
    Q,
    Results,
    Settings,
    SignInRequired,
    TimedOut,
    Unsupported,
    UsageError,
)
from mailkit.errors import InvalidQuery
from mailkit.models import MessageSummary
from mailkit.sandbox import Fault, File, Mail, Mailbox, Person, Sandbox
from mailkit.testing import demo_accounts, sandbox_account, sandbox_accounts
from mailkit.transport import Quota

pytestmark = pytest.mark.anyio

AMY = Person("Amy", "amy@example.net")


@attrs.frozen
class World:
    sandbox: Sandbox
    boxes: dict[str, Mailbox]

    def accounts(self, settings: Settings | None = None) -> Accounts:
        return sandbox_accounts(self.sandbox, settings=settings, **self.boxes)

    def add(self, name: str, subject: str, hours: float, **fields: object) -> str:
        date = self.sandbox.clock.now() - dt.timedelta(hours=hours)
        return self.boxes[name].add(Mail(subject=subject, from_=AMY, date=date, text="Hello", **fields))  # type: ignore[arg-type]  # as given


@pytest.fixture
def world() -> World:
    sandbox = Sandbox()
    made = World(
        sandbox,
        {
            "g1": sandbox.google("ann@example.com"),
            "g2": sandbox.google("ann.lee@example.com"),
            "m1": sandbox.microsoft("ann@contoso.example"),
            "m2": sandbox.microsoft("ann@fabrikam.example"),
        },
    )
    for number in range(8):
        for offset, name in enumerate(made.boxes):
            made.add(name, f"{name} {number}", number * 4 + offset + 1)
    return made


@pytest.fixture
async def mail(world: World) -> AsyncIterator[AsyncMailClient]:
    async with AsyncMailClient(world.accounts(), tz="UTC") as client:
        yield client


def subjects(rows: Results[MessageSummary]) -> list[str]:
    return [row.subject for row in rows]


EXPECTED = [f"{name} {number}" for number in range(8) for name in ("g1", "g2", "m1", "m2")]


async def test_four_mailboxes_are_one_list(mail: AsyncMailClient) -> None:
    assert subjects(await mail.search("from:amy", limit=10)) == EXPECTED[:10]
    assert subjects(await mail.recent(limit=6)) == EXPECTED[:6]


async def test_pages_follow_one_another(mail: AsyncMailClient) -> None:
    found: list[str] = []
    cursor = None
    for _ in range(5):
        page = await mail.search(Q.from_("amy"), limit=7, cursor=cursor)
        found += subjects(page)
        cursor = page.cursor
    assert found == EXPECTED
    assert cursor is None


async def test_everything_can_be_gone_through(mail: AsyncMailClient) -> None:
    assert [row.subject async for row in mail.iter_search("from:amy")] == EXPECTED
    assert [row.subject async for row in mail.iter_search("from:amy", limit=9)] == EXPECTED[:9]


async def test_a_long_iteration_pauses_for_gmails_quota_and_goes_on() -> None:
    sandbox = Sandbox()
    box = sandbox.google("ann@example.com", quota=6_000)
    for number in range(620):
        box.add(Mail(subject=str(number), text="x", date=sandbox.clock.now() - dt.timedelta(minutes=number)))
    async with AsyncMailClient(sandbox_accounts(sandbox, home=box), tz="UTC") as mail:
        begun = sandbox.clock.monotonic()
        assert [row.subject async for row in mail.iter_search()] == [str(number) for number in range(620)]
        assert 60 < sandbox.clock.monotonic() - begun < 180
    roomy = Settings(gmail_quota=Quota(units=60_000, seconds=60))
    box = sandbox.google("bob@example.com")
    box.add(Mail(subject="one", text="x"))
    async with AsyncMailClient(sandbox_accounts(sandbox, settings=roomy, home=box), tz="UTC") as mail:
        begun = sandbox.clock.monotonic()
        for _ in range(400):
            await mail.recent()
        assert sandbox.clock.monotonic() == begun


async def test_one_account_down_leaves_the_rows_of_the_others(world: World, mail: AsyncMailClient) -> None:
    world.boxes["m1"].script(Fault.hang(times=9))
    found = await mail.search("from:amy", limit=3, deadline=5)
    assert subjects(found) == ["g1 0", "g2 0", "m2 0"]
    assert [(f.account, type(f.error)) for f in found.failures] == [("m1", TimedOut)]


async def test_all_down_raises(world: World, mail: AsyncMailClient) -> None:
    for box in world.boxes.values():
        box.script(Fault.hang(times=9))
    with pytest.raises(AllAccountsFailed):
        await mail.search(deadline=5)
    with pytest.raises(TimedOut):
        await mail.search(deadline=5, accounts="g1")


async def test_a_refused_token_is_asked_for_once_more_and_then_needs_a_sign_in(world: World) -> None:
    given = iter(["wrong", world.boxes["g1"].token])
    account = attrs.evolve(sandbox_account(world.sandbox, world.boxes["g1"], name="g1"), token=lambda: next(given))
    async with AsyncMailClient([account], clock=world.sandbox.clock, tz="UTC") as mail:
        assert len(await mail.recent(limit=3)) == 3
    async with AsyncMailClient([attrs.evolve(account, token="wrong")], clock=world.sandbox.clock, tz="UTC") as mail:
        with pytest.raises(SignInRequired) as caught:
            await mail.recent()
    assert caught.value.account == "g1"


async def test_updates_arrive_per_account(world: World, mail: AsyncMailClient) -> None:
    world.boxes["g2"].script(Fault.slow(3.0))
    async with mail.search_as_completed("from:amy", limit=4) as updates:
        seen = [(update.account, update.waiting) async for update in updates]
    assert seen[-1] == ("g2", ())
    assert len(seen) == 4


async def test_messages_threads_and_raw(world: World, mail: AsyncMailClient) -> None:
    for name in ("g1", "m1"):
        row = (await mail.search(f'subject:"{name} 0"', accounts=name))[0]
        message = await mail.get(row)
        assert message.body.text.strip() == "Hello"
        assert (await mail.get(str(row.ref))).ref == row.ref
        assert (await mail.get(row.ref.id, account=name)).ref == row.ref
        assert b"Subject: " in await mail.raw(row)
        assert [each.ref for each in (await mail.thread(row)).messages] == [row.ref]
        assert (await mail.thread(message)).ref == row.thread


async def test_many_messages_of_all_accounts(world: World, mail: AsyncMailClient) -> None:
    rows = list(await mail.search("from:amy", limit=8))
    world.boxes["m1"].remove(rows[2].ref.id)
    outcomes = await mail.get_many([*rows, rows[0]])
    assert [outcome.ref for outcome in outcomes] == [row.ref for row in [*rows, rows[0]]]
    assert [outcome.ok for outcome in outcomes] == [True, True, False, *[True] * 6]
    assert type(outcomes[2].error) is NotFound


@pytest.mark.parametrize("name", ["g1", "m1"])
async def test_attachments(world: World, mail: AsyncMailClient, name: str) -> None:
    content = bytes(range(256)) * 2000
    world.add(name, "Files", 0, files=(File(name="a.bin", content=content),))
    row = (await mail.search("subject:files"))[0]
    (attachment,) = await mail.attachments.list(row)
    assert (attachment.name, attachment.account) == ("a.bin", name)
    assert await mail.attachments.read(attachment) == content
    async with mail.attachments.iter_bytes(str(attachment.ref)) as pieces:
        assert b"".join([piece async for piece in pieces]) == content


async def test_labels_of_all_accounts(mail: AsyncMailClient) -> None:
    found = await mail.labels.list()
    assert {label.account for label in found if label.role == "inbox"} == {"g1", "g2", "m1", "m2"}


async def test_strict_fails_only_where_the_query_cannot_be_held(mail: AsyncMailClient) -> None:
    found = await mail.search("is:unread -is:muted", limit=2, strict=True)
    assert subjects(found) == ["g1 0", "g2 0"]
    assert [(f.account, type(f.error)) for f in found.failures] == [("m1", Unsupported), ("m2", Unsupported)]


async def test_a_query_is_explained_for_every_account(mail: AsyncMailClient) -> None:
    explanation = await mail.explain("from:amy is:muted")
    assert [plan.account for plan in explanation.plans] == ["g1", "g2", "m1", "m2"]
    assert "cannot be held" in str(explanation)


async def test_what_cannot_be_right_sends_nothing(world: World, mail: AsyncMailClient) -> None:
    page = await mail.search("from:amy", limit=2)
    assert page.cursor is not None
    world.sandbox.requests.clear()
    with pytest.raises(InvalidQuery):
        await mail.search("from:(")
    with pytest.raises(InvalidQuery):
        mail.iter_search("{")
    with pytest.raises(InvalidQuery):
        mail.search_as_completed("{")
    for call in (
        partial(mail.search, limit=0),
        partial(mail.search, deadline=0),
        partial(mail.search, deadline=float("nan")),
        partial(mail.search, accounts=["g1", "g9"]),
        partial(mail.search, "from:bob", cursor=page.cursor),
        partial(mail.recent, cursor=page.cursor),
        partial(mail.search, "from:amy", cursor=page.cursor[:-3]),
        partial(mail.get, page[0], account="m2"),
        partial(mail.get, page[0].thread),
        partial(mail.attachments.read, page[0].ref),
    ):
        with pytest.raises(UsageError):
            await call()
    with pytest.raises(AmbiguousAccount):
        await mail.get("bare-id")
    with pytest.raises(UsageError):
        mail.iter_search(limit=-1)
    assert world.sandbox.requests == []


async def test_a_zone_decides_what_a_day_is(world: World) -> None:
    # The sandbox begins at 09:00 UTC, which is 18:00 in Tokyo and 22:00 of the same day in Auckland.
    midnight = world.sandbox.clock.now().replace(hour=0)
    world.boxes["g1"].add(Mail(subject="early", from_=AMY, date=midnight - dt.timedelta(hours=2), text="x"))
    query = f"subject:early after:{midnight:%Y/%m/%d}"
    async with AsyncMailClient(world.accounts(), tz="UTC") as mail:
        assert len(await mail.search(query)) == 0
        assert len(await mail.search(query, tz="Asia/Tokyo")) == 1
    async with AsyncMailClient(world.accounts(), tz="Asia/Tokyo") as mail:
        assert len(await mail.search(query)) == 1


async def test_settings_reach_the_wire(world: World) -> None:
    settings = Settings(user_agent="viewer/3", deadline=4.0)
    async with AsyncMailClient(world.accounts(settings), tz="UTC") as mail:
        await mail.recent(limit=1)
        assert all("viewer/3" in request.headers["user-agent"] for request in world.sandbox.requests)
        world.boxes["g1"].script(Fault.hang(times=9))
        begun = world.sandbox.clock.monotonic()
        with pytest.raises(TimedOut):
            await mail.recent(accounts="g1")
        assert world.sandbox.clock.monotonic() - begun == pytest.approx(4.0)


async def test_clients_of_one_set_share_their_sessions(world: World) -> None:
    accounts = world.accounts()
    async with AsyncMailClient(accounts, tz="UTC") as one, AsyncMailClient(accounts, tz="UTC") as two:
        assert one.accounts is two.accounts is accounts
        assert repr(one) == "<AsyncMailClient g1, g2, m1, m2>"
        await one.recent()
        await one.aclose()
        await one.aclose()
        await two.recent()
        await one.recent()
    with pytest.raises(UsageError):
        AsyncMailClient(accounts, settings=Settings())


def test_an_async_client_outlives_event_loops(world: World) -> None:
    mail = AsyncMailClient(world.accounts(), tz="UTC")

    async def once(close: bool) -> int:
        found = len(await mail.recent(limit=3))
        if close:
            await mail.aclose()
        return found

    assert [anyio.run(once, close) for close in (False, True, False, True)] == [3] * 4
    assert anyio.run(once, True, backend="trio") == 3


def test_the_sync_client_gives_the_same(world: World) -> None:
    with MailClient(world.accounts(), tz="UTC") as mail:
        assert subjects(mail.search("from:amy", limit=10)) == EXPECTED[:10]
        rows = mail.iter_search("from:amy")
        assert [row.subject for row in rows] == EXPECTED
        assert (rows.failures, rows.notes, rows.problems) == ((), (), ())
        with mail.search_as_completed("from:amy", limit=3) as updates:
            last = list(updates)[-1]
        assert subjects(last.results) == EXPECTED[:3]
        with pytest.raises(InvalidQuery):
            mail.search("from:(")
        assert repr(mail) == "<MailClient g1, g2, m1, m2>"
        assert mail.accounts.names == ("g1", "g2", "m1", "m2")
    mail.close()


def test_a_sync_iterator_raises_when_all_fail(world: World) -> None:
    world.boxes["g1"].script(Fault.hang(times=9))
    with MailClient(world.accounts(), tz="UTC") as mail, pytest.raises(TimedOut):
        next(mail.iter_search(accounts="g1", deadline=2))


def test_nothing_of_a_person_is_logged(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with MailClient(world.accounts(), tz="UTC") as mail:
        mail.get(mail.search("from:amy")[0])
    for secret in ("amy", "Hello", "g1 0", *(box.token for box in world.boxes.values())):
        assert secret not in caplog.text


def test_an_account_shows_nothing_but_its_name() -> None:
    accounts = demo_accounts()
    assert repr(accounts) == "<Accounts home, work>"
    assert "google-ann" not in repr(accounts["home"])
    assert isinstance(accounts["home"], Account)
