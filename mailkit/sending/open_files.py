"""Files that somebody named → files whose bytes can be read at any place, as long as the send takes.

Everything is opened and checked before anything is sent. What cannot be read twice (a stream, an attachment in another
mailbox) is kept in a temporary file meanwhile, so that no file lies in memory as a whole.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from mimetypes import MimeTypes
from typing import BinaryIO, TypeAlias

import anyio.to_thread
import attrs

from mailkit.errors import InvalidMessage, reword
from mailkit.mime.build import BytesPayload, FilePart, Payload
from mailkit.mime.file_names import safe_file_name
from mailkit.mime.outgoing import OutgoingFile
from mailkit.values import Ref

__all__ = ["OpenAttachment", "opened"]

OpenAttachment: TypeAlias = Callable[[Ref], AbstractAsyncContextManager[AsyncIterator[bytes]]]

_PIECE = 1 << 18
# The table of the standard library alone: a system's own would make the same file another type elsewhere.
_TYPES = MimeTypes()
_PACKED = {"gzip": "application/gzip", "bzip2": "application/x-bzip2", "xz": "application/x-xz"}


@attrs.frozen(repr=False)
class _FilePayload:
    """An open file; its place is set anew for each piece, so that several may read it."""

    file: BinaryIO
    size: int

    def pieces(self, start: int = 0) -> Iterator[bytes]:
        while start < self.size:
            self.file.seek(start)
            piece = self.file.read(min(_PIECE, self.size - start))
            if not piece:
                raise InvalidMessage(
                    "a file became shorter while it was sent; send it when it is done", code="bad_file"
                )
            yield piece
            start += len(piece)


@asynccontextmanager
async def opened(files: Sequence[OutgoingFile], *, attachment: OpenAttachment) -> AsyncIterator[tuple[FilePart, ...]]:
    """Hold the files open for the block, in order.

    Raises:
        InvalidMessage: one of them is no file that can be read.
    """
    async with AsyncExitStack() as stack:
        parts = []
        for place, file in enumerate(files):
            try:
                payload, name = await _open(file, stack, attachment)
            except InvalidMessage as error:  # which one it is, in the caller's terms: its name is not for a log
                reword(error, f"files[{place}]: {error.message}")
                raise
            content_type = file.content_type or _guess(name)
            parts.append(
                FilePart(
                    name=safe_file_name(name, content_type),
                    content_type=content_type,
                    payload=payload,
                    content_id=file.content_id,
                )
            )
        yield tuple(parts)


async def _open(file: OutgoingFile, stack: AsyncExitStack, attachment: OpenAttachment) -> tuple[Payload, str]:
    content = file.content
    if isinstance(content, bytes):
        return BytesPayload(content), file.name or ""
    if isinstance(content, str | os.PathLike):
        opened_file = await anyio.to_thread.run_sync(_open_path, content)
        stack.callback(opened_file.close)
        size = os.fstat(opened_file.fileno()).st_size
        return _FilePayload(opened_file, size), file.name or os.path.basename(os.fspath(content))  # noqa: PTH119  # of a text, too
    with _readable("kept in a temporary file meanwhile"):
        kept = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115  # closed with the stack
        if isinstance(content, Ref):
            async with attachment(content) as pieces:
                async for piece in pieces:
                    kept.write(piece)
        else:
            # A stream may wait for ever for what is to come: then nobody waits for it, and what comes finds no file.
            await anyio.to_thread.run_sync(_copy, content, kept, abandon_on_cancel=True)
        kept.flush()
    return _FilePayload(kept, kept.tell()), file.name or _name_of(content)


def _open_path(path: str | os.PathLike[str]) -> BinaryIO:
    with _readable("opened"):
        file = open(path, "rb", opener=_at_once)  # noqa: SIM115  # closed with the stack
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise InvalidMessage("a file to send is no regular file; pass its content as a stream", code="bad_file")
    return file


def _at_once(path: str, flags: int) -> int:
    """Open a path without waiting for somebody to write into it, which a named pipe would do for ever."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _copy(stream: BinaryIO, kept: BinaryIO) -> None:
    """Copy what is left of a stream; its place is set back where it can be, so that the same call finds it again."""
    place = stream.tell() if getattr(stream, "seekable", bool)() else None
    while True:
        piece: object = stream.read(_PIECE)
        if not isinstance(piece, bytes | bytearray):
            given = "text" if isinstance(piece, str) else "nothing, as nothing is there yet"
            raise InvalidMessage(
                f"a stream to send gives {given}; pass one that is open in binary mode and waits", code="bad_file"
            )
        if not piece:
            break
        kept.write(piece)
    if place is not None:
        stream.seek(place)


@contextmanager
def _readable(what: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a closed stream, a path with NUL
        why = getattr(error, "strerror", None) or "it cannot be read"
        raise InvalidMessage(f"a file to send cannot be {what} ({why}); check it", code="bad_file") from None


def _name_of(content: object) -> str:
    name = getattr(content, "name", "")
    return os.path.basename(name) if isinstance(name, str) else ""  # noqa: PTH119


def _guess(name: str) -> str:
    guessed, packed = _TYPES.guess_type(name)
    return _PACKED.get(packed, "application/octet-stream") if packed else guessed or "application/octet-stream"
