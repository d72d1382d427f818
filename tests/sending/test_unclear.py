"""Sends whose fate is unclear: what is told at once, what is found out later, and that nothing goes a second time."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from typing import Any

import attrs
import pytest

from mailkit import (
    AsyncMailClient,
    BadPayload,
    Conflict,
    OutcomeUnknown,
    Ref,
    SendResult,
    SqliteJournal,
    UnknownAccount,
    UsageError,
)
from mailkit.sandbox import Fault, File
from mailkit.sandbox.google import GoogleMailbox
from mailkit.values import Provider
from tests.sending.post import BOB, PROVIDERS, Post

pytestmark = pytest.mark.anyio

LOOKING = "batch"


def lost(**where: Any) -> Fault:
    """Let the mail go, and the answer get lost."""
    return Fault.reset(operation="messages.send", **where)


def not_sent() -> Fault:
    """Let the answer be a 500, and the mail not go."""
    return Fault.server_error(500, operation="messages.send", takes_effect=False)


async def send(mail: AsyncMailClient, **options: Any) -> SendResult:
    return await mail.send(BOB, subject="Plans", text="At ten.", account="ann", **options)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_lost_answer_is_made_good_at_once(provider: Provider) -> None:
    post = Post(provider)
    post.ann.script(lost())
    async with post.client() as mail:
        result = await send(mail, key="k")
        assert (result.state, result.evidence) == ("sent", "message_id")
        assert result.message is not None
        assert (await mail.get(result.message)).subject == "Plans"
        assert (await send(mail, key="k")).original == result
    assert post.arrived() == ["Plans"]


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_copy_that_lags_is_found_by_and_by(provider: Provider) -> None:
    post = Post(provider)
    post.ann.sent_lag = 90
    post.ann.script(lost())
    async with post.client() as mail:
        with pytest.raises(OutcomeUnknown) as caught:
            await send(mail, key="k")
        assert (await mail.reconcile(caught.value)).state == "unknown"
        with pytest.raises(OutcomeUnknown):
            await send(mail, key="k")
        await post.sandbox.clock.sleep(90)
        assert (await mail.reconcile(caught.value)).state == "sent"
        assert (await send(mail, key="k")).state == "duplicate"
    assert post.arrived() == ["Plans"]


async def test_a_message_id_that_gmail_changed_hides_no_mail() -> None:
    post = Post("google")
    assert isinstance(post.ann, GoogleMailbox)
    post.ann.rewrites_message_ids = True
    post.ann.script(lost())
    async with post.client() as mail:
        result = await send(mail)
    assert (result.state, result.evidence) == ("sent", "send_id")
    assert result.message_id == post.sandbox.sent[0].message_id


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_what_lags_under_another_name_is_found_too(provider: Provider) -> None:
    post = Post(provider)
    post.ann.sent_lag = 60
    setattr(post.ann, "rewrites_message_ids" if provider == "google" else "keeps_ids_on_send", provider == "google")
    post.ann.script(lost())
    async with post.client() as mail:
        result = await send(mail, on_unknown="return")
        assert result.state == "unknown"
        await post.sandbox.clock.sleep(60)
        assert (await mail.reconcile(result)).state == "sent"


# What no provider answers to a send (Gmail: 200 and the message; Graph: 202), but somebody on the way may.
FOREIGN: Mapping[str, dict[str, Any]] = {
    "200 {}": {"status": 200, "json": {}},
    "200": {"status": 200, "body": b""},
    "200 null": {"status": 200, "json": None, "body": b"null"},
    "200 ok": {"status": 200, "body": b"ok"},
    "201 {}": {"status": 201, "json": {}},
    "204": {"status": 204, "body": b""},
}
WAYS: Mapping[str, tuple[Provider, str, str]] = {  # with what permissions, and which request sends
    "Gmail": ("google", "wide", "messages.send"),
    "Gmail, in pieces": ("google", "wide", "messages.send"),
    "a draft at Gmail": ("google", "wide", "drafts.send"),
    "Outlook": ("microsoft", "wide", "messages.send"),
    "a draft at Outlook": ("microsoft", "wide", "messages.send"),
    "Outlook, at once": ("microsoft", "send+read", "me.sendMail"),
    "a forward with files at Outlook, at once": ("microsoft", "send+read", "messages.forward"),
}


@pytest.mark.parametrize("went", [True, False])
@pytest.mark.parametrize("answer", FOREIGN)
@pytest.mark.parametrize("way", WAYS)
async def test_an_answer_that_is_not_the_providers_says_nothing_of_the_mail(way: str, answer: str, went: bool) -> None:
    provider, width, operation = WAYS[way]
    post = Post(provider, width)
    files = b"x" * 6_000_000 if "pieces" in way else ()
    got = Ref(account="ann", kind="message", id=post.letter_to_ann(files=[File(name="a.txt", content=b"a")]))
    skip = 4 if files else 0  # the upload is begun, and three of its pieces
    async with post.client() as mail:
        draft = await mail.drafts.create(BOB, subject="Plans", text="x", account="ann") if "draft" in way else None
        post.ann.script(Fault(operation=operation, takes_effect=went, skip=skip, **FOREIGN[answer]))
        if draft is not None:
            sending = mail.drafts.send(draft, on_unknown="return")
        elif "forward" in way:
            sending = mail.forward(got, BOB, on_unknown="return")
        else:
            sending = send(mail, files=files, on_unknown="return")
        result = await sending
        assert (result.state, result.evidence == "answer") == ("sent" if went else "unknown", False)
        assert (await mail.reconcile(result)).state == result.state
    assert len(post.sandbox.sent) == went


async def test_an_upload_that_ends_too_early_sent_nothing() -> None:
    post = Post("google")
    post.ann.script(Fault(status=200, json={}, operation="messages.send", skip=1))
    async with post.client() as mail:
        with pytest.raises(BadPayload):
            await send(mail, files=b"x" * 6_000_000)
        assert post.sandbox.sent == []
        assert (await send(mail, files=b"x" * 6_000_000)).state == "sent"
    assert post.arrived() == ["Plans"]


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_what_was_not_sent_is_never_said_to_be(provider: Provider) -> None:
    post = Post(provider)
    post.ann.script(not_sent())
    async with post.client() as mail:
        result = await send(mail, on_unknown="return", key="k")
        assert (result.state, result.key) == ("unknown", "k")
        last = await mail.reconcile(result)
        assert last.state == "unknown"
        assert last.hint is not None
        await post.sandbox.clock.sleep(300)
        last = await mail.reconcile(last)
        assert last.state == ("draft" if provider == "microsoft" else "unknown")
        if last.draft is not None:
            assert (await mail.drafts.send(last.draft)).state == "sent"
            assert (await mail.reconcile(result)).state == "sent"
    assert len(post.sandbox.sent) == (1 if provider == "microsoft" else 0)
    assert post.drafts() == []


HARMS: Mapping[str, Fault] = {
    "down": Fault.server_error(503, times=None, path=LOOKING),
    "hangs": Fault.hang(times=None, path=LOOKING),
    "broken": Fault.reset(times=None, path=LOOKING),
    "throttled": Fault.rate_limited(3600, times=None, path=LOOKING),
    "refused": Fault(status=400, times=None, path=LOOKING),
    "another page": Fault.html_page(200, times=None, path=LOOKING),
}


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("goes", [True, False])
@pytest.mark.parametrize("provider", PROVIDERS)
async def test_looking_that_fails_leaves_it_unknown_and_can_be_done_again(
    provider: Provider, harm: str, goes: bool
) -> None:
    post = Post(provider)
    post.ann.script(lost() if goes else not_sent())
    async with post.client() as mail:
        post.ann.script(HARMS[harm])
        before = post.sandbox.clock.monotonic()
        result = await send(mail, on_unknown="return", key="k")
        assert result.state == "unknown"
        assert result.hint is not None
        assert "did not answer" in result.hint
        assert post.sandbox.clock.monotonic() - before <= 60
        assert (await mail.reconcile(result)).state == "unknown"
        post.ann.faults.clear()
        await post.sandbox.clock.sleep(300)
        last = await mail.reconcile(result)
        assert (last.state == "sent") == goes
    assert len(post.sandbox.sent) == goes


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_who_may_not_read_is_told_that_nobody_can_look(provider: Provider) -> None:
    post = Post(provider, "send")
    post.ann.script(Fault.reset(method="POST"))
    async with post.client() as mail:
        result = await send(mail, on_unknown="return")
        again = await mail.reconcile(result)
    assert (result.state, again.state) == ("unknown", "unknown")
    assert result.hint is not None
    assert "may not read" in result.hint
    assert post.arrived() == ["Plans"]


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("way", ["pickle", "json"])
async def test_an_unclear_send_can_be_looked_into_after_a_restart(provider: Provider, way: str) -> None:
    post = Post(provider)
    post.ann.sent_lag = 60
    post.ann.script(lost())
    async with post.client() as mail:
        try:
            kept = await send(mail, on_unknown="return" if way == "json" else "raise")
            what: SendResult | OutcomeUnknown = SendResult.from_dict(json.loads(json.dumps(kept.to_dict())))
        except OutcomeUnknown as unknown:
            what = pickle.loads(pickle.dumps(unknown))  # our own bytes
    await post.sandbox.clock.sleep(60)
    async with post.client() as mail:
        assert (await mail.reconcile(what)).state == "sent"


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_after_a_crash_in_the_middle_of_a_send_the_same_key_looks_first(
    provider: Provider, tmp_path: Any
) -> None:
    class Crash(BaseException):
        """The end of the process."""

    class Crashing(SqliteJournal):
        """Dies right after it noted that the mail is being sent; nothing is written after that."""

        dead = False

        def update(self, entry: Any) -> bool:
            if self.dead:
                raise Crash
            done = super().update(entry)
            self.dead = entry.state == "committed"
            if self.dead:
                raise Crash
            return done

        def forget(self, entry: Any) -> None:
            raise Crash

    post, path = Post(provider), tmp_path / "journal"
    async with post.client(journal=Crashing(path)) as mail:
        with pytest.raises(Crash):
            await send(mail, key="k")
    async with post.client(journal=SqliteJournal(path)) as mail:
        with pytest.raises(Conflict) as caught:
            await send(mail, key="k")
        assert caught.value.code == "in_flight"
        await post.sandbox.clock.sleep(60)
        with pytest.raises(OutcomeUnknown):
            await send(mail, key="k")
    assert post.sandbox.sent == []


async def test_only_what_came_of_a_send_can_be_looked_into() -> None:
    post = Post()
    async with post.client() as mail:
        sent = await send(mail)
        assert await mail.reconcile(sent) is sent
        with pytest.raises(UsageError) as caught:
            await mail.reconcile("mk1:x")  # type: ignore[arg-type]  # what is refused
        assert caught.value.code == "bad_trace"
        for trace in ({}, {"message_id": 1}):
            with pytest.raises(UsageError) as caught:
                await mail.reconcile(OutcomeUnknown("?", message_id="<a@b>", account="ann", trace=trace))
            assert (caught.value.code, caught.value.operation) == ("bad_trace", "mail.reconcile")
        post.ann.script(not_sent())
        unknown = await send(mail, on_unknown="return")
        assert unknown.trace is not None
        for around in ("", "yesterday", "2026-03-16T09:00:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"):
            with pytest.raises(UsageError, match="no trace"):
                await mail.reconcile(attrs.evolve(unknown, trace={**unknown.trace, "around": around}))
        with pytest.raises(UnknownAccount):
            await mail.reconcile(SendResult.from_dict({**unknown.to_dict(), "account": "elsewhere"}))


async def test_what_is_said_of_an_unclear_send_names_nobody() -> None:
    post = Post()
    post.ann.script(not_sent())
    async with post.client() as mail:
        with pytest.raises(OutcomeUnknown) as caught:
            await send(mail)
        result = SendResult(
            state="unknown", account="ann", message_id="<m@example.com>", trace=dict(caught.value.trace)
        )
    for text in (str(caught.value), repr(caught.value), repr(result)):
        assert "Plans" not in text
        assert "bob" not in text
    assert caught.value.trace["subject"] == "Plans"
