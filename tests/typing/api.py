"""What a program's type checker sees: never run, read by mypy and pyright (``nox -s types``)."""

# pyright: strict

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Iterator
from typing import assert_type

from mailkit import (
    AccessToken,
    Account,
    Accounts,
    AccountsFailed,
    AccountUpdate,
    Address,
    AsyncMailClient,
    Attachment,
    Explanation,
    Failure,
    HttpxTransport,
    Label,
    MailClient,
    MailkitError,
    Message,
    MessageSummary,
    Note,
    Outcome,
    Q,
    RateLimited,
    Ref,
    Results,
    Settings,
    Thread,
    TokenSource,
    Transport,
)
from mailkit.testing import demo_accounts


class VaultToken:
    """A token source of the program's own."""

    async def token(self, *, stale: str | None = None) -> AccessToken:
        return AccessToken(value="x", expires_at=dt.datetime.now(dt.UTC))


source: TokenSource = VaultToken()
transport: Transport = HttpxTransport()

home = Account(name="home", provider="google", token="x", aliases=["ann@example.com"], scopes={"gmail.readonly"})
work = Account(name="work", provider="microsoft", token=source, transport=transport)
vault = Account(name="vault", provider="google", token=lambda: "x")
accounts = Accounts([home, work, vault], default="home", settings=Settings(deadline=10))
assert_type(accounts["home"], Account)
assert_type(demo_accounts(), Accounts)
assert_type(Ref.parse("mk1:home:message:1:0").account, str)


def rows(found: Results[MessageSummary]) -> None:
    for row in found:
        assert_type(row, MessageSummary)
        assert_type(row.from_, Address | None)
        assert_type(row.date, dt.datetime)
        assert_type(row.has_attachments, bool | None)
    assert_type(found[0], MessageSummary)
    assert_type(found.failures, tuple[Failure, ...])
    assert_type(found.notes, tuple[Note, ...])
    assert_type(found.cursor, str | None)
    try:
        found.raise_for_failures()
    except AccountsFailed as group:
        assert_type(group.errors, tuple[MailkitError, ...])
    except RateLimited as error:
        assert_type(error.retry_after, float | None)


def sync() -> None:
    with MailClient(accounts, tz="Europe/Berlin") as mail:
        assert_type(mail, MailClient)
        found = mail.search(Q.from_("priya") & ~Q.subject("lunch"), accounts=["home", "work"], limit=10)
        assert_type(found, Results[MessageSummary])
        assert_type(mail.recent(), Results[MessageSummary])
        for row in mail.iter_search("is:unread"):
            assert_type(row, MessageSummary)
        with mail.search_as_completed("is:unread") as updates:
            assert_type(next(updates), AccountUpdate)
            updates.cancel()
        assert_type(mail.explain("bcc:me"), Explanation)
        assert_type(mail.get(found[0]), Message)
        for outcome in mail.get_many([found[0], found[1].ref, "mk1:home:message:1:0"]):
            assert_type(outcome, Outcome[Message])
            assert_type(outcome.value, Message | None)
            assert_type(outcome.unwrap(), Message)
        assert_type(mail.thread(found[0]), Thread)
        assert_type(mail.raw(found[0]), bytes)
        assert_type(mail.labels.list(), Results[Label])
        attachments = mail.attachments.list(found[0])
        assert_type(attachments, Results[Attachment])
        assert_type(mail.attachments.read(attachments[0]), bytes)
        with mail.attachments.iter_bytes(attachments[0]) as pieces:
            assert_type(pieces, Iterator[bytes])


async def not_sync() -> None:
    async with AsyncMailClient([home, work]) as mail:
        assert_type(mail, AsyncMailClient)
        found = await mail.search("from:priya")
        assert_type(found, Results[MessageSummary])
        async for row in mail.iter_search("is:unread"):
            assert_type(row, MessageSummary)
        async with mail.search_as_completed("is:unread") as updates:
            async for update in updates:
                assert_type(update, AccountUpdate)
            updates.cancel()
        assert_type(await mail.explain("bcc:me"), Explanation)
        assert_type(await mail.get(found[0]), Message)
        assert_type(await mail.get_many(found), list[Outcome[Message]])
        assert_type(await mail.labels.list(), Results[Label])
        async with mail.attachments.iter_bytes((await mail.attachments.list(found[0]))[0]) as pieces:
            assert_type(pieces, AsyncIterator[bytes])
