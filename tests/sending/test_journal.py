"""Journals: the same table in memory and in a file; what a broken one does to a send."""

from __future__ import annotations

import datetime as dt
import os
import sqlite3
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from mailkit import (
    AsyncMailClient,
    ConfigurationError,
    MemoryJournal,
    OutcomeUnknown,
    ProviderError,
    SendResult,
    SqliteJournal,
)
from mailkit.sandbox import Fault
from mailkit.sending.journal import KEPT, Journal, JournalEntry
from tests.sending.post import BOB, Post

pytestmark = pytest.mark.anyio

NOW = dt.datetime(2026, 3, 16, 9, tzinfo=dt.UTC)


def entry(**fields: Any) -> JournalEntry:
    given = {"scope": "ann mail.send k", "run": "1", "fingerprint": "f", "state": "running", "created": NOW}
    return JournalEntry(**{**given, "until": NOW + dt.timedelta(seconds=60), **fields})


@pytest.fixture(params=["memory", "sqlite"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Journal:
    return MemoryJournal() if request.param == "memory" else SqliteJournal(tmp_path / "journal")


def later(**passed: float) -> dt.datetime:
    return NOW + dt.timedelta(**passed)


def test_an_entry_is_kept_as_it_is(journal: Journal) -> None:
    assert journal.begin(entry()) is None
    assert journal.begin(entry(run="2", created=later(seconds=1))) == entry()
    done = entry(state="done", data='{"a": "ü"}')
    assert journal.update(done)
    assert journal.begin(entry(run="2")) == done
    assert journal.begin(entry(run="2", scope="ann mail.send j")) is None


def test_nobody_touches_what_another_run_holds(journal: Journal) -> None:
    journal.begin(entry())
    second = entry(run="2", created=later(seconds=61), until=later(seconds=200))
    assert journal.begin(second) is None  # the first one never came back
    assert not journal.update(entry(state="committed"))
    journal.forget(entry())
    assert journal.begin(entry(run="3", created=later(seconds=62))) is not None
    journal.forget(entry(run="2"))
    assert not journal.update(entry(run="2"))
    assert journal.begin(entry(run="3")) is None


@pytest.mark.parametrize("state", ["committed", "unknown", "done"])
def test_what_may_have_gone_counts_for_seven_days(journal: Journal, state: Any) -> None:
    journal.begin(entry())
    journal.update(entry(state=state))
    assert journal.begin(entry(run="2", created=later(days=6))) is not None
    assert journal.begin(entry(run="2", created=NOW + KEPT)) is None


def test_old_entries_make_room(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "journal")
    for number in range(5):
        journal.begin(entry(scope=f"{number}"))
    journal.begin(entry(scope="new", created=later(days=8)))
    with sqlite3.connect(tmp_path / "journal") as table:
        assert table.execute("SELECT scope FROM sends").fetchall() == [("new",)]
    table.close()


def test_one_of_many_threads_gets_the_key(journal: Journal) -> None:
    got: list[str] = []
    gate = threading.Barrier(8)

    def run(number: int) -> None:
        gate.wait()
        if journal.begin(entry(run=str(number))) is None:
            got.append(str(number))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 1


def test_a_file_is_its_owner_s_and_outlives_the_program(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    old = os.umask(0)
    try:
        SqliteJournal(path).begin(entry())
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    SqliteJournal(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert SqliteJournal(str(path)).begin(entry(run="2")) == entry()
    assert repr(SqliteJournal(path)) == f"<SqliteJournal {path}>"


@pytest.mark.parametrize(
    "content", [b"no database at all, but long enough to be looked at" * 40, b"SQLite format 3\0" + b"\xff" * 200]
)
def test_a_damaged_file_is_said_to_be_one(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "journal"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError) as caught:
        SqliteJournal(path)
    assert caught.value.file == str(path)


def test_another_table_of_that_name_is_no_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with sqlite3.connect(path) as table:
        table.execute("CREATE TABLE sends (a TEXT)")
    table.close()
    with pytest.raises(ConfigurationError, match="it is no journal"):
        SqliteJournal(path)


def change(path: Path, command: str) -> None:
    with sqlite3.connect(path) as table:
        table.execute(command)
    table.close()


def test_a_journal_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    SqliteJournal(path).begin(entry())
    SqliteJournal(path)
    change(path, "PRAGMA user_version = 2")
    with pytest.raises(ConfigurationError, match="later version"):
        SqliteJournal(path)


@pytest.mark.parametrize(
    "nonsense", ["state = 'paused'", "created = 'yesterday'", "until = 1e300", "created = x'00'", "until = 9e999"]
)
def test_an_entry_that_cannot_be_read_counts_as_no_other(tmp_path: Path, nonsense: str) -> None:
    path = tmp_path / "journal"
    journal = SqliteJournal(path)
    journal.begin(entry())
    change(path, f"UPDATE sends SET {nonsense}")
    with pytest.raises(ConfigurationError, match="something else than was written") as caught:
        journal.begin(entry(run="2"))
    assert (caught.value.cause, caught.value.file) == ("bad_journal", str(path))


def test_a_journal_that_another_program_holds_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal"
    journal = SqliteJournal(path)
    monkeypatch.setattr("mailkit.sending.sqlite_journal._PATIENCE", 0)
    held = sqlite3.connect(path, isolation_level=None)
    held.execute("BEGIN EXCLUSIVE")
    with pytest.raises(ConfigurationError, match="another program holds it; call again"):
        journal.begin(entry())
    held.execute("ROLLBACK")
    held.close()
    assert journal.begin(entry()) is None


@pytest.mark.parametrize("path", ["", "a\0b", 7, None])
def test_what_is_no_path_is_refused(path: Any) -> None:
    with pytest.raises(ConfigurationError):
        SqliteJournal(path)


def test_a_folder_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="folder that exists"):
        SqliteJournal(tmp_path / "nowhere" / "journal")
    with pytest.raises(ConfigurationError):
        SqliteJournal(tmp_path)


# A journal of the caller's that fails


@attrs.define
class Failing:
    """A journal that works until it is asked for the thing that fails."""

    fails: Callable[[str, JournalEntry], bool]
    inner: MemoryJournal = attrs.field(factory=MemoryJournal)

    def begin(self, entry: JournalEntry) -> JournalEntry | None:
        self._maybe("begin", entry)
        return self.inner.begin(entry)

    def update(self, entry: JournalEntry) -> bool:
        self._maybe(entry.state, entry)
        return self.inner.update(entry)

    def forget(self, entry: JournalEntry) -> None:
        self._maybe("forget", entry)
        self.inner.forget(entry)

    def _maybe(self, what: str, entry: JournalEntry) -> None:
        if self.fails(what, entry):
            raise RuntimeError("the database is gone")


async def send(mail: AsyncMailClient, **options: Any) -> SendResult:
    return await mail.send(BOB, subject="Plans", text="At ten.", account="ann", key="k", **options)


@pytest.mark.parametrize("provider", ["google", "microsoft"])
@pytest.mark.parametrize("what", ["begin", "committed"])
async def test_what_cannot_be_noted_before_is_not_sent(provider: Any, what: str) -> None:
    post = Post(provider)
    journal = Failing(lambda asked, _entry: asked == what)
    async with post.client(journal=journal) as mail:
        with pytest.raises(RuntimeError, match="database"):
            await send(mail)
        assert (post.sandbox.sent, post.drafts()) == ([], [])
        journal.fails = lambda *_: False
        assert (await send(mail)).state == "sent"


@pytest.mark.parametrize("provider", ["google", "microsoft"])
async def test_what_cannot_be_noted_afterwards_is_sent_all_the_same(provider: Any) -> None:
    post = Post(provider)
    journal = Failing(lambda asked, _entry: asked == "done")
    async with post.client(journal=journal) as mail:
        result = await send(mail)
        assert (result.state, [note.code for note in result.notes]) == ("sent", ["journal_failed"])
        await post.sandbox.clock.sleep(60)
        again = await send(mail)  # the entry says "being sent", so the mail is looked for
        assert (again.state, again.original and again.original.evidence) == ("duplicate", "message_id")
    assert post.arrived() == ["Plans"]


@pytest.mark.parametrize("provider", ["google", "microsoft"])
async def test_a_journal_that_dies_in_the_middle_hides_no_error(provider: Any) -> None:
    post = Post(provider)
    asked: list[str] = []

    def fails(what: str, _entry: JournalEntry) -> bool:
        asked.append(what)
        return what not in ("begin", "committed")

    journal = Failing(fails)
    async with post.client(journal=journal) as mail:
        post.ann.script(Fault(status=400, operation="messages.send"))
        with pytest.raises(ProviderError):
            await send(mail)
        journal.inner = MemoryJournal()
        post.ann.script(Fault.server_error(500, operation="messages.send", takes_effect=False))
        with pytest.raises(OutcomeUnknown):
            await send(mail)
    assert asked == ["begin", "committed", "running", "forget", "begin", "committed", "unknown"]
    assert post.sandbox.sent == []


async def test_a_journal_that_gives_nonsense_lets_nothing_go() -> None:
    post = Post()
    journal = MemoryJournal()
    async with post.client(journal=journal) as mail:
        await send(mail)
        for nonsense in ("", "7", '{"state": "sent"}', "{"):
            (there,) = journal._entries.values()
            for state in ("done", "unknown"):
                journal.update(attrs.evolve(there, data=nonsense, state=state))
                with pytest.raises(ConfigurationError) as caught:
                    await send(mail)
                assert caught.value.cause == "bad_journal"
    assert len(post.sandbox.sent) == 1


async def test_a_run_that_stood_still_sends_nothing_once_another_took_its_key() -> None:
    """A laptop that slept: its run comes back when the key belongs to somebody else."""
    post = Post()
    journal = MemoryJournal()
    slept = False

    def sleep(asked: str, _entry: JournalEntry) -> bool:
        nonlocal slept
        if asked == "committed" and not slept:
            slept = True
            (there,) = journal._entries.values()
            assert journal.begin(attrs.evolve(there, run="another", created=there.until)) is None
        return False

    async with post.client(journal=Failing(sleep, journal)) as mail:
        with pytest.raises(Exception, match="another took its key") as caught:
            await send(mail)
    assert (getattr(caught.value, "code", ""), post.sandbox.sent) == ("in_flight", [])
    assert [there.run for there in journal._entries.values()] == ["another"]


@pytest.mark.parametrize("journal", [object(), 7])
def test_what_is_no_journal_is_refused(journal: Any) -> None:
    with pytest.raises(ConfigurationError, match="journal"):
        Post().client(journal=journal)


@pytest.mark.parametrize("idempotency", ["always", None, True])
def test_what_is_no_way_to_make_keys_is_refused(idempotency: Any) -> None:
    with pytest.raises(ConfigurationError, match="idempotency"):
        Post().client(idempotency=idempotency)
