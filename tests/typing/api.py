"""What a program's type checker sees: never run, read by mypy and pyright (``nox -s types``)."""

# pyright: strict

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Literal, assert_type

from mailkit import (
    AccessToken,
    Account,
    AccountCheck,
    Accounts,
    AccountsFailed,
    AccountUpdate,
    Address,
    Addressed,
    AsyncMailClient,
    Attachment,
    Draft,
    Explanation,
    Failure,
    Finding,
    HttpxTransport,
    Journal,
    JournalEntry,
    Label,
    ListUnsubscribe,
    MailClient,
    MailkitError,
    MemoryStore,
    Message,
    MessageSummary,
    Note,
    Outcome,
    Outcomes,
    OutgoingFile,
    OutgoingMessage,
    Q,
    RateLimited,
    Ref,
    RenamedLabel,
    Results,
    SendPolicy,
    SendResult,
    Settings,
    SignInPrompt,
    SqliteJournal,
    Thread,
    TokenSource,
    Transport,
    sign_in,
    sign_in_async,
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


def show(prompt: SignInPrompt) -> None:
    assert_type(prompt.url, str)
    assert_type(prompt.user_code, str | None)
    assert_type(prompt.expires_at, dt.datetime)


def signing_in() -> None:
    account = sign_in("home", provider="google", client=Path("client_secret.json"), features=["read"], prompt=show)
    assert_type(account, Account)
    assert_type(sign_in("work", method="device", prompt=print), Account)
    assert_type(sign_in("work", method="paste", prompt=input, store=MemoryStore()), Account)
    check = accounts.check("work")
    assert_type(check, AccountCheck)
    assert_type(check.findings, tuple[Finding, ...])
    assert_type(check.findings[0].remedy, str | None)
    assert_type(check.features, frozenset[str] | None)


async def signing_in_async() -> None:
    async def dialog(prompt: SignInPrompt) -> str:
        return prompt.url

    assert_type(await sign_in_async("work", prompt=dialog), Account)
    assert_type(await accounts.check_async("work"), AccountCheck)


def sync() -> None:
    with MailClient(accounts, tz="Europe/Berlin") as mail:
        assert_type(mail, MailClient)
        found = mail.search(Q.from_("priya") & ~Q.subject("lunch"), accounts=["home", "work"], limit=10)
        assert_type(found, Results[MessageSummary])
        assert_type(mail.recent(), Results[MessageSummary])
        for row in mail.iter_search("is:unread"):
            assert_type(row, MessageSummary)
        with mail.search_as_completed("is:unread") as updates:
            assert_type(next(updates), AccountUpdate[MessageSummary])
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
        assert_type(mail.labels.rename(mail.labels.create("Work", kind="folder"), "Job"), RenamedLabel)
        assert_type(mail.archive(found), Outcomes)
        assert_type(mail.add_labels([found[0], mail.thread(found[0]), "mk1:home:message:1:0"], "Work"), Outcomes)
        assert_type(mail.move(found[0].ref, mail.labels.list()[0]).refs, tuple[Ref, ...])
        attachments = mail.attachments.list(found[0])
        assert_type(attachments, Results[Attachment])
        assert_type(mail.attachments.read(attachments[0]), bytes)
        assert_type(mail.attachments.save(attachments[0], ".", progress=lambda done, total: None), Path)
        assert_type(mail.get(found[0]).list_unsubscribe, ListUnsubscribe | None)
        with mail.attachments.iter_bytes(attachments[0]) as pieces:
            assert_type(pieces, Iterator[bytes])


def sending() -> None:
    def check(message: OutgoingMessage) -> str | None:
        return "no files" if message.files else None

    policy = SendPolicy(allow=["example.com"], max_recipients=5, check=check)
    with MailClient(accounts, policy=policy, journal=SqliteJournal("sends"), idempotency="derive") as mail:
        plan: list[Path | OutgoingFile] = [Path("plan.txt"), OutgoingFile(content=b"x", name="a.txt")]
        sent = mail.send(["amy@x", Address(address="bo@x")], subject="Plan", markdown="*Hi*", files=plan, key="k")
        assert_type(sent, SendResult)
        assert_type(sent.state, Literal["sent", "draft", "held", "duplicate", "unknown"])
        assert_type(sent.original, SendResult | None)
        row = mail.search("is:unread")[0]
        assert_type(mail.reply(row, text="Yes", reply_all=True, on_unknown="return"), SendResult)
        assert_type(mail.forward(mail.thread(row), "amy@x", as_attachment=True), SendResult)
        assert_type(mail.explain_reply(row.ref), Addressed)
        assert_type(mail.reconcile(sent), SendResult)
        draft = mail.drafts.create("amy@x", files=mail.attachments.list(row)[0], progress=lambda done, total: None)
        assert_type(draft, Draft)
        assert_type(mail.drafts.update(draft, text="Now"), Draft)
        assert_type(mail.drafts.send(draft.ref), SendResult)
        assert_type(mail.drafts.list(), Results[Draft])
        mail.drafts.delete(str(draft.ref))


class OwnJournal:
    """A journal of the program's own."""

    def begin(self, entry: JournalEntry) -> JournalEntry | None:
        return None

    def update(self, entry: JournalEntry) -> bool:
        return True

    def forget(self, entry: JournalEntry) -> None: ...


journal: Journal = OwnJournal()


async def not_sync() -> None:
    async with AsyncMailClient([home, work]) as mail:
        assert_type(mail, AsyncMailClient)
        found = await mail.search("from:priya")
        assert_type(found, Results[MessageSummary])
        async for row in mail.iter_search("is:unread"):
            assert_type(row, MessageSummary)
        async with mail.search_as_completed("is:unread") as updates:
            async for update in updates:
                assert_type(update, AccountUpdate[MessageSummary])
            updates.cancel()
        assert_type(await mail.explain("bcc:me"), Explanation)
        assert_type(await mail.get(found[0]), Message)
        assert_type(await mail.get_many(found), list[Outcome[Message]])
        assert_type(await mail.labels.list(), Results[Label])
        async with mail.attachments.iter_bytes((await mail.attachments.list(found[0]))[0]) as pieces:
            assert_type(pieces, AsyncIterator[bytes])
