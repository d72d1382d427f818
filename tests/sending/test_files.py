"""Files that are sent: from wherever they come, opened before anything goes; and how far a send is, as it is told."""

from __future__ import annotations

import datetime as dt
import errno
import io
import os
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import anyio.from_thread
import attrs
import pytest

from mailkit import (
    AsyncMailClient,
    InvalidMessage,
    MailkitError,
    MemoryJournal,
    OutgoingFile,
    Ref,
    SendPolicy,
    SendResult,
    TimedOut,
    UnknownAccount,
)
from mailkit.sandbox import Fault, File, Mail, Mailbox, Person, VirtualClock
from mailkit.sandbox.mail import Mail as Seed
from mailkit.sending import open_files
from tests.sending.post import ANN, BOB, Post

pytestmark = pytest.mark.anyio

LARGE = 8_100_000
PLAN = b"at ten\r\n"


@pytest.fixture(params=["google", "microsoft"])
def post(request: pytest.FixtureRequest) -> Post:
    return Post(request.param)


async def send(mail: AsyncMailClient, files: Any, **options: Any) -> SendResult:
    return await mail.send(BOB, subject="Plans", text="See.", files=files, account="ann", **options)


def files_of(box: Mailbox) -> list[tuple[str, str, bytes]]:
    """Give name, type and bytes of what hangs on the newest mail of a mailbox."""
    mail: Seed = next(iter(box)).mail
    return [(file.name, file.content_type, file.content) for file in mail.files]


class Pipe(io.RawIOBase):
    """A stream that gives little at a time and cannot go back."""

    def __init__(self, *pieces: bytes | None) -> None:
        self._pieces = list(pieces)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes | None:
        return self._pieces.pop(0) if self._pieces else b""


SOURCES: dict[str, Callable[[Path], Any]] = {
    "path": lambda folder: folder / "plan.txt",
    "text of a path": lambda folder: str(folder / "plan.txt"),
    "bytes": lambda _: OutgoingFile(content=PLAN, name="plan.txt"),
    "stream": lambda _: OutgoingFile(content=io.BytesIO(PLAN), name="plan.txt"),
    "open file": lambda folder: (folder / "plan.txt").open("rb"),
    "pipe": lambda _: OutgoingFile(content=Pipe(PLAN[:3], PLAN[3:]), name="plan.txt"),  # type: ignore[arg-type]  # reads as one
}


@pytest.mark.parametrize("source", SOURCES)
async def test_a_file_arrives_from_wherever_it_comes(post: Post, tmp_path: Path, source: str) -> None:
    (tmp_path / "plan.txt").write_bytes(PLAN)
    given = SOURCES[source](tmp_path)
    async with post.client() as mail:
        await send(mail, given)
    assert files_of(post.bob) == [("plan.txt", "text/plain", PLAN)]
    if hasattr(given, "close"):
        assert not given.closed
        given.close()


async def test_what_is_no_path_and_has_no_name_is_an_attachment(post: Post) -> None:
    async with post.client() as mail:
        await send(mail, [b"\0\1", OutgoingFile(content=b"", name="nothing.pdf")])
    assert files_of(post.bob) == [
        ("attachment.bin", "application/octet-stream", b"\0\1"),
        ("nothing.pdf", "application/pdf", b""),
    ]


async def test_an_attachment_goes_on_from_another_account(post: Post) -> None:
    plan = File(name="Plan Ü.txt", content=PLAN, content_type="text/plain")
    old = post.sandbox.clock.now() - dt.timedelta(days=1)
    held = post.bob.add(Mail(subject="Old", from_=Person("", ANN), to=[Person("", BOB)], date=old, files=[plan]))
    async with post.client() as mail:
        rows = await mail.attachments.list(Ref(account="bob", kind="message", id=held))
        await send(mail, [rows[0], rows[0].ref, str(rows[0].ref)])
    assert files_of(post.bob) == [("Plan Ü.txt", "text/plain", PLAN)] * 3


async def test_an_attachment_of_nobody_is_refused_before_anything_goes(post: Post) -> None:
    ref = Ref(account="elsewhere", kind="attachment", id="1", part="2")
    async with post.client() as mail:
        with pytest.raises(UnknownAccount):
            await send(mail, ref)
    assert post.sandbox.requests == []


def _directory(folder: Path) -> Any:
    return folder


def _missing(folder: Path) -> Any:
    return folder / "missing.txt"


def _pipe(folder: Path) -> Any:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


def _device(_folder: Path) -> Any:
    return "/dev/null"


def _not_a_path(_folder: Path) -> Any:
    return "a\0b"


def _of_text(_folder: Path) -> Any:
    return io.StringIO("text")


def _of_no_text(_folder: Path) -> Any:
    return io.StringIO("")


def _closed(_folder: Path) -> Any:
    stream = io.BytesIO(PLAN)
    stream.close()
    return stream


def _for_writing(folder: Path) -> Any:
    return (folder / "out.txt").open("wb")


def _not_ready(_folder: Path) -> Any:
    return Pipe(b"x", None, b"y")


REFUSED = [
    _directory,
    _missing,
    _pipe,
    _device,
    _not_a_path,
    _of_text,
    _of_no_text,
    _closed,
    _for_writing,
    _not_ready,
]


@pytest.mark.parametrize("make", REFUSED, ids=lambda make: make.__name__)
async def test_what_cannot_be_read_is_refused_before_anything_goes(post: Post, tmp_path: Path, make: Any) -> None:
    given = make(tmp_path)
    async with post.client() as mail:
        with pytest.raises(InvalidMessage) as caught:
            await send(mail, [OutgoingFile(content=b"good"), given], key="k")
    assert (caught.value.code, caught.value.operation, post.sandbox.requests) == ("bad_file", "mail.send", [])
    assert "files[1]" in str(caught.value)
    assert str(tmp_path) not in str(caught.value)
    if hasattr(given, "close"):
        given.close()


async def test_a_file_one_may_not_read_is_refused(post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(path: str, _flags: int) -> int:  # root, as whom tests may run, may read everything
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(open_files, "_at_once", deny)
    async with post.client() as mail:
        with pytest.raises(InvalidMessage, match="Permission denied"):
            await send(mail, tmp_path / "secret.txt")
    assert post.sandbox.requests == []


async def test_a_stream_can_be_sent_again_after_a_failure(post: Post) -> None:
    stream = io.BytesIO(b"skipped" + PLAN)
    stream.seek(7)
    given = OutgoingFile(content=stream, name="plan.txt")
    post.ann.script(Fault(status=400))
    async with post.client() as mail:
        with pytest.raises(MailkitError):
            await send(mail, given)
        await send(mail, given)
    assert files_of(post.bob) == [("plan.txt", "text/plain", PLAN)]


async def test_a_file_that_shrinks_on_the_way_is_not_sent(post: Post, tmp_path: Path) -> None:
    path = tmp_path / "log.bin"
    path.write_bytes(bytes(LARGE))

    def shrink(done: int, _total: int | None) -> None:
        if done < LARGE:
            os.truncate(path, 0)

    async with post.client() as mail:
        with pytest.raises(InvalidMessage, match="shorter"):
            await send(mail, path, progress=shrink, key="k")
        assert (post.sandbox.sent, post.drafts()) == ([], [])
        path.write_bytes(PLAN)
        assert (await send(mail, path, key="k")).state == "sent"


async def test_a_file_that_grows_is_sent_as_it_was(post: Post, tmp_path: Path) -> None:
    path = tmp_path / "log.bin"
    path.write_bytes(PLAN)
    with path.open("ab") as more:

        def write(_message: object) -> None:
            more.write(b"more")
            more.flush()

        async with post.client(policy=SendPolicy(check=write)) as mail:
            await send(mail, path)
    assert files_of(post.bob)[0][2] == PLAN


# Progress


@pytest.mark.parametrize("harm", [None, Fault.reset(method="PUT", skip=1, takes_effect=False)])
async def test_progress_goes_forward_to_the_end(post: Post, harm: Fault | None) -> None:
    told: list[tuple[int, int | None]] = []
    if harm is not None:
        post.ann.script(harm)
    content = random.Random(1).randbytes(LARGE)
    async with post.client() as mail:
        result = await send(
            mail, [OutgoingFile(content=content), b"x"], progress=lambda done, total: told.append((done, total))
        )
    assert result.state == "sent"
    assert len(told) >= 3
    assert told == sorted(set(told))
    assert {total for _, total in told} == {told[-1][0]}
    assert files_of(post.bob)[0][2] == content


@pytest.mark.parametrize("call", [1, 2])
async def test_what_progress_raises_before_the_mail_goes_ends_the_call(post: Post, call: int) -> None:
    told: list[int] = []

    def progress(done: int, _total: int | None) -> None:
        told.append(done)
        if len(told) == call:
            raise LookupError("the window is closed")

    async with post.client() as mail:
        with pytest.raises(LookupError):
            await send(mail, OutgoingFile(content=bytes(LARGE)), progress=progress, key="k")
        assert len(told) == call
        assert (post.sandbox.sent, post.drafts()) == ([], [])
        assert (await send(mail, OutgoingFile(content=bytes(LARGE)), key="k")).state == "sent"


async def test_what_progress_raises_afterwards_hides_nothing() -> None:
    def progress(_done: int, _total: int | None) -> None:
        raise LookupError("the window is closed")

    post = Post("google")
    async with post.client() as mail:
        result = await send(mail, b"x", progress=progress, key="k")
        assert (result.state, [note.code for note in result.notes]) == ("sent", ["progress_failed"])
        assert (await send(mail, b"x", key="k")).state == "duplicate"
    assert post.arrived() == ["Plans"]


@pytest.mark.parametrize("progress", [7, "x"])
async def test_what_cannot_be_told_is_refused(progress: Any) -> None:
    post = Post()
    async with post.client() as mail:
        with pytest.raises(MailkitError, match="progress"):
            await send(mail, b"x", progress=progress)
    assert post.sandbox.requests == []


# Cancelling


@attrs.frozen
class When:
    """Where a send is cancelled: when the nth request of a kind is under way, and has been carried out or not."""

    operation: str
    skip: int = 0
    done: bool = False


WHERE = {
    "google": [
        When("messages.send", done=True),
        When("messages.send"),
        When("messages.send", 1),
        When("messages.send", 3),
    ],
    "microsoft": [
        When("messages.create", done=True),
        When("messages.create"),
        When("uploads.put", 1),
        When("uploads.put", 2, done=True),
        When("messages.send", done=True),
        When("messages.send"),
    ],
}
CUTS = [(provider, when) for provider, cuts in WHERE.items() for when in cuts]


@pytest.mark.parametrize(("provider", "when"), CUTS)
@pytest.mark.parametrize("size", [3, LARGE])
async def test_who_cancels_leaves_nothing_half_done(provider: Any, when: When, size: int) -> None:
    post = Post(provider)
    post.ann.script(Fault.hang(operation=when.operation, skip=when.skip, takes_effect=when.done))
    given = OutgoingFile(content=bytes(size))
    async with post.client() as mail:
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as group:

                async def stop() -> None:
                    await post.sandbox.clock.sleep(20)
                    scope.cancel()

                group.start_soon(stop)
                await send(mail, given, key="k")
                group.cancel_scope.cancel()
        sent = len(post.sandbox.sent)
        if scope.cancelled_caught and not sent and when.operation != "messages.send":
            assert post.drafts() == []
        post.ann.faults.clear()
        again = await send(mail, given, key="k", on_unknown="return")
        assert again.state in {"sent", "duplicate", "unknown"}
        assert (again.state == "duplicate") == (sent == 1)
        assert len(post.sandbox.sent) == (sent if again.state == "unknown" else 1)
    assert len(post.arrived()) == len(post.sandbox.sent)


# Files that take long


class Slow(io.RawIOBase):
    """A stream that ends when it is let."""

    def __init__(self, wait: Callable[[], object]) -> None:
        self._wait = wait

    def readable(self) -> bool:
        return True

    def read(self, _size: int = -1) -> bytes:
        self._wait()
        return b""


async def test_what_took_all_the_time_there_was_did_surely_not_go(post: Post) -> None:
    clock, passed = post.sandbox.clock, iter([60, 0])
    assert isinstance(clock, VirtualClock)
    policy = SendPolicy(check=lambda _: clock.advance(next(passed)))
    async with post.client(policy=policy) as mail:
        with pytest.raises(TimedOut):
            await send(mail, [PLAN], deadline=30, key="k")
        assert (post.sandbox.sent, post.drafts()) == ([], [])
        assert (await send(mail, [PLAN], key="k")).state == "sent"


async def test_nobody_who_gives_up_waits_for_a_stream(post: Post) -> None:
    goes_on, waited = threading.Event(), list[bool]()
    async with post.client(journal=MemoryJournal()) as mail:
        with anyio.CancelScope() as scope:

            def wait() -> None:
                anyio.from_thread.run_sync(scope.cancel)
                waited.append(goes_on.wait(5))

            await send(mail, [Slow(wait)], key="k")
        assert (scope.cancelled_caught, waited) == (True, [])
        goes_on.set()
        assert (post.sandbox.sent, post.drafts()) == ([], [])
        assert (await send(mail, [PLAN], key="k")).state == "sent"


async def test_who_cancels_before_anything_can_have_gone_leaves_the_key_free(post: Post) -> None:
    scope = anyio.CancelScope()
    async with post.client(policy=SendPolicy(check=lambda _: scope.cancel())) as mail:
        with scope:
            await send(mail, [PLAN], key="k")
        assert scope.cancelled_caught
        assert (post.sandbox.sent, post.drafts()) == ([], [])
        assert (await send(mail, [PLAN], key="k")).state == "sent"
