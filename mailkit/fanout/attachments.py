"""What hangs on messages: listed, read whole, read as it arrives, saved.

A saved file gets its name from ``mailkit.mime.file_names`` and its place from ``mailkit.files``. Disk work is done in
worker threads, so that a slow disk holds up nobody else.
"""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from pathlib import Path

import anyio.to_thread

from mailkit.errors import BadPayload, MailkitError, NotFound
from mailkit.fanout.flow import in_account, named
from mailkit.fanout.request import Mailboxes
from mailkit.files import NewFile, new_file
from mailkit.mime.file_names import item_type, safe_file_name
from mailkit.models.mail import Attachment
from mailkit.models.results import Results
from mailkit.values import Ref

__all__ = ["list_attachments", "open_attachment", "read_attachment", "save_attachment"]

Progress = Callable[[int, int | None], object]
_TELLING = 64  # bytes: by then it is clear what an Outlook item is


async def list_attachments(mailboxes: Mailboxes, ref: Ref, *, deadline: float) -> Results[Attachment]:
    """Give what hangs on one message."""
    return await _listed(mailboxes, ref, operation="mail.attachments.list", deadline=deadline)


async def read_attachment(
    mailboxes: Mailboxes, ref: Ref, *, known: Attachment | None, progress: Progress | None, deadline: float
) -> bytes:
    """Give all bytes of one attachment; ``known`` is its record, where the caller has one."""
    operation = "mail.attachments.read"

    async def work() -> bytes:
        meter, gathered = _Meter(known, progress), list[bytes]()
        async with _stream(mailboxes, ref, operation) as pieces:
            async for piece in pieces:
                gathered.append(piece)
                meter.more(piece)
        return b"".join(gathered)

    return await in_account(mailboxes, ref.account, work, operation=operation, deadline=deadline)


@asynccontextmanager
async def open_attachment(
    mailboxes: Mailboxes, ref: Ref, *, operation: str = "mail.attachments.iter_bytes", deadline: float
) -> AsyncIterator[AsyncIterator[bytes]]:
    """Hold one attachment open for the block; the deadline is for its beginning, not for all of it."""
    async with AsyncExitStack() as stack:
        yield await in_account(
            mailboxes,
            ref.account,
            lambda: stack.enter_async_context(_stream(mailboxes, ref, operation)),
            operation=operation,
            deadline=deadline,
        )


async def save_attachment(
    mailboxes: Mailboxes,
    ref: Ref,
    folder: Path,
    *,
    known: Attachment | None,
    name: str | None,
    progress: Progress | None,
    beginning: float,
    deadline: float | None,
) -> Path:
    """Write one attachment to a new file in ``folder`` and give its path; ``deadline`` is for all of it, if there is.

    ``beginning`` is how many seconds may pass before it is known what hangs there, and before the first bytes come.
    """
    operation = "mail.attachments.save"

    async def work() -> Path:
        with new_file(folder) as file:
            about = known or await _found(mailboxes, ref, operation=operation, deadline=beginning)
            async with open_attachment(mailboxes, ref, operation=operation, deadline=beginning) as pieces:
                start = await _written(file, pieces, _Meter(about, progress))
            is_item = about.kind == "item"
            content_type = item_type(start) if is_item else about.content_type
            safe = safe_file_name(about.name if name is None else name, content_type, is_item=is_item)
            return await anyio.to_thread.run_sync(file.keep, safe)

    within = math.inf if deadline is None else deadline
    return await in_account(mailboxes, ref.account, work, operation=operation, deadline=within)


async def _listed(mailboxes: Mailboxes, ref: Ref, *, operation: str, deadline: float) -> Results[Attachment]:
    def work() -> Awaitable[tuple[list[Attachment], list[BadPayload]]]:
        return mailboxes.driver(ref.account).attachments(ref.id)

    rows, problems = await in_account(mailboxes, ref.account, work, operation=operation, deadline=deadline)
    return Results(rows=tuple(rows), problems=tuple(problems))


async def _found(mailboxes: Mailboxes, ref: Ref, *, operation: str, deadline: float) -> Attachment:
    """Give the record of an attachment; neither provider gives name and type together with the bytes.

    Raises:
        NotFound: the message has no such attachment.
    """
    rows = await _listed(mailboxes, ref, operation=operation, deadline=deadline)
    found = next((row for row in rows if row.ref.part == ref.part), None)
    if found is None:
        raise NotFound("the message has no such attachment; list its attachments again")
    return found


async def _written(file: NewFile, pieces: AsyncIterator[bytes], meter: _Meter) -> bytes:
    """Write the pieces as they come; give the first bytes."""
    start = b""
    async for piece in pieces:
        start += piece[: _TELLING - len(start)]
        await anyio.to_thread.run_sync(file.write, piece)
        meter.more(piece)
    return start


class _Meter:
    """Tells after each piece how much has come, and of how much where that is known."""

    def __init__(self, about: Attachment | None, progress: Progress | None) -> None:
        self._progress = progress
        # An item's size is that of Outlook's own form of it, not of the text it is given as.
        self._total = about.size if about is not None and about.kind == "file" else None
        self._done = 0

    def more(self, piece: bytes) -> None:
        self._done += len(piece)
        if self._progress is not None:
            self._progress(self._done, self._total)


@asynccontextmanager
async def _stream(mailboxes: Mailboxes, ref: Ref, operation: str) -> AsyncIterator[AsyncIterator[bytes]]:
    async with (
        mailboxes.driver(ref.account).read_attachment(ref.id, ref.part or "") as pieces,
        aclosing(_named(pieces, ref, operation)) as ours,
    ):
        yield ours


async def _named(pieces: AsyncIterator[bytes], ref: Ref, operation: str) -> AsyncGenerator[bytes, None]:
    """Give the pieces; an error among them names the verb that was called."""
    try:
        async for piece in pieces:
            yield piece
    except MailkitError as error:
        named(error, account=ref.account, operation=operation)
        raise
