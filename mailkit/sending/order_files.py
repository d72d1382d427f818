"""The files of an order: attachments in mailboxes get their names, and everything is opened.

Knows where an attachment is read; what is done with the bytes is ``open_files``'.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import attrs

from mailkit.errors import UnknownAccount
from mailkit.fanout.attachments import list_attachments, open_attachment
from mailkit.fanout.request import Mailboxes
from mailkit.mime.build import FilePart
from mailkit.mime.file_names import safe_file_name
from mailkit.mime.outgoing import OutgoingFile, read_content_id, read_content_type
from mailkit.models.mail import Attachment
from mailkit.sending.open_files import opened
from mailkit.sending.order import Order
from mailkit.values import Ref

__all__ = ["EML", "as_file", "opened_files"]

EML = "message/rfc822"


def as_file(attachment: Attachment) -> OutgoingFile:
    """Give an attachment as a file to send along."""
    content_type = EML if attachment.kind == "item" else read_content_type(attachment.content_type)
    return OutgoingFile(
        content=attachment.ref,
        name=safe_file_name(attachment.name, content_type or "") if attachment.name else None,
        content_type=content_type,
        content_id=read_content_id(attachment.content_id) if attachment.inline else None,
    )


@asynccontextmanager
async def opened_files(
    mailboxes: Mailboxes, order: Order, files: Sequence[OutgoingFile]
) -> AsyncIterator[tuple[FilePart, ...]]:
    """Hold files of an order open for the block; attachments are read from the accounts they lie in.

    Raises:
        InvalidMessage: one of them is no file that can be read.
        UnknownAccount: an attachment is of an account that is not here.
    """
    for file in files:
        if isinstance(file.content, Ref) and file.content.account not in mailboxes.names:
            raise UnknownAccount(file.content.account, mailboxes.names, operation=order.operation)

    def attachment(ref: Ref) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        return open_attachment(mailboxes, ref, operation=order.operation, deadline=order.deadline)

    named = [await _named(mailboxes, order, file) for file in files]
    async with opened(named, attachment=attachment) as parts:
        yield parts


async def _named(mailboxes: Mailboxes, order: Order, file: OutgoingFile) -> OutgoingFile:
    """Give a bare ref the name and the type of the attachment it leads to."""
    ref = file.content
    if not isinstance(ref, Ref) or (file.name is not None and file.content_type is not None):
        return file
    rows = await list_attachments(mailboxes, attrs.evolve(ref, kind="message", part=None), deadline=order.deadline)
    found = next((as_file(row) for row in rows if row.ref == ref), file)
    return attrs.evolve(file, name=file.name or found.name, content_type=file.content_type or found.content_type)
