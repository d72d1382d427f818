"""``mail.attachments``: what hangs on messages."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from mailkit import checks, fanout
from mailkit.clients.desk import Desk
from mailkit.models import Attachment, MessageSummary, Results
from mailkit.values import Ref

__all__ = ["AsyncAttachments"]


class AsyncAttachments:
    """What hangs on messages."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def list(
        self, message: Ref | str | MessageSummary, *, account: str | None = None, deadline: float | None = None
    ) -> Results[Attachment]:
        """List what hangs on one message; ``message`` is a row, a ref, its text, or a bare id.

        Raises:
            UsageError: the ref is no message's, or of another account.
            NotFound: there is no such message.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.search("has:attachment"))[0]
                for attachment in await mail.attachments.list(row):
                    print(attachment.name, attachment.size)
            ```
        """
        ref = fanout.item_ref(
            message, "message", account=account, known=self._desk.names, operation="mail.attachments.list"
        )
        return await fanout.list_attachments(self._desk, ref, deadline=self._desk.deadline(deadline))

    async def read(
        self,
        attachment: Ref | str | Attachment,
        *,
        progress: Callable[[int, int | None], object] | None = None,
        deadline: float | None = None,
    ) -> bytes:
        """Read all bytes of one attachment, decoded; ``deadline`` is for all of them.

        ``progress`` is called as in ``save``.

        Raises:
            UsageError: the ref is no attachment's.
            NotDownloadable: it is a link, or another thing without bytes.
            NotFound: there is no such attachment.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.search("has:attachment"))[0]
                attachment = (await mail.attachments.list(row))[0]
                print(len(await mail.attachments.read(attachment)))
            ```
        """
        operation = "mail.attachments.read"
        ref = fanout.item_ref(attachment, "attachment", account=None, known=self._desk.names, operation=operation)
        with checks.asked(operation):
            checks.plain_function(progress, "progress", "the bytes done and those of all")
        return await fanout.read_attachment(
            self._desk,
            ref,
            known=attachment if isinstance(attachment, Attachment) else None,
            progress=progress,
            deadline=self._desk.deadline(deadline),
        )

    def iter_bytes(
        self, attachment: Ref | str | Attachment, *, deadline: float | None = None
    ) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Open one attachment for the block and give its bytes, decoded, as they arrive.

        ``deadline`` is for the beginning; after it only each wait for more is limited. Leaving the block closes the
        connection.

        Raises:
            UsageError: the ref is no attachment's.
            NotDownloadable: it is a link, or another thing without bytes.
            NotFound: there is no such attachment.

        Example:
            ```python
            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.search("has:attachment"))[0]
                attachment = (await mail.attachments.list(row))[0]
                async with mail.attachments.iter_bytes(attachment) as pieces:
                    async for piece in pieces:
                        print(len(piece))
            ```
        """
        ref = fanout.item_ref(
            attachment, "attachment", account=None, known=self._desk.names, operation="mail.attachments.iter_bytes"
        )
        return fanout.open_attachment(self._desk, ref, deadline=self._desk.deadline(deadline))

    async def save(
        self,
        attachment: Ref | str | Attachment,
        directory: str | os.PathLike[str],
        *,
        name: str | None = None,
        progress: Callable[[int, int | None], object] | None = None,
        deadline: float | None = None,
    ) -> Path:
        """Save one attachment as a new file in a directory that exists, and give its path.

        The file is called as the sender called it, or ``name``, made usable on every system; what has no name is an
        ``attachment`` with the extension of its type. Nothing is ever replaced: where the name is taken, the file is
        ``name (2).ext``. Only this user can read it, and it is there whole or not at all. A message or another Outlook
        item is saved as the ``.eml``, ``.ics`` or ``.vcf`` that it is.

        ``progress`` is called after each piece with the bytes that have come and those of the whole file, None where
        nobody knows; Outlook counts a little more than there are. What it raises ends the call. The sync client calls
        it in a thread of its own. ``deadline`` is for all of it; without one only the beginning must come in the time
        that the settings give, and each wait for more has its own limit.

        Raises:
            UsageError: the ref is no attachment's.
            ConfigurationError: there is no such directory, it is another user's or open to others, or the disk is full.
            NotDownloadable: it is a link, or another thing without bytes.
            NotFound: there is no such attachment.

        Example:
            ```python
            import tempfile

            from mailkit import AsyncMailClient
            from mailkit.testing import demo_accounts

            async with AsyncMailClient(demo_accounts()) as mail:
                row = (await mail.search("has:attachment"))[0]
                with tempfile.TemporaryDirectory() as directory:
                    for attachment in await mail.attachments.list(row):
                        print(await mail.attachments.save(attachment, directory))
            ```
        """
        operation = "mail.attachments.save"
        ref = fanout.item_ref(attachment, "attachment", account=None, known=self._desk.names, operation=operation)
        with checks.asked(operation):
            folder = checks.file_path(directory, "directory", kind="directory")
            checks.instance("" if name is None else name, "name", str, "the name of the file as text, or None")
            checks.plain_function(progress, "progress", "the bytes done and those of all")
            beginning = self._desk.deadline(deadline)
        return await fanout.save_attachment(
            self._desk,
            ref,
            folder,
            known=attachment if isinstance(attachment, Attachment) else None,
            name=name,
            progress=progress,
            beginning=beginning,
            deadline=deadline,
        )
