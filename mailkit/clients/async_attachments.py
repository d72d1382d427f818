"""``mail.attachments``: what hangs on messages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager

from mailkit import fanout
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

    async def read(self, attachment: Ref | str | Attachment, *, deadline: float | None = None) -> bytes:
        """Read all bytes of one attachment, decoded; ``deadline`` is for all of them.

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
        ref = fanout.item_ref(
            attachment, "attachment", account=None, known=self._desk.names, operation="mail.attachments.read"
        )
        return await fanout.read_attachment(self._desk, ref, deadline=self._desk.deadline(deadline))

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
